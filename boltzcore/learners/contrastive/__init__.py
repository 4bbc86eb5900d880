"""Contrastive learning of RBMs: the gradient at the data less the gradient at the end of Gibbs chains."""
