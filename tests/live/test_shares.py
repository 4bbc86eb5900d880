"""Work, streams and choices are shared out by visitor: one who asks for much holds up nobody else."""

import asyncio
import threading
import time
from functools import partial

import pytest
from starlette.requests import HTTPConnection, Request

from pages.live import routes
from pages.live.pace import FAST, SLOW, Pace
from pages.web.answers import Full
from pages.web.limiter import COOKIE, GRACE, LIMITS, VISITORS, Limit, Shares, Visitor, Visitors, visitor_of
from pages.web.worker import Worker
from tests.live.conftest import looped, until

ONE, OTHER = (Visitor(f"visitor {name}", "192.0.2.1") for name in ("one", "other"))


def test_visitors_take_turns_and_urgent_work_does_not_hold_up_the_rest():
    done, gate = [], threading.Event()

    async def work():
        worker, began = Worker(), threading.Event()
        first = worker.do(lambda: began.set() or gate.wait(10), urgent=False)
        assert began.wait(10)
        asked = [(ONE, False, "a"), (ONE, True, "A"), (ONE, True, "B"), (OTHER, False, "x"), (OTHER, True, "X")]
        others = [worker.do(partial(done.append, it), urgent=urgent, by=by) for by, urgent, it in asked]
        gate.set()
        await asyncio.gather(first, *others)

    looped(work)
    assert "".join(done) == "AaXxB"


def test_a_visitor_may_wait_for_so_much_and_what_nobody_wants_any_more_does_not_count(monkeypatch):
    monkeypatch.setitem(LIMITS, "work", Limit("pieces of work", 3, 3, 4))
    done, gate = [], threading.Event()

    async def work():
        worker, began = Worker(), threading.Event()
        first = worker.do(lambda: began.set() or gate.wait(10), urgent=False)
        assert began.wait(10)
        mine = [worker.do(partial(done.append, i), urgent=False, by=ONE) for i in range(3)]
        with pytest.raises(Full):
            worker.do(partial(done.append, 3), urgent=True, by=ONE)
        theirs = worker.do(partial(done.append, "theirs"), urgent=False, by=OTHER)
        with pytest.raises(Full):  # the address has four together
            worker.do(partial(done.append, "more"), urgent=False, by=OTHER)
        mine[1].cancel()
        await asyncio.sleep(0)
        last = worker.do(partial(done.append, 4), urgent=False, by=ONE)
        gate.set()
        await asyncio.gather(first, mine[0], mine[2], theirs, last)

    looped(work)
    assert done == [0, "theirs", 2, 4]


def test_of_two_threads_one_visitor_has_one():
    began, gate = [], threading.Event()

    def long(name):
        began.append(name)
        gate.wait(10)

    async def work():
        worker = Worker(threads=2)
        mine = [worker.do(partial(long, f"mine {i}"), urgent=True, by=ONE) for i in range(2)]
        await asyncio.wait_for(worker.do(partial(began.append, "theirs"), urgent=False, by=OTHER), 10)
        assert began == ["mine 0", "theirs"]
        gate.set()
        await asyncio.gather(*mine)

    looped(work)


def test_frames_of_who_takes_most_give_way_first():
    pace, now = Pace(), time.monotonic()
    for second in range(1, 20):
        pace.made(0.05, "one")
        pace.made(0.8, "hostile")
        pace.late(0.001, now + 1.01 * second)
    assert pace.seconds("one") == FAST
    assert pace.seconds("hostile") > SLOW


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
    looped(partial(Shares(app), scope, None, send))
    shown = dict(sent[0]["headers"])[b"set-cookie"].decode().partition(";")[0].partition("=")[2]
    assert visitor_of(request(shown)).known  # a phone loses its socket for a moment
    later = time.monotonic() + GRACE + 1
    monkeypatch.setattr(time, "monotonic", lambda: later)
    for strange in (shown, "invented", ""):
        assert visitor_of(request(strange)) == Visitor("address 192.0.2.1", "192.0.2.1")


def test_an_address_of_ipv6_is_its_network():
    first, second, third = (visitor_of(request("", f"2001:db8::{tail}")).key for tail in ("1", "2", "1:0:0:0:2"))
    assert first == second != third


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


def test_choices_that_a_run_does_not_offer_make_no_channel(ask, run):
    streams = [ask(f"/live/{run.id}/stream?choose.z{i}=1&choose.axis=zodiac&choose.axis2={i}") for i in range(8)]
    assert len({stream.frame()["version"] for stream in streams}) == 1
    chosen = [ask(f"/live/{run.id}/stream?choose.axis=seconds&choose.z={i}") for i in range(3)]
    assert len({stream.frame()["version"] for stream in chosen}) == 1
    assert sum(each.broadcast.subject is run for each in list(routes.WATCHING._watched.values())) == 2


def test_a_visitor_has_so_many_channels_and_streams_and_is_told_so(ask, run, monkeypatch):
    monkeypatch.setitem(LIMITS, "streams", Limit("streams", 3, 3, 9))
    monkeypatch.setitem(LIMITS, "choices", Limit("choices", 2, 2, 9))
    streams = [ask(f"/live/{run.id}/stream?choose.axis={axis}") for axis in ("epochs", "seconds")]
    assert all(stream.frame() for stream in streams)
    third = ask(f"/live/{run.id}/newest?choose.axis=work")
    assert (third.status, third.headers["retry-after"]) == (429, "1")
    ask(f"/live/{run.id}/stream").frame()
    over = ask(f"/live/{run.id}/stream")
    assert (over.status, over.headers["retry-after"]) == (429, "1")
    assert ask(f"/live/{run.id}/newest").status == 200  # single frames go on
    name = VISITORS.enter("", "127.0.0.1")
    assert ask(f"/live/{run.id}/stream", cookie=f"{COOKIE}={name}").frame()["run"] == run.id  # nor is another held up
    streams[1].close()
    until(lambda: ask(f"/live/{run.id}/newest?choose.axis=work").status == 200)
