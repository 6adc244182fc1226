// SPDX-License-Identifier: Apache-2.0
// Proving rules in worker processes and keeping the verdicts.
#ifndef API_PROVING_PROVING_H
#define API_PROVING_PROVING_H

#include "api/context.h"
#include "db/db.h"
#include "rules/instance/fire.h"
#include "verify/decide.h"

struct proving {
    struct rw_context *context;
    unsigned domains; // mask
    unsigned jobs;
    double timeout;  // seconds for a rule
    uint64_t memory; // bytes of a worker; 0: the default
    bool again;      // prove also rules with stored verdicts
    bool confirm;    // a rule that stays unknown must not get a stored verdict
    bool no_search;  // proofs only
    uint64_t seed;   // of searches
    enum rank_method rank_method;
    enum solver solver;
    const char *solver_program; // NULL: cvc5
    bool unheard; // a remark has said that the second solver gives no answer that counts
};

// Makes the settings from the context's limits and the options, which may be
// NULL.
bool proving_of(struct rw_context *context, const struct rw_prove_options *options,
                struct proving *out, struct err *err);

// Proves the rules without verdicts in the database, and stores each report as
// it arrives.  `which`, such as "of the library", tells these rules from the caller's own: the
// only note is that there are some to prove.  `open`, if it is not NULL, has a mask for each rule
// of the set: of the domains that the run was to judge, and for which it found no answer.
bool prove_into(struct db *db, const struct ruleset *set, const struct proving *proving,
                const char *which, unsigned *open, struct rw_proving *stats, struct err *err);
// The signal that stopped the last proof of this process; 0: none did.
int proving_signal(void);
// Proves every rule without a database.  `take` gets each report as it arrives,
// and owns the report.
bool prove_all(const struct proving *proving, const struct ruleset *set,
               void (*take)(void *user, uint32_t rule, struct report *report), void *user,
               struct rw_proving *stats, struct err *err);
// Proves one rule, in a worker process of its own: the report depends on no
// earlier proof.  ERR_LIMIT if interrupted.  Callers must release *out.
bool prove_report(const struct proving *proving, const struct rule *rule, struct report *out,
                  struct err *err);
// The report of the rule afterwards.
bool prove_status(const struct proving *proving, const struct rule *rule, struct rule_status *out,
                  struct err *err);

#endif
