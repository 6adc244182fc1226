// SPDX-License-Identifier: Apache-2.0
// Classes that every solution needs.  They are paid once whatever is chosen above them, so
// to a choice they are free.  Prices that take them for free stay small at any depth: in a
// chain of blocks that use their operand twice, tree costs double from block to block.
#ifndef EGRAPH_EXTRACT_TREE_NEEDED_H
#define EGRAPH_EXTRACT_TREE_NEEDED_H

#include "egraph/extract/problem/space.h"

// Marks classes that every choice without cycles needs, by class of the space: those that the
// nearest EGRAPH_NEEDED_KEPT of each class tell.  needed[] is false before.
void classes_needed(const struct space *space, bool *needed);

#endif
