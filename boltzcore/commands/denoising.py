"""`denoise`: pictures restored by a conditional RBM."""

import math
import os
from pathlib import Path
from typing import Any

import click
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from boltzcore.arrays import file_name, open_binary
from boltzcore.commands.outputs import check_outputs, open_output
from boltzcore.commands.shared import OUT, declared_options, file_argument, json_option, print_json
from boltzcore.data.digit_pictures import THRESHOLD, as_digit
from boltzcore.data.pictures import MAX_BYTES, Gray, read_picture
from boltzcore.inference import Inference
from boltzcore.measures.pixels import pixel_errors
from boltzcore.models import CRBM, load
from boltzcore.parameters import check_kind
from boltzcore.quoting import Refusal, number, quoted

_DIFFERENT = 0.05  # share of pixels: a picture of the model's size is reported as misread if its digit differs in more
_REMEDY = "Crop the picture to the digit if the result is wrong."
PLACE = click.Path(exists=True, path_type=Path)


@click.command()
@file_argument
@click.argument("seen", metavar="IN", type=PLACE)
@click.argument("out", metavar="OUT", type=OUT)
@declared_options(Inference, kind="inference")
@click.option(
    "--marginals", is_flag=True, help="Write the probability of each pixel as grey instead of its more probable value."
)
@click.option(
    "--truth",
    type=PLACE,
    help="The clean picture, or a folder of clean pictures with the same names, to compute All and Changed error.",
)
@json_option
def denoise(
    file: Path, seen: Path, out: Path, marginals: bool, truth: Path | None, as_json: bool, **texts: str | None
) -> None:
    """Restore the picture IN by the conditional RBM in FILE (.npz), and write the PNG OUT.

    If IN is a folder, so is OUT, and every picture in IN gets a PNG of the same name there.
    A picture of the model's size is thresholded at 127 and used as it is, light on black. In any other, such as a
    photo, the digit is found, made light on black, scaled, and centred by mass as in MNIST. A warning says if the
    picture may have been misread: crop it to its digit.

    All error is the share of wrong pixels; Changed error is the share among pixels in which IN and the clean picture
    differ.
    """
    inference = Inference.from_text({field: text for field, text in texts.items() if text is not None})
    work = _plan_files(file, seen, out, truth)
    model = check_kind(load(file), CRBM, file_name(file))
    side = _side(model, file)
    if seen.is_dir():
        out.mkdir(exist_ok=True)
    outcomes, failed = [], 0
    for source, target, clean in work:
        try:
            outcomes.append(_restore(model, side, inference, source, target, clean, marginals))
        except Refusal as refusal:
            if not seen.is_dir():
                raise
            failed += 1
            click.echo(str(refusal), err=True)
            continue
        if not as_json:
            click.echo(_sentence(outcomes[-1]))
    if as_json:
        print_json(outcomes)
    if failed:
        raise Refusal(f"{failed} of {len(work)} pictures could not be restored.")


def _plan_files(file: Path, seen: Path, out: Path, truth: Path | None) -> list[tuple[Path, Path, Path | None]]:
    """Return (picture, target, its clean picture) for each picture; raise Refusal if names do not fit together."""
    folder = seen.is_dir()
    if truth is not None and truth.is_dir() != folder:
        raise Refusal(f"--truth must be a {'folder' if folder else 'file'}, as {file_name(seen)} is.")
    if out.exists() and out.is_dir() != folder:
        raise Refusal(
            f"OUT must be a {'folder' if folder else 'file'}, as {file_name(seen)} is; {file_name(out)} is "
            f"{'not' if folder else 'a folder'}."
        )
    if any(given is not None and out.exists() and out.samefile(given) for given in (seen, truth)):
        raise Refusal(f"OUT must not be the {'folder' if folder else 'file'} that is read; both are {file_name(out)}.")
    if not folder:
        if out.suffix.lower() != ".png":
            raise Refusal(
                f"OUT must be the name of a PNG file, such as {out.stem or 'restored'}.png, not {quoted(out.name)}."
            )
        check_outputs({"OUT": out}, (file, seen, truth))
        return [(seen, out, truth)]
    beyond = out.absolute().parent
    if not os.access(out if out.is_dir() else beyond, os.W_OK):
        raise Refusal(f"{file_name(out)} cannot be written: there is no folder {beyond}, or you have no access to it.")
    pictures = _pictures(seen)
    cleans = {} if truth is None else _pictures(truth)
    if not pictures:
        raise Refusal(f"{file_name(seen)} must be a folder with pictures; it is empty.")
    missing = sorted(set(pictures) - set(cleans)) if truth is not None else []
    if missing:
        raise Refusal(
            f"--truth has no picture for {len(missing)} of {len(pictures)} in {file_name(seen)}, the first of them "
            f"{quoted(missing[0])}."
        )
    work = [(path, out / f"{stem}.png", cleans.get(stem)) for stem, path in pictures.items()]
    for _, target, _ in work if out.is_dir() else ():
        check_outputs({file_name(target): target}, (file,))
    return work


