"""Inspection of a learner: one update, taken apart in the browser."""
