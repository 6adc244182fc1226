// SPDX-License-Identifier: Apache-2.0
// Making terms of what was read (elaborate.c), and the names of indices
// (indices.c).
#ifndef FORMULA_MAKER_H
#define FORMULA_MAKER_H

#include "formula/reading.h"

struct index {
    const char *name;
    uint32_t dim; // a root
};
struct made {
    uint32_t index[MAX_POSITIONS];
    fterm term;
    uint32_t next; // + 1
};
struct maker {
    struct reading *r;
    struct fterms *t;
    struct formula *f;
    VEC(struct index) index; // first those of r->axis
    VEC(struct made) made;
    struct u32_vec first; // by node: made + 1
    struct buf text;
};
#define NO_INDEX UINT32_MAX

// A name for each size that something has.
void maker_name_sizes(struct maker *m);
// The first name of an index of that size that is none of the n taken ones; a
// new one if there is none.
uint32_t maker_index(struct maker *m, uint32_t dim, const uint32_t *taken,
                     uint32_t n);
bool index_taken(uint32_t x, const uint32_t *taken, uint32_t n);

fterm maker_binary(struct maker *m, const char *op, fterm a, fterm b);
fterm maker_number(struct maker *m, const char *text);
fterm maker_count(struct maker *m, uint32_t index);
const struct shape *maker_shape(const struct maker *m, uint32_t node);
// The term of a node at these indices, each made once.
bool maker_term(struct maker *m, uint32_t node, const uint32_t *index,
                fterm *out);

#endif
