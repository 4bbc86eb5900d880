"""`telling`: the updates that tell what each learner does, and the search that found them."""

from typing import Any

import click

from boltzcore.commands.parts import INTERRUPTED, Progress, Whole, interruptible, json_option, print_json
from boltzcore.runs.seeking import Found, seek, told_of
from boltzcore.runs.telling import EXAMPLES
from boltzcore.ticks import Stopped


@click.command()
@click.argument("name", required=False, metavar="[NAME]")
@click.option("--best", default=5, show_default=True, type=Whole(1, 100), help="How many to print.")
@json_option
def telling(name: str | None, best: int, as_json: bool) -> int:
    """Search an example's trainings for updates that tell what its learner does; without NAME, list the examples with
    the score of each. Ctrl-C ends the search early and prints what was found."""
    if name is None:
        listed = {
            known: {"title": example.title, "score": told_of(example).score} for known, example in EXAMPLES.items()
        }
        if as_json:
            print_json(listed)
        else:
            click.echo("\n".join(f"{known}: {told['title']} ({told['score']:.2f})" for known, told in listed.items()))
        return 0
    progress, finished, looked = Progress(), True, 0
    found: list[Found] = []
    with interruptible() as tick:

        def reporting(fraction: float = 0.0) -> None:
            tick(fraction)
            progress(f"{name}: {looked} updates taken apart, {fraction:.0%}")

        try:
            for one in seek(name, reporting):
                looked += 1
                found = sorted([*found, one], key=lambda each: each.told.rank, reverse=True)[:best]
        except Stopped:
            finished = False
    if as_json:
        print_json({"example": name, "finished": finished, "looked": looked, "best": [_plain(one) for one in found]})
    else:
        click.echo(f"{name}: {looked} updates taken apart{'' if finished else ' (stopped early)'}")
        for one in found:
            chosen = "".join(f", {what} {number}" for what, number in one.told.choose.items())
            click.echo(f"{one.told.score:.2f}  seed {one.seed}, update {one.update}, row {one.row}{chosen}")
            click.echo("      " + ", ".join(f"{part} {share:.2f}" for part, share in one.told.parts.items()))
    return 0 if finished else INTERRUPTED


def _plain(one: Found) -> dict[str, Any]:
    told = {"score": one.told.score, "parts": dict(one.told.parts), "choose": dict(one.told.choose)}
    return {"seed": one.seed, "update": one.update, "row": one.row, **told}
