#!/bin/sh
# The comparison with other engines says yes only of what was measured and agrees.
# The engines here are scripts that print given counts; what builds them is one too.
. tests/lib/cli.sh
peers() { python3 bench/peers/run.py --build "$work/build" "$@"; }

mkdir "$work/bin" "$work/build"
cat >"$work/bin/cargo" <<'S'
#!/bin/sh
[ ! -e "$0.broken" ] || { echo "error: no registry" >&2; exit 101; }
mkdir -p "$CARGO_TARGET_DIR/release"
cp "$(dirname "$0")"/peer-* "$CARGO_TARGET_DIR/release"
S
engine() { # file nodes proof-steps
    cat >"$1" <<S
#!/bin/sh
echo '{"nodes":$2,"classes":5,"ids":9,"memo":9,"iterations":10,"cpu_seconds":0.5,"peak_bytes":1,
"stop":"iterations","counts":[[7,5],[$2,5]],"proof_seconds":0.25,"proof_steps":$3}'
S
    chmod +x "$1"
}
printf '#!/bin/sh\nf=$1\nshift\n"$@"\ns=$?\necho 1000 5000 >"$f"\nexit $s\n' >"$work/bin/peer-run"
engine "$work/bin/peer-egg" 8 4
engine "$work/bin/peer-egglog" 8 null
chmod +x "$work"/bin/*
PATH=$work/bin:$PATH

engine "$work/same" 8 3
expect 0 peers --ours "$work/same" --runs 3 mm-10 integ-part1
has "$work/out" '^mm-10 +egglog +0\.50000 .* agree$'
has "$work/out" '^integ-part1 +egg\+proofs +250\.0+ +4 +1\.00 +1\.33$'

# Other counts, where all engines do the same work, and on the way to a goal.
engine "$work/other" 9 3
expect 1 peers --ours "$work/other" --runs 1 mm-10
has "$work/out" '^mm-10 +egg .* DIFFER$'
expect 0 peers --ours "$work/other" --runs 1 integ-part2
has "$work/out" '^integ-part2 +egg\+proofs .* differ$'

# The same counts at the end, others on the way.
sed 's/\[7,5\]/[6,5]/' "$work/same" >"$work/way"
chmod +x "$work/way"
expect 1 peers --ours "$work/way" --runs 1 mm-10
has "$work/out" '^mm-10: egg differs after iteration 1$'

# Engines that say nothing, nonsense, too little, or nothing in time.
for text in 'exit 3' 'echo hello' 'echo {}' 'sleep 9'; do
    printf '#!/bin/sh\n%s\n' "$text" >"$work/bad"
    chmod +x "$work/bad"
    expect 1 peers --ours "$work/bad" --runs 1 --timeout 1 mm-10
    has "$work/out" '^mm-10 +ours .*FAILED'
done
engine "$work/lost" 8 null
expect 1 peers --ours "$work/lost" --runs 1 integ-part1
has "$work/out" '^integ-part1 +ours\+proofs +NO PROOF'

# What cannot be built or was not measured.
expect 2 env GYM="$work/nowhere" python3 bench/peers/run.py --build "$work/build" \
    --ours "$work/same" --extract "$rankwright" extraction
has "$work/out" 'not measured'
touch "$work/bin/cargo.broken"
expect 2 peers --ours "$work/same" mm-10
has "$work/err" 'does not build'
rm "$work/bin/cargo" "$work/bin/cargo.broken"
mkdir "$work/few"
python=$(python3 -c "import sys; print(sys.executable)")
expect 2 env PATH="$work/few" "$python" bench/peers/run.py --build "$work/build" \
    --ours "$work/same" mm-10
has "$work/err" 'cargo is needed'
expect 64 peers --ours "$work/same" no-such-workload
expect 64 peers --ours "$work/no-such-program" mm-10
expect 64 peers mm-10

# Every workload names files that are there.
python3 - "$work/build" <<'P' || fail "a workload without its files"
import os, sys
sys.path.insert(0, 'bench/peers')
sys.dont_write_bytecode = True
import run
for w in run.workloads(sys.argv[1]):
    for path in w.command('program', True):
        if path.startswith('/') and not os.path.isfile(path):
            sys.exit(f'{w.name}: {path}')
P
finish
