#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times the verifier, rule by rule, from a cold start in one process.

    bench/verifier.py RANKWRIGHT [--runs N]

Two reports: the rules that carry an origin "tensorright ...", in the element
types of that list (bool, int, real), as its own verifier was timed; and the
whole library in every domain, each with its ten slowest rules.  Medians of N
runs; peak memory of the prover and its worker.  The other verifier
(TensorRight) was timed on the same kind of machine with two versions of Z3.
"""
import argparse
import glob
import json
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile

SLOWEST = 10  # rules that are named
# All 263 rows of TensorRight's list: version of Z3, seconds, rules of 118 not verified in time.
PEER = [('4.8.12', 99.9, 2), ('4.13.3', 30.7, 0)]


def rules_of(path):
    """(text of a rule with what stands before it) of a file."""
    text = open(path, encoding='utf-8').read()
    starts = [m.start() for m in re.finditer(r'^rule\s', text, re.M)]
    for a, b in zip(starts, starts[1:] + [len(text)]):
        yield text[a:b]


def run(binary, folder, domains):
    """Seconds by rule, wall and CPU seconds, peak KiB of any process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = os.times().elapsed
    with tempfile.TemporaryDirectory() as tmp:
        cmd = [binary, 'prove', folder, '-j', '1', '--json', '--db',
               os.path.join(tmp, 'db')]
        if domains:
            cmd += ['--domain', domains]
        # No library beneath the database: its verdicts would not be proved again.
        out = subprocess.run(cmd, capture_output=True, text=True, check=False,
                             env={**os.environ, 'RANKWRIGHT_LIBRARY_DATABASE': ''})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if out.returncode > 2:
        sys.exit(out.stderr)
    seconds, verdicts = {}, {}
    for line in out.stdout.splitlines():
        v = json.loads(line)
        if 'domain' not in v:
            continue
        seconds[v['rule']] = max(seconds.get(v['rule'], 0), v['seconds'])
        verdicts[v['verdict']] = verdicts.get(v['verdict'], 0) + 1
    cpu = (after.ru_utime + after.ru_stime) - (before.ru_utime + before.ru_stime)
    return {'seconds': seconds, 'wall': os.times().elapsed - start, 'cpu': cpu,
            'peak': after.ru_maxrss, 'verdicts': verdicts}


def report(title, runs):
    r = sorted(runs, key=lambda x: x['cpu'])[len(runs) // 2]
    s = sorted(r['seconds'].values())
    at = lambda q: s[min(len(s) - 1, int(q * len(s)))]
    fast = sum(x < 0.1 for x in s) / len(s)
    slow = sorted(r['seconds'].items(), key=lambda x: -x[1])[:SLOWEST]
    print(f'{title}: {len(s)} rules, {r["verdicts"]}')
    print(f'  CPU {r["cpu"]:.2f} s, wall {r["wall"]:.2f} s, peak '
          f'{r["peak"] / 1024:.0f} MB; a rule: median {1e3 * statistics.median(s):.0f} ms, '
          f'p90 {1e3 * at(.9):.0f} ms, most {1e3 * s[-1]:.0f} ms; '
          f'{100 * fast:.1f}% below 100 ms')
    print(f'  the {len(slow)} slowest rules:')
    for name, seconds in slow:
        print(f'    {1e3 * seconds:7.0f} ms  {name}')
    return r


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument('rankwright')
    p.add_argument('--runs', type=int, default=3)
    o = p.parse_args()
    binary = os.path.abspath(o.rankwright)
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
    with tempfile.TemporaryDirectory() as tmp:
        origins = set()
        for path in sorted(glob.glob("rules/library/*/*.rw")):
            mine = [r for r in rules_of(path) if '"tensorright ' in r]
            for r in mine:
                origins.update(re.findall(r'"tensorright ([^"]*)"', r))
            if mine:
                with open(os.path.join(tmp, os.path.basename(path)), 'w',
                          encoding='utf-8') as f:
                    f.write('\n'.join(mine))
        runs = [run(binary, tmp, 'bool,int,real') for _ in range(o.runs)]
        r = report(f'list of TensorRight ({len(origins)} rows)', runs)
        for version, seconds, missing in PEER:
            print(f'  TensorRight with Z3 {version}: {seconds} s, {seconds / r["cpu"]:.1f} times as '
                  f'long, {missing} rules not verified in time')
    report('library, every domain',
           [run(binary, 'rules/library', None) for _ in range(o.runs)])


if __name__ == '__main__':
    main()
