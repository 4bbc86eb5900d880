"""Records as CSV: every digit of them, and as many as a training takes, of a trace that is whole."""

import io

import pytest

from boltzcore.measures import MEASURES, measures_of
from boltzcore.registry import LEARNERS, MODELS
from boltzcore.training import trace as trace_module
from boltzcore.training.loop import Record
from boltzcore.training.trace import LONGEST_LINE, read_records, trace_csv

HEAD = "count,epoch,work,seconds,operations"
OF = f"{HEAD},test_log_likelihood\n"


def read(text):
    return read_records(io.BytesIO(text.encode()))


def test_a_trace_as_csv_is_exact_and_leaves_gaps():
    records = (
        Record(0, 0.0, 0, 0.0, {"a": 0.1, "b": float("-inf")}),
        Record(10, 0.30000000000000004, 20, 1.5, {"a": 1e-17, "c, d": 2.0}, operations=2**63),
    )
    text = trace_csv(records)
    assert text.splitlines()[::2] == [f'{HEAD},a,b,"c, d"', f"10,0.30000000000000004,20,1.5,{2**63},1e-17,,2.0"]
    assert read(text) == records
    assert (trace_csv(()), read(OF)) == (f"{HEAD}\n", ())
    assert [record.count for record in read(f"{OF}0,0,0,0,0,-1\n5,1.0,0,0,0,-2\n")] == [0, 5]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no,trace\n1,2\n",
        f"{HEAD}\n1,2,3,4,5",
        f"{HEAD}\n1,2,3,4,5,6\n",
        f"{HEAD},<a href='//x'>a</a>\n",
        f"{OF}0,0,0,0,0,-1\n5,0,0,0,0,-2\nx,0,0,0,0,-3\n9,0,0,0,0,-4\n",
        f"{OF}0,0,0,0,0,-1\n5,0,0\n",
        f"{OF}0,0,0,0,0,-1\n5,0,0,x,0,-2\n9,0,0,0,0,-4\n",
        f"{OF}0,0,0,0,0,-1\n1{'0' * 400},0,0,0,0,-2\n",
        f"{OF}0,0,0,0,0,-1\n5,0,0,0,0,-2\n4,0,0,0,0,-3\n",
        f"{OF}-5,0,0,0,0,-1\n",
        f"{OF}0,0,0,0,0,x\n5,0,0,0,0,-2\n",
        f"{OF}0,0,0,0,0,-1\n5,0,0,0,0,-2",
    ],
)
def test_a_damaged_trace_is_rejected(text):
    with pytest.raises(ValueError):  # noqa: PT011 - of several libraries
        read(text)


def test_no_more_records_are_read_than_a_training_takes(monkeypatch):
    monkeypatch.setattr(trace_module, "MOST_RECORDS", 3)
    records = [Record(n, 0.5, n, 0.1, {"a": 1.0}) for n in range(4)]
    assert read(trace_csv(records[:3])) == tuple(records[:3])
    with pytest.raises(ValueError):  # noqa: PT011 - no wording
        read(trace_csv(records))


def test_a_record_of_everything_that_can_be_measured_is_no_longer_than_a_line_that_is_read():
    own = {figure for info in LEARNERS.values() for figure in info.units}
    figures = {
        figure for model in MODELS.values() for name in measures_of(model.kind) for figure in MEASURES[name].units
    }
    widest = dict.fromkeys((*own, *figures), -1.2345678901234567e-308)
    record = Record(4 * 10**17, 1.2345678901234567e-05, 2**63, 12345.678901234567, widest)
    assert max(map(len, trace_csv([record]).splitlines())) < LONGEST_LINE / 4
