# SPDX-License-Identifier: Apache-2.0
"""GPU kernels: what they compute, for all sizes."""

from __future__ import annotations

import json
import os
import pathlib
from typing import Any, Dict, List, Optional, Sequence, Union

from ._library import Handle, error_new, error_of, ffi, given, inside, lib, options_of, text_of
from .apart import Work, runs_apart
from .databases import Database, PathLike, default_database
from .errors import CheckError
from .triton_kernels import Signature, grid_text, ttir

__all__ = ["lift", "Lifted", "KernelOutput", "check_kernel", "ttir"]

_WORDS = {lib.RW_LIFT_PROVED: "proved", lib.RW_LIFT_DERIVED: "derived", lib.RW_LIFT_REFUSED: "refused",
          lib.RW_LIFT_REFUTED: "refuted"}
_DECISIONS = {lib.RW_UNKNOWN: "unknown", lib.RW_PROVED: "proved", lib.RW_REFUTED: "refuted"}


class KernelOutput:
    """What a kernel writes into one of its arrays.

    Attributes:
        array: the argument.
        verdict: ``"proved"`` (the formula holds for all sizes, if `needs` holds), ``"derived"`` (an obligation is
            open), ``"refused"`` (there is no formula; `reason`), ``"refuted"`` (a run differs; `counterexample`).
        formula: the text, or None.
        given: facts of the launch and of the caller that were used.
        needs: facts that a caller must guarantee.
        obligations: what was to prove, each with ``holds``.
        counterexample: of *refuted*, else None.
        reason: of *refused*, else ``""``.
        data: all of it; the keys are in docs/json.md.

    >>> import rankwright
    >>> output = rankwright.lift('''// arguments: %arg0=out:*fp32, %arg1=n:i32
    ... module { tt.func public @ones(%arg0: !tt.ptr<f32>, %arg1: i32) {
    ...   %0 = tt.get_program_id x : i32
    ...   %1 = arith.constant 1.0 : f32
    ...   %2 = tt.addptr %arg0, %0 : !tt.ptr<f32>, i32
    ...   tt.store %2, %1 : !tt.ptr<f32>
    ...   tt.return } }''', grid="(n,)")[0]
    >>> output.array, output.verdict, output.formula
    ('out', 'proved', '1')
    """

    def __init__(self, c: Any) -> None:
        self.array = text_of(c.array)
        self.verdict = _WORDS[c.word]
        self.formula: Optional[str] = text_of(c.formula) if c.formula != ffi.NULL else None
        self.data: Dict[str, Any] = json.loads(text_of(c.json))
        self.given: List[Any] = self.data.get("given") or []
        self.needs: List[Any] = self.data.get("needs") or []
        self.obligations: List[Dict[str, Any]] = self.data.get("obligations") or []
        self.counterexample: Any = self.data.get("counterexample")
        self.reason: str = self.data.get("reason") or ""

    def __repr__(self) -> str:
        return "<KernelOutput: %s %s: %s>" % (self.array, self.verdict, self.formula or self.reason)


class Lifted(Sequence[KernelOutput]):
    """A kernel with the formulas of its outputs.

    Attributes:
        ttir: the text that was lifted.
        expected: what was expected: ``"proved"``, ``"refuted"``, ``"unknown"``; None: nothing was.
        expected_text: lines that say why, with the counterexample.
        record: the text of the proof record; `check_kernel` replays it.

    >>> import rankwright
    >>> rankwright.lift('''// arguments: %arg0=x:*fp32, %arg1=out:*fp32, %arg2=n:i32
    ... module { tt.func public @twice(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: i32) {
    ...   %0 = tt.get_program_id x : i32
    ...   %1 = tt.addptr %arg0, %0 : !tt.ptr<f32>, i32
    ...   %2 = tt.load %1 : !tt.ptr<f32>
    ...   %3 = arith.addf %2, %2 : f32
    ...   %4 = tt.addptr %arg1, %0 : !tt.ptr<f32>, i32
    ...   tt.store %4, %3 : !tt.ptr<f32>
    ...   tt.return } }''', grid="(n,)")
    <Lifted: out proved: tensor x[i]; x[i] + x[i]>
    """

    def __init__(self, pointer: Any, text: str, expects: bool) -> None:
        self.ttir = text
        self._outputs = [KernelOutput(lib.rw_lifted_output(pointer, i)) for i in range(lib.rw_lifted_count(pointer))]
        lines = ffi.new("char **")
        word = lib.rw_lifted_expected(pointer, lines)
        self.expected: Optional[str] = _DECISIONS[word] if expects else None
        self.expected_text = text_of(lines[0]) if expects else ""
        self.record = given(lib.rw_lifted_record(pointer))

    @property
    def formula(self) -> Optional[str]:
        """The formula of the only output."""
        if len(self._outputs) != 1:
            raise ValueError("a kernel with %d outputs: choose one" % len(self._outputs))
        return self._outputs[0].formula

    @property
    def proved(self) -> bool:
        """Every output has a formula that holds for all sizes."""
        return len(self._outputs) > 0 and all(output.verdict == "proved" for output in self._outputs)

    def __len__(self) -> int:
        return len(self._outputs)

    def __getitem__(self, index: Any) -> Any:
        return self._outputs[index]

    def __repr__(self) -> str:
        return "<Lifted: %s>" % "; ".join(
            "%s %s: %s" % (o.array, o.verdict, (o.formula or o.reason)) for o in self._outputs)


