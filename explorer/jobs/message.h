// SPDX-License-Identifier: Apache-2.0
// What the process of a job says to the server: messages of a kind and a text.
#ifndef EXPLORER_JOBS_MESSAGE_H
#define EXPLORER_JOBS_MESSAGE_H

#include "base/text/buf.h"

enum message_kind {
    MESSAGE_PROGRESS = 'p', // a line for people
    MESSAGE_HTML = 'h',     // the answer: a part of a page
    MESSAGE_JSON = 'j',     // the answer, for scripts
    MESSAGE_TEXT = 't',     // the answer: a file, plain text
    MESSAGE_REFUSED = 'r',  // the answer: why there is none, plain text
};

// Writes the message to a file descriptor; false: nobody reads.
bool message_send(int fd, enum message_kind kind, const char *text, size_t n);

// Takes the first message out of `bytes`.
enum message_state { MESSAGE_PART, MESSAGE_WHOLE, MESSAGE_WRONG };
enum message_state message_take(struct buf *bytes, size_t most, enum message_kind *kind,
                                struct buf *text);

#endif
