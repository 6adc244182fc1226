// SPDX-License-Identifier: Apache-2.0
// UTF-8 (RFC 3629), which all texts that are read must be: they are stored and
// handed out as JSON.
#ifndef BASE_TEXT_UTF8_H
#define BASE_TEXT_UTF8_H

#include <stdbool.h>
#include <stddef.h>

struct buf;
struct err;

// Is the text well-formed?  Else *bad is where it first is not.
bool utf8_check(const char *text, size_t n, size_t *bad);
// Fails at the place where the text is not well-formed; `file` names the text.
bool utf8_expect(const char *text, size_t n, const char *file, struct err *err);
// A copy in which control characters and what is no UTF-8 are `?`.
void utf8_printable(const char *text, struct buf *out);

#endif
