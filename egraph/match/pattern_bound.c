// SPDX-License-Identifier: Apache-2.0
// The variables that a side of a rule binds when it is matched, and those that it
// leaves unbound.
#include "egraph/match/pattern_core.h"

#include "rules/conditions.h"
#include "rules/instance/counts.h"

// The variables that the left side binds.
struct pattern_bound {
    bool *tensor, *scalar, *type, *opvar;
    uint64_t classes; // rank known
    struct map_values maps;
};

static void bind_node(struct pattern_compiler *pattern_compiler,
                      const struct pattern_variant *variant, struct pattern_bound *bound,
                      uint32_t i)
{
    const struct rule *rule = pattern_compiler->rule;
    const struct pat *pattern = &rule->pats[i];
    bound->type[pattern->type] = true;
    if (pattern->kind == PAT_TENSOR)
        bound->tensor[pattern->var] = true;
    if (pattern->kind == PAT_SCALAR)
        bound->scalar[pattern->var] = true;
    if (pattern->kind == PAT_OPVAR)
        bound->opvar[pattern->var] = true;
    if (pattern->kind == PAT_OP && op_has_reducer(pattern->op) && pattern->opvar != NONE)
        bound->opvar[pattern->opvar] = true;
    for (uint32_t k = 0; k < pattern->n_sizes; k++)
        if (!class_in_set(variant->empty, pattern->sizes[k].cls))
            for (uint32_t c = 0; c < rule->n_classes; c++)
                if (rule->classes[c].like == rule->classes[pattern->sizes[k].cls].like)
                    bound->classes |= UINT64_C(1) << c;
}

uint32_t pattern_value_family(const struct rule *rule, const struct iexp *expr)
{
    if (expr->op != IE_MAP)
        return NONE;
    const struct map *map = &rule->maps[expr->map];
    return !map->index && map->def == NULL && rule->classes[map->cls].single
               ? rule->classes[map->cls].like
               : NONE;
}

// Solves for the maps as the matcher does, with every value taken as 1: only
// which maps are found matters.
static void bind_maps(struct pattern_compiler *pattern_compiler,
                      const struct pattern_variant *variant, struct pattern_bound *bound)
{
    const struct rule *rule = pattern_compiler->rule;
    bool again = true;
    for (uint32_t m = 0; m < rule->n_maps; m++)
        if (class_in_set(variant->empty, rule->maps[m].cls))
            bound->maps.known[m] = true;
    while (again) {
        again = false;
        for (uint32_t s = 0; s < variant->n_steps; s++) {
            const struct pat *pattern = &rule->pats[variant->step[s]];
            for (uint32_t k = 0; k < pattern->n_sizes; k++)
                equation_binds(rule, pattern->sizes[k].size, &bound->maps, &again);
            for (uint32_t k = 0; k < pattern->n_attrs; k++)
                for (uint32_t j = 0; j < N_ATTRS; j++)
                    if (pattern->attrs[k].expr[j] != NULL)
                        equation_binds(rule, pattern->attrs[k].expr[j], &bound->maps, &again);
            if (pattern->feature_groups != NULL)
                equation_binds(rule, pattern->feature_groups, &bound->maps, &again);
            if (pattern->batch_groups != NULL)
                equation_binds(rule, pattern->batch_groups, &bound->maps, &again);
            if (pattern->value != NULL && pattern_value_family(rule, pattern->value) != NONE)
                equation_binds(rule, pattern->value, &bound->maps, &again);
        }
        for (uint32_t m = 0; m < rule->n_maps; m++)
            if (rule->maps[m].def != NULL && !bound->maps.known[m] &&
                iexp_unknowns(rule, rule->maps[m].def, &bound->maps) == 0)
                again = bound->maps.known[m] = true;
    }
}

static bool has_index(const struct rule *rule, const struct iexp *expr)
{
    if (expr == NULL || expr->op == IE_CONST)
        return false;
    if (expr->op == IE_MAP)
        return rule->maps[expr->map].index;
    return has_index(rule, expr->a) || has_index(rule, expr->b);
}

// Is the element type known of a match?  Of predicates always, and of counts if other counts are
// matched: theirs is taken.
static bool type_is_known(const struct rule *rule, const struct pattern_bound *bound, uint32_t type)
{
    if (bound->type[type] || rule->types[type].kinds == KIND_BOOL)
        return true;
    bool known = false;
    for (uint32_t t = 0; t < rule->n_types && rule_type_is_count(rule, type); t++)
        known |= bound->type[t] && rule_type_is_count(rule, t);
    return known;
}

