"""A login that the operator asks for: what strangers may not, and that nothing is closed without it."""

import pytest
from streamlit.testing.v1 import AppTest

from boltzcore.comparison.comparison import Comparison
from pages.common import lab, members
from pages.parts import cockpit
from tests.pages.visit import press, text_of, until, visit
from tests.runs.toys import batch

STRANGER, MEMBER, NOBODY_ASKS = {"is_logged_in": False}, {"is_logged_in": True, "sub": "17"}, {}
BASE = batch(30, every=10)


def page(name: str, user: dict, **query: str) -> AppTest:
    return visit(name, {"settings_open": cockpit.NONE}, user, **query)  # all settings, on Train


@pytest.mark.parametrize(("user", "trains"), [(STRANGER, False), (MEMBER, True), (NOBODY_ASKS, True)])
@pytest.mark.parametrize("how", ["Play", "Step", "the address"])
def test_a_training_begins_for_members_alone_where_a_login_is_asked_for(user, trains, how):
    before = {run.id for run in lab.engine().runs()}
    test = page("train", user, **BASE.to_query(), **({"play": "1"} if how == "the address" else {}))
    if how != "the address":
        press(test, how)
    made = [run for run in lab.engine().runs() if run.id not in before]
    for run in made:
        run.stop()
    assert (len(made) == 1) == trains
    assert (members.STRANGER in text_of(test)) == (not trains)


def test_a_stranger_begins_no_race(monkeypatch):
    race = Comparison(BASE, {"CD-1": {}, "PCD": {"learner": "PCD"}}, trials=2)
    monkeypatch.setattr(type(lab.engine().races), "create", lambda *_, **__: pytest.fail("it was begun"))
    assert members.STRANGER in text_of(press(page("compare", STRANGER, **race.to_query()), "Play"))


@pytest.mark.parametrize(
    ("name", "query"), [("library", {"view": "data", "set": "own"}), ("denoise", {"source": "upload"})]
)
def test_a_stranger_brings_no_file(name, query):
    for user, offered in ((STRANGER, False), (MEMBER, True), (NOBODY_ASKS, True)):
        test = page(name, user, **query)
        assert bool(test.get("file_uploader")) == offered
        assert (members.STRANGER in text_of(test)) == (not offered)


def test_an_owner_that_has_logged_out_plays_its_training_no_further():
    test = page("train", MEMBER, **BASE.to_query())
    press(test, "Step")
    run = lab.engine().get(test.session_state["run"])
    until(lambda: run.snapshot.status == "paused" and run.snapshot.state.count == 1)
    test.user = STRANGER
    press(test.run(), "Play")
    assert members.STRANGER in text_of(test)
    assert run.snapshot.status == "paused"


def door(user: dict, auth: dict | None = None) -> AppTest:
    def script() -> None:
        from pages.common import members

        members.login_bar()

    test = AppTest.from_function(script, default_timeout=60)
    test.user = user
    if auth is not None:
        test.secrets["auth"] = auth
    return test.run()


def test_the_door_is_there_where_a_login_is_asked_for_alone_and_names_the_identity_provider():
    assert [each.label for each in door(STRANGER).button] == ["Log in"]
    assert [each.label for each in door(MEMBER).button] == ["Log out"]
    assert not door(NOBODY_ASKS).button
    auth = {"redirect_uri": "https://lab.example.org/oauth2callback", "school": {"client_id": "lab"}}
    assert "School" in door(STRANGER, auth).button[0].label
