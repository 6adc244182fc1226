#!/bin/sh
# Every bad input: one clear message with its place, and the right status.
. tests/lib/cli.sh
usage() { expect 64 "$rankwright" "$@"; [ -s "$work/err" ] || fail "no message: $*"; }
usage
usage nonsense
usage prove --nonsense
usage prove --domain nowhere rules/library --db "$db"
usage show --db "$db"
usage simplify --db "$db"
usage simplify tests/programs/mlp.mlir --cost nonsense --db "$db"
usage simplify tests/programs/mlp.mlir --nodes many --db "$db"
usage check --db "$db"
usage check record.json --solver cvc5 --db "$db"
usage check record.json --method rank --db "$db"
usage show slice_of_slice --smt2 --json --db "$db"
usage prove tests/rules/small.rw --jobs 1.5 --db "$db"
usage eval tests/programs/mlp.mlir --seed 0x10
# a name that two files have: both places
for file in first second; do
    printf '\nrule twice { axes x; map n on x; tensor A[x: n] : num; claims int; A + 0 => A; }\n' >"$work/$file.rw"
done
expect 65 "$rankwright" prove "$work/first.rw" "$work/second.rw" --db "$db"
has "$work/err" 'second.rw:2:6: a rule named `twice` exists already: .*/first.rw:2$'
mkdir "$work/empty"
expect 65 "$rankwright" prove "$work/empty" --db "$db"; one_message
usage prove tests/rules/small.rw --db ""
usage simplify tests/programs/mlp.mlir --db "$db" -o "$work/same" --proof "$work/same"
usage eval
usage merge --db "$db"
usage prove --worker tests/rules/small.rw
usage prove --worker --jobs 2
usage prove --worker --list
expect 0 "$rankwright" --help
for c in prove show query simplify explain check eval extract merge; do
    expect 0 "$rankwright" $c --help
    has "$work/out" '^usage: rankwright'
done

# What is to be simplified is read before the database is made, and the library proved.
expect 74 "$rankwright" simplify . --db "$work/unmade.db"; one_message; has "$work/err" ": \.: cannot read: Is a directory"
echo x >"$work/x.mlir"
for input in "$work/x.mlir" "-e x+)" "-e x --given x>" "-e x --rules $work/x.mlir"; do
    # shellcheck disable=SC2086 # words
    expect 65 "$rankwright" simplify $input --db "$work/unmade.db"; one_message
done
has "$work/err" 'x\.mlir:1:1: '
[ ! -e "$work/unmade.db" ] || fail "a database was made for a bad input"

# rules: several errors of one file, each with line and column
cat >"$work/bad.rw" <<'R'
rule one { axes x; map n on x; tensor A[x: n] : num; A + B => A; }
rule two { axes x; map n on x; tensor A[x: n] : num; A + 0 > A; }
rule fine { axes x; map n on x; tensor A[x: n] : num; claims int; A + 0 => A; }
R
expect 65 "$rankwright" prove "$work/bad.rw" --db "$db"
has "$work/err" 'bad.rw:1:[0-9]+: .*B'
has "$work/err" 'bad.rw:2:[0-9]+: '
printf 'rule x {' >"$work/cut.rw"
expect 65 "$rankwright" prove "$work/cut.rw" --db "$db"
expect 74 "$rankwright" prove "$work/absent.rw" --db "$db"; one_message

printf '/// \377\nrule' >"$work/bytes.rw"
expect 65 "$rankwright" prove "$work/bytes.rw" --db "$db"; one_message
printf 'func.func @f() {\n  // \377\n return\n}' >"$work/bytes.mlir"
expect 65 "$rankwright" eval "$work/bytes.mlir" --function f; one_message
has "$work/err" 'bytes.mlir:2:'
name=$(printf '%s/a\nb\377.rw' "$work")
cp tests/rules/small.rw "$name"
expect 0 "$rankwright" prove "$name" --db "$work/name.db"
expect 0 "$rankwright" query --json --db "$work/name.db"
python3 -c 'import json, sys
for l in open(sys.argv[1]): assert json.loads(l)["family"] == "a?b?"' "$work/out" ||
    fail "names of files in JSON"

# programs
cat >"$work/bad.mlir" <<'M'
func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.add %a, %b : tensor<2xf32>
  return %0 : tensor<2xf32>
}
M
expect 65 "$rankwright" eval "$work/bad.mlir"; one_message
has "$work/err" 'bad.mlir:2:[0-9]+: .*%?b'
head -c 300 tests/programs/mlp.mlir >"$work/cut.mlir"
expect 65 "$rankwright" eval "$work/cut.mlir"; one_message
expect 74 "$rankwright" eval "$work/absent.mlir"; one_message
expect 65 "$rankwright" eval tests/programs/mlp.mlir --function absent; one_message

# records
for text in '' '{' '[]' '{}' '{"format":"rankwright proof record","version":1}' '"x"' "$(printf '\377')"; do
    printf '%s' "$text" >"$work/bad.json"
    expect 65 "$rankwright" explain "$work/bad.json"; one_message
    expect 65 "$rankwright" check "$work/bad.json"; one_message
done

# results that cannot be written
expect 0 "$rankwright" prove tests/rules/small.rw --db "$db"
expect 74 sh -c "'$rankwright' query --db '$db' >/dev/full"
expect 74 sh -c "'$rankwright' --help >/dev/full"
usage query op=nonsense --db "$db"
usage query rung=nonsense --db "$db"
usage query nonsense=slice --db "$db"
expect 74 "$rankwright" simplify tests/programs/mlp.mlir --db "$db" -o "$work/no/such/out.mlir"
expect 74 sh -c "'$rankwright' simplify tests/programs/mlp.mlir --db '$db' >/dev/full"
finish
