#!/bin/sh
# HLO text: the output is HLO text again, means the same, its record is accepted, and
# printing is stable.  Computations, layouts and what stays text survive.
. tests/lib/cli.sh
library
total=0
for program in tests/programs/hlo/*.hlo; do
    name=$(basename "$program" .hlo)
    out=$work/$name.hlo
    record=$work/$name.json
    expect 0 "$rankwright" simplify "$program" --db "$db" -o "$out" --proof "$record"
    expect 0 "$rankwright" check "$record" --db "$db" --input "$program" --program "$out"
    expect 0 "$rankwright" explain "$record" --db "$db"
    grep -q '^HloModule ' "$out" || fail "$name: the output is no HLO"
    sed -n 's|^// keeps: ||p' "$program" >"$work/keeps"
    while read -r part; do
        grep -qF -- "$part" "$out" || fail "$name: '$part' is lost"
    done <"$work/keeps"
    sed -n 's|^// drops: ||p' "$program" >"$work/drops"
    while read -r part; do
        ! grep -qF -- "$part" "$out" || fail "$name: '$part' is still there"
    done <"$work/drops"
    expect 0 "$rankwright" simplify "$out" --db "$db" -o "$work/again.hlo"
    cmp -s "$out" "$work/again.hlo" || fail "$name: printing is not stable"
    total=$((total + 1))
done
[ "$total" -ge 4 ] || fail "too few programs"

# a computation that becomes one operator stays a region in this output, and is read as the operator next time
cat >"$work/folds.hlo" <<'M'
HloModule m

keep {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  n = f32[] negate(b)
  ROOT s = f32[] negate(n)
}

most {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  n = f32[] negate(b)
  nn = f32[] negate(n)
  ROOT s = f32[] maximum(a, nn)
}

ENTRY e {
  x = f32[5] parameter(0)
  i = s32[2,1] parameter(1)
  u = f32[2] parameter(2)
  c = f32[] constant(1)
  s = f32[5] scatter(x, i, u), update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=keep
  w = f32[4] reduce-window(x, c), window={size=2}, to_apply=most
  r = f32[] reduce(x, c), dimensions={0}, to_apply=keep
  ROOT t = (f32[5], f32[4], f32[]) tuple(s, w, r)
}
M
expect 0 "$rankwright" simplify "$work/folds.hlo" --db "$db" -o "$work/fold.hlo" --proof "$work/fold.json"
has "$work/fold.hlo" 'ROOT %s = f32\[\] maximum\(.*rankwright.region'
expect 0 "$rankwright" check "$work/fold.json" --db "$db"
expect 0 "$rankwright" simplify "$work/fold.hlo" --db "$db" -o "$work/folded.hlo" --proof "$work/folded.json"
has "$work/folded.hlo" 'reduce-window\(.*to_apply=%maximum_f32'
expect 0 "$rankwright" check "$work/folded.json" --db "$db"

# the name does not matter, the first word does
cp tests/programs/hlo/layers.hlo "$work/layers.mlir"
expect 0 "$rankwright" simplify "$work/layers.mlir" --db "$db"
grep -q '^HloModule ' "$work/out" || fail "HLO in a file of another name"

# a record holds for its format only
sed 's/HloModule layers/HloModule other/' "$work/layers.hlo" >"$work/other.hlo"
expect 1 "$rankwright" check "$work/layers.json" --db "$db" --program "$work/other.hlo"

# forged NAME OLD NEW: the record with OLD in place of NEW in its output is rejected.
forged() {
    grep -qF -- "$2" "$work/$1.hlo" || fail "$1 has no '$2'"
    python3 - "$work/$1.json" "$2" "$3" >"$work/forged.json" <<'P'
import json, sys
record = json.load(open(sys.argv[1]))
record["output"] = record["output"].replace(sys.argv[2], sys.argv[3])
json.dump(record, sys.stdout)
P
    expect 1 "$rankwright" check "$work/forged.json" --db "$db"
}
# an operand in another layout, or of another value
forged layouts 'bitcast(%copy.1)' 'bitcast(%x)'
forged layouts 'custom-call(%x, %y)' 'custom-call(%y, %x)'
forged layouts 'f32[2,3]{0,1} copy(%y)' 'f32[2,3] copy(%y)'
# another computation, target, attribute, order of effects
forged loops 'multiply(%kept, %ones)' 'add(%kept, %ones)'
forged loops 'add(%parameter.1, %parameter.1)' 'multiply(%parameter.1, %parameter.1)'
forged loops 'custom_call_target="tell"' 'custom_call_target="sell"'
forged loops 'body=%step' 'body=%under_four'
# a computation is gone
forged loops '%double (' '%twice ('
# calls, loops and bodies: another function's value, operand, condition, comparison, order
forged structure 'add(%get-tuple-element.2, %get-tuple-element.2)' \
    'subtract(%get-tuple-element.2, %get-tuple-element.2)'
forged structure '%added = f32[4] add(%sorted, %x)' '%added = f32[4] add(%sorted, %y)'
forged structure 'tuple(%o2, %get-tuple-element.2, %sum)' 'tuple(%o2, %sum, %get-tuple-element.2)'
forged structure 'condition=%condition, body=%body' 'condition=%inner_condition, body=%inner_body'
forged structure 'is_stable=true, ' ''
forged structure 'sort(%y, %last), dimensions={0}' 'sort(%y, %last), dimensions={1}'
forged structure '%gt = pred[] compare(%parameter.1, %parameter.3)' \
    '%gt = pred[] compare(%parameter.3, %parameter.1)'
forged structure 'tuple(%begin, %x, %x)' 'tuple(%begin, %sorted, %x)'
forged structure 'reduce(%mapped, %iota, %low, %begin)' 'reduce(%mapped, %iota, %begin, %low)'
forged structure 'get-tuple-element(%inner), index=1' 'get-tuple-element(%parameter.1), index=2'
# branches and bodies: another branch, order, operand, kind, body, window
forged branches 'branch_computations={%left, %right, %none}' 'branch_computations={%right, %left, %none}'
forged branches 'true_computation=%swapped, false_computation=%other' 'true_computation=%other, false_computation=%swapped'
forged branches 'conditional(%flag, %x, %y)' 'conditional(%flag, %y, %x)'
forged branches ' sine(' ' cosine('
forged branches 'window={size=2}' 'window={size=2 stride=1}'
forged branches 'kind=kCustom' 'kind=kLoop'
forged branches 'dimensions={0}, to_apply=%mix' 'dimensions={0}, to_apply=%sum'
forged branches 'scatter(%x, %i, %u)' 'scatter(%y, %i, %u)'
forged notes 'control-predecessors={%first}' 'control-predecessors={%x}'
forged notes 'sharding={replicated}' 'sharding={maximal device=0}'
forged late 'predecessors={%first}, sharding' 'predecessors={%x}, sharding'
forged late 'parameter(2)' 'parameter(1)'
forged late ', sharding={replicated}' ''
forged notes 'may-alias' 'must-alias'

# both programs run, through the calls, the loop and the bodies
expect 0 "$rankwright" eval tests/programs/hlo/structure.hlo --compare "$work/structure.hlo"
has "$work/out" 'same 3 results'
# a parameter that comes after others is what was given for it; a message names an instruction, not
# its type
order() { # attributes of y, operands of the subtraction
    cat <<END
HloModule order

ENTRY main {
  x = f32[4]{0} parameter(0)
  y = f32[4]{0} parameter(1)$1
  made = (f32[4]{0}, f32[]) custom-call(y), custom_call_target="f"
  part = f32[4]{0} get-tuple-element(made), index=0
  ROOT r = f32[4]{0} subtract($2)
}
END
}
order '' 'y, x' >"$work/order.hlo"
order ', control-predecessors={x}' 'y, x' >"$work/later.hlo"
order ', control-predecessors={x}' 'x, y' >"$work/turned.hlo"
order '' 'part, x' >"$work/called.hlo"
expect 0 "$rankwright" eval "$work/order.hlo" --compare "$work/later.hlo"
has "$work/out" 'same 1 results'
expect 1 "$rankwright" eval "$work/order.hlo" --compare "$work/turned.hlo"
expect 0 "$rankwright" eval "$work/called.hlo"
has "$work/err" 'the interpreter does not know custom-call: what depends'
# loops that share their blocks are loops of their own
expect 0 "$rankwright" simplify tests/programs/hlo/shared_blocks.hlo --db "$db" -o "$work/shared.hlo" \
    --proof "$work/shared.json"
expect 0 "$rankwright" check "$work/shared.json" --db "$db"
expect 0 "$rankwright" eval tests/programs/hlo/shared_blocks.hlo --compare "$work/shared.hlo" --runs 20
has "$work/out" 'no difference in 20 runs'
# two loops with one condition, of another state: they stay text
sed 's/condition=condition, body=body/condition=inner_condition, body=body/' \
    tests/programs/hlo/structure.hlo >"$work/mixed.hlo"
expect 0 "$rankwright" simplify "$work/mixed.hlo" --db "$db"
has "$work/out" 'condition=inner_condition, body=body'
# what the text leaves out, or names for something that goes, changes no form: the result is read
# as the same program, up to names.  A body that a second loop, which nothing uses, shares; roots
# without shapes
sed 's/  same = f32/  second = (s32[], f32[4]{0}, f32[4]{0}) while(init), condition=condition, body=body\n  same = f32/
    s/ROOT n = f32\[4\]{0} negate/ROOT n = negate/
    s/ROOT t = (f32\[4\]{0}, f32\[4\]{0}) tuple/ROOT t = tuple/
    s/ROOT qq = f32\[\] multiply/ROOT qq = multiply/' \
    tests/programs/hlo/structure.hlo >"$work/shared.hlo"
grep -q 'second = ' "$work/shared.hlo" && grep -q 'ROOT qq = multiply' "$work/shared.hlo" || fail "no change"
expect 0 "$rankwright" simplify "$work/shared.hlo" --db "$db"
nameless() { sed 's/%[a-z][a-z0-9._-]*/%/g' "$1"; }
nameless "$work/out" >"$work/out.names"
nameless "$work/structure.hlo" | cmp -s "$work/out.names" - || fail "a second loop that nothing uses is left"
# a computation that returns something else
sed 's/ROOT qq = f32\[\] multiply(neutrals, q)/ROOT qq = compare(neutrals, q), direction=LT/' \
    tests/programs/hlo/structure.hlo >"$work/bad.hlo"
