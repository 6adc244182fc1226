// SPDX-License-Identifier: Apache-2.0
#include "explorer/server/guard.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { TOKEN_BYTES = 16 };

bool guard_init(struct guard *guard, struct err *err)
{
    unsigned char bytes[TOKEN_BYTES];
    FILE *source = fopen("/dev/urandom", "rb");
    bool ok = source != NULL && fread(bytes, 1, sizeof bytes, source) == sizeof bytes;
    if (source != NULL)
        fclose(source);
    if (!ok)
        return err_set(err, ERR_IO, "/dev/urandom: %s", strerror(errno));
    for (unsigned i = 0; i < TOKEN_BYTES; i++)
        snprintf(guard->token + 2 * i, 3, "%02x", bytes[i]);
    return true;
}

// Is the text PREFIX and then one of the names of this server?
static bool is_own(const struct guard *guard, const char *prefix, const char *text)
{
    static const char *const names[] = {"127.0.0.1", "localhost"};
    char own[64];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(own, sizeof own, "%s%s:%u", prefix, names[i], guard->port);
        if (strcmp(text, own) == 0)
            return true;
    }
    return false;
}

static bool has_token(const struct guard *guard, const char *url)
{
    size_t n = strlen(guard->token);
    unsigned differ = url[0] != '/';
    for (size_t i = 0, at = differ ? 0 : 1; i < n; i++) {
        differ |= (unsigned char)guard->token[i] ^ (unsigned char)url[at];
        at += url[at] != '\0';
    }
    return differ == 0 && url[n + 1] == '/';
}

const char *guard_path(const struct guard *guard, const struct guard_request *request,
                       const char **why)
{
    *why = NULL;
    if (request->host == NULL || !is_own(guard, "", request->host))
        *why = "This server answers at 127.0.0.1 and localhost only.";
    else if (request->origin != NULL && !is_own(guard, "http://", request->origin))
        *why = "This server answers to its own pages only.";
    else if (request->changes && request->site != NULL &&
             strcmp(request->site, "same-origin") != 0 && strcmp(request->site, "none") != 0)
        *why = "This server answers to its own pages only.";
    else if (!has_token(guard, request->url))
        *why = "The address is not complete: it has a token, which the command has printed.";
    return *why ? NULL : request->url + strlen(guard->token) + 2;
}
