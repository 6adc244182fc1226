// SPDX-License-Identifier: Apache-2.0
// Sets of axes, by number.
#ifndef FORMULA_TERMS_AXES_H
#define FORMULA_TERMS_AXES_H

#include <stdbool.h>
#include <stdint.h>

enum { AXIS_WORDS = 4, AXIS_SET = 64 * AXIS_WORDS }; // axes that a set may have

struct axis_set {
    uint64_t word[AXIS_WORDS];
};

static inline void axis_set_add(struct axis_set *set, uint32_t axis)
{
    set->word[axis / 64] |= UINT64_C(1) << axis % 64;
}

static inline bool axis_set_has(struct axis_set set, uint32_t axis)
{
    return set.word[axis / 64] >> axis % 64 & 1;
}

static inline struct axis_set axis_set_of(uint32_t axis)
{
    struct axis_set set = {{0}};
    axis_set_add(&set, axis);
    return set;
}

static inline struct axis_set axis_set_union(struct axis_set a, struct axis_set b)
{
    for (int i = 0; i < AXIS_WORDS; i++)
        a.word[i] |= b.word[i];
    return a;
}

static inline struct axis_set axis_set_without(struct axis_set a, struct axis_set b)
{
    for (int i = 0; i < AXIS_WORDS; i++)
        a.word[i] &= ~b.word[i];
    return a;
}

static inline bool axis_set_equal(struct axis_set a, struct axis_set b)
{
    bool same = true;
    for (int i = 0; i < AXIS_WORDS; i++)
        same = same && a.word[i] == b.word[i];
    return same;
}

static inline bool axis_set_meet(struct axis_set a, struct axis_set b)
{
    bool meet = false;
    for (int i = 0; i < AXIS_WORDS; i++)
        meet = meet || (a.word[i] & b.word[i]) != 0;
    return meet;
}

static inline uint32_t axis_set_count(struct axis_set set)
{
    uint32_t n = 0;
    for (int i = 0; i < AXIS_WORDS; i++)
        for (uint64_t left = set.word[i]; left != 0; left &= left - 1)
            n++;
    return n;
}

static inline bool axis_set_is_empty(struct axis_set set)
{
    return axis_set_count(set) == 0;
}

#endif
