// SPDX-License-Identifier: Apache-2.0
#include "discover/learn/experiment.h"
#include "discover/learn/draft.h"
#include "rules/instance/instance.h"
#include "tensor/eval/eval.h"
#include "tensor/shape/infer.h"
#include "verify/counterexample/search.h"
#include <math.h>
#include <string.h>

#define PLACES 4
#define MAX_ELEMENTS 2048
#define TRIES_PER_POOL 64 // then the terms of old cases are dropped

enum role { // what a map is, as far as choosing its values goes
    ROLE_NONE = 0,
    ROLE_STEP = 1, // a stride or dilation: positive
    ROLE_SIZE = 2, // not negative
};

struct experiment {
    const struct rule *r;
    enum domain domain;
    struct rng rng;
    struct arena own, mem; // of the lab; of one case
    struct pool pool;
    struct terms terms;
    uint64_t tries;
    uint32_t *rank;
    int64_t **map;
    unsigned *role;
    enum elem *elem;
    struct op_binding *op;
    bool usable;
    bool *left; // per pattern: below the left side
    // the case that was built last
    enum ground_status status;
    struct instance *inst;
    term_id lhs, rhs, *cond;
};

// ---- element types and operators

static bool transcendental(const struct rule *r)
{
    for (uint32_t i = 0; i < r->n_pats; i++)
        if (r->pats[i].kind == PAT_OP && op_is_transcendental(r->pats[i].op))
            return true;
    return false;
}

static bool choose_types(struct experiment *l, enum domain d)
{
    for (uint32_t i = 0; i < l->r->n_types; i++) {
        unsigned kinds = l->r->types[i].kinds;
        unsigned in = kinds & domain_kinds(d);
        if (in == 0)
            in = kinds;
        if (d == DOMAIN_BOOL)
            l->elem[i] = ELEM_I1;
        else if (in & KIND_SINT)
            l->elem[i] =
                d == DOMAIN_WORD || d == DOMAIN_FLOAT ? ELEM_I32 : ELEM_INT;
        else if (in & KIND_FLOAT)
            l->elem[i] = d == DOMAIN_FLOAT      ? ELEM_F32
                         : transcendental(l->r) ? ELEM_F64
                                                : ELEM_REAL;
        else if (in & KIND_UINT)
            l->elem[i] =
                d == DOMAIN_WORD || d == DOMAIN_FLOAT ? ELEM_UI32 : ELEM_INT;
        else
            l->elem[i] = ELEM_I1;
        if (!(elem_kind(l->elem[i]) & kinds) && l->elem[i] != ELEM_INT)
            return false;
    }
    return true;
}

static bool op_fits(struct experiment *l, const struct op_var *v, enum op op,
                    struct op_binding *out)
{
    struct err e = {0};
    type_id want, got, args[3];
    enum domain mode = l->domain == DOMAIN_FLOAT ? DOMAIN_FLOAT : DOMAIN_REAL;
    *out = (struct op_binding){op, NO_ATTR};
    if (v->kind == OPVAR_MONOID)
        return op_is_reducer(op) && monoid_holds(op, l->elem[v->result], mode);
    if (v->kind == OPVAR_MONOTONE &&
        !monotone_holds(op, l->elem[v->result], mode))
        return false;
    if (v->n_args > 3 || op_arity(op) != (int)v->n_args)
        return false;
    if (op == OP_COMPARE) {
        int64_t attr[2] = {CMP_LT, compare_type_of(l->elem[v->args[0]])};
        out->attr = attr_make(&l->pool, 2, attr);
    }
    for (uint32_t i = 0; i < v->n_args; i++)
        if (!type_tensor(&l->pool, l->elem[v->args[i]], 0, NULL, &args[i], &e))
            return false;
    return type_tensor(&l->pool, l->elem[v->result], 0, NULL, &want, &e) &&
           infer_type(&l->pool, op, out->attr, want, v->n_args, args, &got,
                      &e) &&
           got.v == want.v;
}

