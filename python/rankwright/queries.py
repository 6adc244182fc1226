# SPDX-License-Identifier: Apache-2.0
"""Questions about rules and programs."""

from __future__ import annotations

import difflib
import json
from typing import Any, Dict, List, Optional, Sequence

from . import errors
from ._library import Handle, error_new, error_of, fail, ffi, lib, text_of
from .apart import Work, runs_apart
from .databases import Database, default_database
from .programs import READINGS, program_text, read_program
from .rules import Report, Rule, report_of

__all__ = ["query", "query_rule", "query_sql", "query_values", "fires", "Rows", "Match", "NearMiss"]


class Rows(Report):
    """Rules that a query found; also a table.

    >>> import rankwright
    >>> rows = rankwright.query("op=reverse", "verdict=proved", domains=["float"])
    >>> len(rows) > 5, rows[0].verdicts["float"].decision
    (True, 'proved')
    >>> sorted(rows.table()[0])[:3]
    ['claims', 'doc', 'family']
    """

    def table(self) -> List[Dict[str, Any]]:
        """A dict for each rule: its texts, and the decision in each domain."""
        return [_row(rule) for rule in self]

    def to_pandas(self) -> Any:
        """The table as a `pandas.DataFrame`.

        >>> import rankwright
        >>> rows = rankwright.query("op=reverse", "op=slice")
        >>> try:
        ...     assert len(rows.to_pandas()) == len(rows)
        ... except ImportError:
        ...     pass  # pandas is not there
        """
        import pandas
        return pandas.DataFrame(self.table())

    def __repr__(self) -> str:
        return "<Rows: %d rules>\n%s" % (len(self), super().__repr__()) if len(self) <= 20 else \
            "<Rows: %d rules>" % len(self)


def _row(rule: Rule) -> Dict[str, Any]:
    row = {"name": rule.name, "family": rule.family, "hash": rule.hash, "doc": rule.doc, "layer": rule.layer,
           "uses": rule.uses, "claims": ",".join(rule.claims), "preconditions": ", ".join(rule.preconditions)}
    row.update((domain, verdict.decision) for domain, verdict in rule.verdicts.items())
    return row


def _options(filters: Sequence[str], domains: Optional[Sequence[str]], sort: str, reverse: bool, since: str,
             used: bool, value: str = "") -> Any:
    texts = [ffi.new("char[]", text.encode()) for text in filters]
    array = ffi.new("const char *[]", texts)
    options = ffi.new("struct rw_query_options *")
    options.size = ffi.sizeof(options[0])
    options.filters, options.n_filters = array, len(texts)
    options.reverse, options.used = reverse, used
    keep = [options, array, texts]
    for name, text in (("domain", ",".join(domains or ())), ("sort", sort), ("since", since), ("value", value)):
        if text:
            keep.append(ffi.new("char[]", text.encode()))
            setattr(options, name, keep[-1])
    return keep


def query(*filters: str, domains: Optional[Sequence[str]] = None, sort: str = "", reverse: bool = False,
          since: str = "", used: bool = False, database: Optional[Database] = None) -> Rows:
    """The rules that pass all filters, as `rankwright query --help` has them.

    Args:
        filters: such as ``"op=slice"``, ``"verdict=refuted"``, ``"family=movement"``.
        domains: only verdicts in these domains.
        sort: keys, ``"uses"`` or ``"seconds,name"``; `reverse`: the last first.
        since: only what came since a UTC time or a day.
        used: only rules that records use, the most used first.

    >>> import rankwright
    >>> "slice_of_reverse" in [rule.name for rule in rankwright.query("op=reverse", "op=slice")]
    True
    """
    return _query(Work(), database or default_database(), filters, domains, sort, reverse, since, used)


@runs_apart
def _query(work: Work, database: Database, *how: Any) -> Rows:
    keep, error = _options(*how), error_new()
    with database._work():
        pointer = lib.rw_query(database.handle.pointer, keep[0], error)
        if pointer == ffi.NULL:
            raise error_of(error)
        return Rows(report_of(pointer))


def query_rule(name: str, *, database: Optional[Database] = None) -> Rule:
    """The one rule of this name, hash or start of a hash, with the obligations of its verdicts.

    >>> import rankwright
    >>> rankwright.query_rule("reverse_of_reverse").verdicts["float"].obligations[0].decision
    'proved'
    """
    return _query_rule(Work(), database or default_database(), name)


@runs_apart
def _query_rule(work: Work, database: Database, name: str) -> Rule:
    error = error_new()
    with database._work():
        pointer = lib.rw_query_rule(database.handle.pointer, name.encode(), error)
        if pointer != ffi.NULL:
            return report_of(pointer)[0]
    wrong = error_of(error)
    if isinstance(wrong, errors.InputError) and not wrong.hint:
        known = _query_sql(work, database, "SELECT name FROM current")
        near = difflib.get_close_matches(name, sorted({row["name"] for row in known}), 1)
        wrong.hint = "did you mean %s?" % near[0] if near else ""
    raise wrong


@ffi.def_extern()
def rankwright_on_line(user, text):
    ffi.from_handle(user).append(json.loads(text_of(text)))


