"""Every term of art that the pages use, explained once, in plain words; wherever one stands, a click tells what it is.

In Streamlit's own texts `marked` makes a link of it, in what is drawn in place `words.js` does, by the same forms.
"""

import re
from dataclasses import dataclass
from functools import cache
from typing import Any

MOST = 60  # words of an explanation


@dataclass(frozen=True)
class Word:
    """A term.

    title : as its explanation is headed
    text : what it is, for a bright sixteen-year-old, and true for who knows
    forms : how it is written where it stands; a small first letter may be a capital there
    """

    title: str
    text: str
    forms: tuple[str, ...]


WORDS: dict[str, Word] = {
    # -- models ---------------------------------------------------------------------------------------
    "rbm": Word(
        "Restricted Boltzmann machine (RBM)",
        "A model of two layers of on-off units: visible ones, the pixels, and hidden ones, which stand for patterns. "
        "Weights join the layers, and nothing joins units of one layer: that is the restriction. It gives every image "
        "a probability, and can draw new images.",
        ("restricted Boltzmann machine", "RBM", "RBMs"),
    ),
    "crbm": Word(
        "Conditional RBM",
        "An RBM that is given a second image, here a damaged one, and learns how probable each clean image is beside "
        "it. It does not learn what images look like in general, only how to get from damaged ones to clean ones.",
        ("conditional RBM", "conditional RBMs"),
    ),
    "infinite-rbm": Word(
        "Infinite RBM",
        "An RBM whose hidden units are not counted beforehand. Training adds them one by one, each where it helps "
        "most, and a unit may be there once, several times or a fraction of once.",
        ("infinite RBM",),
    ),
    "fvbm": Word(
        "Fully visible machine (FVBM)",
        "A Boltzmann machine without hidden units: each two columns of a table are joined by a coupling, and each "
        "column has a bias. It tells which columns go together once all others are taken into account.",
        ("fully visible machine", "FVBM"),
    ),
    "log-linear": Word(
        "Log-linear model",
        "A model that gives every state of a table's columns a probability as a product of factors, one for each term. "
        "A term may be about one column, a pair, or any group, so it can say things that no pairs can.",
        ("log-linear model", "log-linear models"),
    ),
    "logistic-regression": Word(
        "Logistic regression",
        "Each pixel of the answer is guessed on its own, from a weighted sum of the damaged image's pixels. No hidden "
        "units, and so nothing that makes neighbouring pixels agree.",
        ("logistic regression",),
    ),
    "support-vector": Word(
        "Structured support vector machine",
        "A way to train that asks for no probabilities: the right image must score better than every wrong one by a "
        "margin that grows with the number of wrong pixels. LSSVM and MSSVM differ in whether hidden units are chosen "
        "or summed over.",
        ("support vector machine", "support vector machines", "LSSVM", "MSSVM"),
    ),
    "hidden-unit": Word(
        "Hidden unit",
        "A unit that is no pixel: a switch inside the model that goes on for images with a certain pattern. The more "
        "there are, the more patterns the model can combine, and the longer it takes to learn.",
        ("hidden unit", "hidden units"),
    ),
    "visible-unit": Word(
        "Visible unit",
        "A unit that stands for something one sees: a pixel of an image or a column of a table.",
        ("visible unit", "visible units"),
    ),
    "weight": Word(
        "Weight",
        "The number between two units that tells how much one pulls the other: above 0 they tend to be on together, "
        "below 0 one keeps the other off. Learning changes these numbers.",
        ("weight", "weights"),
    ),
    "bias": Word(
        "Bias",
        "A unit's own leaning: how much it tends to be on, whatever the others do.",
        ("bias", "biases"),
    ),
    "coupling": Word(
        "Coupling",
        "The weight between two columns of a fully visible machine. Above 0 the two tend to agree, below 0 to differ, "
        "beyond what all other columns already explain.",
        ("coupling", "couplings"),
    ),
    "sigma": Word(
        "Sigma (σ)",
        "How far apart random starting weights lie: their standard deviation. With sigma 0.01 most weights start "
        "between −0.02 and 0.02, small, but not all alike.",
        ("sigma",),
    ),
    # -- how good -------------------------------------------------------------------------------------
    "likelihood": Word(
        "Log-likelihood",
        "How probable the model makes an image, as a natural logarithm, averaged over many images. It is negative, and "
        "nearer to 0 is better: a model that expects what really comes is less surprised. One more means e, about 2.7, "
        "times as probable.",
        ("log-likelihood", "log-likelihoods", "likelihood", "likelihoods"),
    ),
    "pseudo-likelihood": Word(
        "Pseudo-likelihood",
        "How well the model tells each column from all the others, one column at a time, multiplied together. It is "
        "quick to compute where the likelihood of whole rows is not. With many rows that come from such a model, both "
        "lead to the same answer.",
        ("log-pseudo-likelihood", "pseudo-likelihood", "pseudo-likelihoods"),
    ),
    "nats": Word(
        "Nats",
        "The unit of information with natural logarithms, as bits are with base 2: one nat is 1.44 bits. One nat "
        "better per example means that the model makes an example 2.7 times as probable.",
        ("nats",),
    ),
    "base-rate": Word(
        "Base rate",
        "How well one does knowing only how often each pixel (or column) is on, and nothing about how they go "
        "together. A model that is no better than this has learnt no pattern yet.",
        ("base rate",),
    ),
    "upper-bound": Word(
        "Upper bound",
        "The best that any model could reach on these data: one that gives each row exactly its share. The curve can "
        "come near it and never above it.",
        ("upper bound",),
    ),
    "energy": Word(
        "Energy",
        "A number of each state: the lower, the more probable. The energy E(v, h) is of all units; the free energy "
        "F(v) of visible units alone, hidden ones summed out: e to the power of -F(v) is the sum of that of -E(v, h) "
        "over all h. Divided by Z, its sum over all v, it is the probability.",
        ("energy", "energies", "free energy F"),
    ),
    "free-energy": Word(
        "Free-energy gap",
        "Free energy is minus the logarithm of an image's probability, up to a constant that nobody can compute. "
        "Between new images and learnt ones that constant cancels: a gap that grows says that the model learns its "
        "images by heart.",
        ("free-energy gap", "free energy"),
    ),
    "overfitting": Word(
        "Overfitting",
        "Learning the examples by heart instead of what they have in common: the model gets better on what it has seen "
        "and worse on what it has not.",
        ("overfitting", "overfits"),
    ),
    "held-out": Word(
        "Training, validation and test",
        "Data are divided: the model learns from training examples; validation examples decide when to stop and which "
        "state is kept; test examples are used for nothing but to tell how good it is. The last two are held out.",
        ("validation", "held-out"),
    ),
    "plateau": Word(
        "Plateau",
        "A stretch where the curve stays level though learning has not ended: the hidden units have not yet found what "
        "to stand for. Some ways to learn sit there for thousands of epochs, others get off at once.",
        ("plateau",),
    ),
    "climb": Word(
        "90 % of climb",
        "When the curve has gone nine tenths of the way from its first to its best value so far. It compares how fast "
        "trainings learn, and means little while the curve still climbs.",
        ("90 % of climb",),
    ),
    "ais": Word(
        "Annealed importance sampling (AIS)",
        "A way to estimate the likelihood of a model too large to sum over. Many chains go from an easy distribution "
        "to the model in small steps; how their importance weights grow on the way tells the sum that is missing.",
        ("annealed importance sampling", "AIS"),
    ),
    "effective-chains": Word(
        "Effective chains",
        "Chains of an estimate count differently: a few with large importance weights may outvote the rest. This tells "
        "how many equally good ones would be worth as much. If it is few, distrust the estimate; some tens are no "
        "guarantee, for what no chain has found shows in no figure.",
        ("effective sample size", "effective chains", "chains that count", "samples that count"),
    ),
    "importance-weight": Word(
        "Importance weight",
        "How much one draw counts in an average when draws come from another distribution than the one that is asked "
        "about: more where the right one would have made that draw oftener, less where seldomer.",
        ("importance weight", "importance weights"),
    ),
    "temperature": Word(
        "Temperatures",
        "The steps between an easy distribution and the model in annealing: at the first all is noise, at the last it "
        "is the model. More steps make a better estimate and take longer.",
        ("temperatures",),
    ),
    "log-z": Word(
        "log Z",
        "Z is the sum that makes the probabilities of all states add up to 1. It has more terms than anyone can add "
        "for a large model: it is what makes Boltzmann machines hard, and what has to be estimated.",
        ("log Z",),
    ),
    "standard-error": Word(
        "Standard error",
        "How much an estimate would vary by chance if everything were drawn anew. The true value is within two "
        "standard errors about 95 times in 100.",
        ("standard error", "standard errors"),
    ),
    "reconstruction": Word(
        "Reconstruction error",
        "How far pixels move in one step to the hidden units and back. Easy to compute and easy to misread: it can "
        "fall while the model gets worse.",
        ("reconstruction error",),
    ),
    "reconstructions": Word(
        "Reconstruction",
        "Where a few Gibbs steps lead that start at an image of the data. Contrastive divergence takes it for a dream "
        "of the model: quick, but a little off, for so short a chain does not forget where it began.",
        ("reconstructions",),
    ),
    "dead-unit": Word(
        "Dead unit",
        "A hidden unit that is nearly always on, or nearly always off, whatever the image: it tells images hardly "
        "apart. One that is off does nothing; one that is on does no more than a bias would.",
        ("dead unit", "dead units", "dead"),
    ),
    "autocorrelation": Word(
        "Autocorrelation",
        "How much a chain still resembles itself after so many steps: 1 at first, 0 once it has forgotten where it "
        "was. Slow forgetting means that its samples tell little new.",
        ("autocorrelation",),
    ),
    # -- learning -------------------------------------------------------------------------------------
    "update": Word(
        "Update",
        "One step of learning: the weights are changed a little, once.",
        ("update", "updates"),
    ),
    "epoch": Word(
        "Epoch",
        "Once through all training examples, in as many updates as there are batches.",
        ("epoch", "epochs"),
    ),
    "batch": Word(
        "Batch",
        "The examples that one update looks at. A small batch is quick and noisy, a large one slow and steady; a full "
        "batch is all of them.",
        ("batch", "batches", "mini-batch", "full batch"),
    ),
    "row": Word(
        "Row",
        "One example to learn from: an image, or a line of a table. Each has a number for every visible unit.",
        ("the row",),
    ),
    "offset": Word(
        "Offset",
        "How much a unit is on as a rule, a mean that slides along with what is seen. Centred learning takes it off "
        "before units are multiplied, so that only what is unusual moves a weight.",
        ("offset", "offsets"),
    ),
    "dream": Word(
        "Dream",
        "What the model comes up with by itself: where its chain ends. Learning makes the data more probable and such "
        "dreams less so, until both look the same.",
        ("the dream", "the dreams"),
    ),
    "rate": Word(
        "Learning rate",
        "How far an update goes in the direction that seems best. Too small, and learning takes forever; too large, "
        "and it overshoots and may blow up.",
        ("learning rate",),
    ),
    "gradient": Word(
        "Gradient",
        "The direction in which the parameters must change for the likelihood to rise fastest. For these models it can "
        "only be estimated: what the data show, less what the model itself would show.",
        ("gradient", "gradients", "terms of the gradient"),
    ),
    "diverged": Word(
        "Diverged",
        "Learning has blown up: weights grow without end, or the model is worse than the base rate or far below its "
        "best. Mostly the rate is too high or the batch too small.",
        ("diverged",),
    ),
    "gibbs-step": Word(
        "Gibbs step",
        "Draw all hidden units anew from the visible ones, then all visible ones from the hidden ones, by chance. "
        "Many such steps turn any image into one that the model itself would draw.",
        ("Gibbs step", "Gibbs steps", "Gibbs transition", "Gibbs transitions", "Gibbs sampling"),
    ),
    "chain": Word(
        "Chain",
        "An image that is changed by one Gibbs step after the other: each depends only on the one before. After enough "
        "of them it is a sample of the model, wherever it began.",
        ("chain", "chains", "Gibbs chains"),
    ),
    "fantasy-particle": Word(
        "Fantasy particle",
        "An image that the model dreams up: the state of a chain that goes on while it learns. The better the model, "
        "the more it looks like the data.",
        ("fantasy particle", "fantasy particles"),
    ),
    "receptive-field": Word(
        "Receptive field",
        "What one hidden unit looks for, drawn as an image: its weights to all pixels. Blue pixels switch the unit on, "
        "red ones switch it off.",
        ("receptive field", "receptive fields"),
    ),
    "cd": Word(
        "Contrastive divergence (CD)",
        "Learning by comparing: take real images, let the model change them for K Gibbs steps, then make the real ones "
        "more probable and what became of them less. Quick, and a little off, because K steps are too few.",
        ("contrastive divergence", "CD", "CD-K"),
    ),
    "cd-percloss": Word(
        "CD-PercLoss",
        "Learning from mistakes: a chain that starts where the damaged image alone says looks for an image that the "
        "model finds more probable than the right one. If it finds one, the right one is made more probable and that "
        "one less; else nothing changes.",
        ("CD-PercLoss",),
    ),
    "pcd": Word(
        "Persistent contrastive divergence (PCD)",
        "Contrastive divergence whose chains are not started anew at the data: they go on from update to update, and "
        "so wander further into what the model dreams up.",
        ("persistent contrastive divergence", "PCD", "PCD-K"),
    ),
    "maximum-likelihood": Word(
        "Learning by inference (MLE-BP, MLE-MF)",
        "Learning that makes the right answers as probable as it can. For that one must know what the model expects "
        "now, and belief propagation (BP) or mean field (MF) works it out.",
        ("MLE-BP", "MLE-MF"),
    ),
    "centred-gradient": Word(
        "Centred gradient (CG)",
        "Contrastive divergence that subtracts from each unit its mean before anything is compared, so that learning "
        "does not depend on whether on is written as 1 or as 0.",
        ("centred gradient", "CG"),
    ),
    "s-dcp": Word(
        "S-DCP",
        "A way to learn that follows the difference of two bowl-shaped functions. An update makes d small steps "
        "against a fixed look at the data, with K' Gibbs steps before each: as much work as CD with K = d K', and "
        "often further along. CS-DCP does so with centred units.",
        ("S-DCP", "CS-DCP", "DC programming"),
    ),
    "K": Word(
        "K",
        "How many Gibbs steps a chain takes before an update looks at it. More are nearer to what the model really "
        "draws, and cost more.",
        ("K",),
    ),
    "d": Word(
        "d",
        "How many small steps of the weights S-DCP makes within one update. Matched with CD in cost where d times K' "
        "is K.",
        ("d",),
    ),
    "K-prime": Word(
        "K'",
        "How many Gibbs steps S-DCP takes before each of its d small steps. One update takes d times K' in all.",
        ("K'",),
    ),
    "spectral-descent": Word(
        "Spectral descent (SSD)",
        "The gradient of the weights is taken apart into its own directions (singular vectors), and an update goes "
        "equally far along each, not mostly along the steepest. Great strides with large batches; what small ones "
        "show is mostly noise, and it blows that up, too.",
        ("stochastic spectral descent", "spectral descent", "SSD"),
    ),
    "patience": Word(
        "Patience",
        "How many measurements in a row may bring nothing better before the training stops by itself.",
        ("patience",),
    ),
    "binarise": Word(
        "Binarise",
        "To make black or white of grey: these models know on and off only.",
        ("binarise", "binarised"),
    ),
    # -- restoring ------------------------------------------------------------------------------------
    "inference": Word(
        "Inference",
        "Working out what is probable, given what is known: here how probable each pixel is on, given the damaged "
        "image and the model. The model itself is not changed.",
        ("inference",),
    ),
    "belief-propagation": Word(
        "Belief propagation (BP)",
        "Pixels and hidden units tell each other, again and again, how probable each thinks the other is on, until "
        "nobody changes their mind. The result are marginals: exact if the units formed a tree, near the truth mostly.",
        ("belief propagation", "sum-product BP", "BP"),
    ),
    "max-product": Word(
        "Max-product BP",
        "Belief propagation that looks for the most probable way in which pixels and hidden units can be together, not "
        "for the probability of each pixel. Mixed-product looks for the most probable image, and sums over all that "
        "the hidden units may be.",
        ("max-product BP", "mixed-product BP", "max-product", "mixed-product"),
    ),
    "mean-field": Word(
        "Mean field",
        "A simple inference: every unit goes by the average of the others, as if they were independent, again and "
        "again. Quick, and too sure of itself.",
        ("mean field",),
    ),
    "message": Word(
        "Message",
        "What one unit tells another in belief propagation: how much it thinks the other should be on, from all else "
        "that it has heard.",
        ("message", "messages"),
    ),
    "cavity": Word(
        "Cavity",
        "All that a unit has heard but from one: the sum with that one left out. From it the unit makes its answer to "
        "that one, who would else hear an echo of its own words.",
        ("cavity",),
    ),
    "sigmoid": Word(
        "Sigmoid",
        "The curve that turns a sum without ends into a probability: far below 0 it is near 0, at 0 it is a half, far "
        "above near 1. It is 1 / (1 + e to minus the sum).",
        ("sigmoid",),
    ),
    "iteration": Word(
        "Iteration",
        "One round of a computation that is repeated until it hardly changes anything; in belief propagation every "
        "unit sends its messages once.",
        ("iteration", "iterations"),
    ),
    "marginal": Word(
        "Marginal",
        "The probability that one pixel is on, whatever all the others are. A pixel with a marginal of 97 % is as good "
        "as certain; at 50 % nobody knows.",
        ("marginal", "marginals"),
    ),
    "log-odds": Word(
        "Log-odds",
        "A probability on a scale without ends: the logarithm of how much likelier on is than off. 0 is fifty-fifty, "
        "+3 about 95 %, −3 about 5 %.",
        ("log-odds",),
    ),
    "residual": Word(
        "Residual",
        "The largest change of any belief in one iteration. It falls as the inference comes to rest.",
        ("residual", "residuals"),
    ),
    "tolerance": Word(
        "Tolerance",
        "How little counts as nothing: a computation stops once it changes by no more than this.",
        ("tolerance",),
    ),
    "converged": Word(
        "Converged",
        "Come to rest: another round would change nothing worth mentioning, by no more than the tolerance.",
        ("converged", "converges", "converge"),
    ),
    "damping": Word(
        "Damping",
        "How much of the old message is kept when a new one is sent. Messages that swing to and fro come to rest with "
        "some of it; it takes more iterations.",
        ("damping",),
    ),
    "clamped": Word(
        "Clamped",
        "Held fast: the pixels that are known keep their value, and only the others are drawn anew in each Gibbs step. "
        "So the model fills gaps in ways that fit what is there.",
        ("clamped Gibbs", "clamped"),
    ),
    "changed": Word(
        "Changed and All",
        "Two ways to count wrong pixels after restoring. All: of all pixels. Changed: only of those that the damage "
        "had changed, which tells how much of it was repaired.",
        ("Changed error", "All error"),
    ),
    # -- fully visible --------------------------------------------------------------------------------
    "sweep": Word(
        "Sweep",
        "Once over all parameters, each moved in its turn.",
        ("sweep", "sweeps"),
    ),
    "bslm": Word(
        "BSLM",
        "Block successive lower-bound maximisation: under the curve to climb lies a simpler one that touches it. Go to "
        "its top, and the true curve cannot have fallen. Again and again, that leads to the summit.",
        ("BSLM",),
    ),
    "gradient-ascent": Word(
        "Gradient ascent (GA)",
        "Walking uphill: each step goes where the curve rises fastest, as far as the step size says.",
        ("gradient ascent", "GA"),
    ),
    "l-bfgs": Word(
        "L-BFGS",
        "A standard way to find the top of a smooth hill: it remembers the last steps to guess how the slope bends, "
        "and so takes far fewer steps than walking straight uphill.",
        ("L-BFGS",),
    ),
    # -- infinite -------------------------------------------------------------------------------------
    "frank-wolfe": Word(
        "Frank-Wolfe",
        "A way to build a model from pieces: find the one piece (here a hidden unit) that would help most, add it, and "
        "search again. Nothing else has to be decided in advance.",
        ("Frank-Wolfe", "FW"),
    ),
    "norm-ball": Word(
        "Ball of weights",
        "A limit on how large the weights of one unit may be together: their squares add up to C at most. It keeps a "
        "unit from shouting down all others.",
        ("ball of weights", "norm ball"),
    ),
    "penalty": Word(
        "Penalty (λ)",
        "A price on large weights: what is added to the model must help more than it costs. Without a price weights "
        "may grow until they explode.",
        ("penalty", "L1 penalty", "lambda"),
    ),
    "correction": Word(
        "Corrected counts",
        "After a unit is inserted, how often it and all others count is worked out anew, so that the step is never too "
        "large. Without it each unit counts once, whether that is too much or not.",
        ("corrected counts", "counts that are corrected", "correction", "corrections"),
    ),
    "alpha": Word(
        "Alpha (α)",
        "The counts of all units added up: how many hidden units there are in effect. If every unit counts once, it is "
        "their number.",
        ("alpha",),
    ),
    "ghost": Word(
        "Ghost",
        "A unit whose count fell to 0 and that has left the model. Its place in the gallery stays, pale and struck "
        "out.",
        ("ghost", "ghosts"),
    ),
    "inner-objective": Word(
        "Inner objective",
        "What the search for a new unit makes as small as it can. Below 0 the unit answers the data more than it "
        "answers what the model itself dreams up, so that a little of it makes the data more probable.",
        ("inner objective",),
    ),
    "duality-gap": Word(
        "Duality gap",
        "Here an estimate, often too small: how much could at most still be gained, which bounds how far the model is "
        "from the best one. The bound itself needs the best unit there is, and a search from few starts may miss it.",
        ("duality gap",),
    ),
    "sandwich": Word(
        "Sandwich estimator",
        "A way to work out standard errors that stays right where the curve that was climbed is not the likelihood "
        "itself: how much the slopes vary from row to row stands between two slices of how sharply the summit is bent.",
        ("sandwich estimator",),
    ),
    "interval": Word(
        "Interval (95 %)",
        "A range worked out from the data so that it covers the true value 95 times in 100, where there are many. If "
        "it leaves out 0, chance alone would seldom have made so much. Rows without a best model have no interval.",
        ("95 % interval", "95 % intervals", "confidence interval", "confidence intervals"),
    ),
    "state": Word(
        "State",
        "One value for every column (or pixel) at once: a whole possible row. d columns of two values have 2 to the "
        "power of d states.",
        ("states", "every state"),
    ),
    # -- log-linear -----------------------------------------------------------------------------------
    "term": Word(
        "Term",
        "One rule of a log-linear model: when certain columns have certain values together, the row becomes more, or "
        "less, probable by a factor.",
        ("term", "terms"),
    ),
    "order": Word(
        "Order of a term",
        "How many columns it is about: 1 for one on its own, 2 for a pair, 3 for what only three together show.",
        ("order of a term", "orders of the terms"),
    ),
    "bayesian-network": Word(
        "Bayesian network",
        "Arrows between things say which depend on which: each takes its value by chance, with odds that depend on the "
        "things its arrows come from.",
        ("Bayesian network",),
    ),
    "spin": Word(
        "Spins",
        "Things that point up or down, as tiny magnets do. Coupled, neighbours on a grid like to point the same way.",
        ("spins", "coupled spins"),
    ),
    "evidence": Word(
        "Evidence",
        "What is given: the values that were chosen for some columns, on which the answer about all others depends.",
        ("evidence",),
    ),
    "description-length": Word(
        "Description length (MDL)",
        "How many nats it takes to write down the data with the model's help, and the model itself. A rule is worth "
        "having if it shortens the first by more than it lengthens the second: minimum description length.",
        ("description length", "description", "MDL"),
    ),
    "kl": Word(
        "KL divergence",
        "How much longer data get when written with a wrong model instead of the right one, in nats per example. 0 "
        "where both agree; never negative.",
        ("KL divergence", "KL"),
    ),
    "threshold": Word(
        "Threshold",
        "A limit that decides: a search ends once no step gains more than it; of a grey pixel, above it counts as "
        "white, below as black.",
        ("threshold",),
    ),
    # -- keeping --------------------------------------------------------------------------------------
    "trace": Word(
        "Trace",
        "All that was measured while a training ran, a line for each measurement, as a table for a spreadsheet (CSV).",
        ("trace",),
    ),
    "digest": Word(
        "Digest",
        "A short name that is worked out from a file's content: on any machine the same content gives the same "
        "digest, and other content gives another.",
        ("digest",),
    ),
    "seed": Word(
        "Seed",
        "The number that all chance of a training follows from. The same seed gives the same training to the last "
        "digit; another one, another run of luck.",
        ("seed",),
    ),
}

