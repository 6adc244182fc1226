# SPDX-License-Identifier: Apache-2.0
"""Work on sets of rules: wider rules, true rules from false ones, what follows from what, faults, new rules."""

from __future__ import annotations

import json
import os
from typing import Any, Callable, Dict, List, Optional, Sequence, Union

from . import databases
from ._library import Handle, error_new, error_of, ffi, inside, lib, options_of, text_of
from .apart import Work, runs_apart
from .databases import Database, PathLike
from .progress import Bar
from .records import Record
from .rules import Rules, RulesLike, rules_of
from .verdicts import DOMAINS

__all__ = ["Finding", "Findings", "generalize", "repair", "derive", "minimal", "lint", "discover"]


class Finding:
    """One answer about one or several rules.

    Attributes:
        kind: a word or two, such as ``"wider"`` or ``"derived"``; each function says which there are.
        rules: the names of the rules that it is about.
        text: for people.
        data: all of it; the keys are in docs/json.md.
        found: the text of new rules, all proved; ``""``: none.
        records: proof records, of `derive`.

    >>> import rankwright
    >>> finding = rankwright.lint('''
    ... rule there { axes x; map n on x; tensor A[x: n] : num, B[x: n] : num; A + B => B + A; }''')[0]
    >>> finding.kind, finding.rules
    ('inverse', ['there'])
    """

    __slots__ = ("kind", "rules", "text", "data", "found", "records")

    def __init__(self, c: Any) -> None:
        self.kind = text_of(c.kind)
        self.rules = [text_of(c.rules[i]) for i in range(c.n_rules)]
        self.text = text_of(c.text)
        self.data: Dict[str, Any] = json.loads(text_of(c.json))
        self.found = text_of(c.found)
        self.records = [Record(text_of(c.records[i].text)) for i in range(c.n_records)]

    def __repr__(self) -> str:
        return "<Finding: %s: %s>" % (self.kind, ", ".join(self.rules))


class Findings(Sequence[Finding]):
    """The findings of one call, in order.

    Attributes:
        text: all new rules, as a file of rules.
        rules, changed, candidates, proofs, instances, seconds: what the work was.
        ended: a limit of seconds ended it early.
        limited: a limit of steps left something out.
        counts: these and further counts.

    >>> import rankwright
    >>> found = rankwright.generalize('''
    ... rule twice { axes x; map n on x; tensor A[x: n] : any; where n == 4; reverse(reverse(A, {x}), {x}) => A; }''')
    >>> found.new[0].name, found.new[0].preconditions
    ('twice_general', [])
    """

    def __init__(self, pointer: Any) -> None:
        self._found = [Finding(lib.rw_findings_at(pointer, i)) for i in range(lib.rw_findings_count(pointer))]
        effort = lib.rw_findings_effort(pointer)
        self.text = text_of(lib.rw_findings_rules(pointer))
        for name in ("rules", "changed", "candidates", "proofs", "instances"):
            setattr(self, name, int(getattr(effort, name)))
        self.seconds = float(effort.seconds)
        self.ended = bool(effort.ended)
        self.limited = bool(effort.limited)
        self.counts: Dict[str, Any] = json.loads(text_of(effort.json) or "{}")

    @property
    def new(self) -> Rules:
        """The new rules, parsed; `prove` keeps them with a database."""
        return Rules.parse(self.text)

    def of_kind(self, kind: str) -> List[Finding]:
        """The findings of one kind."""
        return [finding for finding in self._found if finding.kind == kind]

    def __len__(self) -> int:
        return len(self._found)

    def __getitem__(self, index: Any) -> Any:
        return self._found[index]

    def __str__(self) -> str:
        return "".join(finding.text for finding in self._found)

    def __repr__(self) -> str:
        kinds = dict.fromkeys(finding.kind for finding in self._found)
        return "<Findings: %s>" % (", ".join("%d %s" % (len(self.of_kind(kind)), kind) for kind in kinds) or "none")

    def _repr_html_(self) -> str:
        from html import escape
        return "<pre>%s</pre>" % escape(str(self))


