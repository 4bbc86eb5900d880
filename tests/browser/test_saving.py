"""Pages as one file: opened from a disk, without a network, each shows what its page showed. Worksheets."""

import base64
import gzip
import re
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe

from boltzcore import Comparison, __version__
from boltzcore.comparison.tuning import Tuning
from pages.lessons.catalogue import LESSONS
from pages.rooms import plan as plans
from pages.rooms.handouts import to_worksheet
from pages.rooms.questions import Subject
from tests.browser.conftest import RULES
from tests.browser.journeys import button, run_of
from tests.runs.toys import batch

HOSTILE = "</script><img src=x onerror=alert(1)>"
MOST = 6_000_000  # bytes
SHORT = "model=rbm&data=digits&learner=CD&rbm.hidden=8&schedule.length=400&schedule.every=50&play=1"
GRID = Tuning({"rate": [k / 100 for k in range(1, 11)]}, 1)
RACE = urlencode(Comparison(batch(400, every=40), {"CD-1": {}, HOSTILE: {"CD.K": 9}}, 2, tuning=GRID).to_query())
# Names of columns that cannot be seen, and tables of which something is cut off.
LOST = """() => [...document.querySelectorAll('th button, .lab-compare:first-child dt')].filter((each) =>
  (each.closest('th') ?? document.body).checkVisibility() && (!each.innerText.trim() || !each.checkVisibility())
  ).length + [...document.querySelectorAll('.scrolled')].filter(
  (each) => each.scrollHeight > each.clientHeight + 1).length"""
FINISHED = ".lab-figures[data-status='finished']"
# Figures, tables, captions, and the texts for screen readers, of each part of a page.
SEEN = """() => [...document.querySelectorAll(':is(.lab-live, .lab-inside, .lab-three) '
    + ':is(.lab-figures dd, td, .lab-note, .equation, .verdict, canvas[aria-label], .chart, img.drawn)')]
  .filter((each) => !each.closest('.st-key-unsaved'))
  .map((each) => [each.alt, each.ariaLabel, each.textContent.trim()].filter(Boolean)[0])"""


def race(page, settle) -> None:
    page.emulate_media(color_scheme="dark")  # it is printed on white
    page.get_by_test_id("stButtonGroup").get_by_text("Skip", exact=True).click()
    page.get_by_text("curves appear").wait_for(state="detached")
    settle(page)  # while the page is drawn anew it has two buttons
    button(page, "Play").click()


def unpack(file: Path) -> str:
    """The content of a saved page."""
    text = file.read_text()
    assert HOSTILE not in text
    return gzip.decompress(base64.b64decode(re.search(r'id="content">([^<]+)<', text).group(1))).decode()


PAGES = {
    "train": (f"train?{SHORT}", FINISHED, None),
    "compare": (f"compare?{RACE}", FINISHED, race),
    "one-step": ("step?example=cd", ".lab-inside .verdict:not(:empty)", None),
    "restore": ("denoise?inference.iterations=4", ".panel[data-key='restored'] img", None),
    "lesson": ("learn?lesson=boltzmann-machine&step=3", ".lab-three td", None),
}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.nightly] * (name in ("compare", "restore"))) for name in PAGES]
)
def test_a_page_is_saved_and_opened_without_a_network(name, server, page, settle, browser, tmp_path):
    path, ready, act = PAGES[name]
    films = set[str]()
    page.on("request", lambda request: films.update(re.findall(r"/film/(\w+)/", request.url)))
    page.goto(f"{server}/{path}")
    settle(page)
    if act:
        act(page, settle)
    page.locator(ready).first.wait_for(timeout=90_000)
    settle(page)
    if name != "one-step":
        button(page, "Share and download" if name == "train" else "Share").click()
    with page.expect_download() as coming:
        button(page, "Download as a page").click()
    file = tmp_path / coming.value.suggested_filename
    coming.value.save_as(file)
    assert file.name == f"{name}.html"
    assert file.stat().st_size < MOST
    content = unpack(file)
    assert not [film for film in films if film in content]  # else a reader of the file may ask the server
    seen = page.evaluate(SEEN)
    for width in (1280, 390):
        context = browser.new_context(viewport={"width": width, "height": 844}, offline=True)
        saved, asked = context.new_page(), []
        saved.on("request", lambda request, asked=asked: asked.append(request.url))
        saved.on("dialog", lambda dialog: pytest.fail(dialog.message))
        saved.goto(file.as_uri())
        saved.locator(ready).first.wait_for()
        saved.wait_for_function(f"many => ({SEEN})().length >= many", arg=len(seen))
        assert saved.evaluate(SEEN) == seen
        assert saved.evaluate("document.documentElement.scrollWidth") <= width
        assert asked == [file.as_uri()]
        if name == "compare":
            settings = saved.locator(".texts").last.inner_text()
            named = (HOSTILE, "rbm.hidden", "CD.batch_size", "0.07", __version__, "http")
            assert all(text in settings for text in named)
            saved.emulate_media(media="print")
            assert saved.locator("th button").count() > 10
            assert saved.evaluate(LOST) == 0
            assert saved.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
            saved.emulate_media(media="screen")
        if width == 390:
            assert not Axe().run(saved, options={"runOnly": RULES}).response["violations"]
        context.close()


def test_a_page_on_a_private_table_holds_what_its_reader_may_see(server, page, guest, tmp_path, settle):
    rows = "".join(f"{('SECRET', 'mid', 'low')[i % 3]},{'yes' if i % 2 else 'no'}\n" for i in range(300))
    table = {"name": "table.csv", "mimeType": "text/csv", "buffer": f'"{HOSTILE}",vote\n{rows}'.encode()}
    page.goto(f"{server}/library?set=own")
    page.locator('input[type="file"]').set_input_files(table)
    button(page, "Use this table").click()
    page.get_by_role("link", name="Train on these data").click()
    button(page, "Play").click()
    page.locator(FINISHED).wait_for()
    guest.goto(f"{server}/train?run={run_of(page)}")
    for reader, mine in ((page, True), (guest, False)):
        reader.locator(FINISHED).wait_for()
        reader.locator(".panel[data-key='likelihood']").wait_for()
        button(reader, "Share and download").click()
        settle(reader)
        with reader.expect_download() as coming:
            button(reader, "Download as a page").click()
        coming.value.save_as(file := tmp_path / "train.html")
        content = unpack(file)
        assert ('"key":"rows"' in content) == ("SECRET" in content) == mine
        assert parse_qs(urlsplit(page.url).query)["key"][0] not in content


@pytest.mark.parametrize("name", [*LESSONS, *plans.READY])
def test_a_worksheet_is_printed_on_one_page(name, browser):
    steps = [Subject(name, step) for step in range(len(LESSONS[name].steps))] if name in LESSONS else None
    subjects = steps or [item.subject for item in plans.from_text(plans.READY[name])]
    page = browser.new_page()
    page.set_content(to_worksheet(name, subjects))
    assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True))) == 1
    page.close()
