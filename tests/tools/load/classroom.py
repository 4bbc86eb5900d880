"""Phones in a room that answer again and again, while a race runs on the teacher's computer."""

import asyncio
import json
import math
import random
import time
from collections import Counter
from typing import Any

from tests.tools.load import meter
from tests.tools.load.page import Page
from tests.tools.load.sessions import session
from tests.tools.load.viewer import MOVING
from tests.tools.load.wire import Troubles, Unexpected, get, post

LOOK, COUNT = 1.5, 0.25  # seconds between two looks of a phone, and two counts of the teacher's page, as they have it
ROUND, THINK = 6.0, 3.0  # seconds that a question is open, and in which all have answered it


class Phone:
    """One student: looks at the question, and answers each once."""

    def __init__(self, host: str, code: str, answers: Counter[str]) -> None:
        self._host, self._at, self._answers = host, f"/join/{code}", answers
        self.answered: dict[int, float] = {}  # {round: when}
        self.kept: dict[int, int] = {}

    async def join(self) -> None:
        status, body = await post(self._host, f"{self._at}/join")
        if status != 200:
            raise Unexpected(f"a phone that joins is answered with {status}")
        self._token = json.loads(body)["token"]

    async def go(self) -> None:
        """Look and answer for ever."""
        await asyncio.sleep(random.uniform(0, LOOK))
        while True:
            status, body = await get(self._host, f"{self._at}/seen", X_Token=self._token)
            self._answers[f"looks answered with {status}"] += 1
            seen = json.loads(body) if status == 200 else {"round": 0}
            if (number := seen["round"]) and not seen["closed"] and seen["options"] and number not in self.answered:
                await asyncio.sleep(random.uniform(0, THINK - LOOK))
                await self._answer(number, random.randrange(len(seen["options"])))
            elif seen.get("pattern") == "":
                body = json.dumps({"bits": f"{random.getrandbits(63) + 1:016x}"}).encode()
                status, _ = await post(self._host, f"{self._at}/pattern", body, X_Token=self._token)
                self._answers[f"drawings answered with {status}"] += 1
            await asyncio.sleep(LOOK * random.uniform(0.75, 1.25))

    async def _answer(self, number: int, option: int) -> None:
        self.answered[number] = time.monotonic()
        body = json.dumps({"round": number, "option": option}).encode()
        status, answer = await post(self._host, f"{self._at}/answer", body, X_Token=self._token)
        self._answers[f"answers answered with {status}"] += 1
        if status == 200 and json.loads(answer)["mine"] == option:
            self.kept[number] = option


async def measured(host: str, process: int | None, phones: int, seconds: float) -> dict[str, Any]:
    """Return the figures of one round."""
    troubles, answers = Troubles(), Counter[str]()
    teacher = Page(host, "classroom", "", troubles)
    await teacher.open()
    _, opened = await teacher.click("Open a room")
    await opened
    room = json.loads(teacher.component("lab_count").element.json)
    race = session(host, "race owner", "1")
    await race.open()
    await race.settle()
    before = meter.memory(process)
    students = [Phone(host, room["room"], answers) for _ in range(phones)]
    await asyncio.gather(*(student.join() for student in students))
    tasks = [asyncio.create_task(student.go()) for student in students]
    assert race.viewer is not None
    race.viewer.begin()
    counted: list[tuple[float, int, int]] = []  # (when, round, answers)
    until, rounds, ask = time.monotonic() + seconds, 0, 0.0
    while time.monotonic() < until:
        if time.monotonic() > ask:
            _, done = await teacher.click("Ask" if not rounds else "Vote again")
            await done
            rounds, ask = rounds + 1, time.monotonic() + ROUND
        status, body = await get(host, f"/join/{room['room']}/count", X_Key=room["key"])
        if status != 200:
            raise Unexpected(f"the teacher's count is answered with {status}")
        found = json.loads(body)
        counted.append((time.monotonic(), found["round"], found["answers"]))
        if time.monotonic() + COUNT > ask:
            _, done = await teacher.click("Close")
            await done
        await asyncio.sleep(COUNT)
    for task in tasks:
        task.cancel()
    memory = meter.memory(process)
    status, body = await get(host, f"/join/{room['room']}/count", X_Key=room["key"])
    seen = race.viewer.end()
    if race.viewer.status not in MOVING:
        raise Unexpected(f"the race has come to {race.viewer.status!r}")
    await race.leave()
    await teacher.close()
    troubles.check()
    took = sorted(_delays(students, counted))
    given = sum(number in student.answered for student in students for number in range(1, rounds))
    kept = sum(number in student.kept for student in students for number in range(1, rounds))
    return {
        "questions": rounds,
        "answers given, and kept": [given, kept],
        "lost": given - sum(max((n for _, r, n in counted if r == k), default=0) for k in range(1, rounds)),
        "answer to count, p50, ms": 1000 * took[len(took) // 2],
        "answer to count, p95, ms": 1000 * took[math.ceil(0.95 * len(took)) - 1],
        "frames a second of the race": seen.frames / seen.playing,
        "memory before, during, MiB": [round(before, 1), round(memory, 1)],
        **dict(sorted(answers.items())),
    }


def _delays(students: list[Phone], counted: list[tuple[float, int, int]]) -> list[float]:
    """Seconds from each answer until a count held as many as were given by then."""
    delays = []
    for number in {r for _, r, _ in counted if r}:
        given = sorted(student.answered[number] for student in students if number in student.kept)
        for place, at in enumerate(given, 1):
            seen = [when for when, r, n in counted if r == number and n >= place and when >= at]
            if seen:
                delays.append(seen[0] - at)
    return delays