expect 65 "$rankwright" simplify "$work/bad.hlo" --db "$db"
has "$work/err" 'returns a shape that its operation does not take'
# an operand of another shape
sed 's/gone.0 = f32\[4\]{0} call(x)/gone.0 = f32[4]{0} call(y)/' tests/programs/hlo/structure.hlo >"$work/bad.hlo"
expect 65 "$rankwright" simplify "$work/bad.hlo" --db "$db"
has "$work/err" 'operand 0 has a shape that the operation does not take'

# bad input: a message with its place
printf 'HloModule t\n\nENTRY e {\n  ROOT c = f32[3] constant({...})\n}\n' >"$work/bad.hlo"
expect 65 "$rankwright" simplify "$work/bad.hlo" --db "$db"
grep -q 'bad.hlo:4:28: .*left out' "$work/err" || fail "elements that were left out"
printf 'HloModule t\n\nENTRY e {\n  a = f32[3] parameter(0)\n  ROOT c = f32[4] negate(a)\n}\n' \
    >"$work/bad.hlo"
expect 65 "$rankwright" simplify "$work/bad.hlo" --db "$db"
grep -q 'bad.hlo:5:12: expected the shape f32\[3\]' "$work/err" || fail "a wrong shape"

# the other format, there and back: equal values, and a record about the converted program
expect 0 "$rankwright" simplify tests/programs/hlo/layers.hlo --db "$db" --format stablehlo \
    -o "$work/layers.mlir" --proof "$work/layers.json"
