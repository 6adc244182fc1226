// SPDX-License-Identifier: Apache-2.0
// A folder of rules whose verdicts a database should have.  The rules are
// proved on demand, and not read again while neither files nor versions change.
#ifndef API_PROVING_LIBRARY_H
#define API_PROVING_LIBRARY_H

#include "api/database/database.h"

// Lays the database over the database `file` of the library whose rules are at `path`. *fits
// is false, and the file is not used, if the file has not all verdicts of these rules by the
// current versions. Fails if the file is no rule database; the database stays as it was.
bool library_lay_under(struct rw_database *database, const char *path, const char *file, bool *fits,
                       struct err *err);
bool library_is_under(const struct rw_database *database);
// *yes: the database has a proved rule.
bool library_has_proved(struct rw_database *database, bool *yes, struct err *err);
// Proves all rules without a verdict.
bool library_prove(struct rw_database *database, const char *path, struct err *err);
// Counts the rules without a current verdict; 0 of 0 if all are known to have
// one.
bool library_lacking(struct rw_database *database, const char *path, uint32_t *lacking,
                     uint32_t *rules, struct err *err);

#endif
