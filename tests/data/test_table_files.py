"""Tables as people write them: what is read of a CSV file, and what is refused with a sentence."""

import io
from contextlib import suppress

import numpy as np
import pytest

from boltzcore.data import Reading, load, look_at, read_table, table_files, table_formats
from boltzcore.quoting import Refusal
from tests.runs.toys import refused


def read(text: str):
    return read_table(text.encode())


@pytest.mark.parametrize(
    ("text", "off", "on"),
    [
        ("-1,+1,1\n1,-1,-1", "-1", "+1"),
        ("\N{MINUS SIGN}1,1.0,1\n1,-1,-1.00", "-1", "+1"),
        ("no,Yes,YES\nyes,NO,no\nyes,no,no\nno,yes,yes", "no", "yes"),
        ("9,10,10\n10,9,9\n9,10,10", "9", "10"),
    ],
)
def test_any_two_values_have_their_natural_order(text, off, on):
    table = read(text)
    assert table.names.categories == ((off, on),) * 3
    assert table.codes[:2].tolist() == [[0, 1, 1], [1, 0, 0]]


def test_columns_have_the_names_of_a_first_row_of_names_and_else_numbers():
    assert read("f,left\nm,right\nf,left").columns == ("column 1", "column 2")
    assert read("a,b,\n1,0,1\n0,0,0").columns == ("a", "b", "column 3")
    assert len(read("a," + "x" * 1000 + "\n0,1").columns[1]) == 120
    assert read("a,b\n0,1").names.categories == ()


def test_a_column_of_a_few_values_has_a_code_for_each_in_their_natural_order():
    table = read("edu,size\nlow,10\nhigh,9\nMid,-3\nlow,10.0\n,9\n")
    assert table.names.categories == (("high", "low", "Mid"), ("-3", "9", "10"))
    assert table.codes.tolist() == [[1, 2], [0, 1], [2, 0], [1, 2], [0, 1]]
    assert table.missing[:, 0].tolist() == [False] * 4 + [True]
    assert table.needs_choice == ("edu", "size")
    assert table.levels == (3, 3)
    assert not table.too_many
    assert not table.numbers


def test_a_column_of_64_values_has_codes_and_one_of_more_keeps_its_numbers_or_nothing():
    texts = [f"t{i:02}" for i in range(64)]
    table = read("a,b\n" + "".join(f"{text},0\n" for text in [*texts, "NA"]))
    assert table.names.categories[0] == tuple(texts)
    assert table.codes[:64, 0].tolist() == list(range(64))
    assert table.missing[:, 0].tolist() == [False] * 64 + [True]
    assert read("a,b\n" + "".join(f"t{i:02},0\n" for i in range(65))).too_many == (0,)
    table = read("age,ok\n" + "\n".join(f"{age / 2},1" for age in range(65)) + "\n?,0\n")
    assert table.needs_choice == ("age",)
    assert table.numbers[0].tolist() == [*(np.arange(65) / 2), 0]
    assert table.missing[:, 0].tolist() == [False] * 65 + [True]
    table = read("age,ok\n" + "\n".join(f"{'old' if i == 66 else i},1" for i in range(400)))
    assert not table.numbers
    assert table.too_many == (0,)
    assert not table.codes[:, 0].any()


def test_rows_come_in_their_order_however_many_they_are():
    rows = np.random.default_rng(0).integers(0, 2, (2000, 700))  # more than pandas reads at once
    text = "\n".join(",".join(["NY"[bit] for bit in row] + [str(i / 2)]) for i, row in enumerate(rows))
    table = read(text)
    np.testing.assert_array_equal(table.codes[:, :700], rows)
    assert table.numbers[700].tolist() == [i / 2 for i in range(2000)]


