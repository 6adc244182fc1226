// SPDX-License-Identifier: Apache-2.0
#include "discover/tensors/trial.h"
#include "base/clock.h"
#include "base/rng.h"
#include "rules/instance/instance.h"
#include "tensor/eval/eval.h"
#include <string.h>

enum {
    POINTS = 64,   // of a rank class that are kept
    FIRST = 20000, // tries for the first
    STEPS = 800,   // small steps from those
    MOST_ELEMENTS = 3000,
};

struct trial_run {
    const struct rule *r;
    const struct trial_options *o;
    enum domain domain;
    struct rng rng;
    struct arena mem; // of one attempt
    struct pool pool;
    struct terms terms;
    uint32_t rank[64];
    int64_t **map;
    enum elem *elem;
    struct op_binding *op;
    struct instance *inst;
    term_id *cond;
    struct value *param;
    term_id lhs, rhs;
    // by rank class (its first class): values of all maps, of which those of
    // the rank class count
    int64_t (*point[64])[64];
    uint32_t n_points[64];
    struct arena keep;
};

static uint32_t first_like(const struct rule *r, uint32_t c)
{
    while (r->classes[c].like != c)
        c = r->classes[c].like;
    return c;
}

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

static enum domain float_mode(const struct trial_run *t)
{
    return t->domain == DOMAIN_FLOAT || t->domain == DOMAIN_WORD ? DOMAIN_FLOAT
                                                                 : DOMAIN_REAL;
}

static bool choose_op(struct trial_run *t, uint32_t v)
{
    static const struct {
        enum op op;
        uint32_t n;
    } all[] = {{OP_ADD, 2},     {OP_SUBTRACT, 2}, {OP_MULTIPLY, 2},
               {OP_MAXIMUM, 2}, {OP_MINIMUM, 2},  {OP_NEGATE, 1},
               {OP_ABS, 1},     {OP_AND, 2},      {OP_OR, 2},
               {OP_XOR, 2},     {OP_NOT, 1},      {OP_SIGN, 1}};
    const struct op_var *o = &t->r->opvars[v];
    enum elem to = t->elem[o->result];
    for (int k = 0; k < 60; k++) {
        size_t i = (size_t)rng_below(&t->rng, sizeof all / sizeof *all);
        bool fits =
            all[i].n == o->n_args && (op_kinds(all[i].op) & elem_kind(to)) != 0;
        for (uint32_t a = 0; a < o->n_args && fits; a++)
            fits = t->elem[o->args[a]] == to;
        if (o->kind == OPVAR_MONOID)
            fits &= op_is_reducer(all[i].op) &&
                    monoid_holds(all[i].op, to, float_mode(t));
        if (o->kind == OPVAR_MONOTONE)
            fits &= all[i].op == OP_SIGN;
        if (!fits)
            continue;
        t->op[v] = (struct op_binding){all[i].op, NO_ATTR};
        return true;
    }
    return false;
}

static bool choose_types(struct trial_run *t)
{
    const struct rule *r = t->r;
    for (uint32_t i = 0; i < r->n_types; i++) {
        t->elem[i] = pick_elem(&t->rng, r->types[i].kinds, t->domain);
        if (t->elem[i] == ELEM_OTHER)
            return false;
    }
    for (uint32_t i = 0; i < r->n_opvars; i++)
        if (!choose_op(t, i))
            return false;
    return true;
}

static void begin(struct trial_run *t)
{
    const struct rule *r = t->r;
    pool_init(&t->pool);
    terms_init(&t->terms, &t->pool);
    t->map = ARENA_NEW(&t->mem, int64_t *, r->n_maps + 1);
    t->elem = ARENA_NEW(&t->mem, enum elem, r->n_types + 1);
    t->op = ARENA_NEW(&t->mem, struct op_binding, r->n_opvars + 1);
    t->cond = ARENA_NEW(&t->mem, term_id, r->n_wheres + 1);
    for (uint32_t m = 0; m < r->n_maps; m++)
        t->map[m] = ARENA_NEW(&t->mem, int64_t, 8);
}

