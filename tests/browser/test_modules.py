"""Modules without a server: tables that are sorted and saved, a list in use, and frames to look back at."""

import csv
import io
import math
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from pages.figures.frame import Column, Panel, Table
from tests.browser import modules

WORDS = ("Harkin", "=HYPERLINK(1)", 'a "b",\nc', "-1", "Émile")
NUMBERS = (1.25, 1 / 3, math.nan, -10.0, 9.0)
PANEL = """() => {
  const root = document.body.appendChild(document.createElement('main'));
  root.innerHTML = HTML;
  const panel = { key: 'unit', title: 'One unit', rest: '', below: '', about: '' };
  const picture = { alt: '', width: 20, height: 20, pick: { columns: 2, lines: 1, values: [] } };
  window.draw = (options, src) => drawPanels(root, { version: 'a-1', beside: ['unit'], below: [], lines: [] },
    { unit: { ...panel, choices: [{ name: 'unit', title: 'Unit', options, value: '' }], pictures: src && [
      { ...picture, src }] } }, { choose: (_, value) => { window.chosen = value; } });
}"""
TILES = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='20' height='20'/>"
# Shows frames of these updates, with pictures of so many characters; returns the updates that are kept.
KEPT = """([counts, characters, status = 'running']) => {
  window.live ??= { back: Object.assign(newBack(), { every: 0 }) };
  for (const count of counts) {
    const frame = { count, at: { updates: count }, status, abouts: 1, curve: 2, beside: [3], below: [] };
    const figure = { layout: { meta: { along: 'updates' } }, data: 'x'.repeat(9e6) };
    const along = { key: 'curve', chart: { figure } };
    live.shown = { frame, parts: { 1: [], 2: along, 3: { key: 'fields', below: 'x'.repeat(characters) } } };
    keepFrame(live);
  }
  return live.back.kept.map((each) => each.count);
}"""


def cells(words: tuple[str, ...] = WORDS, numbers: tuple[float, ...] = NUMBERS) -> Table:
    texts = tuple("" if math.isnan(each) else f"{each:.2f}" for each in numbers)
    return Table("cells", (Column("Word", words), Column("Number", texts, numbers)))


@pytest.fixture
def shown(page: Page) -> Callable[[str, Table], None]:
    """Draws a frame with a table, as a film of one frame; a further one in its place."""
    modules.load(page, "stream/film.js")

    def show(film: str, table: Table) -> None:
        modules.draw_film(page, film, Panel("Cells", table))
        expect(page.locator("tbody tr")).to_have_count(len(table.columns[0].texts))

    return show


def column(page: Page, number: int) -> list[str]:
    return page.locator(f"tbody tr > :nth-child({number})").all_inner_texts()


def heading(page: Page, name: str):
    return page.get_by_role("columnheader", name=name)


def test_a_heading_sorts_numbers_as_numbers_and_words_as_words_and_the_order_stays(shown, page):
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
    button.click()
    shown("two", cells(("x", "y", "z"), (3.0, 1.0, 2.0)))
    assert column(page, 2) == ["1.00", "2.00", "3.00"]
    expect(button).to_be_focused()
    shown("three", cells(("x", "y", "z", "w"), (3.0, 1.0, 2.0, 0.0)))
    assert column(page, 1) == ["w", "y", "z", "x"]


def test_a_table_is_saved_in_full_as_it_is_sorted_and_no_cell_is_a_formula(shown, page):
    shown("one", cells())
    heading(page, "Number").get_by_role("button").click()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save as CSV: Cells").click()
    text = saved.value.path().read_bytes().decode("utf-8-sig")
    first, *rows = csv.reader(io.StringIO(text, newline=""))
    assert first == ["Word", "Number"]
    assert [float(number) if number else math.nan for _, number in rows[:4]] == [-10.0, 1 / 3, 1.25, 9.0]
    assert [word for word, _ in rows] == ["-1", "'=HYPERLINK(1)", "Harkin", "Émile", 'a "b",\nc']
    assert rows[-1][1] == ""


def test_a_list_that_grows_while_it_has_the_focus_stays(page):
    modules.load(page, "draw/frame.js")
    page.evaluate(PANEL)
    page.evaluate("draw([['', 'the newest'], ['a', 'unit 1']])")
    chosen = page.get_by_role("combobox", name="Unit")
    chosen.focus()
    same = chosen.element_handle()
    page.evaluate("draw([['', 'the newest'], ['b', 'unit 2'], ['a', 'unit 1']])")
    assert same.evaluate("list => list === document.activeElement && list.isConnected")
    assert chosen.get_by_role("option").all_text_contents() == ["the newest", "unit 2", "unit 1"]
    page.evaluate("draw([['', 'the newest']])")
    assert chosen.get_by_role("option").all_text_contents() == ["the newest"]


def test_a_click_during_which_a_picture_changes_chooses_the_tile(page):
    modules.load(page, "draw/frame.js")
    page.evaluate(PANEL)
    page.evaluate("src => draw([], src)", TILES)
    page.locator("img.drawn").hover(position={"x": 15, "y": 10})
    page.mouse.down()
    page.evaluate("src => draw([], src)", newer := TILES.replace("/>", " id='a'/>"))
    expect(page.locator("img.drawn")).to_have_attribute("src", newer)
    page.mouse.up()
    assert page.evaluate("chosen") == "1"


def test_frames_that_are_kept_are_thinned_evenly_and_bounded_and_fall_with_the_training(page):
    modules.load(page, "stream/back.js")
    kept = page.evaluate(KEPT, [[*range(65)], 1])
    assert kept == [*range(0, 65, 2)]
    assert page.evaluate(KEPT, [[70], 1, "paused"]) == [*kept, 70]
    assert page.evaluate(KEPT, [[70, 9], 1, "paused"]) == [0, 2, 4, 6, 8, 9]
    assert page.evaluate(KEPT, [[*range(10, 50)], 1_000_000, "paused"])[0] == 0
    assert page.evaluate("() => live.back.kept.reduce((sum, { size }) => sum + size, 0) <= 32e6")
