"""Labels of a chart, placed by the pixels that a browser measures: none covers another, and none jumps; and figures
that are compared, in columns.
"""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.browser import modules
from tests.conftest import REPOSITORY

FONT = {"size": 13, "family": "sans-serif"}
ROOM = {"width": 600, "height": 300, "ranges": {"x": [0, 10], "y": [0, 1]}, "corner": None}
MARGIN = {"l": 60, "r": 16, "t": 34, "b": 46}
PLOT = (34, 254)  # pixels from the highest to the lowest


def end(text, y, x=10):
    return {"name": "end of a line", "x": x, "y": y, "text": text, "xanchor": "left", "showarrow": False}


def level(text, y, *, above=False):
    side = {"x": 0, "xanchor": "left", "yanchor": "bottom"} if above else {"x": 1, "xanchor": "right", "yanchor": "top"}
    return {"name": "level", "xref": "paper", "y": y, "text": text, "showarrow": False} | side


def upright(text, x):
    place = {"x": x, "xanchor": "left", "xshift": 3, "yref": "paper", "y": 1, "yanchor": "top"}
    return {"name": "along an upright line", "text": text, "textangle": -90, "showarrow": False} | place


@pytest.fixture(scope="module")
def labels_page(browser: Browser) -> Iterator[Page]:
    """A page that has the module which places labels."""
    page = browser.new_page()
    modules.load(page, "frames/labels.js")
    page.evaluate("window.place = placeLabels; window.width = widthOf; undefined")
    yield page
    page.close()


