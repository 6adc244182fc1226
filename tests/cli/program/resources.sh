#!/bin/sh
# The resources of a file stay as long as anything but constants may name them; the checker
# refuses outputs that lack them.
. tests/lib/cli.sh
library
type='tensor<2xf32>'
data='{-# dialect_resources: { builtin: { c: "0x040000000000803F00000040", d: "0x040000000000803F" } } #-}'
program() { # parameter's type, result
    cat <<END
module {
  func.func @main(%x: $1) -> $1 {
    %c = stablehlo.constant dense_resource<c> : $type
    %d = stablehlo.custom_call @foo(%c) {has_side_effect = false, d = dense_resource<d> : tensor<1xf32>} : ($type) -> $type
    %r = stablehlo.reverse %d, dims = [0] : $type
    %s = stablehlo.reverse %r, dims = [0] : $type
    return $2 : $1
  }
END
}
simplified() { # the file
    expect 0 "$rankwright" simplify "$work/$1" --db "$db" -o "$work/out.mlir" --proof "$work/out.json"
    expect 0 "$rankwright" check "$work/out.json" --db "$db"
}
kept() { grep -qF "$data" "$work/out.mlir" || fail "$1 lost its resources"; }
# An output without resources, or with others.
forged() { # a Python expression on the output
    python3 - "$work/out.json" "$work/forged.json" "$1" <<'END'
import json, sys
record = json.load(open(sys.argv[1]))
output = record["output"]
record["output"] = eval(sys.argv[3])
assert record["output"] != output
json.dump(record, open(sys.argv[2], "w"))
END
    expect 1 "$rankwright" check "$work/forged.json" --db "$db"
}
for result in %c %d %s %x; do
    { program "$type" $result; echo '}'; echo "$data"; } >"$work/in.mlir"
    simplified in.mlir
    kept "$result"
    forged 'output[:output.index("{-#")]'
    forged 'output.replace("803F\"", "0040\"")'
    # Such a file is printed in one form, not in its own text.
    printf '// \001\n' | cat - "$work/in.mlir" >"$work/odd.mlir"
    simplified odd.mlir
    kept "$result in one form"
done

# A type of the signature has the only name.
encoded='tensor<2xf32, dense_resource<d> : tensor<1xf32>>'
{ printf 'func.func @f(%%x: %s) -> %s {\n  return %%x : %s\n}\n' "$encoded" "$encoded" "$encoded"
  echo "$data"; } >"$work/in.mlir"
simplified in.mlir
kept 'a type'
forged 'output[:output.index("{-#")]'
printf '// \001\n' | cat - "$work/in.mlir" >"$work/odd.mlir"
simplified odd.mlir
kept 'a type in one form'

# Other functions than @main, which may go; resources of another dialect.
{ program "$type" %x; cat <<END
  func.func private @gone(%x: $type) -> $type attributes {a.b = dense_resource<d> : tensor<1xf32>} {
    return %x : $type
  }
  func.func @other(%x: $type) -> $type {
    %c = stablehlo.constant dense_resource<c> : $type
    %a = stablehlo.add %x, %c : $type
    return %a : $type
  }
}
END
} >"$work/functions.mlir"
{ cat "$work/functions.mlir"; echo "$data"; } >"$work/in.mlir"
simplified in.mlir
kept 'a function'
{ echo "$data"; cat "$work/functions.mlir"; } >"$work/in.mlir"
simplified in.mlir
kept 'a function behind the resources'
data='{-# dialect_resources: { test: { blob: "0x040000000000803F" } } #-}'
printf 'func.func @f() attributes {a.b = #test.e<blob>} {\n  return\n}\n%s\n' "$data" >"$work/in.mlir"
simplified in.mlir
kept 'another dialect'

# Constants alone: their resources go with the last one.
printf 'func.func @f(%%x: %s) -> %s {\n  %%c = stablehlo.constant dense_resource<c> : %s
  return %%x : %s\n}\n%s\n' $type $type $type $type \
    '{-# dialect_resources: { builtin: { c: "0x040000000000803F00000040" } } #-}' >"$work/in.mlir"
simplified in.mlir
grep -q resource "$work/out.mlir" && fail "resources for nothing"
finish
