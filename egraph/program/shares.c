// SPDX-License-Identifier: Apache-2.0
#include "egraph/program/shares.h"

#include "egraph/limits.h"
#include "egraph/program/egraph.h"

void shares_start(struct shares *shares, const struct egraph *graph)
{
    uint32_t n = graph->node.len, n_parts = n / EGRAPH_PART;
    shares_release(shares);
    if (n_parts < 2 || graph->opt.max_nodes == 0)
        return;
    for (uint32_t i = 0; i < n_parts; i++) {
        uint64_t from = (uint64_t)n * i / n_parts, end = (uint64_t)n * (i + 1) / n_parts;
        uint32_t length = (uint32_t)(end - from);
        uint32_t most = (uint32_t)((uint64_t)graph->opt.max_nodes * length / n);
        vec_push(&shares->part, ((struct part){.length = length, .nodes = length, .most = most}));
        for (; from < end; from++)
            vec_push(&shares->of, i);
    }
}

void shares_release(struct shares *shares)
{
    vec_release(&shares->part);
    vec_release(&shares->of);
    *shares = (struct shares){0};
}

void shares_own(struct shares *shares, const struct egraph *graph, uint32_t part)
{
    if (shares->part.len == 0)
        return;
    while (shares->of.len < graph->node.len) {
        vec_push(&shares->of, part);
        shares->part.at[part].nodes++;
    }
}

static uint32_t part_of_arguments(const struct shares *shares, struct egraph *graph, uint32_t node)
{
    uint32_t part = 0;
    for (uint32_t k = 0; k < term_at(graph->terms, node_term(graph, node))->n_args; k++) {
        // An argument may have become equal to a node that is newer than this one.
        uint32_t arg = cc_args(&graph->cc, node)[k];
        uint32_t of = arg < shares->of.len ? shares->of.at[arg] : 0;
        part = of > part ? of : part;
    }
    return part;
}

void shares_count(struct shares *shares, struct egraph *graph)
{
    if (shares->part.len == 0)
        return;
    for (uint32_t i = shares->of.len; i < graph->node.len; i++)
        vec_push(&shares->of, part_of_arguments(shares, graph, i));
    for (uint32_t i = 0; i < shares->part.len; i++)
        shares->part.at[i].nodes = 0;
    for (uint32_t i = 0; i < graph->node.len; i++)
        shares->part.at[shares->of.at[i]].nodes += node_live(graph, i);
}

bool shares_closed(struct shares *shares, uint32_t part)
{
    if (shares->part.len == 0 || shares->part.at[part].nodes < shares->part.at[part].most)
        return false;
    shares->part.at[part].due = shares->due = true;
    return true;
}

void shares_divide(struct shares *shares, struct egraph *graph)
{
    uint32_t most = graph->opt.max_nodes, n = egraph_nodes(graph);
    uint64_t left = most > n ? most - n : 0, length = 0;
    for (uint32_t i = 0; i < graph->node.len; i++)
        if (shares->part.at[shares->of.at[i]].due)
            graph->node.at[i].news = graph->round & NEWS_MASK;
    for (uint32_t i = 0; i < shares->part.len; i++)
        length += shares->part.at[i].due ? shares->part.at[i].length : 0;
    for (uint32_t i = 0; i < shares->part.len; i++) {
        struct part *part = &shares->part.at[i];
        if (part->due)
            part->most = part->nodes + 1 + (uint32_t)(left * part->length / length);
        if (left < most / EGRAPH_PART_REST)
            part->most = UINT32_MAX;
        part->due = false;
    }
    shares->due = false;
}
