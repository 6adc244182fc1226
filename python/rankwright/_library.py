# SPDX-License-Identifier: Apache-2.0
"""The C library: one lock, handles, texts and errors.

The library's memory is shared between all handles, so one thread at a time is inside it: `inside()` is the
lock.  cffi releases the GIL during each call, so other Python threads run meanwhile, and threads that need the
library wait in turn.  A handle may be released while another thread is inside, by the garbage collector: it
is then put aside until the lock is free.
"""

from __future__ import annotations

import _thread
import collections
import contextlib
import pathlib
import signal
import sys
import threading
import weakref
from typing import Any, Callable, Iterator, Optional

from . import errors
from ._native import ffi, lib

__all__ = ["ffi", "lib", "inside", "Handle", "text_of", "given", "fail", "error_of", "error_new", "options_of", "FOLDER"]

FOLDER = pathlib.Path(__file__).resolve().parent
_lock = threading.Lock()
_owner: Optional[int] = None
_texts: "weakref.WeakKeyDictionary[Any, list[Any]]" = weakref.WeakKeyDictionary()  # of options
_waiting: "collections.deque[tuple[Callable[[Any], None], Any]]" = collections.deque()
_KINDS = {
    lib.RW_ERROR_USAGE: errors.UsageError,
    lib.RW_ERROR_INPUT: errors.InputError,
    lib.RW_ERROR_IO: errors.FileError,
    lib.RW_ERROR_DATABASE: errors.DatabaseError,
    lib.RW_ERROR_LIMIT: errors.LimitError,
    lib.RW_ERROR_CHECK: errors.CheckError,
    lib.RW_ERROR_BUG: errors.InternalError,
}


@contextlib.contextmanager
def inside() -> Iterator[None]:
    """Only one thread is inside at a time; Ctrl-C ends the wait."""
    global _owner
    me = _thread.get_ident()
    if _owner == me:
        raise errors.UsageError("the library is called from a callback of itself")
    with _lock:
        try:
            _owner = me
            _release_waiting()
            yield
        finally:
            _owner = None


def _release_waiting() -> None:
    while _waiting:
        free, pointer = _waiting.popleft()
        free(pointer)


class Handle:
    """A C handle, released once; it keeps the handles alive that it was made from."""

    __slots__ = ("pointer", "_free", "_parents")

    def __init__(self, pointer: Any, free: Callable[[Any], None], *parents: Any) -> None:
        self.pointer = pointer
        self._free = free
        self._parents = parents

    def __del__(self) -> None:
        if sys is None or sys.is_finalizing():
            return
        _waiting.append((self._free, self.pointer))
        # Another thread may be inside, or this one in a callback: then the next to enter releases.
        if _owner is None and _lock.acquire(blocking=False):
            try:
                _release_waiting()
            finally:
                _lock.release()


def error_new() -> Any:
    return ffi.new("struct rw_error *")


def text_of(pointer: Any) -> str:
    """A borrowed text."""
    return "" if pointer == ffi.NULL else ffi.string(pointer).decode("utf-8", "replace")


def given(pointer: Any, error: Any = None) -> str:
    """A text that the library gave away."""
    if pointer == ffi.NULL:
        if error is not None:
            fail(error)
        return ""
    try:
        return text_of(pointer)
    finally:
        lib.rw_free(pointer)


def options_of(kind: str, **values: Any) -> Any:
    """A structure of options of the library; texts are kept as long as it is."""
    options = ffi.new("struct %s *" % kind)
    options.size = ffi.sizeof(options[0])
    for name, value in values.items():
        if isinstance(value, str):
            value = ffi.new("char[]", value.encode()) if value else None
            _texts.setdefault(options, []).append(value)
        if value is not None:
            setattr(options, name, value)
    return options


def error_of(error: Any) -> errors.Error:
    kind = _KINDS.get(error.code, errors.Error)
    return kind(text_of(error.message), file=text_of(error.file), line=error.line, column=error.column,
                excerpt=text_of(error.excerpt), hint=text_of(error.hint))


def fail(error: Any) -> None:
    """Raises what the library wrote."""
    raise error_of(error)


def interrupted(by: int) -> None:
    """Gives a signal its effect that the library took in its place."""
    if by == signal.SIGTERM:
        signal.raise_signal(by)
    if threading.current_thread() is not threading.main_thread():
        _thread.interrupt_main()
    raise KeyboardInterrupt
