# SPDX-License-Identifier: Apache-2.0
"""Rules, their verdicts, and proving them."""

from __future__ import annotations

import functools
import json
import os
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple, Union

from . import html
from ._library import Handle, error_new, error_of, fail, ffi, given, inside, lib, text_of
from .databases import Database, PathLike, default_database
from .progress import Bar

__all__ = ["Rules", "Rule", "Verdict", "Obligation", "Counterexample", "Report", "prove", "DOMAINS"]

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
        texts = [ffi.new("char[]", text.encode()) for text in (self._source, "rule", self._json)]
        rule, verdict = ffi.new("struct rw_rule *"), ffi.new("struct rw_verdict *")
        rule.source, rule.name, verdict.counterexample = texts
        error = error_new()
        with inside():
            return json.loads(given(lib.rw_counterexample_sides(rule, verdict, error), error))

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


def _array(side: Optional[Dict[str, Any]]) -> Any:
    if side is None:
        return None
    import numpy

    values = [_number(value) for value in side["data"]]
    kind = _TYPES.get(side.get("type", ""))
    if kind is None:  # rational numbers and whole numbers of any size
        kind = None if all(isinstance(value, (int, float, bool)) for value in values) else object
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
    """

    __slots__ = ("domain", "decision", "claimed", "stale", "reason", "rung", "grade", "method", "solver", "bound",
                 "bound_text", "instances", "seconds", "counterexample", "layer", "obligations", "data")

    def __init__(self, rule: Any, c: Any) -> None:
        self.domain = DOMAINS[c.domain]
        self.decision = _DECISIONS[c.decision]
        self.claimed = bool(c.claimed)
        self.stale = bool(c.stale)
        for name in ("reason", "rung", "grade", "method", "solver", "bound_text", "layer"):
            setattr(self, name, text_of(getattr(c, name)))
        self.bound: Dict[str, int] = json.loads(text_of(c.bound) or "{}")
        self.instances = c.instances
        self.seconds = c.seconds
        self.obligations = [Obligation(c.obligations[i]) for i in range(c.n_obligations)]
        self.counterexample = None
        if c.counterexample != ffi.NULL:
            self.counterexample = Counterexample(text_of(c.counterexample_text), text_of(c.counterexample),
                                                 text_of(rule.source))

    def __repr__(self) -> str:
        return "Verdict(%r, %r)" % (self.domain, self.decision)


class Rule:
    """One rule, with its verdicts if it came from a proof or a database.

    >>> import rankwright
    >>> rule = rankwright.Rules.parse("rule r { axes x; map n on x; tensor A[x: n] : any; reverse(reverse(A, {x}), {x}) => A; }")[0]
    >>> rule.name, rule.claims
    ('r', ('bool', 'int', 'word', 'real', 'float'))
    """

    def __init__(self, c: Any) -> None:
        for name in ("name", "family", "hash", "source", "canonical", "doc", "layer", "same_as"):
            setattr(self, name, text_of(getattr(c, name)))
        self.claims = tuple(domain for i, domain in enumerate(DOMAINS) if c.claims >> i & 1)
        for name in ("origins", "preconditions", "remarks"):
            texts = getattr(c, name)
            setattr(self, name, [text_of(texts[i]) for i in range(getattr(c, "n_" + name))])
        self.current = bool(c.current)
        self.uses = int(c.uses)
        self.verdicts: Dict[str, Verdict] = {}
        for i in range(c.n_verdicts):
            verdict = Verdict(c, c.verdicts[i])
            self.verdicts[verdict.domain] = verdict

    @functools.cached_property
    def meaning(self) -> str:
        """The value of each side at an index, in index notation.

        >>> import rankwright
        >>> print(rankwright.query_rule("reverse_of_short").meaning.splitlines()[0][:1] != "")
        True
        """
        texts = [ffi.new("char[]", text.encode()) for text in (self.source, self.name)]
        rule = ffi.new("struct rw_rule *")
        rule.source, rule.name = texts
        error = error_new()
        with inside():
            return given(lib.rw_rule_meaning(rule, error), error)

    name: str
    family: str
    hash: str
    source: str
    canonical: str
    doc: str
    layer: str
    same_as: str
    origins: List[str]
    preconditions: List[str]
    remarks: List[str]

    def __repr__(self) -> str:
        known = ", ".join("%s %s" % (v.domain, v.decision) for v in self.verdicts.values())
        return "<Rule %s/%s%s>" % (self.family, self.name, ": " + known if known else "")

    def __str__(self) -> str:
        return self.source

    def _repr_html_(self) -> str:
        return html.rules([self])


class Rules(Sequence[Rule]):
    """Parsed rules, in the order of their texts.

    >>> import rankwright
    >>> rules = rankwright.Rules.parse("rule r { axes x; map n on x; tensor A[x: n] : any; reverse(reverse(A, {x}), {x}) => A; }")
    >>> len(rules), rules[0].name
    (1, 'r')
    """

    def __init__(self) -> None:
        with inside():
            context = Handle(lib.rw_context_new(), lib.rw_context_free)
            self.handle = Handle(lib.rw_rules_new(context.pointer), lib.rw_rules_free, context)
        self._rules: List[Rule] = []
        self._inputs: List[Tuple[bytes, Optional[bytes]]] = []  # name and text, or path

    @classmethod
    def parse(cls, text: str, file: str = "rules.rw") -> "Rules":
        """The rules of a text; `file` names it in messages."""
        rules = cls()
        rules._read(file.encode(), text.encode())
        return rules

    @classmethod
    def load(cls, *paths: PathLike) -> "Rules":
        """The rules of files, or of all ``.rw`` files below folders.

        >>> import rankwright
        >>> len(rankwright.Rules.load(rankwright.library_rules() / "movement" / "reverse.rw")) > 5
        True
        """
        rules = cls()
        for path in paths:
            rules._read(os.fsencode(path))
        return rules

    def __reduce__(self) -> Any:
        return _rules_again, ([(name if text is not None else os.path.abspath(name), text)
                               for name, text in self._inputs],)

    def within(self, context: Handle) -> Handle:
        """The same rules with the limits and the progress of another context.  Call inside."""
        handle = Handle(lib.rw_rules_new(context.pointer), lib.rw_rules_free, context)
        for name, text in self._inputs:
            error = error_new()
            if not _read_into(handle.pointer, name, text, error):
                raise error_of(error)
        return handle

    def _read(self, name: bytes, text: Optional[bytes] = None) -> None:
        self._inputs.append((name, text))
        error = error_new()
        with inside():
            done = _read_into(self.handle.pointer, name, text, error)
            first = error
            if lib.rw_rules_error_count(self.handle.pointer) > 0:
                first = lib.rw_rules_error(self.handle.pointer, 0)
            found = None if done else error_of(first)
            if found is None:
                count = lib.rw_rules_count(self.handle.pointer)
                self._rules += [Rule(lib.rw_rules_at(self.handle.pointer, i)) for i in range(len(self._rules), count)]
        if found is not None:
            raise found

    def __len__(self) -> int:
        return len(self._rules)

    def __getitem__(self, index: Any) -> Any:
        return self._rules[index]

    def __repr__(self) -> str:
        return "<Rules: %s>" % ", ".join(rule.name for rule in self._rules)

    def _repr_html_(self) -> str:
        return html.rules(self._rules)


def _read_into(pointer: Any, name: bytes, text: Optional[bytes], error: Any) -> bool:
    if text is None:
        return bool(lib.rw_rules_load(pointer, name, error))
    return bool(lib.rw_rules_parse(pointer, text, len(text), name, error))


def _rules_again(inputs: List[Tuple[bytes, Optional[bytes]]]) -> Rules:
    rules = Rules()
    for name, text in inputs:
        rules._read(name, text)
    return rules


class Report(Sequence[Rule]):
    """Rules with their verdicts, as a proof or a query gives them.

    Attributes:
        seconds, workers: of the proof; 0 for a query.
        tried: how many rules were tried; the others were known.
        interrupted: `Database.cancel` ended the proof early.

    >>> import rankwright
    >>> report = rankwright.prove("rule r { axes x; map n on x; tensor A[x: n] : num; subtract(A, A) => A; }",
    ...                           domains=["int"])
    >>> report.proved, report.refuted, report[0].name
    (False, True, 'r')
    """

    def __init__(self, rules: List[Rule], *, seconds: float = 0.0, tried: int = 0, workers: int = 0,
                 interrupted: bool = False) -> None:
        self._rules = rules
        self.tried = tried
        self.interrupted = interrupted
        self.seconds = seconds
        self.workers = workers

    def __len__(self) -> int:
        return len(self._rules)

    def __getitem__(self, index: Any) -> Any:
        return self._rules[index]

    @property
    def verdicts(self) -> Iterator[Verdict]:
        """The verdicts of all rules."""
        return (verdict for rule in self._rules for verdict in rule.verdicts.values())

    def verdict(self, domain: str) -> Verdict:
        """The verdict of the only rule in a domain."""
        if len(self._rules) != 1:
            raise ValueError("a report of %d rules: choose one, report[i].verdicts[domain]" % len(self._rules))
        return self._rules[0].verdicts[domain]

    @property
    def proved(self) -> bool:
        """Every rule is proved in every domain in which it claims to hold."""
        return all(v.decision == "proved" for v in self.verdicts if v.claimed) and len(self._rules) > 0

    @property
    def refuted(self) -> bool:
        """Some rule is refuted in a domain in which it claims to hold."""
        return any(v.decision == "refuted" for v in self.verdicts if v.claimed)

    def __repr__(self) -> str:
        return "\n".join(_line(rule) for rule in self._rules)

    def _repr_html_(self) -> str:
        return html.rules(self._rules)


def _line(rule: Rule) -> str:
    lines = ["%s: %s" % (rule.name, ", ".join("%s %s" % (v.domain, v.decision) for v in rule.verdicts.values()))]
    seen: Dict[str, List[str]] = {}
    for verdict in rule.verdicts.values():
        text = verdict.counterexample.text if verdict.counterexample else \
            verdict.reason if verdict.decision == "unknown" else ""
        if text:
            seen.setdefault(text, []).append(verdict.domain)
    return "\n".join(lines + ["    %s: %s" % (", ".join(domains), text) for text, domains in seen.items()])


def report_of(pointer: Any) -> List[Rule]:
    """The rules of a C report, which is released.  Call inside."""
    try:
        return [Rule(lib.rw_report_rule(pointer, i)) for i in range(lib.rw_report_count(pointer))]
    finally:
        lib.rw_report_free(pointer)


RulesLike = Union[str, Rules, PathLike, Rule, Sequence[Rule]]


def rules_of(rules: RulesLike) -> Rules:
    """Rules of a text, a file, or parsed ones."""
    if isinstance(rules, Rules):
        return rules
    if isinstance(rules, Rule):
        rules = [rules]
    if isinstance(rules, str):
        return Rules.parse(rules) if "{" in rules else Rules.load(rules)
    if isinstance(rules, os.PathLike):
        return Rules.load(rules)
    return Rules.parse("\n".join(rule.source for rule in rules))


def prove(rules: Union[str, Rules, PathLike, Rule, Sequence[Rule]], *, domains: Optional[Sequence[str]] = None,
          database: Optional[Database] = None, again: bool = False, search: bool = True,
          progress: bool = True) -> Report:
    """Tries to prove rules for every rank and every size, or to refute them.

    Args:
        rules: the text of rules, a path of a file or folder, or parsed rules.
        domains: of `DOMAINS`; None: all in which a rule can be judged.
        database: keeps each verdict as soon as it is there, and is not asked again what it knows.
        again: proves also what the database knows.
        search: looks for counterexamples too.
        progress: shows a bar once it has taken a second.

    Ctrl-C stops it; the verdicts so far stay in the database, and the next call goes on from there.
    Proofs run in processes of their own: one that crashes makes its rule unknown and nothing else.

    >>> import rankwright
    >>> rankwright.prove('''
    ... rule slice_of_slice {
    ...   axes x;
    ...   map n, s, e, p, t, f, q on x;
    ...   tensor A[x: n] : any;
    ...   slice(slice(A, start=s, limit=e, stride=p), start=t, limit=f, stride=q)
    ...     => slice(A, start=min(e, s+t*p), limit=min(e, s+f*p), stride=p*q);
    ... }''')
    slice_of_slice: bool proved, float proved, int proved, real proved, word proved
    """
    parsed = rules_of(rules)
    database = database or default_database()
    options = ffi.new("struct rw_prove_options *")
    options.size = ffi.sizeof(options[0])
    for domain in domains or ():
        if domain not in DOMAINS:
            raise ValueError("no domain %r: one of %s" % (domain, ", ".join(DOMAINS)))
        options.domains |= 1 << DOMAINS.index(domain)
    options.again = again
    options.no_search = not search
    error = error_new()
    with database._work(Bar() if progress else None):
        database.writes += 1
        read = parsed.within(database.context)
        pointer = lib.rw_prove(read.pointer, database.handle.pointer, options, error)
        if pointer != ffi.NULL:
            run = lib.rw_report_proving(pointer)
            how = {"seconds": run.seconds, "tried": int(run.proved), "workers": int(run.workers),
                   "interrupted": bool(run.interrupted)}
            found = report_of(pointer)
    if pointer == ffi.NULL:
        fail(error)
    return Report(found, **how)
