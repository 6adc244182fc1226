// SPDX-License-Identifier: Apache-2.0
// Tries to break rules by brute force: random small ground instances, both
// sides evaluated by the interpreter, compared.  Shares nothing with verify/,
// neither its search nor its choice of instances, so that `make mutation` holds
// the verifier against something else.
//
//   breaker [--seconds S] [--seed N] [--tries N] FILE.rw...
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

#define TRIES 4000 // instances of a rule, if --tries does not say how many
#define FAR 1e-3   // results of transcendental functions differ by more
#define MAX_ELEMENTS 4096

struct attempt {
    const struct rule *rule;
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

static enum elem pick_elem(struct rng *rng, unsigned kinds, enum domain domain)
{
    static const enum elem all[] = {ELEM_I1, ELEM_I8,  ELEM_I32,  ELEM_I64, ELEM_UI8, ELEM_UI32,
                                    ELEM_I4, ELEM_F32, ELEM_BF16, ELEM_F64, ELEM_F16};
    enum domain lives;
    if (!domain_of_kinds(kinds, domain, &lives))
        return ELEM_OTHER;
    if (lives == DOMAIN_INT)
        return ELEM_INT;
    if (lives == DOMAIN_REAL)
        return ELEM_REAL;
    for (;;) {
        enum elem elem = all[rng_below(rng, sizeof all / sizeof *all)];
        if ((kinds & domain_kinds(lives) & elem_kind(elem)) != 0)
            return elem;
    }
}

static uint32_t first_like(const struct rule *rule, uint32_t c)
{
    while (rule->classes[c].like != c)
        c = rule->classes[c].like;
    return c;
}

// Beside words floats are machine floats, too.
static enum domain float_mode(const struct attempt *attempt)
{
    return attempt->domain == DOMAIN_FLOAT || attempt->domain == DOMAIN_WORD ? DOMAIN_FLOAT
                                                                             : DOMAIN_REAL;
}

static bool choose_op(struct attempt *attempt, uint32_t v)
{
    static const struct {
        enum op op;
        uint32_t n;
    } all[] = {{OP_ADD, 2},    {OP_SUBTRACT, 2}, {OP_MULTIPLY, 2}, {OP_MAXIMUM, 2}, {OP_MINIMUM, 2},
               {OP_NEGATE, 1}, {OP_ABS, 1},      {OP_SELECT, 3},   {OP_CLAMP, 3},   {OP_AND, 2},
               {OP_OR, 2},     {OP_XOR, 2},      {OP_NOT, 1},      {OP_SIGN, 1},    {OP_FLOOR, 1}};
    const struct op_var *opvar = &attempt->rule->opvars[v];
    enum elem to = attempt->elem[opvar->result];
    for (int k = 0; k < 60; k++) {
        size_t i = (size_t)rng_below(attempt->rng, sizeof all / sizeof *all);
        bool fits = all[i].n == opvar->n_args && (op_kinds(all[i].op) & elem_kind(to)) != 0;
        for (uint32_t a = 0; a < opvar->n_args && fits; a++)
            fits = attempt->elem[opvar->args[a]] == to ||
                   (all[i].op == OP_SELECT && a == 0 && attempt->elem[opvar->args[a]] == ELEM_I1);
        if (all[i].op == OP_SELECT && opvar->n_args == 3)
            fits &= attempt->elem[opvar->args[0]] == ELEM_I1;
        if (opvar->kind == OPVAR_MONOID)
            fits &= op_is_reducer(all[i].op) && monoid_holds(all[i].op, to, float_mode(attempt));
        if (opvar->kind == OPVAR_MONOTONE)
            fits &= all[i].op == OP_SIGN || all[i].op == OP_FLOOR;
        if (!fits)
            continue;
        attempt->op[v] = (struct op_binding){all[i].op, NO_ATTR};
        return true;
    }
    return false;
}

static bool choose(struct attempt *attempt)
{
    const struct rule *rule = attempt->rule;
    struct rng *rng = attempt->rng;
    int64_t most = 1 + (int64_t)rng_below(rng, 5);
    for (uint32_t c = 0; c < rule->n_classes; c++) {
        uint32_t f = first_like(rule, c);
        attempt->rank[c] = f != c ? attempt->rank[f]
                           : rule->classes[c].single
                               ? 1
                               : rule->classes[c].least_rank +
                                     (uint32_t)rng_below(rng, 3 - rule->classes[c].least_rank);
    }
    for (uint32_t m = 0; m < rule->n_maps; m++) {
        attempt->map[m] = ARENA_NEW(&attempt->mem, int64_t, 4);
        for (uint32_t k = 0; k < attempt->rank[rule->maps[m].cls]; k++)
            attempt->map[m][k] =
                rng_below(rng, 5) == 0 ? rng_range(rng, -2, 5) : rng_range(rng, 0, most);
    }
    for (uint32_t i = 0; i < rule->n_types; i++) {
        attempt->elem[i] = pick_elem(rng, rule->types[i].kinds, attempt->domain);
        if (attempt->elem[i] == ELEM_OTHER)
            return false;
    }
    for (uint32_t i = 0; i < rule->n_opvars; i++)
        if (!choose_op(attempt, i))
            return false;
    return true;
}

static struct scalar random_scalar(struct attempt *attempt, enum elem elem)
{
    int64_t k = rng_range(attempt->rng, -4, 4);
    if (elem == ELEM_REAL && rng_below(attempt->rng, 3) == 0) {
        struct scalar scalar = scalar_of_int(elem, 1), d = scalar_of_int(elem, 1);
        struct err why = {0};
        scalar = scalar_of_int(elem, k);
        d = scalar_of_int(elem, 2);
        (void)eval_binary(OP_DIVIDE, elem, scalar, d, &scalar, &why);
        return scalar;
    }
    return scalar_of_int(elem, k);
}

static void fill_params(struct attempt *attempt)
{
    const struct rule *rule = attempt->rule;
    uint32_t n = rule->n_tensors + rule->n_scalars;
    attempt->param = ARENA_NEW(&attempt->mem, struct value, n + 1);
    bool special = rng_below(attempt->rng, 2) == 0;
    for (uint32_t i = 0; i < n; i++) {
        term_id id = i < rule->n_tensors ? attempt->inst->tensor[i]
                                         : attempt->inst->scalar[i - rule->n_tensors];
        type_id type = term_type(&attempt->terms, id);
        enum elem elem = type_elem(&attempt->pool, type);
        attempt->param[i] =
            value_random(&attempt->pool, type, attempt->rng, special, &attempt->mem);
        if (special && !elem_is_ideal(elem))
            continue;
        for (int64_t k = 0; k < type_count(&attempt->pool, type); k++)
            scalar_store(elem, attempt->param[i].data, (size_t)k, random_scalar(attempt, elem));
    }
}

static bool evaluate(struct attempt *attempt, uint32_t n, const term_id *roots, struct value *out)
{
    struct err err = {0};
    return eval_terms(&(struct eval_input){&attempt->terms,
                                           attempt->rule->n_tensors + attempt->rule->n_scalars,
                                           attempt->param, &attempt->mem},
                      n, roots, out, &err);
}

static bool conditions_hold(struct attempt *attempt)
{
    for (uint32_t w = 0; w < attempt->rule->n_wheres; w++) {
        struct value value;
        if (attempt->rule->wheres[w].cond != NULL)
            continue;
        if (attempt->cond[w].v == NO_TERM.v || !evaluate(attempt, 1, &attempt->cond[w], &value))
            return false;
        const unsigned char *data = value.data;
        for (int64_t i = 0; i < type_count(&attempt->pool, value.type); i++)
            if (data[i] == 0)
                return false;
    }
    return true;
}

// Functions whose last bits no standard fixes.
static bool rounds_freely(const struct attempt *attempt, term_id lhs, term_id rhs)
{
    struct u32_vec ids = {0};
    term_id roots[] = {lhs, rhs};
    bool free_ = false;
    terms_reach(&attempt->terms, 2, roots, &ids);
    for (uint32_t i = 0; i < ids.len; i++) {
        switch (term_op(&attempt->terms, (term_id){ids.at[i]})) {
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

static bool far_apart(enum elem elem, struct scalar a, struct scalar b)
{
    double x = scalar_to_double(elem, a), y = scalar_to_double(elem, b);
    if (isnan(x) || isnan(y))
        return isnan(x) != isnan(y);
    if (isinf(x) || isinf(y))
        return x != y && fabs(x - y) > 1; // overflow on one side counts
    return fabs(x - y) > FAR * fmax(fabs(x), fabs(y)) && fabs(x - y) > FAR;
}

static bool sides_differ(struct attempt *attempt, term_id lhs, term_id rhs)
{
    struct value value[2];
    term_id roots[] = {lhs, rhs};
    if (!evaluate(attempt, 2, roots, value))
        return false;
    enum elem elem = type_elem(&attempt->pool, value[0].type);
    bool loose = elem_kind(elem) == KIND_FLOAT && rounds_freely(attempt, lhs, rhs);
    for (int64_t i = 0; i < type_count(&attempt->pool, value[0].type); i++) {
        struct scalar scalar = scalar_load(elem, value[0].data, (size_t)i);
        struct scalar b = scalar_load(elem, value[1].data, (size_t)i);
        bool same =
            scalar_same(elem, scalar, b) || (scalar_is_nan(elem, scalar) && scalar_is_nan(elem, b));
        if (!same && (!loose || far_apart(elem, scalar, b)))
            return true;
    }
    return false;
}

static bool small(struct attempt *attempt, term_id lhs, term_id rhs)
{
    struct u32_vec ids = {0};
    term_id roots[] = {lhs, rhs};
    bool ok = true;
    terms_reach(&attempt->terms, 2, roots, &ids);
    for (uint32_t i = 0; i < ids.len && ok; i++)
        ok = type_count(&attempt->pool, term_type(&attempt->terms, (term_id){ids.at[i]})) <=
             MAX_ELEMENTS;
    vec_release(&ids);
    return ok;
}

// *broken if the sides differ; false: not an instance at all.
static bool attempt_once(struct attempt *attempt, bool *broken)
{
    const struct rule *rule = attempt->rule;
    term_id lhs = NO_TERM, rhs = NO_TERM;
    struct err err = {0};
    attempt->map = ARENA_NEW(&attempt->mem, int64_t *, rule->n_maps + 1);
    attempt->elem = ARENA_NEW(&attempt->mem, enum elem, rule->n_types + 1);
    attempt->op = ARENA_NEW(&attempt->mem, struct op_binding, rule->n_opvars + 1);
    attempt->cond = ARENA_NEW(&attempt->mem, term_id, rule->n_wheres + 1);
    if (!choose(attempt))
        return false;
    struct ground ground = {
        .rank = attempt->rank, .map = attempt->map, .elem = attempt->elem, .op = attempt->op};
    enum ground_status status = rule_ground(
        rule, &ground, (struct ground_place){&attempt->terms, attempt->rng, &attempt->mem},
        (struct ground_out){&attempt->inst, &lhs, &rhs, attempt->cond}, &err);
    if (status == GROUND_PRE_FALSE || status == GROUND_LHS_INVALID)
        return false;
    if (status == GROUND_RHS_INVALID && err.kind == ERR_LIMIT)
        return false; // a literal that is no value of the type
    if (status == GROUND_OK && !small(attempt, lhs, rhs))
        return false;
    fill_params(attempt);
    if (!conditions_hold(attempt))
        return false;
    // Sums of floats over several axes have no fixed order; no rule fires
    // there.
    if (float_mode(attempt) == DOMAIN_FLOAT &&
        !instance_monoids(attempt->inst, READ_FLOAT_SUMS, &err))
        return false;
    *broken = status != GROUND_OK || sides_differ(attempt, lhs, rhs);
    return true;
}

static void try_rule(const struct rule *rule, enum domain domain, double seconds, uint64_t seed,
                     uint32_t wanted)
{
    struct rng rng;
    double end = clock_wall() + seconds;
    bool broken = false;
    uint32_t tries = 0;
    rng_seed(&rng, seed);
    for (uint32_t k = 0; k < 20 * wanted && tries < wanted && !broken; k++) {
        struct attempt attempt = {.rule = rule, .domain = domain, .rng = &rng};
        pool_init(&attempt.pool);
        terms_init(&attempt.terms, &attempt.pool);
        tries += attempt_once(&attempt, &broken);
        terms_release(&attempt.terms);
        pool_release(&attempt.pool);
        arena_release(&attempt.mem);
        if (k % 64 == 0 && clock_wall() > end)
            break;
    }
    printf("%s %s %s %u\n", rule->name, domain_text(domain), broken ? "broken" : "whole",
           (unsigned)tries);
}

int main(int argc, char **argv)
{
    struct ruleset rs;
    struct err_list errs = {{0}};
    double seconds = 0.5;
    uint64_t seed = 1;
    uint32_t wanted = TRIES;
    ruleset_init(&rs);
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--seconds") && i + 1 < argc)
            seconds = strtod(argv[++i], NULL);
        else if (!strcmp(argv[i], "--seed") && i + 1 < argc)
            seed = strtoull(argv[++i], NULL, 10);
        else if (!strcmp(argv[i], "--tries") && i + 1 < argc)
            wanted = (uint32_t)strtoul(argv[++i], NULL, 10);
        else
            (void)ruleset_load(&rs, argv[i], &errs);
    }
    for (uint32_t i = 0; i < rs.rules.len; i++)
        for (int d = 0; d < N_DOMAINS; d++)
            if ((rule_domains(rs.rules.at[i]) >> d & 1) != 0)
                try_rule(rs.rules.at[i], (enum domain)d, seconds, seed, wanted);
    vec_release(&errs.at);
    ruleset_release(&rs);
    return 0;
}
