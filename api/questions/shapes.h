// SPDX-License-Identifier: Apache-2.0
// Shapes of two or three operators in a program: "slice(pad)", "add(multiply, multiply)",
// "reshape(slice(pad))".  "_" is any operand, "constant" one that is constant.
// Transposes below an operator are looked through, as rules do.
#ifndef API_QUESTIONS_SHAPES_H
#define API_QUESTIONS_SHAPES_H

#include "egraph/program/egraph.h"
#include "rules/rule.h"
#include "tensor/program/program.h"

// A set of operators.
struct operators {
    uint64_t word[(N_OPS + 63) / 64];
};
void operators_add(struct operators *set, enum op op);
bool operators_have(const struct operators *set, enum op op);
// The operators that may stand directly below the top of the rule's left side.
void operators_below(const struct rule *rule, struct operators *out);

// One use of a shape.
struct shape_use {
    const char *text;
    term_id top;
    enum op below;     // an operand of the top
    term_id other_top; // NO_TERM, or where the second pair of operators stands:
    enum op other;     // the top itself, or the operand
    unsigned operators;
};
struct shape_uses {
    VEC(struct shape_use) at;
    struct u32_vec tops; // terms of the program with an operator of the table, ascending
};
// All shapes of all terms that the functions reach.
void shapes_of_program(const struct program *program, struct egraph *graph, struct arena *mem,
                       struct shape_uses *out);
void shape_uses_release(struct shape_uses *uses);
// Is it no operator for a rule: a parameter, a constant, an opaque operation?
bool shape_is_leaf(const struct terms *terms, struct egraph *graph, term_id term);
// The operand, below its transposes.
term_id shape_operand(const struct terms *terms, term_id term, uint32_t k);

#endif