@ffi.def_extern(error=False, onerror=databases._keep)
def rankwright_on_finding(user, finding):
    ffi.from_handle(user).show(Finding(finding))
    return True


@runs_apart
def _find(work: Work, what: str, rules: Optional[Rules], how: Dict[str, Any], texts: Dict[str, str],
          others: Dict[str, Rules], database: Optional[Database], numbers: Sequence[int], workers: int) -> Findings:
    """Calls a function of the library that gives findings, on rules or, if that is None, on a context.

    `how`, `texts` and `others` are members of its options.
    """
    error = error_new()
    call, kind = _CALLS[what]
    with inside():
        context = Handle(lib.rw_context_new(), lib.rw_context_free)
        read = rules._within(context) if rules is not None else context
        options = options_of(kind, **how, **texts)
        for name, given in others.items():
            setattr(options, name, given.handle.pointer)
        if database is not None:
            options.database = database.handle.pointer
        if numbers:
            constants = ffi.new("int64_t[]", list(numbers))
            options.constants, options.n_constants = constants, len(numbers)
        if workers and not lib.rw_context_limit(context.pointer, b"workers", workers, error):
            raise error_of(error)
        user = ffi.new_handle(work)
        databases._active.error = None
        lib.rw_context_on_progress(context.pointer, lib.rankwright_on_work, user)
        if work.show is not None:
            lib.rw_context_on_finding(context.pointer, lib.rankwright_on_finding, user)
        work.context = context
        try:
            pointer = call(read.pointer, options, error)
        finally:
            work.context = None
        if databases._active.error is not None:
            raise databases._active.error
        if pointer == ffi.NULL:
            raise error_of(error)
        try:
            return Findings(pointer)
        finally:
            lib.rw_findings_free(pointer)


@ffi.def_extern(error=False, onerror=databases._keep)
def rankwright_on_work(user, at):
    bar = ffi.from_handle(user).bar
    if bar is not None:
        bar.show(text_of(at.stage), at.done, at.total, at.proved, at.refuted, at.unknown)
    return True


_CALLS = {
    "generalize": (lib.rw_generalize, "rw_widen_options"), "repair": (lib.rw_repair, "rw_widen_options"),
    "derive": (lib.rw_derive, "rw_derive_options"), "minimal": (lib.rw_derive_minimal, "rw_derive_options"),
    "lint": (lib.rw_lint, "rw_lint_options"), "discover": (lib.rw_discover, "rw_discover_options"),
}


def _work(what: str, rules: Optional[Rules], how: Dict[str, Any], progress: bool,
          show: Optional[Callable[[Finding], None]] = None, *, texts: Optional[Dict[str, str]] = None,
          others: Optional[Dict[str, Optional[RulesLike]]] = None, database: Optional[Database] = None,
          numbers: Sequence[int] = (), workers: int = 0) -> Findings:
    parsed = {name: rules_of(given) for name, given in (others or {}).items() if given is not None}
    return _find(Work(Bar() if progress else None, show), what, rules, how, texts or {}, parsed, database,
                 list(numbers), workers)


def _mask(domains: Union[None, str, Sequence[str]]) -> int:
    mask = 0
    for domain in [domains] if isinstance(domains, str) else domains or ():
        if domain not in DOMAINS:
            raise ValueError("no domain %r: one of %s" % (domain, ", ".join(DOMAINS)))
        mask |= 1 << DOMAINS.index(domain)
    return mask


def generalize(rules: RulesLike, *, seed: int = 1, seconds: float = 0.0, progress: bool = True,
               show: Optional[Callable[[Finding], None]] = None) -> Findings:
    """Makes proved rules wider: drops and weakens preconditions, makes constants maps and axes classes.

    Args:
        rules: the text of rules, a path, or parsed rules.
        seed: of the searches.
        seconds: at most so long for each rule; 0: no limit.
        progress: shows a bar once it has taken a second.
        show: is called with each finding as soon as it is there.

    Kinds: ``"wider"``, ``"unchanged"``, ``"refused"`` (the rule itself is not proved; the text says why).

    >>> import rankwright
    >>> found = rankwright.generalize('''
    ... rule twice { axes x; map n on x; tensor A[x: n] : any; where n == 4; reverse(reverse(A, {x}), {x}) => A; }''')
    >>> found
    <Findings: 1 wider>
    >>> print(found.text)
    /// More general than twice (7d84b0a64ba4), by seed 1:
    /// without n == 4
    rule twice_general {
      axes x;
      map n on x;
      type T : any;
      tensor A[x: n] : T;
      reverse(reverse(A, {x}), {x})
        => A;
    }
    """
    parsed = rules_of(rules)
    return _work("generalize", parsed, {"seed": seed, "seconds": seconds}, progress, show)


