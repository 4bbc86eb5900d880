"""What a browser may ask of why a pixel is on, and what it does not get."""

import pytest

from boltzcore import restoration
from boltzcore.data.corruption import Corruption
from boltzcore.inference import Inference
from pages.inside import pixel_routes
from pages.inside.pixel_routes import InferenceSpec, Why, all_specs, keep

CLEAN = restoration.own_digit(3)
SEEN = restoration.damaged(CLEAN, "flip", Corruption(rate=0.1), seed=0)
WAYS = all_specs([InferenceSpec("restored", "noise-10", Inference(iterations=5, tolerance=0))])


@pytest.fixture
def name() -> str:
    return keep(Why(SEEN, CLEAN, WAYS, True))


def test_only_what_is_asked_for_travels(ask, name):
    assert ask(f"/why/{name}/0").json()["last"] == 5
    answer = ask(f"/why/{name}/2/pixel/300")
    assert len(answer.json()["units"]) == 5
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert list(ask(f"/why/{name}/1/weights/0-7-255").json()) == ["0", "7", "255"]


@pytest.mark.parametrize(
    "path",
    [
        *("3", "-1", "x", "99999999999", "0/pixel/784", "0/pixel/-1", "0/pixel/1e2", "0/pixel/%3Cb%3E"),
        "0/pixel/" + "9" * 5000,
        *("0/weights/256", "0/weights/1--2", "0/weights/1,2"),
        *("0/weights/" + "-".join(["1"] * 49), "0/weights/" + "1" * 9000),
    ],
)
def test_what_is_not_there_is_not_found(ask, name, path):
    assert ask(f"/why/{name}/{path}").status == 404


def test_who_was_not_given_a_name_gets_nothing(ask, name, monkeypatch):
    for strange in ("0123456789abcdef", "..", "A" * 5000):
        assert ask(f"/why/{strange}/0").status == 404
    assert ask(f"/why/{name}/0", sec_fetch_site="cross-site").status == 403
    monkeypatch.setattr(pixel_routes._asked, "_most", 1)
    keep(Why(SEEN, None, WAYS, False))
    assert ask(f"/why/{name}/0").status == 404
