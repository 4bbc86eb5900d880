"""The logic around every page: the heartbeat, and the owner of a training."""

import errno
import json
from unittest.mock import Mock

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from pages.common import address, lab
from tests.pages.visit import PAGES, visit
from tests.runs.toys import batch


@pytest.fixture
def run():
    made = lab.engine().create(batch(1))
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


def rights(run_id: str, key: str = "") -> AppTest:
    test = AppTest.from_function(whose, args=(run_id, key), default_timeout=60)
    test.query_params.update({"run": run_id} | ({"key": key} if key else {}))
    return test.run()


def test_every_page_has_a_heart_that_beats_for_the_run_of_the_session(run):
    test = visit("shell")
    assert "lab_heart" not in hearts(test)
    test.session_state["run"] = run.id
    assert json.loads(hearts(test.run())["lab_heart"])["run"] == run.id


def hearts(test: AppTest) -> dict[str, str]:
    return {each.proto.component_name: each.proto.json for each in test.get("bidi_component")}


@pytest.mark.parametrize(("key", "owns"), [("", False), ("guessed", False), (None, True)])
def test_the_key_makes_the_owner_stays_with_the_session_and_a_wrong_one_is_not_kept(run, key, owns):
    test = rights(run.id, run.key if key is None else key)
    for _ in range(2):
        assert test.markdown[0].value == f"owns {owns}"
        assert test.markdown[2].value == ("run key" if owns else "run")
        for each in ("run", "key") if owns else ():
            test.query_params.pop(each, None)
        test.run()


def test_a_frame_of_another_site_takes_and_keeps_no_secret(run, monkeypatch):
    monkeypatch.setattr(type(st.context), "is_embedded", property(lambda _: True))
    test = visit("shell", run=run.id, key=run.key, **dict.fromkeys(address.SECRETS[1:], "x"))
    assert not set(address.SECRETS) & set(test.query_params)


def test_a_link_to_no_training_says_so():
    for id in ("0123456789abcdef", "../../etc/passwd"):
        assert rights(id).markdown[1].value


def test_a_disk_that_fails_is_a_sentence_on_any_page_and_a_line_in_the_log(monkeypatch, caplog):
    read_only = Mock(side_effect=OSError(errno.EROFS, "Read-only file system", "/secret/home"))
    monkeypatch.delenv("BOLTZCORE_DATA", raising=False)
    monkeypatch.setattr("boltzcore.data.files.folder", read_only)
    test = AppTest.from_file(str(PAGES / "shell.py"), default_timeout=60)
    test.query_params["set"] = "mnist"
    test.switch_page("library.py").run()
    (error,) = test.error
    assert "Read-only file system" in error.value
    assert "secret" not in error.value
    assert not [each for each in caplog.records if each.exc_info]
