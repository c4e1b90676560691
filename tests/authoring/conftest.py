"""Proofs are kept in a folder of the tests, never in the user's."""

import pytest


@pytest.fixture(scope="package", autouse=True)
def proofs_of_their_own(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield
