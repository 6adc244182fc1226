// SPDX-License-Identifier: Apache-2.0
// The limits of all layers, from LAYER/limits.h (base/limit.h).
#ifndef CLI_HELP_LIMITS_H
#define CLI_HELP_LIMITS_H

#include "base/limit.h"
#include "base/text/buf.h"

// Appends the text with the limit's value in place of {NAME}.  False: a name is
// not that of a limit.
bool limits_replace(const char *text, struct buf *out);
// All limits with unit and reason, layer by layer: as plain text, or as
// docs/limits.md.
void limits_text(struct buf *out);
void limits_markdown(struct buf *out);

#endif
