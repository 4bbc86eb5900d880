"""Questions to a log-linear model on the command line, against what the model itself answers."""

import numpy as np
import pytest

from boltzcore.data import load as load_data
from boltzcore.models import RBM, LogLinear
from boltzcore.names import Names, code_of
from tests.models.test_log_linear import drawn, states
from tests.models.test_potts import potts

SIZES = (2, 3, 2)
NAMES = Names(("smokes", "age, in years", "ill"), (("no", "yes"), ("young", "1", "old"), ("no", "yes")))


@pytest.mark.parametrize(
    ("text", "values", "code"),
    [
        ("2.0", ("1", "2", "3"), 1),
        ("0", ("1", "2", "3"), None),
        ("-1", ("\N{MINUS SIGN}1", "1"), 0),
        ("TRUE", ("false", "true"), 1),
        ("no", ("NO", "no"), 1),
        ("7", ("007", "7"), 1),
        ("9007199254740993", ("9007199254740992", "9007199254740993.0"), 1),
        ("nan", ("sNaN", "inf"), None),
    ],
)
def test_a_value_is_matched_as_it_is_written_then_without_case_then_as_a_number(text, values, code):
    assert code_of(text, values) == code
    with pytest.raises(ValueError, match="any of"):
        code_of("Yes", ("YES", "yes"))


@pytest.fixture
def model() -> LogLinear:
    return drawn(SIZES, 7, seed=3)


@pytest.fixture
def file(model, tmp_path):
    model.save(tmp_path / "model.npz", names=NAMES)
    return str(tmp_path / "model.npz")


def probabilities(answer) -> list[float]:
    return [value["probability"] for value in answer["values"]]


@pytest.mark.parametrize("given", ["smokes=yes,ill=no", "x1=YES,x3=No", "smokes= yes, x3 = no"])
def test_a_conditional_is_that_of_the_model(run_json, file, model, given):
    found = run_json("query", file, "--given", given, "--ask", "age, in years")
    (answer,) = found["answers"]
    assert answer["variable"] == "age, in years"
    assert [value["value"] for value in answer["values"]] == ["young", "1", "old"]
    assert probabilities(answer) == pytest.approx(model.marginals({0: 1, 2: 0})[1])
    assert found["probability_of_given"] == pytest.approx(np.exp(model.log_probability_of({0: 1, 2: 0})))
    others = run_json("query", file, "--given", given.split(",")[0])["answers"]  # without --ask
    assert [each["variable"] for each in others] == ["age, in years", "ill"]


def test_a_number_is_a_value_and_no_code(run_json, file, model):
    found = run_json("query", file, "--given", "age, in years=1.0", "--ask", "ill,smokes")
    assert [answer["variable"] for answer in found["answers"]] == ["ill", "smokes"]
    assert found["given"] == [{"variable": "age, in years", "value": "1"}]
    assert probabilities(found["answers"][0]) == pytest.approx(model.marginals({1: 1})[2])


@pytest.mark.parametrize(("number", "code"), [("18", 0), ("40", 0), ("40.5", 1), (" 66", 1), ("66.1", 2)])
def test_a_number_falls_into_its_bin(run_json, refuse, model, tmp_path, number, code):
    file, bins = tmp_path / "bins.npz", ("up to 40", "above 40 to 66", "above 66")
    model.save(file, names=Names(("smokes", "age", "ill"), (("above average", "up to date"), bins, ("no", "yes"))))
    found = run_json("query", file, "--given", f"age={number}", "--ask", "ill")
    assert found["given"] == [{"variable": "age", "value": bins[code]}]
    assert probabilities(found["answers"][0]) == pytest.approx(model.marginals({1: code})[2])
    assert all(given[:3] in refuse("query", file, "--given", given) for given in ("age=old", "smokes=40"))


def test_the_most_likely_states_given_what_is_known(run_json, file, model):
    found = run_json("query", file, "--given", "smokes=no", "--most-likely", "4")["most_likely"]
    best, p = model.most_likely(4, {0: 0})
    assert [state["probability"] for state in found] == pytest.approx(p.tolist())
    for state, x in zip(found, best, strict=True):
        assert [each["value"] for each in state["state"]] == [NAMES.categories[i][code] for i, code in enumerate(x)]


REFUSED = {  # {arguments: what the sentence has to name}
    ("--given", "smoke=yes"): "--given",
    ("--given", "smokes=maybe"): "smokes",
    ("--given", "smokes=1"): "smokes",
    ("--given", "x2=0"): "x2",
    ("--given", "smokes=yes", "--given", "x1=no"): "--given",
    ("--given", "smokes=yes", "--ask", "smokes"): "--ask",
    ("--given", "x1=no,x2=old,x3=no"): "--given",
    ("--ask", "x4"): "--ask",
    ("--most-likely", "many"): "--most-likely",
}


@pytest.mark.parametrize("arguments", REFUSED)
def test_bad_questions_are_refused(refuse, file, arguments):
    assert REFUSED[arguments] in refuse("query", file, *arguments)


def test_models_that_cannot_be_asked_are_refused(refuse, tmp_path):
    RBM(np.zeros((3, 2)), np.zeros(3), np.zeros(2)).save(tmp_path / "rbm.npz")
    LogLinear((2**17, 2)).save(tmp_path / "wide.npz")
    potts([5] * 20, 0).save(tmp_path / "potts.npz")
    for name in ("rbm.npz", "wide.npz", "potts.npz"):
        refuse("query", tmp_path / name)


def test_a_potts_model_is_asked_as_its_law(run_json, tmp_path):
    model = potts(SIZES, 1)
    model.save(tmp_path / "potts.npz", names=NAMES)
    found = run_json("query", tmp_path / "potts.npz", "--given", "ill=yes", "--ask", "age, in years")
    assert probabilities(found["answers"][0]) == pytest.approx(model.law.marginals({2: 1})[1])


def test_a_name_of_two_variables_or_values_is_refused(refuse, run_json, model, tmp_path):
    twins, alike = tmp_path / "twins.npz", tmp_path / "alike.npz"
    model.save(twins, names=Names(("a", "a", "b")))
    refuse("query", twins, "--ask", "a")
    found = run_json("query", twins, "--ask", "x2")
    assert probabilities(found["answers"][0]) == pytest.approx(model.marginals({})[1])
    other = drawn((3, 2), 3, seed=1)
    other.save(alike, names=Names(("a", "b"), (("same", "Same", "other"), ("no", "yes"))))
    refuse("query", alike, "--given", "a=SAME")
    (answer,) = run_json("query", alike, "--given", "a=Same")["answers"]
    assert np.allclose(probabilities(answer), other.marginals({0: 1})[1])


def test_evaluate_computes_the_divergence_from_a_known_truth_and_refuses_values_that_the_model_does_not_know(
    run_json, refuse, tmp_path
):
    out, net = tmp_path / "net.npz", ["--data", "bayes-net", "--set", "nodes=4", "--set", "n=5000"]
    run_json("train", "--model", "log-linear", *net, "--out", out)
    reply = run_json("evaluate", out, *net)
    x = states((2,) * 4)
    log_p = load_data("bayes-net", nodes=4, n=5000).truth.log_likelihood(x)
    assert reply["kl_to_truth"] == pytest.approx(np.exp(log_p) @ (log_p - LogLinear.load(out).log_likelihood(x)))
    refuse("evaluate", out, *net, "--set", "levels=3")
