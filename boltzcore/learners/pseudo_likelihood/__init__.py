"""Maximum pseudo-likelihood of fully visible Boltzmann machines."""
