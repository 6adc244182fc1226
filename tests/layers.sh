#!/bin/sh
# The include table.  Each layer may include itself and the layers named behind
# it.  Inside a layer each folder may include itself, the folders to its left
# ("." is the layer's own folder) and LAYER/limits.h.  Some headers of libraries
# belong to one layer.  Prints every include against the table; fails if there
# is one.
set -eu
cd "$(dirname "$0")/.."
table='
layer base     :
layer integer  : base
layer tensor   : base
layer rules    : base tensor
layer verify   : base tensor rules
layer db       : base tensor rules
layer formula  : base tensor rules
layer egraph   : base tensor rules formula
layer loops    : base tensor rules formula integer
layer proof    : base tensor rules formula integer loops
layer io       : base tensor rules loops
layer simplify : base tensor rules formula egraph proof
layer discover : base tensor rules verify egraph proof
layer api      : include base integer tensor rules formula verify db egraph proof loops io simplify discover
layer explorer : include base tensor rules api proof
layer cli      : include base rules api explorer
layer include  :

folders base     : . memory text process
folders integer  : .
folders tensor   : . language shape program dynamic eval resize compare fold
folders rules    : . language/tokens language/forms instance language/print language/shapes describe language export
folders formula  : terms rules language print constants .
folders verify   : solvers symbolic meaning integers obligations products arithmetic elements sums ranks counterexample counterexample/rounding . workers
folders db       : .
folders egraph   : extract/problem extract/tree extract/exact core plain plain/ac plain/analysis why program match plain/saturate extract/dag extract .
folders proof    : . plain formula program emit kernel
folders loops    : . program print launch run terms symbolic recurrence grid written lift validate
folders io       : . stablehlo stablehlo/print mlir stablehlo/read hlo hlo/print hlo/read program egraph ttir
folders simplify : engine .
folders discover : . derive fit learn repair scalars generalize examples sketch tensors lint
folders include  : rankwright .
folders api      : . rules records database proving check simplify egraph discover evaluate questions kernel learn
folders explorer : . files math pages site jobs play server
folders cli      : . options help discover query commands

only z3.h : verify
only uthash.h : base
only sqlite3.h : db
only coin/Clp_C_Interface.h : egraph
only gmp.h : formula
only mpfr.h : formula
only microhttpd.h : explorer
'
layers=$(printf '%s\n' "$table" | awk '$1 == "layer" { print $2 }')
printf '%s\n' "$table" | awk '
FILENAME == "-" {
    if ($1 == "layer") {
        may[$2, $2] = 1
        for (i = 4; i <= NF; i++) may[$2, $i] = 1
        is_layer[$2] = 1
    }
    if ($1 == "folders")
        for (i = 4; i <= NF; i++) place[$2, $i] = i
    if ($1 == "only") only[$2] = $4
    next
}
FNR == 1 {
    layer = FILENAME; sub(/\/.*/, "", layer)
    folder = folder_of(FILENAME)
    if (!((layer, folder) in place)) wrong("stands in a folder that the table does not have")
}
/^[ \t]*#[ \t]*include/ {
    name = $0; sub(/^[^"<]*["<]/, "", name); sub(/[">].*/, "", name)
    if (name in only && only[name] != layer) wrong("must not include " name)
    target = name; sub(/\/.*/, "", target)
    # System headers; but <verify/x.h> would be found too.
    if (!(target in is_layer)) {
        if (index($0, "\"") && name !~ /schema\.h$/ && layer != "include") wrong("must not include " name)
        next
    }
    if (!((layer, target) in may)) wrong("layer " layer " must not include " name)
    else if (target == layer && name != layer "/limits.h" &&
             place[layer, folder_of(name)] > place[layer, folder])
        wrong("folder " folder " must not include " name)
}
function folder_of(path) {
    sub(/^[^\/]*\//, "", path)
    if (!sub(/\/[^\/]*$/, "", path)) return "."
    return path
}
function wrong(what) {
    printf "%s:%d: %s\n", FILENAME, FNR, what
    bad = 1
}
END { exit bad }
' - $(find $layers -name '*.[ch]' 2>/dev/null | sort)
# Only the command line knows its options: the layers below speak of members and arguments.
# (The name of a run in the database is the command that made it.)
below='api db discover egraph formula proof rules simplify tensor'
# shellcheck disable=SC2086 # layers
options=$(find $below -name '*.[ch]' ! -name 'html_*' -exec grep -nE '^[^/]*"[^"]*--[a-z]' {} + |
    grep -v '"prove --worker"' || true)
[ -z "$options" ] || { echo "options of the command line:"; echo "$options"; exit 1; }
echo "layers: every include follows the table"
