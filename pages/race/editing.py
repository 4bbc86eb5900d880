"""Changes of the comparison of the page, and what is refused of them."""

from collections.abc import Callable, Iterable

from boltzcore.comparison.comparison import Comparison
from boltzcore.parameters import Parameter
from pages.common.words import labelled
from pages.parts import form
from pages.race import session
from pages.web.session import SESSION

PLACE = "comparison"  # of what is refused


def put(comparison: Comparison, *said: str) -> None:
    """Make this the comparison of the page; the race of another one is left, and goes on as it may."""
    if comparison != SESSION.comparison:
        session.leave()
    SESSION.comparison, SESSION.refused[PLACE], SESSION.refused_texts = comparison, list(said), {}


def edit(
    change: Callable[[Comparison], Comparison], name: str = "", text: str = "", declared: Iterable[Parameter] = ()
) -> None:
    """Change the comparison; a refusal is shown, and nothing is lost.

    name, text : the field that was typed into, which keeps a refused text
    declared : the fields that a refusal may name
    """
    texts = {each: refused for each, refused in SESSION.refused_texts.items() if each != name}
    try:
        before = SESSION.comparison
        changed = change(before)
        for recipe in set(changed.recipes).difference(before.recipes):
            form.check_fit(recipe)
        put(changed)
    except ValueError as refusal:
        sentence = labelled(refusal, declared)
        SESSION.refused[PLACE] = [] if name else [sentence]
        texts |= {name: (text, sentence)} if name else {}
    SESSION.refused_texts = texts


def restructure(change: Callable[[Comparison], Comparison]) -> None:
    """Change the comparison to one of other fields, of which no text is refused."""
    edit(change)
    SESSION.refused_texts = {}


def rearrange(change: Callable[[Comparison], Comparison]) -> None:
    """Change which contenders there are, or their order."""
    restructure(change)
    SESSION.card_orders += 1  # closes what is open of a card


def refusals() -> list[str]:
    """Return the sentences on what is refused."""
    return [*SESSION.refused[PLACE], *(sentence for _, sentence in SESSION.refused_texts.values())]
