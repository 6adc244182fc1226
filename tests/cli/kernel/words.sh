#!/bin/sh
# Integers of kernels that wrap in a real run: what is proved of them states that they do not.
. tests/lib/cli.sh

# A kernel whose body makes %v, 64 reals that are written where %m is true, from the index %i
# (32 bits; %w has 64), the program %p, the lane %l, the sizes %n, %rows, %cols and elements %x of an array of TYPE.
kernel() { # NAME TYPE
    {
        cat <<END
// kernel: k
// arguments: %arg0=x:*$2, %arg1=out:*fp32, %n=n:i32, %rows=rows:i32, %cols=cols:i32
// launch grid: (cdiv(n,64),)
module {
  tt.func public @k(%arg0: !tt.ptr<$2>, %arg1: !tt.ptr<f32>, %n: i32, %rows: i32, %cols: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c64 = arith.constant 64 : i32
    %zero = arith.constant dense<0> : tensor<64xi32>
    %many = arith.constant dense<100000> : tensor<64xi32>
    %word = arith.constant dense<4294967296> : tensor<64xi64>
    %p = tt.get_program_id x : i32
    %s = arith.muli %p, %c64 : i32
    %l = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %ss = tt.splat %s : i32 -> tensor<64xi32>
    %i = arith.addi %ss, %l : tensor<64xi32>
    %ns = tt.splat %n : i32 -> tensor<64xi32>
    %m = arith.cmpi slt, %i, %ns : tensor<64xi32>
    %xs = tt.splat %arg0 : !tt.ptr<$2> -> tensor<64x!tt.ptr<$2>>
    %xa = tt.addptr %xs, %i : tensor<64x!tt.ptr<$2>>, tensor<64xi32>
    %w = arith.extsi %i : tensor<64xi32> to tensor<64xi64>
END
        cat >"$work/body"
        if grep -q '%x[ ,)]' "$work/body"; then
            echo "    %x = tt.load %xa, %m : tensor<64x!tt.ptr<$2>>"
        fi
        cat "$work/body"
        cat <<END
    %os = tt.splat %arg1 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %oa = tt.addptr %os, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    tt.store %oa, %v, %m : tensor<64x!tt.ptr<f32>>
    tt.return
  }
}
END
    } >"$work/$1.ttir"
}
hasnt() { ! grep -Eq -- "$2" "$1" || fail "'$2' in $(basename "$1")"; }
says() { # NAME STATUS LINE..
    name=$1 status=$2
    shift 2
    expect "$status" "$rankwright" lift "$work/$name.ttir" --as-written
    for line in "$@"; do has "$work/out" "$line"; done
}

# A truncation to 32 bits keeps the value of an integer that fits.
kernel square f32 <<END
    %q = arith.muli %w, %w : tensor<64xi64>
    %t = arith.trunci %q : tensor<64xi64> to tensor<64xi32>
    %v = arith.sitofp %t : tensor<64xi32> to tensor<64xf32>
END
says square 0 '^proved out' '^  needs .*n\*n.* < 2147483648$'
kernel memory i64 <<END
    %t = arith.trunci %x : tensor<64xi64> to tensor<64xi32>
    %v = arith.sitofp %t : tensor<64xi32> to tensor<64xf32>
END
says memory 0 '^proved out' '^  needs no integer of line [0-9]+ overflows$'
kernel index f32 <<END
    %a = arith.index_cast %p : i32 to index
    %g = arith.constant 10000000000 : index
    %b = arith.muli %a, %g : index
    %d = arith.index_cast %b : index to i32
    %t = tt.splat %d : i32 -> tensor<64xi32>
    %v = arith.sitofp %t : tensor<64xi32> to tensor<64xf32>
END
says index 0 '^proved out' '^  needs 156250000\*n - 156250000 < 2147483648$'
# One that fits at no size is proved of nothing: here the mask of the choice is 0 <= 0.
kernel wraps f32 <<END
    %y = arith.muli %w, %word : tensor<64xi64>
    %t = arith.trunci %y : tensor<64xi64> to tensor<64xi32>
    %q = arith.cmpi sle, %t, %zero : tensor<64xi32>
    %z = arith.addf %x, %x : tensor<64xf32>
    %v = arith.select %q, %x, %z : tensor<64xi1>, tensor<64xf32>
