#!/bin/sh
# Sizes "?" become numbers where operands say so; a cast keeps the types of what stays.
. tests/lib/cli.sh
printf 'rule twice { axes x; map n on x; tensor A[x: n] : any; reverse(reverse(A, {x}), {x}) => A; }\n' >"$work/a.rw"
expect 0 "$rankwright" prove "$work/a.rw" --db "$db"
X='tensor<2x3xf32>' D='tensor<?x3xf32>' I='tensor<i32>'
program() { # TYPE LINES...: of %x, %y : 2x3, %d : ?x3 equal to %x, %q : ?x3, %k : i32, %l : 2xi32; returns %r
    printf 'func.func @main(%%x: %s, %%y: %s, %%q: %s, %%k: %s, %%l: tensor<2xi32>) -> %s {\n' "$X" "$X" "$D" "$I" "$1"
    printf '  %%d = stablehlo.convert %%x : (%s) -> %s\n' "$X" "$D"
    type=$1
    shift
    printf '  %s\n' "$@"
    printf '  return %%r : %s\n}\n' "$type"
}
becomes() { # PART...: in the result, which the checker accepts
    expect 0 "$rankwright" simplify "$work/p.mlir" --db "$db" -o "$work/o.mlir" --proof "$work/p.json" -q
    for part; do grep -qF -- "$part" "$work/o.mlir" || { fail "no '$part'"; cat "$work/o.mlir"; }; done
    expect 0 "$rankwright" check "$work/p.json" --db "$db"
    rank=$(grep -c '?x' "$work/o.mlir") || :
}
static() { # PART...: likewise, and only the parameter has a size "?"
    becomes "$@"
    [ "$rank" = 1 ] || fail "a size ? stays: $1"
}
c2="%c = stablehlo.constant dense<[3, 2]> : tensor<2xi32>"

# operators on unknown sizes, and back
program "$X" "%s = stablehlo.add %d, %d : $D" "%r = stablehlo.convert %s : ($D) -> $X" >"$work/p.mlir"
static 'stablehlo.add %x, %x : tensor<2x3xf32>'
program "$X" "%s = stablehlo.add %d, %d : $D" "%r = tensor.cast %s : $D to $X" >"$work/p.mlir"
static 'stablehlo.add %x, %x : tensor<2x3xf32>'
program 'tensor<3xf32>' '%z = stablehlo.constant dense<0.0> : tensor<f32>' \
    "%r = stablehlo.reduce(%d init: %z) applies stablehlo.maximum across dimensions = [0] : ($D, tensor<f32>) -> tensor<3xf32>" >"$work/p.mlir"
static 'stablehlo.reduce(%x init'
program 'tensor<3x3xf32>' "%r = stablehlo.dot_general %d, %d, contracting_dims = [0] x [0] : ($D, $D) -> tensor<3x3xf32>" >"$work/p.mlir"
static 'stablehlo.dot_general %x, %x'
# the type of the result stays
program "$D" "%r = stablehlo.negate %d : $D" >"$work/p.mlir"
becomes 'stablehlo.negate %x : tensor<2x3xf32>' 'stablehlo.convert %r_1 : (tensor<2x3xf32>) -> tensor<?x3xf32>'
# sizes
program "$I" "%r = stablehlo.get_dimension_size %d, dim = 0 : ($D) -> $I" >"$work/p.mlir"; static 'dense<2> : tensor<i32>'
program "$I" "%r = \"stablehlo.get_dimension_size\"(%d) <{dimension = 0 : i64}> : ($D) -> $I" >"$work/p.mlir"; static 'dense<2> : tensor<i32>'
program "$I" "%r = stablehlo.get_dimension_size %q, dim = 1 : ($D) -> $I" >"$work/p.mlir"; static 'dense<3> : tensor<i32>'
program "$I" "%r = stablehlo.get_dimension_size %q, dim = 0 : ($D) -> $I" >"$work/p.mlir"; becomes 'get_dimension_size %q'
# operands that stand for attributes, known and not
program 'tensor<?x?xf32>' "$c2" "%r = stablehlo.dynamic_reshape %x, %c : ($X, tensor<2xi32>) -> tensor<?x?xf32>" >"$work/p.mlir"
becomes 'stablehlo.reshape %x : (tensor<2x3xf32>) -> tensor<3x2xf32>'
program 'tensor<?x?xf32>' "%r = stablehlo.dynamic_reshape %x, %l : ($X, tensor<2xi32>) -> tensor<?x?xf32>" >"$work/p.mlir"
becomes 'stablehlo.dynamic_reshape %x, %l'
program 'tensor<3x2xf32>' "%r = stablehlo.dynamic_reshape %d, %l : ($D, tensor<2xi32>) -> tensor<3x2xf32>" >"$work/p.mlir"
static 'stablehlo.reshape %x'
program 'tensor<4x5xi32>' '%c = stablehlo.constant dense<[4, 5]> : tensor<2xi32>' \
    '%s = stablehlo.dynamic_iota %c, dim = 1 : (tensor<2xi32>) -> tensor<?x?xi32>' \
    '%r = stablehlo.convert %s : (tensor<?x?xi32>) -> tensor<4x5xi32>' >"$work/p.mlir"
