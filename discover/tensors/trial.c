// SPDX-License-Identifier: Apache-2.0
#include "discover/tensors/trial.h"
#include "discover/limits.h"
#include "base/clock.h"
#include "base/rng.h"
#include "rules/instance/instance.h"
#include "tensor/eval/eval.h"
#include <string.h>

struct trial_run {
    const struct rule *rule;
    const struct trial_options *options;
    enum domain domain;
    struct rng rng;
    struct arena mem; // memory of one attempt
    struct pool pool;
    struct terms terms;
    uint32_t rank[TRIAL_CLASSES];
    int64_t **map;
    enum elem *elem;
    struct op_binding *op;
    struct instance *inst;
    term_id *cond;
    struct value *param;
    term_id lhs, rhs;
    // By rank class (its first class): values of all maps; only those of the rank
    // class are used.
    int64_t (*point[TRIAL_CLASSES])[TRIAL_MAPS];
    uint32_t n_points[TRIAL_CLASSES];
    struct arena keep;
};

static uint32_t first_like(const struct rule *rule, uint32_t c)
{
    while (rule->classes[c].like != c)
        c = rule->classes[c].like;
    return c;
}

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

static enum domain float_mode(const struct trial_run *trial)
{
    return trial->domain == DOMAIN_FLOAT || trial->domain == DOMAIN_WORD ? DOMAIN_FLOAT
                                                                         : DOMAIN_REAL;
}

static bool choose_op(struct trial_run *trial, uint32_t v)
{
    static const struct {
        enum op op;
        uint32_t n;
    } all[] = {{OP_ADD, 2},     {OP_SUBTRACT, 2}, {OP_MULTIPLY, 2}, {OP_MAXIMUM, 2},
               {OP_MINIMUM, 2}, {OP_NEGATE, 1},   {OP_ABS, 1},      {OP_AND, 2},
               {OP_OR, 2},      {OP_XOR, 2},      {OP_NOT, 1},      {OP_SIGN, 1}};
    const struct op_var *opvar = &trial->rule->opvars[v];
    enum elem to = trial->elem[opvar->result];
    for (int k = 0; k < TRIAL_OPERATOR_TRIES; k++) {
        size_t i = (size_t)rng_below(&trial->rng, sizeof all / sizeof *all);
        bool fits = all[i].n == opvar->n_args && (op_kinds(all[i].op) & elem_kind(to)) != 0;
        for (uint32_t a = 0; a < opvar->n_args && fits; a++)
            fits = trial->elem[opvar->args[a]] == to;
        if (opvar->kind == OPVAR_MONOID)
            fits &= op_is_reducer(all[i].op) && monoid_holds(all[i].op, to, float_mode(trial));
        if (opvar->kind == OPVAR_MONOTONE)
            fits &= all[i].op == OP_SIGN;
        if (!fits)
            continue;
        trial->op[v] = (struct op_binding){all[i].op, NO_ATTR};
        return true;
    }
    return false;
}

static bool choose_types(struct trial_run *trial)
{
    const struct rule *rule = trial->rule;
    for (uint32_t i = 0; i < rule->n_types; i++) {
        trial->elem[i] = pick_elem(&trial->rng, rule->types[i].kinds, trial->domain);
        if (trial->elem[i] == ELEM_OTHER)
            return false;
    }
    for (uint32_t i = 0; i < rule->n_opvars; i++)
        if (!choose_op(trial, i))
            return false;
    return true;
}

static void begin(struct trial_run *trial)
{
    const struct rule *rule = trial->rule;
    pool_init(&trial->pool);
    terms_init(&trial->terms, &trial->pool);
    trial->map = ARENA_NEW(&trial->mem, int64_t *, rule->n_maps + 1);
    trial->elem = ARENA_NEW(&trial->mem, enum elem, rule->n_types + 1);
    trial->op = ARENA_NEW(&trial->mem, struct op_binding, rule->n_opvars + 1);
    trial->cond = ARENA_NEW(&trial->mem, term_id, rule->n_wheres + 1);
    for (uint32_t m = 0; m < rule->n_maps; m++)
        trial->map[m] = ARENA_NEW(&trial->mem, int64_t, 8);
}

static void end(struct trial_run *trial)
{
    terms_release(&trial->terms);
    pool_release(&trial->pool);
    arena_release(&trial->mem);
}

