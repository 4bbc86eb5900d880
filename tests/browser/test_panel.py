"""What one chooses while a training or a step goes on: a list and a field stay as long as somebody is at them."""

import pytest

from tests.browser import modules
from tests.conftest import REPOSITORY

PANEL = """() => {
  const cell = panelOf('unit'), live = { choose() {} };
  document.body.append(cell);
  window.draw = (options) => drawPanel(cell, { title: 'One unit', rest: '', below: '', about: '',
    choices: [{ name: 'unit', title: 'Unit', options, value: '' }] }, 1, live);
}"""
LOOK_AT = """() => {
  const lab = { chosen: { pick: 'unit', index: 9 }, choose: (chosen) => { lab.chosen = chosen; window.line.show(); } };
  window.lab = lab;
  window.line = lookAt(lab, [['unit', 'hidden unit', 7, (index) => `hidden unit ${index + 1} of 7`]]);
  document.body.append(line.line);
  line.show();
}"""


@pytest.fixture
def empty(page):
    modules.load(page, "frames/panel.js", "inside/network.js")
    return page


def test_a_list_that_grows_while_somebody_is_at_it_stays(empty):
    empty.evaluate(PANEL)
    empty.evaluate("draw([['', 'the newest'], ['a', 'unit 1']])")
    chosen = empty.get_by_role("combobox", name="Unit")
    chosen.focus()
    same = chosen.element_handle()
    empty.evaluate("draw([['', 'the newest'], ['b', 'unit 2'], ['a', 'unit 1']])")
    assert same.evaluate("list => list === document.activeElement && list.isConnected")
    assert chosen.get_by_role("option").all_text_contents() == ["the newest", "unit 2", "unit 1"]
    empty.evaluate("draw([['', 'the newest']])")
    assert chosen.get_by_role("option").all_text_contents() == ["the newest"]


def test_the_unit_that_is_looked_at_is_one_that_is_there_and_can_be_typed_in_while_it_plays(empty):
    empty.evaluate(LOOK_AT)
    field = empty.get_by_role("spinbutton")
    assert field.input_value() == "7"
    assert empty.get_by_text("hidden unit 7 of 7").is_visible()
    field.fill("3")
    empty.evaluate("line.show()")
    assert field.input_value() == "3"
    field.press("Enter")
    assert empty.evaluate("lab.chosen.index") == 2
    field.fill("8")
    field.press("Enter")
    assert field.input_value() == "3"


def test_a_column_of_compared_figures_says_once_what_it_is(page):
    figures = [["Pinned", "one", ""], ["Test, nats", "−1.0", "What it is."]]
    lines = [{"colour": "red", "dash": "dot", "figures": figures}] * 2
    modules.load(page, "frames/frame.js")
    page.evaluate(
        "text => { document.body.innerHTML = text; }", "<div class='lab-live'><div class='lab-lines'></div></div>"
    )
    page.add_style_tag(path=REPOSITORY / "pages" / "frames" / "live.css")
    page.evaluate("lines => drawLines(document.querySelector('.lab-lines'), lines)", lines)
    names = page.locator("dt", has_text="Test, nats")
    assert [names.nth(i).bounding_box()["width"] > 1 for i in range(2)] == [True, False]
    assert names.locator("button").count() == 1  # none that the eye cannot find
    left = [page.locator("dd", has_text="−1.0").nth(i).bounding_box()["x"] for i in range(2)]
    assert left[0] == left[1]
