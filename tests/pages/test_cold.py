"""While kernels are compiled, Train shows what it shows before a training, and waits in one line."""

import threading
from itertools import repeat
from types import SimpleNamespace
from unittest.mock import MagicMock

import pytest

from boltzcore.warmup import TITLES
from pages.common import lab, warm
from tests.pages.visit import labels, visit

SENTENCE = "Compiling kernels, once on this machine: 3 of about 119."


@pytest.fixture
def cold(monkeypatch):
    over = threading.Event()  # the warm-up ends only when its training is to end
    warmup = SimpleNamespace(ready=lambda _: over, sentence=lambda _: "" if over.is_set() else SENTENCE)
    monkeypatch.setattr(lab, "_warmup", warmup)
    lab.engine.cache_clear()
    yield
    lab.engine().shutdown()
    lab.engine.cache_clear()
    over.set()


def test_what_was_compiled_before_is_not_asked_for_again(monkeypatch):
    """A server that is started again has its kernels at hand at once."""
    asked = []
    monkeypatch.setattr(warm.subprocess, "Popen", lambda command, **_: asked.extend(command[4:]) or MagicMock())
    monkeypatch.setattr(warm, "warm_up", lambda: repeat(None))
    for cold in (TITLES, TITLES[2:3], ()):
        monkeypatch.setattr(warm, "find_missing", lambda cold=cold: cold)
        asked.clear()
        warm.Warmup()
        assert set(asked) == set(cold)


def test_a_training_that_waits_shows_generated_digits_beside_the_line(cold):
    test = visit("train", preset="handwriting", play="1")
    drawn = [each.proto.json for each in test.get("bidi_component")]
    assert [each.label for each in test.status] == [SENTENCE]
    assert any('"film"' in each for each in drawn)
    assert not any('"run"' in each for each in drawn)


def test_compare_is_drawn_before_the_cost_of_an_update_can_be_counted(cold, monkeypatch):
    monkeypatch.setattr("boltzcore.comparison.comparison.cost_of_update", MagicMock(side_effect=AssertionError))
    test = visit("compare")
    assert SENTENCE in [each.label for each in test.status]
    assert "Play" in labels(test)
