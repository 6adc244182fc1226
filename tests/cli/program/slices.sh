#!/bin/sh
# Rules on operations of sizes "?": they work slice by slice, and the checker works that out again.
. tests/lib/cli.sh
library
D='tensor<?x4xf32>' S='tensor<f32>' I='tensor<i32>'
# program SIGNATURE RESULT_TYPE LINES...: returns %r
program() {
    printf 'func.func @main(%s) -> %s {\n' "$1" "$2"
    result=$2
    shift 2
    printf '  %s\n' "$@"
    printf '  return %%r : %s\n}\n' "$result"
}
# What sizes are made of: %s is the shape of %x, and constants spread to it.
shape() {
    printf '%%four = stablehlo.constant dense<4> : tensor<1xi32>\n'
    printf '  %%n = stablehlo.get_dimension_size %%%s, dim = 0 : (%s) -> %s\n' "$1" "$D" "$I"
    printf '  %%n1 = stablehlo.reshape %%n : (%s) -> tensor<1xi32>\n' "$I"
    printf '  %%s = stablehlo.concatenate %%n1, %%four, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>\n'
}
spread() { # NAME VALUE
    printf '%%%s0 = stablehlo.constant dense<%s> : %s\n' "$1" "$2" "$S"
    printf '  %%%s = stablehlo.dynamic_broadcast_in_dim %%%s0, %%s, dims = [] : (%s, tensor<2xi32>) -> %s\n' "$1" "$1" "$S" "$D"
}
simplified() { # DOMAIN: of $work/p.mlir; what comes out is read again, checked, and stays
    expect 0 "$rankwright" simplify "$work/p.mlir" --db "$db" --domain "$1" -o "$work/o.mlir" --proof "$work/p.json" -q
    expect 0 "$rankwright" check "$work/p.json" --db "$db"
}
count() { [ "$(grep -c "$1" "$work/o.mlir")" = "$2" ] || { fail "not $2 times '$1'"; cat "$work/o.mlir"; }; }

# a rule that meets one operand
program "%x: $D" "$D" "%0 = stablehlo.negate %x : $D" "%r = stablehlo.negate %0 : $D" >"$work/p.mlir"
simplified float
count stablehlo 0
has "$work/o.mlir" 'return %x'
cp "$work/p.json" "$work/negate.json"
# constants come from what the program spreads to that shape
program "%x: $D" "$D" "$(shape x)" "$(spread two 2.0)" "$(spread three 3.0)" "%0 = stablehlo.exponential %x : $D" \
    "%1 = stablehlo.multiply %0, %two : $D" "%r = stablehlo.multiply %1, %three : $D" >"$work/p.mlir"
simplified real
count 'stablehlo.multiply' 1
has "$work/o.mlir" 'dense<6'
has "$work/o.mlir" 'dynamic_broadcast_in_dim %[a-z0-9_]*, %s, dims = \[\] : .tensor<f32>, tensor<2xi32>. -> tensor<.x4xf32>'
cp "$work/p.json" "$work/constants.json"
# of a vector
program "%x: $D, %v: tensor<4xf32>" "$D" "$(shape x)" \
    "%w = stablehlo.dynamic_broadcast_in_dim %v, %s, dims = [1] : (tensor<4xf32>, tensor<2xi32>) -> $D" \
    "%0 = stablehlo.add %x, %w : $D" "%1 = stablehlo.exponential %0 : $D" "%2 = stablehlo.subtract %0, %w : $D" \
    "%r = stablehlo.multiply %1, %2 : $D" >"$work/p.mlir"
simplified real
count 'stablehlo.subtract' 0
count 'stablehlo.multiply' 1
cp "$work/p.json" "$work/vector.json"
# what is spread may be made of a size
O='tensor<?xf32>'
program "%x: $O" "$O" "%n = stablehlo.get_dimension_size %x, dim = 0 : ($O) -> $I" \
    "%s = stablehlo.reshape %n : ($I) -> tensor<1xi32>" "%f = stablehlo.convert %n : ($I) -> $S" \
    "%b = stablehlo.dynamic_broadcast_in_dim %f, %s, dims = [] : ($S, tensor<1xi32>) -> $O" \
    "%r = stablehlo.divide %x, %b : $O" >"$work/p.mlir"
