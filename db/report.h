// SPDX-License-Identifier: Apache-2.0
// Internal to db/: the verdicts of a rule in one report. Callers must have begun a transaction.
#ifndef DB_REPORT_H
#define DB_REPORT_H

#include "db/merge.h"

// As db_report. *library (may be NULL) gets the domains whose verdict is the library's.
bool read_report(struct db *db, const char *hash, struct report *out, struct merge_run *runs,
                 unsigned *library, struct err *err);

#endif
