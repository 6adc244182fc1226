// SPDX-License-Identifier: Apache-2.0
// E-graphs from files, with the nodes that extraction chose.
#ifndef API_EGRAPH_EGRAPH_H
#define API_EGRAPH_EGRAPH_H

#include "api/context.h"
#include "io/egraph/json.h"

struct rw_egraph {
    struct rw_context *context;
    char *name; // of the file
    struct egraph_file file;
    uint32_t *chosen; // per class a node or NO_FILE_NODE; NULL: not yet
    enum rw_extract_method method;
    struct rw_extraction extraction;
};

// rw_egraph_picture of the classes near the one of this name; NULL: from the roots on.
char *egraph_picture_around(const struct rw_egraph *egraph, const char *around, bool svg,
                            uint32_t nodes, uint32_t *hidden_nodes, uint32_t *hidden_classes,
                            struct rw_error *error);

#endif
