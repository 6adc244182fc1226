#!/bin/sh
# Wrong command lines: what the message says, what it proposes, and the status.
. tests/lib/cli.sh
# says PATTERN WORD...: status 64, one message that matches.
says() {
    pattern=$1
    shift
    expect 64 "$rankwright" "$@"
    one_message
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
proposes '--html is an option of simplify, explain' prove --html x
proposes 'rankwright prove --help lists the options' prove --frobnicate
proposes 'rankwright prove --help lists the options' prove -Z
says 'prove: option --db needs FILE' prove --db
says 'prove: option --again=yes takes no value' prove --again=yes

# values
proposes 'did you mean int\?' prove --domain itn rules/library
proposes 'did you mean float\?' prove --domain int,flaot rules/library
proposes 'did you mean both\?' prove --solver boht rules/library
proposes 'did you mean coefficients\?' prove --method coeff rules/library
finish
