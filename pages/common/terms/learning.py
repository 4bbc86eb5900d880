"""Terms of learning, and of learners of RBMs."""

from pages.common.terms.term import Term

TERMS: dict[str, Term] = {
    "update": Term(
        "Update",
        "One step of learning: the weights are changed a little, once.",
        ("update", "updates"),
    ),
    "epoch": Term(
        "Epoch",
        "Once through all training examples, in as many updates as there are batches.",
        ("epoch", "epochs"),
    ),
    "batch": Term(
        "Batch",
        "The examples that one update looks at. A small batch is quick and noisy, a large one slow and steady; a full "
        "batch is all of them.",
        ("batch", "batches", "mini-batch", "full batch"),
    ),
    "row": Term(
        "Row",
        "One example to learn from: an image, or a line of a table. Each has a number for every visible unit.",
        ("the row",),
    ),
    "offset": Term(
        "Offset",
        "A running mean of how much a unit is on. Centred learning subtracts it "
        "before units are multiplied, so that only what is unusual moves a weight.",
        ("offset", "offsets"),
    ),
    "dream": Term(
        "Dream",
        "What the model comes up with by itself: where its chain ends. Learning makes the data more probable and such "
        "dreams less so, until both look the same.",
        ("the dream", "the dreams"),
    ),
    "rate": Term(
        "Learning rate",
        "How far an update goes in the direction that seems best. Too small, and learning takes forever; too large, "
        "and it overshoots and may blow up.",
        ("learning rate",),
    ),
    "gradient": Term(
        "Gradient",
        "The direction in which the parameters must change for the likelihood to rise fastest. For these models it can "
        "only be estimated: what the data show, less what the model itself would show.",
        ("gradient", "gradients", "terms of the gradient"),
    ),
    "diverged": Term(
        "Diverged",
        "Learning has blown up: weights grow without end, or the model is worse than the base rate or far below its "
        "best. Mostly the rate is too high or the batch too small.",
        ("diverged",),
    ),
    "gibbs-step": Term(
        "Gibbs step",
        "Units are drawn anew, by chance, looking at the others: of an RBM all hidden ones from the visible ones, then "
        "all visible ones from the hidden ones. Many such steps turn any image into one that the model itself would "
        "draw.",
        ("Gibbs step", "Gibbs steps", "Gibbs transition", "Gibbs transitions"),
    ),
    "gibbs-sampling": Term(
        "Gibbs sampling",
        "Draw one unit anew, by chance, looking at the others; then the next, and so on. In the long run each state "
        "comes as often as its probability says, and the sum over all states, Z, is never needed.",
        ("Gibbs sampling",),
    ),
    "chain": Term(
        "Chain",
        "A state, an image for example, that is changed by one Gibbs step after the other: each depends only on the "
        "one before. After enough of them it is a sample of the model, wherever it began.",
        ("chain", "chains", "Gibbs chains"),
    ),
    "fantasy-particle": Term(
        "Fantasy particle",
        "An image that the model dreams up: the state of a chain that goes on while it learns. The better the model, "
        "the more it looks like the data.",
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
        "Learning by comparing: take real images, let the model change them for K Gibbs steps, then make the real ones "
        "more probable and what they became less so. Quick, and a little off, because K steps are too few.",
        ("contrastive divergence", "CD", "CD-K"),
    ),
    "cd-percloss": Term(
        "CD-PercLoss",
        "Learning from mistakes: a chain that starts where the damaged image alone says looks for an image that the "
        "model finds more probable than the right one. If it finds one, the right one is made more probable and that "
        "one less; else nothing changes.",
        ("CD-PercLoss",),
    ),
    "pcd": Term(
        "Persistent contrastive divergence (PCD)",
        "Contrastive divergence whose chains are not started anew at the data: they go on from update to update, and "
        "so wander further into what the model dreams up.",
        ("persistent contrastive divergence", "PCD", "PCD-K"),
    ),
    "maximum-likelihood": Term(
        "Learning by inference (MLE-BP, MLE-MF)",
        "Learning that makes the right answers as probable as it can. For that one must know what the model expects "
        "now, and belief propagation (BP) or mean field (MF) works it out.",
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
        "A way to learn that works out the pull of the data once and uses it for d small steps, with K' Gibbs steps "
        "before each: as much work as CD with K = d K', and often further along. The letters stand for stochastic "
        "difference of convex functions programming. CS-DCP does so with centred units.",
        ("S-DCP", "CS-DCP", "DC programming"),
    ),
    "K": Term(
        "K",
        "How many Gibbs steps a chain takes before an update looks at it. More are nearer to what the model really "
        "draws, and cost more.",
        ("K",),
    ),
    "d": Term(
        "d",
        "How many small steps of the weights S-DCP makes within one update. Matched with CD in cost where d times K' "
        "is K.",
        ("d",),
    ),
    "K-prime": Term(
        "K'",
        "How many Gibbs steps S-DCP takes before each of its d small steps. One update takes d times K' in all.",
        ("K'",),
    ),
    "spectral-descent": Term(
        "Spectral descent (SSD)",
        "The gradient of the weights is taken apart into its own directions (singular vectors), and an update goes "
        "equally far along each, not mostly along the steepest. Large steps with large batches; what small ones "
        "show is mostly noise, which it amplifies, too.",
        ("stochastic spectral descent", "spectral descent", "SSD"),
    ),
    "patience": Term(
        "Patience",
        "How many measurements in a row may bring nothing better before the training stops by itself.",
        ("patience",),
    ),
    "binarise": Term(
        "Binarise",
        "To turn grey into black or white: these models know on and off only.",
        ("binarise", "binarised"),
    ),
}
