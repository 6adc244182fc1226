#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Formulas that look like something they are not (tests/formulas/traps.tsv).

    traps.py RANKWRIGHT NUMERIC DB TSV FOLDER [OPTION...]

Each is simplified (with the options, if there are any).  What must not come
out does not, unless the condition is stated under which it may; the record is
accepted, and input and output have the same values wherever the input has one
and what the record says is given holds.  Exit status 1 if a trap snapped.
"""
import os
import re
import subprocess
import sys


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=False)


def snapped(o, options, formula, given, never, unless):
    """Why the trap snapped, or None."""
    record = os.path.join(o.folder, 'trap.json')
    if os.path.exists(record):
        os.remove(record)
    more = ['--given', given] if given != '-' else []
    r = run(o.rankwright, 'simplify', '-e', formula, '--db', o.db, '--proof',
            record, *more, *options)
    lines = r.stdout.strip().split('\n')
    result = lines[0]
    if never == 'none':
        refused = r.returncode not in (0, 70) and \
            r.stderr.startswith('rankwright: ') and r.stdout == ''
        return None if refused or (r.returncode == 0 and result == formula) \
            else f'status {r.returncode}: {result} {r.stderr}'
    if r.returncode != 0:
        return f'status {r.returncode}: {r.stderr}'
    where = [x[len('where '):] for x in lines[1:] if x.startswith('where ')]
    if re.fullmatch(never, result) and (unless == '-' or not any(
            re.fullmatch(unless, w) for w in where)):
        return f'became {result}, where {where}'
    for command in ([o.rankwright, 'check', record, '--db', o.db, *options],
                    [o.numeric, record]):
        c = run(*command)
        if c.returncode != 0:
            return f'became {result}: {c.stdout} {c.stderr}'
    return None


class Options:
    def __init__(self, rankwright, numeric, db, tsv, folder):
        self.rankwright, self.numeric, self.db = rankwright, numeric, db
        self.tsv, self.folder = tsv, folder


def main():
    o, options = Options(*sys.argv[1:6]), sys.argv[6:]
    n = bad = 0
    with open(o.tsv, encoding='utf-8') as f:
        for line in f:
            if line.startswith('#') or not line.strip():
                continue
            row = line.rstrip('\n').split('\t')
            why = snapped(o, options, *row)
            n += 1
            if why:
                bad += 1
                print(f'{row[0]}: {why}')
    print(f'{n} traps, {bad} snapped')
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
