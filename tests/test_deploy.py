"""Hosting files fit the app as it is: proxies' files, the container's, and the locked libraries."""

import re
import tomllib

import pytest
from packaging.requirements import Requirement

from boltzcore.limits import Limits
from pages import health
from tests.conftest import REPOSITORY
from tests.tools import proxies

DEPLOY = REPOSITORY / ".deploy"
PROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("kind", "file"), [("nginx", "lab.conf"), ("caddy", "Caddyfile")])
def test_a_proxys_file_takes_another_name_port_and_certificate(kind, file, tmp_path, monkeypatch):
    monkeypatch.setattr(proxies, "certificate", lambda folder: (folder / "made.pem", folder / "key.pem"))
    proxies.PROXIES[kind](tmp_path, [8730, 8732], 8731)
    content = (tmp_path / file).read_text(encoding="utf-8")
    assert "lab.example.org" not in content
    for each in (f"{tmp_path}/made.pem", f"{tmp_path}/key.pem", "127.0.0.1:8730", ":8731", proxies.NAME):
        assert each in content
    first, second = content.split("127.0.0.1:8730")  # a class that has a process of its own has an address of its own
    assert "/lab-2" not in first
    assert "/lab-2" in second
    assert "127.0.0.1:8732" in second


def test_nginx_lets_the_largest_upload_through():
    [most] = re.findall(r"client_max_body_size (\d+)m;", (DEPLOY / "nginx.conf").read_text(encoding="utf-8"))
    assert int(most) > Limits().upload


def test_the_container_runs_as_an_ordinary_user_is_asked_for_its_health_and_holds_no_secrets():
    text = (DEPLOY / "Containerfile").read_text(encoding="utf-8")
    bases = [line.split()[1] for line in text.splitlines() if line.startswith("FROM ")]
    named = dict(re.findall(r"^ARG (\w+)=(.+)$", text, re.MULTILINE))
    assert all(re.search(r"@sha256:[0-9a-f]{64}$", named.get(base.strip("${}"), base)) for base in bases)
    assert text.index("USER lab") < text.index("ENTRYPOINT")
    [path] = re.findall(r"http://localhost:8501(/\S*?)'", text)
    assert path in {route.path for route in health.ROUTES}
    copied = [line.split()[1:-1] for line in text.splitlines() if line.startswith("COPY")]
    assert [".streamlit/config.toml"] in copied
    assert not any(each.rstrip("/") in (".", ".streamlit") for line in copied for each in line)


def test_locked_libraries_are_those_that_the_project_asks_for():
    locked = dict(
        line.split(" ")[0].split("==")
        for name in ("requirements.lock", "build.lock")
        for line in (DEPLOY / name).read_text(encoding="utf-8").splitlines()
        if re.match(r"[a-z0-9][\w.-]*==", line)
    )
    extras = PROJECT["project"]["optional-dependencies"]
    asked = [
        *PROJECT["project"]["dependencies"],
        *extras["app"],
        *extras["login"],
        *PROJECT["build-system"]["requires"],
    ]
    for each in map(Requirement, asked):
        if each.name != PROJECT["project"]["name"]:
            assert each.specifier.contains(locked[each.name]), each
