// SPDX-License-Identifier: Apache-2.0
// An evaluator of named terms that shares nothing with what writes them, for
// tests of rules on named terms.  Overflow, and what has no value, is no
// difference.
#ifndef TESTS_UNIT_SUPPORT_NAMED_EVAL_H
#define TESTS_UNIT_SUPPORT_NAMED_EVAL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/rng.h"
#include "proof/plain/core.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_AXES = 40, MAX_VARS = 64, MAX_DIMS = 40 };

// A set of axes, or a tensor: dimensions are axes with their strides.
struct var {
    struct plain_word name;
    bool is_set, truth;
    uint64_t axes; // of a set; that a tensor may depend on
    uint32_t n_dims, axis[MAX_DIMS];
    int64_t stride[MAX_DIMS];
    double *value;
    const struct plain_check_tree *computed; // its value, if that is not NULL
};
struct world {
    struct arena mem;
    struct rng rng;
    uint32_t n_axes, n_vars;
    int64_t size[MAX_AXES];
    struct var var[MAX_VARS];
};
struct index {
    int64_t at[MAX_AXES];
};

static inline struct var *find(struct world *world, struct plain_word name)
{
    for (uint32_t i = 0; i < world->n_vars; i++)
        if (word_is(world->var[i].name, name))
            return &world->var[i];
    if (world->n_vars == MAX_VARS)
        fail_msg("too many variables");
    world->var[world->n_vars] = (struct var){.name = name};
    return &world->var[world->n_vars++];
}

static inline bool is(const struct plain_check_tree *plain_check_tree, const char *name)
{
    return plain_check_tree->name.len == strlen(name) &&
           memcmp(plain_check_tree->name.at, name, plain_check_tree->name.len) == 0;
}

static inline double sign(double x)
{
    return x > 0 ? 1 : x < 0 ? -1 : x;
}

static inline double rsqrt(double x)
{
    return 1 / sqrt(x);
}

static inline double logistic(double x)
{
    return 1 / (1 + exp(-x));
}

static inline double negate(double x)
{
    return -x;
}

static inline double not(double x)
{
    return x == 0;
}

static const struct {
    const char *name;
    double (*f)(double);
} unary[] = {
    {"exponential", exp},   {"exponential_minus_one", expm1},
    {"log", log},           {"log_plus_one", log1p},
    {"sqrt", sqrt},         {"rsqrt", rsqrt},
    {"cbrt", cbrt},         {"sine", sin},
    {"cosine", cos},        {"tan", tan},
    {"tanh", tanh},         {"erf", erf},
    {"abs", fabs},          {"sign", sign},
    {"floor", floor},       {"ceil", ceil},
    {"logistic", logistic}, {"negate", negate},
    {"not", not },
};

static inline double add(double a, double b)
{
    return a + b;
}

static inline double subtract(double a, double b)
{
    return a - b;
}

static inline double multiply(double a, double b)
{
    return a * b;
}

static inline double divide(double a, double b)
{
    return b == 0 ? (double)NAN : a / b;
}

static inline double maximum(double a, double b)
{
    return isnan(a) || isnan(b) ? (double)NAN : a < b ? b : a;
}

static inline double minimum(double a, double b)
{
    return isnan(a) || isnan(b) ? (double)NAN : a < b ? a : b;
}

static inline double lt(double a, double b)
{
    return isnan(a) || isnan(b) ? (double)NAN : a < b;
}

static inline double le(double a, double b)
{
    return isnan(a) || isnan(b) ? (double)NAN : a <= b;
}

static inline double eq(double a, double b)
{
    return isnan(a) || isnan(b) ? (double)NAN : a == b;
}

static inline double ne(double a, double b)
{
    return isnan(a) || isnan(b) ? (double)NAN : a != b;
}

static inline double and (double a, double b)
{
    return a != 0 && b != 0;
}

static inline double or (double a, double b)
{
    return a != 0 || b != 0;
}

static const struct {
    const char *name;
    double (*f)(double, double);
    double unit; // as a reduction
} binary[] = {
    {"add", add, 0},
    {"multiply", multiply, 1},
    {"maximum", maximum, -INFINITY},
    {"minimum", minimum, INFINITY},
    {"and", and, 1},
    {"or", or, 0},
    {"subtract", subtract, 0},
    {"divide", divide, 0},
    {"power", pow, 0},
    {"lt", lt, 0},
    {"le", le, 0},
    {"eq", eq, 0},
    {"ne", ne, 0},
};
enum { N_UNARY = sizeof unary / sizeof *unary };
enum { N_BINARY = sizeof binary / sizeof *binary };

