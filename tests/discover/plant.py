#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""False candidates for discovery, of which none may be kept.

    plant.py --rankwright BIN --breaker BIN [--count N] [--seed S] RULES.rw...

Small changes to true rules (tests/mutation/mutate.py: attributes, operators,
preconditions, operands) that brute force has broken in every domain in which
the rule could be kept, and that are false whoever says so.  They go the way of
all candidates: `rankwright discover --candidates`.  Exit status 1 if one comes
out.
"""
import argparse
import collections
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'mutation'))
import mutate  # noqa: E402


def broken(breaker, path):
    """Names of the rules that are broken in every domain they have."""
    run = subprocess.run([breaker, '--seconds', '0.3', path],
                         capture_output=True, text=True, check=False)
    seen = collections.defaultdict(set)
    for line in run.stdout.splitlines():
        name, _, how, _ = line.split()
        seen[name].add(how)
    return {n for n, how in seen.items() if how == {'broken'}}


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument('files', nargs='+')
    p.add_argument('--rankwright', required=True)
    p.add_argument('--breaker', required=True)
    p.add_argument('--count', type=int, default=1000)
    p.add_argument('--per-rule', type=int, default=40)
    p.add_argument('--seed', type=int, default=1)
    o = p.parse_args()
    all_of = list(mutate.all_mutants(o.files, o.per_rule, o.seed))
    texts = [x if isinstance(x, str) else x[-1] for x in all_of]
    false, names = [], 0
    with tempfile.TemporaryDirectory() as tmp:
        for at in range(0, len(texts), 50):
            path = os.path.join(tmp, f'm{at}.rw')
            named = {}
            for t in texts[at:at + 50]:
                names += 1
                named[f'm{names}'] = re.sub(r'rule\s+\w+', f'rule m{names}', t,
                                            count=1)
            with open(path, 'w', encoding='utf-8') as f:
                f.write('\n'.join(named.values()))
            false += [named[n] for n in sorted(broken(o.breaker, path))
                      if n in named]
            if len(false) >= o.count:
                break
        false = false[:o.count]
        given = os.path.join(tmp, 'false.rw')
        kept = os.path.join(tmp, 'kept.rw')
        with open(given, 'w', encoding='utf-8') as f:
            f.write('\n'.join(false))
        run = subprocess.run([o.rankwright, 'discover', '--candidates', given,
                              '-o', kept],
                             capture_output=True, text=True, check=False)
        if run.returncode not in (0, 1, 2):
            sys.exit(run.stderr)
        with open(kept, encoding='utf-8') as f:
            out = mutate.rules_of(f.read())
    print(f'{len(false)} false candidates, {len(out)} kept; '
          f'{run.stderr.strip().splitlines()[-1]}')
    for t in out:
        print(t)
    return 1 if out or len(false) < o.count else 0


if __name__ == '__main__':
    sys.exit(main())
