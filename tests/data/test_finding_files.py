"""Sources of data files: the named folder, earlier downloads, the network; and the sentence if there is none."""

import dataclasses
import hashlib
import re
import shutil
import ssl
import subprocess
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer, ThreadingHTTPServer
from pathlib import Path
from unittest.mock import Mock
from urllib.parse import urlsplit

import pytest

from boltzcore.data import DATASETS, files
from boltzcore.data.files import Published, fetch, locate
from boltzcore.data.source import FileSource
from boltzcore.home import folder
from boltzcore.ticks import Stopped, idle

CONTENT = bytes(range(256)) * 1000
NONE = "sha256:" + "0" * 64


class Mirror:
    """A server on this machine that sends what it is given, and counts."""

    def __init__(self, certificate: Path) -> None:
        self.content: dict[str, bytes] = {}
        self.elsewhere = ""  # where it leads to
        self.asked: list[str] = []
        self.release = threading.Event()
        mirror = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                mirror.asked.append(self.path)
                if self.path == "/hang":
                    mirror.release.wait(100)
                    return
                if mirror.elsewhere:
                    self.send_response(302)
                    self.send_header("Location", mirror.elsewhere)
                    self.end_headers()
                    return
                body = mirror.content.get(self.path)
                self.send_response(200 if body is not None else 404)
                self.send_header("Content-Length", str(len(body or b"")))
                self.end_headers()
                self.wfile.write(body or b"")

            def log_message(self, *args: object) -> None:
                pass

            def handle(self) -> None:
                try:
                    super().handle()
                except (ConnectionError, ssl.SSLError):  # the client has closed
                    self.close_connection = True

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01})
        self.thread.start()

    def publish(self, name: str, content: bytes, **changed: object) -> Published:
        self.content[f"/{name}"] = content
        fields: dict = {"checksum": "sha256:" + hashlib.sha256(content).hexdigest(), "n_bytes": len(content)} | changed
        return Published(name, f"https://127.0.0.1:{self.server.server_port}/{name}", **fields)

    def close(self) -> None:
        self.release.set()
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A key, and a certificate for this machine that no one has signed."""
    if shutil.which("openssl") is None:
        pytest.skip("no openssl here")
    made = tmp_path_factory.mktemp("tls") / "both.pem"
    command = "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=here -addext subjectAltName=IP:127.0.0.1"
    subprocess.run([*command.split(), "-keyout", made, "-out", made.with_suffix(".crt")], check=True)
    made.write_bytes(made.read_bytes() + made.with_suffix(".crt").read_bytes())
    return made


@pytest.fixture
def mirror(monkeypatch: pytest.MonkeyPatch, certificate: Path) -> Iterator[Mirror]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(certificate.with_suffix(".crt")))
    made = Mirror(certificate)
    yield made
    made.close()


def test_downloads_once_with_progress(bare, mirror):
    published = [mirror.publish("one.gz", CONTENT), mirror.publish("two.gz", CONTENT[::-1])]
    assert locate(published, "packed.npz") == []
    fractions: list[float] = []
    paths = fetch("The set", published, "packed.npz", fractions.append)
    assert [path.read_bytes() for path in paths] == [CONTENT, CONTENT[::-1]]
    assert fractions == sorted(fractions)
    assert 0 < fractions[0] < 0.5
    assert fractions[-1] == 1
    assert locate(published, "packed.npz") == paths == fetch("The set", published, "packed.npz", idle)
    assert mirror.asked == ["/one.gz", "/two.gz"]
    assert {path.name for path in folder("data").iterdir()} == {"one.gz", "two.gz"}
    (bare / "one.gz").write_bytes(CONTENT)  # half of the files are not the set
    assert locate(published, "packed.npz") == paths
    for name in ("packed.npz", "two.gz"):
        (bare / name).write_bytes(CONTENT)
    assert locate(published, "packed.npz") == [bare / "one.gz", bare / "two.gz"]


def get_refusal(file: Published) -> str:
    with pytest.raises(ValueError, match="The set") as refused:
        fetch("The set", [file], "packed.npz", idle)
    assert not list(folder("data").iterdir())
    return str(refused.value)


def test_without_a_connection_it_is_said_how_to_go_on(bare):
    sentence = get_refusal(Published("one.gz", "https://127.0.0.1:9/one.gz", NONE, 5))
    assert all(part in sentence for part in ("127.0.0.1:9", "BOLTZCORE_DATA", "one.gz", "packed.npz"))


@pytest.mark.parametrize(
    "changed",
    [{"checksum": NONE}, {"n_bytes": 100}, {"url": "https://127.0.0.1:9/x"}],
    ids=lambda changed: next(iter(changed)),
)
def test_another_file_or_an_endless_one_is_not_taken(bare, mirror, changed):
    file = mirror.publish("one.gz", bytes(5 * 2**20))
    get_refusal(dataclasses.replace(file, **changed))
    assert len(mirror.asked) <= 1


def test_nothing_is_downloaded_but_by_https_and_with_a_sha_256():
    for kind in (kind for kind in DATASETS.values() if issubclass(kind, FileSource)):
        for file in kind.published:
            assert urlsplit(file.url).scheme == ("https" if kind.downloadable else "")
            assert not file.url or re.fullmatch("sha256:[0-9a-f]{64}", file.checksum)


def test_a_server_that_leads_to_http_is_not_followed_to_its_file(bare, mirror):
    file = mirror.publish("one.gz", CONTENT)
    with HTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as plain:
        mirror.elsewhere = f"http://127.0.0.1:{plain.server_port}/one.gz"
        threading.Thread(target=plain.handle_request).start()
        assert "without https" in get_refusal(file)


def test_a_silent_server_is_given_up_and_a_download_can_be_stopped(bare, mirror, monkeypatch):
    with monkeypatch.context() as impatient:
        impatient.setattr(files, "TIMEOUT", 0.4)
        get_refusal(mirror.publish("hang", CONTENT))
    assert len(mirror.asked) <= 1  # it does not ask again
    with pytest.raises(Stopped):
        fetch("The set", [mirror.publish("one.gz", CONTENT)], "packed.npz", Mock(side_effect=Stopped))
    assert not list(folder("data").iterdir())
