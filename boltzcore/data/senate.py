"""Votes in the Australian Senate, the example of the R package for fully visible Boltzmann machines."""

from dataclasses import dataclass
from typing import ClassVar

from boltzcore import home
from boltzcore.data.examples import Dataset, Examples
from boltzcore.data.source import Source
from boltzcore.data.table import Table, leave_out_field
from boltzcore.data.table_files import read_table
from boltzcore.ticks import Tick

PARTIES = (
    "Govt: the government, the Liberal and National coalition; Opp: the opposition, Labor; AG: Australian Greens; NXT: "
    "Nick Xenophon Team; PHON: Pauline Hanson's One Nation; LDP: Liberal Democratic Party; JLN: Jacqui Lambie Network; "
    "DHJP: Derryn Hinch's Justice Party; Cull: Senator Rodney Culleton"
)
FILE = "senate/senate_imputed.csv"


@dataclass(frozen=True)
class Senate(Source):
    """147 divisions by 9 parties: yes or no; training and test rows are all of them."""

    name: ClassVar[str] = "senate"
    title: ClassVar[str] = "Senate votes"
    about: ClassVar[str] = (
        "147 divisions of the Australian Senate in 2016, one per row, by 9 parties or independents: yes or no, "
        f"54 gaps filled from the nearest neighbour. {PARTIES}. Govt is left out by default: the other columns are "
        "relative to it. From the R package BoltzMM (GPL-3), J. J. Bagnall and others (2020); the votes are public "
        "record of the Parliament of Australia."
    )
    leave_out: str = leave_out_field("Govt")

    def at_hand(self) -> bool:
        return (home.ASSETS / FILE).is_file()

    def options(self, field: str) -> tuple[str, ...]:
        return self._table().columns if field == "leave_out" and self.at_hand() else ()

    def _load(self, tick: Tick) -> Dataset:
        table = self._table().without(self.leave_out)
        rows = Examples(table.codes, levels=table.levels)
        return Dataset(rows, None, rows, names=table.names)

    def _table(self) -> Table:
        return read_table(home.asset(FILE).read_bytes())
