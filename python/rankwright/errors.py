# SPDX-License-Identifier: Apache-2.0
"""What can go wrong, as exceptions.

"Refuted", "unknown" and "rejected" are answers and never exceptions.
"""

from __future__ import annotations

from typing import Optional

__all__ = [
    "Error", "UsageError", "InputError", "FileError", "DatabaseError", "LimitError", "CheckError", "InternalError",
    "FallbackWarning", "IncompleteWarning",
]


class Error(Exception):
    """Base of all errors of this package.

    Attributes:
        message: what is wrong, one sentence.
        file: the file or the name of the text; ``""``: none.
        line, column: the place in the text, from 1; 0: no place.
        excerpt: the line of the text with a mark under the place; ``""``: none.
        hint: what to write instead; ``""``: nothing known.

    >>> import rankwright
    >>> try:
    ...     rankwright.prove("rule r { tensor A[x: n] : any; A => A; }")
    ... except rankwright.InputError as error:
    ...     print(error.line, error.column, error.message)
    1 19 expected an axis class, found the unknown name `x`
    """

    def __init__(self, message: str, *, file: str = "", line: int = 0, column: int = 0, excerpt: str = "",
                 hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.file = file
        self.line = line
        self.column = column
        self.excerpt = excerpt
        self.hint = hint

    def __str__(self) -> str:
        place = self.file if self.line == 0 else "%s:%d:%d" % (self.file or "text", self.line, self.column)
        text = "%s: %s" % (place, self.message) if place else self.message
        if self.excerpt:
            text += "\n" + self.excerpt.rstrip("\n")
        if self.hint:
            text += "\n" + self.hint
        return text

    def __reduce__(self):
        return _again, (type(self), self.message, self.file, self.line, self.column, self.excerpt, self.hint)


def _again(kind, message, file, line, column, excerpt, hint):
    return kind(message, file=file, line=line, column=column, excerpt=excerpt, hint=hint)


class UsageError(Error, ValueError):
    """An argument is wrong; ``file`` names it.

    >>> import rankwright
    >>> try:
    ...     rankwright.query("op=slise")
    ... except rankwright.UsageError as error:
    ...     print(error.hint)
    did you mean slice?
    """


class InputError(Error, ValueError):
    """A text is malformed; the attributes say where.

    >>> import rankwright
    >>> try:
    ...     rankwright.formula("x +* y")
    ... except rankwright.InputError as error:
    ...     print(error.line, error.column, error.hint)
    1 4 an operand is missing between `+` and `*`
    """


class FileError(Error, OSError):
    """The operating system refused.

    >>> import rankwright
    >>> try:
    ...     rankwright.Rules.load("no such file.rw")
    ... except rankwright.FileError as error:
    ...     print(error)
    no such file.rw: cannot open: No such file or directory
    """


class DatabaseError(Error):
    """The database refused.

    >>> import rankwright
    >>> try:
    ...     rankwright.Database("/no such folder/rules.db")
    ... except rankwright.DatabaseError as error:
    ...     print(error)
    /no such folder/rules.db: cannot open the database: unable to open database file
    """


class LimitError(Error):
    """A limit was reached, such as memory.

    >>> import resource, rankwright
    >>> from rankwright import apart
    >>> rankwright.formula("x - x").text
    '0'
    >>> worker = apart.worker_process()  # from here on it gets no more memory
    >>> _ = resource.prlimit(worker, resource.RLIMIT_AS, (1, 1))
    >>> try:
    ...     rankwright.lint(rankwright.library_rules(), progress=False)
    ... except rankwright.LimitError as error:
    ...     print(error)
    the process that did the work has no more memory
    """


class CheckError(Error):
    """A step of a proof does not hold.

    >>> import rankwright
    >>> text = '''// arguments: %arg0=out:*fp32, %arg1=n:i32
    ... module { tt.func public @ones(%arg0: !tt.ptr<f32>, %arg1: i32) {
    ...   %0 = tt.get_program_id x : i32
    ...   %1 = arith.constant 1.0 : f32
    ...   %2 = tt.addptr %arg0, %0 : !tt.ptr<f32>, i32
    ...   tt.store %2, %1 : !tt.ptr<f32>
    ...   tt.return } }'''
    >>> record = rankwright.lift(text, grid="(n,)").record
    >>> try:
    ...     rankwright.check_kernel(record.replace("constant 1.0", "constant 2.0"))
    ... except rankwright.CheckError:
    ...     print("rejected")
    rejected
    """


class InternalError(Error):
    """The library contradicts itself, or the process that did the work has crashed: a bug.

    >>> import os, rankwright, signal
    >>> from rankwright import apart
    >>> def crash(finding):
    ...     os.kill(apart.worker_process(), signal.SIGSEGV)
    >>> try:
    ...     rankwright.generalize(rankwright.library_rules() / "movement" / "slice.rw", progress=False, show=crash)
    ... except rankwright.InternalError as error:
    ...     print(error)
    the process that did the work ended by signal 11, SIGSEGV
    >>> rankwright.formula("x - x").text  # in another one
    '0'
    """


class FallbackWarning(UserWarning):
    """`rankwright.jit` runs a function as JAX compiles it, and the message says why.

    >>> import rankwright, warnings
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore", rankwright.FallbackWarning)  # no more of it
    """


class IncompleteWarning(UserWarning):
    """An answer is less than it could be, and the message says why.

    >>> import rankwright, warnings
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("error", rankwright.IncompleteWarning)  # as an exception
    """


def place_of(error: Error) -> Optional[str]:
    """``"file:line:column"``, or None."""
    return "%s:%d:%d" % (error.file, error.line, error.column) if error.line else None
