"""Rooms of a class: a question at a time, one answer a phone, and counts, never whose. All is in memory, and gone after
two hours.

A room has two secrets: the teacher's key steers it, and the key of its view for a projector shows it and does no more.
"""

import hashlib
import hmac
import secrets
import threading
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import groupby, takewhile
from typing import Any, NamedTuple

from pages.web.answers import Full
from pages.web.limiter import Visitor, admit

LASTS = 7_200.0  # seconds that a room is there
ROUNDS = 200  # questions that a room takes
UNWATCHED = 600.0  # seconds after which a room that no teacher's page shows may make place for another
EMPTY = 5.0  # the same of a room that no phone has joined
UNSEEN = 30.0  # seconds after which the place of a phone that has not asked what to show may go to another
FEWEST = 5  # answers from which on a histogram is shown: of fewer one could guess whose they are
OPTIONS, LONGEST, LONGEST_OPTION = 7, 300, 120  # of a question: answers, characters, and characters of an answer
LONGEST_CONTEXT = 1_500  # characters of what one has to know to answer
APART = 0.1  # seconds between two answers of one phone
PICTURES = 8  # of a question that are mirrored


class NotAllowed(ValueError):
    """What a room does not take: a sentence."""


@dataclass(frozen=True)
class Asked:
    """A question with its answers. Raises NotAllowed where it is too long, or has too few answers.

    about : what it is about, for the teacher's page alone
    context : what one has to know to answer, as plain text for phones
    demonstration : there is nothing to answer, and `text` is the title
    """

    text: str
    options: tuple[str, ...]
    about: Any = None
    context: str = ""
    demonstration: bool = False

    def __post_init__(self) -> None:
        if not 1 <= len(self.text) <= LONGEST:
            raise NotAllowed(f"The question must have 1 to {LONGEST} characters, not {len(self.text):,}.")
        few = 0 if self.demonstration else 2
        if not few <= len(self.options) <= OPTIONS or len(set(self.options)) < len(self.options):
            raise NotAllowed(f"A question must have 2 to {OPTIONS} different answers, not {len(set(self.options))}.")
        if not all(1 <= len(option) <= LONGEST_OPTION for option in self.options):
            raise NotAllowed(f"Each answer must have 1 to {LONGEST_OPTION} characters.")
        if len(self.context) > LONGEST_CONTEXT:
            raise NotAllowed(f"The background of a question must have at most {LONGEST_CONTEXT:,} characters.")


@dataclass
class Round:
    """A question as it was asked once.

    given : {phone: number of its answer}, until the next question is asked
    counts : how many gave each answer, from then on
    answer : what is right, and why, once the teacher has shown it
    """

    asked: Asked
    given: dict[str, int] = field(default_factory=dict)
    closed: bool = False
    revealed: bool = False
    counts: tuple[int, ...] = ()
    answer: Any = None

    def counted(self) -> tuple[int, ...]:
        """How many gave each answer, in the order of the answers."""
        counts = Counter(self.given.values())
        return self.counts or tuple(counts[number] for number in range(len(self.asked.options)))

    def forget(self) -> None:
        """Close it, and keep no more of it than how many gave each answer."""
        self.closed, self.counts = True, self.counted()
        self.given.clear()


@dataclass
class Phone:
    """A phone's visitor, when it asked last what to show, and when it answered last."""

    by: Visitor
    seen: float
    answered: float = 0.0


@dataclass(frozen=True)
class Standing:
    """What a teacher sees of a room while answers come.

    phones : that have joined
    turn : how often anything was changed by the teacher: pages that show the room are drawn anew where it is another
    round, answers : number of the question, from 1, and how many have answered it
    """

    phones: int
    turn: int = 0
    round: int = 0
    answers: int = 0
    closed: bool = True
    revealed: bool = False
    demonstration: bool = False


class Results(NamedTuple):
    """How a question was answered, each time in a row that it was asked.

    counts : how many gave each answer, in the order of the answers
    answer : what the teacher has shown to be right, if anything
    """

    asked: Asked
    counts: list[tuple[int, ...]]
    answer: Any


