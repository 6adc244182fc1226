// SPDX-License-Identifier: Apache-2.0
// Conversion between e-graph files (io/) and extraction problems (egraph/),
// which do not know each other.
#ifndef API_EGRAPH_PROBLEM_H
#define API_EGRAPH_PROBLEM_H

#include "egraph/extract/problem/problem.h"
#include "io/egraph/json.h"

// Classes keep their numbers; nodes are sorted by class, node_of[problem's] is
// the file's.  Subsumed nodes may not be chosen and are left out.
void problem_of_file(const struct egraph_file *file, struct problem *problem,
                     struct u32_vec *node_of);
// Per class the file's node, or NO_FILE_NODE.  Callers must release the array
// with mem_free.
uint32_t *file_choice(const struct solution *solution, const struct u32_vec *node_of);

#endif
