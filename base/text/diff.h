// SPDX-License-Identifier: Apache-2.0
// What two sequences have in common.  Equal elements have equal numbers.
//
// Elements at both ends that are equal match.  Between them, those match that stand once in
// both sequences, as many as are in one order (patience), then the same between those.  A part
// without such elements has its longest common subsequence, if that takes few enough steps.
#ifndef BASE_TEXT_DIFF_H
#define BASE_TEXT_DIFF_H

#include <stdint.h>

struct diff_match {
    uint32_t a, b;
};
struct diff {
    struct diff_match *at; // ascending in a and in b
    uint32_t len, cap;
};

// Replaces *out.  `steps` bounds the work beyond one look at every element; parts that are
// left when the steps are used up have no matches but those at their ends.
void diff_find(const uint32_t *a, uint32_t n, const uint32_t *b, uint32_t m, uint64_t steps,
               struct diff *out);

#endif
