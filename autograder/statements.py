"""A submission's statements, and what its syntax can be asked."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from autograder.evidence import Spot
from autograder.submission import Submission


def trees(submission: Submission) -> Iterator[tuple[int | None, ast.Module]]:
    """Every cell's syntax tree with its number; cells that do not parse are passed over."""
    for cell in submission.cells:
        try:
            tree = ast.parse(cell.source)
        except (SyntaxError, ValueError, RecursionError):
            continue
        yield cell.number, tree


def statements(submission: Submission) -> Iterator[tuple[int | None, ast.stmt]]:
    """Every statement with its cell."""
    for cell, tree in trees(submission):
        for node in ast.walk(tree):
            if isinstance(node, ast.stmt):
                yield cell, node


def where(submission: Submission, test: Callable[[ast.stmt], bool]) -> Iterator[Spot]:
    """Lines of the statements (bodies aside) for which `test` holds, in order."""
    found = [Spot(cell=cell, line=s.lineno) for cell, s in statements(submission) if test(s)]
    yield from sorted(found, key=lambda s: (s.cell or 0, s.line))


def statement_at(submission: Submission, spot: Spot) -> ast.stmt | None:
    """The smallest statement that covers a line."""
    covering = [
        s for cell, s in statements(submission)
        if cell == spot.cell and s.lineno <= spot.line <= (s.end_lineno or s.lineno)
    ]
    return min(covering, key=lambda s: (s.end_lineno or s.lineno) - s.lineno, default=None)


def own_nodes(statement: ast.stmt) -> Iterator[ast.AST]:
    """The nodes of a statement without those of the statements inside it."""
    stack: list[ast.AST] = [statement]
    while stack:
        node = stack.pop()
        yield node
        stack += [n for n in ast.iter_child_nodes(node) if not isinstance(n, ast.stmt)]


def called(statement: ast.stmt) -> set[str]:
    """Names that a statement calls."""
    names = set()
    for node in own_nodes(statement):
        if isinstance(node, ast.Call):
            function = node.func
            names.add(function.attr if isinstance(function, ast.Attribute)
                      else getattr(function, "id", ""))
    return names


def calls(submission: Submission, name: str) -> list[Spot]:
    """Every line that calls something of that name (`Adam(…)`, `torch.optim.Adam(…)`)."""
    found = []
    for cell, tree in trees(submission):
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                function = node.func
                called = function.attr if isinstance(function, ast.Attribute) else getattr(
                    function, "id", None)
                if called == name:
                    found.append(Spot(cell=cell, line=node.lineno))
    return sorted(found, key=lambda s: (s.cell or 0, s.line))


def targets(statement: ast.stmt) -> set[str]:
    """Names and attributes that a statement binds or changes."""
    if isinstance(statement, ast.Assign):
        names = [n for t in statement.targets for n in ast.walk(t)]
    elif isinstance(statement, (ast.AugAssign, ast.AnnAssign)):
        names = list(ast.walk(statement.target))
    else:
        return set()
    return ({n.id for n in names if isinstance(n, ast.Name)} - {"self"}) | {
        n.attr for n in names if isinstance(n, ast.Attribute)}


def start_of_function(submission: Submission, spot: Spot) -> int:
    """The line at which the innermost function around a line begins."""
    starts = [
        s.lineno for cell, s in statements(submission)
        if cell == spot.cell and isinstance(s, ast.FunctionDef)
        and s.lineno <= spot.line <= (s.end_lineno or s.lineno)
    ]
    return max(starts, default=1)


def inside(submission: Submission, spot: Spot, function: str) -> bool:
    """Whether a line is in the function of that name."""
    return any(
        isinstance(s, ast.FunctionDef) and s.name == function and cell == spot.cell
        and s.lineno <= spot.line <= (s.end_lineno or s.lineno)
        for cell, s in statements(submission)
    )


def first(spots: Iterator[Spot]) -> Spot | None:
    """The first of them, if there are any."""
    return next(spots, None)


def last(spots: Iterator[Spot]) -> Spot | None:
    """The last of them, if there are any."""
    return next(iter(list(spots)[-1:]), None)
