"""Quotes in sentences: short, printable, and telling how much was left out; no sentence of a refusal is long."""

import errno
import json
import shutil

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boltzcore import Recipe
from boltzcore.arrays import file_name
from boltzcore.quoting import LONGEST, Refusal, cell, cut, explain, listed, number, quoted, short_count
from boltzcore.registry import LEARNERS

LONG = "x" * 5000


@given(st.text())
def test_a_quote_is_short_and_can_be_printed(text):
    for quote in (cut(text), quoted(text), quoted([[text] * 9] * 9), file_name(f"folder/{text}")):
        assert len(quote) <= LONGEST
        assert quote.isprintable()


def test_a_short_text_is_quoted_whole_and_of_a_long_one_both_ends():
    assert cut("votes.csv") == "votes.csv"
    assert cut("a" * 50 + "b" * 50, 9) == "aaa...bbb"
    assert quoted("acid") == "'acid'"
    assert quoted((np.int64(4), [np.float32(0.1)])) == quoted((4, [0.1]))
    assert cut("red\x1b[31m\nalert") == "red?[31m?alert"


def test_of_many_names_the_first_are_listed():
    assert listed([], "none") == "none"
    assert listed(["W", "b"], "none") == "W, b"
    assert "array 12" in listed((f"array {i}" for i in range(1000)), "none")
    assert len(listed([LONG] * 1000, "none")) < 200


NESTED: object = "x"
for _ in range(6):
    NESTED = [NESTED] * 6

RECIPE = json.loads(Recipe().to_json())
LINKS = [
    *({name: LONG} for name in ("model", "data", "learner", "measures", "changes")),
    *({f"{owner}.{LONG}": "1"} for owner in ("digits", "rbm", "CD")),
    *({"changes": text} for text in (f"5:{LONG}:1", f"5:rate:{LONG}", f"{'9' * 4000}:rate:0.1")),
]
FILES = [{"changes": NESTED}, {"schedule.length": f"{10**4000}"}, {"learner": NESTED}, {LONG: "1"}, {LONG: 1}]


@pytest.mark.parametrize("given", [*LINKS, *FILES], ids=range(len(LINKS) + len(FILES)))
def test_no_refusal_of_a_recipe_is_long(given):
    with pytest.raises(ValueError, match=r"\.$") as refusal:
        Recipe.from_query(given) if given in LINKS else Recipe.from_json(json.dumps(RECIPE | given))
    names = len(", ".join(LEARNERS))  # the longest list of what is allowed
    assert len(str(refusal.value)) < names + LONGEST + 60


@pytest.mark.parametrize(
    "command",
    [
        *(["train", f"--{option}", LONG] for option in ("model", "learner", "data", "set", "epochs", "change", "out")),
        ["evaluate", LONG],
        ["evaluate", "model.npz", "--data", LONG],
        [LONG],
    ],
)
def test_no_refusal_of_a_command_is_long(command, refuse, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    np.savez(tmp_path / "model.npz", **{f"{i} {LONG[:900]}": np.ones(1) for i in range(9)})
    refuse(*command)


def test_a_large_count_is_read_as_a_word():
    counts = 0, 999_999, 1_000_000, 5_321_000_000, 20 * 10**12
    assert [*map(short_count, counts)] == ["0", "999,999", "1 million", "5.32 billion", "20 trillion"]


def test_a_number_is_written_without_letters_or_hyphens():
    assert [number(0.94, ".0%"), number(2e-4, ".2g%"), number(-0.004, ",.2f")] == ["94\xa0%", "0.02\xa0%", "0.00"]
    assert [number(each, ".1g") for each in (48.0, 230.0)] == ["50", "200"]
    assert [number(each, ".3g") for each in (6500.0, 1391, 1e-9, -2e12)] == ["6,500", "1,390", "10⁻⁹", "−2 × 10¹²"]


@pytest.mark.parametrize("text", ["=1+1", "+A1", "-2", "@SUM(A1)", "  =1", "\N{FULLWIDTH EQUALS SIGN}1"])
def test_what_a_spreadsheet_would_run_is_text(text):
    assert cell(text) == f"'{text}"
    assert cell(f"x{text}") == f"x{text}"
    assert cell("") == ""


@pytest.mark.parametrize(
    "error",
    [
        OSError(errno.EROFS, "Read-only file system", "/secret/home/runs"),
        shutil.Error([("/secret/home", "/secret/runs", "no")]),
    ],
)
def test_an_error_of_the_disk_is_a_line_in_the_log_and_a_sentence_without_a_path(caplog, error):
    assert "secret" not in explain(error, "It was not saved")
    (line,) = caplog.records
    assert not line.exc_info
    assert explain(Refusal("rate must be more."), "It failed") == "rate must be more."
    assert len(caplog.records) == 1  # a refusal is not logged
    assert "secret" not in explain(ValueError("secret"), "It failed")
    assert caplog.records[1].exc_info
