// SPDX-License-Identifier: Apache-2.0
// `prove --worker` reads candidates and writes verdicts; `prove --list` writes
// the candidates of files.  Both are filters without a state of their own, so
// that any engine can run any number of them (docs/scale-out.md).
#ifndef CLI_COMMANDS_PROVE_WORKER_H
#define CLI_COMMANDS_PROVE_WORKER_H

#include "cli/door.h"

// Reads candidates from standard input.  The verdicts of each candidate are
// written, and with --db stored, before the next candidate is read.  Returns
// the worst exit status of all.
int prove_worker(struct command_line *command, struct rw_context *context,
                 const struct rw_prove_options *options);
// Prints the rules as candidates; with --db only those that lack a verdict
// there in some of the domains (with --again all).
bool list_candidates(const struct command_line *command, struct rw_context *context,
                     const struct rw_rules *rules, const struct rw_prove_options *options,
                     struct err *err);

#endif
