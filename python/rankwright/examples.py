# SPDX-License-Identifier: Apache-2.0
"""Rules from examples: two concrete programs, and the rule for all ranks and sizes behind them."""

from __future__ import annotations

import json
from typing import Any, Dict, List, Optional, Tuple

from ._library import Handle, error_new, error_of, ffi, given, inside, lib, options_of, text_of
from .apart import Work, runs_apart
from .programs import program_text, read_program

__all__ = ["learn", "Learned"]

_WORDS = {lib.RW_LEARN_RULE: "rule", lib.RW_LEARN_LAYOUT: "layout", lib.RW_LEARN_UNKNOWN: "unknown",
          lib.RW_LEARN_DIFFERENT: "different"}


class Learned:
    """What `learn` found.

    Attributes:
        answer: ``"rule"`` (one was proved, and the pair is an instance), ``"layout"`` (the programs are one up to the
            order of dimensions), ``"different"`` (they are not equal), ``"unknown"`` (`reason` says what is missing).
        rule: its text; of ``"different"``, the nearest rule that is true, if one was found; or ``""``.
        hash: of the rule, or ``""``.
        domains: in which it is proved.
        sense: in which sense the programs themselves differ most, ``"none"`` if runs showed no difference.
        difference: a program that runs and shows it, or ``""``.
        cases: where the rule is false, without a precondition or in a domain: dictionaries with ``"name"``,
            ``"what"``, ``"module"`` (a program that runs, or None) and ``"why"`` there is none.
        reason: of *unknown*.
        data: all of it; the keys are in docs/json.md.

    >>> import rankwright
    >>> same = "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> { return %x : tensor<4xf32> }"
    >>> twice = same.replace("return %x", "%0 = stablehlo.add %x, %x : tensor<4xf32>\\n return %0")
    >>> learned = rankwright.learn(twice, same)
    >>> learned.answer, learned.sense, "func.func" in learned.difference
    ('different', 'value', True)
    """

    def __init__(self, pointer: Any) -> None:
        found = lib.rw_learned_answer(pointer)
        self.answer = _WORDS[found.word]
        self.rule = text_of(found.rule)
        self.hash = text_of(found.hash)
        self.domains: List[str] = [name for name in text_of(found.domains).split(", ") if name]
        self.sense = text_of(found.sense)
        self.reason = text_of(found.reason)
        self.difference = text_of(lib.rw_learned_module(pointer))
        self.data: Dict[str, Any] = json.loads(given(lib.rw_learned_json(pointer)))
        self.cases: List[Dict[str, Optional[str]]] = []
        for i in range(lib.rw_learned_case_count(pointer)):
            case = lib.rw_learned_case(pointer, i)
            self.cases.append({"name": text_of(case.name), "what": text_of(case.what),
                               "module": text_of(case.module) or None, "why": text_of(case.why)})
        self._text = given(lib.rw_learned_describe(pointer))

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return "<Learned: %s%s>" % (self.answer, " proved in " + ", ".join(self.domains) if self.rule else "")

    def _repr_html_(self) -> str:
        from html import escape
        return "<pre>%s</pre>" % escape(self._text)


def learn(before: Any, after: Any, *arguments: Any, also: Optional[Tuple[Any, Any]] = None,
          seed: int = 1) -> Learned:
    """Says whether two programs are equal and, if so, which rule for all ranks and sizes they are an example of.

    Args:
        before, after: programs of one function with one result each, as text, or functions of JAX.
        arguments: example arguments of functions of JAX; `jax.ShapeDtypeStruct` will do.
        also: a second pair, of which the rule must be true as well.
        seed: equal seeds, equal answers.

    >>> import rankwright
    >>> program = '''func.func @main(%%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
    ...   %%0 = stablehlo.%s %%x, dims = [1] : tensor<4x6xf32>
    ...   %%1 = stablehlo.reverse %%0, dims = [%d] : tensor<4x6xf32>
    ...   return %%1 : tensor<4x6xf32> }'''
    >>> same = '''func.func @main(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
    ...   return %x : tensor<4x6xf32> }'''
    >>> learned = rankwright.learn(program % ("reverse", 1), same)
    >>> learned.answer, rankwright.prove(learned.rule, database=rankwright.Database()).proved
    ('rule', True)
    >>> rankwright.learn(program % ("reverse", 0), same).sense
    'value'
    """
    texts = [program_text(program, arguments) for program in (before, after, *(also or ()))]
    return _learn(Work(), texts, seed)


@runs_apart
def _learn(work: Work, texts: List[str], seed: int) -> Learned:
    error = error_new()
    with inside():
        context = Handle(lib.rw_context_new(), lib.rw_context_free)
        programs = [Handle(read_program(context, text.encode(), b""), lib.rw_program_free, context) for text in texts]
        options = options_of("rw_learn_options", seed=seed)
        if len(programs) > 2:
            options.also_before, options.also_after = (program.pointer for program in programs[2:])
        pointer = lib.rw_learn(context.pointer, programs[0].pointer, programs[1].pointer, options, error)
        if pointer == ffi.NULL:
            raise error_of(error)
        try:
            return Learned(pointer)
        finally:
            lib.rw_learned_free(pointer)
