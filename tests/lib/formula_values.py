"""Formulas evaluated by mpmath, from their texts alone: nothing is shared with the program.

A value is a function of the indices of axes: Value.axes in their order, `flat` for
those that a reduction by position left with one index.
"""
import ast
import re
from mpmath import mp, mpf

mp.dps = 60
NEAR = mpf(10) ** -45


class NoValue(Exception):
    """Of a formula at these numbers."""


class NotUnderstood(Exception):
    """By this evaluator."""


def need(held):
    if not held:
        raise NoValue


def quotient(a, b):
    need(b != 0)
    return a / b


def power(a, b):
    whole = b == mp.floor(b)
    if not whole:
        need(a >= 0 if b > 0 else a > 0)
    elif b < 0:
        need(a != 0)
    if whole and abs(b) < 1000:
        return a ** int(b)
    return mp.mpf(0) if a == 0 else mp.exp(b * mp.log(a))


def log(a):
    need(a > 0)
    return mp.log(a)


def sqrt(a):
    need(a >= 0)
    return mp.sqrt(a)


def exp(a):
    if a > 100000:
        raise NotUnderstood("large")
    return mp.exp(a)


def tan(a):
    need(mp.cos(a) != 0)
    return mp.tan(a)


def erf(a):
    return mp.erf(a)


def sigmoid(a):
    return 1 / (1 + exp(-a)) if a > -100000 else mpf(0)


def softplus(a):
    return mp.log1p(exp(a)) if a < 100000 else a


def sign(a):
    if a != 0 and abs(a) < NEAR:
        raise NotUnderstood("a tie")
    return mpf((a > 0) - (a < 0))


def compared(f):
    """Numbers that rounding may have exchanged say nothing."""
    def compare(a, b):
        if a != b and abs(a - b) < NEAR * max(mpf(1), abs(a), abs(b)):
            raise NotUnderstood("a tie")
        return f(a, b)
    return compare


def where(c, a, b):
    return a if c else b


def celu(a, c):
    return a if a > 0 else c * (exp(quotient(a, c)) - 1)


def soft_shrink(a, c):
    return sign(a) * max(abs(a) - c, mpf(0))


def huber(a, d):
    return a * a / 2 if abs(a) <= d else d * (abs(a) - d / 2)


def smooth_l1(a, d):
    return quotient(a * a, 2 * d) if abs(a) < d else abs(a) - d / 2


def cross(a, b):
    return -(b * log(a) + (1 - b) * log(1 - a))


def log1p(a):
    need(a > -1)
    return mp.log1p(a)


NUMBERS = {
    "exp": exp, "expm1": lambda a: mp.expm1(a), "exp2": lambda a: exp(a * mp.log(2)),
    "log": log, "log1p": log1p, "log2": lambda a: log(a) / mp.log(2),
    "sqrt": sqrt, "rsqrt": lambda a: quotient(mpf(1), sqrt(a)),
    "cbrt": lambda a: sign(a) * mp.cbrt(abs(a)),
    "sin": mp.sin, "cos": mp.cos, "tan": tan, "tanh": mp.tanh, "erf": erf,
    "sigmoid": sigmoid, "abs": abs, "sign": sign, "floor": mp.floor, "ceil": mp.ceil,
    "pow": power, "sq": lambda a: a * a, "sinh": mp.sinh, "cosh": mp.cosh,
    "asinh": mp.asinh, "atanh": lambda a: log(quotient(1 + a, 1 - a)) / 2,
    "logit": lambda a: log(quotient(a, 1 - a)),
    "normal_pdf": lambda a: exp(-a * a / 2) / mp.sqrt(2 * mp.pi),
    "normal_cdf": lambda a: (1 + erf(a / mp.sqrt(2))) / 2,
    "clip": lambda a, b, c: min(max(a, b), c),
    "logaddexp": lambda a, b: mp.log(exp(a) + exp(b)),
    "relu": lambda a: max(a, mpf(0)), "relu6": lambda a: min(max(a, mpf(0)), mpf(6)),
    "leaky_relu": lambda a, c: a if a > 0 else c * a,
    "elu": lambda a: a if a > 0 else exp(a) - 1, "celu": celu,
    "selu": lambda a: mpf("1.0507009873554805") * (
        a if a > 0 else mpf("1.6732632423543772") * (exp(a) - 1)),
    "softplus": softplus, "log_sigmoid": lambda a: -softplus(-a),
    "silu": lambda a: a * sigmoid(a), "mish": lambda a: a * mp.tanh(softplus(a)),
    "gelu": lambda a: a * (1 + erf(a / mp.sqrt(2))) / 2,
    "gelu_tanh": lambda a: a / 2 * (1 + mp.tanh(
        mp.sqrt(2 / mp.pi) * (a + mpf("0.044715") * a ** 3))),
    "hard_sigmoid": lambda a: min(max(a + 3, mpf(0)), mpf(6)) / 6,
    "hard_swish": lambda a: a * min(max(a + 3, mpf(0)), mpf(6)) / 6,
    "hard_tanh": lambda a: min(max(a, mpf(-1)), mpf(1)), "soft_shrink": soft_shrink,
    "tanh_shrink": lambda a: a - mp.tanh(a), "softsign": lambda a: a / (1 + abs(a)),
    "huber": huber, "smooth_l1": smooth_l1, "binary_cross_entropy": cross,
    "binary_cross_entropy_with_logits": lambda a, b: softplus(a) - a * b,
}


