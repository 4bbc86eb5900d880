"""Lessons: predict, run, observe, and only then read why. A file for each, listed in `catalogue.py`."""
