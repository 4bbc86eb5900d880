"""The logic of "Denoise & complete": where its setting comes from, what it refuses, what follows from a choice."""

import json
import re
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from boltzcore import restoration
from boltzcore.data.strokes import DIGITS, packed
from boltzcore.figures.frame import Panel
from boltzcore.trained import TRAINED
from pages.common import lab
from pages.frames import films
from pages.frames.films import Film
from pages.inside import pixel_routes
from pages.parts import restoring, stepping
from tests.pages.train import press

PAGE = str(Path(__file__).resolve().parents[2] / "pages" / "denoise.py")


def page(**query: str) -> AppTest:
    """The page as a link opens it."""
    test = AppTest.from_file(PAGE, default_timeout=60)
    for key, text in query.items():
        test.query_params[key] = text
    return test.run()


def field(test: AppTest, key: str):
    """The widget of a field; its key has a number once something else than the widget changed the value."""
    wanted = re.compile(rf"restoring {re.escape(key)}(?: \d+)?")
    kinds = (test.text_input, test.selectbox, test.slider, test.toggle, test.segmented_control)
    return next(w for kind in kinds for w in kind if wanted.fullmatch(w.key or ""))


def said(test: AppTest) -> str:
    return "\n".join(
        element.value for kind in (test.warning, test.info, test.error, test.markdown, test.caption) for element in kind
    )


def setting(test: AppTest) -> dict[str, str]:
    return {key: values[0] if isinstance(values, list) else values for key, values in test.query_params.items()}


def shown(test: AppTest) -> dict[str, Panel]:
    """{place: picture with its title and words} of the digit, damaged and restored, at the end of inference."""
    film = films_of(test)["pictures"]
    return {item.key: item.panel() for item in film.frame(film.last).items}


def wrong(test: AppTest, place: str = "restored") -> int:
    """How many pixels are wrong, as the page says it."""
    return int(shown(test)[place].below.split(" ")[0].replace(",", ""))


def titles(test: AppTest) -> list[str]:
    return [panel.title for panel in shown(test).values()]


def words(test: AppTest) -> str:
    return " ".join(f"{panel.title} {panel.below} {panel.content[0].alt}" for panel in shown(test).values())


def films_of(test: AppTest) -> dict[str, Film]:
    """{place: film} of those that are shown: the pictures, and what goes on inside."""
    live = [each.proto.json for each in test.get("bidi_component") if each.proto.component_name == "lab_film"]
    return {film.source[0]: film for film in (films.named(json.loads(told)["film"]) for told in live)}


def panels(film: Film, at: int) -> list[Panel]:
    return [item.panel() for item in film.frame(at).items]


def test_at_first_a_digit_of_ours_is_damaged_and_restored():
    test = page()
    assert not test.exception
    assert setting(test) == {}
    assert titles(test) == ["The digit", "Damaged", "Restored"]
    assert 0 < wrong(test) < wrong(test, "damaged")
    assert field(test, "model").value == "noise-10"


def test_lost_pixels_are_counted_and_what_each_model_is_told_of_them_is_said():
    told = words(page(damage="lower half", model="rbm", beside="occlusion-12"))
    assert "392 of 784 pixels lost (hatched)" in told
    assert "The plain RBM is told which; the conditional RBM sees black there." in told
    assert "is not told which" in words(page())
    assert "told" not in words(page(damage="none"))


def test_few_controls_are_in_sight():
    test = page()
    in_sight = [
        w for kind in (test.main.selectbox, test.main.text_input, test.main.slider, test.main.toggle) for w in kind
    ]
    hidden = [
        w
        for box in test.main.get("popover")
        for kind in ("selectbox", "text_input", "slider", "toggle")
        for w in box.get(kind)
    ]
    assert len(in_sight) - len(hidden) <= 5


@pytest.mark.parametrize("damage", restoring.keys()["damage"].choices)
def test_every_damage_can_be_chosen(damage):
    test = page()
    if damage != "flip":
        field(test, "damage").select(damage).run()
        assert setting(test) == {"damage": damage}
    assert not test.exception
    assert field(test, "damage").value == damage
    assert ("pixels wrong" in shown(test)["restored"].below) == (damage != "none")
    assert "The digit" in titles(test) or damage in ("none", "eraser")


