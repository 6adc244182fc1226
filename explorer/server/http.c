// SPDX-License-Identifier: Apache-2.0
#include "explorer/server/http.h"

#include "base/shared_library.h"
#include "base/sonames.h"

bool http_load(struct http *http, struct err *err)
{
#define X(name) {"MHD_" #name, &http->name},
    const struct shared_function functions[] = {HTTP_FUNCTIONS(X)};
#undef X
    const struct shared_library library = {SONAME_MICROHTTPD, "libmicrohttpd-dev",
                                           sizeof functions / sizeof *functions, functions};
    return shared_library_load(&library, err);
}
