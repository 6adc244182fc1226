#!/bin/sh
# Writes the reference of the package as HTML with pdoc, from the docstrings whose examples the tests run.
#   python/reference.sh FOLDER-OF-ENVIRONMENTS OUT
set -eu
environment=$(ls -d "$1"/[0-9]* | sort -V | tail -n 1)
"$environment/bin/python" -m pip install --quiet pdoc
"$environment/bin/python" -m pdoc --docformat google -o "$2" rankwright
echo "$2/index.html"
