#!/bin/sh
# Rules of elements: what is written can be read and proved, what is false is
# not kept, limits are said.
. tests/lib/cli.sh
hasnt() { ! grep -Eq -- "$2" "$1" || fail "'$2' in $(basename "$1")"; }
bits="--ops and,or,xor,not --domain bool"
expect 0 "$rankwright" discover $bits --size 2 -o "$work/bool.rw"
has "$work/err" '[0-9]+ kept'
expect 0 "$rankwright" prove "$work/bool.rw" --db "$db"
hasnt "$work/out" 'unknown|refuted'
expect 0 "$rankwright" discover $bits --size 2 -o "$work/again.rw"
cmp -s "$work/bool.rw" "$work/again.rw" || fail "two runs differ"
# Each is needed: the others do not derive all of them.
[ "$(grep -c '^rule ' "$work/bool.rw")" -lt 28 ] || fail "too many rules"
# Stored, with where they come from.
expect 0 "$rankwright" discover $bits --size 1 --db "$work/new.db" -o "$work/one.rw"
expect 0 "$rankwright" query --db "$work/new.db" verdict=proved
has "$work/out" 'and_is_and'
# One width: more holds than at every width, and only what holds at every one is
# written.
expect 0 "$rankwright" discover --ops add,shl --vars 2 --domain word --width 4 --json
cp "$work/out" "$work/lines"
has "$work/lines" '"proved":false,"width":4'
expect 0 "$rankwright" discover --ops add,shl --vars 2 --domain word --width 4 -o "$work/four.rw"
hasnt "$work/four.rw" 'shift_left\(A \+ A, A\)'
# With few samples much is wrong, and none of it is kept.
expect 0 "$rankwright" discover --ops add,mul,abs --vars 2 --size 1 --domain real --samples 1 --json
has "$work/out" '"kept":2,.*"refuted":[1-9]'
hasnt "$work/out" '"proved":false'
# A divisor that is not 0.
expect 0 "$rankwright" discover --ops div --size 1 --vars 1 --domain real --constants 1
has "$work/out" 'where all\(A != 0\);'
# Limits and errors.
expect 2 "$rankwright" discover --ops add,mul,sub --domain real --size 4 --seconds 0.01 -o "$work/cut.rw"
has "$work/err" 'stopped at a limit'
expect 64 "$rankwright" discover --ops add --domain float; one_message
has "$work/err" '^rankwright: --domain: expected one of bool, int, word and real, found float$'
has "$work/err" 'hint: .*rankwright prove'
expect 64 "$rankwright" discover --ops foo; one_message
has "$work/err" '^rankwright: --ops: unknown operator `foo`$'
has "$work/err" 'hint: operators on elements are .*add, and'
expect 64 "$rankwright" discover --ops ad --domain int; has "$work/err" 'did you mean add\?'
expect 64 "$rankwright" discover --ops add,add --domain real
expect 64 "$rankwright" discover --ops and --domain real
expect 64 "$rankwright" discover --ops add --domain int --constants 1,1
has "$work/err" '1 is given twice'
expect 64 "$rankwright" discover --ops add --domain word --width 3
expect 64 "$rankwright" discover --ops add; one_message
has "$work/err" '^rankwright: --domain: expected one of bool, int, word and real$'
# The comparison with published sets counts what the engine says; the engine here
# is a script.
mkdir -p "$work/ruler/baseline"
printf '(& ?a ?b) ==> (& ?b ?a)\n(& ?b ?a) ==> (& ?a ?b)\n' >"$work/ruler/baseline/bool.rules"
engine() { printf '#!/bin/sh\necho "{\\"stop\\":\\"%s\\"}"\n' "$1" >"$work/engine"; chmod +x "$work/engine"; }
sets() { python3 bench/peers/rulesets.py "$1" --rankwright "$rankwright" --engine "$work/engine" "$2"; }
engine goal
expect 0 sets "$work/ruler" bool
has "$work/out" '^\| bool \| [0-9]+, 1 \| .* 2/2 \(100%\), 2/2 \(100%\) \|'
engine nodes
expect 0 sets "$work/ruler" bool
has "$work/out" '^\| bool .* 0/2 \(0%\), 0/2 \(0%\) \|'
has "$work/out" 'ours do not derive \(a & b\) => \(b & a\) \(nodes\)'
expect 2 sets "$work" bool
expect 64 sets "$work/ruler" nothing
finish
