"""The one limiter: rates, bytes of uploads, headers of answers, and sockets that send what is no message."""

import asyncio
import logging
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from types import SimpleNamespace

import pytest
from starlette.applications import Starlette
from starlette.requests import HTTPConnection
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocketDisconnect
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

from boltzcore import memory
from pages.rooms.registry import Rooms
from pages.routes import ROUTES
from pages.web import limiter
from pages.web.answers import Full
from pages.web.headers import SecurityHeaders
from pages.web.limiter import LIMITS, PHONES, SOCKET, UPLOAD, Limit, Limiter, Shares, Visitor, Visitors, admit
from tests.live.conftest import VISITOR, run_async

OTHER = Visitor("visitor other", "192.0.2.2")


def make_visitor(address="192.0.2.1"):
    """Visitors at one address who throw their cookies away."""
    return (Visitor(f"visitor {i}", address) for i in range(10**6))


def refused(limiter, by):
    """Seconds to wait; 0 where it is taken."""
    try:
        limiter.take("joins", by)
    except Full as full:
        return full.seconds
    return 0


def test_a_rate_holds_for_a_visitor_and_for_an_address_whatever_its_cookies_and_drains_with_time(monkeypatch):
    monkeypatch.setitem(LIMITS, "joins", Limit("joins", 2, 6, 6, seconds=60))
    now = [0.0]
    limiter = Limiter(lambda: now[0])
    assert [refused(limiter, VISITOR) for _ in range(3)] == [0, 0, 30]
    assert [refused(limiter, by) for by, _ in zip(make_visitor(), range(6), strict=False)] == [30, 0, 0, 0, 0, 10]
    assert refused(limiter, OTHER) == 0
    now[0] = 10.0
    assert refused(limiter, Visitor("address 192.0.2.1", "192.0.2.1")) == 0
    now[0] = 3_600.0
    assert [refused(limiter, VISITOR) for _ in range(3)] == [0, 0, 30]


def test_threads_that_take_at_once_take_no_more_than_the_rate(monkeypatch):
    most, taken = 2_000, Counter()
    monkeypatch.setitem(LIMITS, "joins", Limit("joins", most, most, most, seconds=60))
    limiter = Limiter(lambda: 0.0)

    def take(thread):
        while not refused(limiter, VISITOR):
            taken[thread] += 1

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(take, range(4)))
    finally:
        sys.setswitchinterval(before)
    assert taken.total() == most


@pytest.mark.parametrize("what", [name for name, limit in LIMITS.items() if not limit.seconds])
def test_no_address_and_no_visitor_takes_all_there_is(what):
    limit, held = LIMITS[what], Counter()
    for by in make_visitor():
        try:
            admit(what, by, held)
        except Full:
            break
        held[by] += 1
    assert held.total() == limit.address
    admit(what, OTHER, held)
    with pytest.raises(Full):
        admit(what, OTHER, Counter({OTHER: limit.visitor}))


def test_one_client_leaves_places_in_a_room_to_phones_of_other_addresses():
    room = Rooms().open(VISITOR)
    visitors = make_visitor()
    with pytest.raises(Full):
        sum(1 for by in visitors if room.join(by))
    assert 100 <= room.phones < PHONES
    assert room.phone_of(room.join(OTHER))


@pytest.mark.parametrize(
    ("host", "counted"),
    [
        ("::ffff:192.0.2.7", "192.0.2.7"),  # as a socket for both versions gives IPv4
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
    ],
)
def test_a_page_and_a_request_of_one_host_count_to_one_address(monkeypatch, host, counted):
    monkeypatch.setattr(limiter.st, "context", SimpleNamespace(cookies={}, ip_address=host))
    request = HTTPConnection({"type": "http", "client": (host, 1), "headers": []})
    assert limiter.visitor_of(request) == limiter.visitor_of_page()
    assert limiter.visitor_of(request).address == counted


