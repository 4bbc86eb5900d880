"""The routes past the script: a viewer gets what is new, at once, and nothing else."""

import asyncio
import gc
import json
import threading
import zlib
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest
from streamlit.testing.v1 import AppTest

from pages.common import lab
from pages.figures.frame import Frame
from pages.stream import films, routes, watching
from pages.stream.films import Film
from pages.stream.run_frame import drawn
from pages.stream.watching import HEAD, Asked, Broadcast, Watching
from pages.web.limiter import LIMITS, Limit
from pages.web.scripts import PLOTLY, address, files
from tests.live.conftest import RECIPE, VISITOR, newest, run_async, until


def test_a_stream_begins_with_the_whole_and_goes_on_with_what_is_new(ask, run):
    stream = ask(f"/live/{run.id}/stream")
    assert stream.headers["content-type"].startswith("text/event-stream")
    assert stream.headers["x-accel-buffering"] == "no"
    first = stream.frame()
    assert (first["status"], first["resumed"]) == ("paused", 0)
    assert str(first["curve"]) in first["panels"]
    run.play()
    later = stream.frame(lambda frame: frame["status"] == "running" and frame["count"] > 0)
    assert str(later["abouts"]) not in later["panels"] or later["abouts"] != first["abouts"]
    run.pause()
    assert stream.frame(lambda frame: frame["status"] == "paused" and frame["resumed"] == 1)["count"] >= later["count"]


def test_another_status_goes_to_all_viewers_without_waiting_for_the_pace(ask, run, monkeypatch):
    monkeypatch.setattr(watching, "FRAMES", 1 / 3600)  # all that is not urgent would never come
    streams = [ask(f"/live/{run.id}/stream") for _ in range(5)]
    for stream in streams:
        stream.frame()
    for status in ("running", "paused") * 2:
        run.play() if status == "running" else run.pause()
        for stream in streams:
            stream.frame(lambda frame, status=status: frame["status"] == status)


def test_frames_are_made_once_for_all_viewers_and_not_without_any(ask, run, monkeypatch):
    made, make = [], Broadcast.make

    def counted(broadcast):
        made.append(broadcast.subject.id)
        return make(broadcast)

    monkeypatch.setattr(Broadcast, "make", counted)
    streams = [ask(f"/live/{run.id}/stream") for _ in range(6)]
    for stream in streams:
        stream.frame()
    assert 1 <= made.count(run.id) < len(streams)
    for stream in streams:
        stream.close()
    until(lambda: not routes.WATCHING.streams)
    before, other = made.count(run.id), lab.engine().create(RECIPE)
    stream = ask(f"/live/{other.id}/stream")
    for each in (run, other):
        each.step()
        until(lambda each=each: each.snapshot.status == "paused" and each.snapshot.state.count == 1)
    stream.frame(lambda frame: frame["count"] == 1)  # of what was watched before, one had been made earlier
    assert made.count(run.id) == before
    lab.engine().delete(other.id)


def test_single_frames_tell_what_is_new_since_a_version(ask, run):
    frame = newest(ask, f"/live/{run.id}/newest")
    assert ask(f"/live/{run.id}/newest?have={frame['version']}").status == 204
    run.step()
    until(lambda: run.snapshot.status == "paused" and run.snapshot.state.count == 1)
    new = newest(ask, f"/live/{run.id}/newest?have={frame['version']}")
    assert new["count"] == 1
    assert set(map(int, new["panels"])).isdisjoint(map(int, frame["panels"]))


def test_a_choice_goes_with_the_request_and_one_that_is_not_offered_is_passed_over(ask, run):
    def axis(query: str) -> str:
        frame = newest(ask, f"/live/{run.id}/newest?{query}")
        return frame["panels"][str(frame["curve"])]["choices"][0]["value"]

    assert axis("") == "epochs"
    assert axis("choose.axis=seconds") == "seconds"
    assert axis("choose.axis=%3Cscript%3E&choose.shoe=7") == "epochs"


@pytest.mark.parametrize(
    "query",
    ["choose.axis=" + "x" * 4001, "&".join(f"choose.c{i}=1" for i in range(65)), "pin=1,2,3,4,5,6"],
    ids=["long", "many", "pins"],
)
def test_too_many_choices_and_pins_are_refused(ask, run, query):
    assert ask(f"/live/{run.id}/stream?{query}").status == 400


