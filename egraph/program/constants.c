// SPDX-License-Identifier: Apache-2.0
#include "egraph/program/constants.h"

#include "egraph/program/core.h"
#include "tensor/fold/fold.h"

term_id class_constant_term(struct egraph *graph, class_id class)
{
    return egraph_class(graph, class)->constant;
}

lit_id class_constant(struct egraph *graph, class_id class)
{
    term_id term = egraph_class(graph, class)->constant;
    return term.v == NO_TERM.v ? NO_LIT : term_literal(graph->terms, term);
}

lit_id class_splat(struct egraph *graph, class_id class)
{
    lit_id literal = class_constant(graph, class);
    if (literal.v == NO_LIT.v)
        return NO_LIT;
    const struct literal *d = pool_literal(graph->terms->pool, literal);
    return d->splat && d->count > 0 ? literal : NO_LIT;
}

bool class_splat_source(struct egraph *graph, class_id c, class_id *out)
{
    term_id source = egraph_class(graph, c)->splat;
    if (source.v != NO_TERM.v) {
        *out = egraph_find(graph, source);
        return true;
    }
    *out = c;
    type_id type = egraph_type(graph, c);
    return type_is_tensor(graph->terms->pool, type) && type_rank(graph->terms->pool, type) == 0;
}

void analysis_start(struct egraph *graph, class_id class)
{
    term_id term = node_term(graph, class.v);
    const struct term *node = term_at(graph->terms, term);
    struct class_data *data = egraph_class(graph, class);
    if (node->op == OP_CONSTANT)
        data->constant = term;
    if (node->op == OP_RESHAPE)
        data->n_reshape = 1;
    if (node->op == OP_BROADCAST_IN_DIM) {
        data->n_broadcast = 1;
        if (attr_len(graph->terms->pool, node->attr) == 0)
            data->splat = term_args(graph->terms, term)[0];
    }
}

void analysis_merge(struct egraph *graph, class_id keep, class_id lose)
{
    struct class_data *data = egraph_class(graph, keep), *l = egraph_class(graph, lose);
    uint32_t k_parents = graph->cc.class_.at[keep.v].n_parents;
    uint32_t l_parents = graph->cc.class_.at[lose.v].n_parents;
    bool k_news = l->constant.v != NO_TERM.v && data->constant.v == NO_TERM.v;
    bool l_news = data->constant.v != NO_TERM.v && l->constant.v == NO_TERM.v;
    if (data->constant.v == NO_TERM.v)
        data->constant = l->constant;
    else if (l->constant.v != NO_TERM.v) {
        if (term_literal(graph->terms, data->constant).v !=
            term_literal(graph->terms, l->constant).v)
            graph->n_conflicts++;
        if (l->constant.v < data->constant.v)
            data->constant = l->constant;
    }
    if (data->splat.v == NO_TERM.v || l->splat.v < data->splat.v)
        data->splat = l->splat;
    // Parents of one side may now fold, or fuse with what the other brings.
    if (((k_news || l->n_broadcast + l->n_reshape > 0) && k_parents > 0) ||
        ((l_news || data->n_broadcast + data->n_reshape > 0) && l_parents > 0))
        vec_push(&graph->touched, keep.v);
    data->n_broadcast += l->n_broadcast;
    data->n_reshape += l->n_reshape;
}

static bool foldable(const struct terms *terms, term_id node)
{
    enum op op = term_op(terms, node);
    if (op == OP_IOTA)
        return type_count(terms->pool, term_type(terms, node)) <= TENSOR_FOLD_IOTA;
    return op_class(op) != OPC_LEAF && op != OP_OPAQUE && op != OP_RESULT &&
           term_at(terms, node)->n_args > 0;
}

