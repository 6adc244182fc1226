# SPDX-License-Identifier: Apache-2.0
"""Formulas without sizes, from and to SymPy.

Symbols are read as real numbers, whatever SymPy assumes of them.  What SymPy knows of their signs is given.
"""

from __future__ import annotations

import re
from typing import Any, Callable, Dict, List, Mapping, Optional, Tuple

from . import errors

__all__ = ["from_sympy", "to_sympy"]

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,63}\Z")
_SAME = {"exp": "exp", "log": "log", "sin": "sin", "cos": "cos", "tan": "tan", "tanh": "tanh", "erf": "erf",
         "Abs": "abs", "sign": "sign", "floor": "floor", "ceiling": "ceil"}
_WRITTEN_OUT: Dict[str, str] = {
    "sinh": "((exp({0}) - exp(-({0})))/2)", "cosh": "((exp({0}) + exp(-({0})))/2)", "cot": "(1/tan({0}))",
    "sec": "(1/cos({0}))", "csc": "(1/sin({0}))", "erfc": "(1 - erf({0}))", "coth": "(1/tanh({0}))"}
_TAKEN = {"pi", "log2e", "true", "false", "N", "eps", "and", "or", "not", "given", "let", "tensor", "scalar", "size"}
_RELATIONS = {"StrictLessThan": "<", "LessThan": "<=", "StrictGreaterThan": ">", "GreaterThan": ">=",
              "Equality": "==", "Unequality": "!="}


def is_expression(value: Any) -> bool:
    """An expression of SymPy; SymPy is not imported for that."""
    return any(kind.__module__.split(".")[0] == "sympy" and kind.__name__ == "Basic" for kind in type(value).__mro__)


def from_sympy(expression: Any) -> str:
    """The text of an expression of SymPy, with its names declared and what is known of their signs.

    >>> import sympy, rankwright
    >>> x = sympy.Symbol("x", positive=True)
    >>> rankwright.from_sympy(sympy.sqrt(x**2 + 2*x + 1, evaluate=False))
    'scalar x; given x > 0; sqrt(1 + x^2 + 2*x)'
    """
    if not is_expression(expression):
        raise TypeError("no expression of SymPy: %s" % type(expression).__name__)
    names = sorted(expression.free_symbols, key=lambda symbol: symbol.name)
    seen: Dict[str, Any] = {}
    for symbol in names:
        if not _NAME.match(symbol.name) or symbol.name in _TAKEN:
            raise errors.UsageError("%s is no name of the formula language" % symbol.name, file="formula",
                                    hint="rename it: names are letters, digits and _")
        if symbol.name in seen:
            raise errors.UsageError("two symbols are called %s" % symbol.name, file="formula")
        seen[symbol.name] = symbol
    parts = []
    if names:
        parts.append("scalar %s" % ", ".join(symbol.name for symbol in names))
    known = [fact for fact in map(_fact, names) if fact]
    if known:
        parts.append("given %s" % ", ".join(known))
    return "; ".join(parts + [_text(expression)])


def _fact(symbol: Any) -> str:
    for holds, text in ((symbol.is_positive, "> 0"), (symbol.is_negative, "< 0"), (symbol.is_nonnegative, ">= 0"),
                        (symbol.is_nonpositive, "<= 0"), (symbol.is_nonzero, "!= 0")):
        if holds:
            return "%s %s" % (symbol.name, text)
    return ""


def _refuse(expression: Any, hint: str = "") -> errors.UsageError:
    return errors.UsageError("the formula language has no %s" % type(expression).__name__, file="formula",
                             hint=hint or "formulas are about real numbers, see docs/formulas.md")


def _text(e: Any) -> str:
    """An operand; sums and quotients of it need parentheses."""
    kind = type(e).__name__
    if e.is_Symbol:
        return e.name
    if e.is_Rational:
        return str(e.p) if e.q == 1 and e.p >= 0 else "(%s)" % e
    if e.is_Float:
        return _decimal(e)
    if kind == "Pi":
        return "pi"
    if kind == "Exp1":
        return "exp(1)"
    if kind in ("BooleanTrue", "BooleanFalse"):
        return "true" if e else "false"
    if e.is_Add:
        return " + ".join(_in_product(term) if term.is_Add else _text(term) for term in e.args)
    if e.is_Mul:
        return "*".join(map(_in_product, e.args))
    if e.is_Pow:
        return _power(*e.args)
    return _function(e, kind)


def _in_product(e: Any) -> str:
    text = _text(e)
    return "(%s)" % text if e.is_Add else text


