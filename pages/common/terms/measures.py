"""Terms of measures of a model's quality."""

from pages.common.terms.term import Term

TERMS: dict[str, Term] = {
    "likelihood": Term(
        "Log-likelihood",
        "The natural logarithm of the probability that the model gives to an example, averaged over all examples. It "
        "is negative, and closer to 0 is better. One nat more means e, about 2.7, times as probable.",
        ("log-likelihood", "log-likelihoods", "likelihood", "likelihoods"),
    ),
    "pseudo-likelihood": Term(
        "Pseudo-likelihood",
        "How well the model predicts each column from all the others, one column at a time, multiplied together. It "
        "is quick to compute even if the likelihood of whole rows is not. With many rows that come from such a model, "
        "both lead to the same answer.",
        ("log-pseudo-likelihood", "pseudo-likelihood", "pseudo-likelihoods"),
    ),
    "nats": Term(
        "Nats",
        "The unit of log-likelihoods. One nat more per example means that the model makes an example 2.7 times as "
        "probable. It is the unit of information with natural logarithms, as bits are with base 2: one nat is 1.44 "
        "bits.",
        ("nats",),
    ),
    "base-rate": Term(
        "Base rate",
        "The score of a model that knows only how often each pixel (or column) is on, and nothing about how they go "
        "together. A model that is no better has learnt no pattern yet.",
        ("base rate",),
    ),
    "upper-bound": Term(
        "Upper bound",
        "The best that any model could reach on these data, by giving each row exactly its share. The curve can "
        "approach it but never exceed it.",
        ("upper bound",),
    ),
    "energy": Term(
        "Energy",
        "A number for each state of the units: the machine shows states of low energy often and states of high energy "
        "seldom. Training lowers the energy of states like the data and raises that of the model's own samples. The "
        "probability of a state is e to the power −E, divided by Z.",
        ("energy", "energies"),
    ),
    "valley": Term(
        "Valley, spurious state",
        "A state from which every change of one unit leads up in energy: a machine that goes downhill stays there. "
        "Learning digs valleys at the data; one that no data taught is a false valley, or spurious state.",
        ("valley", "valleys", "false valley", "false valleys", "spurious state", "spurious states"),
    ),
    "unnormalised-probability": Term(
        "Unnormalised probability",
        "A positive number that is large if the energy E of a state is low: 2.718 to the power −E, written exp(−E). "
        "Divided by Z, its sum over all states, it is the probability of the state.",
        ("unnormalised probability", "unnormalised probabilities"),
    ),
    "free-energy": Term(
        "Free energy F",
        "The energy of an image once the hidden units are summed out: the lower, the more probable the image. It is "
        "minus the logarithm of the sum of e to the power −E(v, h) over all settings h of the hidden units, and plus "
        "log Z it is minus the log-likelihood of the image.",
        ("free energy", "free energy F", "free energies"),
    ),
    "free-energy-gap": Term(
        "Free-energy gap",
        "Free energy is minus the logarithm of an image's probability, up to a constant, log Z, that is hard to "
        "compute. In the difference between new and training images it cancels: a growing gap is a sign that the model "
        "memorises its images.",
        ("free-energy gap",),
    ),
    "overfitting": Term(
        "Overfitting",
        "Memorising the examples instead of learning what they have in common: the model gets better on data that it "
        "has seen and worse on data that it has not.",
        ("overfitting", "overfits"),
    ),
    "held-out": Term(
        "Training, validation and test",
        "Data are split: the model learns from training examples; validation examples decide when to stop and which "
        "state to keep; test examples are used only to measure how good the model is. The last two are held out.",
        ("validation", "held-out"),
    ),
    "plateau": Term(
        "Plateau",
        "A stretch in which the curve stays level although learning has not ended: the hidden units have not yet found "
        "their patterns. Some learners stay there for thousands of epochs, others leave at once.",
        ("plateau",),
    ),
    "ais": Term(
        "Annealed importance sampling (AIS)",
        "A way to estimate the likelihood of a model too large to sum over. Many chains go from an easy distribution "
        "to the model in small steps; the growth of their importance weights estimates the missing sum.",
        ("annealed importance sampling", "AIS"),
    ),
    "effective-chains": Term(
        "Effective sample size",
        "The chains of an estimate have different importance weights, and a few large ones may dominate. This is the "
        "number of equally weighted chains that would be as good. If it is low, distrust the estimate; even dozens "
        "are no guarantee, because no figure shows what every chain has missed.",
        ("effective sample size", "effective chains", "effective AIS chains", "chains that count"),
    ),
    "importance-weight": Term(
        "Importance weight",
        "How much a draw counts in an average if draws come from a distribution other than the one of interest: the "
        "ratio of the draw's probabilities under the distribution of interest and under the other.",
        ("importance weight", "importance weights"),
    ),
    "temperature": Term(
        "Temperature",
        "The number T by which all energies are divided: the higher it is, the less they count. Near 0 the machine "
        "only goes downhill; at very high temperatures all states are about equally likely. Annealing takes a series "
        "of temperatures from noise to the model: the more, the better and the slower.",
        ("temperature", "temperatures"),
    ),
    "annealing": Term(
        "Annealing",
        "Slow cooling: a chain starts at a high temperature, at which it moves freely, and the temperature falls step "
        "by step. It ends in a deep valley of the energy rather than in the nearest one, and the importance weights "
        "that chains collect on the way estimate Z.",
        ("annealing", "annealed"),
    ),
    "log-z": Term(
        "Partition function Z, and log Z",
        "Z is the sum that makes the probabilities of all states add up to 1. For a large model it has more terms "
        "than anyone can add, so it has to be estimated: this is what makes Boltzmann machines hard.",
        ("log Z", "partition function"),
    ),
    "standard-error": Term(
        "Standard error",
        "How much an estimate would vary by chance if everything were drawn again. The true value is within two "
        "standard errors about 95 times in 100; for annealing less often if there are few effective chains.",
        ("standard error", "standard errors"),
    ),
    "reconstruction": Term(
        "Reconstruction error",
        "How far pixels change, on average, in one step to the hidden units and back. Easy to compute and easy to "
        "misread: it can fall while the model gets worse.",
        ("reconstruction error",),
    ),
    "reconstructions": Term(
        "Reconstruction",
        "The result of a few Gibbs steps that start at an image of the data. Contrastive divergence uses it as a "
        "model sample: quick, but a little biased, because so short a chain does not forget its start.",
        ("reconstructions",),
    ),
    "dead-unit": Term(
        "Dead unit",
        "A hidden unit that is nearly always on, or nearly always off, whatever the image: it hardly tells images "
        "apart. One that is always off does nothing; one that is always on acts like a bias.",
        ("dead unit", "dead units", "dead"),
    ),
}