REFUSED = {
    "a gap": ("0,1\n0,\n", "missing"),
    "too many texts": ("a,b\n" + "".join(f"0,t{i:02}\n" for i in range(65)), "leave_out"),
    "too many numbers": ("a,b\n" + "".join(f"0,{i / 4}\n" for i in range(65)), "bins"),
    "a long row": ("0,1\n1,1\n0,1\n0,1,1\n", "Row 4"),
    "a short first row": ("0,1\n0,1,1\n0,1,1\n", "separator"),
    "names or values": ("1,2,3\n2,3,1\n3,1,2\n1,1,1\n", "header"),
    "lines for cells": ("who: said\nann: yes\nbob: no\n", "separator"),
    "two rows of names": ("a title,of,two\nx,y,z\n1,2,3\n4,5,6\n7,8,9\n1,2,0\n", "skip_rows"),
    "a note at the end": ("a,b\n0,1\n1,0\n1,1\n0,0\nTotal: 3\n", "The last row"),
    "too many columns": (",".join("0" * 4097), "The file"),
    "too many rows": ("0\n" * 100_001, "The file"),
    "a first row without end": ("a" * 200_000, "The first row"),
    "columns beyond counting": ('"\n",' * 100_000, "The first row"),
}


@pytest.mark.parametrize(("text", "begins"), REFUSED.values(), ids=REFUSED)
def test_what_is_no_table_is_refused(text, begins):
    with pytest.raises(ValueError, match=f"^{begins} "):
        load(text.encode())


def test_a_file_is_read_no_further_than_allowed(monkeypatch):
    monkeypatch.setattr(table_files, "MAX_CELLS", 2**13)
    with pytest.raises(ValueError, match="rows"):
        read((",".join("0" * 64) + "\n") * 300)
    monkeypatch.setattr(table_formats, "MAX_BYTES", 10)
    with pytest.raises(ValueError, match="10 bytes"):
        read_table(io.BytesIO(b"0,1\n" * 3))


def test_100_000_rows_and_4_096_columns_are_taken():
    assert read("a\n" + "0\n" * 100_000).codes.shape == (100_000, 1)
    assert read(",".join("0" * 4096)).codes.shape == (1, 4096)


FILES = (
    b"sep=;\na;b\n0,5;x\n1,5;y\n",
    b"# by me\nTitle of all\n\nsize|n\n[cm]|[kg]\n10|1\n20|2\n30|1\n",
    b",0,1,2\n0,0,1,0\n1,1,1,0\n2,1,1,1\n",
    b'"a" "b"\n"1" 1 "u v"\n"2" 0 "w"\n',
    b"#a,b\n1,0\n0,1\n",
    b"a,b\n-99,NA\n1,NB\n2,NA\n",
    b"a,b,\n1,x,\n0,y,\na,b,\n1,y,\n",
)


@pytest.mark.parametrize("choices", [{}, {"missing_values": "only -99"}, {"header": False}, {"skip_rows": 1}])
@pytest.mark.parametrize("content", FILES)
def test_what_was_found_reads_the_same_table_again(content, choices):
    with suppress(Refusal):
        table = read_table(content, Reading(**choices))
        assert read_table(content, table.reading).digest() == table.digest()
        assert table.reading.sentence.count("\n") == 0


def test_choices_are_taken_and_found():
    assert Reading(separator=";", header=False, decimal=",", skip_rows=2) == Reading(
        "semicolon", "no", "comma", "automatic", "2"
    )
    table = read_table(FILES[5], Reading(missing_values="only -99"))
    assert table.names.categories == (("1", "2"), ("NA", "NB"))
    assert (table.reading.missing, table.reading.markers) == (1, ("-99",))
    assert read_table(FILES[5]).reading.markers == ("NA",)
    assert read_table(FILES[2]).reading.left_out == ("column 1",)
    assert read_table(b"n;m\n1,234;0,5\n2,345;1,5\n").names.categories[0] == ("1.234", "2.345")
    assert read_table(b"n;m\n1,234;x\n2,345;y\n", Reading(decimal=".")).names.categories[0] == ("1234", "2345")
    for field, value in (
        ("separator", "x"),
        ("header", "maybe"),
        ("decimal", "'"),
        ("skip_rows", -1),
        ("missing_values", 3),
    ):
        with refused(field):
            Reading(**{field: value})
    for field, content in (("separator", b"a b: c\nd e: f\n"), ("skip_rows", b"x,y\nz,w\n1,2\n3,4\n5,6\n")):
        with refused(field):
            read_table(content)


