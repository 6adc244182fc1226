// SPDX-License-Identifier: Apache-2.0
// Disjoint sets over dense ids.
//
// I1  up[c] <= c, so a root is the oldest member of its set and chains end.
//
// The same merges in any order give the same roots: no ranks, no addresses.
#ifndef EGRAPH_UNIONFIND_H
#define EGRAPH_UNIONFIND_H

#include "base/err.h"
#include "base/vec.h"

typedef struct {
    uint32_t v;
} class_id;
#define NO_CLASS ((class_id){UINT32_MAX})

struct uf {
    VEC(uint32_t) up;
};

void uf_release(struct uf *u);
void uf_grow(struct uf *u, uint32_t n); // ids below n exist, new ones alone
// The root; halves the path on the way, so it takes a non-const handle.
static inline class_id uf_find(struct uf *u, uint32_t c)
{
    uint32_t *up = u->up.at;
    while (up[c] != c) {
        up[c] = up[up[c]];
        c = up[c];
    }
    return (class_id){c};
}
class_id uf_root(const struct uf *u, uint32_t c);    // without shortening
bool uf_merge(struct uf *u, uint32_t a, uint32_t b); // false: already one set
bool uf_check(const struct uf *u, struct err *e);    // I1

#endif
