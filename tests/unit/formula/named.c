// SPDX-License-Identifier: Apache-2.0
// Rules as rules on named terms: what is written, what is refused and why, and
// how much of the library that is.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "tests/unit/support/library.h"

#include "egraph/plain/plain.h"
#include "formula/rules/define.h"
#include "formula/rules/named.h"
#include <stdio.h>
#include <stdlib.h>

static const struct guard_name guards[] = {{"free_of", 2, false}, {NULL, 0, false}};

struct pair {
    const char *rule, *forward, *backward; // `!`: refused, and why
};
static const struct pair pairs[] = {
    // Conditions on elements are queries.
    {"rule r { axes x; map n on x; tensor A[x: n] : float; where all(A > 0);"
     " exp(log(A)) => A; }",
     "r: (exponential (log ?A)) => ?A if same((lt 0 ?A), true)\n",
     "!a variable matches everything"},
    // What lies outside of a sum is constant along its axes.
    {"rule r { axes x, y; map n on x; map m on y; claims real;"
     " tensor A[x: n, y: m] : float, C[x: n] : float;"
     " reduce(+, A * broadcast(C, {y: m}), {y}) => C * reduce(+, A, {y}); }",
     "r: (reduce_add ?y (multiply ?A ?C)) => (multiply ?C (reduce_add ?y ?A))"
     " if free_of(?y, ?C)\n",
     "r: (multiply ?C (reduce_add ?y ?A)) => (reduce_add ?y (multiply ?A ?C))"
     " if free_of(?y, ?C)\n"},
    // Softmax: the bound class is free in the result too.
    {"rule r { axes x, y; map n on x; map m on y; claims real;"
     " tensor A[x: n, y: m] : float;"
     " exp(A) / broadcast(reduce(+, exp(A), {y}), {y: m}) =>"
     " exp(A - broadcast(log(reduce(+, exp(A), {y})), {y: m})); }",
     "r: (divide (exponential ?A) (reduce_add ?y (exponential ?A))) => "
     "(exponential (subtract ?A (log (reduce_add ?y (exponential ?A)))))\n",
     "r: (exponential (subtract ?A (log (reduce_add ?y (exponential ?A))))) =>"
     " (divide (exponential ?A) (reduce_add ?y (exponential ?A)))\n"},
    // A factor that is never below the sum need not be constant.
    {"rule r { axes x, y; map n on x; map m on y; claims real;"
     " tensor A[x: n, y: m] : float, B[x: n] : float;"
     " broadcast(B * reduce(+, A, {y}), {y: m}) =>"
     " broadcast(reduce(+, A, {y}) * B, {y: m}); }",
     "r: (multiply ?B (reduce_add ?y ?A)) => (multiply (reduce_add ?y ?A) ?B)"
     "\n",
     NULL},
    // Two sets below which one tensor varies have no axis in common.
    {"rule r { axes x, y, z; map n on x; map m on y; map k on z; claims real;"
     " tensor A[x: n, y: m, z: k] : float;"
     " reduce(+, reduce(+, A, {x}), {y}) => reduce(+, reduce(+, A, {y}), {x})"
     "; }",
     "r: (reduce_add ?y (reduce_add ?x ?A)) => (reduce_add ?x (reduce_add ?y "
     "?A)) if free_of(?x, ?y)\n",
     NULL},
    {"rule r { axes x, k, y; map n on x; map m on y; map q on k; claims real;"
     " tensor A[x: n, k: q] : float, B[k: q, y: m] : float;"
     " dot(A, B, contract={k}) => dot(B, A, contract={k}); }",
     "r: (reduce_add ?k (multiply ?A ?B)) => (reduce_add ?k (multiply ?B ?A))"
     "\n",
     NULL},
    // A class beside the joined one may be empty.
    {"rule r { axis a; axes x, y; map n, m on a; map k on x; map l on y;"
     " claims real; tensor A[a: n, x: k, y: l] : float,"
     " B[a: m, x: k, y: l] : float;"
     " reduce(+, concat(A, B, axis=a), {a, x})"
     " => reduce(+, A, {a, x}) + reduce(+, B, {a, x}); }",
     "r: (reduce_add ?a.2 (concatenate ?a.2 ?a ?a.1 ?A ?B)) => (add (reduce_add"
     " ?a ?A) (reduce_add ?a.1 ?B)) if free_of(?a.2, ?A) and free_of(?a.2, ?B)"
     "\n",
     "!a size of a is computed"},
    {"rule r { axis a; axes x; map n, m on a; map k on x; claims real;"
     " tensor A[a: n, x: k] : float, B[a: m, x: k] : float;"
     " exp(concat(A, B, axis=a)) => concat(exp(A), exp(B), axis=a); }",
     "r: (exponential (concatenate ?a.2 ?a ?a.1 ?A ?B)) => (concatenate ?a.2 "
     "?a ?a.1 (exponential ?A) (exponential ?B))\n",
     "r: (concatenate ?a.2 ?a ?a.1 (exponential ?A) (exponential ?B)) => "
     "(exponential (concatenate ?a.2 ?a ?a.1 ?A ?B))\n"},
    // The axis that is summed over is not the one that is joined along.
    {"rule r { axes y; axis a; map m on y; map n, k on a; claims real;"
     " tensor A[y: m, a: n] : float, B[y: m, a: k] : float;"
     " reduce(+, concat(A, B, axis=a), {y}) =>"
     " concat(reduce(+, A, {y}), reduce(+, B, {y}), axis=a); }",
     "r: (reduce_add ?y (concatenate ?a.2 ?a ?a.1 ?A ?B)) => (concatenate ?a.2 "
     "?a ?a.1 (reduce_add ?y ?A) (reduce_add ?y ?B)) if free_of(?y, ?a) and "
     "free_of(?y, ?a.1) and free_of(?y, ?a.2)\n",
     "r: (concatenate ?a.2 ?a ?a.1 (reduce_add ?y ?A) (reduce_add ?y ?B)) => "
     "(reduce_add ?y (concatenate ?a.2 ?a ?a.1 ?A ?B)) if free_of(?y, ?a) and "
     "free_of(?y, ?a.1) and free_of(?y, ?a.2)\n"},
    // Sizes are at least 1.
    {"rule r { axes x; axes y rank >= 1; map n on x; map m on y; claims real;"
     " tensor A[x: n] : float; where m >= 1;"
     " reduce(max, broadcast(A, {y: m}), {y}) => A; }",
     "r: (reduce_maximum ?y ?A) => ?A if free_of(?y, ?A)\n", NULL},
    {"rule r { axes x; axes y rank >= 1; map n on x; map m on y; claims real;"
     " tensor A[x: n] : float; where m == 1;"
     " reduce(+, broadcast(A, {y: m}), {y}) => A; }",
     "!a condition on sizes", NULL},
    {"rule r { axes x; axes y rank >= 1; map n on x; map m on y; claims real;"
     " tensor A[x: n] : float; where 3 - m <= 2 and not (m < 1),"
     " m != 0, m >= 5 or m + m > 1;"
     " reduce(+, broadcast(A, {y: m}), {y}) => A * count({y: m}); }",
     "r: (reduce_add ?y ?A) => (multiply ?A (count ?y)) if free_of(?y, ?A)\n", NULL},
    {"rule r { axes x; axes y rank >= 1; map n on x; map m on y; claims real;"
     " tensor A[x: n] : float; where m >= 5 or 2 - m >= 0;"
     " reduce(+, broadcast(A, {y: m}), {y}) => A * count({y: m}); }",
     "!a condition on sizes", NULL},
    {"rule r { axes x; axes y rank >= 1; map n on x; map m on y; claims real;"
     " tensor A[x: n] : float; where not (m >= 1 and m != 2);"
     " reduce(+, broadcast(A, {y: m}), {y}) => A * count({y: m}); }",
     "!a condition on sizes", NULL},
    {"rule r { axes x, y; map n on x; map m on y; claims real;"
     " tensor A[x: n] : float;"
     " reduce(+, broadcast(A, {y: m}), {y}) => A * count({y: m}); }",
     "r: (reduce_add ?y ?A) => (multiply ?A (count ?y)) if free_of(?y, ?A)\n",
     "r: (multiply ?A (count ?y)) => (reduce_add ?y ?A) if free_of(?y, ?A)\n"},
    // Numbers are exact; -0.0 is 0.
    {"rule r { axes x; map n on x; tensor A[x: n] : float; claims real;"
     " A * 0.125 + -0.0 + 2.50 => A / 8 - -2.5; }",
     "r: (add (add (multiply ?A 1/8) 0) 5/2) => (subtract (divide ?A 8) -5/2)"
     "\n",
     NULL},
    // There is one order; clamp is written out.
    {"rule r { axes x; map n on x; tensor A[x: n] : float, B[x: n] : float;"
     " claims real; select(A >= B, A, B) => clamp(A, B, max(A, B)); }",
     "r: (select (le ?B ?A) ?A ?B) => (minimum (maximum ?B ?A) (maximum ?A "
     "?B))\n",
     NULL},
    // A rule about anything holds of truth values ...
    {"rule r { axes x; map n on x; tensor P[x: n] : bool, A[x: n] : any;"
     " select(P, A, A) => A; }",
     "r: (select ?P ?A ?A) => ?A\n", NULL},
    // ... one about numbers must say that they are numbers,
    {"rule r { axes x; map n on x; tensor P[x: n] : bool, A[x: n] : float,"
     " B[x: n] : float; claims real;"
     " select(P, A, B) => select(P, A - B, 0) + B; }",
     "!A could be a number or a truth value", NULL},
    // (though not where only its condition computes),
    {"rule r { axes x; map n on x; tensor A[x: n] : float, B[x: n] : float;"
     " claims real; where all(A > B); A != B => true; }",
     "r: (ne ?A ?B) => true if same((lt ?B ?A), true)\n", NULL},
    // and one about truth values, too: two of three are the same.
    {"rule r { axes x; map n on x; tensor P[x: n] : bool, Q[x: n] : bool,"
     " R[x: n] : bool; select(P == Q, true, select(Q == R, true, P == R))"
     " => true; }",
     "!P could be a number or a truth value", NULL},
    {"rule r { axes x; map n on x; tensor P[x: n] : bool, Q[x: n] : bool;"
     " select(P, Q, false) => P & Q; }",
     "r: (select ?P ?Q false) => (and ?P ?Q)\n", "r: (and ?P ?Q) => (select ?P ?Q false)\n"},
    // Operators that variables may stand for.
    {"rule r { axes x, y; map n on x; map m on y; type T : any;"
     " tensor A[x: n, y: m] : T, B[x: n, y: m] : T; op g : monoid(T);"
     " reduce(g, g(A, B), {y}) => g(reduce(g, A, {y}), reduce(g, B, {y})); }",
     "r.add: (reduce_add ?y (add ?A ?B)) => (add (reduce_add ?y ?A) "
     "(reduce_add ?y ?B))\n"
     "r.maximum: (reduce_maximum ?y (maximum ?A ?B)) => (maximum "
     "(reduce_maximum ?y ?A) (reduce_maximum ?y ?B))\n"
     "r.minimum: (reduce_minimum ?y (minimum ?A ?B)) => (minimum "
     "(reduce_minimum ?y ?A) (reduce_minimum ?y ?B))\n"
     "r.multiply: (reduce_multiply ?y (multiply ?A ?B)) => (multiply "
     "(reduce_multiply ?y ?A) (reduce_multiply ?y ?B))\n",
     NULL},
    // A name is what its definition says, in both directions; what the rule
    // declares without the class is constant along it.
    {"rule r { axes x, y; map n on x; map m on y; claims real;"
     " tensor A[x: n, y: m] : float;"
     " exp(A) / broadcast(reduce(+, exp(A), {y}), {y: m})"
     " => define soft(A, {y}); }",
     "r: (divide (exponential ?A) (reduce_add ?y (exponential ?A))) => (soft ?y"
     " ?A)\n",
     "r: (soft ?y ?A) => (divide (exponential ?A) (reduce_add ?y (exponential "
     "?A)))\n"},
    {"rule r { axes x, y; map n on x; map m on y; claims real;"
     " tensor A[x: n, y: m] : float, W[y: m] : float; scalar e : float;"
     " reduce(+, A * broadcast(W, {x: n}) + e, {y}) * e"
     " => define scaled(A, W, e, {y}); }",
     "r: (multiply (reduce_add ?y (add (multiply ?A ?W) ?e)) ?e) => (scaled ?y "
     "?A ?W ?e) if free_of(?y, ?e)\n",
     NULL},
    {"rule r { axes x, y; map n on x; map m on y; claims real;"
     " tensor A[x: n, y: m] : float, B[x: n] : float; where all(B > 0);"
     " log(B) * reduce(max, A, {y}) => define peak(A, B, {y}); }",
     "r: (multiply (log ?B) (reduce_maximum ?y ?A)) => (peak ?y ?A ?B) if "
     "same((lt 0 ?B), true) and free_of(?y, ?B)\n",
     "r: (peak ?y ?A ?B) => (multiply (log ?B) (reduce_maximum ?y ?A)) if "
     "same((lt 0 ?B), true) and free_of(?y, ?B)\n"},
    {"rule r { axes x; map n on x; tensor A[x: n] : float;"
     " A * sqrt(2 / pi) => define scaled(A); }",
     "r: (multiply ?A (sqrt (divide 2 pi))) => (scaled ?A)\n",
     "r: (scaled ?A) => (multiply ?A (sqrt (divide 2 pi)))\n"},
    {"rule r { axes x; map n on x; tensor A[x: n] : float;"
     " max(A, 0) => define relu(A); }",
     "r: (maximum ?A 0) => (relu ?A)\n", "r: (relu ?A) => (maximum ?A 0)\n"},
    // Positions and infinities are refused, and axes that are renamed.
    {"rule r { axes x; map n on x; tensor A[x: n] : any;"
     " reverse(reverse(A, {x}), {x}) => A; }",
     "!reverse", "!a variable matches everything"},
    {"rule r { axes x; map n on x; tensor A[x: n] : float; claims real;"
     " max(A, -inf) => A; }",
     "!an infinity", NULL},
    {"rule r { axes x, w; axes y like x; map n on x; map m on w; claims real;"
     " tensor A[x: n, w: m] : float;"
     " reduce(+, relabel(A, {x -> y}), {y}) => reduce(+, A, {x}); }",
     "!x is bound and has partners", NULL},
    {"rule r { axes x; axes y like x; map n on x; claims real;"
     " tensor A[x: n] : float;"
     " relabel(-A, {x -> y}) => -relabel(A, {x -> y}); }",
     "!both sides are the same named term", NULL},
    // Sizes that would have to agree.
    {"rule r { axes y; map n, m on y; claims real;"
     " tensor A[y: n] : float, B[y: m] : float;"
     " reduce(+, A + B, {y}) => reduce(+, B + A, {y}); }",
     "!two sizes of y that must agree", NULL},
    {"rule r { axes y; map n on y; claims real; tensor A[y: 2*n] : float;"
     " reduce(+, -A, {y}) => -reduce(+, A, {y}); }",
     "!a size of y is computed", NULL},
    {"rule r { axes x; map n on x; claims real; tensor A[x: n] : float,"
     " B[x: 2*n] : float; A + B => B + A; }",
     "!a size of x cannot be 1", NULL},
    // A variable too many, another domain.
    {"rule r { axes x; map n on x; tensor A[x: n] : float; claims real;"
     " A - A => 0; }",
     "r: (subtract ?A ?A) => 0\n", "!the other side lacks A"},
    {"rule r { axes x; map n on x; tensor A[x: n] : int; A - A => 0; }",
     "!says nothing about reals", NULL},
    // A definition that computes a number of an argument says what it is where that is 1,
    // and where it is another literal; not of
    // its first argument, and not if a factor would be 0.
    {"rule r { axes x; map n on x; claims real; tensor A[x: n] : real, C[x: n] : real;"
     " C * (A - 0.5 * C) / C => define f(A, C); }",
     "r: (divide (multiply ?C (subtract ?A (multiply 1/2 ?C))) ?C) => (f ?A ?C)\n"
     "r.C_1: (subtract ?A 1/2) => (f ?A 1)\n"
     "r.C_n: (divide (multiply ?C (subtract ?A ?C.1)) ?C) => (f ?A ?C)"
     " if same((eq ?C.1 (multiply 1/2 ?C)), true)\n",
     "r: (f ?A ?C) => (divide (multiply ?C (subtract ?A (multiply 1/2 ?C))) ?C)\n"},
    {"rule r { axes x; map n on x; claims real; tensor A[x: n] : real, C[x: n] : real;"
     " C - 0.5 * A => define f(A, C); }",
     "r: (subtract ?C (multiply 1/2 ?A)) => (f ?A ?C)\n",
     "r: (f ?A ?C) => (subtract ?C (multiply 1/2 ?A))\n"},
    {"rule r { axes x; map n on x; claims real; tensor A[x: n] : real, C[x: n] : real;"
     " C + A * (1 - C) => define f(A, C); }",
     "r: (add ?C (multiply ?A (subtract 1 ?C))) => (f ?A ?C)\n",
     "r: (f ?A ?C) => (add ?C (multiply ?A (subtract 1 ?C)))\n"},
    {"rule r { axes x; map n on x; tensor A[x: n] : float; claims float;"
     " A + A => 2 * A; }",
     "!says nothing about reals", NULL},
};

