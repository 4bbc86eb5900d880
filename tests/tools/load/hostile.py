"""One visitor who asks for all there is at once, and what it does to another who watches and looks inside."""

import asyncio
import io
import json
import math
import multiprocessing
import random
import time
from collections import Counter
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any
from urllib.parse import urlencode

import numpy as np
from websockets import WebSocketException

from boltzcore.models import RBM
from pages.rooms.registry import LETTERS, LONG
from tests.tools.load import meter
from tests.tools.load.page import Page
from tests.tools.load.sessions import SMALL, Owner
from tests.tools.load.wire import Refused, Troubles, Unexpected, events, get, post

STREAMS, CHOICES, QUESTIONS = 200, 100, 100  # at once
MODELS, UPLOADS, ROOMS, GUESSING = 8, 60, 60, 4  # model files, other files, rooms, and tasks that guess codes
SIZE, MODEL = 15 * 2**20, (784, 5_000)  # of a file, bytes, and of a model
LOOKED = "his model files looked into"
PAUSE = 0.5  # seconds between two questions of the other one, and before the hostile one tries again
WARMING = 10.0


async def _watch(host: str, run: str, number: int, answers: Counter[str]) -> None:
    query = urlencode({f"choose.z{number}": "1", "choose.axis": ("updates", "seconds", "work", "epochs")[number % 4]})
    path = f"/live/{run}/stream" + (f"?{query}" if number < CHOICES else "")
    while True:
        with suppress(OSError, TimeoutError, EOFError):
            try:
                async for _ in events(host, path):
                    answers["events of his streams"] += 1
            except Refused:
                answers["his streams refused"] += 1
        await asyncio.sleep(PAUSE)


async def _question(host: str, run: str, number: int, answers: Counter[str]) -> None:
    while True:
        with suppress(OSError, TimeoutError, EOFError):
            status, _ = await get(host, f"/steps/trace?{urlencode({'of': f'run/{run}', 'row': number})}")
            answers[f"his questions answered with {status}"] += 1
        await asyncio.sleep(PAUSE)


async def _page(host: str, name: str, query: str, cookie: str) -> Page:
    page = Page(host, name, query, Troubles())
    page.cookie = cookie
    await page.open()
    return page


def _model() -> bytes:
    model = RBM(*(np.random.default_rng(1).normal(0, 0.1, size).astype(np.float32) for size in (MODEL, *MODEL)))
    model.save(file := io.BytesIO())
    return file.getvalue()


async def _inspect(page: Page, model: bytes, answers: Counter[str]) -> None:
    """Bring a model file to the Library, where it is looked into."""
    status = await page.upload("model.npz", model, wait=True)
    answers[f"his model files answered with {status}"] += 1
    until = time.monotonic() + WARMING
    while status < 300 and time.monotonic() < until:
        if page.measures("isible units"):
            answers[LOOKED] += 1
            return
        await asyncio.sleep(PAUSE)


async def _upload(pages: list[Page], answers: Counter[str]) -> None:
    while pages:
        page = pages.pop()
        with suppress(OSError, TimeoutError, EOFError):
            answers[f"his uploads answered with {await page.upload('x.csv', bytes(SIZE))}"] += 1


async def _files(libraries: list[Page], pages: list[Page], model: bytes, answers: Counter[str]) -> None:
    """Model files first, as each is looked into, then all other uploads."""
    await asyncio.gather(*(_tried(_inspect(each, model, answers), "a model file", answers) for each in libraries))
    uploads = [pages[i % len(pages)] for i in range(UPLOADS)]
    await asyncio.gather(*(_tried(_upload(uploads, answers), "an upload", answers) for _ in range(8)))


async def _room(host: str, cookie: str, answers: Counter[str]) -> None:
    page = await _page(host, "classroom", "", cookie)
    _, done = await page.click("Open a room")
    await done
    answers["his rooms opened" if page.shows("lab_count") else "his rooms refused"] += 1


async def _guess(host: str, answers: Counter[str]) -> None:
    while True:
        code = "".join(random.choices(LETTERS, k=LONG))
        status, _ = await post(host, f"/join/{code}/join")
        answers[f"his guesses answered with {status}"] += 1


