"""Finding lines in a submission's source: who keeps a tensor, who writes an attribute."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from autograder.evidence import OldNode, Spot
from autograder.statements import (
    calls,
    start_of_function,
    statement_at,
    statements,
    targets,
    trees,
)
from autograder.submission import Submission

CUTS = ("detach", "item", "tolist", "numpy")
KEEPERS = ("append", "extend", "add", "appendleft", "setdefault", "insert", "put")


def keeper(submission: Submission, kept: list[OldNode], roots: list[OldNode]) -> Spot | None:
    """The line that keeps past graphs alive: one that carries a value on, else one that stores."""
    carried = carrier(submission, kept)
    if carried is not None:
        return carried
    for node in roots or kept:
        for spot in _chain(node):
            statement = statement_at(submission, spot)
            if statement is None or stores(statement):
                return spot
            found = _storing(submission, spot, targets(statement) | _called_backward(statement))
            if found is not None:
                return found
    return _collecting(submission) or next((n.spot for n in roots or kept if n.spot), None)


def _collecting(submission: Submission) -> Spot | None:
    """A function that stores what it is given: a hook that collects."""
    for cell, function in statements(submission):
        if isinstance(function, ast.FunctionDef):
            given = {a.arg for a in function.args.args} - {"self"}
            for statement in function.body:
                used = {n.id for n in ast.walk(statement) if isinstance(n, ast.Name)}
                if stores(statement) and used & given:
                    return Spot(cell=cell, line=statement.lineno)
    return None


def carrier(submission: Submission, nodes: list[OldNode]) -> Spot | None:
    """The first line among these that makes a value from its own last value."""
    spots = {(s.cell or 0, s.line): s for n in nodes for s in _chain(n)[:2]}
    for _, spot in sorted(spots.items()):
        statement = statement_at(submission, spot)
        if statement is not None and accumulates(statement):
            return spot
    return None


def origin(node: OldNode, at: list[Spot]) -> Spot | None:
    """The line where a node's calls part from those of the pass `at`: callers of both are no news.

    Args:
        at: the pass's calls, innermost first.
    """
    chain = list(reversed(_chain(node)))
    shared = list(reversed(at))
    for i, spot in enumerate(chain):
        if i >= len(shared) or spot != shared[i]:
            return spot
    return node.spot


def _chain(node: OldNode) -> list[Spot]:
    return [node.spot, *node.calls] if node.spot else []


def _called_backward(statement: ast.stmt) -> set[str]:
    """A backward pass that builds a graph leaves it in `.grad`."""
    called = {n.func.attr for n in ast.walk(statement)
              if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute)}
    return {"grad"} if "backward" in called else set()


def accumulates(statement: ast.stmt) -> bool:
    """`x += y`, or `x = … x …` for a name, an attribute or `d["key"]`; updates of `.data` aside."""
    if isinstance(statement, ast.AugAssign):
        return (isinstance(statement.op, (ast.Add, ast.Sub)) and _is_carrier(statement.target))
    if not isinstance(statement, ast.Assign):
        return False
    used = {ast.unparse(n) for n in _attached(statement.value) if _is_carrier(n)}
    targets = [t for each in statement.targets
               for t in (each.elts if isinstance(each, ast.Tuple) else [each])]
    return any(_is_carrier(t) and ast.unparse(t) in used for t in targets)


def _is_carrier(node: ast.AST) -> bool:
    """What carries a value from one step to the next; an item with a number may be in a tensor."""
    if isinstance(node, ast.Subscript):
        return isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str)
    return isinstance(node, (ast.Name, ast.Attribute))


def _attached(value: ast.AST) -> Iterator[ast.AST]:
    """The parts of an expression that pass their graph on: not what is detached."""
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) \
            and value.func.attr in CUTS:
        return
    yield value
    for child in ast.iter_child_nodes(value):
        yield from _attached(child)


def stores(statement: ast.stmt) -> bool:
    """Whether a statement puts something into a container, or builds it anew with one more."""
    if not isinstance(statement, (ast.Expr, ast.Assign)):
        return False
    value = statement.value
    return any(
        isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute) and n.func.attr in KEEPERS
        for n in ast.walk(statement)
    ) or (isinstance(statement, ast.Assign) and isinstance(value, (ast.List, ast.Tuple))
          and any(isinstance(e, ast.Starred) for e in value.elts))


def _storing(submission: Submission, spot: Spot, names: set[str]) -> Spot | None:
    """The next statement that stores one of these names."""
    best: Spot | None = None
    recorded_not = _without_grad(submission)
    for cell, statement in statements(submission):
        if cell != spot.cell or not isinstance(statement, (ast.Expr, ast.Assign, ast.AugAssign)):
            continue
        used = {n.id for n in ast.walk(statement) if isinstance(n, ast.Name)} | {
            n.attr for n in ast.walk(statement) if isinstance(n, ast.Attribute)}
        keeps = stores(statement) or _into_item(statement) or (
            accumulates(statement) and (cell, statement.lineno) not in recorded_not)
        if keeps and used & names and (best is None or _nearer(statement.lineno, best, spot)):
            best = Spot(cell=cell, line=statement.lineno)
    return best


def _without_grad(submission: Submission) -> set[tuple[int | None, int]]:
    """Cells and lines under no_grad, where nothing that is added up brings a graph along."""
    return {
        (cell, line) for cell, block in statements(submission)
        if isinstance(block, ast.With)
        and any("no_grad" in ast.unparse(i) or "inference_mode" in ast.unparse(i)
                for i in block.items)
        for line in range(block.lineno, (block.end_lineno or block.lineno) + 1)}


def _into_item(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Assign) and any(
        isinstance(t, ast.Subscript) for t in statement.targets)


def _nearer(line: int, best: Spot, spot: Spot) -> bool:
    return abs(line - spot.line) < abs(best.line - spot.line)


def writes(submission: Submission, attribute: str, *, outside: str = "__init__") -> Spot | None:
    """The first line that assigns `self.<attribute>` (or `.data`, in place), not in __init__."""
    return next(iter(all_writes(submission, attribute, outside=outside)), None)


def all_writes(submission: Submission, attribute: str, *, outside: str = "__init__"
               ) -> list[Spot]:
    """Every line that assigns or changes an attribute in place, methods named `outside` aside."""
    found = []
    for cell, tree in trees(submission):
        for function in ast.walk(tree):
            if isinstance(function, ast.FunctionDef) and function.name != outside:
                found += [
                    Spot(cell=cell, line=s.lineno) for s in ast.walk(function)
                    if isinstance(s, ast.stmt) and _changes(s, attribute)
                ]
    return found


def _changes(statement: ast.stmt, attribute: str) -> bool:
    if isinstance(statement, (ast.Assign, ast.AugAssign, ast.AnnAssign)):
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        return any(isinstance(n, ast.Attribute) and n.attr == attribute
                   for t in targets for n in ast.walk(t))
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        call = statement.value.func
        if isinstance(call, ast.Name) and call.id == "setattr":
            words = [str(n.value) for n in ast.walk(statement.value.args[1])
                     if isinstance(n, ast.Constant)]
            return any(w and attribute.startswith(w) for w in words)
        return (isinstance(call, ast.Attribute) and call.attr.endswith("_")
                and any(isinstance(n, ast.Attribute) and n.attr == attribute
                        for n in ast.walk(call.value)))
    return False


def made_from(submission: Submission, spot: Spot) -> Spot:
    """Where the value that a line writes was computed: `w.sub_(dw)` leads to `dw = …`."""
    statement = statement_at(submission, spot)
    if statement is None:
        return spot
    value = statement.value if isinstance(
        statement, (ast.Assign, ast.AugAssign, ast.Expr)) else None
    arguments = value.args if isinstance(value, ast.Call) else [value] if value else []
    names = {n.id for a in arguments for n in ast.walk(a) if isinstance(n, ast.Name)} - {"self"}
    best = spot
    for cell, other in statements(submission):
        if (cell == spot.cell and isinstance(other, ast.Assign) and other.lineno < spot.line
                and targets(other) & names and spot.line - other.lineno < 40
                and not isinstance(other.value, (ast.Constant, ast.Name))
                and other.lineno >= start_of_function(submission, spot)):
            best = Spot(cell=cell, line=other.lineno)
    return best


def seeding(submission: Submission, spot: Spot | None) -> Spot | None:
    """The seeding call nearest to a line, in the same function."""
    if spot is None:
        return None
    start = start_of_function(submission, spot)
    seeds = [s for name in ("manual_seed", "seed", "Generator")
             for s in calls(submission, name) if s.cell == spot.cell and s.line >= start]
    return min(seeds, key=lambda s: abs(s.line - spot.line), default=None)


def labels(submission: Submission) -> Spot | None:
    """In make_data: the line that makes the second of the values it returns."""
    for cell, function in statements(submission):
        if not isinstance(function, ast.FunctionDef) or function.name != "make_data":
            continue
        returned = [n.value for n in ast.walk(function) if isinstance(n, ast.Return)]
        if not returned or not isinstance(returned[-1], ast.Tuple):
            continue
        names = {n.id for n in ast.walk(returned[-1].elts[-1]) if isinstance(n, ast.Name)}
        made = [s.lineno for s in function.body if isinstance(s, ast.Assign)
                and targets(s) & names]
        if made:
            return Spot(cell=cell, line=made[-1])
    return None
