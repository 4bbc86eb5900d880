"""Learning of log-linear models, of all terms or of those of one and two variables."""