static bool choose_ops(struct experiment *l)
{
    static const enum op ops[] = {
        OP_SUBTRACT, OP_ADD,     OP_NEGATE,  OP_XOR,   OP_OR,
        OP_NOT,      OP_MAXIMUM, OP_COMPARE, OP_CLAMP, OP_SELECT,
        OP_CONVERT,  OP_SIGN,    OP_FLOOR};
    for (uint32_t i = 0; i < l->r->n_opvars; i++) {
        bool found = false;
        for (size_t k = 0; k < sizeof ops / sizeof *ops && !found; k++)
            found = op_fits(l, &l->r->opvars[i], ops[k], &l->op[i]);
        if (!found)
            return false;
    }
    return true;
}

static void choose_domain(struct experiment *l, unsigned domains)
{
    static const enum domain order[] = {DOMAIN_INT, DOMAIN_REAL, DOMAIN_WORD,
                                        DOMAIN_FLOAT, DOMAIN_BOOL};
    unsigned all = rule_domains(l->r);
    for (size_t i = 0; i < N_DOMAINS && !l->usable; i++) {
        l->domain = order[i];
        l->usable = (domains & all) >> order[i] & 1 &&
                    choose_types(l, order[i]) && choose_ops(l);
    }
}

// ---- roles of maps

static void note_role(struct experiment *l, const struct iexp *x, unsigned role)
{
    if (x != NULL && x->op == IE_MAP)
        l->role[x->map] |= role;
}

static void find_roles(struct experiment *l)
{
    const struct rule *r = l->r;
    for (uint32_t i = 0; i < r->n_tensors; i++)
        for (uint32_t k = 0; k < r->tensors[i].n_sizes; k++)
            note_role(l, r->tensors[i].sizes[k].size, ROLE_SIZE);
    for (uint32_t i = 0; i < r->n_pats; i++) {
        const struct pat *p = &r->pats[i];
        for (uint32_t k = 0; k < p->n_sizes && p->kind == PAT_SPLAT; k++)
            note_role(l, p->sizes[k].size, ROLE_SIZE);
        for (uint32_t k = 0; k < p->n_attrs && p->kind == PAT_OP; k++) {
            const struct iexp *const *v = p->attrs[k].v;
            bool conv = p->op == OP_CONVOLUTION;
            bool window = p->op == OP_REDUCE_WINDOW;
            if (p->op == OP_SLICE) {
                note_role(l, v[0], ROLE_SIZE);
                note_role(l, v[1], ROLE_SIZE);
                note_role(l, v[2], ROLE_STEP);
            } else if (p->op == OP_PAD) {
                note_role(l, v[2], ROLE_SIZE);
            } else if (conv || window) {
                note_role(l, v[0], window ? ROLE_SIZE : ROLE_STEP);
                note_role(l, v[window ? 1 : 3], ROLE_STEP);
                note_role(l, v[4], ROLE_STEP);
                note_role(l, v[window ? 5 : 4], ROLE_STEP);
            } else if (p->op == OP_BROADCAST_IN_DIM || p->op == OP_GATHER) {
                note_role(l, v[0], ROLE_SIZE);
            } else if (p->op == OP_DYNAMIC_SLICE) {
                note_role(l, v[1], ROLE_SIZE);
            }
        }
    }
}

// ---- life

struct experiment *experiment_new(const struct rule *r, unsigned domains, uint64_t seed)
{
    struct experiment *l = mem_alloc(sizeof *l);
    l->r = r;
    rng_seed(&l->rng, seed);
    pool_init(&l->pool);
    terms_init(&l->terms, &l->pool);
    l->rank = ARENA_NEW(&l->own, uint32_t, r->n_classes + 1);
    l->map = ARENA_NEW(&l->own, int64_t *, r->n_maps + 1);
    for (uint32_t m = 0; m < r->n_maps; m++)
        l->map[m] = ARENA_NEW(&l->own, int64_t, PLACES);
    l->role = ARENA_NEW(&l->own, unsigned, r->n_maps + 1);
    l->elem = ARENA_NEW(&l->own, enum elem, r->n_types + 1);
    l->op = ARENA_NEW(&l->own, struct op_binding, r->n_opvars + 1);
    l->left = ARENA_NEW(&l->own, bool, r->n_pats + 1);
    for (uint32_t i = 0; i < r->n_pats; i++)
        l->left[i] = draft_below(r, r->lhs, i);
    choose_domain(l, domains);
    find_roles(l);
    return l;
}

