// SPDX-License-Identifier: Apache-2.0
// Outputs: a statement that writes, as a tensor with axes.
//
//   W        the set of writes: iterations of the loops around the statement (programs of the
//            grid are iterations too) and lanes, under conditions and mask
//   axis     an index that W computes: the address is base + sum of stride * index, over
//            strides without members of W
//   element  one index for each axis, 0 <= index < extent
//   witness  for an element the member of W that writes it, as polynomials: the inverse of W
//
// This module finds; nothing that it says is a proof.
#ifndef LOOPS_GRID_OUTPUT_H
#define LOOPS_GRID_OUTPUT_H

#include "loops/symbolic/symbolic.h"

enum { OUTPUT_AXES = 6, OUTPUT_MEMBERS = 12 };

struct output {
    const struct code_statement *statement;
    uint32_t n_members;           // of W
    ipoly member[OUTPUT_MEMBERS]; // symbols: iterations, outer loops first, then lanes
    ipoly end[OUTPUT_MEMBERS];    // 0 <= member < end
    uint32_t n_loops, loop[OUTPUT_MEMBERS];
    uint32_t n_axes;
    ipoly base;
    ipoly stride[OUTPUT_AXES], index[OUTPUT_AXES], extent[OUTPUT_AXES];
    ipoly element[OUTPUT_AXES];    // symbols
    ipoly witness[OUTPUT_MEMBERS]; // over elements
    lterm value;                   // over elements
    lterm condition;               // of data, over members, besides the facts; 0: true
    const char *reason;            // of names of terms: why there is none; NULL
    struct code_place place;       // of the reason
};

// Calls `each` for every statement of one of the kinds, with the facts of its place pushed: loops
// around it, conditions of branches.  `loops` are the loops around it, outer first.
typedef bool (*at_statement)(void *ctx, struct symbolic *s, const struct code_statement *statement,
                             uint32_t n_loops, const uint32_t *loops, const char *reason);
void each_statement(struct symbolic *s, uint32_t kinds, at_statement each, void *ctx);

// Fills members, facts, address and value; pushes the facts of W.  The statement is a write.
void output_open(struct symbolic *s, const struct code_statement *statement, uint32_t n_loops,
                 const uint32_t *loops, struct output *out);
// The axes of the address; sets `reason` if there are none.
void output_axes(struct symbolic *s, struct output *out);
// The value over elements.
void output_value(struct symbolic *s, struct output *out);
// The inverse; sets `reason`.
void output_witness(struct symbolic *s, struct output *out);
// Members that the value still mentions become those of the witness; the facts are those of
// elements.
void output_settle(struct symbolic *s, struct output *out);
// Is the index most - f, where f grows with all members?
bool output_counts_down(struct symbolic *s, const struct output *out, ipoly index, ipoly *most);
// extent.c.  Is a member in it?
bool output_of_members(struct symbolic *s, const struct output *out, ipoly a);
// The end of a member, or of a remainder; 0: it is not known.
ipoly output_end_of_atom(struct symbolic *s, const struct output *out, iatom atom);
// Sets the extent of an axis.  False: it is not known.
bool output_extent(struct symbolic *s, struct output *out, uint32_t d);
// a = b times symbols, which are *out.
bool output_quotient(struct symbolic *s, ipoly a, ipoly b, ipoly *out);
// Is the index below the end because a minimum is, as that of the last of some blocks?
bool output_stays_below(struct symbolic *s, const struct output *out, ipoly index, ipoly end);
// Facts 0 <= element < extent.
void output_element_facts(struct symbolic *s, const struct output *out);

#endif
