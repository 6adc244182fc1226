# SPDX-License-Identifier: Apache-2.0
import json
import warnings

import pytest

import rankwright
from conftest import FLIP, REVERSE_TWICE


def test_simplify_explain_check():
    result = rankwright.simplify(FLIP)
    assert result.text.count("stablehlo.") == 1 and "slice %image [8:24:2, 0:48:2]" in result.text
    assert result.cost_after < result.cost_before and result.steps >= 2
    assert "slice_undoes_pad" in result.explain()
    check = result.check()
    assert check and check.valid and check.domain == "float"
    assert any("reverse_of_reverse" in name for name in result.rules)


def test_tampered_records_are_rejected():
    record = str(rankwright.simplify(FLIP).record)
    assert rankwright.check(record).valid
    spoiled = record.replace("[8:24:2, 0:48:2]", "[8:24:2, 1:48:2]")
    assert spoiled != record
    try:
        assert not rankwright.check(spoiled).valid
    except rankwright.InputError:
        pass  # its text contradicts itself


def test_check_of_input_and_output():
    result = rankwright.simplify(FLIP)
    assert rankwright.check(result.record, input=FLIP, output=result.text).valid
    assert not rankwright.check(result.record, input=FLIP.replace("8:24:2", "6:22:2")).valid


def test_records_in_files(tmp_path):
    result = rankwright.simplify(FLIP)
    result.record.save(tmp_path / "flip.json")
    assert rankwright.check(tmp_path / "flip.json").valid
    assert rankwright.check(str(tmp_path / "flip.json")).valid
    assert json.loads((tmp_path / "flip.json").read_text()) == result.record.data
    assert "<html" in result.record.html().lower()


def test_only_some_rules():
    only = rankwright.query_rule("reverse_of_reverse")
    result = rankwright.simplify(FLIP, rules=only)
    assert "stablehlo.pad" in result.text
    assert all("reverse_of_reverse" in name for name in result.rules)


def test_nothing_is_rewritten_without_proof(alone):
    text = """func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
      %b = stablehlo.reverse %a, dims = [0] : tensor<4xf32>
      %c = stablehlo.reverse %b, dims = [0] : tensor<4xf32>
      return %c : tensor<4xf32>
    }"""
    assert rankwright.simplify(text, database=alone).steps == 0
    assumed = rankwright.simplify(text, assume=REVERSE_TWICE, database=alone)
    assert assumed.steps == 1 and not rankwright.check(assumed.record, database=alone).valid
    assert rankwright.check(assumed.record, database=alone, assume=REVERSE_TWICE).valid
    rankwright.prove(REVERSE_TWICE, database=alone)
    proved = rankwright.simplify(text, database=alone)
    assert proved.steps == 1 and rankwright.check(proved.record, database=alone).valid


def test_costs_and_domains():
    for cost in ("time", "flops", "bytes", "nodes"):
        assert rankwright.simplify(FLIP, cost=cost).cost == cost
    for domain in ("float", "float-sums", "real"):
        assert rankwright.simplify(FLIP, domain=domain).check().domain == domain
    with pytest.raises(rankwright.UsageError):
        rankwright.simplify(FLIP, cost="beauty")
    with pytest.raises(ValueError):
        rankwright.simplify(FLIP, domain="floats")
    with pytest.raises(ValueError):
        rankwright.simplify(FLIP, extract="magic")


def test_file_of_costs(tmp_path):
    costs = tmp_path / "my.costs"
    costs.write_text("others 7\n")
    assert rankwright.simplify(FLIP, cost=str(costs)).cost_before % 7 == 0
    assert rankwright.simplify(FLIP, cost=costs).cost_before % 7 == 0
    costs.write_text("others\n")
    with pytest.raises(rankwright.InputError, match="expected 0 or a number"):
        rankwright.simplify(FLIP, cost=str(costs))


def test_malformed_programs():
    with pytest.raises(rankwright.InputError) as raised:
        rankwright.simplify("func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n  return %b : tensor<4xf32>\n}")
    assert raised.value.line == 2
    for text in ("", "nonsense", "{", "\0", "func.func", "HloModule"):
        with pytest.raises(rankwright.InputError):
            rankwright.simplify(text)


def test_notebook():
    page = rankwright.simplify(FLIP)._repr_html_()
    assert "before" in page and "stablehlo.pad" in page and "slice_undoes_pad" in page and "proved" in page
    assert rankwright.formula("x+x")._repr_html_().startswith("<math")


def test_formulas():
    result = rankwright.formula("exp(a)/(1+exp(a))")
    assert result.text == "sigmoid(a)" and result.check().valid
    assert "sigmoid" in result.latex
    assert "erf" in rankwright.formula("gelu(x)", expand=True).text
    assert rankwright.formula("sqrt(x^2)", given="x > 0").text == "x"
    with pytest.raises(rankwright.InputError):
        rankwright.formula("exp(")
    with pytest.raises(TypeError):
        rankwright.formula(1)


def test_questions():
    assert rankwright.query("op=reverse", "verdict=proved")
    assert not rankwright.query("op=reverse", "op=sine")
    with pytest.raises(rankwright.UsageError):
        rankwright.query("colour=blue")
    with pytest.raises(rankwright.Error):
        rankwright.query_rule("no_such_rule")
    with pytest.raises(rankwright.Error):
        rankwright.query_sql("DELETE FROM rule")
    assert rankwright.query_rule("reverse_of_reverse").verdicts["int"].obligations
    matches = {match.rule.name: match for match in rankwright.fires(FLIP)}
    assert matches["slice_undoes_pad"].matches == 1


def test_values_that_are_made_up_are_called_so():
    program = """func.func @main(%%x: tensor<2xf32>) -> tensor<2xf32> {
      %%0 = stablehlo.%s : %s
      return %%0 : tensor<2xf32> }"""
    unknown = program % ("custom_call @unknown(%x)", "(tensor<2xf32>) -> tensor<2xf32>")
    with pytest.warns(rankwright.IncompleteWarning, match="stablehlo.custom_call") as caught:
        lines = rankwright.evaluate(unknown)
    assert len(lines) == 1 and len(caught) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(rankwright.evaluate(program % ("abs %x", "tensor<2xf32>"))) == 1
