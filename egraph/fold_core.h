// SPDX-License-Identifier: Apache-2.0
// Between the fold*.c files; nobody else's.
#ifndef EGRAPH_FOLD_CORE_H
#define EGRAPH_FOLD_CORE_H

#include "egraph/fold.h"

enum {
    OTHER,
    LITERAL,
    SYMBOL,
    ADD,
    SUB,
    MUL,
    DIV,
    AND,
    OR,
    NOT,
    IMPLIES,
    SAME,
    VARIABLE,
    LET,
    BINDER
};

struct fold_op fold_read_op(const struct fold *f, uint32_t op);
uint32_t fold_literal(const struct fold *f, struct fold_value v);
void fold_more_classes(struct fold *f);
// The value of a node, by those of its arguments.
struct fold_value fold_value_of(struct fold *f, uint32_t node);
bool fold_set_has(struct cc *g, const uint32_t *set, uint32_t n, uint32_t c);
// Of a node, to f->work.
void fold_free_of(struct fold *f, uint32_t node);
// The class keeps what is in the set too: true if that is less than it had.
bool fold_meet_free(struct fold *f, struct fold_free *k, const uint32_t *set,
                    uint32_t n);
unsigned fold_join_free(struct fold *f, struct fold_free *k,
                        const struct fold_free *l);

static inline const struct fold_op *fold_op_of(struct fold *f, uint32_t node)
{
    uint32_t op = f->g->node.at[node].op & CC_OP;
    if (op < f->op.len && f->op.at[op].known)
        return &f->op.at[op];
    while (f->op.len <= op) {
        struct fold_op o = {0};
        vec_push(&f->op, o);
    }
    if (!f->op.at[op].known)
        f->op.at[op] = fold_read_op(f, op);
    return &f->op.at[op];
}

static inline struct fold_class *fold_class_of(struct fold *f, uint32_t cls)
{
    if (f->class_.len < f->g->class_.len)
        fold_more_classes(f);
    return &f->class_.at[cc_find(f->g, cls)];
}

// The value of a class, and how it came.
static inline struct fold_known *fold_known_of(struct fold *f, uint32_t cls)
{
    return &f->known.at[fold_class_of(f, cls)->known];
}

static inline bool fold_is_known(struct fold *f, uint32_t cls)
{
    return fold_class_of(f, cls)->known != 0;
}

static inline struct fold_free *fold_free_at(struct fold *f, uint32_t cls)
{
    (void)fold_class_of(f, cls);
    return &f->free.at[cc_find(f->g, cls)];
}

static inline bool fold_same_value(struct fold_value a, struct fold_value b)
{
    return a.type == b.type && a.x == b.x;
}

static inline bool fold_is_leaf(const struct cc *g, uint32_t node)
{
    return cc_arity(g, node) == 0;
}

#endif
