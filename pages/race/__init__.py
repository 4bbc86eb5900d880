"""A comparison under way, as it is watched."""
