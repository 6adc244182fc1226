// SPDX-License-Identifier: Apache-2.0
// Elements in the solver's theories (machine.c), the meaning of each operator there
// (machine_operators.c, machine_convert.c, convert_facts.c, float_facts.c), and leaves (machine_leaf.c).  A
// function for an operator returns NULL if the operator stays uninterpreted.
#ifndef VERIFY_ARITHMETIC_MACHINE_H
#define VERIFY_ARITHMETIC_MACHINE_H

#include "verify/integers/translate.h"
#include "verify/arithmetic/leaf.h"

struct machine {
    struct session *session;
    enum domain domain;
    const enum elem *of; // by type variable: what it stands for, ELEM_OTHER:
                         // uninterpreted.  NULL: the next ones say it
    uint32_t type;       // the one type that is interpreted; NONE: every one
    unsigned width;
    bool is_signed;
    unsigned ebits, sbits;
    bool order;    // elements as members of any total order
    expr_id power; // an element that is 2^bit; or NO_EXPR
    unsigned bit;
    const struct axiom_uses *axioms; // of transcendental operators, or NULL
    bool opaque;                     // a symbol other than a constant, or a free sort, was used
    uint64_t rate; // the most steps for each bit of a type that a query about the leaf took
    bool is_long;  // one of them took more than VERIFY_SHARED_STEPS
    bool by_order; // arithmetic on floats gives unknown values (order_facts.c)
    // The elements of a loose query, in which conversions that keep order, and those back, are
    // unknown values (convert_facts.c); NULL: of another one.
    const struct u32_vec *loose;
};

Z3_sort machine_elem_sort(struct machine *machine, enum elem elem); // a machine type
Z3_sort machine_sort(struct machine *machine, uint32_t type);
Z3_ast machine_term(struct machine *machine, expr_id e);
// A constant of the type.
Z3_ast machine_named(struct machine *machine, const char *what, int64_t k, uint32_t type);
// The polynomial of an injected index, or of elements, over reals.
Z3_ast machine_real_poly(struct machine *machine, struct poly poly);

// If both reals are integers, of which one at least was rounded, then they become the integers
// (machine_integral.c).
bool machine_integers(struct machine *machine, Z3_ast *a);
Z3_ast machine_real_op(struct machine *machine, const struct expr *node, const Z3_ast *a);
Z3_ast machine_word_op(struct machine *machine, const struct expr *node, const Z3_ast *a);
Z3_ast machine_float_op(struct machine *machine, const struct expr *node, const Z3_ast *a);
// Truncating division and remainder of two words (word_division.c); `zero` is of their sort.
Z3_ast machine_word_divide(struct machine *machine, const Z3_ast *a, Z3_ast zero);
Z3_ast machine_word_remainder(struct machine *machine, const Z3_ast *a, Z3_ast zero);
// A correctly rounded function of floats (float_facts.c).
struct float_fact {
    enum op op;
    // NaN if the operand is NaN; or also if it is below a number; or also if it is infinite.
    enum { FACT_NAN_ONLY, FACT_NAN_BELOW, FACT_NAN_INFINITE } nan;
    int below;
    enum op_result sign; // of a result that is a number
    enum op_parity parity;
    bool rises; // if a <= b then f(a) <= f(b), unless one is NaN
    bool has_least, has_most;
    int least, most;
};
bool float_fact_of(enum op op, struct float_fact *out); // false: nothing is known
// Tells the solver the facts about all applications among the elements.
void machine_float_facts(struct machine *machine, const struct u32_vec *all);
// Arithmetic on floats of which the solver can be told what follows from the order of its operands
// (order_facts.c): the facts about a result r of a; about two results, r of a and s of b; and those
// about all among the elements, told to the solver.
bool order_has_facts(enum op op);
Z3_ast machine_order_fact(Z3_context context, enum op op, const Z3_ast *a, Z3_ast r);
Z3_ast machine_order_fact_of_two(Z3_context context, const enum op op[2], const Z3_ast *a, Z3_ast r,
                                 const Z3_ast *b, Z3_ast s);
void machine_order_facts(struct machine *machine, const struct u32_vec *all);
// Between machine types (machine_convert.c).
Z3_ast machine_convert(struct machine *machine, enum elem from, enum elem to, Z3_ast a);
// The conversions to floats that keep order and sign (convert_facts.c): facts about an operand
// and its result, and about two of each.
bool machine_convert_keeps_order(enum elem from, enum elem to);
Z3_ast machine_convert_fact(struct machine *machine, enum elem from, enum elem to, Z3_ast x,
                            Z3_ast r);
Z3_ast machine_convert_order(struct machine *machine, enum elem from, enum elem to,
                             const Z3_ast x[2], const Z3_ast r[2]);
// Of x, converted to r in a type that has all values of x's, and v, converted back to c: a fact
// about any v.
Z3_ast machine_convert_back(struct machine *machine, enum elem from, Z3_ast x, Z3_ast r, Z3_ast v,
                            Z3_ast c);
// Does a loose query tell what the conversion back between these type variables is?
bool machine_convert_comes_back(const struct machine *machine, uint32_t from, uint32_t to);
// Tells the solver these facts about the conversions of a loose query.
void machine_convert_facts(struct machine *machine, const struct u32_vec *all);

#endif
