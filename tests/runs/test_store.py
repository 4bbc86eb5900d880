"""The index of runs and their files, whatever happened to them."""

import sqlite3
import threading
from itertools import islice

import pytest

from boltzcore.runs import store as store_module
from boltzcore.runs.store import Saved, Store, read_trace, trace_csv
from boltzcore.runs.training import Record, train
from tests.runs.toys import cd, figures

ID = "0123456789abcdef"


def some_run(id=ID, steps=4, **others):
    recipe = cd()
    taken = list(islice(train(recipe), steps))
    records = tuple(step.record for step in taken)
    state = taken[-1].state if taken else None
    kept = {"name": "a run", "key_hash": "h", "created": 5.0, "status": "paused", "reason": "", "recipe": recipe}
    return Saved(**{"id": id, **kept, "state": state, "best": state, "records": records, **others})


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path)


def spoil(store, column, value):
    with sqlite3.connect(store.folder / "index.sqlite") as index:
        index.execute(f"UPDATE runs SET {column} = ?", (value,))
    index.close()


def test_what_is_saved_comes_back(store):
    saved = some_run()
    store.save(saved)
    back = store.load(ID)
    assert (back.name, back.key_hash, back.created, back.status, back.recipe, back.damage) == (
        "a run",
        "h",
        5.0,
        "paused",
        saved.recipe,
        "",
    )
    assert back.state.count == back.best.count == saved.state.count
    assert back.records == saved.records
    assert Store(store.folder).load(ID).records == saved.records


def test_the_list_tells_each_run_the_last_updated_first(store):
    store.save(some_run("a" * 16))
    store.save(some_run("b" * 16, steps=0))
    store.save(some_run("a" * 16, name="renamed"))
    first, second = store.list()
    assert (first.id, first.name, first.count, first.damage) == ("a" * 16, "renamed", 45, "")
    assert first.merit == pytest.approx(-6.5, abs=1.5)
    assert first.recipe == cd()
    assert (second.count, second.merit) == (0, None)
    assert first.updated >= second.updated > first.created


def test_a_run_without_a_state_is_kept(store):
    store.save(some_run(steps=0))
    back = store.load(ID)
    assert (back.state, back.records, back.damage) == (None, (), "")


def test_unknown_runs_are_none_and_deleted_ones_gone(store):
    assert store.load(ID) is None
    store.save(some_run())
    store.delete(ID)
    store.delete("../..")
    assert store.load(ID) is None
    assert store.list() == ()
    assert list((store.folder / "runs").iterdir()) == []


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("recipe", "{}"),
        ("recipe", None),
        ("recipe", b"\xff"),
        ("count", "many"),
        ("status", "odd"),
        ("created", None),
        ("id", ".."),
    ],
)
def test_a_damaged_row_is_listed_with_a_sentence(store, column, value):
    store.save(some_run())
    spoil(store, column, value)
    (entry,) = store.list()
    assert entry.damage.startswith("This run is damaged: ")
    assert entry.recipe is None
    if column != "id":
        with pytest.raises(ValueError, match="damaged"):
            store.load(ID)


@pytest.mark.parametrize("name", ["state.npz", "best.npz", "trace.csv"])
def test_damaged_files_are_told(store, name):
    store.save(some_run())
    (store.folder / "runs" / ID / name).write_bytes(b"\xff\x00nothing")
    back = store.load(ID)
    assert back.state is None
    assert back.damage.startswith("The files of this run are damaged: ")
    assert name in back.damage
    assert back.recipe == cd()


def test_a_missing_checkpoint_is_listed(store):
    store.save(some_run())
    (store.folder / "runs" / ID / "state.npz").unlink()
    assert "missing" in store.list()[0].damage
    assert store.load(ID).damage


def test_a_damaged_index_is_set_aside(store, caplog):
    (store.folder / "index.sqlite").write_bytes(b"not a database at all" * 100)
    fresh = Store(store.folder)
    assert fresh.list() == ()
    assert "set aside" in caplog.text or "moved" in caplog.text
    fresh.save(some_run())
    assert fresh.load(ID).state is not None


def test_records_later_than_the_state_are_left_out(store):
    earlier, later = some_run(steps=2), some_run(steps=5)
    store.save(Saved(**{**vars(later), "state": earlier.state, "best": later.best}))
    back = store.load(ID)
    assert figures(back.records) == figures(earlier.records)
    assert back.best is None


def test_a_state_that_was_given_up_for_the_best_one_does_not_come_back(store):
    """The index already tells of the return to the best state, the file of the newest state does not."""
    store.save(some_run(steps=5, best=some_run(steps=2).state))
    spoil(store, "count", some_run(steps=2).state.count)
    back = store.load(ID)
    assert back.state.count == back.best.count == some_run(steps=2).state.count
    assert figures(back.records) == figures(some_run(steps=2).records)


def test_tidying_forgets_what_was_never_trained_and_the_oldest(store, monkeypatch):
    monkeypatch.setattr(store_module, "KEPT", 2)
    for id in "abc":
        store.save(some_run(id * 16))
    store.save(some_run("d" * 16, steps=0))
    store.tidy()
    assert {entry.id[0] for entry in store.list()} == {"c", "d"}
    spoil(store, "updated", 0.0)
    store.tidy()
    assert [entry.id[0] for entry in store.list()] == ["c"]
    assert not (store.folder / "runs" / ("a" * 16)).exists()


def test_many_threads_may_save_and_list_at_once(store):
    runs = [some_run(f"{n:016x}", steps=1) for n in range(4)]
    troubles = []

    def work(run) -> None:
        try:
            for _ in range(5):
                store.save(run)
                store.list()
                store.load(run.id)
        except Exception as trouble:
            troubles.append(trouble)

    threads = [threading.Thread(target=work, args=(run,)) for run in runs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not troubles
    assert len(store.list()) == 4


def test_a_trace_as_csv_is_exact_and_leaves_gaps(tmp_path):
    records = (
        Record(0, 0.0, 0, 0.0, {"a": 0.1, "b": float("-inf")}),
        Record(10, 0.30000000000000004, 20, 1.5, {"a": 1e-17, "c, d": 2.0}),
    )
    text = trace_csv(records)
    assert text.splitlines()[0] == 'count,epoch,work,seconds,a,b,"c, d"'
    assert text.splitlines()[2] == "10,0.30000000000000004,20,1.5,1e-17,,2.0"
    (tmp_path / "trace.csv").write_text(text)
    assert read_trace(tmp_path / "trace.csv") == records
    assert trace_csv(()) == "count,epoch,work,seconds\n"
    assert figures(records) == figures(read_trace(tmp_path / "trace.csv"))


HEAD = "count,epoch,work,seconds"


@pytest.mark.parametrize(
    "text", ["", "count,epoch\n", f"{HEAD}\n1,2\n", f"{HEAD},a\n1,2,3,4,x\n", f"{HEAD}\n1,2,3,4,5\n"]
)
def test_what_is_no_trace_gets_a_sentence(tmp_path, text):
    (tmp_path / "trace.csv").write_text(text)
    with pytest.raises(ValueError, match=r"trace\.csv is missing, or not a trace"):
        read_trace(tmp_path / "trace.csv")
