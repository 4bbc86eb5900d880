"""Results of a comparison: figures of trials, and claims on differences."""

import csv
import dataclasses
import math
from statistics import median

import numpy as np
import pytest

from boltzcore import Comparison, Recipe, compare
from boltzcore.comparison.compare import load_result
from boltzcore.comparison.result import Result, count_settings
from boltzcore.comparison.trial import Trial
from boltzcore.comparison.trials import TrialStore
from boltzcore.comparison.tuning import Tuning
from boltzcore.data.corruption import Corruption
from boltzcore.plotting import comparison_curves
from boltzcore.registry import LEARNERS
from boltzcore.training.loop import Record
from boltzcore.training.schedule import Schedule
from pages.figures import race_table
from tests.runs.toys import batch

BASE = batch(40, every=10)
FIGURE = "train_log_likelihood"


def comparison(**fields) -> Comparison:
    fields = {"contenders": {"CD-1": {}, "CD-4": {"CD.K": 4}}, "trials": 3, "axis": "updates", **fields}
    return Comparison(BASE, **fields)


def made(values: dict[str, list[list[float]]], figure: str = FIGURE, status: str = "finished", **fields) -> Result:
    """A result of trials with these figures at 0, 10, 20, ... updates."""
    contenders = {name: {"CD.K": k} for k, name in enumerate(values, 1)}
    asked = comparison(trials=len(next(iter(values.values()))), contenders=contenders, **fields)
    trials = {
        name: tuple(
            Trial(
                asked.trial(name, i),
                status,
                records=tuple(Record(10 * k, k, 10 * k, 0.0, {figure: v}, 100 * k) for k, v in enumerate(curve)),
            )
            for i, curve in enumerate(curves)
        )
        for name, curves in values.items()
    }
    return Result(asked, trials)


def test_trials_have_the_records_that_each_training_has_alone_and_cost_the_same():
    result = compare(comparison(axis="operations"))
    cost = result.comparison.cost
    ends = result.records.groupby(["contender", "trial"])["operations"].agg(["max", "nunique"])
    assert len(ends) == 6
    per_update = {name: int(frame.loc[frame["count"] > 0, "operations"].iloc[0] / frame["count"].iloc[1])
                  for name, frame in result.records.groupby("contender")}  # fmt: skip
    for (name, _), row in ends.iterrows():
        assert cost <= row["max"] < cost + per_update[name]
    assert result.whole
    assert set(result.records["trial"]) == {0, 1, 2}


def test_figures_of_a_trial():
    result = made({"CD-1": [[-5, -3, -4]], "CD-4": [[-5, -4.5, -4.5]]}, target=-3.5, budget=40)
    one, other = result.outcomes["CD-1"][0], result.outcomes["CD-4"][0]
    assert (one.value, one.to_target) == (-4, 10)
    assert other.to_target == math.inf
    table = result.table()
    assert table.loc["CD-1", "to_target"] == 10
    assert table.loc["CD-4", "to_target"] == math.inf


def test_the_seconds_of_equal_operations_are_said_of_each_contender():
    result = made({"CD-1": [[-5.0, -3.0]] * 3, "CD-4": [[-5.0, -4.0]] * 3})
    assert result.table()["pace"].tolist() == [0.0, 0.0]
    for i, trial in enumerate(result.trials["CD-4"]):
        object.__setattr__(trial.records[-1], "seconds", 2e-6 * i)
    assert result.table()["pace"].tolist() == [0.0, pytest.approx(20.0)]  # 0, 2 and 4 microseconds of 100 operations


