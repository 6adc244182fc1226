# SPDX-License-Identifier: Apache-2.0
"""Programs: simplified by proved rules, with a record of every step."""

from __future__ import annotations

import json
import os
import pathlib
import warnings
from typing import Any, Dict, Iterator, Optional, Sequence, Union

from . import errors, html
from ._library import Handle, error_new, error_of, ffi, given, lib, options_of, text_of
from .apart import Work, runs_apart
from .databases import Database, PathLike, default_database
from .progress import Bar
from .records import Check, Record, check
from .rules import Rule, Rules, rules_of

__all__ = ["simplify", "Simplified"]

READINGS = {"float": lib.RW_READ_FLOAT, "float-sums": lib.RW_READ_FLOAT_SUMS, "real": lib.RW_READ_REAL}


def _cost_models() -> Iterator[str]:
    models, i = lib.rw_cost_models(), 0
    while models[i] != ffi.NULL:
        yield text_of(models[i])
        i += 1


COSTS = tuple(_cost_models())
NO_JAX = "functions of JAX and bytecode need JAX, which is not installed: pip install 'jax[cpu]'"


class Simplified:
    """A program and a cheaper one that is equal by proved rules.

    Attributes:
        before, text: the programs, StableHLO or HLO text.
        cost_before, cost_after: by the cost model.
        steps: how many times a rule was used.
        domain, cost: as they were asked for.
        stop: why the search ended, ``"saturated"`` if nothing more could be found.
        complete: no limit that the caller had set cut the search short.
        seconds: of the search.

    >>> import rankwright
    >>> result = rankwright.simplify('''
    ... func.func @main(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {
    ...   %b = stablehlo.reverse %a, dims = [0, 1] : tensor<4x8xf32>
    ...   %c = stablehlo.reverse %b, dims = [0, 1] : tensor<4x8xf32>
    ...   return %c : tensor<4x8xf32>
    ... }''')
    >>> print(result.text)
    func.func @main(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {
      return %a : tensor<4x8xf32>
    }
    >>> result.steps, result.check().valid
    (1, True)
    >>> list(result.rules)
    ['reverse_of_reverse']
    >>> print(result.explain().splitlines()[0])
    Proof record of program; floats are IEEE, bit for bit
    """

    def __init__(self, pointer: Any, database: Database, before: str, domain: str) -> None:
        """Of a result of the library.  Call inside."""
        self._database = database
        self.before = before
        self.domain = domain
        size = ffi.new("size_t *")
        text = lib.rw_result_text(pointer, size)
        self.text = bytes(ffi.buffer(text, size[0])).decode()
        summary = lib.rw_result_summary(pointer)
        self.cost = text_of(summary.cost)
        self.cost_before = summary.cost_before
        self.cost_after = summary.cost_after
        self.nodes = int(summary.nodes)
        self.classes = int(summary.classes)
        self.rounds = int(summary.rounds)
        self.steps = int(summary.steps)
        self.stop = text_of(summary.stop)
        self.complete = bool(summary.complete)
        self.seconds = summary.seconds
        self.verified = text_of(summary.verified)
        error = error_new()
        record = lib.rw_result_record(pointer, size, error)
        if record == ffi.NULL:
            raise error_of(error)
        self._record = Record(bytes(ffi.buffer(record, size[0])).decode(), database=database)
        self._described = given(lib.rw_result_describe(pointer))
        self._json = given(lib.rw_result_json(pointer))

    @property
    def record(self) -> Record:
        """The proof record; ``str()`` of it is JSON that `rankwright check` replays.

        >>> import rankwright
        >>> result = rankwright.simplify("func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> { return %a : tensor<4xf32> }")
        >>> rankwright.check(result.record).valid
        True
        """
        return self._record

    @property
    def rules(self) -> Dict[str, str]:
        """The rules that the record uses: hashes by name."""
        return {rule["name"]: rule["hash"] for rule in self.record.data.get("rules", [])}

    def explain(self) -> str:
        """Every step in words."""
        return self.record.explain()

    def check(self) -> Check:
        """Replays the record with a checker that shares nothing with the search."""
        return check(self.record, database=self._database)

    def describe(self) -> str:
        """What each rule did in the search, a line for each; the rules that did not run, and why.

        >>> import rankwright
        >>> program = '''func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
        ...   %b = stablehlo.reverse %a, dims = [0] : tensor<4xf32>
        ...   %c = stablehlo.reverse %b, dims = [0] : tensor<4xf32>
        ...   return %c : tensor<4xf32> }'''
        >>> "reverse_of_reverse" in rankwright.simplify(program).describe()
        True
        """
        return self._described

    @property
    def summary(self) -> Dict[str, Any]:
        """The numbers of the search, with the keys of docs/json.md.

        >>> import rankwright
        >>> program = "func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> { return %a : tensor<4xf32> }"
        >>> rankwright.simplify(program).summary["steps"]
        0
        """
        return json.loads(self._json)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return "<Simplified: %d steps, cost %s from %g to %g>" % (
            self.steps, self.cost, self.cost_before, self.cost_after)

    def _repr_html_(self) -> str:
        return html.simplified(self)