static 'stablehlo.iota dim = 1 : tensor<4x5xi32>'
program 'tensor<?x2x3xf32>' "%n = stablehlo.get_dimension_size %d, dim = 1 : ($D) -> $I" "%n1 = stablehlo.reshape %n : ($I) -> tensor<1xi32>" \
    "%s = stablehlo.concatenate %n1, %t, dim = 0 : (tensor<1xi32>, tensor<2xi32>) -> tensor<3xi32>" \
    "%r = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [1, 2] : ($X, tensor<3xi32>) -> tensor<?x2x3xf32>" |
    sed 's/^  %n =/  %t = stablehlo.constant dense<[2, 3]> : tensor<2xi32>\n  %n =/' >"$work/p.mlir"
becomes 'stablehlo.broadcast_in_dim %x, dims = [1, 2] : (tensor<2x3xf32>) -> tensor<3x2x3xf32>'
lists() { printf '%%%s = stablehlo.constant dense<%s> : tensor<2xi32>\n' "$1" "$2"; }
program 'tensor<?x?xf32>' "$(lists a '[0, 1]')" "$(lists b '[2, 3]')" "$(lists c '[1, 2]')" \
    "%r = stablehlo.real_dynamic_slice %d, %a, %b, %c : ($D, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>" >"$work/p.mlir"
becomes 'stablehlo.slice %x [0:2, 1:3:2]'
program 'tensor<?x?xf32>' '%z = stablehlo.constant dense<1.0> : tensor<f32>' "$(lists a '[-1, 1]')" "$(lists b '[2, 0]')" "$(lists c '[0, 1]')" \
    "%r = stablehlo.dynamic_pad %d, %z, %a, %b, %c : ($D, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>" >"$work/p.mlir"
becomes 'stablehlo.pad %x, %z, low = [-1, 1], high = [2, 0], interior = [0, 1]'
program 'tensor<?x3xf32>' '%i = stablehlo.constant dense<[[1], [0], [1], [1]]> : tensor<4x1xi32>' "$(lists a '[1, 3]')" \
    "%r = \"stablehlo.dynamic_gather\"(%d, %i, %a) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false}> : ($D, tensor<4x1xi32>, tensor<2xi32>) -> tensor<?x3xf32>" >"$work/p.mlir"
becomes 'slice_sizes = array<i64: 1, 3>'
program 'tensor<1x?x1xf32>' '%m = stablehlo.constant dense<2.0> : tensor<1x4x1xf32>' '%w = stablehlo.constant dense<3.0> : tensor<2x1x1xf32>' \
    '%a = stablehlo.constant dense<[[1, 0]]> : tensor<1x2xi32>' \
    '%r = "stablehlo.dynamic_conv"(%m, %w, %a) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64}> : (tensor<1x4x1xf32>, tensor<2x1x1xf32>, tensor<1x2xi32>) -> tensor<1x?x1xf32>' >"$work/p.mlir"
becomes '[6.000000e+00], [1.200000e+01]' ' : (tensor<1x4x1xf32>) -> tensor<1x?x1xf32>'

# A program that means nothing is left alone: other sizes than declared, sizes that do not fit.
for bad in '[-3, -2]' '[2, 2]' '[6, 0]'; do
    program 'tensor<?x?xf32>' "%c = stablehlo.constant dense<$bad> : tensor<2xi32>" \
        "%r = stablehlo.dynamic_reshape %x, %c : ($X, tensor<2xi32>) -> tensor<?x?xf32>" >"$work/p.mlir"
    becomes 'stablehlo.dynamic_reshape %x, %c'
done
program 'tensor<5x?xf32>' "$c2" "%r = stablehlo.dynamic_reshape %x, %c : ($X, tensor<2xi32>) -> tensor<5x?xf32>" >"$work/p.mlir"
becomes 'stablehlo.dynamic_reshape %x, %c'
program 'tensor<4x3xf32>' "%r = stablehlo.convert %d : ($D) -> tensor<4x3xf32>" >"$work/p.mlir"; becomes 'stablehlo.convert %d'
program 'tensor<?x?xf32>' "$(lists a '[1, 0]')" "$(lists b '[0, 3]')" "$(lists c '[1, 1]')" \
    "%r = stablehlo.real_dynamic_slice %x, %a, %b, %c : ($X, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>" >"$work/p.mlir"
becomes 'real_dynamic_slice %x'
# an attribute that a term cannot hold keeps the operation
program "$X" "%s = stablehlo.dot_general %d, %e, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : ($D, tensor<3x3xf32>) -> $D" \
    "%r = stablehlo.convert %s : ($D) -> $X" | sed 's/^  %s =/  %e = stablehlo.constant dense<1.0> : tensor<3x3xf32>\n  %s =/' >"$work/p.mlir"
