#!/bin/sh
# A complex number is the pair of its parts; what is not known of it stays.
. tests/lib/cli.sh
cat >"$work/a.rw" <<'R'
rule twice { axes x; map n on x; tensor A[x: n] : any; reverse(reverse(A, {x}), {x}) => A; }
rule add_swaps { axes x; map n on x; tensor A[x: n] : num, B[x: n] : num; A + B => B + A; }
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

# what moves or chooses elements moves parts: rules about the parts say what the number is
M='tensor<2x4xcomplex<f32>>' N='tensor<4x2xcomplex<f32>>'
program "$C" "%p = stablehlo.reverse %z, dims = [0] : $C" "%r = stablehlo.reverse %p, dims = [0] : $C" >"$work/p.mlir"
becomes 'return %z '
program "$C" "%p = stablehlo.reshape %z : ($C) -> tensor<2x2xcomplex<f32>>" \
    "%r = stablehlo.reshape %p : (tensor<2x2xcomplex<f32>>) -> $C" >"$work/p.mlir"; becomes 'return %z '
program "$M" "%p = stablehlo.broadcast_in_dim %z, dims = [1] : ($C) -> $M" "%q = stablehlo.transpose %p, dims = [1, 0] : ($M) -> $N" \
    "%r = stablehlo.transpose %q, dims = [1, 0] : ($N) -> $M" >"$work/p.mlir"; becomes 'return %p '
program 'tensor<4x2xf32>' "%p = stablehlo.broadcast_in_dim %z, dims = [1] : ($C) -> $M" "%q = stablehlo.transpose %p, dims = [1, 0] : ($M) -> $N" \
    "%r = stablehlo.imag %q : ($N) -> tensor<4x2xf32>" >"$work/p.mlir"; becomes '= stablehlo.imag %z '
program 'tensor<2xf32>' "$pair" "%s = stablehlo.slice %c [1:3] : ($C) -> tensor<2xcomplex<f32>>" \
    '%r = stablehlo.imag %s : (tensor<2xcomplex<f32>>) -> tensor<2xf32>' >"$work/p.mlir"; becomes '= stablehlo.slice %b \[1:3\]'
program 'tensor<4xf64>' "$pair" "%s = stablehlo.convert %c : ($C) -> tensor<4xcomplex<f64>>" \
    '%r = stablehlo.imag %s : (tensor<4xcomplex<f64>>) -> tensor<4xf64>' >"$work/p.mlir"
becomes '= stablehlo.convert %b : \(tensor<4xf32>\) -> tensor<4xf64>'
program "$C" "%q = stablehlo.add %z, %w : $C" "%s = stablehlo.add %w, %z : $C" "%r = stablehlo.subtract %q, %s : $C" >"$work/p.mlir"
becomes '= stablehlo.add %., %. : tensor<4xcomplex'
[ "$(grep -c 'stablehlo.add' "$work/o.mlir")" = 1 ] || fail "sums of equal parts are not one"

# the interpreter runs what is known by parts, and sees a difference
cat >"$work/run.mlir" <<'M'
func.func @main(%a: tensor<4x3xf32>, %b: tensor<4x3xf32>, %p: tensor<4x3xi1>, %i: tensor<i32>) -> (tensor<3x4xf32>, tensor<4x3xf32>, tensor<1x3xf32>, tensor<6x3xf32>, tensor<4x3xf64>) {
  %z = stablehlo.complex %a, %b : tensor<4x3xcomplex<f32>>
  %w = stablehlo.complex %b, %a : tensor<4x3xcomplex<f32>>
  %ct = stablehlo.transpose %z, dims = [1, 0] : (tensor<4x3xcomplex<f32>>) -> tensor<3x4xcomplex<f32>>
  %r = stablehlo.imag %ct : (tensor<3x4xcomplex<f32>>) -> tensor<3x4xf32>
  %rv = stablehlo.reverse %z, dims = [0] : tensor<4x3xcomplex<f32>>
  %s = stablehlo.select %p, %rv, %w : tensor<4x3xi1>, tensor<4x3xcomplex<f32>>
  %n = stablehlo.subtract %s, %z : tensor<4x3xcomplex<f32>>
  %cj = chlo.conj %n : tensor<4x3xcomplex<f32>> -> tensor<4x3xcomplex<f32>>
  %q = stablehlo.imag %cj : (tensor<4x3xcomplex<f32>>) -> tensor<4x3xf32>
  %d = stablehlo.dynamic_slice %s, %i, %i, sizes = [1, 3] : (tensor<4x3xcomplex<f32>>, tensor<i32>, tensor<i32>) -> tensor<1x3xcomplex<f32>>
  %e = stablehlo.real %d : (tensor<1x3xcomplex<f32>>) -> tensor<1x3xf32>
  %k0 = stablehlo.constant dense<1.0> : tensor<f32>
  %k1 = stablehlo.constant dense<2.0> : tensor<f32>
  %k = stablehlo.complex %k0, %k1 : tensor<complex<f32>>
  %pd = stablehlo.pad %w, %k, low = [1, 0], high = [1, 0], interior = [0, 0] : (tensor<4x3xcomplex<f32>>, tensor<complex<f32>>) -> tensor<6x3xcomplex<f32>>
  %f = stablehlo.imag %pd : (tensor<6x3xcomplex<f32>>) -> tensor<6x3xf32>
  %v = stablehlo.convert %s : (tensor<4x3xcomplex<f32>>) -> tensor<4x3xcomplex<f64>>
  %g = stablehlo.imag %v : (tensor<4x3xcomplex<f64>>) -> tensor<4x3xf64>
  return %r, %q, %e, %f, %g : tensor<3x4xf32>, tensor<4x3xf32>, tensor<1x3xf32>, tensor<6x3xf32>, tensor<4x3xf64>
}
M
expect 0 "$rankwright" simplify "$work/run.mlir" --db "$db" -o "$work/ran.mlir" --verify 3
has "$work/err" '1 function gave equal results on 3 random arguments'
grep -q complex "$work/ran.mlir" && fail "complex numbers that are taken apart stay"
expect 0 "$rankwright" eval "$work/run.mlir" --compare "$work/ran.mlir" --runs 20
for wrong in 's/imag %cj/real %cj/' 's/imag %pd/real %pd/' 's/select %p, %rv, %w/select %p, %w, %rv/' 's/subtract %s, %z/add %s, %z/' \
    's/%cj = chlo.conj %n : tensor<4x3xcomplex<f32>> -> /%cj = stablehlo.reverse %n, dims = [0] : /'; do
    sed "$wrong" "$work/run.mlir" >"$work/other.mlir"
    expect 1 "$rankwright" eval "$work/other.mlir" --compare "$work/ran.mlir" --runs 20
