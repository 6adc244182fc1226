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
    struct fterms terms;
    struct rng rng;
    double a, b, x[2], y[2];
};

static const struct value none = {false, 0};

static struct value number(double v)
{
    return (struct value){isfinite(v), v};
}

static bool is(const struct world *world, fterm term, const char *op, uint32_t n)
{
    return fterm_is(&world->terms, term, op, n);
}

static struct value eval(const struct world *world, fterm term, const int *at);

static struct value leaf(const struct world *world, fterm term, const int *at)
{
    const char *name = fterm_name(&world->terms, term);
    if (strcmp(name, "a") == 0 || strcmp(name, "b") == 0)
        return number(*name == 'a' ? world->a : world->b);
    if (name[1] == '{')
        return number(*name == 'x' ? world->x[at[I]] : world->y[at[J]]);
    if (strcmp(name, "true") == 0 || strcmp(name, "false") == 0)
        return number(*name == 't');
    char *end;
    double v = strtod(name, &end);
    if (*end == '/')
        v /= strtod(end + 1, NULL);
    return number(v);
}

// One that decides does so whatever the others are.
static struct value logical(bool so, uint32_t n, const struct value *value)
{
    bool all = true;
    for (uint32_t i = 0; i < n; i++) {
        if (value[i].is && (value[i].v != 0) != so)
            return number(!so);
        all = all && value[i].is;
    }
    return all ? number(so) : none;
}

