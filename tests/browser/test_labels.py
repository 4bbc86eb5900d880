"""Labels of a chart, placed by the pixels that a browser measures: none covers another, and none jumps; and figures
that are compared, in columns.
"""

import pytest

from pages.live import vendor

FONT = {"size": 13, "family": "sans-serif"}
ROOM = {"width": 600, "height": 300, "ranges": {"x": [0, 10], "y": [0, 1]}, "corner": None}
MARGIN = {"l": 60, "r": 16, "t": 34, "b": 46}
PLOT = (34, 254)  # pixels from the highest to the lowest


def end(text, y, x=10):
    return {"name": "end of a line", "x": x, "y": y, "text": text, "xanchor": "left", "showarrow": False}


def level(text, y, *, above=False):
    side = {"x": 0, "xanchor": "left", "yanchor": "bottom"} if above else {"x": 1, "xanchor": "right", "yanchor": "top"}
    return {"name": "level", "xref": "paper", "y": y, "text": text, "showarrow": False} | side


@pytest.fixture
def place(page):
    """Places labels as a chart does, drawing after drawing of it; their boxes by their texts."""
    page.goto("about:blank")
    page.add_script_tag(content=vendor.LABELS + "window.kept = {}; window.place = placeLabels; window.width = widthOf;")

    def placed(*notes, **room):
        return page.evaluate(
            """([notes, margin, font, room]) => {
                const layout = { annotations: notes, margin: { ...margin }, font };
                place(layout, kept, room);
                const { l, r, t, b } = layout.margin;
                const across = room.width - l - r, down = room.height - t - b;
                const { ranges: { x: [x0, x1], y: [y0, y1] } } = room;
                const boxes = layout.annotations.map((note) => {
                    const wide = width(note.text, `${font.size}px ${font.family}`);
                    const tall = 17 * note.text.split('<br>').length;
                    const share = note.xref === "paper" ? note.x : (note.x - x0) / (x1 - x0);
                    const x = l + across * share + (note.xshift ?? 0);
                    const y = t + down * (1 - (note.y - y0) / (y1 - y0)) - (note.yshift ?? 0);
                    const left = x - (note.xanchor === 'right' ? wide : 0);
                    const top = y - ({ top: 0, bottom: tall }[note.yanchor] ?? tall / 2);
                    return [note.text, [left, top, left + wide, top + tall]];
                });
                return { boxes: Object.fromEntries(boxes), margin: layout.margin.r };
            }""",
            [list(notes), MARGIN, FONT, ROOM | room],
        )

    return placed


def covered(boxes):
    """The pairs of labels of which one covers the other, by more than rounding."""
    found, texts = [], list(boxes)
    for i, one in enumerate(texts):
        for other in texts[i + 1 :]:
            (a, b, c, d), (e, f, g, h) = boxes[one], boxes[other]
            if a < g - 1 and e < c - 1 and b < h - 1 and f < d - 1:
                found.append((one, other))
    return found


@pytest.mark.parametrize("spread", [0.0, 0.02, 0.4])
@pytest.mark.parametrize(("width", "height"), [(600, 400), (600, 260), (400, 260)])
def test_names_at_the_ends_of_curves_stand_apart_inside_the_chart(place, spread, width, height):
    names = [end(f"seed {i}", 0.5 + spread * i / 6) for i in range(6)]
    boxes = place(*names, width=width, height=height)["boxes"]
    assert len(boxes) == 6
    assert covered(boxes) == []
    assert all(box[2] <= width and box[1] >= 33 and box[3] <= height - 45 for box in boxes.values())


def test_a_name_that_has_room_stays_where_its_line_ends(place):
    boxes = place(end("training", 0.9), end("test", 0.1))["boxes"]
    middles = {text: (top + bottom) / 2 for text, (_, top, _, bottom) in boxes.items()}
    assert middles == {"training": pytest.approx(56, abs=1), "test": pytest.approx(232, abs=1)}


def test_names_that_leave_no_plot_are_left_to_the_figures(place):
    names = [end(f"S-DCP 3×4, η 0.3,<br>N_B 20, seed {i}", 0.5) for i in range(3)]
    assert place(*names, level("base rate −3.00", 0.2), width=300)["boxes"].keys() == {"base rate −3.00"}
    assert len(place(*names, width=900)["boxes"]) == 3


def test_the_name_of_a_level_goes_where_nothing_else_stands(place):
    curve = end("training", 0.5, x=8.5)
    assert covered(place(curve, level("base rate −3.00", 0.53))["boxes"]) == []
    corner = {"left": 540, "right": 600, "top": 0, "bottom": 40}
    boxes = place(level("upper bound −1.00", 0.99), corner=corner)["boxes"]
    left, top, *_ = boxes["upper bound −1.00"]
    assert left < 100 or top > 40


def test_nothing_jumps_where_curves_cross_by_a_little(place):
    orders = []
    for one, other in ((0.50, 0.49), (0.49, 0.50), (0.50, 0.48), (0.30, 0.60)):
        boxes = place(end("validation", one), end("test", other))["boxes"]
        orders.append(sorted(boxes, key=lambda text: boxes[text][1]))
    assert orders == [["validation", "test"]] * 3 + [["test", "validation"]]


def test_a_label_that_had_to_move_stays_while_its_place_is_free(place):
    moved = place(end("training", 0.5, x=8.5), level("base rate −3.00", 0.53))["boxes"]["base rate −3.00"]
    assert place(end("training", 0.9), level("base rate −3.00", 0.53))["boxes"]["base rate −3.00"][0] == pytest.approx(
        moved[0], abs=60
    )


def test_a_column_of_compared_figures_says_once_what_it_is(page):
    figures = [["Pinned", "one", ""], ["Test, nats", "−1.0", "What it is."]]
    lines = [{"colour": "red", "dash": "dot", "figures": figures}] * 2
    page.goto("about:blank")
    page.set_content("<div class='lab-live'><div class='lab-lines'></div></div>")
    page.add_style_tag(content=vendor._read("live.css"))
    page.add_script_tag(content=vendor._live().replace("export const", "const") + "window.drawLines = drawLines;")
    page.evaluate("lines => drawLines(document.querySelector('.lab-lines'), lines)", lines)
    names = page.locator("dt", has_text="Test, nats")
    assert [names.nth(i).bounding_box()["width"] > 1 for i in range(2)] == [True, False]
    assert names.locator("button").count() == 1  # none that the eye cannot find
    left = [page.locator("dd", has_text="−1.0").nth(i).bounding_box()["x"] for i in range(2)]
    assert left[0] == left[1]
