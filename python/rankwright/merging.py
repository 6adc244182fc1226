# SPDX-License-Identifier: Apache-2.0
"""Databases into one."""

from __future__ import annotations

import os
import tempfile
from typing import Any, Dict, List, Optional, Sequence, Union

from ._library import error_new, error_of, ffi, given, lib, options_of
from .apart import Work, runs_apart, works_here
from .databases import Database, PathLike
from .progress import Bar

__all__ = ["merge", "Merged"]

_COUNTS = ("rules", "new_rules", "verdicts", "kept", "records", "stale", "refused", "cut", "failed", "unconfirmed",
           "contradictions")


class Merged:
    """What `merge` took.

    Attributes:
        rules, new_rules, verdicts, records: how many came.
        kept: verdicts that the database had already.
        stale: verdicts of other versions, left out.
        refused: rules or verdicts that are malformed, or whose counterexample does not replay.
        cut, failed: last lines without an end; lines about candidates that were no rules.
        unconfirmed: proved in a source, unknown here.
        contradictions: a bug, a solver's error, or a source that was tampered with; `text` has a line for each.

    >>> import rankwright
    >>> rankwright.merge(rankwright.Database(), [])
    <Merged: 0 rules, 0 new, 0 verdicts>
    """

    def __init__(self, counts: Any, text: str) -> None:
        for name in _COUNTS:
            setattr(self, name, int(getattr(counts, name)))
        self.text = text

    rules: int
    new_rules: int
    verdicts: int
    kept: int
    records: int
    stale: int
    refused: int
    cut: int
    failed: int
    unconfirmed: int
    contradictions: int

    def __repr__(self) -> str:
        left = "".join(", %d %s" % (getattr(self, name), name) for name in _COUNTS[5:] if getattr(self, name))
        return "<Merged: %d rules, %d new, %d verdicts%s>" % (self.rules, self.new_rules, self.verdicts, left)


def merge(database: Database, sources: Union[PathLike, Sequence[PathLike]], *, reprove: bool = False, wait: float = 60.0,
          progress: bool = True) -> Merged:
    """Takes the rules, verdicts and records of other databases into one, also of the lines that ``rankwright prove
    --worker`` prints.

    Args:
        database: gets them.
        sources: paths, or one path.
        reprove: proves the rules again, and trusts no source; Ctrl-C stops it, and what was stored stays.  Without it
            counterexamples are run again, and proofs are taken on trust.
        wait: seconds to wait for locks of the sources.
        progress: shows a bar once proving has taken a second.

    >>> import os, rankwright, tempfile
    >>> there, here = rankwright.Database(library=False), rankwright.Database(library=False)
    >>> rule = "rule r { axes x; map n on x; tensor A[x: n] : any; reverse(reverse(A, {x}), {x}) => A; }"
    >>> rankwright.prove(rule, database=there).proved
    True
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     there.save(os.path.join(folder, "there.db"))
    ...     rankwright.merge(here, [os.path.join(folder, "there.db")])
    <Merged: 1 rules, 1 new, 5 verdicts>
    >>> rankwright.query_rule("r", database=here).verdicts["float"].decision
    'proved'
    """
    if isinstance(sources, (str, os.PathLike)):
        sources = [sources]
    paths = [os.path.abspath(os.fsencode(path)) for path in sources]
    how = {"reprove": reprove, "wait": wait}
    bar = Bar() if progress else None
    if works_here():
        return _into(database, paths, how, bar)
    # The worker reads what others wrote, into a copy; this process takes what came of it.
    with tempfile.TemporaryDirectory(prefix="rankwright-") as folder:
        copy = os.path.join(folder, "merged.db")
        database.save(copy)
        interrupted: Optional[KeyboardInterrupt] = None
        try:
            merged = _merge(Work(bar), copy, database.library, database.limits, paths, how)
        except KeyboardInterrupt as error:  # what was stored stays
            interrupted = error
        _into(database, [os.fsencode(copy)], {"wait": wait}, None)
    if interrupted is not None:
        raise interrupted
    return merged


@runs_apart
def _merge(work: Work, path: str, library: str, limits: Dict[str, float], paths: List[bytes],
           how: Dict[str, Any]) -> Merged:
    database = Database(path, library=library or False, limits=limits)
    work.context = database.context
    return _into(database, paths, how, work.bar)


def _into(database: Database, paths: List[bytes], how: Dict[str, Any], bar: Optional[Bar]) -> Merged:
    texts = [ffi.new("char[]", path) for path in paths]
    options = options_of("rw_merge_options", **how)
    merged, lines, error = ffi.new("struct rw_merged *"), ffi.new("char **"), error_new()
    with database._work(bar):
        database.writes += 1
        done = lib.rw_merge(database.handle.pointer, ffi.new("const char *[]", texts), len(texts), options, merged,
                            lines, error)
        text = given(lines[0]) if lines[0] != ffi.NULL else ""
    if not done:
        raise error_of(error)
    return Merged(merged, text)
