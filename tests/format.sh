#!/bin/sh
# Formats the C sources of the folders that are named.  Needs clang-format.
#   tests/format.sh FOLDER...
set -eu
command -v clang-format >/dev/null || {
    echo "format: clang-format is not installed; on Debian: apt-get install clang-format" >&2
    exit 1
}
find "$@" -name '*.[ch]' -exec clang-format -i {} +
