// SPDX-License-Identifier: Apache-2.0
#include "discover/learn/experiment.h"
#include "discover/limits.h"
#include "discover/learn/draft.h"
#include "rules/instance/instance.h"
#include "tensor/eval/eval.h"
#include "tensor/shape/infer.h"
#include "verify/counterexample/search.h"
#include <math.h>
#include <string.h>

enum role { // what the values of a map must be
    ROLE_NONE = 0,
    ROLE_STEP = 1, // a stride or dilation: positive
    ROLE_SIZE = 2, // not negative
};

struct experiment {
    const struct rule *rule;
    enum domain domain;
    struct rng rng;
    struct arena own, mem; // memory of the experiment; memory of one case
    struct pool pool;
    struct terms terms;
    uint64_t tries;
    uint32_t *rank;
    int64_t **map;
    unsigned *role;
    enum elem *elem;
    struct op_binding *op;
    bool usable;
    bool alone;                     // classes outside of the family have their least ranks
    const struct experiment *fixed; // or stay as they are there
    bool *left;                     // by pattern: it is below the left side
    // The case that was built last:
    enum ground_status status;
    struct instance *inst;
    term_id lhs, rhs, *cond;
};

// ---- element types and operators

static bool transcendental(const struct rule *rule)
{
    for (uint32_t i = 0; i < rule->n_pats; i++)
        if (rule->pats[i].kind == PAT_OP && op_is_transcendental(rule->pats[i].op))
            return true;
    return false;
}

static bool choose_types(struct experiment *experiment, enum domain domain)
{
    for (uint32_t i = 0; i < experiment->rule->n_types; i++) {
        unsigned kinds = experiment->rule->types[i].kinds;
        enum domain lives = domain;
        unsigned in = domain_of_kinds(kinds, domain, &lives) ? kinds & domain_kinds(lives) : kinds;
        bool ideal = domain == DOMAIN_INT || domain == DOMAIN_REAL;
        if (in & KIND_SINT)
            experiment->elem[i] = ideal ? ELEM_INT : ELEM_I32;
        else if (in & KIND_FLOAT)
            experiment->elem[i] = domain == DOMAIN_FLOAT             ? ELEM_F32
                                  : transcendental(experiment->rule) ? ELEM_F64
                                                                     : ELEM_REAL;
        else if (in & KIND_UINT)
            experiment->elem[i] = ideal ? ELEM_INT : ELEM_UI32;
        else
            experiment->elem[i] = ELEM_I1;
        if (!(elem_kind(experiment->elem[i]) & kinds) && experiment->elem[i] != ELEM_INT)
            return false;
    }
    return true;
}

static bool op_fits(struct experiment *experiment, const struct op_var *opvar, enum op op,
                    struct op_binding *out)
{
    struct err err = {0};
    type_id want, got, args[3];
    enum domain mode = experiment->domain == DOMAIN_FLOAT ? DOMAIN_FLOAT : DOMAIN_REAL;
    *out = (struct op_binding){op, NO_ATTR};
    if (opvar->kind == OPVAR_MONOID)
        return op_is_reducer(op) && monoid_holds(op, experiment->elem[opvar->result], mode);
    if (opvar->kind == OPVAR_MONOTONE && !monotone_holds(op, experiment->elem[opvar->result], mode))
        return false;
    if (opvar->n_args > 3 || op_arity(op) != (int)opvar->n_args)
        return false;
    if (op == OP_COMPARE) {
        int64_t attr[2] = {CMP_LT, compare_type_of(experiment->elem[opvar->args[0]])};
        out->attr = attr_make(&experiment->pool, 2, attr);
    }
    for (uint32_t i = 0; i < opvar->n_args; i++)
        if (!type_tensor(&experiment->pool, experiment->elem[opvar->args[i]], 0, NULL, &args[i],
                         &err))
            return false;
    return type_tensor(&experiment->pool, experiment->elem[opvar->result], 0, NULL, &want, &err) &&
           infer_type(&experiment->pool, (struct operation){op, out->attr, want, opvar->n_args},
                      args, &got, &err) &&
           got.v == want.v;
}

