"""The same recipe gives the same digits on every processor."""

import pytest

from tests.golden.cases import CASES, digest, measured
from tests.golden.processors import PROCESSORS, digits_on, lacking
from tests.golden.stored import checked, load

CLOSE = 1e-12  # relative: measures may differ in the last digits of float64
ALWAYS = "generic"  # differs most from the machines that tests run on: there numpy and BLAS are tried each time


@pytest.mark.parametrize("name", CASES)
def test_digits_are_the_golden_ones(name):
    assert digest(CASES[name]()) == load()["digests"][name], (
        f"{name} gives other digits: `python -m tests.golden` lists what changed, --write keeps it"
    )


def test_no_digest_is_of_what_is_not_there():
    assert list(load()["digests"]) == list(CASES)


def test_measures_are_the_golden_ones_to_their_last_digits():
    assert measured() == pytest.approx(load()["measured"], rel=CLOSE)


@pytest.mark.timeout(900)  # every kernel is compiled anew where none is cached
@pytest.mark.parametrize(
    "name", [name if name == ALWAYS else pytest.param(name, marks=pytest.mark.nightly) for name in PROCESSORS]
)
def test_digits_are_the_same_on_another_processor(name):
    if missing := lacking(name):
        pytest.skip(f"this processor cannot run code for {name}: it lacks {', '.join(missing)}")
    if name != ALWAYS and checked():
        pytest.skip(f"{name} was checked with just these kernels, by `python -m tests.golden --processors`")
    found, golden = digits_on(name, kernels=not checked()), load()
    assert {case for case in golden["digests"] if found["digests"].get(case) != golden["digests"][case]} == set()
    assert found["measured"] == pytest.approx(golden["measured"], rel=CLOSE)
