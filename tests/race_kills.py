"""Kill the served app in the middle of races: `python -m tests.race_kills [times]`.

Each time a visitor plays a new race in a real Chromium; after some seconds the server gets a SIGKILL, the next one has
to have the race, and its owner plays it to its end. The records that the page then saves have to be those of the
command and of the exported script, to the last digit, seconds excepted.
"""

import os
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit

import click
from playwright.sync_api import Page, sync_playwright

from boltzcore import Comparison, Recipe
from boltzcore.home import home
from boltzcore.learners import CD
from boltzcore.models import RBMSetup
from boltzcore.runs.schedule import Schedule
from pages.race.taking import SCRIPT
from tests.chromium import launched
from tests.conftest import REPOSITORY
from tests.kills import server
from tests.load.served import free_port

TIMES = 20
SECONDS = 0.3, 5.0  # of training before a kill
BASE = Recipe(
    RBMSetup(hidden=4), "shifting-bar", CD(0.3, 0, K=12), Schedule(length=60_000, every=1_500), ("log_likelihood",)
)
CONTENDERS = {"CD-12": {}, "CD-1": {"CD.K": 1}, "S-DCP": {"learner": "SDCP", "SDCP.rate": 0.3, "SDCP.batch_size": 0}}
FINISHED = ".lab-figures[data-status='finished']"
MOVING = ".lab-figures[data-status='running'], .lab-figures[data-status='queued']"


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def predict(page: Page) -> None:
    page.get_by_test_id("stButtonGroup").get_by_text("I would rather not say", exact=True).click()


def begun(page: Page, address: str, comparison: Comparison) -> str:
    """The query of a race of this comparison that is under way."""
    page.goto(f"{address}/compare?{urlencode(comparison.to_query())}")
    predict(page)
    press(page, "Play")
    page.wait_for_function("location.search.includes('key=')")
    page.locator(f"{MOVING}, {FINISHED}").first.wait_for()  # on a slow machine the race may be over before it is drawn
    return urlsplit(page.url).query


def saved(page: Page, address: str, query: str) -> str:
    """The records of a race that is found again and played to its end, as the page saves them."""
    page.goto(f"{address}/compare?{query}")
    predict(page)
    page.get_by_text("I would rather not say", exact=True).wait_for(state="detached")
    if page.get_by_role("button", name="Play", exact=True).is_enabled():
        press(page, "Play")
    page.locator(FINISHED).first.wait_for(timeout=120_000)
    page.get_by_test_id("stAlert").wait_for()  # the script has run after the end
    press(page, "Share")
    with page.expect_download() as download:
        press(page, "Records (CSV)")
    return Path(download.value.path()).read_text()


def without_seconds(csv: str) -> list[str]:
    """The lines of records without their seconds."""
    lines = [line.split(",") for line in csv.splitlines()]
    place = lines[0].index("seconds") if "seconds" in lines[0] else len(lines[0])
    return [",".join(line[:place] + line[place + 1 :]) for line in lines]


def alone(folder: Path, comparison: Comparison) -> dict[str, list[str]]:
    """{"command", "script": the records that each makes of a comparison, with data folders of their own}."""
    (folder / "comparison.json").write_text(comparison.to_json())
    (folder / "script.py").write_text(SCRIPT.format(text=comparison.to_json()))
    commands = {
        "command": ["-m", "boltzcore", "compare", "comparison.json", "--csv", "command.csv"],
        "script": ["script.py"],
    }
    for name, arguments in commands.items():
        own = folder / name
        own.mkdir()
        (own / "kernels").symlink_to(home() / "kernels")
        subprocess.run(
            [sys.executable, *arguments],
            cwd=folder,
            env=os.environ | {"BOLTZCORE_HOME": str(own), "PYTHONPATH": str(REPOSITORY)},
            check=True,
            stdout=subprocess.DEVNULL,
        )
    return {
        "command": without_seconds((folder / "command.csv").read_text()),
        "script": without_seconds((folder / "records.csv").read_text()),
    }


@click.command()
@click.argument("times", type=click.IntRange(1), default=TIMES)
def main(times: int) -> None:
    """Kill the server in so many races and compare their records with those made in one go."""
    folder, chance = Path(tempfile.mkdtemp(prefix="boltzcore-race-kills-")), random.Random(0)
    equal = interrupted = 0
    (folder / "kernels").symlink_to(home() / "kernels")
    port = free_port()
    address = f"http://localhost:{port}"
    with sync_playwright() as playwright:
        browser = launched(playwright)
        for n in range(times):
            comparison = Comparison(BASE, CONTENDERS, trials=3, seed=100 * n)
            page = browser.new_context().new_page()
            page.set_default_timeout(240_000)  # the first server may have kernels to prepare
            with server(folder, port) as process:
                query = begun(page, address, comparison)
                page.wait_for_timeout(1000 * chance.uniform(*SECONDS))
                moving = page.locator(MOVING).count() > 0
                process.kill()
            page.goto("about:blank")
            with server(folder, port):
                records = without_seconds(saved(page, address, query))
            page.context.close()
            apart = Path(tempfile.mkdtemp(dir=folder))
            made = alone(apart, comparison)
            same = [name for name, lines in made.items() if lines == records]
            equal += len(same) == len(made)
            interrupted += moving
            race = parse_qs(query)["race"][0]
            print(
                f"race {n + 1} ({race}): killed {'in training' if moving else 'at rest'}; {len(records) - 1} records, "
                f"equal to those of {', '.join(same) or 'NONE'}",
                flush=True,
            )
        browser.close()
    tracebacks = (folder / "server.log").read_text().count("Traceback")
    print(
        f"{equal} of {times} races equal, {interrupted} killed in training; {tracebacks} tracebacks in the server's log"
    )
    shutil.rmtree(folder)
    sys.exit(equal < times or tracebacks > 0)


if __name__ == "__main__":
    main(prog_name="python -m tests.race_kills")
