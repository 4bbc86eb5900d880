"""The commands of `python -m boltzcore`, one module for each subject."""