simplified real
count 'stablehlo.divide' 1
# every form of an operation; the double negation in front of each makes it a new one
program "%x: $D, %k: $D, %q: $S, %p: tensor<i1>" 'tensor<?x4xf64>' "%n = stablehlo.negate %x : $D" "%y = stablehlo.negate %n : $D" \
    "%a = stablehlo.compare GT, %y, %k, FLOAT : ($D, $D) -> tensor<?x4xi1>" "%b = stablehlo.select %a, %y, %n : tensor<?x4xi1>, $D" \
    "%c = stablehlo.select %p, %y, %b : tensor<i1>, $D" "%d = stablehlo.clamp %q, %c, %q : ($S, $D, $S) -> $D" \
    "%e = stablehlo.clamp %y, %d, %b : $D" "%f = stablehlo.is_finite %y : ($D) -> tensor<?x4xi1>" "%g = chlo.erf %y : $D -> $D" \
    "%h = stablehlo.select %f, %e, %g : tensor<?x4xi1>, $D" "%i = stablehlo.power %y, %h : $D" \
    "%r = stablehlo.convert %i : ($D) -> tensor<?x4xf64>" >"$work/p.mlir"
for domain in float real; do
    simplified $domain
    count 'stablehlo.negate' 1
    count 'stablehlo.select' 3
    count 'stablehlo.clamp' 2
done
cp "$work/p.json" "$work/forms.json"
# integers and truth values, two sizes "?", no known size at all
program '%x: tensor<?x?xi32>, %y: tensor<?x?xi32>' 'tensor<?x?xi1>' '%0 = stablehlo.xor %x, %y : tensor<?x?xi32>' \
    '%1 = stablehlo.xor %0, %y : tensor<?x?xi32>' '%2 = stablehlo.compare LT, %1, %y, SIGNED : (tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi1>' \
    '%3 = stablehlo.not %2 : tensor<?x?xi1>' '%r = stablehlo.not %3 : tensor<?x?xi1>' >"$work/p.mlir"
simplified float
count stablehlo 1
has "$work/o.mlir" 'compare +LT, %x, %y'
cp "$work/p.json" "$work/two.json"

