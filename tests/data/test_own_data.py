"""Tables of one's own: read, kept, named in a recipe, and refused where they are not 0 and 1."""

import io
import os
import time
from pathlib import Path

import numpy as np
import pytest

from boltzcore.data import DataUnavailable, Own, own, rows_from_csv, source, upload
from boltzcore.parameters import Refusal

TABLE = np.array([[0, 1, 1], [1, 0, 0]], np.uint8)


@pytest.mark.parametrize(
    "text",
    [
        "0,1,1\n1,0,0\n",
        "a,b,c\n0,1,1\n1,0,0",
        "0,1,2\n0,1,1\n1,0,0\n",
        "\ufeff0;1;1\r\n1;0;0\r\n",
        "0 1 1\n\n1  0 0\n",
        '"0","1","1"\n"1","0","0"',
        "0.0\t1.0\t1\n1\t0\t0\n",
    ],
)
def test_reads_csv_as_people_write_it(text):
    data = rows_from_csv(text.encode())
    np.testing.assert_array_equal(data.train.v, TABLE)
    np.testing.assert_array_equal(data.test.v, TABLE)
    assert data.shape is None


REFUSED = {
    "another number": ("a,b\n0,1\n0,2\n", "Row 3, column 2 of The file must be 0 or 1, not '2'."),
    "a gap": ("0,1\n0,\n", "Row 2, column 2 of The file must be 0 or 1, not ''."),
    "a word": ("0,1\n0,yes\n", "Row 2, column 2 of The file must be 0 or 1, not 'yes'."),
    "nan": ("nan,1\n", "Row 1, column 1 of The file must be 0 or 1, not 'nan'."),
    "a long word": (
        "0\n" + "x" * 10_000,
        "Row 2, column 1 of The file must be 0 or 1, not 'xxxxxxxxxxxx...xxxxxxxxxxxxx'.",
    ),
    "a short row": ("0,1\n\n0\n", "Row 3 of The file has 1 columns, the rows before it have 2."),
    "a header alone": ("a,b\n", "The file has no rows of 0 and 1."),
    "nothing": ("", "The file has no rows of 0 and 1."),
    "too many columns": (",".join("0" * 4097), "Row 1 of The file has more than 4,096 columns."),
    "too many rows": ("0\n" * 100_001, "The file has more than 100,000 rows."),
}


@pytest.mark.parametrize(("text", "sentence"), REFUSED.values(), ids=REFUSED)
def test_refuses_csv_with_a_sentence(text, sentence):
    with pytest.raises(ValueError, match="The file") as refused:
        rows_from_csv(text.encode())
    assert str(refused.value) == sentence


def test_sentences_name_the_file(tmp_path: Path):
    path = tmp_path / "votes.csv"
    with pytest.raises(ValueError, match=r"^votes\.csv cannot be read: No such file or directory\.$"):
        rows_from_csv(path)
    path.write_text("0,3\n")
    with pytest.raises(ValueError, match=r"^Row 1, column 2 of votes\.csv must be 0 or 1, not '3'\.$"):
        rows_from_csv(path)
    path.write_bytes(b"\xff\xfe0\x00")
    with (
        path.open("rb") as stream,
        pytest.raises(ValueError, match=r"^votes\.csv is neither a CSV file \(text in UTF-8\) nor an \.npz file\.$"),
    ):
        rows_from_csv(stream)


def test_too_long_a_file_is_not_read_through(monkeypatch):
    monkeypatch.setattr(own, "MAX_BYTES", 10)
    with pytest.raises(ValueError, match="has more than the 10 bytes that are read"):
        rows_from_csv(io.BytesIO(b"0,1\n" * 3))


def npz(**held: np.ndarray) -> bytes:
    stream = io.BytesIO()
    np.savez(stream, **held)
    return stream.getvalue()


def test_csv_and_npz_of_the_same_rows_are_the_same_data(bare):
    named = {
        upload(content)
        for content in (
            b"0,1,1\n1,0,0\n",
            b"x,y,z\n0,1,1\n1,0,0\n",
            npz(v=TABLE),
            npz(v=TABLE.astype(float), other=np.ones(3)),
            npz(anything=TABLE.T.copy().T > 0),
        )
    }
    assert len(named) == 1
    (kept,) = named
    assert kept.test == "the training rows"
    assert kept.at_hand()
    np.testing.assert_array_equal(kept.load().train.v, TABLE)


