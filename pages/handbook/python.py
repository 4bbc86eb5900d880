"""Entries of the public names of the library, out of their docstrings."""

import importlib
import inspect
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from boltzcore.data.source import Source
from boltzcore.learners import Learner
from boltzcore.measures import Measure
from boltzcore.models import Setup
from boltzcore.parameters import Parameters
from pages.common import entries
from pages.handbook.entry import Entry, facts

PACKAGES = (
    "boltzcore",
    *(f"boltzcore.{name}" for name in ("learners", "models", "data", "inference", "measures", "estimators")),
)
_ELSEWHERE = (Learner, Setup, Source)  # what is made of these has an entry of its own
_ARGUMENT = re.compile(r"[\w*][\w*, ]* : ")


def entries_of_names() -> tuple[Entry, ...]:
    """An entry for each public class and function that no other section is about."""
    return tuple(_entry(package, name, each) for package in PACKAGES for name, each in _names(package))


def _names(package: str) -> Iterator[tuple[str, Any]]:
    module = importlib.import_module(package)
    for name in sorted(module.__all__, key=str.casefold):
        each = getattr(module, name)
        listed = isinstance(each, Measure) or (
            inspect.isclass(each) and issubclass(each, _ELSEWHERE) and each not in _ELSEWHERE
        )
        if callable(each) and not listed and inspect.getdoc(each):
            yield name, each


def _entry(package: str, name: str, each: Any) -> Entry:
    text, example = _paragraphs(inspect.getdoc(each) or "")
    methods, properties = _members(each) if inspect.isclass(each) else ("", "")
    return Entry(
        id=entries.entry("class" if inspect.isclass(each) else "function", f"{package}.{name}"),
        title=name,
        name=package,
        text=text,
        marked=False,  # a word there is an argument's name as often as a term
        facts=facts(("Call", _call(name, each)), ("Methods", methods), ("Properties", properties)),
        code=example,
    )


def _call(name: str, each: Any) -> str:
    """How it is called, without the types, which the text tells."""
    try:
        signature = inspect.signature(each)
    except ValueError:
        return ""
    plain = [
        parameter.replace(annotation=inspect.Parameter.empty, default=_Default.of(parameter.default))
        for parameter in signature.parameters.values()
    ]
    shown = signature.replace(parameters=plain, return_annotation=inspect.Signature.empty)
    return f"{name}{shown}"


def _members(kind: type) -> tuple[str, str]:
    """The methods and the properties that it has beyond its bases', but those of bases that have no entry of their
    own.
    """
    bases = (each for each in kind.__mro__[1:] if each.__module__.startswith("boltzcore") and each not in _public())
    names = sorted({name for each in (kind, *bases) for name in vars(each) if not name.startswith("_")})
    properties = [name for name in names if isinstance(inspect.getattr_static(kind, name), property | cached_property)]
    methods = [name for name in names if callable(each := getattr(kind, name, None)) and not inspect.isclass(each)]
    return ", ".join(methods), ", ".join(properties)


@cache
def _public() -> frozenset[Any]:
    return frozenset(
        each
        for package in PACKAGES
        for each in vars(importlib.import_module(package)).values()
        if inspect.isclass(each)
    )


@dataclass(frozen=True)
class _Default:
    """A default as it is shown: a value as it is, anything else by its name."""

    text: str

    def __repr__(self) -> str:
        return self.text

    @classmethod
    def of(cls, value: Any) -> Any:
        if value is inspect.Parameter.empty or isinstance(value, str | int | float | tuple | None):
            return value
        return cls(f"{type(value).__name__}()" if isinstance(value, Parameters) else "\N{HORIZONTAL ELLIPSIS}")


def _copied(line: str) -> str:
    """A line of an example, to be copied: without its prompt; what it prints is a comment."""
    code = line.removeprefix(">>> ").removeprefix("... ")
    return code if code != line else f"# {line}"


def _paragraphs(text: str) -> tuple[tuple[str, ...], str]:
    """(the paragraphs of a docstring, each argument one of its own; its example)."""
    found, example = list[str](), list[str]()
    for block in re.split(r"\n\s*\n", text):
        if block.lstrip().startswith(">>>"):
            example += map(_copied, block.splitlines())
            continue
        part = list[str]()
        for line in block.splitlines():
            told = part and _ARGUMENT.match(part[-1])  # of an argument lines go on farther in
            if not part or _ARGUMENT.match(line) or (told and not line.startswith(" ")):
                part.append(line.strip())
            else:
                part[-1] += f" {line.strip()}"
        found += part
    return tuple(found), "\n".join(example)
