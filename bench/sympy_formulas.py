"""Formulas as SymPy says them, and back.

A row is an Indexed of an IndexedBase, and a reduction of it a Sum or a Product over its
index, from 0 to the size less 1.  Maxima of rows, and what needs their order, SymPy cannot
say.  Which names are rows, and their axes, rankwright says: its declarations are read.
"""
import ast
import re

import sympy
from sympy import Abs, Max, Min, Piecewise, Rational, exp, log, sqrt


class Other(Exception):
    """What SymPy cannot say, or formulas cannot."""


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




def size(axis):
    return sympy.Symbol("size(%s)" % axis, integer=True, positive=True)


def index(name):
    return sympy.Symbol(name, integer=True, nonnegative=True)


def sums_within(e):
    """How many sums and products stand within each other."""
    within = max((sums_within(a) for a in e.args), default=0)
    return within + isinstance(e, (sympy.Sum, sympy.Product))


def renamed(e):
    """Sums that SymPy took apart or merged, with their indices named again: equal ones meet."""
    if not e.args or isinstance(e, sympy.Indexed):
        return e
    if not isinstance(e, (sympy.Sum, sympy.Product)):
        return e.func(*[renamed(a) for a in e.args])
    body, limits = renamed(e.function), e.limits
    if len(limits) == 1:
        bound, low, high = limits[0]
        new = index("%s%d" % (str(bound).rstrip("0123456789"), sums_within(body) + 1))
        if new not in body.free_symbols:
            body, limits = body.xreplace({bound: new}), [(new, low, high)]
    return e.func(body, *limits)


class Value:
    """An expression, and its axes by position; None is one of extent 1."""

    def __init__(self, expression, axes=()):
        self.expression, self.axes = sympy.sympify(expression), tuple(axes)


def together(function, *values):
    """Elementwise: axes meet from the last one on."""
    n = max(len(v.axes) for v in values)
    axes = []
    for at in zip(*[(None,) * (n - len(v.axes)) + v.axes for v in values]):
        named = {a for a in at if a is not None}
        if len(named) > 1:
            raise Other("two sizes")
        axes.append(named.pop() if named else None)
    named = [a for a in axes if a is not None]
    if len(set(named)) < len(named):
        raise Other("one size in two ways")
    return Value(function(*[v.expression for v in values]), axes)


