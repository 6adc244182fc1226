// SPDX-License-Identifier: Apache-2.0
// What partial_fits says of random terms, held against values: wherever the
// formula has one at all indices, the result has one at all indices.  SEED and
// COUNT in the environment: other formulas, and more of them.
#include "proof/formula/partial.h"
#include "base/rng.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

// Axes i and j with two indices each, and k, which joins them.
enum { I, J, K, N_AXES };
static const char axis_letters[] = "ijk";
static const int axis_len[] = {2, 2, 4};

struct value {
    bool is; // else there is none
    double v;
};
// a, b, x{i}, y{j}
struct world {
    struct fterms t;
    struct rng rng;
    double a, b, x[2], y[2];
};

static const struct value none = {false, 0};

static struct value number(double v)
{
    return (struct value){isfinite(v), v};
}

static bool is(const struct world *w, fterm x, const char *op, uint32_t n)
{
    return fterm_is(&w->t, x, op, n);
}

static struct value eval(const struct world *w, fterm x, const int *at);

static struct value leaf(const struct world *w, fterm x, const int *at)
{
    const char *name = fterm_name(&w->t, x);
    if (strcmp(name, "a") == 0 || strcmp(name, "b") == 0)
        return number(*name == 'a' ? w->a : w->b);
    if (name[1] == '{')
        return number(*name == 'x' ? w->x[at[I]] : w->y[at[J]]);
    if (strcmp(name, "true") == 0 || strcmp(name, "false") == 0)
        return number(*name == 't');
    char *end;
    double v = strtod(name, &end);
    if (*end == '/')
        v /= strtod(end + 1, NULL);
    return number(v);
}

// One that decides does so whatever the others are.
static struct value logical(bool so, uint32_t n, const struct value *v)
{
    bool all = true;
    for (uint32_t i = 0; i < n; i++) {
        if (v[i].is && (v[i].v != 0) != so)
            return number(!so);
        all = all && v[i].is;
    }
    return all ? number(so) : none;
}

static struct value reduce(const struct world *w, fterm x, const int *at)
{
    const char *op = fterm_name(&w->t, x);
    fterm set = fterm_args(&w->t, x)[0], body = fterm_args(&w->t, x)[1];
    const char *axes = fterm_name(&w->t, set);
    struct value v[16];
    uint32_t n = 0;
    int to[N_AXES], len[N_AXES];
    for (int c = 0; c < N_AXES; c++)
        len[c] = strchr(axes, axis_letters[c]) ? axis_len[c] : 1;
    memcpy(to, at, sizeof to);
    for (int i = 0; i < len[I]; i++)
        for (int j = 0; j < len[J]; j++)
            for (int k = 0; k < len[K]; k++) {
                to[I] = len[I] > 1 ? i : at[I];
                to[J] = len[J] > 1 ? j : at[J];
                to[K] = len[K] > 1 ? k : at[K];
                v[n++] = eval(w, body, to);
            }
    if (strcmp(op, "reduce_or") == 0 || strcmp(op, "reduce_and") == 0)
        return logical(op[7] == 'a', n, v);
    double out = v[0].v;
    for (uint32_t i = 0; i < n; i++) {
        if (!v[i].is)
            return none;
        if (i > 0)
            out = op[7] == 'a' ? out + v[i].v : fmax(out, v[i].v);
    }
    return number(out);
}

static struct value power(double a, double k)
{
    bool whole = k == floor(k);
    if ((whole && k < 0 && a == 0) || (!whole && (k > 0 ? a < 0 : a <= 0)))
        return none;
    return number(pow(a, k));
}

static struct value strict(const struct world *w, fterm x, const double *v,
                           bool literal)
{
    double a = v[0], b = v[1];
    if (is(w, x, "add", 2))
        return number(a + b);
    if (is(w, x, "subtract", 2))
        return number(a - b);
    if (is(w, x, "multiply", 2))
        return number(a * b);
    if (is(w, x, "divide", 2))
        return b == 0 ? none : number(a / b);
    if (is(w, x, "log", 1))
        return a <= 0 ? none : number(log(a));
    if (is(w, x, "log_plus_one", 1))
        return a <= -1 ? none : number(log1p(a));
    if (is(w, x, "sqrt", 1))
        return a < 0 ? none : number(sqrt(a));
    if (is(w, x, "rsqrt", 1))
        return a <= 0 ? none : number(1 / sqrt(a));
    if (is(w, x, "power", 2)) // of what is no literal, a > 0 is asked
        return !literal && a <= 0 ? none : power(a, b);
    if (is(w, x, "lt", 2))
        return number(a < b);
    if (is(w, x, "le", 2))
        return number(a <= b);
    if (is(w, x, "eq", 2))
        return number(a == b);
    if (is(w, x, "ne", 2))
        return number(a != b);
    if (is(w, x, "not", 1))
        return number(a == 0);
    fail_msg("%s", fterm_name(&w->t, x));
    return none;
}