def test_pages_that_are_closed_take_no_share(monkeypatch):
    monkeypatch.setitem(LIMITS, "pages", Limit("pages", 2, 2, 4, 8))
    monkeypatch.setattr(limiter, "DEPARTED", 3)
    visitors = Visitors()
    names = [visitors.enter("", "192.0.2.1") for _ in range(1)]
    for _ in range(20):
        visitors.leave(names[-1])
        names.append(visitors.enter("", "192.0.2.1"))
    assert visitors.pages == 1
    assert sum(map(visitors.knows, names)) <= 4 + 1


@pytest.fixture
def put(monkeypatch):
    """put(session, bytes, **headers) -> status; the file is kept."""
    active, sent = {"here", "there", "bare"}, []
    files = MemoryUploadedFileManager("/")  # as much of Streamlit's runtime as an upload asks for
    server = SimpleNamespace(uploaded_file_mgr=files, active=active, is_active_session=active.__contains__)
    monkeypatch.setattr(limiter, "get_instance", lambda: server)
    monkeypatch.setattr(limiter, "LIMITER", Limiter(lambda: 0.0))
    monkeypatch.setattr(limiter, "UPLOADERS", {"here": VISITOR, "there": OTHER})
    monkeypatch.setitem(LIMITS, "megabytes", Limit("megabytes", 4, 4, 6, 9))

    async def app(scope, receive, send):
        session, _, name = scope["path"].removeprefix(UPLOAD).partition("/")
        size = int(dict(scope["headers"])[b"content-length"])
        server.uploaded_file_mgr.add_file(session, UploadedFileRec(name, "x", "x", bytes(size)))
        await asyncio.sleep(0)
        await send({"type": "http.response.start", "status": 204, "headers": []})

    async def receive():
        return {"type": "http.request"}

    async def send(message):
        sent.append(message.get("status"))

    shares = Shares(app)

    async def asked(session, *sizes, length=True):
        for size in sizes:
            number = len(sent)
            headers = [(b"content-length", str(size).encode())] if length else [(b"transfer-encoding", b"chunked")]
            scope = {"type": "http", "method": "PUT", "path": f"{UPLOAD}{session}/{number}", "headers": headers}
            await shares(scope, receive, send)
        return [status for status in sent if status][-len(sizes) :]

    put = lambda *what, **how: run_async(partial(asked, *what, **how))  # noqa: E731
    put.server = server
    return put


MB = memory.MEGA


def test_uploads_are_bounded_for_a_session_an_address_and_all_and_freed_when_a_session_ends(put):
    limiter.UPLOADERS["tab"] = VISITOR
    put.server.active.add("tab")
    assert put("here", MB, MB) == [204, 204]
    assert put("tab", 2 * MB, MB) == [204, 429]  # the visitor has four of four
    assert put("there", 4 * MB, MB) == [204, 429]
    limiter.UPLOADERS["more"] = Visitor("visitor more", VISITOR.address)
    put.server.active.add("more")
    assert put("more", 3 * MB) == [429]  # the address has four of six
    assert put("more", MB) == [204]
    for session in ("here", "tab"):
        put.server.uploaded_file_mgr.remove_session_files(session)
        put.server.active.remove(session)
    assert put("more", 3 * MB) == [204]
    assert not {"here", "tab"} & limiter.UPLOADERS.keys()


def test_a_session_without_an_uploader_uploads_nothing_nor_does_one_that_hides_the_size(put):
    assert put("bare", 1) == [403]
    assert put("unknown", 1) == [403]
    assert put("here", 1, length=False) == [411]
    put.server.active.remove("here")
    put("here", MB)  # which comes after its session has ended
    assert not put.server.uploaded_file_mgr.file_storage