# operators on whole tensors: the sizes "?" in front, in the middle, of both operands
cat >"$work/p.mlir" <<'M'
func.func @main(%x: tensor<?x5x8xf32>, %w: tensor<8x3xf32>, %k: tensor<?x5x8xf32>)
    -> (tensor<?x5x3xf32>, tensor<?x5x5xf32>, tensor<?x40xf32>, tensor<5x?x16xf32>, tensor<?xf32>, tensor<?x5x8xf32>, tensor<?x5x8xf32>) {
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x5x8xf32>) -> tensor<i32>
  %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %c40 = stablehlo.constant dense<40> : tensor<1xi32>
  %c58 = stablehlo.constant dense<[5, 8]> : tensor<2xi32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %s = stablehlo.concatenate %n1, %c40, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %s3 = stablehlo.concatenate %n1, %c58, dim = 0 : (tensor<1xi32>, tensor<2xi32>) -> tensor<3xi32>
  %nx = stablehlo.negate %x : tensor<?x5x8xf32>
  %nw = stablehlo.negate %w : tensor<8x3xf32>
  %0 = stablehlo.dot_general %nx, %nw, contracting_dims = [2] x [0] : (tensor<?x5x8xf32>, tensor<8x3xf32>) -> tensor<?x5x3xf32>
  %2 = stablehlo.transpose %k, dims = [0, 2, 1] : (tensor<?x5x8xf32>) -> tensor<?x8x5xf32>
  %3 = stablehlo.transpose %2, dims = [0, 2, 1] : (tensor<?x8x5xf32>) -> tensor<?x5x8xf32>
  %4 = stablehlo.dot_general %x, %3, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<?x5x8xf32>, tensor<?x5x8xf32>) -> tensor<?x5x5xf32>
  %5 = stablehlo.dynamic_reshape %x, %s : (tensor<?x5x8xf32>, tensor<2xi32>) -> tensor<?x40xf32>
  %6 = stablehlo.dynamic_reshape %5, %s3 : (tensor<?x40xf32>, tensor<3xi32>) -> tensor<?x5x8xf32>
  %7 = stablehlo.dynamic_reshape %6, %s : (tensor<?x5x8xf32>, tensor<2xi32>) -> tensor<?x40xf32>
  %8 = stablehlo.concatenate %x, %6, dim = 2 : (tensor<?x5x8xf32>, tensor<?x5x8xf32>) -> tensor<?x5x16xf32>
  %9 = stablehlo.transpose %8, dims = [1, 0, 2] : (tensor<?x5x16xf32>) -> tensor<5x?x16xf32>
  %10 = stablehlo.transpose %9, dims = [1, 0, 2] : (tensor<5x?x16xf32>) -> tensor<?x5x16xf32>
  %11 = stablehlo.transpose %10, dims = [1, 0, 2] : (tensor<?x5x16xf32>) -> tensor<5x?x16xf32>
  %12 = stablehlo.reduce(%6 init: %lowest) applies stablehlo.maximum across dimensions = [1] : (tensor<?x5x8xf32>, tensor<f32>) -> tensor<?x8xf32>
  %13 = stablehlo.reduce(%12 init: %lowest) applies stablehlo.maximum across dimensions = [1] : (tensor<?x8xf32>, tensor<f32>) -> tensor<?xf32>
  %14 = stablehlo.reverse %6, dims = [1] : tensor<?x5x8xf32>
  %15 = stablehlo.reverse %14, dims = [1] : tensor<?x5x8xf32>
  %16 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<?x5x8xf32>, tensor<f32>) -> tensor<?x5xf32>
  %17 = stablehlo.dynamic_broadcast_in_dim %16, %s3, dims = [0, 1] : (tensor<?x5xf32>, tensor<3xi32>) -> tensor<?x5x8xf32>
  %18 = stablehlo.negate %17 : tensor<?x5x8xf32>
  %19 = stablehlo.exponential %18 : tensor<?x5x8xf32>
  return %0, %4, %7, %11, %13, %15, %19 : tensor<?x5x3xf32>, tensor<?x5x5xf32>, tensor<?x40xf32>, tensor<5x?x16xf32>, tensor<?xf32>, tensor<?x5x8xf32>, tensor<?x5x8xf32>
}
M
for domain in float real; do
    simplified $domain
    [ $domain = float ] || has "$work/o.mlir" 'dot_general %x, %w'
    has "$work/o.mlir" 'dot_general %x, %k'
    count 'dynamic_reshape' 1
    count 'reverse' 0
    count 'transpose' 1
    has "$work/o.mlir" 'maximum across dimensions = .1, 2. : .tensor<.x5x8xf32>'
    has "$work/o.mlir" 'negate %[a-z0-9_]* : tensor<.x5xf32>'
    cp "$work/p.json" "$work/shapes_$domain.json"
done

# bounds of sizes "?" stay with them; another bound is another type
B='tensor<?x4xf32, #stablehlo.bounds<3, ?>>' C='tensor<4x?xf32, #stablehlo.bounds<?, 3>>' E='tensor<?xf32, #stablehlo.bounds<3>>'
program "%x: $B, %y: $B" "$E" '%z = stablehlo.constant dense<0.0> : tensor<f32>' "%0 = stablehlo.negate %x : $B" "%1 = stablehlo.negate %0 : $B" \
    "%2 = stablehlo.subtract %1, %y : $B" "%3 = stablehlo.add %2, %y : $B" "%4 = stablehlo.transpose %3, dims = [1, 0] : ($B) -> $C" \
    "%5 = stablehlo.cosine %4 : $C" "%6 = stablehlo.transpose %5, dims = [1, 0] : ($C) -> $B" \
    "%r = stablehlo.reduce(%6 init: %z) applies stablehlo.maximum across dimensions = [1] : ($B, tensor<f32>) -> $E" >"$work/p.mlir"
