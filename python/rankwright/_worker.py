# SPDX-License-Identifier: Apache-2.0
"""The process that `apart` starts: calls come in on standard input, answers go out on standard output."""

from __future__ import annotations

import importlib
import io
import logging
import os
import pickle
import queue
import signal
import threading
import time
import warnings
from typing import Any, BinaryIO, Dict

from . import apart
from ._library import inside, lib
from .databases import Database
from .progress import Bar

__all__ = ["main"]


class _Answers:
    """Messages to the caller, from any thread."""

    def __init__(self, out: BinaryIO) -> None:
        self._out = out
        self._lock = threading.Lock()
        self.number = 0

    def send(self, kind: str, value: Any) -> None:
        text = io.BytesIO()
        apart.Pickler(text, {}).dump(value)
        with self._lock:
            pickle.dump((kind, self.number, text.getvalue()), self._out, pickle.HIGHEST_PROTOCOL)
            self._out.flush()


class _Bar(Bar):
    """Progress goes to the caller, several times a second at most."""

    def __init__(self, answers: _Answers) -> None:
        super().__init__()
        self._answers = answers
        self._last = time.monotonic()

    def show(self, *progress: Any) -> None:
        now = time.monotonic()
        if now - self._last > 0.1:
            self._last = now
            self._answers.send("progress", progress)


class _Notes(logging.Handler):
    def __init__(self, answers: _Answers) -> None:
        super().__init__()
        self._answers = answers

    def emit(self, record: logging.LogRecord) -> None:
        self._answers.send("note", record.getMessage())


class _Service:
    def __init__(self, answers: _Answers) -> None:
        self.answers = answers
        self.databases: Dict[int, Database] = {}
        self.work = apart.Work()

    def open(self, number: int, how: Any, limits: Dict[str, float]) -> None:
        if how is not None:
            path, library = how
            self.databases.pop(number, None)
            database = Database(None if path == ":memory:" else path, library=library,
                                read_only=path != ":memory:")
            database.number = number
            self.databases[number] = database
        for name, value in limits.items():
            self.databases[number].limit(name, value)

    def cancel(self) -> None:
        for database in list(self.databases.values()):
            database._session.stop = True
        context = self.work.context
        if context is not None:
            lib.rw_context_cancel(context.pointer)

    def call(self, name: Any, known: Any, gone: Any, text: bytes, bar: bool, show: bool) -> None:
        self.answers.send("begun", None)
        try:
            for number in gone:
                self.databases.pop(number, None)
            for number, (how, limits) in known.items():
                self.open(number, how, limits)
            arguments, keywords = apart.Unpickler(io.BytesIO(text), self.databases).load()
            function = getattr(importlib.import_module(name[0]), name[1])
            self.work = apart.Work(_Bar(self.answers) if bar else None,
                                   (lambda found: self.answers.send("found", found)) if show else None)
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                result = function(self.work, *arguments, **keywords)
            for warning in caught:
                self.answers.send("warning", warning.message)
            self.answers.send("done", result)
        except Exception as error:
            self.answers.send("error", error)
        finally:
            self.work = apart.Work()


def _read(requests: BinaryIO, calls: Any, service: _Service) -> None:
    try:
        while True:
            message = pickle.load(requests)
            if message[0] == "call":
                calls.put(message[1:])
            elif message[1] == service.answers.number:
                service.cancel()
    except BaseException:  # the caller is gone; what this process has started ends, too
        os.killpg(0, signal.SIGKILL)


def main(requests: BinaryIO) -> None:
    """Serves until the caller ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    apart.in_worker = True
    out = os.fdopen(os.dup(1), "wb")
    # Nothing else reads or writes there.
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    answers = _Answers(out)
    service = _Service(answers)
    log = logging.getLogger("rankwright")
    log.setLevel(logging.INFO)
    log.addHandler(_Notes(answers))
    log.propagate = False
    with inside():  # before there is a second thread: the memory functions of libraries are set once
        lib.rw_context_free(lib.rw_context_new())
    calls: "queue.SimpleQueue[Any]" = queue.SimpleQueue()
    threading.Thread(target=_read, args=(requests, calls, service), daemon=True).start()
    while True:
        answers.number, *call = calls.get()
        service.call(*call)
