"""An uploaded table is its uploader's: no other session gets anything of it, whatever happens to its trainings."""

import re

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from boltzcore import Comparison, compare
from boltzcore.data import Reading, grants, own
from boltzcore.learners import CD
from boltzcore.training.recipe import Recipe
from boltzcore.training.schedule import Schedule
from pages.common import lab
from pages.race.export import settings
from tests.pages import visit
from tests.pages.train import QUICK, current, field, opened, page, play, setting, settle, step, trained
from tests.pages.visit import at, click_disabled, enabled, labels, links, press, text_of

SHORT = Schedule(length=20, unit="updates", every=10)


def owner_page(table, **changes) -> AppTest:
    """The page of the owner after the first update of a training on the table."""
    return step(opened(Recipe(data=table, schedule=SHORT, **changes)))


def library(**query: str) -> AppTest:
    return visit.visit("library", view="data", set="own", **query)


def holds_nothing(test: AppTest, table) -> None:
    """Nothing of a table is in what a session holds, shows and has in its address."""
    shown = [each.value for kind in (test.text_input, test.code, test.selectbox) for each in kind]
    protos = [str(each.proto) for each in test.main if hasattr(each, "proto")]
    held = repr(test.session_state), repr(dict(test.query_params))
    found = " ".join([text_of(test), *map(str, shown), *protos, *held])
    assert table.digest not in found
    assert "Salary" not in found


def test_a_viewer_of_a_training_holds_nothing_of_its_table_also_when_the_owner_deletes_it(table):
    run = current(owner_page(table))
    before = len(lab.engine().runs())
    guest = page(run=run.id, play="1")
    assert set(guest.query_params) == {"run"}
    assert not enabled(guest, "Start my own copy")
    holds_nothing(guest, table)
    secrets = {"table_secrets": [grants.give(table.digest)]}  # of a visitor that has uploaded equal rows
    equal = visit.visit("train", secrets, run=run.id)
    assert "Salary" not in repr(equal.session_state) + text_of(equal)
    assert not enabled(equal, "Start my own copy")
    lab.engine().delete(run.id)
    holds_nothing(guest.run(), table)
    holds_nothing(click_disabled(guest.run(), "Play"), table)
    assert not any(table == each.recipe.data for each in lab.engine().runs()[before:])


def test_no_download_is_made_once_its_table_is_closed(table, monkeypatch):
    made = []
    monkeypatch.setattr(st, "download_button", lambda label, make, *_, **__: made.append(make))
    play(opened(Recipe(data=table, schedule=SHORT)))
    assert made
    assert all(make() for make in made)
    grants.end_all(table.digest)
    for make in made:
        with pytest.raises(ValueError, match=re.escape(lab.NOT_OPEN)):
            make()


def test_samples_and_the_filled_table_are_downloads_of_the_owner_alone(monkeypatch):
    rows = "".join(f"{'' if i % 7 == 0 else i % 2},{'yes' if i % 2 else 'no'},{i % 3}\n" for i in range(90))
    table = own.upload(f"pay,vote,group\n{rows}".encode(), Reading(header="yes")).changed(missing="drop rows")
    made = {}
    monkeypatch.setattr(st, "download_button", lambda label, make, *_, **__: made.update({label: make}))
    owner = step(opened(Recipe("log-linear", table, "GreedyMDL")))
    filled, drawn = made["Filled table as CSV"]().splitlines(), made["Samples as CSV"]().splitlines()
    assert (filled[0], len(filled)) == ("pay,vote,group,p(pay)", 91)
    assert filled[1].startswith("0,no,0,")
    assert float(filled[1].split(",")[3]) > 0.5
    assert (drawn[0], len(drawn)) == ("pay,vote,group", 1_001)
    made.clear()
    guest = page(run=current(owner).id)
    assert not made
    holds_nothing(guest, table)


def test_a_visitor_back_from_a_training_on_a_table_of_another_holds_nothing_of_it(table):
    theirs = current(owner_page(table)).id
    guest = trained(QUICK)
    mine = current(guest).id
    for run in (theirs, mine, theirs):  # as a link, Back and Open of the Library lead there
        guest.query_params.clear()
        guest.query_params["run"] = guest.session_state["run"] = run
        holds_nothing(guest.run(), table)
    guest.query_params["run"] = guest.session_state["run"] = mine
    assert setting(guest.run())["data"] == QUICK.data.name
    before = {run.id for run in lab.engine().runs()}
    settle(press(guest, "Reset"), "paused")
    assert [run.recipe.data for run in lab.engine().runs() if run.id not in before] == [QUICK.data]


