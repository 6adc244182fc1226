// SPDX-License-Identifier: Apache-2.0
// Tensor terms: a hash-consed directed acyclic graph of positional operators.
// A term id names one node.  Nodes with equal (op, attr, type, args) have the same id.
// The e-graph uses the same store: its e-nodes are terms, so that every id in a proof is
// a plain term.
//
// T1  The arguments of node i have ids below i.
// T2  No two nodes are equal.
// T3  Every node satisfies the operator's shape rule (infer.h).
#ifndef TENSOR_PROGRAM_TERM_H
#define TENSOR_PROGRAM_TERM_H

#include "tensor/language/operation.h"

typedef struct {
    uint32_t v;
} term_id;
#define NO_TERM ((term_id){UINT32_MAX})

struct term {
    uint16_t op; // enum op
    uint16_t unused;
    attr_id attr;
    type_id type;
    uint32_t args_at, n_args;
};

// The table is flat, a power of two long, at most half full, probed linearly.
struct term_slot {
    uint32_t hash;
    uint32_t id; // + 1; 0 = free
};

// A region of an opaque operation (tensor/program/region.h).
#define SCOPE_CLOSED 0u
#define SCOPE_NONE UINT32_MAX // no scope has the term
#define NO_REGION UINT32_MAX
struct region {
    uint32_t parent; // scope around it; SCOPE_CLOSED: it sees nothing from outside
    uint32_t around; // scope around it in the text
    bool loop;       // it may run more than once for each time its operation runs
};

// A statement of a term, in a list.
struct term_home {
    uint32_t scope, next; // next: index + 1
};

struct terms {
    struct pool *pool; // borrowed
    VEC(struct term) term;
    VEC(term_id) args;
    VEC(struct term_slot) slot;
    VEC(struct region) region;
    struct u32_vec home;  // by term: scope + 1 of the outermost statement in the program's text
                          // that it is the value of; 0 or no entry: none
    struct u32_vec homes; // by term: list of the scopes of all such statements, + 1
    VEC(struct term_home) home_list;
    struct u32_vec effect; // by serial: scope of the block that has the side effect; no entry: none
};

void terms_init(struct terms *terms, struct pool *pool);
void terms_release(struct terms *terms);

// The node, made if it is new.  `type` must be what infer_type gives (asserted
// in tests by terms_check).
term_id term_make(struct terms *terms, enum op op, attr_id attr, type_id type, uint32_t n,
                  const term_id *args);
// term_make after the shape rule.  The type of the operation is as for infer_type.
bool term_build(struct terms *terms, struct operation operation, const term_id *args, term_id *out,
                struct err *err);

// The results of term_at and term_args are borrowed until the next node is made.
static inline const struct term *term_at(const struct terms *terms, term_id id)
{
    assert(id.v < terms->term.len);
    return &terms->term.at[id.v];
}
static inline const term_id *term_args(const struct terms *terms, term_id id)
{
    const struct term *node = term_at(terms, id);
    return node->n_args ? terms->args.at + node->args_at : NULL;
}
static inline type_id term_type(const struct terms *terms, term_id id)
{
    return term_at(terms, id)->type;
}
static inline enum op term_op(const struct terms *terms, term_id id)
{
    return (enum op)term_at(terms, id)->op;
}
// The literal of a constant node; NO_LIT for any other.
lit_id term_literal(const struct terms *terms, term_id id);
// The constant node of a literal.  A splat of a type without elements becomes the
// literal without elements, the only literal of such a type, so that equal constants are
// equal nodes.
term_id term_constant(struct terms *terms, lit_id literal, type_id type);
// Nodes reachable from the roots, arguments first, each once, ascending ids.
// Replaces the contents of `out`.
void terms_reach(const struct terms *terms, uint32_t n_roots, const term_id *roots,
                 struct u32_vec *out);
bool terms_check(const struct terms *terms, struct err *err); // T1..T3
// Nested text such as add(%0, transpose(%1, [1, 0])), for messages; at most
// `depth` levels.
void term_print(const struct terms *terms, term_id id, unsigned depth, struct buf *out);
// One node without its arguments, such as transpose([1, 0]).
void term_print_node(const struct terms *terms, term_id id, struct buf *out);

#endif
