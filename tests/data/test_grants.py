"""Rights to open an uploaded table."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from boltzcore.data import grants, own
from boltzcore.data.grants import children, end, find_grant, get_live, give, hash_of
from boltzcore.home import folder

ROWS = b"a,b\n0,1\n1,1\n"


@pytest.fixture(autouse=True)
def fresh(tmp_path, monkeypatch):
    monkeypatch.setenv("BOLTZCORE_HOME", str(tmp_path))


def test_equal_rows_share_a_file_and_no_secret():
    one, other = own.upload(ROWS), own.upload(ROWS)
    assert one.digest == other.digest
    first, second = give(one.digest), give(other.digest)
    assert first != second
    end(find_grant(first))
    assert find_grant(first) is None
    assert find_grant(second).digest == one.digest
    own.forget(one.digest)
    assert one.at_hand()  # its uploader may open it still
    end(find_grant(second))
    own.forget(one.digest)
    assert not one.at_hand()


def test_a_digest_and_what_is_kept_of_a_secret_open_nothing():
    table = own.upload(ROWS)
    secret = give(table.digest)
    for other in (table.digest, hash_of(secret), "", "../carried-over", "a" * 10_000, "\udcff"):
        assert find_grant(other) is None
    kept = b"".join(place.read_bytes() for place in folder("uploads", "grants").iterdir())
    assert secret.encode() not in kept


def test_what_is_given_away_is_withdrawn_alone_or_with_what_it_comes_from():
    digest = own.upload(ROWS).digest
    uploader = find_grant(give(digest))
    links = [give(digest, uploader) for _ in range(3)]
    assert {each.key for each in children(uploader)} == set(map(hash_of, links))
    with pytest.raises(ValueError, match="owner"):
        give(digest, find_grant(links[0]))
    end(find_grant(links[0]))
    assert [find_grant(link) is None for link in links] == [True, False, False]
    assert get_live(uploader.key)
    end(uploader)
    assert not any(map(find_grant, links))
    uploader = find_grant(give(digest))
    link = give(digest, uploader)
    (folder("uploads", "grants") / f"{uploader.key}.json").unlink()  # as a crash in the midst of it leaves them
    assert find_grant(link) is None
    with pytest.raises(ValueError, match="owner"):
        give(digest, uploader)


@pytest.mark.parametrize(
    "damage",
    [b"", b"[]", b'{"digest": 3}', *(b'{"digest": "x", "parent": "", "created": 1%s}' % n for n in (b"", b"0" * 400))],
)
def test_a_damaged_file_opens_nothing(damage):
    secret = give(own.upload(ROWS).digest)
    (folder("uploads", "grants") / f"{hash_of(secret)}.json").write_bytes(damage)
    assert find_grant(secret) is None
    assert grants.digests() == set()


def test_many_may_give_at_once():
    digest = own.upload(ROWS).digest
    with ThreadPoolExecutor(16) as pool:
        secrets = list(pool.map(lambda _: give(digest), range(16)))
    assert len(set(secrets)) == 16
    assert all(find_grant(secret).digest == digest for secret in secrets)
