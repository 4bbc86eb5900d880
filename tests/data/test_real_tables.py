"""Tables as other programs and people write them: each is read as it was meant, or refused, and never read wrongly."""

import gzip
import io
import re
import struct
import sys
import zipfile
from contextlib import suppress
from typing import NamedTuple

import numpy as np
import pytest

from boltzcore.data import Reading, read_table


class Case(NamedTuple):
    """A file and the tables that it may be read as.

    right : tables, of which one is to be found: lists of (name, values), or a text "name: values | name: values". A
        name of "?" stands for any. Values are texts, "=1.5" for a number that is compared by value, "_" where one is
        missing and "~" for a blank; "..." stands for a column of too many texts. None: the file may be refused.
    says : texts that the sentence about the reading has to contain
    """

    content: str | bytes
    right: tuple
    says: tuple
    options: dict


def case(content, *right, says="", **options):
    return Case(content.encode() if isinstance(content, str) else content, right, tuple(says.split()), options)


def columns(meant):
    """Return the names and the values of a table that is given as text."""
    parts = [part.split(": ", 1) for part in meant.split(" | ")] if isinstance(meant, str) else meant
    return [(name, values.split() if isinstance(values, str) else values) for name, values in parts]


def cells(table, i):
    """Return the values of a column: texts or floats, and None where one is missing; "..." if it has no codes."""
    if i in table.too_many:
        return ["..."]
    if i in table.numbers:
        values = table.numbers[i].tolist()
    else:
        texts = table.names.categories[i] if table.names and table.names.categories else "01"
        values = [texts[code] if texts else None for code in table.codes[:, i]]
    gaps = [False] * len(values) if table.missing is None else table.missing[:, i]
    return [None if gap else value for value, gap in zip(values, gaps, strict=True)]


def is_same(found, meant):
    if found is None or meant in (None, "_"):
        return found is None and meant in (None, "_")
    if isinstance(meant, str) and not meant.startswith("="):
        return found == meant.replace("~", " ") or found == meant.lower() in ("true", "false", "yes", "no")
    with suppress(ValueError):
        return float(found) == float(meant.strip("=") if isinstance(meant, str) else meant)
    return False


def is_table(table, meant):
    meant = columns(meant)
    return len(meant) == len(table.columns) == len(set(table.columns)) and all(
        name in ("?", column) and len(found) == len(values) and all(map(is_same, found, values))
        for i, (column, (name, values)) in enumerate(zip(table.columns, meant, strict=True))
        for found in [cells(table, i)]
    )


def lines(*rows, sep=",", end="\n"):
    return "".join(sep.join(map(str, row)) + end for row in rows)


def down(names, *values, **kwargs):
    return lines(names.split(), *zip(*values, strict=True), **kwargs)


def abc(before="", after="", first="", last="", sep=",", end="\n"):
    """Return ABC as a file; `first` and `last` are added to each line, `before` and `after` to the file."""
    rows = ("a b c", "1 0 x", "0 1 y", "1 1 x", "1 0 x", "0 1 y", "0 0 y")
    return before + "".join(first + row.replace(" ", sep) + last + end for row in rows) + after


def with_gap(gap):
    return abc().replace("\n0,1", f"\n{gap},1", 1)


def comma(number):
    return f"{number:.2f}".replace(".", ",")


def german(number, group="."):
    return f"{number:,.2f}".translate({ord(","): group, ord("."): ","})


def npy(array, **kwargs):
    file = io.BytesIO()
    np.save(file, array, **kwargs)
    return file.getvalue()


def make_zip(members):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return file.getvalue()


