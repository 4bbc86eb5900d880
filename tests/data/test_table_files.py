"""Tables as people write them: what is read of a CSV file, and what is refused with a sentence."""

import gzip
import io
import zipfile
from contextlib import suppress

import numpy as np
import pytest

from boltzcore.data import Reading, load, preview, read_table, table_files, table_formats
from boltzcore.parameters import Refusal

TABLE = np.array([[0, 1, 1], [1, 0, 0]], np.uint8)


def read(text: str):
    return read_table(text.encode())


@pytest.mark.parametrize(
    "text",
    [
        "0,1,1\n1,0,0\n",
        "\ufeff0;1;1\r\n1;0;0\r\n",
        "'0', '1', '1'\n'1', '0', '0'",
        "0.0\t1.0\t1\n1\t0\t0\n",
        "\n \n0,1,1,\r1,0,0,\r",
    ],
)
def test_reads_0_and_1_as_people_write_them(text):
    data = load(text.encode())
    np.testing.assert_array_equal(data.train.v, TABLE)
    np.testing.assert_array_equal(data.test.v, TABLE)
    assert data.shape is None
    assert data.names is None


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("0,5;1,5\n1,5;0,5\n0,5;0,5", ("0.5", "1.5")),
        ("0,5\t1,5\n1,5\t0,5\n0,5\t0,5", ("0.5", "1.5")),
        ('"0,5"; "-1,5e-3"\n"0,7";""\n0,5;-2', ("0.5", "-0.0015")),
        ("height, cm;weight, kg\n1,5;2\n0,5;3", ("1.5", "2")),
        ("size;of\n950;a\n1,234;b\n12,500;a", ("950", "a")),
        ("1,234;5,678\n2,345;6,789\n1,234;5,678", ("1,234", "5,678")),
        ('1,"x;y"\n0,"x;z"\n1,"x;y"', ("1", "x;y")),
        ("1,red;blue,0\n0,red;green,1\n1,red;blue,1", ("1", "red;blue", "0")),
    ],
)
def test_decimal_commas_and_semicolons_within_cells_separate_no_columns(text, first):
    table = read(text)
    shown = [texts[code] for texts, code in zip(table.names.categories, table.codes[0], strict=True)]
    assert tuple(shown) == first


def test_numbers_with_decimal_commas_are_numbers():
    table = read("size;of\n10,5;a\n9,25;b\n,51;a\n-2;b\n")
    assert table.names.categories == (("-2", "0.51", "9.25", "10.5"), ("a", "b"))
    many = read("a, in m;b\n" + "\n".join(f"{i // 4},{25 * (i % 4):02};{i % 2}" for i in range(100)))
    assert many.columns == ("a, in m", "b")
    assert many.numbers[0].tolist() == [i / 4 for i in range(100)]
    assert "1,234" in read("size;of\n950;a\n1,234;b\n12,500;a").names.categories[0]  # or thousands


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


def test_the_first_row_is_a_header_where_it_holds_names():
    assert read("a,b c\n0,1\n1,1").names.columns == ("a", "b c")
    assert read("a b c\n0 1 1\n1 0 0").names.columns == ("a", "b", "c")
    assert read("1990,1991\n0,1\n1,1").columns == ("1990", "1991")
    assert all(read_table("Größe;ja\n0;1".encode(name)).columns == ("Größe", "ja") for name in ("cp1252", "utf-16"))
    assert read("sex,vote\nf,left\nm,right\n").columns == ("sex", "vote")
    assert read("f,left\nm,right\nf,left").columns == ("column 1", "column 2")
    assert read('"a, b","c\nd",\n1,0,1\n0,0,0').columns == ("a, b", "c d", "column 3")
    assert read("a,b\n0,1").names.categories == ()
    assert len(read("a," + "x" * 1000 + "\n0,1").columns[1]) == 120


def test_cells_may_hold_commas_quotes_and_newlines():
    table = read('x,y\n"no, never","a ""b""\nc"\nyes,d\n"no, never",d\n')
    assert table.names.categories == (("no, never", "yes"), ('a "b" c', "d"))
    assert table.codes.tolist() == [[0, 0], [1, 1], [0, 1]]


@pytest.mark.parametrize("gap", ["", "NA", "?", '""'])
def test_missing_values_are_marked(gap):
    table = read(f"a,b,c\n1,{gap},0\n0,1,1\n0,0\n")
    assert table.codes.tolist() == [[1, 0, 0], [0, 1, 1], [0, 0, 0]]
    assert table.missing.tolist() == [[False, True, False], [False] * 3, [False, False, True]]


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


