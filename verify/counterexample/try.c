// SPDX-License-Identifier: Apache-2.0
// One candidate: both sides built by rule_ground, evaluated by the interpreter
// and compared.
#include "tensor/eval/eval.h"
#include "verify/counterexample/parts.h"
#include <math.h>

// Terms of old grounds are dropped after so many.
#define GROUNDS_PER_POOL 64

struct cex_case *cex_case_new(const struct rule *r, struct arena *mem)
{
    struct cex_case *c = ARENA_NEW(mem, struct cex_case, 1);
    c->index_elem = ELEM_I32;
    c->rank = ARENA_NEW(mem, uint32_t, r->n_classes);
    c->map = ARENA_NEW(mem, int64_t *, r->n_maps);
    c->elem = ARENA_NEW(mem, enum elem, r->n_types);
    c->op = ARENA_NEW(mem, struct cex_op, r->n_opvars);
    c->param = ARENA_NEW(mem, struct cex_values, r->n_tensors + r->n_scalars);
    return c;
}

void cex_case_maps(const struct rule *r, struct cex_case *c, struct arena *mem)
{
    for (uint32_t m = 0; m < r->n_maps; m++)
        c->map[m] = ARENA_NEW(mem, int64_t, c->rank[r->maps[m].cls]);
}

struct cex_case *cex_case_copy(const struct rule *r, const struct cex_case *c,
                               struct arena *mem)
{
    struct cex_case *n = cex_case_new(r, mem);
    n->domain = c->domain;
    n->approximate = c->approximate;
    n->index_elem = c->index_elem;
    for (uint32_t i = 0; i < r->n_classes; i++)
        n->rank[i] = c->rank[i];
    cex_case_maps(r, n, mem);
    for (uint32_t m = 0; m < r->n_maps; m++)
        for (uint32_t i = 0; i < c->rank[r->maps[m].cls]; i++)
            n->map[m][i] = c->map[m][i];
    for (uint32_t i = 0; i < r->n_types; i++)
        n->elem[i] = c->elem[i];
    for (uint32_t i = 0; i < r->n_opvars; i++)
        n->op[i] = c->op[i];
    for (uint32_t i = 0; i < r->n_tensors + r->n_scalars; i++) {
        n->param[i].count = c->param[i].count;
        n->param[i].at = ARENA_NEW(mem, struct scalar, c->param[i].count);
        for (uint64_t k = 0; k < c->param[i].count; k++)
            n->param[i].at[k] = c->param[i].at[k];
    }
    return n;
}

void cex_evaluator_init(struct cex_evaluator *l, const struct rule *r)
{
    *l = (struct cex_evaluator){.r = r, .n_params = r->n_tensors + r->n_scalars};
    pool_init(&l->pool);
    terms_init(&l->terms, &l->pool);
}

void cex_evaluator_release(struct cex_evaluator *l)
{
    terms_release(&l->terms);
    pool_release(&l->pool);
    arena_release(&l->mem);
}

static void lab_renew(struct cex_evaluator *l)
{
    if (++l->grounds % GROUNDS_PER_POOL == 0) {
        terms_release(&l->terms);
        pool_release(&l->pool);
        pool_init(&l->pool);
        terms_init(&l->terms, &l->pool);
    }
    arena_reset(&l->mem, (struct arena_mark){0});
}

// Types of the parameters and room for their elements.
static bool make_params(struct cex_evaluator *l, struct cex_case *c,
                        struct arena *mem)
{
    const struct rule *r = l->r;
    l->types = ARENA_NEW(&l->mem, type_id, l->n_params);
    l->values = ARENA_NEW(&l->mem, struct value, l->n_params);
    for (uint32_t i = 0; i < l->n_params; i++) {
        term_id t = i < r->n_tensors ? l->inst->tensor[i]
                                     : l->inst->scalar[i - r->n_tensors];
        if (t.v == NO_TERM.v)
            return false;
        l->types[i] = term_type(&l->terms, t);
        uint64_t count = (uint64_t)type_count(&l->pool, l->types[i]);
        if (count > CEX_MAX_COUNT)
            return false;
        enum elem e = type_elem(&l->pool, l->types[i]);
        l->values[i].type = l->types[i];
        l->values[i].data =
            arena_alloc(&l->mem, (size_t)count * elem_bytes(e) + 1);
        if (c->param[i].count == count && c->param[i].at != NULL)
            continue;
        c->param[i].count = count;
        c->param[i].at = ARENA_NEW(mem, struct scalar, count + 1);
    }
    return true;
}

