#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Formulas that look like something they are not (tests/formulas/traps.tsv).

    traps.py RANKWRIGHT NUMERIC DB TSV FOLDER [OPTION...]

Each is simplified (with the options, if there are any).  What must not come
out does not, unless the condition is stated under which it may; the record is
accepted, and input and output have the same values wherever the input has one
and what the record says is given holds.

Without options the traps are tried, too: the look-alike comes out of simplify
as what is looked for, and costs no more than what did come out, so it would
have; and a record that says the formula is the look-alike has other values,
unless they differ in where they have one.  Exit status 1 if a trap snapped, or
cannot.
"""
import json
import os
import re
import subprocess
import sys

# Look-alikes of one or two numbers differ at few of them.
SAMPLES = '--samples', '200'


class Wrong(Exception):
    pass


class Traps:
    def __init__(self, rankwright, numeric, db, tsv, folder, *options):
        self.rankwright, self.numeric, self.db = rankwright, numeric, db
        self.tsv, self.folder, self.options = tsv, folder, options
        self.valued = 0  # look-alikes with other values

    def path(self, name):
        return os.path.join(self.folder, name)

    def simplify(self, formula, given, record):
        more = ['--given', given] if given != '-' else []
        r = run(self.rankwright, 'simplify', '-e', formula, '--db', self.db,
                '--json', '--seconds', '600', '--proof', record, *more,
                *self.options)
        if r.returncode != 0:
            raise Wrong(f'status {r.returncode}: {r.stderr}')
        return json.loads(r.stdout)

    def spring(self, formula, given, never, unless, alike):
        """Raises Wrong if the trap snaps, or could not."""
        record = self.path('trap.json')
        found = self.simplify(formula, given, record)
        result, where = found['formula'], ', '.join(found['conditions'])
        if never == 'none':
            if result != formula:
                raise Wrong(f'became {result}, though it has no value')
            return
        if re.fullmatch(never, result) and not (
                where and unless != '-' and re.fullmatch(unless, where)):
            raise Wrong(f'became {result}, where {where}')
        for command in ([self.rankwright, 'check', record, '--db', self.db,
                         *self.options], [self.numeric, *SAMPLES, record]):
            c = run(*command)
            if c.returncode != 0:
                raise Wrong(f'became {result}: {c.stdout} {c.stderr}')
        if not self.options:
            self.attempt(given, never, unless, alike, found)

    def attempt(self, given, never, unless, alike, found):
        """The look-alike in place of what came out."""
        other = self.simplify(alike, given, self.path('alike.json'))
        if not re.fullmatch(never, other['formula']):
            raise Wrong(f'{alike} would come out as {other["formula"]}')
        if not re.fullmatch(never, found['formula']) and \
                other['cost_after'] >= found['cost_after']:
            raise Wrong(f'{alike} costs as much as {found["formula"]}')
        with open(self.path('trap.json'), encoding='utf-8') as f:
            record = json.load(f)
        with open(self.path('alike.json'), encoding='utf-8') as f:
            lie = json.load(f)
        record['output'] = lie['output']
        record['defines'] += [d for d in lie['defines']
                              if d not in record['defines']]
        with open(self.path('lie.json'), 'w', encoding='utf-8') as f:
            json.dump(record, f)
        c = run(self.numeric, *SAMPLES, self.path('lie.json'))
        differs = c.returncode == 1 and ' in, ' in c.stdout
        self.valued += differs
        if not differs and (unless == '-' or c.returncode != 0):
            raise Wrong(f'{alike} has the same values: {c.stdout} {c.stderr}')


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=False)


def main():
    traps = Traps(*sys.argv[1:])
    n = bad = 0
    with open(traps.tsv, encoding='utf-8') as f:
        for line in f:
            if line.startswith('#') or not line.strip():
                continue
            row = line.rstrip('\n').split('\t')
            n += 1
            try:
                traps.spring(*row)
            except Wrong as e:
                bad += 1
                print(f'{row[0]}: {e}')
    tried = f', {traps.valued} told by values alone' if not traps.options \
        else ''
    print(f'{n} traps{tried}, {bad} snapped')
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
