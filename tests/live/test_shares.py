"""Work, streams and choices are shared out by visitor: many requests of one hold up no other."""

import asyncio
import threading
import time
from concurrent.futures import wait
from functools import partial

import pytest
from starlette.requests import HTTPConnection, Request

from pages.web.answers import Full
from pages.web.limiter import COOKIE, GRACE, LIMITS, VISITORS, Limit, Shares, Visitor, Visitors, visitor_of
from pages.web.worker import SERVER, Worker, answer_request
from tests.live.conftest import run_async, until

ONE, OTHER = (Visitor(f"visitor {name}", "192.0.2.1") for name in ("one", "other"))


def test_visitors_take_turns_and_what_is_urgent_comes_next():
    done, gate, began = [], threading.Event(), threading.Event()
    worker = Worker()
    first = worker.submit(lambda: began.set() or gate.wait(100), SERVER)
    assert began.wait(100)
    asked = [(ONE, "a"), (ONE, "b"), (ONE, "c"), (OTHER, "x"), (OTHER, "y"), (ONE, "!")]
    others = [worker.submit(partial(done.append, what), by, urgent=what == "!") for by, what in asked]
    assert others[1].cancel()
    assert worker.waiting() == {ONE: 3, OTHER: 2}
    gate.set()
    wait([first, *others])
    assert "".join(done) == "!xayc"
    with pytest.raises(ValueError, match="no"):
        worker.submit(partial(int, "no"), ONE).result(100)


def test_of_two_threads_one_visitor_has_one():
    began, gate, worker = [threading.Event(), threading.Event()], threading.Event(), Worker(threads=2)
    mine = [worker.submit(lambda i=i: began[i].set() or gate.wait(100), ONE) for i in range(2)]
    assert began[0].wait(100)
    worker.submit(lambda: None, OTHER).result(100)
    assert not began[1].is_set()
    gate.set()
    wait(mine)


def test_a_visitor_may_wait_for_so_many_answers(monkeypatch):
    monkeypatch.setitem(LIMITS, "work", Limit("pieces of work", 1, 1, 1))
    gate, began = threading.Event(), threading.Event()

    async def asked():
        one = asyncio.create_task(answer_request(request(""), lambda: began.set() or (gate.wait(100) and b"")))
        await asyncio.to_thread(began.wait, 100)
        other = asyncio.create_task(answer_request(request(""), lambda: b""))
        await asyncio.sleep(0)
        third = await answer_request(request(""), lambda: b"")
        gate.set()
        return [each.status_code for each in (await one, await other, third)]

    assert run_async(asked) == [200, 200, 429]


def request(cookie: str, host: str = "192.0.2.1") -> Request:
    headers = [(b"cookie", f"{COOKIE}={cookie}".encode())]
    return Request({"type": "http", "headers": headers, "client": (host, 1)})


def test_a_page_brings_a_cookie_that_counts_while_it_is_open_and_an_invented_one_counts_as_none(monkeypatch):
    sent = []

    async def app(scope, receive, send):
        await send({"type": "websocket.accept"})
        cookie = dict(sent[-1]["headers"])[b"set-cookie"].decode()
        assert cookie.endswith("; Path=/; HttpOnly; SameSite=Strict")
        shown = cookie.partition(";")[0].partition("=")[2]
        assert visitor_of(request(shown)).known
        assert visitor_of(HTTPConnection(scope)).known  # the script of the page is of the same visitor

    async def send(message):
        sent.append(message)

    scope = {"type": "websocket", "path": "/lab/_stcore/stream", "headers": [], "client": ("192.0.2.1", 1)}
    run_async(partial(Shares(app), scope, None, send))
    shown = dict(sent[0]["headers"])[b"set-cookie"].decode().partition(";")[0].partition("=")[2]
    assert visitor_of(request(shown)).known  # a phone loses its socket for a moment
    later = time.monotonic() + GRACE + 1
    monkeypatch.setattr(time, "monotonic", lambda: later)
    for strange in (shown, "invented", ""):
        assert visitor_of(request(strange)) == Visitor("address 192.0.2.1", "192.0.2.1")


def test_pages_of_one_browser_are_one_visitor_and_an_address_has_so_many(monkeypatch):
    monkeypatch.setitem(LIMITS, "pages", Limit("open pages", 2, 2, 3, 9))
    there = Visitors()
    first = there.enter("", "here")
    assert there.enter(first, "here") == first
    with pytest.raises(Full):
        there.enter(first, "here")
    assert there.enter("invented", "here") not in ("invented", first, "")
    with pytest.raises(Full):  # although it shows no cookie
        there.enter("", "here")
    assert there.enter("", "elsewhere")


def test_a_visitor_has_a_limit_of_channels_and_streams_and_is_informed(ask, run, monkeypatch):
    monkeypatch.setitem(LIMITS, "streams", Limit("streams", 3, 3, 9))
    monkeypatch.setitem(LIMITS, "choices", Limit("choices", 2, 2, 9))
    streams = [ask(f"/live/{run.id}/stream?choose.axis={axis}") for axis in ("epochs", "seconds")]
    assert all(stream.frame() for stream in streams)
    for what in ("newest", "stream"):
        third = ask(f"/live/{run.id}/{what}?choose.axis=work")
        assert (third.status, third.headers["retry-after"]) == (429, "1")
    ask(f"/live/{run.id}/stream?choose.axis=epochs").frame()
    over = ask(f"/live/{run.id}/stream?choose.axis=epochs")
    assert (over.status, over.headers["retry-after"]) == (429, "1")
    assert ask(f"/live/{run.id}/newest?choose.axis=epochs").status == 200  # single frames go on
    name = VISITORS.enter("", "127.0.0.1")
    assert ask(f"/live/{run.id}/stream", cookie=f"{COOKIE}={name}").frame()["run"] == run.id  # nor is another held up
    streams[1].close()
    until(lambda: ask(f"/live/{run.id}/newest?choose.axis=work").status == 200)
