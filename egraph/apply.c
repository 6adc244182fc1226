// SPDX-License-Identifier: Apache-2.0
#include "egraph/apply.h"
#include "tensor/language/attr.h"

// A rule speaks of convolutions of any rank class, a program has those of one
// batch, one feature and one output dimension only.
static bool writable(const struct egraph *graph, enum op op, attr_id attr, struct err *err)
{
    const struct pool *pool = graph->terms->pool;
    struct conv_attr a;
    return op != OP_CONVOLUTION ||
           (conv_attr_read(attr_len(pool, attr), attr_at(pool, attr), &a) &&
            conv_attr_is_stablehlo(&a)) ||
           err_set(err, ERR_LIMIT, "programs cannot express the convolution");
}

static bool add(void *ctx, struct operation operation, const term_id *args, term_id *out,
                struct err *err)
{
    return writable(ctx, operation.op, operation.attr, err) &&
           egraph_add(ctx, operation, args, out, err);
}

struct builder builder_egraph(struct egraph *graph)
{
    return (struct builder){graph->terms, add, graph};
}

bool apply_source(struct egraph *graph, const struct pattern *pattern, const struct match *match,
                  term_id *source, struct err *err)
{
    struct builder builder = builder_egraph(graph);
    for (uint32_t k = 0; k < pattern->rule->n_scalars; k++)
        if (!egraph_known(graph, match->in->scalar[k]))
            egraph_add_term(graph, match->in->scalar[k]);
    return instance_build(match->in, pattern->root, &builder, source, err);
}

enum apply_result apply_target(struct egraph *graph, const struct pattern *pattern,
                               const struct match *match, term_id source, struct reason why,
                               struct err *err)
{
    struct builder builder = builder_egraph(graph);
    term_id target;
    if (egraph_find(graph, source).v != class_find(graph, match->root).v)
        return APPLIED_MISSED;
    const struct order *order = &match->in->pat[pattern->root].out;
    instance_orient(match->in, pattern->target, order);
    if (!instance_build_as(match->in, pattern->target, order, &builder, &target, err))
        return APPLIED_FAILED;
    uint32_t before = egraph_merges(graph);
    if (!egraph_merge(graph, source, target, why, err))
        return APPLIED_FAILED;
    return egraph_merges(graph) > before ? APPLIED_NEW : APPLIED_KNOWN;
}
