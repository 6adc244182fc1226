#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Finds rules of four scalar theories and compares them with the published sets
of Ruler (OOPSLA 2021): how many rules, in what time, and which share of each
set the other derives.

    bench/peers/rulesets.py RULER --rankwright PROGRAM --engine PROGRAM [--json]
                            [THEORY...]

PROGRAM is build/bench/rankwright and build/bench/bench/terms.  RULER is a checkout of github.com/uwplse/ruler, or a git directory of one; its
baseline/*.rules are read.  Every rule is taken as in those files: in each
direction in which the variables of the right side stand on the left.  A rule is
derived if both sides become equal in at most 5 rounds and 100,000 nodes: from
a graph with both sides (`both`), or with the left one alone (`lhs`).

Exit status: 0 all measured; 1 a program failed; 2 no such checkout; 64 usage.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

ROUNDS, NODES, SECONDS, SCHEDULER = 5, 100000, 10, 'simple'


class Theory:
    """`published`: seconds that the authors' logs give for a set of that size,
    None: there are none."""

    def __init__(self, name, domain, ops, published, *args):
        self.name, self.domain, self.published = name, domain, published
        self.args = ['--ops', ops, '--domain', domain, *args]


# The limits of the published runs: three variables; of booleans three operators
# a side, of words two, of rationals two levels, with 0, 1 and -1.
WORDS = 'neg,not,add,sub,mul,shl,shr,and,or'
THEORIES = [
    Theory('bool', 'bool', 'not,and,or,xor', None, '--size', '3'),
    Theory('bv4', 'word', WORDS, 0.1525, '--size', '2', '--width', '4'),
    Theory('bv32', 'word', WORDS, 13.05, '--size', '2'),
    Theory('rational', 'real', 'neg,abs,add,sub,mul,div', 90.9,
           '--depth', '2', '--constants', '0,1,-1'),
]
NAMES = {
    'word': {'+': 'add', '--': 'subtract', '-': 'negate', '*': 'multiply', '~': 'not',
             '&': 'and', '|': 'or', '^': 'xor', '<<': 'shift_left',
             '>>': 'shift_right_logical'},
    'bool': {'~': 'not', '&': 'and', '|': 'or', '^': 'xor'},
    'real': {'+': 'add', '-': 'subtract', '*': 'multiply', '/': 'divide', '~': 'negate',
             'fabs': 'abs'},
}
INFIX = {'add': '+', 'subtract': '-', 'multiply': '*', 'divide': '/', 'and': '&', 'or': '|',
         'xor': '^'}
PREFIX = {'negate': '-', 'not': '!'}


def fail(status, message):
    print(f'rulesets: {message}', file=sys.stderr)
    sys.exit(status)


def parse(text):
    words = re.findall(r'[()]|[^\s()]+', text)

    def term(i):
        if words[i] != '(':
            return words[i], i + 1
        out, i = [], i + 1
        while words[i] != ')':
            one, i = term(i)
            out.append(one)
        return out, i + 1
    return term(0)[0]


def rename(term, names):
    if isinstance(term, str):
        return term
    return [names.get(term[0], term[0])] + [rename(t, names) for t in term[1:]]


def variables(term):
    if isinstance(term, str):
        return {term} if term[0] == '?' else set()
    return set().union(*map(variables, term[1:]))


def constants(term):
    if isinstance(term, str):
        return set() if term[0] == '?' else {term}
    return set().union(*map(constants, term[1:]))


def plain(term, mark='?'):
    if isinstance(term, str):
        return mark + term[1:] if term[0] == '?' else term
    return f'({" ".join([term[0]] + [plain(t, mark) for t in term[1:]])})'


def show(term):
    if isinstance(term, str):
        return term[1:] if term[0] == '?' else term
    op, args = term[0], [show(t) for t in term[1:]]
    if op in INFIX:
        return f'({args[0]} {INFIX[op]} {args[1]})'
    return f'{PREFIX.get(op, op)}({", ".join(args)})'


def both_ways(pairs):
    out = []
    for left, right in pairs:
        for a, b in ((left, right), (right, left)):
            if variables(b) <= variables(a) and (a, b) not in out:
                out.append((a, b))
    return out


def equations(rules):
    """Rules in both directions count once."""
    seen = []
    for left, right in rules:
        if (right, left) not in seen:
            seen.append((left, right))
    return len(seen)


def published(ruler, theory):
    path = f'baseline/{theory.name}.rules'
    if os.path.exists(os.path.join(ruler, path)):
        text = open(os.path.join(ruler, path)).read()
    else:
        git = subprocess.run(['git', '-C', ruler, 'show', f'HEAD:{path}'],
                             capture_output=True, text=True)
        if git.returncode:
            fail(2, f'{ruler} has no {path}')
        text = git.stdout
    out = []
    for line in text.splitlines():
        if '==>' in line:
            left, right = (rename(parse(s), NAMES[theory.domain])
                           for s in line.split('==>'))
            out.append((left, right))
    return out


def run(command, good=(0,)):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in good:
        fail(1, f'{" ".join(command)}: status {done.returncode}\n{done.stderr}')
    return done.stdout


def derives(engine, folder, base, goals, lhs):
    """The goals that the base does not derive, and whether a limit ended one."""
    path = {k: os.path.join(folder, k) for k in ('rules', 'start', 'goal')}
    with open(path['rules'], 'w') as out:
        out.write(''.join(f'r{i}: {plain(a)} => {plain(b)}\n' for i, (a, b) in enumerate(base)))
    missing = []
    for a, b in goals:
        with open(path['start'], 'w') as out:
            out.write(('' if lhs else plain(b, '') + '\n') + plain(a, '') + '\n')
        with open(path['goal'], 'w') as out:
            out.write(plain(b, '') + '\n')
        out = json.loads(run([engine, path['rules'], path['start'], '--goal', path['goal'],
                              '--iterations', str(ROUNDS), '--nodes', str(NODES),
                              '--seconds', str(SECONDS), '--scheduler', SCHEDULER,
                              '--no-explain']))
        if out['stop'] != 'goal':
            missing.append((f'{show(a)} => {show(b)}', out['stop']))
    return missing


def measure(ruler, program, engine, theory, folder):
    lines = [json.loads(s) for s in
             run([program, 'discover', *theory.args, '--json']).splitlines()]
    stats = lines.pop()
    # One more run for the times: the machine may be busy.
    again = json.loads(run([program, 'discover', *theory.args, '--json']).splitlines()[-1])
    for key in ('seconds', 'cpu', 'widening'):
        stats[key] = min(stats[key], again[key])
    free = [s for s in lines if not s['conditional']]
    ours = both_ways([(parse(s['lhs']), parse(s['rhs'])) for s in free])
    theirs = published(ruler, theory)
    row = {'theory': theory.name, 'ours': len(free), 'conditional': len(lines) - len(free),
           'theirs': equations(theirs), 'ours_directed': len(ours),
           'theirs_directed': len(theirs), 'published': theory.published, **stats}
    for lhs in (False, True):
        how = 'lhs' if lhs else 'both'
        for name, base, goals in (('ours', ours, theirs), ('theirs', theirs, ours)):
            missing = derives(engine, folder, base, goals, lhs)
            row[f'{name}_derive_{how}'] = len(goals) - len(missing)
            row[f'{name}_miss_{how}'] = missing
    return row


def share(n, of):
    return f'{n}/{of} ({100 * n / of:.0f}%)'


def report(rows):
    print('| theory | rules: ours, theirs | CPU s to find: ours, theirs | wall s | of theirs '
          'ours derive: both, lhs | of ours theirs derive: both, lhs |')
    print('|---|---|---|---|---|---|')
    for r in rows:
        theirs = r['published']
        times = f'{r["cpu"]:.3f}, ' + (f'{theirs:g} ({theirs / r["cpu"]:.0f}x)' if theirs
                                       else 'none published')
        print(f'| {r["theory"]} | {r["ours"]}, {r["theirs"]} | {times} | {r["seconds"]:.3f} | '
              f'{share(r["ours_derive_both"], r["theirs_directed"])}, '
              f'{share(r["ours_derive_lhs"], r["theirs_directed"])} | '
              f'{share(r["theirs_derive_both"], r["ours_directed"])}, '
              f'{share(r["theirs_derive_lhs"], r["ours_directed"])} |')
    for r in rows:
        print(f'\n{r["theory"]}: {r["candidates"]} candidates, {r["proved"]} proved, '
              f'{r["refuted"]} refuted, {r["unknown"]} undecided; {r["conditional"]} more rules '
              f'have a condition; {r["one_width"]} hold at that width only; proofs at every '
              f'width of what was found at one: {r["widening"]:.1f} s')
        for base in ('ours', 'theirs'):
            for how in ('both', 'lhs'):
                for m, why in r[f'{base}_miss_{how}']:
                    print(f'  {how}: {base} do not derive {m} ({why})')


def main():
    known = {t.name: t for t in THEORIES}
    p = argparse.ArgumentParser(usage=__doc__)
    p.add_argument('ruler')
    p.add_argument('--rankwright', required=True)
    p.add_argument('--engine', required=True)
    p.add_argument('--json', action='store_true')
    p.add_argument('theory', nargs='*')
    a = p.parse_intermixed_args()
    for name in a.theory:
        if name not in known:
            fail(64, f'no theory {name}: {" ".join(known)}')
    rows = []
    with tempfile.TemporaryDirectory() as temporary:
        for t in THEORIES:
            if not a.theory or t.name in a.theory:
                rows.append(measure(a.ruler, a.rankwright, a.engine, t, temporary))
    if a.json:
        for r in rows:
            print(json.dumps(r))
    else:
        report(rows)


if __name__ == '__main__':
    main()