static bool choose_ops(struct experiment *experiment)
{
    static const enum op ops[] = {OP_SUBTRACT, OP_ADD,     OP_NEGATE,  OP_XOR,   OP_OR,
                                  OP_NOT,      OP_MAXIMUM, OP_COMPARE, OP_CLAMP, OP_SELECT,
                                  OP_CONVERT,  OP_SIGN,    OP_FLOOR};
    for (uint32_t i = 0; i < experiment->rule->n_opvars; i++) {
        bool found = false;
        for (size_t k = 0; k < sizeof ops / sizeof *ops && !found; k++)
            found = op_fits(experiment, &experiment->rule->opvars[i], ops[k], &experiment->op[i]);
        if (!found)
            return false;
    }
    return true;
}

static void choose_domain(struct experiment *experiment, unsigned domains)
{
    static const enum domain order[] = {DOMAIN_INT, DOMAIN_REAL, DOMAIN_WORD, DOMAIN_FLOAT,
                                        DOMAIN_BOOL};
    unsigned all = rule_domains(experiment->rule);
    for (size_t i = 0; i < N_DOMAINS && !experiment->usable; i++) {
        experiment->domain = order[i];
        experiment->usable = (domains & all) >> order[i] & 1 &&
                             choose_types(experiment, order[i]) && choose_ops(experiment);
    }
}

// ---- roles of maps

static void note_role(struct experiment *experiment, const struct iexp *expr, unsigned role)
{
    if (expr != NULL && expr->op == IE_MAP)
        experiment->role[expr->map] |= role;
}

static void find_roles(struct experiment *experiment)
{
    const struct rule *rule = experiment->rule;
    for (uint32_t i = 0; i < rule->n_tensors; i++)
        for (uint32_t k = 0; k < rule->tensors[i].n_sizes; k++)
            note_role(experiment, rule->tensors[i].sizes[k].size, ROLE_SIZE);
    for (uint32_t i = 0; i < rule->n_pats; i++) {
        const struct pat *pattern = &rule->pats[i];
        for (uint32_t k = 0; k < pattern->n_sizes && pattern->kind == PAT_SPLAT; k++)
            note_role(experiment, pattern->sizes[k].size, ROLE_SIZE);
        for (uint32_t k = 0; k < pattern->n_attrs && pattern->kind == PAT_OP; k++) {
            const struct iexp *const *expr = pattern->attrs[k].expr;
            bool conv = pattern->op == OP_CONVOLUTION;
            bool window = pattern->op == OP_REDUCE_WINDOW;
            if (pattern->op == OP_SLICE) {
                note_role(experiment, expr[0], ROLE_SIZE);
                note_role(experiment, expr[1], ROLE_SIZE);
                note_role(experiment, expr[2], ROLE_STEP);
            } else if (pattern->op == OP_PAD) {
                note_role(experiment, expr[2], ROLE_SIZE);
            } else if (conv || window) {
                note_role(experiment, expr[0], window ? ROLE_SIZE : ROLE_STEP);
                note_role(experiment, expr[window ? 1 : 3], ROLE_STEP);
                note_role(experiment, expr[4], ROLE_STEP);
                note_role(experiment, expr[window ? 5 : 4], ROLE_STEP);
            } else if (pattern->op == OP_BROADCAST_IN_DIM || pattern->op == OP_GATHER) {
                note_role(experiment, expr[0], ROLE_SIZE);
            } else if (pattern->op == OP_DYNAMIC_SLICE) {
                note_role(experiment, expr[1], ROLE_SIZE);
            }
        }
    }
}

// ---- life

