#!/bin/sh
# Puts files in their place and takes them away again.  Which files and folders came is
# written in a list there, so nothing else is ever removed.
#   installed.sh add STAGE ROOT LIST    copies what is below STAGE into ROOT
#   installed.sh remove ROOT LIST       removes what the list names
# LIST: a path below ROOT.  Lines: `file PATH`, `folder PATH` (made, for it was not there).
set -eu
add() {
    stage=$1 root=$2 list=$2/$3
    lines=$(mktemp)
    trap 'rm -f "$lines"' EXIT
    [ -e "$list" ] && cat "$list" >"$lines"
    (cd "$stage" && find . -type d ! -name . | sort) | sed 's,^\./,,' | while read -r folder; do
        [ -d "$root/$folder" ] || echo "folder $folder"
        install -d "$root/$folder"
    done >>"$lines"
    (cd "$stage" && find . ! -type d | sort) | sed 's,^\./,,' | while read -r file; do
        rm -f "$root/$file"
        cp -P -p "$stage/$file" "$root/$file"
        echo "file $file"
    done >>"$lines"
    echo "file ${list#"$root"/}" >>"$lines"
    sort -u "$lines" >"$list.new"
    mv "$list.new" "$list"
    chmod 644 "$list"
}
remove() {
    root=$1 list=$1/$2
    [ -f "$list" ] || {
        echo "uninstall: $list is not there: nothing was installed below $root" >&2
        exit 1
    }
    names=$(mktemp)
    trap 'rm -f "$names"' EXIT
    cat "$list" >"$names"
    sed -n 's/^file //p' "$names" | while read -r file; do
        rm -f "$root/$file"
    done
    # Those within others first; what has other files in it stays.
    sed -n 's/^folder //p' "$names" | sort -r | while read -r folder; do
        rmdir "$root/$folder" 2>/dev/null || true
    done
}
case ${1-} in
add) add "$2" "$3" "$4" ;;
remove) remove "$2" "$3" ;;
*)
    echo "installed.sh: expected add or remove, found ${1-nothing}" >&2
    exit 64 ;;
esac
