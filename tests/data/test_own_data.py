"""Tables of one's own: kept, named in a recipe, and what of them is chosen."""

import io
import os
import time
from pathlib import Path

import numpy as np
import pytest

from boltzcore.data import Own, Reading, own, upload
from boltzcore.home import folder
from boltzcore.names import Names
from boltzcore.quoting import Refusal
from tests.runs.toys import refused

TABLE = np.array([[0, 1, 1], [1, 0, 0]], np.uint8)


def stored(kept: Own) -> Path:
    """The file of an uploaded table."""
    return folder("uploads") / f"{kept.digest}.npz"


def npz(**held: np.ndarray) -> bytes:
    stream = io.BytesIO()
    np.savez(stream, **held)
    return stream.getvalue()


def test_csv_and_npz_of_the_same_rows_are_the_same_data(bare):
    contents = (npz(v=TABLE), npz(v=TABLE.astype(float), other=np.ones(3)), npz(anything=TABLE.T.copy().T > 0))
    (kept,) = {upload(content) for content in contents}
    np.testing.assert_array_equal(upload(b"0,1,1\n1,0,0\n").load().train.v, TABLE)
    assert kept.validation == kept.test == 0
    assert kept.at_hand()
    np.testing.assert_array_equal(kept.load().train.v, TABLE)


VOTES = b"who,Opp,AG\nann,Yes,no\nben,,No\ncat,yes,YES\ndan,NO,no\n"
SURVEY = b"who,age,edu,vote\n" + b"".join(
    f"p{i},{18 + i / 2},{('low', 'mid', 'high')[i % 3]},{'yes' if i % 2 else 'no'}\n".encode() for i in range(100)
)


def test_the_digest_names_all_that_a_table_holds(bare):
    others = (
        VOTES,
        VOTES.replace(b"Opp", b"Gov"),
        VOTES.replace(b"ben,,", b"ben,no,"),
        VOTES.replace(b"ann,", b"eve,"),
        VOTES.replace(b"no", b"nay").replace(b"No", b"nay").replace(b"NO", b"nay"),
        SURVEY,
        SURVEY.replace(b",18.5,", b",18.6,"),
        SURVEY.replace(b"67.5,low", b"67.5,mid"),
    )
    assert len({upload(content).digest for content in others}) == len(others)
    assert upload(VOTES.replace(b"\n", b"\r\n")) == upload(VOTES)
    assert upload(VOTES.replace(b",", b";")) != upload(VOTES)  # a table keeps how it was read


def test_columns_are_left_out_and_gaps_are_filled_as_the_recipe_says(bare):
    kept = upload(VOTES)
    assert kept.options("leave_out") == ("who", "Opp", "AG")
    for field, chosen in (
        ("missing", {}),
        ("leave_out", {"leave_out": "who, Gov"}),
        ("leave_out", {"leave_out": "who,Opp,AG"}),
    ):
        with refused(f"own.{field}"):
            kept.changed(**chosen).load()
    dropped = kept.changed(leave_out="who", missing="drop rows").load()
    assert dropped.train.v.tolist() == [[1, 0], [1, 1], [0, 0]]
    assert dropped.names == Names(("Opp", "AG"), (("NO", "yes"), ("no", "YES")))
    assert dropped.train.levels == 2
    filled = kept.changed(leave_out="who", missing="most frequent").load()
    assert filled.train.v.tolist() == [[1, 0], [1, 0], [1, 1], [0, 0]]
    filled = upload(b"a,b\nx,1\ny,1\nz,0\n,1\nz,0\nx,1\n").changed(missing="most frequent").load()
    assert filled.train.v[:, 0].tolist() == [0, 1, 2, 0, 2, 0]  # x is as frequent as z
    assert kept.changed(leave_out="Opp , who").load().train.v.tolist() == [[0], [0], [1], [0]]


