// SPDX-License-Identifier: Apache-2.0
#ifndef API_TEXT_H
#define API_TEXT_H

#include "base/text/buf.h"

// The text of a buffer for the caller of the library, never NULL.
char *text_give(struct buf *text);
// A copy, to be released with mem_free.
char *text_copy(const char *text);
// Appends the text with every line indented by four spaces.
void text_indent(const char *text, struct buf *out);

#endif
