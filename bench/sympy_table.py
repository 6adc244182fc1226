#!/usr/bin/env python3
"""rankwright simplify beside SymPy's simplify, as a table in Markdown.

  sympy_table.py RANKWRIGHT DATABASE >docs/sympy.md

The formulas of tests/formulas/textbook.tsv and tests/formulas/pairs.tsv that are about
numbers alone (SymPy has no sums over rows of any size) and have a textbook form that
costs less to read: the others are to stay what they are.  All are counted, each once;
100 of them, spread evenly, have a line in the table.  Names are real symbols there, and
what is given to be positive is declared so.  Needs SymPy.
"""
import ast
import csv
import glob
import json
import re
import signal
import subprocess
import sys

import sympy
from sympy import Abs, Max, Min, Piecewise, Rational, exp, log, sqrt

program, database = sys.argv[1:3]
DEFINITIONS = ",".join(sorted(glob.glob("rules/library/definitions/*.rw")))
SECONDS = 60
SHOWN = 100  # rows of the table


class Other(Exception):
    """Not about numbers alone."""


def sigmoid(a):
    return 1 / (1 + exp(-a))


FUNCTIONS = {
    "exp": exp, "log": log, "sqrt": sqrt, "abs": Abs, "tanh": sympy.tanh, "sin": sympy.sin,
    "cos": sympy.cos, "tan": sympy.tan, "erf": sympy.erf, "sign": sympy.sign, "sigmoid": sigmoid,
    "exp2": lambda a: 2 ** a, "log2": lambda a: log(a) / log(2), "rsqrt": lambda a: 1 / sqrt(a),
    "log1p": lambda a: log(1 + a), "expm1": lambda a: exp(a) - 1, "sq": lambda a: a ** 2,
    "pow": lambda a, b: a ** b, "max": Max, "min": Min, "relu": lambda a: Max(a, 0),
    "softplus": lambda a: log(1 + exp(a)), "normal_cdf": lambda a: (1 + sympy.erf(a / sqrt(2))) / 2,
    "where": lambda c, a, b: Piecewise((a, c), (b, True)),
}
COMPARED = {ast.Lt: sympy.Lt, ast.LtE: sympy.Le, ast.Gt: sympy.Gt, ast.GtE: sympy.Ge,
            ast.Eq: sympy.Eq, ast.NotEq: sympy.Ne}


class Reader:
    def __init__(self, text):
        self.lets, self.signs = {}, {}
        *statements, formula = [s.strip() for s in text.split(";")]
        for s in statements:
            word, _, rest = s.partition(" ")
            if word == "given":
                for c in rest.split(","):
                    m = re.fullmatch(r"\s*(\w+) (>=?) 0\s*", c)
                    if m:
                        self.signs[m.group(1)] = (
                            {"positive": True} if m.group(2) == ">" else {"nonnegative": True})
            elif word == "let":
                name, _, value = rest.partition("=")
                self.lets[name.strip()] = self.parse(value)
            elif word != "scalar":
                raise Other(word)
        self.expression = self.parse(formula)

    def parse(self, text):
        self.text = text.strip().replace("^", "**")
        return self.read(ast.parse(self.text, mode="eval").body)

    def read(self, n):
        if isinstance(n, ast.Constant):
            text = ast.get_source_segment(self.text, n)
            # Many digits stand for a constant that was rounded, a few for themselves.
            return Rational(text) if len(text) <= 12 else sympy.Float(text, 17)
        if isinstance(n, ast.Name):
            if n.id in self.lets:
                return self.lets[n.id]
            if n.id == "pi":
                return sympy.pi
            if n.id == "N":
                raise Other("rows")
            signs = {"positive": True} if n.id == "eps" else self.signs.get(n.id, {"real": True})
            return sympy.Symbol(n.id, **signs)
        if isinstance(n, ast.BinOp):
            a, b = self.read(n.left), self.read(n.right)
            return {ast.Add: lambda: a + b, ast.Sub: lambda: a - b, ast.Mult: lambda: a * b,
                    ast.Div: lambda: a / b, ast.Pow: lambda: a ** b}[type(n.op)]()
        if isinstance(n, ast.UnaryOp):
            return -self.read(n.operand)
        if isinstance(n, ast.Compare):
            return COMPARED[type(n.ops[0])](self.read(n.left), self.read(n.comparators[0]))
        if isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id in FUNCTIONS:
            if n.func.id in ("max", "min") and len(n.args) == 1:
                raise Other("rows")
            return FUNCTIONS[n.func.id](*[self.read(a) for a in n.args])
        raise Other(ast.dump(n)[:40])


