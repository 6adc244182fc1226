#!/bin/sh
# The installed library: only rw_* names are visible, and the program of
# docs/library.md compiles against it and runs, as C and as C++, shared and
# static.
. tests/lib/cli.sh
prefix=/opt/rankwright
root=$work/root$prefix
library
# Notes that no verdict is lacking, and keeps outlines, as rules/make_library.sh does.
expect 0 "$rankwright" simplify -e x --db "$db"
expect 0 "$rankwright" simplify tests/programs/signal.mlir --db "$db"
make -s install MODE=dev DESTDIR="$work/root" PREFIX=$prefix LIBRARY_DATABASE="$db" >"$work/log" 2>&1 ||
    { fail "make install"; tail -n 5 "$work/log"; finish; }
for file in bin/rankwright include/rankwright.h include/rankwright/kernels.h include/rankwright/discovery.h lib/librankwright.a \
    lib/librankwright.so lib/librankwright.so.0 lib/pkgconfig/rankwright.pc \
    share/rankwright/library.db; do
    [ -s "$root/$file" ] || fail "$file is not installed"
done

diff -r rules/library "$root/share/rankwright/library" >"$work/log" ||
    fail "the rule library is not installed"

# a first run proves nothing: the installed verdicts are there
first() { env -i HOME="$work/home" "$root/bin/rankwright" "$@"; }
mkdir "$work/home"
expect 0 first simplify tests/programs/signal.mlir -o "$work/first.mlir"
grep -Eq 'proving|not used' "$work/err" && fail "a first run proves the library"
expect 0 first query op=slice domain=float verdict=proved
has "$work/out" 'slice/slice_of_slice: .*; library$'

# names that other programs see
names() { grep -v ' rw_[a-z]' "$work/out"; }
expect 0 nm -D --defined-only "$root/lib/librankwright.so"
has "$work/out" ' T rw_prove$'
names >"$work/foreign" && fail "the shared library shows $(head -n 3 "$work/foreign")"
expect 0 nm -g --defined-only "$root/lib/librankwright.a"
has "$work/out" ' T rw_prove$'
sed -e '/^$/d' -e '/:$/d' "$work/out" >"$work/names"
mv "$work/names" "$work/out"
names >"$work/foreign" && fail "the archive shows $(head -n 3 "$work/foreign")"
objdump -p "$root/lib/librankwright.so" >"$work/out"
has "$work/out" 'SONAME +librankwright.so.0$'
# every function of the header is there, and no other
sed -n 's/^\(RW_API\|rw_\).*\b\(rw_[a-z0-9_]*\)(.*/\2/p; s/^rw_\([a-z_]*\)(.*/rw_\1/p' \
    "$root/include/rankwright.h" "$root"/include/rankwright/*.h | sort -u >"$work/declared"
nm -D --defined-only "$root/lib/librankwright.so" | sed 's/.* //' | sort >"$work/defined"
cmp -s "$work/declared" "$work/defined" ||
    { fail "header and library differ"; diff "$work/declared" "$work/defined"; }

# the library neither prints, nor exits, nor reads the environment
nm -D -u "$root/lib/librankwright.so" | sed -e 's/.* //' -e 's/@.*//' >"$work/wanted"
grep -qx abort "$work/wanted" || fail "no list of wanted names"
grep -Ex '(secure_)?getenv|setenv|exit|v?printf|puts|putchar|stdout|perror|system' \
    "$work/wanted" >"$work/foreign" && fail "the library calls $(head -n 3 "$work/foreign")"

# the program of the docs
sed -n '/^```c$/,/^```$/p' docs/library.md | sed '/^```/d' >"$work/example.c"
cp "$work/example.c" "$work/example.cc"
sed -n '/^It prints:$/,/^## /p' docs/library.md |
    sed -n '/^```$/,/^```$/p' | sed '/^```$/d' >"$work/want"
PKG_CONFIG_PATH=$root/lib/pkgconfig
PKG_CONFIG_SYSROOT_DIR=$work/root
LD_LIBRARY_PATH=$root/lib
export PKG_CONFIG_PATH PKG_CONFIG_SYSROOT_DIR LD_LIBRARY_PATH
flags=$(pkg-config --cflags rankwright) || fail "pkg-config --cflags"
shared=$(pkg-config --libs rankwright) || fail "pkg-config --libs"
static="$root/lib/librankwright.a $(pkg-config --static --libs-only-l rankwright |
    sed 's/-lrankwright//')"
try() { # compiler source how libraries...
    compiler=$1 source=$2 how=$3
    shift 3
    expect 0 $compiler -Wall -Wextra -Wpedantic -Werror "$work/$source" \
        -o "$work/example" $flags "$@"
    expect 0 "$work/example"
    cmp -s "$work/out" "$work/want" ||
        { fail "$source, $how: other output"; diff "$work/out" "$work/want"; }
    rm -f "$work/example"
}
try "cc -std=c99" example.c shared $shared
try "cc -std=c11" example.c static $static
try "c++ -std=c++11" example.cc shared $shared
try "c++ -std=c++17" example.cc static $static

# the second program of the docs
sed -n '/^```c generalize$/,/^```$/p' docs/library.md | sed '/^```/d' >"$work/example.c"
sed -n '/^It finds:$/,/^## /p' docs/library.md | sed -n '/^```$/,/^```$/p' | sed '/^```$/d' >"$work/want"
try "cc -std=c99" example.c shared $shared

# the filter of the docs: fewer than 40 lines, and the output of the program
sed -n '/^```c only$/,/^```$/p' docs/library.md | sed '/^```/d' >"$work/only.c"
[ "$(wc -l <"$work/only.c")" -lt 40 ] || fail "the filter has 40 lines or more"
expect 0 cc -std=c99 -Wall -Wextra -Wpedantic -Werror "$work/only.c" -o "$work/only" $flags $shared
expect 0 "$rankwright" simplify tests/programs/signal.mlir --db "$db" -o "$work/want"
"$work/only" "$db" <tests/programs/signal.mlir >"$work/out" 2>"$work/err" || fail "the filter"
cmp -s "$work/out" "$work/want" || { fail "the filter: other output"; diff "$work/out" "$work/want"; }
"$work/only" "$work/none.db" <tests/programs/signal.mlir >"$work/out" 2>"$work/err" &&
    fail "the filter without a database"
has "$work/err" 'none.db'
# uninstall removes what came, and nothing else; the list is enough for it
echo mine >"$root/share/rankwright/mine.txt"
mkdir -p "$root/share/man/man1" && echo other >"$root/share/man/man1/other.1"
expect 0 make -s uninstall DESTDIR="$work/root" PREFIX=$prefix
(cd "$root" && find . ! -type d | sort) >"$work/left"
printf '%s\n' ./share/man/man1/other.1 ./share/rankwright/mine.txt >"$work/want"
cmp -s "$work/left" "$work/want" || { fail "uninstall left or took"; diff "$work/left" "$work/want"; }
expect 2 make -s uninstall DESTDIR="$work/root" PREFIX=$prefix
has "$work/err" 'nothing was installed'
rm "$root/share/man/man1/other.1" "$root/share/rankwright/mine.txt"
finish
