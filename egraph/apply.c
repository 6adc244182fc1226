// SPDX-License-Identifier: Apache-2.0
#include "egraph/apply.h"
#include "tensor/language/attr.h"

// A rule speaks of convolutions of any rank class, a program has those of one
// batch, one feature and one output dimension only.
static bool writable(const struct egraph *g, enum op op, attr_id attr,
                     struct err *e)
{
    const struct pool *p = g->terms->pool;
    struct conv_attr a;
    return op != OP_CONVOLUTION ||
           (conv_attr_read(attr_len(p, attr), attr_at(p, attr), &a) &&
            conv_attr_is_stablehlo(&a)) ||
           err_set(e, ERR_LIMIT, "a convolution that no program has");
}

static bool add(void *ctx, enum op op, attr_id attr, type_id want, uint32_t n,
                const term_id *args, term_id *out, struct err *e)
{
    return writable(ctx, op, attr, e) &&
           egraph_add(ctx, op, attr, want, n, args, out, e);
}

struct builder builder_egraph(struct egraph *g)
{
    return (struct builder){g->terms, add, g};
}

bool apply_source(struct egraph *g, const struct pattern *p,
                  const struct match *m, term_id *source, struct err *e)
{
    struct builder b = builder_egraph(g);
    for (uint32_t k = 0; k < p->rule->n_scalars; k++)
        if (!egraph_known(g, m->in->scalar[k]))
            egraph_add_term(g, m->in->scalar[k]);
    return instance_build(m->in, p->root, &b, source, e);
}

enum apply_result apply_target(struct egraph *g, const struct pattern *p,
                          const struct match *m, term_id source,
                          struct reason why, struct err *e)
{
    struct builder b = builder_egraph(g);
    term_id target;
    if (egraph_find(g, source).v != class_find(g, m->root).v)
        return APPLIED_MISSED;
    const struct order *order = &m->in->pat[p->root].out;
    instance_orient(m->in, p->target, order);
    if (!instance_build_as(m->in, p->target, order, &b, &target, e))
        return APPLIED_FAILED;
    uint32_t before = egraph_merges(g);
    if (!egraph_merge(g, source, target, why, e))
        return APPLIED_FAILED;
    return egraph_merges(g) > before ? APPLIED_NEW : APPLIED_KNOWN;
}
