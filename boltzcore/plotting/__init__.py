"""Plotly figures of trainings, models, samples and comparisons."""