static enum ground_status ground(struct trial_run *trial, struct err *err)
{
    struct ground g = {
        .rank = trial->rank, .map = trial->map, .elem = trial->elem, .op = trial->op};
    trial->lhs = trial->rhs = NO_TERM;
    return rule_ground(
        trial->rule, &g, (struct ground_place){&trial->terms, &trial->rng, &trial->mem},
        (struct ground_out){&trial->inst, &trial->lhs, &trial->rhs, trial->cond}, err);
}

// ---- points

static int64_t random_value(struct trial_run *trial, const int64_t *v, uint32_t n)
{
    struct rng *rng = &trial->rng;
    if (n > 0 && rng_below(rng, 3) == 0)
        return v[rng_below(rng, n)] + (rng_below(rng, 4) == 0 ? rng_range(rng, -1, 1) : 0);
    return rng_below(rng, 6) == 0 ? rng_range(rng, -3, 7) : rng_range(rng, 0, 3);
}

// Evaluates the preconditions at one point of every rank class, without terms.
static bool meets(const struct rule *rule, int64_t *v)
{
    int64_t *at[TRIAL_MAPS];
    for (uint32_t m = 0; m < rule->n_maps; m++)
        at[m] = &v[m];
    for (uint32_t m = 0; m < rule->n_maps; m++)
        if (rule->maps[m].def != NULL && !iexp_eval(rule->maps[m].def, at, 0, &v[m]))
            return false;
    for (uint32_t w = 0; w < rule->n_wheres; w++) {
        bool holds = false;
        if (rule->wheres[w].cond != NULL &&
            (!cond_eval(rule->wheres[w].cond, at, 0, &holds) || !holds))
            return false;
    }
    return true;
}

// Builds one axis for each class with these values.  Is this an instance?
static bool is_instance(struct trial_run *trial, const int64_t *v)
{
    const struct rule *rule = trial->rule;
    struct err err = {0};
    begin(trial);
    for (uint32_t c = 0; c < rule->n_classes; c++)
        trial->rank[c] = 1;
    for (uint32_t m = 0; m < rule->n_maps; m++)
        trial->map[m][0] = v[m];
    bool ok = choose_types(trial);
    if (ok) {
        enum ground_status status = ground(trial, &err);
        ok = status != GROUND_PRE_FALSE && status != GROUND_LHS_INVALID;
    }
    end(trial);
    return ok;
}

static void keep_point(struct trial_run *trial, const int64_t *v)
{
    const struct rule *rule = trial->rule;
    for (uint32_t c = 0; c < rule->n_classes; c++) {
        if (first_like(rule, c) != c)
            continue;
        uint32_t at = trial->n_points[c] < TRIAL_POINTS
                          ? trial->n_points[c]++
                          : (uint32_t)rng_below(&trial->rng, TRIAL_POINTS);
        memcpy(trial->point[c][at], v, sizeof trial->point[c][at]);
    }
}

// Conditions hold class by class, so points of different classes may be mixed.
static void mix(struct trial_run *trial, int64_t *v)
{
    const struct rule *rule = trial->rule;
    for (uint32_t c = 0; c < rule->n_classes; c++) {
        if (first_like(rule, c) != c)
            continue;
        uint32_t k = (uint32_t)rng_below(&trial->rng, trial->n_points[c]);
        for (uint32_t m = 0; m < rule->n_maps; m++)
            if (first_like(rule, rule->maps[m].cls) == c)
                v[m] = trial->point[c][k][m];
    }
}

