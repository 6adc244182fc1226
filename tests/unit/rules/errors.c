// SPDX-License-Identifier: Apache-2.0
// Errors in rule texts: their exact places and words, and how the parser goes
// on after them.
#include "rules/rule.h"
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

struct parsed {
    struct ruleset set;
    struct err_list errs;
    bool ok;
};

static struct parsed parse(const char *text)
{
    struct parsed parsed = {0};
    ruleset_init(&parsed.set);
    parsed.ok = ruleset_parse(&parsed.set, text, strlen(text), "test.rw", &parsed.errs);
    return parsed;
}

static void done(struct parsed *parsed)
{
    vec_release(&parsed->errs.at);
    ruleset_release(&parsed->set);
}

struct wrong {
    const char *body;
    uint32_t line, col, errors;
    const char *msg;
};
static const struct wrong wrong[] = {
    {"  axes x;\n"
     "  map n on x;\n"
     "  tensor A[x: n] : num;\n"
     "  A + D => A;\n",
     5, 7, 1, "expected a tensor, found the unknown name `D`"},
    {"  axes x;\n"
     "  map n on x;\n"
     "  tensor A[x: n] : num;\n"
     "  A + A;\n",
     5, 8, 1, "expected `=>`, found `;`"},
    {"  axes x;\n"
     "  map n on x;\n"
     "  tensor A[x: n] : num;\n"
     "  A => A => A;\n",
     5, 10, 1, "expected `,` or `;`, found `=>`"},
    {"  axes x, y;\n"
     "  map n on x;\n"
     "  map m on y;\n"
     "  tensor A[x: n] : num, B[y: m] : num;\n"
     "  A + B => A;\n",
     6, 7, 1, "`+`: expected an operand with the classes {x}, found {y}"},
    {"  axes x, y;\n"
     "  map n on x;\n"
     "  map m on y;\n"
     "  tensor A[x: n, y: m] : num;\n"
     "  slice(A, start={y: n}) => A;\n",
     6, 22, 1, "expected maps on `y`, found `n`, which is on `x`"},
    {"  axes x, y;\n"
     "  map n on x;\n"
     "  map m on y;\n"
     "  tensor A[x: n] : num, B[y: m] : num;\n"
     "  slice(A, start=m) => B;\n",
     6, 18, 1, "the maps are on the class {y}, but the operand has the classes {x}"},
    {"  axes x, y;\n"
     "  map n on x;\n"
     "  map m on y;\n"
     "  tensor A[x: n] : num, B[y: m] : num;\n"
     "  reduce(+, A, {y}) => reduce(+, B, {y});\n",
     6, 3, 1, "`reduce`: {y} not among the classes {x} of the operand"},
    {"  axes x;\n"
     "  map n on x;\n"
     "  tensor A[x: n] : num, P[x: n] : bool;\n"
     "  A + P => A;\n",
     5, 7, 1, "`+`: the element types do not agree, one is num, the other bool"},
    {"  axes x;\n"
     "  map n on x;\n"
     "  tensor A[x: n] : int;\n"
     "  exp(A) => A;\n",
     5, 3, 1, "`exp`: expected elements of kind float, found int"},
    {"  axes x;\n"
     "  map n on x;\n"
     "  map n on x;\n"
     "  tensor A[x: n] : num;\n"
     "  A + 0 => A;\n",
     4, 7, 1, "`n` is declared already, as a map in line 3"},
    {"  axes x;\n"
     "  map n on x;\n"
     "  tensor A[x: n] : num;\n"
     "  tensor A[x: n] : num;\n"
     "  A + 0 => A;\n",
     5, 10, 1, "`A` is declared already, as a tensor in line 4"},
    {"  axes x;\n"
     "  map n on x;\n"
     "  tensor A[x: n] : num;\n"
     "  concat(A, A, axis=x) => A;\n",
     5, 3, 1, "`concat` goes along a single `axis`, but `x` is declared `axes`"},
    {"  axes x;\n"
     "  axis a;\n"
     "  map n on x;\n"
     "  map m on a;\n"
     "  tensor A[x: n, a: m] : num;\n"
     "  iota({x: n}, axis=a) => reduce(+, A, {a});\n",
     7, 3, 1, "`iota`: its axis `a` is not among its classes {x}"},
    {"  axes x, y;\n"
     "  map n on x;\n"
     "  tensor A[x: n] : num;\n"
     "  relabel(A, {x -> y}) => relabel(A, {x -> y});\n",
     5, 15, 1, "`x` and `y` are not alike; declare `axes y like x`"},
    {"  axes x, y;\n"
     "  map n on x;\n"
     "  map m on y;\n"
     "  tensor A[x: n, y: m] : num;\n"
     "  where n <= m;\n"
     "  A + 0 => A;\n",
     6, 9, 1,
     "a condition holds axis by axis, but its maps are on the classes {x, y}, "
     "which are not alike"},
    {"  axes x;\n"
     "  map n on x;\n"
     "  tensor A[x: n] : num;\n"
     "  where 1 <= 2;\n"
     "  A + 0 => A;\n",
     5, 9, 1, "a condition needs a map; this one has constants only"},
    {"  axes x;\n"
     "  map n, q on x;\n"
     "  tensor A[x: n] : num;\n"
     "  A + 0 => A;\n",
     3, 10, 1, "`q` is declared but not used"},
    {"  axes x;\n"
     "  map n on x;\n"
     "  tensor A[x: n] : num, B[x: n] : num;\n"
     "  A + 0 => A;\n",
     4, 25, 1, "`B` is declared but not used"},
    {"  axes x;\n"
     "  map n on x;\n"
     "  tensor A[x: n] : num;\n"
     "  scalar v : num;\n"
     "  where all(v == 1);\n"
     "  A + 0 => A;\n",
     5, 10, 1, "`v` occurs in preconditions only"},
    {"  axes x, y;\n"
     "  map n on x;\n"
     "  tensor A[x: n] : num;\n"
     "  A + 0 => A;\n",
     2, 11, 1, "`y` is declared but not used"},
    {"  axes x;\n"
     "  map n on x;\n"
     "  tensor A[x: n] : num;\n"
     "  type T : num;\n"
     "  A + 0 => A;\n",
     5, 8, 1, "`T` is declared but not used"},
    {"  axes x;\n"
     "  map n on x;\n"
     "  tensor A[x: n] : num;\n"
     "  claims bool;\n"
     "  A + 0 => A;\n",
     5, 10, 1,
     "the rule claims the domain `bool`, which its types or operators do not "
     "allow"},
    {"  axes x;\n"
     "  map n on x;\n"
     "  tensor A[x: n] : num;\n"
     "  claims rational;\n"
     "  A + 0 => A;\n",
     5, 10, 1, "expected a domain (bool, int, word, real, float), found `rational`"},
    {"  axes x;\n"
     "  map n on x;\n"
     "  tensor A[x: n] : num;\n"
     "  A + 0 => A; A + 0 => A;\n",
     5, 15, 1, "expected a declaration, found a second statement `left => right`"},
    {"  axes x;\n"
     "  map n on x;\n"
     "  tensor A[x: n] : num;\n"
     "  A + (0 => A;\n",
     5, 10, 1, "expected `)`, found `=>`"},
    {"  axes x;\n"
     "  map n on x;\n"
     "  tensor A[x: n] : num;\n"
     "  select(A, A, A) => A;\n",
     5, 10, 1, "the predicate of `select`: expected elements of kind bool, found num"},
    {"  axes x;\n"
     "  map n on x;\n"
     "  tensor A[x: n] : num;\n"
     "  clamp(A, A) => A;\n",
     5, 3, 1, "`clamp`: expected 3 operands, found 2"},
    {"  axes x;\n"
     "  map n on x;\n"
     "  tensor A[x: n] : num;\n"
     "  slice(A, from=n) => A;\n",
     5, 12, 1, "expected `start=`, `limit=` or `stride=`, found `from`"},
    {"  axes x;\n"
     "  map n on x;\n"
     "  tensor A[x: n] : num;\n"
     "  slice(A, start=1, start=2) => A;\n",
     5, 21, 1, "`start` is given twice"},
    {"  axes x;\n"
     "  map n on x;\n"
     "  tensor A[x: n] : num;\n"
     "  broadcast(A, {x: n}) => A;\n",
     5, 3, 1, "`broadcast`: the operand has {x} already"},
    {"  axes x;\n"
     "  map n on x;\n"
     "  tensor A[x: n] : num;\n"
     "  pad(A, A, low=1) => A;\n",
     5, 10, 1, "`pad`: expected a scalar to pad with, found the classes {x}"},
    {"  axes x;\n"
     "  map n on x;\n"
     "  tensor A[x: n] : num;\n"
     "  op f : elementwise(num) -> num;\n"
     "  reduce(f, A, {x}) => f(0);\n",
     6, 10, 1, "expected a monoid, found `f`, which is any elementwise operator"},
    {"  axes x;\n"
     "  map n on x;\n"
     "  tensor A[x: n] : num;\n"
     "  op exp : elementwise(num) -> num;\n"
     "  A => A;\n",
     5, 6, 1, "`exp` is an operator already"},
    {"  axes x;\n"
     "  map n on x;\n"
     "  let p on x = q;\n"
     "  let q on x = p;\n"
     "  tensor A[x: n] : num;\n"
     "  slice(A, start=p) => A;\n",
     4, 7, 2, "`p` is defined by itself"},
    {"  axes x;\n"
     "  map n on x;\n"
     "  let p = 1;\n"
     "  tensor A[x: n] : num;\n"
     "  slice(A, start=p) => A;\n",
     4, 11, 1,
     "`p` has no map from which its class follows; write `let p on CLASS = "
     "...`"},
    {"  axes x;\n"
     "  axis b like x;\n"
     "  map n on x;\n"
     "  tensor A[x: n] : num;\n"
     "  A => A;\n",
     3, 15, 1, "`b` and `x` cannot be alike: one is a single `axis`, the other is not"},
    {"  axes x;\n"
     "  map n on x;\n"
     "  tensor A[x: n : num;\n"
     "  A + 0 => A;\n",
     4, 17, 1, "expected `,` or `]`, found `:`"},
    {"  axes x;\n"
     "  map n on x;\n"
     "  tensor A[x: n, x: n] : num;\n"
     "  A + 0 => A;\n",
     4, 18, 1, "the class `x` occurs twice in `A`"},
    {"  axes x map n on x;\n"
     "  tensor A[x: n] : num;\n"
     "  A + 0 => A;\n",
     2, 10, 1, "expected `,` or `;`, found `map`"},
    {"  axes x;\n"
     "  map n on x;\n"
     "  tensor A[x: 99999999999999999999] : num;\n"
     "  A + 0 => A;\n",
     4, 15, 1, "the number does not fit in 63 bits"},
    {"  axes x;\n"
     "  map n on x;\n"
     "  tensor A[x: n] : num;\n"
     "  origin \"abc;\n"
     "  A + 0 => A;\n",
     5, 10, 1, "the string is not closed on its line"},
    {"  axes x;\n"
     "  map n on x;\n"
     "  tensor A[x: n] : num;\n"
     "  A $ 0 => A;\n",
     5, 5, 1, "unexpected character"},
    {"  axes x;\n"
     "  map n on x;\n"
     "  tensor A[x: n] : num;\n"
     "  A < A < A => A;\n",
     5, 9, 1, "comparisons of tensors do not chain"},
    {"  axes x;\n"
     "  map n on x;\n"
     "  tensor A[x: n] : num;\n"
     "  convert(A, n) => A;\n",
     5, 14, 1, "expected an element type, found a map, `n`"},
    {"  axes x;\n"
     "  map n on x;\n"
     "  tensor A[x: n] : num;\n"
     "  0 => A - A;\n",
     5, 5, 1, "`=>`: the left side has the classes {}, the right side {x}"},
    {"  axes x;\n"
     "  map rule on x;\n"
     "  tensor A[x: n] : num;\n"
     "  0 => A - A;\n",
     3, 7, 2, "`rule` is a word of the language, not a name"},
    {"  axes x;\n"
     "  map n on x;\n"
     "  tensor A[x: n] : num;\n"
     "  op g : monoid(num, num);\n"
     "  g(A, A) => A;\n",
     5, 6, 1, "expected one type of a monoid, found 2"},
    {"  axes x;\n"
     "  map n on x;\n"
     "  tensor A[x: n] : num;\n"
     "  unit(A) => A;\n",
     5, 8, 1, "expected an operator variable, found a tensor, `A`"},
};