static void expect(const struct rule *rule, bool backward, const char *want, const char *text)
{
    struct buf out = {0};
    struct err why = {0};
    bool ok = named_rule(rule, "r", backward, &out, &why);
    if (want &&
        (ok ? strcmp(want, buf_text(&out)) != 0 : *want != '!' || strcmp(want + 1, why.msg) != 0))
        fail_msg("%s\n%s: %s\nexpected %s", text, backward ? "backward" : "forward",
                 ok ? buf_text(&out) : why.msg, want);
    if (!ok)
        assert_string_equal("", buf_text(&out));
    buf_release(&out);
}

static void spelled(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        struct ruleset set;
        struct err_list errs = {0};
        ruleset_init(&set);
        if (!ruleset_parse(&set, pairs[i].rule, strlen(pairs[i].rule), "t", &errs))
            fail_msg("%s: %s", pairs[i].rule, errs.at.at[0].msg);
        expect(set.rules.at[0], false, pairs[i].forward, pairs[i].rule);
        expect(set.rules.at[0], true, pairs[i].backward, pairs[i].rule);
        vec_release(&errs.at);
        ruleset_release(&set);
    }
}

// ---- definitions ----

static const struct {
    const char *text, *error;
} bad[] = {
    {"max(A, B) => define f(A);", "`define`: `B` is no argument"},
    {"max(A, B) => define f(A, B, A);", "`define`: `A` occurs twice"},
    {"max(A, A) => define f(A, B);", "`define`: the left side lacks `B`"},
    {"max(A, B) => define f(A, -B);", "`define`: expected a variable as an argument"},
    {"max(A, B) => define max(A, B);", "`max` has a meaning already"},
    {"max(A, B) => define lt(A, B);", "`lt` has a meaning already"},
    {"max(A, B) => define reduce_add(A, B);", "`reduce_add` has a meaning already"},
    {"max(A, B) => define x(A, B);", "`x` has a meaning already"},
    {"max(A, B) => define f(A, B, {y});", "`define`: the left side does not reduce {y}"},
    {"reduce(+, A * B, {y}) => define f(A, B);",
     "`define`: expected the reduced classes {y}, found {}"},
    {"reduce(+, A * B, {x, y}) => define f(A, B, {x});",
     "`define`: expected the reduced classes {x, y}, found {x}"},
    {"reduce(+, A * B, {x, y}) => define f(A, B, {x, y});", "`define`: expected at most one class"},
    {"reverse(A, {x}) * B => define f(A, B);",
     "`define`: expected numbers, operators on elements, reductions and contractions "
     "on the left side"},
    {"A * B * value(n) => define f(A, B);", NULL},
    {"A * B * pi => pi * A * B;", "`pi` stands in definitions only"},
    {"define f(A, B) => A * B;", NULL},
    {"A * B => C * define f(A, B);", NULL},
    {"A * B => -define f(A, B);", NULL},
};

