#!/bin/sh
# A complex number is the pair of its parts; what is not known of it stays.
. tests/lib/cli.sh
cat >"$work/a.rw" <<'R'
rule twice { axes x; map n on x; tensor A[x: n] : any; reverse(reverse(A, {x}), {x}) => A; }
rule sub_self { axes x; map n on x; tensor A[x: n] : float; claims real; A - A => broadcast(0, {x: n}); }
R
expect 0 "$rankwright" prove "$work/a.rw" --db "$db"
C='tensor<4xcomplex<f32>>'
program() { # LINES...: of %a, %b : tensor<4xf32>, %z, %w : complex; returns %r
    printf 'func.func @main(%%a: tensor<4xf32>, %%b: tensor<4xf32>, %%z: %s, %%w: %s) -> %s {\n' "$C" "$C" "$1"
    type=$1
    shift
    printf '  %s\n' "$@"
    printf '  return %%r : %s\n}\n' "$type"
}
becomes() { # PATTERN: of the line that returns
    expect 0 "$rankwright" simplify "$work/p.mlir" --db "$db" -o "$work/o.mlir" --proof "$work/p.json" -q
    has "$work/o.mlir" "$1"
    expect 0 "$rankwright" check "$work/p.json" --db "$db"
}
pair="%c = stablehlo.complex %a, %b : $C" other="%d = stablehlo.complex %b, %a : $C"
real="= stablehlo.real %x : ($C) -> tensor<4xf32>" imag="= stablehlo.imag %x : ($C) -> tensor<4xf32>"
of() { printf '%s' "$1" | sed "s/%x/$2/"; }
program 'tensor<4xf32>' "$pair" "%r $(of "$real" %c)" >"$work/p.mlir"; becomes 'return %a '
program 'tensor<4xf32>' "$pair" "%r $(of "$imag" %c)" >"$work/p.mlir"; becomes 'return %b '
program "$C" "%p $(of "$real" %z)" "%q $(of "$imag" %z)" "%r = stablehlo.complex %p, %q : $C" >"$work/p.mlir"
becomes 'return %z '
program "$C" "%p = chlo.conj %z : $C -> $C" "%r = chlo.conj %p : $C -> $C" >"$work/p.mlir"; becomes 'return %z '
program 'tensor<4xf32>' "%p = chlo.conj %z : $C -> $C" "%r $(of "$real" %p)" >"$work/p.mlir"; becomes '= stablehlo.real %z '
program 'tensor<4xf32>' "%p = chlo.conj %z : $C -> $C" "%r $(of "$imag" %p)" >"$work/p.mlir"; becomes '= stablehlo.negate '
program 'tensor<4xf32>' "$pair" "$other" "%s = stablehlo.add %c, %d : $C" "%r $(of "$real" %s)" >"$work/p.mlir"
becomes '= stablehlo.add %a, %b : tensor<4xf32>'
program 'tensor<4xf32>' "$pair" "$other" "%s = stablehlo.subtract %c, %d : $C" "%r $(of "$imag" %s)" >"$work/p.mlir"
becomes '= stablehlo.subtract %b, %a : tensor<4xf32>'
cp "$work/p.json" "$work/good.json"

# what is not so: the parts exchanged, of two numbers, of a product
program "$C" "%p $(of "$real" %z)" "%q $(of "$imag" %z)" "%r = stablehlo.complex %q, %p : $C" >"$work/p.mlir"
becomes '= stablehlo.complex %q, %p '
program "$C" "%p $(of "$real" %z)" "%q $(of "$imag" %w)" "%r = stablehlo.complex %p, %q : $C" >"$work/p.mlir"
becomes '= stablehlo.complex %p, %q '
program 'tensor<4xf32>' "$pair" "%s = stablehlo.multiply %c, %c : $C" "%r $(of "$real" %s)" >"$work/p.mlir"
becomes '= stablehlo.real %s '
# equal operations are one, and one that nothing uses is gone
program "$C" "%p = stablehlo.multiply %z, %w : $C" "%q = stablehlo.multiply %z, %w : $C" \
    "%u = stablehlo.exponential %w : $C" "%r = stablehlo.add %p, %q : $C" >"$work/p.mlir"
becomes 'stablehlo.add %p, %p '
[ "$(grep -c stablehlo "$work/o.mlir")" = 2 ] || fail "not shared, or not dropped"

# over the reals an infinity goes through a pair: inf - inf is not 0
program 'tensor<4xf32>' '%i = stablehlo.constant dense<0x7F800000> : tensor<4xf32>' "%c = stablehlo.complex %i, %b : $C" \
    "%p $(of "$real" %c)" '%r = stablehlo.subtract %p, %p : tensor<4xf32>' >"$work/p.mlir"
expect 0 "$rankwright" simplify "$work/p.mlir" --db "$db" --domain real -q
has "$work/out" '= stablehlo.subtract '
program 'tensor<4xf32>' "$pair" "%p $(of "$real" %c)" '%r = stablehlo.subtract %p, %p : tensor<4xf32>' >"$work/p.mlir"
expect 0 "$rankwright" simplify "$work/p.mlir" --db "$db" --domain real -q
grep -q 'stablehlo.subtract' "$work/out" && fail "a difference of finite numbers stays"

# a record that says another thing of the parts is refused
python3 - "$rankwright" "$work" "$db" <<'P' || fail "an accepted wrong record"
import copy, json, subprocess, sys
rankwright, work, db = sys.argv[1:]
record = json.load(open(work + "/good.json"))
tried = 0
def refused(changed):
    global tried
    tried += 1
    json.dump(changed, open(work + "/bad.json", "w"))
    status = subprocess.run([rankwright, "check", work + "/bad.json", "--db", db], capture_output=True).returncode
    assert status in (1, 65), (status, changed["lines"])
lines = [i for i, line in enumerate(record["lines"]) if line["kind"] == "complex"]
assert len(lines) >= 3, lines
for i in lines:
    for end in "ab":
        for term in range(len(record["terms"])):
            changed = copy.deepcopy(record)
            if changed["lines"][i][end] != term:
                changed["lines"][i][end] = term
                refused(changed)
for i, term in enumerate(record["terms"]):
    for old, new in ("imag", "real"), ("subtract", "add"), ("complex", "atan2"):
        if "stablehlo." + old in term.get("text", ""):
            changed = copy.deepcopy(record)
            changed["terms"][i]["text"] = term["text"].replace("stablehlo." + old, "stablehlo." + new)
            refused(changed)
assert tried > 40, tried
P

# HLO
cat >"$work/p.mlir" <<'M'
HloModule m
ENTRY e {
  a = f32[4] parameter(0)
  b = f32[4] parameter(1)
  c = c64[4] complex(a, b)
  d = c64[4] complex(b, a)
  s = c64[4] add(c, d)
  ROOT r = f32[4] imag(s)
}
M
expect 0 "$rankwright" simplify "$work/p.mlir" --db "$db" -q
has "$work/out" 'ROOT %r = f32\[4\] add\(%b, %a\)'
finish
