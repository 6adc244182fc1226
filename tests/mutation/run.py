#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds the verifier against mutants of the proved library.

    run.py --rankwright BIN --breaker BIN [--per-rule N] [--seed S]
           [--seconds S] [--table FILE] RULES.rw...

Every mutant (mutate.py) is judged by `rankwright prove` in every domain, once
as users do and once with --no-search (proofs alone, since the search for
counterexamples comes first and would hide a wrong proof), and, apart from
both, attacked by the breaker: random small instances in the interpreter.  Of
the (mutant, domain) pairs that the breaker breaks none may be proved either
way, and at least 97% must be refuted.  Exit status 1 if not; the table is
written either way.
"""
import argparse
import collections
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import mutate  # noqa: E402

BATCH = 100
LEAST_REFUTED = 0.97


def judge(binary, folder, files, db, *options):
    """(rule, domain) -> verdict; files that do not parse are left out."""
    verdicts, left = {}, list(files)
    while left:
        run = subprocess.run([binary, 'prove', '--json', '--db', db,
                              *options] + left,
                             cwd=folder, capture_output=True, text=True,
                             check=False)
        bad = set(re.findall(r'^rankwright: ([^:\s]+\.rw):\d+', run.stderr,
                             re.M))
        rest = [f for f in left if f not in bad]
        if not bad or len(rest) == len(left):
            for line in run.stdout.splitlines():
                v = json.loads(line)
                if 'domain' in v:
                    verdicts[v['rule'].split('/')[-1], v['domain']] = (
                        v['verdict'], v.get('reason') or '')
            if run.returncode > 2:
                sys.exit(f'prove ended with {run.returncode}: {run.stderr}')
            return verdicts
        left = rest
    return verdicts


def attack(binary, folder, files, seconds):
    """(rule, domain) -> broken?, None where no instance was met at all."""
    run = subprocess.run([binary, '--seconds', str(seconds)] + files,
                         cwd=folder, capture_output=True, text=True, check=True)
    out = {}
    for line in run.stdout.splitlines():
        rule, domain, what, tries = line.split()
        out[rule, domain] = what == 'broken' if int(tries) else None
    return out


def row(name, pairs):
    """One row of the table: counts over (verdict, broken) pairs."""
    n = collections.Counter(pairs)
    broken = sum(c for (v, b), c in n.items() if b and v != 'alone')
    refuted = n['refuted', True]
    share = f'{100 * refuted / broken:.1f}%' if broken else '-'
    return (f"| {name} | {sum(c for (v, _), c in n.items() if v != 'alone')} | {broken} | {refuted} | {share} | "
            f"{n['unknown', True]} | {n['proved', True]} | "
            f"{n['alone', True]} | "
            f"{n['proved', False]} | {n['refuted', False]} | "
            f"{n['unknown', False]} |")


def table(o, mutants, seen, results, alone, untried):
    head = ['mutants of', 'pairs', 'broken', 'refuted', 'share',
            'broken, unknown', 'broken, proved', 'broken, proved alone',
            'whole, proved',
            'whole, refuted', 'whole, unknown']
    lines = [
        '# Mutation test', '',
        '`make mutation` (tests/mutation/run.py) writes this page; do not '
        'edit it.', '',
        f'The {len(o.files)} files of the rule library have {len(mutants)} '
        f'mutants (at most {o.per_rule} a rule, seed {o.seed}); {len(seen)} '
        'of them are well-formed.',
        'Definitions, which state no equation, have no mutants. A pair is a '
        'mutant in a domain.', '',
        '- *Broken*: random small instances in the interpreter, without any '
        'help of the verifier, found a difference',
        f'  within {o.seconds} s.',
        '- *Whole*: they found none. Such a mutant may be true, or false at an '
        'instance that was not tried.',
        f'  No instance at all was met of {untried} pairs.',
        '- *Proved alone*: proved by the prover without the search for '
        'counterexamples (`--no-search`).', '',
        '| ' + ' | '.join(head) + ' |', '|' + '---|' * len(head)]
    by_kind = collections.defaultdict(list)
    for name, why, _ in mutants:
        for d in ('bool', 'int', 'word', 'real', 'float'):
            if (name, d) in results:
                kind = re.sub(r'^(\S+) to (\S+)$', r'`\1` to `\2`', why)
                by_kind[kind].append(results[name, d])
                if (name, d) in alone:
                    by_kind[kind].append(('alone', True))
    for kind in sorted(by_kind, key=lambda k: (-len(by_kind[k]), k)):
        lines.append(row(kind.replace('|', '\\|'), by_kind[kind]))
    lines.append(row('**all**', list(results.values())
                     + [('alone', True)] * len(alone)))
    return '\n'.join(lines) + '\n'


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument('files', nargs='+')
    p.add_argument('--rankwright', required=True)
    p.add_argument('--breaker', required=True)
    p.add_argument('--per-rule', type=int, default=12)
    p.add_argument('--seed', type=int, default=1)
    p.add_argument('--seconds', type=float, default=0.2)
    p.add_argument('--table')
    o = p.parse_args()
    o.rankwright, o.breaker = map(os.path.abspath, (o.rankwright, o.breaker))
    mutants = mutate.all_mutants(o.files, o.per_rule, o.seed)
    results, seen, bad, alone, untried = {}, set(), [], set(), 0
    with tempfile.TemporaryDirectory() as tmp:
        for name, why, text in mutants:   # one file each: an error is alone
            with open(os.path.join(tmp, name + '.rw'), 'w',
                      encoding='utf-8') as f:
                f.write(f'// {why}\n{text}')
        files = [name + '.rw' for name, _, _ in mutants]
        for i in range(0, len(files), BATCH):
            part = files[i:i + BATCH]
            verdicts = judge(o.rankwright, tmp, part, os.path.join(tmp, 'db'))
            broken = attack(o.breaker, tmp, part, o.seconds)
            proofs = judge(o.rankwright, tmp, part, os.path.join(tmp, 'db2'),
                           '--no-search')
            for key, (verdict, _) in proofs.items():
                if verdict == 'proved' and broken.get(key):
                    alone.add(key)
                    bad.append(('proved alone', *key, ''))
            for key, (verdict, reason) in verdicts.items():
                if key not in broken:
                    sys.exit(f'{key}: judged, but not attacked')
                seen.add(key[0])
                results[key] = (verdict, bool(broken[key]))
                untried += broken[key] is None
                if broken[key] and verdict != 'refuted':
                    bad.append((verdict, *key, reason))
            if sys.stderr.isatty():
                print(f'{i + len(part)}/{len(files)}', file=sys.stderr)
    for b in sorted(bad):
        print(*b)
    text = table(o, mutants, seen, results, alone, untried)
    if o.table:
        with open(o.table, 'w', encoding='utf-8') as f:
            f.write(text)
    print(text.splitlines()[-1])
    n = collections.Counter(results.values())
    all_broken = sum(c for (_, b), c in n.items() if b)
    wrong = n['proved', True] > 0 or alone or \
        n['refuted', True] < LEAST_REFUTED * all_broken
    return 1 if wrong or not all_broken else 0


if __name__ == '__main__':
    sys.exit(main())
