// SPDX-License-Identifier: Apache-2.0
// The pair as an instance of the rule that was written from it: classes, maps, types and
// variables are known by their names, so nothing is searched for.  The matcher leaves out some
// uses (egraph/match/match.h); this check does not.
#include "discover/examples/match.h"
#include "discover/examples/search.h"
#include "rules/instance/instance.h"

struct making {
    struct search *search;
    struct matching *matching;
    const struct rule *rule;
    struct instance *in;
    struct arena mem;
};

static uint32_t rule_class(const struct making *making, uint32_t cls)
{
    for (uint32_t c = 0; c < making->rule->n_classes; c++)
        if (strcmp(making->rule->classes[c].name, making->search->pair->classes.at[cls].name) == 0)
            return c;
    return NONE;
}

// The axes of a node's dimensions, by position.  False: the rule lacks a class.
static bool order_of(struct making *making, uint32_t at, struct order *out)
{
    struct pair *pair = making->search->pair;
    const struct node *node = &pair->nodes.at[at];
    out->n = node->rank;
    out->axis = ARENA_NEW(&making->mem, uint32_t, node->rank + 1);
    for (uint32_t i = 0; i < node->rank; i++) {
        uint32_t cls = pair->class_of.at[node->dim + i], c = rule_class(making, cls), k = 0;
        if (c == NONE)
            return false;
        while (pair->classes.at[cls].axis[k] != dim_find(pair, node->dim + i))
            k++;
        out->axis[i] = making->in->class_axes[c][k];
    }
    return true;
}

static bool set_maps(struct making *making)
{
    const struct rule *rule = making->rule;
    struct pair *pair = making->search->pair;
    for (uint32_t m = 0; m < rule->n_maps; m++) {
        uint32_t cls = example_class(pair, rule->classes[rule->maps[m].cls].name);
        for (uint32_t k = 0; cls != NONE && k < pair->classes.at[cls].n; k++) {
            int64_t value;
            if (!pair_map_value(pair, cls, rule->maps[m].name, k, &value))
                return false;
            if (rule->maps[m].index)
                making->in->index[m][k] =
                    matching_term(making->matching, (term_id){(uint32_t)value - 1});
            else
                making->in->map[m][k] = value;
        }
    }
    return true;
}

static bool set_variables(struct making *making)
{
    const struct rule *rule = making->rule;
    struct pair *pair = making->search->pair;
    struct pool *pool = pair->terms->pool;
    bool ok = true;
    for (uint32_t i = 0; i < rule->n_tensors && ok; i++) {
        uint32_t k = 0;
        while (k < pair->tensors.len &&
               strcmp(pair->tensors.at[k].name, rule->tensors[i].name) != 0)
            k++;
        ok = k < pair->tensors.len &&
             order_of(making, pair->tensors.at[k].node, &making->in->order[i]);
        if (ok)
            making->in->tensor[i] = matching_term(making->matching, pair->tensors.at[k].term);
    }
    for (uint32_t i = 0; i < rule->n_scalars && ok; i++) {
        bool found = false;
        for (uint32_t k = 0; k < pair->scalars.len && !found; k++)
            if (strcmp(pair->scalars.at[k].name, rule->scalars[i].name) == 0) {
                making->in->scalar[i] = matching_term(making->matching, pair->scalars.at[k].term);
                found = true;
            }
        for (uint32_t k = 0; k < pair->constants.len && !found; k++)
            if (strcmp(pair->constants.at[k].name, rule->scalars[i].name) == 0) {
                const struct constant *one = &pair->constants.at[k];
                struct err err = {0};
                type_id type;
                found = type_tensor(pool, one->elem, 0, NULL, &type, &err);
                if (found)
                    making->in->scalar[i] = term_constant(
                        &making->matching->terms, literal_splat(pool, one->elem, one->value), type);
            }
        ok = found;
    }
    return ok;
}

static bool set_types(struct making *making)
{
    struct pair *pair = making->search->pair;
    for (uint32_t t = 0; t < making->rule->n_types; t++) {
        bool found = false;
        for (uint32_t i = 0; i < pair->nodes.len && !found; i++)
            if (type_find(pair, i) == i &&
                strcmp(pair_text(pair, "T%u", i), making->rule->types[t].name) == 0) {
                making->in->elem[t] =
                    type_elem(pair->terms->pool, term_type(pair->terms, pair->nodes.at[i].term));
                found = true;
            }
        if (!found)
            return false;
    }
    return true;
}

static bool set_instance(struct making *making, struct order *wanted)
{
    const struct rule *rule = making->rule;
    struct pair *pair = making->search->pair;
    uint32_t *rank = ARENA_NEW(&making->mem, uint32_t, rule->n_classes + 1), which;
    struct err err = {0};
    for (uint32_t c = 0; c < rule->n_classes; c++) {
        uint32_t cls = example_class(pair, rule->classes[c].name);
        if (cls == NONE)
            return false;
        rank[c] = pair->classes.at[cls].n;
    }
    making->in = instance_new(rule, rank, &making->mem);
    making->in->index_elem = ELEM_I32;
    for (uint32_t d = 0; d < pair->dims.len; d++)
        if (pair->dims.at[d].start != 0)
            making->in->index_elem = type_elem(
                pair->terms->pool, term_type(pair->terms, (term_id){pair->dims.at[d].start - 1}));
    if (!set_maps(making) || !set_variables(making) || !set_types(making) ||
        !order_of(making, pair->before, wanted) || !instance_lets(making->in, &err))
        return false;
    instance_orient(making->in, rule->lhs, wanted);
    instance_orient(making->in, rule->rhs, wanted);
    return instance_where(making->in, &which) && instance_wider(making->in, &err) &&
           instance_check(making->in, &making->matching->terms, &err);
}

// Operators may have their dimensions in several orders; some of them are tried.
static bool side_is(struct making *making, uint32_t root, const struct order *wanted,
                    term_id program)
{
    struct builder builder = builder_egraph(&making->matching->graph);
    struct rng rng;
    rng_seed(&rng, 1);
    for (uint32_t i = 0; i < EXAMPLE_ORDERS; i++) {
        struct err err = {0};
        term_id term;
        if (i > 0)
            instance_shuffle(making->in, root, wanted, &rng);
        if (!instance_build_as(making->in, root, wanted, &builder, &term, &err))
            continue;
        egraph_rebuild(&making->matching->graph);
        if (egraph_same(&making->matching->graph, term, program) &&
            instance_check(making->in, &making->matching->terms, &err))
            return true;
    }
    return false;
}

enum example_match example_is_instance(struct search *search, const struct example *example,
                                       const struct rule *rule)
{
    struct matching matching;
    struct making making = {.search = search, .matching = &matching, .rule = rule};
    struct order wanted = {0};
    enum example_match match = MATCH_NONE;
    matching_start(&matching, example, true, READ_FLOAT);
    if (rule->n_opvars == 0 && set_instance(&making, &wanted)) {
        for (uint32_t i = 0; i < rule->n_scalars; i++)
            egraph_add_term(&matching.graph, making.in->scalar[i]);
        if (side_is(&making, rule->lhs, &wanted, matching.before))
            match =
                side_is(&making, rule->rhs, &wanted, matching.after) ? MATCH_PAIR : MATCH_BEFORE;
    }
    matching_end(&matching);
    arena_release(&making.mem);
    return match;
}
