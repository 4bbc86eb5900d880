"""`python -m tests.golden` lists what gives other numbers than those of golden.json; with --write it replaces them, but
only where the numerics of something that they follow from was raised. A case that is itself changed gets another name.

--processors has all emulated processors give the numbers, and notes the kernels that they were checked with: until one
of these changes the tests check one processor alone.
"""

import json
import sys

from tests.golden.processors import PROCESSORS, digits_on, missing_features
from tests.golden.stored import CHECKED, FILE, find_changed, find_unraised, load, made, stamp


def main(arguments: list[str]) -> int:
    if arguments == ["--json"]:
        print(json.dumps(made()))
        return 0
    if arguments == ["--processors"]:
        return _check_processors()
    if arguments not in ([], ["--write"]):
        print("python -m tests.golden [--write | --json | --processors]", file=sys.stderr)
        return 2
    golden, found = load(), made()
    others = find_changed(golden, found)
    print("\n".join(others) or "Nothing changed.")
    if not arguments:
        return 1 if others else 0
    if refused := find_unraised(golden, found):
        print(f"Raise the numerics of what has changed the numbers of: {', '.join(refused)}.", file=sys.stderr)
        return 1
    kept = {name: values for name, values in golden["figures"].items() if name not in others}
    content = {**found, "figures": found["figures"] | kept}  # last digits are of the machine that made them first
    FILE.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    return 0


def _check_processors() -> int:
    golden, wrong = load(), False
    for name in PROCESSORS:
        if missing := missing_features(name):
            print(f"{name}: this processor cannot run code for it, it lacks {', '.join(missing)}", file=sys.stderr)
            return 1
        other = find_changed(golden, digits_on(name))
        print(f"{name}: {', '.join(other) or 'the golden digits'}", flush=True)
        wrong = wrong or bool(other)
    if not wrong:
        CHECKED.write_text(stamp() + "\n", encoding="utf-8")
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
