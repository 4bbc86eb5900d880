"""Progress that a browser has kept: taken over where it means something, and never instead of what was said since."""

import pytest

from pages.lessons.catalogue import LESSONS
from pages.lessons.keeping import from_browser, together
from pages.lessons.said import Said

STEPS = len(LESSONS["rbm"].steps)


def test_what_was_kept_is_read():
    kept = from_browser({"said": {"rbm": "bC.aB"}})
    assert kept == {"rbm": [Said(1, 2), Said(0, 1), *[Said()] * (STEPS - 2)]}


@pytest.mark.parametrize(
    "kept",
    [None, 7, "bC", [], {}, {"said": None}, {"said": "bC"}, {"said": {"chess": "bC", "rbm": 7}}, {"said": {1: "bC"}}],
)
def test_what_means_nothing_is_passed_over(kept):
    assert from_browser(kept) == {}


@pytest.mark.parametrize("text", ["zZ", "<script>", "b" * 100_000, "." * 100_000, "\0", "fF.fF"])
def test_a_text_that_means_nothing_makes_no_step_done(text):
    assert not any(each.done for each in from_browser({"said": {"rbm": text}})["rbm"])


def test_what_was_said_since_goes_before_what_was_kept():
    said, kept = [Said(1, 1), Said(2), Said(), Said()], [Said(0, 0), Said(0, 0), Said(1), Said(2, 2)]
    assert together(said, kept) == [Said(1, 1), Said(0, 0), Said(), Said(2, 2)]
