"""Terms of models and their parts."""

from pages.common.terms.term import Term

TERMS: dict[str, Term] = {
    "rbm": Term(
        "Restricted Boltzmann machine (RBM)",
        "A model of two layers of on-off units: visible ones, the pixels, and hidden ones, which stand for patterns. "
        "Weights join the layers, and nothing joins units of one layer: that is the restriction. It gives every image "
        "a probability and can generate new images.",
        ("restricted Boltzmann machine", "RBM", "RBMs"),
    ),
    "crbm": Term(
        "Conditional RBM",
        "An RBM with an input, here a damaged image: it learns how probable each clean image is, given the input. It "
        "does not learn what images look like in general, only how to restore damaged ones.",
        ("conditional RBM", "conditional RBMs"),
    ),
    "infinite-rbm": Term(
        "Infinite RBM",
        "An RBM whose number of hidden units is not fixed. Training adds them one by one, each where it helps most, "
        "and a unit may count once, several times or a fraction of once.",
        ("infinite RBM",),
    ),
    "fvbm": Term(
        "Fully visible machine (FVBM)",
        "A Boltzmann machine without hidden units: each pair of columns of a table has a coupling, and each "
        "column has a bias. It shows which columns go together once all others are taken into account.",
        ("fully visible machine", "FVBM"),
    ),
    "hopfield": Term(
        "Hopfield network",
        "A fully visible machine that stores patterns by one rule: the coupling of two units rises if they agree in a "
        "pattern and falls if they differ. From a damaged pattern it goes downhill in energy, as at temperature 0, to "
        "a valley: the whole pattern, or a false one if too many are stored.",
        ("Hopfield network", "Hopfield networks"),
    ),
    "log-linear": Term(
        "Log-linear model",
        "A model that gives every state of a table's columns a probability as a product of factors, one for each "
        "term. A term may involve one column, a pair, or any group, so it can express patterns that pairs cannot.",
        ("log-linear model", "log-linear models"),
    ),
    "potts": Term(
        "Potts model",
        "A fully visible machine of categories: each value of a column is coupled to each value of every other column. "
        "It knows only pairs, as a log-linear model of terms of one and two columns does, and needs no list of all "
        "states, however many columns there are.",
        ("Potts model", "Potts models"),
    ),
    "logistic-regression": Term(
        "Logistic regression",
        "Each output pixel is predicted on its own, from a weighted sum of the damaged image's pixels. There are no "
        "hidden units, so nothing makes neighbouring pixels agree.",
        ("logistic regression",),
    ),
    "support-vector": Term(
        "Structured support vector machine",
        "A training method without probabilities: the right image must score better than every wrong one by a margin "
        "that grows with the number of wrong pixels. LSSVM uses the best hidden state, MSSVM sums over all.",
        ("support vector machine", "support vector machines", "LSSVM", "MSSVM"),
    ),
    "hidden-unit": Term(
        "Hidden unit",
        "A unit that is not a pixel: a switch inside the model that turns on for images with a certain pattern. The "
        "more there are, the more patterns the model can combine, and the longer it takes to learn.",
        ("hidden unit", "hidden units"),
    ),
    "visible-unit": Term(
        "Visible unit",
        "A unit that holds data: a pixel of an image or a column of a table.",
        ("visible unit", "visible units"),
    ),
    "weight": Term(
        "Weight",
        "The coupling between two units: above 0 they tend to be on together, below 0 one keeps the other off. "
        "Learning changes the weights.",
        ("weight", "weights"),
    ),
    "bias": Term(
        "Bias",
        "A unit's own tendency to be on, whatever the others do.",
        ("bias", "biases"),
    ),
    "coupling": Term(
        "Coupling",
        "A number for two units, or columns. With units 0 or 1: above 0 the two tend to be on together, below 0 one "
        "keeps the other off. With units −1 or +1, as in fully visible machines: above 0 the two tend to agree, below "
        "0 to differ, beyond what all others explain.",
        ("coupling", "couplings"),
    ),
    "sigma": Term(
        "Sigma (σ)",
        "The standard deviation of random starting weights. With sigma 0.01 most weights start between −0.02 and 0.02, "
        "small, but not all equal.",
        ("sigma",),
    ),
}
