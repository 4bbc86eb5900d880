"""Questions to a log-linear model on the command line, against sums over all of its states."""

import json

import numpy as np
import pytest

from boltzcore.__main__ import main
from boltzcore.data import load as load_data
from boltzcore.models import RBM, LogLinear
from boltzcore.names import Names
from tests.models.test_log_linear import drawn, law, states

SIZES = (2, 3, 2)
NAMES = Names(("smokes", "age, in years", "ill"), (("no", "yes"), ("young", "1", "old"), ("no", "yes")))


@pytest.fixture
def model() -> LogLinear:
    return drawn(SIZES, 7, seed=3)


@pytest.fixture
def file(model, tmp_path):
    model.save(tmp_path / "model.npz", names=NAMES)
    return str(tmp_path / "model.npz")


@pytest.fixture
def run(capsys):
    def call(*arguments: str) -> tuple[int, str, str]:
        status = main(["query", *arguments])
        return status, *capsys.readouterr()

    return call


@pytest.fixture
def told(run):
    """The JSON of a query that must succeed."""

    def call(*arguments: str):
        status, out, err = run(*arguments, "--json")
        assert status == 0, err
        return json.loads(out)

    return call


def conditional(model: LogLinear, variable: int, known: dict[int, int]) -> list[float]:
    """P(variable | known) by adding up states."""
    x, p = states(SIZES), law(model)
    held = np.all([x[:, i] == code for i, code in known.items()] or [np.ones(len(x), bool)], axis=0)
    return [p[held & (x[:, variable] == code)].sum() / p[held].sum() for code in range(SIZES[variable])]


def probabilities(answer) -> list[float]:
    return [value["probability"] for value in answer["values"]]


@pytest.mark.parametrize("given", ["smokes=yes,ill=no", "x1=1,x3=0", "smokes=1, x3 = no"])
def test_a_conditional_is_that_of_the_sum_over_states(told, file, model, given):
    found = told(file, "--given", given, "--ask", "age, in years")
    (answer,) = found["answers"]
    assert answer["variable"] == "age, in years"
    assert [value["value"] for value in answer["values"]] == ["young", "1", "old"]
    assert probabilities(answer) == pytest.approx(conditional(model, 1, {0: 1, 2: 0}))
    x, p = states(SIZES), law(model)
    assert found["probability_of_given"] == pytest.approx(p[(x[:, 0] == 1) & (x[:, 2] == 0)].sum())


def test_without_ask_every_other_variable_is_told(told, file, model):
    found = told(file, "--given", "ill=yes")
    assert [answer["variable"] for answer in found["answers"]] == ["smokes", "age, in years"]
    for answer, variable in zip(found["answers"], (0, 1), strict=True):
        assert probabilities(answer) == pytest.approx(conditional(model, variable, {2: 1}))
    assert len(told(file)["answers"]) == 3


def test_a_text_comes_before_a_code(told, file, model):
    """The text 1 of the second column is its code 1 by chance; another column's text would not be."""
    found = told(file, "--given", "age, in years=1", "--ask", "ill,smokes")
    assert [answer["variable"] for answer in found["answers"]] == ["ill", "smokes"]
    assert found["given"] == [{"variable": "age, in years", "value": "1"}]
    assert probabilities(found["answers"][0]) == pytest.approx(conditional(model, 2, {1: 1}))


def test_the_most_likely_states_given_what_is_known(told, file, model):
    found = told(file, "--given", "smokes=no", "--most-likely", "4")["most_likely"]
    x, p = states(SIZES), law(model)
    p = np.where(x[:, 0] == 0, p, 0) / p[x[:, 0] == 0].sum()
    best = np.argsort(-p)[:4]
    assert [state["probability"] for state in found] == pytest.approx(p[best].tolist())
    for state, index in zip(found, best, strict=True):
        assert [each["value"] for each in state["state"]] == [
            NAMES.categories[i][code] for i, code in enumerate(x[index])
        ]