becomes 'precision = [HIGHEST'

# the interpreter knows the sizes of a run: --verify and eval run such programs
program 'tensor<?xf32>' "%n = stablehlo.get_dimension_size %d, dim = 0 : ($D) -> $I" "%t = stablehlo.constant dense<3> : $I" \
    "%m = stablehlo.multiply %n, %t : $I" "%m1 = stablehlo.reshape %m : ($I) -> tensor<1xi32>" "%s = stablehlo.add %d, %e : $D" \
    "%r = stablehlo.dynamic_reshape %s, %m1 : ($D, tensor<1xi32>) -> tensor<?xf32>" |
    sed -e "s/, %q: tensor<?x3xf32>//" -e "s/^  %n =/  %e = stablehlo.convert %y : ($X) -> $D\n  %n =/" >"$work/p.mlir"
becomes 'stablehlo.add %x, %y : tensor<2x3xf32>'
expect 0 "$rankwright" simplify "$work/p.mlir" --db "$db" --verify 4 -o "$work/v.mlir"
has "$work/err" '1 function gave equal results on 4 random arguments'
expect 0 "$rankwright" eval "$work/p.mlir" --compare "$work/o.mlir" --runs 20
sed 's/stablehlo.add/stablehlo.subtract/' "$work/o.mlir" >"$work/wrong.mlir"
expect 1 "$rankwright" eval "$work/p.mlir" --compare "$work/wrong.mlir" --runs 20
cp "$work/p.json" "$work/good.json"

# a record that says something else of the sizes is refused
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
lines = [i for i, line in enumerate(record["lines"]) if line["kind"] == "refine"]
assert len(lines) >= 3, record["lines"]
for i in lines:
    for end in "ab":
        for term in range(len(record["terms"])):
            changed = copy.deepcopy(record)
            if changed["lines"][i][end] != term:
                changed["lines"][i][end] = term
                refused(changed)
    for kind in "fold", "layout", "branch", "complex", "cong":
        changed = copy.deepcopy(record)
        changed["lines"][i]["kind"] = kind
        refused(changed)
for i, term in enumerate(record["terms"]):
    for old, new in (("?x3", "?x2"), ("tensor<2x3xf32>) -> tensor<?x3", "tensor<3x2xf32>) -> tensor<?x3"), ("convert", "negate"),
                     ("dynamic_reshape", "dynamic_pad"), ("dim = 0", "dim = 1"), ("stablehlo.add", "stablehlo.multiply")):
        if old in term.get("text", ""):
            changed = copy.deepcopy(record)
            changed["terms"][i]["text"] = term["text"].replace(old, new)
            refused(changed)
assert tried > 60, tried
P
library
# what sizes are made of stays in operations that StableHLO's shape refinement evaluates: no pad in
# place of the concatenation, which is cheaper where no size is "?"
cat >"$work/sizes.mlir" <<'P'
func.func @main(%x: tensor<?x4xf32>, %y: tensor<?xf32>) -> (tensor<?x1xf32>, tensor<i1>, tensor<?xi32>) {
  %c = stablehlo.constant dense<1> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<1xi32>
  %0 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
  %p = stablehlo.compare GE, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %1 = stablehlo.reshape %0 : (tensor<i32>) -> tensor<1xi32>
  %2 = stablehlo.concatenate %1, %one, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %3 = stablehlo.dynamic_broadcast_in_dim %y, %2, dims = [0] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x1xf32>
  %4 = stablehlo.dynamic_broadcast_in_dim %c, %1, dims = [] : (tensor<i32>, tensor<1xi32>) -> tensor<?xi32>
  return %3, %p, %4 : tensor<?x1xf32>, tensor<i1>, tensor<?xi32>
}
P
# the same without sizes
cat >"$work/values.mlir" <<'P'
func.func @main(%0: tensor<i32>) -> (tensor<2xi32>, tensor<i1>, tensor<3xi32>) {
  %c = stablehlo.constant dense<1> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<1xi32>
  %p = stablehlo.compare GE, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %1 = stablehlo.reshape %0 : (tensor<i32>) -> tensor<1xi32>
  %2 = stablehlo.concatenate %1, %one, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %4 = stablehlo.custom_call @f(%c) : (tensor<i32>) -> tensor<3xi32>
  return %2, %p, %4 : tensor<2xi32>, tensor<i1>, tensor<3xi32>
}
P
for cost in time nodes; do
    expect 0 "$rankwright" simplify "$work/sizes.mlir" --db "$db" --cost $cost -o "$work/sizes_out.mlir" \
        --proof "$work/sizes.json"
    has "$work/sizes_out.mlir" 'stablehlo.concatenate %1, %'
    expect 0 "$rankwright" check "$work/sizes.json" --db "$db"
done
expect 0 "$rankwright" simplify "$work/values.mlir" --db "$db" -o "$work/values_out.mlir"
has "$work/values_out.mlir" 'stablehlo.pad'
finish