static void not_functions(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct ruleset set;
        struct err_list errs = {0};
        struct buf buf = {0};
        ruleset_init(&set);
        buf_printf(&buf,
                   "rule r { axes x, y; map n on x; map m on y; tensor "
                   "A[x: n, y: m] : float, B[x: n, y: m] : float; %s }",
                   bad[i].text);
        if (ruleset_parse(&set, buf.at, buf.len, "t", &errs))
            fail_msg("%s: accepted", bad[i].text);
        if (bad[i].error && strcmp(bad[i].error, errs.at.at[0].msg) != 0)
            fail_msg("%s: %s", bad[i].text, errs.at.at[0].msg);
        buf_release(&buf);
        vec_release(&errs.at);
        ruleset_release(&set);
    }
}

static const char defines[] =
    "rule soft { axes x, y; map n on x; map m on y;"
    " tensor A[x: n, y: m] : float;"
    " exp(A) / broadcast(reduce(+, exp(A), {y}), {y: m})"
    " => define soft(A, {y}); }\n"
    "rule top { axes x, y; map n on x; map m on y; scalar e : float;"
    " tensor A[x: n, y: m] : float, P[x: n] : bool;"
    " select(P, reduce(max, A, {y}), e) => define top(A, P, e, {y}); }\n"
    "rule up { axes x; map n on x; tensor A[x: n] : float;"
    " A > 0 => define up(A); }\n"
    "rule id { axes x; map n on x; tensor A[x: n] : float; A => A + 0; }\n";