static void end(struct trial_run *t)
{
    terms_release(&t->terms);
    pool_release(&t->pool);
    arena_release(&t->mem);
}

static enum ground_status ground(struct trial_run *t, struct err *e)
{
    struct ground g = {
        .rank = t->rank, .map = t->map, .elem = t->elem, .op = t->op};
    t->lhs = t->rhs = NO_TERM;
    return rule_ground(t->r, &g, &t->terms, &t->rng, &t->mem, &t->inst, &t->lhs,
                       &t->rhs, t->cond, e);
}

// ---- points

static int64_t random_value(struct trial_run *t, const int64_t *v, uint32_t n)
{
    struct rng *g = &t->rng;
    if (n > 0 && rng_below(g, 3) == 0)
        return v[rng_below(g, n)] +
               (rng_below(g, 4) == 0 ? rng_range(g, -1, 1) : 0);
    return rng_below(g, 6) == 0 ? rng_range(g, -3, 7) : rng_range(g, 0, 3);
}

// Preconditions of one point of every rank class, without making terms.
static bool meets(const struct rule *r, int64_t *v)
{
    int64_t *at[64];
    for (uint32_t m = 0; m < r->n_maps; m++)
        at[m] = &v[m];
    for (uint32_t m = 0; m < r->n_maps; m++)
        if (r->maps[m].def != NULL && !iexp_eval(r->maps[m].def, at, 0, &v[m]))
            return false;
    for (uint32_t w = 0; w < r->n_wheres; w++) {
        bool holds = false;
        if (r->wheres[w].cond != NULL &&
            (!cond_eval(r->wheres[w].cond, at, 0, &holds) || !holds))
            return false;
    }
    return true;
}

// One axis a class with these values: is it an instance?
static bool is_instance(struct trial_run *t, const int64_t *v)
{
    const struct rule *r = t->r;
    struct err e = {0};
    begin(t);
    for (uint32_t c = 0; c < r->n_classes; c++)
        t->rank[c] = 1;
    for (uint32_t m = 0; m < r->n_maps; m++)
        t->map[m][0] = v[m];
    bool ok = choose_types(t);
    if (ok) {
        enum ground_status s = ground(t, &e);
        ok = s != GROUND_PRE_FALSE && s != GROUND_LHS_INVALID;
    }
    end(t);
    return ok;
}

static void keep_point(struct trial_run *t, const int64_t *v)
{
    const struct rule *r = t->r;
    for (uint32_t c = 0; c < r->n_classes; c++) {
        if (first_like(r, c) != c)
            continue;
        uint32_t at = t->n_points[c] < POINTS
                          ? t->n_points[c]++
                          : (uint32_t)rng_below(&t->rng, POINTS);
        memcpy(t->point[c][at], v, sizeof t->point[c][at]);
    }
}

// Conditions are asked class by class, so points of different ones may be
// mixed.
static void mix(struct trial_run *t, int64_t *v)
{
    const struct rule *r = t->r;
    for (uint32_t c = 0; c < r->n_classes; c++) {
        if (first_like(r, c) != c)
            continue;
        uint32_t k = (uint32_t)rng_below(&t->rng, t->n_points[c]);
        for (uint32_t m = 0; m < r->n_maps; m++)
            if (first_like(r, r->maps[m].cls) == c)
                v[m] = t->point[c][k][m];
    }
}