def total(list_):
    return mp.fsum(list_)


def product(list_):
    out = mpf(1)
    for x in list_:
        out *= x
    return out


def mean(a):
    return total(a) / len(a)


def deviations(a):
    m = mean(a)
    return total((x - m) ** 2 for x in a)


def logsumexp(a):
    return mp.log(total(exp(x) for x in a))


# Along axes: from the rows of the arguments to a number, or to a row.
FOLDS = {
    "sum": total, "prod": product, "mean": mean, "any": any, "all": all,
    "var": lambda a: deviations(a) / len(a), "std": lambda a: mp.sqrt(deviations(a) / len(a)),
    "sample_var": lambda a: quotient(deviations(a), mpf(len(a) - 1)),
    "sample_std": lambda a: mp.sqrt(quotient(deviations(a), mpf(len(a) - 1))),
    "norm": lambda a: mp.sqrt(total(x * x for x in a)),
    "rms": lambda a: mp.sqrt(total(x * x for x in a) / len(a)),
    "logsumexp": logsumexp,
    "mse": lambda a, b: total((x - y) ** 2 for x, y in zip(a, b)) / len(a),
    "covariance": lambda a, b: total(
        (x - mean(a)) * (y - mean(b)) for x, y in zip(a, b)) / len(a),
    "sample_covariance": lambda a, b: quotient(total(
        (x - mean(a)) * (y - mean(b)) for x, y in zip(a, b)), mpf(len(a) - 1)),
    "entropy": lambda a: -total(x * log(x) for x in a),
    "cross_entropy": lambda a, b: -total(x * log(y) for x, y in zip(a, b)),
    "kl_divergence": lambda a, b: total(x * (log(x) - log(y)) for x, y in zip(a, b)),
    "cosine_similarity": lambda a, b: quotient(
        total(x * y for x, y in zip(a, b)),
        mp.sqrt(total(x * x for x in a)) * mp.sqrt(total(y * y for y in b))),
}
ROWS = {
    "softmax": lambda a, k: exp(a[k]) / total(exp(x) for x in a),
    "masked_softmax": lambda c, a, k: quotient(
        exp(a[k]) if c[k] else mpf(0), total(exp(x) for p, x in zip(c, a) if p)),
    "softmin": lambda a, k: exp(-a[k]) / total(exp(-x) for x in a),
    "log_softmax": lambda a, k: a[k] - logsumexp(a),
    "standardize": lambda a, f, k: quotient(
        a[k] - mean(a), sqrt(deviations(a) / len(a) + f[k])),
    "layer_norm": lambda a, b, c, f, k: quotient(
        a[k] - mean(a), sqrt(deviations(a) / len(a) + f[k])) * b[k] + c[k],
    "rms_norm": lambda a, b, f, k: quotient(
        a[k], sqrt(total(x * x for x in a) / len(a) + f[k])) * b[k],
}
OPERATORS = {
    ast.Add: lambda a, b: a + b, ast.Sub: lambda a, b: a - b, ast.Mult: lambda a, b: a * b,
    ast.Div: quotient, ast.Pow: power,
    ast.Lt: compared(lambda a, b: a < b), ast.LtE: compared(lambda a, b: a <= b), ast.Gt: compared(lambda a, b: a > b),
    ast.GtE: compared(lambda a, b: a >= b), ast.Eq: compared(lambda a, b: a == b), ast.NotEq: compared(lambda a, b: a != b),
}


class Value:
    def __init__(self, axes, at, flat=()):
        self.axes, self.at, self.flat = list(axes), at, set(flat)


def union(values):
    axes = []
    for v in sorted(values, key=lambda v: -len(v.axes)):
        axes += [a for a in v.axes if a not in axes]
    return axes, set.intersection(*[v.flat | (set(axes) - set(v.axes)) for v in values]) & set(axes)


