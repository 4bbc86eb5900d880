"""Visits of pages without a browser: what an address opens, what a click does, what is shown."""

import re
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from streamlit.testing.v1 import AppTest

from tests.runs.toys import until

PAGES = Path(__file__).resolve().parents[2] / "pages"


def visit(page: str, state: dict[str, Any] | None = None, user: Any = None, /, **query: str) -> AppTest:
    """The page at an address, in a session that holds these values."""
    test = AppTest.from_file(str(PAGES / f"{page}.py"), default_timeout=60)
    for key, value in (state or {}).items():
        test.session_state[key] = value
    test.user = user or {}
    test.query_params.update(query)
    return test.run()


def at(test: AppTest) -> dict[str, str]:
    """The parameters of the address."""
    return {key: values[0] if isinstance(values, list) else values for key, values in test.query_params.items()}


def text_of(test: AppTest) -> str:
    """All text of a page."""
    kinds = (test.warning, test.info, test.error, test.success, test.markdown, test.caption)
    texts = [element.value for kind in kinds for element in kind]
    return re.sub(r'\[([^]]*)\]\(reference\?entry=\S+ "[^"]*"\)', r"\1", "\n".join(texts))  # a term as it is read


def labels(test: AppTest) -> list[str]:
    """The labels of all buttons."""
    return [each.label for each in test.button]


def button(test: AppTest, label: str) -> Any:
    """The first button of a label, or else whose label begins so."""
    return next(each for n in (None, len(label)) for each in test.button if each.label[:n] == label)


def press(test: AppTest, label: str) -> AppTest:
    return button(test, label).click().run()


def click_disabled(test: AppTest, label: str) -> AppTest:
    """The page once a client of one's own has clicked a disabled button."""
    button(test, label).proto.disabled = False
    return press(test, label)


def enabled(test: AppTest, label: str) -> bool:
    return not button(test, label).disabled


def links(test: AppTest) -> list[dict[str, str]]:
    """The parameters of the links that may be copied."""
    shown = [each.value for each in test.code if each.value.startswith(("http", "?"))]
    return [dict(parse_qsl(urlsplit(link).query)) for link in shown]


def upload(test: AppTest, name: str, content: bytes) -> AppTest:
    """The page with a file, once what it works out of it is there."""
    return worked(test.file_uploader[0].upload(name, content, "application/octet-stream").run())


def use(test: AppTest, name: str, content: bytes) -> AppTest:
    """The page with a table out of a file that is clear."""
    return worked(press(upload(test, name, content), "Use this table"))


def worked(test: AppTest) -> AppTest:
    """The page once what it works out is there."""
    until(lambda: "Cancel" not in labels(test) or "Cancel" not in labels(test.run()))
    return test
