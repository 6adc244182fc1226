// SPDX-License-Identifier: Apache-2.0
// Tries to break rules by brute force: random small ground instances, both
// sides evaluated by the interpreter, compared.  Shares nothing with verify/,
// neither its search nor its choice of instances, so that `make mutation` holds
// the verifier against something else.
//
//   breaker [--seconds S] [--seed N] FILE.rw...
//
// One line a rule and domain: RULE DOMAIN broken|whole TRIES.  A rule that does
// not parse is left out.  "whole" says only that nothing was found.
#include "base/clock.h"
#include "base/rng.h"
#include "rules/instance/instance.h"
#include "tensor/eval/eval.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TRIES 4000
#define FAR 1e-3 // results of transcendental functions differ by more
#define MAX_ELEMENTS 4096

struct attempt {
    const struct rule *r;
    enum domain domain;
    struct rng *rng;
    struct arena mem;
    struct pool pool;
    struct terms terms;
    uint32_t rank[64];
    int64_t **map;
    enum elem *elem;
    struct op_binding *op;
    struct instance *inst;
    term_id *cond;
    struct value *param;
};

static enum elem pick_elem(struct rng *g, unsigned kinds, enum domain d)
{
    static const enum elem all[] = {ELEM_I1,   ELEM_I8,   ELEM_I32, ELEM_I64,
                                    ELEM_UI8,  ELEM_UI32, ELEM_I4,  ELEM_F32,
                                    ELEM_BF16, ELEM_F64,  ELEM_F16};
    enum domain lives;
    if (!domain_of_kinds(kinds, d, &lives))
        return ELEM_OTHER;
    if (lives == DOMAIN_INT)
        return ELEM_INT;
    if (lives == DOMAIN_REAL)
        return ELEM_REAL;
    for (;;) {
        enum elem t = all[rng_below(g, sizeof all / sizeof *all)];
        if ((kinds & domain_kinds(lives) & elem_kind(t)) != 0)
            return t;
    }
}

static uint32_t first_like(const struct rule *r, uint32_t c)
{
    while (r->classes[c].like != c)
        c = r->classes[c].like;
    return c;
}

// Beside words floats are machine floats, too.
static enum domain float_mode(const struct attempt *t)
{
    return t->domain == DOMAIN_FLOAT || t->domain == DOMAIN_WORD ? DOMAIN_FLOAT
                                                                 : DOMAIN_REAL;
}

static bool choose_op(struct attempt *t, uint32_t v)
{
    static const struct {
        enum op op;
        uint32_t n;
    } all[] = {{OP_ADD, 2},     {OP_SUBTRACT, 2}, {OP_MULTIPLY, 2},
               {OP_MAXIMUM, 2}, {OP_MINIMUM, 2},  {OP_NEGATE, 1},
               {OP_ABS, 1},     {OP_SELECT, 3},   {OP_CLAMP, 3},
               {OP_AND, 2},     {OP_OR, 2},       {OP_XOR, 2},
               {OP_NOT, 1},     {OP_SIGN, 1},     {OP_FLOOR, 1}};
    const struct op_var *o = &t->r->opvars[v];
    enum elem to = t->elem[o->result];
    for (int k = 0; k < 60; k++) {
        size_t i = (size_t)rng_below(t->rng, sizeof all / sizeof *all);
        bool fits =
            all[i].n == o->n_args && (op_kinds(all[i].op) & elem_kind(to)) != 0;
        for (uint32_t a = 0; a < o->n_args && fits; a++)
            fits = t->elem[o->args[a]] == to ||
                   (all[i].op == OP_SELECT && a == 0 &&
                    t->elem[o->args[a]] == ELEM_I1);
        if (all[i].op == OP_SELECT && o->n_args == 3)
            fits &= t->elem[o->args[0]] == ELEM_I1;
        if (o->kind == OPVAR_MONOID)
            fits &= op_is_reducer(all[i].op) &&
                    monoid_holds(all[i].op, to, float_mode(t));
        if (o->kind == OPVAR_MONOTONE)
            fits &= all[i].op == OP_SIGN || all[i].op == OP_FLOOR;
        if (!fits)
            continue;
        t->op[v] = (struct op_binding){all[i].op, NO_ATTR};
        return true;
    }
    return false;
}