def test_a_first_look_shows_rows_that_are_refused():
    rows, refusal = look_at(b"1,2,3\n2,3,1\n3,1,2\n")
    assert rows[:2] == [["1", "2", "3"], ["2", "3", "1"]]
    assert refusal.field == "header"
    assert look_at(b"a b: c\nd e: f\n")[0] == [["a b: c"], ["d e: f"]]
    rows, table = look_at(FILES[0], Reading(separator="comma", skip_rows=2))
    assert rows[0] == ["0", "5;x"]
    assert table.codes.shape[1] == 2


def test_texts_that_could_be_numbers_are_offered_bins():
    table = read("zip,b\n" + "".join(f"{i:05},{i % 2}\n" for i in range(80)))
    assert table.too_many == tuple(table.numbers) == (0,)
    with refused("bins"):
        table.cut_into_bins("")
    assert table.cut_into_bins("4").levels == (4, 2)
    assert table.two_values.startswith("1 of 2 ")
    assert read("a,b\n0,1\n").two_values == ""


@pytest.mark.parametrize(
    ("content", "mark"),
    [
        ("".join(f"a{i % 3}, b;c{i % 2}, d\n" for i in range(12)), "semicolon"),
        ("".join(f"a{i % 3}, b\tc{i % 2}, d\n" for i in range(12)), "tab"),
        ("".join(f"a{i % 3},b;c{i % 2},d\n" for i in range(12)), ""),
        ("".join(f"a{i % 3};b|c{i % 2};d\n" for i in range(12)), ""),
    ],
)
def test_of_two_separators_the_choice_is_named(content, mark):
    _, found = look_at(content.encode())
    if mark:
        assert (found.reading.separator, found.codes.shape[1]) == (mark, 2)
        assert "separator" in found.reading.sentence
    else:
        assert found.field == "separator"


@pytest.mark.parametrize("note", ["Source: Eurostat, 2024", "Source: Eurostat", "Compiled by Smith, Jones"])
@pytest.mark.parametrize("first", [lambda i: f"{20 + i % 5}", lambda i: f"p{i}"])
def test_a_note_below_two_columns_is_no_row(first, note):
    table = "who,vote\n" + "".join(f"{first(i)},{'no' if i % 2 else 'yes'}\n" for i in range(12))
    assert len(read(table).codes) == 12
    with pytest.raises(ValueError, match="note"):
        read(f"{table}{note}\n")


def test_a_name_may_be_a_value_of_its_column_and_values_are_shown_as_written():
    place = ["urban", "Rural"]
    table = read(
        "urban,age,vote\n" + "".join(f"{place[i % 2]},{20 + i},{'No' if i % 3 else 'Yes'}\n" for i in range(20))
    )
    assert table.columns == ("urban", "age", "vote")
    assert (table.names.categories[0], table.names.categories[2]) == (("Rural", "urban"), ("No", "Yes"))
    assert read("a\n" + "YES\n" * 9).names.categories == (("NO", "YES"),)


def test_bins_are_of_columns_of_many_numbers_or_of_the_one_named():
    table = read("age,rating,years\n" + "".join(f"{i / 4},{i % 5 + 1},{i % 20}\n" for i in range(80)))
    assert table.cut_into_bins("4").levels == (4, 5, 4)
    assert table.cut_into_bins("4, rating=2, years=0").levels == (4, 2, 20)
    for text in ("1", "17", "age", "age=x"):
        with refused("bins"):
            table.cut_into_bins(text)
    assert table.two_values.index("age") < table.two_values.index("rating")  # no model takes it
