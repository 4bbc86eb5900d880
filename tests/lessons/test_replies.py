"""Answers of a lesson, as an address keeps them."""

import pytest

from pages.lessons.replies import Reply, read, write

OPTIONS = [(3, 4), (2, 2), (3, 3)]


@pytest.mark.parametrize(
    "replies",
    [
        [Reply(), Reply(), Reply()],
        [Reply(1, 3), Reply(0), Reply()],
        [Reply(), Reply(), Reply(2, 0)],
        [Reply(0, 0), Reply(1, 1), Reply(2, 2)],
    ],
)
def test_replies_come_back_from_the_address(replies):
    assert read(write(replies), OPTIONS) == replies
    assert bool(write(replies)) == any(each != Reply() for each in replies)  # the address stays empty until a reply


@pytest.mark.parametrize("text", ["", "zz", "e", "A", "aAA", "....", "a" * 10_000, "f.f.f", "\u0130", "<b>"])
def test_a_text_that_means_nothing_says_nothing(text):
    assert not any(each.done for each in read(text, OPTIONS))
    assert len(read(text, OPTIONS)) == len(OPTIONS)
    assert read("bA.A", OPTIONS) == [Reply(1, 0), Reply(), Reply()]  # an observation counts after a prediction alone
