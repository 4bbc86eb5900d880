"""Links for codes: whose computer they lead to."""

import pytest

from pages.parts.codes import only_here


@pytest.mark.parametrize(
    ("link", "here"),
    [
        ("http://localhost:8501/train?play=1", True),
        ("http://127.0.0.1", True),
        ("http://127.0.0.2/train", True),
        ("http://[::1]:8501/", True),
        ("http://192.168.1.20:8501/train", False),
        ("https://lab.school.example/train", False),
        ("?play=1", False),
        ("http://[bad", False),
        ("http://lab.example:99999", False),
        ("http://localhost:abc", True),
    ],
)
def test_a_link_that_leads_only_to_this_computer_is_told_from_others_however_odd(link, here):
    assert only_here(link) is here