def simplify(program: Any, *arguments: Any, domain: str = "float", cost: Union[str, PathLike] = "time",
             rules: Optional[Union[str, Rules, PathLike, Rule, Sequence[Rule]]] = None,
             assume: Optional[Union[str, Rules, PathLike]] = None, database: Optional[Database] = None,
             extract: str = "dag", verify: int = 0, keep_attributes: str = "",
             progress: bool = True, **keywords: Any) -> Simplified:
    """A cheaper program that is equal by proved rules.

    Args:
        program: StableHLO or HLO text, MLIR bytecode, a path of either, a `jax.export.Exported`, something that JAX
            has lowered, or a function of JAX with example arguments.
        arguments, keywords: of a function; arrays or `jax.ShapeDtypeStruct`.
        domain: how floats are read: ``"float"``, the same bit for bit; ``"float-sums"``, so if sums depend on their
            terms alone; ``"real"``, as real numbers (docs/semantics.md).
        cost: ``"time"``, ``"flops"``, ``"bytes"``, ``"nodes"``, or a file of costs (docs/cost.md), whose name has a
            point or a slash.
        rules: only these of the database's proved rules; None: all of them.
        assume: rules to use without a proof; the record says so on every step.
        database: whose proved rules are used; None: those of the rule library.
        extract: ``"dag"``, ``"tree"`` or ``"exact"``.
        verify: on how many random arguments both programs are run besides.
        keep_attributes: names, separated by commas, of attributes whose operations stay as they are.
        progress: shows a bar once it has taken a second.

    Bytecode, an `Exported` and a function need JAX.  Ctrl-C stops the search.

    >>> import rankwright
    >>> program = '''
    ... func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
    ...   %b = stablehlo.negate %a : tensor<4xf32>
    ...   %c = stablehlo.negate %b : tensor<4xf32>
    ...   return %c : tensor<4xf32>
    ... }'''
    >>> rankwright.simplify(program).steps
    1
    >>> rankwright.simplify(program, rules=rankwright.query_rule("reverse_of_reverse")).steps
    0
    """
    return simplify_arguments(program, arguments, keywords, domain=domain, cost=cost, rules=rules, assume=assume,
                              database=database, extract=extract, verify=verify, keep_attributes=keep_attributes,
                              progress=progress)


def simplify_arguments(program: Any, arguments: Sequence[Any], keywords: Dict[str, Any], *, domain: str = "float",
                       cost: str = "time", rules: Any = None, assume: Any = None, database: Optional[Database] = None,
                       extract: str = "dag", verify: int = 0, keep_attributes: str = "",
                       progress: bool = True) -> Simplified:
    """`simplify`, for a function whose keywords may have any name."""
    cost = check_options(domain, cost)
    text = program_text(program, arguments, keywords)
    methods = {"dag": lib.RW_EXTRACT_DAG, "tree": lib.RW_EXTRACT_TREE, "exact": lib.RW_EXTRACT_EXACT}
    if extract not in methods:
        raise errors.UsageError("no method of extraction %r: one of %s" % (extract, ", ".join(methods)))
    only = rules_of(rules) if rules is not None else None
    assumed = rules_of(assume) if assume is not None else None
    options = {"reading": READINGS[domain], "extract": methods[extract], "verify": verify}
    return _simplify(Work(Bar() if progress else None), database or default_database(), text, domain, cost,
                     keep_attributes, options, only, assumed)


