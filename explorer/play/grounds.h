// SPDX-License-Identifier: Apache-2.0
// What stands on the pages of the playground, as tables.
#ifndef EXPLORER_PLAY_GROUNDS_H
#define EXPLORER_PLAY_GROUNDS_H

#include <stddef.h>
#include <stdbool.h>

struct play_choice {
    const char *value, *text;
};
struct play_input {
    const char *name, *label, *hint;   // hint: what an empty field means; NULL: nothing
    unsigned rows;                     // of a text of several lines; 0: a line
    const struct play_choice *choices; // NULL: any text; ends with a value that is NULL
    bool file;                         // a file may be chosen in place of the text
    bool extra;                        // stands among the options
};
struct play_task {
    const char *name, *label, *hint;
    bool quick; // is asked by scripts, and has no button
    bool later; // makes sense once there is an answer: the button is a plain one
};
// A text for a field, and values of other fields.
struct play_example {
    const char *key, *title, *about;
    const char *text;
    const char *field[4][2]; // name and value; NULL behind the last
};
struct play_ground {
    const char *path, *title, *lead;
    const char *what; // the kind of text, for scripts: "rule", "program", ..
    const struct play_input *inputs;
    size_t n_inputs;
    const struct play_task *tasks;
    size_t n_tasks;
    const struct play_example *examples; // ends with one without a key; NULL: none
};

// NULL: none at this path.
const struct play_ground *play_ground_at(const char *path);
const struct play_example *play_example_named(const struct play_ground *ground, const char *key);

extern const struct play_example play_rule_examples[], play_program_examples[],
    play_formula_examples[], play_kernel_examples[], play_learn_examples[];

#endif
