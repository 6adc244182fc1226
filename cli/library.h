// SPDX-License-Identifier: Apache-2.0
// The rule library, for the commands that cannot do without it; and the database of its verdicts,
// for those that open a user's database over it. A remark on standard error names a file that is
// not used, once in a run.
#ifndef CLI_LIBRARY_H
#define CLI_LIBRARY_H

#include "api/database/database.h"

// *rules: the folder of the rule library. False, with the places that were looked at: there is
// none.
bool find_library(struct buf *rules, struct err *err);
// *file: the library's database. False if there is none to be used: a remark says why, except
// where nobody has asked for one.
bool find_library_database(struct buf *file);
// Lays the database, which is the file `path`, over the library's, if there is one and it is
// another file. A library that cannot be used leaves the database as it was.
void lay_over_library(struct rw_database *database, const char *path);

#endif
