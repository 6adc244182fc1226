#!/bin/sh
# A domain in which a rule is not judged is named with the reason.
. tests/lib/cli.sh
cat >"$work/rules.rw" <<'R'
rule zero { axes x; map n on x; type T : any; tensor A[x: n] : T; A + 0 => 0 + A; }
rule exponential { axes x; map n on x; tensor A[x: n] : any; exp(A) * 0.5 => 0.5 * exp(A); }
rule negation { axes x; map n on x; tensor A[x: n] : num; -(-A) => A; }
rule truth { axes x; map n on x; tensor A[x: n] : bool; !(!A) => A; }
rule bits { axes x; map n on x; tensor A[x: n] : any; !(!A) => A; }
rule declared { axes x; map n on x; tensor A[x: n] : int; abs(reverse(A, {x})) => reverse(abs(A), {x}); }
rule cast { axes x; map n on x; tensor A[x: n] : any; type U : int;
  bitcast_convert(-bitcast_convert(A, U), any) => bitcast_convert(-bitcast_convert(A, U), any); }
rule everywhere { axes x; map n on x; tensor A[x: n] : any; reverse(reverse(A, {x}), {x}) => A; }
R
expect 0 "$rankwright" prove "$work/rules.rw" --db "$db" --verbose
grep 'not judged' "$work/out" >"$work/lines"
cat >"$work/wanted" <<'W'
    bool: not judged: `0` makes T a number
    bool: not judged: `exponential` makes the elements of A floats
    int: not judged: `exponential` makes the elements of A floats
    word: not judged: `exponential` makes the elements of A floats
    bool: not judged: `negate` makes the elements of A numbers
    int: not judged: every element is i1
    word: not judged: every element is i1
    real: not judged: every element is i1
    float: not judged: every element is i1
    int: not judged: `not` computes with bits
    real: not judged: `not` makes the elements of A i1 or integers
    float: not judged: `not` makes the elements of A i1 or integers
    bool: not judged: `abs` makes the elements of A signed integers
    real: not judged: the elements of A are signed integers
    float: not judged: the elements of A are signed integers
    bool: not judged: `bitcast_convert` computes with bits
    int: not judged: `bitcast_convert` computes with bits
    real: not judged: `bitcast_convert` computes with bits
W
diff "$work/wanted" "$work/lines" || fail "domains that are not judged"

# What the declared types do not show is said without being asked for, equal reasons once.
expect 0 "$rankwright" prove "$work/rules.rw" --db "$db"
grep 'not judged' "$work/out" >"$work/lines"
cat >"$work/wanted" <<'W'
    bool: not judged: `0` makes T a number
    bool, int, word: not judged: `exponential` makes the elements of A floats
    real, float: not judged: `not` makes the elements of A i1 or integers
W
diff "$work/wanted" "$work/lines" || fail "domains that a literal or an operator excludes"
expect 0 "$rankwright" show zero --db "$db"
has "$work/out" '^  bool: not judged: `0` makes T a number$'
expect 64 "$rankwright" prove "$work/rules.rw" --db "$db" --verbose --json

# Only the domains asked for are reported; where no rule is about them, nothing is decided.
expect 0 "$rankwright" prove "$work/rules.rw" --db "$db" --domain bool
has "$work/out" '^rules/everywhere: bool proved$'
has "$work/out" '^rules/zero: about none of these domains$'
has "$work/out" '^    bool: not judged: `0` makes T a number$'
grep -q '^    bool, int' "$work/out" && fail "domains that were not asked for"
has "$work/err" '5 of 8 rules are about none of these domains'
echo 'rule plain { axes x; map n on x; tensor A[x: n] : int; A + 0 => A; }' >"$work/plain.rw"
for again in fresh stored; do
    expect 2 "$rankwright" prove "$work/plain.rw" --db "$work/plain.db" --domain bool
    [ "$(cat "$work/out")" = 'plain/plain: about none of these domains' ] || fail "$again: a verdict"
    has "$work/err" 'no rule is about these domains: nothing was judged$'
    expect 0 "$rankwright" prove "$work/plain.rw" --db "$work/plain.db"
done
expect 2 "$rankwright" prove "$work/plain.rw" --db "$work/plain.db" --domain bool --json
[ -s "$work/out" ] && fail "a verdict of another domain"
finish
