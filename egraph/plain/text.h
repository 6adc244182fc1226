// SPDX-License-Identifier: Apache-2.0
// A place in a text of rules or terms; of the plain_*.c files only.
#ifndef EGRAPH_PLAIN_TEXT_H
#define EGRAPH_PLAIN_TEXT_H

#include "base/err.h"

struct plain_text {
    const char *file, *at, *line_at; // line_at: where the line begins
    uint32_t line;
    struct err *err;
};

struct plain_text plain_text_at(const char *file, const char *text, uint32_t line, struct err *err);
// An error at a place of the present line; false.
bool plain_text_fail(struct plain_text *text, const char *where, const char *fmt, ...)
    PRINTF_LIKE(3, 4);
static inline bool plain_text_end(char character)
{
    return character == 0 || character == '\n';
}
bool plain_text_at_end(const struct plain_text *text); // of the line
void plain_text_spaces(struct plain_text *text);       // within the line
// Also line ends, and lines that begin with `#`.
void plain_text_blank(struct plain_text *text);
void plain_text_next_line(struct plain_text *text);
// Up to a space, a bracket or a comma; may be empty.
const char *plain_text_word(struct plain_text *text, uint32_t *len);
bool plain_text_take(struct plain_text *text, char character);
bool plain_text_expect(struct plain_text *text, char character);
// The word, and a space or the end behind it.
bool plain_text_keyword(struct plain_text *text, const char *word);

#endif
