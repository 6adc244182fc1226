// SPDX-License-Identifier: Apache-2.0
#include "explorer/jobs/message.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

// A byte for the kind, four for the length.
enum { HEAD = 5 };

static bool write_all(int fd, const char *bytes, size_t n)
{
    while (n > 0) {
        ssize_t done = write(fd, bytes, n);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        bytes += done;
        n -= (size_t)done;
    }
    return true;
}

bool message_send(int fd, enum message_kind kind, const char *text, size_t n)
{
    uint32_t length = (uint32_t)n;
    char head[HEAD] = {(char)kind};
    memcpy(head + 1, &length, sizeof length);
    return write_all(fd, head, sizeof head) && write_all(fd, text, n);
}

enum message_state message_take(struct buf *bytes, size_t most, enum message_kind *kind,
                                struct buf *text)
{
    uint32_t length;
    if (bytes->len < HEAD)
        return MESSAGE_PART;
    memcpy(&length, bytes->at + 1, sizeof length);
    if (length > most || strchr("phjtr", bytes->at[0]) == NULL || bytes->at[0] == '\0')
        return MESSAGE_WRONG;
    if (bytes->len < HEAD + (size_t)length)
        return MESSAGE_PART;
    *kind = (enum message_kind)bytes->at[0];
    buf_clear(text);
    buf_write(text, bytes->at + HEAD, length);
    bytes->len -= HEAD + (size_t)length;
    memmove(bytes->at, bytes->at + HEAD + length, bytes->len + 1);
    return MESSAGE_WHOLE;
}
