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
    struct parsed p = {0};
    ruleset_init(&p.set);
    p.ok = ruleset_parse(&p.set, text, strlen(text), "test.rw", &p.errs);
    return p;
}

static void done(struct parsed *p)
{
    vec_release(&p->errs.at);
    ruleset_release(&p->set);
}

static const struct {
    const char *body;
    uint32_t line, col, errors;
    const char *msg;
} wrong[] = {
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
     6, 18, 1,
     "the maps are on the class {y}, but the operand has the classes {x}"},
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
     5, 7, 1,
     "`+`: the element types do not agree, one is num, the other bool"},
    {"  axes x;\n"
     "  map n on x;\n"
     "  tensor A[x: n] : int;\n"
     "  exp(A) => A;\n",
     5, 3, 1, "`exp` needs elements of kind float, found int"},
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
     5, 3, 1,
     "`concat` goes along a single `axis`, but `x` is declared `axes`"},
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
     "the rule claims the domain `bool`, which its types do not allow"},
    {"  axes x;\n"
     "  map n on x;\n"
     "  tensor A[x: n] : num;\n"
     "  claims rational;\n"
     "  A + 0 => A;\n",
     5, 10, 1,
     "expected a domain (bool, int, word, real, float), found `rational`"},
    {"  axes x;\n"
     "  map n on x;\n"
     "  tensor A[x: n] : num;\n"
     "  A + 0 => A; A + 0 => A;\n",
     5, 15, 1,
     "expected a declaration, found a second statement `left => right`"},
    {"  axes x;\n"
     "  map n on x;\n"
     "  tensor A[x: n] : num;\n"
     "  A + (0 => A;\n",
     5, 10, 1, "expected `)`, found `=>`"},
    {"  axes x;\n"
     "  map n on x;\n"
     "  tensor A[x: n] : num;\n"
     "  select(A, A, A) => A;\n",
     5, 10, 1,
     "the predicate of `select` needs elements of kind bool, found num"},
    {"  axes x;\n"
     "  map n on x;\n"
     "  tensor A[x: n] : num;\n"
     "  clamp(A, A) => A;\n",
     5, 3, 1, "`clamp` has 3 operands, found 2"},
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
     6, 10, 1,
     "expected a monoid, found `f`, which is any elementwise operator"},
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
     3, 15, 1,
     "`b` and `x` cannot be alike: one is a single `axis`, the other is not"},
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
     5, 5, 1, "a character that no token starts with"},
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
     5, 6, 1, "a monoid has one type, found 2"},
    {"  axes x;\n"
     "  map n on x;\n"
     "  tensor A[x: n] : num;\n"
     "  unit(A) => A;\n",
     5, 8, 1, "expected an operator variable, found a tensor, `A`"},
};

static void test_errors(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct buf text = {0};
        buf_printf(&text, "rule r {\n%s}\n", wrong[i].body);
        struct parsed q = parse(buf_text(&text));
        assert_false(q.ok);
        assert_int_equal(q.set.rules.len, 0);
        const struct err *e = &q.errs.at.at[0];
        if (q.errs.at.len != wrong[i].errors || e->line != wrong[i].line ||
            e->col != wrong[i].col || strcmp(e->msg, wrong[i].msg) != 0)
            fail_msg("%s%u errors, first %u:%u: %s", buf_text(&text),
                     q.errs.at.len, e->line, e->col, e->msg);
        assert_string_equal(e->file, "test.rw");
        assert_int_equal(e->kind, ERR_INPUT);
        buf_release(&text);
        done(&q);
    }
}

// Errors of several statements and rules, in the order of the text; what is
// right is kept.
static void test_recovery(void **state)
{
    (void)state;
    struct parsed q =
        parse("oops;\n"
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
    assert_false(q.ok);
    for (uint32_t i = 0; i < q.errs.at.len; i++)
        if (i >= 9 || q.errs.at.at[i].line != lines[i])
            fail_msg("%u: %u:%u: %s", i, q.errs.at.at[i].line,
                     q.errs.at.at[i].col, q.errs.at.at[i].msg);
    assert_int_equal(q.errs.at.len, 9);
    assert_int_equal(q.set.rules.len, 2);
    assert_string_equal(q.set.rules.at[0]->name, "two");
    assert_string_equal(q.set.rules.at[1]->name, "four");
    done(&q);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_recovery),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
