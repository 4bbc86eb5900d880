"""How a learner learns: one update taken apart, in a browser."""
