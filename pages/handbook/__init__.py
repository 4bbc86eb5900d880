"""The reference: what models, learners, measures and terms are, out of their declarations and docstrings."""
