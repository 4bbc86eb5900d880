"""Times in the visitor's own time zone."""

from datetime import UTC, datetime, tzinfo
from zoneinfo import ZoneInfo

import streamlit as st


def when(seconds: float) -> str:
    """Return a time, in seconds since 1970, to the minute: in the visitor's time zone or, if that is unknown, in UTC,
    which it then names.
    """
    zone = zone_of(st.context.timezone)
    return f"{datetime.fromtimestamp(seconds, zone or UTC):%Y-%m-%d %H:%M}{'' if zone else ' UTC'}"


def zone_of(name: str | None) -> tzinfo | None:
    """Return the time zone of this name, which a browser reports; None if it is unknown here."""
    try:
        return ZoneInfo(name) if name else None
    except (KeyError, ValueError, OSError):  # unknown, no name of a zone, or the name of a folder of zones
        return None
