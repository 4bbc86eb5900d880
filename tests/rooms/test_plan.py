"""A plan of a class: the same from a link and from a file; a hostile one is refused. Results as CSV and as a page."""

import ast
import csv
import io
import json

import pytest

from boltzcore import Comparison, Recipe
from pages.lessons.catalogue import LESSONS
from pages.rooms import handouts, results
from pages.rooms import plan as plans
from pages.rooms import room as rooms
from pages.rooms.plan import PlanItem
from pages.rooms.questions import DEMONSTRATIONS, Own, Subject, read_comparison
from pages.rooms.registry import Rooms
from pages.rooms.rounds import FEWEST, NotAllowed
from pages.web.limiter import Visitor

OWN = Subject(own=Own("=1+1, <b>is</b> it: é?", ("yes, it is", "no"), 1))
PLAN = (
    *(PlanItem(Subject("rbm", 1), 8), PlanItem(Subject(race="digits"), 10), PlanItem(OWN, 3)),
    *(PlanItem(Subject(shown=name)) for name in DEMONSTRATIONS),
    PlanItem(Subject(other=read_comparison("/compare?preset=noise"))),
)


def test_a_plan_from_its_link_is_that_from_its_file():
    assert plans.from_text(plans.to_text(PLAN)) == plans.from_json(plans.to_json(PLAN).encode()) == PLAN
    assert all(item.subject.asked.text for item in PLAN)
    assert plans.from_text("") == ()


@pytest.mark.parametrize("minutes", [90, 45])
def test_ready_plans_take_the_time_that_they_say(minutes):
    assert sum(item.minutes for item in plans.from_text(plans.READY[f"{minutes} minutes"])) == minutes


QUESTION = {"question": "Why?", "answers": ["a", "b"], "right": "A", "minutes": 5}


@pytest.mark.parametrize(
    "content",
    [
        *(b"", b"\xff", b"[" * 100_000, b"[]", b"{}", b'{"plan": 1}', b" " * 300_000, b'{"plan": ["rbm.2:5"]}'),
        json.dumps({"plan": [QUESTION] * 41}).encode(),
        *(
            json.dumps({"plan": [QUESTION | each]}).encode()
            for each in (
                *({"question": 1}, {"question": ""}, {"question": "x" * 301}, {"answers": "ab"}, {"answers": ["a"]}),
                *({"answers": ["a", {}]}, *({"right": letter} for letter in ("C", 0, True, "AB", []))),
                *({"minutes": count} for count in (0, 1e9, True, 10**400, None)),
            )
        ),
        *(json.dumps({"plan": [{"item": name}]}).encode() for name in ("", "rbm.0", "race.x", "own.", "compare.eA", 7)),
    ],
    ids=lambda content: content[:60].decode(errors="replace"),
)
def test_a_file_that_is_no_plan_is_refused(content):
    with pytest.raises(NotAllowed):
        plans.from_json(content)


def test_a_text_in_a_plan_is_one_line_that_can_be_printed():
    hostile = QUESTION | {"question": "a\ud800\u202e\nb\x00", "answers": [" x\t", "y"]}
    (item,) = plans.from_json(json.dumps({"plan": [hostile]}).encode())
    assert item.subject.own == Own("a b", ("x", "y"), 0)


