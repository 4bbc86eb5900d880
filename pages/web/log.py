"""The log of the server: what it does and who waits for what, on standard error, a line each with its time."""

import logging

from boltzcore.limits import limits

OURS = ("boltzcore", "pages")


def open_log() -> None:
    """Write our own lines from "info" on, once, and say which limits were set."""
    for name in OURS:
        logger = logging.getLogger(name)
        if not logger.handlers:
            handler = logging.StreamHandler()
            handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s", "%Y-%m-%d %H:%M:%S"))
            logger.addHandler(handler)
            logger.setLevel(logging.INFO)
    if said := limits().said:
        logging.getLogger(__name__).info("%s", said)