void experiment_free(struct experiment *l)
{
    if (l == NULL)
        return;
    terms_release(&l->terms);
    pool_release(&l->pool);
    arena_release(&l->own);
    arena_release(&l->mem);
    mem_free(l);
}

enum domain experiment_domain(const struct experiment *l)
{
    return l->domain;
}

uint32_t *experiment_rank(struct experiment *l)
{
    return l->rank;
}

int64_t *experiment_map(struct experiment *l, uint32_t map)
{
    return l->map[map];
}

struct rng *experiment_rng(struct experiment *l)
{
    return &l->rng;
}

uint64_t experiment_count(const struct experiment *l)
{
    return l->tries;
}

// ---- cases

static int64_t random_value(struct experiment *l, uint32_t map)
{
    static const int64_t steps[] = {1, 1, 1, 2, 2, 3};
    static const int64_t sizes[] = {0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 8, 11};
    static const int64_t others[] = {0, 0, 0, 1, 1, 2, 3, -1, -1, -2};
    if (l->role[map] & ROLE_STEP)
        return steps[rng_below(&l->rng, sizeof steps / sizeof *steps)];
    if (l->role[map] & ROLE_SIZE)
        return sizes[rng_below(&l->rng, sizeof sizes / sizeof *sizes)];
    return others[rng_below(&l->rng, sizeof others / sizeof *others)];
}

void experiment_random(struct experiment *l, uint32_t root)
{
    const struct rule *r = l->r;
    for (uint32_t c = 0; c < r->n_classes; c++) {
        const struct axis_class *k = &r->classes[c];
        uint32_t like = k->like;
        if (like != c) { // comes before
            l->rank[c] = l->rank[like];
            continue;
        }
        bool wanted = root != NONE && class_root(r, c) == root;
        uint32_t least = k->single ? 1 : k->least_rank;
        for (uint32_t j = 0; j < r->n_classes; j++)
            if (r->classes[j].like == c && r->classes[j].single)
                least = 1;
        l->rank[c] = least > 0 || wanted ? 1 : rng_below(&l->rng, 4) == 0;
    }
    for (uint32_t m = 0; m < r->n_maps; m++)
        for (uint32_t i = 0; i < PLACES; i++)
            l->map[m][i] = random_value(l, m);
}

void experiment_mutate(struct experiment *l, uint32_t root)
{
    const struct rule *r = l->r;
    for (uint32_t tries = 0; tries < 20 && r->n_maps > 0; tries++) {
        uint32_t m = (uint32_t)rng_below(&l->rng, r->n_maps);
        if (r->maps[m].def != NULL ||
            (root != NONE && class_root(r, r->maps[m].cls) != root))
            continue;
        // Near its value, or that of another map: equalities occur.
        uint64_t how = rng_below(&l->rng, 4);
        uint32_t o = (uint32_t)rng_below(&l->rng, r->n_maps);
        if (how == 0)
            l->map[m][0] = random_value(l, m);
        else if (how == 1 && r->maps[o].cls == r->maps[m].cls)
            l->map[m][0] = l->map[o][0];
        else
            l->map[m][0] += how == 2 ? 1 : -1;
        return;
    }
}

static bool build(struct experiment *l)
{
    const struct rule *r = l->r;
    struct err e = {0};
    if (++l->tries % TRIES_PER_POOL == 0) {
        terms_release(&l->terms);
        pool_release(&l->pool);
        pool_init(&l->pool);
        terms_init(&l->terms, &l->pool);
        if (!choose_ops(l)) // their attributes were of the old pool
            return false;
    }
    arena_reset(&l->mem, (struct arena_mark){0});
    struct ground g = {l->rank, l->map, l->elem, l->op, ELEM_OTHER};
    l->cond = ARENA_NEW(&l->mem, term_id, r->n_wheres + 1);
    l->status = rule_ground(r, &g, &l->terms, NULL, &l->mem, &l->inst, &l->lhs,
                            &l->rhs, l->cond, &e);
    return l->status != GROUND_PRE_FALSE && l->status != GROUND_LHS_INVALID;
}