END
says wraps 2 '^derived out' '^  open, line [0-9]+: overflow: no launch meets 4294967296\*n .* < 2147483648$'
# A constant wraps as the machine does.
kernel constant f32 <<END
    %c = arith.constant dense<-4294967299> : tensor<64xi64>
    %t = arith.trunci %c : tensor<64xi64> to tensor<64xi32>
    %f = arith.sitofp %t : tensor<64xi32> to tensor<64xf32>
    %v = arith.addf %x, %f : tensor<64xf32>
END
says constant 0 '^proved out' '; x\[i\] \+ \(-3\)$' 'agrees with runs'
sed 's/-4294967299/4294967299/; s/i64>$/i32>/' "$work/constant.ttir" >"$work/large.ttir"
expect 65 "$rankwright" lift "$work/large.ttir" --as-written
one_message
has "$work/err" 'expected an integer of its type'

# A shift by an amount that is a number only after all: the product must fit as any other.
kernel shift f32 <<END
    %three = arith.constant 3 : i32
    %k = arith.minsi %n, %c1 : i32
    %a = arith.addi %k, %three : i32
    %as = tt.splat %a : i32 -> tensor<64xi32>
    %t = arith.shli %i, %as : tensor<64xi32>
    %b = arith.cmpi sge, %t, %zero : tensor<64xi32>
    %y = arith.addf %x, %x : tensor<64xf32>
    %v = arith.select %b, %x, %y : tensor<64xi1>, tensor<64xf32>
END
says shift 0 '^proved out' '^  needs 16\*n \+ 992 < 2147483648$'
# What is at least 0 adds nothing where the other side is negative, and takes nothing away.
kernel extremum f32 <<END
    %cs = tt.splat %cols : i32 -> tensor<64xi32>
    %rs = tt.splat %rows : i32 -> tensor<64xi32>
    %ns1 = arith.addi %ns, %rs : tensor<64xi32>
    %d = arith.subi %l, %cs : tensor<64xi32>
    %e = arith.maxsi %d, %zero : tensor<64xi32>
    %f = arith.muli %e, %rs : tensor<64xi32>
    %t = arith.addi %ns1, %f : tensor<64xi32>
    %b = arith.cmpi sge, %t, %zero : tensor<64xi32>
    %y = arith.addf %x, %x : tensor<64xf32>
    %v = arith.select %b, %x, %y : tensor<64xi1>, tensor<64xf32>
END
says extremum 0 '^proved out' \
    '^  needs n \+ rows \+ rows\*max\(0, -cols \+ 63\) < 2147483648$'
kernel trips f32 <<END
    %u = arith.subi %p, %cols : i32
    %r = scf.for %a = %c0 to %u step %c1 iter_args(%b = %c0) -> (i32) : i32 {
      %d = arith.addi %b, %rows : i32
      scf.yield %d : i32
    }
    %r1 = arith.addi %r, %n : i32
    %r2 = arith.addi %r1, %rows : i32
    %t = tt.splat %r2 : i32 -> tensor<64xi32>
    %q = arith.cmpi sge, %t, %zero : tensor<64xi32>
    %y = arith.addf %x, %x : tensor<64xf32>
    %v = arith.select %q, %x, %y : tensor<64xi1>, tensor<64xf32>
END
says trips 0 '^proved out' '^  needs rows \+ n \+ rows\*max\(0, -cols \+ .* < 2147483648$'

# The least integer by -1 is no integer of its type; by what is positive all fit.
kernel quotient i32 <<END
    %minus = arith.constant dense<-1> : tensor<64xi32>
    %t = arith.divsi %x, %minus : tensor<64xi32>
    %q = arith.cmpi sge, %t, %zero : tensor<64xi32>
    %y = arith.sitofp %i : tensor<64xi32> to tensor<64xf32>
    %z = arith.negf %y : tensor<64xf32>
    %v = arith.select %q, %y, %z : tensor<64xi1>, tensor<64xf32>
END
says quotient 0 '^proved out' '^  needs no integer of line [0-9]+ overflows$'
kernel positive i32 <<END
    %t = arith.divsi %x, %ns : tensor<64xi32>
    %q = arith.cmpi sge, %t, %zero : tensor<64xi32>
    %y = arith.sitofp %i : tensor<64xi32> to tensor<64xf32>
    %z = arith.negf %y : tensor<64xf32>
    %v = arith.select %q, %y, %z : tensor<64xi1>, tensor<64xf32>
END
says positive 0 '^proved out'
hasnt "$work/out" 'overflows'

