// SPDX-License-Identifier: Apache-2.0
// One rewrite rule, as written (docs/rule-language.md).  Axes are named and
// unordered.  A class of axes may have any rank.  Classes, maps, types, variables
// and pattern nodes are named by their index in the arrays of `struct rule`.  All
// memory belongs to the rule set's arena and is constant after ruleset_parse.
//
// R1  Pattern nodes stand in the order of construction, arguments before users.
//     The condition patterns, the left side and the right side share one array.
//     A variable that occurs twice is two PAT_TENSOR nodes with the same `var`.
// R2  Every pattern node has its inferred shape and its element type variable.
//     The shape is one size expression for each class of the node's type, in
//     ascending order of the classes.
// R3  An explicit PAT_SPLAT lifts a rank-0 pattern in an elementwise position of
//     higher rank, and a rank-0 right side.  The argument of a PAT_SPLAT is any
//     rank-0 pattern (`c1 + c2`, a full reduction).  A broadcast of a rank-0
//     pattern is a PAT_SPLAT too, never a PAT_OP.
// R4  Every map that occurs in a size of a tensor, an attribute or a condition
//     is declared.  A `let` map has a definition over maps of its own family.
// R5  A reshape group with classes on both sides joins these classes.  Each joint
//     class is a single axis or a block.  A block stands in no other attribute,
//     condition or index; only its size occurs, as declared.  So a block may be
//     taken for one axis with as many elements.
// R6  An index stands only in the `start` of dynamic_slice and
//     dynamic_update_slice and in value(), never in a size or a precondition.
// R7  A PAT_CALL stands only as the right side.  The left side is then the
//     definition of a function of real tensors:
//     - The arguments of the call are all variables of the rule, once each.
//     - The class of the call, if there is one, is the only class that the left
//       side reduces or contracts.
//     - Every map is a size of an argument.
//     - Every class of the left side is a class of an argument.
//     - There are no infinities.
//     - The call has the left side's shape and type.
#ifndef RULES_RULE_H
#define RULES_RULE_H

#include "base/memory/arena.h"
#include "base/text/buf.h"
#include "base/memory/intern.h"
#include "base/memory/vec.h"
#include "rules/domain.h"
#include "tensor/language/op.h"

#define NONE UINT32_MAX

struct place {
    uint32_t line, col;
};

// Integer expressions over the maps of one axis, of partner axes or of joint
// classes.  An expression in value() may have maps of any single axes and blocks.
// A map of a block stands for the product over the block's axes, except in the
// block's own size.
enum iexp_op {
    IE_CONST,
    IE_MAP, // a map's value
    IE_ADD,
    IE_SUB,
    IE_MUL,
    IE_NEG,
    IE_DIV,  // floor division; undefined for a divisor of 0
    IE_MOD,  // a - b * floor(a / b); undefined for 0
    IE_CDIV, // ceiling division; undefined for 0
    IE_MIN,
    IE_MAX,
    IE_ABS,
};
struct iexp {
    enum iexp_op op;
    int64_t k;    // IE_CONST
    uint32_t map; // IE_MAP
    const struct iexp *a, *b;
    uint32_t nodes; // of the tree; at most RULES_MAX_NODES
};

// Preconditions on maps.  A condition must hold on every axis of the class.
enum cond_op {
    COND_LE,
    COND_LT,
    COND_EQ,
    COND_NE,
    COND_AND,
    COND_OR,
    COND_NOT,
};
struct cond {
    enum cond_op op;
    const struct iexp *a, *b; // comparisons
    const struct cond *l, *r; // connectives
};

struct axis_class {
    const char *name;
    bool single;         // `axis a`: exactly one axis
    uint32_t least_rank; // `rank >= k`; 0 or 1 (1 when single)
    uint32_t like;       // rank class: index of its first class (itself: none)
    bool block;          // a reshape takes the class as a whole, in row-major order
                         // (R5).  Every class like a block is a block; they share
                         // one map, their size
    uint32_t joint;      // first of the classes that reshapes join with this class,
                         // whole rank classes together (itself: none).  Maps of
                         // joint classes may meet in one expression
    struct place place;
};

struct map {
    const char *name;
    uint32_t cls;
    const struct iexp *def; // `let`, else NULL
    bool index;             // a run-time value: a rank-0 tensor for each axis;
                            // a let over an index is an index, too (R6)
    struct place place;
};

struct type_var {
    const char *name;  // "" for the anonymous one of `: num`
    unsigned kinds;    // mask of enum elem_kind
    unsigned declared; // the same, before operators and literals narrowed it
};

struct type_order { // `wide` has every value of `narrow`, exactly
    uint32_t wide, narrow;
};

struct axis_size {
    uint32_t cls;
    const struct iexp *size;
};

struct tensor_var {
    const char *name;
    uint32_t type; // type variable
    uint32_t n_sizes;
    const struct axis_size *sizes; // ascending classes
    struct place place;
};

