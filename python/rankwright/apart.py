# SPDX-License-Identifier: Apache-2.0
"""Work in a process of its own, so that a crash of the library there ends nothing but that work.

A function with `@runs_apart` runs in the worker: another Python, started by the first call, that lives until
this process ends.  Its first argument is a `Work`; the others and its result are plain data, parsed rules and
databases.  A database is known to the worker by a number: the worker opens the same file, read-only; of a
database in memory that has something of its own it gets a copy.  One call at a time runs there; the library in
this process is free meanwhile.
"""

from __future__ import annotations

import atexit
import functools
import io
import logging
import os
import pickle
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from typing import Any, Callable, Dict, List, Optional

from . import errors
from .databases import Database
from .progress import Bar

__all__ = ["Work", "runs_apart", "worker_process"]

_log = logging.getLogger("rankwright")
# The worker, told apart from a process that calls it; set by `_worker`.
in_worker = False
# Seconds that a call has to end by itself after Ctrl-C.
_GRACE = 2.0
# The status with which the library ends a process.
_OUT_OF_MEMORY = 74
_START = ("import os, pickle, sys; requests = os.fdopen(os.dup(0), 'rb'); sys.path[:] = pickle.load(requests); "
          "from rankwright._worker import main; main(requests)")


class Work:
    """What a running call tells its caller: progress and findings."""

    def __init__(self, bar: Optional[Bar] = None, show: Optional[Callable[[Any], None]] = None) -> None:
        self.bar = bar
        self.show = show
        self.context: Any = None  # of the library, if the call made one that can be cancelled


