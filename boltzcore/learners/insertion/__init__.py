"""Learning an infinite RBM by inserting one hidden unit at a time."""
