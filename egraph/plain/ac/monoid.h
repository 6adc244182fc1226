// SPDX-License-Identifier: Apache-2.0
// Equations between multisets, completed: ground completion for one operator
// that is associative and commutative.  A multiset of atoms stands for the sum
// (or product) of them in any order and with any brackets.
//
// Equations become rules from greater multisets to lesser ones: more atoms are
// greater, and of equally many the one with fewer of the first atom in which
// they differ.  Two rules whose left sides overlap rewrite what both fit into
// (the least such multiset) in two ways: a new equation.  By Dickson's lemma
// this ends; then two multisets are equal by the equations just when they have
// the same normal form (Bachmair, Tiwari, Vigneron: Abstract Congruence
// Closure, J. Automated Reasoning 31, 2003; Kapur, FSCD 2021).  It can take
// very long to end, thus the limits: a system that met one derives less, never
// too much.
//
// Every rule carries its proof: a path of given equations from its left side
// to its right.
#ifndef EGRAPH_PLAIN_AC_MONOID_H
#define EGRAPH_PLAIN_AC_MONOID_H

#include "base/memory/vec.h"

#include <stdbool.h>

// A step of a path: a given equation's number, and 1 if from right to left.
#define MONOID_STEP(reason, back) ((reason) << 1 | (uint32_t)(back))

struct monoid_rule {
    uint32_t left, right, n_left, n_right; // in `pool`, sorted
    uint32_t proof, n_proof;               // in `proofs`
    uint64_t atoms;                        // of the left side, modulo 64
    bool live;
};

struct monoid_task {
    uint32_t size, age;
    uint32_t first, second; // rules; second UINT32_MAX: the first alone
};
struct monoid {
    struct u32_vec pool, proofs;
    VEC(struct monoid_rule) rule;
    // By atom: the rules with it as last atom of the left side; with it in it.
    struct u32_vec last_head, has_head;
    struct u32_vec last_next;
    struct u32_vec has_rule, has_next;
    VEC(struct monoid_task) task; // heap, least overlap first
    struct u32_vec stamp;         // by rule
    struct u32_vec a, b, pa, pb, set;
    uint32_t n_live, n_tasks_done;
    uint64_t work;      // rules looked at
    uint32_t max_size;  // atoms in a multiset
    uint32_t max_tasks; // equations and overlaps; 256 times as much work
    bool cut;           // a limit was met
    // Is it time to stop, with so many bytes in use here?  May be NULL.
    bool (*late)(void *ctx, uint64_t bytes);
    void *late_ctx;
};

// Atoms are 0 .. n_atoms - 1.
void monoid_init(struct monoid *monoid, uint32_t n_atoms, uint32_t max_size, uint32_t max_tasks);
void monoid_release(struct monoid *monoid);
// left = right because of `reason` (< 2^30); both sorted, neither empty.
void monoid_equation(struct monoid *monoid, uint32_t n_left, const uint32_t *left, uint32_t n_right,
                     const uint32_t *right, uint32_t reason);
void monoid_complete(struct monoid *monoid);
uint64_t monoid_bytes(const struct monoid *monoid);
// Rewrites a sorted multiset to normal form.  The uses of rules are appended
// to `uses`, unless that is NULL.
void monoid_normal(struct monoid *monoid, struct u32_vec *set, struct u32_vec *uses);
// Appends the path that such uses stand for (from the end to the beginning, if
// `back`); false: more than `limit` steps.
bool monoid_path(struct monoid *monoid, uint32_t n, const uint32_t *uses, bool back, uint32_t limit,
                 struct u32_vec *path);

#endif