class Reader:
    """The formula behind the statements, as an expression of SymPy."""

    def __init__(self, text, declared):
        self.lets, self.signs, self.tensors, self.axis = {}, {}, {}, {}
        for name, axes in re.findall(r"(\w+)\[([\w, ]+)\]", " ".join(
                d for d in declared if d.startswith("tensor"))):
            self.tensors[name] = [a.strip() for a in axes.split(",")]
            self.axis.update({a: a for a in self.tensors[name]})
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
            elif word not in ("scalar", "tensor"):
                raise Other(word)
        self.expression = self.parse(formula).expression

    def parse(self, text):
        self.text = text.strip().replace("^", "**")
        return self.read(ast.parse(self.text, mode="eval").body)

    def symbol(self, name):
        signs = {"positive": True} if name == "eps" else self.signs.get(name, {"real": True})
        if name not in self.tensors:
            return Value(sympy.Symbol(name, **signs))
        axes = self.tensors[name]
        return Value(sympy.IndexedBase(name, **signs)[tuple(map(index, axes))], axes)

    def name(self, name):
        if name in self.lets:
            return self.lets[name]
        if name == "pi":
            return Value(sympy.pi)
        if name == "N" and name not in self.tensors:
            last = {axes[-1] for axes in self.tensors.values()}
            if len(last) != 1:
                raise Other("which size")
            return Value(size(last.pop()))
        return self.symbol(name)

    def elements(self, n):
        """x[i, j]: an axis at the place of another has its size."""
        at = n.slice.elts if isinstance(n.slice, ast.Tuple) else [n.slice]
        axes = self.tensors.get(n.value.id)
        if axes is None or len(axes) != len(at) or not all(isinstance(a, ast.Name) for a in at):
            raise Other("elements")
        self.axis.update({a.id: b for a, b in zip(at, axes) if a.id not in self.axis})
        places = dict(zip(map(index, axes), [index(a.id) for a in at]))
        return Value(self.symbol(n.value.id).expression.xreplace(places))

    def over(self, e, axis, reduction=sympy.Sum):
        """Equal sums have equal indices: named by how many sums stand within."""
        if axis not in self.axis:
            raise Other("axis")
        bound = index("%s%d" % (self.axis[axis], sums_within(e) + 1))
        return reduction(e.xreplace({index(axis): bound}), (bound, 0, size(self.axis[axis]) - 1))

    def reduced(self, v, axes, reduction=sympy.Sum):
        """By position the last axis stays, with extent 1; by name the axes are gone."""
        if axes is None:
            if not v.axes or v.axes[-1] is None:
                raise Other("no row")
            return Value(self.over(v.expression, v.axes[-1], reduction), v.axes[:-1] + (None,))
        e = v.expression
        for a in axes:
            e = self.over(e, a, reduction)
        return Value(e, [a for a in v.axes if a not in axes])

    def mean(self, v, axes):
        n = sympy.Mul(*[size(self.axis.get(a, a)) for a in axes or v.axes[-1:]])
        return together(lambda e: e / n, self.reduced(v, axes))

    def var(self, v, axes):
        return self.mean(together(lambda a, m: (a - m) ** 2, v, self.mean(v, axes)), axes)

    def reduction(self, name, v, axes):
        if name == "sum":
            return self.reduced(v, axes)
        if name == "prod":
            return self.reduced(v, axes, sympy.Product)
        if name == "mean":
            return self.mean(v, axes)
        if name in ("var", "std"):
            return together(sqrt if name == "std" else lambda e: e, self.var(v, axes))
        if name == "norm":
            return together(sqrt, self.reduced(together(lambda e: e ** 2, v), axes))
        if name == "softmax":
            e = together(exp, v)
            return together(lambda a, b: a / b, e, self.reduced(e, axes))
        raise Other("%s of a row" % name)

    def matmul(self, a, b):
        if len(a.axes) != 2 or len(b.axes) != 2 or a.axes[1] is None or a.axes[1] != b.axes[0]:
            raise Other("matrices")
        axes = (a.axes[0], b.axes[1])
        if None in axes or axes[0] == axes[1]:
            raise Other("one size in two ways")
        return Value(self.over(a.expression * b.expression, a.axes[1]), axes)

    def call(self, n):
        args, axes, f = n.args, None, n.func
        if isinstance(f, ast.Subscript):
            at = f.slice.elts if isinstance(f.slice, ast.Tuple) else [f.slice]
            axes, f = [a.id for a in at], f.value
        name = f.id
        if name == "size" and axes is None:
            return Value(sympy.Mul(*[size(a.id) for a in args]))
        args = [self.read(a) for a in args]
        if name == "matmul":
            return self.matmul(*args)
        if name == "tr" and len(args[0].axes) == 2:
            return Value(args[0].expression, args[0].axes[::-1])
        if name in FUNCTIONS and axes is None and not (name in ("max", "min") and len(args) == 1):
            return together(FUNCTIONS[name], *args)
        if len(args) != 1:
            raise Other(name)
        return self.reduction(name, args[0], axes)

    def read(self, n):
        if isinstance(n, ast.Constant):
            text = ast.get_source_segment(self.text, n)
            # Many digits stand for a constant that was rounded, a few for themselves.
            return Value(Rational(text) if len(text) <= 12 else sympy.Float(text, 17))
        if isinstance(n, ast.Name):
            return self.name(n.id)
        if isinstance(n, ast.BinOp):
            return together({ast.Add: lambda a, b: a + b, ast.Sub: lambda a, b: a - b,
                             ast.Mult: lambda a, b: a * b, ast.Div: lambda a, b: a / b,
                             ast.Pow: lambda a, b: a ** b}[type(n.op)],
                            self.read(n.left), self.read(n.right))
        if isinstance(n, ast.UnaryOp) and isinstance(n.op, ast.USub):
            return together(lambda a: -a, self.read(n.operand))
        if isinstance(n, ast.Compare):
            return together(COMPARED[type(n.ops[0])], self.read(n.left),
                            self.read(n.comparators[0]))
        if isinstance(n, ast.Subscript):
            return self.elements(n)
        if isinstance(n, ast.Call):
            return self.call(n)
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

    def reduction(self, name, e):
        out = self._print(e.function)
        for bound, low, high in e.limits:
            if low != 0 or high != size(str(bound).rstrip("0123456789")) - 1:
                raise Other("part of a row")
            out = "%s[%s](%s)" % (name, bound, out)
        return out

    def _print_Sum(self, e):
        return self.reduction("sum", e)

    def _print_Product(self, e):
        return self.reduction("prod", e)

    def _print_Indexed(self, e):
        if not all(i.is_Symbol for i in e.indices):
            raise Other("another place")
        return "%s[%s]" % (e.base, ", ".join(map(str, e.indices)))

    def _print_exp(self, e):
        return "exp(%s)" % self._print(e.args[0])

    def _print_Exp1(self, e):
        return "exp(1)"
