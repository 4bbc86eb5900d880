"""A comparison under way on a server: watched, paused, cancelled, and found again after a restart."""

import dataclasses
import gc
import json
import threading
import weakref

import pytest

from boltzcore import Comparison, Recipe, compare
from boltzcore.comparison.trials import TrialStore
from boltzcore.comparison.tuning import Tuning
from boltzcore.data import upload
from boltzcore.jobs.races import Races
from boltzcore.jobs.seat import Seat
from boltzcore.jobs.turns import Turns
from boltzcore.quoting import Refusal
from boltzcore.training.prepared import PreparedData
from boltzcore.training.schedule import Schedule
from tests.runs.toys import batch, until

BASE = batch(40, every=10)
CONTENDERS = {"CD-1": {}, "CD-4": {"CD.K": 4}}
SHORT = Comparison(BASE, CONTENDERS, trials=3, axis="updates")
LONG = Comparison(BASE, CONTENDERS, trials=2, axis="updates", budget=60_000)
ENDLESS = LONG.changed(budget=4_000_000)  # for minutes


@pytest.fixture
def races(tmp_path, context):
    made = Races(tmp_path / "races", context, TrialStore(tmp_path / "trials"))
    yield made
    end(made)


def end(races):
    for thread in races.shutdown():
        thread.join(60)


@pytest.fixture
def restarted(races, tmp_path, context):
    """restarted(): the races of a server that was started anew, on the same files."""
    made = []

    def restart(trials="trials"):
        end(races)
        made.append(Races(tmp_path / "races", context, TrialStore(tmp_path / trials)))
        return made[-1]

    yield restart
    for each in made:
        end(each)


def finished(race):
    until(lambda: race.snapshot.status == "finished")
    return race.snapshot.result


def test_it_finds_what_the_library_finds(races):
    before = set(threading.enumerate())
    result = finished(races.create(SHORT, play=True))
    assert result.csv(seconds=False) == compare(SHORT).csv(seconds=False)
    names = "scheduler", "The race"
    until(lambda: not [each for each in set(threading.enumerate()) - before if each.name.startswith(names)])


def test_it_is_watched_while_it_goes_on_and_rests_at_once(races, context):
    race = races.create(ENDLESS, play=True)
    until(lambda: race.snapshot.status == "running" and race.snapshot.share > 0)
    race.pause()
    assert race.snapshot.status == "paused"
    share, other = race.snapshot.result.share, Seat(context)
    assert other.take(lambda: True)  # once the trainings have left the only slot
    assert race.snapshot.result.share == share
    other.leave()
    race.play()
    until(lambda: race.snapshot.result.share > share)
    race.cancel()
    assert race.snapshot.status == "stopped"


def test_in_a_pause_and_in_the_queue_it_holds_no_thread_and_goes_on_when_there_is_room(races, context, monkeypatch):
    for module in ("race", "job"):
        monkeypatch.setattr(f"boltzcore.jobs.{module}.LET_GO", 0.2)
    context.turns = Turns(1, 1)
    first, other = races.create(ENDLESS, play=True), Seat(context)
    until(lambda: first.snapshot.share > 0)
    waits = races.create(SHORT, play=True)
    until(lambda: waits.snapshot.status == "queued" and waits.thread is None)
    first.pause()
    until(lambda: first.thread is None)
    finished(waits)
    assert other.take(lambda: True)
    first.play()
    until(lambda: first.snapshot.status == "queued" and first.thread is None)
    share = first.snapshot.share
    assert first.snapshot.place == 1
    other.leave()
    until(lambda: first.snapshot.status == "running" and first.snapshot.share > share)
    first.cancel()


def test_it_goes_on_from_what_is_stored_after_a_cancel_and_in_another_process(races, restarted, tmp_path, context):
    race = races.create(LONG)
    race.at_least = 1e9  # it does not end meanwhile
    race.play()
    until(lambda: race.snapshot.share > 0)
    race.cancel()
    share = race.snapshot.share
    race.play()
    until(lambda: race.snapshot.status == "running" and race.snapshot.share > share)
    killed = Races(tmp_path / "races", context, TrialStore(tmp_path / "trials")).get(race.id)  # no one saved it
    assert killed.snapshot.reason
    killed.close()
    found = restarted().get(race.id)
    assert found is not race
    assert found.snapshot.status == "paused"
    assert found.snapshot.reason
    assert found.is_owner(race.key)
    assert not found.is_owner("")
    found.play()
    assert finished(found).csv(seconds=False) == compare(LONG).csv(seconds=False)


def test_a_finished_race_shows_its_result_at_once_and_makes_trials_that_are_gone_again(races, restarted):
    race = races.create(SHORT, play=True)
    expected = finished(race)
    found = restarted().get(race.id)
    until(lambda: found.snapshot.result is not None)
    assert found.snapshot.status == "finished"
    assert found.snapshot.result.csv() == expected.csv()  # even the seconds: nothing was trained
    bare = restarted("other trials").get(race.id)
    until(lambda: bare.snapshot.result is not None)
    assert bare.snapshot.status == "paused"
    assert bare.snapshot.reason
    bare.play()
    assert finished(bare).csv(seconds=False) == expected.csv(seconds=False)


