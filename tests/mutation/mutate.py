#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Mutants of rules: one small change each, most of them false.

    mutate.py RULES.rw...  [--per-rule N] [--seed S] [--out FILE]

prints the mutants as .rw text; some of them do not parse.  run.py has them
proved and broken.  Definitions have none: a name may stand for any function.
"""
import argparse
import random
import re
import sys

TOKEN = re.compile(
    r'//[^\n]*|"(?:\\.|[^"\\])*"|[A-Za-z_]\w*|\d+\.\d+|\d+|=>|<->|->|<=|>=|==|!=|[^\s]')
SWAPS = [
    ("<", "<="), ("<", ">"), ("<=", ">="), ("==", "<="), ("==", ">="),
    ("==", "!="), (">", ">="), ("+", "-"), ("*", "+"), ("/", "*"), ("%", "/"),
    ("&", "|"), ("|", "^"), ("max", "min"), ("low", "high"),
    ("start", "limit"), ("and", "or"), ("lowest", "highest"),
    ("true", "false"), ("exp", "log"), ("abs", "neg"), ("slice", "pad"),
    ("div", "ceildiv"), ("mod", "div"), ("inf", "lowest"),
    ("dilation", "kernel_dilation"), ("dilation", "window_dilation"),
    ("sqrt", "rsqrt"), ("contract", "batch"), ("count", "value"),
]
KINDS = ["any", "num", "int", "sint", "uint", "float", "bool"]
ATTRS = {"start", "limit", "stride", "low", "high", "interior", "size",
         "dilation", "kernel_dilation", "window_dilation", "init",
         "feature_groups", "batch_groups", "flip", "contract", "batch"}


def rules_of(text):
    """The texts of the rules of a file."""
    out, at = [], 0
    for m in re.finditer(r'^rule\s+\w+\s*\{', text, re.M):
        if m.start() < at:
            continue
        depth, i = 0, m.end() - 1
        while True:
            if text[i] == '{':
                depth += 1
            elif text[i] == '}':
                depth -= 1
                if depth == 0:
                    break
            i += 1
        at = i + 1
        out.append(text[m.start():at])
    return out


def tokens(rule):
    toks = [t for t in TOKEN.findall(rule) if not t.startswith('//')]
    return toks


def group_end(t, i):
    """The index after the bracket that opens at i."""
    depth = 0
    while i < len(t):
        if t[i] in '([{':
            depth += 1
        elif t[i] in ')]}':
            depth -= 1
            if depth == 0:
                return i + 1
        i += 1
    return i


def arguments(t, i):
    """Spans of the comma-separated items of the bracket at i."""
    spans, start, depth = [], i + 1, 0
    for k in range(i, group_end(t, i)):
        if t[k] in '([{':
            depth += 1
        elif t[k] in ')]}':
            depth -= 1
            if depth == 0 and k > start:
                spans.append((start, k))
        elif t[k] == ',' and depth == 1:
            spans.append((start, k))
            start = k + 1
    return spans


def statements(t):
    """Spans of the statements, without the semicolon."""
    out, start = [], t.index('{') + 1
    depth = 0
    for i in range(start, len(t)):
        if t[i] in '([{':
            depth += 1
        elif t[i] in ')]}':
            depth -= 1
        elif t[i] == ';' and depth == 0:
            out.append((start, i))
            start = i + 1
    return out


def names_of(t, word):
    names = []
    for a, b in statements(t):
        if t[a] == word:
            names += [x for x in t[a + 1:b] if re.match(r'[A-Za-z_]\w*$', x)
                      and x not in ('rank', 'like', 'on', word) + tuple(KINDS)]
    return sorted(set(names))


def mutants(rule):
    t = tokens(rule)
    spans = statements(t)
    wheres = [s for s in spans if t[s[0]] in ('where', 'wider')]
    main = [s for s in spans if t[s[0]] not in
            ('origin', 'claims', 'axes', 'axis', 'map', 'type', 'tensor',
             'scalar', 'op', 'let', 'where', 'index', 'wider')]
    classes = names_of(t, 'axes') + names_of(t, 'axis')
    maps, tensors = names_of(t, 'map'), names_of(t, 'tensor')
    tensors = [x for x in tensors if x not in maps and x not in classes]

    def put(a, b, new, why):
        yield why, t[:a] + new + t[b:]

    for a, b in wheres:                                  # preconditions
        cuts = [a] + [i for i in range(a, b) if t[i] in (',', 'and')] + [b]
        for k in range(len(cuts) - 1):
            if len(cuts) == 2:
                yield from put(a, b + 1, [], 'drop where')
            elif k == 0:
                yield from put(a + 1, cuts[1] + 1, [], 'drop condition')
            else:
                yield from put(cuts[k], cuts[k + 1], [], 'drop condition')
    for a, b in wheres + main + [s for s in spans if t[s[0]] == 'let']:
        for i in range(a, b):
            for u, v in SWAPS:
                for x, y in ((u, v), (v, u)):
                    if t[i] == x:
                        yield from put(i, i + 1, [y], f'{x} to {y}')
            if re.match(r'\d+$', t[i]):
                for d in (-1, 1):
                    yield from put(i, i + 1, [str(abs(int(t[i]) + d))], 'number')
            for pool in (maps, classes, tensors):
                if t[i] in pool:
                    for y in pool:
                        if y != t[i]:
                            yield from put(i, i + 1, [y], 'another name')
            if t[i] in ('min', 'max') and t[i + 1] == '(':
                for u, v in arguments(t, i + 1):
                    yield from put(i, group_end(t, i + 1), ['('] + t[u:v] + [')'],
                                   'drop min or max')
            if t[i] == '(' and i > a and re.match(r'[A-Za-z_]\w*$', t[i - 1]):
                args = arguments(t, i)
                for (u, v), (w, z) in zip(args, args[1:]):
                    if '=' not in t[u:v] + t[w:z]:
                        yield from put(u, z, t[w:z] + [','] + t[u:v],
                                       'swap arguments')
                for u, v in args:
                    if '=' not in t[u:v]:
                        yield from put(i - 1, group_end(t, i),
                                       ['('] + t[u:v] + [')'], 'drop operator')
                    elif len(args) > 1 and t[u] in ATTRS:
                        yield from put(u - 1, v, [], 'drop attribute')
            if t[i] in ('+', '-', '*', '/', '%', '&', '|') and t[i - 1] != '(' \
                    and re.match(r'\w', t[i - 1]) and re.match(r'\w', t[i + 1]):
                yield from put(i - 1, i + 2, [t[i + 1], t[i], t[i - 1]],
                               'swap operands')
    for a, b in main:
        for i in range(a, b):
            if t[i] in ATTRS and t[i + 1] == '=':
                if t[i + 2] == '{':
                    items = arguments(t, i + 2)
                    ends = [(u + 2, v) for u, v in items if t[u + 1] == ':']
                else:
                    k = i + 2
                    depth = 0
                    while depth > 0 or t[k] not in (',', ')'):
                        depth += (t[k] in '([{') - (t[k] in ')]}')
                        k += 1
                    ends = [(i + 2, k)]
                for u, v in ends:
                    for s in ('+', '-'):
                        yield from put(u, v, ['('] + t[u:v] + [')', s, '1'],
                                       'attribute off by one')
        for i in range(a, b):
            if t[i] == '=>':
                yield from put(a, b, t[i + 1:b] + ['=>'] + t[a:i], 'sides exchanged')
    for a, b in spans:
        for i in range(a, b):
            if t[a] in ('type', 'tensor', 'scalar') and t[i] in KINDS:
                for y in KINDS:
                    if y != t[i]:
                        yield from put(i, i + 1, [y], 'another kind')
            if t[a] in ('axes', 'axis') and t[i] == 'rank':
                yield from put(i, i + 3, [], 'rank 0 too')
            if t[a] == 'axes' and t[i] == 'axes' and 'like' not in t[a:b]:
                yield from put(i, i + 1, ['axis'], 'one axis')
            if t[a] == 'axis' and t[i] == 'axis':
                yield from put(i, i + 1, ['axes'], 'any rank')


def render(toks, name):
    toks = list(toks)
    toks[1] = name
    out = []
    depth = 0
    for i, x in enumerate(toks):
        if x == '{' and i == 2:
            out.append('{\n ')
            continue
        out.append(x)
        depth += (x in '([{') - (x in ')]}')
        if x == ';' and depth == 0:
            out.append('\n ')
    return ' '.join(out) + '\n'


def all_mutants(files, per_rule, seed):
    """(name, kind of change, text) of the mutants of all rules."""
    rng = random.Random(seed)
    out, seen = [], set()
    for f in files:
        for rule in rules_of(open(f, encoding='utf-8').read()):
            base = tokens(rule)
            if 'define' in base:
                continue
            body = [x for a, b in statements(base)
                    if base[a] not in ('origin', 'claims')
                    for x in base[a:b] + [';']]
            mine = []
            for why, t in mutants('rule r {' + ' '.join(body) + '}'):
                key = ' '.join(t)
                if key not in seen:
                    seen.add(key)
                    mine.append((why, t))
            if per_rule and len(mine) > per_rule:
                mine = rng.sample(mine, per_rule)
            for k, (why, t) in enumerate(mine):
                name = f'{base[1]}__{k}'
                out.append((name, why, render(t, name)))
    return out


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument('files', nargs='+')
    p.add_argument('--per-rule', type=int, default=0, help='at most; 0: all')
    p.add_argument('--seed', type=int, default=1)
    p.add_argument('--out')
    o = p.parse_args()
    out = open(o.out, 'w', encoding='utf-8') if o.out else sys.stdout
    for _, why, text in all_mutants(o.files, o.per_rule, o.seed):
        out.write(f'// {why}\n{text}')
    return 0


if __name__ == '__main__':
    sys.exit(main())