def _decimal(e: Any) -> str:
    import sympy
    if not e.is_finite:
        raise _refuse(e)
    if e._prec <= 53:
        text = repr(float(e))
    else:
        text = str(sympy.Float(e, e._prec * 0.30103))
    return "(%s)" % text if text.startswith("-") else text


def _power(base: Any, exponent: Any) -> str:
    if exponent.is_Rational and exponent.q == 2 and abs(exponent.p) == 1:
        root = "sqrt(%s)" % _text(base)
        return root if exponent.p == 1 else "(1/%s)" % root
    if exponent.is_Integer and exponent.p == -1:
        return "(1/%s)" % _atom(base)
    return "%s^%s" % (_atom(base), _atom(exponent))


def _atom(e: Any) -> str:
    text = _text(e)
    return text if e.is_Symbol or e.is_Function or (e.is_Integer and e.p >= 0) or text.startswith("(") and \
        _closes(text) else "(%s)" % text


def _closes(text: str) -> bool:
    """The first parenthesis is closed by the last character."""
    depth = 0
    for i, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if depth == 0:
            return i == len(text) - 1
    return False


def _function(e: Any, kind: str) -> str:
    arguments = [_text(a) for a in e.args if not isinstance(a, tuple)] if kind != "Piecewise" else []
    if kind in _SAME and len(arguments) == 1:
        return "%s(%s)" % (_SAME[kind], arguments[0])
    if kind in _WRITTEN_OUT:
        return _WRITTEN_OUT[kind].format(arguments[0])
    if kind in ("Max", "Min"):
        return "%s(%s)" % (kind.lower(), ", ".join(arguments))
    if kind in _RELATIONS:
        return "(%s %s %s)" % (arguments[0], _RELATIONS[kind], arguments[1])
    if kind in ("And", "Or"):
        return "(%s)" % (" %s " % kind.lower()).join(arguments)
    if kind == "Not":
        return "(not %s)" % arguments[0]
    if kind == "Heaviside":
        raise _refuse(e, "write what it is at 0: Piecewise((0, x < 0), (1, True))")
    if kind == "Piecewise":
        return _cases(e)
    raise _refuse(e)


def _cases(e: Any) -> str:
    last = e.args[-1]
    if type(last.cond).__name__ != "BooleanTrue":
        raise errors.UsageError("a Piecewise without a last case has no value there", file="formula",
                                hint="add a pair (.., True)")
    text = _text(last.expr)
    for case in reversed(e.args[:-1]):
        text = "where(%s, %s, %s)" % (_text(case.cond), _text(case.expr), text)
    return text


# ---- to SymPy

_TOKEN = re.compile(r"\s*(\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?|[A-Za-z_]\w*|<=|>=|==|!=|[-+*/^()<>,])")
_LEVELS: List[Tuple[str, ...]] = [("or",), ("and",), ("not",), ("<", "<=", ">", ">=", "==", "!="), ("+", "-"),
                                  ("*", "/")]


def to_sympy(text: str, symbols: Optional[Mapping[str, Any]] = None) -> Any:
    """The expression of SymPy that a formula without sizes is.

    Args:
        text: the formula; names may be declared as scalars.
        symbols: for names; others become symbols that are real, with the sign that is given.

    >>> import rankwright
    >>> rankwright.to_sympy("x^2/(1 + exp(-x))")
    x**2/(1 + exp(-x))
    >>> rankwright.to_sympy("(1/3)^x")
    (1/3)**x
    """
    statements = [part.strip() for part in text.strip().rstrip(";").split(";")]
    known = dict(symbols or {})
    for statement in statements[:-1]:
        word = statement.split(None, 1)[0] if statement else ""
        if word == "given":
            _learn_signs(statement[len(word):], known)
        elif word != "scalar":
            raise errors.UsageError("SymPy has no formula with `%s`" % statement, file="formula",
                                    hint="formulas over axes have no SymPy form; only numbers do")
    return _Reader(statements[-1], known).whole()


def _learn_signs(facts: str, known: Dict[str, Any]) -> None:
    """Facts of another kind say nothing to SymPy."""
    import sympy
    signs = {"> 0": "positive", "< 0": "negative", ">= 0": "nonnegative", "<= 0": "nonpositive", "!= 0": "nonzero"}
    for fact in facts.split(","):
        name, _, rest = fact.strip().partition(" ")
        if rest in signs and _NAME.match(name) and name not in known:
            known[name] = sympy.Symbol(name, real=True, **{signs[rest]: True})


