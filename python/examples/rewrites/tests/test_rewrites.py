"""A rewrite that a pass makes up, and what the whole set must not do."""

import rankwright
from rankwright import testing


def test_fold_of_pad(rankwright_database):
    testing.assert_rewrite_proved("""
        rule no_padding { axes x; map n, z on x; tensor A[x: n] : any; scalar c : any;
          where z == 0; pad(A, c, low=z, high=z, interior=z) => A; }""", database=rankwright_database)


def test_no_two_rules_are_the_same():
    assert not rankwright.lint("rewrites").of_kind("same")
