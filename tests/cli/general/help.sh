#!/bin/sh
# Help, manual pages and completions say of every command just the options that
# its parser takes; every example works; docs/limits.md is up to date.
. tests/lib/cli.sh
here=$(pwd)
case $rankwright in /*) ;; *) rankwright=$here/$rankwright ;; esac

expect 0 "$rankwright" --help
commands=$(sed -n 's/^  \([a-z][a-z]*\) .*/\1/p' "$work/out")
[ "$(echo "$commands" | wc -w)" -ge 14 ] || fail "hardly any commands"
expect 0 sh cli/help/install.sh man "$rankwright" "$work/man"
expect 0 sh cli/help/install.sh completions "$rankwright" "$work/share"
bash_file=$work/share/bash-completion/completions/rankwright
zsh_file=$work/share/zsh/site-functions/_rankwright
fish_file=$work/share/fish/vendor_completions.d/rankwright.fish

long() { grep -o -- '--[a-z][a-z0-9-]*' | sed 's/^--//' | grep -vx help | sort -u; }
taken=0
for c in $commands; do
    expect 0 "$rankwright" $c --help
    sed -n '/^Options:/,/^Example:/p' "$work/out" | grep -o '^  \(-., \)\?--[a-z0-9-]*' |
        long >"$work/takes"
    taken=$((taken + $(wc -l <"$work/takes")))
    # The unknown option behind them ends the run.
    while read -r name; do
        "$rankwright" $c "--$name" 1 --no-such-option 2>"$work/err" </dev/null
        has "$work/err" 'unknown option --no-such-option(",|$)'
    done <"$work/takes"
    # After .TP only, and no dash is a hyphen.
    sed -n '/^\.SH OPTIONS/,/^\.SH EXIT/p' "$work/man/rankwright-$c.1" |
        sed -n '/^\.TP/{n;s/\\f[BIR]//g;s/\\//g;p;}' | long >"$work/page"
    cmp "$work/takes" "$work/page" || fail "manual page of $c"
    sed -n "s/^    $c) options='\(.*\)' ;;/\1/p" "$bash_file" | long >"$work/bash"
    cmp "$work/takes" "$work/bash" || fail "bash completion of $c"
    sed -n "/^$c)/,/;;\$/p" "$zsh_file" | sed -n "s/^ *'[^[]*\(--[a-z0-9-]*\).*/\1/p" |
        long >"$work/zsh"
    cmp "$work/takes" "$work/zsh" || fail "zsh completion of $c"
    sed -n "s/.*seen_subcommand_from $c' -l \([a-z0-9-]*\).*/\1/p" "$fish_file" |
        sort >"$work/fish"
    cmp "$work/takes" "$work/fish" || fail "fish completion of $c"
    expect 0 "$rankwright" help $c
    has "$work/out" '^Example:$'
done
[ "$taken" -ge 140 ] || fail "only $taken options of all commands"

# values that help names are the values that the command takes
for pair in prove/solver prove/method simplify/extract simplify/notation simplify/scheduler \
    derive/method; do
    c=${pair%/*} name=${pair#*/}
    word=tests/rules/small.rw
    [ $c = simplify ] && word=tests/programs/mlp.mlir
    set -- "$c" "--$name" nonsense
    case $pair in
    simplify/notation) set -- "$@" -e x ;;
    derive/*) set -- "$@" --from $word --goal $word ;;
    *) set -- "$@" $word ;;
    esac
    expect 64 "$rankwright" "$@" --db "$db"
    sed -n 's/.*expected \(.*\), found nonsense/\1/p' "$work/err" | sed 's/ or /\n/g' |
        sort >"$work/values"
    sed -n "s/^    '$c --$name').*-W '\([^']*\)'.*/\1/p" "$bash_file" | tr ' ' '\n' |
        sort >"$work/named"
    [ -s "$work/values" ] && cmp "$work/values" "$work/named" || fail "values of $pair"
done

# shells and roff find nothing wrong
bash -n "$bash_file" || fail "bash completion"
for shell in zsh fish; do
    file=$zsh_file
    [ $shell = fish ] && file=$fish_file
    if command -v $shell >/dev/null; then
        $shell -n "$file" || fail "$shell completion"
    else
        left_out "the completion of $shell, which is not installed"
    fi
