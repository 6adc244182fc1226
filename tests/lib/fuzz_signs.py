#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the prover says of random rules about sums and extrema of reals is held
against their values.

    fuzz_signs.py RANKWRIGHT FOLDER SEED RULES

Rules that compare sums, products and extrema with zero, cancel divisors, take
factors out and logarithms apart, under random conditions.  Most of them are
false.  Those that are proved are evaluated at random elements that meet the
conditions, with no axis, none, one and more indices; exit status 1 if one does
not hold.
"""
import math
import os
import random
import re
import subprocess
import sys

UNARY = {'exp': 'math.exp', 'abs': 'abs', 'sqrt': 'math.sqrt',
         'log': 'math.log', 'tanh': 'math.tanh', 'floor': 'math.floor',
         'neg': '-'}
CONDITIONS = ['> 0', '>= 0', '!= 0', '< 0', '<= 0', '>= 1', '> -1', None]


class NoValue(Exception):
    pass


def divide(a, b):
    if b == 0:
        raise NoValue
    return a / b


def leaf(rng, inside):
    name = rng.choice(['A', 'B', 'C', 'C', 'A', 'number'])
    if name == 'number':
        v = rng.choice([-2, -1, 0, 1, 2, 3])
        return str(v), f'({v})'
    if name == 'C' or not inside:
        return 'broadcast(C, {y: m})' if inside else 'C', 'C'
    return name, name


def term(rng, depth, inside):
    """Its text as a pattern and in Python; `inside` a reduction."""
    if depth == 0 or rng.random() < 0.2:
        return leaf(rng, inside)
    op = rng.choice(['+', '-', '*', '*', '/', 'max', 'min', *UNARY]
                    + ([] if inside else ['reduce'] * 8 + ['count'] * 3))
    if op == 'count':
        return 'count({y: m})', 'M'
    a = term(rng, depth - 1, inside or op == 'reduce')
    if op == 'reduce':
        g = rng.choice(['+', '+', 'max', 'min', '*'])
        return (f'reduce({g}, {a[0]}, {{y}})',
                f'fold("{g}", lambda A, B: {a[1]})')
    if op in UNARY:
        return f'{op}({a[0]})', f'({UNARY[op]}({a[1]}))'
    b = term(rng, depth - 1, inside)
    if op in ('max', 'min'):
        return f'{op}({a[0]}, {b[0]})', f'{op}({a[1]}, {b[1]})'
    if op == '/':
        return f'({a[0]} / {b[0]})', f'divide({a[1]}, {b[1]})'
    return f'({a[0]} {op} {b[0]})', f'({a[1]} {op} {b[1]})'


def shapes(rng):
    """Sides, most of them equal under some condition only: pattern, Python."""
    s, a, b = term(rng, 4, False), term(rng, 2, False), term(rng, 2, False)
    e = term(rng, 2, True)
    whole, part = f'({e[0]} + 0 * A)', f'({e[1]} + 0 * A)'
    c, k = f'({b[0]} + 0 * C)', f'({b[1]} + 0 * C)'
    along = f'broadcast({c}, {{y: m}})'
    return rng.choice([
        (f'{a[0]} * {b[0]} / {b[0]}', a[0],
         f'divide({a[1]} * {b[1]}, {b[1]})', a[1]),
        (f'log({a[0]} * {s[0]})', f'log({a[0]}) + log({s[0]})',
         f'math.log({a[1]} * {s[1]})',
         f'math.log({a[1]}) + math.log({s[1]})'),
        (f'reduce(max, {along} * {whole}, {{y}})',
         f'{c} * reduce(max, {whole}, {{y}})',
         f'fold("max", lambda A, B: {k} * {part})',
         f'{k} * fold("max", lambda A, B: {part})'),
        (f'reduce(+, {whole} / {along}, {{y}})',
         f'reduce(+, {whole}, {{y}}) / {c}',
         f'fold("+", lambda A, B: divide({part}, {k}))',
         f'divide(fold("+", lambda A, B: {part}), {k})'),
        (f'reduce(+, broadcast({c} / count({{y: m}}), {{y: m}}), {{y}})', c,
         f'fold("+", lambda A, B: divide({k}, M))', k),
        (f'max({s[0]}, 0)', s[0], f'max({s[1]}, 0)', s[1]),
        (f'{s[0]} / {a[0]} / ({b[0]} / {a[0]})', f'{s[0]} / {b[0]}',
         f'divide(divide({s[1]}, {a[1]}), divide({b[1]}, {a[1]}))',
         f'divide({s[1]}, {b[1]})')])


def random_rule(rng, name):
    if rng.random() < 0.6:
        left = term(rng, 4, False)
        relation = rng.choice(['>', '>=', '!=', '<', '<=', '=='])
        truth = rng.choice(['true', 'true', 'false'])
        sides = f'{left[0]} {relation} 0', truth
        python = left[1], relation, truth == 'true'
    else:
        u, v, p, q = shapes(rng)
        sides, python = (u, v), (p, None, q)
    where, known = [], {}
    least = 1 if rng.random() < 0.7 else 0
    tensors = [t for t in 'ABC' if re.search(rf'\b{t}\b', ' '.join(sides))]
    if least:
        where.append('m >= 1')
    for t in tensors:
        known[t] = rng.choice(CONDITIONS)
        if known[t]:
            where.append(f'all({t} {known[t]})')
    declared = ', '.join(
        f'{t}[{"x: n" if t == "C" else "x: n, y: m"}] : T' for t in tensors)
    text = f'rule {name} {{ claims real; axes x, y; map n on x; map m on y; ' \
        f'type T : real; tensor {declared}; '
    text += f'where {", ".join(where)}; ' if where else ''
    text += f'{sides[0]} => {sides[1]}; }}'
    return text, python, known, least


def element(rng, condition):
    while True:
        v = rng.choice([0, 1, -1, 2, -2, 0.5, -0.5, rng.uniform(-3, 3)])
        # pylint: disable-next=eval-used
        if condition is None or eval(f'({v!r}) {condition}'):
            return v


def holds(rng, python, known, least):
    """One instance: True, False, or None where a side has no value."""
    m = rng.choice([least, 1, 1, 2, 3])
    a = [element(rng, known.get('A')) for _ in range(m)]
    b = [element(rng, known.get('B')) for _ in range(m)]

    def fold(op, f):
        v = [f(p, q) for p, q in zip(a, b)]
        if op in '+*':
            return sum(v) if op == '+' else math.prod(v)
        if not v:
            raise NoValue
        return max(v) if op == 'max' else min(v)
    names = {'fold': fold, 'divide': divide, 'math': math, 'M': m,
             'C': element(rng, known.get('C'))}
    try:
        # pylint: disable=eval-used
        left = eval(python[0], names)
        if python[1]:
            near = left != 0 and abs(left) < 1e-9
            return None if near else \
                eval(f'({left!r}) {python[1]} 0') == python[2]
        right = eval(python[2], names)
    except (NoValue, ValueError, OverflowError):
        return None
    return abs(left - right) <= 1e-6 * max(1, abs(left), abs(right))


def prove(rankwright, folder, rules):
    """The rules that are proved; those that are no rules are left out."""
    path, db = os.path.join(folder, 'fuzz.rw'), os.path.join(folder, 'fuzz.db')
    lines = [r[0] for r in rules.values()]
    while True:
        with open(path, 'w', encoding='utf-8') as f:
            f.write('\n'.join(lines) + '\n')
        r = subprocess.run([rankwright, 'prove', path, '--db', db, '--domain',
                            'real', '--no-search', '-j', '2', '--timeout',
                            '300'], capture_output=True, text=True, check=False)
        bad = {int(x) for x in re.findall(r'fuzz\.rw:(\d+):\d+: ', r.stderr)}
        if not bad:
            return re.findall(r'fuzz/(\w+): real proved', r.stdout)
        lines = ['' if i + 1 in bad else x for i, x in enumerate(lines)]


def main():
    rankwright, folder, seed, count = sys.argv[1:]
    rng = random.Random(int(seed))
    rules = {}
    while len(rules) < int(count):
        rule = random_rule(rng, f'r{len(rules)}')
        if 'reduce' in rule[0]:
            rules[f'r{len(rules)}'] = rule
    proved = prove(rankwright, folder, rules)
    wrong = valued = 0
    for name in proved:
        text, *instance = rules[name]
        answers = [holds(rng, *instance) for _ in range(150)]
        valued += any(answers)
        if False in answers:
            wrong += 1
            print(f'proved, but false: {text}')
    print(f'{len(proved)} of {len(rules)} proved, {valued} with values, '
          f'{wrong} false')
    return 1 if wrong or valued * 20 < len(rules) else 0


if __name__ == '__main__':
    sys.exit(main())