@pytest.mark.parametrize("name", TRAINED)
def test_every_model_can_be_chosen_and_comes_with_the_inference_it_was_trained_with(name):
    other = next(each for each in TRAINED if each != name)
    test = page(damage="patch", model=other, **{"inference.tolerance": "0.01"})
    field(test, "model").select(name).run()
    assert not test.exception
    assert setting(test) == {"damage": "patch", "model": name}
    assert field(test, "inference.iterations").value == str(TRAINED[name].inference.iterations)


def test_another_damage_brings_the_model_that_was_made_for_it():
    test = page(model="noise-20")
    assert field(test, "model").value == "noise-20"
    field(test, "damage").select("patch").run()
    assert field(test, "model").value == "occlusion-8"
    field(test, "corruption.size").set_value(13).run()
    assert field(test, "model").value == "occlusion-12"


def test_a_model_made_for_other_damage_says_so_and_clamped_gibbs_cannot_find_flips():
    assert "was trained on other damage (8 × 8 patch set to 0)" in said(page(model="occlusion-8"))
    test = page(model="rbm")
    assert "nobody can tell which pixels are wrong" in said(test)
    assert shown(test)["restored"].content[0].png == shown(test)["damaged"].content[0].png
    assert titles(test)[-1] == "Not restored"
    assert "in doubt" not in words(test)
    assert "trained on other damage" not in said(page(damage="patch", model="rbm"))


@pytest.mark.parametrize("damage", ["flip", "salt"])
def test_so_much_noise_that_no_model_learnt_to_undo_it_is_said_to_be_too_much(damage):
    told = "No model here was trained on so much noise: expect the digit to be lost."
    assert told not in said(page(damage=damage, **{"corruption.rate": "0.3"}))
    test = page(damage=damage, **{"corruption.rate": "0.4"})
    assert told in said(test)
    assert "expect more errors" not in said(test)


def test_two_models_or_inferences_stand_side_by_side():
    test = page(beside="noise-10")
    assert field(test, "beside.kind").value == "mean field"  # with itself there would be nothing to compare
    field(test, "beside.kind").select("max-product").run()
    assert not test.exception
    assert setting(test) == {"beside": "noise-10", "beside.kind": "max-product"}
    assert titles(test) == [
        "The digit",
        "Damaged",
        *(f"Noise, a tenth flipped, {kind}" for kind in ("sum-product BP", "max-product BP")),
    ]
    assert "beside" in shown(test)
    assert ["Clamped Gibbs"] in [w.options for w in page(beside="rbm", damage="patch").selectbox]


def test_new_noise_is_another_seed_in_the_link(links):
    test = page(source="test", image="3")
    before = wrong(test, "damaged")
    press(test, "New noise")
    assert setting(test)["seed"] == "1"
    assert wrong(test, "damaged") != before
    again = page(**setting(test))
    assert shown(again) == shown(test)


def test_a_whole_setting_comes_back_from_its_link():
    link = {
        "damage": "patch",
        "corruption.size": "10",
        "corruption.value": "1",
        "model": "occlusion-12",
        "inference.kind": "mixed-product",
        "inference.damping": "0.5",
        "seed": "12",
    }
    test = page(**link)
    assert not test.exception
    assert setting(test) == link
    assert field(test, "corruption.size").value == 10
    assert field(test, "inference.damping").value == "0.5"


def test_what_a_link_holds_and_cannot_be_taken_is_said_and_the_rest_is_kept():
    test = page(damage="acid", model="noise-20", nothing="1", **{"corruption.rate": "7", "corruption.colour": "red"})
    assert not test.exception
    sentences = [warning.value for warning in test.warning]
    assert any(
        sentence.startswith("Damage must be one of flip, patch") and "'acid'" in sentence for sentence in sentences
    )
    assert "Rate must be a number from 0 to 1, not 7.0. The usual is taken instead." in sentences
    assert "corruption.colour is not a field of this page: it is ignored." in sentences
    assert any(sentence.startswith("'nothing' in the link means nothing here") for sentence in sentences)
    assert setting(test) == {"model": "noise-20"}