// What most cases fail at, without building terms: preconditions and sizes.
static bool plausible(const struct experiment *l)
{
    const struct rule *r = l->r;
    for (uint32_t m = 0; m < r->n_maps; m++)
        if (r->maps[m].def != NULL) // the values of lets are not here
            return true;
    for (uint32_t w = 0; w < r->n_wheres; w++) {
        bool holds;
        if (r->wheres[w].cond != NULL && !where_is_joint(r, w) &&
            l->rank[r->wheres[w].family] == 1 &&
            (!cond_eval(r->wheres[w].cond, l->map, 0, &holds) || !holds))
            return false;
    }
    for (uint32_t i = 0; i < r->n_pats; i++) {
        const struct pat *p = &r->pats[i];
        if (!l->left[i])
            continue;
        for (uint32_t k = 0; k < p->n_sizes; k++) {
            uint32_t c = p->sizes[k].cls;
            int64_t v;
            if (l->rank[c] == 1 && r->classes[c].joint == c &&
                !r->classes[c].block &&
                (!iexp_eval(p->sizes[k].size, l->map, 0, &v) || v < 0))
                return false;
        }
        for (uint32_t k = 0;
             k < p->n_attrs && p->kind == PAT_OP && p->op == OP_SLICE; k++) {
            int64_t from = 0, to;
            const struct pat_attr *a = &p->attrs[k];
            if (l->rank[a->cls] == 1 && a->v[0] && a->v[1] &&
                iexp_eval(a->v[0], l->map, 0, &from) &&
                iexp_eval(a->v[1], l->map, 0, &to) && (from < 0 || from > to))
                return false;
        }
    }
    return true;
}

bool experiment_left(struct experiment *l)
{
    return l->usable && plausible(l) && build(l);
}

// ---- elements

static struct scalar random_element(struct experiment *l, enum elem t, uint32_t style)
{
    int64_t wide = style == 0 ? 60 : 3;
    int64_t k = rng_range(&l->rng, style == 2 ? 0 : -wide, wide);
    if (t == ELEM_I1)
        return (struct scalar){.bits = rng_below(&l->rng, 2), .den = 1};
    if (style == 3)
        k = 1 + (int64_t)rng_below(&l->rng, 4);
    if (t == ELEM_F64)
        return scalar_of_double(t,
                                (double)k / 16 + (style == 3 ? 0.0 : 0.015625));
    return scalar_of_int(t, k);
}

static bool fill(struct experiment *l, uint32_t n, struct value *v, uint32_t style)
{
    const struct rule *r = l->r;
    bool same = style == 4; // all elements of all operands are one
    for (uint32_t i = 0; i < n; i++) {
        term_id t = i < r->n_tensors ? l->inst->tensor[i]
                                     : l->inst->scalar[i - r->n_tensors];
        if (t.v == NO_TERM.v)
            return false;
        v[i].type = term_type(&l->terms, t);
        int64_t count = type_count(&l->pool, v[i].type);
        enum elem e = type_elem(&l->pool, v[i].type);
        if (count > MAX_ELEMENTS)
            return false;
        v[i].data = arena_alloc(&l->mem, (size_t)count * elem_bytes(e) + 1);
        for (int64_t k = 0; k < count; k++) {
            struct scalar s = random_element(l, e, same ? 3 : style);
            if (same && k > 0)
                s = scalar_load(e, v[i].data, 0);
            scalar_store(e, v[i].data, (size_t)k, s);
        }
    }
    return true;
}

static bool small(const struct experiment *l)
{
    struct u32_vec ids = {0};
    term_id roots[2] = {l->lhs, l->rhs};
    bool ok = true;
    terms_reach(&l->terms, l->status == GROUND_OK ? 2 : 1, roots, &ids);
    for (uint32_t i = 0; ok && i < ids.len; i++)
        ok = type_count(&l->pool, term_type(&l->terms, (term_id){ids.at[i]})) <=
             4 * MAX_ELEMENTS;
    vec_release(&ids);
    return ok;
}