class Text(sympy.printing.str.StrPrinter):
    """SymPy's own order and brackets, in the notation of formulas."""

    def _print_Pow(self, e, rational=False):
        if e.exp == Rational(1, 2):
            return "sqrt(%s)" % self._print(e.base)
        if e.exp == Rational(-1, 2):
            return "rsqrt(%s)" % self._print(e.base)
        if e.exp == 2:
            return "sq(%s)" % self._print(e.base)
        # As SymPy shows it in two dimensions; -1 is so in one dimension, too.
        if e.exp.is_Rational and e.exp < -1:
            return "1/%s" % self.parenthesize(1 / e, sympy.printing.precedence.PRECEDENCE["Pow"])
        return super()._print_Pow(e, rational=rational).replace("**", "^")

    def _print_Abs(self, e):
        return "abs(%s)" % self._print(e.args[0])

    def nested(self, name, args):
        out = self._print(args[0])
        for a in args[1:]:
            out = "%s(%s, %s)" % (name, out, self._print(a))
        return out

    def _print_Max(self, e):
        return self.nested("max", sorted(e.args, key=lambda a: (a.is_number, str(a))))

    def _print_Min(self, e):
        return self.nested("min", sorted(e.args, key=lambda a: (a.is_number, str(a))))

    def _print_Piecewise(self, e):
        out = self._print(e.args[-1].expr)
        for value, held in reversed(e.args[:-1]):
            out = "where(%s, %s, %s)" % (self._print(held), self._print(value), out)
        return out

    def _print_And(self, e):
        return " and ".join("(%s)" % self._print(a) for a in e.args)

    def _print_Or(self, e):
        return " or ".join("(%s)" % self._print(a) for a in e.args)

    def _print_Relational(self, e):
        return "%s %s %s" % (self._print(e.lhs), e.rel_op, self._print(e.rhs))

    def _print_exp(self, e):
        return "exp(%s)" % self._print(e.args[0])

    def _print_Exp1(self, e):
        return "exp(1)"


def late(*_):
    raise TimeoutError


def sympy_says(text):
    expression = Reader(text).expression
    signal.signal(signal.SIGALRM, late)
    signal.alarm(SECONDS)
    try:
        return Text().doprint(sympy.simplify(expression))
    except TimeoutError:
        return None
    finally:
        signal.alarm(0)


def simplify(text, *more):
    r = subprocess.run([program, "simplify", "-e", text, "--db", database, "--json", *more],
                       capture_output=True, text=True)
    return json.loads(r.stdout) if r.returncode == 0 else None


def statements(text):
    return "".join(s + "; " for s in text.split("; ")[:-1] if not s.startswith("let"))


def cost(text, *more):
    found = simplify(text, "--keep-constants", "--rules", DEFINITIONS, *more)
    return found["cost_before"] if found else None


def rows():
    """Name and formula of the pairs that are compared, each formula once."""
    seen = set()
    for path in ("tests/formulas/textbook.tsv", "tests/formulas/pairs.tsv"):
        with open(path) as f:
            table = csv.reader(f, delimiter="\t", quoting=csv.QUOTE_NONE)
            next(table)
            for name, text, natural, *_ in table:
                try:
                    Reader(text)
                except (Other, SyntaxError):
                    continue
                if text not in seen and cost(natural) < cost(text):
                    yield name, text
                seen.add(text)


def verdict(ours, theirs):
    return "=" if abs(ours - theirs) < 0.01 else "rankwright" if ours < theirs else "SymPy"


def cell(text):
    return "`%s`" % text.replace("|", "\\|")


def compare(name, text):
    """The verdict with names and without, and the line of the table."""
    theirs = sympy_says(text)
    ours, written = simplify(text), simplify(text, "--expand")
    price = cost(statements(text) + theirs) if theirs else float("inf")
    if price is None:
        sys.exit("%s: not read: %s" % (name, theirs))
    better = verdict(ours["cost_after"], price)
    # SymPy has no names for relu and the like: both are compared without them, too.
    bare = verdict(written["cost_after"], simplify(
        statements(text) + theirs, "--keep-constants", "--expand", "--rules",
        DEFINITIONS)["cost_after"] if theirs else price)
    held = ", where " + ", ".join(ours["conditions"]) if ours["conditions"] else ""
    return better, bare, "| %s | %s | %s%s | %s | %s | %s | %s | %s |" % (
        name, cell(text), cell(ours["formula"]), held, cell(theirs) if theirs else "no answer",
        "%g" % ours["cost_after"], "%g" % price if theirs else "-", better, bare)


found = [compare(*row) for row in rows()]
shown = [found[(2 * i + 1) * len(found) // (2 * SHOWN)] for i in range(SHOWN)]

print("""# Beside SymPy

What `rankwright simplify` and SymPy's `simplify` (SymPy %s) make of formulas: the pairs of
`tests/formulas/textbook.tsv` and `tests/formulas/pairs.tsv` that are about numbers alone, since SymPy has no sums over
rows of any size, and whose textbook form costs less to read than the formula. `bench/sympy_table.py` makes this page.
All %d are counted; the table below has %d of them, spread evenly.

The measure is [what it costs to read](formulas.md#what-it-costs-to-read); SymPy's results are read in the notation of
formulas, where its squares and roots are `sq` and `sqrt`, and its negative powers quotients. SymPy has no names for
`relu` or `gelu`; the last columns compare the results of `--expand`, which has none either, with SymPy's. SymPy had %d
seconds for each formula. Where both reach the shortest form, as `tanh(x)` or `sq(y)`, they are the same.

| less to read | all | of 100 | in the table | all, without names | in the table |
|---|---|---|---|---|---|""" % (sympy.__version__, len(found), SHOWN, SECONDS))
for who, says in (("rankwright", "rankwright"), ("=", "the same"), ("SymPy", "SymPy")):
    named, bare, table = ([row[k] for row in rows].count(who) for k, rows in (
        (0, found), (1, found), (0, shown)))
    print("| %s | %d | %.1f | %d | %d | %d |" % (
        says, named, 100 * named / len(found), table, bare, [row[1] for row in shown].count(who)))
print("""
| | formula | rankwright | SymPy | cost | cost | less to read | without names |
|---|---|---|---|---|---|---|---|""")
print("\n".join(row[2] for row in shown))
