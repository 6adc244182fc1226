// SPDX-License-Identifier: Apache-2.0
// Records from JSON: the functions that the readers of both formats share.
#ifndef PROOF_JSON_IN_H
#define PROOF_JSON_IN_H

#include "base/err.h"

#include <jansson.h>

struct json_in {
    struct err *err;
    const char *file;
    char where[96]; // "lines[3].instance", for messages
};

// The text as an object, which the caller releases; NULL: an error.
json_t *json_in_open(struct json_in *in, const char *text, size_t n, const char *file,
                     struct err *err);
// Releases the object.  A failure without a place gets the file's name.
void json_in_close(struct json_in *in, json_t *root, bool ok);
// Fails with "the record is malformed" and the place; returns false.
bool json_in_malformed(const struct json_in *in, const char *what);
// True if the object is of this format and version; else fails.
bool json_in_head(struct json_in *in, const json_t *root, const char *format, int version);
// Visits each element of the array; each must be of the type `what`:
// JSON_OBJECT or JSON_STRING.
bool json_in_each(struct json_in *in, const json_t *root, const char *key, json_type what,
                  bool (*one)(void *ctx, const json_t *v), void *ctx);

#endif