static struct value eval(const struct world *w, fterm x, const int *at)
{
    uint32_t n = fterm_n(&w->t, x);
    const fterm *arg = fterm_args(&w->t, x);
    struct value v[2];
    if (n == 0)
        return leaf(w, x, at);
    if (is(w, x, "select", 3)) {
        struct value c = eval(w, arg[0], at);
        return c.is ? eval(w, arg[c.v != 0 ? 1 : 2], at) : none;
    }
    if (is(w, x, "concatenate", 5)) {
        int to[N_AXES];
        memcpy(to, at, sizeof to);
        to[at[K] < 2 ? I : J] = at[K] % 2;
        return eval(w, arg[at[K] < 2 ? 3 : 4], to);
    }
    if (strncmp(fterm_name(&w->t, x), "reduce_", 7) == 0)
        return reduce(w, x, at);
    for (uint32_t k = 0; k < n; k++)
        v[k] = eval(w, arg[k], at);
    if (is(w, x, "and", 2) || is(w, x, "or", 2))
        return logical(is(w, x, "and", 2), 2, v);
    double d[2] = {v[0].v, n > 1 ? v[1].v : 0};
    for (uint32_t k = 0; k < n; k++)
        if (!v[k].is)
            return none;
    return strict(w, x, d,
                  n > 1 && fterm_n(&w->t, arg[1]) == 0 &&
                      strchr("-0123456789", *fterm_name(&w->t, arg[1])) !=
                          NULL);
}

static bool everywhere(const struct world *w, fterm x)
{
    int at[N_AXES];
    for (at[I] = 0; at[I] < 2; at[I]++)
        for (at[J] = 0; at[J] < 2; at[J]++)
            for (at[K] = 0; at[K] < 4; at[K]++)
                if (!eval(w, x, at).is)
                    return false;
    return true;
}

// Random terms

static fterm pick(struct world *w, const struct u32_vec *parts, bool truth)
{
    static const char *const truths[] = {
        "lt", "le", "eq", "ne", "and", "or", "not", "reduce_or", "reduce_and"};
    for (int tries = 0; parts != NULL && tries < 12; tries++) {
        fterm x = parts->at[rng_below(&w->rng, parts->len)];
        const char *name = fterm_name(&w->t, x);
        bool is_truth = false;
        for (size_t i = 0; i < sizeof truths / sizeof *truths; i++)
            is_truth |= strcmp(name, truths[i]) == 0;
        if (*name != '{' && is_truth == truth && fterm_n(&w->t, x) > 0)
            return x;
    }
    return NO_FTERM;
}

static fterm random_term(struct world *w, uint32_t depth, bool truth,
                         const struct u32_vec *parts);

static fterm make(struct world *w, const char *op, uint32_t n, fterm a, fterm b,
                  fterm c)
{
    return fterm_make(&w->t, op, n, (fterm[]){a, b, c});
}

static fterm axes(struct world *w)
{
    static const char *const sets[] = {"{i}", "{j}", "{i,j}", "{k}"};
    return fterm_make(&w->t, sets[rng_below(&w->rng, 4)], 0, NULL);
}

static fterm random_truth(struct world *w, uint32_t depth,
                          const struct u32_vec *parts)
{
    static const char *const orders[] = {"lt", "le", "eq", "ne", "ne", "lt"};
    uint64_t k = rng_below(&w->rng, 12);
    if (depth > 0 && k < 4) {
        fterm p = random_term(w, depth - 1, true, parts);
        return make(w, k < 2 ? "and" : "or", 2, p,
                    random_term(w, depth - 1, true, parts), 0);
    }
    if (depth > 0 && k == 4)
        return make(w, "not", 1, random_term(w, depth - 1, true, parts), 0, 0);
    if (depth > 0 && k == 5) {
        fterm s = axes(w);
        return make(w, rng_below(&w->rng, 2) ? "reduce_or" : "reduce_and", 2, s,
                    random_term(w, depth - 1, true, parts), 0);
    }
    const char *op = orders[rng_below(&w->rng, 6)];
    fterm zero = fterm_make(&w->t, "0", 0, NULL);
    fterm e = random_term(
        w, depth > 0 ? (uint32_t)rng_below(&w->rng, depth) : 0, false, parts);
    return rng_below(&w->rng, 2) ? make(w, op, 2, zero, e, 0)
                                 : make(w, op, 2, e, zero, 0);
}

