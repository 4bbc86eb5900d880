"""What code computes the numbers of a training: a digest by which stored trials of other code are told apart."""

import ast
import hashlib
import importlib.util
import threading
from collections.abc import Iterable, Iterator, Mapping, Set
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from boltzcore.measures import MEASURES
from boltzcore.runs.recipe import Recipe

PACKAGE = "boltzcore"
LIBRARIES = {"scipy": "scipy", "sklearn": "scikit-learn"}  # {module: distribution} that only some trainings go through
ALWAYS = ("numpy", "numba")
PASSED_OVER = frozenset({"boltzcore.registry", "boltzcore.warm", "boltzcore.observations"})
RECORDS = "boltzcore.learners.walkthrough."  # of what an update does, for those who look into it: no update asks them
TRAINING = "boltzcore.runs.training"  # what pulls every training
SHOWN = frozenset({"about", "help", "label", "reported", "title"})  # arguments and texts of classes for people alone
ATTEMPTS = 5  # at parsing a module

_parsing = threading.Lock()


def _version(library: str) -> str:
    try:
        return version(library)
    except PackageNotFoundError:
        return ""  # nothing goes through it then


# Once, while this is imported: asked for by several threads at once it sometimes finds no package.
VERSIONS = {library: _version(library) for library in (*ALWAYS, *LIBRARIES.values())}


def code_digest(recipe: Recipe) -> str:
    """Name the code that computes the numbers of a training: the syntax trees of all modules of ours that those of its
    learner, model, data and measures import, and the versions of the libraries that they use.

    Docstrings, the sentences of errors and the texts named in SHOWN are left out of the trees. The registry and what
    only records an update are passed over, and of a package's `__init__` only the modules of the names asked for count:
    another learner, a page, a comment or a better sentence changes no digest.
    """
    return digest_of({TRAINING} | roots_of(recipe))


def roots_of(recipe: Recipe) -> set[str]:
    """The modules of a recipe's learners, models, data and measures."""
    roots = set[str]()
    for stage in recipe.stages:
        kinds = (type(stage.model), stage.entry.kind, type(stage.data), type(stage.learner))
        roots |= {kind.__module__ for kind in kinds}
        roots |= {MEASURES[name].function_for(stage.entry.kind).__module__ for name in stage.measures or ()}
    return roots


def digest_of(roots: Set[str], passed_over: Set[str] = frozenset()) -> str:
    """Name the code of these modules and of all that they import, as `code_digest` does.

    passed_over : modules that count for nothing besides the registry, with what only they import
    """
    digest, libraries = hashlib.sha256(), set(ALWAYS)
    for module in sorted(_reached(roots, PASSED_OVER | passed_over)):
        if module.startswith(PACKAGE):
            digest.update(f"{module} {_module(module).digest}\n".encode())
        elif module in LIBRARIES:
            libraries.add(LIBRARIES[module])
    digest.update(repr([(name, VERSIONS[name]) for name in sorted(libraries)]).encode())
    return digest.hexdigest()


@dataclass(frozen=True)
class _Module:
    """What of a module counts.

    digest : of its syntax without texts that are only shown; of a package without its imports, too
    imports : modules that it imports anywhere: those of ours, and the names of other packages; none of a package's
    handed_on : {name that a package hands on: the module it is from}; None of a plain module
    """

    digest: str
    imports: tuple[tuple[str, tuple[str, ...]], ...]
    handed_on: Mapping[str, str] | None


def _reached(roots: Set[str], passed_over: Set[str]) -> set[str]:
    found, left = set[str](), list(roots)
    while left:
        module = left.pop()
        if module in found or module in passed_over or module.startswith(RECORDS):
            continue
        found.add(module)
        if module.startswith(PACKAGE):
            for imported, names in _module(module).imports:
                left += _origins(imported, names)
    return found


@cache
def _is_module(name: str) -> bool:
    return importlib.util.find_spec(name) is not None


@cache
def _module(name: str) -> _Module:
    """What counts of a module of ours."""
    spec = importlib.util.find_spec(name)
    assert spec is not None
    if spec.origin is None:  # a folder without an `__init__`
        return _read("", package=True)
    file = Path(spec.origin)
    return _read(file.read_text(encoding="utf-8"), package=file.name == "__init__.py")


def _read(text: str, *, package: bool) -> _Module:
    tree = _parsed(text)
    imports, handed_on = list[tuple[str, tuple[str, ...]]](), dict[str, str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            imports += [(alias.name, ()) for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            imports.append((node.module, tuple(alias.name for alias in node.names)))
            handed_on |= {alias.asname or alias.name: node.module for alias in node.names}
        elif isinstance(node, ast.ClassDef):
            _empty_texts(*(each for each in node.body if _is_shown(each)))
        elif isinstance(node, ast.Raise) or (isinstance(node, ast.keyword) and node.arg in SHOWN):
            _empty_texts(node)
        body = getattr(node, "body", None)
        if isinstance(body, list):
            node.body = [each for each in body if not _is_text(each)]  # type: ignore[attr-defined]
    if package:
        tree.body = [each for each in tree.body if not isinstance(each, ast.Import | ast.ImportFrom)]
    digest = hashlib.sha256(ast.dump(tree).encode()).hexdigest()
    return _Module(digest, () if package else tuple(imports), handed_on if package else None)


def _parsed(text: str) -> ast.Module:
    """The syntax of a module. CPython 3.11 counts the depth of all threads that parse together, and refuses where they
    come between each other: ours take turns, and one that met another's tries again.
    """
    for _ in range(ATTEMPTS - 1):
        with _parsing, suppress(SystemError):
            return ast.parse(text)
    return ast.parse(text)


def _is_shown(node: ast.AST) -> bool:
    """Whether a statement gives a class a text that is only shown."""
    return isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.target.id in SHOWN


def _empty_texts(*nodes: ast.AST) -> None:
    for node in nodes:
        for each in ast.walk(node):
            if isinstance(each, ast.Constant) and isinstance(each.value, str):
                each.value = ""


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _origins(module: str, names: Iterable[str]) -> Iterator[str]:
    """The modules behind the names that are imported from a module; of other packages their name alone."""
    if not module.startswith(PACKAGE):
        yield module.split(".")[0]
        return
    handed_on = _module(module).handed_on
    if handed_on is None:
        yield module
        return
    for name in names:
        if name not in handed_on and _is_module(f"{module}.{name}"):
            yield f"{module}.{name}"
        elif name in handed_on:
            yield from _origins(handed_on[name], [name])
        else:
            yield module
