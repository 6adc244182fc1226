// SPDX-License-Identifier: Apache-2.0
// libmicrohttpd, which only the server needs.
#ifndef EXPLORER_SERVER_HTTP_H
#define EXPLORER_SERVER_HTTP_H

#include "base/err.h"

#include <microhttpd.h>

// Names of functions, without MHD_.
#define HTTP_FUNCTIONS(X)                                                                          \
    X(add_response_header)                                                                         \
    X(create_post_processor)                                                                       \
    X(create_response_from_buffer_with_free_callback)                                              \
    X(create_response_from_callback)                                                               \
    X(destroy_post_processor)                                                                      \
    X(destroy_response)                                                                            \
    X(get_connection_info)                                                                         \
    X(get_daemon_info)                                                                             \
    X(get_timeout)                                                                                 \
    X(lookup_connection_value)                                                                     \
    X(post_process)                                                                                \
    X(queue_response)                                                                              \
    X(resume_connection)                                                                           \
    X(run)                                                                                         \
    X(start_daemon)                                                                                \
    X(stop_daemon)                                                                                 \
    X(suspend_connection)

struct http {
#define X(name) __typeof__(MHD_##name) *name;
    HTTP_FUNCTIONS(X)
#undef X
};

// Loads the library (base/shared_library.h).
bool http_load(struct http *http, struct err *err);

#endif
