#!/bin/sh
# Installs the Debian packages that building and testing need, if any is
# missing.  Says what it runs.
#   tests/setup.sh [--build | --python] [--check]
# --build: only what building needs.  --python: and what the Python package needs.
# --check: only tells whether all are there.
set -eu
packages="gcc make libz3-dev libsqlite3-dev libjansson-dev coinor-libclp-dev libgmp-dev libmpfr-dev libmicrohttpd-dev uthash-dev"
tests="libcmocka-dev python3 cvc5 graphviz g++ pkg-config"
case ${1:-} in
--build) shift ;;
--python)
    packages="$packages python3-dev python3-venv"
    shift
    ;;
*) packages="$packages $tests" ;;
esac
missing=""
for p in $packages; do
    dpkg-query -W -f '${Status}' "$p" 2>/dev/null |
        grep -q 'install ok installed' || missing="$missing $p"
done
[ -n "$missing" ] || exit 0
[ "${1:-}" != --check ] || { echo "missing packages:$missing"; exit 1; }
command -v apt-get >/dev/null || {
    echo "setup: Debian's packages are missing, and apt-get is not installed:$missing" >&2
    exit 1
}
sudo=""
[ "$(id -u)" = 0 ] || sudo="sudo"
export DEBIAN_FRONTEND=noninteractive
echo "+ $sudo apt-get update" >&2
$sudo apt-get update -qq >&2
echo "+ $sudo apt-get install -y --no-install-recommends$missing" >&2
$sudo apt-get install -y -qq --no-install-recommends $missing >&2