// What is read of definitions; they are proved over the reals only, print as
// they were read, and have a canonical text that is one.
static void defined(void **state)
{
    (void)state;
    struct ruleset set;
    struct err_list errs = {0};
    struct fdefines defs;
    struct err err = {0};
    ruleset_init(&set);
    if (!ruleset_parse(&set, defines, strlen(defines), "t", &errs))
        fail_msg("%s", errs.at.at[0].msg);
    const struct rule *const *rules = (const struct rule *const *)set.rules.at;
    assert_true(fdefines_of(&defs, set.rules.len, rules, &err));
    assert_int_equal(defs.at.len, 3);
    const struct fdefine *define = fdefine_named(&defs, "soft", 4);
    assert_true(define && define->n_axes == 1 && define->n_args == 1 && !define->reduces &&
                !define->is_truth && define->truth == 0);
    define = fdefine_named(&defs, "top", 3);
    assert_true(define && define->n_axes == 1 && define->n_args == 3 && define->reduces &&
                define->truth == 2);
    define = fdefine_named(&defs, "up", 2);
    assert_true(define && define->n_axes == 0 && define->is_truth);
    assert_null(fdefine_named(&defs, "u", 1));
    fdefines_release(&defs);
    for (uint32_t i = 0; i < 3; i++) {
        const struct rule *rule = set.rules.at[i];
        assert_true(rule_defines(rule));
        assert_int_equal(rule_domains(rule), 1 << DOMAIN_REAL);
        const struct rule *again = ruleset_add(&set, rule->canonical, "again", &err);
        if (!again)
            fail_msg("%s: %s", rule->canonical, err.msg);
        assert_string_equal(again->hash, rule->hash);
        assert_true(rule_defines(again));
        struct buf buf = {0};
        rule_print(again, &buf);
        const struct rule *third = ruleset_add(&set, buf.at, "third", &err);
        if (!third)
            fail_msg("%s: %s", buf.at, err.msg);
        assert_string_equal(third->hash, rule->hash);
        buf_release(&buf);
    }
    // The same rule twice is one definition; another of that name is an error.
    rules = (const struct rule *const *)set.rules.at;
    assert_true(fdefines_of(&defs, set.rules.len, rules, &err));
    assert_int_equal(defs.at.len, 3);
    fdefines_release(&defs);
    assert_non_null(ruleset_add(&set,
                                "rule w { axes x; map n on x; tensor A[x: n] : "
                                "float; A > 1 => define up(A); }",
                                "w", &err));
    rules = (const struct rule *const *)set.rules.at;
    assert_false(fdefines_of(&defs, set.rules.len, rules, &err));
    assert_string_equal(err.msg, "up is defined twice, by up and w");
    vec_release(&errs.at);
    ruleset_release(&set);
}

