// SPDX-License-Identifier: Apache-2.0
// JSON (RFC 8259) read in place, value by value, for texts too large to be
// built as a tree first.  The caller asks for what it expects; everything else
// is skipped, but checked.  Texts are UTF-8; strings hold no NUL.
//
//   if (!json_scan_open(s, '{', e)) ..
//   while (json_scan_more(s, '}', &more, e) && more)
//       json_scan_key(s, &key, e) ..  one value ..
#ifndef IO_EGRAPH_JSON_SCAN_H
#define IO_EGRAPH_JSON_SCAN_H

#include "base/text/buf.h"

struct json_scan {
    const char *file, *text, *at, *end; // *end is NUL
    struct buf string;                  // the last one that was read
    bool first;                         // nothing yet in this list or object
};

// Checks that the text is UTF-8.
bool json_scan_init(struct json_scan *scan, const char *text, size_t n, const char *file,
                    struct err *err);
void json_scan_release(struct json_scan *scan);

// The first character of the next value: one of { [ " 0 (a number) t f n, or a
// character with which no value begins.
char json_scan_peek(struct json_scan *scan);
// Fails with ERR_INPUT and the place of the scan; returns false.
bool json_scan_wrong(struct json_scan *scan, const char *what, struct err *err);

bool json_scan_open(struct json_scan *scan, char bracket, struct err *err);
bool json_scan_more(struct json_scan *scan, char bracket, bool *more, struct err *err);
// Valid until the next string is read.
bool json_scan_string(struct json_scan *scan, const char **out, struct err *err);
bool json_scan_key(struct json_scan *scan, const char **out, struct err *err);
bool json_scan_number(struct json_scan *scan, double *out, struct err *err);
bool json_scan_bool(struct json_scan *scan, bool *out, struct err *err);
// Any value.
bool json_scan_skip(struct json_scan *scan, struct err *err);
bool json_scan_finish(struct json_scan *scan, struct err *err); // nothing follows

#endif