struct experiment *experiment_new(const struct rule *rule, unsigned domains, uint64_t seed)
{
    struct experiment *experiment = mem_alloc(sizeof *experiment);
    experiment->rule = rule;
    rng_seed(&experiment->rng, seed);
    pool_init(&experiment->pool);
    terms_init(&experiment->terms, &experiment->pool);
    experiment->rank = ARENA_NEW(&experiment->own, uint32_t, rule->n_classes + 1);
    experiment->map = ARENA_NEW(&experiment->own, int64_t *, rule->n_maps + 1);
    for (uint32_t m = 0; m < rule->n_maps; m++)
        experiment->map[m] = ARENA_NEW(&experiment->own, int64_t, EXPERIMENT_PLACES);
    experiment->role = ARENA_NEW(&experiment->own, unsigned, rule->n_maps + 1);
    experiment->elem = ARENA_NEW(&experiment->own, enum elem, rule->n_types + 1);
    experiment->op = ARENA_NEW(&experiment->own, struct op_binding, rule->n_opvars + 1);
    experiment->left = ARENA_NEW(&experiment->own, bool, rule->n_pats + 1);
    for (uint32_t i = 0; i < rule->n_pats; i++)
        experiment->left[i] = draft_below(rule, rule->lhs, i);
    choose_domain(experiment, domains);
    find_roles(experiment);
    return experiment;
}

void experiment_free(struct experiment *experiment)
{
    if (experiment == NULL)
        return;
    terms_release(&experiment->terms);
    pool_release(&experiment->pool);
    arena_release(&experiment->own);
    arena_release(&experiment->mem);
    mem_free(experiment);
}

enum domain experiment_domain(const struct experiment *experiment)
{
    return experiment->domain;
}

uint32_t *experiment_rank(struct experiment *experiment)
{
    return experiment->rank;
}

int64_t *experiment_map(struct experiment *experiment, uint32_t map)
{
    return experiment->map[map];
}

struct rng *experiment_rng(struct experiment *experiment)
{
    return &experiment->rng;
}

void experiment_alone(struct experiment *experiment)
{
    experiment->alone = true;
}

void experiment_fix(struct experiment *experiment, const struct experiment *fixed)
{
    experiment->fixed = fixed;
}

// Families other than `root` get the values of the fixed case.
static void take_fixed(struct experiment *experiment, uint32_t root)
{
    const struct rule *rule = experiment->rule, *from = experiment->fixed->rule;
    for (uint32_t c = 0; c < rule->n_classes; c++)
        for (uint32_t k = 0; k < from->n_classes && class_root(rule, c) != root; k++)
            if (strcmp(rule->classes[c].name, from->classes[k].name) == 0)
                experiment->rank[c] = experiment->fixed->rank[k];
    for (uint32_t m = 0; m < rule->n_maps; m++) {
        uint32_t k = map_by_name(from, rule->maps[m].name);
        if (k != NONE && class_root(rule, rule->maps[m].cls) != root)
            memcpy(experiment->map[m], experiment->fixed->map[k],
                   EXPERIMENT_PLACES * sizeof(int64_t));
    }
}

uint64_t experiment_count(const struct experiment *experiment)
{
    return experiment->tries;
}

// ---- cases

static int64_t random_value(struct experiment *experiment, uint32_t map)
{
    static const int64_t steps[] = {1, 1, 1, 2, 2, 3};
    static const int64_t sizes[] = {0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 8, 11};
    static const int64_t others[] = {0, 0, 0, 1, 1, 2, 3, -1, -1, -2};
    if (experiment->role[map] & ROLE_STEP)
        return steps[rng_below(&experiment->rng, sizeof steps / sizeof *steps)];
    if (experiment->role[map] & ROLE_SIZE)
        return sizes[rng_below(&experiment->rng, sizeof sizes / sizeof *sizes)];
    return others[rng_below(&experiment->rng, sizeof others / sizeof *others)];
}

static void take_fixed(struct experiment *experiment, uint32_t root);