def repair(rules: RulesLike, *, seed: int = 1, seconds: float = 0.0, progress: bool = True,
           show: Optional[Callable[[Finding], None]] = None) -> Findings:
    """Makes false rules true, by preconditions or another right side, the smallest change first.

    The arguments are those of `generalize`.  Kinds: ``"true"`` (nothing to repair), ``"repaired"``, ``"open"`` (no
    repair was found).

    >>> import rankwright
    >>> found = rankwright.repair('''
    ... rule difference { axes x; map n on x; tensor A[x: n] : num; claims int; A - 0 => 0 - A; }''')
    >>> [change["change"] for change in found[0].data["repairs"]][0]
    'A became -A'
    >>> rankwright.prove(found.new).proved
    True
    """
    parsed = rules_of(rules)
    return _work("repair", parsed, {"seed": seed, "seconds": seconds}, progress, show)


def derive(goals: RulesLike, rules: Optional[RulesLike] = None, *, assume: Optional[RulesLike] = None,
           database: Optional[Database] = None, domains: Union[None, str, Sequence[str]] = None,
           method: str = "auto", records: bool = False, left_only: bool = False, backward: bool = False,
           nodes: int = 0, rounds: int = 0, instances: int = 0, seed: int = 0, seconds: float = 0.0,
           progress: bool = True, show: Optional[Callable[[Finding], None]] = None) -> Findings:
    """Tells which rules follow from others, within limits.

    Args:
        goals: the rules that should follow.
        rules: the base; with a database those of them that are proved there.
        assume: rules of the base that are used without proof.
        domains: asked in these; None: in one for each goal.
        method: ``"terms"``: for all ranks and sizes; ``"instances"``: at some instances; ``"auto"``: either.
        records: each derivation comes with proof records that `check` accepts.
        left_only: the search starts from the left side alone.
        backward: base rules are used from right to left, too.
        nodes, rounds, instances: limits; 0: the usual ones.

    Kinds: ``"derived"``, ``"same rule"`` (the base has it), ``"not derived"``, ``"limit"``, ``"unknown"``.

    >>> import rankwright
    >>> base = '''
    ... rule comm { axes x; map n on x; type T : num; tensor A[x: n] : T, B[x: n] : T; claims real; A + B => B + A; }
    ... rule zero { axes x; map n on x; type T : num; tensor A[x: n] : T; claims real; A + 0 => A; }'''
    >>> goal = "rule left { axes x; map n on x; type T : num; tensor A[x: n] : T; claims real; 0 + A => A; }"
    >>> found = rankwright.derive(goal, base)
    >>> found[0].kind, found[0].data["used"]
    ('derived', ['comm', 'zero'])
    """
    methods = {"auto": lib.RW_DERIVE_AUTO, "terms": lib.RW_DERIVE_TERMS, "instances": lib.RW_DERIVE_INSTANCES}
    if method not in methods:
        raise ValueError("no method %r: one of %s" % (method, ", ".join(methods)))
    parsed = rules_of(goals)
    how = {"domains": _mask(domains), "method": methods[method], "records": records, "left_only": left_only,
           "backward": backward, "nodes": nodes, "rounds": rounds, "instances": instances, "seed": seed,
           "seconds": seconds}
    return _work("derive", parsed, how, progress, show, others={"from": rules, "assumed": assume}, database=database)


