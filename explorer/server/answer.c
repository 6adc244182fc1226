// SPDX-License-Identifier: Apache-2.0
#include "explorer/server/answer.h"

#include "base/memory/vec.h"

#define FIELDS(X)                                                                                  \
    X("Content-Security-Policy", EXPLORER_POLICY)                                                  \
    X("X-Content-Type-Options", "nosniff")                                                         \
    X("X-Frame-Options", "DENY")                                                                   \
    X("Referrer-Policy", "same-origin")                                                            \
    X("Cross-Origin-Opener-Policy", "same-origin")                                                 \
    X("Cross-Origin-Resource-Policy", "same-origin")                                               \
    X("Permissions-Policy", "camera=(), geolocation=(), microphone=()")

static enum MHD_Result finish(const struct http *http, struct MHD_Connection *connection,
                              int status, const char *type, bool constant,
                              struct MHD_Response *response)
{
#define X(name, value) http->add_response_header(response, name, value);
    FIELDS(X)
#undef X
    http->add_response_header(response, "Content-Type", type);
    http->add_response_header(response, "Cache-Control",
                              constant ? "private, max-age=3600" : "private, no-cache");
    if (status == MHD_HTTP_METHOD_NOT_ALLOWED)
        http->add_response_header(response, "Allow", "GET, HEAD, POST");
    if (status == MHD_HTTP_SERVICE_UNAVAILABLE)
        http->add_response_header(response, "Retry-After", "2");
    enum MHD_Result result = http->queue_response(connection, (unsigned)status, response);
    http->destroy_response(response);
    return result;
}

enum MHD_Result answer_body(const struct http *http, struct MHD_Connection *connection,
                            struct explorer_body *body)
{
    size_t n = body->bytes.len;
    buf_puts(&body->bytes, "");
    char *bytes = buf_detach(&body->bytes);
    struct MHD_Response *response =
        http->create_response_from_buffer_with_free_callback(n, bytes, mem_free);
    if (response == NULL) {
        mem_free(bytes);
        return MHD_NO;
    }
    if (body->download)
        http->add_response_header(response, "Content-Disposition", "attachment");
    return finish(http, connection, body->status, body->content_type, body->constant, response);
}

enum MHD_Result answer_text(const struct http *http, struct MHD_Connection *connection, int status,
                            const char *text)
{
    struct explorer_body body = {.status = status, .content_type = "text/plain; charset=utf-8"};
    buf_printf(&body.bytes, "%s\n", text);
    return answer_body(http, connection, &body);
}

enum MHD_Result answer_stream(const struct http *http, struct MHD_Connection *connection,
                              struct MHD_Response *response)
{
    return response ? finish(http, connection, MHD_HTTP_OK, "application/x-ndjson", false, response)
                    : MHD_NO;
}
