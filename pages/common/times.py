"""Moments as a visitor's own clock has them."""

from datetime import UTC, datetime, tzinfo
from zoneinfo import ZoneInfo

import streamlit as st


def when(seconds: float) -> str:
    """A moment, in seconds since 1970, to the minute: where the visitor is, or in UTC, and says so, where that is not
    known.
    """
    zone = zone_of(st.context.timezone)
    return f"{datetime.fromtimestamp(seconds, zone or UTC):%Y-%m-%d %H:%M}{'' if zone else ' UTC'}"


def zone_of(name: str | None) -> tzinfo | None:
    """The time zone of this name, which a browser tells; None where there is none of it here."""
    try:
        return ZoneInfo(name) if name else None
    except (KeyError, ValueError, OSError):  # unknown, no name of a zone at all, or that of a folder of them
        return None