// Contractions, windows, indices, reshapes; behind these declarations.
static const char declared[] = "  axes x, y, w; axis a, c, z;\n"
                               "  map n, m on x; map k on y; map o on z; map l on a; map u on w;\n"
                               "  type T : num; type S : num;\n"
                               "  tensor A[x: n] : T, B[x: m] : S, P[x: n] : bool, I[x: n] : int;\n"
                               "  tensor C[c: 3] : num, E[x: n, c: 3] : num, F[x: m, c: 3] : num;\n"
                               "  tensor G[a: l] : num, H[a: l] : int, M[y: k, c: 3] : num;\n";
static const struct wrong wrong_forms[] = {
    {"  index i on x;\n"
     "  slice(A, start=i) => A;\n",
     9, 18, 1,
     "`i` is an index, a value that is known only when the program runs: it "
     "stands in the `start` of dynamic_slice and dynamic_update_slice and in "
     "value(), never in a size or in another attribute"},
    {"  index i on x;\n"
     "  where 0 <= i;\n"
     "  dynamic_slice(A, i, size=m) => A;\n",
     9, 14, 1,
     "`i` is an index, whose value is known only when the program runs: no "
     "precondition on it could be checked when the rule is applied"},
    {"  index i on x;\n"
     "  let q = i + 1;\n"
     "  dynamic_slice(A, q, size=q) => A;\n",
     10, 28, 1,
     "`q` is an index, a value that is known only when the program runs: it "
     "stands in the `start` of dynamic_slice and dynamic_update_slice and in "
     "value(), never in a size or in another attribute"},
    {"  index i on x;\n"
     "  where all(dynamic_slice(P, start=i, size=m));\n"
     "  dynamic_slice(A, i, size=m) => A;\n",
     9, 36, 1,
     "`i` is an index, whose value is known only when the program runs: no "
     "precondition on it could be checked when the rule is applied"},
    {"  dynamic_slice(A) => A;\n", 8, 18, 1, "expected `start=` or `size=`, found `)`"},
    {"  dynamic_update_slice(A, B) => A;\n", 8, 28, 1, "expected `start=`, found `)`"},
    {"  dynamic_update_slice(A, B, start=0, size=m) => A;\n", 8, 39, 1,
     "expected `start=`, found `size`"},
    {"  dynamic_update_slice(A, C, start=0) => A;\n", 8, 27, 1,
     "`dynamic_update_slice`: expected an update with the classes {x}, found "
     "{c}"},
    {"  wider T of num;\n"
     "  A => A;\n",
     8, 14, 1, "expected a type variable of the rule, found `num`"},
    {"  wider T of S;\n"
     "  A + B => A;\n",
     8, 9, 1, "`wider`: the operators equate the two types"},
    {"  op h : monotone(T, T) -> T;\n"
     "  h(A, A) => A;\n",
     8, 6, 1, "expected one argument of a monotone operator, found 2"},
    {"  op dot : monoid(T);\n"
     "  dot(A, A) => A;\n",
     8, 6, 2, "`dot` is an operator already"},
    {"  reduce(+, A, {x}, init=A) => 0;\n", 8, 26, 1,
     "`reduce`: expected a scalar to start from, found the classes {x}"},
    {"  reduce(+, A, {x}, start=0) => 0;\n", 8, 21, 1, "expected `init=`, found `start`"},
    {"  dot(A, B) => A;\n", 8, 3, 1,
     "`dot`: both operands have the classes {x}, which do not stand in "
     "`contract` or `batch`"},
    {"  dot(A, C, contract={x}) => A;\n", 8, 3, 1,
     "`dot`: {x} not among the classes {} of both operands"},
    {"  dot(A, B, contract={x}, batch={x}) => A;\n", 8, 3, 1,
     "`dot`: {x} in `contract` and in `batch`"},
    {"  conv(A, B, feature={x}) => A;\n", 8, 25, 1, "`spatial=` is missing"},
    {"  conv(E, F, feature={c}, spatial={x}, stride={c: 2}) => A;\n", 8, 3, 1,
     "`conv`: expected attributes of spatial classes, found {c}"},
    {"  conv(E, F, feature={c}, spatial={x}, flip={c}) => A;\n", 8, 3, 1,
     "`conv`: {c} in `flip` but not in `spatial`"},
    {"  conv(E, F, feature={c}, spatial={x}, feature_groups=2) => A;\n", 8, 3, 1,
     "`conv`: with groups there is exactly one batch axis, found the classes "
     "{}; declare it with `axis`"},
    {"  conv(E, F, feature={c}, spatial={c}) => A;\n", 8, 3, 1,
     "`conv`: {c} in `feature` and in `spatial`"},
    {"  reduce_window(+, A) => A;\n", 8, 21, 1,
     "expected `size=`, `stride=`, `low=`, `high=`, `dilation=`, "
     "`window_dilation=` or `init=`, found `)`"},
    {"  gather(A, I, axis=x) => A;\n", 8, 3, 1,
     "`gather` goes along a single `axis`, but `x` is declared `axes`"},
    {"  gather(G, I, axis=a, size={c: 1}) => A;\n", 8, 3, 1,
     "`gather`: a size of {c}, but its axis is `a`"},
    {"  gather(G, I, batch={x}) => A;\n", 8, 25, 1, "`axis=` is missing"},
    {"  gather(G, H, axis=a) => A;\n", 8, 3, 1,
     "`gather`: both operands have the classes {a}, which do not stand in "
     "`batch`"},
    {"  value(n) + A => A;\n", 8, 3, 1,
     "`value` is one integer, but `x` may have several axes; declare `axis x`"},
    {"  count(x) + A => A;\n", 8, 9, 1, "expected `{`, found `x`"},
    {"  merge(C, x -> z) => A;\n", 8, 12, 1, "expected `[`, found `x`"},
    {"  reshape(C, [c] -> [x]) => A;\n", 3, 10, 1,
     "`x` stands in a reshape (line 8), which takes a class of any rank as one "
     "block of elements; a block has a size, one map, and nothing else; found "
     "a second map, `m`.  Declare `axis x`"},
    {"  slice(merge(M, [y, c] -> z), start={y: 1}) => A;\n", 8, 3, 1,
     "`slice`: {y} not among the classes {z} of the operand"},
    {"  slice(M, start={y: 1}) => split(C, c -> [y: k]);\n", 8, 3, 1,
     "`slice`: `y` stands in a reshape (line 8), which takes a class of any "
     "rank as one block of elements; a block is not to be taken axis by axis; "
     "name other classes in braces if they are meant.  Declare `axis y`"},
    {"  pad(M, 0, low=1) => merge(M, [y, c] -> z);\n", 8, 3, 1,
     "`pad`: `y` stands in a reshape (line 8), which takes a class of any rank "
     "as one block of elements; a block is not to be taken axis by axis; name "
     "other classes in braces if they are meant.  Declare `axis y`"},
    {"  index i on y;\n"
     "  dynamic_slice(M, start=i) => merge(M, [y, c] -> z);\n",
     8, 9, 1,
     "`y` stands in a reshape (line 9), which takes a class of any rank as one "
     "block of elements; a block has a size, one map, and nothing else; found "
     "an index, `i`.  Declare `axis y`"},
    {"  map q on y;\n"
     "  where q == 1;\n"
     "  M => split(merge(M, [y, c] -> z), z -> [y: k, c: 3]);\n",
     8, 7, 1,
     "`y` stands in a reshape (line 10), which takes a class of any rank as "
     "one block of elements; a block has a size, one map, and nothing else; "
     "found a second map, `q`.  Declare `axis y`"},
    {"  tensor N[y: k+1] : num;\n"
     "  N => split(merge(N, [y] -> z), z -> [y: k+1]);\n",
     8, 15, 1,
     "`y` stands in a reshape (line 9), which takes a class of any rank as one "
     "block of elements; a block has the size that is declared, a map on it, "
     "and no other.  Declare `axis y`"},
    {"  let q = k + 1;\n"
     "  where q == 1;\n"
     "  M => split(merge(M, [y, c] -> z), z -> [y: k, c: 3]);\n",
     8, 7, 1,
     "`y` stands in a reshape (line 10), which takes a class of any rank as "
     "one block of elements; a block has a size, one map, and nothing else; "
     "found a `let`, `q`.  Declare `axis y`"},
    {"  reshape(M, [y, y] -> [z], [] -> [c: 1]) => A;\n", 8, 3, 1,
     "`reshape`: `y` stands on the left twice"},
    {"  reshape(C, [c] -> [z], [] -> []) => A;\n", 8, 26, 1,
     "expected a class in the group, found none"},
    {"  reshape(C, [z] -> [c]) => A;\n", 8, 3, 1,
     "`reshape`: {z} not among the classes {c} of the operand"},
    {"  reshape(E, [c] -> [z, a]) => A;\n", 8, 3, 1,
     "`reshape`: the size of `z` is missing; write `[z: size, ..]`"},
    {"  bitcast_convert(A, n) => A;\n", 8, 22, 1, "expected an element type, found a map, `n`"},
    {"  clamp(n, A, A) => A;\n", 8, 9, 1, "expected a tensor, found a map, `n`"},
    {"  slice(A, start=clamp(n, 1)) => A;\n", 8, 28, 1,
     "expected `,` and another bound, found `)`"},
    {"  slice(A, start=foo(n, 1)) => A;\n", 8, 18, 1,
     "expected a function of integers (div, mod, ceildiv, min, max, clamp, "
     "abs), found `foo`"},
    {"  conv(E, F, stride=2, feature={c}, spatial={x}) => A;\n", 8, 14, 1,
     "`feature=` comes before `stride=`"},
    {"  E => split(merge(E, [x, c] -> z), z -> [x: n, c: 3]);\n", 3, 10, 1,
     "`x` stands in a reshape (line 8), which takes a class of any rank as one "
     "block of elements; a block has a size, one map, and nothing else; found "
     "a second map, `m`.  Declare `axis x`"},
    {"  where k*l == 3;\n"
     "  M => split(merge(M, [y, c] -> z), z -> [y: k, c: 3]);\n",
     8, 9, 1,
     "a condition holds axis by axis, but its maps are on the classes {y, a}, "
     "which are not alike"},
    {"  reshape(M, [y, c] -> [z]) => reshape(M, [y, c] -> [c]);\n", 8, 32, 1,
     "`reshape`: the operand has {c} already; the classes on the right are new "
     "ones"},
    {"  conv(E, F, feature={c}, spatial={x}, stride={x: 1, c: 2}) => A;\n", 8, 3, 1,
     "`conv`: expected attributes of spatial classes, found {c}"},
    {"  split(C, c -> [y: k, w]) => A;\n", 8, 3, 1,
     "`reshape`: the size of `w` is missing; write `[w: size, ..]`"},
    {"  split(C, c -> [y]) => A;\n", 8, 3, 1,
     "`reshape`: `y` may have any rank, so that its sizes do not follow; write "
     "`[y: map]`, or declare `axis y`"},
    {"  scatter(+, G, I, C, axis=a) => G;\n", 8, 20, 1,
     "`scatter`: expected updates with the classes {x} (those of the operand "
     "but its axis, and those of the places), found {c}"},
    {"  scatter(+, E, E, E, axis=c) => E;\n", 8, 3, 1,
     "`scatter`: both operands have the classes {x, c}, which do not stand in "
     "`batch`"},
    {"  gather(E, B, axis=c, batch={x, c}) => E;\n", 8, 3, 1,
     "`gather`: its axis `c` is in `batch`"},
    {"  conv(reshape(E, [] -> [a: 1]), reshape(F, [] -> [z: 1]), feature={c}, "
     "spatial={x}, batch_groups=o) => A;\n",
     8, 3, 1,
     "`conv`: the groups of the batch axis `a` are an expression on it, but "
     "`o` is on `z`"},
    {"  dynamic_slice(C, i) => C;\n"
     "  index i on a;\n",
     8, 20, 1, "the maps are on the class {a}, but the operand has the classes {c}"},
    {"  wider T, S;\n"
     "  A => A;\n",
     8, 10, 1, "expected `of`, found `,`"},
};

