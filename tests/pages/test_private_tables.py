"""An uploaded table is its uploader's: nobody else's session gets anything of it, whatever happens to its trainings."""

import re
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from boltzcore.data import grants, own, upload
from boltzcore.learners import CD
from boltzcore.measures.memorised import memorised
from boltzcore.runs.recipe import Recipe
from boltzcore.runs.schedule import Schedule
from pages.common import lab
from tests.pages.train import PAGE, QUICK, at, current, enabled, opened, page, press, said, setting, settle

LIBRARY = str(Path(__file__).resolve().parents[2] / "pages" / "library.py")
ROWS = b"Salary,a,b\n" + b"1,1,0\n0,1,1\n1,0,0\n" * 30
SHORT = Schedule(length=20, unit="updates", every=10)


@pytest.fixture
def table():
    """A table that is nobody's yet, of other rows in each test."""
    fixture = upload(ROWS + b"1,0,1\n" * fresh()).changed(leave_out="Salary")
    yield fixture
    grants.end_all(fixture.digest)


def fresh(count=[0]) -> int:  # noqa: B006
    count[0] += 1
    return count[0]


def everything(test: AppTest) -> str:
    """All that a session holds, shows and has in its address."""
    shown = [each.value for kind in (test.text_input, test.code, test.selectbox) for each in kind]
    protos = [str(each.proto) for each in test.main if hasattr(each, "proto")]
    return " ".join([said(test), *map(str, shown), *protos, repr(test.session_state), repr(dict(test.query_params))])


def holds_nothing(test: AppTest, table) -> None:
    assert not test.exception
    found = everything(test)
    assert table.digest not in found
    assert "Salary" not in found


def test_who_watches_a_training_holds_nothing_of_its_table_when_the_owner_deletes_it(table):
    owner = settle(press(opened(Recipe(data=table, schedule=SHORT)), "Step"), "paused")
    guest = page(run=current(owner).id)
    assert "You are watching someone else's training." in said(guest)
    holds_nothing(guest, table)
    equal = AppTest.from_file(str(PAGE), default_timeout=60)  # of who has uploaded equal rows
    equal.query_params["run"] = current(owner).id
    equal.session_state["secrets of tables"] = [grants.give(table.digest)]
    assert "Salary" not in everything(equal.run())
    assert not enabled(equal, "Start my own copy")
    lab.engine().delete(current(owner).id)
    holds_nothing(guest.run(), table)
    before = len(lab.engine().runs())
    play = next(button for button in guest.run().button if button.label == "Play")
    play.proto.disabled = False  # as a client of one's own
    play.click().run()
    assert not any(table == run.recipe.data for run in lab.engine().runs()[before:])
    holds_nothing(guest, table)


def test_no_download_is_made_once_its_table_is_closed(table, monkeypatch):
    made = []
    monkeypatch.setattr(st, "download_button", lambda label, make, *_, **__: made.append(make))
    settle(press(opened(Recipe(data=table, schedule=SHORT)), "Play"), "finished")
    assert made
    assert all(make() for make in made)
    grants.end_all(table.digest)
    for make in made:
        with pytest.raises(ValueError, match=re.escape(lab.NOT_OPEN)):
            make()


def test_who_comes_back_from_a_training_on_a_table_of_another_holds_nothing_of_it(table):
    owner = settle(press(opened(Recipe(data=table, schedule=SHORT)), "Step"), "paused")
    theirs = current(owner).id
    guest = settle(press(opened(QUICK), "Play"), "finished")
    mine, key = current(guest).id, current(guest).key
    guest = page(run=mine, key=key, **QUICK.to_query())
    for run in (theirs, mine, theirs):  # as a link, Back and Open of the Library lead there
        guest.query_params.clear()
        guest.query_params["run"] = run
        guest.session_state["run"] = run
        guest.run()
        holds_nothing(guest, table)
    guest.session_state["run"] = mine
    guest.query_params["run"] = mine
    guest.run()
    assert setting(guest)["data"] == QUICK.data.name
    before = {run.id for run in lab.engine().runs()}
    settle(press(guest, "Reset"), "paused")
    begun = [run for run in lab.engine().runs() if run.id not in before]
    assert [run.recipe.data for run in begun] == [QUICK.data]


