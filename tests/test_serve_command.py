"""`boltzcore serve`: the app as a process, with the limits that the environment sets."""

import os
import re
import signal
import socket
import subprocess
import sys
from subprocess import Popen  # which `started` replaces
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from boltzcore.commands import serving
from boltzcore.home import hold_as_server, home
from boltzcore.limits import Limits
from tests.runs.toys import until
from tests.tools.served import answers, free_port


def test_limits_are_shown_with_their_variables_and_one_that_is_none_is_refused(run_command, refuse, monkeypatch):
    monkeypatch.setenv("BOLTZCORE_ROOMS", "7")
    shown = run_command("serve", "--show")[1]
    assert "BOLTZCORE_ROOMS=7 " in shown
    assert shown.count("BOLTZCORE_") == len(Limits.parameters())
    monkeypatch.setenv("BOLTZCORE_STREAMS", "many")
    assert "BOLTZCORE_STREAMS" in refuse("serve")
    found, refused = Limits.from_environment({"BOLTZCORE_STREAMS": "0", "BOLTZCORE_UPLOAD": "3"})
    assert (found.streams, found.upload, len(refused)) == (512, 3, 1)


HOLDER = """
import os, time
from boltzcore.home import hold_as_server
assert hold_as_server("localhost:8601") == ""
child = os.fork()
if child:
    print(child, flush=True)
time.sleep(100)
"""


@pytest.fixture
def started(monkeypatch):
    """The environment of the app, which is not started."""
    given = {}

    class App:
        def __init__(self, command, **options):
            given.update(options["env"])

        def wait(self):
            return 0

    monkeypatch.setattr(serving.subprocess, "Popen", App)
    monkeypatch.setattr(serving.signal, "signal", lambda *_: None)
    return given


def test_two_servers_do_not_share_a_folder(tmp_path, monkeypatch, run_command, refuse, started):
    monkeypatch.setenv("BOLTZCORE_HOME", str(tmp_path))
    (tmp_path / ".server").write_text("process 1 at elsewhere, which was killed")
    holder = Popen([sys.executable, "-c", HOLDER], stdout=subprocess.PIPE)
    child = int(holder.stdout.readline())
    try:
        output = refuse("serve")
        assert f"process {holder.pid} at localhost:8601" in output
        assert str(tmp_path) in output
        assert str(holder.pid) in hold_as_server("localhost:8602")
        assert run_command("train", "--data", "bars-and-stripes", "--updates", "2")[0] == 0  # commands still work
        holder.kill()
        holder.wait()
        until(lambda: run_command("serve", "--port", free_port())[0] == 0)  # though a child of it goes on
    finally:
        os.kill(child, signal.SIGKILL)
        holder.kill()
        holder.communicate()


def test_a_port_or_an_address_that_cannot_be_had_is_refused(started, refuse):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        assert "--port" in refuse("serve", "--address", "127.0.0.1", "--port", taken.getsockname()[1])
    for address in ("no-such-name.invalid", "192.0.2.1", ""):
        assert "--address" in refuse("serve", "--address", address, "--port", free_port())
    assert not started


def test_the_app_has_the_folders_that_relative_paths_name_here(started, run_command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("BOLTZCORE_HOME", "home")
    for data, named in (("../data", str(tmp_path / "../data")), ("", "")):
        monkeypatch.setenv("BOLTZCORE_DATA", data)
        assert run_command("serve", "--port", free_port())[0] == 0
        assert (started["BOLTZCORE_HOME"], started["BOLTZCORE_DATA"]) == (str(tmp_path / "home"), named)


@pytest.mark.parametrize(
    ("given", "url"),
    [
        ([], "http://localhost:{port}"),
        (["--base-path", "/lab/", "--public-name", "lab.example.org"], "https://lab.example.org/lab"),
        (["--address", "0.0.0.0", "--base-path", "a/b"], "http://localhost:{port}/a/b"),
    ],
)
def test_it_says_where_a_browser_finds_the_app(started, run_command, given, url):
    port = free_port()
    status, _, err = run_command("serve", "--port", port, *given)
    assert (status, url.format(port=port) in re.split(r"[\s,]+", err)) == (0, True)


@pytest.mark.nightly
@pytest.mark.timeout(300)
def test_the_app_is_served_below_a_path_and_ends_when_it_is_asked_to(tmp_path):
    port = free_port()
    (tmp_path / "kernels").symlink_to(home() / "kernels")
    command = [sys.executable, "-m", "boltzcore", "serve", "--port", str(port), "--base-path", "lab"]
    environment = {**os.environ, "BOLTZCORE_HOME": str(tmp_path)}
    process = Popen(command, env=environment, stderr=subprocess.PIPE, start_new_session=True)
    try:
        # a container is asked for its health without the path
        for path in ("lab/_stcore/health", "lab/join", "health"):
            assert answers(f"http://localhost:{port}/{path}", [process])
        to = ("localhost", port)
        with socket.create_connection(to) as stalled, socket.create_connection(to) as idle:
            stalled.sendall(b"PUT /lab/_stcore/upload_file/x/y HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n")
            _check_a_second_server_says_who_serves(tmp_path, f"localhost:{port}/lab")
            (tmp_path / ".clock").unlink()
            os.killpg(process.pid, signal.SIGINT)  # as of a terminal
            assert idle.recv(1) == b""  # it is ending
            os.killpg(process.pid, signal.SIGINT)
            _, output = process.communicate(timeout=100)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
    assert (process.returncode, (tmp_path / ".clock").exists()) == (0, True)  # written as the runs are saved
    assert f"http://localhost:{port}/lab" in output.decode()
    assert b"Traceback" not in output


def _check_a_second_server_says_who_serves(place, first):
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless", "true", "--server.port", "0"]
    environment = os.environ | {"BOLTZCORE_HOME": str(place), "PYTHONUNBUFFERED": "1"}
    second = Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        lines = []
        while not (found := re.search(r"http://localhost:\d+", lines[-1] if lines else "")):
            lines.append(second.stdout.readline())
        for path in ("", "/train", "/health", "/_stcore/health", "/nosuch"):
            with pytest.raises(HTTPError) as refused:
                urlopen(found[0] + path, timeout=60)
            assert refused.value.code == 503
            page = refused.value.read().decode()
            assert re.search(rf"process \d+ at {first}", page)
            assert str(place) not in page
    finally:
        second.terminate()
        output = "".join(lines) + second.communicate(timeout=60)[0]
    assert re.search(rf"process \d+ at {first}", output)
    assert str(place) in output
    assert "Traceback" not in output
