#!/bin/sh
# The pages of a site in a headless Chromium: every kind of page at two widths, light and dark,
# with and without scripts; no error on the console, nothing wider than the window, nothing
# serious that axe finds; the list's counts are those of `query`.  Screenshots in OUT/shots.
#   tests/explorer/browser/run.sh RANKWRIGHT DATABASE OUT
# The playground on a server: its stories, at two widths, light and dark, with and without scripts.
# Then how long each page of a server takes.
# MODULES names a folder with node_modules (playwright-core, axe-core); without it npm installs
# them into OUT.
set -eu
rankwright=$1 database=$2 out=$3
here=$(cd "$(dirname "$0")" && pwd)
for tool in node npm chromium; do
    command -v $tool >/dev/null || { echo "check-explorer: $tool is not installed" >&2; exit 1; }
done
mkdir -p "$out"
if [ -z "${MODULES:-}" ]; then
    cp "$here/package.json" "$out/"
    (cd "$out" && npm install --silent --no-audit --no-fund) ||
        { echo "check-explorer: npm cannot install playwright-core and axe-core" >&2; exit 1; }
    MODULES=$out
fi
"$rankwright" site "$out/site" --db "$database"
# Filters of the list, and how many rules `query` finds.
count() { # address filters...
    address=$1
    shift
    echo "$address $("$rankwright" query --count --db "$database" "$@")"
}
{
    count ''
    count 'op=slice' op=slice
    count 'op=slice&op=pad' op=slice op=pad
    count 'verdict=refuted' verdict=refuted
    count 'domain=float&verdict=refuted' domain=float verdict=refuted
    count 'domain=int' domain=int
    count 'family=slice&verdict=proved' family=slice verdict=proved
    count 'precondition=stride' precondition=stride
    count 'precondition=any' precondition
    count 'q=softmax' softmax
    count 'q=xla-041' origin=xla-041
} >"$out/counts"
status=0
NODE_PATH="$MODULES/node_modules" node "$here/pages.js" "$out" || status=1
NODE_PATH="$MODULES/node_modules" node "$here/play.js" "$out" "$rankwright" "$database" || status=1
python3 "$here/../times.py" "$rankwright" "$database" "$out/site" || status=1
exit $status
