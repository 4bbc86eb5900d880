"""Questions of a room as they are asked, and their standing."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from boltzcore.quoting import Refusal

FEWEST = 5  # answers from which on a histogram is shown: fewer would not be anonymous
OPTIONS, LONGEST, LONGEST_OPTION = 7, 300, 120  # of a question: answers, characters, and characters of an answer
LONGEST_CONTEXT = 1_500  # characters of the context


class NotAllowed(Refusal):
    """Refusal by a room, as a sentence."""


@dataclass(frozen=True)
class Asked:
    """A question with its answers. Raises NotAllowed if it is too long, or has too few answers.

    about : its subject, for the teacher's page alone
    context : what is needed to answer, as plain text for phones
    demonstration : there is nothing to answer, and `text` is the title
    draws : each phone may draw a pattern
    """

    text: str
    options: tuple[str, ...]
    about: Any = None
    context: str = ""
    demonstration: bool = False
    draws: bool = False

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
    """One round of a question.

    given : {phone: number of its answer}, until another question is shown and it cannot be opened again
    over : whether another one was shown since
    final : whether its counts are known, so that it takes no more answers
    counts : votes for each answer, once it is final
    answer : the right answer and the reason, once the teacher has shown it
    seconds : for which it was shown
    occasion : number of earlier items of the plan with the same question
    """

    asked: Asked
    given: dict[str, int] = field(default_factory=dict)
    closed: bool = False
    revealed: bool = False
    over: bool = False
    final: bool = False
    counts: tuple[int, ...] = ()
    answer: Any = None
    seconds: float = 0.0
    occasion: int = 0

    @property
    def enough(self) -> bool:
        """True if there are enough answers to show their counts."""
        return sum(self.counted()) >= FEWEST

    def counted(self) -> tuple[int, ...]:
        """Return the number of votes for each answer, in the order of the answers."""
        counts = Counter(self.given.values())
        return self.counts or tuple(counts[number] for number in range(len(self.asked.options)))

    def forget(self) -> None:
        """Close it, and once its counts are known keep only those."""
        self.closed = self.over = True
        if self.revealed or self.final:
            self.counts = self.counted()
            self.given.clear()


@dataclass(frozen=True)
class RoomState:
    """State of a room for its teacher while answers come.

    phones : that have joined
    turn : number of the teacher's changes: when it changes, pages that show the room are drawn again
    round, answers : number of the question, from 1, and of its answers
    over, final : whether another question was shown since, and whether this one cannot be opened again
    votes : how often the question was asked on this occasion
    explained : whether its right answer is shown
    seconds : for which the question has been shown
    """

    phones: int
    turn: int = 0
    round: int = 0
    answers: int = 0
    closed: bool = True
    revealed: bool = False
    demonstration: bool = False
    over: bool = False
    votes: int = 0
    explained: bool = False
    seconds: int = 0
    final: bool = False

    @property
    def stage(self) -> int:
        """0 while the class votes, 1 once the vote is closed, 2 during the discussion; 3 to 5 the same for the next
        vote; 6 once the right answer is shown.
        """
        return 6 if self.explained else 3 * (self.votes > 1) + self.closed + self.revealed

    @property
    def discusses(self) -> bool:
        """True during the discussion: after the first answers are shown, and before the right one."""
        return self.stage == 2


class Results(NamedTuple):
    """Votes on a question, once for each time that it was asked on one occasion.

    counts : votes for each answer, in the order of the answers; None for too few
    answer : the right answer as the teacher has shown it, if any
    """

    asked: Asked
    counts: list[tuple[int, ...] | None]
    answer: Any
