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

# Prose stays prose, whatever its letters and signs are.
while IFS= read -r prose; do
    printf 'x + 0 // %s\n' "$prose" >"$work/one.expr"
    printf 'x + 0 // %s\n  + 0\n' "$prose" >"$work/two.expr"
    for file in one two; do
        expect 0 "$rankwright" simplify "$work/$file.expr" --db "$db"
        has "$work/out" '^x$'
    done
done <<'E'
softmax over rows
https://example.org/a-b?c=d
see https://example.org/a/b
see a/b
www.example.org
die Zeilen über alles
größe
строки
βάρος
日本語
— a note
«rows»
π is a number
|x| is small
(see below)
16bit
10ms
50%
2 rows
rows, if any
e.g. rows
i.e. the rows
don't
E

# In a text of more lines words beside signs that join words are prose, too.
for prose in 'mean(rows)' '(rows)' 'rows × cols' 'rows – cols' 'relu()' 'name@host' \
    'zero if masked else one'; do
    printf 'x + 0 // %s\n  + 0\n' "$prose" >"$work/two.expr"
    expect 0 "$rankwright" simplify "$work/two.expr" --db "$db"
    has "$work/out" '^x$'
done

# Divisors as Python and papers write them, alone and in a text of more lines.
while IFS= read -r divisor; do
    printf 'x // %s\n' "$divisor" >"$work/one.expr"
    printf 'let h = x // %s;\nh*x\n' "$divisor" >"$work/two.expr"
    printf 'x // %s\n  + 1*x\n' "$divisor" >"$work/three.expr"
    for file in one two three; do
        expect 65 "$rankwright" simplify "$work/$file.expr" --db "$db"
        has "$work/err" 'expr:1:[0-9]*: .//. starts a comment, but what follows could be a divisor'
    done
done <<'E'
π
2π
2pi
σ_x
y²
y⁻¹
x²+1
√(y)
2√(y)
(1 − y)
−y
2·y
2x
2(1 - y)
1e−3
np.sqrt(d)
np.linalg.norm(x)
math.pi
n.size
n.item()
(a + b).sum()
x.T @ x
n @ m
a[:, 0]
a[..., None]
a[0][1]
a.shape[0]
[1, 2]
(a if c else b)
a if c else b
|y|
‖y‖
⌊y⌋
E
finish
