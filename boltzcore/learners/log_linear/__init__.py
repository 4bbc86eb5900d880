"""Learners of log-linear models with all terms, or with those of one and two variables."""
