"""`python -m tests.former` writes names and links as this commit has them: what later commits must still understand."""

import json

from tests.former.frozen import frozen, links
from tests.former.stored import LINKS, NAMES

NAMES.write_text(json.dumps(frozen(), indent=1) + "\n", encoding="utf-8")
LINKS.write_text(json.dumps(links(), indent=1) + "\n", encoding="utf-8")