static bool find_points(struct trial_run *t, double stop)
{
    const struct rule *r = t->r;
    int64_t v[64];
    for (uint32_t c = 0; c < r->n_classes; c++)
        t->point[c] = arena_alloc(&t->keep, POINTS * sizeof *t->point[c]);
    for (uint32_t k = 0;
         k < 40 * FIRST && r->n_classes > 0 && t->n_points[0] < 12; k++) {
        for (uint32_t m = 0; m < r->n_maps; m++)
            v[m] = random_value(t, v, m);
        if (!meets(r, v))
            continue;
        k += 40; // dear
        if (is_instance(t, v))
            keep_point(t, v);
        if (stop > 0 && k % 1024 == 0 && clock_wall() > stop)
            break;
    }
    if (r->n_classes > 0 && t->n_points[0] == 0)
        return false;
    for (uint32_t k = 0; k < STEPS && r->n_maps > 0; k++) {
        mix(t, v);
        for (uint64_t n = 1 + rng_below(&t->rng, 3); n > 0; n--) {
            uint32_t m = (uint32_t)rng_below(&t->rng, r->n_maps);
            v[m] = rng_below(&t->rng, 2) == 0 ? v[m] + rng_range(&t->rng, -2, 2)
                                              : random_value(t, v, m);
        }
        if (meets(r, v) && is_instance(t, v))
            keep_point(t, v);
    }
    return true;
}

// ---- instances

static struct scalar random_scalar(struct trial_run *t, enum elem e)
{
    int64_t k = rng_range(&t->rng, -4, 4);
    struct scalar s = scalar_of_int(e, k);
    if (e == ELEM_REAL && rng_below(&t->rng, 3) == 0) {
        struct err why = {0};
        (void)eval_binary(OP_DIVIDE, e, s, scalar_of_int(e, 2), &s, &why);
    }
    return s;
}

static void fill_params(struct trial_run *t)
{
    const struct rule *r = t->r;
    uint32_t n = r->n_tensors + r->n_scalars;
    bool special = rng_below(&t->rng, 2) == 0;
    t->param = ARENA_NEW(&t->mem, struct value, n + 1);
    for (uint32_t i = 0; i < n; i++) {
        term_id id = i < r->n_tensors ? t->inst->tensor[i]
                                      : t->inst->scalar[i - r->n_tensors];
        type_id type = term_type(&t->terms, id);
        enum elem e = type_elem(&t->pool, type);
        t->param[i] = value_random(&t->pool, type, &t->rng, special, &t->mem);
        if (special && !elem_is_ideal(e))
            continue;
        for (int64_t k = 0; k < type_count(&t->pool, type); k++)
            scalar_store(e, t->param[i].data, (size_t)k, random_scalar(t, e));
    }
}

static bool evaluate(struct trial_run *t, uint32_t n, const term_id *roots,
                     struct value *out)
{
    struct err e = {0};
    return eval_terms(&t->terms, n, roots, t->r->n_tensors + t->r->n_scalars,
                      t->param, &t->mem, out, &e);
}

static bool conditions_hold(struct trial_run *t)
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

static bool sides_differ(struct trial_run *t)
{
    struct value v[2];
    term_id roots[] = {t->lhs, t->rhs};
    if (!evaluate(t, 2, roots, v))
        return false;
    enum elem e = type_elem(&t->pool, v[0].type);
    for (int64_t i = 0; i < type_count(&t->pool, v[0].type); i++) {
        struct scalar a = scalar_load(e, v[0].data, (size_t)i);
        struct scalar b = scalar_load(e, v[1].data, (size_t)i);
        if (!scalar_same(e, a, b) &&
            !(scalar_is_nan(e, a) && scalar_is_nan(e, b)))
            return true;
    }
    return false;
}

static bool small(struct trial_run *t)
{
    struct u32_vec ids = {0};
    term_id roots[] = {t->lhs, t->rhs};
    bool ok = true;
    terms_reach(&t->terms, 2, roots, &ids);
    for (uint32_t i = 0; i < ids.len && ok; i++)
        ok = type_count(&t->pool, term_type(&t->terms, (term_id){ids.at[i]})) <=
             MOST_ELEMENTS;
    vec_release(&ids);
    return ok;
}

