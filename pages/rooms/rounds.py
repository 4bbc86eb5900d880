"""Questions of a room as they are asked, and where one stands."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, NamedTuple

FEWEST = 5  # answers from which on a histogram is shown: of fewer one could guess whose they are
OPTIONS, LONGEST, LONGEST_OPTION = 7, 300, 120  # of a question: answers, characters, and characters of an answer
LONGEST_CONTEXT = 1_500  # characters of what one has to know to answer


class NotAllowed(ValueError):
    """Refusal of a room, as a sentence."""


@dataclass(frozen=True)
class Asked:
    """A question with its answers. Raises NotAllowed if it is too long, or has too few answers.

    about : what it is about, for the teacher's page alone
    context : what one has to know to answer, as plain text for phones
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
    """A question as it was asked once.

    given : {phone: number of its answer}, until another question is shown and it cannot be opened again
    over : whether another one was shown since
    final : whether its counts are known, so that it takes no more answers
    counts : how many gave each answer, from then on
    answer : what is right, and why, once the teacher has shown it
    seconds : for which it was shown
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

    def counted(self) -> tuple[int, ...]:
        """Return the number of votes for each answer, in the order of the answers."""
        counts = Counter(self.given.values())
        return self.counts or tuple(counts[number] for number in range(len(self.asked.options)))

    def forget(self) -> None:
        """Close it, and once its counts are known keep no more of it than those."""
        self.closed = self.over = True
        if self.revealed or self.final:
            self.counts = self.counted()
            self.given.clear()


@dataclass(frozen=True)
class Standing:
    """State of a room for its teacher while answers come.

    phones : that have joined
    turn : how often anything was changed by the teacher: pages that show the room are drawn anew if it is another
    round, answers : number of the question, from 1, and how many have answered it
    over, final : whether another question was shown since, and whether this one cannot be opened again
    votes : how often the question was asked
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
        """0 while the class votes, 1 once that is closed, 2 while it discusses its answers; 3 to 5 the same of the next
        vote; 6 once the right answer is shown.
        """
        return 6 if self.explained else 3 * (self.votes > 1) + self.closed + self.revealed

    @property
    def discusses(self) -> bool:
        """True while the class discusses: it has seen its first answers, and not the right one."""
        return self.stage == 2


class Results(NamedTuple):
    """Votes on a question, once for each time that it was asked.

    counts : how many gave each answer, in the order of the answers
    answer : what the teacher has shown to be right, if anything
    """

    asked: Asked
    counts: list[tuple[int, ...]]
    answer: Any
