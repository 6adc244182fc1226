# SPDX-License-Identifier: Apache-2.0
"""Rules, their verdicts, and proving them."""

from __future__ import annotations

import functools
import os
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple, Union

from . import apart, html
from ._library import Handle, error_new, error_of, fail, ffi, given, inside, lib, text_of
from .apart import Work, runs_apart
from .databases import Database, PathLike, default_database
from .progress import Bar
from .verdicts import DOMAINS, Verdict

__all__ = ["Rules", "Rule", "Report", "prove"]


class Rule:
    """One rule, with its verdicts if it came from a proof or a database.

    >>> import rankwright
    >>> rule = rankwright.Rules.parse("rule r { axes x; map n on x; tensor A[x: n] : any; reverse(reverse(A, {x}), {x}) => A; }")[0]
    >>> rule.name, rule.claims
    ('r', ('bool', 'int', 'word', 'real', 'float'))
    >>> len(rule.meaning.splitlines()) > 1
    True
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
        """The value of each side at an index, in index notation."""
        return _meaning(Work(), self.source, self.name)

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


@runs_apart
def _meaning(work: Work, source: str, name: str) -> str:
    texts = [ffi.new("char[]", text.encode()) for text in (source, name)]
    rule = ffi.new("struct rw_rule *")
    rule.source, rule.name = texts
    error = error_new()
    with inside():
        return given(lib.rw_rule_meaning(rule, error), error)


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

    def _within(self, context: Handle) -> Handle:
        """The same rules with the limits and the progress of another context.  Call inside."""
        handle = Handle(lib.rw_rules_new(context.pointer), lib.rw_rules_free, context)
        for name, text in self._inputs:
            error = error_new()
            if not _read_into(handle.pointer, name, text, error):
                raise error_of(error)
        return handle

    def _read(self, name: bytes, text: Optional[bytes] = None) -> None:
        if not apart.works_here():
            _try_to_read(Work(), os.path.abspath(name) if text is None else name, text)
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


@runs_apart
def _try_to_read(work: Work, name: bytes, text: Optional[bytes]) -> None:
    """Reads rules for nothing: what would crash this process does so in the worker.  Errors come again."""
    with inside():
        context = Handle(lib.rw_context_new(), lib.rw_context_free)
        rules = Handle(lib.rw_rules_new(context.pointer), lib.rw_rules_free, context)
        if _read_into(rules.pointer, name, text, error_new()):
            for i in range(lib.rw_rules_count(rules.pointer)):
                lib.rw_rules_at(rules.pointer, i)


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
    found = [rule for rule in rules if isinstance(rule, Rule)] if isinstance(rules, Sequence) else []
    if isinstance(rules, Sequence) and len(found) == len(rules):
        return Rules.parse("\n".join(rule.source for rule in found))
    raise TypeError("rules are a text, a path, or parsed rules, not %s" % type(rules).__name__)


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
        read = parsed._within(database.context)
        pointer = lib.rw_prove(read.pointer, database.handle.pointer, options, error)
        if pointer != ffi.NULL:
            run = lib.rw_report_proving(pointer)
            how = {"seconds": run.seconds, "tried": int(run.proved), "workers": int(run.workers),
                   "interrupted": bool(run.interrupted)}
            found = report_of(pointer)
    if pointer == ffi.NULL:
        fail(error)
    return Report(found, **how)
