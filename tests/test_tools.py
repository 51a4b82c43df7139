"""The tools run. What they measure is kept in docs."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_thresholds_are_measured_for_all_exercises():
    done = subprocess.run([sys.executable, ROOT / "tools/thresholds.py", "4"],
                          capture_output=True, text=True, check=True)
    kept = (ROOT / "docs/thresholds.md").read_text("utf-8")
    titles = [line.split("(")[0] for line in done.stdout.splitlines() if line.startswith("lqr:")]
    assert len(titles) >= 6
    assert all(title in kept for title in titles)
