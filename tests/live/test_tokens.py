"""What is kept under names: the same once, by who was told its name, and no more than there is room for."""

from pages.web.tokens import TokenCache


def test_the_same_is_kept_once_and_what_nobody_asks_for_goes_first():
    shelf = TokenCache(2)
    first, second = shelf.put(("a", 1), "first"), shelf.put(("a", 2), "second")
    assert shelf.put(("a", 1), "again") == first != second
    assert shelf.get(first) == "first"
    third = shelf.put("b", "third")
    assert [shelf.get(name) for name in (first, second, third, "", "x" * 5000)] == ["first", None, "third", None, None]
