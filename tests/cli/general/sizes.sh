#!/bin/sh
# Sizes, depths and counts of a foreign text: a message with its limit in place of
# memory, time or stack.
. tests/lib/cli.sh
expect 0 "$rankwright" prove tests/rules/small.rw --db "$db"
program() { # NAME PARAMETERS RESULT BODY
    printf 'func.func @main(%s) -> %s {\n%s\n}\n' "$2" "$3" "$4" >"$work/$1.mlir"
}
t='tensor<1000000000000xf32>'
program parameter "%a: $t" "$t" "  return %a : $t"
program iota '' "$t" "  %0 = stablehlo.iota dim = 0 : $t
  return %0 : $t"
program splat '' "$t" "  %0 = stablehlo.constant dense<1.0> : $t
  return %0 : $t"
program broadcast '%a: tensor<f32>' "$t" "  %0 = stablehlo.broadcast_in_dim %a, dims = [] : (tensor<f32>) -> $t
  return %0 : $t"
program pad '%a: tensor<2xf32>, %z: tensor<f32>' "$t" "  %0 = stablehlo.pad %a, %z, low = [0], high = [999999999998], interior = [0] : (tensor<2xf32>, tensor<f32>) -> $t
  return %0 : $t"
program opaque '%a: tensor<f32>' "$t" "  %0 = stablehlo.custom_call @f(%a) : (tensor<f32>) -> $t
  return %0 : $t"
for name in parameter iota splat broadcast pad opaque; do
    expect 2 "$rankwright" eval "$work/$name.mlir"; one_message
    has "$work/err" 'a tensor of 1000000000000 elements is too large to evaluate: at most 1024 MiB'
    # an e-graph needs no elements
    expect 0 "$rankwright" simplify "$work/$name.mlir" --db "$db" -o "$work/out.mlir" --proof "$work/r.json"
    expect 0 "$rankwright" check "$work/r.json" --db "$db"
done
# many tensors, each of them small enough
part='tensor<200000000xf32>'
many=$(for i in 1 2 3 4 5 6 7; do printf '%%a%d: %s, ' $i "$part"; done)
program many "${many%, }" "$part" "  return %a1 : $part"
expect 2 "$rankwright" eval "$work/many.mlir"; one_message
has "$work/err" 'the values are too large to evaluate: at most 4096 MiB'
# a fold of a large constant is made of its splat, or not at all
program fold '' 'tensor<f32>' "  %c = stablehlo.constant dense<1.0> : $t
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%c init: %z) applies stablehlo.add across dimensions = [0] : ($t, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>"
expect 2 "$rankwright" eval "$work/fold.mlir"; one_message
expect 0 "$rankwright" simplify "$work/fold.mlir" --db "$db"
for size in 9223372036854775807 99999999999999999999999; do
    program size "%a: tensor<${size}xf32>" "tensor<${size}xf32>" "  return %a : tensor<${size}xf32>"
    expect 65 "$rankwright" eval "$work/size.mlir"; one_message
    has "$work/err" 'a size does not fit in 63 bits'
done

# depth of every reader
python3 - "$work" <<'P'
import sys
def write(name, text): open(f"{sys.argv[1]}/{name}", "w").write(text)
deep = 100000
write("deep.json", '{"format": "rankwright proof record", "version": 1, "x": ' + "[" * deep + "]" * deep + "}")
write("graph.json", '{"nodes": ' + '{"a":' * deep)
write("regions.mlir", "func.func @main() {\n" + '"x.y"() ({\n' * 5000 + "}) : () -> ()\n" * 5000 + "return\n}\n")
write("brackets.expr", "(" * 1000 + "x" + ")" * 1000)
write("minus.expr", "-" * 10000 + "x")
write("power.expr", "x" + "^x" * 10000)
write("long.expr", "x" + "+x" * 200000)
tensor = "rule a { axes x; map n, s on x; tensor A[x: n] : num; "
write("brackets.rw", tensor + "(" * 1000 + "A" + ")" * 1000 + " => A; }")
write("minus.rw", tensor + "-" * 10000 + "A => A; }")
write("map.rw", tensor + "slice(A, start=" + "-" * 10000 + "s) => A; }")
write("not.rw", tensor + "where " + "not " * 10000 + "s == 0; slice(A, start=s) => A; }")
write("long.rw", tensor + "A" + "+A" * 50000 + " => A; }")
write("operands.mlir", "func.func @main(%a: tensor<f32>) -> tensor<f32> {\n  %0 = \"x.y\"("
      + ", ".join(["%a"] * 100000) + ") : (" + ", ".join(["tensor<f32>"] * 100000)
      + ") -> tensor<f32>\n  return %0 : tensor<f32>\n}\n")
chain = "".join(f"  %{i + 1} = stablehlo.sine %{i} : tensor<f32>\n" for i in range(30000))
write("chain.mlir", "func.func @main(%a: tensor<f32>) -> tensor<f32> {\n  %0 = stablehlo.negate %a : tensor<f32>\n"
      + chain + "  return %30000 : tensor<f32>\n}\n")
write("results.mlir", "func.func @main() {\n  %0:4000000000 = \"x.y\"() : () -> tensor<f32>\n  return\n}\n")
P
for command in check explain; do
    expect 65 "$rankwright" $command "$work/deep.json" --db "$db"; one_message
    has "$work/err" 'maximum parsing depth'
done
expect 65 "$rankwright" extract "$work/graph.json"; one_message
for name in regions results; do
    expect 65 "$rankwright" eval "$work/$name.mlir"; one_message
    expect 65 "$rankwright" simplify "$work/$name.mlir" --db "$db"
done
for name in brackets minus power long; do
    expect 65 "$rankwright" simplify "$work/$name.expr" --db "$db"
    expect 65 "$rankwright" eval "$work/$name.expr"; one_message
done
for name in brackets minus map not long; do
    expect 65 "$rankwright" prove "$work/$name.rw" --db "$work/none.db"; one_message
done
for name in operands chain; do
    expect 0 "$rankwright" eval "$work/$name.mlir"
    expect 0 "$rankwright" simplify "$work/$name.mlir" --db "$db" -o "$work/out.mlir"
done

# numbers of records, and keys that stand twice
cat >"$work/p.mlir" <<'M'
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.slice %a [0:4] : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.slice %0 [0:4] : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
M
expect 0 "$rankwright" simplify "$work/p.mlir" --db "$db" -o "$work/out.mlir" --proof "$work/r.json"
grep -q '"lines"' "$work/r.json" || fail "records have no lines any more"
number() { # REPLACEMENT: of the first number of a line
    python3 - "$work/r.json" "$work/number.json" "$1" <<'P'
import re, sys
text = open(sys.argv[1]).read()
made, n = re.subn(r'("a":)\d+', r'\g<1>' + sys.argv[3], text, count=1)
if n == 0:
    made = re.sub(r'("version": ?)\d+', r'\g<1>' + sys.argv[3], text, count=1)
open(sys.argv[2], "w").write(made)
P
}
for n in 99999999999999999999999999 9223372036854775807 4294967296 -1 1e400 1.5 NaN null '"1"' '[1]'; do
    number "$n"
    for command in check explain; do
        "$rankwright" $command "$work/number.json" --db "$db" >"$work/out" 2>"$work/err"
        status=$?
        [ $status = 65 ] || [ $status = 1 ] || fail "number $n: $command ended with $status"
    done
done
sed '0,/"version"/s/"version"/"version": 7, "version"/' "$work/r.json" >"$work/twice.json"
expect 65 "$rankwright" check "$work/twice.json" --db "$db"; one_message
finish
