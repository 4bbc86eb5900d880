"""Terms of learning, of learners of RBMs and of fully visible machines, and of stored trainings."""

from pages.common.terms.term import Term

TERMS: dict[str, Term] = {
    "update": Term(
        "Update",
        "One step of learning; most learners change all weights a little.",
        ("update", "updates"),
    ),
    "epoch": Term(
        "Epoch",
        "One pass through all training examples, in as many updates as there are batches.",
        ("epoch", "epochs"),
    ),
    "batch": Term(
        "Batch",
        "The examples that one update uses. A small batch is quick and noisy, a large one slow and steady; a full "
        "batch is all of them.",
        ("batch", "batches", "mini-batch", "full batch"),
    ),
    "row": Term(
        "Row",
        "One example to learn from: an image, or a row of a table. Each has a number for every visible unit.",
        ("the row",),
    ),
    "offset": Term(
        "Offset",
        "A running mean of how often a unit is on. Centred learning subtracts it before units are multiplied, so that "
        "only what is unusual moves a weight.",
        ("offset", "offsets"),
    ),
    "dream": Term(
        "Model sample",
        "A state that the model generates: where its chain ends. Learning makes the data more probable and such "
        "samples less so, until both look the same.",
        ("model sample", "model samples"),
    ),
    "rate": Term(
        "Learning rate",
        "How far an update moves along the gradient. If it is too small, learning is very slow; if it is too large, "
        "learning overshoots and may diverge.",
        ("learning rate",),
    ),
    "gradient": Term(
        "Gradient",
        "The direction in which the parameters must change for the likelihood to rise fastest: for each parameter, a "
        "mean over the data minus the same mean over the model. For large models it can only be estimated.",
        ("gradient", "gradients", "terms of the gradient"),
    ),
    "diverged": Term(
        "Diverged",
        "Learning has failed: weights grow without end, or the model is worse than the base rate or far below its "
        "best. Usually the rate is too high or the batch too small.",
        ("diverged",),
    ),
    "gibbs-step": Term(
        "Gibbs step",
        "Units are redrawn at random, given the others: in an RBM all hidden ones given the visible ones, then all "
        "visible ones given the hidden ones. Many such steps turn any image into a sample of the model.",
        ("Gibbs step", "Gibbs steps", "Gibbs transition", "Gibbs transitions"),
    ),
    "gibbs-sampling": Term(
        "Gibbs sampling",
        "Redraw one unit at random, given the others; then the next, and so on. In the long run each state comes as "
        "often as its probability says, and the sum over all states, Z, is never needed.",
        ("Gibbs sampling",),
    ),
    "chain": Term(
        "Chain",
        "A state, such as an image, that is changed by one Gibbs step after another: each depends only on the one "
        "before. After enough steps it is a sample of the model, wherever it started.",
        ("chain", "chains", "Gibbs chains"),
    ),
    "fantasy-particle": Term(
        "Fantasy particle",
        "An image that the model generates: the state of a chain that continues while the model learns. The better the "
        "model, the more it looks like the data.",
        ("fantasy particle", "fantasy particles"),
    ),
    "receptive-field": Term(
        "Receptive field",
        "What one hidden unit looks for, drawn as an image: its weights to all pixels. Blue pixels switch the unit on, "
        "red ones switch it off.",
        ("receptive field", "receptive fields"),
    ),
    "cd": Term(
        "Contrastive divergence (CD)",
        "Learning by comparison: take real images, let the model change them for K Gibbs steps, then make the real "
        "ones more probable and the results less so. Quick, but a little biased, because K steps are too few.",
        ("contrastive divergence", "CD", "CD-K"),
    ),
    "cd-percloss": Term(
        "CD-PercLoss",
        "Learning from mistakes: a chain that starts from the damaged image alone looks for an image that the model "
        "finds more probable than the right one. If it finds one, the right one is made more probable and that one "
        "less; otherwise nothing changes.",
        ("CD-PercLoss",),
    ),
    "pcd": Term(
        "Persistent contrastive divergence (PCD)",
        "Contrastive divergence whose chains do not restart at the data: they continue from update to update, and so "
        "get closer to samples of the model.",
        ("persistent contrastive divergence", "PCD", "PCD-K"),
    ),
    "maximum-likelihood": Term(
        "Learning by inference (MLE-BP, MLE-MF)",
        "Learning that makes the right answers as probable as it can. This needs what the model currently expects, "
        "which belief propagation (BP) or mean field (MF) computes.",
        ("MLE-BP", "MLE-MF"),
    ),
    "centred-gradient": Term(
        "Centred gradient (CG)",
        "Contrastive divergence that subtracts from each unit its mean before anything is compared, so that learning "
        "does not depend on whether on is written as 1 or as 0.",
        ("centred gradient", "CG"),
    ),
    "s-dcp": Term(
        "S-DCP",
        "A learner that computes the pull of the data once and uses it for d small steps, with K' Gibbs steps before "
        "each: about as much work as CD with K = d K', and often faster. The letters stand for stochastic difference "
        "of convex functions programming. CS-DCP does so with centred units.",
        ("S-DCP", "CS-DCP", "DC programming"),
    ),
    "K": Term(
        "K",
        "The number of Gibbs steps that a chain takes before an update uses it. With more steps its state is closer to "
        "a sample of the model, but an update costs more.",
        ("K",),
    ),
    "d": Term(
        "d",
        "The number of small steps that S-DCP makes within one update. The cost is close to that of CD if d K' = K.",
        ("d",),
    ),
    "K-prime": Term(
        "K'",
        "The number of Gibbs steps that S-DCP takes before each of its d small steps: d times K' per update.",
        ("K'",),
    ),
    "spectral-descent": Term(
        "Spectral descent (SSD)",
        "The gradient of the weights is decomposed into singular vectors, and an update goes equally far along each, "
        "not mostly along the steepest. It needs large batches: with small ones it amplifies the noise.",
        ("stochastic spectral descent", "spectral descent", "SSD"),
    ),
    "patience": Term(
        "Patience",
        "The number of measurements in a row without improvement after which the training stops.",
        ("patience",),
    ),
    "binarise": Term(
        "Binarise",
        "To turn grey pixels black or white, because units of these models are only on or off.",
        ("binarise", "binarised"),
    ),
    "sweep": Term(
        "Sweep",
        "One pass over all parameters, one after the other.",
        ("sweep", "sweeps"),
    ),
    "bslm": Term(
        "BSLM",
        "Block successive lower-bound maximisation: below the curve lies a simpler one that touches it at the current "
        "point. Moving to its top cannot lower the curve. Repeated, this leads to the summit.",
        ("BSLM",),
    ),
    "gradient-ascent": Term(
        "Gradient ascent (GA)",
        "Walking uphill by a set step size along the slope; for fully visible machines one parameter after the other.",
        ("gradient ascent", "GA"),
    ),
    "l-bfgs": Term(
        "L-BFGS",
        "A standard method to find the top of a smooth hill: it uses the last steps to estimate the curvature, and so "
        "needs far fewer steps than gradient ascent.",
        ("L-BFGS",),
    ),
    "trace": Term(
        "Trace",
        "All measurements of a training, one per line, as a table for a spreadsheet (CSV).",
        ("trace",),
    ),
    "digest": Term(
        "Digest",
        "A short name computed from a file's content: the same content gives the same digest on any machine, and "
        "different content a different one.",
        ("digest",),
    ),
    "seed": Term(
        "Seed",
        "The number that determines all random draws of a training. The same seed gives the same training to the last "
        "digit; another seed gives another one.",
        ("seed",),
    ),
}