def test_what_stands_above_and_before_the_values_is_none_of_them():
    assert read("# exported, on Monday\n# by me\na,b\n0,1\n1,1\n").columns == ("a", "b")
    assert read("sep=|\na|b\n0|1\n1|1\n").columns == ("a", "b")
    assert read("1,2,3\n0,1,0\n1,1,0\n").columns == ("1", "2", "3")
    assert read(",0,1,2\n0,0,1,0\n1,1,1,0\n2,1,1,1\n").codes.tolist() == [[0, 1, 0], [1, 1, 0], [1, 1, 1]]


def test_different_texts_stay_different_and_the_same_numbers_are_the_same():
    table = read("a;b;c\n007;1E2;9007199254740993\n7;100;9007199254740992\n7.0;100;9007199254740993\n")
    assert [len(each) for each in table.names.categories] == [3, 2, 2]
    assert read("v;w\n1.1;2\n1.10;2.0\n2.3;3\n").names.categories == (("1.1", "1.10", "2.3"), ("2", "3"))
    table = read("a;b;c;d\n1e-05;5%;1\xa0234;1.234,5\n0.00001;7 %;5;2\n2.50;5%;5;2\n")
    assert table.names.categories == (("1e-05", "2.5"), ("5", "7"), ("5", "1234"), ("2", "1234.5"))


def test_gaps_are_those_of_other_programs_and_in_numbers_a_stroke():
    table = read("a,b,c\n#N/A,-,3\n<NA>,+,None\n1,-,-\n0,+,7\n")
    assert table.missing.T.tolist() == [[True, True, False, False], [False] * 4, [False, True, True, False]]


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
    "JSON": ('[{"a": 1},\n{"a": 0}]', "The file"),
    "an open quote": ('a,b\n0,"1\n', "Row 2"),
    "the same name twice": ("a,a\n0,1\n", "The file"),
    "too many columns": (",".join("0" * 4097), "The file"),
    "too many rows": ("0\n" * 100_001, "The file"),
    "a first row without end": ("a" * 200_000, "The first row"),
    "no text": ("\x89PNG\0\0", "The file"),
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
        with pytest.raises(Refusal) as refusal:
            Reading(**{field: value})
        assert refusal.value.field == field
    for field, content in (("separator", b"a b: c\nd e: f\n"), ("skip_rows", b"x,y\nz,w\n1,2\n3,4\n5,6\n")):
        with pytest.raises(Refusal) as refusal:
            read_table(content)
        assert refusal.value.field == field


def test_a_preview_shows_rows_that_are_refused():
    assert preview(b"1,2,3\n2,3,1\n3,1,2\n", rows=2) == [["1", "2", "3"], ["2", "3", "1"]]
    assert preview(b"a b: c\nd e: f\n") == [["a b: c"], ["d e: f"]]
    assert preview(FILES[0], Reading(separator="comma", skip_rows=2), rows=1) == [["0", "5;x"]]


def test_texts_that_could_be_numbers_are_offered_bins():
    table = read("zip,b\n" + "".join(f"{i:05},{i % 2}\n" for i in range(80)))
    assert table.too_many == tuple(table.numbers) == (0,)
    with pytest.raises(Refusal) as refusal:
        table.binned(0)
    assert refusal.value.field == "bins"
    assert table.binned(4).levels == (4, 2)
    assert table.two_values.startswith("1 of 2 ")
    assert read("a,b\n0,1\n").two_values == ""


def packed(**files: bytes) -> bytes:
    with zipfile.ZipFile(stream := io.BytesIO(), "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return stream.getvalue()


def test_packed_files_are_read_no_further_than_allowed(monkeypatch):
    table = read_table(FILES[0])
    for content in (gzip.compress(FILES[0]), packed(a=FILES[0])):
        np.testing.assert_array_equal(read_table(content).codes, table.codes)
    monkeypatch.setattr(table_formats, "MAX_BYTES", 10_000)
    for content in (gzip.compress(b"0,1\n" * 10_000), packed(a=b"0,1\n" * 10_000), packed(a=b"1", b=b"1")):
        with pytest.raises(ValueError, match=r"^The file "):
            read_table(content)


def test_the_first_sheet_of_a_workbook_is_read():
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for row in (["zip", "n", "ok"], ["01", 1.0, True], ["1", None, False], ["01", 2.5, True]):
        book.active.append(row)
    book.save(stream := io.BytesIO())
    table = read_table(stream)
    assert table.names.categories == (("01", "1"), ("1", "2.5"), ("false", "true"))
    assert table.missing.sum() == 1
