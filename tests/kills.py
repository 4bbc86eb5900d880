"""Kill the served app again and again in the middle of trainings: `python -m tests.kills [times]`.

Two visitors train in a real Chromium. Each time, after some seconds, the server gets a SIGKILL; the next one has to
have both runs, and their visitors play on from where they were left. In the end both are let finish, and their traces
compared with those of the same recipes trained in one go: equal digit for digit, seconds excepted.
"""

import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit

import click
from playwright.sync_api import Page, sync_playwright

from boltzcore.home import home
from boltzcore.runs.recipe import Recipe
from boltzcore.runs.scheduler import Scheduler
from boltzcore.runs.store import Store
from boltzcore.runs.summary import read_summary
from boltzcore.runs.training import Record
from tests.chromium import launched
from tests.conftest import REPOSITORY
from tests.load.served import answers, free_port

TIMES = 20
SECONDS = 3.0, 17.0  # of training before a kill: the server saves every 15
LONG = {"rbm.hidden": "20", "schedule.length": "100000", "schedule.every": "100"}  # longer than all kills take
RECIPES = ({"CD.rate": "0.00001", **LONG}, {"learner": "PCD", "PCD.rate": "0.00001", "schedule.seed": "1", **LONG})
MOVING = ".lab-figures[data-status='running'], .lab-figures[data-status='queued']"


@contextmanager
def server(folder: Path, port: int) -> Iterator[subprocess.Popen]:
    """The app with this data folder; killed when the block ends."""
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless", "true"]
    with (folder / "server.log").open("a") as log:
        process = subprocess.Popen(
            [*command, "--server.port", str(port)],
            cwd=REPOSITORY,
            env=os.environ | {"BOLTZCORE_HOME": str(folder)},
            stdout=log,
            stderr=log,
        )
        try:
            if not answers(f"http://localhost:{port}/_stcore/health", [process], 90):
                raise SystemExit("The app did not start.")
            yield process
        finally:
            process.kill()
            process.wait()


def visit(page: Page, address: str, query: dict[str, str]) -> None:
    """Open the page of a training, and see it move; one that is there already is played on."""
    page.goto(f"{address}/train?{urlencode(query)}")
    page.locator(".lab-figures").first.wait_for()
    if "run" in query:
        page.get_by_role("button", name="Play", exact=True).click()
    page.locator(MOVING).first.wait_for()


def owned(page: Page) -> dict[str, str]:
    """What of the address names the run and its owner."""
    page.wait_for_function("location.search.includes('key=')")
    found = parse_qs(urlsplit(page.url).query)
    return {name: found[name][0] for name in ("run", "key")}


def figures_of(records: tuple[Record, ...]) -> list[tuple]:
    """All of the records but their seconds."""
    return [(record.count, record.epoch, record.work, dict(record.values)) for record in records]


@click.command()
@click.argument("times", type=click.IntRange(1), default=TIMES)
def main(times: int) -> None:
    """Kill the server so many TIMES and compare the trainings with those in one go."""
    folder, chance = Path(tempfile.mkdtemp(prefix="boltzcore-kills-")), random.Random(0)
    (folder / "kernels").symlink_to(home() / "kernels")
    port = free_port()
    queries: list[dict[str, str]] = [{**recipe, "play": "1"} for recipe in RECIPES]
    with sync_playwright() as playwright:
        browser = launched(playwright)
        for n in range(times + 1):
            with server(folder, port) as process:
                pages = [browser.new_context().new_page() for _ in queries]
                for page, query in zip(pages, queries, strict=True):
                    page.set_default_timeout(60_000)
                    visit(page, f"http://localhost:{port}", query)
                queries = [owned(page) for page in pages]
                if n < times:
                    pages[0].wait_for_timeout(1000 * chance.uniform(*SECONDS))
                    moving = sum(page.locator(MOVING).count() > 0 for page in pages)
                    process.kill()
                else:
                    for page in pages:
                        page.locator(".lab-figures[data-status='finished']").wait_for(timeout=1_200_000)
                    process.terminate()
                    process.wait(30)
            for page in pages:
                page.context.close()
            if n < times:
                summaries = [read_summary(folder / "runs" / query["run"]) for query in queries]
                counts = ", ".join("lost" if each is None else f"{each.count:,}" for each in summaries)
                print(f"kill {n + 1}: {moving} of {len(pages)} in training; saved at update {counts}", flush=True)
        browser.close()
    store, equal = Store(folder), 0
    with Scheduler([Recipe.from_query(asked) for asked in RECIPES], order="study") as scheduler:
        for index, alone in scheduler.endings():
            saved = store.load(queries[index]["run"])
            same = saved is not None and figures_of(saved.records) == figures_of(alone.records)
            print(f"run {index + 1}: {len(alone.records):,} records, {'equal' if same else 'NOT EQUAL'}")
            equal += same
    tracebacks = (folder / "server.log").read_text().count("Traceback")
    print(f"{equal} of {len(RECIPES)} traces equal; {tracebacks} tracebacks in the server's log")
    shutil.rmtree(folder)
    sys.exit(equal < len(RECIPES) or tracebacks > 0)


if __name__ == "__main__":
    main(prog_name="python -m tests.kills")
