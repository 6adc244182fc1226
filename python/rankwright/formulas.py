# SPDX-License-Identifier: Apache-2.0
"""Formulas over the reals."""

from __future__ import annotations

import json
from typing import Any, Dict, List, Optional, Sequence, Union

from . import html
from ._library import Handle, error_new, error_of, ffi, given, lib
from .databases import Database, PathLike, default_database
from .programs import Simplified, interruptible
from .rules import Rule, Rules, rules_of
from .sympy_formulas import from_sympy, is_expression, to_sympy

__all__ = ["formula", "Formula"]

_NOTATIONS = {"text": lib.RW_NOTATION_TEXT, "latex": lib.RW_NOTATION_LATEX, "mathml": lib.RW_NOTATION_MATHML}


class Formula(Simplified):
    """A formula and an easier one that is equal over the reals by proved rules.

    Besides what `Simplified` has:

    Attributes:
        conditions: under which it holds, beyond those under which the formula has a value.
        constants: that were recovered from digits.
        program: the formula with the declarations of its names, as `formula` reads it back.

    >>> import rankwright
    >>> gelu = rankwright.formula("0.5*x*(1 + erf(x*0.7071067811))")
    >>> gelu.text
    'gelu(x)'
    >>> gelu.constants[0]["value"]
    '1/sqrt(2)'
    >>> print(gelu.latex)
    \\operatorname{gelu}\\left(x\\right)
    >>> "erf" in rankwright.formula("gelu(x)", expand=True).text
    True
    """

    def __init__(self, handle: Handle, database: Database, before: str, again: Any) -> None:
        super().__init__(handle, database, before, "real")
        data: Dict[str, Any] = json.loads(given(lib.rw_result_json(handle.pointer)))
        self.conditions: List[Any] = data.get("conditions") or []
        self.constants: List[Dict[str, Any]] = data.get("constants") or []
        self.program = self.text
        self.text = data.get("formula", self.text)
        self._again = again
        self._symbols: Dict[str, Any] = {}

    @property
    def latex(self) -> str:
        """The formula in LaTeX."""
        return self._again("latex")

    @property
    def mathml(self) -> str:
        """The formula in MathML."""
        return self._again("mathml")

    @property
    def sympy(self) -> Any:
        """The formula as an expression of SymPy, with the symbols that it was given in; formulas over axes have none.

        >>> import rankwright
        >>> rankwright.formula("(exp(x) - exp(-x))/(exp(x) + exp(-x))").sympy
        tanh(x)
        """
        return to_sympy(self._again("text", True), self._symbols)

    def __repr__(self) -> str:
        return "<Formula: %s>" % self.text

    def _repr_html_(self) -> str:
        return html.formula(self)

    def _repr_latex_(self) -> str:
        return "$$%s$$" % self.latex


def formula(text: Any, *, given: str = "", expand: bool = False, keep_constants: bool = False,
            rules: Optional[Union[str, Rules, PathLike, Rule, Sequence[Rule]]] = None,
            database: Optional[Database] = None) -> Formula:
    """Simplifies a formula over the reals.

    Args:
        text: the formula in the language of docs/formulas.md, or an expression of SymPy without sizes.
        given: conditions that may be assumed, ``"x > 0"``.
        expand: named functions such as ``gelu`` are written out.
        keep_constants: numbers are what they say: none is recovered from its digits.
        rules: only these of the database's proved rules.
        database: whose proved rules are used; None: those of the rule library.

    >>> import rankwright
    >>> rankwright.formula("sqrt(x^2)", given="x > 0").text
    'x'
    """
    symbols = {symbol.name: symbol for symbol in text.free_symbols} if is_expression(text) else {}
    text = formula_text(text)
    only = rules_of(rules) if rules is not None else None
    database = database or default_database()

    def result_in(notation: str, write_out: bool = expand) -> Any:
        conditions = ffi.new("char[]", given.encode())
        options = ffi.new("struct rw_simplify_options *")
        options.size = ffi.sizeof(options[0])
        options.given = conditions if given else ffi.NULL
        options.expand = write_out
        options.keep_constants = keep_constants
        options.notation = _NOTATIONS[notation]
        error = error_new()
        with database._work():
            rewriter = Handle(lib.rw_rewriter_new(
                database.handle.pointer, only.handle.pointer if only is not None else ffi.NULL, ffi.NULL),
                lib.rw_rewriter_free, database.handle, only)
            result = lib.rw_simplify_formula(rewriter.pointer, text.encode(), b"formula", options, error)
            if result == ffi.NULL:
                raise error_of(error)
            return Formula(Handle(result, lib.rw_result_free, rewriter), database, text, again)

    def again(notation: str, write_out: bool = expand) -> str:
        return interruptible(lambda: result_in(notation, write_out), database.cancel).program.rstrip("\n")

    answer = interruptible(lambda: result_in("text"), database.cancel)
    answer._symbols = symbols
    return answer


def formula_text(text: Any) -> str:
    """The text of whatever `formula` accepts."""
    if isinstance(text, str):
        return text
    if is_expression(text):
        return from_sympy(text)
    raise TypeError("a formula is a text or an expression of SymPy, not %s" % type(text).__name__)