static void check_errors(const char *head, const struct wrong *list, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct buf text = {0};
        buf_printf(&text, "rule r {\n%s%s}\n", head, list[i].body);
        struct parsed parsed = parse(buf_text(&text));
        assert_false(parsed.ok);
        assert_int_equal(parsed.set.rules.len, 0);
        const struct err *err = &parsed.errs.at.at[0];
        if (parsed.errs.at.len != list[i].errors || err->line != list[i].line ||
            err->col != list[i].col || strcmp(err->msg, list[i].msg) != 0)
            fail_msg("%s%u errors, first %u:%u: %s", buf_text(&text), parsed.errs.at.len, err->line,
                     err->col, err->msg);
        assert_string_equal(err->file, "test.rw");
        assert_int_equal(err->kind, ERR_INPUT);
        buf_release(&text);
        done(&parsed);
    }
}

static void test_errors(void **state)
{
    (void)state;
    check_errors("", wrong, sizeof wrong / sizeof *wrong);
    check_errors(declared, wrong_forms, sizeof wrong_forms / sizeof *wrong_forms);
}

// A type that only `wider` names is not used.
static void test_wider_of_nothing(void **state)
{
    (void)state;
    struct parsed parsed = parse("rule r { type L : num; type T : num; wider L of T;\n"
                                 "scalar v : T; v + 0 => v; }");
    assert_int_equal(parsed.errs.at.len, 1);
    assert_string_equal(parsed.errs.at.at[0].msg, "`L` is declared but not used");
    done(&parsed);
}

