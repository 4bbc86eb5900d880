"""`boltzcore serve`: the app as a process, with the limits that the environment sets."""

import os
import signal
import socket
import subprocess
import sys
import time
from urllib.request import urlopen

from boltzcore.__main__ import main
from boltzcore.home import home
from boltzcore.limits import Limits


def test_limits_are_shown_with_their_variables(capsys, monkeypatch):
    monkeypatch.setenv("BOLTZCORE_ROOMS", "7")
    assert main(["serve", "--show"]) == 0
    shown = capsys.readouterr().out
    assert "BOLTZCORE_ROOMS=7 " in shown
    assert shown.count("BOLTZCORE_") == len(Limits.parameters())


def test_a_limit_that_is_none_is_refused_in_a_sentence(capsys, monkeypatch):
    monkeypatch.setenv("BOLTZCORE_STREAMS", "many")
    assert main(["serve"]) == 2
    assert capsys.readouterr().err == "BOLTZCORE_STREAMS must be a whole number from 1 to 100,000, not 'many'.\n"


def test_a_server_passes_over_a_limit_that_is_none():
    found, refused = Limits.from_environment({"BOLTZCORE_STREAMS": "0", "BOLTZCORE_UPLOAD": "3"})
    assert (found.streams, found.upload, len(refused)) == (512, 3, 1)


def test_the_app_is_served_below_a_path_and_ends_when_it_is_asked_to(tmp_path):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    (tmp_path / "kernels").symlink_to(home() / "kernels")
    command = [sys.executable, "-m", "boltzcore", "serve", "--port", str(port), "--base-path", "lab"]
    process = subprocess.Popen(command, env={**os.environ, "BOLTZCORE_HOME": str(tmp_path)}, stderr=subprocess.PIPE)
    try:
        assert _answers(f"http://localhost:{port}/lab/_stcore/health")
        assert _answers(f"http://localhost:{port}/lab/join")
    finally:
        process.send_signal(signal.SIGTERM)
        _, said = process.communicate(timeout=30)
    assert b"Traceback" not in said


def _answers(address: str) -> bool:
    for _ in range(300):
        try:
            with urlopen(address, timeout=5) as answer:
                return answer.status == 200
        except OSError:  # not yet
            time.sleep(0.2)
    return False
