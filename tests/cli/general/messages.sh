#!/bin/sh
# What the program says to texts that a user got wrong: tests/messages has the texts and
# the answers, each with its place, its line and its hint.
. tests/lib/cli.sh
library
for list in tests/messages/*.txt; do
    messages_database=$db python3 tests/lib/messages.py "$rankwright" "$list" ||
        fail "$list"
done
finish
