"""Trainings that are watched: frames of a run, made beside the script, streamed by routes of their own, and kept."""