bool analysis_fold(struct egraph *graph, term_id node)
{
    struct term m = *term_at(graph->terms, node);
    if (!graph->opt.fold || !foldable(graph->terms, node) ||
        graph->node.at[egraph_node(graph, node)].folded ||
        egraph_class(graph, egraph_find(graph, node))->constant.v != NO_TERM.v)
        return false;
    // One block: constant terms, their literals, their types.  An iota has none.
    uint32_t n = m.n_args;
    term_id *args = mem_alloc((n + 1U) * (sizeof(term_id) + sizeof(lit_id) + sizeof(type_id)));
    lit_id *lits = (lit_id *)(void *)(args + n + 1);
    type_id *types = (type_id *)(void *)(lits + n + 1);
    bool all = true;
    for (uint32_t i = 0; i < n && all; i++) {
        term_id arg = term_args(graph->terms, node)[i];
        args[i] = class_constant_term(graph, egraph_find(graph, arg));
        all = args[i].v != NO_TERM.v;
        if (all) {
            lits[i] = term_literal(graph->terms, args[i]);
            types[i] = term_type(graph->terms, args[i]);
        }
    }
    lit_id lit;
    bool ok = false;
    if (all) {
        graph->node.at[egraph_node(graph, node)].folded = 1;
        ok = fold_node(graph->terms->pool, (struct operation){(enum op)m.op, m.attr, m.type, n},
                       lits, types,
                       (struct fold_options){graph->opt.reading, graph->opt.fold_count}, &lit);
    }
    if (ok) {
        term_id term = term_make(graph->terms, (enum op)m.op, m.attr, m.type, n, args);
        term_id c = term_constant(graph->terms, lit, m.type);
        egraph_add_term(graph, term);
        egraph_add_term(graph, c);
        egraph_join(graph, term, c, (struct reason){REASON_FOLD, 0, 0});
    }
    mem_free(args);
    return ok;
}

static uint64_t constant_size(const struct terms *terms, term_id constant)
{
    type_id type = term_type(terms, constant);
    return (uint64_t)type_count(terms->pool, type) * elem_bytes(type_elem(terms->pool, type));
}

static bool constant_is_large(const struct egraph *graph, term_id term)
{
    return graph->opt.constant_bytes != 0 &&
           constant_size(graph->terms, term) > graph->opt.constant_bytes;
}

// Does an iota of the class say the same?
static bool is_iota(struct egraph *graph, term_id constant)
{
    class_id class = egraph_find(graph, constant);
    if (pool_literal(graph->terms->pool, term_literal(graph->terms, constant))->splat)
        return false;
    for (term_id m = class_first(graph, class); m.v != NO_TERM.v; m = class_next(graph, class, m))
        if (term_op(graph->terms, m) == OP_IOTA)
            return true;
    return false;
}

bool constant_is_left_out(struct egraph *graph, term_id term)
{
    return term_op(graph->terms, term) == OP_CONSTANT &&
           (constant_is_large(graph, term) || is_iota(graph, term));
}

uint64_t constants_largest(const struct terms *terms)
{
    uint64_t largest = 0;
    for (uint32_t i = 0; i < terms->term.len; i++)
        if (term_op(terms, (term_id){i}) == OP_CONSTANT) {
            uint64_t bytes = constant_size(terms, (term_id){i});
            largest = bytes > largest ? bytes : largest;
        }
    return largest;
}

void analysis_spread(struct egraph *graph, term_id constant)
{
    struct pool *pool = graph->terms->pool;
    lit_id literal = term_literal(graph->terms, constant);
    type_id type = term_type(graph->terms, constant), one;
    enum elem elem = type_elem(pool, type);
    struct err err = {0};
    if (!graph->opt.fold || !constant_is_large(graph, constant) ||
        !pool_literal(pool, literal)->splat)
        return;
    if (!type_tensor(pool, elem, 0, NULL, &one, &err))
        BUG("the type of one element: %s", err.msg);
    lit_id element = literal_splat(pool, elem, literal_get(pool, literal, 0));
    term_id scalar = term_constant(graph->terms, element, one);
    term_id copies = term_make(graph->terms, OP_BROADCAST_IN_DIM, NO_ATTR, type, 1, &scalar);
    egraph_add_term(graph, copies);
    if (!egraph_same(graph, copies, constant))
        egraph_join(graph, copies, constant, (struct reason){REASON_FOLD, 0, 0});
}