def test_all_columns_and_the_curves_are_of_one_figure_at_one_state():
    curves = {"CD-1": [[-5.0, -3.0, -4.0]], "CD-4": [[-5.0, -4.0, -3.0]]}
    result = made(curves, "validation_log_likelihood", target=-11.5, budget=30)
    for k, record in enumerate(record for trials in result.trials.values() for record in trials[0].records):
        record.values["test_log_likelihood"] = (-13.0, -11.0, -9.0, -13.0, -12.0, -11.0)[k]
    assert result.figure == "test_log_likelihood"
    table = result.table()
    assert table["value"].tolist() == [-11, -11]  # by the validation rows the second record of CD-1 stays the best
    assert table["to_target"].tolist() == [10, 20]
    thick = [
        trace for trace in comparison_curves.plot(result)["data"] if trace["line"]["width"] == comparison_curves.THICK
    ]
    assert [trace["y"][-1] for trace in thick] == table["value"].tolist()
    assert race_table.table(result).title != race_table.table(made(curves)).title


def test_a_difference_is_claimed_where_the_interval_leaves_it_no_other_way():
    rng = np.random.default_rng(0)
    noise = rng.normal(size=8)
    higher = [each + 3 + 0.1 * k for k, each in enumerate(noise)]
    clear = made({"CD-1": [[-9, each] for each in noise], "CD-4": [[-9, each] for each in higher]})
    found = clear.differences()["CD-4"]
    assert found.claimed
    assert found.better_in == 8
    assert found.mean == pytest.approx(3.35)
    assert clear.differences("CD-4")["CD-1"].mean == -found.mean
    for reference, side in (("CD-1", "better"), ("CD-4", "worse")):
        assert side.capitalize() in clear.sentence(reference)
    same = made({"CD-1": [[-9, each] for each in noise], "CD-4": [[-9, -each] for each in noise]})
    once = made({"CD-1": [[-9.0, -5.0]], "CD-4": [[-9.0, -4.0]]})  # which has randomness, and shows nothing
    assert not once.deterministic
    for unclear in (same, once):
        assert not unclear.differences()["CD-4"].claimed
        assert "Better" not in unclear.sentence()


def test_an_estimate_s_own_interval_counts_too():
    values = {"CD-1": [[-9.0, -5.0 + 0.01 * k] for k in range(8)], "CD-4": [[-9.0, -4.0 - 0.01 * k] for k in range(8)]}
    result = made(values, "train_log_likelihood_ais")
    for trials in result.trials.values():
        for trial in trials:
            for record in trial.records:
                value = record.values["train_log_likelihood_ais"]
                record.values["train_log_likelihood_ais_low"] = value - 0.6
                record.values["train_log_likelihood_ais_high"] = value + 0.6
    assert not result.differences()["CD-4"].claimed


def test_of_a_trial_that_failed_nothing_is_claimed():
    result = made({"CD-1": [[-9, -5.0 + 0.01 * k] for k in range(8)], "CD-4": [[-9, -1.0] for _ in range(8)]})
    broken = Trial(result.comparison.trial("CD-4", 7), "diverged", "All weights are large.")
    result = Result(result.comparison, result.trials | {"CD-4": (*result.trials["CD-4"][:7], broken)})
    assert "CD-4" not in result.differences()
    assert "CD-4 diverged" in result.sentence()
    assert result.table().loc["CD-4", "trials"] == 7


def test_two_without_randomness_differ_exactly_beside_one_that_has_some():
    base = Recipe("log-linear", "senate", "GreedyMDL", Schedule(length=4, unit="updates"))
    contenders = {"free": {}, "priced": {"GreedyMDL.price": 100.0}, "chains": {"learner": "PairwisePCD"}}
    asked = Comparison(base, contenders, trials=3, axis="updates", budget=4)
    assert asked.fixed == {"free", "priced"}
    ends = {"free": [-5.0] * 3, "priced": [-6.0] * 3, "chains": [-5.0, -5.1, -4.9]}
    trials = {
        name: tuple(
            Trial(asked.trial(name, i), "finished", records=(Record(4, 1, 4, 0.0, {FIGURE: end}, 4),))
            for i, end in enumerate(of)
        )
        for name, of in ends.items()
    }
    result = Result(asked, trials)
    assert not result.deterministic
    found = result.differences()
    assert (found["priced"].exact, found["priced"].mean, found["priced"].claimed) == (True, -1.0, True)
    assert not found["chains"].claimed


