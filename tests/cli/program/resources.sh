#!/bin/sh
# Resources that nothing names any more are left out of the output; those that a text still names
# stay what they were.
. tests/lib/cli.sh
library
program() { # the result
    cat <<END
module {
  func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
    %c = stablehlo.constant dense_resource<c> : tensor<2xf32>
    %d = stablehlo.custom_call @foo(%x) {has_side_effect = false, d = dense_resource<d> : tensor<1xf32>} : (tensor<2xf32>) -> tensor<2xf32>
    %r = stablehlo.reverse %x, dims = [0] : tensor<2xf32>
    %s = stablehlo.reverse %r, dims = [0] : tensor<2xf32>
    return $1 : tensor<2xf32>
  }
}
{-# dialect_resources: { builtin: { c: "0x040000000000803F00000040", d: "0x040000000000803F" } } #-}
END
}
for result in %c %d %s; do
    program $result >"$work/in.mlir"
    expect 0 "$rankwright" simplify "$work/in.mlir" --db "$db" -o "$work/out.mlir" \
        --proof "$work/out.json"
    expect 0 "$rankwright" check "$work/out.json" --db "$db"
    case $result in
    %s) grep -q dense_resource "$work/out.mlir" && fail "resources for nothing" ;;
    *) grep -q 'dialect_resources' "$work/out.mlir" || fail "$result lost its data" ;;
    esac
done
# An output whose text names data that are gone.
program %d >"$work/in.mlir"
expect 0 "$rankwright" simplify "$work/in.mlir" --db "$db" -o "$work/out.mlir" \
    --proof "$work/out.json"
python3 - "$work/out.json" "$work/forged.json" <<'END'
import json, sys
record = json.load(open(sys.argv[1]))
output = record["output"]
assert "{-#" in output and "dense_resource<d>" in output
record["output"] = output[:output.index("{-#")]
json.dump(record, open(sys.argv[2], "w"))
END
expect 1 "$rankwright" check "$work/forged.json" --db "$db"
finish