// ---- the library ----

struct reason {
    char text[64];
    uint32_t n;
};

static int by_count(const void *a, const void *b)
{
    const struct reason *reason = a, *y = b;
    return reason->n != y->n ? (reason->n < y->n) - (reason->n > y->n)
                             : strcmp(reason->text, y->text);
}

// Every rule that is written is one that the engine reads.
static void library(void **state)
{
    (void)state;
    struct ruleset set;
    load_library(&set);
    VEC(struct reason) why = {0};
    uint32_t n[2] = {0, 0}, lines = 0;
    for (uint32_t i = 0; i < set.rules.len; i++)
        for (uint32_t back = 0; back < 2; back++) {
            struct buf out = {0};
            struct err err = {0};
            bool ok = named_rule(set.rules.at[i], set.rules.at[i]->name, back, &out, &err);
            n[back] += ok;
            if (ok) {
                struct cc graph;
                struct plain_rules rules;
                cc_init(&graph, true);
                plain_init(&rules);
                if (!plain_read(&rules, &graph, "rule", buf_text(&out), guards, &err))
                    fail_msg("%s: %s", buf_text(&out), err.msg);
                for (const char *text = buf_text(&out); *text; text++)
                    lines += *text == '\n';
                if (getenv("FORMULA_NAMED_PRINT"))
                    print_message("%s%s", back ? "<- " : "", buf_text(&out));
                plain_release(&rules);
                cc_release(&graph);
            } else if (!back) {
                if (getenv("FORMULA_NAMED_PRINT"))
                    print_message("# %s: %s\n", set.rules.at[i]->name, err.msg);
                uint32_t k = 0;
                while (k < why.len && strncmp(why.at[k].text, err.msg, sizeof why.at[k].text - 1))
                    k++;
                if (k == why.len) {
                    struct reason reason = {{0}, 0};
                    snprintf(reason.text, sizeof reason.text, "%.63s", err.msg);
                    vec_push(&why, reason);
                }
                why.at[k].n++;
            }
            buf_release(&out);
        }
    qsort(why.at, why.len, sizeof *why.at, by_count);
    print_message("%u of %u rules, %u of them backward too or only; %u lines\n", n[0],
                  set.rules.len, n[1], lines);
    for (uint32_t k = 0; k < why.len; k++)
        print_message("%6u  %s\n", why.at[k].n, why.at[k].text);
    assert_true(n[0] >= 700 && n[1] >= 450);
    vec_release(&why);
    ruleset_release(&set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spelled),
        cmocka_unit_test(not_functions),
        cmocka_unit_test(defined),
        cmocka_unit_test(library),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