def test_columns_of_more_values_have_levels_of_their_own(bare):
    kept = upload(SURVEY)
    data = kept.changed(leave_out="who, age", validation=0, test=0).load()
    assert data.train.levels == data.test.levels == (3, 2)
    assert data.names == Names(("edu", "vote"), (("high", "low", "mid"), ("no", "yes")))
    assert data.train.v[:4].tolist() == [[1, 0], [2, 1], [0, 0], [1, 1]]
    assert kept.changed(leave_out="who, age, edu").load().train.levels == 2
    assert kept.needs_choice() == ("who", "age", "edu")
    assert kept.changed(leave_out="who, age").needs_choice() == ("edu",)
    assert kept.unbinned() == ("age",)
    assert kept.changed(leave_out="who, age").unbinned() == kept.changed(bins=2).unbinned() == ()
    assert kept.changed(leave_out="who", bins=2).needs_choice() == ("edu",)


def test_numbers_are_cut_into_bins_of_about_as_many_rows_when_asked_to(bare):
    kept = upload(SURVEY).changed(leave_out="who")
    for choice, field in (({}, "bins"), ({"leave_out": "", "bins": 4}, "leave_out")):
        with refused(f"own.{field}"):
            kept.changed(**choice).load()
    data = kept.changed(bins=4).load()
    assert data.train.levels == (4, 3, 2)
    assert sum(np.bincount(split.v[:, 0]) for split in data.splits.values()).tolist() == [25, 25, 25, 25]
    assert data.names.categories[1:] == (("high", "low", "mid"), ("no", "yes"))
    rows = "".join(f"{'' if i % 10 == 0 else i},{i % 2}\n" for i in range(200))
    gaps = upload(f"age,ok\n{rows}".encode()).changed(bins=3, validation=0, test=0)
    dropped = gaps.changed(missing="drop rows").load()
    assert np.bincount(dropped.train.v[:, 0]).tolist() == [60, 60, 60]


@pytest.mark.parametrize(
    "held",
    [
        {"a": TABLE, "b": TABLE},
        {"v": np.array([[0, 1], [1, np.inf]])},
        {"v": np.array([[0, 1], [1, 2**60]])},
        {"v": np.ones(3)},
        {"v": np.zeros((0, 3))},
        {"v": np.zeros((2, 5000))},
        {"v": np.array([["a"]])},
    ],
)
def test_arrays_that_are_no_table_are_refused_and_codes_and_spins_are_taken(bare, held):
    with pytest.raises(ValueError, match="The file"):
        upload(npz(**held))
    data = upload(npz(v=2.0 * TABLE - 1)).load()
    np.testing.assert_array_equal(data.train.v, TABLE)
    assert data.names.categories == (("-1", "+1"),) * 3
    v = np.array([[0, 2, 1], [1, 0, 0], [0, 63, 1]])
    data = upload(npz(v=v)).load()
    np.testing.assert_array_equal(data.train.v, v)
    assert data.train.levels == (2, 64, 2)


def test_rows_of_a_longer_table_are_held_out_by_a_seed(bare):
    table = np.random.default_rng(0).integers(0, 2, (60, 9))
    kept = upload("\n".join(",".join(map(str, row)) for row in table).encode())
    data = kept.load()
    assert [len(split) for split in data.splits.values()] == [36, 12, 12]
    again = np.concatenate([split.v for split in data.splits.values()])
    assert sorted(map(tuple, again)) == sorted(map(tuple, table))
    assert not np.array_equal(kept.changed(seed=1).load().test.v, data.test.v)
    assert [len(split) for split in kept.changed(validation=0, test=10).load().splits.values()] == [54, 6]
    assert data.shape is None  # a table is an image only where its owner says how wide
    assert kept.changed(width=3).load().shape == (3, 3)
    with refused("own.width"):
        kept.changed(width=2).load()
    assert len(kept.changed(validation=0, test=0).load().test) == 60
    short = upload(b"0,1\n1,0\n")
    for parts in ({"test": 10}, {"validation": 50, "test": 40}):
        with pytest.raises(Refusal, match=r"^test "):
            short.changed(**parts).load()