simplified real
count 'negate' 0
count 'subtract' 0
has "$work/o.mlir" 'cosine %x : tensor<.x4xf32, #stablehlo.bounds<3, .>>'
cp "$work/p.json" "$work/bounded.json"
expect 0 "$rankwright" simplify "$work/p.mlir" --db "$db" --domain real --verify 8 -o "$work/v.mlir"
has "$work/err" '1 function gave equal results on 8 random arguments'
sed -e 's/%y: tensor<?x4xf32, #stablehlo.bounds<3/%y: tensor<?x4xf32, #stablehlo.bounds<5/' \
    -e "s/%1, %y : .*/%1, %y : ($B, tensor<?x4xf32, #stablehlo.bounds<5, ?>>) -> $B/" \
    -e "s/%2, %y : .*/%2, %y : ($B, tensor<?x4xf32, #stablehlo.bounds<5, ?>>) -> $B/" "$work/p.mlir" >"$work/other.mlir"
mv "$work/other.mlir" "$work/p.mlir"
simplified real
count 'negate' 0
count 'subtract' 1

# A program as jax.export writes it: sizes are asked for and asserted in @main, and are arguments of the
# function that computes.  It is run at sizes that are chosen, too.
cat >"$work/p.mlir" <<'M'
module @jit_model attributes {jax.uses_shape_polymorphism = true, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<?x?x6xf32>, %arg1: tensor<?x6xf32>, %arg2: tensor<6xf32>) -> (tensor<?x?x6xf32> {jax.result_info = "result"}, tensor<?xi32>) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.get_dimension_size %arg0, dim = 0 : (tensor<?x?x6xf32>) -> tensor<i32>
    %1 = stablehlo.get_dimension_size %arg0, dim = 1 : (tensor<?x?x6xf32>) -> tensor<i32>
    %2 = stablehlo.compare GE, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%2, %0) {api_version = 2 : i32, error_message = "expected b >= 1, found {0}", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
    %3:2 = call @_wrapped(%0, %1, %arg0, %arg1, %arg2) : (tensor<i32>, tensor<i32>, tensor<?x?x6xf32>, tensor<?x6xf32>, tensor<6xf32>) -> (tensor<?x?x6xf32>, tensor<?xi32>)
    return %3#0, %3#1 : tensor<?x?x6xf32>, tensor<?xi32>
  }
  func.func private @_wrapped(%b: tensor<i32> {jax.global_constant = "b"}, %n: tensor<i32> {jax.global_constant = "n"}, %x: tensor<?x?x6xf32>, %y: tensor<?x6xf32>, %v: tensor<6xf32>) -> (tensor<?x?x6xf32>, tensor<?xi32>) {
    %six = stablehlo.constant dense<6> : tensor<1xi32>
    %unit = stablehlo.constant dense<1> : tensor<1xi32>
    %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %half = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %two = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %b1 = stablehlo.reshape %b : (tensor<i32>) -> tensor<1xi32>
    %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
    %s = stablehlo.concatenate %b1, %n1, %six, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %t = stablehlo.concatenate %b1, %n1, %unit, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %h = stablehlo.dynamic_broadcast_in_dim %half, %s, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x6xf32>
    %w = stablehlo.dynamic_broadcast_in_dim %two, %s, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x6xf32>
    %0 = stablehlo.multiply %x, %h : tensor<?x?x6xf32>
    %1 = stablehlo.multiply %0, %w : tensor<?x?x6xf32>
    %2 = stablehlo.reduce(%1 init: %lowest) applies stablehlo.maximum across dimensions = [2] : (tensor<?x?x6xf32>, tensor<f32>) -> tensor<?x?xf32>
    %3 = stablehlo.dynamic_broadcast_in_dim %2, %t, dims = [0, 1] : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %4 = stablehlo.dynamic_broadcast_in_dim %3, %s, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x6xf32>
    %5 = stablehlo.subtract %1, %4 : tensor<?x?x6xf32>
    %6 = stablehlo.dynamic_broadcast_in_dim %v, %s, dims = [2] : (tensor<6xf32>, tensor<3xi32>) -> tensor<?x?x6xf32>
    %7 = stablehlo.add %5, %6 : tensor<?x?x6xf32>
    %8 = stablehlo.dynamic_broadcast_in_dim %y, %s, dims = [0, 2] : (tensor<?x6xf32>, tensor<3xi32>) -> tensor<?x?x6xf32>
    %9 = stablehlo.add %7, %8 : tensor<?x?x6xf32>
    %10 = stablehlo.dynamic_iota %n1, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
    %11 = stablehlo.negate %10 : tensor<?xi32>
    %12 = stablehlo.negate %11 : tensor<?xi32>
    return %9, %12 : tensor<?x?x6xf32>, tensor<?xi32>
  }
}
M
for domain in float real; do
    simplified $domain
    has "$work/o.mlir" 'shape_assertion'
    has "$work/o.mlir" 'maximum across dimensions = .2. : .tensor<.x.x6xf32>'
    has "$work/o.mlir" 'dynamic_iota'
    count 'negate' 0
    count 'x1xf32' 0
    count 'multiply' $([ $domain = float ] && echo 2 || echo 0)
    expect 0 "$rankwright" simplify "$work/p.mlir" --db "$db" --domain $domain -o "$work/v.mlir" --verify 6
    has "$work/err" '1 function gave equal results on 6 random arguments .1 at sizes chosen for .'
    cmp "$work/o.mlir" "$work/v.mlir" || fail 'another result with --verify'