static bool find_points(struct trial_run *trial)
{
    const struct rule *rule = trial->rule;
    int64_t v[TRIAL_MAPS];
    for (uint32_t c = 0; c < rule->n_classes; c++)
        trial->point[c] = arena_alloc(&trial->keep, TRIAL_POINTS * sizeof *trial->point[c]);
    for (uint32_t k = 0; k < TRIAL_DEAR * TRIAL_FIRST && rule->n_classes > 0 &&
                         trial->n_points[0] < TRIAL_FIRST_POINTS;
         k++) {
        for (uint32_t m = 0; m < rule->n_maps; m++)
            v[m] = random_value(trial, v, m);
        if (!meets(rule, v))
            continue;
        k += TRIAL_DEAR; // an instance is expensive
        if (is_instance(trial, v))
            keep_point(trial, v);
    }
    if (rule->n_classes > 0 && trial->n_points[0] == 0)
        return false;
    for (uint32_t k = 0; k < TRIAL_STEPS && rule->n_maps > 0; k++) {
        mix(trial, v);
        for (uint64_t n = 1 + rng_below(&trial->rng, 3); n > 0; n--) {
            uint32_t m = (uint32_t)rng_below(&trial->rng, rule->n_maps);
            v[m] = rng_below(&trial->rng, 2) == 0 ? v[m] + rng_range(&trial->rng, -2, 2)
                                                  : random_value(trial, v, m);
        }
        if (meets(rule, v) && is_instance(trial, v))
            keep_point(trial, v);
    }
    return true;
}

// ---- instances

static struct scalar random_scalar(struct trial_run *trial, enum elem elem)
{
    int64_t k = rng_range(&trial->rng, -4, 4);
    struct scalar scalar = scalar_of_int(elem, k);
    if (elem == ELEM_REAL && rng_below(&trial->rng, 3) == 0) {
        struct err why = {0};
        (void)eval_binary(OP_DIVIDE, elem, scalar, scalar_of_int(elem, 2), &scalar, &why);
    }
    return scalar;
}

static void fill_params(struct trial_run *trial)
{
    const struct rule *rule = trial->rule;
    uint32_t n = rule->n_tensors + rule->n_scalars;
    bool special = rng_below(&trial->rng, 2) == 0;
    trial->param = ARENA_NEW(&trial->mem, struct value, n + 1);
    for (uint32_t i = 0; i < n; i++) {
        term_id id =
            i < rule->n_tensors ? trial->inst->tensor[i] : trial->inst->scalar[i - rule->n_tensors];
        type_id type = term_type(&trial->terms, id);
        enum elem elem = type_elem(&trial->pool, type);
        trial->param[i] = value_random(&trial->pool, type, &trial->rng, special, &trial->mem);
        if (special && !elem_is_ideal(elem))
            continue;
        for (int64_t k = 0; k < type_count(&trial->pool, type); k++)
            scalar_store(elem, trial->param[i].data, (size_t)k, random_scalar(trial, elem));
    }
}

static bool evaluate(struct trial_run *trial, uint32_t n, const term_id *roots, struct value *out)
{
    struct err err = {0};
    return eval_terms(&(struct eval_input){&trial->terms,
                                           trial->rule->n_tensors + trial->rule->n_scalars,
                                           trial->param, &trial->mem},
                      n, roots, out, &err);
}

static bool conditions_hold(struct trial_run *trial)
{
    for (uint32_t w = 0; w < trial->rule->n_wheres; w++) {
        struct value value;
        if (trial->rule->wheres[w].cond != NULL)
            continue;
        if (trial->cond[w].v == NO_TERM.v || !evaluate(trial, 1, &trial->cond[w], &value))
            return false;
        const unsigned char *data = value.data;
        for (int64_t i = 0; i < type_count(&trial->pool, value.type); i++)
            if (data[i] == 0)
                return false;
    }
    return true;
}

static bool sides_differ(struct trial_run *trial)
{
    struct value value[2];
    term_id roots[] = {trial->lhs, trial->rhs};
    if (!evaluate(trial, 2, roots, value))
        return false;
    enum elem elem = type_elem(&trial->pool, value[0].type);
    for (int64_t i = 0; i < type_count(&trial->pool, value[0].type); i++) {
        struct scalar scalar = scalar_load(elem, value[0].data, (size_t)i);
        struct scalar b = scalar_load(elem, value[1].data, (size_t)i);
        if (!scalar_same(elem, scalar, b) &&
            !(scalar_is_nan(elem, scalar) && scalar_is_nan(elem, b)))
            return true;
    }
    return false;
}

static bool small(struct trial_run *trial)
{
    struct u32_vec ids = {0};
    term_id roots[] = {trial->lhs, trial->rhs};
    bool ok = true;
    terms_reach(&trial->terms, 2, roots, &ids);
    for (uint32_t i = 0; i < ids.len && ok; i++)
        ok = type_count(&trial->pool, term_type(&trial->terms, (term_id){ids.at[i]})) <=
             TRIAL_ELEMENTS;
    vec_release(&ids);
    return ok;
}

