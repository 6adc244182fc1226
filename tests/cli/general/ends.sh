#!/bin/sh
# How a run speaks and ends: signals, readers who have gone, full devices, errors
# as JSON, remarks, colours.
. tests/lib/cli.sh
cat >"$work/two.rw" <<'R'
rule wrong { axes x; map n on x; tensor A[x: n] : num; claims int; A - A => A; }
rule right { axes x; map n on x; tensor A[x: n] : num; claims int; A + 0 => A; }
R
expect 1 "$rankwright" prove "$work/two.rw" --db "$db"

# a reader who has gone: no message, ended by SIGPIPE
python3 - "$rankwright" "$db" "$work" <<'P' || fail "a closed pipe"
import os, subprocess, sys
rankwright, db, work = sys.argv[1:]
for words in (['query', '--db', db], ['--help'], ['prove', work + '/two.rw', '--db', db],
              ['query', '--sql', 'select 1', '--db', db],
              ['simplify', '-e', 'x + 0', '--rules', work + '/two.rw', '--db', db],
              ['extract', 'tests/egraphs/shared.json', '-o', '-']):
    gone, out = os.pipe()
    os.close(gone)
    end = subprocess.run([rankwright] + words, stdout=out, stderr=subprocess.PIPE)
    os.close(out)
    remarks = [l for l in end.stderr.splitlines() if b'pipe' in l or b'output' in l]
    if end.returncode != -13 or remarks:
        sys.exit(f'{words}: {end}')
P
# devices that are full, descriptors that are closed
expect 74 sh -c "'$rankwright' query --db '$db' >/dev/full"; one_message
expect 74 sh -c "'$rankwright' query --db '$db' >&-"; one_message
expect 74 sh -c "'$rankwright' prove - --db '$db' <&-"; one_message
cp "$db" "$work/closed.db"
sh -c "'$rankwright' prove '$work/two.rw' --again --db '$work/closed.db' >&- 2>&- <&-"
[ $? = 74 ] || fail "all closed"
expect 0 "$rankwright" query --sql 'pragma integrity_check' --db "$work/closed.db"
has "$work/out" '^ok$'

# Ctrl-C and kill while the library is proved: ended by the signal, children
# gone, stored verdicts kept, no other file left
python3 - "$rankwright" "$work" <<'P' || fail "signals"
import os, signal, subprocess, sys, time
rankwright, work = sys.argv[1:]
for sig in (signal.SIGINT, signal.SIGTERM):
    folder = os.path.join(work, sig.name)
    os.mkdir(folder)
    db = os.path.join(folder, 'rules.db')
    run = subprocess.Popen([rankwright, 'prove', 'rules/library', '-j', '2', '--db', db],
                           stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                           start_new_session=True)
    children = f'/proc/{run.pid}/task/{run.pid}/children'
    workers = []
    while len(workers) < 2:  # it proves
        workers = open(children).read().split()
        time.sleep(0.01)
    run.send_signal(sig)
    said = run.communicate()[1].decode()
    if run.returncode != -sig or 'interrupted' not in said:
        sys.exit(f'{sig.name}: {run.returncode}: {said}')
    for worker in workers:
        try:
            if 'State:\tZ' not in open(f'/proc/{worker}/status').read():
                sys.exit(f'{sig.name}: worker {worker} still runs')
        except FileNotFoundError:
            pass
    left = [name for name in os.listdir(folder) if name != 'rules.db']
    if left:
        sys.exit(f'{sig.name}: left {left}')
    subprocess.run([rankwright, 'query', '--db', db], check=True, stdout=subprocess.DEVNULL)
P

# errors as JSON
json_error() { # STATUS KEYS command...
    status=$1 keys=$2
    shift 2
    expect "$status" "$rankwright" "$@"
    python3 - "$work/err" "$status" "$keys" <<'P' || fail "JSON error: $*"
import json, sys
path, status, keys = sys.argv[1:]
lines = [json.loads(l) for l in open(path) if l.startswith('{')]
error = lines[-1]
assert len(lines) == 1 and error['error'] and error['status'] == int(status), lines
assert set(error) == {'error', 'status', 'file', 'line', 'column', 'excerpt', 'hint'}, error
given = {k for k in ('file', 'line', 'column', 'excerpt', 'hint') if error[k] is not None}
assert given == set(keys.split()), given
P
}
json_error 64 'hint' prove --json --domian int
json_error 64 'hint' prove --domain itn --json "$work/two.rw"
json_error 64 '' simplify --json
json_error 74 'file' prove "$work/absent.rw" --json
json_error 65 'file line column excerpt' simplify -e 'x +' --json --db "$db"
printf 'rule x {' >"$work/cut.rw"
json_error 65 'file line column excerpt hint' lint "$work/cut.rw" --json
expect 74 "$rankwright" prove --db "$db" -- --json
has "$work/err" '^rankwright: '

# remarks
expect 1 "$rankwright" prove "$work/two.rw" --db "$db" --quiet
[ ! -s "$work/err" ] || fail "a remark with --quiet"
has "$work/out" 'right: int proved'
expect 1 "$rankwright" prove "$work/two.rw" --db "$db" -q --stats
has "$work/err" 'rules proved in'
expect 74 "$rankwright" prove "$work/absent.rw" --db "$db" --quiet; one_message

# colours: on a terminal, not in files, and as asked for
python3 - "$rankwright" "$db" <<'P' || fail "colours"
import os, pty, subprocess, sys
rankwright, db = sys.argv[1:]
def coloured(words, **changes):
    env = {k: v for k, v in os.environ.items() if k not in ('NO_COLOR', 'TERM')}
    env.update({'TERM': 'xterm'}, **changes)
    controller, terminal = pty.openpty()
    run = subprocess.Popen([rankwright] + words, stdout=terminal, stderr=terminal, env=env)
    run.wait()
    os.close(terminal)
    text = b''
    while True:
        try:
            part = os.read(controller, 4096)
        except OSError:
            break
        if not part:
            break
        text += part
    os.close(controller)
    return b'\x1b[' in text
ask, wrong = ['query', '--db', db], ['query', '--nonsense']
checks = [(ask, {}, True), (wrong, {}, True), (wrong, {'NO_COLOR': '1'}, False), (ask, {'NO_COLOR': '1'}, False),
          (ask, {'NO_COLOR': ''}, True), (ask, {'TERM': 'dumb'}, False), (ask, {'TERM': ''}, False),
          (ask + ['--color', 'never'], {}, False),
          (ask + ['--color', 'always'], {'NO_COLOR': '1'}, True),
          (['show', 'absent', '--db', db], {}, True)]
for words, changes, wanted in checks:
    if coloured(words, **changes) != wanted:
        sys.exit(f'{words} {changes}')
P
expect 0 "$rankwright" query --db "$db"
cp "$work/out" "$work/plain"
expect 0 "$rankwright" query --db "$db" --color always
grep -q "$(printf '\033')\[32mproved$(printf '\033')\[0m" "$work/out" || fail "no colour"
sed "s/$(printf '\033')\[[0-9]*m//g" "$work/out" | cmp - "$work/plain" || fail "colours change text"
expect 64 "$rankwright" query --color alway
has "$work/err" 'hint: did you mean always\?'
finish
