"""The names that the app is asked for under."""

import pytest

from pages.web import hosts
from pages.web.hosts import Hosts, known
from tests.live.conftest import looped

NAMES = frozenset({"lab.school.example", "desk.local"})


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "localhost:8501",
        "a.localhost",
        "127.0.0.1:8501",
        "192.168.1.7",
        "[::1]:8501",
        "lab.school.example",
        "LAB.School.example:80",
        "desk.local.",
    ],
)
def test_addresses_and_names_that_the_server_is_told_of_are_known(host):
    assert known(host, NAMES)


@pytest.mark.parametrize(
    "host", ["", "evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "[::1", "a b"]
)
def test_any_other_name_is_not(host):
    assert not known(host, NAMES)


def test_an_unknown_name_is_served_and_told_of_once(caplog):
    served = []

    async def app(scope, receive, send):
        served.append(scope["path"])

    async def ask() -> None:
        for host in hosts_asked:
            await hosted({"type": "http", "path": "/", "headers": [(b"host", host)]}, None, None)

    hosted, others = Hosts(app), [f"x{i}.example".encode() for i in range(99)]
    hosts_asked = [b"evil.example", b"evil.example", b"localhost:8501", *others]
    looped(ask)
    assert len(served) == 102
    told = [record.getMessage() for record in caplog.records]
    assert sum("evil.example" in each for each in told) == 1
    assert len(told) == hosts.MOST
