// SPDX-License-Identifier: Apache-2.0
// E-graphs to files, for the commands that have one.
#ifndef CLI_COMMANDS_EGRAPH_FILES_H
#define CLI_COMMANDS_EGRAPH_FILES_H

#include "cli/door.h"

// By the path's suffix: .dot, .svg (by the program `dot`), else JSON.  Pictures
// have `most` nodes at most and tell what they leave out, also on stderr.
bool write_egraph(const char *path, const struct rw_egraph *egraph, uint32_t most, struct err *err);
// Is the path one of a picture?
bool is_picture(const char *path);

#endif
