"""Looks back as they are kept: what is in them, and what is refused of a file that anybody may have written."""

import gzip
import json

import pytest

from boltzcore.figures.drawing import Along, over
from boltzcore.figures.frame import Chart, Frame, Item, NamedFigure, Panel, Picture
from pages.frames.encoder import FrameEncoder
from pages.live import history_frame
from pages.live.history_frame import is_history_frame, packed


def item(key, content):
    return Item(key, (key,), lambda: Panel(key, content), "numbers")


def kept():
    """A frame at a frame with a curve, a picture and a histogram."""
    encoder, png = FrameEncoder(), Picture(b"png", 8, 8, "a picture")
    curve, bars = Chart(over(Along("updates"), "Nats"), 400, ""), Chart({"data": [], "layout": {}}, 200, "")
    frame = Frame(
        [NamedFigure("Update", "7", "what an update is"), NamedFigure("Test", "1", "of test rows", measured=True)],
        item("curve", curve),
        (item("fields", (png,)),),
        ((item("gap", curve), item("bars", bars)),),
        measured="at update 6",
        old=True,
    )
    encoder.take("v", frame, {})
    return json.loads(encoder.history_frame(frame.figures, {"count": 7, "at": {"updates": 7.0}}))


def test_a_look_is_the_whole_frame_but_for_curves_which_later_ones_go_on_with():
    frame = kept()
    panels = {panel["key"]: panel for panel in frame["panels"].values() if isinstance(panel, dict)}
    assert panels["curve"] == {"key": "curve", "curve": True}
    assert panels["gap"] == {"key": "gap", "curve": True}
    assert panels["fields"]["pictures"][0]["src"].startswith("data:image/png;base64,")
    assert panels["bars"]["chart"]["height"] == 200
    assert frame["figures"] == [["Update", "7"], ["Test", "1", "at update 6"]]
    assert frame["old"] is True
    assert frame["panels"][str(frame["abouts"])] == ["what an update is", "of test rows"]
    assert [len(row) for row in frame["below"]] == [2]
    assert is_history_frame(packed(json.dumps(frame)))


def without(frame, name):
    del frame[name]


SPOILT = {
    "no figures": lambda frame: without(frame, "figures"),
    "no panels": lambda frame: without(frame, "panels"),
    "a panel is missing": lambda frame: frame["panels"].pop(str(frame["curve"])),
    "a count that is none": lambda frame: frame.update(count="7"),
    "a place that is none": lambda frame: frame.update(at={"updates": "<b>"}),
    "figures that are none": lambda frame: frame.update(figures=[["Update", 7]]),
    "rows that are none": lambda frame: frame.update(below=3),
    "a panel that is none": lambda frame: frame["panels"].update({str(frame["beside"][0]): "panel"}),
    "a picture from elsewhere": lambda frame: frame["panels"][str(frame["beside"][0])]["pictures"][0].update(
        src="https://example.org/spy.png"
    ),
    "a chart with a picture from elsewhere": lambda frame: frame["panels"][str(frame["below"][0][1])]["chart"][
        "figure"
    ]["layout"].update(images=[{"source": "https://example.org/spy.png"}]),
}


@pytest.mark.parametrize("spoil", SPOILT.values(), ids=SPOILT)
def test_a_look_that_is_not_whole_is_refused(spoil):
    frame = kept()
    spoil(frame)
    assert not is_history_frame(packed(json.dumps(frame)))


def test_what_is_no_look_is_refused():
    assert not is_history_frame(b"GIF89a")
    assert not is_history_frame(gzip.compress(b"no json"))
    assert not is_history_frame(gzip.compress(b"[]"))
    assert not is_history_frame(gzip.compress(b"[" * 100_000))
    assert not is_history_frame(packed(json.dumps(kept()))[:-20])


def test_a_look_that_would_unpack_to_more_than_there_may_be_is_refused(monkeypatch):
    frame = packed(json.dumps(kept() | {"more": "x" * 100_000}))
    assert is_history_frame(frame)
    monkeypatch.setattr(history_frame, "LARGEST", 50_000)
    assert not is_history_frame(frame)
