// SPDX-License-Identifier: Apache-2.0
// Between proof/plain/check.c and proof/plain/rules.c; for no other file.
#ifndef PROOF_PLAIN_CORE_H
#define PROOF_PLAIN_CORE_H

#include "base/memory/arena.h"
#include "base/memory/intern.h"
#include "proof/limits.h"
#include "proof/plain/check.h"

// A pattern, or a term: a variable (its name begins with ?) or a name over
// nodes arg[0 .. n - 1].
struct plain_check_tree {
    struct plain_word name;
    bool variable;
    uint32_t n;
    struct plain_check_tree *arg, *last; // the first argument; the others by `next`
    struct plain_check_tree *next;
};
// A condition: name(arg ..), whose last argument is the result; or same[0] =
// same[1].
struct plain_check_guard {
    struct plain_word name;
    uint32_t n;
    struct plain_word arg[PROOF_GUARD_ARGUMENTS + 1];
    struct plain_check_tree *same[2];
};
struct plain_check_side {
    uint32_t n;
    struct plain_word root[PROOF_PATTERNS]; // variables, or empty
    struct plain_check_tree *tree[PROOF_PATTERNS];
};
struct plain_check_right {
    struct plain_check_side side;
    uint32_t n_guards;
    struct plain_check_guard guard[PROOF_GUARDS];
};
// If every left.root[i] equals left.tree[i], then each root of the first right
// side whose conditions hold equals its tree.  A side that is written with one
// pattern has no roots: its root is the class of that pattern.
struct plain_check_rule {
    struct plain_word name;
    struct plain_check_side left;
    uint32_t n_right;
    struct plain_check_right *right;
};
struct plain_check_rules {
    struct arena mem;
    VEC(struct plain_check_rule) rule;
    VEC(struct plain_word) ac; // operators whose order and brackets are free
};

bool plain_check_rules_read(struct plain_check_rules *plain_check_rules, const char *text,
                            struct err *err);
void plain_check_rules_release(struct plain_check_rules *plain_check_rules);
// Reads one tree from *text on, at most `depth` levels deep.
struct plain_check_tree *plain_check_tree_read(struct arena *mem, const char **text,
                                               uint32_t depth);

// proof/plain/ac.c.  Classes of terms: the number of a class is the number of
// its first term, which is found by text.
struct plain_check_ac {
    struct u32_vec number, key_at, key_n, keys;
    struct u32_vec first;  // term of a class
    struct intern classes; // texts of the parts that make terms equal
};
void plain_check_ac_release(struct plain_check_ac *plain_check_ac);
// True if the terms are equal up to order and brackets, in every subterm.
bool plain_check_ac_equal(struct plain_check_ac *plain_check_ac,
                          const struct plain_check_rules *plain_check_rules,
                          const struct plain_check_terms *terms, uint32_t a, uint32_t b);

static inline bool word_is(struct plain_word a, struct plain_word b)
{
    return a.len == b.len && memcmp(a.at, b.at, a.len) == 0;
}

#endif
