"""Presets of machines that dream up and restore images."""

from dataclasses import replace

from boltzcore.data.clusters import Clusters
from boltzcore.data.corruption import Corruption
from boltzcore.data.mnist import MNIST
from boltzcore.data.patterns import BarsAndStripes
from boltzcore.inference import Annealing
from boltzcore.learners import CD, PCD, SDCP, SSD, BeliefPropagationMLE
from boltzcore.models import CRBMSetup, RBMSetup
from boltzcore.registry import MODELS
from boltzcore.runs.presets.preset import Preset
from boltzcore.runs.recipe import Recipe
from boltzcore.runs.schedule import Schedule

# At records in full, which are few, it is told whether the chains are where the model is.
WITH_LIGHT = (*MODELS["rbm"].measures, "equilibrium_gap")

_HANDWRITING = Recipe(
    model=RBMSetup(hidden=200),
    data="mnist-small",
    learner=PCD(rate=0.02, batch_size=300),
    schedule=Schedule(length=200, every=100, between=20),
    annealing=Annealing(temperatures=3000, tolerance=0.05),
)
_REAL_DIGITS = Recipe(
    model=RBMSetup(hidden=20),
    data="digits",
    learner=PCD(rate=0.02, K=5),
    schedule=Schedule(length=1000, every=2),
)
_TOO_FAST = Recipe(model=RBMSetup(hidden=20), data="digits", learner=PCD(rate=0.5), schedule=Schedule(length=60))