def test_people_read_it_too(run, file, model):
    status, out, _ = run(file, "--given", "smokes=yes", "--ask", "ill", "--most-likely", "1")
    assert status == 0
    assert all(f"{p:.4f}" in out for p in conditional(model, 2, {0: 1}))


def test_a_file_without_names_goes_by_numbers(told, run, model, tmp_path):
    model.save(tmp_path / "plain.npz")
    found = told(str(tmp_path / "plain.npz"), "--given", "x2=2", "--ask", "x1")
    assert probabilities(found["answers"][0]) == pytest.approx(conditional(model, 0, {1: 2}))
    assert [value["value"] for value in found["answers"][0]["values"]] == ["0", "1"]


REFUSED = {  # {arguments: what the sentence has to name}
    ("--given", "smoke=yes"): "--given",
    ("--given", "smokes"): "--given",
    ("--given", "smokes=maybe"): "smokes",
    ("--given", "smokes=2"): "smokes",
    ("--given", "smokes=yes", "--given", "x1=no"): "--given",
    ("--given", "smokes=yes", "--ask", "smokes"): "--ask",
    ("--given", "x1=0,x2=0,x3=0"): "--given",
    ("--ask", "x4"): "--ask",
    ("--most-likely", "many"): "most_likely",
    ("--most-likely", "-1"): "most_likely",
}


@pytest.mark.parametrize("arguments", REFUSED)
def test_bad_questions_end_with_status_2_and_one_sentence(run, file, arguments):
    status, out, err = run(file, *arguments)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert REFUSED[arguments] in err


def test_models_that_cannot_be_asked_are_refused(run, tmp_path):
    RBM(np.zeros((3, 2)), np.zeros(3), np.zeros(2)).save(tmp_path / "rbm.npz")
    LogLinear((2**17, 2)).save(tmp_path / "wide.npz")
    for name in ("rbm.npz", "wide.npz"):
        status, _, err = run(str(tmp_path / name))
        assert (status, err.count("\n")) == (2, 1)


def test_variables_and_values_of_one_name_go_by_their_numbers(run, told, model, tmp_path):
    twins, alike = str(tmp_path / "twins.npz"), str(tmp_path / "alike.npz")
    model.save(twins, names=Names(("a", "a", "b")))
    assert run(twins, "--ask", "a")[0] == 2
    found = told(twins, "--ask", "x2")
    assert probabilities(found["answers"][0]) == pytest.approx(conditional(model, 1, {}))
    other = drawn((3, 2), 3, seed=1)
    other.save(alike, names=Names(("a", "b"), (("same", "same ", "other"), ("no", "yes"))))
    assert run(alike, "--given", "a=same")[0] == 2
    assert np.allclose(probabilities(told(alike, "--given", "a=1")["answers"][0]), other.marginal((1,), {0: 1}))


@pytest.mark.parametrize(("levels", "other", "status"), [("2", "3", 2), ("3", "2", 0)])
def test_data_of_values_that_the_model_does_not_know_are_refused_by_evaluate(levels, other, status, tmp_path):
    net = ["--data", "bayes-net", "--set", "nodes=3", "--set", "n=50"]
    out = str(tmp_path / "net.npz")
    assert main(["train", "--model", "log-linear", *net, "--set", f"levels={levels}", "--out", out]) == 0
    assert main(["evaluate", out, *net, "--set", f"levels={other}"]) == status


def test_evaluate_tells_the_divergence_from_a_known_truth(capsys, tmp_path):
    net = ["--data", "bayes-net", "--set", "nodes=4", "--set", "n=5000"]
    out = tmp_path / "net.npz"
    assert main(["train", "--model", "log-linear", *net, "--out", str(out)]) == 0
    capsys.readouterr()
    assert main(["evaluate", str(out), *net, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    x = states((2,) * 4)
    log_p = load_data("bayes-net", nodes=4, n=5000).truth.log_probability(x)
    log_q = LogLinear.load(out).log_likelihood(x)
    assert told["kl_to_truth"] == pytest.approx(np.exp(log_p) @ (log_p - log_q))
    assert told["exact"] is True
