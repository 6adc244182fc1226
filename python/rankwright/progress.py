# SPDX-License-Identifier: Apache-2.0
"""A progress bar for long work: tqdm's if it is installed, else a line on a terminal."""

from __future__ import annotations

import sys
import time
from typing import Any, Optional

__all__ = ["Bar"]

_UNITS = {"simplify": "rounds", "discover": "left sides"}


class Bar:
    """Appears only once the work has taken a while, so that short calls stay quiet."""

    def __init__(self, after: float = 1.0) -> None:
        self._start = time.monotonic()
        self._after = after
        self._bar: Optional[Any] = None
        self._width = 0

    def show(self, stage: str, done: int, total: int, proved: int, refuted: int, unknown: int) -> None:
        if time.monotonic() - self._start < self._after:
            return
        found = "%d proved, %d refuted, %d unknown" % (proved, refuted, unknown) if stage == "prove" else ""
        try:
            from tqdm.auto import tqdm
        except ImportError:
            self._line(stage, done, total, found)
            return
        if self._bar is None:
            self._bar = tqdm(total=total or None, desc=stage, unit=_UNITS.get(stage, "rules"), leave=False)
        self._bar.n = done
        self._bar.set_postfix_str(found)

    def _line(self, stage: str, done: int, total: int, found: str) -> None:
        if not sys.stderr or not sys.stderr.isatty():
            return
        text = "%s: %d%s %s" % (stage, done, " of %d" % total if total else "", found)
        sys.stderr.write("\r" + text.ljust(self._width))
        sys.stderr.flush()
        self._width = len(text)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
        if self._width:
            sys.stderr.write("\r" + " " * self._width + "\r")