def test_who_pins_what_is_only_watched_gets_no_address_of_it(table, monkeypatch):
    links = []
    monkeypatch.setattr(st, "page_link", lambda page, **given: links.append(given["label"]))
    first, second = (
        current(settle(press(opened(Recipe(data=table, learner=CD(rate), schedule=SHORT)), "Step"), "paused")).id
        for rate in (0.1, 0.2)
    )
    guest = page(run=second, pin=first)
    assert at(guest)["pin"] == first
    assert "Race these" not in links
    holds_nothing(guest, table)


def test_a_pinned_run_of_another_does_not_tell_that_its_rows_are_equal(table):
    theirs = Recipe(data=table, learner=CD(0.1234), schedule=SHORT)
    first = current(settle(press(opened(theirs), "Step"), "paused"))
    other = page(**Recipe(data=table, schedule=SHORT).to_query(), table=grants.give(table.digest), pin=first.id)
    assert at(other)["pin"] == first.id
    assert "other data than these" in said(other)
    assert not any("0.1234" in code.value for code in other.code)  # links of Share


def test_a_link_with_a_digest_alone_is_refused_in_a_sentence(table):
    guest = page(**Recipe(data=table).to_query(), play="1")
    assert said(guest).count("does not open the table that own.digest names") == 1
    assert table.digest not in said(guest)
    assert table.digest not in repr(guest.session_state)
    assert not enabled(guest, "Play")


def test_the_address_of_the_uploader_opens_the_table_again_and_no_link_to_share_has_its_secret(table):
    owner = settle(press(opened(Recipe(data=table, schedule=SHORT)), "Step"), "paused")
    address = at(owner)
    secret = address["table"]
    assert not any(secret in code.value for code in owner.code)
    watching = next(code.value for code in owner.code if "run=" in code.value)
    assert table.digest not in watching
    assert "Salary" not in watching
    again = page(**address)
    assert current(again).id == current(owner).id
    assert enabled(again, "Play")
    assert setting(again)["own.digest"] == table.digest


def test_a_run_cannot_go_on_once_its_table_was_taken_back(table):
    uploader = grants.opened_by(grants.give(table.digest))
    link = grants.give(table.digest, uploader)
    guest = settle(press(page(**Recipe(data=table, schedule=SHORT).to_query(), table=link), "Step"), "paused")
    count = current(guest).snapshot.state.count
    grants.end(grants.opened_by(link))
    holds_nothing(guest.run(), table)
    assert "deleted or withdrawn" in said(guest)
    for label in ("Play", "Step", "Reset", "New seed"):
        button = next(button for button in guest.button if button.label == label)
        button.proto.disabled = False  # as a client of one's own
        button.click().run()
        holds_nothing(guest, table)
    assert current(guest).snapshot.state.count == count


def test_a_training_that_has_not_learnt_is_not_trained_on_once_its_table_was_taken_back(table):
    poor = Recipe(data=table, learner=CD(rate=1e-6, batch_size=0), schedule=SHORT)
    secret = grants.give(table.digest)
    owner = settle(press(page(**poor.to_query(), table=secret), "Play"), "finished").run()
    label = next(button.label for button in owner.button if button.label.startswith("Train on to"))
    grants.end(grants.opened_by(secret))
    press(owner, label)
    assert not owner.exception
    assert current(owner).recipe.schedule.length == SHORT.length
    assert current(owner).snapshot.status == "finished"


def test_who_deletes_a_table_ends_all_that_opened_it_here(table):
    first, second = (grants.give(table.digest) for _ in range(2))
    others = grants.give(table.digest)
    owner = AppTest.from_file(LIBRARY, default_timeout=60)
    owner.session_state["secrets of tables"] = [first, second]
    owner.query_params.update({"view": "data", "set": "own"})
    press(owner.run(), "Delete this table")
    assert [grants.opened_by(secret) is None for secret in (first, second, others)] == [True, True, False]


