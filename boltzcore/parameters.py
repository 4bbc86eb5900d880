"""Hyper-parameters, declared once for form, URL, command line, validation and help.

@dataclass(frozen=True)
class CD(Parameters):
    rate: float = parameter(0.05, low=1e-6, high=10, scale="log", symbol="eta", help="Step of each update.", live=True)
"""

import dataclasses
import functools
import inspect
import math
import numbers
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any, Self, TypeVar, cast, get_args

from boltzcore.quoting import Refusal, quoted

F = TypeVar("F", bound=Callable[..., Any])
MOST_SEED = 2**63 - 1  # largest seed
_KEY = "parameter"


@contextmanager
def name_owner(owner: str) -> Iterator[None]:
    """Set the owner of the fields of refusals raised in the block, unless they have one."""
    try:
        yield
    except Refusal as refusal:
        for each in refusal.all:
            if each.field and "." not in each.field:
                each.field = f"{owner}.{each.field}"
        raise


@contextmanager
def gather(refusals: list[Refusal]) -> Iterator[None]:
    """Collect the refusals of the block in a list, to raise them together by `refuse`."""
    try:
        yield
    except Refusal as refusal:
        refusals.extend(refusal.all)


def texts_of(texts: Mapping[str, str], owner: str) -> dict[str, str]:
    """Return {field: text} of one owner, from {"owner.field": text}."""
    prefix = f"{owner}."
    return {name.removeprefix(prefix): text for name, text in texts.items() if name.startswith(prefix)}


def refuse(refusals: list[Refusal]) -> None:
    """Raise the first refusal, which refers to all; do nothing if there are none."""
    if refusals:
        refusals[0].all = tuple(refusals)
        raise refusals[0]


@dataclass(frozen=True)
class Parameter:
    """Declaration of one field, for forms, URLs and the command line.

    minor : True if it comes after the others, and forms hide it at first
    """

    name: str
    default: Any
    kind: type
    help: str
    label: str
    low: float | None = None
    high: float | None = None
    scale: str = "linear"
    symbol: str = ""
    live: bool = False
    choices: tuple[str, ...] = ()
    pattern: str = ""
    minor: bool = False

    @property
    def allowed(self) -> str:
        """Allowed values of the field, as the end of a sentence."""
        if self.choices:
            return "one of " + ", ".join(self.choices)
        if self.kind is bool:
            return "true or false"
        if self.kind is str:
            return f"text that matches {self.pattern}"
        low = "" if self.low is None else f" from {_plain(self.low)}"
        high = "" if self.high is None else f" {'to' if low else 'up to'} {_plain(self.high)}"
        return ("a whole number" if self.kind is int else "a number") + low + high

    def refusal(self, value: Any, hint: str = "") -> Refusal:
        """Return the refusal of `value`: field, value (its first characters) and what is allowed."""
        return Refusal(f"{self.name} must be {self.allowed}, not {quoted(value)}{hint}.", self.name)

    def check(self, value: Any) -> Any:
        """Return `value` as the field's own type; raise Refusal naming field, value and what is allowed."""
        if self.choices or self.kind is str:
            allowed = "|".join(map(re.escape, self.choices)) or self.pattern
            if not isinstance(value, str) or not re.fullmatch(allowed, value):
                raise self.refusal(value)
            return str(value)
        if self.kind is bool:
            if not isinstance(value, bool):
                raise self.refusal(value)
            return value
        if isinstance(value, bool) or not isinstance(value, numbers.Real):
            raise self.refusal(value)
        try:
            number = self.kind(value)
        except (ValueError, OverflowError):  # nan and infinity as an int, 10**400 as a float
            raise self.refusal(value) from None
        whole = number == value if self.kind is int else math.isfinite(number)
        if not whole or (self.low is not None and number < self.low) or (self.high is not None and number > self.high):
            raise self.refusal(value)
        return number

    def parse(self, text: str) -> Any:
        """Return the `check` of a value written as text (command line, URL)."""
        text = text.strip()
        if self.choices or self.kind is str:
            return self.check(text)
        if self.kind is bool:
            return self.check(
                {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}.get(text.lower(), text)
            )
        try:
            value = read_number(self.kind, _to_point(text) if self.kind is float else text)
        except ValueError:
            hint = ": write it without a comma" if re.fullmatch(r"[-+]?[\d.]*(,\d+)+(\.\d*)?", text) else ""
            raise self.refusal(text, hint) from None
        return self.check(value)

    def write(self, value: Any) -> str:
        """Return `value` as text that `parse` reads back unchanged."""
        if self.kind is float:
            return short if float(short := f"{value:.6g}") == value else f"{value:.17g}"
        return str(value).lower() if self.kind is bool else str(value)


def whole(name: str, value: Any, low: int, high: int) -> int:
    """Return `value` as an int; raise Refusal naming the argument, its value and what is allowed."""
    if isinstance(value, bool) or not isinstance(value, numbers.Integral) or not low <= int(value) <= high:
        raise Refusal(f"{name} must be a whole number from {low} to {high:,}, not {quoted(value)}.", name)
    return int(value)


