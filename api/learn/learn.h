// SPDX-License-Identifier: Apache-2.0
// A rule from two programs, as include/rankwright/learn.h has it.
#ifndef API_LEARN_LEARN_H
#define API_LEARN_LEARN_H

#include "api/context.h"
#include "api/evaluate/difference.h"
#include "api/rules/json.h"
#include "api/simplify/program.h"
#include "discover/examples/examples.h"

// Whether the programs are equal, asked before anything is learned (compared.c).
struct compared {
    enum difference worst;
    bool different;    // not equal: no rule in a domain of the pair's elements can be true
    bool near;         // .. but a rule under more conditions may be true: of integers that do
                       // not overflow, or of elements at which both sides are defined
    bool known;        // runs say so: nothing was unknown to the interpreter
    struct buf text;   // for people
    struct buf module; // a program that shows the difference; empty: none
    json_t *json;
};
bool compared_run(struct compared *compared, const struct compare_side side[2], uint64_t seed,
                  struct err *err);
void compared_release(struct compared *compared);

// The value with the functions that it calls in the place of the calls, as far as they are pure.
term_id learn_without_calls(struct program *program, term_id root);

struct read_pair {
    struct parsed_program *program; // both functions, in one store
    struct example example;
};

struct rw_learned {
    struct learner learner;
    struct {
        struct rw_context *context;
        double start, told;
        bool stopped;
    } progress;
    struct read_pair pair, also; // the second one has no program if there is none
    struct compared compared;
    struct example_rule found;
    struct buf text, domains; // of the rule
    struct {
        bool made;
        VEC(struct rw_learn_case) at;
        struct arena mem;
    } cases; // cases.c
    struct rw_learn_answer answer;
    char *name;
};

// say.c: the answer for people, and as JSON.
void learned_describe(const struct rw_learned *learned, struct buf *out);
// A precondition as text.
void learned_where(const struct rule *rule, uint32_t w, struct buf *out);
json_t *learned_json(const struct rw_learned *learned);

#endif