def check_options(domain: str, cost: Any) -> str:
    """The cost as the library takes it.  Raises unless there are such a domain and such a cost."""
    if domain not in READINGS:
        raise errors.UsageError("no domain %r: one of %s" % (domain, ", ".join(READINGS)))
    if isinstance(cost, os.PathLike):
        cost = os.path.abspath(cost)
    if cost not in COSTS and not (isinstance(cost, str) and lib.rw_cost_is_file(os.fsencode(cost))):
        raise errors.UsageError("no cost %r: one of %s, or a file" % (cost, ", ".join(COSTS)))
    return str(cost)


@runs_apart
def _simplify(work: Work, database: Database, text: str, domain: str, cost: str, keep_attributes: str,
              options: Dict[str, int], only: Optional[Rules], assumed: Optional[Rules]) -> Simplified:
    data = text.encode()
    given = options_of("rw_simplify_options", cost=cost, keep_attributes=keep_attributes, **options)
    error = error_new()
    with database._work(work.bar):
        program = Handle(read_program(database.context, data, b"program"), lib.rw_program_free, database.context)
        remark = lib.rw_program_remark(program.pointer)
        if remark != ffi.NULL and remark[0] != b"\0":
            warnings.warn(text_of(remark), errors.IncompleteWarning)
        rewriter = rewriter_of(database, only, assumed)
        result = lib.rw_simplify_program(rewriter.pointer, program.pointer, given, error)
        if result == ffi.NULL:
            raise error_of(error)
        found = Handle(result, lib.rw_result_free, rewriter, program)
        return Simplified(found.pointer, database, text, domain)


def read_program(context: Handle, data: bytes, name: bytes) -> Any:
    """A program of the library.  Call inside."""
    error = error_new()
    pointer = lib.rw_program_read(context.pointer, data, len(data), name, error)
    if pointer == ffi.NULL:
        raise error_of(error)
    return pointer


def rewriter_of(database: Database, only: Optional[Rules], assumed: Optional[Rules]) -> Handle:
    """The rules that may rewrite.  Call inside."""
    return Handle(lib.rw_rewriter_new(
        database.handle.pointer, only.handle.pointer if only is not None else ffi.NULL,
        assumed.handle.pointer if assumed is not None else ffi.NULL),
        lib.rw_rewriter_free, database.handle, only, assumed)


def program_text(program: Any, arguments: Sequence[Any] = (), keywords: Optional[Dict[str, Any]] = None) -> str:
    """StableHLO text of whatever `simplify` accepts."""
    if isinstance(program, str) and "{" not in program:  # no text of a program
        if not os.path.isfile(program):
            raise errors.InputError("neither the text of a program nor a file: %.60r" % program)
        program = pathlib.Path(program)
    if isinstance(program, os.PathLike):
        program = pathlib.Path(program).read_bytes()
    if isinstance(program, str):
        return program
    if isinstance(program, (bytes, bytearray, memoryview)):
        data = bytes(program)
        return _with_jax().text_of_bytecode(data) if data.startswith(b"ML\xefR") else data.decode()
    if not callable(program) and not any(hasattr(program, name) for name in ("mlir_module", "as_text", "operation")):
        raise TypeError("neither a program nor a function: %s" % type(program).__name__)
    return _with_jax().text_of_program(program, arguments, keywords or {})


def _with_jax() -> Any:
    try:
        from . import jax_programs
    except ModuleNotFoundError as error:
        if error.name != "jax":
            raise
        raise ModuleNotFoundError(NO_JAX, name="jax") from None
    return jax_programs