void experiment_random(struct experiment *experiment, uint32_t root)
{
    const struct rule *rule = experiment->rule;
    for (uint32_t c = 0; c < rule->n_classes; c++) {
        const struct axis_class *cls = &rule->classes[c];
        uint32_t like = cls->like;
        if (like != c) { // such a class comes before
            experiment->rank[c] = experiment->rank[like];
            continue;
        }
        bool wanted = root != NONE && class_root(rule, c) == root;
        uint32_t least = cls->single ? 1 : cls->least_rank;
        for (uint32_t j = 0; j < rule->n_classes; j++)
            if (rule->classes[j].like == c && rule->classes[j].single)
                least = 1;
        experiment->rank[c] =
            least > 0 || wanted ? 1 : !experiment->alone && rng_below(&experiment->rng, 4) == 0;
    }
    for (uint32_t m = 0; m < rule->n_maps; m++)
        for (uint32_t i = 0; i < EXPERIMENT_PLACES; i++)
            experiment->map[m][i] = random_value(experiment, m);
    if (experiment->fixed != NULL && root != NONE)
        take_fixed(experiment, root);
}

void experiment_mutate(struct experiment *experiment, uint32_t root)
{
    const struct rule *rule = experiment->rule;
    for (uint32_t tries = 0; tries < EXPERIMENT_MUTATIONS && rule->n_maps > 0; tries++) {
        uint32_t m = (uint32_t)rng_below(&experiment->rng, rule->n_maps);
        if (rule->maps[m].def != NULL ||
            (root != NONE && class_root(rule, rule->maps[m].cls) != root))
            continue;
        // Near its own value, or the value of another map, so that equalities occur.
        uint64_t how = rng_below(&experiment->rng, 4);
        uint32_t o = (uint32_t)rng_below(&experiment->rng, rule->n_maps);
        if (how == 0)
            experiment->map[m][0] = random_value(experiment, m);
        else if (how == 1 && rule->maps[o].cls == rule->maps[m].cls)
            experiment->map[m][0] = experiment->map[o][0];
        else
            experiment->map[m][0] += how == 2 ? 1 : -1;
        return;
    }
}

static bool build(struct experiment *experiment)
{
    const struct rule *rule = experiment->rule;
    struct err err = {0};
    if (++experiment->tries % EXPERIMENT_TRIES_PER_POOL == 0) {
        terms_release(&experiment->terms);
        pool_release(&experiment->pool);
        pool_init(&experiment->pool);
        terms_init(&experiment->terms, &experiment->pool);
        if (!choose_ops(experiment)) // the attributes of operators were in the old pool
            return false;
    }
    arena_reset(&experiment->mem, (struct arena_mark){0});
    struct ground ground = {experiment->rank, experiment->map, experiment->elem, experiment->op,
                            ELEM_OTHER};
    experiment->cond = ARENA_NEW(&experiment->mem, term_id, rule->n_wheres + 1);
    experiment->status = rule_ground(
        rule, &ground, (struct ground_place){&experiment->terms, NULL, &experiment->mem},
        (struct ground_out){&experiment->inst, &experiment->lhs, &experiment->rhs,
                            experiment->cond},
        &err);
    return experiment->status != GROUND_PRE_FALSE && experiment->status != GROUND_LHS_INVALID;
}

