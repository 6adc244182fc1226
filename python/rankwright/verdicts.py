# SPDX-License-Identifier: Apache-2.0
"""Verdicts: what is known of a rule in one domain, with the parts of the proof or the counterexample."""

from __future__ import annotations

import functools
import json
from typing import Any, Dict, List, Optional, Tuple

from ._library import error_new, ffi, given, inside, lib, text_of
from .apart import Work, runs_apart

__all__ = ["Verdict", "Obligation", "Counterexample", "DOMAINS"]

DOMAINS: Tuple[str, ...] = ("bool", "int", "word", "real", "float")
_DECISIONS = {lib.RW_UNKNOWN: "unknown", lib.RW_PROVED: "proved", lib.RW_REFUTED: "refuted"}
_TYPES = {"bool": "bool", "i1": "bool", "f32": "float32", "f64": "float64", "f16": "float16",
          **{"i%d" % n: "int%d" % n for n in (8, 16, 32, 64)}, **{"ui%d" % n: "uint%d" % n for n in (8, 16, 32, 64)}}


class Counterexample:
    """An instance of a rule on which the two sides differ.

    Attributes:
        text: one line for people.
    >>> import rankwright
    >>> report = rankwright.prove('''
    ... rule not_linear { axes x; map n on x; tensor A[x: n] : num; multiply(A, A) => add(A, A); }''')
    >>> example = report.verdict("int").counterexample
    >>> print(example.text)
    x rank 0; A=1; at []: left 1, right 2
    >>> example.left, example.right
    (array(1), array(2))
    >>> sorted(example.sides)
    ['left', 'right']
    """

    def __init__(self, text: str, json_text: str, source: str) -> None:
        self.text = text
        self._json = json_text
        self._source = source

    @property
    def data(self) -> Dict[str, Any]:
        """The instance as JSON has it."""
        return json.loads(self._json)

    @functools.cached_property
    def sides(self) -> Dict[str, Any]:
        """The whole results of both sides, as the interpreter computes them now."""
        return json.loads(_sides(Work(), self._source, self._json))

    @property
    def left(self) -> Any:
        """The whole result of the left side, a NumPy array; None: not well-defined."""
        return _array(self.sides.get("left"))

    @property
    def right(self) -> Any:
        """The whole result of the right side, a NumPy array; None: not well-defined."""
        return _array(self.sides.get("right"))

    def __repr__(self) -> str:
        return "Counterexample(%r)" % self.text


@runs_apart
def _sides(work: Work, source: str, example: str) -> str:
    texts = [ffi.new("char[]", text.encode()) for text in (source, "rule", example)]
    rule, verdict = ffi.new("struct rw_rule *"), ffi.new("struct rw_verdict *")
    rule.source, rule.name, verdict.counterexample = texts
    error = error_new()
    with inside():
        return given(lib.rw_counterexample_sides(rule, verdict, error), error)


def _array(side: Optional[Dict[str, Any]]) -> Any:
    if side is None:
        return None
    import numpy

    values = [_number(value) for value in side["data"]]
    kind = _TYPES.get(side.get("type", ""))
    if kind is None:  # rational numbers and whole numbers of any size
        exact = not all(isinstance(value, (int, float, bool)) for value in values)
        return numpy.array(values, dtype=object if exact else None).reshape(side["shape"])
    return numpy.array(values, dtype=kind).reshape(side["shape"])


def _number(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    if "/" in value:
        from fractions import Fraction
        return Fraction(value)
    try:
        return int(value)
    except ValueError:
        return float(value)


class Obligation:
    """One part of a proof: its kind, the ranks it is about, what was decided.

    >>> import rankwright
    >>> parts = rankwright.query_rule("reverse_of_reverse").verdicts["float"].obligations
    >>> [part.kind for part in parts][-1]
    'elements'
    """

    __slots__ = ("kind", "ranks", "detail", "reason", "decision", "seconds")

    def __init__(self, c: Any) -> None:
        self.kind = text_of(c.kind)
        self.ranks = text_of(c.ranks)
        self.detail = text_of(c.detail)
        self.reason = text_of(c.reason)
        self.decision = _DECISIONS[c.decision]
        self.seconds = c.seconds

    def __repr__(self) -> str:
        return "Obligation(%r, %r, %r)" % (self.kind, self.ranks, self.decision)


class Verdict:
    """What is known of a rule in one domain.

    Attributes:
        domain: one of `DOMAINS`.
        decision: ``"proved"``, ``"refuted"`` or ``"unknown"``.
        reason: why it is unknown; else a remark or ``""``.
        bound: the rank up to which each class of axes was looked at, which is enough for every rank.
        counterexample: of a refuted rule, else None.
        claimed: the rule claims to hold in this domain.
        stale: of another version of the verifier.
        rung, grade, method, solver, bound_text, layer: how it was proved, see docs/proving.md.
        instances: that the search for a counterexample has run.
        obligations: the parts of the proof, where they were asked for.
        seconds: of proving.

    >>> import rankwright
    >>> report = rankwright.prove("rule r { axes x; map n on x; tensor A[x: n] : any; reverse(reverse(A, {x}), {x}) => A; }")
    >>> verdict = report.verdict("float")
    >>> verdict.decision, verdict.bound
    ('proved', {'x': 1})
    >>> [verdict.domain for verdict in report.verdicts] == sorted(rankwright.DOMAINS)
    True
    """

    __slots__ = ("domain", "decision", "claimed", "stale", "reason", "rung", "grade", "method", "solver", "bound",
                 "bound_text", "instances", "seconds", "counterexample", "layer", "obligations")

    domain: str
    decision: str
    claimed: bool
    stale: bool
    reason: str
    rung: str
    grade: str
    method: str
    solver: str
    bound: Dict[str, int]
    bound_text: str
    instances: int
    seconds: float
    counterexample: Optional[Counterexample]
    layer: str
    obligations: List[Obligation]

    def __init__(self, rule: Any, c: Any) -> None:
        self.domain = DOMAINS[c.domain]
        self.decision = _DECISIONS[c.decision]
        self.claimed = bool(c.claimed)
        self.stale = bool(c.stale)
        for name in ("reason", "rung", "grade", "method", "solver", "bound_text", "layer"):
            setattr(self, name, text_of(getattr(c, name)))
        self.bound = json.loads(text_of(c.bound) or "{}")
        self.instances = c.instances
        self.seconds = c.seconds
        self.obligations = [Obligation(c.obligations[i]) for i in range(c.n_obligations)]
        self.counterexample = None
        if c.counterexample != ffi.NULL:
            self.counterexample = Counterexample(text_of(c.counterexample_text), text_of(c.counterexample),
                                                 text_of(rule.source))

    def __repr__(self) -> str:
        return "Verdict(%r, %r)" % (self.domain, self.decision)
