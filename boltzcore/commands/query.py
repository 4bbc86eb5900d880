"""Queries to a log-linear or a Potts model, given values of some variables: `query`."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from boltzcore.arrays import file_name
from boltzcore.commands.outputs import check_outputs, write_text
from boltzcore.commands.shared import OUT, file_argument, json_option, print_json, working
from boltzcore.data.table_text import code_in, probabilities_csv
from boltzcore.inference.samples import law_of
from boltzcore.models import LogLinear, load, names_in
from boltzcore.models.state_probabilities import marginals_of, most_likely_of
from boltzcore.names import column_names, texts_of_values
from boltzcore.quoting import Refusal, cut, listed, quoted
from boltzcore.ticks import Tick, portion

_MOST_VALUES = 2**16  # the limit for a column of data
_SHOWN = 12  # largest number of a variable's values in a text
_WIDEST = 40  # largest number of characters of a name or a value there


@click.command()
@file_argument
@click.option(
    "--given",
    multiple=True,
    metavar="NAME=VALUE[,NAME=VALUE...]",
    help="Known values, as the table has them. May be repeated.",
)
@click.option(
    "--ask",
    multiple=True,
    metavar="NAME[,NAME...]",
    help="Variables to compute probabilities of; by default all others. May be repeated.",
)
@click.option(
    "--most-likely",
    "count",
    default=0,
    type=click.IntRange(0, 1_000),
    metavar="K",
    help="Also list the K most likely states given the known values.",
)
@click.option("--out", type=OUT, help="CSV file for the probabilities, with what is given.")
@json_option
def query(
    file: Path, given: tuple[str, ...], ask: tuple[str, ...], count: int, out: Path | None, as_json: bool
) -> None:
    """Query the log-linear or Potts model in FILE (.npz): exact probabilities of each value of the variables, given
    others. A Potts model must have at most 2^26 states and 10,000 terms.

    Variables go by the names in the file, or as x1, x2 and so on. Values go by their texts, in any case if one value
    fits, and numbers by value, 2.0 for 2, or by their bin; by codes from 0 on only if the file has no texts. A name or
    a text that holds a comma needs a --given or --ask of its own.
    """
    check_outputs({"--out": out}, [file])
    if (model := law_of(loaded := load(file))) is None:
        kinds = "a log-linear model, or a Potts model with few enough states for exact sums"
        raise Refusal(f"{file_name(file)} must hold {kinds}, not a {type(loaded).__name__} with {loaded.size}.")
    variables = Variables.from_file(model, file)
    known = variables.evidence(given)
    asked = variables.asked(ask) or [i for i in range(model.n_visible) if i not in known]
    if both := [variables.names[i] for i in asked if i in known]:
        raise Refusal(f"--ask must name variables that are not given; {listed(both, '')} is both.")
    if not asked:
        raise Refusal("--given must leave a variable to ask for; it names all of them.")
    with working() as tick:
        found = answers(model, variables, known, asked, count, tick)
    lines = [(a["variable"], v["value"], v["probability"]) for a in found["answers"] for v in a["values"]]
    write_text(out, probabilities_csv([(g["variable"], g["value"]) for g in found["given"]], lines))
    if as_json:
        print_json(found)
    else:
        click.echo("\n".join(_lines(found)))


@dataclass(frozen=True)
class Variables:
    """Names of the variables of a model and of their values.

    names : of each variable
    values : of each, a text for each of its codes
    """

    names: tuple[str, ...]
    values: tuple[tuple[str, ...], ...]

    @classmethod
    def from_file(cls, model: LogLinear, file: Path) -> "Variables":
        """Return the names and values in the file, or x1, x2 and so on, and codes. Raises Refusal for too many."""
        names = names_in(file)
        if (most := int(model.cardinalities.max())) > _MOST_VALUES:
            raise Refusal(
                f"The variables of {file_name(file)} must have at most {_MOST_VALUES:,} values each to be listed, not "
                f"{most:,}."
            )
        values = tuple(texts_of_values(names, i, size) for i, size in enumerate(model.cardinalities.tolist()))
        return cls(column_names(names, model.n_visible), values)

    def evidence(self, texts: Iterable[str]) -> dict[int, int]:
        """Return {variable: code} of texts such as "A=1,B=no"; raise Refusal naming an unknown or repeated one."""
        known: dict[int, int] = {}
        for text in texts:
            parts = [text] if self._parse(text) else text.split(",")
            for part in parts:
                variable, code = self._parse(part) or self._refuse(part)
                if known.setdefault(variable, code) != code:
                    raise Refusal(f"--given must set {quoted(self.names[variable])} once, not twice.")
        return known

    def asked(self, texts: Iterable[str]) -> list[int]:
        """Return the variables of texts such as "C" or "C,D", each once; raise Refusal naming an unknown one."""
        found = []
        for text in texts:
            parts = [text] if self._find(text) is not None else text.split(",")
            found += [self.variable(part, "--ask") for part in parts]
        return list(dict.fromkeys(found))

    def variable(self, text: str, option: str) -> int:
        """Return the variable with this name; raise Refusal if there is none, or more than one."""
        found = self._find(text)
        if found is None:
            raise Refusal(f"{option} must name variables of the model ({listed(self.names, '')}), not {quoted(text)}.")
        return found

    def _find(self, text: str) -> int | None:
        text, labels = text.strip(), [f"x{i + 1}" for i in range(len(self.names))]
        places = [i for i, name in enumerate(self.names) if name.strip() == text]
        if len(places) > 1:
            others = listed((labels[i] for i in places), "")
            raise Refusal(f"{quoted(text)} is the name of {len(places)} variables: write {others}.")
        return places[0] if places else labels.index(text) if text in labels else None

    def _parse(self, text: str) -> tuple[int, int] | None:
        """Return (variable, code) of a text such as "B=no"; None for other texts."""
        for at in (i for i, character in enumerate(text) if character == "="):
            variable = self._find(text[:at])
            if variable is not None:
                code = code_in(text[at + 1 :], self.values[variable])
                if code is not None:
                    return variable, code
        return None

    def _refuse(self, part: str) -> tuple[int, int]:
        name, equals, value = part.partition("=")
        if not equals:
            example = f"{cut(self.names[0], _WIDEST)}={cut(self.values[0][0], _WIDEST)}"
            raise Refusal(f"--given must be NAME=VALUE, such as {example}, not {quoted(part)}.")
        texts = self.values[self.variable(name, "--given")]
        raise Refusal(f"{quoted(name.strip())} must be one of {listed(texts, '')}, not {quoted(value.strip())}.")


def answers(
    model: LogLinear, variables: Variables, known: dict[int, int], asked: Sequence[int], count: int, tick: Tick
) -> dict[str, Any]:
    """Return the probability of the evidence, those of each asked variable's values, and the most likely states."""
    rest = model.conditioned(known)
    p = rest.probabilities(tick=portion(tick, 0.0, 0.3))
    marginals = dict(zip(model.left(known), marginals_of(p, rest.layout), strict=False))
    chance = math.exp(model.log_probability_of(known, tick=portion(tick, 0.3, 0.7))) if known else 1.0
    found: dict[str, Any] = {
        "given": [{"variable": variables.names[i], "value": variables.values[i][code]} for i, code in known.items()],
        "probability_of_given": chance,
        "answers": [
            {
                "variable": variables.names[i],
                "values": [
                    {"value": text, "code": code, "probability": float(chance)}
                    for code, (text, chance) in enumerate(zip(variables.values[i], marginals[i], strict=True))
                ],
            }
            for i in asked
        ],
    }
    if count:
        found_left, chances = most_likely_of(p, rest.layout, count)
        states = model.with_evidence(found_left, known)
        found["most_likely"] = [
            {
                "state": [
                    {"variable": name, "value": texts[code]}
                    for name, texts, code in zip(variables.names, variables.values, state.tolist(), strict=True)
                ],
                "probability": float(chance),
            }
            for state, chance in zip(states, chances, strict=True)
        ]
    return found


def _lines(found: dict[str, Any]) -> list[str]:
    given = ", ".join(_assignment(each) for each in found["given"])
    lines = [f"Given {given}, which has a probability of {found['probability_of_given']:.4g}:"] if given else []
    width = max((len(cut(each["variable"], _WIDEST)) for each in found["answers"]), default=0)
    for each in found["answers"]:
        values = sorted(each["values"], key=lambda value: -value["probability"])
        shown = "   ".join(f"{cut(value['value'], _WIDEST)} {value['probability']:.4f}" for value in values[:_SHOWN])
        more = f"   and {len(values) - _SHOWN:,} more" if len(values) > _SHOWN else ""
        lines.append(f"  {cut(each['variable'], _WIDEST):<{width}}  {shown}{more}")
    if "most_likely" in found:
        lines.append("Most likely:")
        lines += [
            f"  {state['probability']:.4f}  {', '.join(_assignment(each) for each in state['state'])}"
            for state in found["most_likely"]
        ]
    return lines


def _assignment(each: dict[str, str]) -> str:
    return f"{cut(each['variable'], _WIDEST)} = {cut(each['value'], _WIDEST)}"
