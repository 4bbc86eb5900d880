"""The logic of the page Restore: where its setting comes from, what it refuses, what follows from a choice."""

import io
import json
import re

import numpy as np
import pytest
from PIL import Image
from streamlit.testing.v1 import AppTest

from boltzcore import restoration
from boltzcore.data.strokes import DIGITS, pack
from boltzcore.trained import TRAINED
from pages.common import address, lab
from pages.figures.frame import Chart, Panel
from pages.stream import films
from pages.stream.films import Film
from tests.pages import visit
from tests.pages.visit import at, labels, press, text_of


def page(**query: str) -> AppTest:
    return visit.visit("denoise", **query)


def field(test: AppTest, key: str):
    """The widget of a field; its key has a number once something else than the widget changed the value."""
    wanted = re.compile(rf"restoring {re.escape(key)}(?: \d+)?")
    kinds = (test.text_input, test.selectbox, test.slider, test.toggle, test.segmented_control)
    return next(w for kind in kinds for w in kind if wanted.fullmatch(w.key or ""))


def shown(test: AppTest) -> dict[str, Panel]:
    """{place: picture with its title and words} of the digit, damaged and restored, at the end of inference."""
    film = films_of(test)["pictures"]
    return {item.key: item.panel() for item in film.frame(film.last).items}


def count_wrong(test: AppTest, place: str = "restored") -> int:
    """Return the number of wrong pixels, as the page says it."""
    return int(shown(test)[place].below.split(" ")[0].replace(",", ""))


def words(test: AppTest) -> str:
    return " ".join(f"{panel.title} {panel.below} {panel.content[0].alt}" for panel in shown(test).values())


def films_of(test: AppTest) -> dict[str, Film]:
    """{place: film} of those that are shown: the pictures, and what goes on inside."""
    live = [each.proto.json for each in test.get("bidi_component") if each.proto.component_name == "lab_film"]
    return {film.source[0]: film for film in (films.named(json.loads(sent)["film"]) for sent in live)}


def panels(film: Film, at: int) -> list[Panel]:
    return [item.panel() for item in film.frame(at).items]


def test_at_first_a_digit_of_ours_is_damaged_and_restored():
    test = page()
    assert at(test) == {}
    assert [panel.title for panel in shown(test).values()] == ["The digit", "Damaged", "Restored"]
    assert 0 < count_wrong(test) < count_wrong(test, "damaged")
    assert field(test, "model").value == "noise-10"


def test_lost_pixels_are_counted_and_what_each_model_knows_of_them_is_said():
    assert "392 of 784" in words(page(damage="lower half", model="rbm", beside="occlusion-12"))
    texts = [words(page(damage=damage)) for damage in ("flip", "lower half", "none")]
    assert len(set(texts)) == 3


@pytest.mark.parametrize("name", TRAINED)
def test_every_model_can_be_chosen_and_comes_with_the_inference_it_was_trained_with(name):
    other = next(each for each in TRAINED if each != name)
    test = page(damage="patch", model=other, **{"inference.tolerance": "0.01"})
    field(test, "model").select(name).run()
    assert at(test) == {"damage": "patch", "model": name}
    assert field(test, "inference.iterations").value == str(TRAINED[name].inference.iterations)


def test_another_damage_brings_the_model_that_was_made_for_it():
    test = page(model="noise-20")
    assert field(test, "model").value == "noise-20"
    field(test, "damage").select("patch").run()
    assert field(test, "model").value == "occlusion-8"
    field(test, "corruption.size").set_value(13).run()
    assert field(test, "model").value == "occlusion-12"


def test_a_model_made_for_other_damage_says_so_and_clamped_gibbs_cannot_find_flips():
    learnt = TRAINED["occlusion-8"].corruption.title
    assert learnt in text_of(page(model="occlusion-8"))
    assert learnt not in text_of(page(model="occlusion-8", damage="patch"))
    test = page(model="rbm")
    assert shown(test)["restored"].content[0].png == shown(test)["damaged"].content[0].png


def test_two_models_or_inferences_stand_side_by_side():
    test = page(beside="noise-10")
    assert field(test, "beside.kind").value == "mean field"  # with itself there would be nothing to compare
    field(test, "beside.kind").select("max-product").run()
    assert at(test) == {"beside": "noise-10", "beside.kind": "max-product"}
    assert "beside" in shown(test)
    assert "Second inference" not in [each.label for each in page(beside="rbm", damage="patch").selectbox]


