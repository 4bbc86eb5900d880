"""The five papers that the project implements, the sources of its learners, and how to cite the project."""

from typing import NamedTuple

from boltzcore import __version__


class Paper(NamedTuple):
    """A paper: its short title, the question that it answers, and how to cite it."""

    title: str
    question: str
    citation: str


PROJECT = "The Boltzmann Lab authors: Boltzmann Lab: a laboratory for Boltzmann machines in the browser, 2026."
BIBTEX = f"""@software{{boltzmannlab,
  author = {{{{The Boltzmann Lab authors}}}},
  title = {{{{Boltzmann Lab: a laboratory for Boltzmann machines in the browser}}}},
  year = {{2026}},
  version = {{{__version__}}}
}}"""
PAPERS = {
    "1": Paper(
        "BSLM for fully visible Boltzmann machines (Nguyen and Wood 2016)",
        "Can a fully visible Boltzmann machine be fitted without a step size to choose? Moving one parameter after "
        "another to the top of a lower bound raises the pseudo-likelihood in every sweep.",
        "Hien D. Nguyen and Ian A. Wood: A Block Successive Lower-Bound Maximization Algorithm for the Maximum "
        "Pseudo-Likelihood Estimation of Fully Visible Boltzmann Machines. Neural Computation, 2016, "
        "doi:10.1162/NECO_a_00813.",
    ),
    "2": Paper(
        "Learning RBM with a DC Programming Approach (Upadhya and Sastry 2017)",
        "The log-likelihood of an RBM is a difference of two convex functions. Does a learner that keeps the gradient "
        "of one of them fixed for several inner steps learn faster than contrastive divergence at the same cost?",
        "Vidyadhar Upadhya and P. S. Sastry: Learning RBM with a DC Programming Approach. Asian Conference on Machine "
        "Learning (ACML), 2017.",
    ),
    "3": Paper(
        "Learning Infinite RBMs with Frank-Wolfe (Ping, Liu and Ihler 2016)",
        "How many hidden units does an RBM need? Frank-Wolfe inserts them one at a time and stops when the free-energy "
        "gap grows. The paper finds its model to be a better start for contrastive divergence than random weights.",
        "Wei Ping, Qiang Liu and Alexander Ihler: Learning Infinite RBMs with Frank-Wolfe. Advances in Neural "
        "Information Processing Systems (NIPS), 2016, pages 3063-3071.",
    ),
    "4": Paper(
        "Full-Span Log-Linear Model and Fast Learning Algorithm (Takabatake and Akaho)",
        "Can a model with a term for every set of columns be learnt on 20 columns? A greedy search adds terms that are "
        "worth their price, and is compared with pairwise Boltzmann machines.",
        "Kazuya Takabatake and Shotaro Akaho: Full-Span Log-Linear Model and Fast Learning Algorithm.",
    ),
    "5": Paper(
        "Belief Propagation in Conditional RBMs (Ping and Ihler)",
        "Which approximate inference should a conditional RBM learn with? Belief propagation is compared with "
        "sampling, mean field and max-margin learning at denoising and completing images.",
        "Wei Ping and Alexander Ihler: Belief Propagation in Conditional RBMs for Structured Prediction.",
    ),
}
SOURCES = (  # sources of single learners
    "Renfrey B. Potts: Some Generalized Order-Disorder Transformations. Mathematical Proceedings of the Cambridge "
    "Philosophical Society, 1952.",
    "John J. Hopfield: Neural Networks and Physical Systems with Emergent Collective Computational Abilities. "
    "Proceedings of the National Academy of Sciences, 1982.",
    "Daniel J. Amit, Hanoch Gutfreund and Haim Sompolinsky: Storing Infinite Numbers of Patterns in a Spin-Glass Model "
    "of Neural Networks. Physical Review Letters, 1985.",
    "Geoffrey E. Hinton: Training Products of Experts by Minimizing Contrastive Divergence. Neural Computation, 2002.",
    "Aapo Hyvarinen: Consistency of Pseudolikelihood Estimation of Fully Visible Boltzmann Machines. Neural "
    "Computation, 2006.",
    "Tijmen Tieleman: Training Restricted Boltzmann Machines using Approximations to the Likelihood Gradient. "
    "International Conference on Machine Learning (ICML), 2008.",
    "Chun-Nam John Yu and Thorsten Joachims: Learning Structural SVMs with Latent Variables. International Conference "
    "on Machine Learning (ICML), 2009.",
    "Volodymyr Mnih, Hugo Larochelle and Geoffrey E. Hinton: Conditional Restricted Boltzmann Machines for Structured "
    "Output Prediction. Uncertainty in Artificial Intelligence (UAI), 2011.",
    "Magnus Ekeberg, Cecilia Lovkvist, Yueheng Lan, Martin Weigt and Erik Aurell: Improved Contact Prediction in "
    "Proteins: Using Pseudolikelihoods to Infer Potts Models. Physical Review E, 2013.",
    "Wei Ping, Qiang Liu and Alexander Ihler: Marginal Structured SVM with Hidden Variables. International Conference "
    "on Machine Learning (ICML), 2014.",
    "David Carlson, Volkan Cevher and Lawrence Carin: Stochastic Spectral Descent for Restricted Boltzmann Machines. "
    "Artificial Intelligence and Statistics (AISTATS), 2015.",
    "Jan Melchior, Asja Fischer and Laurenz Wiskott: How to Center Deep Boltzmann Machines. Journal of Machine "
    "Learning Research, 2016.",
    "Guillaume Desjardins, Aaron Courville, Yoshua Bengio, Pascal Vincent and Olivier Delalleau: Tempered Markov "
    "Chain Monte Carlo for Training of Restricted Boltzmann Machines. Artificial Intelligence and Statistics "
    "(AISTATS), 2010.",
    "Nicolas Bereux, Aurelien Decelle, Cyril Furtlehner, Lorenzo Rosset and Beatriz Seoane: Fast Training and "
    "Sampling of Restricted Boltzmann Machines. arXiv:2405.15376, 2024.",
)
