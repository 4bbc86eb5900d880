"""The papers' comparisons as races: each can be opened by its address, and its contenders are the study's."""

import dataclasses

import pytest

from boltzcore.comparison.comparison import Comparison
from boltzcore.papers import STUDIES
from boltzcore.papers.exhibits import EXHIBITS
from boltzcore.papers.races import SIX
from boltzcore.papers.stored import load
from boltzcore.training.recipe import Recipe

RACES = {(each.paper, each.label, name): make for each in EXHIBITS for name, make in each.races.items()}
LONGEST = 4_096  # characters of an address that every browser and proxy takes


@pytest.mark.parametrize("key", RACES)
def test_a_race_is_an_address_that_gives_it_back(key):
    comparison = RACES[key]()
    query = comparison.to_query()
    assert Comparison.from_query(query) == comparison
    assert len("&".join(f"{field}={text}" for field, text in query.items())) < LONGEST
    assert comparison.merit


def test_the_contenders_are_the_studys():
    comparison = RACES["2", "Figure 1", "rate 0.5"]()
    assert comparison.names == ("CD", "PCD", "CG", "S-DCP", "CS-DCP")
    learners = [part.learner for part in STUDIES["dcp-small"].parts("quick") if isinstance(part, Recipe)]
    assert all(recipe.learner in learners for recipe in comparison.recipes)
    rates = RACES["2", "Figure 6", "rates"]()
    assert set(rates.names) == {row["training"] for row in load("dcp-rates", "quick").rows}
    assert RACES["5", "Table 1", "six methods, 10 % noise"]().names == SIX


def test_a_race_after_frank_wolfe_differs_in_its_start_alone():
    comparison = RACES["3", "Figure 1", "MNIST"]()
    (_, random), (_, after) = comparison.contenders
    assert after.before is not None
    assert dataclasses.replace(after, before=None) == random
