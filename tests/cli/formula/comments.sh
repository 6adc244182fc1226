#!/bin/sh
# Comments of formulas: behind an operand they are comments where they cannot be a divisor
# (tests/messages/formulas.txt has those that can).
. tests/lib/cli.sh
library
cat >"$work/remarks.expr" <<'E'
// 2
tensor x[i, j], w[j];  // 2
scalar b  // bias
;
x * 1  // the rows
  + b  // bias, 2 of them
  // 2
  + 0  // shift
  + 0  // row-major
  + 0  // the rows, and the rest; not x
  + 0  // mean(rows)
E
expect 0 "$rankwright" simplify "$work/remarks.expr" --db "$db"
has "$work/out" '^x \+ b$'
for text in 'x + 0 // the first' 'x + 0 // 2nd' 'x + 0 # 2' 'x + 0 // see f.' 'x + 0 //'; do
    expect 0 "$rankwright" simplify -e "$text" --db "$db"
    has "$work/out" '^x$'
done
finish
