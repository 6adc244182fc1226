// SPDX-License-Identifier: Apache-2.0
// Queries of addresses: "op=slice&op=pad&q=twice", without the question mark.
#ifndef EXPLORER_PAGES_QUERY_H
#define EXPLORER_PAGES_QUERY_H

#include "base/memory/arena.h"
#include "base/memory/vec.h"

struct query_pair {
    const char *key, *value; // decoded
};
struct query_pairs {
    VEC(struct query_pair) at;
    struct arena mem;
};
// Pairs beyond the first QUERY_PAIRS are left out, as are pairs whose text is no UTF-8 or has
// a NUL.  NULL is the empty query.
enum { QUERY_PAIRS = 64 };
void query_read(struct query_pairs *pairs, const char *text);
void query_pairs_release(struct query_pairs *pairs);
// The value number `which` of the key; NULL: there are not so many.
const char *query_value(const struct query_pairs *pairs, const char *key, unsigned which);

#endif
