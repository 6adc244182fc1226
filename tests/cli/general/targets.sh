#!/bin/sh
# Targets of make that are no part of the check: clear words where a program is missing.
. tests/lib/cli.sh

# A machine that has a shell and little else.
mkdir "$work/bin"
for program in sh dirname find grep env mktemp rm; do
    ln -s "$(command -v $program)" "$work/bin/$program"
done
without() { # WORDS command...: says that the program is missing, and how it comes
    words=$1
    shift
    expect 1 env PATH="$work/bin" "$@"
    has "$work/err" "$words"
    [ "$(wc -l <"$work/err")" = 1 ] || { fail "more than one line: $*"; cat "$work/err"; }
}
without 'fuzz: clang is not installed.*apt-get install clang$' sh tests/fuzz.sh 1
without 'format: clang-format is not installed.*apt-get install clang-format$' \
    sh tests/format.sh tests/fuzz
without 'check-cvc5: cvc5 is not installed.*apt-get install cvc5$' \
    sh tests/check_cvc5.sh "$rankwright"
without 'check-jax: no-python has no JAX.*requirements.txt' \
    sh tests/check_jax.sh "$rankwright" no-python
without 'check-python: no-python is no Python 3.9 or later' \
    sh python/check.sh no-python "$work/environments" ''
without 'bench-run-time: no-python has no JAX.*requirements.txt' \
    sh bench/run_time/run.sh "$rankwright" no-python
without 'packages are missing.*apt-get is not installed' sh tests/setup.sh
without 'check-html: chromium is missing.*apt-get is not installed' \
    sh tests/html/run.sh "$rankwright" page "$work/html"
finish
