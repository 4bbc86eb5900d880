"""Data sent to the browser outside the script: frames of trainings as they advance, and films."""
