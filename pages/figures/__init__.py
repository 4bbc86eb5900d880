"""Figures of the pages, made from data: Plotly figures (plain dicts), PNG bytes or frames."""
