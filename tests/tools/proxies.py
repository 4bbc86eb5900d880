"""`python -m tests.tools.proxies nginx`: serve the app below /lab/ behind nginx or Caddy with TLS, as in `.deploy`, and
run a command that meets it there: browser tests, unless another is given. With `--classes 2` a second process serves
another class, below /lab-2/, and the command runs for each at once.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import click

from boltzcore.home import home
from tests.conftest import REPOSITORY
from tests.tools.served import ADDRESS, answers, free_port

NAME = "lab.localhost"  # as a browser finds it on this machine, and which the server knows by --public-name alone
PATIENCE = 300.0  # seconds until the app answers through the proxy
DEPLOY = REPOSITORY / ".deploy"
# Of tests/browser: sockets, streams, single frames, uploads, downloads, phones.
JOURNEYS = ("test_live.py", "test_pages.py", "test_class.py", "test_denoise.py")

NGINX = """
daemon off; pid {folder}/pid; error_log {folder}/error.log warn;
events {{ worker_connections 4096; }}
http {{
    access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
    include {folder}/lab.conf;
}}
"""
CADDY = "{\n\tadmin off\n\tauto_https disable_redirects\n}\n"


def certificate(folder: Path) -> tuple[Path, Path]:
    """(certificate, key) for NAME and localhost that is not signed."""
    made, key = folder / "fullchain.pem", folder / "privkey.pem"
    names = f"subjectAltName=DNS:{NAME},DNS:localhost"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={NAME}"]
    subprocess.run(
        [*command, "-addext", names, "-keyout", str(key), "-out", str(made)], check=True, capture_output=True
    )
    return made, key


def changed(text: str, changes: dict[str, str]) -> str:
    """A file of `.deploy` with some of it replaced; each must be there."""
    for before, after in changes.items():
        if not re.search(before, text):
            raise click.ClickException(f"The file of .deploy has no {before!r} any more.")
        text = re.sub(before, after, text)
    return text


def for_each(lab: str, block: str, apps: list[int]) -> str:
    """A file of `.deploy` whose block (a pattern) stands once for each app, with its base path and port."""
    if (found := re.search(block, lab)) is None:
        raise click.ClickException(f"The file of .deploy has no {block!r} any more.")
    blocks = []
    for number, app in enumerate(apps, 1):
        one = found.group().replace("127.0.0.1:8501", f"127.0.0.1:{app}")
        blocks.append(re.sub(r"(?<=[/@])lab\b", base_of(number), one))
    return lab.replace(found.group(), "\n".join(blocks))


def base_of(number: int) -> str:
    """The base path of a class, from 1 on."""
    return "lab" if number == 1 else f"lab-{number}"


def nginx(folder: Path, apps: list[int], port: int) -> list[str]:
    """The command that starts nginx with the file of `.deploy`, for this name, port and certificate."""
    made, key = certificate(folder)
    lab = changed(
        (DEPLOY / "nginx.conf").read_text(encoding="utf-8"),
        {
            r"listen 443 ssl": f"listen 127.0.0.1:{port} ssl",
            r"lab\.example\.org": NAME,
            r"/etc/ssl/lab/fullchain\.pem": str(made),
            r"/etc/ssl/lab/privkey\.pem": str(key),
        },
    )
    lab = for_each(lab, r"(?s) +location ~ \^/lab.*?\n    \}", apps)
    (folder / "lab.conf").write_text(lab, encoding="utf-8")
    (folder / "nginx.conf").write_text(NGINX.format(folder=folder), encoding="utf-8")
    return ["nginx", "-p", str(folder), "-c", str(folder / "nginx.conf")]


def caddy(folder: Path, apps: list[int], port: int) -> list[str]:
    """The same of Caddy."""
    made, key = certificate(folder)
    lab = changed(
        (DEPLOY / "Caddyfile").read_text(encoding="utf-8"),
        {r"(?m)^lab\.example\.org \{": f"{NAME}:{port}, localhost:{port} {{\n\ttls {made} {key}"},
    )
    lab = for_each(lab, r"(?s)\t@lab path .*?\n\t\}", apps)
    (folder / "Caddyfile").write_text(CADDY + lab, encoding="utf-8")
    return ["caddy", "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]


PROXIES = {"nginx": nginx, "caddy": caddy}


@contextmanager
def behind(kind: str, classes: int) -> Iterator[list[str]]:
    """The addresses of so many apps, each with a data folder of its own, behind a proxy of this kind."""
    with tempfile.TemporaryDirectory(prefix="proxies-") as place:
        folder, port, apps = Path(place), free_port(), [free_port() for _ in range(classes)]
        bases, started = [base_of(number) for number in range(1, classes + 1)], list[subprocess.Popen]()
        with ExitStack() as files:
            try:
                for base, app in zip(bases, apps, strict=True):
                    (data := folder / f"data-{base}").mkdir()
                    (data / "kernels").symlink_to(home() / "kernels")
                    serve = [sys.executable, "-m", "boltzcore", "serve", "--port", str(app)]
                    serve += ["--base-path", base, "--public-name", NAME]
                    log = files.enter_context((folder / f"{base}.log").open("w"))
                    environment = os.environ | {"BOLTZCORE_HOME": str(data)}
                    started.append(subprocess.Popen(serve, cwd=REPOSITORY, env=environment, stdout=log, stderr=log))
                log_file = files.enter_context((folder / "proxy.log").open("w"))
                environment = os.environ | {"XDG_DATA_HOME": place, "XDG_CONFIG_HOME": place}
                command = PROXIES[kind](folder, apps, port)
                started.append(subprocess.Popen(command, env=environment, stdout=log_file, stderr=log_file))
                for base, app in zip(bases, apps, strict=True):
                    if not answers(f"http://localhost:{app}/{base}/health", started, PATIENCE):
                        raise click.ClickException("the app, or the proxy, does not start")
                yield [f"https://{NAME}:{port}/{base}" for base in bases]
            finally:
                for process in reversed(started):
                    process.terminate()
                    process.wait(30)
        for log in sorted(folder.glob("*.log")):
            if told_all := log.read_text(errors="replace").strip():
                click.echo(f"-- {log.name}\n{told_all[-4_000:]}", err=True)


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("kind", type=click.Choice(sorted(PROXIES)))
@click.option("--classes", default=1, type=click.IntRange(1, 8), help="Processes, each for a class.")
@click.argument("command", nargs=-1)
def main(kind: str, classes: int, command: tuple[str, ...]) -> None:
    """Run COMMAND with the address of the app behind the proxy in the environment, as LAB_ADDRESS: for each class once,
    at the same time.
    """
    if not shutil.which(kind):
        raise click.ClickException(f"There is no {kind} here: install the package {kind}.")
    tests = [f"tests/browser/{each}" for each in JOURNEYS]
    given = command or (sys.executable, "-m", "pytest", "-q", "-n", "0", *tests)
    with behind(kind, classes) as addresses:
        running = []
        for address in addresses:
            click.echo(f"The app is at {address}.", err=True)
            running.append(subprocess.Popen(given, cwd=REPOSITORY, env=os.environ | {ADDRESS: address}))
        status = max(process.wait() for process in running)
    sys.exit(status)


if __name__ == "__main__":
    main()
