#!/bin/sh
# Switches over operators name every operator: none has a `default`, so that an
# operator that is added fails the build in each of them.
set -u
cd "$(dirname "$0")/.."
find api base cli db discover egraph formula integer io loops proof rules simplify tensor verify -name '*.[ch]' |
    sort | xargs awk '
    FNR == 1 { n = 0 }
    # The switch that a line of this indentation belongs to.
    function of(columns, d) {
        for (d = n; d > 0 && indent[d] != columns; d--)
            ;
        return d
    }
    { match($0, /^ */); columns = RLENGTH }
    /^ *switch \(/ {
        indent[++n] = columns
        operators[n] = fallback[n] = 0
    }
    /^ *case OP_/ { operators[of(columns)] = 1 }
    /^ *[A-Z_]+_CASES$/ { operators[of(columns - 4)] = 1 }
    /^ *default:/ { fallback[of(columns)] = FNR }
    /^}/ {
        for (; n > 0; n--)
            if (operators[n] && fallback[n]) {
                print FILENAME ":" fallback[n] ": a switch over operators has a default"
                bad = 1
            }
    }
    END { exit bad }'