def runs_apart(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, run in the worker."""

    @functools.wraps(function)
    def call(work: Work, *arguments: Any, **keywords: Any) -> Any:
        if works_here():
            return function(work, *arguments, **keywords)
        try:
            return _the_worker().call((function.__module__, function.__qualname__), work, arguments, keywords)
        finally:
            if work.bar is not None:
                work.bar.close()

    return call


def works_here() -> bool:
    """Does this process do the work: it is the worker, or a program that embeds Python and has none to start."""
    return in_worker or not sys.executable or bool(getattr(sys, "frozen", False))


class Pickler(pickle.Pickler):
    """Databases are numbers; `databases` gets those that were met."""

    def __init__(self, file: Any, databases: Dict[int, Database]) -> None:
        super().__init__(file, pickle.HIGHEST_PROTOCOL)
        self._databases = databases

    def persistent_id(self, value: Any) -> Optional[int]:
        if not isinstance(value, Database):
            return None
        self._databases[value.number] = value
        return value.number


class Unpickler(pickle.Unpickler):
    """The other way; `databases` has them by number."""

    def __init__(self, file: Any, databases: Any) -> None:
        super().__init__(file)
        self._databases = databases

    def persistent_load(self, number: Any) -> Any:
        return self._databases[number]


class _NotBegun(errors.InternalError):
    """The process ended before it had the call."""

    def __init__(self, status: int) -> None:
        super().__init__("the process that does the work does not start: status %d" % status)


class _Worker:
    """The caller's end."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.number = 0
        self.running: Dict[int, Database] = {}  # the databases of the call that runs
        self._errors: Any = None  # what the process writes to standard error
        self.process: Optional["subprocess.Popen[bytes]"] = None
        self._known: Dict[int, int] = {}  # the state of each database that the process has
        self._answers: "queue.SimpleQueue[Any]" = queue.SimpleQueue()
        self._begun = False  # the process has the call
        self._caller = 0  # the thread of the call that runs

    def call(self, name: Any, work: Work, arguments: Any, keywords: Any) -> Any:
        if self._caller == threading.get_ident():  # from what the running call shows, or from a handler of a signal
            nested = _Worker()
            try:
                return nested.call(name, work, arguments, keywords)
            finally:
                nested.kill()
        with self.lock:
            self._caller = threading.get_ident()
            self.running.clear()
            text = io.BytesIO()
            Pickler(text, self.running).dump((arguments, keywords))
            copies: List[str] = []
            try:
                try:
                    self._request(name, text.getvalue(), work, copies)
                    return self._wait(work)
                except _NotBegun:  # it ended before
                    self._request(name, text.getvalue(), work, copies)
                    return self._wait(work)
            finally:
                self.running.clear()
                self._caller = 0
                for path in copies:
                    _remove(path)

    def _request(self, name: Any, text: bytes, work: Work, copies: List[str]) -> None:
        if self.process is None or self._has_ended():
            self._start()
        self._begun = False
        try:
            known = {number: self._opened(database, copies) for number, database in self.running.items()}
            gone = [number for number in self._known if number not in Database.alive]
            for number in gone:
                del self._known[number]
            self.number += 1
            self._send(("call", self.number, name, known, gone, text, work.bar is not None, work.show is not None))
        except BrokenPipeError:
            pass  # the answers end, too
        except BaseException:
            self.kill()  # half a message may be under way
            raise

    def _start(self) -> None:
        if self.process is not None:
            self._ended()
            self._errors.close()
        self._errors = tempfile.TemporaryFile()
        self._known = {}
        self._answers = queue.SimpleQueue()
        # Ctrl-C of a terminal is for this process, which tells the other one.
        self.process = subprocess.Popen([sys.executable, "-c", _START], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=self._errors, start_new_session=True)
        self._send(sys.path)
        threading.Thread(target=_read, args=(self.process.stdout, self._answers, self.running), daemon=True,
                         name="rankwright").start()

    def _send(self, message: Any) -> None:
        assert self.process is not None and self.process.stdin is not None
        pickle.dump(message, self.process.stdin, pickle.HIGHEST_PROTOCOL)
        self.process.stdin.flush()

    def _opened(self, database: Database, copies: List[str]) -> Any:
        """How to open a database, or None if the process has it; and the limits of work on it."""
        path, version = database.file, database.writes if database.file == ":memory:" else 0
        if self._known.get(database.number) == version:
            return None, database.limits
        if version > 0:
            handle, path = tempfile.mkstemp(prefix="rankwright-", suffix=".db")
            os.close(handle)
            copies.append(path)
            database.save(path)
        self._known[database.number] = version
        return (path, database.library or False), database.limits

    def _wait(self, work: Work) -> Any:
        ended = False
        try:
            while True:
                try:  # a signal that another thread gets does not wake this one
                    kind, number, value = self._answers.get(timeout=0.2)
                except queue.Empty:
                    if not self._has_ended() or not self._answers.empty():
                        continue
                    kind, number, value = "end", 0, None  # processes of its own may hold its end of the pipe
                ended = kind == "end" or (number == self.number and kind in ("done", "error"))
                if kind == "end":
                    raise self._died() if self._begun else _NotBegun(self._ended())
                if number != self.number:
                    continue
                if kind == "begun":
                    self._begun = True
                elif kind == "progress" and work.bar is not None:
                    work.bar.show(*value)
                elif kind == "found" and work.show is not None:
                    work.show(value)
                elif kind == "note":
                    _log.info(value)
                elif kind == "warning":
                    warnings.warn(value, stacklevel=6)
                elif kind == "error":
                    raise value
                elif kind == "done":
                    return value
        except BaseException:
            if not ended:
                self._stop()
            raise

    def cancel(self, database: Optional[Database] = None) -> None:
        """Ends the call that runs, if it is about the database, at the next place where it can end."""
        if database is None or database.number in self.running:
            try:
                self._send(("cancel", self.number))
            except (OSError, AssertionError, ValueError):
                pass  # it ended

    def _stop(self) -> None:
        """After Ctrl-C: the call ends by itself soon, or is ended, and the next one starts another process."""
        end = time.monotonic() + _GRACE
        try:
            self.cancel()
            while True:
                kind, number, _ = self._answers.get(timeout=max(0.0, end - time.monotonic()))
                if kind == "end" or (number == self.number and kind in ("done", "error")):
                    return
        except BaseException:  # it takes too long, or Ctrl-C again
            self.kill()

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self._ended()
            self._errors.close()

    def _has_ended(self) -> bool:
        """Its number and its group stay taken."""
        assert self.process is not None
        return os.waitid(os.P_PID, self.process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None

    def _ended(self) -> int:
        """The status; the processes that it has started end with it."""
        assert self.process is not None and self.process.stdin is not None
        os.waitid(os.P_PID, self.process.pid, os.WEXITED | os.WNOWAIT)
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass
        status = self.process.wait()
        try:
            self.process.stdin.close()
        except OSError:  # of a message that nobody read
            pass
        self.process = None
        return status

    def _died(self) -> errors.Error:
        status = self._ended()
        self._errors.seek(0)
        said = self._errors.read().decode("utf-8", "replace").strip().splitlines()
        self._errors.close()
        if status == _OUT_OF_MEMORY:
            return errors.LimitError("the process that did the work has no more memory")
        why = "by signal %d, %s" % (-status, _signal_name(-status)) if status < 0 else "with status %d" % status
        return errors.InternalError("the process that did the work ended %s%s" % (why, ": " + said[-1] if said else ""))


def _read(answers: Any, into: Any, databases: Dict[int, Database]) -> None:
    """Answers as they come; a thread, so that Ctrl-C reaches the one that waits for them."""
    with answers:
        try:
            while True:
                kind, number, text = pickle.load(answers)
                try:
                    into.put((kind, number, Unpickler(io.BytesIO(text), databases).load()))
                except KeyError:  # of a call that was given up, with its databases
                    pass
        except Exception:
            into.put(("end", 0, None))


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return "unknown"


def _remove(path: str) -> None:
    for end in ("", "-wal", "-shm", "-journal"):
        try:
            os.unlink(path + end)
        except OSError:
            pass


_worker: Optional[_Worker] = None
_making = threading.Lock()


def _the_worker() -> _Worker:
    global _worker
    with _making:
        if _worker is None:
            _worker = _Worker()
        return _worker


def _forget() -> None:
    """A forked process has a worker of its own, and does not keep this one alive."""
    global _worker, _making
    worker, _worker, _making = _worker, None, threading.Lock()
    if worker is not None and worker.process is not None:
        for end in (worker.process.stdin, worker.process.stdout):
            if end is not None:
                os.close(end.fileno())
        worker.process.returncode = 0  # as far as this process knows
        _forgotten.append(worker)


_forgotten: List[_Worker] = []  # whose files must not be closed again
os.register_at_fork(after_in_child=_forget)


@atexit.register
def _end() -> None:
    if _worker is not None:
        _worker.kill()


def cancel(database: Database) -> None:
    """Of the call that runs on a database, in another thread."""
    if _worker is not None:
        _worker.cancel(database)


def worker_process() -> Optional[int]:
    """The worker's process id; None: there is none.

    >>> import rankwright
    >>> rankwright.formula("x - x").text, rankwright.apart.worker_process() is not None
    ('0', True)
    """
    return _worker.process.pid if _worker is not None and _worker.process is not None else None