class _Reader:
    """Operators, loosest first, as docs/formulas.md has them."""

    def __init__(self, text: str, symbols: Mapping[str, Any]) -> None:
        import sympy
        self.sympy = sympy
        self.symbols = symbols
        self.tokens = self._split(text)
        self.at = 0

    def _split(self, text: str) -> List[str]:
        tokens, place, end = [], 0, len(text.rstrip())
        while place < end:
            found = _TOKEN.match(text, place)
            if not found:
                raise errors.UsageError("SymPy has no formula with %r" % text[place:end].strip()[:20], file="formula",
                                        hint="formulas over axes have no SymPy form; only numbers do")
            tokens.append(found[1])
            place = found.end()
        return tokens

    def peek(self, ahead: int = 0) -> str:
        return self.tokens[self.at + ahead] if self.at + ahead < len(self.tokens) else ""

    def take(self, wanted: str = "") -> str:
        token = self.peek()
        if not token or (wanted and token != wanted):
            raise errors.UsageError("expected %s, found %s" % (wanted or "a number", token or "the end"),
                                    file="formula")
        self.at += 1
        return token

    def whole(self) -> Any:
        result = self.level(0)
        if self.peek():
            raise errors.UsageError("unexpected %s" % self.peek(), file="formula")
        return result

    def level(self, n: int) -> Any:
        if n == len(_LEVELS):
            return self.signed()
        if _LEVELS[n] == ("not",):
            if self.peek() == "not":
                self.take()
                return self.sympy.Not(self.level(n))
            return self.level(n + 1)
        left = self.level(n + 1)
        while self.peek() in _LEVELS[n]:
            left = self.operator(self.take(), left, self.level(n + 1))
        return left

    def signed(self) -> Any:
        if self.peek() == "-":
            self.take()
            return -self.signed()
        return self.raised(self.atom())

    def raised(self, base: Any) -> Any:
        if self.peek() == "^":
            self.take()
            return self.sympy.Pow(base, self.signed())
        return base

    def operator(self, name: str, a: Any, b: Any) -> Any:
        s = self.sympy
        table: Dict[str, Callable[[Any, Any], Any]] = {
            "or": s.Or, "and": s.And, "<": s.Lt, "<=": s.Le, ">": s.Gt, ">=": s.Ge, "==": s.Eq, "!=": s.Ne,
            "+": lambda x, y: x + y, "-": lambda x, y: x - y, "*": lambda x, y: x * y, "/": lambda x, y: x / y}
        return table[name](a, b)

    def atom(self) -> Any:
        token = self.take()
        if token == "(":
            inner = self.level(0)
            self.take(")")
            return inner
        if token[0].isdigit() or token[0] == ".":
            return self.sympy.Rational(token)
        if not _NAME.match(token):
            raise errors.UsageError("unexpected %s" % token, file="formula")
        if self.peek() == "(":
            return self.call(token)
        constants = {"pi": self.sympy.pi, "log2e": 1 / self.sympy.log(2), "true": self.sympy.true,
                     "false": self.sympy.false}
        if token in constants:
            return constants[token]
        return self.symbols[token] if token in self.symbols else self.sympy.Symbol(token, real=True)

    def call(self, name: str) -> Any:
        s = self.sympy
        self.take("(")
        arguments = [self.level(0)]
        while self.peek() == ",":
            self.take()
            arguments.append(self.level(0))
        self.take(")")
        table: Dict[str, Callable[..., Any]] = {
            "exp": s.exp, "log": s.log, "sin": s.sin, "cos": s.cos, "tan": s.tan, "tanh": s.tanh, "erf": s.erf,
            "abs": s.Abs, "sign": s.sign, "floor": s.floor, "ceil": s.ceiling, "sqrt": s.sqrt,
            "max": s.Max, "min": s.Min, "pow": s.Pow, "expm1": lambda a: s.exp(a) - 1, "exp2": lambda a: 2**a,
            "log1p": lambda a: s.log(1 + a), "log2": lambda a: s.log(a) / s.log(2), "rsqrt": lambda a: 1 / s.sqrt(a),
            "cbrt": lambda a: s.sign(a) * s.Abs(a)**s.Rational(1, 3), "sigmoid": lambda a: 1 / (1 + s.exp(-a)),
            "where": lambda c, a, b: s.Piecewise((a, c), (b, True))}
        if name not in table or (name in ("max", "min") and len(arguments) < 2):
            raise errors.UsageError("SymPy has no %s of the formula language" % name, file="formula",
                                    hint="expand=True writes named functions out; formulas over axes have no SymPy form")
        return table[name](*arguments)
