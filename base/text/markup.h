// SPDX-License-Identifier: Apache-2.0
// Texts within HTML and MathML.
#ifndef BASE_TEXT_MARKUP_H
#define BASE_TEXT_MARKUP_H

#include "base/text/buf.h"

// The characters & < > " as entities, hidden ones as ? (base/text/utf8.h): for
// content and attributes in double quotes.
void markup_text(const char *text, struct buf *out);
// The same between two tags, which stand as they are.
void markup_in(const char *open, const char *text, const char *close, struct buf *out);

#endif
