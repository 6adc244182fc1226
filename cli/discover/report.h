// SPDX-License-Identifier: Apache-2.0
// Reports of `discover` on rules about operators that move data.
#ifndef CLI_DISCOVER_REPORT_H
#define CLI_DISCOVER_REPORT_H

#include "api/discover/tensors.h"
#include "cli/door.h"

struct discover_job {
    struct command_line *command;
    struct rw_context *context;
    struct discovery discovery;
    struct rw_rules *set, *known;
    struct buf journal; // path
    struct buf head;    // of the file with the rules
    bool terminal;
    double shown; // seconds at the last line
};

// Callbacks of the search, with a job: a line while it runs; rules into the
// output file.
void show_search(void *ctx, const struct search_progress *progress);
bool save_rules(void *ctx, const struct found_rules *found, struct err *err);
bool write_rules(const struct discover_job *job, struct err *err);
bool report_search(const struct discover_job *job, struct err *err);

#endif
