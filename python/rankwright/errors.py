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
    """An argument is wrong; ``file`` names it."""


class InputError(Error, ValueError):
    """A text is malformed; the attributes say where."""


class FileError(Error, OSError):
    """The operating system refused."""


class DatabaseError(Error):
    """The database refused."""


class LimitError(Error):
    """A limit was reached."""


class CheckError(Error):
    """A step of a proof does not hold."""


class InternalError(Error):
    """The library contradicts itself: a bug."""


class FallbackWarning(UserWarning):
    """`rankwright.jit` runs a function as JAX compiles it, and the message says why."""


class IncompleteWarning(UserWarning):
    """An answer is less than it could be, and the message says why."""


def place_of(error: Error) -> Optional[str]:
    """``"file:line:column"``, or None."""
    return "%s:%d:%d" % (error.file, error.line, error.column) if error.line else None
