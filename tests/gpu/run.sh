#!/usr/bin/env bash
# The checks that need a GPU, in under 5 minutes: run on a machine that has one.
set -euo pipefail
cd "$(dirname "$0")/../.."
export OMP_NUM_THREADS=1
python -c 'import torch; assert torch.cuda.is_available(), "torch finds no CUDA device"'
timeout 300 python -m pytest -q -m gpu tests/gpu
autograder check solutions/linear.ipynb --device cuda
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
autograder grade solutions --device cuda --no-html -o "$out"