// Errors of several statements and rules, in the order of the text; what is
// right is kept.
static void test_recovery(void **state)
{
    (void)state;
    struct parsed parsed = parse("oops;\n"
                                 "rule one {\n"
                                 "  axes x; map n on x; map q on z; tensor A[x: n] : num;\n"
                                 "  where n < ;\n"
                                 "  A + => A;\n"
                                 "}\n"
                                 "rule two { scalar v : num; v + 0 => v; }\n"
                                 "rule two { scalar v : num; v - 0 => v; }\n"
                                 "rule three { scalar v : num; v * 1 => v;\n"
                                 "rule four { scalar v : num; v / 1 => v; }\n"
                                 "rule { }\n"
                                 "rule five { scalar v : num v + 0 => v }\n"
                                 "rule six { scalar v : num; v - 0 => v }");
    static const uint32_t lines[] = {1, 3, 4, 5, 8, 10, 11, 12, 13};
    assert_false(parsed.ok);
    for (uint32_t i = 0; i < parsed.errs.at.len; i++)
        if (i >= 9 || parsed.errs.at.at[i].line != lines[i])
            fail_msg("%u: %u:%u: %s", i, parsed.errs.at.at[i].line, parsed.errs.at.at[i].col,
                     parsed.errs.at.at[i].msg);
    assert_int_equal(parsed.errs.at.len, 9);
    assert_int_equal(parsed.set.rules.len, 2);
    assert_string_equal(parsed.set.rules.at[0]->name, "two");
    assert_string_equal(parsed.set.rules.at[1]->name, "four");
    done(&parsed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_wider_of_nothing),
        cmocka_unit_test(test_recovery),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