static bool all_true(const struct experiment *l, const struct value *v)
{
    const unsigned char *data = v->data;
    int64_t n = type_count(&l->pool, v->type);
    for (int64_t i = 0; i < n; i++)
        if (data[i] == 0)
            return false;
    return true;
}

static bool conditions_hold(struct experiment *l, uint32_t n, const struct value *v)
{
    for (uint32_t w = 0; w < l->r->n_wheres; w++) {
        struct value c;
        struct err e = {0};
        if (l->r->wheres[w].cond != NULL)
            continue;
        if (l->cond[w].v == NO_TERM.v ||
            !eval_terms(&l->terms, 1, &l->cond[w], n, v, &l->mem, &c, &e) ||
            !all_true(l, &c))
            return false;
    }
    return true;
}

static enum experiment_answer one_filling(struct experiment *l, uint32_t style)
{
    uint32_t n = l->r->n_tensors + l->r->n_scalars;
    struct value *v = ARENA_NEW(&l->mem, struct value, n + 1), got[2];
    struct err e = {0};
    int64_t index;
    if (!fill(l, n, v, style) || !conditions_hold(l, n, v))
        return EXPERIMENT_UNSURE;
    if (l->status != GROUND_OK)
        return EXPERIMENT_DIFFER;
    term_id roots[2] = {l->lhs, l->rhs};
    if (!eval_terms(&l->terms, 2, roots, n, v, &l->mem, got, &e))
        return EXPERIMENT_UNSURE;
    enum elem t = type_elem(&l->pool, got[0].type);
    if (!value_same(&l->pool, &got[0], &got[1], t == ELEM_F64 ? 1e-9 : 0,
                    &index))
        return EXPERIMENT_DIFFER;
    return type_count(&l->pool, got[0].type) == 0 ? EXPERIMENT_EMPTY : EXPERIMENT_AGREE;
}

enum experiment_answer experiment_try(struct experiment *l, uint32_t fillings)
{
    return experiment_left(l) ? experiment_run(l, fillings) : EXPERIMENT_NOT;
}

int64_t experiment_left_size(const struct experiment *l)
{
    return type_count(&l->pool, term_type(&l->terms, l->lhs));
}

bool experiment_copy(struct experiment *l, const struct experiment *from)
{
    const struct rule *r = l->r, *o = from->r;
    for (uint32_t c = 0; c < r->n_classes; c++)
        for (uint32_t k = 0; k < o->n_classes; k++)
            if (strcmp(r->classes[c].name, o->classes[k].name) == 0)
                l->rank[c] = from->rank[k];
    for (uint32_t m = 0; m < r->n_maps; m++) {
        uint32_t k = map_by_name(o, r->maps[m].name);
        if (r->maps[m].def != NULL)
            continue;
        if (k == NONE)
            return false;
        memcpy(l->map[m], from->map[k], PLACES * sizeof(int64_t));
    }
    return true;
}

enum experiment_answer experiment_run(struct experiment *l, uint32_t fillings)
{
    enum experiment_answer best = EXPERIMENT_UNSURE;
    if (!small(l))
        return EXPERIMENT_UNSURE;
    for (uint32_t i = 0; i < fillings; i++) {
        enum experiment_answer a = one_filling(l, i % 5);
        if (a == EXPERIMENT_DIFFER)
            return a;
        if (a > best)
            best = a;
    }
    return best;
}

void experiment_print(const struct experiment *l, struct buf *out)
{
    const char *sep = "";
    for (uint32_t m = 0; m < l->r->n_maps; m++) {
        const struct map *map = &l->r->maps[m];
        if (map->def != NULL || l->rank[map->cls] == 0)
            continue;
        buf_printf(out, "%s%s=%lld", sep, map->name, (long long)l->map[m][0]);
        sep = " ";
    }
    if (!*sep)
        buf_puts(out, "rank 0");
}
