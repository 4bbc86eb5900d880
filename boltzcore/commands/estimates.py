"""`estimates`: the parameters of a fully visible machine with standard errors, intervals and Wald tests."""

from pathlib import Path
from typing import Any

import click

from boltzcore import models, threads
from boltzcore.arrays import file_name
from boltzcore.commands.outputs import check_outputs, written
from boltzcore.commands.parts import (
    INTERRUPTED,
    folder_option,
    interruptible,
    json_option,
    print_json,
    settings,
    texts_of,
)
from boltzcore.commands.tables import DATA_HELP, data_of, file_of
from boltzcore.measures.estimates import Confidence, as_table, estimated
from boltzcore.quoting import cell, cut
from boltzcore.registry import DATASETS
from boltzcore.ticks import Stopped

_FIGURES = {"estimate": "estimate", "standard_error": "std. error", "low": "low", "high": "high", "z": "z", "p": "p"}
_WIDEST = 40  # characters of a parameter's name


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--data", required=True, help=f"What the model was fitted to. {DATA_HELP}")
@click.option("--set", "assignments", multiple=True, metavar="NAME=VALUE", help="A field of the data set.")
@click.option(
    "--level",
    default=f"{Confidence().level:g}",
    show_default=True,
    metavar="P",
    help="How probable it is that an interval holds the parameter.",
)
@click.option("--out", type=click.Path(path_type=Path), help="Write the table here as CSV.")
@folder_option
@json_option
def estimates(file: Path, data: str, assignments: tuple[str, ...], level: str, out: Path | None, as_json: bool) -> int:
    """Tell how sure each parameter of the fully visible machine in FILE (.npz) is, from the rows that it was fitted to.

    Standard errors are those of the sandwich covariance of the maximum pseudo-likelihood estimator; z and p are Wald's
    test of the parameter being 0. There are none where the pseudo-likelihood has no maximiser, and the model must lie
    at it: `train --learner BSLM` with a small tau, or PseudoLikelihoodLBFGS.
    """
    confidence = Confidence.from_text({"level": level})
    check_outputs({"--out": out}, (file, file_of(data)))
    model = models.load(file)
    name, texts = data_of(data)
    kind = DATASETS[name]
    source = kind.from_text(texts_of(texts | settings(assignments, {name: kind}), name))
    with interruptible() as tick, threads.use(threads.CORES):
        try:
            dataset = source.load(tick)
            found = estimated(model, dataset.train, names=dataset.names, tick=tick)
        except Stopped:
            return INTERRUPTED
    table = as_table(found, dataset.names, confidence.level)
    if out is not None:
        words = {name: table[name].map(cell) for name in ("parameter", "first", "second")}
        with written(out) as stream:
            table.assign(**words).to_csv(stream, index=False)
    if as_json:
        print_json(
            {
                "n_visible": model.n_visible,
                "rows": found.rows,
                "log_pseudo_likelihood": found.log_pseudo_likelihood,
                "level": confidence.level,
                "estimates": table.to_dict(orient="records"),
            }
        )
        return 0
    click.echo(
        f"{file_name(file)}, {model.size}, on {found.rows:,.10g} rows of {file_name(data)}: log-pseudo-likelihood "
        f"{found.log_pseudo_likelihood:.3f} nats in all; intervals of {confidence.level:.4g}."
    )
    _print(table)
    return 0


def _print(table: Any) -> None:
    """Names to the left, figures in columns."""
    names = [cut(name, _WIDEST) for name in table["parameter"]]
    width = max(len("parameter"), *map(len, names))
    click.echo(f"{'parameter':<{width}}" + "".join(f"{title:>12}" for title in _FIGURES.values()))
    figures = table[list(_FIGURES)].itertuples(index=False)
    for name, (*four, z, p) in zip(names, figures, strict=True):
        click.echo(f"{name:<{width}}" + "".join(f"{value:12.4f}" for value in four) + f"{z:12.3f}{_p(p):>12}")


def _p(p: float) -> str:
    return f"{p:.4f}" if p >= 1e-4 else f"{p:.1e}"