static fterm random_leaf(struct world *w)
{
    static const char *const leaves[] = {"a",    "b",    "x{i}", "y{j}", "a",
                                         "x{i}", "y{j}", "1",    "0",    "-1"};
    return fterm_make(&w->t, leaves[rng_below(&w->rng, 10)], 0, NULL);
}

static fterm reduced(struct world *w, fterm x)
{
    fterm s = axes(w);
    return make(w, rng_below(&w->rng, 2) ? "reduce_add" : "reduce_maximum", 2,
                s, x, 0);
}

static fterm joined(struct world *w, fterm x, fterm y)
{
    fterm args[] = {fterm_make(&w->t, "{k}", 0, NULL),
                    fterm_make(&w->t, "{i}", 0, NULL),
                    fterm_make(&w->t, "{j}", 0, NULL), x, y};
    return fterm_make(&w->t, "concatenate", 5, args);
}

// What asks something, in `where` or in a condition beside what it asks.
static fterm guarded(struct world *w, uint32_t depth,
                     const struct u32_vec *parts)
{
    fterm e = random_term(w, depth, false, parts), x = random_leaf(w);
    fterm zero = fterm_make(&w->t, "0", 0, NULL);
    bool root = rng_below(&w->rng, 2), so = rng_below(&w->rng, 2);
    fterm c = make(w, root ? (so ? "lt" : "le") : (so ? "ne" : "eq"), 2,
                   root && !so ? e : zero, root && !so ? zero : e, 0);
    fterm f = root ? make(w, "log", 1, e, 0, 0) : make(w, "divide", 2, x, e, 0);
    if (rng_below(&w->rng, 2))
        return make(w, "select", 3, c, so ? f : x, so ? x : f);
    fterm d = make(w, "lt", 2, x, f, 0);
    bool first = rng_below(&w->rng, 2);
    c = make(w, so ? "and" : "or", 2, first ? c : d, first ? d : c, 0);
    return make(w, "select", 3, c, x, random_leaf(w));
}

// Terms and conditions of the formula in another order.
static fterm rearranged(struct world *w, const struct u32_vec *parts)
{
    fterm c = pick(w, parts, true), d = pick(w, parts, true);
    fterm x = pick(w, parts, false), y = random_leaf(w);
    if (x == NO_FTERM || c == NO_FTERM || d == NO_FTERM)
        return random_term(w, 2, false, parts);
    bool first = rng_below(&w->rng, 2);
    for (int tries = 0; tries < 4; tries++) { // a condition with what it guards
        fterm from = parts->at[rng_below(&w->rng, parts->len)];
        if (!is(w, from, "select", 3))
            continue;
        c = fterm_args(&w->t, from)[0];
        x = fterm_args(&w->t, from)[first ? 1 : 2];
        break;
    }
    switch (rng_below(&w->rng, 8)) {
    case 0:
        x = reduced(w, x);
        break;
    case 1:
        x = joined(w, x, y);
        break;
    case 2:
        x = joined(w, y, x);
        break;
    case 3:
        c = make(w, "and", 2, c, d, 0);
        break;
    case 4:
        c = make(w, "or", 2, c, d, 0);
        break;
    case 5:
        c = make(w, "not", 1, c, 0, 0);
        break;
    default:
        break;
    }
    x = make(w, "select", 3, c, first ? x : y, first ? y : x);
    return rng_below(&w->rng, 3) ? x : reduced(w, x);
}

static fterm random_term(struct world *w, uint32_t depth, bool truth,
                         const struct u32_vec *parts)
{
    static const char *const exponents[] = {"-1", "2", "1/2", "-1/2", "b"};
    static const char *const one[] = {"log", "sqrt", "rsqrt", "log_plus_one"};
    static const char *const two[] = {"add", "multiply", "divide", "subtract",
                                      "divide"};
    fterm had = rng_below(&w->rng, 3) == 0 ? pick(w, parts, truth) : NO_FTERM;
    if (had != NO_FTERM)
        return had;
    if (truth)
        return random_truth(w, depth, parts);
    if (depth == 0)
        return random_leaf(w);
    uint64_t k = rng_below(&w->rng, 15);
    if (k >= 12)
        return guarded(w, depth - 1, parts);
    fterm a = random_term(w, depth - 1, false, parts), b, c;
    if (k < 4) {
        b = random_term(w, depth - 1, false, parts);
        return make(w, two[rng_below(&w->rng, 5)], 2, a, b, 0);
    }
    if (k < 6)
        return make(w, one[rng_below(&w->rng, 4)], 1, a, 0, 0);
    if (k == 6)
        return make(
            w, "power", 2, a,
            fterm_make(&w->t, exponents[rng_below(&w->rng, 5)], 0, NULL), 0);
    if (k < 10) {
        c = random_term(w, depth - 1, true, parts);
        b = random_term(w, depth - 1, false, parts);
        return make(w, "select", 3, c, a, b);
    }
    if (k == 10)
        return reduced(w, a);
    return joined(w, a, random_term(w, depth - 1, false, parts));
}