def test_a_link_to_a_table_is_made_and_withdrawn_in_the_library(table):
    owner = AppTest.from_file(LIBRARY, default_timeout=60)
    owner.query_params.update({"view": "data", "set": "own", "table": grants.give(table.digest)})
    press(owner.run(), "Make a link")
    (link,) = (code.value for code in owner.code if "table=" in code.value)
    secret = re.search(r"table=([\w-]+)", link)[1]
    assert secret not in owner.query_params["table"]
    assert any(re.fullmatch(r"Link 1, made [-0-9]{10} [0-9:]{5} UTC", each.value) for each in owner.markdown)
    guest = AppTest.from_file(LIBRARY, default_timeout=60)
    guest.query_params.update({"view": "data", "set": "own", "table": secret})
    assert "Somebody else uploaded this table" in " ".join(each.value for each in guest.run().caption)
    assert guest.dataframe
    press(owner, "Withdraw")
    guest.run()
    assert not guest.dataframe
    assert table.digest not in " ".join(str(each.proto) for each in guest.main)
    late = AppTest.from_file(LIBRARY, default_timeout=60)
    late.query_params.update({"view": "data", "set": "own", "table": secret})
    assert "withdrawn" in " ".join(each.value for each in late.run().warning)
    press(owner, "Delete this table")
    assert not owner.dataframe
    assert not own.Own(table.digest).at_hand()


def test_a_full_disk_refuses_an_uploaded_table_in_a_sentence(table, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(grants, "give", full)
    with pytest.raises(ValueError, match=r"^The table cannot be kept on this machine: No space left on device\.$"):
        lab.keep_table(table)


def test_a_training_pauses_once_the_link_that_it_was_begun_with_is_withdrawn(table):
    uploader = grants.opened_by(secret := grants.give(table.digest))
    long = Recipe(data=table, schedule=Schedule(length=100_000, unit="epochs", every=10_000))
    guest = page(**long.to_query(), table=grants.give(table.digest, uploader))
    press(guest, "Play")
    run = current(guest)
    assert run.snapshot.status in ("queued", "starting", "running")
    owner = AppTest.from_file(LIBRARY, default_timeout=60)
    owner.query_params.update({"view": "data", "set": "own", "table": secret})
    press(owner.run(), "Withdraw")
    assert run.snapshot.status == "paused"
    assert "deleted or withdrawn" in said(settle(guest, "paused").run())


def test_what_was_offered_while_a_table_was_open_is_not_made_after_it_was_withdrawn(table):
    recipe = Recipe(data=table)
    refused = lab.check_later(recipe)
    lab.keep_table(table)
    offered = lab.check_later(recipe)
    offered()
    grants.end_all(table.digest)
    for check in (offered, refused):
        with pytest.raises(ValueError, match="does not open the table"):
            check()


def test_the_owner_alone_may_show_samples_to_watchers_and_sees_how_many_are_rows(table):
    def toggles(test: AppTest) -> list:
        return [each for each in test.toggle if each.label == "Show samples to watchers"]

    owner = settle(press(opened(Recipe(data=table, schedule=SHORT)), "Step"), "paused")
    run = current(owner)
    share = memorised(run.snapshot.state.model, run.snapshot.prepared.dataset)
    assert f"{100 * share:.1f}" in said(owner)
    for on in (True, False):
        toggles(owner)[0].set_value(on).run()
        assert (lab.right_of(run) == "samples") is on
    assert not toggles(page(run=run.id))
    link = grants.give(table.digest, grants.opened_by(at(owner)["table"]))
    guest = settle(press(page(**Recipe(data=table, schedule=SHORT).to_query(), table=link), "Step"), "paused")
    assert current(guest).recipe.private
    assert not toggles(guest)
    assert not toggles(settle(press(opened(QUICK), "Step"), "paused"))
