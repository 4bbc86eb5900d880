"""Where what former commits made is kept."""

from pathlib import Path

_HERE = Path(__file__).parent
NAMES = _HERE / "names.json"
LINKS = _HERE / "links.json"
HOME = _HERE / "home.zip"  # a data folder, of which seven presets were played for some seconds in the app