def test_a_page_of_another_site_gets_nothing(ask, run):
    for site in ("cross-site", "same-site"):
        assert ask(f"/live/{run.id}/stream", sec_fetch_site=site).status == 403
        assert ask(f"/live/{run.id}/newest", sec_fetch_site=site).status == 403
        assert ask(f"/live/{run.id}/alive", sec_fetch_site=site).status == 403
    until(lambda: ask(f"/live/{run.id}/newest", sec_fetch_site="same-origin").status == 200)


def test_a_viewer_keeps_a_run_alive_and_so_does_a_heartbeat(ask, run, monkeypatch):
    touched = []
    monkeypatch.setattr(type(run), "touch", lambda self: touched.append(self.id))
    assert ask(f"/live/{run.id}/alive").status == 204
    assert touched.count(run.id) == 1
    ask(f"/live/{run.id}/stream").frame()
    assert touched.count(run.id) > 1


def test_a_stream_ends_when_the_run_is_deleted(ask, run):
    stream = ask(f"/live/{run.id}/stream")
    stream.frame()
    lab.engine().delete(run.id)
    assert next(name for name, _ in iter(stream.event, None) if name not in ("frame", "still")) == "gone"
    assert stream.ended()
    assert ask(f"/live/{run.id}/newest").status == 404


def test_a_still_stream_says_that_it_is_still_there(ask, run, monkeypatch):
    monkeypatch.setattr(watching, "STILL", 0.1)
    stream = ask(f"/live/{run.id}/stream")
    stream.frame()
    while (event := stream.event())[0] == "frame":  # of a busy machine there may be more
        pass
    assert event == ("still", None)


def test_a_frame_that_cannot_be_made_is_logged_and_tried_again(ask, run, monkeypatch, caplog):
    monkeypatch.setattr(watching, "STILL", 0.1)
    make, fails = Broadcast.make, [True]

    def sometimes(broadcast):
        if broadcast.subject is run and fails and fails.pop():
            raise RuntimeError("out of ink")
        return make(broadcast)

    monkeypatch.setattr(Broadcast, "make", sometimes)
    stream = ask(f"/live/{run.id}/stream")
    while (event := stream.event())[0] == "still":
        pass
    assert event[0] == "failed"
    assert stream.frame()["run"] == run.id
    assert "could not be made" in caplog.text


def test_what_is_watched_is_kept_however_much_else_is_asked_for(ask, run, monkeypatch):
    monkeypatch.setitem(LIMITS, "choices", Limit("choices", 3, 3, 99))
    stream = ask(f"/live/{run.id}/stream")
    stream.frame()
    for i in range(10):
        newest(ask, f"/live/{run.id}/newest?choose.invented={i}")
    run.step()
    assert stream.frame(lambda frame: frame["count"] == 1)


def test_a_stream_that_begins_after_much_else_was_asked_for_is_followed_and_a_run_that_is_read_anew(run, monkeypatch):
    monkeypatch.setitem(LIMITS, "choices", Limit("choices", 1, 1, 9))

    def asked(of=run, key="here"):
        return Asked(of, (key,), lambda right: Broadcast((of,), partial(drawn, of, (), {}), right), {}, VISITOR)

    async def reach(events, count: int) -> None:
        async for packed in events:
            text = zlib.decompressobj(-zlib.MAX_WBITS).decompress(packed).decode()
            if text.startswith("event: frame") and json.loads(text.partition("data: ")[2])["count"] == count:
                return

    async def follow() -> None:
        watching = Watching()
        watching.join(asked())
        events = watching.events(asked(), "")
        watching.join(asked(key="elsewhere"))  # for which the first, without a stream yet, makes room
        assert [await anext(events), await anext(events)] == [b"", HEAD]
        async with asyncio.timeout(60):
            await reach(events, 0)
            run.step()
            await reach(events, 1)
        await events.aclose()
        assert watching.join(asked(other)).broadcast.subject is other

    other = lab.engine().create(RECIPE)
    try:
        run_async(follow)
    finally:
        lab.engine().delete(other.id)


