// SPDX-License-Identifier: Apache-2.0
// A program that was simplified, for several tasks.
#ifndef EXPLORER_PLAY_SIMPLIFY_H
#define EXPLORER_PLAY_SIMPLIFY_H

#include "explorer/play/work.h"

struct simplified {
    struct play *play;
    struct rw_program *program; // of a formula NULL
    struct rw_rewriter *rewriter;
    struct rw_result *result;
    struct rw_simplify_options options;
};

// Reads and simplifies the program of the form; false: the answer says why not.
bool simplified_program(struct simplified *job, struct play *play);
void simplified_release(struct simplified *job);

#endif
