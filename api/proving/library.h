// SPDX-License-Identifier: Apache-2.0
// A folder of rules whose verdicts a database should have.  The rules are
// proved on demand, and not read again while neither files nor versions change.
#ifndef API_PROVING_LIBRARY_H
#define API_PROVING_LIBRARY_H

#include "api/database/database.h"

// *yes: the database has a proved rule.
bool library_has_proved(struct rw_database *database, bool *yes, struct err *err);
// Proves all rules without a verdict.
bool library_prove(struct rw_database *database, const char *path, struct err *err);
// Counts the rules without a current verdict; 0 of 0 if all are known to have
// one.
bool library_lacking(struct rw_database *database, const char *path, uint32_t *lacking,
                     uint32_t *rules, struct err *err);

#endif