done
if command -v groff >/dev/null; then
    for page in "$work"/man/*.1; do
        groff -z -man -ww "$page" 2>"$work/err" && [ ! -s "$work/err" ] ||
            fail "roff: $page: $(head -n 1 "$work/err")"
    done
else
    left_out "the manual pages, since groff is not installed"
fi
[ "$(ls "$work/man" | wc -l)" = $(($(echo "$commands" | wc -w) + 1)) ] || fail "manual pages"

# what bash completes
complete_bash() { # words...: the last is completed
    bash -c '. "$0"; COMP_WORDS=(rankwright "$@"); COMP_CWORD=$#; _rankwright
        printf "%s\n" "${COMPREPLY[@]}"' "$bash_file" "$@"
}
[ "$(complete_bash simp)" = simplify ] || fail "bash: a command"
[ "$(complete_bash prove --solver-)" = --solver-program ] || fail "bash: an option"
[ "$(complete_bash prove --solver c)" = cvc5 ] || fail "bash: a value"
[ "$(complete_bash prove --solver = c)" = cvc5 ] || fail "bash: a value behind ="
[ "$(complete_bash prove --domain int,fl)" = int,float ] || fail "bash: a value in a list"
[ "$(complete_bash prove --domain bo)" = bool ] || fail "bash: the first value of a list"
[ "$(complete_bash help limits m)" = markdown ] || fail "bash: behind help limits"
[ -z "$(complete_bash help limits markdown REA)" ] || fail "bash: a file behind help"
[ "$(complete_bash prove --db READ)" = README.md ] || fail "bash: a file"

# every example works, one after the other
ln -s "$here/tests" "$here/rules" "$work"
# The library is proved once for all tests.
[ -z "${proved_library:-}" ] ||
    { mkdir "$work/rankwright" && cp "$proved_library" "$work/rankwright/rules.db"; }
for c in $commands; do
    expect 0 "$rankwright" $c --help
    example=$(sed -n '/^Example:/{n;s/^  //p;}' "$work/out")
    case "$example " in "rankwright $c "*) ;; *) fail "$c: example: $example" ;; esac
    # A server goes on until it is told to stop.
    case $c in serve) seconds=2 ;; *) seconds=600 ;; esac
    (cd "$work" && PATH=$(dirname "$rankwright"):$PATH RANKWRIGHT_LIBRARY=$here/rules/library \
        XDG_DATA_HOME=$work timeout --preserve-status "$seconds" sh -c "exec $example" >"$work/example" 2>"$work/err" </dev/null)
    # an answer (yes, no, unknown), no error
    [ $? -le 2 ] || { fail "example: $example"; head -n 5 "$work/err"; }
    [ -s "$work/example" ] || [ -s "$work/err" ] || fail "no output: $example"
done

# limits: every layer that has a table is printed, and the page is up to date
for table in */limits.c; do
    [ -e "$table" ] && echo "${table%/limits.c}"
done | sort >"$work/layers"
expect 0 "$rankwright" help limits
sed -n 's/^Limits of //p' "$work/out" | sort >"$work/printed"
cmp "$work/layers" "$work/printed" || fail "layers of help limits"
grep -l 'LIMIT_CONSTANT' */limits.h | sed 's,/.*,,' | sort >"$work/tables"
cmp "$work/tables" "$work/printed" || fail "a table of limits without limits.c"
for header in */limits.h; do
    grep -o '^ *X([A-Z][A-Z0-9_]*,' "$header" | sed 's/.*X(//; s/,//'
done | sort >"$work/rows"
sed -n 's/^  \([A-Z][A-Z0-9_]*\) .*/\1/p' "$work/out" | sort >"$work/shown"
cmp "$work/rows" "$work/shown" || fail "rows of help limits"
"$rankwright" help limits markdown | cmp - docs/limits.md ||
    fail "docs/limits.md is old: make limits"

# wrong topics
for words in nonsense 'man nonsense' 'completion nonsense' completion 'limits nonsense' \
    'prove more' 'man prove more'; do
    expect 64 "$rankwright" help $words
    one_message
done
expect 64 "$rankwright" help --json
finish
