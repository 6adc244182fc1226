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

#endif
