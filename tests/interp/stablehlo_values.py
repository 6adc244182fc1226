#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the interpreter against the values in StableHLO's own tests.

usage: stablehlo_values.py DIR RANKWRIGHT

DIR holds the files stablehlo/tests/interpret/*.mlir of a StableHLO checkout.
Each function there that ends in checks against constants

    check.expect_eq_const %x, dense<...> : type
    check.expect_almost_eq_const %x, dense<...> : type {tolerance = 0.1 : f64}

is rewritten to return %x, evaluated by `RANKWRIGHT eval FILE --function NAME`,
and the printed values are compared with the constants: bit for bit, or within
the check's own tolerance (absolute, 1e-4 by default); every NaN equals every NaN.

Prints one line a file: functions that agree, how many of those in every bit
(the others are within the tolerance), functions that differ, and functions that use operators, element types or
constructs which the interpreter has no meaning for.  Exit status: 0 all agree,
1 something differs, 2 nothing could be compared.
"""
import math
import os
import re
import subprocess
import sys
import tempfile
from fractions import Fraction

OPERATORS = set("""
constant iota abs cbrt ceil cosine count_leading_zeros exponential
exponential_minus_one floor log log_plus_one logistic negate not popcnt
round_nearest_afz round_nearest_even rsqrt sign sine sqrt tan tanh add and
atan2 divide maximum minimum multiply or power remainder shift_left
shift_right_arithmetic shift_right_logical subtract xor is_finite compare
select clamp convert broadcast_in_dim transpose reverse slice pad concatenate
reduce dot_general convolution reduce_window dynamic_slice dynamic_update_slice
gather scatter reshape bitcast_convert return
""".split())

INTEGERS = {f"{sign}{bits}": bits for sign in ("i", "ui")
            for bits in (2, 4, 8, 16, 32, 64)}
INTEGERS["i1"] = 1
# Digits of the significand, least exponent of a normal number, total bits.
FLOATS = {"f16": (11, -14, 16), "bf16": (8, -126, 16),
          "f32": (24, -126, 32), "f64": (53, -1022, 64)}

CHECK = re.compile(r"check\.expect_(almost_)?eq_const\s+(%[\w$.#-]+)\s*,\s*")
FUNCTION = re.compile(r"func\.func\s+(?:(?:public|private|nested)\s+)?"
                      r"@([\w$.-]+)\s*\(")
OPERATOR = re.compile(r"\b(stablehlo|chlo|check|interpreter|func|tensor|arith)"
                      r"\.(\w+)")


class NotApplicable(Exception):
    """The function is outside what can be compared; the text says why."""


def without_comments(text):
    out = []
    for line in text.split("\n"):
        parts = re.split(r'("(?:[^"\\]|\\.)*")', line)
        kept = []
        for part in parts:
            if not part.startswith('"') and "//" in part:
                kept.append(part.split("//", 1)[0])
                break
            kept.append(part)
        out.append("".join(kept))
    return "\n".join(out)


def closing(text, start, pairs="<>"):
    """Position of the bracket that closes the one at `start`."""
    depth = 0
    i = start
    while i < len(text):
        if text[i] == '"':
            i = text.index('"', i + 1)
        elif text[i] == "-" and text[i + 1:i + 2] == ">":
            i += 1  # an arrow is no bracket
        elif text[i] == pairs[0]:
            depth += 1
        elif text[i] == pairs[1]:
            depth -= 1
            if depth == 0:
                return i
        i += 1
    raise NotApplicable("unbalanced brackets")


def dense_at(text, start):
    """The constant `dense<...> : type` at `start`: (body, type, end)."""
    if not text.startswith("dense<", start):
        raise NotApplicable("not a dense constant")
    end = closing(text, start + 5)
    match = re.compile(r"\s*:\s*tensor<").match(text, end + 1)
    if not match:
        raise NotApplicable("not a constant of tensor type")
    last = closing(text, match.end() - 1)
    return (text[start + 6:end], text[match.end() - len("tensor<"):last + 1],
            last + 1)


def split_type(text):
    """tensor<2x3xf32> as ([2, 3], "f32")."""
    match = re.fullmatch(r"tensor<((?:\d+x)*)(.*)>", text.strip(), re.S)
    if not match or match.group(2) not in INTEGERS.keys() | FLOATS.keys():
        raise NotApplicable("type " + text)
    return [int(d) for d in match.group(1).split("x") if d], match.group(2)


def float_bits(value, elem):
    """Bits of the float nearest to a Fraction, inf and overflow included."""
    digits, least, bits = FLOATS[elem]
    negative, value = value < 0, abs(value)
    sign = 1 << (bits - 1) if negative else 0
    infinity = ((1 << (bits - digits)) - 1) << (digits - 1)
    if value == 0:
        return sign
    exponent = value.numerator.bit_length() - value.denominator.bit_length()
    if Fraction(2) ** exponent > value:
        exponent -= 1
    exponent = max(exponent, least)
    units = round(value / Fraction(2) ** (exponent - digits + 1))
    # Adding the units to the exponent field carries by itself.
    whole = ((exponent - least) << (digits - 1)) + units
    return sign | min(whole, infinity)


def float_of_bits(raw, elem):
    digits, least, bits = FLOATS[elem]
    sign = -1.0 if raw >> (bits - 1) & 1 else 1.0
    fraction = raw & ((1 << (digits - 1)) - 1)
    field = (raw & ((1 << (bits - 1)) - 1)) >> (digits - 1)
    if field == (1 << (bits - digits)) - 1:
        return math.nan if fraction else sign * math.inf
    if field:
        fraction += 1 << (digits - 1)
        field -= 1
    return sign * math.ldexp(fraction, field + least - digits + 1)


def element(token, elem):
    """The bits of one element."""
    if elem in FLOATS:
        if token.lower().startswith("0x"):
            return int(token, 16)
        bits = float_bits(Fraction(token), elem)
        top = 1 << (FLOATS[elem][2] - 1)
        return bits | top if token.startswith("-") else bits
    if token in ("true", "false"):
        return int(token == "true")
    return int(token, 0) % (1 << INTEGERS[elem])


def elements(body, type_text):
    """The elements of a dense constant, row-major."""
    dims, elem = split_type(type_text)
    count = math.prod(dims)
    body = body.strip()
    if body.startswith('"') or "(" in body:
        raise NotApplicable("constant in hexadecimal or complex")
    tokens = re.findall(r"[^\s\[\],]+", body)
    values = [element(t, elem) for t in tokens]
    if len(values) == 1 and not body.startswith("["):
        values *= count
    if len(values) != count:
        raise ValueError(f"{len(values)} elements for {type_text}")
    return values


def differences(expected, printed, almost, tolerance):
    """(index, expected, found) of elements that differ; and bitwise equality."""
    if expected[1] != printed[1]:
        return [("type", expected[1], printed[1])], False
    elem = split_type(expected[1])[1]
    out, same = [], True
    for i, (x, y) in enumerate(zip(elements(*expected), elements(*printed))):
        if x == y:
            continue
        if elem in FLOATS:
            x, y = float_of_bits(x, elem), float_of_bits(y, elem)
            if math.isnan(x) and math.isnan(y):
                continue
        same = False
        if not (almost and elem in FLOATS and abs(x - y) <= tolerance):
            out.append((i, x, y))
    return out, same


class Function:
    def __init__(self, chunk, match):
        self.name = match.group(1)
        close = closing(chunk, match.end() - 1, "()")
        self.arguments = chunk[match.end():close].strip()
        open_brace = chunk.index("{", close)
        self.result = chunk[close + 1:open_brace].strip()
        self.head = (close + 1, open_brace)
        self.body = (open_brace, closing(chunk, open_brace, "{}") + 1)

    def checks(self, chunk):
        """(start, end, value, almost, tolerance, constant) of each check."""
        out, at = [], self.body[0]
        while match := CHECK.search(chunk, at, self.body[1]):
            body, type_text, at = dense_at(chunk, match.end())
            extra = re.compile(r"\s*,?\s*\{?\s*tolerance\s*=\s*([0-9.eE+-]+)"
                               r"(\s*:\s*f64)?\s*\}?").match(chunk, at)
            tolerance = 1e-4
            if extra:
                tolerance, at = float(extra.group(1)), extra.end()
            out.append((match.start(), at, match.group(2),
                        bool(match.group(1)), tolerance, (body, type_text)))
        return out


def mixed_product(body):
    """Whether a product has a result of other elements than its operands."""
    for match in re.finditer(r"stablehlo\.(?:dot_general|convolution)\b", body):
        types = re.compile(r":\s*\((tensor<[^()]*)\)\s*->\s*(tensor<[^>]*>)"
                           ).search(body, match.end())
        elements = {t.split("x")[-1] for t in
                    re.findall(r"tensor<([^<>]*)>", types.group(0))}
        if len(elements) > 1:
            return True
    return False


def rewritten(chunk, function, checks):
    """The chunk with the function returning what it would have checked."""
    body = chunk[function.body[0]:function.body[1]]
    names = {m.group(1) + "." + m.group(2) for m in OPERATOR.finditer(body)}
    unknown = sorted(
        n for n in names
        if n not in ("func.return", "check.expect_eq_const",
                     "check.expect_almost_eq_const")
        and not (n.startswith("stablehlo.") and n[10:] in OPERATORS))
    if unknown:
        raise NotApplicable("uses " + ", ".join(unknown))
    if function.arguments or function.result:
        raise NotApplicable("has parameters or results")
    if "algorithm =" in body or mixed_product(body):
        raise NotApplicable("a product in another type")
    for match in re.finditer(r"\btensor<", body):
        split_type(body[match.start():closing(body, match.end() - 1) + 1])
    returned = re.compile(r"\b(?:func\.)?return\s*(?=\})").search(
        chunk, checks[-1][1], function.body[1])
    if not returned:
        raise NotApplicable("does not return right after its checks")
    types = ", ".join(c[5][1] for c in checks)
    values = ", ".join(c[2] for c in checks)
    text = chunk[function.body[0]:checks[0][0]]
    for check, following in zip(checks, checks[1:]):
        text += chunk[check[1]:following[0]]
    text += chunk[checks[-1][1]:returned.start()]
    return (f"func.func @{function.name}() -> ({types}) {text.rstrip()}\n"
            f"  func.return {values} : {types}\n}}\n")


def functions(path):
    with open(path, encoding="utf-8") as f:
        text = f.read()
    # A line of just this text separates modules.
    for chunk in re.split(r"(?m)^// -----\s*$", text):
        chunk = without_comments(chunk)
        for match in FUNCTION.finditer(chunk):
            function = Function(chunk, match)
            checks = function.checks(chunk)
            if checks:
                yield chunk, function, checks


def evaluate(binary, text, name, folder):
    path = os.path.join(folder, "function.mlir")
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    run = subprocess.run([binary, "eval", path, "--function", name],
                         capture_output=True, text=True, timeout=600,
                         check=False)
    if run.returncode != 0:
        raise RuntimeError(run.stderr.strip() or f"status {run.returncode}")
    out = []
    for line in run.stdout.splitlines():
        if line.strip():
            body, type_text, _ = dense_at(line.strip(), 0)
            out.append((body, type_text))
    return out


class Tally:
    def __init__(self):
        self.agree = self.bitwise = self.differ = self.other = 0

    def line(self, name):
        return (f"{name:28} {self.agree:6} {self.bitwise:8} {self.differ:7} "
                f"{self.other:15}")


def judge(binary, chunk, function, checks, folder, tally):
    """Messages about what differs in one function."""
    try:
        text = rewritten(chunk, function, checks)
        for *_, constant in checks:
            elements(*constant)
    except (NotApplicable, ValueError):
        tally.other += 1
        return []
    try:
        printed = evaluate(binary, text, function.name, folder)
        if len(printed) != len(checks):
            raise RuntimeError(f"{len(printed)} results for {len(checks)}")
        found, same = [], True
        for check, result in zip(checks, printed):
            wrong, equal = differences(check[5], result, check[3], check[4])
            found += wrong
            same &= equal
    except (RuntimeError, ValueError, NotApplicable,
            subprocess.TimeoutExpired) as error:
        tally.differ += 1
        return [str(error)]
    if found:
        tally.differ += 1
        return [f"element {i}: expected {x}, found {y}" for i, x, y in found]
    tally.agree += 1
    tally.bitwise += same
    return []


def main():
    if len(sys.argv) != 3:
        sys.stderr.write(__doc__)
        return 64
    folder, binary = sys.argv[1], os.path.abspath(sys.argv[2])
    total, messages = Tally(), []
    print(f"{'file':28} {'agree':>6} {'bitwise':>8} {'differ':>7} "
          f"{'not applicable':>15}")
    with tempfile.TemporaryDirectory() as scratch:
        for name in sorted(os.listdir(folder)):
            if not name.endswith(".mlir"):
                continue
            tally = Tally()
            for chunk, function, checks in functions(
                    os.path.join(folder, name)):
                for m in judge(binary, chunk, function, checks, scratch,
                               tally):
                    messages.append(f"{name} @{function.name}: {m}")
            if tally.agree + tally.differ + tally.other:
                print(tally.line(name[:-5]))
            for key in vars(total):
                setattr(total, key, getattr(total, key) + getattr(tally, key))
    print(total.line("total"))
    for m in messages:
        print("differs:", m)
    if total.differ:
        return 1
    return 0 if total.agree else 2


if __name__ == "__main__":
    sys.exit(main())
