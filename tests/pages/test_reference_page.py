"""The reference: everything that is declared is on its page, a search finds it, and an address leads to it."""

import re
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from boltzcore.learners import CD
from boltzcore.measures import MEASURES
from boltzcore.papers.citations import PAPERS, SOURCES
from boltzcore.reference.equations import FAMILIES
from boltzcore.registry import DATASETS, LEARNERS, MODELS
from pages.common.terms import TERMS
from pages.handbook.entry import entry, search_entries
from pages.handbook.sections import PARTS, sections
from tests.pages import visit
from tests.pages.markdown import HARMLESS, HOSTILE, alive

ENTRIES = [each for section in sections().values() for each in section.entries]


def page(**query: str) -> AppTest:
    return visit.visit("reference", **query)


def squeezed(text: str) -> str:
    """A text without spaces and what Markdown needs."""
    return re.sub(r"[\s\\\N{WORD JOINER}]", "", text)


OWNERS = {
    **{f"model-{name}": model.setup for name, model in MODELS.items()},
    **{f"learner-{name}": info.learner for name, info in LEARNERS.items()},
    **{f"data-{name}": kind for name, kind in DATASETS.items()},
    **{f"part-{name}": part[1] for name, part in PARTS.items()},
}


@pytest.mark.parametrize("id", OWNERS)
def test_every_field_that_is_declared_is_there(id):
    (body,) = (squeezed(each.body) for each in ENTRIES if each.id == id.lower())
    for each in OWNERS[id].parameters():
        assert each.label
        assert each.help
        texts = [each.label, each.symbol, each.name, each.help, each.allowed, each.write(each.default)]
        assert [text for text in texts if squeezed(text) not in body] == []


def test_everything_has_one_entry_and_is_described():
    assert all(each.about for each in (*MEASURES.values(), *DATASETS.values()))
    for info in LEARNERS.values():
        assert all((info.title, info.about, info.cost, info.operations, info.source))
    for model in MODELS.values():
        assert all((model.about, model.kind.SOURCE, model.kind.EQUATIONS["Distribution"]))
    assert {each.title for each in MEASURES.values() if each.title[0].isupper()} <= {each.title for each in ENTRIES}
    ids = [each.id for each in ENTRIES]
    assert len(ids) == len(set(ids))
    named = {"term": TERMS, "update": FAMILIES, "measure": MEASURES, "cite": [f"paper-{number}" for number in PAPERS]}
    assert {f"{kind}-{name}".lower() for kind, names in named.items() for name in names} <= set(ids)


def test_a_new_learner_and_a_new_term_appear_by_themselves(monkeypatch):
    class Newcomer(CD):
        pass

    info = replace(LEARNERS["CD"], learner=Newcomer, title="Newcomer (NEW)", about="It learns in a way of its own.")
    monkeypatch.setitem(LEARNERS, "Newcomer", info)
    monkeypatch.setitem(TERMS, "novelty", TERMS["seed"])
    there = sections.__wrapped__().values()
    assert {"learner-newcomer", "term-novelty"} <= {each.id for section in there for each in section.entries}
    assert search_entries(there, "newcomer")[0].body.startswith("It learns in a way of its own.")


@pytest.mark.parametrize(
    ("search", "first"),
    [
        ("s-dcp,", "learner-sdcp"),
        ("(FW)", "learner-frankwolfe"),
        ("log-likelihood", "term-likelihood"),
        ("partition function", "term-log-z"),
        ("batch_size cd-k", "learner-cd"),
    ],
)
def test_a_search_finds_words_by_their_beginnings_with_signs_around_them(search, first):
    matches = [each.id for each in search_entries(sections().values(), search)]
    assert first in matches[:20]
    for nothing in (f"{search} nosuchword", f"x{search}", "(", "\N{MATHEMATICAL BOLD CAPITAL G}x?", ""):
        assert not search_entries(sections().values(), nothing)


def test_the_page_shows_a_section_a_search_or_an_entry():
    test = page(section="citing")
    assert any("@software" in each.value for each in test.markdown)
    test.text_input(key="q").input("s-dcp").run()
    assert "Stochastic" in " ".join(each.label for each in test.expander)
    assert test.query_params["q"] in ("s-dcp", ["s-dcp"])
    test = page(entry="learner-SDCP")
    assert "S-DCP" in test.header[0].value
    test.button[0].click().run()
    assert len(test.expander) == len(LEARNERS)
    assert "entry" not in test.query_params


def test_what_an_address_asks_for_and_is_not_there_gets_a_warning():
    assert len(page(entry="learner-nothing", x="1").warning) == 2
    assert len(page(entry="<script>" * 1_000).warning[0].value) < 400
    assert len(page(q="a" * 999).text_input(key="q").value) == 80


@pytest.mark.parametrize("text", HOSTILE[::7])
def test_what_is_written_is_shown_as_it_is(text):
    written, harmless = (entry("x", "y", "z", each, facts=[("a", each)]).body for each in (text, HARMLESS))
    assert alive(written) == alive(harmless)


def test_a_learners_source_can_be_looked_up():
    cited = [*(paper.citation for paper in PAPERS.values()), *SOURCES]
    known = {
        (re.split(", | and |:", work)[0].split()[-1], year) for work in cited for year in re.findall(r"\b\d{4}\b", work)
    }
    for info in LEARNERS.values():
        cited = re.findall(r"([A-Z]\w+)(?:(?:, | and )[A-Z]\w+)* (\d{4})", info.source)
        assert set(cited) <= known, info.source
