# SPDX-License-Identifier: Apache-2.0
"""Rules from two programs: what is printed is proved, a wrong pair is refused with a program that shows it."""

import pytest

import rankwright

SLICE_OF_PAD = """func.func @main(%x: tensor<24x10xf32>, %v: tensor<f32>) -> tensor<24x9xf32> {
  %0 = stablehlo.pad %x, %v, low = [0, 7], high = [0, 4], interior = [0, 0] : (tensor<24x10xf32>, tensor<f32>) -> tensor<24x21xf32>
  %1 = stablehlo.slice %0 [0:24, 2:11] : (tensor<24x21xf32>) -> tensor<24x9xf32>
  return %1 : tensor<24x9xf32>
}"""
PAD_OF_SLICE = """func.func @main(%x: tensor<24x10xf32>, %v: tensor<f32>) -> tensor<24x9xf32> {
  %0 = stablehlo.slice %x [0:24, 0:4] : (tensor<24x10xf32>) -> tensor<24x4xf32>
  %1 = stablehlo.pad %0, %v, low = [0, 5], high = [0, 0], interior = [0, 0] : (tensor<24x4xf32>, tensor<f32>) -> tensor<24x9xf32>
  return %1 : tensor<24x9xf32>
}"""


def test_a_rule_is_proved_and_its_preconditions_have_programs():
    learned = rankwright.learn(SLICE_OF_PAD, PAD_OF_SLICE)
    assert learned.answer == "rule" and learned.sense == "none" and learned.difference == ""
    assert rankwright.prove(learned.rule, database=rankwright.Database()).proved
    assert "holds for all ranks and sizes" in str(learned)
    needs = [case for case in learned.cases if case["name"].startswith("needs")]
    assert needs
    assert all(case["module"] or case["why"] for case in learned.cases)


def test_a_wrong_pair_is_refused():
    learned = rankwright.learn(SLICE_OF_PAD, PAD_OF_SLICE.replace("[0:24, 0:4]", "[0:24, 1:5]"))
    assert (learned.answer, learned.sense) == ("different", "value")
    assert not learned.rule or rankwright.prove(learned.rule, domains=learned.domains).proved  # the nearest true one
    assert "func.func public @main()" in learned.difference
    assert learned.data["comparison"]["answer"] == "different"


def test_a_second_pair():
    reverse = "func.func @main(%x: tensor<5xf32>) -> tensor<5xf32> { %0 = stablehlo.reverse %x, dims = [0] : tensor<5xf32>\n" \
              "%1 = stablehlo.reverse %0, dims = [0] : tensor<5xf32>\n return %1 : tensor<5xf32> }"
    same = "func.func @main(%x: tensor<5xf32>) -> tensor<5xf32> { return %x : tensor<5xf32> }"
    wider = [text.replace("tensor<5xf32>", "tensor<7x3xf32>") for text in (reverse, same)]
    assert rankwright.learn(reverse, same, also=(wider[0], wider[1])).answer == "rule"
    learned = rankwright.learn(reverse, same, also=(SLICE_OF_PAD, PAD_OF_SLICE))
    assert learned.answer == "unknown" and "second pair" in learned.reason


def test_texts_that_are_no_programs():
    with pytest.raises(rankwright.InputError):
        rankwright.learn("no program", PAD_OF_SLICE)


def test_functions_of_jax():
    jax = pytest.importorskip("jax")
    jnp = jax.numpy
    x = jax.ShapeDtypeStruct((4, 6), "float32")
    learned = rankwright.learn(lambda x: jnp.flip(jnp.flip(x, 1), 1), lambda x: x, x)
    assert learned.answer == "rule", str(learned)
    assert rankwright.learn(lambda x: jnp.flip(x, 1), lambda x: jnp.flip(x, 0), x).answer == "different"
