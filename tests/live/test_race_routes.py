"""The frames of a race past the script: for every visitor with its link, but on a private table."""

import json
from dataclasses import replace

import pytest

from boltzcore import Comparison
from boltzcore.data import grants, upload
from pages.common import lab
from tests.live.conftest import newest, titles, until
from tests.runs.toys import batch

PICTURES = "Receptive fields"  # the title of a panel
CONTENDERS = {"CD-1": {}, "CD-4": {"CD.K": 4}}


@pytest.fixture
def made():
    races = []

    def make(data):
        base = replace(batch(30, every=10), data=data)
        race = lab.engine().races.create(Comparison(base, CONTENDERS, trials=2), play=True)
        until(lambda: race.snapshot.status == "finished")
        races.append(race)
        return race

    yield make
    for race in races:
        lab.engine().races.delete(race)


def test_a_visitor_with_its_id_may_watch_it(ask, made):
    race = made("bars-and-stripes")
    frame = newest(ask, f"/race/{race.id}/newest")
    assert PICTURES in titles(frame)
    assert PICTURES not in titles(newest(ask, f"/race/{race.id}/newest?hidden=1"))
    assert newest(ask, f"/race/{race.id}/newest?against=CD-4")["lines"] != frame["lines"]
    assert ask(f"/race/{race.id}/newest?against=CD-5").status == 400
    assert ask(f"/race/{race.id}/alive").status == 204
    assert ask("/race/0000000000000000/newest").status == 404


def test_one_on_a_private_table_is_for_visitors_that_may_open_it_until_that_ends(ask, made):
    table = upload(b"Salary,b\n" + b"low,0\nhigh,1\nlow,1\n" * 20)
    lab.keep_table(table)
    race, other, grant = made(table), made("bars-and-stripes"), lab.grant_of(table.digest)
    right, another = (lab.opening(each.id, race.comparison.base) for each in (race, other))
    for shown in ("", f"?open={grant.key}.{'0' * 32}", f"?open={table.digest}", f"?open={another}"):
        assert ask(f"/race/{race.id}/newest{shown}").status == 404
        assert ask(f"/race/{race.id}/alive{shown}").status == 404
    frame = newest(ask, f"/race/{race.id}/newest?open={right}")
    assert frame["lines"]
    assert table.digest not in json.dumps(frame)
    grants.end(grant)
    assert ask(f"/race/{race.id}/newest?open={right}").status == 404
