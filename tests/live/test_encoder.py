"""Frames one after another: only new items are made and sent."""

import json
import math
from unittest.mock import Mock

import pytest

from boltzcore.quoting import Refusal
from pages.figures.frame import Chart, Column, Frame, Item, Panel, Pick, Picture, Table
from pages.stream.encoder import REMEMBERED, FrameEncoder
from tests.live.conftest import titles


class Counted:
    """An item whose panel counts how often it is made."""

    def __init__(self, key: str) -> None:
        self.key, self.times = key, 0

    def __call__(self, *of, content=None) -> Item:
        def panel() -> Panel:
            self.times += 1
            return Panel(f"{self.key} {of[0]}", content)

        return Item(self.key, of, panel, "numbers")


def read_since(encoder: FrameEncoder, have: str = "") -> dict:
    return json.loads(encoder.since(have))


def test_a_panel_is_made_anew_only_where_what_it_is_made_of_changed():
    encoder, curve, fields = FrameEncoder(), Counted("curve"), Counted("fields")
    view = object()
    for count in range(5):
        encoder.take(f"v{count}", Frame(curve=curve(count), beside=(fields(view),)), {})
    assert (curve.times, fields.times) == (5, 1)
    assert titles(read_since(encoder, "v3")) == ["curve 4"]
    assert len(titles(read_since(encoder))) == 2


def test_a_viewer_that_missed_some_frames_gets_all_that_is_new_since_and_a_stranger_all():
    encoder, curve, fields = FrameEncoder(), Counted("curve"), Counted("fields")
    for count in range(4):
        encoder.take(f"v{count}", Frame(curve=curve(count), beside=(fields(count // 2),)), {})
    assert titles(read_since(encoder, "v0")) == ["curve 3", "fields 1"]
    assert titles(read_since(encoder, "v2")) == ["curve 3"]
    assert len(titles(read_since(encoder, "of another life"))) == 2
    assert titles(read_since(encoder, "v3")) == []


def test_frames_long_past_are_forgotten_and_the_whole_is_sent():
    encoder, curve = FrameEncoder(), Counted("curve")
    for count in range(REMEMBERED + 1):
        encoder.take(f"v{count}", Frame(curve=curve("always")), {})
    assert not encoder.knows("v0")
    assert encoder.knows("v1")
    assert titles(read_since(encoder, "v0")) == ["curve always"]


def test_places_name_panels_and_a_panel_that_goes_is_no_longer_sent():
    encoder, one, two = FrameEncoder(), Counted("one"), Counted("two")
    encoder.take("a", Frame(curve=one(1), below=((two(1),),)), {"status": "running"})
    whole = read_since(encoder)
    assert whole["panels"][str(whole["below"][0][0])]["title"] == "two 1"
    assert (whole["status"], whole["version"]) == ("running", "a")
    encoder.take("b", Frame(curve=one(1)), {})
    assert read_since(encoder, "a")["below"] == []
    encoder.take("c", Frame(curve=one(1), below=((two(1),),)), {})
    assert titles(read_since(encoder, "b")) == ["two 1"]


def test_pictures_and_tables_are_sent_as_plain_values():
    encoder = FrameEncoder()
    picture = Picture(b"\x89PNG", 4, 2, "Two pixels.", limit=3.0, pick=Pick("unit", 2, 1, ("1", "2"), "2"))
    table = Table("cells", (Column("a", ("1.0", "")), Column("b", ("0.1", "?"), (0.1000001, math.nan))))
    contents = {"pictures": (picture,), "table": table}
    encoder.take("v", Frame(below=(tuple(Counted(name)(name, content=each) for name, each in contents.items()),)), {})
    panels = {panel["key"]: panel for panel in read_since(encoder)["panels"].values() if isinstance(panel, dict)}
    (shown,), columns = panels["pictures"]["pictures"], panels["table"]["table"]["columns"]
    assert (shown["src"], shown["pick"]["values"]) == ("data:image/png;base64,iVBORw==", ["1", "2"])
    assert [each["numbers"] for each in columns] == [None, [0.1000001, None]]


def test_a_number_that_json_does_not_have_is_null():
    encoder = FrameEncoder()
    chart = Chart({"data": [{"y": [1.0, math.nan, math.inf]}]}, 1, "")
    encoder.take("v", Frame(curve=Counted("curve")(1, content=chart)), {"rate": -math.inf})
    whole = read_since(encoder)
    assert whole["rate"] is None
    assert whole["panels"][str(whole["curve"])]["chart"]["figure"]["data"][0]["y"] == [1.0, None, None]


@pytest.mark.parametrize(("error", "logged"), [(Refusal("weights"), False), (ValueError("particles"), True)])
def test_a_panel_that_cannot_be_drawn_spoils_no_other_and_a_fault_is_logged(caplog, error, logged):
    encoder, panel = FrameEncoder(), Mock(side_effect=error)
    encoder.take("v", Frame(curve=Item("curve", (), panel, "numbers"), beside=(Counted("fields")(1),)), {})
    whole = read_since(encoder)
    assert "fields 1" in titles(whole)
    assert whole["panels"][str(whole["curve"])]
    assert ("'curve' could not be drawn" in caplog.text) == logged