def test_a_pin_of_what_is_only_watched_tells_nothing_of_it(table, page_links):
    first, second = (current(owner_page(table, learner=CD(rate))).id for rate in (0.1234, 0.2))
    guest = page(run=second, pin=first)
    assert at(guest)["pin"] == first
    assert "Race these" not in [label for _, label, _ in page_links]
    holds_nothing(guest, table)
    equal = page(**Recipe(data=table, schedule=SHORT).to_query(), table=grants.give(table.digest), pin=first)
    assert at(equal)["pin"] == first
    assert not any("0.1234" in code.value for code in equal.code)


def test_a_link_with_a_digest_alone_is_refused_in_a_sentence(table):
    guest = page(**Recipe(data=table).to_query(), play="1")
    assert text_of(guest).count(lab.NOT_OPEN) == 1
    holds_nothing(guest, table)
    assert not enabled(guest, "Play")


def test_train_offers_what_the_columns_of_a_table_need_to_its_owner_alone():
    rows = "".join(f"{i},note {i},{'abc'[i % 3]},{'yes' if i % 2 else 'no'},{i % 5 % 2}\n" for i in range(99))
    table = own.upload(f"age,Salary,group,vote,car\n{rows}".encode(), Reading(header="yes"))
    link = Recipe("fvbm", table, "BSLM").to_query()
    holds_nothing(guest := page(**link), table)
    assert not any(each.startswith(("Cut", "Exclude", "Use the")) for each in labels(guest))
    owner = page(**link, table=grants.give(table.digest))
    for label in ("Cut numbers into", "Exclude Salary", "Use the log-linear model"):
        press(owner, label)
    assert not owner.error
    assert (setting(owner)["model"], setting(owner)["own.bins"]) == ("log-linear", "4")
    owner = page(**link, table=grants.give(table.digest))
    press(owner, "Exclude non-binary columns")
    assert (at(owner)["own.leave_out"], enabled(owner, "Play")) == ("age,Salary,group", True)


def test_own_data_and_what_was_chosen_of_them_stand_in_the_lists_of_their_owner():
    rows = "".join(f"{i},{'yes' if i % 2 else 'no'},{i % 5 % 2}\n" for i in range(99))
    table = own.upload(f"age,vote,car\n{rows}".encode(), Reading(header="yes"))
    secret = grants.give(table.digest)
    press(library(table=secret), "Exclude age")
    assert not library(table=secret).error  # a later visit
    for place, choice in ((page(table=secret), "choose data"), (visit.visit("compare"), "data of the race")):
        place.session_state["table_secrets"] = [secret]
        place.run()
        next(box for box in place.selectbox if box.key.startswith(choice)).select("own").run()
        texts = at(place)
        assert (texts["own.digest"], texts["own.leave_out"]) == (table.digest, "age")
    train = page(**Recipe(data=table.changed(leave_out="age")).to_query(), table=secret)
    train.text_input(key="own.leave_out").set_value("age, car").run()
    train.text_input(key="own.seed").set_value("-1").run()  # which is refused, and not kept
    later = library(table=secret)
    assert not later.error
    assert [box.value for box in later.multiselect if box.label == "Excluded columns"] == [["age", "car"]]
    guest = visit.visit("compare")
    assert "own" not in next(box for box in guest.selectbox if box.key.startswith("data of the race")).options


def test_the_address_of_the_uploader_opens_the_table_again_and_no_link_to_share_has_its_secret(table):
    owner = owner_page(table)
    assert not any(at(owner)["table"] in code.value for code in owner.code)
    watching = next(str(query) for query in links(owner) if "run" in query)
    assert table.digest not in watching
    assert "Salary" not in watching
    for data in ("own", "digits"):
        field(owner, "choose data").select(data).run()
        again = page(**at(owner))
        assert current(again).id == current(owner).id
        assert enabled(again, "Play")
        assert setting(again).get("own.digest") == (table.digest if data == "own" else None)
    secret, other = at(owner)["table"], grants.give(own.upload(b"x,y\n" + b"1,1\n0,1\n1,0\n" * 9).digest)
    back = visit.visit("library", {"table_secrets": [secret, other]}, set="own", table=secret)
    assert at(back)["table"] == secret
    back.selectbox[0].select("digits").run()  # a link to other data holds no secret
    assert "table" not in at(back)


def test_the_settings_in_a_saved_race_have_no_link_to_a_private_table_and_none_of_its_columns(table):
    recipe = Recipe(data=table.changed(leave_out="Salary"), schedule=Schedule(length=20, unit="updates"))
    comparison = Comparison(recipe, {"a": {}, "b": {"CD.rate": 0.5}}, trials=2, axis="updates")
    shown = dict(settings(comparison, compare(comparison)))
    assert "0.5" in shown["b"]
    assert not any(word in repr(shown) for word in (table.digest, "Salary", "?data"))


