// SPDX-License-Identifier: Apache-2.0
#include "egraph/extract/scope.h"

#include "tensor/program/region.h"

// Scopes of one node, while they are computed.
struct scope_set {
    uint32_t n, at[8];
};

static uint32_t *list_of(struct class_scopes *scopes, class_id class)
{
    return &scopes->of.at[egraph_class(scopes->graph, class)->oldest];
}

// Adds a scope that no scope of the set is around; those inside it go.
static void set_add(const struct terms *terms, struct scope_set *set, uint32_t scope)
{
    uint32_t n = 0;
    if (scope == SCOPE_NONE)
        return;
    for (uint32_t i = 0; i < set->n; i++)
        if (scope_has(terms, scope, set->at[i]))
            return;
    for (uint32_t i = 0; i < set->n; i++)
        if (!scope_has(terms, set->at[i], scope))
            set->at[n++] = set->at[i];
    set->n = n;
    if (n < sizeof set->at / sizeof *set->at)
        set->at[set->n++] = scope;
}

static struct scope_set node_scopes(struct class_scopes *scopes, term_id node)
{
    const struct terms *terms = scopes->graph->terms;
    struct scope_set set = {1, {scope_of_node(terms, node)}};
    for (uint32_t k = 0; set.n > 0 && k < term_at(terms, node)->n_args; k++) {
        class_id arg = egraph_find(scopes->graph, term_args(terms, node)[k]);
        struct scope_set next = {0};
        for (uint32_t i = *list_of(scopes, arg); i != 0; i = scopes->list.at[i - 1].next)
            for (uint32_t s = 0; s < set.n; s++)
                set_add(terms, &next,
                        scope_join(terms, set.at[s],
                                   scope_outside(terms, node, k, scopes->list.at[i - 1].scope)));
        set = next;
    }
    return set;
}

// Adds the scopes of a node to those of its class.
static bool add_node(struct class_scopes *scopes, term_id node)
{
    const struct terms *terms = scopes->graph->terms;
    struct scope_set set = node_scopes(scopes, node);
    uint32_t *list = list_of(scopes, egraph_find(scopes->graph, node));
    struct scope_set all = {0};
    bool news = false;
    for (uint32_t i = *list; i != 0; i = scopes->list.at[i - 1].next)
        set_add(terms, &all, scopes->list.at[i - 1].scope);
    for (uint32_t s = 0; s < set.n; s++) {
        struct scope_set before = all;
        set_add(terms, &all, set.at[s]);
        news |= memcmp(&before, &all, sizeof all) != 0;
    }
    if (!news)
        return false;
    *list = 0;
    for (uint32_t s = 0; s < all.n; s++) {
        struct scope_entry entry = {all.at[s], *list};
        vec_push(&scopes->list, entry);
        *list = scopes->list.len;
    }
    return true;
}

void class_scopes_init(struct class_scopes *scopes, struct egraph *graph)
{
    *scopes = (struct class_scopes){.graph = graph};
    vec_zero(&scopes->of, graph->node.len);
    // Arguments are mostly older than their users: few passes.
    for (bool news = true; news;) {
        news = false;
        for (uint32_t node = 0; node < graph->node.len; node++)
            if (node_live(graph, node))
                news |= add_node(scopes, node_term(graph, node));
    }
}

void class_scopes_release(struct class_scopes *scopes)
{
    vec_release(&scopes->of);
    vec_release(&scopes->list);
}

// The function around the scope, or SCOPE_CLOSED.
static uint32_t outermost(const struct terms *terms, uint32_t scope)
{
    while (scope_region(scope) != NO_REGION)
        scope = scope_parent(terms, scope);
    return scope;
}

uint32_t class_scope(const struct class_scopes *scopes, class_id class, uint32_t scope)
{
    const struct terms *terms = scopes->graph->terms;
    for (uint32_t i = scopes->of.at[egraph_class(scopes->graph, class)->oldest]; i != 0;
         i = scopes->list.at[i - 1].next)
        if (scope_has(terms, scope, scopes->list.at[i - 1].scope)) {
            uint32_t found = scopes->list.at[i - 1].scope;
            return found == SCOPE_CLOSED ? outermost(terms, scope) : found;
        }
    return SCOPE_NONE;
}

bool node_in_scope(const struct class_scopes *scopes, term_id node, uint32_t scope)
{
    const struct terms *terms = scopes->graph->terms;
    if (!scope_has(terms, scope, scope_of_node(terms, node)))
        return false;
    for (uint32_t k = 0; k < term_at(terms, node)->n_args; k++) {
        class_id arg = egraph_find(scopes->graph, term_args(terms, node)[k]);
        uint32_t have = class_scope(scopes, arg, scope_inside(terms, node, k, scope));
        if (have == SCOPE_NONE || !scope_has(terms, scope, scope_outside(terms, node, k, have)))
            return false;
    }
    return true;
}
