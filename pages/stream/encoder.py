"""Changes in a training's frames since a viewer's last one, as JSON: encoded once for all viewers."""

from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from boltzcore.quoting import explain
from pages.figures.frame import Chart, Frame, Item, Panel, Picture, States, Table, Terrain, is_same
from pages.web.encoding import data_uri, json_text

REMEMBERED = 16  # frames that a viewer may be behind and still get only changes
_ABOUTS = "abouts"  # explanations of a frame's figures: sent once, and not with each value


@dataclass(frozen=True)
class _Made:
    """JSON made from `of`, with a number unique in its encoder."""

    of: tuple[Any, ...]
    number: int
    text: str


class FrameEncoder:
    """The successive frames of one training, for viewers with this right. One thread at a time may call."""

    def __init__(self, right: str = "columns") -> None:
        self._right = right
        self._made: dict[str, _Made] = {}
        self._shown: OrderedDict[str, frozenset[int]] = OrderedDict()
        self._numbers, self._head = 0, ""

    def take(self, version: str, frame: Frame, fields: Mapping[str, Any]) -> None:
        """Make this frame the newest: a panel is made again if one of its sources has changed.

        version : a name for it; fields : its further fields, as JSON holds them
        Raises ValueError if two items have one key.
        """
        frame, abouts = frame.visible_to(self._right), tuple(each.about for each in frame.figures)
        made = {_ABOUTS: self._of(_ABOUTS, abouts, lambda: json_text(abouts))}
        for item in frame.items:
            if item.key in made:
                raise ValueError(f"items of a frame must have keys of their own; there are two {item.key!r}.")
            made[item.key] = self._of(item.key, item.of, partial(_drawn, item))
        self._made, at = made, {key: each.number for key, each in made.items()}
        when = [frame.measured]
        self._head = json_text(
            {
                "version": version,
                **fields,
                "summary": frame.summary,
                "aria_text": frame.aria_text,
                "figures": [(each.name, each.value, *(when if each.measured else [])) for each in frame.figures],
                "lines": [
                    {"colour": line.colour, "dash": line.dash, "figures": [each[:3] for each in line.figures]}
                    for line in frame.lines
                ],
                "abouts": at[_ABOUTS],
                "old": frame.old,
                "light": frame.light and vars(frame.light),
                "curve": at[frame.curve.key] if frame.curve else None,
                "beside": [at[item.key] for item in frame.beside],
                "below": [[at[item.key] for item in row] for row in frame.below],
            }
        )
        self._shown[version] = frozenset(at.values())
        while len(self._shown) > REMEMBERED:
            self._shown.popitem(last=False)

    def since(self, version: str) -> str:
        """Return the newest frame as a JSON object, without the panels that the frame of this version showed; whole if
        that is unknown, or no longer known.
        """
        known = self._shown.get(version, frozenset())
        new = ",".join(f'"{made.number}":{made.text}' for made in self._made.values() if made.number not in known)
        return f'{self._head[:-1]},"panels":{{{new}}}}}'

    def knows(self, version: str) -> bool:
        """True if `since` is shorter than the whole for a viewer with this version."""
        return version in self._shown

    def _of(self, key: str, of: tuple[Any, ...], make: Callable[[], str]) -> _Made:
        before = self._made.get(key)
        if before is not None and is_same(before.of, of):
            return before
        self._numbers += 1
        return _Made(of, self._numbers, make())


def _drawn(item: Item) -> str:
    """Return the panel of an item as JSON; if drawing it fails, a panel that says so, so that the others are drawn."""
    try:
        return json_text({"key": item.key, **_plain(item.panel())})
    except Exception as error:
        why = explain(error, f"The panel {item.key!r} could not be drawn")
    return json_text({"key": item.key, **_plain(Panel("Cannot be drawn", below=why))})


def _plain(panel: Panel) -> dict[str, Any]:
    """Return a panel as JSON holds it."""
    content = panel.content
    fields = _named(panel, "title", "rest", "about", "below", "abreast", "even", "csv")
    fields["choices"] = [
        _named(each, "name", "title", "value") | {"options": list(each.options.items())} for each in panel.choices
    ]
    fields["light"] = panel.light and vars(panel.light)
    if isinstance(content, Chart):
        return fields | {"chart": _named(content, "figure", "height", "alt")}
    if isinstance(content, Table):
        columns = [_named(each, "title", "texts", "numbers", "room") for each in content.columns]
        return fields | {"table": {"name": content.name, "columns": columns}}
    if isinstance(content, States):
        kind = "terrain" if isinstance(content, Terrain) else "states"
        return fields | {kind: {"alt": content.alt, **content.payload}}
    return fields if content is None else fields | {"pictures": [_picture(each) for each in content]}


def _picture(picture: Picture) -> dict[str, Any]:
    fields = _named(picture, "width", "height", "alt", "caption", "limit")
    return fields | {"src": data_uri(picture.png), "pick": picture.pick and vars(picture.pick)}


def _named(part: object, *names: str) -> dict[str, Any]:
    """Return these fields alone: a field that is not named is not sent."""
    return {name: getattr(part, name) for name in names}
