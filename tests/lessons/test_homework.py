"""Homework: the file of a student is read back, and a hostile one is refused."""

import csv
import io
import json

import pytest

from boltzcore.quoting import Refusal
from pages.lessons.catalogue import LESSONS
from pages.lessons.homework import LARGEST, Homework
from pages.lessons.replies import Reply
from pages.rooms.homework import to_csv

STEPS = LESSONS["rbm"].steps
REST = len(STEPS) - 1
SAID = (Reply(STEPS[0].right, 1), *[Reply()] * REST)
DONE = Homework("=Ann", "rbm", SAID, ("because <b>", *[""] * REST), ((3,), *[()] * REST))
SENT = json.loads(DONE.to_json())


def test_a_file_is_read_back_and_becomes_rows_that_no_spreadsheet_runs():
    assert Homework.from_json(DONE.to_json().encode()) == DONE
    assert (DONE.right[0], sum(DONE.right)) == (True, 1)
    rows = list(csv.DictReader(io.StringIO(to_csv([DONE, DONE]))))
    assert len(rows) == 2 * len(STEPS)
    written = {"name": "'=Ann", "right": "yes", "reason": "because <b>", "run": "3"}
    assert rows[0] == rows[0] | written


@pytest.mark.parametrize(
    "content",
    [
        *(b"", b"[]", b"{}", b"\xff", b"[" * 10_000, b"7", b" " * (LARGEST + 1)),
        *(
            json.dumps(SENT | changed).encode()
            for changed in (
                *({"name": ""}, {"name": "x" * 61}, {"name": 1}, {"name": "a\nb"}, {"name": "\u202ex"}),
                *({"lesson": "x"}, {"lesson": ["rbm"]}, {"replies": None}, {"replies": "b" * 301}),
                *({"reasons": []}, {"reasons": ["x" * 301] * len(STEPS)}, {"reasons": [1] * len(STEPS)}),
                *({"runs": "x" * len(STEPS)}, {"runs": [[0] * 7] * len(STEPS)}, {"runs": [["3"]] * len(STEPS)}),
                *({"runs": [[True]] * len(STEPS)}, {"runs": [[1e300]] * len(STEPS)}),
            )
        ),
        DONE.to_json().replace("3", "NaN", 1).encode(),
    ],
)
def test_a_file_that_is_no_homework_is_refused(content):
    with pytest.raises(Refusal):
        Homework.from_json(content)


def test_answers_that_no_question_has_are_passed_over():
    for replies in ("fF.zz", ""):  # the latter of a student who has answered none
        found = Homework.from_json(json.dumps(SENT | {"replies": replies}).encode())
        assert not any(reply.done for reply in found.replies)
