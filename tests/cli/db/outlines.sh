#!/bin/sh
# Outlines: what the engine knows of the rules of a database before it reads them. Results are the
# same with them, without them and with damaged ones; a library twice as large is hardly slower.
. tests/lib/cli.sh
library
outlined=$work/outlined.db mine=$work/mine.db
RANKWRIGHT_LIBRARY=$PWD/rules/library
export RANKWRIGHT_LIBRARY
cp "$db" "$outlined"
empty() { echo 'func.func @none() { return }' | "$rankwright" simplify - --db "$1"; }
expect 0 empty "$outlined"
expect 0 "$rankwright" simplify -e x --db "$outlined" # notes that no verdict is lacking
sql() { # DATABASE SQL
    python3 - "$@" <<'P'
import sqlite3, sys
c = sqlite3.connect(sys.argv[1])
print("\n".join("|".join(map(str, row)) for row in c.execute(sys.argv[2])))
c.commit()
P
}
rows() { sql "$1" "select * from outline order by rule"; }
is_whole() { rows "$1" >"$work/found" && cmp -s "$work/found" "$work/rows"; }
rows "$outlined" >"$work/rows"
[ "$(wc -l <"$work/rows")" -gt 1000 ] || fail "few outlines"

# ---- the same bytes with and without outlines, and the same work
run() { # DATABASE NAME PROGRAM DOMAIN: output, record and work of the rules
    expect 0 "$rankwright" simplify "$3" --domain "$4" --db "$1" --stats -o "$work/$2.mlir" \
        --proof "$work/$2.json"
    grep ' new .* steps\|match steps\|: cost' "$work/err" | grep -v ' 0 new ' |
        sed 's/ *[0-9.]* ms$//; s/, [0-9.]* s$//; s/, peak memory .*//' >"$work/$2.work"
}
same() { # NAME NAME
    for part in mlir json work; do
        cmp -s "$work/$1.$part" "$work/$2.$part" || fail "$3: other $part: $1 and $2"
    done
}
for program in tests/programs/*.mlir; do
    case $program in *transformer*|*conv_stack*) domain=float ;; *) domain=real ;; esac
    run "$outlined" with "$program" $domain
    cp "$db" "$work/none.db"
    sql "$work/none.db" "delete from outline" >/dev/null
    run "$work/none.db" without "$program" $domain
    same with without "$program $domain"
    has "$work/with.work" 'match steps'
done
is_whole "$work/none.db" || fail "outlines that were made again differ"

# ---- one operation needs few rules
one() { # OPERATOR: a program
    printf 'func.func @f(%%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %%0 = stablehlo.%s %%x : tensor<8x4xf32>\n  return %%0 : tensor<8x4xf32>\n}\n' "$1"
}
one negate >"$work/negate.mlir"
read_rules() { # DATABASE: the number of rules that were read
    expect 0 "$rankwright" simplify "$work/negate.mlir" --db "$1" --stats
    sed -n 's/.*: \([0-9]*\) of [0-9]* rules read$/\1/p' "$work/err"
}
few=$(read_rules "$outlined")
[ "$few" -gt 0 ] && [ "$few" -lt 20 ] || fail "$few rules read for one operation"

# ---- damaged outlines
cat >"$work/zero.mlir" <<'M'
func.func @f(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<8x4xf32>
  %0 = stablehlo.add %x, %z : tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}
M
run "$outlined" want "$work/zero.mlir" real
has "$work/want.mlir" 'return %x'
zero="(select hash from rule where name = 'add_zero')"
other="(select rule from outline where rule <> $zero and needs <> 0
        and roots <> (select roots from outline where rule = $zero) order by rule limit 1)"
of() { echo "(select $1 from outline where rule = $other)"; }
# Facts without their seal, facts of another rule with its seal, a version of another program, no
# outline: all are as if they were missing, and are made again.
for damage in "update outline set needs = -1" "update outline set roots = 0" \
    "update outline set depth = depth + 1 where rule = $zero" \
    "update outline set simplifies = 1 - simplifies" \
    "update outline set (roots, needs, depth, simplifies, seal) = (select roots, needs, depth,
        simplifies, seal from outline where rule = $other) where rule = $zero" \
    "update outline set version = '0'" "delete from outline where rule = $zero"; do
    cp "$outlined" "$work/damaged.db"
    sql "$work/damaged.db" "$damage" >/dev/null
    is_whole "$work/damaged.db" && fail "not damaged: $damage"
    run "$work/damaged.db" damaged "$work/zero.mlir" real
    same damaged want "$damage"
    is_whole "$work/damaged.db" || fail "not made again: $damage"
    # where nothing can be written, too
    sql "$work/damaged.db" "$damage" >/dev/null
    RANKWRIGHT_LIBRARY_DATABASE=$work/damaged.db
    run "$mine" damaged "$work/zero.mlir" real
    grep -q 'not used' "$work/err" && fail "the library is not used"
    same damaged want "$damage, read only"
    is_whole "$work/damaged.db" && fail "the library was written: $damage"
    RANKWRIGHT_LIBRARY_DATABASE=
done

# A forger can seal what he likes. An outline that asks for a rule too early is noticed when the
# rule is read; one that asks too late keeps the rule from being used, as a verdict that was
# deleted would. The record is valid all the same.
forge() { # DATABASE FACT VALUE: sealed, of the rule add_zero
    python3 - "$@" <<'P'
import sqlite3, sys
M = (1 << 64) - 1
def mix(x, seed):
    m = ((x ^ 0x9e3779b97f4a7c15) & M) * ((seed ^ 0xe7037ed1a0b428db) & M)
    return (m ^ m >> 64) & M
def digest(data, seed):
    h = mix(len(data), seed)
    for i in range(0, len(data), 8):
        h = mix(int.from_bytes(data[i:i + 8], "little"), h)
    return mix(h, seed)
def seal(rule, version, roots, needs, depth, simplifies):
    h = digest(version.encode(), digest(rule.encode(), 1))
    h = mix(depth << 32 | simplifies, mix(needs & M, mix(roots & M, h)))
    return h - (1 << 64) if h >> 63 else h
c = sqlite3.connect(sys.argv[1])
for row in c.execute("select * from outline limit 9"):
    assert seal(*row[:6]) == row[6], "the seal is another one"
c.execute(f"update outline set {sys.argv[2]} = ? where rule = "
          "(select hash from rule where name = 'add_zero')", (int(sys.argv[3]),))
row, = c.execute("select * from outline where rule = (select hash from rule where name = 'add_zero')")
c.execute("update outline set seal = ? where rule = ?", (seal(*row[:6]), row[0]))
c.commit()
P
}
for forgery in "needs 0" "depth 9" "simplifies 0"; do
    cp "$outlined" "$work/forged.db"
    forge "$work/forged.db" ${forgery% *} ${forgery#* } || fail "cannot forge"
    expect 74 "$rankwright" simplify "$work/zero.mlir" --domain real --db "$work/forged.db"
    one_message
    has "$work/err" 'the outline of rule add_zero is damaged'
    run "$work/forged.db" forged "$work/zero.mlir" real # outlines were forgotten, and are made again
    same forged want "$forgery"
    is_whole "$work/forged.db" || fail "a forged outline stays"
done
cp "$outlined" "$work/forged.db"
forge "$work/forged.db" roots 0 || fail "cannot forge"
expect 0 "$rankwright" simplify "$work/zero.mlir" --domain real --db "$work/forged.db" \
    --proof "$work/forged.json"
grep -q 'name":"add_zero"' "$work/forged.json" && fail "a rule without roots was used"
expect 0 "$rankwright" check "$work/forged.json" --db "$work/forged.db"

# ---- an outline stands for no verdict and no text
sql "$outlined" "select hash from rule where name = 'add_zero'" >"$work/hash"
for change in "update verdict set verdict = 'unknown' where rule = $zero" \
    "update verdict set verifier = '0' where rule = $zero" \
    "delete from current where hash = $zero"; do
    cp "$outlined" "$work/changed.db"
    sql "$work/changed.db" "$change" >/dev/null
    expect 0 "$rankwright" simplify "$work/zero.mlir" --domain real --db "$work/changed.db" \
        --proof "$work/changed.json"
    grep -q "$(cat "$work/hash")" "$work/changed.json" && fail "used though not proved: $change"
done
for change in "update rule set canonical = replace(canonical, '0', '1') where name = 'add_zero'|text" \
    "delete from obligation where rule = $zero|obligations"; do
    cp "$outlined" "$work/changed.db"
    sql "$work/changed.db" "${change%|*}" >/dev/null
    expect 74 "$rankwright" simplify "$work/zero.mlir" --domain real --db "$work/changed.db"
    one_message
    has "$work/err" "${change#*|}"
done

# ---- two layers: a library that nobody can write, and outlines of the user's rules
chmod a-w "$outlined"
sum=$(cksum <"$outlined")
cat >"$work/mine.rw" <<'R'
rule own { axes x; map n on x; tensor A[x: n] : num; claims real; A * 9 - A * 8 => A; }
R
RANKWRIGHT_LIBRARY_DATABASE=$outlined
rm "$mine"
expect 0 "$rankwright" prove "$work/mine.rw" --domain real --db "$mine"
run "$mine" layers "$work/zero.mlir" real
grep -q 'not used' "$work/err" && fail "the library is not used"
cmp -s "$work/layers.mlir" "$work/want.mlir" || fail "layers: another result"
expect 0 "$rankwright" simplify "$work/negate.mlir" --db "$mine"
[ "$(sql "$mine" "select count(*) from outline")" = 1 ] || fail "outlines of the user's own rules"
[ "$(cksum <"$outlined")" = "$sum" ] || fail "the library was written"
cat >"$work/nine.mlir" <<'M'
func.func @f(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %9 = stablehlo.constant dense<9.0> : tensor<8x4xf32>
  %8 = stablehlo.constant dense<8.0> : tensor<8x4xf32>
  %0 = stablehlo.multiply %x, %9 : tensor<8x4xf32>
  %1 = stablehlo.multiply %x, %8 : tensor<8x4xf32>
  %2 = stablehlo.subtract %0, %1 : tensor<8x4xf32>
  return %2 : tensor<8x4xf32>
}
M
RANKWRIGHT_LIBRARY_DATABASE=
run "$mine" own "$work/nine.mlir" real
has "$work/own.mlir" 'return %x'
has "$work/err" '1 of 1 rules read'
for program in attention signal; do
    run "$outlined" alone tests/programs/$program.mlir real
    rm -f "$work/new.db"
    RANKWRIGHT_LIBRARY_DATABASE=$outlined
    run "$work/new.db" layers tests/programs/$program.mlir real
    RANKWRIGHT_LIBRARY_DATABASE=
    same alone layers "two layers, $program"
done

# ---- a library twice as large
RANKWRIGHT_LIBRARY_DATABASE=
twice=$work/twice.db
python3 tests/lib/double_library.py "$rankwright" rules/library "$outlined" "$work/twins" "$twice" \
    >"$work/out" || fail "no library twice as large"
has "$work/out" '^1[0-9]{3} twins'
n=$(read_rules "$twice")
[ "$n" -le $((2 * few)) ] || fail "$n rules read in a library twice as large, $few in one"
cp "$twice" "$work/bare.db"
sql "$work/bare.db" "delete from outline" >/dev/null
# Processor time: outlines against none, in turn; the least of some runs.
python3 - "$rankwright" "$work/negate.mlir" "$mine" "$work/twins" "$twice" "$work/bare.db" <<'P' || fail "slow with outlines"
import os, subprocess, sys
rankwright, program, mine, rules, *databases = sys.argv[1:]
def processor_time(database):
    layers = dict(os.environ, RANKWRIGHT_LIBRARY=rules, RANKWRIGHT_LIBRARY_DATABASE=database)
    run = subprocess.Popen([rankwright, "simplify", program, "--db", mine], env=layers,
                           stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    message = run.stderr.read()
    _, status, used = os.wait4(run.pid, 0)
    assert status == 0 and b"not used" not in message, message
    return used.ru_utime + used.ru_stime
times = [[processor_time(database) for database in databases] for _ in range(7)]
outlined, bare = map(min, zip(*times))
print("twice the library, one operation: %.0f ms with outlines, %.0f ms without" %
      (1e3 * outlined, 1e3 * bare))
assert outlined < bare / 2, (outlined, bare)
P
finish