class Reader:
    """declared: name -> axes; sizes: axis -> size; data: name -> dict from indices."""

    def __init__(self, declared, sizes, data, last):
        self.declared, self.sizes, self.data, self.last = declared, sizes, data, last

    def name(self, text):
        if text in self.declared:
            axes = self.declared[text]
            return Value(axes, lambda env: self.data[text][tuple(env[a] for a in axes)])
        if text == "N":
            return Value([], lambda env: mpf(self.sizes[self.last]))
        constant = {"pi": lambda: +mp.pi, "log2e": lambda: 1 / mp.log(2),
                    "true": lambda: True, "false": lambda: False}.get(text)
        if constant is None:
            raise NotUnderstood(text)
        return Value([], lambda env: constant())

    def pointwise(self, f, values):
        axes, flat = union(values)
        return Value(axes, lambda env: f(*[v.at(env) for v in values]), flat)

    def along(self, name, axes, values):
        whole = axes is None
        all_axes, flat = union(values)
        if whole:
            if not all_axes:
                raise NotUnderstood("a row of a number")
            axes = all_axes[-1:]
        run = [a for a in axes if not whole or a not in flat]

        def rows(env):
            envs = [dict(env)]
            for a in run:
                envs = [dict(e, **{a: k}) for e in envs for k in range(self.sizes[a])]
            return [[v.at(e) for e in envs] for v in values], envs

        if name in FOLDS or name in ("max", "min"):
            fold = FOLDS.get(name) or {"max": max, "min": min}[name]
            return Value(all_axes if whole else [a for a in all_axes if a not in axes],
                         lambda env: fold(*rows(env)[0]), flat | set(axes) if whole else flat)

        def element(env):
            lists, envs = rows(env)
            k = next(k for k, e in enumerate(envs) if all(e[a] == env.get(a, e[a]) for a in run))
            return ROWS[name](*lists, k)
        return Value(all_axes, element, flat)

    def call(self, node):
        axes, f = None, node.func
        if isinstance(f, ast.Subscript):
            inner = f.slice.elts if isinstance(f.slice, ast.Tuple) else [f.slice]
            axes, f = [a.id for a in inner], f.value
        name = f.id
        if name == "size":
            return Value([], lambda env: product(mpf(self.sizes[a.id]) for a in node.args))
        values = [self.read(a) for a in node.args]
        if name == "tr":
            a = values[0]
            return Value(a.axes[:-2] + a.axes[:-3:-1], a.at, a.flat)
        if name == "where":
            c, a, b = values
            out = self.pointwise(where, values)
            out.at = lambda env: a.at(env) if c.at(env) else b.at(env)
            return out
        if name in ("max", "min") and len(values) > 1:
            return self.pointwise(max if name == "max" else min, values)
        if name in FOLDS or name in ROWS or name in ("max", "min"):
            return self.along(name, axes, values)
        if name not in NUMBERS:
            raise NotUnderstood(name)
        return self.pointwise(NUMBERS[name], values)

    def read(self, node):
        if isinstance(node, ast.Constant):
            value = mpf(node.value) if isinstance(node.value, int) else mpf(self.digits[node.col_offset])
            return Value([], lambda env: value)
        if isinstance(node, ast.Name):
            return self.name(node.id)
        if isinstance(node, ast.Subscript):
            axes = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            axes, own, data = [a.id for a in axes], node.value.id, self.data
            return Value(axes, lambda env: data[own][tuple(env[a] for a in axes)])
        if isinstance(node, ast.BinOp):
            return self.pointwise(OPERATORS[type(node.op)], [self.read(node.left), self.read(node.right)])
        if isinstance(node, ast.UnaryOp):
            f = (lambda a: -a) if isinstance(node.op, ast.USub) else (lambda a: not a)
            return self.pointwise(f, [self.read(node.operand)])
        if isinstance(node, ast.Compare):
            first, rest = self.read(node.left), [self.read(c) for c in node.comparators]
            if len(rest) > 1:
                raise NotUnderstood("a chain")
            return self.pointwise(OPERATORS[type(node.ops[0])], [first, rest[0]])
        if isinstance(node, ast.BoolOp):
            values, stop = [self.read(v) for v in node.values], isinstance(node.op, ast.Or)
            out = self.pointwise(lambda *a: a, values)
            out.at = lambda env: next((stop for v in values if v.at(env) == stop), not stop)
            return out
        if isinstance(node, ast.Call):
            return self.call(node)
        raise NotUnderstood(type(node).__name__)

    def value(self, text):
        text = re.sub(r"(\d)\.(?=\D|$)", r"\1.0", text.replace("^", "**"))
        self.digits = {m.start(): m.group(0)
                       for m in re.finditer(r"(?:\d+\.\d*|\.\d+|\d+)(?:[eE][+-]?\d+)?", text)}
        return self.read(ast.parse(text, mode="eval").body)

    def elements(self, text):
        """All elements, by their indices."""
        value = self.value(text)
        envs = [{}]
        for a in value.axes:
            n = 1 if a in value.flat else self.sizes[a]
            envs = [dict(e, **{a: k}) for e in envs for k in range(n)]
        return value, [(e, value.at(e)) for e in envs]
