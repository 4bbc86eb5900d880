"""Records as CSV: every digit of them, as many as a training takes, and as far as the file is whole."""

import pytest

from boltzcore.measures import MEASURES, measures_of
from boltzcore.registry import LEARNERS, MODELS
from boltzcore.training import trace as trace_module
from boltzcore.training.loop import Record
from boltzcore.training.trace import LONGEST_LINE, read_whole_records, trace_csv


def test_a_trace_as_csv_is_exact_and_leaves_gaps(tmp_path):
    records = (
        Record(0, 0.0, 0, 0.0, {"a": 0.1, "b": float("-inf")}),
        Record(10, 0.30000000000000004, 20, 1.5, {"a": 1e-17, "c, d": 2.0}, operations=2**63),
    )
    text = trace_csv(records)
    assert text.splitlines()[0] == 'count,epoch,work,seconds,operations,a,b,"c, d"'
    assert text.splitlines()[2] == f"10,0.30000000000000004,20,1.5,{2**63},1e-17,,2.0"
    (tmp_path / "trace.csv").write_text(text)
    assert read_whole_records(tmp_path / "trace.csv") == (records, True)
    assert trace_csv(()) == "count,epoch,work,seconds,operations\n"


HEAD = "count,epoch,work,seconds,operations"
NAMES = ("validation_log_likelihood", "test_log_likelihood")
OF = f"{HEAD},{NAMES[1]}\n"


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("", []),
        ("no,trace\n1,2\n", []),
        (f"{HEAD}\n1,2,3,4,5", []),
        (f"{HEAD}\n1,2,3,4,5,6\n", []),
        (f"{HEAD},<a href='//x'>a</a>\n", []),
        (f"{HEAD},other\n0,0,0,0,0,1\n", [0]),
        (OF, []),
        (f"{OF}0,0,0,0,0,-1\n5,0,0,0,0,-2\nx,0,0,0,0,-3\n9,0,0,0,0,-4\n", [0, 5]),
        (f"{OF}0,0,0,0,0,-1\n5,0,0\n", [0]),
        (f"{OF}0,0,0,0,0,-1\n5,0,0,x,0,-2\n9,0,0,0,0,-4\n", [0]),
        (f"{OF}0,0,0,0,0,-1\n1{'0' * 400},0,0,0,0,-2\n", [0]),
        (f"{OF}0,0,0,0,0,-1\n5,0,0,0,0,-2\n4,0,0,0,0,-3\n", [0, 5]),
        (f"{OF}-5,0,0,0,0,-1\n", []),
        (f"{OF}0,0,0,0,0,x\n5,0,0,0,0,-2\n", []),
        (f"{OF}0,0,0,0,0,-1\n5,0,0,0,0,-2", [0]),
        (f"{OF}0,0,0,0,0,-1\n5,1.0,0,0,0,-2\n", [0, 5]),
    ],
)
def test_records_are_read_as_far_as_the_file_is_whole(tmp_path, text, counts):
    (tmp_path / "trace.csv").write_text(text)
    records, _ = read_whole_records(tmp_path / "trace.csv")
    assert [record.count for record in records] == counts


def test_no_more_records_are_read_than_a_training_takes(tmp_path, monkeypatch):
    monkeypatch.setattr(trace_module, "MOST_RECORDS", 3)
    records = [Record(n, 0.5, n, 0.1, {"a": 1.0}) for n in range(4)]
    (tmp_path / "trace.csv").write_text(trace_csv(records[:3]))
    assert read_whole_records(tmp_path / "trace.csv") == (tuple(records[:3]), True)
    (tmp_path / "trace.csv").write_text(trace_csv(records))
    assert read_whole_records(tmp_path / "trace.csv") == (tuple(records[:3]), False)


def test_a_record_of_everything_that_can_be_measured_is_no_longer_than_a_line_that_is_read():
    own = {figure for info in LEARNERS.values() for figure in info.units}
    figures = {
        figure for model in MODELS.values() for name in measures_of(model.kind) for figure in MEASURES[name].units
    }
    widest = dict.fromkeys((*own, *figures), -1.2345678901234567e-308)
    record = Record(4 * 10**17, 1.2345678901234567e-05, 2**63, 12345.678901234567, widest)
    assert max(map(len, trace_csv([record]).splitlines())) < LONGEST_LINE / 4
