"""Sources of the digit to restore: a drawing, a picture, or a test image."""

from typing import Any

import streamlit as st

from boltzcore import restoration
from boltzcore.data import DATASETS, digit_pictures, pictures
from boltzcore.data.strokes import DIGITS, bounding_box
from boltzcore.quoting import Refusal
from pages.common.words import escape
from pages.figures import restoration as figures
from pages.parts import restoring, uploads
from pages.parts.pad import pad
from pages.parts.restoring import SETTING, Chosen
from pages.web.session import SESSION

ENDINGS, MEGA = ("png", "jpg", "jpeg", "webp", "bmp", "avif", "heic"), 1_000_000
PHOTO, CORNER = 336, {"Corner": 1.0}  # screen pixels of a picture to be cropped, and the pen that drags a box
SOURCES = {"draw": "Draw", "upload": "Upload", "test": "Test image"}


def digit(setting: Chosen) -> Any:
    """Return the clean image of the source; before anything is drawn or uploaded, a digit of the project's own."""
    SETTING.choose("source", "Digit", SOURCES, setting.choice.source)
    if setting.choice.source == "upload":
        return upload_digit(setting)
    if setting.choice.source == "test":
        return choose_test(setting)
    given = DIGITS[setting.choice.digit]
    there, times = restoring.on_pad("drawing", given)
    strokes = pad(
        "drawing",
        rev=f"{setting.choice.digit} {times}",
        strokes=there,
        label="Drawing pad for one digit",
        hint="Draw with the mouse or a finger, at any size.",
        presets=DIGITS,
        for_me="Insert a digit:",
    )
    restoring.store_drawing("drawing", strokes, given)
    try:
        return restoration.from_strokes(strokes)
    except Refusal as blank:
        st.info(escape(blank))
        return None


def upload_digit(setting: Chosen) -> Any:
    """Return the digit in a picture that a visitor uploads; each refusal is one sentence."""
    about = "A photographed or scanned digit. It is inverted if needed, cropped, centred and scaled as in MNIST."
    there, (last, times) = SETTING.texts().get("pixels", ""), SESSION.pad_texts.get("pixels", ("", 0))
    times += there != last  # a link, or the browser's way back, goes before the file
    SESSION.pad_texts["pixels"] = there, times
    file = uploads.uploader(
        "A picture of one digit: PNG, JPEG, WebP, BMP, AVIF or HEIC",
        type=list(ENDINGS),
        max_upload_size=pictures.MAX_BYTES // MEGA,
        help=about,
        key=f"picture {times}",
    )
    if file is None:
        if setting.choice.pixels:
            st.caption("Showing the digit from the link or your last picture until you upload another.")
            return restoration.unpack_pixels(setting.choice.pixels)
        st.caption("Showing a sample until you upload one.")
        return restoration.own_digit(setting.choice.digit)
    SETTING.texts().pop("pixels", None)
    SESSION.pad_texts["pixels"] = "", times
    photo = uploads.read(
        "picture", file, lambda: digit_pictures.shrink(pictures.read_picture(file.getvalue(), file.name))
    )
    if photo is None:
        return None
    place = st.container()
    strokes = pad(
        "crop",
        rev=file.file_id,
        strokes=(),
        pens=CORNER,
        label="Your picture: drag a box around the digit",
        hint="Drag a box around the digit if it is not found or another part of the picture is mistaken for it.",
        ground=figures.photo(digit_pictures.pad_square(photo, PHOTO)),
        boxed=True,
    )
    box = bounding_box(strokes)
    with place:
        found = uploads.read("digit in picture", file, lambda: restoration.from_picture(photo, box), box)
    if found is None:
        return None
    image, doubt = found
    SETTING.texts()["pixels"] = packed = restoration.pack_pixels(image)  # a reload loses the file
    SESSION.pad_texts["pixels"] = packed, times
    if doubt:
        st.warning(f"{escape(doubt)} If the digit is wrong, drag a box around it.")
    return image


def choose_test(setting: Chosen) -> Any:
    """Return one of MNIST's test images: of all of them, or of the sample that comes with the project. A number beyond
    the sample starts again from its beginning, and the field says so.
    """
    rows, whole = mnist_tests()
    wanted, problems = setting.choice.image, dict(setting.problems)
    shown = wanted % len(rows)
    if shown != wanted:
        problems.setdefault(
            "image",
            f"Test image must be a whole number from 0 to {len(rows) - 1:,} until all of MNIST is downloaded, not "
            f"{wanted}; this is {shown}.",
        )
    SETTING.field("image", problems)
    st.button("Next image", on_click=restoring.set_next, args=("image", len(rows) - 1))
    if not whole:
        st.info(f"These are {len(rows):,} of MNIST's 10,000 test images. You can download all in the Library.")
        st.page_link("library.py", label="Download MNIST", query_params={"view": "data", "set": "mnist"})
    return rows[shown]


def mnist_tests() -> tuple[Any, bool]:
    """Return (the test images on this machine, whether they are all of MNIST's)."""
    whole, sample = (DATASETS[name](binarise="threshold") for name in ("mnist", "mnist-small"))
    try:
        if whole.at_hand():
            with st.spinner(f"Reading {whole.title}…", show_time=True):
                return whole.load().test.v, True
    except Refusal as refusal:
        st.error(escape(refusal))
    return sample.load().test.v, False
