#!/bin/sh
# The include table: each layer may include only the layers named behind it.
# Prints the first wrong include of every file; fails if there is one.
set -eu
cd "$(dirname "$0")/.."
awk '
BEGIN {
    may["base"]   = " base "
    may["tensor"] = " base tensor "
    may["rules"]  = " base tensor rules "
    may["verify"] = " base tensor rules verify "
    may["db"]     = " base tensor rules db "
    may["formula"] = " base tensor rules formula "
    may["egraph"] = " base tensor rules formula egraph "
    may["proof"]  = " base tensor rules formula proof "
    may["io"]     = " base tensor rules io "
    may["lift"]   = " base tensor rules formula egraph proof lift "
    may["discover"] = " base tensor rules verify egraph proof discover "
    may["cli"]    = " base tensor rules formula verify db egraph proof io lift discover cli "
    only["z3.h"] = "verify"; only["sqlite3.h"] = "db"
    only["coin/Clp_C_Interface.h"] = "egraph"
    only["gmp.h"] = "formula"; only["mpfr.h"] = "formula"
}
/^[ \t]*#[ \t]*include/ {
    layer = FILENAME; sub(/\/.*/, "", layer)
    name = $0; sub(/^[^"<]*["<]/, "", name); sub(/[">].*/, "", name)
    if (name in only && only[name] != layer) wrong(name)
    target = name; sub(/\/.*/, "", target)
    # System headers; but <verify/x.h> would be found too.
    if (index($0, "\"") == 0 && !(target in may)) next
    if (index(may[layer], " " target " ") == 0) wrong(name)
}
function wrong(name) {
    printf "%s:%d: layer %s must not include %s\n", FILENAME, FNR, layer, name
    bad = 1
}
END { exit bad }
' $(find base tensor rules formula verify db egraph proof io lift discover cli -name '*.[ch]' \
    2>/dev/null | sort)
echo "layers: every include follows the table"