def _pictures(folder: Path) -> dict[str, Path]:
    """Return the files of a folder by their names without endings, in order; raise Refusal if two share one."""
    found: dict[str, Path] = {}
    for path in sorted(path for path in folder.iterdir() if path.is_file() and not path.name.startswith(".")):
        if path.stem in found:
            both = f"{file_name(found[path.stem])} and {file_name(path)}"
            raise Refusal(f"{file_name(folder)} holds both {both}; names must differ without their extensions.")
        found[path.stem] = path
    return found


def _side(model: CRBM, file: Path) -> int:
    """Return the side of the model's square pictures."""
    side = math.isqrt(model.n_visible)
    if model.n_x != model.n_visible or side * side != model.n_visible:
        raise Refusal(
            f"The model in {file_name(file)} must have inputs and visible units for one square picture, such as 784 "
            f"each, not {model.n_x} and {model.n_visible}."
        )
    return side


def _restore(
    model: CRBM, side: int, inference: Inference, source: Path, target: Path, clean: Path | None, marginals: bool
) -> dict[str, Any]:
    """Restore one picture, write it, and return its figures."""
    x = _bits(source, side)
    truth = None if clean is None else _clean_bits(clean, side)
    beliefs = inference.infer(model, x.astype(np.float32))
    guess = (beliefs.v > 0.5).astype(np.uint8)
    levels = np.rint(beliefs.v * 255) if marginals else guess * 255
    with open_output(target) as stream:
        Image.fromarray(levels.astype(np.uint8).reshape(side, side)).save(stream, "PNG")
    run = int(beliefs.iterations)
    return {
        "file": file_name(source),
        "iterations": run,
        "converged": bool(beliefs.converged),
        "residual": float(beliefs.residuals[run - 1]),
        **({} if truth is None else pixel_errors(truth, x, guess)._asdict()),
    }


def _sentence(figures: dict[str, Any]) -> str:
    state = "converged" if figures["converged"] else "not converged"
    known = [name for name in ("all", "changed") if not math.isnan(figures.get(name, math.nan))]
    errors = "".join(f"; {name} error {number(figures[name], '.2%')}" for name in known)
    return f"{figures['file']}: {state}, iterations {figures['iterations']}, residual {figures['residual']:.2g}{errors}"


def _bits(path: Path, side: int) -> NDArray[np.uint8]:
    """Return the 0/1 row of a picture; a picture of another size than the model's is read as a digit."""
    gray = _read(path)
    whole = gray.shape == (side, side)
    try:
        digit = as_digit(gray, side)
    except Refusal as refusal:
        if whole:
            return (gray > THRESHOLD).astype(np.uint8).ravel()
        raise Refusal(str(refusal).replace("The picture", file_name(path), 1)) from None
    bits, doubt = digit.bits, digit.doubt
    if whole:
        bits = (gray > THRESHOLD).astype(np.uint8)
        if np.count_nonzero(bits != digit.bits) <= _DIFFERENT * bits.size:
            return bits.ravel()
        doubt = "The picture is taken as it is, light on black, but seems to have a dark, faint or small digit."
    else:
        click.echo(
            f"{file_name(path)} is not a picture of {side} × {side} pixels: its digit was cut out, scaled and centred.",
            err=True,
        )
    if doubt:
        click.echo(f"{doubt.replace('The picture', file_name(path), 1)} {_REMEDY}", err=True)
    return bits.ravel()


def _clean_bits(path: Path, side: int) -> NDArray[np.uint8]:
    gray = _read(path)
    if gray.shape != (side, side):
        raise Refusal(
            f"{file_name(path)} must have the model's {side} × {side} pixels to be the truth, not {gray.shape[1]:,} × "
            f"{gray.shape[0]:,}."
        )
    return (gray > THRESHOLD).astype(np.uint8).ravel()


def _read(path: Path) -> Gray:
    with open_binary(path) as stream:
        return read_picture(stream.read(MAX_BYTES + 1), file_name(path))
