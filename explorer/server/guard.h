// SPDX-License-Identifier: Apache-2.0
// Who may ask.  The address of every page begins with a token that only the user was told; and a
// browser that another site has talked into a request is refused even with the token.
//
// D1  Host is this server's own address: a foreign name that leads here (DNS rebinding) is none.
// D2  Origin, if there is one, is this server's own; so is Sec-Fetch-Site of a POST.
// D3  The time of the comparison of tokens does not depend on how much of it is right.
#ifndef EXPLORER_SERVER_GUARD_H
#define EXPLORER_SERVER_GUARD_H

#include "base/err.h"

#include <stdint.h>

struct guard {
    char token[33]; // hexadecimal
    uint16_t port;
};
// A random token.
bool guard_init(struct guard *guard, struct err *err);

// Fields of the head of a request; NULL: absent.
struct guard_request {
    const char *url, *host, *origin, *site;
    bool changes; // POST
};
// The path behind the token without a slash in front; NULL: refused, and *why says why.
const char *guard_path(const struct guard *guard, const struct guard_request *request,
                       const char **why);

#endif
