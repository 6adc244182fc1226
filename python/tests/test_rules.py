# SPDX-License-Identifier: Apache-2.0
import pickle

import numpy
import pytest

import rankwright
from conftest import FALSE_RULE, REVERSE_TWICE


def test_proved_in_every_domain(alone):
    report = rankwright.prove(REVERSE_TWICE, database=alone)
    assert report.proved and not report.refuted
    assert {v.domain for v in report.verdicts} == set(rankwright.DOMAINS)
    assert all(v.decision == "proved" and v.bound == {"x": 1} for v in report.verdicts)


def test_refuted_with_both_sides(alone):
    report = rankwright.prove(FALSE_RULE, database=alone)
    assert report.refuted and not report.proved
    example = report[0].verdicts["int"].counterexample
    assert "right not well-defined" in example.text
    assert example.left.shape == (1,) and example.left.dtype.kind in "iO"
    assert example.right is None


def test_sides_are_arrays_that_differ(alone):
    report = rankwright.prove("rule r { axes x; map n on x; tensor A[x: n] : num; multiply(A, A) => add(A, A); }",
                              domains=["int", "float"], database=alone)
    assert [v.domain for v in report.verdicts] == ["float", "int"]
    for verdict in report.verdicts:
        example = verdict.counterexample
        assert isinstance(example.left, numpy.ndarray)
        assert not numpy.array_equal(example.left, example.right)


def test_known_rules_are_not_proved_again(alone):
    rankwright.prove(REVERSE_TWICE, database=alone)
    again = rankwright.prove(REVERSE_TWICE, database=alone)
    assert again.proved and again.tried == 0
    assert [rule.name for rule in rankwright.query(database=alone)] == ["reverse_twice"]


def test_verdicts_outlive_the_process(tmp_path):
    path = tmp_path / "rules.db"
    rankwright.prove(REVERSE_TWICE, database=rankwright.Database(path, library=False))
    reader = rankwright.Database(path, library=False, read_only=True)
    assert rankwright.query("verdict=proved", database=reader)[0].name == "reverse_twice"


def test_errors_have_place_and_hint():
    with pytest.raises(rankwright.InputError) as raised:
        rankwright.Rules.parse("rule r {\n  axes x;\n  tensor A[y: n] : any;\n  A => A;\n}", "mine.rw")
    error = raised.value
    assert (error.file, error.line) == ("mine.rw", 3)
    assert "tensor A[y: n]" in error.excerpt and "mine.rw:3:" in str(error)
    assert isinstance(error, ValueError)
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is type(error) and str(copy) == str(error)


def test_wrong_arguments(tmp_path):
    with pytest.raises(ValueError, match="no domain"):
        rankwright.prove(REVERSE_TWICE, domains=["floats"])
    with pytest.raises(rankwright.FileError):
        rankwright.Rules.load(tmp_path / "none.rw")
    with pytest.raises(rankwright.UsageError):
        rankwright.Database().limit("patience", 1)
    with pytest.raises(rankwright.Error):
        rankwright.Database(tmp_path / "no" / "folder.db")
    (tmp_path / "text.db").write_text("this is no database, but it is long enough to be looked at\n" * 40)
    with pytest.raises(rankwright.DatabaseError):
        rankwright.Database(tmp_path / "text.db")


def test_rules_from_rules():
    rules = rankwright.Rules.parse(REVERSE_TWICE + FALSE_RULE)
    assert rankwright.prove(rules[0]).proved
    assert len(rankwright.prove(list(rules))) == 2


def test_notebook(alone):
    page = rankwright.prove(FALSE_RULE, database=alone)._repr_html_()
    assert "refuted" in page and "my_slice_of_slice" in page and "s+f*p" in page.replace(" ", "")
    assert "=&gt;" in page
