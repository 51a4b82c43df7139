"""The course notebooks: whole, honest about how they fail, and silent about the answer."""

import ast
import json
import re
from pathlib import Path

import nbformat
import pytest
import torch

ROOT = Path(__file__).resolve().parents[1]
NAMES = ["linear", "conv", "lqr"]
MASTERS = {name: ROOT / "solutions" / f"{name}.ipynb" for name in NAMES}
HANDOUTS = {name: ROOT / "assignments" / name / f"{name}.ipynb" for name in NAMES}
SIGNATURES = {
    "linear": {"make_data": ["seed"], "train": ["X", "Y", "steps", "lr", "seed"]},
    "conv": {
        "corr2d": ["X", "K"],
        "make_data": ["seed"],
        "train": ["X", "Y", "steps", "lr", "seed"],
    },
    "lqr": {
        "OneD_NN_LQR.__init__": ["self", "hidden_units", "learning_rate_param_C", "batch_size"],
        "OneD_NN_LQR.step": ["self", "delta"],
        "OneD_NN_LQR.forward": ["self", "x"],
    },
}
ATTRIBUTES = {"w": (4, 1), "b": (4,), "c": (1, 4), "X": (1,)}
SECOND_TIME = "Trying to backward through the graph a second time"
ZERO_GRAD_OWNERS = {
    "nn.Linear": torch.nn.Linear,
    "nn.Conv2d": torch.nn.Conv2d,
    "nn.Sequential": torch.nn.Sequential,
    "a module of your own": torch.nn.Module,
    "torch.optim.SGD": torch.optim.SGD,
    "torch.Tensor": torch.Tensor,
    "nn.Parameter": torch.nn.Parameter,
}

each_name = pytest.mark.parametrize("name", NAMES)


def sources(path, kind):
    notebook = nbformat.read(path, as_version=4)
    return [cell.source for cell in notebook.cells if cell.cell_type == kind]


def solution_part(source):
    return "\n".join(re.findall(r"# BEGIN SOLUTION NO PROMPT\n(.*?)# END SOLUTION", source, re.S))


def prompt_part(source):
    return "\n".join(re.findall(r'""" # BEGIN PROMPT\n(.*?)""" # END PROMPT', source, re.S))


def lines_of(text):
    return {line.strip() for line in text.splitlines()}


def signatures(tree, prefix=""):
    found = {}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            arguments = node.args.args + node.args.kwonlyargs
            found[prefix + node.name] = [argument.arg for argument in arguments]
        elif isinstance(node, ast.ClassDef):
            found |= signatures(node, prefix=f"{node.name}.")
    return found


def program(path):
    """Run the definitions of a notebook; leave out otter's cells, the tests and the cell to try."""
    namespace = {}
    for source in sources(path, "code"):
        if not re.search(r"\bgrader\b|def test_|^# Try it", source):
            exec(compile(source, str(path), "exec"), namespace)
    return namespace


@each_name
def test_notebooks_are_valid(name):
    for path in (MASTERS[name], HANDOUTS[name]):
        notebook = nbformat.read(path, as_version=4)
        nbformat.validate(notebook)
        assert all(not cell.get("outputs") for cell in notebook.cells)
        assert notebook.metadata.kernelspec.name == "python3"


@each_name
def test_markers_of_the_master_are_balanced(name):
    open_blocks = []
    lines = [
        line.strip().removeprefix('"""').strip()
        for cell in nbformat.read(MASTERS[name], as_version=4).cells
        for line in cell.source.splitlines()
    ]
    for line in lines:
        if match := re.fullmatch(r"# BEGIN ([A-Z ]+?)( NO PROMPT)?", line):
            open_blocks.append(match[1])
        elif match := re.fullmatch(r"# END ([A-Z ]+)", line):
            assert open_blocks, f"# END {match[1]} without a beginning"
            assert open_blocks.pop() == match[1]
    assert open_blocks == []
    assert lines.count("# ASSIGNMENT CONFIG") == 1
    assert lines.count("# BEGIN QUESTION") >= 1


@each_name
def test_handout_defines_what_the_contract_names(name):
    tree = ast.parse("\n\n".join(sources(HANDOUTS[name], "code")))
    found = signatures(tree)
    for function, arguments in SIGNATURES[name].items():
        assert found.get(function) == arguments
    if name == "conv":
        assert program(HANDOUTS[name])["zero_grad_owners"] == dict.fromkeys(ZERO_GRAD_OWNERS)


