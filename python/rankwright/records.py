# SPDX-License-Identifier: Apache-2.0
"""Proof records: read, explained, checked."""

from __future__ import annotations

import json
import os
import pathlib
from typing import Any, Dict, Optional, Union

from ._library import Handle, error_new, error_of, ffi, given, inside, lib, options_of, text_of
from .apart import Work, runs_apart
from .databases import Database, PathLike, default_database
from .rules import Rules, rules_of

__all__ = ["Record", "Check", "check"]


class Record:
    """A proof record of a program or a formula.

    >>> import rankwright
    >>> result = rankwright.formula("exp(a)/(1 + exp(a))")
    >>> record = rankwright.Record(str(result.record))
    >>> record.is_formula, record.data["version"] >= 1
    (True, True)
    """

    def __init__(self, text: str, *, database: Optional[Database] = None) -> None:
        self.text = text
        self._database = database
        self._handle: Optional[Handle] = None

    def __reduce__(self) -> Any:
        return _record_again, (self.text, self._database)

    @classmethod
    def load(cls, path: PathLike) -> "Record":
        """The record of a file."""
        return cls(pathlib.Path(path).read_text(encoding="utf-8"))

    def save(self, path: PathLike) -> None:
        """Writes the record; `rankwright check FILE` replays it."""
        pathlib.Path(path).write_text(self.text, encoding="utf-8")

    @property
    def data(self) -> Dict[str, Any]:
        """The record's JSON, see docs/proof-format.md."""
        return json.loads(self.text)

    def _read(self) -> Any:
        """Call inside."""
        if self._handle is None:
            context = Handle(lib.rw_context_new(), lib.rw_context_free)
            error = error_new()
            data = self.text.encode()
            pointer = lib.rw_record_read(context.pointer, data, len(data), b"record", error)
            if pointer == ffi.NULL:
                raise error_of(error)
            self._handle = Handle(pointer, lib.rw_record_free, context)
        return self._handle.pointer

    @property
    def is_formula(self) -> bool:
        """Of a formula, not of a program."""
        return _is_formula(Work(), self)

    def explain(self) -> str:
        """Every step in words."""
        return _explain(Work(), self)

    def html(self, title: str = "") -> str:
        """A page of HTML with the steps and the rules.

        >>> import rankwright
        >>> page = rankwright.formula("exp(a)/(1 + exp(a))").record.html(title="Sigmoid")
        >>> "<title>Sigmoid" in page
        True
        """
        return _html(Work(), self, self._database or default_database(), title)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return "<Record of %d bytes>" % len(self.text)

    def _repr_html_(self) -> str:
        import html
        return "<pre>%s</pre>" % html.escape(self.explain())


def _record_again(text: str, database: Optional[Database]) -> Record:
    return Record(text, database=database)


@runs_apart
def _explain(work: Work, record: Record) -> str:
    error = error_new()
    with inside():
        return given(lib.rw_record_explain(record._read(), error), error)


@runs_apart
def _html(work: Work, record: Record, database: Database, title: str) -> str:
    error = error_new()
    with inside():
        return given(lib.rw_record_html(record._read(), database.handle.pointer, title.encode(), ffi.NULL, error),
                     error)


@runs_apart
def _is_formula(work: Work, record: Record) -> bool:
    with inside():
        return bool(lib.rw_record_is_formula(record._read()))


class Check:
    """Whether a record is valid, or why not.

    Attributes:
        valid: every step holds, by rules that are proved.
        reason: of a rejection, else ``""``.
        remedy: what could make it valid, ``"reprove"`` or ``"assumed"``; else ``""``.
        lines, rule_uses, rules: how many the record has.
        domain: of a valid record, how floats are read.

    >>> import rankwright
    >>> check = rankwright.formula("exp(a)/(1 + exp(a))").check()
    >>> check.valid, check.formula, check.reason
    (True, True, '')
    """

    def __init__(self, c: Any) -> None:
        self.valid = bool(c.valid)
        self.reason = text_of(c.reason)
        self.remedy = text_of(c.remedy)
        self.formula = bool(c.formula)
        self.lines = int(c.lines)
        self.rule_uses = int(c.rule_uses)
        self.rules = int(c.rules)
        self.domain = text_of(c.domain)

    def __bool__(self) -> bool:
        return self.valid

    def __repr__(self) -> str:
        if self.valid:
            return "<Check: valid, %d lines, %d uses of %d rules>" % (self.lines, self.rule_uses, self.rules)
        return "<Check: rejected: %s>" % self.reason


def check(record: Union[str, Record, PathLike], *, database: Optional[Database] = None, reprove: bool = False,
          assume: Optional[Union[str, Rules, PathLike]] = None, input: Optional[str] = None,
          output: Optional[str] = None) -> Check:
    """Replays a record with a checker that shares nothing with the search that found it.

    Args:
        record: a record, its JSON text, or the path of its file.
        database: says which rules are proved; None: the rule library.
        reprove: proves the rules again instead.
        assume: rules that may be assumed.
        input, output: texts of the programs that it must be about; None: any.

    >>> import rankwright
    >>> record = rankwright.formula("exp(a)/(1 + exp(a))").record
    >>> rankwright.check(record).valid
    True
    >>> rankwright.check(record.text.replace("sigmoid(a)", "sigmoid(-a)")).valid
    False
    """
    if isinstance(record, os.PathLike) or (isinstance(record, str) and not record.lstrip().startswith("{")):
        record = Record.load(record)
    assumed = rules_of(assume) if assume is not None else None
    return _check(Work(), database or default_database(), str(record), reprove, assumed,
                  {name: text for name, text in (("input", input), ("output", output)) if text is not None})


@runs_apart
def _check(work: Work, database: Database, record: str, reprove: bool, assumed: Optional[Rules],
           expected: Dict[str, str]) -> Check:
    data = record.encode()
    options = options_of("rw_check_options", database=database.handle.pointer, reprove=reprove,
                         assumed=assumed.handle.pointer if assumed is not None else None)
    keep = {name: _expected(name, text) for name, text in expected.items()}
    for name, value in keep.items():
        setattr(options, name, value[0])
    error = error_new()
    with database._work():
        pointer = lib.rw_check_record(database.context.pointer, data, len(data), b"record", options, error)
        if pointer == ffi.NULL:
            raise error_of(error)
        try:
            return Check(pointer)
        finally:
            lib.rw_check_free(pointer)


def _expected(name: str, text: str) -> Any:
    data = text.encode()
    kept = ffi.from_buffer(data), ffi.new("char[]", name.encode())
    expected = ffi.new("struct rw_expected *")
    expected.text, expected.file, expected.size = kept[0], kept[1], len(data)
    return expected, kept