@pytest.mark.parametrize(("missing", "n"), [("most frequent", 99), ("drop rows", 88)])
def test_a_stratified_split_keeps_the_shares_of_a_label(bare, missing, n):
    rows = "".join(f"{i},{'' if i % 9 == 0 else i % 2},{'yes' if i % 10 == 0 else 'no'}\n" for i in range(99))
    kept = upload(f"age,car,vote\n{rows}".encode()).changed(bins=2, missing=missing, stratify="vote")
    yes = sum(i % 10 == 0 for i in range(99) if n == 99 or i % 9)
    for seed in range(5):
        splits = kept.changed(seed=seed).load().splits.values()
        assert sum(map(len, splits)) == n
        assert all(abs(split.v[:, 2].sum() - len(split) * yes / n) < 1 for split in splits)
    test = kept.load().test.v
    assert not np.array_equal(test, kept.changed(seed=1).load().test.v)
    np.testing.assert_array_equal(kept.changed(leave_out="vote").load().test.v, test[:, :2])
    for wrong in ("age", "income"):
        with refused("own.stratify"):
            kept.changed(stratify=wrong).load()


def test_a_table_keeps_its_reading(bare):
    kept = upload(b"id;a\n1;0\n2;-9\n3;1\n", Reading(missing_values="-9"))
    assert (kept.reading().separator, kept.reading().left_out, kept.reading().missing) == ("semicolon", ("id",), 1)
    assert kept.changed(leave_out="id", missing="drop rows").load().train.v.tolist() == [[0], [1]]
    assert upload(b"id;a\n1;0\n2;-9\n3;1\n") != kept


def test_a_recipe_names_a_table_by_its_digest(bare):
    kept = upload(b"0,1\n1,0\n")
    assert Own(**kept.values()) == kept
    assert Own.from_text({p.name: p.write(getattr(kept, p.name)) for p in Own.parameters()}) == kept
    for wrong in ("../../secret", 3):
        with pytest.raises(ValueError, match=r"^digest "):
            Own(digest=wrong)


def test_unused_tables_go_after_a_day(bare, monkeypatch):
    used, old, young, again = (upload(f"0,1\n1,{bits}\n".encode()) for bits in ("0\n0,0", "0\n1,1", "1\n0,0", "1\n1,1"))
    for kept in (used, old, again):
        os.utime(stored(kept), (0, time.time() - own.UNUSED - 60))
    upload(b"0,1\n1,1\n1,1\n")  # the last one, once more
    own.tidy({used.digest})
    assert [kept.at_hand() for kept in (used, old, young, again)] == [True, False, True, True]
    right = time.time
    monkeypatch.setattr(time, "time", lambda: right() + 100 * own.UNUSED)  # a clock that jumps ahead forgets nothing
    own.tidy(())
    assert young.at_hand()


def test_a_table_that_is_not_here_or_is_damaged_is_refused(bare, monkeypatch):
    for absent in (Own(), Own(digest="0" * 32)):
        assert not absent.at_hand()
        with pytest.raises(Refusal):
            absent.load()
    kept = upload(b"0,1\n1,0\n")
    for damage in (
        {"v": TABLE},
        {"v": TABLE[:, :2].astype(float)},
        {"v": TABLE, "missing": TABLE[:1]},
        {"v": np.zeros((0, 2), np.uint8)},
        {"v": TABLE[:, :2], "too_many": np.array([7])},
        {**np.load(stored(kept)), "reading": np.array(["[" * 100_000])},
    ):
        np.savez(stored(kept), **damage)
        with pytest.raises(Refusal):
            kept.load()
    upload(b"0,1\n1,0\n")
    assert kept.load().train.v.tolist() == [[0, 1], [1, 0]]


def test_no_more_is_kept_than_the_disk_is_to_hold(monkeypatch):
    first = upload(b"a,b\n" + b"0,1\n1,1\n" * 12)
    monkeypatch.setattr(own, "MOST_BYTES", 10)
    with pytest.raises(ValueError, match="more than 10"):
        upload(b"a,b\n" + b"0,1\n1,1\n1,0\n" * 12)
    assert upload(b"a,b\n" + b"0,1\n1,1\n" * 12) == first
