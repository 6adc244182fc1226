// SPDX-License-Identifier: Apache-2.0
// The explorer as a server of pages on this machine alone (127.0.0.1), in one thread.  Pages are
// made here; all else is done by jobs (explorer/jobs/jobs.h), of which none can take the server
// with it.  No file is ever opened by the path of a request.
#ifndef EXPLORER_SERVER_SERVER_H
#define EXPLORER_SERVER_SERVER_H

#include "include/rankwright.h"

#include "base/err.h"

#include <signal.h>

struct server_options {
    uint16_t port;                // 0: any
    struct rw_database *database; // of the pages; NULL: there is none, for this reason:
    const char *no_database;
    const char *const *program; // argv of the processes of jobs
    unsigned jobs;              // that run at a time
    volatile sig_atomic_t *stop;
    // Gets the address when the server listens.
    void (*ready)(void *user, const char *address);
    void *user;
};
// Serves until *stop is set.
bool server_run(const struct server_options *options, struct err *err);

#endif
