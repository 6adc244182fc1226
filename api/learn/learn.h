// SPDX-License-Identifier: Apache-2.0
// A rule from two programs, as include/rankwright/learn.h has it.
#ifndef API_LEARN_LEARN_H
#define API_LEARN_LEARN_H

#include "api/context.h"
#include "api/rules/json.h"
#include "api/simplify/program.h"
#include "discover/examples/examples.h"

struct rw_learned {
    struct learner learner;
    struct parsed_program *program; // both functions, in one store
    struct example example;
    struct example_rule found;
    struct buf text, domains; // of the rule
    struct rw_learn_answer answer;
    char *name;
};

// say.c: the answer for people, and as JSON.
void learned_describe(const struct rw_learned *learned, struct buf *out);
json_t *learned_json(const struct rw_learned *learned);

#endif
