"""`serve`: the app in the browser."""

import errno
import importlib.util
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import click

from boltzcore import home
from boltzcore.limits import Limits
from boltzcore.quoting import Refusal, quoted

FILE = "app.py"
EVERYWHERE = ("0.0.0.0", "::")
FOLDERS = ("BOLTZCORE_HOME", "BOLTZCORE_DATA")  # variables that name folders, made absolute: the app runs elsewhere


@click.command()
@click.option(
    "--address", default="localhost", show_default=True, help="Address to listen on; 0.0.0.0 is all interfaces."
)
@click.option("--port", default=8501, show_default=True, type=click.IntRange(1, 65_535))
@click.option("--base-path", default="", help="Path of the app behind a proxy, such as lab.")
@click.option(
    "--public-name",
    default="",
    help="Host name of the app behind a proxy, such as lab.example.org, with :PORT if that is not 443.",
)
@click.option("--browser/--no-browser", default=False, help="Open a browser.")
@click.option("--show", is_flag=True, help="Show the limits and their environment variables, and exit.")
def serve(address: str, port: int, base_path: str, public_name: str, browser: bool, show: bool) -> int:
    """Start the app; Ctrl-C, or SIGTERM, saves all runs and stops it. Limits are set by environment variables."""
    limits, refused = Limits.from_environment(os.environ)
    if refused:
        raise Refusal(" ".join(refused))
    if show:
        for each in Limits.parameters():
            click.echo(f"{Limits.variable(each.name)}={getattr(limits, each.name)}  ({each.allowed}) {each.help}")
        return 0
    place = next((each for each in home.APPS if (each / FILE).is_file()), None)
    if place is None:
        raise Refusal("The app is not installed: install the whole project.")
    if importlib.util.find_spec("streamlit") is None:
        raise Refusal("The app needs Streamlit and Plotly: pip install 'boltzcore[app]'.")
    options = {
        "server.port": port,
        "server.baseUrlPath": base_path.strip("/"),
        "server.headless": str(not browser).lower(),
        "server.maxUploadSize": limits.upload,
        "logger.hideWelcomeMessage": "true",  # otherwise Streamlit asks another machine for this one's address
    }
    if public_name:
        options["browser.serverAddress"] = public_name
    if other := home.hold_as_server():  # the app itself holds the folder
        raise Refusal(f"{other} It is {home.home()}.")
    options["server.address"] = _bind_address(address, port)
    given = [f"--{name}={value}" for name, value in options.items()]
    return _run_app(place, given, _urls(address, port, base_path, public_name))


def _bind_address(address: str, port: int) -> str:
    """Return the address for Streamlit, which resolves names as IPv4: an IPv6-only name is resolved here. Raises
    Refusal if another program listens there, or the address is not of this machine.
    """
    others = Refusal(
        f"--address must be a name or an address of this machine, such as localhost or 0.0.0.0, not {quoted(address)}."
    )
    try:
        found = socket.getaddrinfo(address, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (socket.gaierror, UnicodeError):  # UnicodeError: a part of the name is empty or too long
        raise others from None
    family, *_, place = min(found, key=lambda each: each[0] != socket.AF_INET)
    try:
        with socket.socket(family, socket.SOCK_STREAM) as trying:
            trying.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            trying.bind(place)
    except PermissionError:
        raise Refusal(f"--port {port} needs more privileges: use one of at least 1024.") from None
    except OSError as error:
        if error.errno == errno.EADDRNOTAVAIL:
            raise others from None
        raise Refusal(f"--port {port} is not available at {address}: {error.strerror}.") from None
    return address if family == socket.AF_INET else str(place[0])


def _run_app(place: Path, given: list[str], urls: list[str]) -> int:
    """Return the exit status of the app, once it has ended."""
    click.echo(f"Boltzmann Lab is starting: {', '.join(urls)}", err=True)
    command = [sys.executable, "-m", "streamlit", "run", FILE, *given]
    named = {name: str(Path.cwd() / os.path.expanduser(os.environ[name])) for name in FOLDERS if os.environ.get(name)}
    process = subprocess.Popen(command, cwd=place, env={**os.environ, **named})
    asked = list[int]()

    def end(number: int, frame: object) -> None:
        asked.append(number)
        process.send_signal(signal.SIGTERM)

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, end)
    status = process.wait()
    return 0 if asked and status == -signal.SIGTERM else status


def _urls(address: str, port: int, base_path: str, public_name: str) -> list[str]:
    """Return the address of the app for a browser."""
    path = "/".join(["", *filter(None, [base_path.strip("/")])])
    if public_name:
        return [f"https://{public_name}{path}"]
    names = [address] if address not in EVERYWHERE else ["localhost", *_own_address()]
    return [f"http://{f'[{name}]' if ':' in name else name}:{port}{path}" for name in names]


def _own_address() -> list[str]:
    """Return this machine's address for others; [] without a network. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way:
        try:
            way.connect(("192.0.2.1", 9))
        except OSError:
            return []
        return [way.getsockname()[0]]
