"""Filling of a table's gaps by a model: `fill`."""

from pathlib import Path

import click

from boltzcore import models
from boltzcore.arrays import file_name
from boltzcore.commands.outputs import check_outputs, write_text
from boltzcore.commands.shared import FILE, OUT, file_argument, seed_option, working
from boltzcore.commands.tables import chosen_reading, reading_options
from boltzcore.data import read_table
from boltzcore.data.table_text import codes_of_table, filled_csv
from boltzcore.inference import filling
from boltzcore.inference.samples import Sampled, sizes_of
from boltzcore.parameters import check_kind


@click.command()
@file_argument
@click.argument("table", type=FILE)
@reading_options
@click.option(
    "--draws",
    default=0,
    type=click.IntRange(0, filling.MOST_DRAWS),
    metavar="N",
    help="Fill the table N times with draws from the model instead of once with the most probable values.",
)
@seed_option
@click.option("--out", type=OUT, required=True, help="CSV file for the filled table.")
def fill(file: Path, table: Path, draws: int, seed: int, out: Path) -> None:
    """Fill the missing values of TABLE with the model in FILE (.npz), an RBM, an infinite RBM, a fully visible machine,
    a log-linear or a Potts model.

    Each row gets its most probable completion, and a column p(NAME) for each column with gaps: the probability of the
    value that was filled in, given the other values of its row. Columns go by their names.
    """
    check_outputs({"--out": out}, [file, table])
    model, names = check_kind(models.load(file), Sampled, file_name(file)), models.names_in(file)
    rows = read_table(table, chosen_reading())
    click.echo(rows.reading.sentence, err=True)
    codes = codes_of_table(rows, names, sizes := sizes_of(model))
    with working(lambda fraction: f"filling: {fraction:.0%}") as tick:
        found = filling.fill(model, codes, draws=draws, seed=int(seed), tick=tick)
    write_text(out, filled_csv(rows, names, sizes, codes, found))
    gaps = 0 if rows.missing is None else int(rows.missing.sum())
    filled = int((codes < 0).sum())
    rest = "; the others are in columns that the model lacks" if filled < gaps else ""
    click.echo(f"{filled:,} of {gaps:,} gaps are filled{rest}.")
