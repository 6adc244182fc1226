// SPDX-License-Identifier: Apache-2.0
// Opaque operations, and the regions that some of them have.
//
// The attribute of an opaque node is
//   [text, results, serial]                                   without regions
//   [text, results, serial, region, (first, returns, effects, parameter, parameters)*]
// `text` is its template (io/stablehlo/read/reader.h), `serial` is 0 for a pure operation.
// An operation with regions binds the parameters [PARAMETER_OF_REGION(region), k].  Each
// of its blocks is an entry: from argument `first` on the node has the values that the
// block returns, then the block's operations with a side effect, in their order.  The block
// binds `parameters` of the region's, from number `parameter` on.  So a
// body is terms over the parameters of its region and over values from outside, and a
// value from outside is the same term inside.
//
// A SCOPE says where a term can be computed: SCOPE_CLOSED anywhere, the scope of a function
// where the parameters of that function are known, the scope of a region inside the
// region.  Scopes form a tree.  An isolated region sees nothing from outside but
// what is closed.
//
// R1  A region belongs to one operation of the program, and to what it is rewritten to.
// R2  The scope of a region stands below that of the place where its operation stood.
#ifndef TENSOR_PROGRAM_REGION_H
#define TENSOR_PROGRAM_REGION_H

#include "tensor/program/term.h"

#define OPAQUE_PLAIN 3 // attributes of an operation without regions
#define OPAQUE_BLOCK 5 // attributes of a block

#define PARAMETER_OF_REGION(region) (-1 - (int64_t)(region))

struct opaque_view {
    sym_id text;
    uint32_t n_results;
    int64_t serial;
    uint32_t region, n_blocks; // n_blocks = 0: no region
    const int64_t *block;      // borrowed from the pool
};

struct opaque_block {
    uint32_t first, n_returns, n_effects;
    uint32_t first_parameter, n_parameters;
};

struct opaque_view opaque_view(const struct terms *terms, term_id id);
static inline struct opaque_block opaque_block(const struct opaque_view *view, uint32_t b)
{
    const int64_t *v = view->block + (size_t)OPAQUE_BLOCK * b;
    return (struct opaque_block){(uint32_t)v[0], (uint32_t)v[1], (uint32_t)v[2], (uint32_t)v[3],
                                 (uint32_t)v[4]};
}
// Is it the operation of this name, such as "stablehlo.while"?
bool opaque_is(const struct terms *terms, const struct opaque_view *view, const char *name);
// The name of the operation in its text, *n bytes of it.  The texts of HLO have the type in front.
const char *opaque_name(const char *text, size_t *n);
// The integers of the attribute in the operation's text, "key = " and 3, [1, 2], dense<1> or
// array<i64: 1, 2>.  False: there are none, or more than `max`.
bool opaque_integers(const char *text, const char *key, uint32_t max, int64_t *out, uint32_t *n);
// The number of the side effect; 0 if the term has none.
int64_t term_serial(const struct terms *terms, term_id id);
// Which argument of a node stands where.
enum argument_place { ARGUMENT_OPERAND, ARGUMENT_RETURN, ARGUMENT_EFFECT };
struct argument_role {
    enum argument_place place;
    uint32_t block; // but for an operand
};
struct argument_role argument_role(const struct terms *terms, term_id id, uint32_t k);

static inline uint32_t scope_of_function(uint32_t function)
{
    return 1 + 2 * function;
}
static inline uint32_t scope_of_region(uint32_t region)
{
    return 2 + 2 * region;
}
// The region of a scope, or NO_REGION.
static inline uint32_t scope_region(uint32_t scope)
{
    return scope == SCOPE_CLOSED || scope % 2 != 0 ? NO_REGION : scope / 2 - 1;
}
uint32_t scope_parent(const struct terms *terms, uint32_t scope);
// Is `outer` `scope` itself or around it?
bool scope_has(const struct terms *terms, uint32_t scope, uint32_t outer);
// The inner one of two scopes; SCOPE_NONE if neither is inside the other.
uint32_t scope_join(const struct terms *terms, uint32_t a, uint32_t b);
// The scope that a node needs because argument k needs `scope`: what the region of the
// node binds is not needed outside.
uint32_t scope_outside(const struct terms *terms, term_id id, uint32_t k, uint32_t scope);
// The scope in which argument k is computed if the node is computed in `scope`.
uint32_t scope_inside(const struct terms *terms, term_id id, uint32_t k, uint32_t scope);
// The scope that a node needs whatever its arguments need: that of a parameter's owner, or of
// the block that has a side effect.
uint32_t scope_of_node(const struct terms *terms, term_id id);
// The side effect of this serial stands in the scope.
void effect_settle(struct terms *terms, int64_t serial, uint32_t scope);
// A statement in this scope has the term as its value.
void term_settle(struct terms *terms, term_id id, uint32_t scope);
// Appends the scopes that the terms from scope->len on need.  Arguments come first in the
// store, so all terms have theirs once they have a number.
void scopes_extend(const struct terms *terms, struct u32_vec *scope);

#endif
