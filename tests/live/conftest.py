"""The routes of the app, served without Streamlit, and runs to watch."""

import asyncio
import http.client
import json
import threading
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import uvicorn
from starlette.applications import Starlette

from boltzcore.jobs.engine import Run
from boltzcore.learners import CD
from boltzcore.models import RBMSetup
from boltzcore.training.recipe import Recipe
from boltzcore.training.schedule import Schedule
from pages.common import lab
from pages.inside import sources
from pages.routes import HANDLERS, ROUTES
from pages.web.limiter import Visitor
from tests.runs.toys import until

VISITOR = Visitor("visitor 0", "192.0.2.1")
RECIPE = Recipe(RBMSetup(hidden=3), "bars-and-stripes", CD(batch_size=0), Schedule(length=10**7, every=1000))


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    """Port on which the routes are served."""
    app = Starlette(routes=ROUTES, exception_handlers=HANDLERS)
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="warning", lifespan="off"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    until(lambda: server.started)
    yield server.servers[0].sockets[0].getsockname()[1]
    server.should_exit = server.force_exit = True
    thread.join(60)


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """An update may take long to be taken apart on a busy machine."""
    monkeypatch.setattr(sources, "LONGEST", 100.0)


@pytest.fixture
def run() -> Iterator[Run]:
    """A run that was prepared and rests."""
    made = lab.engine().create(RECIPE)
    until(lambda: made.snapshot.status == "paused" and made.snapshot.observation and not made.unsaved)
    yield made
    lab.engine().delete(made.id)


def run_async(work: Callable[[], Any]) -> Any:
    """Return the result of a coroutine on an event loop of its own, whatever test ran in this thread before."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work()).result(100)


def titles(frame: dict) -> list[str]:
    """The titles of the panels of a frame."""
    return [panel["title"] for panel in frame["panels"].values() if isinstance(panel, dict)]


class Answer:
    """An answer of the server; a stream's events as they come."""

    def __init__(self, port: int, path: str, **headers: str) -> None:
        self._connection = http.client.HTTPConnection("localhost", port, timeout=100)
        self._connection.request("GET", path, headers={key.replace("_", "-"): text for key, text in headers.items()})
        self._answer = self._connection.getresponse()
        self.status, self.headers = self._answer.status, self._answer.headers
        self._packed, self._text = zlib.decompressobj(31), ""

    def json(self) -> dict:
        return json.loads(zlib.decompress(self._answer.read(), 31))

    def text(self) -> str:
        return self._answer.read().decode()

    def event(self) -> tuple[str, dict | None]:
        """(name, data) of the next event of a stream."""
        while "\n\n" not in self._text:
            piece = self._answer.read1()
            assert piece, "the stream has ended"
            self._text += self._packed.decompress(piece).decode()
        event, _, self._text = self._text.partition("\n\n")
        name, _, data = event.removeprefix("event: ").partition("\ndata: ")
        return name, json.loads(data) if data else None

    def frame(self, wanted: Callable[[dict], bool] = lambda frame: True) -> dict:
        """The next frame that is so."""
        while True:
            name, data = self.event()
            if name == "frame" and wanted(data):
                return data

    def ended(self) -> bool:
        return not self._answer.read1()

    def close(self) -> None:
        self._connection.close()


def newest(ask: Callable[..., Answer], path: str) -> dict:
    """The newest frame, however long a busy machine takes to make it."""
    answers: list[Answer] = []
    until(lambda: answers.append(ask(path)) or answers[-1].status != 204)
    return answers[-1].json()


@pytest.fixture
def ask(port: int) -> Iterator[Callable[..., Answer]]:
    """ask(path, header=...) -> Answer"""
    answers: list[Answer] = []

    def asked(path: str, **headers: str) -> Answer:
        answers.append(Answer(port, path, **headers))
        return answers[-1]

    yield asked
    for answer in answers:
        answer.close()
