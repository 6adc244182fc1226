// SPDX-License-Identifier: Apache-2.0
// Makes terms of a formula that was read (elaborate.c), and names indices
// (indices.c).
#ifndef FORMULA_LANGUAGE_MAKER_H
#define FORMULA_LANGUAGE_MAKER_H

#include "formula/limits.h"
#include "formula/language/reading.h"

struct named_index {
    const char *name;
    uint32_t dim; // size of the index, a root of the union-find forest
};
struct made_term {
    uint32_t index[FORMULA_POSITIONS];
    fterm term;
    uint32_t next; // next term made for the same node, + 1
};
struct term_maker {
    struct reading *reading;
    struct fterms *terms;
    struct formula *formula;
    VEC(struct named_index) index; // the axes that the text names come first
    VEC(struct made_term) made;
    struct u32_vec first; // by node: first term made for it, + 1
    struct buf text;
};
#define NO_INDEX UINT32_MAX

// Gives a name to each size that occurs.
void maker_name_sizes(struct term_maker *maker);
// The first name of an index of that size that is none of the n taken ones; a
// new name if there is none.
uint32_t maker_index(struct term_maker *maker, uint32_t dim, const uint32_t *taken, uint32_t n);
bool maker_index_taken(uint32_t x, const uint32_t *taken, uint32_t n);

fterm maker_binary(struct term_maker *maker, const char *op, fterm a, fterm b);
fterm maker_number(struct term_maker *maker, const char *text);
fterm maker_count(struct term_maker *maker, uint32_t index);
const struct formula_shape *maker_shape(const struct term_maker *maker, uint32_t node);
// Makes the term of a node at these indices, each term once.
bool maker_term(struct term_maker *maker, uint32_t node, const uint32_t *index, fterm *out);

#endif
