// SPDX-License-Identifier: Apache-2.0
// A record as a part of a page: before and after, steps, rules.
#ifndef EXPLORER_PLAY_STEPS_H
#define EXPLORER_PLAY_STEPS_H

#include "explorer/play/work.h"

// `check`: what a check said of the record; NULL: nothing.
void play_steps(struct play *play, const char *text, size_t n, const struct rw_check *check);
// The text as a file to download, and a button that checks it.
void play_download(const char *text, size_t n, const char *name, struct buf *out);

#endif
