#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the rules and terms of bench/terms on this project's e-graph engine and
on others, in turn, and prints medians and ratios.

    bench/peers/run.py --build DIR [--ours PROGRAM | --without-ours]
                       [--extract RANKWRIGHT] [--runs K] [--quick] [--list]
                       [WORKLOAD...]

The others (egg, egglog) are built by cargo from bench/peers into DIR, where the
start terms of `forest` are written too; nothing else is written.  Terms are parsed
before the clock starts, in all engines.  CPU seconds are those of the saturation, as each program
measured them on itself; beside them stand those of the whole process, by the
system, for each repetition; memory is the peak of the process, by the system.
GYM names a checkout of extraction-gym, or its program, and BENCH_EGRAPHS a
folder of e-graphs in JSON (default: GYM/data) for the comparison of extraction.

Exit status: 0 all was measured and the counts agree; 1 they do not, or a program
failed; 2 what was asked for could not be built or measured; 64 usage.
"""
import argparse
import json
import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TERMS = os.path.join(os.path.dirname(HERE), 'terms')
COUNTS = ('nodes', 'classes', 'iterations')
FOREST = 200000  # nodes
AIM = {'x CPU': 8, 'x MB': 3}  # ratios that ours is meant to reach


class Workload:
    """`exact`: every engine must come to the same counts.  `plain`: no
    conditions and no limit but that of iterations, so egglog can run it.
    `goal`: to the goal of that name, and with `proof` the way there.  `made`:
    stop where egg does, when so many entries of the hash table were ever made,
    asked between rules.  `until`: egg stops so; ours, which makes fewer for the
    same graph, is told where that is: iterations, and rules of the last one."""

    def __init__(self, name, rules, start, *args, exact=True, plain=False, goal=None,
                 proof=False, made=None, until=None, repeat=1, quick=True, default=True):
        self.name, self.rules, self.start, self.goal = name, rules, start, goal
        self.args = [str(a) for a in args]
        self.exact, self.plain, self.proof, self.made = exact, plain, proof, made
        self.until, self.repeat, self.quick, self.default = until, repeat, quick, default

    def command(self, program, explain, ours=False):
        out = [program, os.path.join(TERMS, self.rules + '.rules'),
               os.path.join(TERMS, self.start + '.terms')] + self.args
        if self.goal:
            out += ['--goal', os.path.join(TERMS, self.goal + '.goal')]
        if self.proof:
            out += ['--prove']
        elif not explain:
            out += ['--no-explain']
        if self.until and ours:
            out += ['--iterations', str(self.until[0]), '--last-rules', str(self.until[1])]
        elif self.made:
            out += ['--whole-rules', '--made', str(self.made)] if ours else [
                '--nodes', str(self.made)]
        return out + ['--repeat', str(self.repeat)]


def forest_of(folder):
    """The start terms, written into the folder if they are not there; by name."""
    name = f'forest-{FOREST}'
    if folder is None:
        return name
    path = os.path.join(folder, name)
    if not os.path.exists(path + '.terms'):
        os.makedirs(folder, exist_ok=True)
        with open(path + '.part', 'w', encoding='ascii') as out:
            subprocess.run([sys.executable, os.path.join(TERMS, 'forest.py'), str(FOREST)],
                           stdout=out, check=True)
        os.rename(path + '.part', path + '.terms')
    return path


def goal(name, rules='math', *, nodes=10000, iterations=30, seconds=5, proof=True,
         scheduler='backoff', suffix='', repeat=21, **more):
    # To the goal the engines may go by different ways.
    path = 'goals/' + name
    return Workload(name + suffix, rules, path, '--scheduler', scheduler, '--nodes', nodes,
                    '--iterations', iterations, '--seconds', seconds, exact=False,
                    goal=path, proof=proof, repeat=repeat, **more)


def workloads(folder=None):
    def mm(n, **more):
        return Workload(f'mm-{n}', 'mm', 's7', '--iterations', n, plain=True, **more)

    def math(name, *args, **more):
        return Workload(f'math-{name}', 'math', 's7', *args, **more)

    def ac(k, **more):
        return Workload(f'ac-{k}', 'ac', f'ac-{k}', **more)

    return [
        mm(10), mm(11, quick=False),
        # The same whole iterations in every engine, no limit cuts them short.
        math('iterations-6', '--iterations', 6, repeat=5),
        math('backoff-35', '--scheduler', 'backoff', '--iterations', 35),
        # The limit is on what egg counts, entries of a table that forgets none:
        # all end after the same rule of the same iteration, with one graph.  How
        # many nodes are made twice depends on the order of matches: limits are
        # where a few more or less lead to the same end.
        # Here that is the end of the seventh iteration.
        math('100k', made=108000, until=(7, 36)),
        # And here the fourth rule of the eighth.  From 980,000 to 1,050,000 egg
        # ends with the same graph; from 1,100,000 it goes on to rules that make
        # 1 = 2.
        math('1m', made=990000, until=(8, 4), quick=False),
        # The same, ours in the order of the file and without closing in between.
        math('100k-in-order', made=108000, default=False),
        math('1m-in-order', made=990000, default=False),
        math('100k-backoff', '--scheduler', 'backoff', made=103000),
        goal('simplify-root', nodes=75000),
        goal('diff-power-harder', nodes=100000, iterations=60, seconds=10),
        goal('integ-part1'), goal('integ-part2'), goal('integ-part3'), goal('integ-power'),
        goal('simplify-factor'), goal('simplify-add'), goal('simplify-const'), goal('powers'),
        goal('diff-power-simple'), goal('diff-sum'), goal('diff-product'), goal('diff-ln'),
        goal('associate-adds', 'ac', iterations=8, scheduler='simple'),
        goal('prop-contrapositive', 'prop-contrapositive', nodes=5000, iterations=20),
        goal('lambda-under', 'lambda'), goal('lambda-if-elim', 'lambda'),
        goal('lambda-let-simple', 'lambda'), goal('lambda-if', 'lambda'),
        goal('lambda-compose', 'lambda'), goal('lambda-compose-many', 'lambda'),
        goal('lambda-fib', 'lambda', nodes=500000, iterations=60, proof=False, repeat=1),
        goal('lambda-repeat', 'lambda', nodes=150000, iterations=60, seconds=20,
             proof=False, repeat=1),
        # Minutes, in egg.
        goal('lambda-fib', 'lambda', nodes=500000, iterations=60, repeat=1, suffix='-proof',
             default=False),
        # Fresh symbols: a few nodes more or less.
        Workload('lambda-fib-1m', 'lambda', 'goals/lambda-fib', made=1000000,
                 exact=False, default=False),
        Workload('lattice-5', 'lattice', 'lattice', '--iterations', 5, plain=True, repeat=5),
        Workload('lattice-6', 'lattice', 'lattice', '--iterations', 6, plain=True, quick=False),
        Workload('bits-5', 'bits', 'bits', '--iterations', 5, plain=True, repeat=5),
        Workload('bits-6', 'bits', 'bits', '--iterations', 6, plain=True),
        # To the end, which is saturation.
        Workload('forest', 'forest', forest_of(folder), '--iterations', 9, plain=True,
                 quick=False),
        ac(7, repeat=11), ac(8, repeat=5), ac(9), ac(10), ac(11, default=False),
        Workload('prop-1m', 'prop', 'prop', made=1000000, default=False),
    ]


class Failed(Exception):
    pass


def fail(status, message):
    print(f'bench-peers: {message}', file=sys.stderr)
    sys.exit(status)


def build(folder, package, program=None):
    """A program of a package of bench/peers, built into the folder."""
    if not shutil.which('cargo'):
        fail(2, 'cargo is needed to build egg and egglog, and is not installed')
    source = os.path.join(folder, 'src')
    for root, _, files in os.walk(HERE):
        for name in files:
            if name.endswith(('.rs', '.toml')):
                path = os.path.join(root, name)
                copy = os.path.join(source, os.path.relpath(path, HERE))
                os.makedirs(os.path.dirname(copy), exist_ok=True)
                if not os.path.exists(copy) or open(copy).read() != open(path).read():
                    shutil.copy(path, copy)
    target = os.path.join(folder, 'target')
    out = subprocess.run(['cargo', 'build', '--release', '--quiet', '-p', package],
                         cwd=source, env=dict(os.environ, CARGO_TARGET_DIR=target),
                         stderr=subprocess.PIPE, text=True, check=False)
    if out.returncode:
        fail(2, f'{package} does not build (is the package registry reachable?):\n'
             + out.stderr.strip())
    return os.path.join(target, 'release', program or package)


def run(launcher, command, seconds):
    """The result a program prints, with what its process used."""
    with tempfile.TemporaryDirectory() as tmp:
        used = os.path.join(tmp, 'used')
        child = subprocess.Popen([launcher, used] + command, stdin=subprocess.DEVNULL,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                 start_new_session=True)
        try:
            out, err = child.communicate(timeout=seconds)
        except BaseException as why:
            os.killpg(child.pid, signal.SIGKILL)  # the launcher and the program
            child.communicate()
            if not isinstance(why, subprocess.TimeoutExpired):
                raise
            raise Failed(f'no answer in {seconds:g} s') from None
        if child.returncode:
            lines = err.decode(errors='replace').strip().splitlines()
            raise Failed(f'status {child.returncode}: ' + (lines[0] if lines else 'no message'))
        kib, micros = open(used, encoding='ascii').read().split()
    try:
        result = json.loads(out)
    except ValueError as e:
        raise Failed(f'prints no JSON: {e}') from e
    result.setdefault('counts', [])
    missing = [k for k in COUNTS + ('cpu_seconds', 'stop') if k not in result]
    if missing:
        raise Failed(f'prints no "{missing[0]}"')
    result['peak'] = int(kib) * 1024
    result['process'] = int(micros) * 1e-6
    return result


class Engine:
    """`base`: the engine that its ratios are to."""

    def __init__(self, name, program, base, explain=False, plain_only=False):
        self.name, self.program, self.base = name, program, base
        self.explain, self.plain_only = explain, plain_only

    def takes(self, work):
        if work.proof:
            return self.explain
        return work.plain or not self.plain_only


def measure(work, launcher, engines, runs, seconds):
    """By engine: its runs, or why there are none.  All take turns, and who goes
    first changes, so that load from elsewhere hits all alike."""
    got = {e.name: [] for e in engines}
    failed = {}
    for i in range(runs):
        order = engines[i % len(engines):] + engines[:i % len(engines)]
        for e in order:
            if e.name in failed:
                continue
            try:
                command = work.command(e.program, e.explain, e.name == e.base)
                got[e.name].append(run(launcher, command, seconds))
            except (Failed, OSError) as why:
                failed[e.name] = str(why)
    return got, failed


def rounds_agree(work, launcher, engines, seconds):
    """Do all print the same counts after every iteration?  None if one fails."""
    seen = {}
    for e in engines:
        command = work.command(e.program, e.explain, e.name == e.base)
        try:
            result = run(launcher, command[:-1] + ['1', '--counts'], seconds)
        except (Failed, OSError):
            return None
        seen[e.name] = result['counts']
    first = next(iter(seen.values()))
    different = [name for name, counts in seen.items() if counts != first]
    for name in different:
        at = next((i for i, (a, b) in enumerate(zip(first, seen[name])) if a != b),
                  min(len(first), len(seen[name])))
        print(f'{work.name}: {name} differs after iteration {at + 1}')
    return not different


def median(runs, key):
    values = [r[key] for r in runs if r.get(key) is not None]
    return statistics.median(values) if values else None


def ratio(a, b):
    return '%.2f' % (a / b) if a and b else '-'


def cell(value, scale=1.0, digits=3):
    return '-' if value is None else f'{value * scale:.{digits}f}'


def base_of(e, got, engines):
    """The runs that those of an engine are compared to."""
    return got.get(e.base) or next((got[x.name] for x in engines if got[x.name]), None)


HEAD = ('workload', 'engine', 'CPU s', 'least', 'process', 'MB', 'nodes', 'classes',
        'rounds', 'stop', 'x CPU', 'x MB', 'x nodes/s', 'counts')
WIDTH = (20, 11, 9, 9, 9, 8, 9, 8, 6, 10, 7, 6, 10, 6)
LEFT = (0, 1, 9, 13)


def row(cells):
    print(' '.join(c.ljust(w) if i in LEFT else c.rjust(w)
                   for i, (c, w) in enumerate(zip(cells, WIDTH))).rstrip(), flush=True)


def counts_of(runs):
    return {tuple(r[c] for c in COUNTS) for r in runs}


def exact(work, e):
    # With proofs egg keeps more entries for the same nodes, and stops earlier.
    return work.exact and not (work.made and e.name == 'egg+proofs')


def report(work, engines, got, failed, least):
    """Prints the rows of a workload.  Ratios are to ours, with reasons where the
    engine keeps them: how many times as much the others need.  `least` learns those of
    egg.  False if something is wrong."""
    fine = not failed
    for e in engines:
        runs = got[e.name]
        base = base_of(e, got, engines)
        if e.name in failed:
            row((work.name, e.name) + ('-',) * 7 + ('FAILED ' + failed[e.name],))
            continue
        counts = counts_of(runs)
        # egglog says how many rounds it was asked for, so all three compare.
        agree = counts == counts_of(base) and len(counts) == 1
        fine = fine and (agree or not exact(work, e))
        cpu, peak = median(runs, 'cpu_seconds'), median(runs, 'peak')
        cpu0, peak0 = median(base, 'cpu_seconds'), median(base, 'peak')
        nodes, nodes0 = median(runs, 'nodes'), median(base, 'nodes')
        word = 'agree' if agree else 'DIFFER' if exact(work, e) else 'differ'
        if e.name.startswith('egg') and e.base in got:
            least.append((e.name, work.name, {'x CPU': cpu / cpu0, 'x MB': peak / peak0}))
        row((work.name, e.name, cell(cpu, digits=5),
             cell(min(r['cpu_seconds'] for r in runs), digits=5),
             cell(median(runs, 'process'), 1 / work.repeat, 5),
             cell(peak, 1e-6, 1),
             str(int(nodes)), str(runs[-1]['classes']), str(runs[-1]['iterations']),
             runs[-1]['stop'], ratio(cpu, cpu0),
             ratio(peak, peak0), ratio(cpu / nodes, cpu0 / nodes0), '' if runs is base else word))
    return fine


def report_least(least):
    print()
    for name in sorted({engine for engine, _, _ in least}):
        for key, aim in AIM.items():
            found = sorted((x[key], work) for engine, work, x in least if engine == name)
            below = ', '.join(f'{work} {x:.2f}' for x, work in found if x < aim)
            print(f'{name:11} {key}: at least {found[0][0]:.2f}, median '
                  f'{statistics.median(x for x, _ in found):.2f}; below {aim}: {below or "none"}')


def report_proofs(table):
    print('\nproofs: extraction alone; a step is one use of a rule')
    print(f'{"workload":20} {"engine":11} {"ms":>10} {"steps":>6} {"x ms":>8} {"x steps":>8}')
    fine = True
    for work, engines, got in table:
        ran = [e for e in engines if got[e.name]]
        if not ran:
            continue
        base = got[ran[0].name]
        for e in ran:
            runs = got[e.name]
            sec, steps = median(runs, 'proof_seconds'), median(runs, 'proof_steps')
            if steps is None:
                print(f'{work.name:20} {e.name:11} NO PROOF (stop: {runs[-1]["stop"]})')
                fine = False
                continue
            print(f'{work.name:20} {e.name:11} {sec * 1e3:10.4f} {int(steps):6} '
                  f'{ratio(sec, median(base, "proof_seconds")):>8} '
                  f'{ratio(steps, median(base, "proof_steps")):>8}')
    return fine


def gym_program(folder):
    """The program of extraction-gym, or None and why not."""
    gym = os.environ.get('GYM')
    if not gym:
        return None, 'GYM not set'
    if os.path.isfile(gym):
        return os.path.abspath(gym), None
    if not os.path.isdir(gym) or not shutil.which('cargo'):
        return None, f'{gym} is no folder' if shutil.which('cargo') else 'no cargo'
    target = os.path.join(folder, 'gym')
    out = subprocess.run(['cargo', 'build', '--release', '--quiet'], cwd=gym,
                         env=dict(os.environ, CARGO_TARGET_DIR=target),
                         capture_output=True, text=True, check=False)
    if out.returncode:
        last = out.stderr.strip().splitlines()
        return None, f'GYM does not build: {last[0] if last else "no message"}'
    return os.path.join(target, 'release', 'extraction-gym'), None


def json_files(folder):
    return sorted(os.path.join(root, f) for root, _, files in os.walk(folder)
                  for f in files if f.endswith('.json'))


def extract_both(gym, ours, path, out):
    """(DAG cost, seconds) of the gym and of ours; None where one has no answer."""
    theirs = mine = None
    try:
        done = subprocess.run([gym, path, '--extractor=faster-greedy-dag', '--out=' + out],
                              capture_output=True, timeout=60, check=False)
        if done.returncode == 0:
            r = json.load(open(out, encoding='utf-8'))
            theirs = (r['dag'], r['micros'] * 1e-6)
    except (subprocess.TimeoutExpired, ValueError):
        pass
    try:
        done = subprocess.run([ours, 'extract', path, '--method', 'dag', '--json'],
                              capture_output=True, timeout=60, check=False)
        if done.returncode == 0:
            r = json.loads(done.stdout)
            mine = (r['dag_cost'], r['seconds'])
    except (subprocess.TimeoutExpired, ValueError):
        pass
    return theirs, mine


def extraction(folder, ours, runs):
    """Sums over the files that both answer.  False if ours answers fewer, None
    if nothing was measured."""
    print('\nextraction, DAG cost, against faster-greedy-dag of extraction-gym')
    gym, why = gym_program(folder)
    if not ours:
        why = 'no --extract'
    data = os.environ.get('BENCH_EGRAPHS') or os.path.join(os.environ.get('GYM', ''), 'data')
    files = json_files(data)
    if not why and not files:
        why = f'no *.json in {data} (BENCH_EGRAPHS)'
    if why:
        print(f'  not measured: {why}')
        return None
    sums = {'gym': [0.0, 0.0, 0], 'ours': [0.0, 0.0, 0]}
    both = worse = 0
    with tempfile.TemporaryDirectory() as tmp:
        for path in files:
            seen = [extract_both(gym, ours, path, os.path.join(tmp, 'o')) for _ in range(runs)]
            theirs = [t for t, _ in seen if t]
            mine = [m for _, m in seen if m]
            sums['gym'][2] += bool(theirs)
            sums['ours'][2] += bool(mine)
            if not theirs or not mine:
                continue
            both += 1
            worse += mine[0][0] > theirs[0][0] * (1 + 1e-9)
            for name, got in (('gym', theirs), ('ours', mine)):
                sums[name][0] += got[0][0]
                sums[name][1] += statistics.median(s for _, s in got)
    print(f'  {len(files)} files, {both} answered by both; ours costs more on {worse}')
    for name, (cost, seconds, answered) in sums.items():
        print(f'  {name:6} answers {answered:4}  sum of costs {cost:14.6g}  seconds {seconds:9.4f}')
    (_, s0, a0), (_, s1, a1) = sums['gym'], sums['ours']
    print(f'  the gym needs {ratio(s0, s1)} times as long')
    return a1 >= a0 and both > 0


def arguments():
    p = argparse.ArgumentParser(description=__doc__.split('\n\n', maxsplit=1)[0])
    p.add_argument('--build', metavar='DIR', help='where the others are built')
    p.add_argument('--ours', metavar='PROGRAM')
    p.add_argument('--without-ours', action='store_true')
    p.add_argument('--extract', metavar='RANKWRIGHT')
    p.add_argument('--runs', type=int, default=5)
    p.add_argument('--timeout', type=float, default=300, help='seconds for one run')
    p.add_argument('--quick', action='store_true', help='small workloads, two runs')
    p.add_argument('--list', action='store_true')
    p.add_argument('workload', nargs='*')
    p.error = lambda message: fail(64, message)
    o = p.parse_args()
    known = workloads(o.build and os.path.abspath(o.build))
    if o.list:
        for w in known:
            print(w.name + ('' if w.default else ' (only by name)'))
        sys.exit(0)
    names = {w.name for w in known}
    for name in o.workload:
        if name != 'extraction' and name not in names:
            fail(64, f'no workload is named {name} (--list)')
    if not o.build or o.runs < 1 or bool(o.ours) == o.without_ours:
        fail(64, '--build, and one of --ours and --without-ours, are needed')
    if o.ours and not os.access(o.ours, os.X_OK):
        fail(64, f'{o.ours} is no program')
    chosen = [w for w in known if (w.name in o.workload if o.workload
                                   else w.default and (w.quick or not o.quick))]
    return o, chosen


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # not without the programs
    o, chosen = arguments()
    runs = min(o.runs, 2) if o.quick else o.runs
    folder = os.path.abspath(o.build)
    engines = []
    if o.ours:
        ours = os.path.abspath(o.ours)
        engines = [Engine('ours', ours, 'ours'), Engine('ours+proofs', ours, 'ours+proofs', True)]
    if chosen:
        launcher = build(folder, 'terms', 'peer-run')
        egg = build(folder, 'peer-egg')
        engines += [Engine('egg', egg, 'ours'), Engine('egg+proofs', egg, 'ours+proofs', True),
                    Engine('egglog', build(folder, 'peer-egglog'), 'ours', plain_only=True)]
    fine = True
    if chosen:
        print(f'{runs} runs each, in turn; medians; x: times ours, or ours+proofs, which records')
        print('the reasons of every step, as egg+proofs does; x nodes/s: so many times their nodes')
        print('for each CPU second ours makes; counts agree: after every iteration')
        row(HEAD)
    proofs, least = [], []
    for work in chosen:
        able = [e for e in engines if e.takes(work)]
        got, failed = measure(work, launcher, able, runs, o.timeout)
        fine = report(work, able, got, failed, least) and fine
        same = [e for e in able if exact(work, e) and e.name not in failed]
        if work.exact and len(same) > 1:
            fine = rounds_agree(work, launcher, same, o.timeout) is True and fine
        if work.proof:
            proofs.append((work, able, got))
    if least:
        report_least(least)
    if proofs:
        fine = report_proofs(proofs) and fine
    if not o.workload or 'extraction' in o.workload:
        ours = os.path.abspath(o.extract) if o.extract else None
        done = extraction(folder, ours, runs)
        if done is None and ('GYM' in os.environ or 'extraction' in o.workload):
            sys.exit(2 if fine else 1)  # it was asked for
        fine = fine and done is not False
    sys.exit(0 if fine else 1)


if __name__ == '__main__':
    main()