done
# --verify sees a rule that is wrong
echo 'rule wrong { axes x; map n on x; tensor A[x: n] : float; -A => A; }' >"$work/wrong.rw"
program "%x: $D" "$D" "%r = stablehlo.negate %x : $D" >"$work/p.mlir"
expect 0 "$rankwright" simplify "$work/p.mlir" --db "$db" --assume "$work/wrong.rw" -o "$work/o.mlir"
count stablehlo 0
expect 1 "$rankwright" simplify "$work/p.mlir" --db "$db" --assume "$work/wrong.rw" -o "$work/o.mlir" --verify 2

# Sizes that may differ.  %y - %y is 0, which only the shape of %x is there for.
zero="%e = stablehlo.exponential %y : $D|%f = stablehlo.add %e, %y : $D|%g = stablehlo.multiply %f, %e : $D|%z = stablehlo.subtract %g, %g : $D"
two_results() { # LINE: a line that may say that the sizes are the same
    {
        printf 'func.func @main(%%x: %s, %%y: %s, %%p: tensor<i1>) -> (%s, %s, %s) {\n' "$D" "$D" "$D" "$D" "$D"
        shape x | sed 's/^ */  /'
        spread one 1.0 | sed 's/^ */  /'
        echo "  %a = stablehlo.atan2 %x, %one : $D"
        echo "  $zero" | tr '|' '\n'
        printf '%s\n' "$1"
        printf '  return %%a, %%z, %%b : %s, %s, %s\n}\n' "$D" "$D" "$D"
    } >"$work/p.mlir"
}
two_results "%b = stablehlo.tanh %y : $D"
simplified real
count 'stablehlo.subtract' 1
cp "$work/p.json" "$work/apart.json"
two_results "%b = stablehlo.atan2 %x, %y : $D"
simplified real
count 'stablehlo.subtract' 0
count 'dynamic_broadcast_in_dim' 2
cp "$work/p.json" "$work/joined.json"
# a branch that need not be taken says nothing
two_results "%b = \"stablehlo.if\"(%p) ({
    %t = stablehlo.atan2 %x, %y : $D
    stablehlo.return %t : $D
  }, {
    stablehlo.return %x : $D
  }) : (tensor<i1>) -> $D"