def test_a_tuning_by_an_error_of_test_rows_is_judged_by_the_validation_rows():
    base = Recipe("crbm", "digits", LEARNERS["ConditionalLR"].learner(), corruption=Corruption(rate=0.1))
    asked = Comparison(base, {"a": {}, "b": {"ConditionalLR.rate": 0.2}}, figure="test_error", budget=10)
    assert asked.merit == ("test_error",)
    tuned = asked.changed(tuning=Tuning({"rate": ("0.1", "0.2")}, 1))
    assert tuned.merit == ("validation_error", "test_error")
    values = {"0.1": (0.2, 0.5), "0.2": (0.4, 0.1)}  # of validation rows, and of test rows
    trials = {
        name: tuple(
            Trial(base, "finished", records=(Record(1, 1, 1, 0.0, {"validation_error": v, "test_error": t}, 10),))
            for v, t in values.values()
        )
        for name in asked.names
    }
    assert Result(tuned, trials).taken == {"a": "rate=0.1", "b": "rate=0.1"}
    trials["a"] = (dataclasses.replace(trials["a"][0], status="diverged"), trials["a"][1])
    found = Result(tuned, trials)
    assert found.scores["a"]["rate=0.1"] == -math.inf
    assert found.taken == {"a": "rate=0.2", "b": "rate=0.1"}
    trials["a"] = tuple(dataclasses.replace(each, status="diverged") for each in trials["a"])
    assert "a" not in Result(tuned, trials).edges  # nothing beyond is known to be better


def test_a_name_that_a_spreadsheet_would_run_is_a_text_in_the_csv():
    formula = '=HYPERLINK("http://x")'
    found = compare(Comparison(BASE, {formula: {}, "CD-4": {"CD.K": 4}}, trials=1, axis="updates"))
    assert set(found.records["contender"]) == {formula, "CD-4"}
    for seconds in (True, False):
        rows = list(csv.DictReader(found.csv(seconds=seconds).splitlines()))
        assert {row["contender"] for row in rows} == {f"'{formula}", "CD-4"}
    assert Result(found.comparison, {}).csv() == "\n"


def test_each_contender_takes_the_value_that_was_best_and_the_trials_are_made_with_it(tmp_path):
    store = TrialStore(tmp_path)
    asked = comparison(trials=2, tuning=Tuning({"rate": (0.001, 0.5)}, 2))
    result = compare(asked, store=store)
    assert result.tuning is not None
    for name, scores in result.tuning.scores.items():
        finals = [median(outcome.value for outcome in result.tuning.outcomes[name][k : k + 2]) for k in (0, 2)]
        assert list(scores.values()) == finals
        assert result.tuning.taken[name] == ("rate=0.001", "rate=0.5")[finals[1] > finals[0]]
    rates = {name: recipe.learner.rate for name, recipe in result.comparison.contenders}
    tried = result.tuning.tried()
    assert tried[tried["taken"]].set_index("contender")["rate"].astype(float).to_dict() == rates
    assert dict(zip(tried["contender"] + tried["rate"], tried["value"], strict=True)) == {
        name + setting.removeprefix("rate="): score
        for name, scores in result.tuning.scores.items()
        for setting, score in scores.items()
    }
    edge = {name: {"rate": "largest" if rate == 0.5 else "smallest"} for name, rate in rates.items()}
    assert result.tuning.edges == edge  # each value of two is at an edge
    assert load_result(asked, store).csv() == result.csv()
    assert load_result(asked, store).sentence() == result.sentence()


