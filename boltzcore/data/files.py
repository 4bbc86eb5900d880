"""Where data files are found: the folder that is named, the downloads of before, then the network."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from boltzcore.home import folder
from boltzcore.ticks import Tick

TIMEOUT = 10.0  # seconds for the server to answer, and between two pieces of a file


class DataUnavailable(ValueError):
    """A data file is not on this machine and could not be had; the message says what to do."""


@dataclass(frozen=True)
class Published:
    """A file as its authors publish it: name, address, checksum ("md5:..." or "sha256:...") and its bytes at most."""

    name: str
    url: str
    checksum: str
    n_bytes: int


def named_folder() -> Path | None:
    """The folder that BOLTZCORE_DATA names, or None; `DataUnavailable` where there is no such folder."""
    named = os.environ.get("BOLTZCORE_DATA")
    if not named:
        return None
    path = Path(named).expanduser()
    if not path.is_dir():
        raise DataUnavailable(f"BOLTZCORE_DATA must name a folder, and there is none at {named!r}.")
    return path


def here(published: Sequence[Published], packed: str) -> list[Path]:
    """The published files, or else the packed one, in the named folder or among the downloads; [] where there are neither."""
    for place in (named_folder(), folder("data")):
        for names in ([file.name for file in published], [packed]):
            if place and all((place / name).is_file() for name in names):
                return [place / name for name in names]
    return []


def fetched(title: str, published: Sequence[Published], packed: str, tick: Tick) -> list[Path]:
    """`here`, or the published files after a download with their checksums; `DataUnavailable` where there is none."""
    found = here(published, packed)
    if found:
        return found
    total, before, paths = sum(file.n_bytes for file in published), 0, []
    for file in published:
        try:
            paths.append(_downloaded(file, _Progress(file, before, total, tick)))
        except _Failed as failed:
            names = " and ".join(each.name for each in published)
            raise DataUnavailable(
                f"{title} is not on this machine, and {file.name} could not be downloaded from {urlsplit(file.url).netloc}: {failed}. "
                f"Connect this machine to the network and try again, or set BOLTZCORE_DATA to a folder that holds {names} (or {packed})."
            ) from None
        before += file.n_bytes
    return paths


class _Failed(Exception):
    """Why a download failed, as part of a sentence."""


class _Progress:
    """What pooch tells of the bytes that have come, as the share `tick` is told of all files'."""

    def __init__(self, file: Published, before: int, all_bytes: int, tick: Tick) -> None:
        self.file, self.before, self.all_bytes, self.tick = file, before, all_bytes, tick
        self.n = self.total = 0

    def update(self, n: int) -> None:
        self.n += n
        share = min(1.0, self.n / (self.total or self.file.n_bytes))
        self.tick((self.before + share * self.file.n_bytes) / self.all_bytes)
        if self.n > self.file.n_bytes + 2**20:
            raise _Failed(f"the server sends more than the {self.file.n_bytes:,} bytes of the published file")

    def reset(self) -> None:
        self.n = 0

    def close(self) -> None:
        pass


def _downloaded(file: Published, progress: _Progress) -> Path:
    import pooch
    import requests

    pooch.get_logger().setLevel("WARNING")
    fetch = pooch.HTTPDownloader(progressbar=progress, chunk_size=2**15, timeout=TIMEOUT)
    try:
        return Path(pooch.retrieve(file.url, known_hash=file.checksum, fname=file.name, path=folder("data"), downloader=fetch))
    except requests.HTTPError as error:
        raise _Failed(f"the server answered {error.response.status_code if error.response is not None else 'with an error'}") from None
    except requests.Timeout:
        raise _Failed(f"no answer within {TIMEOUT:g} seconds") from None
    except requests.RequestException:
        raise _Failed("no connection") from None
    except OSError as error:
        raise _Failed(f"it could not be written to {folder('data')} ({error.strerror})") from None
    except ValueError:
        raise _Failed("what came is not the published file, its checksum differs") from None
