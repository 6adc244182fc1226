#!/bin/sh
# Wrong command lines: what the message says, what it proposes, and the status.
. tests/lib/cli.sh
# says PATTERN WORD...: status 64, one message that matches.
says() {
    pattern=$1
    shift
    expect 64 "$rankwright" "$@"
    case " $* " in *" --json "*) ;; *) one_message ;; esac
    has "$work/err" "$pattern"
    [ ! -s "$work/out" ] || fail "output: $*"
}
# proposes HINT WORD...
proposes() {
    hint=$1
    shift
    says "^  hint: $hint\$" "$@"
}

# commands
expect 64 "$rankwright"
has "$work/err" '^usage: rankwright COMMAND'
says '^rankwright: unknown command simplfy$' simplfy x
proposes 'did you mean simplify\?' simplfy x
proposes 'did you mean prove\?' porve
proposes 'did you mean discover\?' disc
proposes 'rankwright help lists the commands' frobnicate
says 'unknown command $' ''
# filters, and names of rules
library
expect 65 "$rankwright" show slice_of_slic --db "$db"
has "$work/err" '^  hint: did you mean slice_of_slice\?'
proposes 'did you mean family\?' query famly=slice
proposes 'did you mean family\?' query --values famly
for filter in family origin precondition; do
    expect 0 "$rankwright" query "$filter=nosuch" --db "$db"
    has "$work/err" "^rankwright: $filter=nosuch: no rule .*--values $filter lists the values"
done
# near RIGHT FILTER=WRONG: no rule passes it, whatever the others are
near() {
    for command in query 'query op=tanh' 'export --format latex'; do
        # shellcheck disable=SC2086 # words
        expect 0 "$rankwright" $command "$2" --db "$db"
        has "$work/err" "^rankwright: $2: no rule has this value; did you mean $1\? rankwright query --values"
    done
}
near slice family=slic
near xla origin=XLA
near enzyme-jax origin=enzym_jax
near stride precondition=strid
expect 0 "$rankwright" query family=slice op=tanh --db "$db"
has "$work/err" '^rankwright: family=slice: no rule that passes the other filters;'
expect 0 "$rankwright" export --format latex family=slice --db "$db"
[ ! -s "$work/err" ] || fail "a filter that finds rules: $(cat "$work/err")"
proposes 'did you mean egglog\?' export --format egglgo --db "$db"
proposes 'did you mean seconds\?' query --sort name,secnds --db "$db"
proposes 'did you mean float\?' query --domain int,flaot --db "$db"
proposes 'did you mean float\?' query claims=int,flaot --db "$db"
proposes 'a year starts with its first day: 1999-01-01' query --since 1999 family=slice --db "$db"
# --json is heeded in the answer to an error, whether the command has it or is one
for command in export compare serve site version simplfy; do
    says '^\{"error":".*","status":64,"file":null,' $command --json
