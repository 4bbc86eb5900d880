"""What a learner computes with, as far as its source shows: nothing whose last digits differ between processors.

BLAS adds up in an order that depends on the processor, and the exponentials and logarithms of numpy and of C libraries
round as its instructions do. What they give feeds back from update to update, so the same recipe would give other
digits elsewhere. `kernels.dense` has products and `kernels.elementwise` functions that round alike everywhere.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

LEARNERS = Path(__file__).resolve().parent.parent / "boltzcore" / "learners"
PRODUCTS = {"dot", "vdot", "inner", "matmul", "tensordot", "einsum", "linalg"}
FUNCTIONS = {"exp", "exp2", "expm1", "log", "log1p", "log2", "log10", "logaddexp", "power", "pow"}
FUNCTIONS |= {"tanh", "sinh", "cosh", "arctanh", "atanh", "sin", "cos"}

# {file: {function: why it may}}; the learners whose digits are not promised say so in their docstrings.
ALLOWED = {
    "contrastive.py": {"SSD._advance": "takes singular values, whose digits are not promised"},
    "insertion/correction.py": {
        "Reweighted.__call__": "the corrections of Frank-Wolfe go by BLAS: their digits are not promised",
        "Reweighted._log_weights": "as above",
        "Reweighted.maximum": "as above",
        "Reweighted.newton_step": "as above",
        "Reweighted.newton_step.is_good": "as above",
    },
    "insertion/sampler.py": {"WeightedRows.mean": "adds row after row: no product by BLAS without optimize"},
    "insertion/search.py": {"search_unit": "searches by scipy, whose digits are not promised"},
    "lbfgs.py": {
        "LBFGS._run": "searches by scipy, whose digits are not promised",
        "PseudoLikelihoodLBFGS._update.objective": "as above",
        "PairwiseExact._update.objective": "as above",
    },
    "log_linear/pairwise.py": {
        "DataMoments.from_data": "an entropy that is only reported",
        "PairwisePCD._advance": "sums of whole numbers, the same in any order",
    },
}


def suspects(source: str) -> Iterator[tuple[str, int, str]]:
    """(function, line, what) of everything whose digits may differ between processors."""

    def walk(node: ast.AST, names: tuple[str, ...]) -> Iterator[tuple[str, int, str]]:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names = (*names, node.name)
        for what in _suspect(node):
            yield ".".join(names), node.lineno, what  # type: ignore[attr-defined]
        for child in ast.iter_child_nodes(node):
            yield from walk(child, names)

    yield from walk(ast.parse(source), ())


def _suspect(node: ast.AST) -> list[str]:
    if isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.MatMult):
        return ["@"]
    if isinstance(node, ast.Attribute):
        of_module = isinstance(node.value, ast.Name) and node.value.id in ("np", "numpy", "math")
        if (of_module and node.attr in PRODUCTS | FUNCTIONS) or node.attr == "dot":
            return [ast.unparse(node)]
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names if alias.name.split(".")[0] == "scipy"]
    if isinstance(node, ast.ImportFrom) and node.module and not node.level:
        package = node.module.split(".")[0]
        names = [alias.name for alias in node.names]
        if package == "scipy":
            return [f"scipy's {name}" for name in names]
        if package in ("numpy", "math"):
            return [name for name in names if name in PRODUCTS | FUNCTIONS]
    return []


def found() -> dict[str, list[tuple[str, int, str]]]:
    """{file: suspects} of the learners."""
    files = sorted(LEARNERS.rglob("*.py"))
    return {file.relative_to(LEARNERS).as_posix(): list(suspects(file.read_text(encoding="utf-8"))) for file in files}


def test_learners_compute_with_what_rounds_alike_on_every_processor():
    wrong = [
        f"boltzcore/learners/{file}:{line}: {what} in {function}: take kernels.dense or kernels.elementwise, or give a "
        "reason in ALLOWED"
        for file, each in found().items()
        for function, line, what in each
        if function not in ALLOWED.get(file, {})
    ]
    assert not wrong, "\n".join(wrong)


def test_every_exception_is_one():
    used = {(file, function) for file, each in found().items() for function, *_ in each}
    stale = {(file, function) for file, functions in ALLOWED.items() for function in functions} - used
    assert not stale, f"these need no exception any longer: {sorted(stale)}"