def test_one_that_does_not_fit_its_data_fails_with_a_sentence(races):
    race = races.create(Comparison(BASE, {**CONTENDERS, "large": {"CD.batch_size": 5_000}}, axis="updates", budget=100))
    race.play()
    until(lambda: race.snapshot.status == "failed")
    assert "batch_size" in race.snapshot.reason
    assert not race.is_active


def test_the_recipes_on_a_private_table_are_known_in_memory_and_in_files(races, restarted, tmp_path):
    private = dataclasses.replace(BASE, data=upload(b"a,b\n" + b"0,1\n1,0\n" * 10))
    races.create(SHORT)
    races.create(Comparison(private, CONTENDERS, axis="updates", budget=10))
    (tmp_path / "races" / ("0" * 16 + ".json")).write_text("{")  # which hides no others
    for each in (races, restarted()):
        assert {recipe.data for recipe in each.private_recipes()} == {private.data}


def test_it_stops_if_no_one_watches(races, context, clock):
    race = races.create(ENDLESS, play=True)
    until(lambda: race.snapshot.status == "running")
    clock.now = context.lease + 1
    until(lambda: race.snapshot.status == "stopped" and race.thread is None)
    assert race.snapshot.reason


def test_it_takes_turns_with_trainings(races, context, refusals):
    """With one slot that another member holds, nothing is trained, however often the race asks for it."""
    other = Seat(context)
    assert other.take(lambda: True)
    race = races.create(SHORT, play=True)
    until(lambda: len(refusals) > 2)
    assert race.snapshot.status != "finished"
    assert not race.snapshot.share
    other.leave()
    finished(race)


def test_it_waits_for_memory_for_the_tables_of_all_its_trials(races, context):
    asked = []
    context.turns = Turns(1, 4, asked.append)  # there is room for no other
    assert Seat(context, needs=0).take(lambda: True)
    base = Recipe("log-linear", "bayes-net", "PairwisePCD", Schedule(length=2, unit="updates"))
    each = PreparedData.from_recipe(base).memory(base)
    race = races.create(Comparison(base, {"a": {}, "b": {}}, trials=3, axis="updates"), play=True)
    until(lambda: race.snapshot.status == "queued")
    assert race.snapshot.place == 1
    assert asked[-1] >= 6 * each > 6 * 2**20
    race.cancel()


def test_the_file_of_a_race_that_is_in_memory_stays(races, tmp_path, monkeypatch):
    monkeypatch.setattr("boltzcore.jobs.races.KEPT", 1)
    made = [races.create(ENDLESS, play=True), races.create(SHORT), races.create(SHORT.changed(seed=5))]
    assert {file.stem for file in (tmp_path / "races").glob("*.json")} == {race.id for race in made}


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"comparison": 3}', "late"])
def test_a_damaged_file_is_no_race(races, tmp_path, text):
    late = {"comparison": SHORT.to_query(), "key_hash": "", "created": 10**400, "status": "paused"}
    (tmp_path / "races" / ("0" * 16 + ".json")).write_text(json.dumps(late) if text == "late" else text)
    assert races.get("0" * 16) is None
    assert races.get("../../etc/passwd") is None


def test_the_race_that_goes_on_is_found_by_what_it_compares(races):
    assert races.under_way(ENDLESS) is None
    race = races.create(ENDLESS, play=True)
    assert races.under_way(ENDLESS.changed()) is race
    assert races.under_way(ENDLESS.changed(seed=ENDLESS.seed + 1)) is None
    races.delete(race)
    assert race.deleted
    assert races.under_way(ENDLESS) is races.get(race.id) is None


def test_as_many_go_on_at_once_as_may(races, monkeypatch):
    monkeypatch.setattr("boltzcore.jobs.races.MOST_MOVING", 1)
    race = races.create(ENDLESS, play=True)
    with pytest.raises(Refusal):
        races.create(SHORT)
    race.cancel()
    races.create(SHORT)


def test_one_that_rests_leaves_memory_for_others_and_is_found_again(races, monkeypatch):
    monkeypatch.setattr("boltzcore.jobs.races.IN_MEMORY", 1)
    held = races.create(SHORT, play=True)
    id, known = held.id, weakref.ref(held)
    found = finished(held).csv()
    races.create(SHORT.changed(seed=5))
    assert races.get(id) is held  # a second object would be another race to those who watch
    del held
    races.create(SHORT.changed(seed=6))
    until(lambda: gc.collect() >= 0 and known() is None)
    again = races.get(id)
    until(lambda: again.snapshot.result is not None)
    assert finished(again).csv() == found


def test_it_may_take_its_time(races):
    race = races.create(LONG)
    race.at_least = 1e9
    race.play()
    until(lambda: race.snapshot.share > 0)
    expected = compare(race.comparison).csv(seconds=False)
    assert race.snapshot.share < 0.5
    race.at_least = 0.0
    assert finished(race).csv(seconds=False) == expected


def test_contenders_are_tuned_first_and_a_restart_goes_on(races, restarted):
    asked = SHORT.changed(tuning=Tuning({"rate": ("0.01", "0.2")}, 1))
    race = races.create(asked, play=True)
    result = finished(race)
    alone = compare(asked)
    assert result.csv(seconds=False) == alone.csv(seconds=False)
    assert result.sentence() == alone.sentence()
    again = restarted().get(race.id)
    until(lambda: again.snapshot.result is not None)
    assert finished(again).sentence() == result.sentence()
