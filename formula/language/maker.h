// SPDX-License-Identifier: Apache-2.0
// Making terms of what was read (elaborate.c), and the names of indices
// (indices.c).
#ifndef FORMULA_LANGUAGE_MAKER_H
#define FORMULA_LANGUAGE_MAKER_H

#include "formula/limits.h"
#include "formula/language/reading.h"

struct named_index {
    const char *name;
    uint32_t dim; // a root
};
struct made_term {
    uint32_t index[FORMULA_POSITIONS];
    fterm term;
    uint32_t next; // + 1
};
struct term_maker {
    struct reading *reading;
    struct fterms *terms;
    struct formula *formula;
    VEC(struct named_index) index; // first those of r->axis
    VEC(struct made_term) made;
    struct u32_vec first; // by node: made + 1
    struct buf text;
};
#define NO_INDEX UINT32_MAX

// A name for each size that something has.
void maker_name_sizes(struct term_maker *maker);
// The first name of an index of that size that is none of the n taken ones; a
// new one if there is none.
uint32_t maker_index(struct term_maker *maker, uint32_t dim, const uint32_t *taken, uint32_t n);
bool maker_index_taken(uint32_t x, const uint32_t *taken, uint32_t n);

fterm maker_binary(struct term_maker *maker, const char *op, fterm a, fterm b);
fterm maker_number(struct term_maker *maker, const char *text);
fterm maker_count(struct term_maker *maker, uint32_t index);
const struct formula_shape *maker_shape(const struct term_maker *maker, uint32_t node);
// The term of a node at these indices, each made once.
bool maker_term(struct term_maker *maker, uint32_t node, const uint32_t *index, fterm *out);

#endif
