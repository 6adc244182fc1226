// SPDX-License-Identifier: Apache-2.0
// Candidates in, verdicts out, line by line (lines.h), without a state beyond
// the counts, so that any engine can run as many of these provers as it likes.
#ifndef API_PROVING_CANDIDATES_H
#define API_PROVING_CANDIDATES_H

#include "api/database/database.h"
#include "api/proving/lines.h"
#include "api/proving/proving.h"

// From harmless to grave: a bug says most, then that a line is no rule.
enum gravity { GRAVITY_PROVED, GRAVITY_UNKNOWN, GRAVITY_REFUTED, GRAVITY_NO_RULE, GRAVITY_BUG };
struct candidate_prover {
    struct proving proving;
    struct db *db; // or NULL
    int64_t run;   // 0: not begun
    bool times;    // seconds are told
    uint32_t rules, bad;
    enum gravity worst;
};

// Appends the lines of one candidate's verdicts, which are then stored, or one
// that says why it is none.  False only where the work cannot go on.
bool candidate_prove(struct candidate_prover *prover, const struct input_line *line,
                     struct buf *out, struct err *err);
bool candidates_finish(struct candidate_prover *prover, struct err *err);
// The rules as candidates; those without a verdict in some of the domains where
// there is a database.
bool candidates_write(struct db *db, const struct ruleset *set, unsigned domains, struct buf *out,
                      struct err *err);

#endif
