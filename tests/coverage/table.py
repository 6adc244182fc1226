#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes docs/coverage.md: which row of which list is stated by which rule,
with its verdict in every domain and the time it took.

    table.py --rankwright BIN --db FILE... --notes TSV [--table FILE]
             [--lists FOLDER]

Everything comes from the databases, by the rules' origins ("xla-031",
"tensorright slice/rule07", "wrong 12", "repaired 12", "lift_rules SUMDIV").  NOTES names the rows
that no rule states, with the reason.  With --lists, a folder with the lists
themselves, the exit status is 1 if a row is in neither; and the shares of rows
that are stated and decided are printed.
"""
import argparse
import collections
import json
import os
import re
import subprocess
import sys

DOMAINS = ['bool', 'int', 'word', 'real', 'float']
TITLES = [
    ('tensorright', 'Rules of TensorRight'),
    ('xla', "Rules of XLA's algebraic simplifier"),
    ('wrong', 'Wrong rewrites found in compilers'),
    ('repaired', 'Wrong rewrites, repaired'),
    ('lift_rules', 'Rules for lifted formulas')]
QUERY = '''
SELECT origin.origin AS origin, rule.name AS rule, rule.family AS family,
       verdict.domain AS domain, verdict.verdict AS verdict,
       verdict.grade AS grade, verdict.seconds AS seconds,
       EXISTS (SELECT 1 FROM remark WHERE remark.rule = rule.hash AND
               remark.text LIKE 'vacuous%') AS vacuous
FROM current JOIN rule ON rule.hash = current.hash
     JOIN origin ON origin.rule = rule.hash
     JOIN verdict ON verdict.rule = rule.hash
ORDER BY origin.origin, rule.family, rule.name, verdict.domain'''


def split(origin):
    """('tensorright', 'slice/rule07') and so on; None: of no list."""
    m = re.match(r'(tensorright|wrong|repaired) (\S+)$', origin) or \
        re.match(r'(lift_rules) (.+)$', origin) or \
        re.match(r'(xla)-(\d+)$', origin)
    return m.groups() if m else None


def natural(text):
    return [int(x) if x.isdigit() else x for x in re.split(r'(\d+)', text)]


def mark(v, grade):
    if v is None:
        return ''
    text = {'proved': 'proved', 'refuted': 'refuted', 'unknown': '?'}[v]
    return f'{text} ({grade})' if grade not in (None, '', 'none', 'exact') \
        else text


def answers(binary, db):
    run = subprocess.run([binary, 'query', '--db', db, '--json', '--sql',
                          QUERY], capture_output=True, text=True, check=False)
    if run.returncode != 0:
        sys.exit(run.stderr)
    return [json.loads(line) for line in run.stdout.splitlines()]


def read(o):
    rows = collections.defaultdict(dict)
    for r in [r for db in o.db for r in answers(o.rankwright, db)]:
        if split(r['origin']):
            entry = rows[split(r['origin'])].setdefault(
                (r['family'], r['rule']), {'vacuous': r['vacuous'] == '1'})
            entry[r['domain']] = (
                r['verdict'], r['grade'], float(r['seconds']))
    return rows


def notes(path):
    out = {}
    with open(path, encoding='utf-8') as f:
        for line in f:
            if line.strip() and not line.startswith(('#', 'row\t')):
                row, why = line.rstrip('\n').split('\t')[:2]
                out[split(row)] = why
    return out


def decided(rules, key):
    """Is some rule of the row decided in every domain that applies to it?
    What is said of formulas is said of the reals."""
    return any(all(v[0] != 'unknown' for d, v in e.items() if d in DOMAINS and
                   (key != 'lift_rules' or d == 'real'))
               for e in rules.values())


def write(rows, why, out):
    out.append('# Coverage of published rule lists\n')
    out.append('`make coverage` writes this page from the database; do not '
               'edit it. Each line has a row of a list and a rule\n'
               'that states the row: as it stands, more generally, with '
               'operands exchanged, or repaired.\nA domain is empty if the '
               'rule is no statement\n'
               'in that domain. A float verdict that is not exact shows its '
               'grade. Seconds are those of the whole rule, in\n'
               'all domains.\n')
    for key, title in TITLES:
        mine = sorted((k for k in set(rows) | set(why) if k[0] == key),
                      key=lambda k: natural(k[1]))
        stated = [k for k in mine if k in rows]
        full = [k for k in stated if decided(rows[k], key)]
        where = 'in the reals' if key == 'lift_rules' else \
            'in every domain that applies'
        out.append(f'## {title}\n\n{len(mine)} rows. {len(stated)} are stated by a '
                   f'rule; one of their rules decides {len(full)} of them '
                   f'{where}.\n')
        out.append('| row | rule | ' + ' | '.join(DOMAINS) + ' | seconds |')
        out.append('|' + '---|' * (len(DOMAINS) + 3))
        for k in mine:
            if k not in rows:
                out.append(f'| {k[1]} | not stated: {why[k]} |'
                           + ' |' * (len(DOMAINS) + 1))
            for (family, rule), e in sorted(rows.get(k, {}).items()):
                cells = [mark(*e[d][:2]) if d in e else '' for d in DOMAINS]
                took = max(v[2] for d, v in e.items() if d in DOMAINS)
                name = f'{family}/{rule}' + (' (vacuous)' if e['vacuous']
                                             else '')
                out.append(f'| {k[1]} | {name} | ' + ' | '.join(cells)
                           + f' | {took:.3f} |')
        out.append('')


def check(folder, rows, why):
    """The rows of the lists that nobody speaks of, and the shares."""
    lists = {'tensorright': [], 'xla': [], 'wrong': [], 'lift_rules': []}
    for name, key in (('tensorright_rules.tsv', 'tensorright'),
                      ('xla_rules.tsv', 'xla'),
                      ('lift_rules.tsv', 'lift_rules')):
        if not os.path.exists(os.path.join(folder, name)):
            continue
        with open(os.path.join(folder, name), encoding='utf-8') as f:
            for line in f:
                row = line.split('\t')[0]
                if '\t' in line and row != 'id' and not row.startswith('#'):
                    lists[key].append(row[4:] if key == 'xla' else row)
    with open(os.path.join(folder, 'wrong_rewrites.tsv'),
              encoding='utf-8') as f:
        for i, line in enumerate(f, 1):
            if i > 1 and line.rstrip('\n').split('\t')[5] == 'yes':
                lists['wrong'].append(str(i))
    missing = [(k, r) for k, all_ in lists.items() for r in all_
               if (k, r) not in rows and (k, r) not in why]
    for k, all_ in lists.items():
        if not all_:
            continue
        stated = [r for r in all_ if (k, r) in rows]
        full = [r for r in stated if decided(rows[k, r], k)]
        unknown = [r for r in stated if r not in full]
        print(f'{k}: {len(all_)} rows, {len(stated)} stated '
              f'({100 * len(stated) / len(all_):.1f}%), {len(full)} decided '
              f'({100 * len(full) / len(all_):.1f}%)'
              + (f'; open: {" ".join(unknown)}' if unknown else ''))
    proved = [k for k in rows if k[0] == 'repaired' and any(
        any(v[0] == 'proved' for d, v in e.items() if d in DOMAINS)
        for e in rows[k].values())]
    print(f'repaired: {len(proved)} proved')
    if missing:
        print('not spoken of: ' + ' '.join(f'{k}:{r}' for k, r in missing))
    return not missing


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument('--rankwright', required=True)
    p.add_argument('--db', required=True, nargs='+')
    p.add_argument('--notes', required=True)
    p.add_argument('--table')
    p.add_argument('--lists')
    o = p.parse_args()
    rows, why = read(o), notes(o.notes)
    out = []
    write(rows, why, out)
    if o.table:
        with open(o.table, 'w', encoding='utf-8') as f:
            f.write('\n'.join(out) + '\n')
    ok = check(o.lists, rows, why) if o.lists else True
    return 0 if ok else 1


if __name__ == '__main__':
    sys.exit(main())
