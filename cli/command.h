// SPDX-License-Identifier: Apache-2.0
// The tables of the command line: one for each command, in cli/options/NAME.c.
// They give the parser, --help, the manual pages and the completions of shells
// (cli/help/).
//
//     static const struct option_row rows[] = {
//         OPTION(jobs, 'j', "N", "run N worker processes", "one a processor", NULL),
//         FLAG(json, "write one JSON object a line"),
//         FLAG_IN(FORMULA, expand, "write out named functions"),
//     };
//
// A new option is a name in OPTION_NAMES (cli/cli.h) and a row in every command
// that takes the option.
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include "cli/cli.h"

// Whether the argument of an option is a file, or a list of files.  From here
// cli/outputs.c knows which files must differ.
enum file_role { FILE_NONE, FILE_READ, FILE_WRITTEN, FILE_DATABASE };

struct option_row {
    enum option option;
    char letter;          // the short form, or 0
    const char *argument; // its name in help, or NULL: the option is a flag
    const char *text;
    // The default, or NULL. {NAME} stands for the limit NAME of a layer:
    // "{NAME} seconds" (cli/help/limits.h).
    const char *initial;
    const char *values; // the values that the argument may have, separated by spaces, or NULL
    // The forms of the command that read the option, as bits of its table's
    // `form`.  0: every form does.
    unsigned forms;
    enum file_role role;
};

#define OPTION(name, letter, argument, text, initial, values)                                      \
    OPTION_IN(0, name, letter, argument, text, initial, values)
#define OPTION_IN(forms, name, letter, argument, text, initial, values)                            \
    {                                                                                              \
        OPTION_##name, letter, argument, text, initial, values, forms, FILE_NONE                   \
    }
// An option whose argument is a file: READ, WRITTEN or DATABASE.
#define FILE_OPTION(role, name, letter, argument, text, initial)                                   \
    FILE_OPTION_IN(0, role, name, letter, argument, text, initial)
#define FILE_OPTION_IN(forms, role, name, letter, argument, text, initial)                         \
    {                                                                                              \
        OPTION_##name, letter, argument, text, initial, NULL, forms, FILE_##role                   \
    }
#define FLAG(name, text) FLAG_IN(0, name, text)
#define FLAG_IN(forms, name, text) OPTION_IN(forms, name, 0, NULL, text, NULL, NULL)
#define N_ROWS(rows) ((uint32_t)(sizeof(rows) / sizeof *(rows)))

struct command_table {
    const char *name;
    int (*run)(struct command_line *command);
    const char *usage;   // the words that are not options; NULL: it takes none
    const char *summary; // one line
    // Paragraphs, separated by empty lines.  Lines that start with two spaces
    // are printed as they are.
    const char *description;
    const char *example; // an example command that works
    const struct option_row *option;
    uint32_t n_options;
    // What a command line can ask for: "for formulas", "with --reprove".  Each
    // text is a bit; forms_of has those of a command line.  An option that no
    // form of its command line reads is refused.
    const char *const *form;
    uint32_t n_forms;
    unsigned (*forms_of)(const struct command_line *command);
    bool reads_words; // the words are files that the command reads
};

extern const struct command_table *const command_tables[];
extern const uint32_t n_command_tables;

// NULL: no such command.
const struct command_table *command_find(const char *name);
// The same; fails with ERR_USAGE, "what name", with a hint.
const struct command_table *command_named(const char *name, const char *what, struct err *err);
// The option's row in the table of a command; NULL: the command has no such
// option.
const struct option_row *command_option(const struct command_table *table, enum option option);
// Appends the texts of the forms: "for formulas or with --json".
void forms_text(const struct command_table *table, unsigned forms, struct buf *out);
// Without dashes in front: "no-search".
void option_name(enum option option, struct buf *out);

// Usage of the program: all commands, one a line.
void command_list(struct buf *out);

bool options_parse(struct command_line *command, const struct command_table *table, int argc,
                   char **argv, struct err *err);

#endif