@ffi.def_extern()
def rankwright_on_value(user, text, rules):
    ffi.from_handle(user)[text_of(text)] = int(rules)


def query_sql(sql: str, *, database: Optional[Database] = None) -> List[Dict[str, Any]]:
    """The rows of an SQL query, read-only; docs/questions.md has the schema.

    >>> import rankwright
    >>> rankwright.query_sql("SELECT 1 AS one, NULL AS none")
    [{'one': 1, 'none': None}]
    """
    return _query_sql(Work(), database or default_database(), sql)


@runs_apart
def _query_sql(work: Work, database: Database, sql: str) -> List[Dict[str, Any]]:
    rows: List[Dict[str, Any]] = []
    user, error = ffi.new_handle(rows), error_new()
    with database._work():
        done = lib.rw_query_sql_json(database.handle.pointer, sql.encode(), lib.rankwright_on_line, user, error)
    if not done:
        fail(error)
    return rows


def query_values(name: str, *filters: str, database: Optional[Database] = None) -> Dict[str, int]:
    """The values that a filter may have, each with the number of rules that have it.

    >>> import rankwright
    >>> rankwright.query_values("op")["reverse"] > 5
    True
    """
    return _query_values(Work(), database or default_database(), name, filters)


@runs_apart
def _query_values(work: Work, database: Database, name: str, filters: Sequence[str]) -> Dict[str, int]:
    values: Dict[str, int] = {}
    user, error = ffi.new_handle(values), error_new()
    keep = _options(filters, None, "", False, "", False)
    with database._work():
        done = lib.rw_query_values(database.handle.pointer, keep[0], name.encode(), lib.rankwright_on_value, user,
                                   error)
    if not done:
        fail(error)
    return values


class NearMiss:
    """A place where the operators of a rule stand, and a condition does not hold.

    >>> import rankwright
    >>> match = rankwright.fires('''
    ... func.func @main(%a: tensor<8xf32>) -> tensor<3xf32> {
    ...   %z = stablehlo.constant dense<0.0> : tensor<f32>
    ...   %b = stablehlo.pad %a, %z, low = [1], high = [1], interior = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<10xf32>
    ...   %c = stablehlo.slice %b [0:3] : (tensor<10xf32>) -> tensor<3xf32>
    ...   return %c : tensor<3xf32>
    ... }''', "op=pad", "op=slice")[-1]
    >>> match.matches, len(match.misses[0].found) > 0
    (0, True)
    """

    def __init__(self, c: Any) -> None:
        self.kind = text_of(c.kind)
        self.condition = text_of(c.condition)
        self.found = text_of(c.found)
        self.place = text_of(c.place)
        self.count = int(c.count)

    def __repr__(self) -> str:
        return "NearMiss(%r, %r, %r)" % (self.kind, self.condition, self.found)


class Match:
    """A rule on a program: how often it matches, where it nearly does; what `fires` gives.

    >>> import rankwright
    >>> rankwright.fires('''
    ... func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
    ...   %b = stablehlo.negate %a : tensor<4xf32>
    ...   %c = stablehlo.negate %b : tensor<4xf32>
    ...   return %c : tensor<4xf32>
    ... }''')[0].matches > 0
    True
    """

    def __init__(self, c: Any) -> None:
        self.rule = Rule(c.rule)
        self.matches = int(c.matches)
        self.complete = bool(c.complete)
        self.misses = [NearMiss(c.misses[i]) for i in range(c.n_misses)]

    def __repr__(self) -> str:
        return "<Match: %s, %d matches, %d near misses>" % (self.rule.name, self.matches, len(self.misses))


def fires(program: Any, *filters: str, domain: str = "float", value: str = "",
          database: Optional[Database] = None) -> List[Match]:
    """The rules that match a program as it stands, and those that nearly do.

    >>> import rankwright
    >>> matches = rankwright.fires('''
    ... func.func @main(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {
    ...   %b = stablehlo.reverse %a, dims = [0, 1] : tensor<4x8xf32>
    ...   %c = stablehlo.reverse %b, dims = [0, 1] : tensor<4x8xf32>
    ...   return %c : tensor<4x8xf32>
    ... }''', "op=reverse")
    >>> {match.rule.name: match.matches for match in matches}["reverse_of_reverse"]
    1
    """
    return _fires(Work(), database or default_database(), program_text(program), list(filters), domain, value)


@runs_apart
def _fires(work: Work, database: Database, text: str, filters: List[str], domain: str, value: str) -> List[Match]:
    keep = _options(filters, None, "", False, "", False, value)
    error = error_new()
    with database._work():
        program = Handle(read_program(database.context, text.encode(), b"program"), lib.rw_program_free,
                         database.context)
        pointer = lib.rw_query_fires(database.handle.pointer, keep[0], program.pointer, READINGS[domain], error)
        if pointer == ffi.NULL:
            raise error_of(error)
        found = [Match(lib.rw_matches_at(pointer, i)) for i in range(lib.rw_matches_count(pointer))]
        lib.rw_matches_free(pointer)
        return found
