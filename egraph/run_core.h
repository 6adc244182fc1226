// SPDX-License-Identifier: Apache-2.0
// Between run.c and run_apply.c; nobody else's.
#ifndef EGRAPH_RUN_CORE_H
#define EGRAPH_RUN_CORE_H

#include "egraph/run.h"

enum { RUN_CHUNK = 256 };

// At most RUN_CHUNK matches, each the nodes of the rule's atoms.
void run_apply(struct run *r, uint32_t rule, uint32_t n, uint32_t *nodes);

#endif
