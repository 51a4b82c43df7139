"""Right programs with one thing broken: generated, so that nobody chose what is easy to catch."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

CORPUS = Path(__file__).parent / "corpus"


@dataclass(frozen=True)
class Mutant:
    """One changed program; `name` tells operator and line."""

    name: str
    assignment: str
    source: str


Change = Callable[[ast.AST], ast.AST | None]
"""A changed copy of a node, or None where the operator does not apply."""


def mutants(file: str, operators: dict[str, Change]) -> Iterator[Mutant]:
    """Every operator at every place where it applies, one at a time."""
    tree = ast.parse((CORPUS / file).read_text(encoding="utf-8"))
    seen = set()
    for name, change in operators.items():
        for index, node in enumerate(ast.walk(tree)):
            if not change(copy.deepcopy(node)):
                continue
            mutated = copy.deepcopy(tree)
            target = list(ast.walk(mutated))[index]
            new = change(target)
            assert new is not None
            source = ast.unparse(_Replace(target, new).visit(mutated))
            if source not in seen:
                seen.add(source)
                line = getattr(node, "lineno", 0)
                yield Mutant(f"{file}:{line}:{name}", file.split("/")[0], source)


class _Replace(ast.NodeTransformer):
    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        return self.new if node is self.old else self.generic_visit(node)


def _text(node: ast.AST) -> str:
    return ast.unparse(node) if isinstance(node, (ast.expr, ast.stmt)) else ""


def drop(words: str) -> Change:
    """Drop a simple statement in which these words occur."""

    def change(node: ast.AST) -> ast.AST | None:
        simple = isinstance(node, (ast.Expr, ast.AugAssign))
        return ast.Pass() if simple and words in _text(node) else None

    return change


def turn_sign(node: ast.AST) -> ast.AST | None:
    """x -= y becomes x += y, x.sub_(y) becomes x.add_(y)."""
    if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Sub):
        return ast.AugAssign(node.target, ast.Add(), node.value)
    if isinstance(node, ast.Attribute) and node.attr == "sub_":
        return ast.Attribute(node.value, "add_", node.ctx)
    return None


def backward_with(**keywords: bool) -> Change:
    """backward(retain_graph=True), backward(create_graph=True)."""

    def change(node: ast.AST) -> ast.AST | None:
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
                and node.func.attr == "backward"):
            return None
        extra = [ast.keyword(k, ast.Constant(v)) for k, v in keywords.items()]
        return ast.Call(node.func, node.args, [*node.keywords, *extra])

    return change


def keep_graph(node: ast.AST) -> ast.AST | None:
    """append(loss.item()) becomes append(loss)."""
    if (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
            and node.func.attr == "item"):
        return node.func.value
    return None


def other_power(node: ast.AST) -> ast.AST | None:
    """e ** 2 becomes e ** 4."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
        return ast.BinOp(node.left, ast.Pow(), ast.Constant(4))
    return None


def mean_for_sum(node: ast.AST) -> ast.AST | None:
    """l.sum().backward() becomes l.mean().backward()."""
    if _text(node).endswith(".sum().backward()") and isinstance(node, ast.Expr):
        return ast.parse(_text(node).replace(".sum()", ".mean()")).body[0]
    return None


def twice(node: ast.AST) -> ast.AST | None:
    """The backward pass a second time."""
    if isinstance(node, ast.Expr) and _text(node).endswith(".backward()"):
        first = _text(node).replace(".backward()", ".backward(retain_graph=True)")
        return ast.parse(f"if True:\n    {first}\n    {_text(node)}").body[0]
    return None


def out_of_loop(words: str) -> Change:
    """Move a statement with these words from a loop's body before the loop."""

    def change(node: ast.AST) -> ast.AST | None:
        if not isinstance(node, ast.For):
            return None
        moved = [s for s in node.body if words in _text(s)]
        rest = [s for s in node.body if words not in _text(s)]
        if not moved or not rest:
            return None
        loop = ast.For(node.target, node.iter, rest, [], lineno=node.lineno)
        return ast.If(ast.Constant(True), [*moved, loop], [])

    return change


def swap(one: str, other: str) -> Change:
    """Two neighbouring statements in a loop change places."""

    def change(node: ast.AST) -> ast.AST | None:
        if not isinstance(node, ast.For):
            return None
        body = list(node.body)
        for i, (a, b) in enumerate(zip(body, body[1:], strict=False)):
            if one in _text(a) and other in _text(b):
                body[i], body[i + 1] = b, a
                return ast.For(node.target, node.iter, body, [], lineno=node.lineno)
        return None

    return change


