"""The Library's logic: data, models and trainings, and what of them cannot be had."""

import io
import re
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from boltzcore.data import Own, upload
from boltzcore.data.source import Source
from boltzcore.home import folder
from boltzcore.jobs import work
from boltzcore.ticks import idle
from pages.common import working
from pages.parts import tables
from pages.web.limiter import LIMITS, Limit, Visitor
from tests.pages import visit
from tests.pages.visit import labels, press, until


def learnt(page_links) -> list[dict[str, str]]:
    """Targets of "Train on these data", run by run."""
    return [query for _, label, query in page_links if label.startswith("Train on")]


def opened(**query: str) -> AppTest:
    return visit.visit("library", **query)


def test_a_data_set_that_is_not_here_is_fetched_only_when_asked_for(monkeypatch, tmp_path):
    monkeypatch.delenv("BOLTZCORE_DATA", raising=False)
    monkeypatch.setenv("BOLTZCORE_HOME", str(tmp_path))
    monkeypatch.setenv("HTTPS_PROXY", "http://localhost:9")
    assert "Download" not in labels(opened(set="omniglot"))
    test = opened(set="caltech101")
    assert not test.error
    press(test, "Download")
    assert len(test.error) == 1


def test_what_cannot_be_drawn_gets_its_sentence(monkeypatch, tmp_path):
    test = opened(set="shifting-bar")
    next(field for field in test.text_input if "shifting-bar.B" in field.key).input("9").run()
    assert len(test.error) == 1
    monkeypatch.setenv("BOLTZCORE_DATA", str(tmp_path / "nowhere"))
    assert opened(set="mnist").error[0].value.startswith("BOLTZCORE_DATA")


ROWS = b"1,1,0\n0,1,1\n" * 40


def many() -> AppTest:
    """A visitor who asks for many rows."""
    test = opened(set="clusters")
    next(each for each in test.text_input if each.key.endswith("clusters.n")).input("30000").run()
    return test


@pytest.fixture
def endless(monkeypatch):
    """Many rows are never there."""
    there = Source.load

    def load(self, tick=idle):
        while getattr(self, "n", 0) == 30_000:
            tick(0.01)
            sum(range(1_000))
        return there(self, tick)

    monkeypatch.setattr(Source, "load", load)
    monkeypatch.setattr(working, "AT_ONCE", 0.0)


def test_long_work_leaves_others_alone_is_bounded_for_an_address_and_cancelled(monkeypatch, endless):
    monkeypatch.setitem(LIMITS, "long work", Limit("long computations", 1, 1, 1, 32))
    monkeypatch.setattr(working, "visitor_of_page", lambda: Visitor("address 192.0.2.1", "192.0.2.1"))
    test, other = many(), many()
    assert (len(test.error), len(other.error)) == (0, 1)
    assert other.session_state["work"] == ("", None)
    work = test.session_state["work"][1]
    assert "Cancel" in labels(test)
    opened(set="bars-and-stripes")  # another visitor
    press(test, "Cancel")
    assert not work.is_active
    until(lambda: work.thread is None)
    assert "Cancel" not in labels(test.run())
    assert not test.metric


def test_work_that_takes_too_long_is_refused(monkeypatch, endless):
    monkeypatch.setattr(work, "LONGEST", 0.1)
    monkeypatch.setattr(working, "MOMENT", 0.05)
    test = many()
    until(lambda: test.run().error)


def test_many_rows_are_drawn_beside_the_page(monkeypatch):
    monkeypatch.setattr(working, "AT_ONCE", 0.0)
    test = many()
    assert test.session_state["work"][0]
    until(lambda: "30,000" in [each.value for each in test.run().metric])


def test_an_upload_is_read_once_whether_it_can_be_taken_or_not(monkeypatch):
    read, there = [], tables.look_at
    monkeypatch.setattr(tables, "look_at", lambda file, *how: read.append(file.name) or there(file, *how))
    test = visit.upload(opened(view="data", set="own"), "bad.npz", b"no file of arrays")
    for _ in range(3):
        test.run()
    assert len(test.error) == 1
    assert "bad.npz" in test.error[0].value
    assert read == ["bad.npz"]


def control(test: AppTest, field: str):
    return next(each for each in (*test.selectbox, *test.text_input) if each.key.endswith(f".{field}"))


def kept_tables() -> set[Path]:
    return {*folder("uploads").glob("*.npz")}


