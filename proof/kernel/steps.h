// SPDX-License-Identifier: Apache-2.0
// The parts of kernel_check.
#ifndef PROOF_KERNEL_STEPS_H
#define PROOF_KERNEL_STEPS_H

#include "proof/kernel/check.h"
#include "proof/kernel/denote.h"
#include "proof/kernel/normal.h"

// Does the closed form of a state hold in every iteration?  All closed forms are stated in s, and
// the facts of the loop's place are pushed; the iterations of the loops around it are symbols, so
// the induction is for each of them.
bool induction_holds(struct symbolic *s, uint32_t loop, uint32_t carried);

// W of one statement, made again from the program: members, and the facts of membership behind
// `mark`.
struct writes {
    const struct code_statement *statement;
    uint32_t n_members, n_loops, n_parallel; // parallel loops come first
    ipoly member[OUTPUT_MEMBERS];
    ipoly address;
    lterm value;     // LT_WHOLE 0 of reads
    lterm condition; // of data: besides the facts, this is true; 0: true
    uint32_t mark;
};
// Pushes the facts.  False: the statement has no such W.
bool writes_open(struct symbolic *s, const struct code_statement *statement, uint32_t n_loops,
                 const uint32_t *loops, uint32_t mark, struct writes *out);

struct obligation_list {
    struct kernel_check *check;
    struct kernel_checked *of;
};
void obligation(struct obligation_list *list, const char *name, const char *about, bool holds,
                struct code_place place);

// value, address, once; covered; distinct.
void check_writes(struct symbolic *s, const struct writes *w, const struct claim_output *o,
                  struct obligation_list *list);
// Is the address an element of the tensor, whose base may be over index'i?  The indices, if so.
// `known` are indices to try, or NULL; NO_POLY: unknown.
#define NO_POLY UINT32_MAX
bool element_of_tensor(struct symbolic *s, ipoly address, const struct written_tensor *tensor,
                       const ipoly *extent, const ipoly *known);
// No element of a is one of b, both of one array, if elements of a box around both have distinct
// addresses; that is appended to `need`, if the facts do not say it.  False: not shown.
bool outputs_disjoint(struct symbolic *s, const struct claim_output *a,
                      const struct claim_output *b, const char *array, struct buf *need);
// Each stride is larger than what the axes behind it can add.
bool strides_nest(struct symbolic *s, uint32_t n, const ipoly *stride, const ipoly *extent);
// elements of x at distinct addresses: ..
void distinct_text(struct symbolic *s, const char *array, uint32_t n, const ipoly *stride,
                   const ipoly *extent, const struct claim_output *names, struct buf *out);
// Are the addresses of all elements at least 0?
bool not_before(struct symbolic *s, ipoly base, uint32_t n, const ipoly *stride,
                const ipoly *extent);
// Is the read (or write) an element of the tensor?  The indices, if so.
bool element_of(struct symbolic *s, ipoly address, ipoly base, uint32_t n, const ipoly *stride,
                const ipoly *extent, ipoly *index);

#endif
