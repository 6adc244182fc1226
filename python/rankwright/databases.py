# SPDX-License-Identifier: Apache-2.0
"""The database of rules and verdicts, with the limits, the notes and the progress of work on it."""

from __future__ import annotations

import contextlib
import itertools
import logging
import os
import pathlib
import threading
import weakref
from typing import Any, Callable, Dict, Iterator, Optional, Union

from ._library import FOLDER, Handle, error_new, fail, ffi, inside, interrupted, lib, text_of
from .progress import Bar

__all__ = ["Database", "default_database", "library_rules"]

_log = logging.getLogger("rankwright")
PathLike = Union[str, "os.PathLike[str]"]


class _Session:
    """What callbacks of a running call need."""

    def __init__(self) -> None:
        self.bar: Optional[Bar] = None
        self.stop = False
        self.notes: list[str] = []
        self.on_note: Optional[Callable[[str], None]] = None
        self.error: Optional[BaseException] = None
        self.collect: Optional[Callable[..., None]] = None


def _keep(kind, value, trace):
    """An exception in a callback, such as KeyboardInterrupt: kept until the library returns."""
    _active.error = value


_active = _Session()


@ffi.def_extern(error=False, onerror=_keep)
def rankwright_on_progress(user, at):
    session = ffi.from_handle(user)
    if session.bar is not None:
        session.bar.show(text_of(at.stage), at.done, at.total, at.proved, at.refuted, at.unknown)
    return not session.stop


@ffi.def_extern(onerror=_keep)
def rankwright_on_note(user, text):
    ffi.from_handle(user).notes.append(text_of(text))


