"""The commands of `boltzcore`, one module for each subject."""