def test_uploads_stay_below_the_limit_of_memory_and_come_at_a_rate(put, monkeypatch):
    used = memory.used_bytes()
    monkeypatch.setattr(memory, "used_bytes", lambda: used)
    monkeypatch.setattr(memory, "allowed_bytes", lambda: used + MB // 2)
    assert put("here", MB) == [429]
    assert put("there", 1000) == [204]
    assert put("there", *[1] * LIMITS["uploads"].visitor)[-1] == 429


async def _echo(socket):
    await socket.accept()
    with suppress(WebSocketDisconnect):
        while True:
            await socket.send_bytes(await socket.receive_bytes())


APP = SecurityHeaders(Shares(Starlette(routes=[*ROUTES, WebSocketRoute(SOCKET, _echo)])))


def sent(kind, path, query="", *received):
    """The messages that the app sends to a client, who sends these."""
    coming, found = iter(received), []
    scope = {"type": kind, "method": "GET", "path": path, "query_string": query.encode(), "headers": []}
    scope |= {"client": ("192.0.2.1", 1), "extensions": {"websocket.http.response": {}}}

    async def receive():
        return next(coming, {"type": f"{kind}.disconnect", "code": 1000})

    async def send(message):
        found.append(message)

    run_async(partial(APP, scope, receive, send))
    return found


GOOD = BackMsg(clear_cache=True).SerializeToString()


@pytest.mark.parametrize("wrong", [{"bytes": b"\xff\xff\xff"}, {"bytes": b"\x0a"}, {"text": "text"}])
def test_a_malformed_message_closes_the_socket_without_a_traceback(caplog, wrong):
    messages = [{"bytes": GOOD}, wrong, {"bytes": GOOD}]
    received = [{"type": "websocket.connect"}, *({"type": "websocket.receive"} | each for each in messages)]
    accepted, first, closed = sent("websocket", SOCKET, "", *received)
    assert (accepted["type"], first["bytes"]) == ("websocket.accept", GOOD)
    assert (closed["type"], closed["code"]) == ("websocket.close", 1002)
    assert [each.levelno for each in caplog.records if each.name.startswith("pages")] == [logging.WARNING]
    assert not [each for each in caplog.records if each.exc_info]


def test_a_fragment_of_a_page_that_was_left_does_not_run():
    pairs = [("", ""), ("a", "x"), ("b", ""), ("a", "x"), ("b", "y"), ("", ""), ("a", "x")]  # page, fragment
    reruns = [BackMsg(rerun_script={"page_script_hash": page, "fragment_id": each}) for page, each in pairs]
    messages = [{"type": "websocket.receive", "bytes": each.SerializeToString()} for each in reruns]
    _, *passed = sent("websocket", SOCKET, "", {"type": "websocket.connect"}, *messages)
    assert [BackMsg.FromString(each["bytes"]) for each in passed] == reruns[:3] + reruns[4:]


def test_pages_of_one_address_are_bounded_and_the_next_is_answered_with_429(monkeypatch):
    monkeypatch.setitem(LIMITS, "pages", Limit("pages", 1, 1, 1, 1))
    monkeypatch.setattr(limiter, "VISITORS", limiter.Visitors())
    limiter.VISITORS.enter("", "192.0.2.1")
    assert sent("websocket", SOCKET, "", {"type": "websocket.connect"})[0]["status"] == 429


@pytest.mark.parametrize("path", ["/health", "/join", "/join/AAAAAA/seen", "/live/none/newest", "/nothing"])
def test_every_answer_has_its_headers_and_only_an_embedded_page_may_be_framed(path):
    def headers(query=""):
        return {name.decode(): text.decode() for name, text in sent("http", path, query)[0]["headers"]}

    found = headers()
    assert found["x-content-type-options"] == "nosniff"
    assert found["referrer-policy"] in ("same-origin", "no-referrer")
    assert "unsafe-eval" not in found["content-security-policy"]
    framed = [
        query
        for query in ("", "embed=true", "embed=false", "x=embed=true")
        if "frame-ancestors" not in headers(query)["content-security-policy"]
    ]
    assert framed == ([] if path == "/join" else ["embed=true"])  # a phone is not embedded