def check_kind(value: Any, kinds: Any, name: str = "model") -> Any:
    """Return a value; Refusal naming it unless it is of a class, or of one of a union of classes."""
    if not isinstance(value, kinds):
        names = ", ".join(kind.__name__ for kind in get_args(kinds) or (kinds,))
        raise Refusal(f"{name} must be of the kind {names}, not {quoted(value)}.", name)
    return value


def check_arguments(function: F) -> F:
    """Decorate a function: an argument is refused unless it is of the class, or of one of the classes, it is declared
    as. Those that are declared as built-in classes, or as other than classes, are left to the function, except `seed`,
    which is a whole number from 0 to `MOST_SEED`.
    """

    def is_checked(kind: Any) -> bool:
        classes = get_args(kind) or (kind,)
        modules = {each.__module__ if isinstance(each, type) else "typing" for each in classes}
        return "typing" not in modules and modules != {"builtins"}

    kinds = {name: kind for name, kind in function.__annotations__.items() if is_checked(kind)}
    names = tuple(inspect.signature(function).parameters)

    @functools.wraps(function)
    def call(*arguments: Any, **named: Any) -> Any:
        for name, value in (*zip(names, arguments, strict=False), *named.items()):
            if name in kinds:
                check_kind(value, kinds[name], name)
            elif name == "seed":
                whole(name, value, 0, MOST_SEED)
        return function(*arguments, **named)

    return cast(F, call)


def read_number(kind: type[int] | type[float], text: str) -> Any:
    """Return the number in an ASCII text without underscores; raise ValueError if it has none."""
    if not text.isascii() or "_" in text:  # Python would also accept digits of every script, and 1_000
        raise ValueError
    return kind(text)


def _to_point(text: str) -> str:
    """Return a number with a decimal comma, as in half of Europe, with a point; others unchanged, including those whose
    comma may separate thousands, such as 1,234.
    """
    thousands = re.fullmatch(r"[-+]?[1-9]\d{0,2},\d{3}", text)
    return text.replace(",", ".") if text.count(",") == 1 and "." not in text and not thousands else text


def _plain(value: float) -> str:
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:,.10g}" if abs(value) >= 1e-4 or value == 0 else f"{value:g}"


def parameter(default: Any, *, help: str, **declared: Any) -> Any:
    """Declare a dataclass field as a hyper-parameter, with fields of `Parameter`.

    `live` fields may change while a training runs; `symbol` is the paper's; `label` is what a form
    shows (the field's name in words when empty); `pattern` is the regular expression that the whole of
    a text must match, for fields of type str without choices.
    """
    return dataclasses.field(default=default, metadata={_KEY: {"help": help, **declared}})


class Parameters:
    """Base class of dataclasses whose fields are declared with `parameter`, and checked on construction."""

    def __post_init__(self) -> None:
        for declared in self.parameters():
            object.__setattr__(self, declared.name, declared.check(getattr(self, declared.name)))

    @classmethod
    @cache
    def parameters(cls) -> tuple[Parameter, ...]:
        """Return the declared fields, in order, minor ones last."""
        found = []
        for field in dataclasses.fields(cls):  # type: ignore[arg-type]
            if _KEY in field.metadata:
                declared = dict(field.metadata[_KEY])
                declared["label"] = declared.get("label") or field.name.replace("_", " ").capitalize()
                found.append(Parameter(name=field.name, default=field.default, kind=type(field.default), **declared))
        return tuple(sorted(found, key=lambda declared: declared.minor))

    @classmethod
    def named(cls, name: str) -> Parameter:
        """Return the declaration of one field; raise Refusal listing the fields if there is none."""
        for declared in cls.parameters():
            if declared.name == name:
                return declared
        there = ", ".join(p.name for p in cls.parameters()) or "none"
        raise Refusal(f"{cls.__name__} has no field {quoted(name)}; its fields are: {there}.", name)

    @classmethod
    def from_text(cls, values: dict[str, str]) -> Self:
        """Return an instance from texts of a URL or a command line; a Refusal refers to all invalid ones."""
        refusals: list[Refusal] = []
        parsed = {}
        for name, text in values.items():
            with gather(refusals):
                parsed[name] = cls.named(name).parse(text)
        refuse(refusals)
        return cls(**parsed)

    def values(self) -> dict[str, Any]:
        """Return {field: value} of the declared fields, plain types for JSON."""
        return {p.name: getattr(self, p.name) for p in self.parameters()}

    def texts(self) -> dict[str, str]:
        """Return {field: value as text} of the fields that are not at their default; `from_text` reads them."""
        given = ((p, getattr(self, p.name)) for p in self.parameters())
        return {p.name: p.write(value) for p, value in given if value != p.default}

    def changed(self, **values: Any) -> Self:
        """Return a copy with some fields changed, checked."""
        for name in values:
            self.named(name)
        return dataclasses.replace(self, **values)  # type: ignore[type-var]
