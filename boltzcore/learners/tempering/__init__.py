"""Learners of RBMs that exchange chains with those of higher temperatures, or with samples of earlier models."""
