"""The reference: everything that is declared is on its page, and its address leads to each of it."""

import re
from html import unescape
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from boltzcore.learners.walkthrough.equations import FAMILIES
from boltzcore.measures import MEASURES
from boltzcore.papers.citations import PAPERS, SOURCES
from boltzcore.registry import DATASETS, LEARNERS, MODELS
from pages.common import entries
from pages.common.terms import TERMS
from pages.handbook import costs, html
from pages.handbook.contents import addresses, count, sections
from pages.handbook.declared import PARTS, learner
from pages.handbook.entry import Entry
from pages.handbook.scripts import LONGEST

PAGE = Path(__file__).resolve().parents[2] / "pages" / "reference.py"
ENTRIES = {entry.id: entry for section in sections() for entry in section.entries}


def page(**query: str) -> AppTest:
    test = AppTest.from_file(str(PAGE), default_timeout=60)
    for key, text in query.items():
        test.query_params[key] = text
    return test.run()


def shown(id: str) -> str:
    """The words of an entry, as a reader sees them."""
    written = re.search(rf'<article id="{re.escape(id)}".*?</article>', html.document())
    assert written, id
    return " ".join(unescape(re.sub(r"<[^>]*>", "", written[0].replace("</", " </"))).split())


def squeezed(text: str) -> str:
    return re.sub(r"\s", "", text)


def test_the_page_shows_the_whole_reference():
    test = page()
    assert not test.exception
    assert not test.warning
    assert test.title[0].value == "Reference"
    assert html.document() in [each.proto.body for each in test.get("html")]


@pytest.mark.parametrize("name", LEARNERS)
def test_all_that_a_learner_declares_is_there(name):
    kind, words = LEARNERS[name], squeezed(shown(entries.entry("learner", name)))
    usual = kind()
    said = [kind.title, name, kind.about, kind.source, usual.cost, usual.counted, usual.stop_reason]
    said += [MODELS[model].title for model in kind.models] + list(kind.extra_metrics)
    for each in kind.parameters():
        said += [each.label, each.symbol, each.name, each.help, each.allowed, each.write(each.default)]
    assert [each for each in said if squeezed(each) not in words] == []


@pytest.mark.parametrize("name", MODELS)
def test_all_that_a_model_declares_is_there(name):
    model, words = MODELS[name], squeezed(shown(entries.entry("model", name)))
    said = [model.title, name, model.about, model.kind.SOURCE, model.work, *model.kind.EQUATIONS.values()]
    said += [kind.title for kind in LEARNERS.values() if name in kind.models]
    for each in model.setup.parameters():
        said += [each.label, each.symbol, each.name, each.help, each.allowed, each.write(each.default)]
    assert [each for each in said if squeezed(each) not in words] == []


def test_every_measure_data_set_setting_term_and_equation_is_there():
    for measure in MEASURES.values():
        words = squeezed(shown(entries.entry("measure", measure.name)))
        assert [each for each in (measure.about, *measure.units) if squeezed(each) not in words] == []
    for kind, owners in (("data", DATASETS), ("part", {name: part[1] for name, part in PARTS.items()})):
        for name, maker in owners.items():
            words = squeezed(shown(entries.entry(kind, name)))
            assert [each.help for each in maker.parameters() if squeezed(each.help) not in words] == []
    for key, term in TERMS.items():
        words = squeezed(shown(entries.entry("term", key)))
        assert squeezed(term.text) in words
        assert [form for form in term.forms if squeezed(form).casefold() not in words.casefold()] == []
    for family, equations in FAMILIES.items():
        words = squeezed(shown(entries.entry("update", family)))
        assert [each for each in equations.values() if squeezed(each) not in words] == []


def test_a_new_learner_and_a_new_term_appear_by_themselves(monkeypatch):
    class Newcomer(LEARNERS["CD"]):
        title, about = "Newcomer (NEW)", "It learns in a way of its own."

    monkeypatch.setitem(LEARNERS, "Newcomer", Newcomer)
    monkeypatch.setitem(TERMS, "novelty", TERMS["seed"])
    ids = {entry.id for section in sections.__wrapped__() for entry in section.entries}
    assert {"learner-newcomer", "term-novelty"} <= ids
    assert learner("Newcomer", Newcomer).text == ("It learns in a way of its own.",)
    assert any(row[0].startswith("Newcomer") for each in costs.entries_of_costs() for row in each.table.rows)


def test_a_public_name_has_its_docstring_how_it_is_called_and_its_example():
    entry = ENTRIES["function-boltzcore.data.flip"]
    facts = {fact.label: fact.value for fact in entry.facts}
    assert entry.text[0] == "Flip each pixel independently with probability `rate`."
    assert facts == {"Call": "flip(images, rate, *, seed, epoch=0)"}
    assert entry.code.endswith("# 0.1")
    assert ">>>" not in html.document()
    assert "class-boltzcore.models.rbm" in ENTRIES
    assert not {"class-boltzcore.learners.cd", "class-boltzcore.data.clusters"} & ENTRIES.keys()  # are told elsewhere


def test_each_id_is_there_once_and_each_link_leads_to_one():
    ids = re.findall(r' id="([^"]*)"', html.document())
    assert len(ids) == len(set(ids))
    assert addresses() <= set(ids)
    assert count() == len(ENTRIES)
    led = re.findall(r'href="\?entry=([^"]*)"', html.document())
    assert led
    assert set(led) <= addresses()
    terms = {entries.entry("term", key) for key in TERMS}
    words = re.findall(r'href="reference\?entry=([^"]*)"', html.document())
    assert set(words) <= terms <= addresses()


def test_the_cost_of_an_update_is_what_the_learner_says():
    words = shown("cost-rbm")
    for name in ("CD", "SDCP"):
        compared = costs.compared(LEARNERS[name], costs.IMAGES[0])
        assert compared.transitions == costs.TRANSITIONS
        assert f"{compared.operations_of_update(*costs.IMAGES):,}" in words


def test_a_learners_source_can_be_looked_up():
    known = {(work.authors[0].split()[-1], str(work.year)) for work in (*PAPERS, *SOURCES)}
    for kind in LEARNERS.values():
        cited = re.findall(r"([A-Z]\w+)(?:(?:, | and )[A-Z]\w+)* (\d{4})", kind.source)
        assert set(cited) <= known, kind.source


def test_what_is_written_is_escaped(monkeypatch):
    hostile = Entry("x", "<b>&", text=("<script>",), code="</pre><img>", facts=())
    written = html._entry(hostile)
    assert "<b>" not in written
    assert "<script>" not in written
    assert "<img>" not in written


def test_an_entry_and_a_search_of_the_address_are_taken():
    for query in ({"entry": "learner-SDCP"}, {"entry": "sdcp-k_prime"}, {"entry": "glossary"}, {"q": "gibbs step"}):
        assert not page(**query).warning


def test_what_an_address_asks_for_and_is_not_there_is_said():
    test = page(entry="learner-nothing", x="1", q="a" * (LONGEST + 1))
    said = [each.value for each in test.warning]
    assert any("The reference has no entry 'learner-nothing'" in each for each in said)
    assert any("means nothing here" in each for each in said)
    assert any(f"at most {LONGEST} characters" in each for each in said)
    assert len(page(entry="<script>" * 1_000).warning[0].value) < 400


def test_it_is_small_enough_to_be_sent():
    assert len(html.document().encode()) < 250_000
