"""Figures: data in, a Plotly figure (a plain dict) or PNG bytes out. No page, no learning."""
