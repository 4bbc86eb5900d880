"""`estimates`: how sure the parameters of a model of a table are: standard errors of a fully visible machine, bootstrap
intervals of a log-linear model.
"""

from pathlib import Path
from typing import Any

import click

from boltzcore import models, threads
from boltzcore.arrays import file_name
from boltzcore.commands.matching import matched
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
from boltzcore.data import Dataset
from boltzcore.figures.terms import case
from boltzcore.measures import bootstrap
from boltzcore.measures.estimates import Confidence, as_table, estimated
from boltzcore.models import LogLinear, Model
from boltzcore.quoting import cell, cut
from boltzcore.registry import DATASETS
from boltzcore.ticks import Stopped, Tick

_FIGURES = ("value", "estimate", "standard_error", "low", "high", "z", "p")
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
    """Tell how sure each parameter of the model in FILE (.npz) is, from the rows that it was fitted to.

    Of a log-linear model the values of its terms are fitted to rows drawn anew, 199 times, and intervals hold the
    middle of what comes out. Which terms there are stays fixed: what choosing them by the same rows leaves open is not
    in the intervals.

    Of a fully visible machine, standard errors are those of the sandwich covariance of the maximum pseudo-likelihood
    estimator; z and p are Wald's test of the parameter being 0. There are none where the pseudo-likelihood has no
    maximiser, and intervals cover as they say among tables that have one. The model must lie at it:
    `train --learner BSLM` with a small tau, or PseudoLikelihoodLBFGS.
    """
    confidence = Confidence.from_text({"level": level})
    check_outputs({"--out": out}, (file, file_of(data)))
    model = models.load(file)
    name, texts = data_of(data)
    kind = DATASETS[name]
    source = kind.from_text(texts_of(texts | settings(assignments, {name: kind}), name))
    with interruptible() as tick, threads.use(threads.CORES):
        try:
            dataset = matched(source.load(tick), model, file, data)
            if isinstance(model, LogLinear):
                table, facts, said = _intervals(model, dataset, confidence.level, tick)
            else:
                table, facts, said = _standard_errors(model, dataset, confidence.level, tick)
        except Stopped:
            return INTERRUPTED
    if out is not None:
        words = {name: table[name].map(cell) for name in table.select_dtypes(exclude="number")}
        with written(out) as stream:
            table.assign(**words).to_csv(stream, index=False)
    if as_json:
        facts = {"n_visible": model.n_visible} | facts | {"level": confidence.level}
        print_json(facts | {"estimates": table.to_dict(orient="records")})
        return 0
    click.echo(
        f"{file_name(file)}, {model.size}, on {facts['rows']:,.10g} rows of {file_name(data)}: {said}; intervals of "
        f"{confidence.level:.4g}."
    )
    _print(table)
    return 0


def _standard_errors(model: Model, dataset: Dataset, level: float, tick: Tick) -> tuple[Any, dict[str, Any], str]:
    """(the table, the further fields, the same in words)."""
    found = estimated(model, dataset.train, names=dataset.names, tick=tick)
    facts = {"rows": found.rows, "log_pseudo_likelihood": found.log_pseudo_likelihood}
    said = f"log-pseudo-likelihood {found.log_pseudo_likelihood:.3f} nats in all"
    return as_table(found, dataset.names, level), facts, said


def _intervals(model: LogLinear, dataset: Dataset, level: float, tick: Tick) -> tuple[Any, dict[str, Any], str]:
    """(the table, the further fields, the same in words)."""
    found = bootstrap.resampled(model, dataset.train, tick=tick)
    words = [case(y, 1, model.cardinalities, dataset.names) for y in model.digits()]
    said = f"values fitted to {len(found.drawn):,} drawings of the rows, the terms fixed"
    facts = {"rows": found.rows, "drawings": len(found.drawn)}
    return bootstrap.as_table(found, model, words, level), facts, said


def _print(table: Any) -> None:
    """Names to the left, figures in columns."""
    first, *_ = table.columns
    names = [cut(name, _WIDEST) for name in table[first]]
    width = max(len(first), *map(len, names))
    shown = [name for name in _FIGURES if name in table.columns]
    click.echo(f"{first:<{width}}" + "".join(f"{name.replace('standard_', 'std. '):>12}" for name in shown))
    for name, line in zip(names, table[shown].to_dict(orient="records"), strict=True):
        click.echo(f"{name:<{width}}" + "".join(_figure(*each) for each in line.items()))


def _figure(name: str, value: float) -> str:
    return f"{_p(value):>12}" if name == "p" else f"{value:12.3f}" if name == "z" else f"{value:12.4f}"


def _p(p: float) -> str:
    return f"{p:.4f}" if p >= 1e-4 else f"{p:.1e}"
