// SPDX-License-Identifier: Apache-2.0
// Symbolic expressions: one hash-consed directed acyclic graph for integers (sizes,
// attributes, indices), truth values over them, and tensor elements.  An expression is
// named by its index.  Arguments come before users, so a larger index never occurs below a
// smaller one.
//
// X1  Expressions with equal (kind, op, sym, type, k, args) have the same index.
// X2  Every kind has one sort (expr_sort).
// X3  DIV and MOD are floor division.  Their value for a divisor of 0 is unspecified;
//     callers that state a formula must state `divisor != 0`, too.
// X4  An index variable belongs to a part: the place of a family of classes
//     (meaning/denote.h).  No condition or place of a rule mixes two parts, with two
//     exceptions: the elements in an expr_place are read at places of any part (the
//     expr_place belongs to none), and a number injected by value() may mention several
//     single axes.
//
// Elements carry the type variable of their rule.
#ifndef VERIFY_SYMBOLIC_EXPR_H
#define VERIFY_SYMBOLIC_EXPR_H

#include "base/memory/arena.h"
#include "base/text/buf.h"
#include "base/memory/vec.h"
#include "rules/rule.h"

typedef uint32_t expr_id;
#define NO_EXPR UINT32_MAX

enum expr_kind {
    // integers
    X_INT,   // k
    X_VAR,   // sym = variable
    X_ADD,   // a, b
    X_MUL,   // a, b
    X_DIV,   // a, b
    X_MOD,   // a, b
    X_IF,    // truth value c, a, b
    X_VALUE, // element a of a domain of integers, as an integer; sym = 1: a
             // place, see expr_place
    // truth values
    X_TRUE,
    X_FALSE,
    X_LE, // a <= b
    X_EQ, // a = b (integers)
    X_NOT,
    X_AND, // any number
    X_OR,
    X_SAME,  // elements a and b are the same
    X_HOLDS, // element a of a bool type is true
    // elements
    X_ACCESS,  // sym = tensor variable, args = its index, axis by axis
    X_SCALAR,  // sym = scalar variable
    X_LITERAL, // op = literal kind (LIT_*), k, sym: see expr_literal
    X_INJECT,  // integer a as an element (iota)
    X_OP,      // op, sym = compare direction, args
    X_OPVAR,   // sym = operator variable, args
    X_PICK,    // truth value c, elements a, b
    X_REDUCE,  // op = reducer or N_OPS, sym = operator variable, k = pattern;
               // args: body, then variable and size of each bound index
    X_ATOM,    // k; an element of which nothing is known
};
enum expr_sort { SORT_INT, SORT_TRUTH, SORT_ELEM };

struct expr {
    uint8_t kind;
    uint16_t op;
    uint32_t sym;
    uint32_t type; // elements: type variable; else 0
    int64_t k;
    uint32_t at, n; // arguments
};

enum var_kind {
    VAR_MAP,   // a map's value at a place
    VAR_OUT,   // the output index of a class at a place
    VAR_BOUND, // the bound index of a reduce of a class at a place
    VAR_FRESH, // anything else
};
struct var {
    enum var_kind kind;
    uint32_t a;     // map or class
    uint32_t place; // place in the class
    uint32_t level; // VAR_BOUND: number of enclosing reduces; VAR_FRESH: serial
    uint32_t part;  // X4; NONE for none
};

struct exprs {
    VEC(struct expr) node;
    struct u32_vec args;
    struct u32_vec slot; // hash table: id + 1
    VEC(struct var) var;
    uint64_t work; // steps: expressions and monomials asked for
    // Keep X_PICK nodes whose condition is constant, so that expressions have the same
    // structure at every rank (docs/proving.md, reductions).
    bool keep_picks;
    struct walk *walk; // scratch of walks, which change nothing else
};

struct walk *walk_new(void); // walk.c
void walk_free(struct walk *walk);
void exprs_init(struct exprs *exprs);
void exprs_release(struct exprs *exprs);

static inline const struct expr *expr_at(const struct exprs *exprs, expr_id e)
{
    return &exprs->node.at[e];
}
static inline expr_id expr_arg(const struct exprs *exprs, expr_id e, uint32_t i)
{
    return exprs->args.at[exprs->node.at[e].at + i];
}
enum expr_sort expr_sort(const struct exprs *exprs, expr_id e);
bool expr_is_int(const struct exprs *exprs, expr_id e, int64_t k);

// Integers.  Constant operands are folded unless that would overflow.
expr_id expr_int(struct exprs *exprs, int64_t k);
expr_id expr_var(struct exprs *exprs, enum var_kind kind, uint32_t a, uint32_t place,
                 uint32_t level, uint32_t part);
