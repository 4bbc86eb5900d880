"""Tables of a frame: sorted by their headings, saved as a file, read on a phone."""

import csv
import io
import math
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from boltzcore.figures.frame import Column, Panel, Table
from tests.browser import modules

WORDS = ("Harkin", "=HYPERLINK(1)", 'a "b",\nc', "-1", "Émile")
NUMBERS = (1.25, 1 / 3, math.nan, -10.0, 9.0)


def cells(words: tuple[str, ...] = WORDS, numbers: tuple[float, ...] = NUMBERS) -> Table:
    texts = tuple("" if math.isnan(each) else f"{each:.2f}" for each in numbers)
    return Table("cells", (Column("Word", words), Column("Number", texts, numbers)))


@pytest.fixture
def shown(page: Page) -> Callable[[str, Table], None]:
    """Draws a frame with a table, as a film of one frame; a further one in its place."""
    modules.load(page, "frames/main.js")

    def show(film: str, table: Table) -> None:
        modules.draw_film(page, film, Panel("Cells", table))
        expect(page.locator("tbody tr")).to_have_count(len(table.columns[0].texts))

    return show


def column(page: Page, number: int) -> list[str]:
    return page.locator(f"tbody tr > :nth-child({number})").all_inner_texts()


def heading(page: Page, name: str):
    return page.get_by_role("columnheader", name=name)


def test_a_heading_sorts_numbers_as_numbers_and_words_as_words_by_mouse_and_keyboard(shown, page):
    shown("one", cells())
    button = heading(page, "Number").get_by_role("button")
    button.click()
    assert column(page, 2) == ["-10.00", "0.33", "1.25", "9.00", ""]
    expect(heading(page, "Number")).to_have_attribute("aria-sort", "ascending")
    button.press("Enter")
    assert column(page, 2) == ["9.00", "1.25", "0.33", "-10.00", ""]
    expect(heading(page, "Number")).to_have_attribute("aria-sort", "descending")
    button.press("Space")
    assert column(page, 2) == ["1.25", "0.33", "", "-10.00", "9.00"]
    assert heading(page, "Number").get_attribute("aria-sort") is None
    heading(page, "Word").get_by_role("button").click()
    assert column(page, 1)[-2:] == ["Émile", "Harkin"]


def test_the_order_stays_as_new_frames_come_and_a_table_grows(shown, page):
    shown("one", cells())
    button = heading(page, "Number").get_by_role("button")
    button.click()
    shown("two", cells(("x", "y", "z"), (3.0, 1.0, 2.0)))
    assert column(page, 2) == ["1.00", "2.00", "3.00"]
    expect(button).to_be_focused()
    shown("three", cells(("x", "y", "z", "w"), (3.0, 1.0, 2.0, 0.0)))
    assert column(page, 1) == ["w", "y", "z", "x"]


def test_a_table_is_saved_in_full_as_it_is_sorted_and_no_cell_is_a_formula(shown, page, tmp_path):
    shown("one", cells())
    heading(page, "Number").get_by_role("button").click()
    with page.expect_download() as told:
        page.get_by_role("button", name="Save as CSV: Cells").click()
    assert told.value.suggested_filename == "cells.csv"
    told.value.save_as(tmp_path / "cells.csv")
    text = Path(tmp_path / "cells.csv").read_bytes().decode("utf-8-sig")
    first, *rows = csv.reader(io.StringIO(text, newline=""))
    assert first == ["Word", "Number"]
    assert [float(number) if number else math.nan for _, number in rows[:4]] == [-10.0, 1 / 3, 1.25, 9.0]
    assert [word for word, _ in rows] == ["-1", "'=HYPERLINK(1)", "Harkin", "Émile", 'a "b",\nc']
    assert rows[-1][1] == ""


def test_a_long_table_scrolls_in_a_box_of_its_own_on_the_narrowest_screen(shown, page):
    page.set_viewport_size({"width": 320, "height": 640})
    count = 300
    columns = [Column(f"Number {i}", tuple(map(str, range(count))), tuple(map(float, range(count)))) for i in range(9)]
    shown("one", Table("cells", (Column("A column of many long names", ("some name",) * count), *columns)))
    box = page.get_by_role("region", name="Cells")
    assert box.bounding_box()["height"] < 420
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    box.evaluate("box => box.scrollTo(400, 2000)")
    first = page.locator("tbody tr > :first-child").nth(99)
    assert first.bounding_box()["x"] == pytest.approx(box.bounding_box()["x"], abs=1)
    expect(heading(page, "Number 5")).to_be_in_viewport()
    assert heading(page, "Number 5").bounding_box()["y"] == pytest.approx(box.bounding_box()["y"], abs=1)