def test_new_noise_is_another_seed_in_the_link(no_mnist):
    test = page(source="test", image="3")
    before = count_wrong(test, "damaged")
    press(test, "New noise")
    assert at(test)["seed"] == "1"
    assert count_wrong(test, "damaged") != before
    assert shown(page(**at(test))) == shown(test)
    for damage, model in (("patch", "rbm"), ("salt", "noise-20")):  # after the largest seed comes the first
        test = page(damage=damage, model=model, seed=str(2**53))
        assert at(press(test, "New ")) == {"damage": damage, "model": model}


def test_what_a_link_holds_and_cannot_be_taken_is_said_and_the_rest_is_kept():
    test = page(damage="acid", model="noise-20", nothing="1", **{"corruption.rate": "7", "corruption.colour": "red"})
    assert len(test.warning) == 4
    assert at(test) == {"model": "noise-20"}


def test_a_drawing_comes_with_the_link_and_stays_in_it():
    eight = pack(DIGITS[8])
    test = page(drawing=eight, damage="eraser", rubbed=pack([]))
    assert at(test) == {"drawing": eight, "damage": "eraser", "rubbed": pack([])}
    assert shown(test)["damaged"].content[0].png == shown(page(digit="8", damage="none"))["damaged"].content[0].png
    assert count_wrong(test, "damaged") == 0
    field(test, "damage").select("patch").run()
    assert at(test)["drawing"] == eight
    assert "drawing=" + eight in "".join(code.value for code in test.code)
    assert at(page(drawing=pack(DIGITS[3]))) == {}  # the digit that is on the pad at first
    assert at(page(drawing=pack(DIGITS[3]), digit="4")) == {"drawing": pack(DIGITS[3]), "digit": "4"}


@pytest.mark.parametrize("text", ["AQ==", "<b>", "A" * 7_000, pack(DIGITS[3])[:-4]])
@pytest.mark.parametrize("key", ["drawing", "rubbed"])
def test_a_drawing_that_is_none_is_said_and_passed_over(key, text):
    test = page(damage="eraser", **{key: text})
    assert len(test.warning) == 1
    assert len(test.warning[0].value) < 200
    assert at(test) == {"damage": "eraser"}
    assert shown(test) == shown(page(damage="eraser"))


def test_a_text_that_cannot_be_taken_stays_with_its_sentence_and_the_last_good_value_holds():
    test = page()
    field(test, "seed").input("5").run()
    field(test, "seed").input("0").run()
    before = shown(test)
    for key, text in (("inference.tolerance", "much"), ("seed", "x")):
        field(test, key).input(text).run()
        assert test.error
        assert field(test, key).value == text
        assert shown(test) == before


def test_a_patch_that_does_not_fit_gets_its_sentence_and_another_is_shown():
    test = page(damage="patch", **{"corruption.size": "500"})
    assert len(test.warning) == 1
    assert at(test) == {"damage": "patch"}
    assert (field(test, "corruption.size").value, field(test, "corruption.size").max) == (8, 28)
    assert count_wrong(test) < count_wrong(test, "damaged")
    assert "New place" in labels(test)


def test_the_pictures_follow_the_iteration_and_a_second_inference_steps_along():
    films = films_of(page(beside="noise-20"))
    pictures, insides = films["pictures"], films["insides"]
    first, last = panels(pictures, 1), panels(pictures, pictures.last)
    assert pictures.last == insides.last
    same = [one.content[0].png == other.content[0].png for one, other in zip(first, last, strict=True)]
    assert same == [True, True, False, False]
    rests = [panel.rest for panel in panels(insides, 1)]
    assert rests[0] == rests[1] != rests[2] == rests[3]


def test_the_picture_of_a_model_without_iterations_stays_while_the_other_is_stepped():
    film = films_of(page(damage="patch", model="rbm", beside="occlusion-8"))["pictures"]
    (gibbs, one), (still, other) = (panels(film, at)[2:] for at in (1, film.last))
    assert gibbs == still
    assert one.content[0].png != other.content[0].png


def test_an_inference_that_is_shown_again_is_the_same_film():
    one, again, other = (films_of(page(**query)) for query in ({}, {}, {"seed": "1"}))
    assert all(one[place] is again[place] and one[place] is not other[place] for place in ("pictures", "insides"))


def test_a_plain_rbm_shows_twelve_completions_and_how_often_each_digit_came():
    film = films_of(page(damage="lower half", model="rbm"))["completions"]
    looks = panels(film, 1)[0]
    assert sum(map(int, re.findall(r"(\d+) (?:looks? )?like", looks.below))) == 100
    assert "completions" in films_of(page(damage="patch", beside="rbm"))
    assert "insides" not in films_of(page(damage="patch", model="rbm"))
    assert "completions" not in films_of(page(damage="patch")) | films_of(page(model="rbm"))