def minimal(rules: RulesLike, *, assume: Optional[RulesLike] = None, database: Optional[Database] = None,
            domains: Union[None, str, Sequence[str]] = None, nodes: int = 0, rounds: int = 0, instances: int = 0,
            seed: int = 0, progress: bool = True) -> Findings:
    """Tells which rules of a set derive the others.  Kinds: ``"needed"``, ``"follows"``.

    >>> import rankwright
    >>> found = rankwright.minimal('''
    ... rule comm { axes x; map n on x; type T : num; tensor A[x: n] : T, B[x: n] : T; claims real; A + B => B + A; }
    ... rule zero { axes x; map n on x; type T : num; tensor A[x: n] : T; claims real; A + 0 => A; }
    ... rule left { axes x; map n on x; type T : num; tensor A[x: n] : T; claims real; 0 + A => A; }''')
    >>> found
    <Findings: 2 needed, 1 follows>
    """
    how = {"domains": _mask(domains), "nodes": nodes, "rounds": rounds, "instances": instances, "seed": seed}
    return _work("minimal", None, how, progress, others={"from": rules, "assumed": assume}, database=database)


def lint(rules: RulesLike, *, domains: Union[None, str, Sequence[str]] = None, instances: int = 0, terms: int = 0,
         seed: int = 0, seconds: float = 0.0, progress: bool = True) -> Findings:
    """Finds faults of a set of rules, even if every rule is true: rules stated twice, rules that undo each other,
    loop or never fire, idle preconditions.

    Args:
        domains: rules that claim none of these are left out; None: all.
        instances, terms: ground instances of a rule, terms from one start; 0: the usual numbers.

    The kinds are in docs/discovery.md; a question that was not decided has the kind ``"undecided"``.

    >>> import rankwright
    >>> rankwright.lint('''
    ... rule zero { axes x; map n on x; tensor A[x: n] : num; A + 0 => A; }
    ... rule twin { axes y; map m on y; tensor B[y: m] : num; B + 0 => B; }''')
    <Findings: 1 same>
    """
    parsed = rules_of(rules)
    how = {"domains": _mask(domains), "instances": instances, "terms": terms, "seed": seed, "seconds": seconds}
    return _work("lint", parsed, how, progress)


def discover(ops: Union[str, Sequence[str]], *, domains: Union[None, str, Sequence[str]] = None, most: int = 0,
             depth: int = 0, variables: int = 0, constants: Sequence[int] = (), width: int = 0, samples: int = 0,
             tensors: int = 0, classes: int = 0, known: Optional[RulesLike] = None,
             judged: Optional[RulesLike] = None, journal: Optional[PathLike] = None, workers: int = 0,
             seed: int = 0, seconds: float = 0.0, progress: bool = True,
             show: Optional[Callable[[Finding], None]] = None) -> Findings:
    """Finds true rules about operators, except those that follow from the others.

    Args:
        ops: names of operators, ``"and,or,not"``.
        domains: if all operators work on elements, one of bool, int, word and real.
        most: operators of a side; 0: 2, of operators that move elements 3.
        depth, variables, constants, width, samples: if all operators work on elements: levels of operators,
            variables of a rule (3), numbers that may stand in rules, words of so many bits alone, inputs tried.
        tensors, classes: if an operator moves elements: tensors (3) and classes of axes (2) of a rule.
        known: rules that need not be found again.
        judged: these rules are judged, in place of enumerated ones.
        journal: a file from which a later call goes on.
        workers: processes; 0: one for each processor.

    Kinds: ``"rule"``; ``"one width"`` (it holds at `width` alone).

    >>> import rankwright
    >>> found = rankwright.discover("and,or,not", domains="bool", variables=2)
    >>> len(found.of_kind("rule")) > 3, rankwright.prove(found.new, domains=["bool"], database=rankwright.Database()).proved
    (True, True)
    """
    how = {"domains": _mask(domains), "most": most, "depth": depth, "variables": variables, "samples": samples,
           "width": width, "tensors": tensors, "classes": classes, "seed": seed, "seconds": seconds}
    texts = {"ops": ops if isinstance(ops, str) else ",".join(ops)}
    if journal is not None:
        texts["journal"] = os.path.abspath(os.fspath(journal))
    return _work("discover", None, how, progress, show, texts=texts, others={"known": known, "judged": judged},
                 numbers=constants, workers=workers)
