// SPDX-License-Identifier: Apache-2.0
// Between plain_check.c and plain_rules.c; nobody else's.
#ifndef PROOF_PLAIN_CORE_H
#define PROOF_PLAIN_CORE_H

#include "base/arena.h"
#include "proof/plain_check.h"

// A pattern, or a term: a variable (its name begins with ?) or a name over
// nodes arg[0 .. n - 1].
struct ptree {
    struct plain_word name;
    bool variable;
    uint32_t n;
    struct ptree *arg, *last; // the first; the others by `next`
    struct ptree *next;
};
// A condition: name(arg ..), the last argument being what it computes; or
// same[0] = same[1].
struct pguard {
    struct plain_word name;
    uint32_t n;
    struct plain_word arg[5];
    struct ptree *same[2];
};
struct pside {
    uint32_t n;
    struct plain_word root[8]; // variables, or empty
    struct ptree *tree[8];
};
struct pright {
    struct pside side;
    uint32_t n_guards;
    struct pguard guard[8];
};
// Where every left.root[i] equals left.tree[i], there each root of the first
// right side whose conditions hold equals its tree.  A side that is written
// with one pattern has no roots, and is about the class of that pattern.
struct prule {
    struct plain_word name;
    struct pside left;
    uint32_t n_right;
    struct pright *right;
};
struct prules {
    struct arena mem;
    VEC(struct prule) rule;
    VEC(struct plain_word) ac; // operators whose order and brackets are free
};

enum { PLAIN_MAX_DEPTH = 64 }; // of a pattern of a rule

bool prules_read(struct prules *r, const char *text, struct err *e);
void prules_release(struct prules *r);
// One tree from *text on; `depth` limits it.
struct ptree *ptree_read(struct arena *mem, const char **text, uint32_t depth);

// plain_ac.c.  Of terms: their number, which is that of the first such term,
// and what it was found by.
struct pac {
    struct u32_vec number, key_at, key_n, keys;
    struct u32_vec first, slot;
};
void pac_release(struct pac *x);
// Are they equal up to order and brackets, everywhere in them?
bool pac_equal(struct pac *x, const struct prules *r,
               const struct plain_check_terms *t, uint32_t a, uint32_t b);

static inline bool word_is(struct plain_word a, struct plain_word b)
{
    return a.len == b.len && memcmp(a.at, b.at, a.len) == 0;
}

#endif
