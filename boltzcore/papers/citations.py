"""The papers that the project builds, those that its learners are from, and the project itself, as one cites them."""

from dataclasses import dataclass

from boltzcore import __version__


@dataclass(frozen=True)
class Work:
    """A published work.

    key : by which BibTeX knows it; kind : its type of entry there
    venue : (field of BibTeX, where it appeared); year : None where the copy that we follow tells none
    """

    key: str
    kind: str
    authors: tuple[str, ...]
    title: str
    venue: tuple[str, str] | None = None
    year: int | None = None
    more: tuple[tuple[str, str], ...] = ()

    @property
    def sentence(self) -> str:
        """Authors, title, place and year."""
        *first, last = self.authors
        names = (f"{', '.join(first)} and {last}" if first else last).strip("{}")
        where = [self.venue[1]] if self.venue else []
        when = [str(self.year)] if self.year else []
        return ". ".join(filter(None, (f"{names}: {self.title}", ", ".join([*where, *when])))) + "."

    @property
    def bibtex(self) -> str:
        """The entry of a BibTeX file."""
        fields = [("author", " and ".join(self.authors)), ("title", f"{{{self.title}}}")]
        fields += [self.venue] if self.venue else []
        fields += [("year", str(self.year))] if self.year else []
        lines = ",\n".join(f"  {name} = {{{text}}}" for name, text in (*fields, *self.more))
        return f"@{self.kind}{{{self.key},\n{lines}\n}}"


PROJECT = Work(
    "boltzmannlab",
    "software",
    ("{The Boltzmann Lab authors}",),
    "Boltzmann Lab: a laboratory for Boltzmann machines in the browser",
    year=2026,
    more=(("version", __version__),),
)
ICML = "International Conference on Machine Learning (ICML)"
PAPERS = (
    Work(
        "nguyen2016block",
        "article",
        ("Hien D. Nguyen", "Ian A. Wood"),
        "A Block Successive Lower-Bound Maximization Algorithm for the Maximum Pseudo-Likelihood Estimation of Fully "
        "Visible Boltzmann Machines",
        ("journal", "Neural Computation"),
        2016,
        (("doi", "10.1162/NECO_a_00813"),),
    ),
    Work(
        "upadhya2017learning",
        "inproceedings",
        ("Vidyadhar Upadhya", "P. S. Sastry"),
        "Learning RBM with a DC Programming Approach",
        ("booktitle", "Asian Conference on Machine Learning (ACML)"),
        2017,
    ),
    Work(
        "ping2016learning",
        "inproceedings",
        ("Wei Ping", "Qiang Liu", "Alexander Ihler"),
        "Learning Infinite RBMs with Frank-Wolfe",
        ("booktitle", "Advances in Neural Information Processing Systems (NIPS)"),
        2016,
        (("pages", "3063--3071"),),
    ),
    Work(
        "takabatake-full-span",
        "unpublished",
        ("Kazuya Takabatake", "Shotaro Akaho"),
        "Full-Span Log-Linear Model and Fast Learning Algorithm",
    ),
    Work(
        "ping-belief-propagation",
        "unpublished",
        ("Wei Ping", "Alexander Ihler"),
        "Belief Propagation in Conditional RBMs for Structured Prediction",
    ),
)
SOURCES = (  # of single learners
    Work(
        "hinton2002training",
        "article",
        ("Geoffrey E. Hinton",),
        "Training Products of Experts by Minimizing Contrastive Divergence",
        ("journal", "Neural Computation"),
        2002,
    ),
    Work(
        "hyvarinen2006consistency",
        "article",
        ("Aapo Hyvarinen",),
        "Consistency of Pseudolikelihood Estimation of Fully Visible Boltzmann Machines",
        ("journal", "Neural Computation"),
        2006,
    ),
    Work(
        "tieleman2008training",
        "inproceedings",
        ("Tijmen Tieleman",),
        "Training Restricted Boltzmann Machines using Approximations to the Likelihood Gradient",
        ("booktitle", ICML),
        2008,
    ),
    Work(
        "yu2009learning",
        "inproceedings",
        ("Chun-Nam John Yu", "Thorsten Joachims"),
        "Learning Structural SVMs with Latent Variables",
        ("booktitle", ICML),
        2009,
    ),
    Work(
        "mnih2011conditional",
        "inproceedings",
        ("Volodymyr Mnih", "Hugo Larochelle", "Geoffrey E. Hinton"),
        "Conditional Restricted Boltzmann Machines for Structured Output Prediction",
        ("booktitle", "Uncertainty in Artificial Intelligence (UAI)"),
        2011,
    ),
    Work(
        "ping2014marginal",
        "inproceedings",
        ("Wei Ping", "Qiang Liu", "Alexander Ihler"),
        "Marginal Structured SVM with Hidden Variables",
        ("booktitle", ICML),
        2014,
    ),
    Work(
        "carlson2015stochastic",
        "inproceedings",
        ("David Carlson", "Volkan Cevher", "Lawrence Carin"),
        "Stochastic Spectral Descent for Restricted Boltzmann Machines",
        ("booktitle", "Artificial Intelligence and Statistics (AISTATS)"),
        2015,
    ),
    Work(
        "melchior2016how",
        "article",
        ("Jan Melchior", "Asja Fischer", "Laurenz Wiskott"),
        "How to Center Deep Boltzmann Machines",
        ("journal", "Journal of Machine Learning Research"),
        2016,
    ),
    Work(
        "desjardins2010tempered",
        "inproceedings",
        ("Guillaume Desjardins", "Aaron Courville", "Yoshua Bengio", "Pascal Vincent", "Olivier Delalleau"),
        "Tempered Markov Chain Monte Carlo for Training of Restricted Boltzmann Machines",
        ("booktitle", "Artificial Intelligence and Statistics (AISTATS)"),
        2010,
    ),
    Work(
        "bereux2024fast",
        "article",
        ("Nicolas Bereux", "Aurelien Decelle", "Cyril Furtlehner", "Lorenzo Rosset", "Beatriz Seoane"),
        "Fast Training and Sampling of Restricted Boltzmann Machines",
        ("journal", "arXiv:2405.15376"),
        2024,
    ),
)
