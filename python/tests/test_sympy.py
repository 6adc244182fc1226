# SPDX-License-Identifier: Apache-2.0
"""Formulas from and to SymPy: values are compared at points, in both directions."""

import random

import pytest

import rankwright

sympy = pytest.importorskip("sympy")
x, y = sympy.symbols("x y", real=True)
p = sympy.Symbol("p", positive=True)

CASES = [
    (x + y)**3 - x / 3, sympy.exp(x) / (1 + sympy.exp(x)), sympy.sqrt(x**2 + 1) * y, sympy.log(p) * p**x,
    sympy.Max(x, y, 0) - sympy.Min(x, 1), sympy.Piecewise((x, x > y), (y**2, sympy.And(x < 1, y > 0)), (1, True)),
    sympy.Abs(x - y) * sympy.sign(x), sympy.tanh(x) * sympy.erf(y), sympy.sinh(x) + sympy.cosh(y),
    sympy.floor(x) + sympy.ceiling(y), -x**2, (-x)**2, sympy.Rational(2, 3)**x, 2**(x * y), 1 / (1 + x**2),
    sympy.Pow(p, sympy.Rational(-3, 2)), sympy.pi * x - sympy.E, 0.25 * x - 1.5e-3, x - (y - (x - y)),
    sympy.cos(x)**2 - sympy.sin(x)**2, p**p**x, -(x + 1) * (y - 2) / (x**2 + 3), sympy.erfc(x),
]


def values(expression):
    numbers = random.Random(7)
    for _ in range(20):
        at = {symbol: sympy.Rational(numbers.randint(-9 if symbol != p else 1, 9), 4)
              for symbol in (x, y, p)}
        by_name = {symbol: value for symbol in expression.free_symbols
                   for name, value in ((s.name, v) for s, v in at.items()) if name == symbol.name}
        yield sympy.N(expression.subs(by_name), 15)


def same(first, second):
    return all(abs(complex(a - b)) <= 1e-9 * (1 + abs(complex(a))) for a, b in zip(values(first), values(second)))


@pytest.mark.parametrize("case", CASES, ids=str)
def test_there_and_back(case):
    """The text means what the expression means: read again, it has the same values."""
    text = rankwright.from_sympy(case)
    assert same(rankwright.to_sympy(text), case), text


@pytest.mark.parametrize("case", CASES, ids=str)
def test_simplified(case):
    answer = rankwright.formula(case)
    assert rankwright.check(answer.record).valid
    assert same(answer.sympy, case), answer.text


def test_signs_are_given():
    answer = rankwright.formula(sympy.sqrt(sympy.Mul(p, p, evaluate=False), evaluate=False))
    assert answer.sympy is p
    assert rankwright.from_sympy(p) == "scalar p; given p > 0; p"
    assert rankwright.to_sympy("scalar q; given q > 0; q") == sympy.Symbol("q", positive=True)


def test_symbols_come_back():
    plain = sympy.Symbol("plain")
    assert rankwright.formula(sympy.Add(plain, 2 * plain, evaluate=False)).sympy == 3 * plain
    assert rankwright.to_sympy("a + 1") == sympy.Symbol("a", real=True) + 1


@pytest.mark.parametrize("case", [sympy.I * x, sympy.oo + 0 * x, sympy.Integral(sympy.exp(-x**2), x),
                                  sympy.Piecewise((x, x > 0)), sympy.Symbol("a-b"), sympy.gamma(x),
                                  sympy.Symbol("z") + sympy.Symbol("z", real=True)], ids=str)
def test_what_the_language_has_not(case):
    with pytest.raises(rankwright.UsageError):
        rankwright.from_sympy(case)


@pytest.mark.parametrize("text", ["sum[j](x[j])", "x[i] + 1", "softmax(x)", "x +", "(x", "size(j)", "tensor x[i]; x"])
def test_what_sympy_has_not(text):
    with pytest.raises(rankwright.UsageError):
        rankwright.to_sympy(text)
