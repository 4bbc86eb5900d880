"""What the reference consists of: sections of entries, plain data whatever they are drawn with."""

from collections.abc import Iterable
from dataclasses import dataclass

from boltzcore.parameters import Parameter, Parameters
from pages.common import entries


@dataclass(frozen=True)
class Link:
    """A way to another entry, by its id, or to a page of the app where it is an address."""

    title: str
    to: str


@dataclass(frozen=True)
class Fact:
    """Something about an entry in a few words, or links: `label` says what."""

    label: str
    value: str | tuple[Link, ...]


@dataclass(frozen=True)
class Field:
    """A hyper-parameter: its declaration, written out.

    name : in links, commands and Python; takes : the values that are allowed
    """

    id: str
    name: str
    label: str
    symbol: str
    default: str
    takes: str
    log: bool
    live: bool
    help: str


@dataclass(frozen=True)
class Table:
    """Rows of texts under their heads, the first of each row being what it is of."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Entry:
    """One thing that is explained.

    id : in addresses; name : in links, commands and Python, "" where it has none
    text : paragraphs; marked : whether terms in them lead to their explanation
    equations : (of what, as the library writes it)
    code : what is to be copied as it is
    """

    id: str
    title: str
    name: str = ""
    text: tuple[str, ...] = ()
    facts: tuple[Fact, ...] = ()
    fields: tuple[Field, ...] = ()
    equations: tuple[tuple[str, str], ...] = ()
    table: Table | None = None
    code: str = ""
    marked: bool = True


@dataclass(frozen=True)
class Section:
    """Entries of one kind.

    short : whether they are a few lines each, and are drawn side by side
    also : other words for all of them, by which they are found
    """

    id: str
    title: str
    about: str
    entries: tuple[Entry, ...]
    short: bool = False
    also: str = ""


def fields_of(owner: str, maker: type[Parameters]) -> tuple[Field, ...]:
    """The fields that an owner, by its name in links, declares."""
    return tuple(_field(owner, declared) for declared in maker.parameters())


def _field(owner: str, declared: Parameter) -> Field:
    return Field(
        id=entries.entry(owner, declared.name),
        name=declared.name,
        label=declared.label,
        symbol=declared.symbol,
        default=declared.write(declared.default) or "empty",
        takes=declared.allowed,
        log=declared.scale == "log",
        live=declared.live,
        help=declared.help,
    )


def facts(*given: tuple[str, str | Iterable[Link]]) -> tuple[Fact, ...]:
    """Facts of these labels; what is empty is left out."""
    values = ((label, value if isinstance(value, str) else tuple(value)) for label, value in given)
    return tuple(Fact(label, value) for label, value in values if value)