class Room:
    """One class. Any thread may call.

    code : by which phones find it; key : the teacher's secret; by : who has opened it
    screen : the secret of the view for a projector
    plan, place : what the teacher has planned, and the number of the item that was asked last; -1 before the first
    """

    def __init__(self, code: str, by: Visitor) -> None:
        self.by = by
        self.code, self.key, self.screen = code, secrets.token_urlsafe(16), secrets.token_urlsafe(16)
        self._turn, self._shown = 0, dict[str, str]()
        self._pictures, self._done = dict[str, Any](), 0
        self.opened = self.watched = time.monotonic()
        self._secret, self._lock = secrets.token_bytes(16), threading.Lock()
        self._phones: dict[str, Phone] = {}
        self._rounds: list[Round] = []
        self.plan, self.place = tuple[Any, ...](), -1

    @property
    def over(self) -> bool:
        """Whether its two hours are over."""
        return time.monotonic() > self.opened + LASTS

    @property
    def unwatched(self) -> bool:
        """Whether no teacher has looked for long."""
        return time.monotonic() > self.watched + (UNWATCHED if self._phones else EMPTY)

    @property
    def phones(self) -> int:
        """How many have joined."""
        return len(self._phones)

    # -- phones -----------------------------------------------------------------------------------------

    def join(self, by: Visitor) -> str:
        """The token of a new phone. Raises Full where there are as many as may be, and all of them still look."""
        now = time.monotonic()
        with self._lock:
            try:
                self._admit(by)
            except Full:
                given = self._rounds[-1].given if self._rounds else {}
                for name in [n for n, each in self._phones.items() if each.seen < now - UNSEEN and n not in given]:
                    del self._phones[name]
                self._admit(by)
            name = secrets.token_urlsafe(9)
            self._phones[name] = Phone(by, now)
        return f"{name}.{self._sign(name)}"

    def _admit(self, by: Visitor) -> None:
        admit("phones", by, Counter(each.by for each in self._phones.values()))

    def phone_of(self, token: str) -> str | None:
        """The phone that this token was given to; None where it is none of this room."""
        name, _, sign = token.partition(".")
        known = hmac.compare_digest(sign.encode(), self._sign(name).encode()) and name in self._phones
        return name if known else None

    def answer(self, name: str, number: int, option: int) -> None:
        """Take a phone's answer to the question of this number, in place of the one before. Raises NotAllowed where
        that is not open any more or has no such answer, Full where answers come too fast.
        """
        now = time.monotonic()
        with self._lock:
            if number != len(self._rounds) or self._rounds[-1].closed:
                raise NotAllowed("This question is closed.")
            if not 0 <= option < len(self._rounds[-1].asked.options):
                raise NotAllowed("This question has no such answer.")
            if (phone := self._phones.get(name)) is None:
                raise NotAllowed("This phone has left the room.")
            if now < phone.answered + APART:
                raise Full("That was too fast. Press again.")
            phone.seen = phone.answered = now
            self._rounds[-1].given[name] = option

    def seen_by(self, name: str) -> dict[str, object]:
        """What a phone is shown: the question, and its own answer; nothing of anybody else's."""
        with self._lock:
            if (phone := self._phones.get(name)) is not None:
                phone.seen = time.monotonic()
            if not self._rounds:
                return {"round": 0}
            last = self._rounds[-1]
            return {
                "round": len(self._rounds),
                "text": last.asked.text,
                "options": last.asked.options,
                "context": last.asked.context,
                "closed": last.closed,
                "mine": last.given.get(name),
            }

    # -- the teacher --------------------------------------------------------------------------------------

    def schedule(self, plan: tuple[Any, ...], place: int) -> None:
        """Take a plan, and the place in it that the class has reached."""
        with self._lock:
            self.plan, self.place = plan, place
            self._turn += 1

    def ask(self, asked: Asked, place: int | None = None) -> None:
        """Ask a question, or the same once more; the one before is closed. Raises Full where there were too many.

        place : number of the item of the plan that it is, if it is one
        """
        with self._lock:
            if len(self._rounds) >= ROUNDS:
                raise Full(f"A room takes at most {ROUNDS} questions. Open a new room.")
            if self._rounds:
                self._rounds[-1].forget()
            self._rounds.append(Round(asked, closed=asked.demonstration))
            self.place = self.place if place is None else place
            self._pictures = {}
            self._turn += 1

    def close(self) -> None:
        """No answers to the question any more; nothing where there is none."""
        with self._lock:
            if self._rounds:
                self._rounds[-1].closed = True
                self._turn += 1

    def reopen(self) -> None:
        """Take answers to the question again. Raises NotAllowed once the answers are shown: the next ones would follow
        them.
        """
        with self._lock:
            if not self._rounds:
                return
            if self._rounds[-1].revealed:
                raise NotAllowed("The answers are already shown. Ask again instead.")
            self._rounds[-1].closed = False
            self._turn += 1

    def reveal(self) -> None:
        """Show the histogram of the question, which is closed by it. Raises NotAllowed where too few have answered, and
        then leaves it as it was.
        """
        with self._lock:
            if not self._rounds:
                return
            last = self._rounds[-1]
            if (there := sum(last.counted())) < FEWEST:
                raise NotAllowed(
                    f"{there} answered. To keep answers anonymous, at least {FEWEST} are needed to show them."
                )
            last.closed = last.revealed = True
            self._turn += 1

    def explain(self, answer: Any) -> None:
        """Show the right answer to the question, which is closed."""
        with self._lock:
            if self._rounds and self._rounds[-1].closed:
                self._rounds[-1].answer = answer
                self._turn += 1

    @property
    def explained(self) -> Any:
        """The right answer to the last question; None before the teacher has shown it."""
        return self._rounds[-1].answer if self._rounds else None

    def keep_picture(self, name: str, state: Any) -> None:
        """Keep what the teacher's page shows in a picture. Raises NotAllowed if there are too many pictures."""
        with self._lock:
            if name not in self._pictures and len(self._pictures) >= PICTURES:
                raise NotAllowed(f"A question has at most {PICTURES} pictures.")
            self._pictures = self._pictures | {name: state}
            self._done += 1

    @property
    def pictures(self) -> Mapping[str, Any]:
        """{name of a picture: what the teacher's page shows in it}."""
        return self._pictures

    @property
    def state(self) -> str:
        """A text that changes whenever what a page shows of the room does."""
        last = self._rounds[-1] if self._rounds else None
        answers = len(last.given) if last else 0
        return f"{self._turn} {len(self._phones)} {answers} {self._done}"

    def show(self, what: Mapping[str, str]) -> None:
        """Say what the teacher runs, for the room's other pages; a key in it reaches no browser by this."""
        with self._lock:
            if dict(what) != self._shown:
                self._shown = dict(what)
                self._turn += 1

    @property
    def shown(self) -> Mapping[str, str]:
        """What the teacher runs."""
        return self._shown

    @property
    def question(self) -> Asked | None:
        """The last question; None before the first."""
        return self._rounds[-1].asked if self._rounds else None

    @property
    def standing(self) -> Standing:
        """Where it stands now; asked by the teacher's page."""
        with self._lock:
            self.watched = time.monotonic()
            if not self._rounds:
                return Standing(len(self._phones), self._turn)
            last = self._rounds[-1]
            phones, rounds = len(self._phones), len(self._rounds)
            shows = last.asked.demonstration
            return Standing(phones, self._turn, rounds, len(last.given), last.closed, last.revealed, shows)

    def histograms(self) -> list[Mapping[str, int]]:
        """{answer: how many gave it} of each time in a row that the last question was asked and revealed, in order."""
        with self._lock:
            same = list(takewhile(lambda each: each.asked == self._rounds[-1].asked, reversed(self._rounds)))
            shown = [each for each in reversed(same) if each.revealed]
            return [dict(zip(each.asked.options, each.counted(), strict=True)) for each in shown]

    def results(self) -> list[Results]:
        """Return how questions were answered, in order, if there are enough answers and none can follow: each is over,
        or its answers are shown.
        """
        with self._lock:
            found = []
            for asked, times in groupby(self._rounds, key=lambda each: each.asked):
                final = [each for each in times if each.revealed or each is not self._rounds[-1]]
                if kept := [each for each in final if sum(each.counted()) >= FEWEST]:
                    found.append(Results(asked, [each.counted() for each in kept], kept[-1].answer))
            return found

    def _sign(self, phone: str) -> str:
        return hashlib.blake2s(phone.encode(), key=self._secret, digest_size=9).hexdigest()