# States of loops, of integers and of reals that are made of integers.
kernel state f32 <<END
    %h = arith.constant 100000 : i32
    %r = scf.for %a = %c0 to %n step %c1 iter_args(%b = %c0) -> (i32) : i32 {
      %d = arith.addi %b, %h : i32
      scf.yield %d : i32
    }
    %t = tt.splat %r : i32 -> tensor<64xi32>
    %f = arith.sitofp %t : tensor<64xi32> to tensor<64xf32>
    %v = arith.addf %x, %f : tensor<64xf32>
END
says state 0 '^proved out' '^  needs 100000\*n < 2147483648$'
kernel terms f32 <<END
    %h = arith.constant 100000 : i32
    %v = scf.for %a = %c0 to %n step %c1 iter_args(%b = %x) -> (tensor<64xf32>) : i32 {
      %d = arith.muli %a, %h : i32
      %e = arith.sitofp %d : i32 to f32
      %g = tt.splat %e : f32 -> tensor<64xf32>
      %k = arith.addf %b, %g : tensor<64xf32>
      scf.yield %k : tensor<64xf32>
    }
END
says terms 0 '^proved out' '^  needs 100000\*n - 100000 < 2147483648$'
# The variable of a loop grows once more behind the last iteration.
kernel last f32 <<END
    %h = arith.constant 1000000000 : i32
    %r = scf.for %a = %c0 to %n step %h iter_args(%b = %c0) -> (i32) : i32 {
      scf.yield %c1 : i32
    }
    %v = arith.addf %x, %x : tensor<64xf32>
END
says last 0 '^proved out' '^  needs n \+ 999999999 < 2147483648$'

# What folds get, and folds of integers.
fold() { # TYPE OPERATION
    cat <<END
    %r = "tt.reduce"(%y) <{axis = 0 : i32}> ({
    ^bb0(%a: $1, %b: $1):
      %d = $2 %a, %b : $1
      tt.reduce.return %d : $1
    }) : (tensor<64x$1>) -> $1
    %rs = tt.splat %r : $1 -> tensor<64x$1>
END
}
{
    echo '    %h = arith.muli %i, %many : tensor<64xi32>'
    echo '    %y = arith.sitofp %h : tensor<64xi32> to tensor<64xf32>'
    fold f32 arith.addf
    echo '    %v = arith.addf %x, %rs : tensor<64xf32>'
} | kernel summed f32
says summed 0 '^proved out' '^  needs 100000\*n . 6200000 < 2147483648$'
{
    echo '    %y = arith.muli %i, %many : tensor<64xi32>'
    fold i32 arith.addi
    echo '    %v = arith.sitofp %rs : tensor<64xi32> to tensor<64xf32>'
} | kernel folded f32
says folded 0 '^proved out' '^  needs no integer of line [0-9]+ overflows$'
# Sixty-four lanes below 64 always fit.
{
    echo '    %y = arith.muli %l, %l : tensor<64xi32>'
    fold i32 arith.addi
    echo '    %v = arith.sitofp %rs : tensor<64xi32> to tensor<64xf32>'
} | kernel small f32
says small 0 '^proved out'
hasnt "$work/out" 'overflows'

# What a read gives where its mask is false.
kernel other i32 <<END
    %h = arith.muli %i, %many : tensor<64xi32>
    %e = arith.cmpi sle, %i, %zero : tensor<64xi32>
    %y = tt.load %xa, %e, %h : tensor<64x!tt.ptr<i32>>
    %v = arith.sitofp %y : tensor<64xi32> to tensor<64xf32>
END
says other 0 '^proved out' '^  needs 100000\*n . 6200000 < 2147483648$'
# A condition around one use of an integer says nothing of another use.
kernel branch f32 <<END
    %h = arith.constant 1000 : i32
    %q = arith.muli %n, %n : i32
    %few = arith.cmpi slt, %n, %h : i32
    %f = arith.sitofp %q : i32 to f32
    %v = tt.splat %f : f32 -> tensor<64xf32>
    scf.if %few {
      tt.store %xa, %v, %m : tensor<64x!tt.ptr<f32>>
    }
END
says branch 2 '^  needs n\*n < 2147483648$'
kernel result f32 <<END
    %few = arith.cmpi slt, %p, %c64 : i32
    %r = scf.if %few -> (i32) {
      %q = arith.muli %n, %n : i32
      scf.yield %q : i32
    } else {
      scf.yield %c0 : i32
    }
    %t = tt.splat %r : i32 -> tensor<64xi32>
    %f = arith.sitofp %t : tensor<64xi32> to tensor<64xf32>
    %v = arith.addf %x, %f : tensor<64xf32>