def test_a_run_cannot_go_on_once_its_table_was_taken_back(table):
    link = grants.give(table.digest, grants.find_grant(grants.give(table.digest)))
    guest = step(page(**Recipe(data=table, schedule=SHORT).to_query(), table=link))
    count = current(guest).snapshot.state.count
    grants.end(grants.find_grant(link))
    holds_nothing(guest.run(), table)
    for label in ("Play", "Step", "Reset", "New seed"):
        holds_nothing(click_disabled(guest, label), table)
    assert current(guest).snapshot.state.count == count


def test_a_training_that_has_not_learnt_is_not_trained_on_once_its_table_was_taken_back(table):
    owner = play(opened(Recipe(data=table, learner=CD(rate=1e-6, batch_size=0), schedule=SHORT)))
    grants.end_all(table.digest)
    press(owner, "Continue to")
    assert current(owner).recipe.schedule.length == SHORT.length
    assert current(owner).snapshot.status == "finished"


def test_deleting_a_table_ends_all_that_opened_it_here(table):
    first, second, others = (grants.give(table.digest) for _ in range(3))
    press(visit.visit("library", {"table_secrets": [first, second]}, view="data", set="own"), "Delete this table")
    assert [grants.find_grant(secret) is None for secret in (first, second, others)] == [True, True, False]


def test_a_link_to_a_table_is_made_and_withdrawn_in_the_library(table):
    owner = press(library(table=grants.give(table.digest)), "Create a link")
    (secret,) = (query["table"] for query in links(owner) if "table" in query)
    assert secret != at(owner)["table"]
    guest, before_play = library(table=secret), page(**Recipe(data=table).to_query(), table=secret)
    assert guest.dataframe
    assert before_play.dataframe
    press(owner, "Withdraw")
    assert not guest.run().dataframe
    assert not before_play.run().dataframe
    assert table.digest not in " ".join(str(each.proto) for each in guest.main)
    assert library(table=secret).warning
    press(owner, "Delete this table")
    assert not owner.dataframe
    assert not own.Own(table.digest).at_hand()


def test_a_training_pauses_once_the_link_that_it_was_begun_with_is_withdrawn(table):
    secret = grants.give(table.digest)
    long = Recipe(data=table, schedule=Schedule(length=100_000, unit="epochs", every=10_000))
    guest = page(**long.to_query(), table=grants.give(table.digest, grants.find_grant(secret)))
    run = current(press(guest, "Play"))
    assert run.snapshot.status in ("queued", "starting", "running")
    press(library(table=secret), "Withdraw")
    assert run.snapshot.status == "paused"
    assert settle(guest, "paused").warning


def test_bins_that_cannot_be_are_refused_at_the_field_and_zeros_give_way_to_the_offered_number():
    rows = "".join(f"{i},{i % 2}\n" for i in range(99))
    table = own.upload(f"age,vote\n{rows}".encode(), Reading(header="yes"))
    secret = grants.give(table.digest)

    def typed(field: str, text: str) -> AppTest:
        test = library(table=secret)
        (box,) = (each for each in (*test.text_input, *test.number_input) if each.key.endswith(f"own.{field}"))
        return box.set_value(text).run()

    refused = typed("bins", "20")
    assert "16" in refused.error[0].value
    assert any(each.value == "20" for each in refused.text_input)
    for zero in ("0", "age=0"):
        assert not press(typed("bins", zero), "Cut numbers into").error
        assert own.Own.from_text(table.texts() | grants.choices(grants.find_grant(secret))).bins == "4"
    few = own.upload(b"a,b\n" + b"0,1\n1,0\n" * 6, Reading(header="yes"))
    secret = grants.give(few.digest)
    typed("validation", "20")
    assert own.Own.from_text(few.texts() | grants.choices(grants.find_grant(secret))).validation == 20


def test_a_survey_of_identifiers_numbers_and_gaps_is_taken_at_one_press():
    rows = "".join(
        f"P{7 * i % 999},{18 + 3 * i % 70},{'' if i % 9 == 0 else 'abc'[i % 3]},{'yes' if i % 2 else 'no'}\n"
        for i in range(300)
    )
    table = own.upload(f"respondent,age,group,vote\n{rows}".encode(), Reading(header="yes"))
    test = library(table=(secret := grants.give(table.digest)))
    (first,) = (each for each in test.button if each.proto.type == "primary")
    first.click().run()
    taken = own.Own.from_text(table.texts() | grants.choices(grants.find_grant(secret)))
    assert (taken.leave_out, taken.bins, taken.missing) == ("respondent", "4", "keep rows")
    assert [f"{len(taken.load().train.gaps):,}" in each.delta for each in test.metric] == [True, False, False, False]