def rename(old: str, new: str, within: str) -> Change:
    """self.<old> becomes self.<new> in an argument of a call to `within`."""

    def change(node: ast.AST) -> ast.AST | None:
        if (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
                and node.func.attr == within and old in _text(node)):
            return ast.parse(_text(node).replace(old, new), mode="eval").body
        return None

    return change


def without(method: str) -> Change:
    """x.detach() becomes x."""

    def change(node: ast.AST) -> ast.AST | None:
        if (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
                and node.func.attr == method):
            return node.func.value
        return None

    return change


def returned_without(term: int) -> Change:
    """Drop one term of a returned sum."""

    def change(node: ast.AST) -> ast.AST | None:
        if not isinstance(node, ast.Return) or not isinstance(node.value, ast.BinOp):
            return None
        terms = _terms(node.value)
        if len(terms) < 2 or term >= len(terms):
            return None
        left = terms[:term] + terms[term + 1:]
        return ast.parse(f"return {' + '.join(f'({t})' for t in left)}").body[0]

    return change


def _terms(node: ast.expr) -> list[str]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return _terms(node.left) + _terms(node.right)
    return [ast.unparse(node)]


def without_no_grad(node: ast.AST) -> ast.AST | None:
    """with torch.no_grad(): becomes if True:"""
    if isinstance(node, ast.With) and "no_grad" in _text(node.items[0].context_expr):
        return ast.If(ast.Constant(True), node.body, [])
    return None


def unscaled(node: ast.AST) -> ast.AST | None:
    """Noise by delta instead of its square root."""
    if isinstance(node, ast.BinOp) and _text(node) == "delta ** 0.5":
        return ast.Name("delta", ast.Load())
    return None


TRAINER: dict[str, Change] = {
    "drop-zero-grad": drop("zero_grad"), "drop-grad-zero": drop("grad.zero_"),
    "drop-update": drop("-= lr"), "drop-step": drop(".step()"), "turn-sign": turn_sign,
    "retain-graph": backward_with(retain_graph=True),
    "create-graph": backward_with(create_graph=True), "keep-graph": keep_graph,
    "other-power": other_power, "mean-for-sum": mean_for_sum, "twice": twice,
    "zero-grad-once": out_of_loop("zero_grad"), "forward-once": out_of_loop(" = ("),
    "step-first": swap("loss.backward()", "opt.step()"),
    "zero-late": swap("opt.zero_grad()", "loss = "),
    "drop-backward": drop(".backward()"),
}
LQR: dict[str, Change] = {
    **{f"cost-{a}-uses-{b}": rename(f"Xtilde_{a}", f"Xtilde_{b}", "cost_grad")
       for a, b in (("b", "c"), ("c", "b"))},
    **{f"drift-{a}-uses-{b}": rename(f"Xtilde_{a}", f"Xtilde_{b}", "tilde_drift")
       for a, b in (("b", "c"), ("c", "b"))},
    **{f"drop-term-{i}": returned_without(i) for i in range(3)},
    "drop-update": drop(".sub_("), "turn-sign": turn_sign, "drop-detach": without("detach"),
    "no-no-grad": without_no_grad, "noise-by-delta": unscaled, "drop-refresh": drop("refresh()"),
}
SOURCES: dict[str, dict[str, Change]] = {
    "linear/r01_optim_sgd_sum.py": TRAINER, "linear/r03_data_both_params.py": TRAINER,
    "conv/r01_seed_style.py": TRAINER, "lqr/r01_autograd_grad.py": LQR,
}

EQUIVALENT: dict[str, str] = {
    "linear/r01_optim_sgd_sum.py:14:retain-graph": "each graph is dropped with its loss",
    "linear/r01_optim_sgd_sum.py:14:create-graph": "zero_grad drops the gradient and its graph",
    "linear/r03_data_both_params.py:11:retain-graph": "each graph is dropped with its loss",
    "conv/r01_seed_style.py:12:retain-graph": "each graph is dropped with its loss",
    "conv/r01_seed_style.py:12:create-graph": "zero_grad drops the gradient and its graph",
    "lqr/r01_autograd_grad.py:23:drop-detach": "X is made under no_grad: there is nothing to cut",
    "lqr/r01_autograd_grad.py:26:drop-detach": "used under no_grad, and let go of by the next step",
    "linear/r01_optim_sgd_sum.py:11:zero-late": "still cleared before the backward pass",
}


def all_mutants() -> list[Mutant]:
    """Every mutant of every source."""
    return [m for file, operators in SOURCES.items() for m in mutants(file, operators)]