def test_a_file_is_read_as_shown_and_kept_only_when_it_is_used():
    test, before = opened(view="data", set="own"), kept_tables()
    visit.upload(test, "clear.csv", b"size;vote\n1,5;yes\n2,5;no\n-99;no\n" * 9)
    assert not test.expander[0].proto.expanded
    visit.worked(control(test, "missing_values").input("-99").run())
    assert (kept_tables(), test.dataframe[0].value.shape) == (before, (7, 2))
    press(test, "Use this table")
    (file,) = kept_tables() - before
    reading = Own(file.stem).reading()
    assert (reading.decimal, reading.separator, reading.missing_values) == ("comma", "semicolon", "-99")
    assert not test.file_uploader[0].value  # its bytes are gone
    visit.upload(test, "next.csv", b"size;vote\n1,5;yes\n2,5;no\n-99;no\n" * 9)
    assert control(test, "missing_values").value == "automatic"


def test_a_file_that_is_refused_asks_for_the_choice_and_is_read_with_it():
    content = b"area,vote,\n" + b"area,no\nother,yes\n" * 9
    test = visit.upload(opened(view="data", set="own"), "doubtful.csv", content)
    assert (len(test.error), len(test.dataframe), test.expander[0].proto.expanded) == (1, 1, True)
    assert test.selectbox[1].key.endswith(".header")  # below the data set
    assert "Use this table" not in labels(test)
    visit.worked(test.selectbox[1].select("yes").run())
    assert (len(test.error), list(test.dataframe[0].value.iloc[0])) == (0, ["area", "no", ""])
    control(test, "skip_rows").input("many").run()
    assert (len(test.error), "Use this table" in labels(test)) == (1, False)
    visit.worked(control(test, "skip_rows").input("").run())
    visit.worked(press(test, "Use this table"))
    assert test.multiselect[0].options == ["area", "vote"]


def test_an_array_leaves_no_choice_and_is_used_at_once():
    np.save(content := io.BytesIO(), np.eye(9, dtype=np.int8))
    test = visit.upload(opened(view="data", set="own"), "eye.npy", content.getvalue())
    assert (len(test.error), test.dataframe[0].value.shape) == (0, (9, 9))


def test_the_preview_of_a_wide_table_of_long_texts_is_bounded():
    rows = (",".join(f"{'x' * 500}{i}{row}" for i in range(300)) for row in range(3))
    test = visit.upload(opened(view="data", set="own"), "wide.csv", "\n".join(rows).encode())
    assert test.dataframe[0].value.shape[1] < 50
    assert max(map(len, test.dataframe[0].value.iloc[0])) < 99


def test_a_table_that_was_damaged_since_its_upload_is_said():
    content = ROWS + b"0,1,1\n"
    test = visit.use(opened(view="data", set="own"), "rows.csv", content)
    assert not test.error
    (folder("uploads") / f"{upload(content).digest}.npz").write_bytes(b"PK")
    assert len(test.run().error) == 1


PEOPLE = b"who,Opp,Taxes\n" + b"".join(
    f"p{i},{'yes' if i % 3 else 'No'},{('a', 'b', '')[i % 3]}\n".encode() for i in range(99)
)


def test_columns_go_by_their_names_and_a_table_leads_to_the_model_for_tables(page_links):
    test = visit.use(opened(view="data", set="own"), "votes.csv", PEOPLE)
    assert "column who" in test.error[0].value
    visit.press(test, "Exclude who")
    assert test.multiselect[0].value == ["who"]
    assert test.multiselect[0].options == ["who", "Opp", "Taxes"]
    assert {"33", "99", "Taxes", "3"} <= set(re.findall(r"\w+", test.error[0].value))
    assert [each.label for each in test.button if each.proto.type == "primary"] == ["Keep incomplete rows"]
    visit.press(test, "Use most frequent")
    assert (len(learnt(page_links)), learnt(page_links)[-1]["own.missing"]) == (1, "most frequent")
    next(box for box in test.selectbox if "own.missing" in box.key).select("refuse").run()
    visit.press(test, "Drop 33 rows")
    assert not test.error
    shown = test.dataframe[0].value
    assert list(shown.columns) == ["Opp", "Taxes"]
    assert list(shown.iloc[0]) == ["No", "a"]
    led = learnt(page_links)[-1]
    assert (led["model"], led["own.leave_out"], led["own.missing"]) == ("fvbm", "who", "drop rows")
    test.multiselect[0].unselect("who").run()
    assert "column who" in test.error[0].value


def test_a_link_with_unknown_choices_says_so_and_of_many_the_first():
    assert len(opened(view="nothing", set="elsewhere", vi="").warning) == 3
    warnings = [each.value for each in opened(**{f"k{i}": "1" for i in range(990)}).warning]
    assert len(warnings) == 9
    assert "982" in warnings[-1]


def test_nothing_chosen_is_what_is_usual():
    """A browser may report an empty selection of what has always one chosen."""
    for key in ("view", "split"):
        assert opened().segmented_control(key=key).set_value(None).run().segmented_control(key="split")
    test = opened(view="data")
    test.session_state["set"] = None
    test.run()