done
# operations that the text of an opaque operation gets wrong have no value
sed 's/sizes = \[1, 3\]/sizes = [9, 3]/' "$work/run.mlir" >"$work/other.mlir"
expect 2 "$rankwright" eval "$work/other.mlir" --compare "$work/ran.mlir" --runs 20

# what is not so: the parts exchanged, of two numbers, of a product
program "$C" "%p $(of "$real" %z)" "%q $(of "$imag" %z)" "%r = stablehlo.complex %q, %p : $C" >"$work/p.mlir"
becomes '= stablehlo.complex %q, %p '
program "$C" "%p $(of "$real" %z)" "%q $(of "$imag" %w)" "%r = stablehlo.complex %p, %q : $C" >"$work/p.mlir"
becomes '= stablehlo.complex %p, %q '
program 'tensor<4xf32>' "$pair" "%s = stablehlo.multiply %c, %c : $C" "%r $(of "$real" %s)" >"$work/p.mlir"
becomes '= stablehlo.real %s '
# the imaginary part of a converted number is not the number; what is judged of real numbers says nothing of products,
# extrema, magnitudes, comparisons; other elements are moved, other parts taken
program 'tensor<4xf32>' "%s = stablehlo.convert %a : (tensor<4xf32>) -> $C" "%r $(of "$imag" %s)" >"$work/p.mlir"; becomes '= stablehlo.imag %s'
cat >"$work/b.rw" <<'R'
rule square_is_not_negative { axes x; map n on x; tensor A[x: n] : float; claims real; abs(A * A) => A * A; }
rule mul_swaps { axes x; map n on x; tensor A[x: n] : float, B[x: n] : float; max(A, B) => max(B, A); }
rule mul_sub { axes x; map n on x; tensor A[x: n] : float; claims real; A * A - A * A => broadcast(0, {x: n}); }
R
expect 0 "$rankwright" prove "$work/b.rw" --db "$db"
program 'tensor<4xf32>' "%s = stablehlo.multiply %z, %z : $C" "%r = stablehlo.abs %s : ($C) -> tensor<4xf32>" >"$work/p.mlir"
expect 0 "$rankwright" simplify "$work/p.mlir" --db "$db" --domain real -q
has "$work/out" '= stablehlo.abs %s'
program 'tensor<4xi1>' "%r = stablehlo.compare EQ, %z, %w : ($C, $C) -> tensor<4xi1>" >"$work/p.mlir"; becomes '= stablehlo.compare EQ, %z, %w'
program "$C" "%p = stablehlo.reverse %z, dims = [0] : $C" "%q = stablehlo.slice %p [0:4] : ($C) -> $C" "%r = stablehlo.multiply %p, %q : $C" >"$work/p.mlir"
becomes 'stablehlo.multiply %p, '
program 'tensor<4xf32>' "%p = stablehlo.reverse %z, dims = [0] : $C" "%s $(of "$real" %p)" "%t $(of "$imag" %z)" \
    '%r = stablehlo.add %s, %t : tensor<4xf32>' >"$work/p.mlir"; becomes '= stablehlo.reverse '
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
