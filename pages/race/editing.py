"""Edits of the comparison of the page, and their refusals."""

from collections.abc import Callable, Iterable

from boltzcore.comparison.comparison import Comparison
from boltzcore.parameters import Parameter
from boltzcore.quoting import Refusal
from pages.common.words import use_labels
from pages.parts import form
from pages.web.session import SESSION

PLACE = "comparison"  # of refusals


def put(comparison: Comparison, *sentences: str) -> None:
    """Make this the comparison of the page; the race of another one is left, and may continue."""
    if comparison != SESSION.comparison:
        SESSION.race = ""
    SESSION.comparison, SESSION.refused[PLACE], SESSION.refused_texts = comparison, list(sentences), {}


def edit(
    change: Callable[[Comparison], Comparison], name: str = "", text: str = "", declared: Iterable[Parameter] = ()
) -> None:
    """Change the comparison; a refusal is shown, and nothing is lost.

    name, text : the changed field, which keeps a refused text, as others do; "" drops those of all fields
    declared : the fields that a refusal may name
    """
    texts = {each: refused for each, refused in SESSION.refused_texts.items() if name and each != name}
    try:
        changed = change(SESSION.comparison)
        for recipe in set(changed.recipes).difference(SESSION.comparison.recipes):
            form.check_fit(recipe)
        put(changed)
    except Refusal as refusal:
        sentence = use_labels(refusal, declared)
        SESSION.refused[PLACE] = [] if name else [sentence]
        texts |= {name: (text, sentence)} if name else {}
    SESSION.refused_texts = texts


def rearrange(change: Callable[[Comparison], Comparison]) -> None:
    """Change the contenders or their order."""
    edit(change)
    SESSION.card_orders += 1  # closes open parts of a card