@pytest.mark.parametrize(
    ("held", "sentence"),
    [
        ({"a": TABLE, "b": TABLE}, "The file must hold an array named v, or one array only; it holds a, b."),
        ({"v": np.array([[0, 1], [1, 0.5]])}, "Row 2, column 2 of v in The file must be 0 or 1, not 0.5."),
        ({"v": np.ones(3)}, "with 2 dimensions, not float64 with shape (3,)."),
        ({"v": np.zeros((0, 3))}, "v in The file must have 1 to 100,000 rows and 1 to 4,096 columns, not 0 and 3."),
        (
            {"v": np.zeros((2, 5000))},
            "v in The file must have 1 to 100,000 rows and 1 to 4,096 columns, not 2 and 5,000.",
        ),
        ({"v": np.array([["a"]])}, "not <U1 with shape (1, 1)."),
    ],
)
def test_refuses_npz_with_a_sentence(bare, held, sentence):
    with pytest.raises(ValueError, match="The file") as refused:
        upload(npz(**held))
    assert str(refused.value).endswith(sentence)


def test_every_fifth_row_of_a_longer_table_is_held_out(bare):
    table = np.random.default_rng(0).integers(0, 2, (60, 9))
    kept = upload("\n".join(",".join(map(str, row)) for row in table).encode())
    assert kept.test == "every fifth row"
    data = kept.load()
    np.testing.assert_array_equal(data.test.v, table[4::5])
    np.testing.assert_array_equal(data.train.v, np.delete(table, np.s_[4::5], axis=0))
    assert data.shape is None  # a table is an image only where its owner says how wide
    assert kept.changed(width=3).load().shape == (3, 3)
    with pytest.raises(Refusal, match=r"^width must be 0, or divide the 9 columns .*, not 2\.") as refusal:
        kept.changed(width=2).load()
    assert refusal.value.field == "own.width"
    assert len(kept.changed(test="the training rows").load().test) == 60
    short = upload(b"0,1\n1,0\n").changed(test="every fifth row")
    with pytest.raises(ValueError, match=r"^test must be the training rows for a table of 2 rows"):
        short.load()


def test_a_recipe_names_a_table_by_its_digest(bare):
    kept = upload(b"0,1\n1,0\n")
    assert Own(**kept.values()) == kept
    assert Own.from_text({p.name: p.write(getattr(kept, p.name)) for p in Own.parameters()}) == kept
    with pytest.raises(
        ValueError, match=r"^digest must be text that matches \(\[0-9a-f\]\{32\}\)\?, not '\.\./\.\./secret'\.$"
    ):
        Own(digest="../../secret")
    with pytest.raises(ValueError, match=r"^digest must be text"):
        Own(digest=3)  # type: ignore[arg-type]


def test_tables_that_nobody_uses_go_after_a_day(bare):
    used, old, young, again = (upload(f"0,1\n1,{bits}\n".encode()) for bits in ("0\n0,0", "0\n1,1", "1\n0,0", "1\n1,1"))
    for kept in (used, old, again):
        os.utime(own._place(kept.digest), (0, time.time() - own.UNUSED - 60))
    upload(b"0,1\n1,1\n1,1\n")  # the last one, once more
    own.tidy({used.digest})
    assert [kept.at_hand() for kept in (used, old, young, again)] == [True, False, True, True]


def test_a_table_that_is_not_here_says_what_to_do(bare):
    assert not Own().at_hand()
    with pytest.raises(DataUnavailable, match=r"^digest is empty: upload a CSV"):
        Own().load()
    stranger = Own(digest="0" * 32)
    assert not stranger.at_hand()
    with pytest.raises(DataUnavailable, match=r"is not on this machine: upload the same rows here again\.$"):
        stranger.load()
    kept = upload(b"0,1\n1,0\n")
    np.savez(own._place(kept.digest), v=TABLE)
    source._kept.clear()
    with pytest.raises(DataUnavailable, match="is damaged: remove it and upload the same rows"):
        kept.load()