static struct value reduce(const struct world *world, fterm term, const int *at)
{
    const char *op = fterm_name(&world->terms, term);
    fterm set = fterm_args(&world->terms, term)[0], body = fterm_args(&world->terms, term)[1];
    const char *axes = fterm_name(&world->terms, set);
    struct value value[16];
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
                value[n++] = eval(world, body, to);
            }
    if (strcmp(op, "reduce_or") == 0 || strcmp(op, "reduce_and") == 0)
        return logical(op[7] == 'a', n, value);
    double out = value[0].v;
    for (uint32_t i = 0; i < n; i++) {
        if (!value[i].is)
            return none;
        if (i > 0)
            out = op[7] == 'a' ? out + value[i].v : fmax(out, value[i].v);
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

static struct value strict(const struct world *world, fterm term, const double *v, bool literal)
{
    double a = v[0], b = v[1];
    if (is(world, term, "add", 2))
        return number(a + b);
    if (is(world, term, "subtract", 2))
        return number(a - b);
    if (is(world, term, "multiply", 2))
        return number(a * b);
    if (is(world, term, "divide", 2))
        return b == 0 ? none : number(a / b);
    if (is(world, term, "log", 1))
        return a <= 0 ? none : number(log(a));
    if (is(world, term, "log_plus_one", 1))
        return a <= -1 ? none : number(log1p(a));
    if (is(world, term, "sqrt", 1))
        return a < 0 ? none : number(sqrt(a));
    if (is(world, term, "rsqrt", 1))
        return a <= 0 ? none : number(1 / sqrt(a));
    if (is(world, term, "power", 2)) // of what is no literal, a > 0 is asked
        return !literal && a <= 0 ? none : power(a, b);
    if (is(world, term, "lt", 2))
        return number(a < b);
    if (is(world, term, "le", 2))
        return number(a <= b);
    if (is(world, term, "eq", 2))
        return number(a == b);
    if (is(world, term, "ne", 2))
        return number(a != b);
    if (is(world, term, "not", 1))
        return number(a == 0);
    fail_msg("%s", fterm_name(&world->terms, term));
    return none;
}

static struct value eval(const struct world *world, fterm term, const int *at)
{
    uint32_t n = fterm_n(&world->terms, term);
    const fterm *arg = fterm_args(&world->terms, term);
    struct value value[2];
    if (n == 0)
        return leaf(world, term, at);
    if (is(world, term, "select", 3)) {
        struct value c = eval(world, arg[0], at);
        return c.is ? eval(world, arg[c.v != 0 ? 1 : 2], at) : none;
    }
    if (is(world, term, "concatenate", 5)) {
        int to[N_AXES];
        memcpy(to, at, sizeof to);
        to[at[K] < 2 ? I : J] = at[K] % 2;
        return eval(world, arg[at[K] < 2 ? 3 : 4], to);
    }
    if (strncmp(fterm_name(&world->terms, term), "reduce_", 7) == 0)
        return reduce(world, term, at);
    for (uint32_t k = 0; k < n; k++)
        value[k] = eval(world, arg[k], at);
    if (is(world, term, "and", 2) || is(world, term, "or", 2))
        return logical(is(world, term, "and", 2), 2, value);
    double d[2] = {value[0].v, n > 1 ? value[1].v : 0};
    for (uint32_t k = 0; k < n; k++)
        if (!value[k].is)
            return none;
    return strict(world, term, d,
                  n > 1 && fterm_n(&world->terms, arg[1]) == 0 &&
                      strchr("-0123456789", *fterm_name(&world->terms, arg[1])) != NULL);
}

static bool everywhere(const struct world *world, fterm term)
{
    int at[N_AXES];
    for (at[I] = 0; at[I] < 2; at[I]++)
        for (at[J] = 0; at[J] < 2; at[J]++)
            for (at[K] = 0; at[K] < 4; at[K]++)
                if (!eval(world, term, at).is)
                    return false;
    return true;
}

// Random terms

static fterm pick(struct world *world, const struct u32_vec *parts, bool truth)
{
    static const char *const truths[] = {"lt", "le",  "eq",        "ne",        "and",
                                         "or", "not", "reduce_or", "reduce_and"};
    for (int tries = 0; parts != NULL && tries < 12; tries++) {
        fterm term = parts->at[rng_below(&world->rng, parts->len)];
        const char *name = fterm_name(&world->terms, term);
        bool is_truth = false;
        for (size_t i = 0; i < sizeof truths / sizeof *truths; i++)
            is_truth |= strcmp(name, truths[i]) == 0;
        if (*name != '{' && is_truth == truth && fterm_n(&world->terms, term) > 0)
            return term;
    }
    return NO_FTERM;
}

static fterm random_term(struct world *world, uint32_t depth, bool truth,
                         const struct u32_vec *parts);

static fterm make(struct world *world, const char *op, uint32_t n, fterm a, fterm b, fterm c)
{
    return fterm_make(&world->terms, op, n, (fterm[]){a, b, c});
}

static fterm axes(struct world *world)
{
    static const char *const sets[] = {"{i}", "{j}", "{i,j}", "{k}"};
    return fterm_make(&world->terms, sets[rng_below(&world->rng, 4)], 0, NULL);
}

static fterm random_truth(struct world *world, uint32_t depth, const struct u32_vec *parts)
{
    static const char *const orders[] = {"lt", "le", "eq", "ne", "ne", "lt"};
    uint64_t k = rng_below(&world->rng, 12);
    if (depth > 0 && k < 4) {
        fterm term = random_term(world, depth - 1, true, parts);
        return make(world, k < 2 ? "and" : "or", 2, term,
                    random_term(world, depth - 1, true, parts), 0);
    }
    if (depth > 0 && k == 4)
        return make(world, "not", 1, random_term(world, depth - 1, true, parts), 0, 0);
    if (depth > 0 && k == 5) {
        fterm s = axes(world);
        return make(world, rng_below(&world->rng, 2) ? "reduce_or" : "reduce_and", 2, s,
                    random_term(world, depth - 1, true, parts), 0);
    }
    const char *op = orders[rng_below(&world->rng, 6)];
    fterm zero = fterm_make(&world->terms, "0", 0, NULL);
    fterm e =
        random_term(world, depth > 0 ? (uint32_t)rng_below(&world->rng, depth) : 0, false, parts);
    return rng_below(&world->rng, 2) ? make(world, op, 2, zero, e, 0)
                                     : make(world, op, 2, e, zero, 0);
}

static fterm random_leaf(struct world *world)
{
    static const char *const leaves[] = {"a",    "b",    "x{i}", "y{j}", "a",
                                         "x{i}", "y{j}", "1",    "0",    "-1"};
    return fterm_make(&world->terms, leaves[rng_below(&world->rng, 10)], 0, NULL);
}

static fterm reduced(struct world *world, fterm term)
{
    fterm s = axes(world);
    return make(world, rng_below(&world->rng, 2) ? "reduce_add" : "reduce_maximum", 2, s, term, 0);
}

static fterm joined(struct world *world, fterm x, fterm y)
{
    fterm args[] = {fterm_make(&world->terms, "{k}", 0, NULL),
                    fterm_make(&world->terms, "{i}", 0, NULL),
                    fterm_make(&world->terms, "{j}", 0, NULL), x, y};
    return fterm_make(&world->terms, "concatenate", 5, args);
}

// What asks something, in `where` or in a condition beside what it asks.
static fterm guarded(struct world *world, uint32_t depth, const struct u32_vec *parts)
{
    fterm term = random_term(world, depth, false, parts), x = random_leaf(world);
    fterm zero = fterm_make(&world->terms, "0", 0, NULL);
    bool root = rng_below(&world->rng, 2), so = rng_below(&world->rng, 2);
    fterm c = make(world, root ? (so ? "lt" : "le") : (so ? "ne" : "eq"), 2,
                   root && !so ? term : zero, root && !so ? zero : term, 0);
    fterm f = root ? make(world, "log", 1, term, 0, 0) : make(world, "divide", 2, x, term, 0);
    if (rng_below(&world->rng, 2))
        return make(world, "select", 3, c, so ? f : x, so ? x : f);
    fterm d = make(world, "lt", 2, x, f, 0);
    bool first = rng_below(&world->rng, 2);
    c = make(world, so ? "and" : "or", 2, first ? c : d, first ? d : c, 0);
    return make(world, "select", 3, c, x, random_leaf(world));
}

// Terms and conditions of the formula in another order.
static fterm rearranged(struct world *world, const struct u32_vec *parts)
{
    fterm term = pick(world, parts, true), d = pick(world, parts, true);
    fterm x = pick(world, parts, false), y = random_leaf(world);
    if (x == NO_FTERM || term == NO_FTERM || d == NO_FTERM)
        return random_term(world, 2, false, parts);
    bool first = rng_below(&world->rng, 2);
    for (int tries = 0; tries < 4; tries++) { // a condition with what it guards
        fterm from = parts->at[rng_below(&world->rng, parts->len)];
        if (!is(world, from, "select", 3))
            continue;
        term = fterm_args(&world->terms, from)[0];
        x = fterm_args(&world->terms, from)[first ? 1 : 2];
        break;
    }
    switch (rng_below(&world->rng, 8)) {
    case 0:
        x = reduced(world, x);
        break;
    case 1:
        x = joined(world, x, y);
        break;
    case 2:
        x = joined(world, y, x);
        break;
    case 3:
        term = make(world, "and", 2, term, d, 0);
        break;
    case 4:
        term = make(world, "or", 2, term, d, 0);
        break;
    case 5:
        term = make(world, "not", 1, term, 0, 0);
        break;
    default:
        break;
    }
    x = make(world, "select", 3, term, first ? x : y, first ? y : x);
    return rng_below(&world->rng, 3) ? x : reduced(world, x);
}

static fterm random_term(struct world *world, uint32_t depth, bool truth,
                         const struct u32_vec *parts)
{
    static const char *const exponents[] = {"-1", "2", "1/2", "-1/2", "b"};
    static const char *const one[] = {"log", "sqrt", "rsqrt", "log_plus_one"};
    static const char *const two[] = {"add", "multiply", "divide", "subtract", "divide"};
    fterm had = rng_below(&world->rng, 3) == 0 ? pick(world, parts, truth) : NO_FTERM;
    if (had != NO_FTERM)
        return had;
    if (truth)
        return random_truth(world, depth, parts);
    if (depth == 0)
        return random_leaf(world);
    uint64_t k = rng_below(&world->rng, 15);
    if (k >= 12)
        return guarded(world, depth - 1, parts);
    fterm term = random_term(world, depth - 1, false, parts), b, c;
    if (k < 4) {
        b = random_term(world, depth - 1, false, parts);
        return make(world, two[rng_below(&world->rng, 5)], 2, term, b, 0);
    }
    if (k < 6)
        return make(world, one[rng_below(&world->rng, 4)], 1, term, 0, 0);
    if (k == 6)
        return make(world, "power", 2, term,
                    fterm_make(&world->terms, exponents[rng_below(&world->rng, 5)], 0, NULL), 0);
    if (k < 10) {
        c = random_term(world, depth - 1, true, parts);
        b = random_term(world, depth - 1, false, parts);
        return make(world, "select", 3, c, term, b);
    }
    if (k == 10)
        return reduced(world, term);
    return joined(world, term, random_term(world, depth - 1, false, parts));
}

static void values(struct world *world, uint32_t k)
{
    static const double of[] = {-1, 0, 1, 2};
    double *v[] = {&world->a, &world->b, &world->x[0], &world->x[1], &world->y[0], &world->y[1]};
    for (int i = 0; i < 6; i++, k /= 3)
        *v[i] = of[k % 3 + (uint32_t)(i % 2 == 0 && k % 7 == 0)];
}

static void wrong(const struct world *world, fterm f, fterm g)
{
    struct buf text = {0};
    fterm_print(&world->terms, f, &text);
    buf_puts(&text, "\n");
    fterm_print(&world->terms, g, &text);
    fail_msg("a=%g b=%g x=%g,%g y=%g,%g: the first has a value, the second has "
             "none:\n%s",
             world->a, world->b, world->x[0], world->x[1], world->y[0], world->y[1],
             buf_text(&text));
}

// Does the condition hold, and have a value, wherever the formula has one?
static bool holds(struct world *world, const bool *has, fterm cond)
{
    int at[N_AXES];
    for (uint32_t k = 0; k < 729; k++) {
        values(world, k);
        for (at[I] = 0; has[k] && at[I] < 2; at[I]++)
            for (at[J] = 0; at[J] < 2; at[J]++)
                for (at[K] = 0; at[K] < 4; at[K]++) {
                    struct value value = eval(world, cond, at);
                    if (!value.is || value.v == 0)
                        return false;
                }
    }
    return true;
}

struct tally {
    uint32_t formulas, fit, known, not ;
};

static void try_result(struct world *world, struct partial *partial, fterm f, fterm g,
                       const bool *has, struct tally *tally)
{
    bool fits = partial_fits(partial, g);
    for (int turn = 0; turn < 3 && !fits && partial->missing.len > 0; turn++) {
        fterm cond = partial->missing.at[0];
        if (!holds(world, has, cond))
            break;
        partial_know(partial, cond);
        fits = partial_fits(partial, g);
        tally->known += fits;
    }
    tally->fit += fits && fterm_n(&world->terms, g) > 0 && f != g;
    for (uint32_t k = 0; k < 729; k++) {
        if (!has[k])
            continue;
        values(world, k);
        if (everywhere(world, g))
            continue;
        tally->not ++;
        if (fits)
            wrong(world, f, g);
        return;
    }
}

static void random_results(void **state)
{
    const char *seed = getenv("SEED"), *count = getenv("COUNT");
    uint32_t wanted = count ? (uint32_t)strtoul(count, NULL, 10) : 60;
    struct tally tally = {0, 0, 0, 0};
    struct world world;
    static bool has[729];
    (void)state;
    rng_seed(&world.rng, seed ? strtoull(seed, NULL, 10) : 1);
    while (tally.formulas < wanted) {
        struct u32_vec parts = {0};
        struct partial partial;
        uint32_t defined = 0;
        fterms_init(&world.terms);
        fterm term = random_term(&world, 4, false, NULL);
        for (uint32_t k = 0; k < 729; k++) {
            values(&world, k);
            has[k] = everywhere(&world, term);
            defined += has[k];
        }
        if (defined > 0 && defined < 729) {
            tally.formulas++;
            fterms_reach(&world.terms, 1, &term, &parts);
            partial_init(&partial, &world.terms, NULL, term);
            for (uint32_t i = 0; i < 40; i++) {
                uint32_t depth = 1 + (uint32_t)rng_below(&world.rng, 3);
                fterm g =
                    i % 2 ? rearranged(&world, &parts) : random_term(&world, depth, false, &parts);
                try_result(&world, &partial, term, g, has, &tally);
            }
            partial_release(&partial);
        }
        vec_release(&parts);
        fterms_release(&world.terms);
    }
    print_message("%u formulas; %u results fit, %u of them by what is known, "
                  "%u must not\n",
                  tally.formulas, tally.fit, tally.known, tally.not );
    assert_true(tally.fit > 2 * tally.formulas && tally.not > tally.formulas && tally.known > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_results)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