static void choose_instance(struct trial_run *trial, unsigned most)
{
    const struct rule *rule = trial->rule;
    uint32_t axes = 0;
    for (uint32_t c = 0; c < rule->n_classes; c++) {
        uint32_t f = first_like(rule, c), least = rule->classes[c].least_rank;
        uint32_t top = axes >= TRIAL_AXES ? 1 : most;
        if (top < least)
            top = least;
        trial->rank[c] = f != c ? trial->rank[f]
                         : rule->classes[c].single
                             ? 1
                             : least + (uint32_t)rng_below(&trial->rng, top - least + 1);
        axes += trial->rank[c];
    }
    for (uint32_t c = 0; c < rule->n_classes; c++) {
        if (first_like(rule, c) != c)
            continue;
        for (uint32_t k = 0; k < trial->rank[c]; k++) {
            uint32_t p = (uint32_t)rng_below(&trial->rng, trial->n_points[c]);
            for (uint32_t m = 0; m < rule->n_maps; m++)
                if (first_like(rule, rule->maps[m].cls) == c)
                    trial->map[m][k] = trial->point[c][p][m];
        }
    }
}

static bool run_one(struct trial_run *trial, unsigned most, bool *broken)
{
    struct err err = {0};
    choose_instance(trial, most);
    if (!choose_types(trial))
        return false;
    enum ground_status status = ground(trial, &err);
    if (status == GROUND_PRE_FALSE || status == GROUND_LHS_INVALID)
        return false;
    if (status == GROUND_RHS_INVALID && err.kind == ERR_LIMIT)
        return false; // a literal is no value of the type
    if (status == GROUND_OK && !small(trial))
        return false;
    fill_params(trial);
    if (!conditions_hold(trial))
        return false;
    if (float_mode(trial) == DOMAIN_FLOAT && !instance_monoids(trial->inst, READ_FLOAT_SUMS, &err))
        return false;
    *broken = status != GROUND_OK || sides_differ(trial);
    return true;
}

static void describe(const struct trial_run *trial, struct buf *out)
{
    const struct rule *rule = trial->rule;
    for (uint32_t c = 0; c < rule->n_classes; c++)
        buf_printf(out, "%s%s rank %u", c ? ", " : "", rule->classes[c].name, trial->rank[c]);
    buf_putc(out, ':');
    for (uint32_t m = 0; m < rule->n_maps; m++) {
        buf_printf(out, " %s=", rule->maps[m].name);
        for (uint32_t k = 0; k < trial->rank[rule->maps[m].cls]; k++)
            buf_printf(out, "%s%lld", k ? "," : "", (long long)trial->map[m][k]);
    }
}

static bool relabels(const struct rule *rule)
{
    for (uint32_t i = 0; i < rule->n_pats; i++)
        if (rule->pats[i].kind == PAT_RELABEL)
            return true;
    return false;
}

void trial_rule(const struct rule *rule, const struct trial_options *options,
                struct trial_result *out)
{
    struct trial_run trial = {.rule = rule, .options = options};
    enum domain domains[N_DOMAINS];
    uint32_t n = 0;
    unsigned mask = options->domains != 0 ? options->domains : rule->claims;
    unsigned most = options->most_rank != 0 ? options->most_rank : relabels(rule) ? 3 : 2;
    memset(out, 0, sizeof *out);
    for (int d = 0; d < N_DOMAINS; d++)
        if (mask >> d & 1)
            domains[n++] = (enum domain)d;
    if (n == 0 || rule->n_maps > TRIAL_MAPS || rule->n_classes > TRIAL_CLASSES)
        return;
    rng_seed(&trial.rng, options->seed);
    trial.domain = domains[0];
    if (find_points(&trial))
        for (uint64_t k = 0; k < TRIAL_TRIES_PER_INSTANCE * (uint64_t)options->instances &&
                             out->instances < options->instances && !out->broken;
             k++) {
            trial.domain = domains[k % n];
            begin(&trial);
            out->instances += run_one(&trial, most, &out->broken);
            if (out->broken) {
                out->domain = trial.domain;
                describe(&trial, &out->instance);
            }
            end(&trial);
        }
    arena_release(&trial.keep);
}
