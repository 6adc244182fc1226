// SPDX-License-Identifier: Apache-2.0
// Which verdicts of a source may be stored. A refutation must replay. A proof must look like one,
// and a short search for a counterexample must find none: the search that the prover itself
// begins with.
#ifndef API_PROVING_MERGE_ACCEPT_H
#define API_PROVING_MERGE_ACCEPT_H

#include "api/proving/merge.h"

// The verdicts on one rule.
struct merge_trial {
    struct merge_command *merge_command;
    const struct rule *rule;
    unsigned proved;         // domains with a proof in the database: searched before
    struct cex_space *space; // made with the first search
    struct arena mem;
};

// Fails if the database cannot be read. Callers must end the trial in any case.
bool merge_trial_begin(struct merge_trial *trial, struct merge_command *merge_command,
                       const struct rule *rule, struct err *err);
void merge_trial_end(struct merge_trial *trial);
// False: the verdict is left out, and a note or a contradiction says why.
bool merge_accepts(struct merge_trial *trial, const struct domain_report *report);
// As replays of struct merge_judge; the context is the merge_command.
bool merge_replays(void *merge_command, const struct rule *rule,
                   const struct domain_report *report);

#endif
