"""Hyper-parameters declared once: what they accept, what they refuse and how they say it."""

import math
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boltzcore import Recipe, compare, fit, start_for, train
from boltzcore.comparison.tuning import Tuning
from boltzcore.data import Examples
from boltzcore.measures import diagnose, log_likelihood, measures_of
from boltzcore.models import FVBM, RBMSetup, load
from boltzcore.parameters import Parameters, parameter


@dataclass(frozen=True)
class Example(Parameters):
    rate: float = parameter(
        0.05, low=1e-6, high=10.0, scale="log", symbol="eta", help="Step of each update.", live=True
    )
    batch_size: int = parameter(10, low=0, high=1_000_000, help="Rows in a mini-batch.", label="Batch")
    start: str = parameter("zero", choices=("zero", "base rate"), help="Biases at the start.")
    shuffle: bool = parameter(True, help="Draw the rows in a new order each epoch.")
    drift: float = parameter(0.0, help="Any finite number.")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *(("rate", value) for value in (0, math.nan, math.inf, 1e9, True, "0.1", None, np.array([0.1, 0.2]))),
        *(("batch_size", value) for value in (-1, 1_000_001, 1.5, math.nan, 10**400, False)),
        *(("start", value) for value in ("one", None, ["zero"])),
        *(("shuffle", value) for value in (1, "true")),
        ("drift", math.nan),
    ],
)
def test_a_refusal_names_field_value_and_what_is_allowed(field, value):
    with pytest.raises(ValueError, match=f"^{field} must be ") as refusal:
        Example(**{field: value})
    assert len(str(refusal.value)) < 200
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("value", [0.1, 1, np.float32(0.5), np.float64(0.5), np.int64(2)])
def test_numbers_of_any_kind_become_the_fields_own_type(value):
    assert type(Example(rate=value).rate) is float
    assert Example(rate=value).rate == float(value)
    assert type(Example(batch_size=np.int32(7)).batch_size) is int
    assert type(Example(batch_size=8.0).batch_size) is int
    assert [Example(rate=rate).rate for rate in (1e-6, 10.0)] == [1e-6, 10.0]
    assert Example(drift=-1e300).drift == -1e300


@pytest.mark.parametrize(
    ("field", "text", "value"),
    [
        ("rate", " 0.25 ", 0.25),
        ("rate", "1e-3", 1e-3),
        ("rate", " 0,125 ", 0.125),
        ("rate", ",5", 0.5),
        ("rate", "1,2345", 1.2345),
        ("batch_size", "200", 200),
        ("start", "base rate", "base rate"),
        ("shuffle", "False", False),
        ("shuffle", "yes", True),
    ],
)
def test_text_is_read(field, text, value):
    assert Example.named(field).parse(text) == value


@pytest.mark.parametrize(
    ("field", "text"),
    [
        *(("rate", text) for text in ("", "fast", "nan", "inf", "1e999", "0", "0,1,5", "1.000,5", "0x1", "1,234")),
        *(("rate", text) for text in ("٠.٣", "1_0.0", "0.1_5", "０.１", "1e-٣", "0.1\N{NO-BREAK SPACE}5")),
        *(("batch_size", text) for text in ("", "1.5", "1e3", "-1", "9" * 5000, "1,000", "10,5")),
        *(("batch_size", text) for text in ("٣", "1_0", "0x10", "１０", "1 0", "\N{SUPERSCRIPT THREE}", "0b1")),
        ("start", "one"),
        ("shuffle", "maybe"),
    ],
)
def test_bad_text_gets_the_same_sentence(field, text):
    with pytest.raises(ValueError, match=f"^{field} must be ") as refusal:
        Example.from_text({field: text})
    assert len(str(refusal.value)) < 200


@settings(max_examples=50)
@given(st.floats(1e-6, 10.0), st.integers(0, 1_000_000), st.floats(allow_nan=False, allow_infinity=False))
def test_what_is_written_is_read_back_unchanged(rate, batch_size, drift):
    example = Example(rate, batch_size, start="base rate", shuffle=False, drift=drift)
    assert Example.from_text({p.name: p.write(getattr(example, p.name)) for p in Example.parameters()}) == example


def test_a_change_is_a_checked_copy_and_an_unknown_field_is_answered_with_the_fields_there_are():
    first = Example()
    assert first.changed(rate=1).rate == 1.0
    assert first == Example()
    with pytest.raises(ValueError, match="rate must be"):
        first.changed(rate=0)
    asks = lambda: Example.named("speed"), lambda: Example().changed(speed=1), lambda: Example.from_text({"speed": "1"})
    for ask in asks:
        with pytest.raises(ValueError, match=r"'speed'.*rate, batch_size, start, shuffle, drift"):
            ask()


@pytest.mark.parametrize(
    ("field", "call"),
    [
        ("recipe", lambda: fit("rbm")),
        ("recipe", lambda: train("rbm")),
        ("comparison", lambda: compare(Recipe())),
        ("data", lambda: start_for("rbm", None, "CD")),
        ("changes", lambda: Recipe(changes="rate")),
        ("tuning", lambda: Tuning({"rate": 0.1})),
        ("model", lambda: diagnose("x", np.zeros((2, 2)))),
        ("rows", lambda: log_likelihood(FVBM(np.zeros((2, 2)), np.zeros(2)), np.zeros((2, 2)))),
        ("file", lambda: load(None)),
        ("records", lambda: diagnose(FVBM(np.zeros((2, 2)), np.zeros(2)), np.zeros((2, 2)), records="x")),
        ("kind", lambda: measures_of("x")),
        ("levels", lambda: Examples([[0, 1]], levels=[[2], [2, 2]])),
        ("seed", lambda: RBMSetup().initial(Examples([[0, 1]]), seed="x")),
    ],
)
def test_an_argument_of_another_kind_is_refused_by_its_name(field, call):
    with pytest.raises(ValueError, match=f"^{field} must"):
        call()
