"""How a page is shown to a class: what an address hides, the view for a projector, and links that say so."""

from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from streamlit.testing.v1 import AppTest

from boltzcore.runs.comparison_presets import COMPARISON_PRESETS
from boltzcore.runs.presets import PRESETS
from pages.common import presenting
from pages.lessons.catalogue import LESSONS
from pages.parts.for_class import PROJECTOR, WITHIN, frame
from tests.pages.train import at, said

PAGES = Path(__file__).resolve().parents[2] / "pages"


def arrived(page: str, query: dict[str, str], history: bool = False, before: dict[str, str] | None = None) -> AppTest:
    """A script that opens a page by an address, perhaps after another one, and says what comes of it."""

    def script(page: str, query: dict[str, str], history: bool, before: dict[str, str] | None):
        import streamlit as st

        from pages.common import address, presenting
        from pages.common.setting import mirror

        address.visit(page)
        if before is not None:
            presenting.arrive(page, before, history=False)
        presenting.arrive(page, query, history=history)
        for sentence in presenting.refused():
            st.warning(sentence)
        st.text(presenting.css(page))
        mirror({"model": "rbm"})

    return AppTest.from_function(script, args=(page, query, history, before), default_timeout=60).run()


def visit(name: str, *hidden: str, popover: str, **query: str) -> AppTest:
    """A page with parts hidden and its Share open."""
    test = AppTest.from_file(str(PAGES / f"{name}.py"), default_timeout=60)
    test.session_state["page"], test.session_state[popover] = name, True
    test.session_state[presenting._HIDDEN] = {name: hidden}
    for key, text in query.items():
        test.query_params[key] = text
    return test.run()


def class_link(test: AppTest) -> dict[str, list[str]]:
    """The parameters of the link for a class: on Train the second of all links, else the last."""
    links = [each.value for each in test.code if each.value.startswith(("?", "http"))]
    return parse_qs(urlsplit(links[1 if test.session_state["page"] == "train" else -1]).query)


def test_hidden_parts_are_written_back_in_the_order_in_which_they_are_declared():
    test = arrived("train", {"hide": "share, learner,share"})
    assert not test.warning
    assert at(test) == {"model": "rbm", "hide": "learner,share"}
    rules = test.text[0].value
    assert "choose-learner" in rules
    assert "choose-model" not in rules


@pytest.mark.parametrize("page", presenting.PARTS)
def test_a_name_that_is_none_of_the_page_is_refused_with_those_that_are(page):
    test = arrived(page, {"hide": "everything" + "!" * 500 + ",look-for,share"})
    (sentence,) = (each.value for each in test.warning)
    assert sentence.startswith(f"hide must list some of {', '.join(presenting.PARTS[page])}, not 'everything!")
    assert len(sentence) < 400
    assert at(test)["hide"].split(",") == [name for name in presenting.PARTS[page] if name in ("look-for", "share")]


def test_a_page_without_parts_hides_nothing_and_says_so():
    test = arrived("library", {"hide": "share"})
    assert [each.value for each in test.warning] == ["hide must be left out on this page, not 'share'."]


def test_only_a_projector_is_a_display():
    assert at(arrived("train", {"display": "projector"}))["display"] == "projector"
    wrong = arrived("train", {"display": "cinema"})
    assert [each.value for each in wrong.warning] == ["display must be projector, not 'cinema'."]
    assert "display" not in at(wrong)


def test_an_address_that_says_nothing_leaves_all_as_it_is_but_for_who_goes_back():
    shown = {"hide": "share", "display": "projector"}
    assert at(arrived("train", {}, before=shown)) == {"model": "rbm"} | shown
    assert at(arrived("train", {}, history=True, before=shown)) == {"model": "rbm"}


def test_names_of_one_page_hide_nothing_on_another():
    assert at(arrived("learn", {}, before=None)) == {"model": "rbm"}
    assert "hide" not in at(arrived("compare", {"hide": "learner"}))


def test_the_projector_view_has_a_way_out_on_every_page():
    test = AppTest.from_file(str(PAGES / "shell.py"), default_timeout=60)
    test.query_params["display"] = "projector"
    test.run()
    assert at(test) == {"display": "projector"}
    next(each for each in test.button if each.label == "Leave the projector view").click().run()
    assert at(test) == {}
    assert "Leave the projector view" not in [each.label for each in test.button]


def test_what_is_hidden_goes_along_with_every_link_of_train_and_its_class_link_is_short():
    test = visit("train", "learner", popover="share", preset="real-digits")
    assert at(test)["hide"] == "learner"
    links = [each.value for each in test.code if each.value.startswith(("?", "http"))]
    assert len(links) == 3
    assert all("hide=learner" in each for each in links)
    assert class_link(test) == {"preset": ["real-digits"], "hide": ["learner"]}


def test_a_teacher_chooses_what_is_hidden_and_how_it_is_shown():
    test = visit("train", popover="share", preset="real-digits")
    test.multiselect[0].set_value(["speed", "preset"]).run()
    shown = next(each for each in test.radio if each.label == "Shown")
    shown.set_value(PROJECTOR).run()
    assert class_link(test) == {"preset": ["real-digits"], "hide": ["preset,speed"], "display": ["projector"]}
    assert "hide" not in at(test)  # of the link alone
    next(each for each in test.radio if each.label == "Shown").set_value(WITHIN).run()
    assert class_link(test) == {"preset": ["real-digits"], "hide": ["preset,speed"], "embed": ["true"]}
    framed = next(each.value for each in test.code if each.value.startswith("<iframe"))
    assert f'title="{PRESETS["real-digits"].title}"' in framed
    next(each for each in test.checkbox if each.label == "Start at once").check().run()
    assert class_link(test)["play"] == ["1"]


def test_what_was_chosen_for_a_class_is_kept_while_share_is_closed():
    test = visit("train", popover="share", preset="real-digits")
    test.multiselect[0].set_value(["speed"]).run()
    next(each for each in test.radio if each.label == "Shown").set_value(PROJECTOR).run()
    test.session_state["share"] = False
    test.run()
    assert not test.multiselect
    test.session_state["share"] = True
    test.run()
    assert class_link(test) == {"preset": ["real-digits"], "hide": ["speed"], "display": ["projector"]}


def test_the_key_in_the_address_is_spoken_of_once_there_is_one():
    assert "holds the key" not in said(visit("train", popover="share", preset="real-digits"))


def test_a_lesson_as_a_link_does_not_carry_what_its_teacher_has_answered():
    first = next(iter(LESSONS))
    test = visit("learn", "reason", popover="share lesson", lesson=first, step="2", said="bC")
    assert "said" in at(test)
    assert class_link(test) == {"lesson": [first], "step": ["2"], "hide": ["reason"]}
    assert "does not go along" in said(test)


def test_a_comparison_as_a_link_has_neither_race_nor_key():
    test = visit("compare", "rules", popover="share race", preset=next(iter(COMPARISON_PRESETS)))
    link = class_link(test)
    assert link["hide"] == ["rules"]
    assert not {"race", "key", "run"} & set(link)


def test_a_frame_is_html_whatever_its_title():
    text = frame("http://here/train?a=1&embed=true", '"><script>')
    assert 'src="http://here/train?a=1&amp;embed=true"' in text
    assert "<script>" not in text
