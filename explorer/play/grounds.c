// SPDX-License-Identifier: Apache-2.0
#include "explorer/play/grounds.h"

#include <string.h>

#define N(list) (sizeof(list) / sizeof *(list))

static const struct play_choice readings[] = {
    {"float", "floats as they are, bit for bit"},
    {"float-sums", "floats; sums may be added in any order"},
    {"real", "real numbers"},
    {NULL, NULL},
};
static const struct play_choice costs[] = {
    {"time", "time"},
    {"flops", "operations"},
    {"bytes", "bytes moved"},
    {"nodes", "number of operations"},
    {NULL, NULL},
};

static const struct play_input rule_inputs[] = {
    {.name = "text", .label = "Rules", .rows = 14},
};
static const struct play_task rule_tasks[] = {
    {.name = "prove", .label = "Prove", .hint = "a verdict in every number domain"},
    {.name = "repair",
     .label = "Repair",
     .hint = "true rules that are close to a false one",
     .later = true},
    {.name = "generalize",
     .label = "Generalise",
     .hint = "wider rules that are true as well",
     .later = true},
    {.name = "lint", .label = "Lint", .hint = "faults of a set of true rules", .later = true},
    {.name = "known",
     .label = "Find in the library",
     .hint = "the rules of the library that say the same, or from which it follows",
     .later = true},
    {.name = "relatives",
     .label = "Neighbours",
     .hint = "more general rules of the library, special cases, rules from which it follows",
     .later = true},
    {.name = "check", .quick = true},
    {.name = "words", .quick = true},
};

static const struct play_input program_inputs[] = {
    {.name = "text", .label = "Program (StableHLO or HLO text)", .rows = 14, .file = true},
    {.name = "reading", .label = "Floats are", .choices = readings, .extra = true},
    {.name = "cost", .label = "Cheaper is less", .choices = costs, .extra = true},
    {.name = "around",
     .label = "Around class (e-graph)",
     .hint = "of the result, or such as c17",
     .extra = true},
};
static const struct play_task program_tasks[] = {
    {.name = "simplify",
     .label = "Simplify",
     .hint = "a cheaper program that is equal by proved rules"},
    {.name = "missed",
     .label = "Why not?",
     .hint = "rules that came near, and the condition that failed",
     .later = true},
    {.name = "egraph",
     .label = "E-graph",
     .hint = "all that was found equal, as a picture",
     .later = true},
};

static const struct play_input learn_inputs[] = {
    {.name = "text",
     .label = "Program before (StableHLO or HLO text), or both functions",
     .rows = 10,
     .file = true},
    {.name = "after", .label = "Program after", .rows = 10, .file = true},
};
static const struct play_task learn_tasks[] = {
    {.name = "learn",
     .label = "Find the rule",
     .hint = "are they equal, and by which rule for all ranks and sizes"},
};

static const struct play_input formula_inputs[] = {
    {.name = "text", .label = "Formula", .rows = 4},
    {.name = "given", .label = "Given", .hint = "such as x > 0", .extra = true},
};
static const struct play_task formula_tasks[] = {
    {.name = "formula", .label = "Simplify", .hint = "an easier formula of equal value"},
};

static const struct play_input kernel_inputs[] = {
    {.name = "text", .label = "Kernel (Triton's tile IR)", .rows = 14, .file = true},
    {.name = "grid", .label = "Grid", .hint = "as the comments of the text say", .extra = true},
    {.name = "assume", .label = "Assume", .hint = "such as n >= 1, n <= 1024", .extra = true},
    {.name = "expect",
     .label = "Expected",
     .hint = "a formula that it should compute",
     .extra = true},
};
static const struct play_task kernel_tasks[] = {
    {.name = "lift",
     .label = "Find the formula",
     .hint = "what the kernel computes, for all sizes"},
};

static const struct play_input record_inputs[] = {
    {.name = "text", .label = "Proof record (JSON)", .rows = 10, .file = true},
};
static const struct play_task record_tasks[] = {
    {.name = "record", .label = "Check", .hint = "replays every step with proved rules"},
};

#define INPUTS(list) .inputs = (list), .n_inputs = N(list)
#define TASKS(list) .tasks = (list), .n_tasks = N(list)

const struct play_ground *play_ground_at(const char *path)
{
    static const struct play_ground grounds[] = {
        {.path = "play/rules",
         .title = "Try a rule",
         .what = "rule",
         .lead = "A rule says that two tensor programs are equal, for every rank and every size. "
                 "Write one, and see in which number domains it is true.",
         INPUTS(rule_inputs),
         TASKS(rule_tasks),
         .examples = play_rule_examples},
        {.path = "play/programs",
         .title = "Simplify a program",
         .what = "program",
         .lead =
             "A program is rewritten with proved rules only, and the answer comes with a record "
             "that anyone can check.",
         INPUTS(program_inputs),
         TASKS(program_tasks),
         .examples = play_program_examples},
        {.path = "play/learn",
         .title = "A rule from an example",
         .what = "program",
         .lead = "Two programs, before and after a rewrite: are they equal, and which rule, proved "
                 "for all ranks and sizes, are they an example of?",
         INPUTS(learn_inputs),
         TASKS(learn_tasks),
         .examples = play_learn_examples},
        {.path = "play/formulas",
         .title = "Simplify a formula",
         .what = "formula",
         .lead = "Formulas are over the real numbers. Constants that were written as digits are "
                 "recovered.",
         INPUTS(formula_inputs),
         TASKS(formula_tasks),
         .examples = play_formula_examples},
        {.path = "play/kernels",
         .title = "Find the formula of a kernel",
         .what = "kernel",
         .lead = "What a GPU kernel computes, as a formula that is proved for all sizes.",
         INPUTS(kernel_inputs),
         TASKS(kernel_tasks),
         .examples = play_kernel_examples},
        {.path = "play/records",
         .title = "Check a record",
         .what = "record",
         .lead = "A record is checked step by step by code that has not seen the search. Drop its "
                 "file on the page, or paste its text. Simplified programs, formulas and kernels "
                 "come with one.",
         INPUTS(record_inputs),
         TASKS(record_tasks)},
    };
    for (size_t i = 0; i < N(grounds); i++)
        if (strcmp(grounds[i].path, path) == 0)
            return &grounds[i];
    return NULL;
}

const struct play_example *play_example_named(const struct play_ground *ground, const char *key)
{
    for (const struct play_example *one = ground->examples; one && one->key; one++)
        if (strcmp(one->key, key) == 0)
            return one;
    return NULL;
}
