// SPDX-License-Identifier: Apache-2.0
// Where left sides overlap: parts of one that stand for a tensor of another.
// A loop may need the structure of several left sides at once, and then no
// rule's own sides lead into it.
//
// Parts come from rules with one class of axes whose maps are one size: their
// left side has an instance of any shape.
#include "discover/lint/core.h"

#define FIRST_PARAMETER 16 // of a part

static bool fits_any_shape(const struct rule *r)
{
    return r->n_classes == 1 && r->n_maps == 1 && r->n_opvars == 0 &&
           r->n_wheres == 0 && !r->classes[0].block;
}

// The left side with axes of these sizes and such elements.
static bool side_of_shape(const struct rule *r, struct terms *t, type_id type,
                          struct arena *mem, term_id *lhs)
{
    uint32_t rank = type_rank(t->pool, type);
    enum elem *elem = ARENA_NEW(mem, enum elem, r->n_types + 1);
    int64_t *size = ARENA_NEW(mem, int64_t, rank + 1), *map[1] = {size};
    struct err e = {0};
    term_id rhs;
    for (uint32_t i = 0; i < rank; i++)
        size[i] = type_dims(t->pool, type)[i];
    for (uint32_t i = 0; i < r->n_types; i++) {
        elem[i] = type_elem(t->pool, type);
        if (!(elem_kind(elem[i]) & r->types[i].kinds))
            elem[i] = ELEM_I1;
    }
    struct ground g = {.rank = &rank, .map = map, .elem = elem};
    return rule_ground(r, &g, t, NULL, mem, NULL, lhs, &rhs, NULL, &e) ==
           GROUND_OK;
}

// Its parameters become others than those of the term it goes into.
static term_id own_parameters(struct terms *t, term_id x)
{
    struct u32_vec ids = {0};
    terms_reach(t, 1, &x, &ids);
    for (uint32_t i = 0; i < ids.len; i++) {
        term_id p = {ids.at[i]};
        if (term_op(t, p) != OP_PARAMETER)
            continue;
        const int64_t *at = attr_at(t->pool, term_at(t, p)->attr);
        if (at[1] >= FIRST_PARAMETER)
            continue;
        int64_t to[2] = {at[0], at[1] + FIRST_PARAMETER};
        x = term_replace(t, x, p,
                         term_make(t, OP_PARAMETER, attr_make(t->pool, 2, to),
                                   term_type(t, p), 0, NULL));
    }
    vec_release(&ids);
    return x;
}

static void add_part(struct u32_vec *out, term_id x)
{
    for (uint32_t i = 0; i < out->len; i++)
        if (out->at[i] == x.v)
            return;
    vec_push(out, x.v);
}

void lint_parts(const struct lint_run *w, struct terms *t, type_id type,
                struct arena *mem, struct u32_vec *out)
{
    struct u32_vec ids = {0};
    out->len = 0;
    for (uint32_t i = 0; i < w->n; i++) {
        term_id lhs;
        if (w->steps.rule.at[i].off || !fits_any_shape(w->rule[i].r) ||
            !side_of_shape(w->rule[i].r, t, type, mem, &lhs))
            continue;
        terms_reach(t, 1, &lhs, &ids);
        for (uint32_t k = 0; k < ids.len; k++) {
            term_id x = {ids.at[k]};
            if (term_op(t, x) != OP_PARAMETER && term_at(t, x)->n_args > 0 &&
                term_type(t, x).v == type.v)
                add_part(out, own_parameters(t, x));
        }
    }
    vec_release(&ids);
}