static bool choose(struct attempt *t)
{
    const struct rule *r = t->r;
    struct rng *g = t->rng;
    int64_t most = 1 + (int64_t)rng_below(g, 5);
    for (uint32_t c = 0; c < r->n_classes; c++) {
        uint32_t f = first_like(r, c);
        t->rank[c] =
            f != c ? t->rank[f]
            : r->classes[c].single
                ? 1
                : r->classes[c].least_rank +
                      (uint32_t)rng_below(g, 3 - r->classes[c].least_rank);
    }
    for (uint32_t m = 0; m < r->n_maps; m++) {
        t->map[m] = ARENA_NEW(&t->mem, int64_t, 4);
        for (uint32_t k = 0; k < t->rank[r->maps[m].cls]; k++)
            t->map[m][k] = rng_below(g, 5) == 0 ? rng_range(g, -2, 5)
                                                : rng_range(g, 0, most);
    }
    for (uint32_t i = 0; i < r->n_types; i++) {
        t->elem[i] = pick_elem(g, r->types[i].kinds, t->domain);
        if (t->elem[i] == ELEM_OTHER)
            return false;
    }
    for (uint32_t i = 0; i < r->n_opvars; i++)
        if (!choose_op(t, i))
            return false;
    return true;
}

static struct scalar random_scalar(struct attempt *t, enum elem e)
{
    int64_t k = rng_range(t->rng, -4, 4);
    if (e == ELEM_REAL && rng_below(t->rng, 3) == 0) {
        struct scalar s = scalar_of_int(e, 1), d = scalar_of_int(e, 1);
        struct err why = {0};
        s = scalar_of_int(e, k);
        d = scalar_of_int(e, 2);
        (void)eval_binary(OP_DIVIDE, e, s, d, &s, &why);
        return s;
    }
    return scalar_of_int(e, k);
}

static void fill_params(struct attempt *t)
{
    const struct rule *r = t->r;
    uint32_t n = r->n_tensors + r->n_scalars;
    t->param = ARENA_NEW(&t->mem, struct value, n + 1);
    bool special = rng_below(t->rng, 2) == 0;
    for (uint32_t i = 0; i < n; i++) {
        term_id id = i < r->n_tensors ? t->inst->tensor[i]
                                      : t->inst->scalar[i - r->n_tensors];
        type_id type = term_type(&t->terms, id);
        enum elem e = type_elem(&t->pool, type);
        t->param[i] = value_random(&t->pool, type, t->rng, special, &t->mem);
        if (special && !elem_is_ideal(e))
            continue;
        for (int64_t k = 0; k < type_count(&t->pool, type); k++)
            scalar_store(e, t->param[i].data, (size_t)k, random_scalar(t, e));
    }
}

static bool evaluate(struct attempt *t, uint32_t n, const term_id *roots,
                     struct value *out)
{
    struct err e = {0};
    return eval_terms(&t->terms, n, roots, t->r->n_tensors + t->r->n_scalars,
                      t->param, &t->mem, out, &e);
}

static bool conditions_hold(struct attempt *t)
{
    for (uint32_t w = 0; w < t->r->n_wheres; w++) {
        struct value v;
        if (t->r->wheres[w].cond != NULL)
            continue;
        if (t->cond[w].v == NO_TERM.v || !evaluate(t, 1, &t->cond[w], &v))
            return false;
        const unsigned char *data = v.data;
        for (int64_t i = 0; i < type_count(&t->pool, v.type); i++)
            if (data[i] == 0)
                return false;
    }
    return true;
}

// Functions whose last bits no standard fixes.
static bool rounds_freely(const struct attempt *t, term_id lhs, term_id rhs)
{
    struct u32_vec ids = {0};
    term_id roots[] = {lhs, rhs};
    bool free_ = false;
    terms_reach(&t->terms, 2, roots, &ids);
    for (uint32_t i = 0; i < ids.len; i++) {
        switch (term_op(&t->terms, (term_id){ids.at[i]})) {
        case OP_CBRT:
        case OP_COSINE:
        case OP_ERF:
        case OP_EXPONENTIAL:
        case OP_EXPONENTIAL_MINUS_ONE:
        case OP_LOG:
        case OP_LOG_PLUS_ONE:
        case OP_LOGISTIC:
        case OP_RSQRT:
        case OP_SINE:
        case OP_TAN:
        case OP_TANH:
        case OP_ATAN2:
        case OP_POWER:
            free_ = true;
            break;
        default:
            break;
        }
    }
    vec_release(&ids);
    return free_;
}

static bool far_apart(enum elem e, struct scalar a, struct scalar b)
{
    double x = scalar_to_double(e, a), y = scalar_to_double(e, b);
    if (isnan(x) || isnan(y))
        return isnan(x) != isnan(y);
    if (isinf(x) || isinf(y))
        return x != y && fabs(x - y) > 1; // overflow on one side counts
    return fabs(x - y) > FAR * fmax(fabs(x), fabs(y)) && fabs(x - y) > FAR;
}