struct scalar_var { // a rank-0 tensor
    const char *name;
    uint32_t type;
    struct place place;
};

enum op_var_kind {
    OPVAR_ELEMENTWISE,
    OPVAR_MONOID,   // commutative, associative, with a unit
    OPVAR_MONOTONE, // one argument; a <= b gives f(a) <= f(b)
};
struct op_var {
    const char *name;
    enum op_var_kind kind;
    uint32_t n_args;      // 2 for a monoid
    const uint32_t *args; // type variables
    uint32_t result;
    struct place place;
};

enum literal_kind {
    LIT_INT,     // k; any numeric type
    LIT_DECIMAL, // text, floats only (-0.0 is the negative zero)
    LIT_BOOL,    // k = 0 or 1
    LIT_INF,     // floats only; k = 1 or -1
    LIT_LOWEST,  // least element: -inf, the least integer, false
    LIT_HIGHEST, // greatest element
    LIT_UNIT,    // the unit of reducer `reducer` or of monoid variable `opvar`
    LIT_PI,      // the number; in definitions only (R7)
    LIT_VALUE,   // the value of the integer expression `value`, as an element
};

enum pat_kind {
    PAT_TENSOR,  // var = tensor variable
    PAT_SCALAR,  // var = scalar variable (rank 0)
    PAT_LITERAL, // rank 0
    PAT_SPLAT,   // arg 0 (any rank-0 pattern) at every index of `sizes`
    PAT_OP,      // op; attributes below
    PAT_OPVAR,   // opvar applied elementwise
    PAT_RELABEL, // axes renamed within rank classes; no node in a program
    PAT_CALL,    // the function `text` that the rule defines.  Its arguments are
                 // variables and the one class of `classes`, if any; a right side only
};

// Attributes of one class: NULL where not given.
//   slice: start limit stride       pad: low high interior
//   broadcast, splat, iota: size    gather: size (NULL: the axis goes)
//   dynamic_slice: start size       dynamic_update_slice: start
//   reduce_window: size stride low high base_dilation window_dilation
//   convolution (spatial classes): stride low high lhs_dilation rhs_dilation
#define N_ATTRS 6
struct pat_attr {
    uint32_t cls;
    const struct iexp *expr[N_ATTRS];
};
struct relabel {
    uint32_t from, to; // classes of one rank class; `x <-> y` is two entries
};

// One group of a reshape: the axes of `from`, as one row-major block in the order
// of `from`, become the axes of `to`.  If one side is empty, then all sizes of the
// other side are 1.
struct reshape_group {
    uint32_t n_from, n_to;
    const uint32_t *from;       // classes
    const struct axis_size *to; // in row-major order
};

struct pat {
    enum pat_kind kind;
    enum op op;   // PAT_OP (slice, add, ..., never parameter or constant)
    uint32_t var; // tensor, scalar or operator variable
    uint32_t n_args;
    const uint32_t *args; // pattern indices.  reduce, reduce_window: input,
                          // and initial value (rank 0) if it is not the unit.
                          // pad: input, value (rank 0).  dot_general: lhs, rhs.
                          // convolution: input, kernel.  gather: input,
                          // indices. scatter: input, indices, updates.
                          // dynamic_update_slice: input, update.
    enum literal_kind lit;
    int64_t k;
    const char *text;     // LIT_DECIMAL; PAT_CALL
    enum op reducer;      // reduce, LIT_UNIT; N_OPS: use opvar
    uint32_t opvar;       // reduce, LIT_UNIT over a monoid variable, else NONE
    enum compare_dir dir; // compare (types: FLOAT on floats, SIGNED, UNSIGNED
                          // on integers and i1)
    uint32_t n_attrs;
    const struct pat_attr *attrs; // ascending classes; a class without an entry
                                  // has the operator's default
    // Sets of classes, one bit for each class:
    uint64_t classes; // reverse, reduce, call: the classes; concat, iota, gather,
                      // scatter: the one axis; dot_general: contracted classes;
                      // convolution: input features
    uint64_t batch;   // dot_general, gather, scatter: batch classes;
                      // convolution: the classes of the input alone
    uint64_t out;     // convolution: output features (of the kernel alone)
    uint64_t spatial; // convolution: spatial classes of input, kernel and result
    uint64_t flipped; // convolution: spatial classes whose window is reversed
    const struct iexp *feature_groups, *batch_groups; // convolution; NULL: 1
    const struct iexp *value;                         // LIT_VALUE
    uint32_t n_groups;                                // reshape
    const struct reshape_group *groups;
    uint32_t n_relabels;
    const struct relabel *relabels;
    // inferred:
    uint32_t type; // element type variable
    uint32_t n_sizes;
    const struct axis_size *sizes;
    struct place place;
};