@each_name
def test_handout_holds_no_line_of_the_solution(name):
    master = "\n".join(sources(MASTERS[name], "code"))
    broken = lines_of(prompt_part(master))
    secret = {line for line in lines_of(solution_part(master)) - broken if len(line) > 25}
    assert secret, "the solution has no line of its own: are the markers right?"
    for path in HANDOUTS[name].parent.rglob("*"):
        if path.is_file():
            text = path.read_text(encoding="utf-8")
            for line in secret:
                assert line not in text, f"{path} gives away: {line}"
                assert json.dumps(line)[1:-1] not in text, f"{path} gives away: {line}"


@each_name
def test_handout_has_no_marker_of_the_master(name):
    text = HANDOUTS[name].read_text(encoding="utf-8")
    assert not re.search(r"(BEGIN|END) (SOLUTION|PROMPT|TESTS?|QUESTION)|ASSIGNMENT CONFIG", text)


@each_name
def test_handout_tells_what_the_master_tells(name):
    handout = "\n".join(sources(HANDOUTS[name], "markdown"))
    for text in sources(MASTERS[name], "markdown"):
        assert text in handout


@each_name
def test_handout_fails_in_its_second_step_as_it_says(name):
    broken = program(HANDOUTS[name])
    if name == "lqr":
        controller = broken["OneD_NN_LQR"](hidden_units=4)
        controller.step(0.05)
        with pytest.raises(RuntimeError, match=SECOND_TIME) as failure:
            controller.step(0.05)
    else:
        X, Y = broken["make_data"](seed=0)
        broken["train"](X, Y, steps=1)
        X, Y = broken["make_data"](seed=0)
        with pytest.raises(RuntimeError, match=SECOND_TIME) as failure:
            broken["train"](X, Y, steps=2)
    told = " ".join(" ".join(sources(HANDOUTS[name], "markdown")).split())
    assert f"RuntimeError: {failure.value}" in told


def test_linear_solution_reaches_least_squares():
    solution = program(MASTERS["linear"])
    X, Y = solution["make_data"](seed=0)
    assert (X.shape, Y.shape) == ((32, 5), (32, 1))
    assert not X.requires_grad and not Y.requires_grad
    layer, losses = solution["train"](X, Y)
    ones = torch.ones(32, 1, dtype=torch.float64)
    best = torch.linalg.lstsq(torch.cat([X.double(), ones], dim=1), Y.double()).solution.flatten()
    found = torch.cat([layer.weight.detach().flatten(), layer.bias.detach()])
    assert (found - best).norm() / best.norm() < 1e-3
    assert len(losses) == 600


def test_conv_solution_finds_the_kernel():
    solution = program(MASTERS["conv"])
    X, Y = solution["make_data"](seed=0)
    assert (X.shape, Y.shape) == ((1, 1, 6, 8), (1, 1, 6, 7))
    layer, losses = solution["train"](X, Y)
    assert torch.allclose(layer.weight.flatten(), torch.tensor([1.0, -1.0]), atol=1e-3)
    assert len(losses) == 100
    truth = {key: hasattr(kind, "zero_grad") for key, kind in ZERO_GRAD_OWNERS.items()}
    assert solution["zero_grad_owners"] == truth


def test_lqr_solution_pushes_back_and_carries_no_graph():
    torch.manual_seed(0)
    controller = program(MASTERS["lqr"])["OneD_NN_LQR"](hidden_units=4)
    for _ in range(1000):
        w, c, b = controller.step(0.05)
    assert w is controller.w and c is controller.c and b is controller.b
    for attribute, shape in ATTRIBUTES.items():
        assert getattr(controller, attribute).shape == shape
    for parameter in "wbc":
        sensitivity = getattr(controller, f"Xtilde_{parameter}")
        assert sensitivity.shape == getattr(controller, parameter).shape
        assert sensitivity.grad_fn is None
    assert controller.X.grad_fn is None
    assert controller.forward(torch.tensor([1.0])) < 0 < controller.forward(torch.tensor([-1.0]))


@pytest.mark.parametrize("name", ["linear", "lqr"])
def test_published_answers_keep_the_contract_and_run(name):
    path = ROOT / "solutions" / f"published_{name}.py"
    source = path.read_text(encoding="utf-8")
    found = signatures(ast.parse(source))
    for function, arguments in SIGNATURES[name].items():
        assert found.get(function) == arguments
    namespace = {}
    exec(compile(source, str(path), "exec"), namespace)
    if name == "linear":
        X, Y = namespace["make_data"](seed=0)
        _, losses = namespace["train"](X, Y, steps=20)
        assert losses[-1] < losses[0]
    else:
        controller = namespace["OneD_NN_LQR"](hidden_units=4)
        for _ in range(20):
            controller.step(0.05)
        assert controller.Xtilde_w.grad_fn is not None
