"""A class led through the plan of ninety minutes: every question asked twice, pictures mirrored, patterns drawn."""

import asyncio
import json
import math
import random
import time
from collections import Counter
from typing import Any
from urllib.parse import quote, urlencode

from pages.rooms.plan import READY
from tests.tools.load import meter
from tests.tools.load.page import Page
from tests.tools.load.wire import Troubles, Unexpected, get, post

PLAN = f"{READY['90 minutes']},patterns:5"
DID, APART = 20, 0.05  # things that the teacher does in a picture after each question, and seconds between two
WAITS, LOOK = 15.0, 0.1  # seconds until all must have answered, and between two looks of the teacher's page
SEEN, THINK = 1.5, 1.5  # seconds between two looks of a phone, and in which all have answered


class Phone:
    """One student: looks at the question, and answers each once."""

    def __init__(self, host: str, code: str, answers: Counter[str]) -> None:
        self._host, self._at, self._answers = host, f"/join/{code}", answers
        self.answered, self.kept = set[int](), set[int]()  # rounds

    async def join(self) -> None:
        status, body = await post(self._host, f"{self._at}/join")
        if status != 200:
            raise Unexpected(f"a phone that joins is answered with {status}")
        self._token = json.loads(body)["token"]

    async def go(self) -> None:
        """Look and answer for ever."""
        await asyncio.sleep(random.uniform(0, SEEN))
        while True:
            status, body = await get(self._host, f"{self._at}/seen", X_Token=self._token)
            self._answers[f"looks answered with {status}"] += 1
            seen = json.loads(body) if status == 200 else {"round": 0}
            if (number := seen["round"]) and not seen["closed"] and seen["options"] and number not in self.answered:
                await asyncio.sleep(random.uniform(0, THINK))
                await self._answer(number, random.randrange(len(seen["options"])))
            elif seen.get("pattern") == "":
                body = json.dumps({"bits": f"{random.getrandbits(63) + 1:016x}"}).encode()
                status, _ = await post(self._host, f"{self._at}/pattern", body, X_Token=self._token)
                self._answers[f"drawings answered with {status}"] += 1
            await asyncio.sleep(SEEN * random.uniform(0.75, 1.25))

    async def _answer(self, number: int, option: int) -> None:
        self.answered.add(number)
        body = json.dumps({"round": number, "option": option}).encode()
        status, answer = await post(self._host, f"{self._at}/answer", body, X_Token=self._token)
        self._answers[f"answers answered with {status}"] += 1
        if status == 200 and json.loads(answer)["mine"] == option:
            self.kept.add(number)


async def measured(host: str, process: int | None, phones: int) -> dict[str, Any]:
    """Return the figures of one round."""
    troubles, answers, lags = Troubles(), Counter[str](), list[float]()
    teacher = Page(host, "classroom", urlencode({"plan": PLAN}), troubles)
    await teacher.open()
    began, before = time.monotonic(), meter.memory(process)
    await (await teacher.click("Open a room"))
    room = json.loads(teacher.component("lab_count").element.json)
    at, key = f"/join/{room['room']}", {"X_Key": room["key"]}
    students = [Phone(host, room["room"], answers) for _ in range(phones)]
    await asyncio.gather(*(student.join() for student in students))
    sent: dict[int, float] = {}
    tasks = [asyncio.create_task(each) for each in (_project(host, at, key, sent, lags), *(s.go() for s in students))]
    counted, given = Counter[int](), Counter[int]()
    while teacher.has("Next"):
        await (await teacher.click("Next"))
        for _ in range(2):
            if not teacher.has("Close"):
                break
            standing = await _answered(host, at, key, phones)
            await (await teacher.click("Close"))
            counted[standing["round"]] = (await _count(host, at, key))["answers"]
            await (await teacher.click("Show the answers"))
            await _act(host, at, key, sent)
            if teacher.has("Vote again") and standing["votes"] == 1:
                await (await teacher.click("Vote again"))
        if teacher.has("Show the right answer"):
            await (await teacher.click("Show the right answer"))
        answers["items"] += 1
    until = time.monotonic() + WAITS
    while answers["drawings answered with 200"] < phones and time.monotonic() < until:
        await asyncio.sleep(LOOK)
    memory = meter.memory(process)
    for task in tasks:
        task.cancel()
    for student in students:
        given.update(student.kept)
    await teacher.close()
    troubles.check()
    lags.sort()
    return {
        "seconds": time.monotonic() - began,
        "questions": len(counted),
        "answers kept, and counted": [given.total(), counted.total()],
        "answers lost": sum((given - counted).values()),
        "projector's lag, p50, ms": 1000 * lags[len(lags) // 2],
        "projector's lag, p95, ms": 1000 * lags[math.ceil(0.95 * len(lags)) - 1],
        "memory before, during, MiB": [round(before, 1), round(memory, 1)],
        **dict(sorted(answers.items())),
    }


async def _count(host: str, at: str, key: dict[str, str], since: str = "") -> dict[str, Any]:
    status, body = await get(host, f"{at}/count?since={quote(since)}", **key)
    if status != 200:
        raise Unexpected(f"the count is answered with {status}")
    found: dict[str, Any] = json.loads(body)
    return found


async def _answered(host: str, at: str, key: dict[str, str], phones: int) -> dict[str, Any]:
    """Return how the question stands once all phones have answered, or after a while."""
    until = time.monotonic() + WAITS
    while (found := await _count(host, at, key))["answers"] < phones and time.monotonic() < until:
        await asyncio.sleep(LOOK)
    return found


async def _act(host: str, at: str, key: dict[str, str], sent: dict[int, float]) -> None:
    """Move something in a picture, as the teacher's browser reports it."""
    for _ in range(DID):
        number = len(sent)
        sent[number] = time.monotonic()
        body = json.dumps({"name": "three", "state": {"number": number, "theta": [random.random()] * 6}}).encode()
        await post(host, f"{at}/picture", body, **key)
        await asyncio.sleep(APART)


async def _project(host: str, at: str, key: dict[str, str], sent: dict[int, float], lags: list[float]) -> None:
    """Wait for changes for ever, as the view for a projector does, and note how late each comes."""
    since, seen = "", -1
    while True:
        found = await _count(host, at, key, since)
        since, now = found["since"], time.monotonic()
        newest = found["pictures"].get("three", {}).get("number", -1)
        lags.extend(now - sent[number] for number in range(seen + 1, newest + 1))
        seen = max(seen, newest)
        await asyncio.sleep(LOOK)
