"""Search for data files: in the named folder, among earlier downloads, then on the network."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from boltzcore.home import folder, sweep
from boltzcore.quoting import Refusal, error_message, quoted
from boltzcore.ticks import Tick, portion

TIMEOUT = 10.0  # timeout in seconds for the server's answer, and between two pieces of a file
_PIECE, _HTTPS = 2**15, "https://"


@dataclass(frozen=True)
class Published:
    """A published file.

    url : its address for downloads, by https and with a SHA-256; "" for a file that is not downloaded
    checksum : "sha256:...", or "md5:..." for one that is not downloaded
    n_bytes : its largest size
    """

    name: str
    url: str
    checksum: str
    n_bytes: int

    def check(self, path: Path) -> None:
        """Raise Refusal unless a file is this one: readers may then trust it, as scipy's for Matlab files must."""
        import pooch

        algorithm, _, checksum = self.checksum.partition(":")
        if pooch.file_hash(str(path), alg=algorithm) != checksum:
            raise Refusal(
                f"{path.name} is not the published file (checksum {self.checksum}); it may be damaged or incomplete."
            )


def named_folder() -> Path | None:
    """Return the folder in BOLTZCORE_DATA, or None if unset; raise Refusal if it does not exist."""
    named = os.environ.get("BOLTZCORE_DATA")
    if not named:
        return None
    path = Path(os.path.expanduser(named))
    if not path.is_dir():
        raise Refusal(f"BOLTZCORE_DATA must name an existing folder, not {quoted(named)}.")
    return path


def locate(published: Sequence[Published], packed: str) -> list[Path]:
    """Return the published files, or else the packed one, from the named folder or the downloads; [] if there are
    neither.
    """
    for place in (named_folder(), folder("data")):
        for names in ([file.name for file in published], [packed]):
            if place and all((place / name).is_file() for name in names):
                return [place / name for name in names]
    return []


def fetch(title: str, published: Sequence[Published], packed: str, tick: Tick) -> list[Path]:
    """Return `locate`, or download the published files with their checksums; raise Refusal if both fail."""
    found = locate(published, packed)
    if found:
        return found
    names = ", ".join(each.name for each in published)
    if not all(file.url for file in published):
        raise Refusal(
            f"{title} is not on this machine: set BOLTZCORE_DATA to a folder that holds {names} (or {packed})."
        )
    before, total, paths = 0, sum(file.n_bytes for file in published), []
    for file in published:
        try:
            paths.append(_download(file, portion(tick, before / total, file.n_bytes / total)))
        except _Failed as failed:
            raise Refusal(
                f"{title} is not on this machine, and {file.name} could not be downloaded from "
                f"{urlsplit(file.url).netloc}: {failed}. "
                "Connect this machine to the network and try again, or set BOLTZCORE_DATA to a folder that holds "
                f"{names} (or {packed})."
            ) from None
        before += file.n_bytes
    return paths


class _Failed(Exception):
    """Reason why a download failed, as part of a sentence."""


def _download(file: Published, tick: Tick) -> Path:
    import pooch
    import requests

    def stream(url: str, output: str, _: object) -> None:
        with requests.get(url, stream=True, timeout=TIMEOUT) as response, open(output, "wb") as target:
            if not all(each.url.startswith(_HTTPS) for each in (*response.history, response)):
                raise _Failed("the server redirects to an address without https")
            response.raise_for_status()
            n, total = 0, int(response.headers.get("Content-Length", file.n_bytes)) or file.n_bytes
            for piece in response.iter_content(_PIECE):
                n += len(piece)
                if n > file.n_bytes:
                    raise _Failed(f"the server sends more than the {file.n_bytes:,} bytes of the published file")
                target.write(piece)
                tick(min(1.0, n / total))

    sweep(place := folder("data"), "tmp*")  # remains of interrupted downloads
    pooch.get_logger().setLevel("WARNING")
    try:
        return Path(pooch.retrieve(file.url, known_hash=file.checksum, fname=file.name, path=place, downloader=stream))
    except requests.HTTPError as error:
        raise _Failed(
            f"the server answered {error.response.status_code if error.response is not None else 'with an error'}"
        ) from None
    except requests.RequestException:
        raise _Failed(f"no connection, or no answer within {TIMEOUT:g} seconds") from None
    except OSError as error:
        raise _Failed(f"it could not be written ({error_message(error)})") from None
    except ValueError:
        raise _Failed("the download is not the published file: its checksum differs") from None
