"""Terms of how good a model is."""

from pages.common.terms.term import Term

TERMS: dict[str, Term] = {
    "likelihood": Term(
        "Log-likelihood",
        "How probable the model makes an example of the data, as a natural logarithm, averaged over all examples. It "
        "is negative, and nearer to 0 is better: a model that expects what really comes is less surprised. One more "
        "means e, about 2.7, times as probable.",
        ("log-likelihood", "log-likelihoods", "likelihood", "likelihoods"),
    ),
    "pseudo-likelihood": Term(
        "Pseudo-likelihood",
        "How well the model tells each column from all the others, one column at a time, multiplied together. It is "
        "quick to compute where the likelihood of whole rows is not. With many rows that come from such a model, both "
        "lead to the same answer.",
        ("log-pseudo-likelihood", "pseudo-likelihood", "pseudo-likelihoods"),
    ),
    "nats": Term(
        "Nats",
        "What log-likelihoods are counted in. One nat more per example means that the model makes an example 2.7 times "
        "as probable. It is the unit of information with natural logarithms, as bits are with base 2: one nat is 1.44 "
        "bits.",
        ("nats",),
    ),
    "base-rate": Term(
        "Base rate",
        "How well one does knowing only how often each pixel (or column) is on, and nothing about how they go "
        "together. A model that is no better than this has learnt no pattern yet.",
        ("base rate",),
    ),
    "upper-bound": Term(
        "Upper bound",
        "The best that any model could reach on these data: one that gives each row exactly its share. The curve can "
        "come near it and never above it.",
        ("upper bound",),
    ),
    "energy": Term(
        "Energy",
        "A number of each state: the lower, the more often the machine shows it. With hidden units E(v, h) is of all "
        "units, and the free energy F(v) of the visible ones alone: e to the power −F(v) is the sum of e to the power "
        "−E(v, h) over all h. Divided by Z, that is the probability of v.",
        ("energy", "energies", "free energy F"),
    ),
    "unnormalised-probability": Term(
        "Unnormalised probability",
        "A positive number that is large if the energy E of a state is low: 2.718 to the power −E, written exp(−E). "
        "The sum over all states is Z, and divided by Z it is the probability of the state.",
        ("unnormalised probability", "unnormalised probabilities"),
    ),
    "free-energy": Term(
        "Free-energy gap",
        "Free energy is minus the logarithm of an image's probability, up to a constant that nobody can compute. "
        "Between new images and learnt ones that constant cancels: a gap that grows says that the model learns its "
        "images by heart.",
        ("free-energy gap", "free energy"),
    ),
    "overfitting": Term(
        "Overfitting",
        "Learning the examples by heart instead of what they have in common: the model gets better on what it has seen "
        "and worse on what it has not.",
        ("overfitting", "overfits"),
    ),
    "held-out": Term(
        "Training, validation and test",
        "Data are divided: the model learns from training examples; validation examples decide when to stop and which "
        "state is kept; test examples are used for nothing but to tell how good it is. The last two are held out.",
        ("validation", "held-out"),
    ),
    "plateau": Term(
        "Plateau",
        "A stretch where the curve stays level though learning has not ended: the hidden units have not yet found what "
        "to stand for. Some ways to learn sit there for thousands of epochs, others get off at once.",
        ("plateau",),
    ),
    "climb": Term(
        "90 % of climb",
        "When the curve has gone nine tenths of the way from its first to its best value so far. It compares how fast "
        "trainings learn, and means little while the curve still climbs.",
        ("90 % of climb",),
    ),
    "ais": Term(
        "Annealed importance sampling (AIS)",
        "A way to estimate the likelihood of a model too large to sum over. Many chains go from an easy distribution "
        "to the model in small steps; the growth of their importance weights on the way estimates the missing sum.",
        ("annealed importance sampling", "AIS"),
    ),
    "effective-chains": Term(
        "Effective chains",
        "Chains of an estimate have different importance weights: a few large ones may outvote the rest. This is "
        "how many chains of equal weight would be worth as much. If few, distrust the estimate; some tens are no "
        "guarantee, for no figure shows what no chain has found.",
        ("effective sample size", "effective chains", "chains that count", "samples that count"),
    ),
    "importance-weight": Term(
        "Importance weight",
        "How much one draw counts in an average when draws come from another distribution than the one that is asked "
        "about: more where the right one would make that draw more often, less where it would make it less often.",
        ("importance weight", "importance weights"),
    ),
    "temperature": Term(
        "Temperatures",
        "The steps between an easy distribution and the model in annealing: at the first all is noise, at the last it "
        "is the model. More steps make a better estimate and take longer.",
        ("temperatures",),
    ),
    "log-z": Term(
        "log Z",
        "Z is the sum that makes the probabilities of all states add up to 1. It has more terms than anyone can add "
        "for a large model: it is what makes Boltzmann machines hard, and what has to be estimated.",
        ("log Z",),
    ),
    "standard-error": Term(
        "Standard error",
        "How much an estimate would vary by chance if everything were drawn anew. The true value is within two "
        "standard errors about 95 times in 100; of annealing less often where few chains count.",
        ("standard error", "standard errors"),
    ),
    "reconstruction": Term(
        "Reconstruction error",
        "How far pixels move in one step to the hidden units and back. Easy to compute and easy to misread: it can "
        "fall while the model gets worse.",
        ("reconstruction error",),
    ),
    "reconstructions": Term(
        "Reconstruction",
        "Where a few Gibbs steps lead that start at an image of the data. Contrastive divergence takes it for a dream "
        "of the model: quick, but a little off, for so short a chain does not forget where it began.",
        ("reconstructions",),
    ),
    "dead-unit": Term(
        "Dead unit",
        "A hidden unit that is nearly always on, or nearly always off, whatever the image: it hardly tells images "
        "apart. One that is off does nothing; one that is on does no more than a bias would.",
        ("dead unit", "dead units", "dead"),
    ),
}
