#!/bin/sh
# Rules as text for other programs.  egglog, cvc5 and a TeX are asked where they are
# installed (PYTHON names a Python with egglog); the test says which part it left out.
. tests/lib/cli.sh
: "${PYTHON:=python3}"
cat >"$work/a.rw" <<'R'
/// A slice of a slice: 100 % of "it" & _more_.
rule twice { axes x; map n, s, e, p, t, f, q on x; tensor A[x: n] : any;
  slice(slice(A, start=s, limit=e, stride=p), start=t, limit=f, stride=q)
    => slice(A, start=min(e, s+t*p), limit=min(e, s+f*p), stride=p*q); }
rule undo_pad { axes x; map n, l, h, s, e on x; tensor A[x: n] : any; scalar v : any;
  where s == l and e == l + n;
  slice(pad(A, v, low=l, high=h), start=s, limit=e) => A; }
rule add_zero { origin "sheet 1"; axes x; map n on x; tensor A[x: n] : num; A + 0 => A; }
rule any_function { axes x; map n on x; tensor A[x: n] : S; op f : elementwise(S) -> U;
  reverse(f(A), {x}) => f(reverse(A, {x})); }
rule known { claims int, word; axes x; map n on x; tensor A[x: n] : sint; where all(A >= 0); abs(A) => A; }
R
expect 1 "$rankwright" prove "$work/a.rw" --db "$db"
export_() { "$rankwright" export "$@" --db "$db"; }

# egglog: rules without a text are named with the reason, and the status says so
expect 2 export_ --format egglog -o "$work/rules.egg"
has "$work/err" '^rankwright: a/any_function is left out: it has an operator variable$'
has "$work/err" '^rankwright: a/known is left out: it has a precondition on elements$'
[ "$(grep -c '^(rule ' "$work/rules.egg")" = 3 ] || fail "not three rules"
expect 0 export_ --format egglog add_zero; cp "$work/out" "$work/zero.egg"
has "$work/zero.egg" '^\(Types0 "i32"\)$'
grep -q '^(Types0 "f32")' "$work/zero.egg" && fail "a rule that is not proved in float is offered there"
expect 0 export_ --format egglog --domain real add_zero; has "$work/out" '^\(Types0 "f32"\)$'
expect 0 export_ --format egglog --rank 2 twice
has "$work/out" '\(Slice t_A \(Cons m_s_0 \(Cons m_s_1 \(Nil\)\)\)'
cat >"$work/program.egg" <<'E'
(let $x (Parameter "x"))
(set (shape $x) (Cons 20 (Nil)))
(set (elem $x) "f32")
(let $a (Slice $x (Cons 2 (Nil)) (Cons 17 (Nil)) (Cons 3 (Nil))))
(let $b (Slice $a (Cons 1 (Nil)) (Cons 5 (Nil)) (Cons 2 (Nil))))
(set (elem $a) "f32")
(set (elem $b) "f32")
(let $z (Constant "f32" "0"))
(set (elem $z) "f32")
(set (shape $z) (Nil))
(let $p (Pad $x $z (Cons 2 (Nil)) (Cons 1 (Nil)) (Cons 0 (Nil))))
(let $u (Slice $p (Cons 2 (Nil)) (Cons 22 (Nil)) (Cons 1 (Nil))))
(let $w (Slice $p (Cons 1 (Nil)) (Cons 21 (Nil)) (Cons 1 (Nil))))
(set (elem $u) "f32")
(set (elem $w) "f32")
(let $s (Add $x (Splat $z (Cons 20 (Nil)))))
(set (elem $s) "f32")
(run 4)
(check (= $b (Slice $x (Cons 5 (Nil)) (Cons 17 (Nil)) (Cons 6 (Nil)))))
(check (= $u $x))
(fail (check (= $w $x)))
(fail (check (= $s $x)))
E
if "$PYTHON" -c 'import egglog' 2>/dev/null; then
    expect 0 "$PYTHON" tests/lib/egglog_rules.py "$work/rules.egg" "$work/program.egg"
    for rank in 0 1 2; do
        [ -z "${proved_library:-}" ] && continue
        "$rankwright" export --format egglog --rank $rank --db "$proved_library" -o "$work/all.egg" 2>/dev/null
        expect 0 "$PYTHON" tests/lib/egglog_rules.py "$work/all.egg"
        [ "$(cat "$work/out")" -ge 400 ] || fail "hardly any rules at rank $rank"
    done
else
    echo "egglog is not installed: its part is left out"
fi

# json: merge reads it, and then nothing differs
expect 0 export_ --format json -o "$work/rules.jsonl"
expect 0 "$rankwright" merge "$work/rules.jsonl" --db "$work/again.db"
expect 0 "$rankwright" query --diff "$db" --db "$work/again.db"; [ -s "$work/out" ] && { fail "json loses something"; cat "$work/out"; }
expect 0 "$rankwright" query --diff "$work/again.db" --db "$db"; [ -s "$work/out" ] && fail "json adds something"
expect 0 "$rankwright" export --format json --db "$work/again.db" -o "$work/again.jsonl"
cmp -s "$work/rules.jsonl" "$work/again.jsonl" || fail "json is not the same after a merge"

# latex: every rule, balanced, with foreign signs set as text
expect 0 export_ --format latex -o "$work/rules.tex"
[ "$(grep -c '^\\paragraph' "$work/rules.tex")" = 5 ] || fail "not five rules"
has "$work/rules.tex" '100 \\% of "it" \\& \\_more\\_'
has "$work/rules.tex" 't\\cdot p'
python3 - "$work/rules.tex" <<'P' || fail "LaTeX that cannot be set"
import re, sys
text = open(sys.argv[1]).read()
assert text.startswith("\\documentclass") and text.endswith("\\end{document}\n")
for line in text.splitlines():
    plain = re.sub(r"\\[\\{}$%#&_]", "", line)
    assert plain.count("{") == plain.count("}"), line
    assert plain.count("$") % 2 == 0, line
    outside = re.sub(r"\$[^$]*\$", "", plain)
    assert not re.search(r"[_^]", outside), line
P
if command -v pdflatex >/dev/null; then
    expect 0 sh -c "cd '$work' && pdflatex -interaction=nonstopmode -halt-on-error rules.tex"
else
    echo "pdflatex is not installed: its part is left out"
fi

# smt2: one text with the queries of every rule; another solver agrees
expect 0 export_ --format smt2 twice add_zero; [ -s "$work/out" ] && fail "no rule has both words"
expect 0 export_ --format smt2 op=slice -o "$work/rules.smt2"
[ "$(grep -c '^(reset)$' "$work/rules.smt2")" = 1 ] || fail "two rules"
[ "$(grep -c '^(check-sat)$' "$work/rules.smt2")" -ge 4 ] || fail "hardly any queries"
if command -v cvc5 >/dev/null; then
    cvc5 --incremental --lang=smt2 "$work/rules.smt2" >"$work/answers" 2>&1
    sed -n 's/^(set-info :status \([a-z]*\))$/\1/p' "$work/rules.smt2" >"$work/wanted"
    cmp -s "$work/answers" "$work/wanted" || { fail "cvc5 disagrees"; diff "$work/answers" "$work/wanted"; }
else
    echo "cvc5 is not installed: its part is left out"
fi

# wrong uses
expect 64 export_; one_message; has "$work/err" 'expected a format, one of egglog, json, latex, smt2'
expect 64 export_ --format dot; one_message
expect 64 export_ --format egglog --rank many; one_message
expect 64 export_ --format egglog --domain int; one_message
expect 74 "$rankwright" export --format json --db "$work/none.db"; one_message
finish
