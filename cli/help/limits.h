// SPDX-License-Identifier: Apache-2.0
// The limits of all layers, from LAYER/limits.h (base/limit.h).
#ifndef CLI_HELP_LIMITS_H
#define CLI_HELP_LIMITS_H

#include "base/limit.h"
#include "base/text/buf.h"

// Appends the text; a limit's value stands for {NAME}.  False: a name is not
// that of a limit.
bool limits_replace(const char *text, struct buf *out);
// All limits with unit and reason, layer by layer: to be read as it is, or
// docs/limits.md.
void limits_text(struct buf *out);
void limits_markdown(struct buf *out);

#endif