ABC = "a: 1 0 1 1 0 0 | b: 0 1 1 0 1 0 | c: x y x x y y"
EMPTY = ("", "#N/A", "NA", "<NA>", "\\N", "nan", "NULL")
ERRORS = ("old", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NULL!", "#NV", "#NUM!")
GAP = ABC.replace("a: 1 0", "a: 1 _")
MPG = "p: 21 22 | q: 6 4"
X = "a: 1 0 1 | b: x y y"
NUMBERS = [i / 4 - 3 for i in range(80)]  # more than have codes
BIG = [2**53 + i for i in range(80)]
LARGE = [1234.5 * i + 0.25 for i in range(80)]
SEVENTHS = [i / 7 for i in range(80)]
WHOLE = [17 * i for i in range(80)]
YES = ["yes", "no"] * 40
LONG = 30 * "very " + "long question"
BOMB = 17 * gzip.compress(b"0,1\n" * 2**20)
ZIPPED_BOMB = make_zip({"a.csv": b"0,1\n" * (2**24 + 1)})
ABOVE = ("% by Octave, now\n", "Survey 2024\n", "Survey, by age, of 2024, final\n\n", "Sales\nPrinted: 2024-01-02\n\n")
BELOW = (
    "# end\n",
    "Total rows: 6\n",
    "\nSource: Eurostat, 2024\n",
    "End of file,,\n",
    "(6 rows affected)\n",
    '"Source: x, y"\n',
    "\x1a",
)
ZIP = (
    (b"\x14\0\0\0\x08\0", b"\x14\0\1\0\x08\0"),
    (b"\x14\0\0\0\x08\0", b"\x14\0\0\0\x09\0"),
)  # a password, another method
FORM = 'Timestamp,"Do you like it, all in all?",Comments\n' + "".join(
    f'2024/03/01 9:{i // 60:02}:{i % 60:02} AM GMT+1,{YES[i]},"Well, ""{i}"",\nyes"\n' for i in range(80)
)
CLAIM = npy(np.zeros((2, 2), np.uint8)).replace(b"(2, 2), }" + b" " * 8, b"(999999999, 9), }")


def many(form=str, values=NUMBERS, meant=None, sep=";", extra="", right=(), **kwargs):
    """Return a case of a column of many numbers, each written by `form`, and of another text, which is missing."""
    rows = [(form(each), YES[i]) for i, each in enumerate(values)] + [(extra, "no")] * bool(extra)
    meant = [*values] + [None] * bool(extra)
    return case(lines("nb", *rows, sep=sep), [("n", meant), ("b", [b for _, b in rows])], *right, **kwargs)


NAMES = {
    "pandas": case(",0,1,2\n0,1,0,1\n1,0,0,1\n2,1,1,0\n3,0,1,0\n", "0: 1 0 1 0 | 1: 0 0 1 1 | 2: 1 1 0 0"),
    "pandas without index": case("0,1,2\n1,0,1\n0,1,1\n1,1,0\n", "0: 1 0 1 | 1: 0 1 1 | 2: 1 1 0"),
    "1 to n": case("1,2,3\n1,0,1\n0,0,1\n1,1,0\n", "1: 1 0 1 | 2: 0 0 1 | 3: 1 1 0"),
    "years": case("2019,2020,2021\n1,0,1\n0,0,1\n1,1,0\n", "2019: 1 0 1 | 2020: 0 0 1 | 2021: 1 1 0"),
    "years over numbers": case(down("2019 2020", NUMBERS, YES), [("2019", NUMBERS), ("2020", YES)]),
    "years as values": case("1985,1992\n1992,1985\n1985,1985\n", "?: 1985 1992 1985 | ?: 1992 1985 1985"),
    "dummies": case("is_red,n\nTrue,3\nFalse,4\nTrue,4\n", "is_red: True False True | n: 3 4 4"),
    "dummies of answers": case("No,Yes\nTrue,False\nFalse,True\n", "No: True False | Yes: False True"),
    "dummies of answers, 0 and 1": case("no,yes\n1,0\n0,1\n1,0\n", "no: 1 0 1 | yes: 0 1 0"),
    "dummies of numbers": case("1,2\nTrue,False\nFalse,True\nTrue,False\n", "1: True False True | 2: False True False"),
    "R write.csv": case('"","x","y"\n"1",1,"u"\n"2",0,"v"\n"3",1,"u"\n', "x: 1 0 1 | y: u v u"),
    "R write.table": case('"x" "y"\n"1" 1 "u v"\n"2" 0 "w"\n"3" 1 "w"\n', "x: 1 0 1 | y: u~v w w"),
    "R write.table, quote=FALSE": case("x y\n1 1 u\n2 0 v\n3 1 u\n", "x: 1 0 1 | y: u v u"),
    "R rows with names": case("p\tq\nMazda RX4\t21\t6\nFiat\t22\t4\n", f"?: Mazda~RX4 Fiat | {MPG}", MPG),
    "R names with blanks": case("mpg cyl\nMazda RX4 21 6\nFiat 22 4\nHonda 21 4\n", None),
    "saved twice by pandas": case("Unnamed: 0,a,b\n0,1,x\n1,0,y\n2,1,y\n", X),
    "id": case("id,a,b\n1001,1,x\n1002,0,y\n1005,1,y\n", X),
    "ID last": case("a,b,ID\n1,x,1\n0,y,2\n1,y,3\n", X, "a: 1 0 1 | b: x y y | ID: 1 2 3"),
    "ids of letters": case("id,a,b\nP01,1,x\nP02,0,y\nP03,1,y\n", X, f"id: P01 P02 P03 | {X}"),
    "ids alone": case("id\n1\n2\n3\n", "id: 1 2 3", None),
    "id with a declared gap": case("id,a\n7,1\n8,9\n9,2\n", "a: 1 _ 2", missing_values="9"),
    "price_index": case("price_index,a\n100.5,1\n102,0\n104,1\n", "price_index: =100.5 =102 =104 | a: 1 0 1"),
    "id twice": case("id,a,id\n1,x,7\n2,y,5\n3,y,6\n", None),
    "id that recurs": case("id,a\n1,1\n1,0\n2,1\n2,1\n", "id: 1 1 2 2 | a: 1 0 1 1"),
    "increasing years": case("year,a\n2001,1\n2002,0\n2003,1\n", "year: 2001 2002 2003 | a: 1 0 1"),
    **{f"{n} is no id": case(f"{n},a\n1,1\n2,0\n4,1\n", f"{n}: 1 2 4 | a: 1 0 1") for n in ("age", "paid", "width")},
    "# is a name": case("#,a,b\n1,1,x\n2,0,y\n3,1,y\n", X, f"#: 1 2 3 | {X}"),
    "shuffled index": case(",a,b\n2,1,x\n0,0,y\n1,1,y\n", X, "?: 2 0 1 | a: 1 0 1 | b: x y y"),
    "twice the same": case("q,q,b\n1,0,x\n0,0,y\n1,1,y\n", "q: 1 0 1 | ?: 0 0 1 | b: x y y", None),
    "alike for 120 letters": case(f"{LONG} [dogs],{LONG} [cats]\n1,0\n0,0\n", "?: 1 0 | ?: 0 0"),
    "one without name": case("a,,c\n1,u,x\n0,v,y\n1,v,y\n", "a: 1 0 1 | ?: u v v | c: x y y"),
    "quoted, with newlines and commas": case('"How\nare you, today?","b"\n1,x\n0,y\n', "?: 1 0 | b: x y"),
    "BOM and quotes": case('\ufeff"a","b"\n1,x\n0,y\n', "a: 1 0 | b: x y"),
    "blanks after commas": case('a, "b, c", d\n1, "x", u\n0, "y", v\n', "a: 1 0 | b, c: x y | d: u v"),
    "none, of letters": case("p,x,s\ne,x,y\np,b,s\ne,b,y\n", "?: p e p e | ?: x x b b | ?: s y s y"),
    "none, iris": case("5.1,3.5,x\n4.9,3.0,y\n6.1,3.5,x\n", "?: =5.1 =4.9 =6.1 | ?: =3.5 =3 =3.5 | ?: x y x"),
    "none, declared": case("u,v\nx,y\nx,z\n", "?: u x x | ?: v y z", header=False),
    "some, declared": case("1,0\n0,1\n1,1\n", "1: 0 1 | 0: 1 1", header=True),
    "1 to n as values, too": case("1,2\n2,1\n1,1\n2,2\n", "?: 1 2 1 2 | ?: 2 1 1 2", "1: 2 1 2 | 2: 1 1 2", None),
    "1 and 2 over codes": case("1;2\n0;007\n0;0x10\n1;7\n", "1: 0 0 1 | 2: 007 0x10 7", None),
    "of floats": case("0.5,1.5\nTrue,False\nFalse,True\n", "0.5: True False | 1.5: False True", None),
    "of days": case("2024-01-01,2024-02-01\n1,0\n0,1\n", "2024-01-01: 1 0 | 2024-02-01: 0 1"),
    "text over numbers": case("id;1;2\n10;1;0\n11;1;1\n12;-1;1\n", "1: +1 +1 -1 | 2: 0 1 1", "1: 1 1 -1 | 2: 0 1 1"),
    "land and numbers": case("land;1;2\nUK;1;0\nUS;1;1\n", "land: UK US | 1: 1 1 | 2: 0 1", None),
    "none, decimals": case("1.5,2.5\n0.5,3.5\n4.5,9.5\n", "?: =1.5 =.5 =4.5 | ?: =2.5 =3.5 =9.5", None),
    "none, many": case(lines(*zip(SEVENTHS, WHOLE, strict=True)), [("?", SEVENTHS), ("?", WHOLE)], None),
    "1 to n over texts": case("1,2\nyes,x\nno,y\nyes,y\n", "1: yes no yes | 2: x y y"),
    "two rows of names": case(",a,a,b\n,x,y,x\n0,1,0,1\n1,0,0,1\n2,1,1,0\n", "?: 1 0 1 | ?: 0 0 1 | ?: 1 1 0", None),
}

GAPS = {
    **{
        f"{gap} among numbers": case(with_gap(gap), GAP)
        for gap in (*EMPTY, " ", '""', "-nan", "NaN", "N/A", "None", ".", "-", "?")
    },
    **{f"{gap} among texts": case(f"a,b\n1,x\n0,{gap}\n1,y\n", "a: 1 0 1 | b: x _ y") for gap in EMPTY},
    **{text: many(extra=text, right=([("n", ["..."]), ("b", [*YES, "no"])], None), says=text) for text in ERRORS},
    "None is an education": case("edu,b\nNone,1\nPrimary,0\nNone,1\n", "edu: None Primary None | b: 1 0 1"),
    ". and -": case("morse,b\n.,1\n-,0\n-,1\n.,1\n", "morse: . - - . | b: 1 0 1 1"),
    "- among texts": case("sign,b\nred,1\n-,0\nblue,1\n", "sign: red - blue | b: 1 0 1"),
    "a column of .": case("a,p,b\n1,.,x\n0,.,y\n1,.,y\n", X, X.replace("|", "| p: . . . |"), None),
    "an empty column": case("a,p,b\n1,,x\n0,,y\n1,,y\n", X, X.replace("|", "| p: _ _ _ |"), None),
    "-99 and -9, declared": case("a,b\n1,0\n-99,1\n0,-9\n", "a: 1 _ 0 | b: 0 1 _", missing_values="-99, -9"),
    "-99.0 as -99": case("a,b\n1.0,0\n-99.0,1\n0.0,1\n", "a: =1 _ =0 | b: 0 1 1", missing_values="-99"),
    "-99,00 as -99": case("a;b\n1,50;0\n-99,00;1\n0,50;1\n", "a: =1.5 _ =0.5 | b: 0 1 1", missing_values="-99"),
    "gaps in the last row": case("a,b,c\nr,0,x\nr,1,y\ndark red,,x\n", "a: r r dark~red | b: 0 1 _ | c: x y x"),
    "-999, undeclared": case(with_gap("-999"), ABC.replace("a: 1 0", "a: 1 -999"), GAP, None, says="-999"),
    "words, declared": case("a,b\n1,x\n0,no answer\n1,y\n", "a: 1 0 1 | b: x _ y", missing_values="no answer"),
    "0, declared": case("a,b\n1,x\n0,0\n2,y\n", "a: 1 _ 2 | b: x _ y", missing_values="0"),
    "inf": many(extra="inf", right=([("n", ["..."]), ("b", [*YES, "no"])], None)),
    "unknown is a value": case("a,b\nunknown,1\nyes,0\nno,1\n", "a: unknown yes no | b: 1 0 1"),
}


CODES = (
    r"""
9007199254740993 9007199254740992 1 | 01234 1234 02134 2134 | 01234 01235 02134 | 1E2 100 2134 | 1E2 2E3 3E4
5'11" 6'0" 5'11 6'0 | 12" 12 7" 7 | x x' x'' | 1.1 1.10 1.9 | 1.0.1 1.0.10 1.1.0 | 2024-01-02 2024-02-01
1/2/2024 01/02/2024 2/1/2024 | 01.02.2024 1.2.2024 | 12-3 3-12 MAR1 1-2 | 1/2 2/4 0.5 1/4 | +49170 49170 0049170
1_0 10 10_0 100 | ٣٤ 34 ٣ 3 | true 1 True 0 | $10 €10 $20 €20 | 5% 5 50% 0.05 | <5 5 >5 | 5* 5 6* 6 | 1 1+ 2 2+
12:30 12:3 9:30 | 0x10 16 | Yes yes no | I II i II | Infinity inf infinity nanna | #ff0000 #00ff00 #0000ff
1d5 100000 1f 1 1j | 1e999 2e999 1e400 | C:\new C:\old \\n
""".strip()
    .replace("\n", " | ")
    .split(" | ")
)
TEXTS = {
    **{
        codes: case(down("code b", 2 * codes.split(), "xy" * n), f"code: {codes} {codes} | b:{' x y' * n}")
        for codes in CODES
        for n in [codes.count(" ") + 1]
    },
    "labels of codes": case("q,b\n1 = yes,1\n2 = no,0\n", "q: 1~=~yes 2~=~no | b: 1 0"),
    "'t Hooft": case("a,b\n't Hooft,1\nrock 'n' roll,0\n", "a: 't~Hooft rock~'n'~roll | b: 1 0"),
    "backslashes before quotes": case('a,b\n"x \\"y, z\\"",1\nz,0\n', 'a: x~"y,~z" z | b: 1 0', None),
    "Norway": case("a,b\nNO,1\nSE,0\nNO,1\nno,0\n", "a: NO SE NO no | b: 1 0 1 0"),
    "Namibia, declared": case("land,b\nNA,1\nDE,0\nNA,1\n", "land: NA DE NA | b: 1 0 1", missing_values="only empty"),
    "many beyond 2^53": case(down("n b", BIG, YES), [("n", ["..."]), ("b", YES)], [("b", YES)], None),
    "many ZIP codes": case(down("n b", [f"{7 * i:05}" for i in range(80)], YES), [("n", ["..."]), ("b", YES)]),
    "decimal commas and points": case('a,b\n"1,5",x\n1.5,y\n"2,5",x\n', "a: 1,5 1.5 2,5 | b: x y x", None),
    "no-break spaces": case("a,b\nx\xa0y,1\nx y,0\nz,1\n", "a: x~y x~y z | b: 1 0 1"),
    "stray quotes": case('a,b\nthe "X" y,1\n"so ""so""",0\n6",1\n', 'a: the~"X"~y so~"so" 6" | b: 1 0 1'),
    "quotes before text": case('a,b\n"X" y,1\nz,0\n', 'a: "X"~y z | b: 1 0', "a: X~y z | b: 1 0", None),
    "a quote never closed": case('a,b\nx,1\n"y,0\nx,1\nz,0\n', None),
    "# within": case("a,b\nitem #1,1\nitem #2,0\nitem #1,1\n", "a: item~#1 item~#2 item~#1 | b: 1 0 1"),
}


FORMS = {
    **{f"decimal commas, {sep!r}": many(comma, sep=sep) for sep in ";\t|"},
    "decimal commas, quoted": many(lambda x: f'"{comma(x)}"', sep=","),
    "decimal commas, declared": many(comma, decimal=","),
    "1.234,50, quoted": many(lambda x: f'"{german(x)}"', LARGE, sep=","),
    **{f"1{mark}234,50": many(lambda x, mark=mark: german(x, mark), LARGE) for mark in ". \xa0\u202f"},
    **{f"1{mark}234": many(lambda x, mark=mark: f"{x:,}".replace(",", mark), WHOLE) for mark in "' \xa0\u202f"},
    **{f"1{mark}234.50": many(lambda x, mark=mark: f"{x:,.2f}".replace(",", mark), LARGE) for mark in "'’ "},
    "1.234 beside 8.5": case(
        down("n v", [f"{each:,}".replace(",", ".") for each in WHOLE], NUMBERS), [("n", ["..."]), ("v", NUMBERS)]
    ),
    "1,234.50": many(lambda x: f'"{x:,.2f}"', LARGE, sep=","),
    "1,234": many(lambda x: f'"{x:,}"', WHOLE, sep=",", right=([("n", ["..."]), ("b", YES)],)),
    "1.234": many(lambda x: f"{x:,}".replace(",", "."), WHOLE, decimal=","),
    **{form: many(form.format, WHOLE) for form in ("{}%", "{}\xa0%", "${}", "+{}", "{} €")},
    "minus sign": many(lambda x: f"{x:.2f}".replace("-", "−")),
    **{form: many(form.format, sep="\t") for form in ("{:.18e}", "{:.4e}", "{:.3f}", "{:.5E}", "{:g}")},
    "many digits": many(repr, SEVENTHS, sep=","),
    "1,234 or 1.234": case("n;b\n1,234;x\n", *(f"n: {n} | b: x" for n in ("=1.234", "=1234", "1,234"))),
    "lakh": case("n;b\n1,23,456;x\n1,234;x\n", "n: =123456 =1234 | b: x x", "n: 1,23,456 1,234 | b: x x"),
    "(10) of accountants": case("n,b\n(10),x\n10,y\n", "n: =-10 =10 | b: x y", "n: (10) 10 | b: x y"),
    "5- of SAP": case("n,b\n5-,x\n5,y\n6-,x\n", "n: =-5 =5 =-6 | b: x y x", "n: 5- 5 6- | b: x y x"),
    "few of Excel": case('n,b\n"9,87",x\n"17,98",y\n', "n: =9.87 =17.98 | b: x y", "n: 9,87 17,98 | b: x y"),
    "few per cent": case("n,b\n5%,x\n7%,y\n", *(f"n: {n} | b: x y" for n in ("=5 =7", "=.05 =.07", "5% 7%"))),
    "2 and 2.0": case("n,b\n2,x\n2.0,y\n3,x\n", "n: =2 =2 =3 | b: x y x", "n: 2 2.0 3 | b: x y x"),
}

LAYOUT = {
    **{f"sep={sep!r}": case(abc(f"sep={sep}\n", sep=sep), ABC) for sep in ",;\t|"},
    "sep= in quotes": case(abc('"sep=;"\r\n', sep=";", end="\r\n"), ABC),
    "sep= and commas": case("sep=;\na;b\n1,5;x\n2,5;y\n1,5;y\n", "a: =1.5 =2.5 =1.5 | b: x y y"),
    **{above: case(abc(above), ABC) for above in ("# wave 3, weighted, final, v2\n# by me\n", "# wave 3\n\n#\n\n")},
    **{above: case(abc(above), ABC, None) for above in ABOVE},
    **{below: case(abc(after=below), ABC, None) for below in BELOW},
    "comments between": case(abc().replace("\n0,1", "\n# second; wave, now\n0,1", 1), ABC, None),
    "names after #": case(abc("#"), ABC.replace("a:", "?:"), None),
    "savetxt with names": case("# a b\n1 0\n0 1\n1 1\n", "a: 1 0 1 | b: 0 1 1", "?: 1 0 1 | ?: 0 1 1", says=""),
    "a title in cells": case(abc("Survey of 2024;;\n;;\n", sep=";"), ABC, None),
    "units": case("size,mass\n[cm],[kg]\n180,75\n170,65\n180,65\n", "size: 180 170 180 | mass: 75 65 65", None),
    "rows to skip": case(abc("Survey, of 2024\nall, of it, now\n"), ABC, skip_rows=2),
    **{f"between {sep!r}": case(abc(sep=sep), ABC) for sep in ("|", " | ", " ", "\t", "\t ")},
    **{f"between {sep!r}": case(abc(sep=sep), ABC, None) for sep in "^:~"},
    "several blanks": case("a    b   c\n1    0   x\n0   11   y\n1    0   y\n", "a: 1 0 1 | b: 0 11 0 | c: x y y"),
    "blanks before": case(" 1.0e+00   0.0e+00\n 0.0e+00   1.0e+00\n 1.0e+00   1.0e+00\n", "?: =1 =0 =1 | ?: =0 =1 =1"),
    "pandas to_string": case("   a  b\n0  1  x\n1  0  y\n2  1  y\n", X),
    "Markdown": case(abc(sep=" | ", first="| ", last=" |").replace("\n", "\n|---|---|---|\n", 1), ABC, None),
    "psql": case(abc(sep=" | ", first=" ").replace("\n", "\n---+---+---\n", 1) + "(6 rows)\n", ABC, None),
    "mysql": case("+--+--+\n| a | b |\n+--+--+\n| 1 | x |\n| 0 | y |\n+--+--+\n", "a: 1 0 | b: x y", None),
    "sqlite": case(abc(sep="|").split("\n", 1)[1], re.sub("[abc]:", "?:", ABC)),
    "MySQL's OUTFILE": case("1\tx\t\\N\n0\ty\t1\n1\tx\t0\n", "?: 1 0 1 | ?: x y x | ?: _ 1 0"),
    "trailing separators": case(abc(sep=";", last=";"), ABC),
    "trailing separators below": case(abc(last=",").replace("c,", "c"), ABC),
    "rows of separators after": case(abc(after=",,\n,,\n"), ABC),
    "carets, declared": case(abc(sep="^"), ABC, None, separator="^"),
    "another declared": case(abc(), None, separator=";"),
    "commas within": case('a;b\n"x, y";1\nz, w;0\n"x, y";1\n', "a: x,~y z,~w x,~y | b: 1 0 1"),
    "blanks and commas": case("a,b\n1 234,1\n2 345,0\n", "a: 1~234 2~345 | b: 1 0", "a: 1234 2345 | b: 1 0"),
    "pairs and commas": case("a,b\n1;2,0\n3;4,1\n", "a: 1;2 3;4 | b: 0 1"),
    "semicolons in every row": case("pets,b\nDog;Cat,1\nEmu;Cat,0\n", "pets: Dog;Cat Emu;Cat | b: 1 0"),
    "hashtags": case("tag,b\n#love,1\nhate,0\n#joy,1\n", "tag: #love hate #joy | b: 1 0 1", None),
    "two files with BOM": case(2 * "\ufeffa,b\n1,x\n0,y\n", "a: 1 0 1 0 | b: x y x y", None),
    "twice the file": case("a,b\n1,x\n0,y\na,b\n1,x\n", "a: 1 0 1 | b: x y x", None),
    "decimal commas between blanks": case("1,5 2,5\n0,5 1,5\n", "?: =1.5 =.5 | ?: =2.5 =1.5", None),
    "semicolons within": case("a,b\nDog;Cat,1\nDog,0\nCat;Emu,1\n", "a: Dog;Cat Dog Cat;Emu | b: 1 0 1"),
    **{f"lines end in {end!r}": case(abc(end=end), ABC) for end in ("\r", "\r\n", "\r\r\n", "\n\n")},
    "mixed ends": case(abc().replace("\n", "\r\n", 3), ABC),
    "lines of blanks": case(abc(end="\n  \n"), ABC, None),
    "no last end": case(abc()[:-1], ABC),
    "newlines in quotes": case('a,b\n"x\ny",1\nz,0\n"x\ny",1\n', "a: x~y z x~y | b: 1 0 1"),
    "blanks in every line": case("full name,is ok\nAnn Lee,1\nBob Ray,0\n", "full name: Ann~Lee Bob~Ray | is ok: 1 0"),
    "pairs": case("a=1 b=0\na=0 b=1\na=1 b=1\n", "?: a=1 a=0 a=1 | ?: b=0 b=1 b=1", None),
    "decimal commas unquoted": case("a,b\n1,5,2,5\n0,5,1,5\n", None),
    "a comma too many": case("a,b\nso, so,1\ngood,0\nbad,1\n", None),
    "a comma too few": case("a,b,c\n1,0,x\n0,y\n1,0,x\n", "a: 1 0 1 | b: 0 y 0 | c: x _ x", None, says="3"),
    "numbers alone": case("1 0 1\n0 1 1\n1 1 0\n", "?: 1 0 1 | ?: 0 1 1 | ?: 1 1 0"),
    "quotes within, of inches": case(abc(sep="\t").replace("\n0", '\n"0', 2), None),
    "a gap between blanks": case("a b c\n1 0 1\n0   1\n1 1 0\n", None),
    "Moodle's average": case(abc(after="Overall average,1,x\n").replace("a,", "name,"), None),
    "one column": case("x\n1\n0\n1\n", "x: 1 0 1", None),
    "Qualtrics": case('a,b\n?,\n"{""ImportId"":""1""}","{""ImportId"":""2""}"\n1,x\n0,y\n1,y\n', "a: 1 0 1 | b: x y y"),
    "Google Forms": case(FORM, [("Timestamp", ["..."]), ("Do you like it, all in all?", YES), ("Comments", ["..."])]),
}

NONE = [
    *(b"", b"\n\r\n \n", b"a,b,c\n", bytes(64), b"a,b\n1,\0\n0,1\n", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1"),
    b'{"a": 1, "b": "x"}\n{"a": 0, "b": "y"}\n{"a": 1, "b": "y"}\n',
    b'[\n{"a": 1, "b": "x"},\n{"a": 0, "b": "y"}\n]\n',
    b'{"a": [1, 0, 1], "b": ["x", "y", "y"]}\n',
    b"<!DOCTYPE html>\n<html>\n<title>Sign in, please</title>\n<body>\n<p>1,0</p>\n</html>\n",
    b"<table>\n<tr><td>a</td><td>b</td></tr>\n<tr><td>1</td><td>0</td></tr>\n</table>\n",
    b'<?xml version="1.0"?>\n<rows>\n<row a="1" b="0"/>\n<row a="0" b="1"/>\n</rows>\n',
    b"@relation x\n@attribute a {0,1}\n@attribute b {x,y}\n@data\n1,x\n0,y\n1,y\n",
    b"CREATE TABLE t (a INT, b INT);\nINSERT INTO t VALUES (1,0);\nINSERT INTO t VALUES (0,1);\n",
    b"1 1:0.5 3:1\n0 2:1\n1 1:0.25 2:1 3:1\n",
    *(
        b"[1, 0]\n[0, 1]\n[1, 1]\n",
        b"(1, 0)\n(0, 1)\n(1, 1)\n",
        b"[[1 0]\n [0 1]]\n",
        b"[data]\na=1\nb=0\n",
        b"a&b\\\\\n1&0\\\\\n",
    ),
    *(b"%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\n", b"a,b\n<<<<<<< HEAD\n1,0\n=======\n0,1\n>>>>>>> x\n"),
    b"Dear Sir or Madam,\nplease find the table attached, as agreed.\nYours\n",
    b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\nsize 12345\n",
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(512),
    b"PAR1\x15\x04\x15\x10\x15\x14L\x15\x04\x15\0\x12\0\0PAR1",
    b"x <- c(1, 2, 3)\ny <- c(4, 5, 6)\nplot(x, y)\n",
    b"import numpy as np\nx = np.ones(3)\nfor i in range(3):\n    print(i, x)\n",
    b"def f(a, b):\n    return a\n\ndef g(a, b):\n    return b\n",
    *(gzip.compress(b"a,b\n1,0\n0,1\n")[:-9], BOMB, ZIPPED_BOMB, make_zip({"a.csv": abc()})[:-9]),
    ZIPPED_BOMB.replace(struct.pack("<I", 2**26 + 4), struct.pack("<I", 64)),
    *(make_zip(files) for files in ({}, {"a.csv": abc(), "b.csv": abc()}, {"a.png": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"})),
    npy(np.array([[1, "a"]], object), allow_pickle=True),
    *(make_zip({"a.csv": "a,b\n1,0\n"}).replace(a, b) for a, b in ZIP),
    *(npy(np.zeros((2, 2, 2))), npy(np.array([[1j, 0], [0, 1]])), CLAIM, npy(np.eye(4))[:-9]),
]
FORMATS = {
    "cp1252": case("Maß;n\nx;0\ny;1\n".encode("cp1252"), "Maß: x y | n: 0 1", says="1252"),
    "UTF-16": case("Maß;n\nx;0\ny;1\n".encode("utf-16"), "Maß: x y | n: 0 1", says="16"),
    "UTF-16, big end first": case(b"\xfe\xff" + abc(sep="\t").encode("utf-16-be"), ABC),
    "UTF-16 without BOM": case(abc().encode("utf-16-le"), ABC, None),
    "UTF-32": case(abc().encode("utf-32"), ABC, None),
    "UTF-8, cut": case("ä,b\nö,1\nü,0\nö".encode()[:-1], None, "ä: ö ü \ufffd | b: 1 0 _", says="damaged"),
    "gzip": case(gzip.compress(abc().encode()), ABC),
    "gzip twice": case(gzip.compress(gzip.compress(abc().encode())), ABC, None),
    "zip": case(make_zip({"a.csv": abc()}), ABC),
    "zip of a folder": case(make_zip({"data/": "", "data/a.csv": abc(sep=";")}), ABC),
    "zip of a Mac": case(make_zip({"a.csv": abc(), "__MACOSX/._a.csv": b"\0\5\x16\7\0\2"}), ABC),
    "npy": case(npy(np.array([[0, 1], [1, 0], [1, 1]])), "?: 0 1 1 | ?: 1 0 1"),
    "npy of truths": case(npy(np.eye(2) > 0), "?: 1 0 | ?: 0 1", "?: True False | ?: False True"),
    "npy of floats": case(npy(np.array([[0.5, np.nan], [1.5, 0], [0.5, 1]])), "?: =0.5 =1.5 =0.5 | ?: _ =0 =1"),
    "npy beyond 2^53": case(npy(np.array([[2**53 + 1], [2**53]])), "?: 9007199254740993 9007199254740992", None),
    "npy of texts": case(npy(np.array([["a", "01"], ["b", "1"]])), "?: a b | ?: 01 1", None),
    "npy of infinity": case(npy(np.array([[0.5, np.inf], [1.5, 0]])), "?: =0.5 =1.5 | ?: _ =0", None),
    "npy of one dimension": case(npy(np.arange(2)), "?: 0 1", None),
    **{f"none {i}": case(content, None) for i, content in enumerate(NONE)},
}

KINDS = {"names": NAMES, "gaps": GAPS, "texts": TEXTS, "numbers": FORMS, "layout": LAYOUT, "formats": FORMATS}
CASES = {f"{kind}: {name}": each for kind, cases in KINDS.items() for name, each in cases.items()}


@pytest.mark.parametrize("each", CASES.values(), ids=CASES)
def test_a_file_is_read_as_it_was_meant_or_refused(each):
    try:
        table = read_table(each.content, Reading(**each.options))
    except ValueError:
        if None not in each.right:
            raise
        return
    shown = {name: cells(table, i)[:9] for i, name in enumerate(table.columns)}
    assert any(is_table(table, meant) for meant in each.right if meant), f"{shown}, by {table.reading.sentence}"
    assert all(text in table.reading.sentence for text in each.says), table.reading.sentence


def workbook(**sheets):
    book, file = pytest.importorskip("openpyxl").Workbook(), io.BytesIO()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book.save(file)
    return file.getvalue()


def test_a_workbook_is_read_as_it_was_meant_or_refused(monkeypatch):
    rows = [["zip", "n", "ok", "b"], ["01234", 1.5, True, "NA"], ["1234", 2, False, None], ["1E2", None, True, "1,5"]]
    meant = "zip: 01234 1234 1E2 | n: =1.5 =2 _ | ok: true false true | b: _ _ 1,5"
    assert is_table(read_table(workbook(data=rows)), meant)
    grouped = [["n"], *([f"{each:,}".replace(",", ".")] for each in WHOLE)]
    assert is_table(read_table(workbook(data=grouped)), [("n", ["..."])])
    for before in ([["Survey, 2024"], []], [[]]):
        with suppress(ValueError):
            assert is_table(read_table(workbook(data=[*before, *rows])), meant)
    assert is_table(read_table(workbook(data=[["x"], *rows]), Reading(skip_rows=1)), meant)
    with suppress(ValueError):  # which sheet was read is to be seen
        table = read_table(workbook(people=rows, notes=[["on", "off"], [1, 0]]))
        assert is_table(table, meant)
        assert "people" in table.reading.sentence
    with zipfile.ZipFile(io.BytesIO(workbook(data=rows))) as archive:
        large = {each: archive.read(each) for each in archive.namelist()}
    large["xl/styles.xml"] = large["xl/styles.xml"].replace(b"<xf ", b"<xf/>" * 2**18 + b"<xf ", 1)
    for content in (workbook(empty=[]), workbook(data=rows)[:-99], make_zip(large)):
        with pytest.raises(ValueError, match=r"\w"):
            read_table(content)
    monkeypatch.setattr("openpyxl.load_workbook", lambda *_, **__: pytest.fail("all rows are read"))
    with pytest.raises(ValueError, match=r"\w"):
        read_table(make_zip(large | {"xl/styles.xml": b"", "xl/worksheets/sheet1.xml": b"<row/>" * 2**22}))


def test_a_zip_file_of_wrong_places_is_damaged():
    content = bytearray(make_zip({"a.csv": "a,b\n0,1\n"}))
    content[-6] += 9  # where the list of files begins
    with pytest.raises(ValueError, match=r"^The file "):
        read_table(bytes(content))


def test_a_workbook_is_refused_without_openpyxl(monkeypatch):
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    with pytest.raises(ValueError, match="openpyxl"):
        read_table(make_zip({"[Content_Types].xml": "<Types/>", "xl/workbook.xml": "<workbook/>"}))