def test_several_fields_are_tuned_and_the_edges_of_the_grid_are_named():
    grid = {"rate": (1e-6, 0.01, 0.2), "K": (1, 2)}
    result = compare(comparison(trials=5, axis="updates", tuning=Tuning(grid, 1)))
    assert result.tuning is not None
    for name, recipe in result.comparison.contenders:
        assert len(result.tuning.scores[name]) == 6
        taken = f"rate={recipe.learner.rate}, K={recipe.learner.K}"
        assert result.tuning.taken[name] == taken
        fields = {field: edge for field, edge, at in (("rate", "largest", recipe.learner.rate == 0.2),) if at}
        fields |= {"K": "largest"} if recipe.learner.K == 2 else {}  # no K is below 1
        assert result.tuning.edges[name] == fields
    about = race_table.tuning_table(result.tuning).about
    assert result.tuning.figure_title in about  # which rows
    plain = compare(result.comparison)
    assert plain.tuning is None
    assert plain.differences() == result.differences()  # a tuning makes no claim, and changes none
    assert not result.tuning.differences()


def test_a_contender_without_the_settings_of_the_grid_is_not_tuned(tmp_path):
    store, contenders = TrialStore(tmp_path), {"CD-1": {}, "S-DCP": {"learner": "SDCP"}}
    asked = comparison(contenders=contenders, trials=1, tuning=Tuning({"d": (1, 2), "K_prime": (1, 3)}, 1))
    result = compare(asked, store=store)
    assert set(result.tuning.trials) == set(result.tuning.taken) == {"S-DCP"}
    after = dict(result.comparison.contenders)
    assert after["CD-1"] == dict(asked.contenders)["CD-1"]
    assert f"d={after['S-DCP'].learner.d}, K_prime={after['S-DCP'].learner.K_prime}" == result.tuning.taken["S-DCP"]
    assert count_settings(asked, "tried") in result.sentence()
    assert load_result(asked, store).sentence() == result.sentence()
    mixed = compare(asked.changed(tuning=Tuning({"K": (1, 2), "d": (1, 2)}, 1)), store=store).tuning.tried()
    assert [tuple(row) for row in mixed[["K", "d"]].to_numpy()] == [("1", None), ("2", None), (None, "1"), (None, "2")]


def test_another_figure_may_judge():
    figure = "reconstruction_error"
    base = dataclasses.replace(BASE, measures=("log_likelihood", figure))
    found = compare(Comparison(base, {"CD-1": {}, "CD-4": {"CD.K": 4}}, trials=2, axis="updates", figure=figure))
    assert found.figure == figure
    last = found.records[found.records["count"] == 40].groupby("contender")[figure].median()
    assert found.table()["value"].to_dict() == pytest.approx(last.to_dict())


def test_a_table_has_means_over_the_trials_that_are_whole_and_whole_numbers_of_trials():
    curves = {"CD-1": [[-9.0, -8.0], [-9.0, -6.0], [-9.0, -1.0]], "CD-4": [[-9.0, -4.0]] * 3}
    result = made(curves, target=-5.0)
    table = result.table()
    assert table["value"].tolist() == [-5.0, -4.0]
    assert table["value"]["CD-4"] - table["value"]["CD-1"] == table["difference"]["CD-4"]
    assert [table[column].tolist() for column in ("better_in", "n")] == [[None, 2], [None, 3]]
    assert isinstance(table["better_in"]["CD-4"], int)
    assert result.records.groupby("contender")["value"].mean().to_dict() == table["value"].to_dict()
    sure = made({"CD-1": [[-9.0, -8.0 + 1e-6 * k] for k in range(8)], "CD-4": [[-9.0, -4.0]] * 8})
    assert 0 < sure.table().loc["CD-4", "p"] < 1e-20
    assert "e-" in str(sure.table()["p"])  # printed as it is, not as 0.0
    assert next(each for each in race_table.table(sure).content.columns if each.title == "Significant").numbers is None
    *others, last = result.trials["CD-1"]
    cut = dataclasses.replace(last, status="diverged")
    table = Result(result.comparison, result.trials | {"CD-1": (*others, cut)}).table()
    assert table.loc["CD-1", ["trials", "value", "to_target"]].tolist() == [2, -7.0, math.inf]
