// SPDX-License-Identifier: Apache-2.0
// What a side of a rule binds when it is matched, and what it leaves unbound.
#include "egraph/match/pattern_core.h"

// What the left side binds.
struct pattern_bound {
    bool *tensor, *scalar, *type, *opvar;
    uint64_t classes; // rank known
    struct map_values maps;
};

static void bind_node(struct pattern_compiler *w, const struct pattern_variant *v,
                      struct pattern_bound *b, uint32_t i)
{
    const struct rule *r = w->r;
    const struct pat *p = &r->pats[i];
    b->type[p->type] = true;
    if (p->kind == PAT_TENSOR)
        b->tensor[p->var] = true;
    if (p->kind == PAT_SCALAR)
        b->scalar[p->var] = true;
    if (p->kind == PAT_OPVAR)
        b->opvar[p->var] = true;
    if (p->kind == PAT_OP && op_has_reducer(p->op) && p->opvar != NONE)
        b->opvar[p->opvar] = true;
    for (uint32_t k = 0; k < p->n_sizes; k++)
        if (!class_in_set(v->empty, p->sizes[k].cls))
            for (uint32_t c = 0; c < r->n_classes; c++)
                if (r->classes[c].like == r->classes[p->sizes[k].cls].like)
                    b->classes |= UINT64_C(1) << c;
}

uint32_t pattern_value_family(const struct rule *r, const struct iexp *x)
{
    if (x->op != IE_MAP)
        return NONE;
    const struct map *m = &r->maps[x->map];
    return !m->index && m->def == NULL && r->classes[m->cls].single
               ? r->classes[m->cls].like
               : NONE;
}

// Solves for the maps as the matcher does, with every value taken as 1: only
// which maps are found matters.
static void bind_maps(struct pattern_compiler *w, const struct pattern_variant *v,
                      struct pattern_bound *b)
{
    const struct rule *r = w->r;
    bool again = true;
    for (uint32_t m = 0; m < r->n_maps; m++)
        if (class_in_set(v->empty, r->maps[m].cls))
            b->maps.known[m] = true;
    while (again) {
        again = false;
        for (uint32_t s = 0; s < v->n_steps; s++) {
            const struct pat *p = &r->pats[v->step[s]];
            for (uint32_t k = 0; k < p->n_sizes; k++)
                equation_binds(r, p->sizes[k].size, &b->maps, &again);
            for (uint32_t k = 0; k < p->n_attrs; k++)
                for (uint32_t j = 0; j < N_ATTRS; j++)
                    if (p->attrs[k].v[j] != NULL)
                        equation_binds(r, p->attrs[k].v[j], &b->maps, &again);
            if (p->feature_groups != NULL)
                equation_binds(r, p->feature_groups, &b->maps, &again);
            if (p->batch_groups != NULL)
                equation_binds(r, p->batch_groups, &b->maps, &again);
            if (p->value != NULL && pattern_value_family(r, p->value) != NONE)
                equation_binds(r, p->value, &b->maps, &again);
        }
        for (uint32_t m = 0; m < r->n_maps; m++)
            if (r->maps[m].def != NULL && !b->maps.known[m] &&
                iexp_unknowns(r, r->maps[m].def, &b->maps) == 0)
                again = b->maps.known[m] = true;
    }
}

static bool has_index(const struct rule *r, const struct iexp *x)
{
    if (x == NULL || x->op == IE_CONST)
        return false;
    if (x->op == IE_MAP)
        return r->maps[x->map].index;
    return has_index(r, x->a) || has_index(r, x->b);
}

static void mark_maps(const struct iexp *x, bool *used)
{
    if (x == NULL)
        return;
    if (x->op == IE_MAP)
        used[x->map] = true;
    mark_maps(x->a, used);
    mark_maps(x->b, used);
}

static void mark_cond(const struct cond *c, bool *used)
{
    if (c == NULL)
        return;
    mark_maps(c->a, used);
    mark_maps(c->b, used);
    mark_cond(c->l, used);
    mark_cond(c->r, used);
}

