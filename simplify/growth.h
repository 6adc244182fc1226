// SPDX-License-Identifier: Apache-2.0
// Which of the two sides of a rule costs more to read.
#ifndef SIMPLIFY_GROWTH_H
#define SIMPLIFY_GROWTH_H

#include "simplify/choose.h"

// Truth values are conditions, not read: none is made longer.
bool growth_is_truth(const char *name);
// What a rule is from `left` to `right`, both terms of the chooser.
enum choose_kind growth_kind(const struct choose *chooser, fterm left, fterm right);

#endif
