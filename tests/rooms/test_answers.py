"""Drawings of the answers of a class."""

import re

from pages.rooms import answers


def test_an_answer_is_escaped_and_has_its_share():
    drawn = answers.drawn([{"<b>yes</b>": 3, "no": 1}])
    assert "&lt;b&gt;yes&lt;/b&gt;" in drawn
    assert "3 (75\xa0%)" in drawn
    widths = [float(width) for width in re.findall(r"width: ([\d.]+)%", drawn)]
    assert widths[0] == 3 * widths[1] > 0
    assert "4 answers" in drawn
    assert "before" not in drawn


def test_of_three_rounds_the_last_two_are_drawn_and_the_right_answer_alone_is_marked():
    drawn = answers.drawn([{"yes": 9, "no": 0}, {"yes": 3, "no": 2}, {"yes": 1, "no": 4}], right=1)
    assert "9 (100\xa0%)" not in drawn
    assert drawn.index("3 (60\xa0%)") < drawn.index("1 (20\xa0%)") < drawn.index("2 (40\xa0%)")
    assert drawn.count("Correct") == 1
    assert drawn.index("no") < drawn.index("Correct")
