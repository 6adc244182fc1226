// SPDX-License-Identifier: Apache-2.0
// The questions of `rankwright query`, one a file.
#ifndef CLI_QUERY_QUERY_H
#define CLI_QUERY_QUERY_H

#include "cli/door.h"

// The filters and the order of the command line.
struct rw_query_options query_options(const struct command_line *command);

// Each appends its answer to *out.
bool query_fires(struct command_line *command, struct rw_database *database, struct buf *out,
                 struct err *err);
// What rw_query_fires says: as objects, one a line, or as lists.  Prints so many near misses.
void put_fires(const struct rw_matches *matches, bool json, size_t limit, struct buf *out);
// Opens both databases itself, without the library under them.
bool query_diff(struct command_line *command, struct rw_context *context, struct buf *out,
                struct err *err);
bool query_new(struct command_line *command, struct rw_database *database, struct buf *out,
               struct err *err);

// Says of each filter by a text (family=, origin=, precondition=) if no rule passes it alone, with
// the nearest value that a rule has; or, if nothing was found, that none passes the others. And of
// a text that no rule has, if it is near to the name of a filter.
void query_note_filters(const struct command_line *command, struct rw_database *database,
                        bool found);

#endif