def kernel_text(kernel: Any, signature: Signature, grid: Any, constants: Optional[Dict[str, Any]]) -> str:
    """TTIR of whatever `lift` accepts."""
    if isinstance(kernel, os.PathLike):
        return pathlib.Path(kernel).read_text(encoding="utf-8")
    if isinstance(kernel, str):
        return kernel if "\n" in kernel else pathlib.Path(kernel).read_text(encoding="utf-8")
    return ttir(kernel, signature, grid, constants)


def lift(kernel: Any, signature: Signature = None, grid: Any = None, constants: Optional[Dict[str, Any]] = None, *,
         assume: str = "", expect: Any = None, output: str = "", function: str = "", runs: int = 0,
         seed: int = 0) -> Lifted:
    """Finds the formula of each output of a kernel, and proves it for all sizes.

    Args:
        kernel: a ``@triton.jit`` function (compiled without a GPU, by the Triton that is installed), TTIR as text, or
            the path of such a file.
        signature, constants: of a function: types of the arguments, values of the ``constexpr`` ones; see `ttir`.
        grid: what the launch computes, over the arguments: ``"(cdiv(n, 64),)"``.
        assume: facts that callers guarantee: ``"n >= 1, n <= 1024"``.
        expect: a formula that the kernel should compute; `Lifted.expected` says whether it does.
        output: the array that `expect` is about, if there are several.
        function: the kernel, if a text has several.
        runs, seed: how often and on which sizes the kernel is run to compare; 0: the usual ones.

    >>> import rankwright
    >>> text = '''// arguments: %arg0=x:*fp32, %arg1=out:*fp32, %arg2=n:i32
    ... module { tt.func public @twice(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: i32) {
    ...   %0 = tt.get_program_id x : i32
    ...   %1 = tt.addptr %arg0, %0 : !tt.ptr<f32>, i32
    ...   %2 = tt.load %1 : !tt.ptr<f32>
    ...   %3 = arith.addf %2, %2 : f32
    ...   %4 = tt.addptr %arg1, %0 : !tt.ptr<f32>, i32
    ...   tt.store %4, %3 : !tt.ptr<f32>
    ...   tt.return } }'''
    >>> lifted = rankwright.lift(text, grid="(n,)", expect="tensor x[i]; 3*x[i]")
    >>> lifted[0].formula, lifted.expected
    ('tensor x[i]; x[i] + x[i]', 'refuted')
    """
    from .formulas import formula_text
    text = kernel_text(kernel, signature, grid, constants)
    texts = {"function": function, "assume": assume, "output": output,
             "grid": grid_text(grid) if grid is not None else "",
             "expect": formula_text(expect) if expect is not None else ""}
    return _lift(Work(), text, {"seed": seed, "runs": runs, **texts})


@runs_apart
def _lift(work: Work, text: str, how: Dict[str, Any]) -> Lifted:
    options = options_of("rw_kernel_options", **how)
    data = text.encode()
    error = error_new()
    with inside():
        context = Handle(lib.rw_context_new(), lib.rw_context_free)
        pointer = lib.rw_lift(context.pointer, data, len(data), b"kernel.ttir", options, error)
        if pointer == ffi.NULL:
            raise error_of(error)
        try:
            return Lifted(pointer, text, how["expect"] != "")
        finally:
            lib.rw_lifted_free(pointer)


def check_kernel(record: Union[str, Lifted, PathLike], *, database: Optional[Database] = None) -> str:
    """Replays the record of a kernel without the finder; returns lines that say what is proved, or raises CheckError.

    >>> import rankwright
    >>> text = '''// arguments: %arg0=out:*fp32, %arg1=n:i32
    ... module { tt.func public @ones(%arg0: !tt.ptr<f32>, %arg1: i32) {
    ...   %0 = tt.get_program_id x : i32
    ...   %1 = arith.constant 1.0 : f32
    ...   %2 = tt.addptr %arg0, %0 : !tt.ptr<f32>, i32
    ...   tt.store %2, %1 : !tt.ptr<f32>
    ...   tt.return } }'''
    >>> "out" in rankwright.check_kernel(rankwright.lift(text, grid="(n,)"))
    True
    """
    if isinstance(record, Lifted):
        record = record.record
    elif isinstance(record, os.PathLike) or "\n" not in record:
        record = pathlib.Path(record).read_text(encoding="utf-8")
    return _check_kernel(Work(), database or default_database(), record)


@runs_apart
def _check_kernel(work: Work, database: Database, record: str) -> str:
    options = options_of("rw_check_options", database=database.handle.pointer)
    data = record.encode()
    valid, lines, error = ffi.new("bool *"), ffi.new("char **"), error_new()
    with database._work():
        done = lib.rw_check_kernel(database.context.pointer, data, len(data), b"record", options, valid, lines, error)
        text = given(lines[0]) if lines[0] != ffi.NULL else ""
    if not done:
        raise error_of(error)
    if not valid[0]:
        raise CheckError(text.strip() or "the record is rejected", file="record")
    return text
