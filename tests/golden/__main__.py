"""`python -m tests.golden` lists the digests that are not those of golden.json; with --write it remakes that file.

--processors has all emulated processors give the digests, and notes the kernels that they were checked with: until one
of these changes the tests check one processor alone.
"""

import json
import sys
from typing import Any

from tests.golden.cases import CASES, digest, measured
from tests.golden.processors import PROCESSORS, digits_on, lacking
from tests.golden.stored import CHECKED, FILE, load, stamp

USAGE = "python -m tests.golden [--write | --json | --processors]"


def main(arguments: list[str]) -> int:
    if arguments == ["--json"]:
        print(json.dumps(_here()))
        return 0
    if arguments == ["--processors"]:
        return _check_processors()
    if arguments not in ([], ["--write"]):
        print(USAGE, file=sys.stderr)
        return 2
    was, found = load(), _here()
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


def _here() -> dict[str, dict[str, Any]]:
    return {"digests": {name: digest(case()) for name, case in CASES.items()}, "measured": measured()}


def _check_processors() -> int:
    golden, wrong = load()["digests"], False
    for name in PROCESSORS:
        if missing := lacking(name):
            print(f"{name}: this processor cannot run code for it, it lacks {', '.join(missing)}", file=sys.stderr)
            return 1
        found = digits_on(name)["digests"]
        other = [case for case in golden if found.get(case) != golden[case]]
        print(f"{name}: {', '.join(other) or 'the golden digits'}", flush=True)
        wrong = wrong or bool(other)
    if not wrong:
        CHECKED.write_text(stamp() + "\n", encoding="utf-8")
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