def test_a_drawing_comes_with_the_link_and_stays_in_it():
    eight = packed(DIGITS[8])
    test = page(drawing=eight, damage="eraser", rubbed=packed([]))
    assert not test.exception
    assert setting(test) == {"drawing": eight, "damage": "eraser", "rubbed": packed([])}
    assert shown(test)["damaged"].content[0].png == shown(page(digit="8", damage="none"))["damaged"].content[0].png
    assert wrong(test, "damaged") == 0
    field(test, "damage").select("patch").run()
    assert setting(test)["drawing"] == eight
    assert "drawing=" + eight in "".join(code.value for code in test.code)


def test_the_digit_that_is_on_the_pad_at_first_needs_no_drawing_in_the_link():
    assert setting(page(drawing=packed(DIGITS[3]))) == {}
    assert setting(page(drawing=packed(DIGITS[3]), digit="4")) == {"drawing": packed(DIGITS[3]), "digit": "4"}


@pytest.mark.parametrize("text", ["AQ==", "<b>", "A" * 7_000, packed(DIGITS[3])[:-4]])
@pytest.mark.parametrize("key", ["drawing", "rubbed"])
def test_a_drawing_that_is_none_is_said_and_passed_over(key, text):
    test = page(damage="eraser", **{key: text})
    assert not test.exception
    assert len(test.warning) == 1
    assert len(test.warning[0].value) < 200
    assert setting(test) == {"damage": "eraser"}
    assert shown(test) == shown(page(damage="eraser"))


def test_the_largest_seed_is_taken_everywhere():
    for damage, model in (("patch", "rbm"), ("flip", "noise-10"), ("salt", "noise-20")):
        test = page(damage=damage, model=model, seed=str(2**53))
        assert not test.exception
        press(test, "New place" if damage == "patch" else "New noise")
        assert setting(test) == {"damage": damage, "model": model} if damage != "flip" else {"model": model}


def test_a_text_that_cannot_be_taken_stays_with_its_sentence_and_the_last_good_value_holds():
    test = page()
    before = shown(test)
    field(test, "inference.tolerance").input("much").run()
    assert not test.exception
    assert "Tolerance must be a number from 0 to 0.5, not 'much'." in said(test)
    assert field(test, "inference.tolerance").value == "much"
    assert shown(test) == before


def test_a_patch_that_does_not_fit_gets_its_sentence_and_another_is_shown():
    test = page(damage="patch", **{"corruption.size": "500"})
    assert not test.exception
    assert "Patch size must be a whole number from 1 to 28, not 500." in said(test)
    assert setting(test) == {"damage": "patch"}
    assert (field(test, "corruption.size").value, field(test, "corruption.size").max) == (8, 28)
    assert wrong(test) < wrong(test, "damaged")
    assert "New place" in [button.label for button in test.button]


def test_inference_is_stepped_through():
    film = films_of(page())["insides"]
    assert film.last > 2
    assert film.frame(1).said.startswith(f"Iteration 1 of {film.last}. Largest change ")
    assert "converged" in film.frame(film.last).said
    first, last = panels(film, 1), panels(film, film.last)
    assert [panel.title for panel in first] == ["Residual", "Messages to the pixels"]
    assert first[1].content[0].png != last[1].content[0].png
    assert first[0].content.alt == film.frame(1).said


