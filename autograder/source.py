"""Finding lines in a submission's source: who keeps a tensor, who writes an attribute."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from autograder.evidence import OldNode, Spot
from autograder.submission import Submission

KEEPERS = ("append", "extend", "add", "appendleft", "setdefault", "insert", "put")


def statements(submission: Submission) -> Iterator[tuple[int | None, ast.stmt]]:
    """Every statement with its cell; cells that do not parse are passed over."""
    for cell in submission.cells:
        try:
            tree = ast.parse(cell.source)
        except (SyntaxError, ValueError, RecursionError):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.stmt):
                yield cell.number, node


def statement_at(submission: Submission, spot: Spot) -> ast.stmt | None:
    """The smallest statement that covers a line."""
    covering = [
        s for cell, s in statements(submission)
        if cell == spot.cell and s.lineno <= spot.line <= (s.end_lineno or s.lineno)
    ]
    return min(covering, key=lambda s: (s.end_lineno or s.lineno) - s.lineno, default=None)


def keeper(submission: Submission, kept: list[OldNode], roots: list[OldNode]) -> Spot | None:
    """The line that keeps past graphs alive: a running sum first, then what stores a root."""
    for node in kept:
        if node.spot and node.operator.startswith(("Add", "Sub", "Div", "Mul")):
            statement = statement_at(submission, node.spot)
            if statement is not None and accumulates(statement):
                return node.spot
    for node in roots or kept:
        if node.spot is None:
            continue
        statement = statement_at(submission, node.spot)
        if statement is None or stores(statement):
            return node.spot
        found = _storing(submission, node.spot, _targets(statement))
        if found is not None:
            return found
    return next((n.spot for n in roots or kept if n.spot), None)


def accumulates(statement: ast.stmt) -> bool:
    """`x += y`, or `x = x + y`."""
    if isinstance(statement, ast.AugAssign):
        return isinstance(statement.op, (ast.Add, ast.Sub))
    if not isinstance(statement, ast.Assign) or not isinstance(statement.value, ast.BinOp):
        return False
    names = {ast.dump(n) for n in ast.walk(statement.value) if isinstance(n, ast.Name)}
    targets = {ast.dump(ast.Name(t.id, ast.Load())) for t in statement.targets
               if isinstance(t, ast.Name)}
    return bool(names & targets)


def stores(statement: ast.stmt) -> bool:
    """Whether a statement puts something into a container."""
    return any(
        isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute) and n.func.attr in KEEPERS
        for n in ast.walk(statement)
    ) and isinstance(statement, (ast.Expr, ast.Assign))


def _targets(statement: ast.stmt) -> set[str]:
    if isinstance(statement, ast.Assign):
        names = [n for t in statement.targets for n in ast.walk(t)]
    elif isinstance(statement, (ast.AugAssign, ast.AnnAssign)):
        names = list(ast.walk(statement.target))
    else:
        return set()
    return ({n.id for n in names if isinstance(n, ast.Name)} - {"self"}) | {
        n.attr for n in names if isinstance(n, ast.Attribute)}


def _storing(submission: Submission, spot: Spot, names: set[str]) -> Spot | None:
    """The next statement that stores one of these names."""
    best: Spot | None = None
    for cell, statement in statements(submission):
        if cell != spot.cell or not isinstance(statement, (ast.Expr, ast.Assign, ast.AugAssign)):
            continue
        used = {n.id for n in ast.walk(statement) if isinstance(n, ast.Name)} | {
            n.attr for n in ast.walk(statement) if isinstance(n, ast.Attribute)}
        keeps = stores(statement) or accumulates(statement) or _into_item(statement)
        if keeps and used & names and (best is None or _nearer(statement.lineno, best, spot)):
            best = Spot(cell=cell, line=statement.lineno)
    return best


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
    for cell in submission.cells:
        try:
            tree = ast.parse(cell.source)
        except (SyntaxError, ValueError, RecursionError):
            continue
        for function in ast.walk(tree):
            if isinstance(function, ast.FunctionDef) and function.name != outside:
                found += [
                    Spot(cell=cell.number, line=s.lineno) for s in ast.walk(function)
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
                and _targets(other) & names and spot.line - other.lineno < 40
                and not isinstance(other.value, (ast.Constant, ast.Name))
                and other.lineno >= _start_of_function(submission, spot)):
            best = Spot(cell=cell, line=other.lineno)
    return best


def _start_of_function(submission: Submission, spot: Spot) -> int:
    starts = [
        s.lineno for cell, s in statements(submission)
        if cell == spot.cell and isinstance(s, ast.FunctionDef)
        and s.lineno <= spot.line <= (s.end_lineno or s.lineno)
    ]
    return max(starts, default=1)


def calls(submission: Submission, name: str) -> list[Spot]:
    """Every line that calls something of that name (`Adam(…)`, `torch.optim.Adam(…)`)."""
    found = []
    for cell in submission.cells:
        try:
            tree = ast.parse(cell.source)
        except (SyntaxError, ValueError, RecursionError):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                function = node.func
                called = function.attr if isinstance(function, ast.Attribute) else getattr(
                    function, "id", None)
                if called == name:
                    found.append(Spot(cell=cell.number, line=node.lineno))
    return sorted(found, key=lambda s: (s.cell or 0, s.line))
