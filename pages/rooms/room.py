"""Rooms of a class: a question at a time, one answer for each phone, and only counts of answers. All is in memory, and
deleted after two hours.

A room has two secrets: the teacher's key steers it, and the key of its projector view only shows it.
"""

import hashlib
import hmac
import secrets
import threading
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pages.common.picture import Still
from pages.rooms.drawings import Drawings
from pages.rooms.rounds import FEWEST, Asked, NotAllowed, Results, RoomState, Round
from pages.web.answers import Full
from pages.web.limiter import Visitor, admit

LASTS = 7_200.0  # seconds of a room
ROUNDS = 200  # questions of a room
UNWATCHED = 600.0  # seconds after which a room without a watching teacher may be ended for another
EMPTY = 5.0  # the same for a room without phones
UNSEEN = 30.0  # seconds after which a phone that has not polled may lose its place to another
APART = 0.1  # seconds between two answers of one phone
PICTURES = 8  # of a question that are mirrored
STILLS, LARGEST_STILLS = 3, 150_000  # pictures of a question that phones show, and their characters together


@dataclass
class Phone:
    """A phone's visitor, the time of its last poll, and of its last answer."""

    by: Visitor
    seen: float
    answered: float = 0.0


class Room:
    """One class. Any thread may call.

    code : for phones to find it; key : the teacher's secret; by : the visitor that has opened it
    screen : the secret of the projector view
    plan, place : the teacher's plan, and the number of the item that was asked last; -1 before the first
    pictures : {name of a picture: its state on the teacher's page}; stills : those that phones show
    shown : the teacher's run, as URL parameters
    """

    def __init__(self, code: str, by: Visitor) -> None:
        self.by = by
        self.code, self.key, self.screen = code, secrets.token_urlsafe(16), secrets.token_urlsafe(16)
        self._turn, self.shown = 0, dict[str, Any]()
        self.pictures, self._done = dict[str, Any](), 0
        self.opened = self.watched = time.monotonic()
        self._secret, self._lock = secrets.token_bytes(16), threading.RLock()
        self._phones: dict[str, Phone] = {}
        self._rounds: list[Round] = []
        self._at, self._since = -1, self.opened  # the present round, and since when
        self.stills, self._stills_digest = tuple[Still, ...](), ""
        self.drawings = Drawings(self._changed)
        self.plan, self.place = tuple[Any, ...](), -1

    @property
    def over(self) -> bool:
        """True if the time of the room is over."""
        return time.monotonic() > self.opened + LASTS

    @property
    def is_abandoned(self) -> bool:
        """True if no teacher has looked for a long time, and no phone either."""
        with self._lock:
            looked = max([self.watched, *(each.seen for each in self._phones.values())])
            return time.monotonic() > looked + (UNWATCHED if self._phones else EMPTY)

    @property
    def phones(self) -> int:
        """Number of phones that have joined."""
        return len(self._phones)

    @property
    def _now(self) -> Round | None:
        """The present round."""
        return self._rounds[self._at] if self._rounds else None

    # -- phones -----------------------------------------------------------------------------------------

    def join(self, by: Visitor) -> str:
        """Return the token of a new phone. Raises Full if the room is full, and all of its phones still poll."""
        now = time.monotonic()
        with self._lock:
            try:
                self._admit(by)
            except Full:
                given = {} if (last := self._now) is None else last.given
                for name in [n for n, each in self._phones.items() if each.seen < now - UNSEEN and n not in given]:
                    del self._phones[name]
                self._admit(by)
            name = secrets.token_urlsafe(9)
            self._phones[name] = Phone(by, now)
        return f"{name}.{self._sign(name)}"

    def _sign(self, phone: str) -> str:
        return hashlib.blake2s(phone.encode(), key=self._secret, digest_size=9).hexdigest()

    def _admit(self, by: Visitor) -> None:
        admit("phones", by, Counter(each.by for each in self._phones.values()))

    def phone_of(self, token: str) -> str | None:
        """Return the phone with this token; None if this room has none."""
        name, _, sign = token.partition(".")
        known = hmac.compare_digest(sign.encode(), self._sign(name).encode()) and name in self._phones
        return name if known else None

    def answer(self, name: str, number: int, option: int) -> None:
        """Take a phone's answer to the question of this number, in place of its earlier one. Raises NotAllowed if the
        question is closed or has no such answer, Full if answers come too fast.
        """
        now = time.monotonic()
        with self._lock:
            if number != self._at + 1 or (last := self._now) is None or last.closed:
                raise NotAllowed("This question is closed.")
            if not 0 <= option < len(last.asked.options):
                raise NotAllowed("This question has no such answer.")
            self._take_from(name, now)
            last.given[name] = option

    def _take_from(self, name: str, now: float) -> None:
        """Register a message of a phone. Raises NotAllowed if it has left, Full if it sends too fast."""
        if (phone := self._phones.get(name)) is None:
            raise NotAllowed("This phone has left the room.")
        if now < phone.answered + APART:
            raise Full("That was too fast. Press again.")
        phone.seen = phone.answered = now

    def put_drawing(self, name: str, bits: str) -> None:
        """Take the drawing of a phone. Raises NotAllowed if it cannot be taken, Full if it comes too fast."""
        with self._lock:
            if (last := self._now) is None or not last.asked.draws or last.closed:
                raise NotAllowed("The class is not drawing now.")
            self._take_from(name, time.monotonic())
            self.drawings.put(name, bits)

    def seen_by(self, name: str) -> dict[str, object]:
        """Return what a phone shows: the question and its own answer, never those of other phones."""
        with self._lock:
            if (phone := self._phones.get(name)) is not None:
                phone.seen = time.monotonic()
            if (last := self._now) is None:
                return {"round": 0}
            return (self.drawings.seen_by(name) if last.asked.draws else {}) | {
                "round": self._at + 1,
                "text": last.asked.text,
                "options": last.asked.options,
                "context": last.asked.context,
                "closed": last.closed,
                "mine": last.given.get(name),
                "right": last.answer.right if last.closed and last.answer is not None else None,
                "discuss": self._standing(last).discusses,
                "stills": self._stills_digest,
            }

    # -- the teacher --------------------------------------------------------------------------------------

    def schedule(self, plan: tuple[Any, ...], place: int) -> None:
        """Take a plan, and the place in it that the class has reached."""
        with self._lock:
            self.plan, self.place = plan, place
            self._turn += 1

    def ask(self, asked: Asked, place: int | None = None) -> None:
        """Ask a question, or the same once more; the one before is closed. Raises Full after too many.

        place : number of the item of the plan that it is, if it is one
        """
        with self._lock:
            if len(self._rounds) >= ROUNDS:
                raise Full(f"A room takes at most {ROUNDS} questions. Open a new room.")
            self._leave()
            closed = asked.demonstration and not asked.draws
            self._rounds.append(Round(asked, closed=closed, occasion=self.occasion(asked, place)))
            self._show(len(self._rounds) - 1, place)

    def review(self, asked: Asked, place: int) -> bool:
        """Show the answers to a question that was asked before at its place in the plan; False if it was not."""
        with self._lock:
            occasion = self.occasion(asked, place)
            found = [n for n, each in enumerate(self._rounds) if (each.asked, each.occasion) == (asked, occasion)]
            if found:
                self._leave()
                self._show(found[-1], place)
            return bool(found)

    def occasion(self, asked: Asked, place: int | None) -> int:
        """Return how many items before this place of the plan ask it; outside the plan, that of the present round."""
        if place is None:
            return last.occasion if (last := self._now) is not None and last.asked == asked else 0
        return sum(item.subject == asked.about for item in self.plan[:place])

    def _changed(self) -> None:
        with self._lock:
            self._turn += 1

    def _leave(self) -> None:
        if (last := self._now) is not None:
            last.seconds += time.monotonic() - self._since
            last.forget()

    def _show(self, number: int, place: int | None) -> None:
        self._at, self._since = number, time.monotonic()
        self.place = self.place if place is None else place
        self.pictures, self.stills, self._stills_digest, self.shown = {}, (), "", {}
        self._turn += 1

    def close(self) -> None:
        """Close the question, if there is one."""
        with self._lock:
            if (last := self._now) is not None:
                last.closed = True
                self._turn += 1

    def reopen(self) -> None:
        """Open the question again, and hide its right answer. Raises NotAllowed once its counts are known: a comparison
        with them would reveal the next answers.
        """
        with self._lock:
            if (last := self._now) is None:
                return
            if last.revealed or last.final:
                raise NotAllowed("This question is over. Vote again instead.")
            last.closed, last.over, last.answer = False, False, None
            self._turn += 1

    def reveal(self) -> None:
        """Show the histogram of the question, and close it. Raises NotAllowed, and changes nothing, if too few have
        answered.
        """
        with self._lock:
            if (last := self._now) is None:
                return
            if (there := sum(last.counted())) < FEWEST:
                raise NotAllowed(
                    f"{there} answered. To keep answers anonymous, at least {FEWEST} are needed to show them."
                )
            last.closed = last.revealed = True
            self._turn += 1

    def explain(self, answer: Any) -> None:
        """Show the right answer to the question, and close it."""
        with self._lock:
            if (last := self._now) is not None and last.closed:
                last.answer = answer
                self._turn += 1

    @property
    def explained(self) -> Any:
        """The right answer to the last question; None before the teacher has shown it."""
        return None if (last := self._now) is None else last.answer

    def keep_picture(self, name: str, state: Any) -> None:
        """Keep the state of a picture on the teacher's page. Raises NotAllowed if there are too many pictures."""
        with self._lock:
            if name not in self.pictures and len(self.pictures) >= PICTURES:
                raise NotAllowed(f"A question has at most {PICTURES} pictures.")
            self.pictures = self.pictures | {name: state}
            self._done += 1

    @property
    def state(self) -> str:
        """A text that changes whenever the pages of the room must change."""
        answers = 0 if (last := self._now) is None else len(last.given)
        return f"{self._turn} {len(self._phones)} {answers} {self._done}"

    def show(self, what: Mapping[str, Any]) -> None:
        """Set the teacher's run, for the room's other pages; a key in it is not sent to any browser by this."""
        with self._lock:
            if dict(what) != self.shown:
                self.shown = dict(what)
                self._turn += 1

    @property
    def question(self) -> Asked | None:
        """The present question; None before the first."""
        return None if (last := self._now) is None else last.asked

    @property
    def standing(self) -> RoomState:
        """Present standing of the room; only the teacher's page reads it, and is so known to watch."""
        with self._lock:
            self.watched = time.monotonic()
            return RoomState(len(self._phones), self._turn) if (last := self._now) is None else self._standing(last)

    def _standing(self, last: Round) -> RoomState:
        return RoomState(
            len(self._phones),
            self._turn,
            self._at + 1,
            sum(last.counted()),
            last.closed,
            last.revealed,
            last.asked.demonstration,
            last.over,
            len(self._times(last)),
            last.answer is not None,
            int(self.seconds(last.asked, last.occasion)),
            last.revealed or last.final,
        )

    def _times(self, last: Round) -> list[Round]:
        """Return each round in which the question of a round was asked on its occasion, up to that one."""
        now = last.asked, last.occasion
        return [each for each in self._rounds[: self._at + 1] if (each.asked, each.occasion) == now]

    def seconds(self, asked: Asked, occasion: int = 0) -> float:
        """Return the seconds for which a question has been shown on this occasion."""
        with self._lock:
            same = [each for each in self._rounds if (each.asked, each.occasion) == (asked, occasion)]
            now = time.monotonic() - self._since if self._now in same else 0.0
            return now + sum(each.seconds for each in same)

    def histograms(self) -> list[Mapping[str, int]]:
        """Return {answer: votes} of each time that the question was asked and revealed, in order."""
        with self._lock:
            shown = [each for each in self._times(last) if each.revealed] if (last := self._now) is not None else []
            return [dict(zip(each.asked.options, each.counted(), strict=True)) for each in shown]

    def results(self, *, final: bool = False) -> list[Results]:
        """Return the answers to the questions on each occasion, in order, if there are enough: each question is over,
        or its answers are shown.

        final : they are given out, so that no answers can follow
        """
        with self._lock:
            found, kept = [], [each for each in self._rounds if each.revealed or each.over]
            if final:
                for each in [each for each in kept if each.enough]:
                    each.final = True
                    if each.over:
                        each.forget()
            while kept:
                first = kept[0].asked, kept[0].occasion
                same = [each for each in kept if (each.asked, each.occasion) == first]
                answers = [each.answer for each in same if each.answer is not None]
                if any(each.enough for each in same):
                    counts = [each.counted() if each.enough else None for each in same]
                    found.append(Results(first[0], counts, answers[-1] if answers else None))
                kept = [each for each in kept if (each.asked, each.occasion) != first]
            return found

    # -- pictures ------------------------------------------------------------------------------

    def keep_stills(self, asked: Asked, found: Sequence[Still]) -> None:
        """Keep the first pictures of a question that a page shows, as far as they are small, for phones."""
        kept: list[Still] = []
        for still in found[:STILLS]:
            if sum(len(each.address) for each in (*kept, still)) <= LARGEST_STILLS:
                kept.append(still)
        with self._lock:
            if kept and self.question == asked:
                self.stills = tuple(kept)
                self._stills_digest = hashlib.blake2s(repr(kept).encode(), digest_size=6).hexdigest()
