"""The reference: models, learners, measures and terms, described by their declarations and docstrings."""