// Tests what most cases fail at, preconditions and sizes, without building
// terms.
static bool plausible(const struct experiment *experiment)
{
    const struct rule *rule = experiment->rule;
    for (uint32_t m = 0; m < rule->n_maps; m++)
        if (rule->maps[m].def != NULL) // lets have no stored values
            return true;
    for (uint32_t w = 0; w < rule->n_wheres; w++) {
        bool holds;
        if (rule->wheres[w].cond != NULL && !where_is_joint(rule, w) &&
            experiment->rank[rule->wheres[w].family] == 1 &&
            (!cond_eval(rule->wheres[w].cond, experiment->map, 0, &holds) || !holds))
            return false;
    }
    for (uint32_t i = 0; i < rule->n_pats; i++) {
        const struct pat *pattern = &rule->pats[i];
        if (!experiment->left[i])
            continue;
        for (uint32_t k = 0; k < pattern->n_sizes; k++) {
            uint32_t c = pattern->sizes[k].cls;
            int64_t v;
            if (experiment->rank[c] == 1 && rule->classes[c].joint == c &&
                !rule->classes[c].block &&
                (!iexp_eval(pattern->sizes[k].size, experiment->map, 0, &v) || v < 0))
                return false;
        }
        for (uint32_t k = 0;
             k < pattern->n_attrs && pattern->kind == PAT_OP && pattern->op == OP_SLICE; k++) {
            int64_t from = 0, to;
            const struct pat_attr *attr = &pattern->attrs[k];
            if (experiment->rank[attr->cls] == 1 && attr->expr[0] && attr->expr[1] &&
                iexp_eval(attr->expr[0], experiment->map, 0, &from) &&
                iexp_eval(attr->expr[1], experiment->map, 0, &to) && (from < 0 || from > to))
                return false;
        }
    }
    return true;
}

bool experiment_left(struct experiment *experiment)
{
    return experiment->usable && plausible(experiment) && build(experiment);
}

// ---- elements

static struct scalar random_element(struct experiment *experiment, enum elem elem, uint32_t style)
{
    int64_t wide = style == 0 ? 60 : 3;
    int64_t k = rng_range(&experiment->rng, style == 2 ? 0 : -wide, wide);
    if (elem == ELEM_I1)
        return (struct scalar){.bits = rng_below(&experiment->rng, 2), .den = 1};
    if (style == 3)
        k = 1 + (int64_t)rng_below(&experiment->rng, 4);
    if (elem == ELEM_F64)
        return scalar_of_double(elem, (double)k / 16 + (style == 3 ? 0.0 : 0.015625));
    return scalar_of_int(elem, k);
}

static bool fill(struct experiment *experiment, uint32_t n, struct value *value, uint32_t style)
{
    const struct rule *rule = experiment->rule;
    bool same = style == 4; // all elements of all operands are equal
    for (uint32_t i = 0; i < n; i++) {
        term_id term = i < rule->n_tensors ? experiment->inst->tensor[i]
                                           : experiment->inst->scalar[i - rule->n_tensors];
        if (term.v == NO_TERM.v)
            return false;
        value[i].type = term_type(&experiment->terms, term);
        int64_t count = type_count(&experiment->pool, value[i].type);
        enum elem elem = type_elem(&experiment->pool, value[i].type);
        if (count > EXPERIMENT_ELEMENTS)
            return false;
        value[i].data = arena_alloc(&experiment->mem, (size_t)count * elem_bytes(elem) + 1);
        for (int64_t k = 0; k < count; k++) {
            struct scalar scalar = random_element(experiment, elem, same ? 3 : style);
            if (same && k > 0)
                scalar = scalar_load(elem, value[i].data, 0);
            scalar_store(elem, value[i].data, (size_t)k, scalar);
        }
    }
    return true;
}

static bool small(const struct experiment *experiment)
{
    struct u32_vec ids = {0};
    term_id roots[2] = {experiment->lhs, experiment->rhs};
    bool ok = true;
    terms_reach(&experiment->terms, experiment->status == GROUND_OK ? 2 : 1, roots, &ids);
    for (uint32_t i = 0; ok && i < ids.len; i++)
        ok = type_count(&experiment->pool, term_type(&experiment->terms, (term_id){ids.at[i]})) <=
             4 * EXPERIMENT_ELEMENTS;
    vec_release(&ids);
    return ok;
}

static bool all_true(const struct experiment *experiment, const struct value *value)
{
    const unsigned char *data = value->data;
    int64_t n = type_count(&experiment->pool, value->type);
    for (int64_t i = 0; i < n; i++)
        if (data[i] == 0)
            return false;
    return true;
}