simplified real
count 'stablehlo.subtract' 1
# nor does another function, on the same types
two_results "%b = stablehlo.tanh %y : $D"
printf 'func.func @other(%%x: %s, %%y: %s) -> %s {\n  %%b = stablehlo.atan2 %%x, %%y : %s\n  return %%b : %s\n}\n' "$D" "$D" "$D" "$D" "$D" >>"$work/p.mlir"
simplified real
count 'stablehlo.subtract' 1
# of a function that is called, what its body says
{
    printf 'func.func @main(%%x: %s, %%y: %s) -> %s {\n' "$D" "$D" "$D"
    printf '  %%r = call @inner(%%x, %%y) : (%s, %s) -> %s\n  return %%r : %s\n}\n' "$D" "$D" "$D" "$D"
    printf 'func.func private @inner(%%x: %s, %%y: %s) -> %s {\n  %%z = stablehlo.subtract %%y, %%y : %s\n' "$D" "$D" "$D" "$D"
    printf '  %%r = stablehlo.add %%x, %%z : %s\n  return %%r : %s\n}\n' "$D" "$D"
} >"$work/p.mlir"
simplified real
count 'stablehlo' 0
cp "$work/p.json" "$work/called.json"

# of a function that is called twice, with the same in other words: the sizes may be those of either copy
P='tensor<?x2xi32>'
{
    printf 'func.func @main(%%a: %s) -> %s {\n  %%n = stablehlo.negate %%a : %s\n  %%m = stablehlo.negate %%n : %s\n' "$P" "$P" "$P" "$P"
    printf '  %%q = call @f(%%m) : (%s) -> %s\n  %%p = call @f(%%a) : (%s) -> %s\n' "$P" "$P" "$P" "$P"
    printf '  %%s = stablehlo.maximum %%p, %%q : %s\n  return %%s : %s\n}\n' "$P" "$P"
    cat <<'M'
func.func private @f(%a: tensor<?x2xi32>) -> tensor<?x2xi32> {
  %0 = stablehlo.constant dense<0> : tensor<i32>
  %1 = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?x2xi32>) -> tensor<i32>
  %2 = stablehlo.reshape %1 : (tensor<i32>) -> tensor<1xi32>
  %3 = stablehlo.constant dense<2> : tensor<1xi32>
  %4 = stablehlo.concatenate %2, %3, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %5 = stablehlo.dynamic_broadcast_in_dim %0, %4, dims = [] : (tensor<i32>, tensor<2xi32>) -> tensor<?x2xi32>
  %w = stablehlo.multiply %a, %5 : tensor<?x2xi32>
  %r = stablehlo.divide %w, %a : tensor<?x2xi32>
  return %r : tensor<?x2xi32>
}
M
} >"$work/p.mlir"
for domain in float real; do
    simplified $domain
    count 'stablehlo.multiply' 0
    count 'call' 0
done

# an infinite constant behind an operation that is not taken slice by slice: no rule on numbers
for value in 0x7F800000 1.0; do
    program "%x: $D" 'tensor<4x?xf32>' "$(shape x)" "$(spread c $value)" "%0 = stablehlo.add %c, %x : $D" \
        "%1 = stablehlo.transpose %0, dims = [1, 0] : ($D) -> tensor<4x?xf32>" "%2 = stablehlo.cosine %1 : tensor<4x?xf32>" \
        "%3 = stablehlo.add %2, %1 : tensor<4x?xf32>" "%r = stablehlo.subtract %3, %1 : tensor<4x?xf32>" >"$work/p.mlir"
    simplified real
    count 'stablehlo.subtract' $([ $value = 1.0 ] && echo 0 || echo 1)
done

# records made by hand
expect 0 python3 tests/lib/forged_slices.py "$rankwright" "$db" "$work"
expect 0 python3 tests/lib/forged_nested_slices.py "$rankwright" "$db" "$work"
# a record that says something else of the slices is refused
expect 0 python3 tests/lib/tamper_slices.py "$rankwright" "$db" "$work" negate constants vector forms two joined called shapes_float shapes_real bounded
finish