class Database:
    """Rules with verdicts: the verdicts of the rule library, and a file or memory of one's own over it.

    Args:
        path: the file of one's own rules, made if there is none; None: memory of this object.
        library: the verdicts of a rule library; True: those of this package; False: none.
        read_only: nothing may be written to `path`.
        wait: seconds to wait for locks of other processes.
        limits: limits of work, by name: ``workers``, ``rule_seconds``, ``worker_memory``, ``nodes``, ``rounds``,
            ``seconds`` (see `include/rankwright.h`).

    A database may be used by several threads; work on it is done in turn.

    >>> import rankwright
    >>> database = rankwright.Database(limits={"workers": 1})
    >>> database
    Database(':memory:')
    """

    # By number, of those that exist.
    alive: "weakref.WeakValueDictionary[int, Database]" = weakref.WeakValueDictionary()
    _numbers = itertools.count(1)

    def __init__(self, path: Optional[PathLike] = None, *, library: Union[bool, PathLike] = True,
                 read_only: bool = False, wait: float = 30.0, limits: Optional[Dict[str, float]] = None) -> None:
        self.path = ":memory:" if path is None else os.fspath(path)
        self.number = next(Database._numbers)
        self.read_only = read_only
        self.writes = 0  # how often something was proved in it
        self.limits: Dict[str, float] = {}
        self.library = "" if library is False else os.path.abspath(
            _library_database() if library is True else os.fspath(library))
        self._session = _Session()
        self._user = ffi.new_handle(self._session)
        error = error_new()
        with inside():
            context = Handle(lib.rw_context_new(), lib.rw_context_free)
            lib.rw_context_on_progress(context.pointer, lib.rankwright_on_progress, self._user)
            lib.rw_context_on_note(context.pointer, lib.rankwright_on_note, self._user)
            pointer = lib.rw_database_open(context.pointer, self.path.encode(),
                                           lib.RW_READ if read_only else lib.RW_WRITE, wait, error)
        if pointer == ffi.NULL:
            fail(error)
        self.context = context
        self.handle = Handle(pointer, lib.rw_database_close, context, self._user, self._session)
        for name, value in (limits or {}).items():
            self.limit(name, value)
        if self.library:
            self._lay_over(self.library)
        # Another process finds the file by this, wherever this one goes.
        self.file = self.path if path is None else os.path.abspath(self.path)
        Database.alive[self.number] = self

    def __repr__(self) -> str:
        return "Database(%r)" % self.path

    def __reduce__(self) -> Any:
        """In another process: the same file; for memory, that process's default database."""
        if self.file == ":memory:":
            return default_database, ()
        return _open_again, (self.file, self.library, self.read_only, self.limits)

    def __copy__(self) -> "Database":
        return self

    def __deepcopy__(self, known: Any) -> "Database":
        return self

    def _lay_over(self, library: str) -> None:
        error = error_new()
        with inside():
            done = lib.rw_database_lay_over(self.handle.pointer, library.encode(), error)
        if not done:
            fail(error)

    def limit(self, name: str, value: float) -> None:
        """Sets a limit of later calls.

        >>> import rankwright
        >>> rankwright.Database().limit("seconds", 10)
        """
        error = error_new()
        with inside():
            done = lib.rw_context_limit(self.context.pointer, name.encode(), value, error)
        if not done:
            fail(error)
        self.limits[name] = value

    def save(self, path: PathLike) -> None:
        """Makes a file a copy of the rules and verdicts of one's own, without those of the library.

        >>> import os, rankwright, tempfile
        >>> database = rankwright.Database()
        >>> rankwright.prove("rule r { axes x; map n on x; tensor A[x: n] : any; reverse(reverse(A, {x}), {x}) => A; }",
        ...                  database=database).proved
        True
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     database.save(os.path.join(folder, "rules.db"))
        ...     rankwright.query_rule("r", database=rankwright.Database(os.path.join(folder, "rules.db"))).name
        'r'
        """
        error = error_new()
        with inside():
            done = lib.rw_database_save(self.handle.pointer, os.fsencode(path), error)
        if not done:
            fail(error)

    def cancel(self) -> None:
        """Stops the proof or the simplification that another thread runs on this database.

        A proof then has the verdicts so far, a simplification the best program so far.  Without such work, and for a
        formula, this does nothing.

        >>> import rankwright
        >>> rankwright.Database().cancel()
        """
        from . import apart
        self._session.stop = True
        apart.cancel(self)

    @contextlib.contextmanager
    def _work(self, bar: Optional[Bar] = None) -> Iterator[_Session]:
        """The library for one call: with a bar, notes go to the log, exceptions of callbacks are raised."""
        global _active
        with inside():
            session = _active = self._session
            session.bar, session.notes, session.error, session.stop = bar, [], None, False
            try:
                yield session
            finally:
                session.bar = None
                if bar is not None:
                    bar.close()
            notes, error, signal = session.notes, session.error, lib.rw_stopping_signal()
        if signal:
            interrupted(signal)
        if error is not None:
            raise error
        for note in notes:
            _log.info(note)


def _open_again(path: str, library: str, read_only: bool, limits: Dict[str, float]) -> Database:
    return Database(path, library=library or False, read_only=read_only, limits=limits)


def _library_database() -> str:
    path = os.environ.get("RANKWRIGHT_LIBRARY_DATABASE") or str(FOLDER / "library.db")
    return path


def library_rules() -> pathlib.Path:
    """The folder of the rule library's texts.

    >>> import rankwright
    >>> (rankwright.library_rules() / "movement" / "slice.rw").exists()
    True
    """
    return FOLDER / "library"


_default: Optional[Database] = None
_default_lock = threading.Lock()


def default_database() -> Database:
    """The database of functions that are given none: the rule library, and memory of this process over it.

    What is proved in it stays known until the process ends.

    >>> import rankwright
    >>> rankwright.default_database() is rankwright.default_database()
    True
    """
    global _default
    with _default_lock:
        if _default is None or _default_process != os.getpid():
            _default = _make_default()
        return _default


_default_process = 0


def _make_default() -> Database:
    # A database of SQLite does not survive a fork.
    global _default_process
    made = Database()
    _default_process = os.getpid()
    return made