def test_pinned_runs_are_followed_while_they_train_and_those_that_are_gone_left_out(ask, run):
    others = [lab.engine().create(run.recipe) for _ in range(2)]
    try:
        until(lambda: all(other.snapshot.records for other in others))
        pins = ",".join(["0123456789abcdef", *(other.id for other in others), others[0].id])
        stream = ask(f"/live/{run.id}/stream?pin={pins}")
        assert len(stream.frame()["lines"]) == 3
        others[1].play()
        stream.frame(lambda frame: frame["lines"][1]["figures"][1][1] != "0")
    finally:
        for other in others:
            lab.engine().delete(other.id)


def test_a_film_and_the_scripts_are_served(ask):
    film = Film(("a film",), 2, lambda at: Frame(summary=f"frame {at}"))
    assert ask(f"/film/{films.keep(film)}/2").json()["summary"] == "frame 2"
    assert ask(f"/film/{films.keep(film)}/3").status == 404
    for path in map(address, [*files(), PLOTLY]):
        answer = ask(path)
        assert (answer.status, answer.headers["content-encoding"]) == (200, "gzip"), path
        assert answer.headers["content-type"].startswith("text/css" if path.endswith(".css") else "text/javascript")
        assert "immutable" in answer.headers["cache-control"]
    assert ask("/scripts/0000000000000000/stream/film.js").status == 404
    for other in ("draw/no.js", "draw", "", "routes.py", "web/../routes.py", "../app.py", "rooms/phone.html"):
        assert ask(address(other)).status == 404


def test_a_frame_of_a_film_is_kept_as_long_as_there_is_room(ask, monkeypatch):
    made = []
    name = films.keep(Film(("counted",), 2, lambda at: Frame(summary=f"frame {made.append(at)}")))
    for at in (1, 2, 1):
        ask(f"/film/{name}/{at}")
    assert made == [1, 2]
    monkeypatch.setattr(films, "MOST_BYTES", 1)
    other = films.keep(Film(("other",), 1, lambda _: Frame()))
    for path in (f"{other}/1", f"{name}/1"):
        assert ask(f"/film/{path}").status == 200
    assert made == [1, 2, 1]


def test_films_end_with_their_session_which_keeps_the_newest(ask):
    def page() -> None:
        import streamlit as st

        from pages.figures.frame import Frame
        from pages.stream import films

        for number in range(films.KEPT + 1):
            st.text(films.keep(films.Film(("of a session", number), 1, lambda _: Frame())))

    session = AppTest.from_function(page, default_timeout=60).run()
    paths = [f"/film/{each.value}/1" for each in session.text]
    assert [ask(path).status for path in paths] == [404, *[200] * films.KEPT]
    del session
    gc.collect()
    assert {ask(path).status for path in paths} == {404}


def test_a_frame_that_is_made_is_answered_while_others_are_being_made(ask):
    goes_on, under_way = threading.Event(), threading.Event()
    slow = Film(("held",), 1, lambda _: under_way.set() or (goes_on.wait(100) and Frame(summary="at last")))
    made = films.keep(Film(("made",), 1, lambda _: Frame(summary="made")))
    ask(f"/film/{made}/1")
    with ThreadPoolExecutor(1) as pool:
        answer = pool.submit(lambda: ask(f"/film/{films.keep(slow)}/1").json()["summary"])
        try:
            assert under_way.wait(100)
            assert ask(f"/film/{made}/1").json()["summary"] == "made"
            assert not answer.done()
        finally:
            goes_on.set()
        assert answer.result(100) == "at last"


GONE = ("0123456789abcdef", "..", "%2e%2e%2fetc", "<b>", "A" * 5000)  # of no run


@pytest.mark.parametrize(
    "path",
    [
        *("/film/0123/1", "/film/../1", "/film/x/0", "/film/x/-1", f"/film/x/{'9' * 5000}", "/scripts/other.js"),
        *(f"/live/{name}/{what}" for name in GONE for what in ("stream", "newest", "alive")),
    ],
)
def test_what_is_not_there_is_not_found(ask, path):
    assert ask(path).status == 404