static inline double eval(struct world *world, const struct plain_check_tree *plain_check_tree,
                          struct index *named);

static inline double reduce(struct world *world, uint32_t op, uint64_t axes,
                            const struct plain_check_tree *body, struct index *named)
{
    if (axes == 0)
        return eval(world, body, named);
    uint32_t a = (uint32_t)__builtin_ctzll(axes);
    int64_t before = named->at[a];
    double sum = binary[op].unit;
    for (int64_t i = 0; i < world->size[a]; i++) {
        named->at[a] = i;
        sum = binary[op].f(sum, reduce(world, op, axes & (axes - 1), body, named));
    }
    named->at[a] = before;
    return sum;
}

static inline double joined(struct world *world, const struct plain_check_tree *plain_check_tree,
                            struct index *named)
{
    uint32_t axis[3];
    const struct plain_check_tree *s = plain_check_tree->arg;
    for (uint32_t k = 0; k < 3; k++, s = s->next)
        axis[k] = (uint32_t)__builtin_ctzll(find(world, s->name)->axes);
    int64_t i = named->at[axis[0]], n = world->size[axis[1]];
    bool second = i >= n;
    uint32_t to = axis[second ? 2 : 1];
    int64_t before = named->at[to];
    named->at[to] = second ? i - n : i;
    double v = eval(world, second ? s->next : s, named);
    named->at[to] = before;
    return v;
}

static inline double variable(struct world *world, const struct plain_check_tree *plain_check_tree,
                              struct index *named)
{
    const struct var *var = find(world, plain_check_tree->name);
    if (var->computed != NULL)
        return eval(world, var->computed, named);
    int64_t at = 0;
    for (uint32_t d = 0; d < var->n_dims; d++)
        at += var->stride[d] * named->at[var->axis[d]];
    return var->value[at];
}

static inline double leaf(const struct plain_check_tree *plain_check_tree)
{
    char text[200];
    snprintf(text, sizeof text, "%.*s", (int)plain_check_tree->name.len, plain_check_tree->name.at);
    if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0)
        return text[0] == 't';
    if (strcmp(text, "pi") == 0)
        return acos(-1);
    char *end;
    double v = strtod(text, &end);
    if (*end == '/')
        v /= strtod(end + 1, &end);
    if (*end != 0 || end == text)
        fail_msg("the leaf %s", text);
    return v;
}

static inline double eval(struct world *world, const struct plain_check_tree *plain_check_tree,
                          struct index *named)
{
    if (plain_check_tree->variable)
        return variable(world, plain_check_tree, named);
    if (plain_check_tree->n == 0)
        return leaf(plain_check_tree);
    if (is(plain_check_tree, "count")) {
        double n = 1;
        for (uint64_t a = find(world, plain_check_tree->arg->name)->axes; a; a &= a - 1)
            n *= (double)world->size[__builtin_ctzll(a)];
        return n;
    }
    if (is(plain_check_tree, "concatenate"))
        return joined(world, plain_check_tree, named);
    if (is(plain_check_tree, "select")) {
        double p = eval(world, plain_check_tree->arg, named);
        return isnan(p) ? p
                        : eval(world, p != 0 ? plain_check_tree->arg->next : plain_check_tree->last,
                               named);
    }
    if (plain_check_tree->name.len > 7 && memcmp(plain_check_tree->name.at, "reduce_", 7) == 0)
        for (uint32_t k = 0; k < N_BINARY; k++)
            if (strlen(binary[k].name) == plain_check_tree->name.len - 7 &&
                memcmp(binary[k].name, plain_check_tree->name.at + 7,
                       plain_check_tree->name.len - 7) == 0)
                return reduce(world, k, find(world, plain_check_tree->arg->name)->axes,
                              plain_check_tree->last, named);
    for (uint32_t k = 0; plain_check_tree->n == 1 && k < N_UNARY; k++)
        if (is(plain_check_tree, unary[k].name))
            return unary[k].f(eval(world, plain_check_tree->arg, named));
    for (uint32_t k = 0; plain_check_tree->n == 2 && k < N_BINARY; k++)
        if (is(plain_check_tree, binary[k].name)) {
            double a = eval(world, plain_check_tree->arg, named);
            return binary[k].f(a, eval(world, plain_check_tree->last, named));
        }
    fail_msg("the operator %.*s", (int)plain_check_tree->name.len, plain_check_tree->name.at);
    return 0;
}

static inline bool same(double a, double b)
{
    double m = fmax(1, fmax(fabs(a), fabs(b)));
    return fabs(a - b) <= 1e-7 * m;
}

static inline bool known(double a)
{
    return isfinite(a) && fabs(a) < 1e8;
}

#endif
