// SPDX-License-Identifier: Apache-2.0
// Private to the fold*.c files.
#ifndef EGRAPH_PLAIN_ANALYSIS_FOLD_CORE_H
#define EGRAPH_PLAIN_ANALYSIS_FOLD_CORE_H

#include "egraph/plain/analysis/fold.h"

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

struct plain_fold_op plain_fold_read_op(const struct plain_fold *fold, uint32_t op);
uint32_t plain_fold_literal(const struct plain_fold *fold,
                            struct plain_fold_value plain_fold_value);
void plain_fold_more_classes(struct plain_fold *fold);
// The value of a node, by those of its arguments.
struct plain_fold_value plain_fold_value_of(struct plain_fold *fold, uint32_t node);
bool plain_fold_set_has(struct cc *graph, const uint32_t *set, uint32_t n, uint32_t c);
// Of a node, to fold->work.
void plain_fold_free_of(struct plain_fold *fold, uint32_t node);
// The class keeps what is in the set too: true if that is less than it had.
bool plain_fold_meet_free(struct plain_fold *fold, struct plain_fold_free *plain_fold_free,
                          const uint32_t *set, uint32_t n);
unsigned plain_fold_join_free(struct plain_fold *fold, struct plain_fold_free *keep,
                              const struct plain_fold_free *lose);

static inline const struct plain_fold_op *plain_fold_op_of(struct plain_fold *fold, uint32_t node)
{
    uint32_t op = fold->graph->node.at[node].op & CC_OP;
    if (op < fold->op.len && fold->op.at[op].known)
        return &fold->op.at[op];
    while (fold->op.len <= op) {
        struct plain_fold_op plain_fold_op = {0};
        vec_push(&fold->op, plain_fold_op);
    }
    if (!fold->op.at[op].known)
        fold->op.at[op] = plain_fold_read_op(fold, op);
    return &fold->op.at[op];
}

static inline struct plain_fold_class *plain_fold_class_of(struct plain_fold *fold, uint32_t cls)
{
    if (fold->class_.len < fold->graph->class_.len)
        plain_fold_more_classes(fold);
    return &fold->class_.at[cc_find(fold->graph, cls)];
}

// The value of a class, and how it came.
static inline struct plain_fold_known *plain_fold_known_of(struct plain_fold *fold, uint32_t cls)
{
    return &fold->known.at[plain_fold_class_of(fold, cls)->known];
}

static inline bool plain_fold_is_known(struct plain_fold *fold, uint32_t cls)
{
    return plain_fold_class_of(fold, cls)->known != 0;
}

static inline struct plain_fold_free *plain_fold_free_at(struct plain_fold *fold, uint32_t cls)
{
    (void)plain_fold_class_of(fold, cls);
    return &fold->free.at[cc_find(fold->graph, cls)];
}

static inline bool plain_fold_same_value(struct plain_fold_value a, struct plain_fold_value b)
{
    return a.type == b.type && a.number == b.number;
}

static inline bool plain_fold_is_leaf(const struct cc *graph, uint32_t node)
{
    return cc_arity(graph, node) == 0;
}

#endif
