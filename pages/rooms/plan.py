"""Plan of a class: questions, steps of lessons, races and demonstrations in order, with minutes; a link and a file."""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from boltzcore.quoting import quoted
from pages.rooms.questions import Own, Subject
from pages.rooms.room import Room
from pages.rooms.rounds import NotAllowed
from pages.web.session import SESSION

PLAN = "plan"  # parameter of the address
_OWN = ("question", "answers", "right")  # of a question of the teacher's own, in a file
MINUTES, USUAL = (1, 180), 5  # of an item: least and most, and of a new one
ITEMS, LONGEST, LARGEST = 40, 8_000, 200_000  # items, characters of a link, and bytes of a file
READY = {
    "90 minutes": "boltzmann-machine.1:8,boltzmann-machine.2:8,boltzmann-machine.3:10,boltzmann-machine.4:10,"
    "boltzmann-machine.5:10,rbm.2:8,rbm.3:10,train.handwriting:8,race.digits:10,restore:8",
    "45 minutes": "boltzmann-machine.1:8,boltzmann-machine.3:8,boltzmann-machine.5:9,rbm.3:10,train.handwriting:5,"
    "restore:5",
}


@dataclass(frozen=True)
class PlanItem:
    """One item of a plan. Raises NotAllowed if the minutes are out of bounds."""

    subject: Subject
    minutes: int = USUAL

    def __post_init__(self) -> None:
        if type(self.minutes) is not int or not MINUTES[0] <= self.minutes <= MINUTES[1]:
            allowed = f"a whole number from {MINUTES[0]} to {MINUTES[1]}"
            raise NotAllowed(f"minutes must be {allowed}, not {quoted(self.minutes)}.")


Plan = tuple[PlanItem, ...]


def to_text(plan: Plan) -> str:
    """Return a plan as the parameter of an address."""
    return ",".join(f"{item.subject.name}:{item.minutes}" for item in plan)


def from_text(text: str) -> Plan:
    """Return the plan of a parameter. Raises NotAllowed if it is none."""
    if len(text) > LONGEST:
        raise NotAllowed(f"plan in a link must have at most {LONGEST:,} characters, not {len(text):,}.")
    pairs = [each.partition(":")[::2] for each in text.split(",") if text]
    return _read([{"item": name, "minutes": int(m) if re.fullmatch("[0-9]{1,4}", m) else m} for name, m in pairs])


def to_json(plan: Plan) -> str:
    """Return a plan as the text of a file."""
    return json.dumps({PLAN: [_entry(item) for item in plan]}, indent=1, ensure_ascii=False)


def _entry(item: PlanItem) -> dict[str, Any]:
    own = item.subject.own
    fields = {"item": item.subject.name} if own is None else dict(zip(_OWN, own.to_json(), strict=True))
    return fields | {"minutes": item.minutes}


def from_json(content: bytes) -> Plan:
    """Return the plan of a file. Raises NotAllowed if it is none."""
    if len(content) > LARGEST:
        raise NotAllowed(f"The file of a plan must have at most {LARGEST:,} bytes, not {len(content):,}.")
    try:
        entries = json.loads(content)[PLAN]
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise NotAllowed('The file of a plan must be JSON: {"plan": [{"item": "rbm.2", "minutes": 8}]}.') from error
    return _read(entries if isinstance(entries, list) else [entries])


def _item(entry: Any) -> PlanItem:
    if not isinstance(entry, dict):
        raise NotAllowed(f"It must be an object, not {quoted(entry)}.")
    minutes = entry.get("minutes", USUAL)
    if "question" in entry:
        return PlanItem(Subject(own=Own.from_json(*map(entry.get, _OWN))), minutes)
    return PlanItem(Subject.from_name(str(entry.get("item", ""))), minutes)


def _read(entries: list[Any]) -> Plan:
    """Return the plan of these entries. Raises NotAllowed with the number of the first invalid one."""
    if len(entries) > ITEMS:
        raise NotAllowed(f"A plan must have at most {ITEMS} items, not {len(entries):,}.")
    plan = []
    for number, entry in enumerate(entries, 1):
        try:
            plan.append(_item(entry))
        except NotAllowed as refusal:
            raise NotAllowed(f"Item {number} of the plan: {refusal}") from refusal
    return tuple(plan)


# -- the plan of a session, or of its room ----------------------------------------------------------------


def current(room: Room | None) -> Plan:
    """Return the plan of the room, or of the session if it has none."""
    return room.plan if room is not None else SESSION.plan


def put(room: Room | None, plan: Iterable[PlanItem], place: int | None = None) -> None:
    """Make this the plan. Raises NotAllowed if it has too many items.

    place : number of the item that the class has reached; None keeps the present one
    """
    if len(plan := tuple(plan)) > ITEMS:
        raise NotAllowed(f"A plan must have at most {ITEMS} items.")
    if room is None:
        SESSION.plan = plan
    else:
        room.schedule(plan, room.place if place is None else place)


def parameters(room: Room | None) -> dict[str, str]:
    """Return the parameter of the address; none if the plan is empty or too long for one."""
    text = to_text(current(room))
    return {PLAN: text} if 0 < len(text) <= LONGEST else {}


def go(room: Room, place: int) -> None:
    """Ask the item with this number, or show its answers if it was asked before."""
    if 0 <= place < len(room.plan):
        asked = room.plan[place].subject.asked
        if (place, asked) != (room.place, room.question) and not room.review(asked, place):
            room.ask(asked, place)