done
# The file that cannot be read or written is told as a file.
refused() { # FILE WORD...
    file=$1
    shift
    expect 74 "$rankwright" "$@" --json
    [ "$(tail -n 1 "$work/err" | python3 -c \
        'import json, sys; print(json.load(sys.stdin)["file"])')" = "$file" ] ||
        fail "another file: $(cat "$work/err")"
}
no=$work/no/such
for words in "prove $no" "lint $no" "extract $no" "generalize $no.rw" "lift $no.ttir" "merge --db $work/m.db $no" \
    "simplify $no.mlir --db $db" "simplify $no.expr --db $db" "simplify -e x --rules $no --db $db" \
    "explain $no --db $db" "check $no --db $db" "learn $no.mlir $no --db $db" "query record=$no --db $db" \
    "query --new $no --db $db" "query --fires $no --db $db" "query --diff $no --db $db" \
    "derive --goal $no --from $no --db $db" "simplify -e x --db $db -o $no" "simplify -e x --db $db --proof $no" \
    "show x --db $no" "query --db $no" "check $0 --db $no" "discover --ops slice --resume $no"; do
    file=$no${words#*"$no"}
    # shellcheck disable=SC2086 # words
    refused "${file%% *}" $words
done
expect 74 "$rankwright" lint "$no"
has "$work/err" "^rankwright: $no: cannot open: No such file or directory\$"
says 'expected a command, found --json' --json prove
proposes 'options stand behind the command: rankwright COMMAND --json' --json prove
proposes 'did you mean derive\?' help dervie
proposes 'did you mean derive\?' help man dervie
says 'help: unexpected more' --help prove more
for words in --help -h help '--help help'; do
    # shellcheck disable=SC2086 # words
    expect 0 "$rankwright" $words
    has "$work/out" '^usage: rankwright '
done
"$rankwright" simplify --help >"$work/simplify"
for words in 'help simplify' '--help simplify' '-h simplify' 'simplify -h' \
    'simplify x.mlir --nodes 3 --help' 'simplify --nonsense --help'; do
    # shellcheck disable=SC2086 # words
    expect 0 "$rankwright" $words
    cmp "$work/simplify" "$work/out" || fail "$words"
done
version=$(sed -n 's/.*RW_VERSION "\(.*\)"/\1/p' include/rankwright.h)
for word in --version -V version; do
    expect 0 "$rankwright" $word
    has "$work/out" "^rankwright $version\$"
    has "$work/out" '^verifier [^ ]+, semantics [^ ]+$'
done
says 'version: unexpected x' version x

# options
says 'prove: unknown option --domian' prove --domian int
proposes 'did you mean --domain\?' prove --domian int
proposes 'did you mean --no-search\?' prove --no_search
proposes 'did you mean --solver\?' prove --solvr=z3
proposes '--html is an option of simplify, explain, lift' prove --html x
proposes 'rankwright prove --help lists the options' prove --frobnicate
proposes 'rankwright prove --help lists the options' prove -Z
says 'prove: option --db needs FILE' prove --db
says 'prove: option --again=yes takes no value' prove --again=yes
# One value an option.
says '^rankwright: --cost is given twice$' simplify p.mlir --cost nodes --cost flops
says '^rankwright: --domain is given twice$' prove --domain int a.rw --domain=real
says '^rankwright: --jobs is given twice$' prove -j 1 a.rw -j2
says '^rankwright: --db is given twice$' query --db a.db --db a.db

# values
proposes 'did you mean int\?' prove --domain itn rules/library
proposes 'did you mean float\?' prove --domain int,flaot rules/library
proposes 'did you mean flops\?' simplify p.mlir --cost floops
says '^rankwright: --cost: expected time or nodes or flops or bytes, found steps$' simplify p.mlir --cost steps
proposes 'did you mean both\?' prove --solver boht rules/library
proposes 'did you mean coefficients\?' prove --method coeff rules/library

# Options that no form of the command line reads: refused, with the forms that
# would.  Lines: the option, the forms, the command line.
rows=0
: >"$work/refused"
while IFS='|' read -r option forms line; do
    rows=$((rows + 1))
    # shellcheck disable=SC2086 # words
    says ": $option works only $forms" $line
    echo "${line%% *} $option" >>"$work/refused"
done <<'L'
--domain|for programs|simplify -e x --domain real
--cost|for programs|simplify -e x --cost flops
--format|for programs|simplify -e x --format hlo
--extract|for programs|simplify x.expr --extract dag
--scheduler|for programs|simplify x.expr --scheduler simple
--dump-egraph|for programs|simplify -e x --dump-egraph g.json
--picture-nodes|with --dump-egraph FILE.dot|simplify x.mlir --picture-nodes 3
--picture-nodes|with --dump-egraph FILE.dot|simplify x.mlir --dump-egraph g.json --picture-nodes 3
--keep-attributes|for programs|simplify -e x --keep-attributes a.b
--verify|for programs|simplify -e x --verify 3
--given|for formulas|simplify x.mlir --given x>0
--expand|for formulas|simplify x.mlir --expand
--notation|for formulas|simplify x.mlir --notation latex
--keep-constants|for formulas|simplify x.mlir --keep-constants
--wait|with --db|prove --worker --wait 3
--jobs|without --worker and --list|prove --worker -j 2
--jobs|without --worker and --list|prove --list -j 2
--domain|without --list or with --list and --db|prove --list --domain int
--timeout|without --list|prove --list --timeout 3
--solver|without --list|prove --list --solver z3
--solver-program|with --solver cvc5 or both|prove --solver-program cvc5
--method|without --list|prove --list --method rank
--no-search|without --list|prove --list --no-search
--memory|without --list|prove --list --memory 500
--again|without --worker and --list or with --list|prove --worker --again
--no-times|with --json or --worker|prove --no-times
--stats|without --list|prove --list --stats
--seed|without --list and --no-search|prove --no-search --seed 3
--verbose|without --worker, --list and --json|prove --list --verbose
--domain|with --format egglog|export a --format latex --domain real
--rank|with --format egglog|export a --format latex --rank 2
--port|without --worker|serve --worker --port 2
--open|without --worker|serve --worker --open
--jobs|without --worker|serve --worker -j 2
--jobs|with --reprove|check r.json -j 2
--timeout|with --reprove|check r.json --timeout 2
--solver|with --reprove|check r.json --solver z3
--solver-program|with --reprove and --solver|check r.json --reprove --solver-program x
--method|with --reprove|check r.json --method rank
--jobs|with --reprove|merge a.db -j 2
--domain|with --reprove|merge a.db --domain int
--timeout|with --reprove|merge a.db --timeout 2
--solver|with --reprove|merge a.db --solver both
--solver-program|with --reprove and --solver|merge a.db --solver-program x
--memory|with --reprove|merge a.db --memory 500
--seed|with --reprove|merge a.db --seed 5
--wait|with --db|generalize a.rw --wait 3
--jobs|with --db|generalize a.rw -j 2
--timeout|with --db|generalize a.rw --timeout 2
--db|with --from|derive --assume a.rw --goal a.rw --db a.db
--wait|with --db|derive --from a.rw --goal a.rw --wait 2
--proof|with --goal|derive --from a.rw --minimal --proof p
--seed|without --method terms|derive --from a.rw --goal a.rw --method terms --seed 2
--instances|without --method terms|derive --from a.rw --goal a.rw --method terms --instances 2
--db|without --try|discover --try a.rw --db a.db
--wait|with --db|discover --ops add --wait 2
--jobs|for operators that move.* and with --db|discover --ops add -j 2
--json|without --try|discover --try a.rw --json
--output|without --try|discover --try a.rw -o b.rw
--seconds|without --try|discover --try a.rw --seconds 3
--from|for operators that move|discover --ops add --from a.rw
--ops|without --candidates and --try|discover --candidates a.rw --ops add
--size|without --candidates and --try|discover --candidates a.rw --size 3
--depth|for operators that work on elements alone|discover --ops slice --depth 2
--vars|for operators that work on elements alone|discover --ops slice --vars 2
--constants|for operators that work on elements alone|discover --ops slice --constants 2
--width|for operators that work on elements alone|discover --ops slice --width 2
--samples|for operators that work on elements alone|discover --ops slice --samples 2
--tensors|for operators that move|discover --ops add --tensors 2
--classes|for operators that move|discover --candidates a.rw --classes 2
--resume|for operators that move|discover --try a.rw --resume r
--instances|with --try|discover --ops slice --instances 2
--domain|without --sql|query --sql x --domain int
--sort|without --sql, .* --values and --count|query --fires a.mlir --sort uses
--sort|without --sql, .* and --count|query --count --sort uses
--reverse|without --sql, .* and --count|query --values op --reverse
--why|without --sql, .* and --used|query --new a.rw --why
--why|without --sql, .* and --used|query --used --why
--count|without --sql, --fires, --new and --values|query --sql x --count
--count|without --sql, --fires, --new and --values|query --fires a.mlir --count
--used|without --sql, .* and --values|query --used --new a.rw
--used|without --sql, .* and --values|query --diff a.db --used
--values|without another of --sql, .* and --values|query --values op --sql x
--fires|without another of --sql|query --sql x --fires a.mlir
--fires|without another of --sql|query --fires a.mlir --new a.rw
--diff|without another of --sql|query --new a.rw --diff a.db
--new|without another of --sql|query --sql x --new a.rw
--limit|with --fires|query --limit 3
--since|without --sql and --diff|query --diff a.db --since 5
--rules|for formulas|eval x.mlir --rules a.rw
--sizes|for formulas|eval x.mlir --sizes i=2
--missed|for programs|simplify -e x --missed
--explain-missed|for programs|simplify -e x --explain-missed %1
--limit|with --missed or --explain-missed|simplify p.mlir --limit 3
--tolerance|with --compare and without --runs|eval x.mlir --tolerance 0.1
--runs|with --compare|eval x.mlir --runs 3
--json|with --runs|eval x.mlir --compare y.mlir --json
--output|with --runs|eval x.mlir --compare y.mlir -o z.mlir
--seconds|with --method dag or exact|extract g.json --method tree --seconds 1
--picture-nodes|with --picture|extract g.json --picture-nodes 3
--json|without --output -|extract g.json -o - --json
--rank|with --format egglog|export --format json --rank 2
--domain|with --format egglog|export --format json --domain real
L
[ "$rows" -ge 70 ] || fail "only $rows lines"
# Every option that the help restricts has a line.
for c in $("$rankwright" --help | sed -n 's/^  \([a-z][a-z]*\) .*/\1/p'); do
    "$rankwright" $c --help | sed -n '/^Options:/,/^Example:/p' | awk -v c="$c" '
        /^  -/ { sub(/^  (-., )?/, ""); name = $1; text = "" }
        { text = text " " $0 }
        text ~ /[(;] *only / && !(name in told) { told[name]; print c, name }'
done | sort >"$work/restricted"
sort -u "$work/refused" | cmp - "$work/restricted" || fail "restricted options without a line"

named=0
# An empty word, or an empty name of a file, is a mistake in every command.
for c in $("$rankwright" --help | sed -n 's/^  \([a-z][a-z]*\) .*/\1/p'); do
    expect 64 "$rankwright" $c ''
    has "$work/err" "^rankwright: $c: (expected .*, found an|unexpected) empty word$"
    for option in $("$rankwright" $c --help |
        sed -n 's/^  \(-., \)\{0,1\}\(--[a-z-]*\) \(FILE\|DIR\|DB\|PROGRAM\|PATH\|BASE\|RULES\).*/\2/p'); do
        expect 64 "$rankwright" $c "$option" ''
        has "$work/err" "^rankwright: $option: expected a (file|folder), found nothing$"
        named=$((named + 1))
    done
done
# The same of a name in a list, and of names behind `@` and `record=`.
expect 64 "$rankwright" lint ,
has "$work/err" '^rankwright: expected the name of a file, found an empty one$'
for words in 'prove ,' 'derive --from , --goal x' 'simplify -e x --rules ,' 'query record='; do
    expect 64 "$rankwright" $words --db "$db"
    has "$work/err" '^rankwright: expected the name of a file, found an empty one$'
done
expect 64 "$rankwright" lift tests/kernels/adamw.ttir --expect @ --db "$db"
has "$work/err" '^rankwright: --expect @: expected a file, found nothing$'
[ "$named" -ge 40 ] || fail "only $named options with a file"
finish
