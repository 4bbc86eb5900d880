"""Learners of RBMs whose chains are exchanged with others: of higher temperatures, or of earlier models."""
