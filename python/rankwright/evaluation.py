# SPDX-License-Identifier: Apache-2.0
"""Programs and formulas on random arguments, in the interpreter."""

from __future__ import annotations

import json
import warnings
from typing import Any, Dict, List, Mapping, Optional, Sequence

from . import errors
from ._library import Handle, error_new, error_of, ffi, given, inside, lib, options_of
from .apart import Work, runs_apart
from .formulas import formula_text
from .programs import program_text
from .rules import Rules, RulesLike, rules_of

__all__ = ["evaluate", "compare", "Compared"]

_ANSWERS = {lib.RW_PROVED: "same", lib.RW_REFUTED: "different", lib.RW_UNKNOWN: "unknown"}


def evaluate(program: Any, *arguments: Any, function: str = "", seed: int = 1, formula: bool = False,
             sizes: Optional[Mapping[str, int]] = None, definitions: Optional[RulesLike] = None) -> List[str]:
    """The results of a program or of a formula on random arguments, each as ``dense<..> : tensor<..>``.

    An operation that the interpreter does not know has made-up values, the same for equal operands; an
    ``IncompleteWarning`` says so.

    Args:
        program: StableHLO or HLO text, a function of JAX with example arguments, or a formula.
        arguments: of a function of JAX; what it is evaluated on has their shapes, and values from the seed.
        function: of the program; ``""``: ``main``.
        seed: equal seeds, equal arguments.
        formula: the text is a formula, which is evaluated in f64.
        sizes: of axes of a formula, ``{"i": 2}``; others have size 3.
        definitions: of functions that a formula names.

    >>> import rankwright
    >>> rankwright.evaluate('''func.func @main() -> tensor<2xi32> {
    ...   %0 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
    ...   %1 = stablehlo.add %0, %0 : tensor<2xi32>
    ...   return %1 : tensor<2xi32> }''')
    ['dense<[2, 4]> : tensor<2xi32>']
    >>> rankwright.evaluate("x - x + 2", formula=True)
    ['dense<2.000000e+00> : tensor<f64>']
    """
    return _evaluate(Work(), _text(program, arguments, formula), _how(function, seed, formula, False, sizes),
                     rules_of(definitions) if definitions is not None else None)


class Compared:
    """What `compare` found.

    Attributes:
        answer: ``"same"`` (no run showed a difference, which is no proof), ``"different"``, or ``"unknown"`` (nothing
            ran, or an operation is unknown to the interpreter).
        text: lines for people that say where they differ.
        module: a program that runs and shows the difference; ``""``: none.
        sense: in which sense two programs differ most, ``"none"``, ``"value"``, ``"shape"``, ``"rounding"``, ..; of
            formulas ``""``.
        data: of two programs all of it; the keys are in docs/json.md.

    >>> import rankwright
    >>> rankwright.compare("exp(a)/(1 + exp(a))", "1/(1 + exp(-a))", formula=True, other_formula=True)
    <Compared: same>
    """

    def __init__(self, answer: str, text: str, module: str, data: Dict[str, Any]) -> None:
        self.answer = answer
        self.text = text
        self.module = module
        self.data = data
        self.sense: str = data.get("sense") or ""

    def __bool__(self) -> bool:
        return self.answer == "same"

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return "<Compared: %s%s>" % (self.answer, " (%s)" % self.sense if self.sense and self.answer != "same" else "")


def compare(program: Any, other: Any, *arguments: Any, function: str = "", seed: int = 1, runs: int = 32,
            tolerance: float = 0.0, formula: bool = False, other_formula: bool = False,
            sizes: Optional[Mapping[str, int]] = None, definitions: Optional[RulesLike] = None) -> Compared:
    """Runs two programs, or formulas, on the same random arguments, and looks for those on which they differ.

    Args:
        program, other: what `evaluate` takes.
        arguments: of functions of JAX.
        runs: how many arguments are tried, of two programs; chosen ones come first.
        tolerance: relative difference up to which the results of formulas count as equal.
        formula, other_formula: the text is a formula.
        function, seed, sizes, definitions: as of `evaluate`.

    >>> import rankwright
    >>> program = '''func.func @main(%%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
    ...   %%0 = stablehlo.reverse %%x, dims = [%d] : tensor<4x6xf32>
    ...   return %%0 : tensor<4x6xf32> }'''
    >>> found = rankwright.compare(program % 0, program % 1)
    >>> found, "func.func" in found.module
    (<Compared: different (value)>, True)
    >>> bool(rankwright.compare(program % 0, program % 0))
    True
    """
    how = _how(function, seed, formula, other_formula, sizes)
    how["tolerance"] = tolerance or (1e-9 if formula or other_formula else 0.0)
    how["runs"] = 0 if formula or other_formula else runs
    return _compare(Work(), _text(program, arguments, formula), _text(other, arguments, other_formula), how,
                    rules_of(definitions) if definitions is not None else None)


def _text(program: Any, arguments: Sequence[Any], formula: bool) -> str:
    return formula_text(program) if formula else program_text(program, arguments)


def _how(function: str, seed: int, formula: bool, other_formula: bool,
         sizes: Optional[Mapping[str, int]]) -> Dict[str, Any]:
    return {"function": function, "seed": seed, "formula": formula, "other_formula": other_formula,
            "sizes": ",".join("%s=%d" % size for size in (sizes or {}).items())}


def _expected(text: str, name: bytes) -> Any:
    data = text.encode()
    keep = ffi.new("char[]", data), ffi.new("char[]", name)
    expected = ffi.new("struct rw_expected *")
    expected.text, expected.file, expected.size = keep[0], keep[1], len(data)
    return expected, keep


def _options(how: Dict[str, Any], definitions: Optional[Rules]) -> Any:
    return options_of("rw_evaluate_options", **how,
                      definitions=definitions.handle.pointer if definitions is not None else None)


@runs_apart
def _evaluate(work: Work, text: str, how: Dict[str, Any], definitions: Optional[Rules]) -> List[str]:
    program, error, remark = _expected(text, b"program"), error_new(), ffi.new("char **")
    options = _options(how, definitions)
    options.remark = remark
    with inside():
        context = Handle(lib.rw_context_new(), lib.rw_context_free)
        lines = given(lib.rw_evaluate(context.pointer, program[0], options, error), error).splitlines()
        said = given(remark[0]) if remark[0] != ffi.NULL else ""
    if said:
        warnings.warn(said, errors.IncompleteWarning)
    return lines


@runs_apart
def _compare(work: Work, text: str, other: str, how: Dict[str, Any], definitions: Optional[Rules]) -> Compared:
    programs = _expected(text, b"program"), _expected(other, b"other")
    same, lines, module, error = ffi.new("enum rw_decision *"), ffi.new("char **"), ffi.new("char **"), error_new()
    options = _options(how, definitions)
    # Two programs: a line for people and an object are two texts of one call's answer.
    options.json = how["runs"] > 0
    options.module = module if how["runs"] > 0 else ffi.NULL
    with inside():
        context = Handle(lib.rw_context_new(), lib.rw_context_free)
        done = lib.rw_evaluate_both(context.pointer, programs[0][0], programs[1][0], options, same, lines, error)
        said, shown = (given(pointer[0]) if pointer[0] != ffi.NULL else "" for pointer in (lines, module))
    if not done:
        raise error_of(error)
    data: Dict[str, Any] = json.loads(said) if how["runs"] > 0 and said else {}
    return Compared(_ANSWERS[same[0]], data.get("text", "") if data else said, shown, data)
