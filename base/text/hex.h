// SPDX-License-Identifier: Apache-2.0
// Hexadecimal digits, as constants, escapes and proof records have them.
#ifndef BASE_TEXT_HEX_H
#define BASE_TEXT_HEX_H

// -1: the character is none.
static inline int hex_digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

#endif
