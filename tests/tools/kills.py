"""`python -m tests.tools.kills trainings|races [TIMES]`: kill the app with SIGKILL while a visitor in Chromium trains.

Every training and race has to be found again and to go on. At the end the records of the trainings are compared with
those of the same recipes trained without interruption, and the records of each race with those of the command
`compare`: all figures must be equal except the seconds.
"""

import os
import random
import shutil
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit

import click
from playwright.sync_api import Browser, Page, sync_playwright

from boltzcore import Comparison, Recipe
from boltzcore.home import home
from boltzcore.learners import CD
from boltzcore.models import RBMSetup
from boltzcore.runs.schedule import Schedule
from boltzcore.runs.scheduler import Scheduler
from boltzcore.runs.store import Store
from boltzcore.runs.training import Record
from tests.tools.chromium import launched
from tests.tools.served import REPOSITORY, app

TIMES = 20
SAVED = 3.0, 17.0  # seconds of training before a kill: the server saves every 15
RACED = 0.3, 5.0  # seconds of a race before a kill
ENDLESS = {"rbm.hidden": "20", "schedule.length": "100000", "schedule.every": "100"}
RECIPES = ({"CD.rate": "0.00001", **ENDLESS}, {"learner": "PCD", "PCD.rate": "0.00001", **ENDLESS})
BASE = Recipe(
    RBMSetup(hidden=4), "shifting-bar", CD(0.3, 0, K=12), Schedule(length=60_000, every=1_500), ("log_likelihood",)
)
CONTENDERS = {"CD-12": {}, "CD-1": {"CD.K": 1}, "S-DCP": {"learner": "SDCP", "SDCP.rate": 0.3, "SDCP.batch_size": 0}}
MOVING = ".lab-figures[data-status='running'], .lab-figures[data-status='queued']"
FINISHED = ".lab-figures[data-status='finished']"


def press(page: Page, name: str) -> None:
    """Press a button."""
    page.get_by_role("button", name=name, exact=True).click()


def predict(page: Page) -> None:
    """Skip the prediction of a race."""
    page.get_by_test_id("stButtonGroup").get_by_text("I would rather not say", exact=True).click()


def opened(browser: Browser) -> Page:
    """Return the page of another visitor."""
    page = browser.new_context().new_page()
    page.set_default_timeout(240_000)
    return page


def owned(page: Page, *names: str) -> dict[str, str]:
    """Return the parameters of an address that name a run or race and its owner."""
    page.wait_for_function("() => location.search.includes('key=')")
    found = parse_qs(urlsplit(page.url).query)
    return {name: found[name][0] for name in (*names, "key")}


def figures_of(records: tuple[Record, ...]) -> list[tuple]:
    """Return the records without their seconds."""
    return [(record.count, record.epoch, record.work, dict(record.values)) for record in records]


def without_seconds(csv: str) -> list[str]:
    """Return the lines of a CSV file without the column `seconds`."""
    lines = [line.split(",") for line in csv.splitlines()]
    place = lines[0].index("seconds") if "seconds" in lines[0] else len(lines[0])
    return [",".join(line[:place] + line[place + 1 :]) for line in lines]


def trainings(browser: Browser, folder: Path, times: int, chance: random.Random) -> int:
    """Kill two trainings again and again; return how many of them differ."""
    queries: list[dict[str, str]] = [{**recipe, "play": "1"} for recipe in RECIPES]
    for n in range(times + 1):
        with ExitStack() as visitors, app(folder) as (host, process):
            pages = [opened(browser) for _ in queries]
            for page, query in zip(pages, queries, strict=True):
                visitors.callback(page.context.close)
                page.goto(f"http://{host}/train?{urlencode(query)}")
                page.locator(".lab-figures").first.wait_for()
                if "run" in query:
                    press(page, "Play")
                page.locator(MOVING).first.wait_for()
            queries = [owned(page, "run") for page in pages]
            if n < times:
                pages[0].wait_for_timeout(1000 * chance.uniform(*SAVED))
                process.kill()
                click.echo(f"kill {n + 1}")
                continue
            for page in pages:
                page.locator(FINISHED).wait_for(timeout=1_200_000)
    store, wrong = Store(folder), 0
    with Scheduler([Recipe.from_query(recipe) for recipe in RECIPES], order="study") as scheduler:
        for index, alone in scheduler.endings():
            saved = store.load(queries[index]["run"])
            wrong += saved is None or figures_of(saved.records) != figures_of(alone.records)
    return wrong


def races(browser: Browser, folder: Path, times: int, chance: random.Random) -> int:
    """Kill a new race each time; return how many differ."""
    wrong = 0
    for n in range(times):
        comparison, page = Comparison(BASE, CONTENDERS, trials=3, seed=100 * n), opened(browser)
        with app(folder) as (host, process):
            page.goto(f"http://{host}/compare?{urlencode(comparison.to_query())}")
            predict(page)
            press(page, "Play")
            query = owned(page, "race")
            page.locator(f"{MOVING}, {FINISHED}").first.wait_for()
            page.wait_for_timeout(1000 * chance.uniform(*RACED))
            moving = page.locator(MOVING).count() > 0
            process.kill()
        page.goto("about:blank")
        with app(folder) as (host, _):
            page.goto(f"http://{host}/compare?{urlencode(query)}")
            predict(page)
            page.get_by_text("I would rather not say", exact=True).wait_for(state="detached")
            if page.get_by_role("button", name="Play", exact=True).is_enabled():
                press(page, "Play")
            page.locator(FINISHED).first.wait_for()
            page.get_by_test_id("stAlert").wait_for()  # the script has run after the end
            press(page, "Share")
            with page.expect_download() as download:
                press(page, "Records (CSV)")
            records = without_seconds(Path(download.value.path()).read_text())
        page.context.close()
        same = records == without_seconds(uninterrupted(comparison))
        wrong += not same
        click.echo(f"race {n + 1}: killed {'in training' if moving else 'at rest'}, {'equal' if same else 'NOT EQUAL'}")
    return wrong


def uninterrupted(comparison: Comparison) -> str:
    """Return the records that the command makes of a comparison, in a data folder of its own."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        (folder / "kernels").symlink_to(home() / "kernels")
        (folder / "comparison.json").write_text(comparison.to_json())
        subprocess.run(
            [sys.executable, "-m", "boltzcore", "compare", "comparison.json", "--csv", "records.csv"],
            cwd=folder,
            env=os.environ | {"BOLTZCORE_HOME": place, "PYTHONPATH": str(REPOSITORY)},
            check=True,
            stdout=subprocess.DEVNULL,
        )
        return (folder / "records.csv").read_text()


KINDS = {"trainings": trainings, "races": races}


@click.command()
@click.argument("kind", type=click.Choice(list(KINDS)))
@click.argument("times", type=click.IntRange(1), default=TIMES)
def main(kind: str, times: int) -> None:
    """Kill the server TIMES times and compare what was trained with the same trained without interruption."""
    folder = Path(tempfile.mkdtemp(prefix="boltzcore-kills-"))
    with sync_playwright() as playwright:
        browser = launched(playwright)
        wrong = KINDS[kind](browser, folder, times, random.Random(0))
        browser.close()
    tracebacks = (folder / "server.log").read_text().count("Traceback")
    click.echo(f"{wrong} of the {kind} differ; {tracebacks} tracebacks in the server's log")
    shutil.rmtree(folder)
    sys.exit(wrong > 0 or tracebacks > 0)


if __name__ == "__main__":
    main(prog_name="python -m tests.tools.kills")