def test_the_pictures_follow_the_iteration_and_a_second_inference_steps_along():
    films = films_of(page(beside="noise-20"))
    pictures, insides = films["pictures"], films["insides"]
    first, last = panels(pictures, 1), panels(pictures, pictures.last)
    assert pictures.last == insides.last
    assert [one.content[0].png == other.content[0].png for one, other in zip(first, last, strict=True)] == [
        True,
        True,
        False,
        False,
    ]
    assert [panel.title for panel in panels(insides, 1)] == ["Residual", "Messages to the pixels"] * 2
    by = [f"Noise, a {share} flipped, sum-product BP" for share in ("tenth", "fifth")]
    assert [panel.rest for panel in panels(insides, 1)] == [f", {each}" for each in by for _ in range(2)]
    assert all(f"{each}: Iteration 1 of " in pictures.frame(1).said for each in by)


def test_the_picture_of_a_model_without_iterations_stays_while_the_other_is_stepped():
    film = films_of(page(damage="patch", model="rbm", beside="occlusion-8"))["pictures"]
    (gibbs, one), (still, other) = (panels(film, at)[2:] for at in (1, film.last))
    assert gibbs == still
    assert one.content[0].png != other.content[0].png


def test_an_inference_that_is_shown_again_is_the_same_film():
    one, again, other = (films_of(page(**query)) for query in ({}, {}, {"seed": "1"}))
    assert all(one[place] is again[place] and one[place] is not other[place] for place in ("pictures", "insides"))


def test_a_plain_rbm_shows_twelve_completions_beside_their_mean_and_how_often_each_digit_came():
    film = films_of(page(damage="lower half", model="rbm"))["completions"]
    mean, single, looks = panels(film, 1)
    assert (mean.title, single.title + single.rest) == ("Their mean", "Twelve completions, of 100")
    assert "The mean of 100 completions" in words(page(damage="lower half", model="rbm"))
    assert re.match(r"Of 100 completions \d+ look like a 3, \d+ like a 2", looks.below)
    assert sum(map(int, re.findall(r"(\d+) (?:looks? )?like", looks.below))) == 100
    assert "completions" in films_of(page(damage="patch", beside="rbm"))
    assert "completions" not in films_of(page(damage="patch")) | films_of(page(model="rbm"))


@pytest.mark.parametrize(
    ("counts", "told"),
    [
        ({"3": 100}, "100 look like a 3"),
        ({"8": 60, "3": 39, "none": 1}, "60 look like an 8, 39 like a 3 and 1 like no digit"),
        ({"none": 1}, "1 looks like no digit"),
    ],
)
def test_counts_of_answers_are_told_in_words(counts, told):
    assert stepping.counted(counts) == told


def test_mean_field_passes_no_messages_and_gibbs_has_no_iterations():
    assert panels(films_of(page(**{"inference.kind": "mean field"}))["insides"], 1)[1].title == "What hidden units say"
    assert "insides" not in films_of(page(model="rbm", damage="patch"))


def test_why_a_pixel_is_on_can_be_asked_of_all_that_adds_up_terms():
    def asked(test: AppTest) -> list[dict]:
        found = [each.proto.json for each in test.get("bidi_component") if each.proto.component_name == "lab_pixel"]
        return [json.loads(told) for told in found]

    told = asked(page(beside="noise-20"))[0]
    assert [(way["key"], way["kind"]) for way in told["ways"]][:2] == [
        ("restored", "sum-product"),
        ("beside", "sum-product"),
    ]
    assert len(told["ways"]) == 6
    kept = pixel_routes.named(told["why"])
    assert max(kept.history(way).iterations for way in (0, 1)) == films_of(page(beside="noise-20"))["pictures"].last
    assert restoration.packed_pixels(kept.clean) == told["clean"]
    assert asked(page(damage="none"))[0]["clean"] is None
    plain = page(model="rbm", damage="patch")
    assert not asked(plain)
    assert "no sum to show" in said(plain)
    picks = [panel.content[0].pick for panel in panels(films_of(page())["pictures"], 1)]
    assert [pick.name for pick in picks] == ["pixel digit", "pixel damaged", "pixel restored"]
    assert all(panel.content[0].pick is None for panel in panels(films_of(plain)["pictures"], 1))


def test_inference_that_runs_out_of_iterations_is_said_not_to_have_converged():
    told = films_of(page(**{"inference.iterations": "2"}))["insides"].frame(2).said
    assert "Iteration 2 of 2." in told
    assert "stopped at its limit of 2 iterations" in told


