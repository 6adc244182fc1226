// SPDX-License-Identifier: Apache-2.0
// Overlaps of left sides: parts of one that take the place of a tensor of another.
// A loop may need the structure of several left sides at once; then the sides of
// no single rule lead into it.
//
// Parts come from rules with one class of axes whose maps are one size, because
// such a left side has an instance of any shape.
#include "discover/lint/core.h"

#define FIRST_PARAMETER 16 // number of the first parameter of a part

static bool fits_any_shape(const struct rule *rule)
{
    return rule->n_classes == 1 && rule->n_maps == 1 && rule->n_opvars == 0 &&
           rule->n_wheres == 0 && !rule->classes[0].block;
}

// Builds the left side with axes of these sizes and elements of this type.
static bool side_of_shape(const struct rule *rule, struct terms *terms, type_id type,
                          struct arena *mem, term_id *lhs)
{
    uint32_t rank = type_rank(terms->pool, type);
    enum elem *elem = ARENA_NEW(mem, enum elem, rule->n_types + 1);
    int64_t *size = ARENA_NEW(mem, int64_t, rank + 1), *map[1] = {size};
    struct err err = {0};
    term_id rhs;
    for (uint32_t i = 0; i < rank; i++)
        size[i] = type_dims(terms->pool, type)[i];
    for (uint32_t i = 0; i < rule->n_types; i++) {
        elem[i] = type_elem(terms->pool, type);
        if (!(elem_kind(elem[i]) & rule->types[i].kinds))
            elem[i] = ELEM_I1;
    }
    struct ground ground = {.rank = &rank, .map = map, .elem = elem};
    return rule_ground(rule, &ground, (struct ground_place){terms, NULL, mem},
                       (struct ground_out){NULL, lhs, &rhs, NULL}, &err) == GROUND_OK;
}

// Renumbers the parameters of the part, so that they differ from those of the
// term around it.
static term_id own_parameters(struct terms *terms, term_id term)
{
    struct u32_vec ids = {0};
    terms_reach(terms, 1, &term, &ids);
    for (uint32_t i = 0; i < ids.len; i++) {
        term_id p = {ids.at[i]};
        if (term_op(terms, p) != OP_PARAMETER)
            continue;
        const int64_t *at = attr_at(terms->pool, term_at(terms, p)->attr);
        if (at[1] >= FIRST_PARAMETER)
            continue;
        int64_t to[2] = {at[0], at[1] + FIRST_PARAMETER};
        term = term_replace(terms, term, p,
                            term_make(terms, OP_PARAMETER, attr_make(terms->pool, 2, to),
                                      term_type(terms, p), 0, NULL));
    }
    vec_release(&ids);
    return term;
}

static void add_part(struct u32_vec *out, term_id term)
{
    for (uint32_t i = 0; i < out->len; i++)
        if (out->at[i] == term.v)
            return;
    vec_push(out, term.v);
}

void lint_parts(const struct lint_run *run, struct terms *terms, type_id type, struct arena *mem,
                struct u32_vec *out)
{
    struct u32_vec ids = {0};
    out->len = 0;
    for (uint32_t i = 0; i < run->n; i++) {
        term_id lhs;
        if (run->steps.rule.at[i].off || !fits_any_shape(run->rule[i].rule) ||
            !side_of_shape(run->rule[i].rule, terms, type, mem, &lhs))
            continue;
        terms_reach(terms, 1, &lhs, &ids);
        for (uint32_t k = 0; k < ids.len; k++) {
            term_id term = {ids.at[k]};
            if (term_op(terms, term) != OP_PARAMETER && term_at(terms, term)->n_args > 0 &&
                term_type(terms, term).v == type.v)
                add_part(out, own_parameters(terms, term));
        }
    }
    vec_release(&ids);
}
