// SPDX-License-Identifier: Apache-2.0
// The database of the rule library's verdicts, for the commands that open a user's database over
// it. A remark on standard error names a file that is not used, once in a run.
#ifndef CLI_LIBRARY_H
#define CLI_LIBRARY_H

#include "api/database/database.h"

// *file: the library's database. False if there is none to be used: a remark says why, except
// where nobody has asked for one.
bool find_library_database(struct buf *file);
// Lays the database, which is the file `path`, over the library's, if there is one and it is
// another file. A library that cannot be used leaves the database as it was.
void lay_over_library(struct rw_database *database, const char *path);

#endif