END
says result 0 '^  needs n\*n < 2147483648$'

# Words of 64 bits hold products of two sizes, and not of three ..
kernel cube f32 <<END
    %q = arith.muli %w, %w : tensor<64xi64>
    %t = arith.muli %q, %w : tensor<64xi64>
    %v = arith.sitofp %t : tensor<64xi64> to tensor<64xf32>
END
says cube 0 '^proved out' '^  needs .*n\*n\*n.* < 9223372036854775808$'
kernel two f32 <<END
    %q = arith.muli %w, %w : tensor<64xi64>
    %v = arith.sitofp %q : tensor<64xi64> to tensor<64xf32>
END
says two 0 '^proved out'
hasnt "$work/out" '9223372036854775808'
# .. but an address is the same after they have wrapped.
kernel far f32 <<END
    %ns64 = arith.extsi %ns : tensor<64xi32> to tensor<64xi64>
    %q = arith.muli %ns64, %ns64 : tensor<64xi64>
    %t = arith.muli %q, %w : tensor<64xi64>
    %ya = tt.addptr %xs, %t : tensor<64x!tt.ptr<f32>>, tensor<64xi64>
    %v = tt.load %ya, %m : tensor<64x!tt.ptr<f32>>
END
says far 0 '^proved out'
hasnt "$work/out" '9223372036854775808'

# What integers of memory point to: that the whole address is of an element is the need.
kernel far_back i32 <<END
    %h = arith.muli %i, %many : tensor<64xi32>
    %t = arith.subi %x, %h : tensor<64xi32>
    %fs = tt.splat %arg1 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %fa = tt.addptr %fs, %t : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %v = tt.load %fa, %m : tensor<64x!tt.ptr<f32>>
END
sed -e 's/%arg1=out:\*fp32/&, %arg2=table:*fp32/' -e 's/%arg1: !tt.ptr<f32>,/& %arg2: !tt.ptr<f32>,/' \
    -e 's/%fs = tt.splat %arg1/%fs = tt.splat %arg2/' "$work/far_back.ttir" >"$work/back.ttir"
says back 0 '^proved out' '^  needs table\[-100000\*i \+ x\[i\]\] is an element of table$'

# Operators of integers without a sign are those of integers that are not negative ..
kernel natural f32 <<END
    %few = arith.constant dense<7> : tensor<64xi32>
    %a = arith.extui %i : tensor<64xi32> to tensor<64xi64>
    %ya = tt.addptr %xs, %a : tensor<64x!tt.ptr<f32>>, tensor<64xi64>
    %y = tt.load %ya, %m : tensor<64x!tt.ptr<f32>>
    %q = arith.divui %i, %few : tensor<64xi32>
    %r = arith.remui %l, %few : tensor<64xi32>
    %t = arith.addi %q, %r : tensor<64xi32>
    %f = arith.uitofp %t : tensor<64xi32> to tensor<64xf32>
    %b = arith.cmpi ult, %l, %few : tensor<64xi32>
    %g = arith.addf %y, %f : tensor<64xf32>
    %v = arith.select %b, %y, %g : tensor<64xi1>, tensor<64xf32>
END
says natural 0 '^proved out' 'agrees with runs' '^  needs n \+ 62 < 2147483648$'
# .. and of others, as parts of words, they are refused.
for operation in 'extui %d : tensor<64xi32> to tensor<64xi64>' 'divui %d, %many : tensor<64xi32>' \
    'remui %i, %d : tensor<64xi32>' 'minui %i, %d : tensor<64xi32>' 'trunci %i : tensor<64xi32> to tensor<64xi8>'; do
    type=$(echo "$operation" | sed 's/.* \(to\|:\) //')
    kernel refused f32 <<END
    %d = arith.subi %i, %many : tensor<64xi32>
    %a = arith.$operation
    %v = arith.sitofp %a : $type to tensor<64xf32>
END
    says refused 2 '^refused out' 'an operator on words that is not supported'
done
kernel refused f32 <<END
    %d = arith.subi %i, %many : tensor<64xi32>
    %b = arith.cmpi ult, %d, %many : tensor<64xi32>
    %y = arith.addf %x, %x : tensor<64xf32>
    %v = arith.select %b, %x, %y : tensor<64xi1>, tensor<64xf32>
END
says refused 2 '^refused out' 'an operator on words that is not supported'
finish