def test_a_pixel_of_all_that_adds_up_terms_is_explained():
    test = press(page(beside="noise-20"), "Explain a pixel")
    films = films_of(test)
    assert films["reasons"].last <= films["pictures"].last
    total, strongest = panels(films["reasons"], films["reasons"].last)
    row, column = (test.selectbox(key=f"pixel {way}").value for way in ("row", "column"))
    assert total.title == f"Row {row}, column {column}"
    assert isinstance(total.content, Chart)
    assert len(strongest.content) == 1
    test.selectbox(key="pixel row").set_value(1).run()
    assert panels(films_of(test)["reasons"], 1)[0].title == f"Row 1, column {column}"
    plain = page(model="rbm", damage="patch")
    assert "Explain a pixel" not in labels(plain)
    picks = [panel.content[0].pick for panel in panels(films_of(page())["pictures"], 1)]
    assert [pick.name for pick in picks] == ["pixel digit", "pixel damaged", "pixel restored"]
    assert all(panel.content[0].pick is None for panel in panels(films_of(plain)["pictures"], 1))


def test_the_digit_of_an_uploaded_picture_comes_with_the_link():
    test = page(source="upload")
    assert count_wrong(test) < count_wrong(test, "damaged")  # until there is one, of a digit of ours
    eight = restoration.pack_pixels(restoration.own_digit(8))
    test = page(source="upload", pixels=eight)
    assert shown(test)["digit"].content[0].png == shown(page(digit="8"))["digit"].content[0].png
    assert at(test) == {"source": "upload", "pixels": eight}
    refused = page(source="upload", pixels=eight[1:])
    assert len(refused.warning) == 1
    assert at(refused) == {"source": "upload"}


def picture_of(digit: int) -> bytes:
    image = Image.fromarray(255 * (1 - restoration.own_digit(digit).reshape(28, 28)).astype(np.uint8)).resize((84, 84))
    image.save(file := io.BytesIO(), "PNG")
    return file.getvalue()


def test_back_shows_the_earlier_picture_and_a_refused_one_leaves_no_digit_in_the_link(monkeypatch):
    test = visit.upload(page(source="upload"), "8.png", picture_of(8))
    eight = at(test)
    assert at(visit.upload(test, "4.png", picture_of(4))) != eight
    with monkeypatch.context() as back:
        back.setattr(address, "has_gone_back", lambda: True)
        test.query_params["pixels"] = eight["pixels"]
        assert at(test.run()) == eight
    assert at(visit.upload(test, "none.png", b"no picture")) == {"source": "upload"}
    assert len(test.error) == 1


@pytest.fixture
def no_mnist(monkeypatch, tmp_path) -> None:
    """A machine without MNIST: test images are the 1,000 that come with the project."""
    monkeypatch.delenv("BOLTZCORE_DATA", raising=False)
    monkeypatch.setenv("BOLTZCORE_HOME", str(tmp_path))


def test_without_mnist_test_images_are_those_that_come_with_the_project(no_mnist, page_links, monkeypatch):
    test = page(source="test", image="7")
    assert [(page, query) for page, _, query in page_links] == [("library.py", {"view": "data", "set": "mnist"})]
    before = shown(test)
    press(test, "Next image")
    assert at(test) == {"source": "test", "image": "8"}
    assert shown(test) != before
    field(test, "image").input("500")  # sent with the click
    assert at(press(test, "Next image"))["image"] == "501"
    test = page(source="test", image="1234")  # it is refused, and counted from the first again
    messages = [each.value for each in (*test.error, *test.warning)]
    assert len(messages) == 1
    assert shown(test) == shown(page(source="test", image="234"))
    press(test, "Next image")
    assert at(test) == {"source": "test", "image": "235"}
    assert messages[0] not in text_of(test)
    assert at(press(page(source="test", image="999"), "Next image")) == {"source": "test"}
    monkeypatch.setenv("BOLTZCORE_DATA", "/nowhere")
    test = page(source="test")
    assert "BOLTZCORE_DATA" in text_of(test)
    assert "restored" in shown(test)


def test_while_kernels_are_compiled_nothing_is_inferred_and_the_page_says_so(monkeypatch):
    monkeypatch.setattr(lab, "describe_wait", lambda piece: "Wait.")
    test = page()
    assert [each.label for each in test.status] == ["Wait."]
    assert list(films_of(test)) == ["nothing"]
