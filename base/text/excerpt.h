// SPDX-License-Identifier: Apache-2.0
// Errors in a text, as they are shown: the place and the message, the line of the text
// with a mark under the token, and a hint if the error has one.
//
//   slice.rw:6:20: expected a tensor, found the unknown name `Imge`
//     6 |   slice(slice(Imge, start=s), start=t)
//       |               ^~~~
//     hint: did you mean `Image`?
//
// A line that is too long is cut around the mark.  Tabs become blanks, control
// characters `?`.  The mark stands under the characters of the token as a terminal
// shows them: wide ones have two cells, combining ones none.
#ifndef BASE_TEXT_EXCERPT_H
#define BASE_TEXT_EXCERPT_H

#include "base/text/buf.h"

// Gives an error that has a line, a column (counted in characters) and no excerpt yet
// its excerpt of this text, in which the place must be.
void excerpt_attach(struct err *err, const char *text, size_t n);
// The whole error, without a newline at its end.  Callers print the name of the
// program in front.
void excerpt_error(const struct err *err, struct buf *out);

#endif