struct where {
    uint32_t family;         // the condition holds on the axes of every class c with
                             // classes[classes[c].like].joint == family
    const struct cond *cond; // NULL: an element condition
    uint32_t pat;            // element condition `all(P)`: P, of type bool
    struct place place;
};

struct rule {
    const char *name, *file, *family; // family = file name without folder, .rw
    const char *doc;                  // doc comment, "" if none
    struct place place;
    uint32_t n_origins, n_classes, n_maps, n_types, n_tensors, n_scalars;
    uint32_t n_opvars, n_wheres, n_pats;
    const char *const *origins;
    const struct axis_class *classes;
    const struct map *maps; // lets after the maps they use
    const struct type_var *types;
    const struct tensor_var *tensors;
    const struct scalar_var *scalars;
    const struct op_var *opvars;
    const struct where *wheres;
    const struct pat *pats;
    uint32_t lhs, rhs;
    uint32_t n_wider;
    const struct type_order *wider; // preconditions on types
    unsigned claims;                // mask of 1 << enum domain
    const char *canonical;          // text equal for rules that differ only in names,
                                    // order of declarations or layout; it parses
    char hash[65];                  // SHA-256 of the canonical text: the identity
};

struct rule_place {
    const char *file;
    struct place place;
};
// The names of all rules seen, and where each was seen first; `_` may occur many times.
struct rule_names {
    struct intern name;
    VEC(struct rule_place) first; // by id of the name
};

struct ruleset {
    struct arena mem;
    VEC(struct rule *) rules;
    struct rule_names names;
};

void ruleset_init(struct ruleset *set);
void ruleset_release(struct ruleset *set);

struct err_list {
    VEC(struct err) at;
};
// Appends the rules of a text.  The parser goes on after an error and appends every
// error to `errs` with its place.  Returns true if there was no error.  Rules
// without errors are kept in any case.
bool ruleset_parse(struct ruleset *set, const char *text, size_t n, const char *file,
                   struct err_list *errs);
// Appends the one rule of a text, e.g. of a canonical text (whose name `_` may
// occur many times).  `what` names the text in the message.  NULL: *err says why.
const struct rule *ruleset_add(struct ruleset *set, const char *text, const char *what,
                               struct err *err);
// Appends the rule of a text that canonical_make has made before.  The text becomes
// the canonical text of the rule without being made again.  The function does not check
// that the text is canonical.  `hash` is the hash of the text, if callers have computed
// it; NULL: it is computed here.
const struct rule *ruleset_add_canonical(struct ruleset *set, const char *text, const char *hash,
                                         const char *what, struct err *err);
// Appends the rule from right to left, under the name `_`.  NULL if that is no rule.
const struct rule *rule_reversed(const struct rule *rule, struct ruleset *set);
// Reads a .rw file, or every .rw file below a folder in name order.
bool ruleset_load(struct ruleset *set, const char *path, struct err_list *errs);
// SHA-256 of the names and texts of the files that ruleset_load reads.  False if
// the files cannot be read.
bool ruleset_digest(const char *path, char hex[65]);

// Source text that parses to an equal rule (same names).
void rule_print(const struct rule *rule, struct buf *out);
void iexp_print(const struct rule *rule, const struct iexp *expr, struct buf *out);
void cond_print(const struct rule *rule, const struct cond *condition, struct buf *out);
void pat_print(const struct rule *rule, uint32_t pat, struct buf *out);

// The domains in which the rule is a statement at all, as a mask.  They follow from
// the rule's type variables; a rule of fixed bools has DOMAIN_BOOL only.  `claims`
// is a subset.
unsigned rule_domains(const struct rule *rule);
// The first node that computes with bits that the elements of the domain do not have.  NULL if
// there is none.
const struct pat *rule_bits(const struct rule *rule, enum domain domain);
// Is it the definition of a function (R7)?
static inline bool rule_defines(const struct rule *rule)
{
    return rule->pats[rule->rhs].kind == PAT_CALL;
}
// Does every operator of the rule only move elements?  There is then no arithmetic,
// comparison, run-time place or literal, except literals that are moved.
bool rule_only_moves(const struct rule *rule);
// Are elements of the type variable used only to be moved, and to be read as places
// by gather or scatter?
bool rule_type_is_place(const struct rule *rule, uint32_t type);

// Values of integer expressions and conditions on one axis: map[m][index] is the
// value of map m there.  False on overflow or division by zero.
bool iexp_eval(const struct iexp *expr, int64_t *const *map, uint32_t index, int64_t *out);
bool cond_eval(const struct cond *condition, int64_t *const *map, uint32_t index, bool *out);
// Are both the same expression?
bool iexp_equal(const struct iexp *a, const struct iexp *b);
// Are patterns a and b of the rule one term?
bool pat_same(const struct rule *rule, uint32_t a, uint32_t b);
// The same but for their operands?
bool pat_same_head(const struct rule *rule, uint32_t a, uint32_t b);

#endif
