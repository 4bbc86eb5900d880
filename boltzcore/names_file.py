"""The names in a file, which are counted before any of them becomes an object."""

from boltzcore import names
from boltzcore.arrays import Source, read_arrays
from boltzcore.names import Names

MOST_NAMES = 2**19  # of columns, and of their categories: 4,096 columns have fewer; each takes a hundred bytes


def names_in(file: Source) -> Names | None:
    """The names that an .npz file has for its columns; None where it has none, none that agree, or more than a table
    here may have.

    >>> import io
    >>> from boltzcore.data import load
    >>> from boltzcore.models import FVBMSetup, names_in
    >>> votes, file = load("senate"), io.BytesIO()
    >>> FVBMSetup().initial(votes.train, seed=0).save(file, names=votes.names)
    >>> names_in(file).columns[:3]
    ('Opp', 'AG', 'NXT')
    """
    try:
        found = read_arrays(file, {"column_names": ("U", 1), "category_names": ("U", 1)})
    except (ValueError, MemoryError):  # texts without a letter take no bytes in a file, which may claim any number
        return None
    return names.names_in(file) if max(map(len, found.values())) <= MOST_NAMES else None
