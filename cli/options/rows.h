// SPDX-License-Identifier: Apache-2.0
// Rows with the same meaning in several commands.
#ifndef CLI_OPTIONS_ROWS_H
#define CLI_OPTIONS_ROWS_H

#include "cli/command.h"

#define DEFAULT_DATABASE "$XDG_DATA_HOME/rankwright/rules.db or ~/.local/share/rankwright/rules.db"
#define DOMAINS "bool int word real float"

#define DATABASE_ROW FILE_OPTION(DATABASE, db, 0, "FILE", "the rule database", DEFAULT_DATABASE)
// Every command with options has these.
#define COMMON_ROWS                                                                                \
    OPTION(quiet, 'q', NULL, "print no remarks, only results and errors", NULL, NULL),             \
        OPTION(color, 0, "WHEN", "use colours, on a terminal (auto), always or never", "auto",     \
               "auto always never")
#define WAIT_ROW WAIT_ROW_IN(0)
#define WAIT_ROW_IN(forms)                                                                         \
    OPTION_IN(forms, wait, 0, "S", "wait S seconds for a locked database", "60", NULL)
#define JSON_ROW FLAG(json, "write one JSON object a line")
#define JOBS_ROW_IN(forms)                                                                         \
    OPTION_IN(forms, jobs, 'j', "N", "run N worker processes", "one a processor", NULL)
#define TIMEOUT_ROW_IN(forms)                                                                      \
    OPTION_IN(forms, timeout, 0, "S", "give up a rule after S seconds; it is then unknown (time)", \
              "no limit: steps are counted", NULL)
#define SOLVER_ROW_IN(forms)                                                                       \
    OPTION_IN(forms, solver, 0, "NAME", "the solver that decides (cvc5 must confirm z3)", "z3",    \
              "z3 cvc5 both")
#define SOLVER_PROGRAM_ROW_IN(forms)                                                               \
    FILE_OPTION_IN(forms, READ, solver_program, 0, "PATH", "the program to call as cvc5", "cvc5")
#define RANK_METHOD_ROW_IN(forms)                                                                  \
    OPTION_IN(forms, method, 0, "NAME", "how a proof covers all ranks", "auto",                    \
              "auto rank closure both coefficients")
#define MEMORY_ROW_IN(forms)                                                                       \
    OPTION_IN(forms, memory, 0, "MIB", "most address space of a worker, in MiB",                   \
              "{VERIFY_WORKER_MIB}", NULL)
#define ASSUME_ROW                                                                                 \
    FILE_OPTION(READ, assume, 0, "FILE",                                                           \
                "use the rules of these files without proof; records name them", NULL)
#define SEED_ROW(text, initial) SEED_ROW_IN(0, text, initial)
#define SEED_ROW_IN(forms, text, initial) OPTION_IN(forms, seed, 0, "N", text, initial, NULL)

// Lists of forms as members of a command's table.
#define FORMS(texts, function) .form = (texts), .n_forms = N_ROWS(texts), .forms_of = (function)
// Does the command line choose a solver beside Z3?
static inline bool second_solver(const struct command_line *command)
{
    const char *solver = command->value[OPTION_solver];
    return solver && strcmp(solver, "z3") != 0;
}

#endif
