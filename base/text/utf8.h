// SPDX-License-Identifier: Apache-2.0
// UTF-8 (RFC 3629), which all texts that are read must be: they are stored and
// handed out as JSON.
//
// Foreign text: names, comments, file names, programs, records, databases,
// answers of other programs and of libraries.
// Hidden: as in base/character.h.
//
// Foreign text reaches a reader through one of these functions only.  Messages are
// filtered where they are written (base/err.c), HTML in base/text/markup.h, lines
// on standard output and standard error in cli/common.c.
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
// Appends the text on one line: each hidden character is one `?`.
void utf8_printable(const char *text, struct buf *out);
// The same; \n and \t stay.
void utf8_lines(const char *text, size_t n, struct buf *out);
// Appends a text of a string of MLIR: each byte of a hidden character is \XX in
// hexadecimal digits.  Equal data.
void utf8_bytes(const char *text, size_t n, struct buf *out);
// Appends a JSON text in which each hidden character of a string is an escape: equal
// data.
void utf8_json(const char *text, struct buf *out);

#endif
