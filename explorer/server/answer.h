// SPDX-License-Identifier: Apache-2.0
// Answers of the server, with the fields that every answer has.
#ifndef EXPLORER_SERVER_ANSWER_H
#define EXPLORER_SERVER_ANSWER_H

#include "explorer/pages/pages.h"
#include "explorer/server/http.h"

// Takes the bytes of the body, which is empty afterwards.
enum MHD_Result answer_body(const struct http *http, struct MHD_Connection *connection,
                            struct explorer_body *body);
// Plain text, before anything is known about the caller.
enum MHD_Result answer_text(const struct http *http, struct MHD_Connection *connection, int status,
                            const char *text);
// An answer whose bytes come later.  Releases the response.
enum MHD_Result answer_stream(const struct http *http, struct MHD_Connection *connection,
                              struct MHD_Response *response);

#endif