@pytest.fixture
def place(labels_page):
    """Places labels as a chart does, drawing after drawing of it; their boxes by their texts."""
    page = labels_page
    page.evaluate("window.kept = {}; undefined")  # of a chart that is drawn for the first time

    def placed(*notes, **room):
        return page.evaluate(
            """([notes, margin, font, room]) => {
                const layout = { annotations: notes, margin: { ...margin }, font };
                place(layout, kept, room);
                const { l, r, t, b } = layout.margin;
                const across = room.width - l - r, down = room.height - t - b;
                const { ranges: { x: [x0, x1], y: [y0, y1] } } = room;
                const boxes = layout.annotations.map((note) => {
                    const long = width(note.text, `${font.size}px ${font.family}`);
                    const high = 17 * note.text.split('<br>').length;
                    const [wide, tall] = note.textangle ? [high, long] : [long, high];
                    const share = note.xref === "paper" ? note.x : (note.x - x0) / (x1 - x0);
                    const rise = note.yref === "paper" ? note.y : (note.y - y0) / (y1 - y0);
                    const x = l + across * share + (note.xshift ?? 0);
                    const y = t + down * (1 - rise) - (note.yshift ?? 0);
                    const left = x - (note.xanchor === 'right' ? wide : 0);
                    const top = y - ({ top: 0, bottom: tall }[note.yanchor] ?? tall / 2);
                    return [note.text, [left, top, left + wide, top + tall]];
                });
                return { boxes: Object.fromEntries(boxes), all: boxes.map(([, box]) => box) };
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


def test_the_name_of_a_short_curve_is_not_written_over_one_that_goes_on(place):
    through = [[0, 10], [0.5, 0.5]]
    short, long = end("pinned", 0.5, x=3), end("training", 0.9)
    assert place(short, long)["boxes"]["pinned"][0] < 300  # beside its end, as long as nothing passes there
    beside = place(short, long, curves=[through])["boxes"]
    assert beside["pinned"][0] == beside["training"][0]  # where every curve is over
    assert place(short, long)["boxes"]["pinned"][0] == beside["pinned"][0]  # and it does not jump back


def order(boxes):
    return sorted(boxes, key=lambda text: boxes[text][1])


def test_nothing_jumps_where_curves_cross_by_a_pixel(place):
    orders = []
    for one, other in ((0.5, 0.495), (0.495, 0.5), (0.5, 0.495), (0.3, 0.6)):
        orders.append(order(place(end("validation", one), end("test", other))["boxes"]))
    assert orders == [["validation", "test"]] * 3 + [["test", "validation"]]


def test_names_stand_in_the_order_of_their_curves_from_the_first(place):
    for training, validation, test in ((0.5, 0.46, 0.48), (0.5, 0.46, 0.47), (0.6, 0.5, 0.53)):
        names = end("training", training), end("validation", validation), end("test", test)
        assert order(place(*names)["boxes"]) == ["training", "test", "validation"]


def test_many_names_that_nearly_touch_are_nowhere_two_pixels_out_of_order(place):
    place(*(end(f"seed {i}", 0.5) for i in range(5)))
    values = [0.5 + 0.008 * i for i in range(5)]  # by less than two pixels each
    told = order(place(*(end(f"seed {i}", y) for i, y in enumerate(values)))["boxes"])
    rank = {text: i for i, text in enumerate(told)}
    down = PLOT[1] - PLOT[0]
    pairs = [(i, j) for i in range(5) for j in range(5) if down * (values[j] - values[i]) > 2]
    assert pairs
    assert all(rank[f"seed {j}"] < rank[f"seed {i}"] for i, j in pairs)


def test_a_label_that_had_to_move_stays_while_its_place_is_free(place):
    moved = place(end("training", 0.5, x=8.5), level("base rate −3.00", 0.53))["boxes"]["base rate −3.00"]
    assert place(end("training", 0.9), level("base rate −3.00", 0.53))["boxes"]["base rate −3.00"][0] == pytest.approx(
        moved[0], abs=60
    )


STEEP = [[0, 8.9, 9.1, 10], [0.9, 0.9, 0.1, 0.1]]  # falls between two points, through where the name of a level stands


@pytest.mark.parametrize(("curve", "side"), [([], "right"), ([STEEP], "left")])
def test_the_name_of_a_level_leaves_a_curve_free_between_its_points(place, curve, side):
    left, _, right, _ = place(level("base rate −3.00", 0.5), curves=curve)["boxes"]["base rate −3.00"]
    assert (left == 60) == (side == "left")
    assert (right == 584) == (side == "right")


@pytest.mark.parametrize(
    "curve",
    [
        [[0, 10], [0.9, 0.9]],  # above it
        [[0, 5], [0.45, 0.45]],  # over before it
        [[9.9], [0.2]],  # a point below it
        [[7.5, 8.3], [0.3, 0.75]],  # past its corner
    ],
)
def test_the_name_of_a_level_stays_beside_a_curve_that_only_comes_near(place, curve):
    assert place(level("base rate −3.00", 0.5), curves=[curve])["boxes"]["base rate −3.00"][2] == 584


def test_a_name_leaves_free_a_curve_of_one_point(place):
    assert place(level("base rate −3.00", 0.5), curves=[[[9.5], [0.47]]])["boxes"]["base rate −3.00"][2] < 584


def test_what_stands_along_an_upright_line_goes_to_its_free_side(place):
    mark = upright("rate 0.05", 5)
    assert place(mark)["boxes"]["rate 0.05"][0] == 325  # 322 is the line
    beside = [[5.1, 5.2], [0, 1]]
    assert place(mark, curves=[beside])["boxes"]["rate 0.05"][2] == 319
    assert place(mark, curves=[beside, [[4.8, 4.9], [0.6, 1]]])["boxes"]["rate 0.05"][3] == PLOT[1]


def test_marks_of_one_text_have_places_of_their_own(place):
    marks = upright("rate 0.05", 3), upright("rate 0.05", 7)
    curves = [[[7.1, 7.2], [0, 1]]]
    for _ in range(2):
        one, other = place(*marks, curves=curves)["all"]
        assert one[0] > 60 + 0.3 * 524 > one[0] - 17
        assert other[2] < 60 + 0.7 * 524


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
