// SPDX-License-Identifier: Apache-2.0
#include "egraph/program/constants.h"

#include "egraph/program/core.h"
#include "tensor/fold/fold.h"

term_id class_constant_term(struct egraph *g, class_id c)
{
    return egraph_class(g, c)->constant;
}

lit_id class_constant(struct egraph *g, class_id c)
{
    term_id t = egraph_class(g, c)->constant;
    return t.v == NO_TERM.v ? NO_LIT : term_literal(g->terms, t);
}

lit_id class_splat(struct egraph *g, class_id c)
{
    lit_id l = class_constant(g, c);
    if (l.v == NO_LIT.v)
        return NO_LIT;
    const struct literal *d = pool_literal(g->terms->pool, l);
    return d->splat && d->count > 0 ? l : NO_LIT;
}

bool class_splat_source(struct egraph *g, class_id c, class_id *s)
{
    term_id source = egraph_class(g, c)->splat;
    if (source.v != NO_TERM.v) {
        *s = egraph_find(g, source);
        return true;
    }
    *s = c;
    type_id type = egraph_type(g, c);
    return type_is_tensor(g->terms->pool, type) &&
           type_rank(g->terms->pool, type) == 0;
}

void analysis_start(struct egraph *g, class_id c)
{
    term_id t = node_term(g, c.v);
    const struct term *m = term_at(g->terms, t);
    struct class_data *d = egraph_class(g, c);
    if (m->op == OP_CONSTANT)
        d->constant = t;
    if (m->op == OP_BROADCAST_IN_DIM) {
        d->n_broadcast = 1;
        if (attr_len(g->terms->pool, m->attr) == 0)
            d->splat = term_args(g->terms, t)[0];
    }
}

void analysis_merge(struct egraph *g, class_id keep, class_id lose)
{
    struct class_data *k = egraph_class(g, keep), *l = egraph_class(g, lose);
    uint32_t k_parents = g->cc.class_.at[keep.v].n_parents;
    uint32_t l_parents = g->cc.class_.at[lose.v].n_parents;
    bool k_news = l->constant.v != NO_TERM.v && k->constant.v == NO_TERM.v;
    bool l_news = k->constant.v != NO_TERM.v && l->constant.v == NO_TERM.v;
    if (k->constant.v == NO_TERM.v)
        k->constant = l->constant;
    else if (l->constant.v != NO_TERM.v) {
        if (term_literal(g->terms, k->constant).v !=
            term_literal(g->terms, l->constant).v)
            g->n_conflicts++;
        if (l->constant.v < k->constant.v)
            k->constant = l->constant;
    }
    if (k->splat.v == NO_TERM.v || l->splat.v < k->splat.v)
        k->splat = l->splat;
    // Parents of one side may now fold, or fuse with what the other brings.
    if (((k_news || l->n_broadcast > 0) && k_parents > 0) ||
        ((l_news || k->n_broadcast > 0) && l_parents > 0))
        vec_push(&g->touched, keep.v);
    k->n_broadcast += l->n_broadcast;
}

static bool foldable(enum op op)
{
    return op_class(op) != OPC_LEAF && op != OP_OPAQUE && op != OP_RESULT;
}

bool analysis_fold(struct egraph *g, term_id node)
{
    struct term m = *term_at(g->terms, node);
    if (!g->opt.fold || !foldable((enum op)m.op) || m.n_args == 0 ||
        g->node.at[egraph_node(g, node)].folded ||
        egraph_class(g, egraph_find(g, node))->constant.v != NO_TERM.v)
        return false;
    // One block: constant terms, their literals, their types.
    uint32_t n = m.n_args;
    term_id *args =
        mem_alloc(n * (sizeof(term_id) + sizeof(lit_id) + sizeof(type_id)));
    lit_id *lits = (lit_id *)(void *)(args + n);
    type_id *types = (type_id *)(void *)(lits + n);
    bool all = true;
    for (uint32_t i = 0; i < n && all; i++) {
        term_id arg = term_args(g->terms, node)[i];
        args[i] = class_constant_term(g, egraph_find(g, arg));
        all = args[i].v != NO_TERM.v;
        if (all) {
            lits[i] = term_literal(g->terms, args[i]);
            types[i] = term_type(g->terms, args[i]);
        }
    }
    lit_id lit;
    bool ok = false;
    if (all) {
        g->node.at[egraph_node(g, node)].folded = 1;
        ok = fold_node(g->terms->pool, (enum op)m.op, m.attr, m.type, n, lits,
                       types, g->opt.fold_exact, g->opt.fold_count, &lit);
    }
    if (ok) {
        term_id t = term_make(g->terms, (enum op)m.op, m.attr, m.type, n, args);
        term_id c = term_constant(g->terms, lit, m.type);
        egraph_add_term(g, t);
        egraph_add_term(g, c);
        egraph_join(g, t, c, (struct reason){REASON_FOLD, 0, 0});
    }
    mem_free(args);
    return ok;
}