def test_an_upload_begins_with_a_digit_of_ours():
    test = page(source="upload")
    assert not test.exception
    assert "a digit of ours stands in" in said(test)
    assert wrong(test) < wrong(test, "damaged")


def test_the_digit_of_an_uploaded_picture_comes_with_the_link():
    eight = restoration.packed_pixels(restoration.own_digit(8))
    test = page(source="upload", pixels=eight)
    assert not test.exception
    assert "this is the digit of the link" in said(test)
    assert shown(test)["digit"].content[0].png == shown(page(digit="8"))["digit"].content[0].png
    assert setting(test) == {"source": "upload", "pixels": eight}
    refused = page(source="upload", pixels=eight[1:])
    assert [each.value for each in refused.warning] == [
        "A digit in a link must be whole: copy it anew. The usual is taken instead."
    ]
    assert setting(refused) == {"source": "upload"}


def test_test_images_are_read_where_they_are(data_folder):
    test = page(source="test", image="7")
    assert not test.exception
    before = shown(test)
    press(test, "Another")
    assert setting(test) == {"source": "test", "image": "8"}
    assert shown(test) != before
    field(test, "image").input("10000").run()
    assert "Test image must be a whole number from 0 to 9,999, not 10000." in said(test)


@pytest.fixture
def links(monkeypatch, tmp_path) -> list[tuple[str, dict]]:
    """A machine without MNIST; the links that the page gives there."""
    monkeypatch.delenv("BOLTZCORE_DATA", raising=False)
    monkeypatch.setenv("BOLTZCORE_HOME", str(tmp_path))
    given: list[tuple[str, dict]] = []
    # A page of its own knows of no others.
    monkeypatch.setattr(st, "page_link", lambda page, **told: given.append((page, told["query_params"])))
    return given


def test_without_mnist_test_images_are_those_that_come_with_the_project(links):
    test = page(source="test", image="7")
    assert not test.exception
    assert "These are 1,000 of MNIST's 10,000 test images." in said(test)
    assert links == [("library.py", {"view": "data", "set": "mnist"})]
    before = shown(test)
    press(test, "Another")
    assert setting(test) == {"source": "test", "image": "8"}
    assert shown(test) != before


def test_an_image_beyond_those_is_refused_and_counted_from_the_first_again(links):
    test = page(source="test", image="1234")
    assert not test.exception
    sentence = "Test image must be a whole number from 0 to 999 until all of MNIST is here, not 1234; this is 234."
    assert sentence in said(test)
    assert shown(test) == shown(page(source="test", image="234"))
    press(test, "Another")
    assert setting(test) == {"source": "test", "image": "235"}
    assert "Test image must be" not in said(test)


def test_after_the_last_image_comes_the_first(links):
    test = press(page(source="test", image="999"), "Another")
    assert setting(test) == {"source": "test"}


def test_a_folder_of_data_that_is_not_there_gets_its_sentence(links, monkeypatch, tmp_path):
    monkeypatch.setenv("BOLTZCORE_DATA", str(tmp_path / "nowhere"))
    test = page(source="test")
    assert not test.exception
    assert "BOLTZCORE_DATA must name a folder" in said(test)
    assert "restored" in shown(test)


def test_while_kernels_are_compiled_nothing_is_inferred_and_the_page_says_so(monkeypatch):
    monkeypatch.setattr(lab, "ready", lambda piece: "Preparing the compiled kernels.")
    test = page()
    assert not test.exception
    assert "Preparing the compiled kernels." in "".join(each.proto.json for each in test.get("bidi_component"))
    assert "There is nothing to restore yet." in films_of(test)["nothing"].frame(1).said


def test_a_refused_text_goes_back_to_what_was_there_and_to_nothing_older():
    test = page()
    field(test, "seed").input("5").run()
    field(test, "seed").input("0").run()
    before = shown(test)
    field(test, "seed").input("x").run()
    assert "Seed must be a whole number" in said(test)
    assert shown(test) == before
