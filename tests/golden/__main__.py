"""`python -m tests.golden` tells which digests are not those of golden.json; with --write it remakes that file."""

import json
import sys

from tests.golden.cases import CASES, digest, measured
from tests.golden.stored import FILE, load


def main(arguments: list[str]) -> int:
    if arguments == ["--json"]:
        print(json.dumps({"digests": {name: digest(case()) for name, case in CASES.items()}, "measured": measured()}))
        return 0
    if arguments not in ([], ["--write"]):
        print("python -m tests.golden [--write | --json]", file=sys.stderr)
        return 2
    was = load()
    found = {"digests": {name: digest(case()) for name, case in CASES.items()}, "measured": measured()}
    changed = [
        f"{name}: {was[part].get(name, 'new')} -> {value}"
        for part in found
        for name, value in found[part].items()
        if was[part].get(name) != value
    ]
    gone = [f"{name}: gone" for part in found for name in was[part] if name not in found[part]]
    print("\n".join([*changed, *gone]) or "Nothing changed.")
    if arguments == ["--write"]:
        FILE.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
        return 0
    return 1 if changed or gone else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
