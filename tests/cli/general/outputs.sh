#!/bin/sh
# Outputs: never a file that the command reads, nor another output; made whole.
. tests/lib/cli.sh
cat >"$work/r.rw" <<'R'
rule negated { axes x; map n on x; tensor A[x: n] : num; -(-A) => A; }
R
cat >"$work/p.mlir" <<'M'
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.negate %a : tensor<4xf32>
  %1 = stablehlo.negate %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}
M
cd "$work" || exit 1
rankwright=$(cd "$OLDPWD" && cd "$(dirname "$rankwright")" && pwd)/$(basename "$rankwright")
expect 0 "$rankwright" prove r.rw --db f.db
expect 0 "$rankwright" simplify p.mlir --db f.db --proof r.json --dump-egraph g.json -o o.mlir
mkdir folder keep
cp r.rw folder/
cp f.db p.mlir r.rw r.json g.json keep/
ln -s f.db link.db
ln -s new.mlir dangling
ln f.db hard.db
ln -s . here

# refused STATUS-64 MESSAGE command...: nothing is written, and nothing is lost.
refused() {
    message=$1
    shift
    expect 64 "$@"
    [ -s err ] && one_message && has err "$message"
    for file in f.db p.mlir r.rw r.json g.json; do
        cmp "$file" "keep/$file" || { fail "$file is harmed: $*"; cp "keep/$file" "$file"; }
    done
    cmp folder/r.rw keep/r.rw || fail "harmed in its folder: $*"
    for file in new.mlir new.json; do
        [ ! -e "$file" ] || fail "written: $file"
    done
}
simplify="$rankwright simplify p.mlir --db f.db"
for option in -o --proof --html --dump-egraph; do
    for path in f.db ./f.db here/f.db link.db hard.db "$work/f.db"; do
        refused "--[a-z-]*: .* is the database" $simplify $option "$path"
    done
    for path in f.db-wal f.db-shm f.db-journal here/f.db-wal; do
        refused "is a file of the database" $simplify $option "$path"
    done
    refused "p.mlir is an input" $simplify $option here/p.mlir
    refused "r.rw is an input" $simplify $option r.rw --rules r.rw
    refused "r.rw is an input" $simplify $option r.rw --assume r.json,r.rw
    refused "folder/r.rw is a file of an input" $simplify $option folder/r.rw --rules folder
    refused "keep is a folder" $simplify $option keep
done
# the link leads to the database, and to files beside it
refused "is a file of the database" "$rankwright" simplify p.mlir --db link.db -o f.db-wal
refused "new.mlir is the output of --output" $simplify -o here/new.mlir --proof new.mlir
refused "dangling is the output of --output" $simplify -o new.mlir --html dangling
refused "is the output of --proof" $simplify --proof new.json --html ./new.json
refused "standard output is the output of --output" $simplify --proof -
refused "/dev/stdout is the output of --output" $simplify --proof /dev/stdout
refused "is the output of --output" "$rankwright" simplify -e 'x + 0' --db f.db --proof -
refused "r.json is an input" "$rankwright" explain r.json --db f.db --html r.json
refused "f.db is the database" "$rankwright" explain r.json --db f.db --html f.db
refused "g.json is an input" "$rankwright" extract g.json -o g.json
ln -s g.json g.dot
refused "g.dot is an input" "$rankwright" extract g.json --picture g.dot
refused "r.rw is an input" "$rankwright" generalize r.rw --db f.db -o r.rw
refused "f.db is the database" "$rankwright" generalize r.rw --db f.db -o f.db
refused "r.rw is an input" "$rankwright" discover --candidates r.rw -o r.rw
refused "f.db is the database" "$rankwright" discover --ops not --domain bool --db f.db -o f.db
: >empty.rw
refused "--db: empty.rw is an input" "$rankwright" prove empty.rw --db empty.rw
[ ! -s empty.rw ] || fail "a database in place of a rule file"
# standard output that the shell has opened
expect 64 sh -c "$simplify >>f.db"
has err "standard output is the database"
cmp f.db keep/f.db || fail "appended to the database"
expect 64 sh -c "$simplify 2>>f.db" # without a message, which would go there
expect 64 sh -c "$simplify - <p.mlir -o p.mlir"
expect 64 sh -c "'$rankwright' simplify - --db f.db <p.mlir >>p.mlir"
cmp f.db keep/f.db && cmp p.mlir keep/p.mlir || fail "appended to an input"

# allowed: devices, pipes, /dev/stdout as the one output, files of other folders
expect 0 $simplify -o /dev/null --proof /dev/null --html /dev/null
expect 0 sh -c "$simplify -o /dev/stdout >stdout.mlir"
cmp stdout.mlir o.mlir || fail "/dev/stdout as a file"
expect 0 sh -c "$simplify -o - >stdout.mlir"
cmp stdout.mlir o.mlir || fail "- as a file"
expect 0 sh -c "{ echo first; $simplify -o stdout.mlir; } >stdout.mlir"
[ "$(head -n 1 stdout.mlir)" = first ] && sed 1d stdout.mlir | cmp - o.mlir ||
    fail "the file that standard output goes to"
mkfifo pipe
cat pipe >piped &
expect 0 $simplify -o pipe
wait $!
cmp piped o.mlir || fail "a pipe"
[ -p pipe ] || fail "a pipe is replaced by a file"
expect 0 sh -c "$simplify -o /dev/fd/3 3>three"
cmp three o.mlir || fail "a descriptor"
expect 0 "$rankwright" simplify p.mlir --db f.db --rules folder -o folder/new.txt
expect 0 $simplify -o dangling
[ -L dangling ] && cmp new.mlir o.mlir || fail "a link to no file"

# made whole: the mode stays, no temporary file stays, a failure leaves the old text
echo old >mode.mlir
chmod 604 mode.mlir
expect 0 $simplify -o mode.mlir
[ "$(stat -c %a mode.mlir)" = 604 ] && cmp mode.mlir o.mlir || fail "the mode of a file that was there"
echo old >small.mlir
# 0 blocks: no file may grow
expect 74 sh -c "ulimit -f 0; $simplify -o small.mlir --no-such 2>/dev/null; $simplify -o small.mlir"
[ "$(cat small.mlir)" = old ] || fail "half a file"
[ -z "$(find . -name '*.tmp')" ] || fail "temporary files stay: $(find . -name '*.tmp')"
finish
