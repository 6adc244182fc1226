// SPDX-License-Identifier: Apache-2.0
// Rows with the same meaning in several commands.
#ifndef CLI_OPTIONS_ROWS_H
#define CLI_OPTIONS_ROWS_H

#include "cli/command.h"

#define DEFAULT_DATABASE "$XDG_DATA_HOME/rankwright/rules.db or ~/.local/share/rankwright/rules.db"
#define DOMAINS "bool int word real float"

#define DATABASE_ROW OPTION(db, 0, "FILE", "the rule database", DEFAULT_DATABASE, NULL)
#define WAIT_ROW OPTION(wait, 0, "S", "wait S seconds for a locked database", "60", NULL)
#define JSON_ROW FLAG(json, "write one JSON object a line")
#define JOBS_ROW OPTION(jobs, 'j', "N", "run N worker processes", "one a processor", NULL)
#define TIMEOUT_ROW                                                                                \
    OPTION(timeout, 0, "S", "give up a rule after S seconds; it is then unknown (time)",           \
           "no limit: steps are counted", NULL)
#define SOLVER_ROW                                                                                 \
    OPTION(solver, 0, "NAME", "the solver that decides (cvc5 must confirm z3)", "z3",              \
           "z3 cvc5 both")
#define SOLVER_PROGRAM_ROW                                                                         \
    OPTION(solver_program, 0, "PATH", "the program to call as cvc5", "cvc5", NULL)
#define RANK_METHOD_ROW                                                                            \
    OPTION(method, 0, "NAME", "how a proof covers all ranks", "auto",                              \
           "auto rank closure both coefficients")
#define MEMORY_ROW                                                                                 \
    OPTION(memory, 0, "MIB", "most address space of a worker, in MiB", "{VERIFY_WORKER_MIB}", NULL)
#define ASSUME_ROW                                                                                 \
    OPTION(assume, 0, "FILE", "use the rules of these files without proof; records name them",     \
           NULL, NULL)
#define SEED_ROW(text, initial) OPTION(seed, 0, "N", text, initial, NULL)

#endif
