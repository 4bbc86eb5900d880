"""Terms of models and their parts."""

from pages.common.terms.term import Term

TERMS: dict[str, Term] = {
    "rbm": Term(
        "Restricted Boltzmann machine (RBM)",
        "A model of two layers of on-off units: visible ones, the pixels, and hidden ones, which stand for patterns. "
        "Weights join the layers, and nothing joins units of one layer: that is the restriction. It gives every image "
        "a probability, and can draw new images.",
        ("restricted Boltzmann machine", "RBM", "RBMs"),
    ),
    "crbm": Term(
        "Conditional RBM",
        "An RBM that is given a second image, here a damaged one, and learns how probable each clean image is, given "
        "it. It does not learn what images look like in general, only how to get from damaged ones to clean ones.",
        ("conditional RBM", "conditional RBMs"),
    ),
    "infinite-rbm": Term(
        "Infinite RBM",
        "An RBM whose hidden units are not counted beforehand. Training adds them one by one, each where it helps "
        "most, and a unit may be there once, several times or a fraction of once.",
        ("infinite RBM",),
    ),
    "fvbm": Term(
        "Fully visible machine (FVBM)",
        "A Boltzmann machine without hidden units: every two columns of a table are joined by a coupling, and each "
        "column has a bias. It tells which columns go together once all others are taken into account.",
        ("fully visible machine", "FVBM"),
    ),
    "log-linear": Term(
        "Log-linear model",
        "A model that gives every state of a table's columns a probability as a product of factors, one for each term. "
        "A term may be about one column, a pair, or any group, so it can say things that no pairs can.",
        ("log-linear model", "log-linear models"),
    ),
    "logistic-regression": Term(
        "Logistic regression",
        "Each pixel of the answer is guessed on its own, from a weighted sum of the damaged image's pixels. No hidden "
        "units, and so nothing that makes neighbouring pixels agree.",
        ("logistic regression",),
    ),
    "support-vector": Term(
        "Structured support vector machine",
        "A way to train that asks for no probabilities: the right image must score better than every wrong one by a "
        "margin that grows with the number of wrong pixels. LSSVM and MSSVM differ in whether hidden units are chosen "
        "or summed over.",
        ("support vector machine", "support vector machines", "LSSVM", "MSSVM"),
    ),
    "hidden-unit": Term(
        "Hidden unit",
        "A unit that is no pixel: a switch inside the model that goes on for images with a certain pattern. The more "
        "there are, the more patterns the model can combine, and the longer it takes to learn.",
        ("hidden unit", "hidden units"),
    ),
    "visible-unit": Term(
        "Visible unit",
        "A unit that stands for something one sees: a pixel of an image or a column of a table.",
        ("visible unit", "visible units"),
    ),
    "weight": Term(
        "Weight",
        "The number between two units that tells how much one pulls the other: above 0 they tend to be on together, "
        "below 0 one keeps the other off. Learning changes these numbers.",
        ("weight", "weights"),
    ),
    "bias": Term(
        "Bias",
        "A unit's own leaning: how much it tends to be on, whatever the others do.",
        ("bias", "biases"),
    ),
    "coupling": Term(
        "Coupling",
        "A number for two units, or columns. Where units are 0 or 1: above 0 the two like to be on together, below 0 "
        "one keeps the other off. Where they are −1 or +1, as in fully visible machines: above 0 the two tend to "
        "agree, below 0 to differ, beyond what all others already explain.",
        ("coupling", "couplings"),
    ),
    "sigma": Term(
        "Sigma (σ)",
        "How far apart random starting weights lie: their standard deviation. With sigma 0.01 most weights start "
        "between −0.02 and 0.02, small, but not all alike.",
        ("sigma",),
    ),
}