// No intermediate tensor may be large either.
static bool small_enough(const struct cex_evaluator *l)
{
    struct u32_vec ids = {0};
    term_id roots[2] = {l->lhs, l->rhs};
    bool ok = true;
    terms_reach(&l->terms, 2, roots, &ids);
    for (uint32_t i = 0; ok && i < ids.len; i++)
        ok = type_count(&l->pool, term_type(&l->terms, (term_id){ids.at[i]})) <=
             4 * CEX_MAX_COUNT;
    vec_release(&ids);
    return ok;
}

bool cex_evaluator_ground(struct cex_evaluator *l, struct cex_case *c, struct arena *mem)
{
    const struct rule *r = l->r;
    lab_renew(l);
    struct op_binding *op = ARENA_NEW(&l->mem, struct op_binding, r->n_opvars);
    for (uint32_t i = 0; i < r->n_opvars; i++)
        op[i] =
            (struct op_binding){c->op[i].op, cex_op_attr(&l->pool, &c->op[i])};
    struct ground g = {c->rank, c->map, c->elem, op, c->index_elem};
    l->cond = ARENA_NEW(&l->mem, term_id, r->n_wheres);
    l->why = (struct err){0};
    l->status = rule_ground(r, &g, &l->terms, NULL, &l->mem, &l->inst, &l->lhs,
                            &l->rhs, l->cond, &l->why);
    if (l->status == GROUND_PRE_FALSE || l->status == GROUND_LHS_INVALID)
        return false;
    if (l->status != GROUND_RHS_INVALID && !small_enough(l))
        return false;
    l->in_order = l->status == GROUND_OK && cex_in_order(l->inst);
    return make_params(l, c, mem);
}

static bool all_true(const struct cex_evaluator *l, const struct value *v)
{
    const unsigned char *data = v->data;
    int64_t n = type_count(&l->pool, v->type);
    for (int64_t i = 0; i < n; i++)
        if (data[i] == 0)
            return false;
    return true;
}

// Are the element conditions true everywhere?
static bool conditions_hold(struct cex_evaluator *l)
{
    struct err e = {0};
    for (uint32_t w = 0; w < l->r->n_wheres; w++) {
        struct value v;
        if (l->r->wheres[w].cond != NULL)
            continue;
        if (l->cond[w].v == NO_TERM.v ||
            !eval_terms(&l->terms, 1, &l->cond[w], l->n_params, l->values,
                        &l->mem, &v, &e) ||
            !all_true(l, &v))
            return false;
    }
    return true;
}

static void describe_types(const struct cex_evaluator *l, struct cex_outcome *o)
{
    struct buf b = {0};
    type_print(&l->pool, term_type(&l->terms, l->lhs), &b);
    snprintf(o->text_lhs, sizeof o->text_lhs, "%s", buf_text(&b));
    buf_clear(&b);
    if (l->status == GROUND_TYPE_DIFFERS) {
        type_print(&l->pool, term_type(&l->terms, l->rhs), &b);
        snprintf(o->text_rhs, sizeof o->text_rhs, "%s", buf_text(&b));
    } else {
        snprintf(o->text_rhs, sizeof o->text_rhs, "not well-defined: %.120s",
                 l->why.msg);
    }
    buf_release(&b);
}

static void describe_element(const struct cex_evaluator *l, const struct value *v,
                             struct cex_outcome *o)
{
    type_id t = v[0].type;
    size_t at = (size_t)o->index;
    o->elem = type_elem(&l->pool, t);
    o->rank = type_rank(&l->pool, t);
    for (uint32_t i = 0; i < o->rank; i++)
        o->dims[i] = type_dims(&l->pool, t)[i];
    o->lhs = scalar_load(o->elem, v[0].data, at);
    o->rhs = scalar_load(o->elem, v[1].data, at);
}

