#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes docs/coverage.md: which row of which list is stated by which rule,
with its verdict in every domain and the time it took.

    table.py --rankwright BIN --db FILE... --notes TSV --rows TSV
             --lint FILE [--table FILE] [--lists FOLDER]

Everything comes from the databases, by the rules' origins ("xla-031",
"tensorright slice/rule07", "wrong 12", "repaired 12", "lift_rules SUMDIV").  NOTES names the rows
that no rule states, or none in full, with the reason.  ROWS has what rows say that a rule may
leave out; --lint has what `lint --json` said of the rules.  From these and from
the rules' texts come the marks of rules that say less than their row.  With --lists, a folder with the lists
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
       rule.source AS source,
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


def mark(v, grade, monoid=False):
    if v is None:
        return ''
    if v == 'proved' and monoid:
        return 'proved (max, min)'
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
                (r['family'], r['rule']),
                {'vacuous': str(r['vacuous']) == '1', 'source': r['source']})
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


def facts(path):
    """What each row says, as a set of texts."""
    out = collections.defaultdict(set)
    with open(path, encoding='utf-8') as f:
        for line in f:
            if line.strip() and not line.startswith(('#', 'row\t')):
                row, says = line.rstrip('\n').split('\t')
                out[split(row)].add(says)
    return out


def tautologies(path):
    with open(path, encoding='utf-8') as f:
        found = [json.loads(line) for line in f]
    return {r for x in found if x['kind'] == 'tautology' for r in x['rules']}


def verdict_of(entry, domain):
    return entry[domain][0] if domain in entry else None


def marks(row, name, rules, says, idle):
    """What the rule says less than its row."""
    entry, out = rules[name], []
    if entry['vacuous']:
        out.append('vacuous')
    if name[1] in idle:
        out.append('tautology')
    if row[0] != 'repaired' and any(
            verdict_of(other, d) == 'refuted' and verdict_of(entry, d) == 'proved'
            and not any(verdict_of(other, e) == 'proved' for e in DOMAINS)
            for other in rules.values() for d in DOMAINS):
        out.append('repaired')
    if 'no precondition' in says[row] and re.search(r'^\s*where\b', entry['source'], re.M):
        out.append('under a precondition')
    if 'any number of operands' in says[row]:
        out.append('for a fixed number of operands')
    if 'a chain of any length' in says[row]:
        out.append('for a chain of this length')
    return out


def in_full(row, rules, says, idle):
    return any(not marks(row, name, rules, says, idle) for name in rules)


def decided(rules, key):
    """Is some rule of the row decided in every domain that applies to it?
    What is said of formulas is said of the reals."""
    return any(all(v[0] != 'unknown' for d, v in e.items() if d in DOMAINS and
                   (key != 'lift_rules' or d == 'real'))
               for e in rules.values())


def write(rows, why, says, idle, out):
    out.append('# Coverage of published rule lists\n')
    out.append('`make coverage` writes this page from the database; do not '
               'edit it. Each line has a row of a list and a rule\n'
               'that states the row: as it stands, more generally, with '
               'operands exchanged, or repaired.\nA domain is empty if the '
               'rule is no statement\n'
               'in that domain. A float verdict that is not exact shows its '
               'grade. Seconds are those of the whole rule, in\n'
               'all domains.\n\n'
               'A rule that says less than its row is marked, by a check: it is *vacuous* (no '
               'instance), a *tautology* (`lint`:\nits preconditions say already what it says), '
               '*repaired* (as the row has it, it is refuted), *under a precondition*\n(the row '
               'has none), for *a fixed number of operands* or *a chain of this length* (the row '
               'is about any). In float,\n*proved (max, min)* is what a rule about any monoid '
               'says there: sums of floats are none. What is missing of a row in the\n'
               'end, or of any of its rules, is told in its first line.\n')
    for key, title in TITLES:
        mine = sorted((k for k in set(rows) | set(why) if k[0] == key),
                      key=lambda k: natural(k[1]))
        stated = [k for k in mine if k in rows]
        whole = [k for k in stated if k not in why and in_full(k, rows[k], says, idle)]
        full = [k for k in stated if decided(rows[k], key)]
        where = 'in the reals' if key == 'lift_rules' else \
            'in every domain that applies'
        out.append(f'## {title}\n\n{len(mine)} rows. {len(stated)} are stated by a '
                   f'rule, {len(whole)} of them by one without a mark; one of their rules '
                   f'decides {len(full)} of them {where}.\n')
        out.append('| row | rule | ' + ' | '.join(DOMAINS) + ' | seconds |')
        out.append('|' + '---|' * (len(DOMAINS) + 3))
        for k in mine:
            if k not in rows:
                out.append(f'| {k[1]} | not stated: {why[k]} |'
                           + ' |' * (len(DOMAINS) + 1))
            elif k in why:
                out.append(f'| {k[1]} | *missing: {why[k]}* |' + ' |' * (len(DOMAINS) + 1))
            for (family, rule), e in sorted(rows.get(k, {}).items()):
                cells = [mark(*e[d][:2], d == 'float' and 'monoid' in e['source'])
                         if d in e else '' for d in DOMAINS]
                took = max(v[2] for d, v in e.items() if d in DOMAINS)
                less = marks(k, (family, rule), rows[k], says, idle)
                name = f'{family}/{rule}' + (f' ({", ".join(less)})' if less else '')
                out.append(f'| {k[1]} | {name} | ' + ' | '.join(cells)
                           + f' | {took:.3f} |')
        out.append('')


def said(folder, says):
    """Does ROWS say what the lists say?  The rows about which it is wrong."""
    wrong = []
    for name, column in (('tensorright_rules.tsv', 5), ('xla_rules.tsv', 3)):
        with open(os.path.join(folder, name), encoding='utf-8') as f:
            for line in f:
                cells = line.rstrip('\n').split('\t')
                row = split(cells[0] if name[0] == 'x' else 'tensorright ' + cells[0])
                if line.startswith('#') or cells[0] == 'id' or len(cells) <= column:
                    continue
                has = says[row]
                if (cells[column] in ('-', 'none')) != ('no precondition' in has):
                    wrong.append(row)
                elif name[0] == 'x' and '…' in cells[2] and not has - {'no precondition'}:
                    wrong.append(row)
    return wrong


def check(folder, rows, why, says):
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
    wrong = said(folder, says)
    if wrong:
        print('wrong of these rows: ' + ' '.join(f'{k}:{r}' for k, r in wrong))
    return not missing and not wrong


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument('--rankwright', required=True)
    p.add_argument('--db', required=True, nargs='+')
    p.add_argument('--notes', required=True)
    p.add_argument('--rows', required=True)
    p.add_argument('--lint', required=True)
    p.add_argument('--table')
    p.add_argument('--lists')
    o = p.parse_args()
    rows, why = read(o), notes(o.notes)
    says, idle = facts(o.rows), tautologies(o.lint)
    out = []
    write(rows, why, says, idle, out)
    if o.table:
        with open(o.table, 'w', encoding='utf-8') as f:
            f.write('\n'.join(out) + '\n')
    ok = check(o.lists, rows, why, says) if o.lists else True
    return 0 if ok else 1


if __name__ == '__main__':
    sys.exit(main())
