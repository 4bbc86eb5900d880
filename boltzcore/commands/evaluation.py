"""Evaluation of a model file on a data set: `evaluate`."""

import dataclasses
from pathlib import Path
from typing import Any

import click

from boltzcore import models, threads
from boltzcore.arrays import file_name
from boltzcore.commands.shared import (
    file_argument,
    folder_option,
    json_option,
    print_json,
    print_table,
    seed_option,
    set_option,
    settings,
)
from boltzcore.commands.tables import DATA_HELP, data_of, match_columns, reading_options
from boltzcore.data.examples import Dataset
from boltzcore.inference import Inference
from boltzcore.inference.annealing import Annealing
from boltzcore.measures import MEASURES, MeasureContext, base_rate_log_likelihood, classification_error, diagnose
from boltzcore.measures.equilibrium import (
    CHAINS,
    STEPS,
    chains_from_rows,
    equilibrium_gap,
    figures_of,
    gap_of,
    verdict_in,
)
from boltzcore.measures.estimates import estimates as estimates_of
from boltzcore.measures.measure import NATS, SHARE, all_rows
from boltzcore.measures.merit import title_of
from boltzcore.measures.pixels import pixel_errors
from boltzcore.measures.term_estimates import term_estimates
from boltzcore.models.base import Model
from boltzcore.parameters import texts_of
from boltzcore.quoting import Refusal, number
from boltzcore.registry import DATASETS, MODELS, OPTIONAL_PARTS, ModelEntry, name_of, unit_of

OPTIONS: dict[str, Any] = {"annealing": Annealing, "inference": Inference}  # settable fields of `MeasureContext`


@click.command()
@file_argument
@click.option("--data", default="digits", show_default=True, help=DATA_HELP)
@reading_options
@set_option("the data set, the corruption that a model undoes, or the inference and annealing that measure it")
@seed_option
@click.option(
    "--classify",
    is_flag=True,
    help="Also report the error of a logistic regression from hidden units to labels; this may take minutes.",
)
@click.option(
    "--equilibrium",
    is_flag=True,
    help="Also report whether chains that start at training rows are at equilibrium: log Z by annealing back from "
    "them, minus log Z by annealing towards the model.",
)
@click.option(
    "--diagnose",
    "diagnosed",
    is_flag=True,
    help="Also report problems of the model or the data, and what to try.",
)
@click.option(
    "--estimates",
    is_flag=True,
    help="Also list the uncertainty of each parameter, if the model was fitted to these rows: standard errors of a "
    "fully visible machine or of the values of a log-linear model's terms.",
)
@folder_option
@json_option
def evaluate(
    file: Path,
    data: str,
    assignments: tuple[str, ...],
    seed: int,
    classify: bool,
    equilibrium: bool,
    diagnosed: bool,
    estimates: bool,
    as_json: bool,
) -> None:
    """Evaluate the model in FILE (.npz) on all rows of a data set.

    The measures depend on the model: for an RBM, the log-likelihood of the rows, in nats per example.

    The log-likelihood is exact, over every state of the smaller layer; where that has more than 25 units it is an
    estimate by annealed importance sampling, with the interval of three standard errors (--set temperatures=10000).
    The base rate is the log-likelihood of independent pixels. With --classify: the share of held-out rows whose label
    logistic regression on the hidden units misses.

    A conditional RBM: how well it restores the rows after a corruption, in % of pixels; what is done to them and how
    they are restored is set by --set corruption.kind=patch, inference.iterations=20 and the like.

    With --estimates, of a fully visible machine: standard errors are those of the sandwich covariance of the maximum
    pseudo-likelihood estimator, at which the model must lie; z and p are Wald's test of the parameter being 0. Columns
    are coded -1 and +1: a coupling m makes the odds ratio exp(4m). Of a log-linear model its terms, the strongest
    first, refitted by maximum likelihood with the terms fixed: values, odds ratios, and p_holm, corrected by Holm's
    method. Intervals are of 95 %.
    """
    model = models.load(file)
    known = MODELS[name_of(model)]
    takes = {
        **({"classify": classification_error.takes(known.kind)} if classify else {}),
        **({"equilibrium": isinstance(model, models.RBM)} if equilibrium else {}),
        **({"estimates": isinstance(model, models.FVBM | models.LogLinear)} if estimates else {}),
    }
    for name, fits in takes.items():
        if not fits:
            raise Refusal(f"--{name} is not for a {known.title!r}, as in {file_name(file)}.")
    dataset, made = _prepare_data(known, data, assignments)
    dataset = match_columns(dataset, model, file, data)
    if classify and not dataset.labels:
        raise Refusal(f"--classify needs labels, and {file_name(data)} has none.")
    rows = all_rows(dataset, seed)
    context = MeasureContext(seed, annealing=made["annealing"], inference=made["inference"], shared={})
    with threads.use(threads.CORES):
        figures = _compute_figures(known, model, rows, context, data=data, classify=classify, equilibrium=equilibrium)
        findings = diagnose(model, dataset, annealing=context.annealing, seed=seed) if diagnosed else None
        taken: Any = term_estimates if isinstance(model, models.LogLinear) else estimates_of
        table = taken(model, dataset.train, names=dataset.names) if estimates else None
    if scored := any("log_likelihood" in name for name in figures):
        figures["test_base_rate"] = base_rate_log_likelihood(dataset.train, dataset.test)
    if as_json:
        verdict = verdict_in(figures)
        judged = {"verdict": verdict.word} if verdict else {}
        exact = {"exact": "test_log_likelihood" in figures} if scored else {}
        wrong = {} if findings is None else {"diagnosis": [dataclasses.asdict(finding) for finding in findings]}
        sure = {} if table is None else {"estimates": table.to_dict(orient="records")}
        print_json({name: getattr(model, name) for name in model.SIZES} | exact | figures | judged | wrong | sure)
        return
    damage = f", {made['corruption'].title}, restored by {made['inference'].kind}" if "corruption" in made else ""
    click.echo(f"{known.title} with {model.size} on {file_name(data)}{damage}:")
    _tell(figures, context.annealing)
    if findings is not None:
        lines = [f"  {each.name}: {each.evidence}\n    {each.remedy.advice}" for each in findings]
        click.echo("\n".join(["Diagnosis:", *lines]) if findings else "Diagnosis: no problems found.")
    if table is not None:
        print_table(table.to_dict(orient="records"))


