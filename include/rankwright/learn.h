// SPDX-License-Identifier: Apache-2.0
// Rules from examples: a part of rankwright.h, which programs include.
#ifndef RANKWRIGHT_LEARN_H
#define RANKWRIGHT_LEARN_H

struct rw_learn_options {
    size_t size;
    const char *before, *after; // functions; NULL: the only one of each program
    bool two_of_one;            // both programs are one, which has the two functions in order
    const char *name;           // of the rule; NULL: "learned"
    uint64_t seed;              // equal seeds, equal answers
    // A second pair, which the rule must have as an instance, too; NULL: none.  Functions as above.
    const struct rw_program *also_before, *also_after;
};
enum rw_learn_word {
    RW_LEARN_RULE,     // a rule was proved that rewrites the one program into the other
    RW_LEARN_LAYOUT,   // they are one program up to the order of dimensions: no rule is needed
    RW_LEARN_UNKNOWN,  // no rule was proved; `reason` says what is missing
    RW_LEARN_DIFFERENT // the programs are not equal: arguments are known on which they differ
};
struct rw_learn_answer {
    enum rw_learn_word word;
    const char *rule;    // its text; NULL: none
    const char *hash;    // of the rule
    const char *domains; // in which it is proved, "int, real"
    const char *reason;
    const char *sense; // in which sense the programs differ most in runs (comparison.h)
};
// The most general rule found behind two programs of one result each, whose arguments are
// paired by their order.
struct rw_learned;
RW_API struct rw_learned *rw_learn(struct rw_context *context, const struct rw_program *before,
                                   const struct rw_program *after,
                                   const struct rw_learn_options *options, struct rw_error *error);
RW_API void rw_learned_free(struct rw_learned *learned);
RW_API const struct rw_learn_answer *rw_learned_answer(const struct rw_learned *learned);
// A module of StableHLO that shows the difference of the programs, as rw_comparison_module has it;
// "": there is none.
RW_API const char *rw_learned_module(const struct rw_learned *learned);
// Where the rule is false: without one of its preconditions, or in a domain in which it is not
// true, at the smallest sizes found.
struct rw_learn_case {
    const char *name;   // "needs-1", "float": may be part of a file's name
    const char *what;   // the precondition or domain
    const char *module; // of StableHLO: @before and @after at these sizes, and @main, which calls
                        // them on arguments on which they differ; NULL: none, `why` says why
    const char *why;
};
// Searches for the cases at the first call.
RW_API size_t rw_learned_case_count(struct rw_learned *learned);
// NULL: there is no such case, or nothing was searched for.
RW_API const struct rw_learn_case *rw_learned_case(const struct rw_learned *learned, size_t i);
// Lines for people; all of it as JSON.
RW_API char *rw_learned_describe(const struct rw_learned *learned);
RW_API char *rw_learned_json(const struct rw_learned *learned);

#endif
