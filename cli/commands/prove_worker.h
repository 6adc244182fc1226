// SPDX-License-Identifier: Apache-2.0
// `prove --worker` and `prove --list`: candidates in, verdicts out, and the
// candidates of files.  Both are filters without a state of their own, so that
// any engine can run as many of them as it likes (docs/scale-out.md).
#ifndef CLI_COMMANDS_PROVE_WORKER_H
#define CLI_COMMANDS_PROVE_WORKER_H

#include "cli/door.h"

// Reads candidates on standard input; each one's verdicts are out, and stored
// where --db says so, before the next one is read.  Gives the exit status: the
// worst that there was.
int prove_worker(struct command_line *command, struct rw_context *context,
                 const struct rw_prove_options *options);
// Prints the rules as candidates; with --db only those that lack a verdict
// there in some of the domains (with --again all).
bool list_candidates(const struct command_line *command, struct rw_context *context,
                     const struct rw_rules *rules, const struct rw_prove_options *options,
                     struct err *err);

#endif