static bool sides_differ(struct attempt *t, term_id lhs, term_id rhs)
{
    struct value v[2];
    term_id roots[] = {lhs, rhs};
    if (!evaluate(t, 2, roots, v))
        return false;
    enum elem e = type_elem(&t->pool, v[0].type);
    bool loose = elem_kind(e) == KIND_FLOAT && rounds_freely(t, lhs, rhs);
    for (int64_t i = 0; i < type_count(&t->pool, v[0].type); i++) {
        struct scalar a = scalar_load(e, v[0].data, (size_t)i);
        struct scalar b = scalar_load(e, v[1].data, (size_t)i);
        bool same = scalar_same(e, a, b) ||
                    (scalar_is_nan(e, a) && scalar_is_nan(e, b));
        if (!same && (!loose || far_apart(e, a, b)))
            return true;
    }
    return false;
}

static bool small(struct attempt *t, term_id lhs, term_id rhs)
{
    struct u32_vec ids = {0};
    term_id roots[] = {lhs, rhs};
    bool ok = true;
    terms_reach(&t->terms, 2, roots, &ids);
    for (uint32_t i = 0; i < ids.len && ok; i++)
        ok = type_count(&t->pool, term_type(&t->terms, (term_id){ids.at[i]})) <=
             MAX_ELEMENTS;
    vec_release(&ids);
    return ok;
}

// *broken if the sides differ; false: not an instance at all.
static bool attempt_once(struct attempt *t, bool *broken)
{
    const struct rule *r = t->r;
    term_id lhs = NO_TERM, rhs = NO_TERM;
    struct err e = {0};
    t->map = ARENA_NEW(&t->mem, int64_t *, r->n_maps + 1);
    t->elem = ARENA_NEW(&t->mem, enum elem, r->n_types + 1);
    t->op = ARENA_NEW(&t->mem, struct op_binding, r->n_opvars + 1);
    t->cond = ARENA_NEW(&t->mem, term_id, r->n_wheres + 1);
    if (!choose(t))
        return false;
    struct ground g = {
        .rank = t->rank, .map = t->map, .elem = t->elem, .op = t->op};
    enum ground_status s = rule_ground(r, &g, &t->terms, t->rng, &t->mem,
                                       &t->inst, &lhs, &rhs, t->cond, &e);
    if (s == GROUND_PRE_FALSE || s == GROUND_LHS_INVALID)
        return false;
    if (s == GROUND_RHS_INVALID && e.kind == ERR_LIMIT)
        return false; // a literal that is no value of the type
    if (s == GROUND_OK && !small(t, lhs, rhs))
        return false;
    fill_params(t);
    if (!conditions_hold(t))
        return false;
    // Sums of floats over several axes have no fixed order; no rule fires
    // there.
    if (float_mode(t) == DOMAIN_FLOAT &&
        !instance_monoids(t->inst, DOMAIN_FLOAT, &e))
        return false;
    *broken = s != GROUND_OK || sides_differ(t, lhs, rhs);
    return true;
}

static void try_rule(const struct rule *r, enum domain d, double seconds,
                     uint64_t seed)
{
    struct rng rng;
    double end = clock_wall() + seconds;
    bool broken = false;
    uint32_t tries = 0;
    rng_seed(&rng, seed);
    for (uint32_t k = 0; k < 20 * TRIES && tries < TRIES && !broken; k++) {
        struct attempt t = {.r = r, .domain = d, .rng = &rng};
        pool_init(&t.pool);
        terms_init(&t.terms, &t.pool);
        tries += attempt_once(&t, &broken);
        terms_release(&t.terms);
        pool_release(&t.pool);
        arena_release(&t.mem);
        if (k % 64 == 0 && clock_wall() > end)
            break;
    }
    printf("%s %s %s %u\n", r->name, domain_text(d),
           broken ? "broken" : "whole", (unsigned)tries);
}

int main(int argc, char **argv)
{
    struct ruleset rs;
    struct err_list errs = {{0}};
    double seconds = 0.5;
    uint64_t seed = 1;
    ruleset_init(&rs);
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--seconds") && i + 1 < argc)
            seconds = strtod(argv[++i], NULL);
        else if (!strcmp(argv[i], "--seed") && i + 1 < argc)
            seed = strtoull(argv[++i], NULL, 10);
        else
            (void)ruleset_load(&rs, argv[i], &errs);
    }
    for (uint32_t i = 0; i < rs.rules.len; i++)
        for (int d = 0; d < N_DOMAINS; d++)
            if ((rule_domains(rs.rules.at[i]) >> d & 1) != 0)
                try_rule(rs.rules.at[i], (enum domain)d, seconds, seed);
    vec_release(&errs.at);
    ruleset_release(&rs);
    return 0;
}
