"""Updates after which a training is measured, and in between, however it is cut, resumed or extended."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boltzcore import Recipe
from boltzcore.training.loop import train
from boltzcore.training.prepared import PreparedData
from boltzcore.training.schedule import Schedule, Timetable

STEPS = [step * 10**decade for decade in range(8) for step in (1, 2, 5)]


def counts_by_rule(table: Timetable) -> list[int]:
    """Return the counts by the words of the rule."""
    found = {*range(0, table.length + 1, table.every), table.length}
    if table.between:
        found |= {*range(0, table.length + 1, table.between)}
        found |= {count for each in STEPS if (count := each * table.unit) < min(table.between, table.length)}
    return sorted(found)


numbers = st.integers(1, 700)
tables = st.builds(Timetable, numbers, numbers, st.just(0) | numbers, st.integers(1, 30))


@given(tables)
def test_records_are_due_where_the_rule_says(table):
    counts = counts_by_rule(table)
    assert [count for count in range(table.length + 1) if table.due(count)] == counts
    assert [table.after(count) for count in range(-1, table.length)] == [
        after for before, after in pairwise([-1, *counts]) for _ in range(after - before)
    ]
    assert [table.left(count) for count in (-1, *counts)] == [*range(len(counts), -1, -1)]


@given(tables, st.integers(1, 500))
def test_a_longer_training_has_the_same_records_but_for_that_of_the_end(table, more):
    longer = Timetable(table.length + more, table.every, table.between, table.unit)
    known = [count for count in counts_by_rule(table) if longer.due(count)]
    assert known == [count for count in counts_by_rule(longer) if count <= table.length]
    assert set(counts_by_rule(table)) - set(known) <= {table.length}
    assert all(longer.in_full(count) == table.in_full(count) for count in known if count < table.length)


def test_records_in_between_need_not_be_in_full():
    table = Timetable(4_000, 1_000, between=400, unit=20)
    between = sorted({*range(400, 4_001, 400), *range(1_000, 4_001, 1_000)})
    assert counts_by_rule(table) == [0, 20, 40, 100, 200, *between]
    assert [count for count in counts_by_rule(table) if table.in_full(count)] == [1_000, 2_000, 3_000, 4_000]
    plain = Timetable(4_000, 1_000, unit=20)
    assert all(plain.in_full(count) for count in counts_by_rule(plain))


@pytest.mark.parametrize("unit", ["epochs", "updates"])
def test_a_training_takes_these_records(unit):
    recipe = Recipe(data="bars-and-stripes", schedule=Schedule(length=70, unit=unit, every=30, between=12))
    table = recipe.timetable(PreparedData.from_recipe(recipe).updates_per_epoch)
    counts = [step.record.count for step in train(recipe) if step.record]
    assert counts == counts_by_rule(table)
    assert len(counts) == recipe.schedule.most_records
