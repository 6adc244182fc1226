// SPDX-License-Identifier: Apache-2.0
// Internal to examples/: two programs as trees of operators whose dimensions are axes, the
// classes of these axes, and the integers that stand in both trees.
#ifndef DISCOVER_EXAMPLES_CORE_H
#define DISCOVER_EXAMPLES_CORE_H

#include "discover/examples/examples.h"
#include "discover/limits.h"
#include "rules/attributes.h"

// One occurrence of an operation.  An operation that is used twice is two nodes.
enum node_kind {
    NODE_TENSOR,  // var = number of a tensor variable
    NODE_SCALAR,  // var = number of a scalar variable (an argument of rank 0)
    NODE_LITERAL, // var = number of a constant; one element everywhere
    NODE_SAME,    // the first argument with its dimensions in another order
    NODE_OP,
};
struct node {
    enum node_kind kind;
    enum op op;
    term_id term;
    bool right; // of the program after
    uint32_t n_args, *args;
    uint32_t var;
    uint32_t rank, dim; // dimensions dim .. dim + rank of the pair
    uint32_t group, n_groups;
    uint32_t type; // element types that must be equal are joined
};

struct dimension {
    uint32_t parent; // union-find over dimensions
    int64_t size;
    uint32_t node;
    // Attributes along this dimension, as attribute_forms orders them.
    int64_t attr[N_ATTRS];
    uint32_t start; // argument of rank 0 that is the start, + 1; 0: attr[0] is
    bool marked;    // the operator acts on this dimension: reduced, joined, reversed, ...
};

// A group of a reshape; dimensions of the operand and of the result.
struct dim_group {
    uint32_t n_from, n_to, *from, *to;
};

struct tensor_name {
    term_id term;
    uint32_t node; // first occurrence
    const char *name;
};
// A constant of one element.
struct constant {
    enum elem elem;
    struct scalar value;
    bool right;       // does not occur in the program before
    const char *name; // of the scalar that stands for it
    bool counts;      // is compared with places of an axis: may be an integer expression
    uint32_t cls;     // of that axis
    const char *map;
};

// A class of axes with one role.
struct axis_set {
    const char *name;
    uint32_t n, *axis; // roots of the union-find, in order of dimensions
    bool single;       // exactly one axis
    uint32_t least;    // rank
    bool block;
};

// A place of an integer in one of the trees, for all axes of a class.
#define ATTR_SIZE (-1)  // the size of a constant tensor, an iota or a broadcast
#define ATTR_VALUE (-2) // the value of a constant that counts
struct int_slot {
    uint32_t node, cls;
    int attr;
    bool right;
    bool index;       // known at run time only
    bool pinned;      // has the operator's usual value everywhere: not written
    const char *text; // what is written
    const char *map;  // its own map; NULL: none
    int64_t *value;   // by axis of the class
    // Limits of slices: the least and the greatest with the same result; NULL: the value alone.
    int64_t *least, *most;
};

// What a person would not keep from the pair, although the pair has it: tried once there is a rule.
struct freedom {
    bool interior, stride, window; // attributes that have the operator's usual value everywhere
    bool idle;                     // axes along which an operator with attributes does nothing
    bool constants;                // constants that are tensors: any tensors
    bool reshape;                  // a reshape that only adds or drops dimensions of size 1: any
    bool unfold;                   // reductions over axes of size 1 that became reshapes
    bool rank;                     // more axes, which every tensor has, and the pair has none of
    bool whole;                    // reshapes: of all axes to any others
};

struct pair {
    struct arena mem;
    const struct terms *terms;
    struct freedom freedom;
    bool all_scalars;       // no value has a dimension: arguments are tensors for freedom.rank
    uint32_t more;          // class of the axes of freedom.rank; NONE: there is none
    uint32_t before, after; // nodes
    VEC(struct node) nodes;
    VEC(struct dimension) dims;
    VEC(struct dim_group) groups;
    VEC(struct tensor_name) tensors;
    VEC(struct tensor_name) scalars;
    VEC(struct constant) constants;
    VEC(struct axis_set) classes;
    VEC(struct int_slot) slots;
    struct u32_vec class_of; // by dimension
    struct u32_vec type_of;  // union-find over nodes' element types
    VEC(const char *) names; // in use
    // by node * classes: the size on the left, as text
    const char **size;
    struct u32_vec size_group; // union-find over node * classes
    const char *why;           // why there is no rule
};

// tree.c
bool pair_read(struct pair *pair, const struct terms *terms, struct freedom freedom, term_id before,
               term_id after);
void pair_release(struct pair *pair);
bool pair_fails(struct pair *pair, const char *fmt, ...) PRINTF_LIKE(2, 3); // false
uint32_t dim_find(struct pair *pair, uint32_t dim);
void dim_join(struct pair *pair, uint32_t a, uint32_t b);
uint32_t type_find(struct pair *pair, uint32_t node);
bool node_is_lifted(const struct pair *pair, uint32_t node);
// Has every attribute of the operator its usual value along the dimension?
bool dim_is_idle(const struct pair *pair, uint32_t dim);
int64_t dim_usual(const struct pair *pair, uint32_t dim, uint32_t k);
// unread.c
//
// The number of operands that are tensors.  False: the operator is not one that trees have.
bool tree_operands(const struct terms *terms, term_id term, uint32_t *n);
// What an operation that trees do not have is called in the program.
const char *unread_name(struct pair *pair, term_id term);
// The program after has tensors beyond the first `known`: says which.  False.
bool unread_fails(struct pair *pair, uint32_t known);
// inner.c: goes below the operations that both programs end with, as long as they differ in one
// operand only.  False: they end with different ones.
bool example_inner(const struct terms *terms, term_id *before, term_id *after);
// axes.c
void pair_tie(struct pair *pair, uint32_t node);
bool pair_groups(struct pair *pair, uint32_t node);
void reshape_settle(struct pair *pair, uint32_t node);
bool reshape_has_units(const struct pair *pair, uint32_t node);
bool node_has_groups(const struct pair *pair, const struct node *node);
bool reshape_is_clear(const struct pair *pair, uint32_t node);
// classes.c
bool pair_classes(struct pair *pair);
uint32_t node_class_dim(const struct pair *pair, uint32_t node, uint32_t cls, uint32_t axis);
// Is there a class that every tensor has, and along which no operator acts?
bool pair_has_plain(struct pair *pair);
bool node_has_class(const struct pair *pair, uint32_t node, uint32_t cls);
// slots.c
bool pair_slots(struct pair *pair);
// The size of the node along the class, as text; NULL: none.
const char *pair_size(struct pair *pair, uint32_t node, uint32_t cls);
const char *pair_name(struct pair *pair, const char *stem);
const char *pair_text(struct pair *pair, const char *fmt, ...) PRINTF_LIKE(2, 3);

// What is chosen where the pair leaves the choice.
enum constant_mode { CONSTANT_LITERAL, CONSTANT_SCALAR, CONSTANT_VALUE };
// Element types of any kind; of the kind that the pair has; of the sign, too.
enum kinds_mode { KINDS_ANY, KINDS_LIKE, KINDS_OWN };
struct choice {
    enum constant_mode *constant; // by constant
    const char **as;              // by constant of the right side: its text; NULL: by mode
    const char **slot;            // by slot of the right side: its text; NULL: an unknown map
    const char **wheres;          // preconditions
    uint32_t n_wheres;
    enum kinds_mode kinds;
    const char *wider; // a precondition on types; NULL: none
};
// declare.c: the text of the rule.
void pair_write(struct pair *pair, const struct choice *choice, struct buf *out);

#endif
