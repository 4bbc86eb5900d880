"""Encoding of values for a browser."""

import base64
import json
from typing import Any


def data_uri(picture: bytes, kind: str = "png") -> str:
    """Return a picture as a data URI, because a picture served as a file vanishes for a moment at each change."""
    return f"data:image/{kind};base64,{base64.b64encode(picture).decode()}"


def json_text(value: Any) -> str:
    """Return a value as JSON; NaN and infinities, which a diverged training may hold, become null."""
    try:
        return json.dumps(value, allow_nan=False, separators=(",", ":"))
    except ValueError:
        finite = json.loads(json.dumps(value), parse_constant=lambda _: None)
        return json.dumps(finite, separators=(",", ":"))
