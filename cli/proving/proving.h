// SPDX-License-Identifier: Apache-2.0
// Proving rules and keeping the verdicts: shared by prove, simplify (the
// library on demand) and check --reprove.
#ifndef CLI_PROVING_PROVING_H
#define CLI_PROVING_PROVING_H

#include "cli/cli.h"
#include "rules/instance/fire.h"
#include "rules/rule.h"
#include "rules/verdict.h"
#include "verify/decide.h"

struct proving {
    unsigned domains; // mask
    unsigned jobs;
    double timeout;  // seconds for a rule
    uint64_t memory; // bytes of a worker; 0: the default
    bool again;      // also what is stored
    bool confirm;    // what stays unknown must not be left to what is stored
    bool no_search;  // proofs only
    uint64_t seed;   // of searches
    enum rank_method lifting;
    enum solver solver;
    const char *solver_program; // NULL: cvc5
};

// Reads --domain, --jobs, --timeout, --solver, --method, --again, --seed.
bool proving_options(const struct command_line *command, struct proving *proving, struct err *err);
// Loads .rw files and folders, comma separated.  Prints every error; *err gets
// the last one only when there is no other (e.g. an absent file).
bool load_rules(struct ruleset *set, const char *paths, struct err *err);

// What a run took.
struct proving_stats {
    uint32_t proved;   // rules
    uint32_t replaced; // workers that died or were killed
    uint64_t peak_kib; // most memory of a worker
    double seconds;
};

// Proves the rules that the database has no verdicts of, in worker processes,
// and stores each as it comes.  `interrupted`: stopped by a signal.  `quiet`:
// says nothing when there is nothing to prove.  `stats` may be NULL.
bool prove_into(struct db *db, const struct ruleset *set, const struct proving *proving, bool quiet,
                bool *interrupted, struct proving_stats *stats, struct err *err);
// One rule, without a database, in a worker process of its own: its report
// depends on nothing that was proved before.  Fails with ERR_LIMIT when
// interrupted; the caller releases *out.
bool prove_report(const struct proving *proving, const struct rule *rule, struct report *out,
                  struct err *err);
// What is known of the rule then.
bool prove_status(const struct proving *proving, const struct rule *rule, struct rule_status *out,
                  struct err *err);
// The database of --db, into which the rule library is proved first if it has
// no rules; or the default one, which always gets the whole library.
bool open_proved_library(const struct command_line *command, struct db **out, struct err *err);

#endif
