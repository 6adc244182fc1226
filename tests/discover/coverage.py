#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What discovered rules say of published ones: writes docs/discovered.md.

    coverage.py --rankwright BIN --library FOLDER [--rows FILE.rw]
                [--table FILE] [--least PERCENT] [--new N] DISCOVERED.rw...

Three questions, all answered by `rankwright derive`:
  which rows of a published list (tests/discover/tensorright.rw) follow from
  the discovered rules alone, used as equations (this counts) and from left to
  right only; rows with more than three operators on a side are shown and not
  counted; a row whose sides are one term here follows from nothing;
  which discovered rules do not follow from the library's rules that state rows
  of published lists (those with an origin): they are in no list;
  which do not follow from the whole library.
Exit status 1 if fewer rows than PERCENT follow, or fewer than N rules are new.
"""
import argparse
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile

JOBS = 2
RULE = re.compile(r'(?:^///[^\n]*\n)*^rule\s+(\w+)\s*\{.*?^\}', re.M | re.S)
LISTED = re.compile(r'origin\s+"')


def derive(binary, base, goals, *options):
    """goal -> answer, and what was written at the end."""
    run = subprocess.run([binary, 'derive', '--assume', base, '--goal', goals,
                          '--json', *options],
                         capture_output=True, text=True, check=False)
    if run.returncode not in (0, 1, 2):
        sys.exit(run.stderr)
    lines = [json.loads(x) for x in run.stdout.splitlines()
             if x.startswith('{')]
    return {x['goal']: x for x in lines if 'goal' in x}, run.stderr.strip()


def files_of(path):
    if os.path.isfile(path):
        return [path]
    return sorted(os.path.join(folder, x) for folder, _, names in os.walk(path)
                  for x in names if x.endswith('.rw'))


def read(path):
    with open(path, encoding='utf-8') as f:
        return f.read()


def write(path, texts):
    with open(path, 'w', encoding='utf-8') as f:
        f.write('\n\n'.join(texts) + '\n')


def rules_of(paths):
    return [(m.group(1), m.group(0)) for p in paths
            for m in RULE.finditer(read(p))]


CLASSES = re.compile(r'\{[^{}]*\}|\[[^][]*\]')
ATTRIBUTE = re.compile(r'\b(?:start|limit|stride|low|high|interior|axis)=[^,)]*')
OPERATOR = re.compile(r'\w+\(|(?<!\()[+*]')


def operators(side):
    """Of a side as it is written; constants are none."""
    return len(OPERATOR.findall(ATTRIBUTE.sub('', CLASSES.sub('', side))))


def sides(text):
    rule = re.search(r';\n  ([^\n;]*(?:\n\s*)?=>[^;]*);\n\}', text)
    return rule.group(1).split('=>') if rule else ['', '']


def one_term(a):
    return a['status'] == 'derived' and not a.get('used') and \
        a.get('method') == 'instances'


def says(a):
    if one_term(a):
        return 'equal sides'
    if a['status'] != 'derived':
        return a['status']
    return 'for all' if a.get('method') == 'terms' else \
        f"at {a.get('instances', 0)} instances"


def found(a):
    return a['status'] in ('derived', 'same rule')


def is_not(answers, name):
    """Asked, and within no limit; unknown counts for nothing."""
    return name in answers and answers[name]['status'] == 'not derived'


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument('discovered', nargs='+')
    p.add_argument('--rankwright', required=True)
    p.add_argument('--library', required=True)
    p.add_argument('--rows', required=True)
    p.add_argument('--table')
    p.add_argument('--least', type=float, default=80)
    p.add_argument('--new', type=int, default=30)
    o = p.parse_args()
    rules = rules_of(o.discovered)
    library = rules_of(files_of(o.library))
    with tempfile.TemporaryDirectory() as tmp:
        mine = os.path.join(tmp, 'discovered.rw')
        listed = os.path.join(tmp, 'listed.rw')
        write(mine, [text for _, text in rules])
        write(listed, [text for _, text in library
                       if LISTED.search(text) and '=> define' not in text])
        parts = []
        for k in range(JOBS):
            parts.append(os.path.join(tmp, f'part{k}.rw'))
            write(parts[k], [text for _, text in rules[k::JOBS]])
        with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
            asked = [pool.submit(derive, o.rankwright, listed, x, '--backward')
                     for x in parts if rules]
            ways = [pool.submit(derive, o.rankwright, mine, o.rows, *way,
                                '--nodes', '20000', '--rounds', '12')
                    for way in (['--backward'], [])]
            (rows, limits), (forward, _) = [x.result() for x in ways]
            in_lists = {}
            for x in asked:
                in_lists.update(x.result()[0])
            new = [n for n, _ in rules
                   if is_not(in_lists, n)]
            # What no rule of a list derives is asked of the whole library.
            asked = []
            for k in range(JOBS):
                write(parts[k], [text for n, text in rules if n in new[k::JOBS]])
                if new[k::JOBS]:
                    asked.append(pool.submit(derive, o.rankwright, o.library,
                                             parts[k], '--backward'))
            in_library = {}
            for x in asked:
                in_library.update(x.result()[0])
    origin = dict(re.findall(
        r'rule\s+(\w+)\s*\{\s*origin\s+"tensorright ([^"]*)"', read(o.rows)))
    sizes = {n: max(map(operators, sides(t))) for n, t in rules_of([o.rows])}
    counted = {n: x for n, x in rows.items() if sizes[n] <= 3}
    good = [x for x in counted.values() if found(x)]
    trivial = [x for x in good if one_term(x)]
    onward = [n for n in counted if n in forward and found(forward[n])]
    newer = [n for n in new if is_not(in_library, n)]
    share = 100 * len(good) / max(1, len(counted))
    share_onward = 100 * len(onward) / max(1, len(counted))
    head = [x for x in read(o.discovered[0]).splitlines()
            if x.startswith('// Found')]
    out = ['# Discovered rules and published ones', '',
           '`make discover-coverage` writes this page; do not edit it. The rules '
           'are those of `' + '`, `'.join(os.path.relpath(x) for x in o.discovered) +
           '`.', '']
    out += [x[3:] for x in head] + ['']
    out += [f'{len(good)} of {len(counted)} rows ({share:.1f}%) follow from the '
            f'{len(rules)} discovered rules used as equations; this share '
            f'counts. {len(onward)} rows ({share_onward:.1f}%) follow if each '
            f'rule is used from left to right only. {len(trivial)} rows are '
            'one term on both sides here (equal sides) and need no rule. Rows '
            'with more than three operators on a side '
            f'({len(rows) - len(counted)}) are shown and not counted. '
            f'{len(new)} discovered rules follow from no rule of a published '
            f'list that the library has; {len(newer)} of these follow from '
            'nothing in the library.', '',
            limits.replace('rankwright: ', 'Limits: '), '',
            '## Rows', '', '| row | follows | left to right | from |',
            '|---|---|---|---|']
    for name, a in rows.items():
        used = ', '.join(a.get('used') or [])
        more = '' if name in counted else f' ({sizes[name]} operators)'
        out.append(f'| {origin.get(name, name)}{more} | {says(a)} | '
                   f'{says(forward[name]) if name in forward else ""} | '
                   f'{used} |')
    out += ['', '## Rules in no list', '',
            'A star marks a rule that does not follow from the rest of the library '
            'either.', '']
    text = dict(rules)
    for n in new:
        star = '\\*' if n in newer else ''
        body = re.sub(r'\n\s*', ' ', text[n].split('tensor', 1)[-1])
        where = re.findall(r'where ([^;]*);', text[n])
        rule = re.search(r'\n  ([^\n]*\n\s*=> [^\n]*);\n\}', text[n])
        body = re.sub(r'\s+', ' ', rule.group(1)) if rule else ''
        out.append(f'- {n}{star}: `{body}`' +
                   (f' where `{", ".join(where)}`' if where else ''))
    result = '\n'.join(out) + '\n'
    if o.table:
        with open(o.table, 'w', encoding='utf-8') as f:
            f.write(result)
    print(out[5 if head else 4])
    for name, a in rows.items():
        if not found(a):
            print(f'  {origin.get(name, name)}: {a["status"]}')
    return 0 if share >= o.least and len(new) >= o.new else 1


if __name__ == '__main__':
    sys.exit(main())