expr_id expr_fresh(struct exprs *exprs, uint32_t part); // a new variable
expr_id expr_add(struct exprs *exprs, expr_id a, expr_id b);
expr_id expr_sub(struct exprs *exprs, expr_id a, expr_id b);
expr_id expr_mul(struct exprs *exprs, expr_id a, expr_id b);
expr_id expr_neg(struct exprs *exprs, expr_id a);
expr_id expr_div(struct exprs *exprs, expr_id a, expr_id b);
expr_id expr_mod(struct exprs *exprs, expr_id a, expr_id b);
expr_id expr_ceildiv(struct exprs *exprs, expr_id a, expr_id b);
expr_id expr_min(struct exprs *exprs, expr_id a, expr_id b);
expr_id expr_max(struct exprs *exprs, expr_id a, expr_id b);
expr_id expr_abs(struct exprs *exprs, expr_id a);
expr_id expr_if(struct exprs *exprs, expr_id c, expr_id a, expr_id b);
expr_id expr_value(struct exprs *exprs, expr_id element);
// The integer value of an element of an integer type, as the place of a gather or scatter.
// For an injected integer it may be another integer: the type may be too narrow.
expr_id expr_place(struct exprs *exprs, expr_id element);

// Truth values.
expr_id expr_true(struct exprs *exprs);
expr_id expr_false(struct exprs *exprs);
expr_id expr_le(struct exprs *exprs, expr_id a, expr_id b);
expr_id expr_lt(struct exprs *exprs, expr_id a, expr_id b);
expr_id expr_eq(struct exprs *exprs, expr_id a, expr_id b);
expr_id expr_not(struct exprs *exprs, expr_id a);
expr_id expr_and(struct exprs *exprs, uint32_t n, const expr_id *a);
expr_id expr_and2(struct exprs *exprs, expr_id a, expr_id b);
expr_id expr_or2(struct exprs *exprs, expr_id a, expr_id b);
expr_id expr_same(struct exprs *exprs, expr_id a, expr_id b);
expr_id expr_holds(struct exprs *exprs, expr_id a);

// Elements.
expr_id expr_access(struct exprs *exprs, uint32_t tensor, uint32_t type, uint32_t n,
                    const expr_id *index);
expr_id expr_scalar(struct exprs *exprs, uint32_t scalar, uint32_t type);
// Operands by kind of literal:
//   LIT_INT      k; in a machine type k modulo 2^width.  sym = 0 if the rule writes the
//                literal, so that it speaks only of types that have the number
//   LIT_BOOL     k
//   LIT_DECIMAL  k / 10^sym; the negative zero if k = 0 and sym = 1
//   LIT_LOWEST, LIT_HIGHEST  none
//   LIT_UNIT     sym = operator variable
expr_id expr_literal(struct exprs *exprs, enum literal_kind lit, int64_t k, uint32_t sym,
                     uint32_t type);
expr_id expr_inject(struct exprs *exprs, expr_id a, uint32_t type);
expr_id expr_op(struct exprs *exprs, enum op op, uint32_t dir, uint32_t type, uint32_t n,
                const expr_id *a);
expr_id expr_opvar(struct exprs *exprs, uint32_t var, uint32_t type, uint32_t n, const expr_id *a);
expr_id expr_pick(struct exprs *exprs, expr_id c, expr_id a, expr_id b);
expr_id expr_atom(struct exprs *exprs, int64_t k, uint32_t type);
// The operator of a reduction: op, or (N_OPS) an operator variable; and the pattern of the
// rule that the reduction denotes.
struct expr_reducer {
    enum op op;
    uint32_t opvar;
    int64_t pattern;
    uint32_t type;
};
// args: the body, then n pairs of bound variable (X_VAR) and size.
expr_id expr_reduce(struct exprs *exprs, struct expr_reducer reducer, uint32_t n_args,
                    const expr_id *args);

// May two operands be exchanged?  True for a StableHLO operator that commutes, ==, and a
// product of a contraction of floats (meaning/denote.h, float_sums).
bool expr_commutes(const struct expr *node);
expr_id expr_with_args(struct exprs *exprs, expr_id e, const expr_id *args);
// Replaces from[i] by to[i] everywhere, also below reduces: callers must use variables that
// no reduce binds.
expr_id expr_subst(struct exprs *exprs, expr_id e, uint32_t n, const expr_id *from,
                   const expr_id *to);
bool expr_contains(const struct exprs *exprs, expr_id e, expr_id part);
// The ids of e and of everything below, ascending (arguments first).
void expr_reach(const struct exprs *exprs, expr_id e, struct u32_vec *out);

// Text for messages and tests.  Variables have the rule's names ("n.0").
void expr_print(const struct exprs *exprs, const struct rule *rule, expr_id e, struct buf *out);

#endif