async def _tried(work: Any, what: str, answers: Counter[str]) -> None:
    try:
        await work
    except (OSError, TimeoutError, EOFError, Unexpected, WebSocketException) as error:
        answers[f"{what} failed: {type(error).__name__} {error}"[:80]] += 1


async def _other(host: str, me: Owner, rests: str, seconds: float) -> dict[str, Any]:
    """Frames a second, and how long small questions take, of one who watches a training and looks into another."""
    me.viewer.begin()
    took, until, number = [], time.monotonic() + seconds, 0
    while time.monotonic() < until:
        began, number = time.monotonic(), number + 1
        query = urlencode({"of": f"run/{rests}", "row": number % 8})
        status, _ = await get(host, f"/steps/trace?{query}", cookie=me.page.cookie)
        if status != 200:
            raise Refused(f"a question is answered with {status}")
        took.append(time.monotonic() - began)
        await asyncio.sleep(PAUSE)
    seen = me.viewer.end()
    took.sort()
    return {
        "frames a second": seen.frames / max(seen.playing, 1e-9),
        "look inside, p50, ms": 1000 * took[len(took) // 2],
        "look inside, p95, ms": 1000 * took[math.ceil(0.95 * len(took)) - 1],
    }


async def _all_at_once(pipe: Connection, host: str, watched: str, rests: str, cookie: str, model: bytes) -> None:
    """Everything that the hostile visitor does, until the pipe says that it is enough."""
    answers = Counter[str]()
    tables = [await _page(host, "library", "view=data&set=own", cookie), await _page(host, "learn", "", cookie)]
    libraries = [await _page(host, "library", "view=models", cookie) for _ in range(MODELS)]
    tasks = [_watch(host, watched, i, answers) for i in range(STREAMS)]
    tasks += [_question(host, rests, i, answers) for i in range(QUESTIONS)]
    tasks += [_files(libraries, tables, model, answers)]
    tasks += [_tried(_room(host, cookie, answers), "a room", answers) for _ in range(ROOMS)]
    tasks += [_tried(_guess(host, answers), "a guess", answers) for _ in range(GUESSING)]
    going = [asyncio.create_task(each) for each in tasks]
    await asyncio.to_thread(pipe.recv)
    for task in going:
        task.cancel()
    pipe.send(answers)


def _attack(*about: Any) -> None:
    asyncio.run(_all_at_once(*about))


async def measured(host: str, process: int | None, seconds: float) -> dict[str, Any]:
    """Return the figures of one round: of the other visitor alone, and beside the hostile one."""
    model = _model()
    me = Owner(host, SMALL | {"schedule.seed": "5"})
    still, his = (Owner(host, SMALL | {"schedule.seed": seed}) for seed in ("6", "7"))
    for each in (me, still, his):
        await each.open()
        await each.settle()
    for each in (still, his):  # they come to rest, so that their next update can be looked into
        await each.once(0)
        each.viewer.close()
    await asyncio.sleep(WARMING)
    figures: dict[str, Any] = {}
    figures |= {f"alone: {name}": each for name, each in (await _other(host, me, still.run, seconds)).items()}
    figures["alone: memory, MiB"] = meter.memory(process)
    pipe, other = (context := multiprocessing.get_context("spawn")).Pipe()
    attack = context.Process(target=_attack, args=(other, host, me.run, his.run, his.page.cookie, model), daemon=True)
    attack.start()
    await asyncio.sleep(WARMING)
    figures |= {f"hostile: {name}": each for name, each in (await _other(host, me, still.run, seconds)).items()}
    figures["hostile: memory, MiB"] = meter.memory(process)
    _, health = await get(host, "/health")
    counts = json.loads(health)
    figures["memory and its limit, as the server counts them, MiB"] = [counts["memory"], counts["memory_allowed"]]
    opened = Counter[str]()
    await _tried(_room(host, "", opened), "a teacher's room", opened)
    figures["a teacher opens a room"] = bool(opened["his rooms opened"])
    pipe.send("enough")
    answers = await asyncio.to_thread(pipe.recv)
    attack.join(10)
    for each in (me, still, his):
        await each.leave()
    if not answers[LOOKED]:
        raise Unexpected(f"no model file was looked into: {dict(answers)}")
    return figures | dict(sorted(answers.items()))
