"""How a `Frame` is drawn in a browser: encoded as JSON, and drawn in place by one component; and films, frames that
follow from each other and need no training.
"""
