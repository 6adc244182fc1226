#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the e-graph engine alone, on the rules and terms of bench/terms.

    bench/engine.py TERMS [--runs K] [--big] [PART...]

TERMS is the program of bench/terms.c.  Parts: explain (what recording reasons
costs), growth (time and memory for each node as the graph grows; --big: to 20
million nodes), schedulers (to a goal, and to 100,000 nodes), goals (the named
tests with their proofs), limits (how far they are overshot).  Medians of K runs,
in turn; CPU seconds as the program measures them, memory as its peak.

Exit status: 0 measured and within what docs/engine.md promises, 1 not, 64 usage.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TERMS = os.path.join(HERE, 'terms')
RULES = {'lambda': 'lambda', 'associate': 'ac', 'prop': 'prop-contrapositive'}
MM = ('mm', 's7')
MATH = ('math', 's7')


def run(program, rules, start, *args):
    command = [program, os.path.join(TERMS, rules + '.rules'),
               os.path.join(TERMS, start + '.terms')] + [str(a) for a in args]
    out = subprocess.run(command, capture_output=True, text=True, check=False)
    if out.returncode:
        sys.exit(f'engine: {" ".join(command)}: {out.stderr.strip()}')
    return json.loads(out.stdout)


def medians(runs, program, commands):
    """One result for each command, with medians; the commands take turns."""
    got = [[] for _ in commands]
    for _ in range(runs):
        for i, c in enumerate(commands):
            got[i].append(run(program, *c))
    for g in got:
        for key in ('cpu_seconds', 'peak_bytes', 'proof_seconds'):
            values = [x[key] for x in g if x[key] is not None]
            g[-1][key] = statistics.median(values) if values else None
    return [g[-1] for g in got]


def explain(o):
    print('reasons recorded, and not: CPU seconds, peak MB; at most 1.25 and 1.40')
    fine = True
    work = [('mm 11 rounds', MM + ('--iterations', 11)),
            ('math 7 rounds', MATH + ('--iterations', 7, '--repeat', 5)),
            ('math 900,000 nodes', MATH + ('--nodes', 900000))]
    for name, c in work:
        yes, no = medians(o.runs, o.program, [c, c + ('--no-explain',)])
        cpu = yes['cpu_seconds'] / no['cpu_seconds']
        mem = yes['peak_bytes'] / no['peak_bytes']
        print(f'{name:20} {yes["cpu_seconds"]:8.3f} {no["cpu_seconds"]:8.3f} x {cpu:4.2f}'
              f' {yes["peak_bytes"] / 1e6:8.1f} {no["peak_bytes"] / 1e6:8.1f} x {mem:4.2f}')
        fine = fine and cpu <= 1.25 and mem <= 1.4
    return fine


def growth(o):
    print('growth, rules mm: ns and bytes for each node; x: to the row above')
    sizes = [10**4, 10**5, 10**6, 10**7, 2 * 10**7] if o.big else [10**4, 10**5, 10**6]
    before, fine = None, True
    for size in sizes:
        repeat = max(1, 10**5 // size)
        got, = medians(o.runs if size < 10**7 else 1, o.program,
                       [MM + ('--nodes', size, '--repeat', repeat)])
        ids = got['ids'] or got['nodes']
        ns = got['cpu_seconds'] / size * 1e9
        step = f'x {ns / before:4.2f}' if before else ''
        print(f'{size:9} allowed {got["nodes"]:9} left {ids:9} classes made '
              f'{got["cpu_seconds"]:8.3f} s {ns:7.1f} ns {got["peak_bytes"] / size:6.1f} B {step}')
        fine = fine and got['peak_bytes'] < 4 * 2**30
        before = ns
    return fine


def named():
    folder = os.path.join(TERMS, 'goals')
    for name in sorted(f[:-5] for f in os.listdir(folder) if f.endswith('.goal')):
        rules = RULES.get(name.split('-')[0], 'math')
        yield name, (rules, 'goals/' + name, '--goal', os.path.join(folder, name + '.goal'))


def schedulers(o):
    names = ('simple', 'backoff', 'ration')
    print('schedulers: to the goal, at most 100,000 nodes: nodes, rounds, ms')
    for name, c in named():
        got = medians(o.runs, o.program, [
            c + ('--scheduler', s, '--nodes', 100000, '--iterations', 300, '--repeat', 5)
            for s in names])
        cells = [f'{s} {g["nodes"]:6} {g["iterations"]:3} {g["cpu_seconds"] * 1e3:8.2f}'
                 + ('' if g['stop'] == 'goal' else ' NOT') for s, g in zip(names, got)]
        print(f'{name:20} ' + ' | '.join(cells))
    print('to 100,000 nodes')
    for name, c in (('math', MATH), ('prop', ('prop', 'prop')),
                    ('lambda-fib', ('lambda', 'goals/lambda-fib'))):
        got = medians(o.runs, o.program, [
            c + ('--scheduler', s, '--nodes', 100000, '--iterations', 300) for s in names])
        cells = [f'{s} {g["nodes"]:6} {g["iterations"]:3} {g["cpu_seconds"] * 1e3:8.2f} {g["stop"]}'
                 for s, g in zip(names, got)]
        print(f'{name:20} ' + ' | '.join(cells))
    return True


def goals(o):
    print('named tests, back-off, with proofs: nodes, rounds, ms; steps, ms of the proof')
    fine = True
    for name, c in named():
        got, = medians(o.runs, o.program, [c + (
            '--scheduler', 'backoff', '--nodes', 100000, '--iterations', 70, '--prove',
            '--repeat', 5)])
        proof = '-'
        if got['proof_steps'] is not None:
            proof = f'{got["proof_steps"]:8} {got["proof_seconds"] * 1e3:9.3f}'
        fine = fine and got['stop'] == 'goal'
        print(f'{name:20} {got["nodes"]:6} {got["iterations"]:3} '
              f'{got["cpu_seconds"] * 1e3:9.3f} {proof} {got["stop"]}')
    return fine


def limits(o):
    print('limits: asked, had')
    fine = True
    for size in (1000, 10**4, 10**5, 10**6):
        got = run(o.program, *MM, '--nodes', size)
        print(f'nodes {size:9} {got["nodes"]:9}')
        fine = fine and got['nodes'] <= size * 1.01
    empty = run(o.program, *MM, '--iterations', 0)['peak_bytes']
    for size in (2**24, 2**26, 2**28):
        got = run(o.program, *MM, '--bytes', size)
        print(f'bytes {size:9} {got["peak_bytes"] - empty:9} {got["stop"]}')
    for seconds in (0.1, 0.5):
        got = run(o.program, *MM, '--seconds', seconds)
        print(f'seconds {seconds} {got["cpu_seconds"]:.3f} (CPU) {got["stop"]}')
    return fine


PARTS = {'explain': explain, 'growth': growth, 'schedulers': schedulers, 'goals': goals,
         'limits': limits}


def main():
    p = argparse.ArgumentParser(description=__doc__.split('\n\n', maxsplit=1)[0])
    p.add_argument('program')
    p.add_argument('--runs', type=int, default=3)
    p.add_argument('--big', action='store_true')
    p.add_argument('part', nargs='*')

    def bad_usage(message):
        print(f'engine: {message}', file=sys.stderr)
        sys.exit(64)
    p.error = bad_usage
    o = p.parse_args()
    for name in o.part:
        if name not in PARTS:
            bad_usage(f'no part is named {name}')
    fine = True
    for name in o.part or PARTS:
        fine = PARTS[name](o) and fine
        print()
    sys.exit(0 if fine else 1)


if __name__ == '__main__':
    main()
