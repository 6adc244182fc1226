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

# What MLIR refuses is refused, in an output too: the place and what is expected.
{ program "$type" %c; echo '}'; echo "$data"; } >"$work/in.mlir"
simplified in.mlir
mv "$work/out.json" "$work/whole.json"
while read -r entries; do
    broken="{-# dialect_resources: { builtin: { $entries } } #-}"
    { program "$type" %c; echo '}'; echo "$broken"; } >"$work/broken.mlir"
    expect 65 "$rankwright" eval "$work/broken.mlir"
    one_message
    has "$work/err" 'broken.mlir:10:[0-9]+: (expected|a second resource of this name)'
    python3 - "$work/whole.json" "$work/forged.json" "$broken" <<'END'
import json, sys
record = json.load(open(sys.argv[1]))
record["output"] = record["output"][:record["output"].index("{-#")] + sys.argv[3]
json.dump(record, open(sys.argv[2], "w"))
END
    "$rankwright" check "$work/forged.json" --db "$db" >"$work/out" 2>&1
    has "$work/out" '(expected|a second resource of this name)'
done <<'END'
c: "0x040000000000803F00000040", junk: "0x0"
c: "0x040000000000803F00000040", junk: "0x04000000ZZ"
c: "0x040000000000803F00000040", junk: "0x040000"
c: "0x040000000000803F00000040", junk: "04000000"
c: "0x040000000000803F00000040", junk: 5
c: "0x040000000000803F00000040", junk: w
c: "0x040000000000803F00000040", c: "0x040000000000803F00000040"
c: "0x040000000000803F00000040", "c": "0x040000000000803F00000041"
c: "0x030000000000803F00000040"
c "0x040000000000803F00000040"
c: "0x040000000000803F00000040" d: "0x04000000"
c:
5: "0x04000000"
END
# An empty blob, a comma behind the last one, names in quotes, other dialects and sections.
{ program "$type" %c; echo '}'; cat <<'END'
{-#
  dialect_resources: {
    builtin: {
      "c": "0x00000000000080BF00000040",
      empty: "0x04000000",
    },
    test: { c: "0x040000000000803F00000040", d: "any", e: 5, f: true }
  },
  external_resources: { mlir_reproducer: { pipeline: "builtin.module(cse)", verify_each: true } }
#-}
END
} >"$work/in.mlir"
simplified in.mlir
sed '/custom_call/d; s/%d,/%c,/' "$work/in.mlir" >"$work/values.mlir"
expect 0 "$rankwright" eval "$work/values.mlir"
has "$work/out" 'dense<.-1.000000e.00, 2.000000'

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
