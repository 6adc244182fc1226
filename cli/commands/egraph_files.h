// SPDX-License-Identifier: Apache-2.0
// E-graphs to files, for the commands with an e-graph.
#ifndef CLI_COMMANDS_EGRAPH_FILES_H
#define CLI_COMMANDS_EGRAPH_FILES_H

#include "cli/door.h"

// Does the path's suffix name a format: .dot, .svg (by the program `dot`), .json or none (JSON)?
bool names_egraph_format(const char *path);
// A picture has at most `most` nodes.  The picture, and a note on stderr, count
// the nodes that are left out.
bool write_egraph(const char *path, const struct rw_egraph *egraph, uint32_t most, struct err *err);

#endif