// Reason why the variables of node i below the target are not all bound.
static const char *unbound_in(struct pattern_compiler *pattern_compiler,
                              const struct pattern_bound *bound, uint32_t i)
{
    const struct rule *rule = pattern_compiler->rule;
    const struct pat *pattern = &rule->pats[i];
    if (pattern->kind == PAT_TENSOR && !bound->tensor[pattern->var])
        return pattern_refuse(pattern_compiler, "tensor % is not on the side that is matched",
                              rule->tensors[pattern->var].name);
    if (pattern->kind == PAT_SCALAR && !bound->scalar[pattern->var])
        return pattern_refuse(pattern_compiler, "scalar % is not on the side that is matched",
                              rule->scalars[pattern->var].name);
    uint32_t o = pattern->kind == PAT_OPVAR ? pattern->var : NONE;
    if ((pattern->kind == PAT_OP && op_has_reducer(pattern->op)) ||
        (pattern->kind == PAT_LITERAL && pattern->lit == LIT_UNIT))
        o = pattern->opvar;
    if (o != NONE && !bound->opvar[o])
        return pattern_refuse(pattern_compiler, "operator % is not on the side that is matched",
                              rule->opvars[o].name);
    if (!type_is_known(rule, bound, pattern->type))
        return pattern_refuse(pattern_compiler, "element type % is not on the side that is matched",
                              rule->types[pattern->type].name);
    for (uint32_t k = 0; k < pattern->n_sizes; k++)
        if (!class_in_set(bound->classes, pattern->sizes[k].cls))
            return pattern_refuse(pattern_compiler, "class % is not on the side that is matched",
                                  rule->classes[pattern->sizes[k].cls].name);
    for (uint32_t k = 0; k < pattern->n_args; k++) {
        const char *why = unbound_in(pattern_compiler, bound, pattern->args[k]);
        if (why != NULL)
            return why;
    }
    return NULL;
}

static void mark_pat(const struct rule *rule, uint32_t i, bool *used)
{
    const struct pat *pattern = &rule->pats[i];
    for (uint32_t k = 0; k < pattern->n_sizes; k++)
        iexp_mark_maps(pattern->sizes[k].size, used);
    for (uint32_t k = 0; k < pattern->n_attrs; k++)
        for (uint32_t j = 0; j < N_ATTRS; j++)
            iexp_mark_maps(pattern->attrs[k].expr[j], used);
    iexp_mark_maps(pattern->feature_groups, used);
    iexp_mark_maps(pattern->batch_groups, used);
    iexp_mark_maps(pattern->value, used);
    for (uint32_t k = 0; k < pattern->n_args; k++)
        mark_pat(rule, pattern->args[k], used);
}

void pattern_mark_used(const struct rule *rule, bool *used)
{
    mark_pat(rule, rule->lhs, used);
    mark_pat(rule, rule->rhs, used);
    for (uint32_t w = 0; w < rule->n_wheres; w++) {
        cond_mark_maps(rule->wheres[w].cond, used);
        if (rule->wheres[w].cond == NULL)
            mark_pat(rule, rule->wheres[w].pat, used);
    }
    for (uint32_t m = rule->n_maps; m-- > 0;) // lets after the maps they use
        if (used[m])
            iexp_mark_maps(rule->maps[m].def, used);
}

// Indices that stand where only a bare one can be matched.
static const char *unmatchable(struct pattern_compiler *pattern_compiler,
                               const struct pattern_variant *variant)
{
    const struct rule *rule = pattern_compiler->rule;
    for (uint32_t s = 0; s < variant->n_steps; s++) {
        const struct pat *pattern = &rule->pats[variant->step[s]];
        if (pattern->value != NULL && has_index(rule, pattern->value))
            return pattern_refuse(pattern_compiler, "a value of a run-time start is not matched",
                                  "");
        for (uint32_t k = 0; k < pattern->n_attrs; k++) {
            const struct iexp *expr = pattern->attrs[k].expr[0];
            if (expr != NULL && has_index(rule, expr) && !iexp_is_index(rule, expr))
                return pattern_refuse(pattern_compiler,
                                      "arithmetic on a run-time start is not matched", "");
        }
    }
    return NULL;
}

const char *pattern_unbound(struct pattern_compiler *pattern_compiler,
                            const struct pattern_variant *variant)
{
    const struct rule *rule = pattern_compiler->rule;
    struct pattern_bound bound;
    bound.tensor = ARENA_NEW(pattern_compiler->mem, bool, rule->n_tensors);
    bound.scalar = ARENA_NEW(pattern_compiler->mem, bool, rule->n_scalars);
    bound.type = ARENA_NEW(pattern_compiler->mem, bool, rule->n_types);
    bound.opvar = ARENA_NEW(pattern_compiler->mem, bool, rule->n_opvars);
    bound.classes = variant->empty;
    bound.maps = map_values_new(rule, pattern_compiler->mem);
    for (uint32_t s = 0; s < variant->n_steps; s++)
        bind_node(pattern_compiler, variant, &bound, variant->step[s]);
    bind_maps(pattern_compiler, variant, &bound);
    const char *why = unmatchable(pattern_compiler, variant);
    if (why == NULL)
        why = unbound_in(pattern_compiler, &bound, pattern_compiler->pattern->target);
    bool *used = pattern_compiler->pattern->used;
    for (uint32_t k = 0; k < rule->n_wheres && why == NULL; k++) {
        if (rule->wheres[k].cond == NULL)
            why = unbound_in(pattern_compiler, &bound, rule->wheres[k].pat);
    }
    for (uint32_t m = 0; m < rule->n_maps && why == NULL; m++)
        if (used[m] && !bound.maps.known[m])
            why = pattern_refuse(pattern_compiler, "map % is not bound by the side that is matched",
                                 rule->maps[m].name);
    for (uint32_t i = 0; i < rule->n_tensors && why == NULL; i++)
        if (!bound.tensor[i])
            why = pattern_refuse(pattern_compiler, "tensor % is not on the side that is matched",
                                 rule->tensors[i].name);
    return why;
}
