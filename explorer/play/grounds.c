// SPDX-License-Identifier: Apache-2.0
#include "explorer/play/grounds.h"

#include <string.h>

#define N(list) (sizeof(list) / sizeof *(list))

static const struct play_input rule_inputs[] = {
    {.name = "text", .label = "Rules", .rows = 14},
};
static const struct play_task rule_tasks[] = {
    {.name = "prove", .label = "Prove", .hint = "a verdict in every number domain"},
    {.name = "check", .quick = true},
};

#define INPUTS(list) .inputs = (list), .n_inputs = N(list)
#define TASKS(list) .tasks = (list), .n_tasks = N(list)

const struct play_ground *play_ground_at(const char *path)
{
    static struct play_ground grounds[] = {
        {.path = "play/rules",
         .title = "Try a rule",
         .what = "rule",
         .lead = "A rule says that two tensor programs are equal, for every rank and every size. "
                 "Write one, and see in which number domains it is true.",
         INPUTS(rule_inputs),
         TASKS(rule_tasks)},
    };
    grounds[0].examples = play_rule_examples;
    grounds[0].n_examples = n_play_rule_examples;
    for (size_t i = 0; i < N(grounds); i++)
        if (strcmp(grounds[i].path, path) == 0)
            return &grounds[i];
    return NULL;
}

const struct play_example *play_example_named(const struct play_ground *ground, const char *key)
{
    for (size_t i = 0; i < ground->n_examples; i++)
        if (strcmp(ground->examples[i].key, key) == 0)
            return &ground->examples[i];
    return NULL;
}
