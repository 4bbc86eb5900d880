"""Figures of the pages: data in, a Plotly figure (a plain dict), PNG bytes or a frame out."""