// Reason why the variables of node i below the target are not all bound.
static const char *unbound_in(struct pattern_compiler *w, const struct pattern_bound *b,
                              uint32_t i)
{
    const struct rule *r = w->r;
    const struct pat *p = &r->pats[i];
    if (p->kind == PAT_TENSOR && !b->tensor[p->var])
        return pattern_refuse(w, "tensor % is not on the side that is matched",
                              r->tensors[p->var].name);
    if (p->kind == PAT_SCALAR && !b->scalar[p->var])
        return pattern_refuse(w, "scalar % is not on the side that is matched",
                              r->scalars[p->var].name);
    uint32_t o = p->kind == PAT_OPVAR ? p->var : NONE;
    if ((p->kind == PAT_OP && op_has_reducer(p->op)) ||
        (p->kind == PAT_LITERAL && p->lit == LIT_UNIT))
        o = p->opvar;
    if (o != NONE && !b->opvar[o])
        return pattern_refuse(w,
                              "operator % is not on the side that is matched",
                              r->opvars[o].name);
    if (!b->type[p->type] && r->types[p->type].kinds != KIND_BOOL)
        return pattern_refuse(
            w, "element type % is not on the side that is matched",
            r->types[p->type].name);
    for (uint32_t k = 0; k < p->n_sizes; k++)
        if (!class_in_set(b->classes, p->sizes[k].cls))
            return pattern_refuse(w,
                                  "class % is not on the side that is matched",
                                  r->classes[p->sizes[k].cls].name);
    for (uint32_t k = 0; k < p->n_args; k++) {
        const char *why = unbound_in(w, b, p->args[k]);
        if (why != NULL)
            return why;
    }
    return NULL;
}

static void mark_pat(const struct rule *r, uint32_t i, bool *used)
{
    const struct pat *p = &r->pats[i];
    for (uint32_t k = 0; k < p->n_sizes; k++)
        mark_maps(p->sizes[k].size, used);
    for (uint32_t k = 0; k < p->n_attrs; k++)
        for (uint32_t j = 0; j < N_ATTRS; j++)
            mark_maps(p->attrs[k].v[j], used);
    mark_maps(p->feature_groups, used);
    mark_maps(p->batch_groups, used);
    mark_maps(p->value, used);
    for (uint32_t k = 0; k < p->n_args; k++)
        mark_pat(r, p->args[k], used);
}

void pattern_mark_used(const struct rule *r, bool *used)
{
    mark_pat(r, r->lhs, used);
    mark_pat(r, r->rhs, used);
    for (uint32_t w = 0; w < r->n_wheres; w++) {
        mark_cond(r->wheres[w].cond, used);
        if (r->wheres[w].cond == NULL)
            mark_pat(r, r->wheres[w].pat, used);
    }
    for (uint32_t m = r->n_maps; m-- > 0;) // lets after the maps they use
        if (used[m])
            mark_maps(r->maps[m].def, used);
}

// Indices that stand where only a bare one can be matched.
static const char *unmatchable(struct pattern_compiler *w, const struct pattern_variant *v)
{
    const struct rule *r = w->r;
    for (uint32_t s = 0; s < v->n_steps; s++) {
        const struct pat *p = &r->pats[v->step[s]];
        if (p->value != NULL && has_index(r, p->value))
            return pattern_refuse(
                w, "a value of a run-time start is not matched", "");
        for (uint32_t k = 0; k < p->n_attrs; k++) {
            const struct iexp *x = p->attrs[k].v[0];
            if (x != NULL && has_index(r, x) && !iexp_is_index(r, x))
                return pattern_refuse(
                    w, "arithmetic on a run-time start is not matched", "");
        }
    }
    return NULL;
}

const char *pattern_unbound(struct pattern_compiler *w, const struct pattern_variant *v)
{
    const struct rule *r = w->r;
    struct pattern_bound b;
    b.tensor = ARENA_NEW(w->mem, bool, r->n_tensors);
    b.scalar = ARENA_NEW(w->mem, bool, r->n_scalars);
    b.type = ARENA_NEW(w->mem, bool, r->n_types);
    b.opvar = ARENA_NEW(w->mem, bool, r->n_opvars);
    b.classes = v->empty;
    b.maps = map_values_new(r, w->mem);
    for (uint32_t s = 0; s < v->n_steps; s++)
        bind_node(w, v, &b, v->step[s]);
    bind_maps(w, v, &b);
    const char *why = unmatchable(w, v);
    if (why == NULL)
        why = unbound_in(w, &b, w->p->target);
    bool *used = w->p->used;
    for (uint32_t k = 0; k < r->n_wheres && why == NULL; k++) {
        if (r->wheres[k].cond == NULL)
            why = unbound_in(w, &b, r->wheres[k].pat);
    }
    for (uint32_t m = 0; m < r->n_maps && why == NULL; m++)
        if (used[m] && !b.maps.known[m])
            why = pattern_refuse(
                w, "map % is not bound by the side that is matched",
                r->maps[m].name);
    for (uint32_t i = 0; i < r->n_tensors && why == NULL; i++)
        if (!b.tensor[i])
            why =
                pattern_refuse(w, "tensor % is not on the side that is matched",
                               r->tensors[i].name);
    return why;
}
