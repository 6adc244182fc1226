// SPDX-License-Identifier: Apache-2.0
// A folder of rules that a database should have verdicts of: proved on demand,
// and not looked at again while neither files nor versions change.
#ifndef API_PROVING_LIBRARY_H
#define API_PROVING_LIBRARY_H

#include "api/database/database.h"

// Is any rule proved?
bool library_has_proved(struct rw_database *database, bool *yes, struct err *err);
// Proves all that lacks a verdict.
bool library_prove(struct rw_database *database, const char *path, struct err *err);
// How many of the rules lack a current verdict; 0 of 0 if all are known to have
// one.
bool library_lacking(struct rw_database *database, const char *path, uint32_t *lacking,
                     uint32_t *rules, struct err *err);

#endif
