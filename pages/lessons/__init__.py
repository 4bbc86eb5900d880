"""Lessons: predict, run, say what was seen, and only then read why. A file for each, listed in `catalogue.py`."""
