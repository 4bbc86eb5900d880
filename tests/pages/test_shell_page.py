"""The logic around every page: the heartbeat, and who owns a training."""

import errno
import json
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from boltzcore.learners import CD
from boltzcore.runs.recipe import Recipe
from boltzcore.runs.schedule import Schedule
from pages.common import lab

SHELL = str(Path(__file__).resolve().parents[2] / "pages" / "shell.py")


@pytest.fixture
def run():
    made = lab.engine().create(Recipe(data="bars-and-stripes", learner=CD(batch_size=0), schedule=Schedule(length=1)))
    yield made
    lab.engine().delete(made.id)


def whose(run_id: str, key: str):
    """A script that says what a session may do with a run."""
    import streamlit as st

    from pages.common import lab

    run = lab.current_run()
    st.write(f"owns {run is not None and lab.owns(run)}")
    st.write(lab.lost_run())
    st.write(" ".join(lab.parameters()))


def visit(run_id: str, key: str = "") -> AppTest:
    test = AppTest.from_function(whose, args=(run_id, key), default_timeout=60)
    test.query_params["run"] = run_id
    if key:
        test.query_params["key"] = key
    return test.run()


def test_every_page_has_a_heart_that_beats_for_the_run_of_the_session(run):
    test = AppTest.from_file(SHELL, default_timeout=60).run()
    assert "lab_heart" not in hearts(test)
    test.session_state["run"] = run.id
    test.run()
    assert not test.exception
    assert json.loads(hearts(test)["lab_heart"])["run"] == run.id


def hearts(test: AppTest) -> dict[str, str]:
    return {each.proto.component_name: each.proto.json for each in test.get("bidi_component")}


def test_the_key_makes_the_owner(run):
    assert visit(run.id, run.key).markdown[0].value == "owns True"


def test_a_link_without_the_key_and_a_wrong_key_own_nothing(run):
    assert visit(run.id).markdown[0].value == "owns False"
    guessing = visit(run.id, "guessed")
    assert guessing.markdown[0].value == "owns False"
    assert visit(run.id).markdown[2].value == guessing.markdown[2].value == "run"  # a wrong key is not kept


def test_the_key_stays_with_the_session_when_the_address_loses_it(run):
    test = visit(run.id, run.key)
    del test.query_params["run"], test.query_params["key"]
    test.run()
    assert test.markdown[0].value == "owns True"
    assert test.markdown[2].value == "run key"


def test_a_frame_of_another_site_takes_and_keeps_no_secret(run, monkeypatch):
    import streamlit as st

    from pages.common import address

    monkeypatch.setattr(type(st.context), "is_embedded", property(lambda _: True))
    test = AppTest.from_file(SHELL, default_timeout=60)
    for name, text in {"run": run.id, "key": run.key, **dict.fromkeys(address.SECRETS[1:], "x")}.items():
        test.query_params[name] = text
    test.run()
    assert not test.exception
    assert not set(address.SECRETS) & set(test.query_params)


def test_a_link_to_no_training_says_so():
    assert visit("0123456789abcdef").markdown[1].value.startswith("There is no training '0123456789abcdef' here")
    assert visit("../../etc/passwd").markdown[1].value.startswith("There is no training")


def test_only_the_owner_deletes(run):
    def stranger(run_id: str):
        from pages.common import lab

        lab.delete(run_id)

    AppTest.from_function(stranger, args=(run.id,), default_timeout=60).run()
    assert lab.engine().get(run.id) is run


def test_a_disk_that_fails_is_a_sentence_on_any_page_and_a_line_in_the_log(monkeypatch, caplog):
    def read_only(*_):
        raise OSError(errno.EROFS, "Read-only file system", "/secret/home")

    monkeypatch.delenv("BOLTZCORE_DATA", raising=False)
    monkeypatch.setattr("boltzcore.data.files.folder", read_only)
    test = AppTest.from_file(SHELL, default_timeout=60)
    test.query_params["set"] = "mnist"
    test.switch_page("library.py").run()
    assert not test.exception
    (error,) = test.error
    assert "Read-only file system" in error.value
    assert "secret" not in error.value
    assert not [each for each in caplog.records if each.exc_info]
