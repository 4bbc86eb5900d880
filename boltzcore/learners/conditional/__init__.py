"""Learning of conditional RBMs, by inference or by sampling."""