def test_a_question_at_two_places_of_a_plan_is_asked_at_both_and_each_has_its_own_minutes_and_answers(monkeypatch):
    room, (first, other, *_) = Rooms().open(Visitor("visitor 0", "192.0.2.1")), PLAN
    now, asked = [room.opened], first.subject.asked
    monkeypatch.setattr(rooms.time, "monotonic", lambda: now[0])
    room.schedule((first, other, first), -1)
    phones = [room.phone_of(room.join(Visitor(f"visitor {i}", "192.0.2.1"))) for i in range(FEWEST)]
    for place, number in ((0, 1), (1, 2), (2, 3), (0, 1), (2, 3)):  # the last two are shown as they were answered
        plans.go(room, place)
        now[0] += 60 * number
        for phone in phones if not room.standing.closed else ():
            room.answer(phone, number, place // 2)
        assert (room.place, room.standing.round, room.standing.votes) == (place, number, 1)
    assert [each.counts[-1][:2] for each in room.results()] == [(FEWEST, 0), (FEWEST, 0), (0, FEWEST)]
    room.ask(asked)  # vote again
    plans.go(room, 1)
    plans.go(room, 2)
    assert room.standing.round == 4
    assert [room.seconds(asked, room.occasion(asked, place)) for place in (0, 2)] == pytest.approx([120, 360])


def test_results_count_each_question_before_and_after_discussion_and_leave_out_small_and_open_ones(monkeypatch):
    monkeypatch.setattr(rooms, "APART", 0.0)
    room = Rooms().open(Visitor("visitor 0", "192.0.2.1"))
    phones = [room.phone_of(room.join(Visitor(f"visitor {i}", "192.0.2.1"))) for i in range(FEWEST)]

    def ask(subject, options):
        room.ask(subject.asked)
        for phone, option in zip(phones, options, strict=False):
            room.answer(phone, room.standing.round, option)

    ask(OWN, [0] * FEWEST)
    ask(OWN, [1] * FEWEST)
    ask(Subject("rbm", 1), [0] * (FEWEST - 1))
    ask(Subject("rbm", 0), [0] * FEWEST)
    ask(Subject(shown="restore"), [])
    ask(Subject("rbm", 2), [0] * FEWEST)
    room.close()  # answers could follow
    found = room.results()
    rows = list(csv.reader(io.StringIO(results.to_csv(found))))[1:]
    assert rows[:2] == [
        ["1", f"'{OWN.own.text}", "yes, it is", "no", str(FEWEST), "0"],
        ["1", f"'{OWN.own.text}", "no", "yes", "0", str(FEWEST)],
    ]
    assert [row[4:] for row in rows[2:]] == [[str(FEWEST), ""], *[["0", ""]] * (len(rows) - 3)]
    assert {row[1] for row in rows[2:]} == {Subject("rbm", 0).asked.text}
    page = results.to_page(found)
    assert "<b>is</b>" not in page
    assert page.count("<article>") == 2
    room.reveal()
    assert len(room.results()) == 3


# A step of each kind that a notebook has code for, but those whose trainings take seconds.
QUICK = (
    "boltzmann-machine.4 boltzmann-machine.5 rbm.1 rbm.3 rbm.5 fvbm.1 fvbm.3 log-linear.3 log-linear.4 crbm.1 crbm.5 "
    "restore"
)
WHOLE = [" ".join(f"{name}.{step}" for step in range(1, len(each.steps) + 1)) for name, each in LESSONS.items()]


@pytest.mark.parametrize("names", [QUICK, *(pytest.param(each, marks=pytest.mark.nightly) for each in WHOLE)])
def test_a_notebook_of_a_plan_runs(names, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # it saves models and records
    subjects = list(map(Subject.from_name, names.split()))
    cells = json.loads(handouts.to_notebook("A plan", subjects))["cells"]
    assert len({cell["id"] for cell in cells}) == len(cells)
    for text in ("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"):
        exec(text, {"__name__": "__main__"})
        assert capsys.readouterr().out


def test_texts_of_others_stay_texts_in_handouts():
    hostile = '</script><img src=x onerror=alert(1)> **x** """'
    race = Subject(other=Comparison(Recipe(), {hostile: {}, "CD-9": {"CD.K": 9}}))
    subjects = [Subject(own=Own(hostile, (hostile, "no"))), race]
    assert "<img" not in (sheet := handouts.to_worksheet("", subjects))
    assert sheet.count("**x**") == 3
    cells = json.loads(handouts.to_notebook(hostile, subjects))["cells"]
    assert not any(
        "<img" in line.replace("\\<", "") for c in cells if c["cell_type"] == "markdown" for line in c["source"]
    )
    assert [ast.parse("".join(cell["source"])) for cell in cells if cell["cell_type"] == "code"]