static bool all_finite(const struct cex_evaluator *l, const struct value *v)
{
    enum elem t = type_elem(&l->pool, v->type);
    int64_t n = type_count(&l->pool, v->type);
    bool finite = true;
    for (int64_t i = 0; i < n && elem_kind(t) == KIND_FLOAT && finite; i++)
        finite =
            isfinite(scalar_to_double(t, scalar_load(t, v->data, (size_t)i)));
    return finite;
}

// Is every element of every node a finite number?
static bool finite_throughout(struct cex_evaluator *l)
{
    struct u32_vec ids = {0};
    struct err e = {0};
    term_id roots[2] = {l->lhs, l->rhs};
    terms_reach(&l->terms, 2, roots, &ids);
    term_id *id = ARENA_NEW(&l->mem, term_id, ids.len);
    struct value *v = ARENA_NEW(&l->mem, struct value, ids.len);
    for (uint32_t i = 0; i < ids.len; i++)
        id[i] = (term_id){ids.at[i]};
    bool finite = eval_terms(&l->terms, ids.len, id, l->n_params, l->values,
                             &l->mem, v, &e);
    for (uint32_t i = 0; i < ids.len && finite; i++)
        finite = all_finite(l, &v[i]);
    vec_release(&ids);
    return finite;
}

static bool both_zero(const struct cex_outcome *o)
{
    return elem_kind(o->elem) == KIND_FLOAT &&
           scalar_to_double(o->elem, o->lhs) == 0 &&
           scalar_to_double(o->elem, o->rhs) == 0;
}

static enum cex_failure compare_sides(struct cex_evaluator *l,
                                      const struct cex_case *c,
                                      struct cex_outcome *out)
{
    struct err e = {0};
    struct value v[2];
    term_id roots[2] = {l->lhs, l->rhs};
    if (!eval_terms(&l->terms, 2, roots, l->n_params, l->values, &l->mem, v,
                    &e))
        return CEX_DISCARD;
    if (value_same(&l->pool, &v[0], &v[1], 0, &out->index))
        return CEX_NONE;
    enum cex_weight weight = cex_weigh(l, c, &l->mem, out);
    if (l->plain && weight != CEX_NOTHING && !finite_throughout(l))
        return CEX_NONE;
    int64_t n = type_count(&l->pool, v[0].type);
    enum elem t = type_elem(&l->pool, v[0].type);
    for (; weight != CEX_NOTHING && out->index < n; out->index++) {
        describe_element(l, v, out);
        if (scalar_same(t, out->lhs, out->rhs) ||
            (scalar_is_nan(t, out->lhs) && scalar_is_nan(t, out->rhs)) ||
            (l->plain && both_zero(out)))
            continue;
        bool far = cex_far_apart(out, c->approximate);
        if (far && elem_kind(t) == KIND_FLOAT)
            out->n_rounded = 0; // no matter how they round
        if (far || weight == CEX_EXACT)
            return CEX_ELEMENTS;
    }
    return CEX_NONE;
}

enum cex_failure cex_evaluator_run(struct cex_evaluator *l, const struct cex_case *c,
                             struct cex_outcome *out)
{
    struct arena_mark mark = arena_mark(&l->mem);
    *out = (struct cex_outcome){0};
    for (uint32_t i = 0; i < l->n_params; i++)
        for (uint64_t k = 0; k < c->param[i].count; k++)
            scalar_store(type_elem(&l->pool, l->types[i]), l->values[i].data, k,
                         c->param[i].at[k]);
    if (!conditions_hold(l))
        out->failure = CEX_DISCARD;
    else if (l->status == GROUND_OK)
        out->failure = compare_sides(l, c, out);
    else
        out->failure =
            l->status == GROUND_RHS_INVALID ? CEX_RHS_INVALID : CEX_SHAPE;
    if (out->failure == CEX_SHAPE || out->failure == CEX_RHS_INVALID)
        describe_types(l, out);
    arena_reset(&l->mem, mark);
    return out->failure;
}
