"""The same recipe gives the same numbers on every processor, and other numbers only with other numerics."""

import pytest

from tests.golden.cases import CASES, RECIPES, digest, figures, numerics
from tests.golden.processors import PROCESSORS, digits_on, missing_features
from tests.golden.stored import find_changed, find_unraised, is_checked, load, same

ALWAYS = "generic"  # differs most from the machines that tests run on: there numpy and BLAS are tried each time
OTHER = "raise the numerics of what has changed; `python -m tests.golden` lists what it is, --write keeps it"


@pytest.mark.parametrize("name", CASES)
def test_arrays_are_the_golden_ones(name):
    assert digest(CASES[name].arrays()) == load()["digests"][name], OTHER


@pytest.mark.parametrize("name", RECIPES)
def test_records_are_the_golden_ones(name):
    golden, found = load()["figures"][name], figures(RECIPES[name])
    assert same(name, golden, found), f"{OTHER}: {golden} -> {found}"


def test_nothing_golden_is_missing_or_of_other_numerics():
    golden = load()
    assert (list(golden["digests"]), list(golden["figures"])) == (list(CASES), list(RECIPES))
    assert golden["numerics"] == {each: n for name in (*CASES, *RECIPES) for each, n in numerics(name).items()}


def test_other_numbers_are_kept_only_with_raised_numerics():
    golden = load()
    found = {part: dict(values) for part, values in golden.items()}
    found["digests"]["CD, small"] = "other"
    found["figures"]["PCD"] = golden["figures"]["PCD"] | {"operations": 1}
    del found["digests"]["enumeration"]
    assert sorted(find_changed(golden, found)) == ["CD, small", "PCD", "enumeration"]
    assert find_unraised(golden, found) == ["CD, small", "PCD"]
    found["numerics"]["CD"] += 1
    assert find_unraised(golden, found) == ["PCD"]
    found["numerics"]["RBM"] += 1
    assert find_unraised(golden, found) == []


@pytest.mark.timeout(900)  # every kernel is compiled anew where none is cached
@pytest.mark.parametrize(
    "name", [name if name == ALWAYS else pytest.param(name, marks=pytest.mark.nightly) for name in PROCESSORS]
)
def test_digits_are_the_same_on_another_processor(name):
    if missing := missing_features(name):
        pytest.skip(f"this processor cannot run code for {name}: it lacks {', '.join(missing)}")
    if name != ALWAYS and is_checked():
        pytest.skip(f"{name} was checked with just these kernels, by `python -m tests.golden --processors`")
    assert find_changed(load(), digits_on(name, kernels=not is_checked())) == []
