# What tests of `learn` share.
# pair NAME TYPES: the bodies of both functions come from standard input, with a line "--" between.
pair() {
    awk -v types="$2" 'BEGIN { print "func.func @p" types " {" }
        /^--$/ { print "}\nfunc.func @q" types " {"; next }
        { print }
        END { print "}" }' >"$work/$1.mlir"
}