def _prepare_data(known: ModelEntry, data: str, assignments: tuple[str, ...]) -> tuple[Dataset, dict[str, Any]]:
    """Return the data set for such a model, corrupted if the model is conditional, and the requested settings."""
    used = {name for measure in known.measures for name in MEASURES[measure].uses}
    name, table = data_of(data)
    kinds: dict[str, Any] = {name: DATASETS[name]}
    kinds |= {part: OPTIONAL_PARTS[part].kind for part in known.parts if part not in OPTIONS}
    kinds |= {option: kind for option, kind in OPTIONS.items() if option in used}
    texts = table | settings(assignments, kinds)
    made = {owner: kind.from_text(texts_of(texts, owner)) for owner, kind in (kinds | OPTIONS).items()}
    dataset = made[name].load()
    if "corruption" in made:
        dataset = dataset.corrupted(made["corruption"])
    return dataset, made


def _compute_figures(
    known: ModelEntry,
    model: Model,
    rows: Dataset,
    context: MeasureContext,
    *,
    data: str,
    classify: bool,
    equilibrium: bool,
) -> dict[str, float]:
    """Return all measures of such a model, their baselines, and further requested figures."""
    figures: dict[str, float] = {}
    for name in known.measures:
        figures |= MEASURES[name](model, rows, context)
    if rows.test.x is not None:
        figures["nothing_done_error"] = pixel_errors(rows.test.v, rows.test.x, rows.test.x, rows.test.weight).all
    if equilibrium and isinstance(model, models.RBM):
        chains = chains_from_rows(model, rows, context)
        figures |= figures_of(gap_of(model, rows, context, chains, context.annealing.temperatures))
    if classify:
        missed = classification_error(model, rows, context)
        if not missed:
            raise Refusal(
                "--classify needs a model with hidden units, at least two labels among the training rows of "
                f"{file_name(data)}, and labelled test rows."
            )
        figures |= missed
    return figures


def _tell(figures: dict[str, float], annealing: Annealing) -> None:
    """Print figures, their settings, and the verdict."""
    for name in figures:
        if not name.endswith(("_low", "_high")):
            click.echo(f"  {title_of(name):52}{_format_figure(figures, name)}")
    if "ais_effective_sample_size" in figures:
        click.echo(
            "The log-likelihood is an estimate by annealed importance sampling with "
            f"{annealing.chains:,} chains and {annealing.temperatures:,} temperatures, with an interval of three "
            "standard errors. Such estimates tend to be too high: more temperatures reduce the bias, and no figure "
            "reveals modes that no chain has found."
        )
    elif any("log_likelihood" in name for name in figures):
        click.echo("The log-likelihood is exact.")
    if verdict := verdict_in(figures):
        click.echo(
            f"{verdict.word.capitalize()}: {verdict.sentence} The equilibrium gap is of at most {CHAINS} chains that "
            f"start at training rows, after {STEPS} Gibbs steps, with three standard errors: below 0 if the chains "
            "miss part of the model."
        )


def _format_figure(figures: dict[str, float], name: str) -> str:
    """Return a figure with its unit, an estimate with its interval."""
    low, high = figures.get(f"{name}_low"), figures.get(f"{name}_high")
    if name.endswith("_ais") or name == equilibrium_gap.name:
        ends = ("-inf" if low is None else f"{low:.4f}", "inf" if high is None else f"{high:.4f}")
        return f"about {figures[name]:.4f}, between {ends[0]} and {ends[1]} {unit_of(name)}"
    if unit_of(name) == SHARE or name == "nothing_done_error":
        return number(figures[name], ".3%")
    return f"{figures[name]:.4f} {NATS if name == 'test_base_rate' else unit_of(name)}".rstrip()
