// SPDX-License-Identifier: Apache-2.0
// One request, from its first line to the last byte of its answer.
//
// A request for a page is answered at once.  A POST starts a job.  A browser without scripts waits
// for the page with the answer.  A script asks with the field `X-Rankwright: live`, and gets lines
// of JSON as they come: {"waiting": 3}, {"progress": "bool: proved"}, and last {"html": ".."},
// {"json": ..} or {"refused": ".."}.
//
// V1  A visit whose client has left ends its job.
#ifndef EXPLORER_SERVER_VISIT_H
#define EXPLORER_SERVER_VISIT_H

#include "explorer/jobs/jobs.h"
#include "explorer/pages/pages.h"
#include "explorer/server/guard.h"
#include "explorer/server/guests.h"
#include "explorer/server/http.h"

struct visit;
// What visits share.
struct house {
    struct http http; // loaded
    struct guard guard;
    struct guests guests;
    struct jobs jobs;
    struct rw_database *database; // of the pages
    struct explorer_pages *pages; // NULL: there is no database, for this reason:
    const char *no_pages;
    size_t bodies;               // bytes of forms that are held
    VEC(struct visit *) waiting; // for a job, suspended
    bool woken;                  // a connection was resumed
};

// For MHD_OPTION_URI_LOG_CALLBACK, MHD_start_daemon and MHD_OPTION_NOTIFY_COMPLETED.
void *visit_begin(void *house, const char *uri, struct MHD_Connection *connection);
enum MHD_Result visit_continue(void *house, struct MHD_Connection *connection, const char *url,
                               const char *method, const char *version, const char *upload,
                               size_t *upload_size, void **visit);
void visit_end(void *house, struct MHD_Connection *connection, void **visit,
               enum MHD_RequestTerminationCode why);

// The connections of clients that wait, to learn that they leave.
void visits_wait(const struct house *house, struct pollfd *fds, uint32_t *n, uint32_t most);
void visits_look(struct house *house, const struct pollfd *fds, uint32_t n);
// Ends all waiting.
void visits_stop(struct house *house);

#endif