PRESETS: dict[str, Preset] = {
    "handwriting": Preset(
        "begin",
        "Can it dream up handwriting?",
        "Out of noise come strokes, and within seconds handwritten digits that nobody has written. A curve tells how "
        "well the machine knows digits that it has never seen.",
        "Watch the fantasy particles, what the model dreams up: grey blurs at first, within seconds digits that nobody "
        "has written. Each update makes real digits more probable and the model's dreams less, so the curve rises: it "
        "estimates how probable digits are to the model that it has never seen. A light tells now and then whether the "
        "chains that it learns by are where the model is: here they lag behind.",
        replace(_HANDWRITING, measures=WITH_LIGHT),
    ),
    "real-digits": Preset(
        "dream",
        "How well does it know digits?",
        "Digits so small that how well the machine knows them can be computed exactly. The curve climbs for digits "
        "that it has never seen, too.",
        "Watch the test curve climb away from the base rate while strokes appear in the receptive fields and the "
        "fantasy particles turn into digits.",
        replace(_REAL_DIGITS, schedule=Schedule(length=1000, every=250, between=2), measures=WITH_LIGHT),
    ),
    "too-fast": Preset(
        "dream",
        "What if it learns too fast?",
        "Steps 25 times too large: the curve climbs, falls, and the training pauses itself and says why.",
        "A learning rate 25 times too high and a single Gibbs step: the curve climbs, then falls under the base "
        "rate, and the training pauses itself.",
        replace(_TOO_FAST, schedule=Schedule(length=60, every=5, between=1), measures=WITH_LIGHT),
    ),
    "bars-and-stripes": Preset(
        "dream",
        "Why does it get worse again?",
        "A tiny model goes through all its images 50,000 times in about a second. It gets better, then worse, because "
        "the way it learns is a little off.",
        "Four hidden units, 50,000 epochs in about a second, as in the paper: the curve peaks early, then falls as "
        "the weights grow, and never comes near the upper bound.",
        Recipe(
            model=RBMSetup(hidden=4),
            data="bars-and-stripes",
            learner=CD(rate=0.3, K=12, batch_size=0),
            schedule=Schedule(length=50_000, every=100),
        ),
    ),
    "every-state": Preset(
        "dream",
        "What does it think of every image?",
        "Nine pixels make 512 images, few enough to show all of them while 14 are learnt. Turn pixels on and off, and "
        "see what speaks for each image.",
        "Scroll down to Every state, the map of all 512 images: 14 of them, in frames, are bars or stripes. At first "
        "all are filled alike; then the frames fill, and what was between them fades. Pause, click a frame, flip one "
        "of its pixels: F rises, and the image is less probable. Press Downhill until it rests in a valley: mostly at "
        "a bar or a stripe.",
        Recipe(
            model=RBMSetup(hidden=8, sigma=0.1),
            data="bars-and-stripes",
            learner=CD(rate=0.3, K=12, batch_size=0),
            schedule=Schedule(length=4_000, every=20),
        ),
        pace=100.0,
    ),
    "plateau": Preset(
        "dream",
        "Which learns faster at the same price?",
        "Two ways to learn that cost the same: one leaves the flat stretch at the beginning thousands of rounds "
        "earlier. Draw both on one chart.",
        "After 5,000 epochs S-DCP has left the plateau, which is no better than the base rate. Pin the curve, "
        "choose CD (its K becomes d K' = 12, the same cost), and play: it sits on the plateau thousands of epochs "
        "longer.",
        Recipe(
            model=RBMSetup(hidden=4),
            data="shifting-bar",
            learner=SDCP(rate=0.3, d=3, K_prime=4, batch_size=0),
            schedule=Schedule(length=15_000, every=50),
        ),
    ),
    "spectral": Preset(
        "dream",
        "When do great strides pay?",
        "One way to learn is at the top within 100 steps if each of them looks at 500 images, and blows up if it "
        "looks at 20.",
        "With 500 images in a batch spectral descent is up within 100 updates. Pin the curve, set the batch size to "
        "20 under More settings, and play: steps of one size in all directions amplify the noise of small batches, "
        "and the training is halted as diverged. Or choose CD: it needs 2,000 updates.",
        Recipe(
            model=RBMSetup(hidden=20),
            data="digits",
            learner=SSD(rate=0.1, K=5, batch_size=500),
            schedule=Schedule(length=1000, unit="updates", every=20),
        ),
    ),
    "everything-looks-right": Preset(
        "dream",
        "Can everything look right and be wrong?",
        "Five kinds of images. The pictures it draws while it learns show each as often as they should; it has learnt "
        "only one kind or two at a time, and not always the same.",
        "Bars tell how frequent each of five clusters is: in the data, in the chains that PCD learns by, and "
        "(hatched) in the model itself, by enumeration. Chains and data soon agree, while the model swings from "
        "cluster to cluster, and the likelihood with it; the light says that the chains are not where the model "
        "is. Where the curve falls far the training pauses itself; Play goes on. Pin the curve, choose PTT, whose "
        "chains change places with samples of earlier models, and play: its model has all five, and the curve ends"
        " some nats higher.",
        Recipe(
            model=RBMSetup(hidden=12),
            data=Clusters(),
            learner=PCD(rate=0.02, batch_size=100),
            schedule=Schedule(length=4_000, unit="updates", every=500, between=100),
            measures=WITH_LIGHT,
        ),
        pace=400.0,
    ),
    "steep-stripes": Preset(
        "dream",
        "Who notices that it is getting worse?",
        "Thirty images of bars and stripes, and steps that are too large: the curve climbs, then falls for good, "
        "and a light says why.",
        "The curve climbs to about \N{MINUS SIGN}4 in 2,000 updates, then falls: the training pauses itself, and "
        "with Play it goes on to \N{MINUS SIGN}6 and below. The steps are too large for the chains to follow, and "
        "the light says so. Pin the curve, choose PTT and play: at the same rate its chains keep up, and it ends "
        "at \N{MINUS SIGN}3.6, all but at the upper bound.",
        Recipe(
            model=RBMSetup(hidden=12),
            data=BarsAndStripes(D=4),
            learner=PCD(rate=0.2, batch_size=0, chains_per_row=4),
            schedule=Schedule(length=4_000, unit="updates", every=500, between=50),
            measures=WITH_LIGHT,
        ),
        pace=400.0,
    ),
    "hidden-patch": Preset(
        "begin",
        "Can it fill in what is hidden?",
        "A quarter of each digit is covered. Watch the model learn to paint in what was there, and how many pixels "
        "it still gets wrong.",
        "A patch of 4 × 4 hides a quarter of each digit, which leaves 11 % of pixels wrong. Watch the error fall to "
        "half of that while the gaps fill in. Then pin the curve, choose logistic regression, which guesses each "
        "pixel on its own, and play: it stops a whole percent short.",
        Recipe(
            model=CRBMSetup(hidden=64),
            data="digits",
            learner=BeliefPropagationMLE(rate=0.2),
            schedule=Schedule(length=60),
            corruption=Corruption(kind="patch", size=4),
        ),
    ),
    "mnist-noise": Preset(
        "restore",
        "Which cleans up noise better?",
        "One pixel in ten is flipped. Belief propagation, the careful way, brings that down to one in fifty; a "
        "quicker way stays a little behind.",
        "One pixel in ten is flipped, and belief propagation brings that down to about 2 % (60,000 images are "
        "fetched once). Pin the curve, choose contrastive divergence and play: its epochs take a fifth of the time, "
        "but after each its error is a little higher.",
        Recipe(
            model=CRBMSetup(hidden=256),
            data=MNIST(rows=10_000, binarise="threshold", split="50000/10000/10000"),
            learner=BeliefPropagationMLE(),
            schedule=Schedule(length=6),
        ),
    ),
}