_OF_FORM = {form: key for key, word in WORDS.items() for form in word.forms}


def _pattern(form: str) -> str:
    """A form as a regular expression, for Python and for a browser; a small first letter may be a capital."""
    first, rest = form[0], re.escape(form[1:]).replace("\\ ", " ").replace("\\-", "-")
    return (f"[{first}{first.upper()}]" if first.islower() and len(form) > 1 else re.escape(first)) + rest


@cache
def pattern() -> str:
    """A regular expression of every form, the longest first, where it stands as a word of its own."""
    forms = sorted(_OF_FORM, key=len, reverse=True)
    return rf"(?<![\w'#/.-])(?:{'|'.join(map(_pattern, forms))})(?![\w']|-[A-Za-z])"


def key_of(found: str) -> str:
    """The key of a form as it stands in a text."""
    return _OF_FORM[found if found in _OF_FORM else found[0].lower() + found[1:]]


def marked(text: str) -> str:
    """A Markdown text of ours in which each term, where it stands first, is a link to its explanation."""
    told: set[str] = set()

    def link(found: re.Match[str]) -> str:
        key = key_of(found[0])
        if key in told:
            return found[0]
        told.add(key)
        return f"[{found[0]}](#word-{key})"

    return re.sub(pattern(), link, text)


def as_plain() -> dict[str, Any]:
    """What a browser needs of it: the regular expression, the key of each form, and each explanation."""
    return {
        "pattern": pattern(),
        "forms": _OF_FORM,
        "words": {key: [word.title, word.text] for key, word in WORDS.items()},
    }
