"""No text of a link, a file, a table or the index is Markdown or HTML: pages are made of the same with any other."""

import ast
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from boltzcore.jobs.files import Entry
from boltzcore.learners import CD
from pages.common import lab
from pages.common.words import MOST, escape, use_labels
from tests.data.test_own_data import npz
from tests.pages.markdown import HARMLESS, HOSTILE, alive, shown, structure
from tests.pages.visit import PAGES, labels, press, upload, visit, worked
from tests.runs.toys import batch


@pytest.mark.parametrize("text", HOSTILE)
def test_a_text_is_shown_as_it_is_and_nothing_in_it_is_alive(text):
    for before, after in (("", ""), ("**", "** · now"), (":red[", "]"), ("Not ", ", but this.")):
        assert alive(f"{before}{escape(text)}{after}") == alive(f"{before}{HARMLESS}{after}")
    assert shown(escape(text)) == " ".join("".join(c if c.isprintable() else " " for c in text).split())


@settings(max_examples=60)
@given(st.text() | st.text("\\`*_[]<>#|~$&:@!-+=.()w1 \n\tab/") | st.lists(st.sampled_from(HOSTILE)).map("".join))
def test_nothing_is_alive_in_any_text(text):
    assert not alive(escape(text))
    assert len(shown(escape(text))) <= MOST


def test_a_refusal_names_fields_by_their_labels_but_keeps_what_was_written():
    fields = CD.parameters()
    rate, batch = (each.label for each in fields if each.name in ("rate", "batch_size"))
    assert use_labels("rate must suit batch_size, not 'rate'.", fields) == f"{rate} must suit {batch}, not 'rate'."


TRAIN = (
    ("model", "data", "learner", "preset", "run", "pin"),
    ("measures", "changes", "before.model", "rbm.§", "§.rate", "CD.§"),
    ("rbm.hidden", "rbm.visible_bias", "CD.rate", "schedule.seed", "schedule.unit", "digits.binarise"),
    ("annealing.chains", "annealing.temperatures", "annealing.§", "before.§", "changes", "schedule.§"),
)
DENOISE = (
    ("source", "digit", "damage", "model", "beside", "amber"),
    ("seed", "corruption.rate", "corruption.§", "inference.kind", "inference.§", "beside.kind"),
)
LIBRARY = (("view",), ("set",))
STEP = (("example",), ("§",))
COMPARE = (("preset",), ("race",), ("contender.1", "contender.2", "rbm.hidden"), ("trials", "axis", "target", "budget"))
ADDRESSES = (("train", TRAIN), ("step", STEP), ("compare", COMPARE), ("denoise", DENOISE), ("library", LIBRARY))
LINKS = [(name, keys) for name, all in ADDRESSES for keys in all]


@pytest.mark.nightly
@pytest.mark.parametrize(("name", "keys"), LINKS, ids=[f"{name} {keys[0]}" for name, keys in LINKS])
def test_no_text_of_a_link_is_markdown(name, keys):

    def made_of(*texts: str) -> list:
        query = {key.replace("§", text): text for key, text in zip(keys, texts, strict=True)}
        return structure(visit(name, **query))

    wanted = made_of(*[HARMLESS] * len(keys))
    for first in range(0, len(HOSTILE), 6):
        texts = [HOSTILE[(first + i) % len(HOSTILE)] for i in range(len(keys))]
        assert made_of(*texts) == wanted, texts


def cell(text: str) -> str:
    return text.replace('"', '""')


MANY = "".join(f"text {i},{i % 2}\n" for i in range(70))  # more values than a column may have
FILES = {
    "the name of a table": ("data", lambda text: (f"{text}.csv", b"0,1\n0,1,1\n")),
    "a cell": ("data", lambda text: ("a.csv", f'a,b\n"{cell(text)}",1\n{MANY}'.encode())),
    "the name of a column": ("data", lambda text: ("a.csv", f'"{cell(text)}",b\n{MANY}'.encode())),
    "the name of an array": ("data", lambda text: ("a.npz", npz(**{text: np.ones(3)}))),
    "names of arrays": ("data", lambda text: ("a.npz", npz(**{text: np.ones(3), f"{text}2": np.ones(3)}))),
}


@pytest.mark.parametrize("what", FILES)
def test_no_text_of_a_file_is_markdown(what):
    view, file = FILES[what]

    def made_of(text: str) -> list:
        test = visit("library", view=view, set="own")
        name, content = file(text)
        upload(test, name, content)
        if "Use this table" in labels(test):  # its columns are refused later
            return [*structure(test), *structure(refused(worked(press(test, "Use this table"))))]
        return structure(refused(test))

    def refused(test: AppTest) -> AppTest:
        assert len(test.error) == 1
        assert len(test.error[0].value) < MOST
        return test

    wanted = made_of(HARMLESS)
    for text in HOSTILE[::7]:
        assert made_of(text.replace("\n", " ").replace("/", "-")) == wanted, text


def test_no_text_of_the_index_is_markdown(monkeypatch):
    def made_of(*texts: str) -> list:
        listed = tuple(
            Entry(f"{place} {text}", text, 0.0, 0.0, "paused", recipe, 0, None, damage)
            for place, (text, (recipe, damage)) in enumerate(
                product(texts, ((batch(), f"Damaged: {texts[0]}"), (None, f"Damaged: {texts[0]}")))
            )
        )
        monkeypatch.setattr(type(lab.engine().store), "list", lambda store: listed)
        return structure(visit("library", view="trainings"))

    for first in range(0, len(HOSTILE), 5):  # ten entries fill a page
        texts = [f"a {text}" for text in HOSTILE[first : first + 5]]
        assert made_of(*texts) == made_of(*[HARMLESS] * len(texts)), texts


MESSAGES = ("error", "warning", "info", "success", "toast")


def test_pages_show_no_sentence_that_was_made_elsewhere_but_as_plain_text():
    """Texts of a message are written there, or go through `escape`."""
    found = []
    for file in PAGES.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            called, argument = ast.unparse(node.func), node.args[0]
            written = isinstance(argument, ast.Constant | ast.JoinedStr) or ast.unparse(argument).startswith("escape(")
            if any(f"st.{message}" in called for message in MESSAGES) and not written:
                found.append(f"{file.relative_to(PAGES)}:{node.lineno} shows {ast.unparse(argument)}")
    assert not found, "\n".join(found)
