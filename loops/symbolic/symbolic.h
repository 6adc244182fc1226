// SPDX-License-Identifier: Apache-2.0
// The symbolic meaning of a program: the value of a node at a symbolic lane, as a tree of
// loops/terms/term.h.  Nothing is unrolled: lanes, iterations, sizes and program ids are
// polynomials, and facts about them decide masks.
//
// The meaning of a loop's state is what callers state as its closed form (symbolic_close); this
// module does not find or prove closed forms.  Callers that prove must state only what they
// prove by induction; while a loop has no closed form, its states are unknowns (LT_STATE).
//
// S1  Every step is an equality under the facts that are pushed, over real numbers with infinities
//     by exact rules.  Where no rule applies, the result is LT_UNDEFINED with a reason.
// S2  Arithmetic has a value: divisors are not 0, logarithms have positive operands.  The
//     formula language assumes the same.
// S3  A read gives what the array held when the launch began.  loops/grid proves that no element
//     is written before it is read.
#ifndef LOOPS_SYMBOLIC_SYMBOLIC_H
#define LOOPS_SYMBOLIC_SYMBOLIC_H

#include "loops/terms/term.h"

enum closed_kind {
    CLOSED_NOT,   // a state stays LT_STATE; an integer a symbol
    CLOSED_DATA,  // the same, but an integer is LT_STATE, too: a number that data makes
    CLOSED_FORM,  // `form`, from iteration `from` on; before, the initial value
    CLOSED_ERROR, // `form` is LT_UNDEFINED
};
// The value of a state at the start of an iteration.
struct closed {
    uint8_t kind, from; // from: 0 or 1
    lterm form;         // over the symbols `iteration` and lane[d] of symbolic.c
};

enum binder { BIND_NOTHING, BIND_VARIABLE, BIND_STATE, BIND_RESULT, BIND_MERGED, BIND_REGION };
struct binding {
    uint8_t kind;   // enum binder
    uint32_t owner; // loop or branch
    uint32_t index; // of carried or merged; of the region's environment
};

struct symbolic {
    const struct code_program *program;
    struct integers *in;
    struct lterms *terms;
    struct ifacts facts;
    VEC(struct closed) closed;   // by carried
    VEC(struct binding) binding; // by node
    VEC(ipoly) iteration;        // by loop: the symbol of the iteration that runs, from 0
    VEC(ipoly) parameter;   // by parameter, of integers: a symbol, or what a fact says it equals
    VEC(lterm) environment; // values of region parameters
    uint32_t in_region;     // depth
    lterm condition;        // of branches on data around the statement (each_statement); 0: none
    struct intern keys;     // memory of symbolic_value
    struct u32_vec known;
    uint32_t depth, steps;
};

void symbolic_init(struct symbolic *s, const struct code_program *program, struct integers *in,
                   struct lterms *terms);
void symbolic_release(struct symbolic *s);

// The place in `known` of what was computed from the words under the facts of now; 0 stands there
// until it is known.  The first word of a key says whose it is.
enum { KEY_REBUILT = -2, KEY_NORMAL = -1 }; // others are nodes: symbolic_value
uint32_t symbolic_memory(struct symbolic *s, uint32_t n, const uint32_t *words);
// The value of the node at a lane: one polynomial for each of its axes.
lterm symbolic_value(struct symbolic *s, code_value value, const ipoly *lane);
// The integer that an array held at an offset when the launch began.
ipoly symbolic_element(struct symbolic *s, uint32_t array, ipoly offset);
// The value that an array held at an offset then: a real number, an integer, or a truth value,
// which is true where the integer in memory, 0 or 1, is at least 1.
lterm symbolic_stored(struct symbolic *s, uint32_t array, ipoly offset);
// A truth value as memory has it: the number 1 or 0.
lterm symbolic_bit(struct symbolic *s, lterm truth);
// A scalar integer as a polynomial; false: it is no whole polynomial under the facts.
bool symbolic_integer(struct symbolic *s, code_value value, ipoly *out);
// The number of iterations: max(0, (upper - lower + step - 1) div step); false: not known to be so.
bool symbolic_trips(struct symbolic *s, uint32_t loop, ipoly *out);
// lower + iteration * step.
bool symbolic_variable(struct symbolic *s, uint32_t loop, ipoly iteration, ipoly *out);
// Symbols of closed forms: the lane along axis d, the iteration.
ipoly symbolic_lane(struct symbolic *s, uint32_t axis);
ipoly symbolic_iteration(struct symbolic *s);
void symbolic_close(struct symbolic *s, uint32_t carried, struct closed closed);
// The closed form of a state at an iteration and a lane, under the facts of now.
lterm symbolic_form(struct symbolic *s, uint32_t carried, ipoly iteration, const ipoly *lane);
// The facts 0 <= a < end.
void symbolic_range(struct symbolic *s, ipoly a, ipoly end);
// The facts that the caller guarantees, and that sizes of the launch are at least 1.
void symbolic_launch_facts(struct symbolic *s);
// Pushes what a true condition says about integers.  False: it says more than that.
bool symbolic_assume(struct symbolic *s, lterm truth, uint32_t origin);

// The same; what is no conjunction of comparisons of integers without elements of arrays joins
// *condition, a truth value (0: true).
void symbolic_assume_or_keep(struct symbolic *s, lterm truth, lterm *condition);

// The polynomial, or a parameter that it equals under the facts.
ipoly symbolic_nicer(struct symbolic *s, ipoly a);

// Operators on trees.  The order of conditions is kept, conditions that the facts decide vanish.
lterm symbolic_apply(struct symbolic *s, enum code_op op, uint32_t n, const lterm *args);
lterm symbolic_choose(struct symbolic *s, ipoly at_least_0, lterm yes, lterm no);
// The facts say that p is at least 0: if they say that it is 0, a symbol that this makes equal to a
// polynomial without it.  False: none.
bool symbolic_pinned(struct symbolic *s, ipoly p, iatom *symbol, ipoly *to);
// The fold of a tree over index in [0, end).
lterm symbolic_reduce(struct symbolic *s, enum code_op op, iatom index, ipoly end, lterm body);
// The term made again with atoms replaced, under the facts of now.
lterm symbolic_rebuild(struct symbolic *s, lterm term, const struct int_substitution *by);
// a (+) b as one fold, if b goes on where a ends.  False: it does not.
bool symbolic_join(struct symbolic *s, lterm a, lterm b, lterm *out);
// A maximum over indices up to some, 0 among them, as one over the whole range: of what the smaller
// of the index and the last one gives.  Guards that say something else stay.
void symbolic_clamp(struct symbolic *s, struct lreduce *open);
// The same value with shifts by maxima gone, as far as they cancel (shift.c).
lterm symbolic_cancel(struct symbolic *s, lterm term);
// Does the reason of a refusal stand in the term?  Returns it, or NULL.
const char *symbolic_refusal(const struct symbolic *s, lterm term);

#endif