static bool conditions_hold(struct experiment *experiment, uint32_t n, const struct value *value)
{
    for (uint32_t w = 0; w < experiment->rule->n_wheres; w++) {
        struct value c;
        struct err err = {0};
        if (experiment->rule->wheres[w].cond != NULL)
            continue;
        if (experiment->cond[w].v == NO_TERM.v ||
            !eval_terms(&(struct eval_input){&experiment->terms, n, value, &experiment->mem}, 1,
                        &experiment->cond[w], &c, &err) ||
            !all_true(experiment, &c))
            return false;
    }
    return true;
}

static enum experiment_answer one_filling(struct experiment *experiment, uint32_t style)
{
    uint32_t n = experiment->rule->n_tensors + experiment->rule->n_scalars;
    struct value *value = ARENA_NEW(&experiment->mem, struct value, n + 1), got[2];
    struct err err = {0};
    int64_t index;
    if (!fill(experiment, n, value, style) || !conditions_hold(experiment, n, value))
        return EXPERIMENT_UNSURE;
    if (experiment->status != GROUND_OK)
        return EXPERIMENT_DIFFER;
    term_id roots[2] = {experiment->lhs, experiment->rhs};
    if (!eval_terms(&(struct eval_input){&experiment->terms, n, value, &experiment->mem}, 2, roots,
                    got, &err))
        return EXPERIMENT_UNSURE;
    enum elem elem = type_elem(&experiment->pool, got[0].type);
    if (!value_same(&experiment->pool, &got[0], &got[1], elem == ELEM_F64 ? 1e-9 : 0, &index))
        return EXPERIMENT_DIFFER;
    return type_count(&experiment->pool, got[0].type) == 0 ? EXPERIMENT_EMPTY : EXPERIMENT_AGREE;
}

enum experiment_answer experiment_try(struct experiment *experiment, uint32_t fillings)
{
    return experiment_left(experiment) ? experiment_run(experiment, fillings) : EXPERIMENT_NOT;
}

int64_t experiment_left_size(const struct experiment *experiment)
{
    return type_count(&experiment->pool, term_type(&experiment->terms, experiment->lhs));
}

bool experiment_copy(struct experiment *experiment, const struct experiment *from)
{
    const struct rule *rule = experiment->rule, *o = from->rule;
    for (uint32_t c = 0; c < rule->n_classes; c++)
        for (uint32_t k = 0; k < o->n_classes; k++)
            if (strcmp(rule->classes[c].name, o->classes[k].name) == 0)
                experiment->rank[c] = from->rank[k];
    for (uint32_t m = 0; m < rule->n_maps; m++) {
        uint32_t k = map_by_name(o, rule->maps[m].name);
        if (rule->maps[m].def != NULL)
            continue;
        if (k == NONE)
            return false;
        memcpy(experiment->map[m], from->map[k], EXPERIMENT_PLACES * sizeof(int64_t));
    }
    return true;
}

enum experiment_answer experiment_run(struct experiment *experiment, uint32_t fillings)
{
    enum experiment_answer best = EXPERIMENT_UNSURE;
    if (!small(experiment))
        return EXPERIMENT_UNSURE;
    for (uint32_t i = 0; i < fillings; i++) {
        enum experiment_answer a = one_filling(experiment, i % 5);
        if (a == EXPERIMENT_DIFFER)
            return a;
        if (a > best)
            best = a;
    }
    return best;
}

void experiment_print(const struct experiment *experiment, struct buf *out)
{
    const char *sep = "";
    for (uint32_t m = 0; m < experiment->rule->n_maps; m++) {
        const struct map *map = &experiment->rule->maps[m];
        if (map->def != NULL || experiment->rank[map->cls] == 0)
            continue;
        buf_printf(out, "%s%s=%lld", sep, map->name, (long long)experiment->map[m][0]);
        sep = " ";
    }
    if (!*sep)
        buf_puts(out, "rank 0");
}
