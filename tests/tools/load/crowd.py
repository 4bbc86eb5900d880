"""Visitors in a process of their own, which does what the process that measures asks for."""

import asyncio
import multiprocessing
import resource
import time
import traceback
from multiprocessing.connection import Connection
from typing import Any

from tests.tools.load.sessions import Report, Session, session
from tests.tools.load.wire import Unexpected

SPREAD = 0.1  # seconds between two who arrive


class Crowd:
    """A process with visitors. `ask` asks for something, `answer` waits until it is done."""

    def __init__(self, host: str) -> None:
        context = multiprocessing.get_context("fork")  # all that is imported is shared
        self._pipe, other = context.Pipe()
        self._process = context.Process(target=_work, args=(other, host), daemon=True)
        self._process.start()
        other.close()

    def ask(self, what: str, *about: Any) -> None:
        """Let the visitors open, act or leave: a method of `_Visitors`."""
        self._pipe.send((what, about))

    def answer(self) -> Any:
        """What came of it. Unexpected where the test cannot go on."""
        answer = self._pipe.recv()
        if isinstance(answer, Unexpected):
            raise answer
        return answer

    def end(self) -> None:
        """Let the process end."""
        self._pipe.close()
        self._process.join(10)
        self._process.kill()


class _Visitors:
    def __init__(self, host: str) -> None:
        self._host, self._there = host, list[Session]()

    async def open(self, wanted: list[tuple[str, str]], begin: float) -> list[str]:
        """Open sessions (kind, about), one after another; the runs that they see."""
        new = [session(self._host, kind, about) for kind, about in wanted]
        self._there += new

        async def arrive(at: float, each: Session) -> None:
            await asyncio.sleep(max(0.0, at - time.monotonic()))
            await each.open()

        await asyncio.gather(*(arrive(begin + number * SPREAD, each) for number, each in enumerate(new)))
        await asyncio.gather(*(each.settle() for each in new))
        return [each.run for each in new]

    async def act(self, begin: float, until: float) -> tuple[list[Report], float]:
        """What came of all acts, and the seconds of CPU that the visitors themselves took."""
        before = time.process_time()
        reports = await asyncio.gather(*(each.act(begin, until) for each in self._there))
        return reports, time.process_time() - before

    async def leave(self) -> None:
        await asyncio.gather(*(each.leave() for each in self._there))
        self._there.clear()


def _work(pipe: Connection, host: str) -> None:
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    asyncio.run(_serve(pipe, host))


async def _serve(pipe: Connection, host: str) -> None:
    visitors = _Visitors(host)
    while True:
        try:
            what, about = await asyncio.to_thread(pipe.recv)
        except EOFError:
            return
        try:
            answer = await getattr(visitors, what)(*about)
        except Unexpected as unexpected:
            answer = unexpected
        except Exception:
            answer = Unexpected(traceback.format_exc())
        pipe.send(answer)