has "$work/layers.mlir" 'func.func public @main.1\(%x.1: tensor<4x8xf32>'
expect 0 "$rankwright" check "$work/layers.json" --db "$db" --program "$work/layers.mlir"
sed 's/@main.1/@main/' "$work/layers.mlir" >"$work/main.mlir"
expect 0 "$rankwright" eval tests/programs/hlo/layers.hlo --compare "$work/main.mlir"
expect 0 "$rankwright" simplify "$work/layers.mlir" --db "$db" --format hlo -o "$work/back.hlo"
has "$work/back.hlo" 'ROOT %divide.1 = f32\[4,3\] divide\('
expect 0 "$rankwright" eval tests/programs/hlo/layers.hlo --compare "$work/back.hlo"
# both texts of a record have one format, though the terms are equal
python3 - "$work/layers.json" "$work/back.hlo" >"$work/forged.json" <<'P'
import json, sys
record = json.load(open(sys.argv[1]))
record["output"] = open(sys.argv[2]).read()
json.dump(record, sys.stdout)
P
expect 1 "$rankwright" check "$work/forged.json" --db "$db"
has "$work/out" 'the output has another format'
# a name of a format is no change
expect 0 "$rankwright" simplify tests/programs/hlo/loops.hlo --db "$db" --format hlo -o "$work/same.hlo"
cmp -s "$work/same.hlo" "$work/loops.hlo" || fail "--format hlo changes HLO"
# what the other format does not have is refused
expect 65 "$rankwright" simplify tests/programs/hlo/loops.hlo --db "$db" --format stablehlo
one_message
has "$work/err" 'loops.hlo: cannot write this program in StableHLO: `stablehlo.while` is no operator of one function'
expect 65 "$rankwright" simplify tests/programs/hlo/notes.hlo --db "$db" --format stablehlo
has "$work/err" 'input_output_alias'
expect 65 "$rankwright" simplify tests/programs/stencil.mlir --db "$db" --format hlo
has "$work/err" 'tf.aliasing_output'
# an attribute kept beside a term, a second module
printf 'func.func @f(%%x: tensor<2xf32>) -> tensor<2xf32> {
  %%0 = stablehlo.abs %%x {mhlo.sharding = "{replicated}"} : tensor<2xf32>
  return %%0 : tensor<2xf32>
}\n' >"$work/kept.mlir"
expect 65 "$rankwright" simplify "$work/kept.mlir" --db "$db" --format hlo
has "$work/err" 'mhlo.sharding'
printf 'module @a {\n  func.func @f() {\n    return\n  }\n}\nmodule @b {\n}\n' >"$work/two.mlir"
expect 65 "$rankwright" simplify "$work/two.mlir" --db "$db" --format hlo
has "$work/err" 'expected one module'
printf 'func.func @main() {\n  return\n}\nfunc.func @other() {\n  return\n}\n' >"$work/two.mlir"
expect 65 "$rankwright" simplify "$work/two.mlir" --db "$db" --format hlo
has "$work/err" 'one public function'
printf 'func.func @main() {\n  return\n}\n"ml.state"() {sym_name = "s"} : () -> ()\n' >"$work/two.mlir"
expect 65 "$rankwright" simplify "$work/two.mlir" --db "$db" --format hlo
has "$work/err" 'no other operations'
expect 64 "$rankwright" simplify tests/programs/stencil.mlir --db "$db" --format onnx
finish