static void choose_instance(struct trial_run *t, unsigned most)
{
    const struct rule *r = t->r;
    uint32_t axes = 0;
    for (uint32_t c = 0; c < r->n_classes; c++) {
        uint32_t f = first_like(r, c), least = r->classes[c].least_rank;
        uint32_t top = axes >= 5 ? 1 : most;
        if (top < least)
            top = least;
        t->rank[c] =
            f != c ? t->rank[f]
            : r->classes[c].single
                ? 1
                : least + (uint32_t)rng_below(&t->rng, top - least + 1);
        axes += t->rank[c];
    }
    for (uint32_t c = 0; c < r->n_classes; c++) {
        if (first_like(r, c) != c)
            continue;
        for (uint32_t k = 0; k < t->rank[c]; k++) {
            uint32_t p = (uint32_t)rng_below(&t->rng, t->n_points[c]);
            for (uint32_t m = 0; m < r->n_maps; m++)
                if (first_like(r, r->maps[m].cls) == c)
                    t->map[m][k] = t->point[c][p][m];
        }
    }
}

static bool run_one(struct trial_run *t, unsigned most, bool *broken)
{
    struct err e = {0};
    choose_instance(t, most);
    if (!choose_types(t))
        return false;
    enum ground_status s = ground(t, &e);
    if (s == GROUND_PRE_FALSE || s == GROUND_LHS_INVALID)
        return false;
    if (s == GROUND_RHS_INVALID && e.kind == ERR_LIMIT)
        return false; // a literal that is no value of the type
    if (s == GROUND_OK && !small(t))
        return false;
    fill_params(t);
    if (!conditions_hold(t))
        return false;
    if (float_mode(t) == DOMAIN_FLOAT &&
        !instance_monoids(t->inst, DOMAIN_FLOAT, &e))
        return false;
    *broken = s != GROUND_OK || sides_differ(t);
    return true;
}

static void describe(const struct trial_run *t, struct buf *out)
{
    const struct rule *r = t->r;
    for (uint32_t c = 0; c < r->n_classes; c++)
        buf_printf(out, "%s%s rank %u", c ? ", " : "", r->classes[c].name,
                   t->rank[c]);
    buf_putc(out, ':');
    for (uint32_t m = 0; m < r->n_maps; m++) {
        buf_printf(out, " %s=", r->maps[m].name);
        for (uint32_t k = 0; k < t->rank[r->maps[m].cls]; k++)
            buf_printf(out, "%s%lld", k ? "," : "", (long long)t->map[m][k]);
    }
}

static bool relabels(const struct rule *r)
{
    for (uint32_t i = 0; i < r->n_pats; i++)
        if (r->pats[i].kind == PAT_RELABEL)
            return true;
    return false;
}

void trial_rule(const struct rule *r, const struct trial_options *o,
                struct trial_result *out)
{
    struct trial_run t = {.r = r, .o = o};
    enum domain domains[N_DOMAINS];
    uint32_t n = 0;
    unsigned mask = o->domains != 0 ? o->domains : r->claims;
    unsigned most = o->most_rank != 0 ? o->most_rank : relabels(r) ? 3 : 2;
    double stop = o->seconds > 0 ? clock_wall() + o->seconds : 0;
    memset(out, 0, sizeof *out);
    for (int d = 0; d < N_DOMAINS; d++)
        if (mask >> d & 1)
            domains[n++] = (enum domain)d;
    if (n == 0 || r->n_maps > 64 || r->n_classes > 64)
        return;
    rng_seed(&t.rng, o->seed);
    t.domain = domains[0];
    if (find_points(&t, stop))
        for (uint64_t k = 0; k < 8 * (uint64_t)o->instances &&
                             out->instances < o->instances && !out->broken;
             k++) {
            t.domain = domains[k % n];
            begin(&t);
            out->instances += run_one(&t, most, &out->broken);
            if (out->broken) {
                out->domain = t.domain;
                describe(&t, &out->instance);
            }
            end(&t);
            if (stop > 0 && k % 64 == 0 && clock_wall() > stop)
                break;
        }
    arena_release(&t.keep);
}
