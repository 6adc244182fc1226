// SPDX-License-Identifier: Apache-2.0
// Characters of UTF-8 (RFC 3629), and which of them a reader may not be shown.
//
// Hidden: a character that a terminal obeys or a reader does not see: control
// characters (C0, DEL, C1), marks of direction, characters without width, ends of
// lines other than \n, and every byte that is no part of a well-formed character.
#ifndef BASE_CHARACTER_H
#define BASE_CHARACTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct character {
    uint32_t code;
    size_t len;
    bool hidden;
    bool wrong; // a byte that is no part of a well-formed character
};

// The first character of a text of n > 0 bytes.
struct character character_next(const char *text, size_t n);
// Makes each hidden character one `?`, in place: the text never grows.
void text_clean(char *text);

#endif
