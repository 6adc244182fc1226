# SPDX-License-Identifier: Apache-2.0
"""Formulas over the reals."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Sequence, Union

from . import html
from ._library import Handle, error_new, error_of, ffi, lib, options_of
from .apart import Work, runs_apart
from .databases import Database, PathLike, default_database
from .programs import Simplified, rewriter_of
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

    def __init__(self, pointer: Any, database: Database, before: str) -> None:
        """Of a result of the library.  Call inside."""
        super().__init__(pointer, database, before, "real")
        data = self.summary
        self.conditions: List[Any] = data.get("conditions") or []
        self.constants: List[Dict[str, Any]] = data.get("constants") or []
        self.program = self.text
        self.text = data.get("formula", self.text)
        self._how: Dict[str, Any] = {}
        self._symbols: Dict[str, Any] = {}

    def _in(self, notation: str, **other: Any) -> str:
        """The text in another notation, or of other options."""
        how = {**self._how, "notation": _NOTATIONS[notation], **other}
        return _formula(Work(), self._database, self.before, **how).program.rstrip("\n")

    @property
    def latex(self) -> str:
        """The formula in LaTeX."""
        return self._in("latex")

    @property
    def mathml(self) -> str:
        """The formula in MathML.

        >>> import rankwright
        >>> "<mi>x</mi>" in rankwright.formula("x + 0").mathml
        True
        """
        return self._in("mathml")

    @property
    def sympy(self) -> Any:
        """The formula as an expression of SymPy, with the symbols that it was given in; formulas over axes have none.

        >>> import rankwright
        >>> rankwright.formula("(exp(x) - exp(-x))/(exp(x) + exp(-x))").sympy
        tanh(x)
        """
        return to_sympy(self._in("text", expand=True), self._symbols)

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
    how = {"given": given, "expand": expand, "keep_constants": keep_constants,
           "only": rules_of(rules) if rules is not None else None}
    answer = _formula(Work(), database or default_database(), text, **how)
    answer._how, answer._symbols = how, symbols
    return answer


@runs_apart
def _formula(work: Work, database: Database, text: str, *, only: Optional[Rules], **how: Any) -> Formula:
    options = options_of("rw_simplify_options", **how)
    error = error_new()
    with database._work():
        rewriter = rewriter_of(database, only, None)
        result = lib.rw_simplify_formula(rewriter.pointer, text.encode(), b"formula", options, error)
        if result == ffi.NULL:
            raise error_of(error)
        found = Handle(result, lib.rw_result_free, rewriter)
        return Formula(found.pointer, database, text)


def formula_text(text: Any) -> str:
    """The text of whatever `formula` accepts."""
    if isinstance(text, str):
        return text
    if is_expression(text):
        return from_sympy(text)
    raise TypeError("a formula is a text or an expression of SymPy, not %s" % type(text).__name__)
