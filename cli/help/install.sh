#!/bin/sh
# Writes the texts that rankwright makes of its tables of commands.
#   install.sh man RANKWRIGHT FOLDER          FOLDER/rankwright.1, one page a command
#   install.sh completions RANKWRIGHT SHARE   where bash, zsh and fish look below SHARE
set -eu
what=$1 rankwright=$2 to=$3
case $what in
man)
    install -d "$to"
    "$rankwright" help man >"$to/rankwright.1"
    for command in $("$rankwright" help | sed -n 's/^  \([a-z][a-z]*\) .*/\1/p'); do
        "$rankwright" help man "$command" >"$to/rankwright-$command.1"
    done ;;
completions)
    install -d "$to/bash-completion/completions" "$to/zsh/site-functions" \
        "$to/fish/vendor_completions.d"
    "$rankwright" help completion bash >"$to/bash-completion/completions/rankwright"
    "$rankwright" help completion zsh >"$to/zsh/site-functions/_rankwright"
    "$rankwright" help completion fish >"$to/fish/vendor_completions.d/rankwright.fish" ;;
*)
    echo "install.sh: expected man or completions, found $what" >&2
    exit 64 ;;
esac