static void values(struct world *w, uint32_t k)
{
    static const double of[] = {-1, 0, 1, 2};
    double *v[] = {&w->a, &w->b, &w->x[0], &w->x[1], &w->y[0], &w->y[1]};
    for (int i = 0; i < 6; i++, k /= 3)
        *v[i] = of[k % 3 + (uint32_t)(i % 2 == 0 && k % 7 == 0)];
}

static void wrong(const struct world *w, fterm f, fterm g)
{
    struct buf text = {0};
    fterm_print(&w->t, f, &text);
    buf_puts(&text, "\n");
    fterm_print(&w->t, g, &text);
    fail_msg("a=%g b=%g x=%g,%g y=%g,%g: the first has a value, the second has "
             "none:\n%s",
             w->a, w->b, w->x[0], w->x[1], w->y[0], w->y[1], buf_text(&text));
}

// Does the condition hold, and have a value, wherever the formula has one?
static bool holds(struct world *w, const bool *has, fterm cond)
{
    int at[N_AXES];
    for (uint32_t k = 0; k < 729; k++) {
        values(w, k);
        for (at[I] = 0; has[k] && at[I] < 2; at[I]++)
            for (at[J] = 0; at[J] < 2; at[J]++)
                for (at[K] = 0; at[K] < 4; at[K]++) {
                    struct value v = eval(w, cond, at);
                    if (!v.is || v.v == 0)
                        return false;
                }
    }
    return true;
}

struct tally {
    uint32_t formulas, fit, known, not ;
};

static void try_result(struct world *w, struct partial *p, fterm f, fterm g,
                       const bool *has, struct tally *n)
{
    bool fits = partial_fits(p, g);
    for (int turn = 0; turn < 3 && !fits && p->missing.len > 0; turn++) {
        fterm cond = p->missing.at[0];
        if (!holds(w, has, cond))
            break;
        partial_know(p, cond);
        fits = partial_fits(p, g);
        n->known += fits;
    }
    n->fit += fits && fterm_n(&w->t, g) > 0 && f != g;
    for (uint32_t k = 0; k < 729; k++) {
        if (!has[k])
            continue;
        values(w, k);
        if (everywhere(w, g))
            continue;
        n->not ++;
        if (fits)
            wrong(w, f, g);
        return;
    }
}

static void random_results(void **state)
{
    const char *seed = getenv("SEED"), *count = getenv("COUNT");
    uint32_t wanted = count ? (uint32_t)strtoul(count, NULL, 10) : 60;
    struct tally n = {0, 0, 0, 0};
    struct world w;
    static bool has[729];
    (void)state;
    rng_seed(&w.rng, seed ? strtoull(seed, NULL, 10) : 1);
    while (n.formulas < wanted) {
        struct u32_vec parts = {0};
        struct partial p;
        uint32_t defined = 0;
        fterms_init(&w.t);
        fterm f = random_term(&w, 4, false, NULL);
        for (uint32_t k = 0; k < 729; k++) {
            values(&w, k);
            has[k] = everywhere(&w, f);
            defined += has[k];
        }
        if (defined > 0 && defined < 729) {
            n.formulas++;
            fterms_reach(&w.t, 1, &f, &parts);
            partial_init(&p, &w.t, NULL, f);
            for (uint32_t i = 0; i < 40; i++) {
                uint32_t depth = 1 + (uint32_t)rng_below(&w.rng, 3);
                fterm g = i % 2 ? rearranged(&w, &parts)
                                : random_term(&w, depth, false, &parts);
                try_result(&w, &p, f, g, has, &n);
            }
            partial_release(&p);
        }
        vec_release(&parts);
        fterms_release(&w.t);
    }
    print_message("%u formulas; %u results fit, %u of them by what is known, "
                  "%u must not\n",
                  n.formulas, n.fit, n.known, n.not );
    assert_true(n.fit > 2 * n.formulas && n.not > n.formulas && n.known > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_results)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
