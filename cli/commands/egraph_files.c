// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/egraph_files.h"

#include <string.h>

static bool has_suffix(const char *path, const char *suffix)
{
    size_t n = strlen(path), k = strlen(suffix);
    return n >= k && strcmp(path + n - k, suffix) == 0;
}

bool is_picture(const char *path)
{
    return has_suffix(path, ".dot") || has_suffix(path, ".svg");
}

bool write_egraph(const char *path, const struct rw_egraph *egraph, uint32_t most, struct err *err)
{
    struct rw_error error;
    uint32_t nodes = 0, classes = 0;
    char *text = is_picture(path) ? rw_egraph_picture(egraph, has_suffix(path, ".svg"), most,
                                                      &nodes, &classes, &error)
                                  : rw_egraph_json(egraph, false);
    if (text == NULL)
        return door_failed(&error, err);
    bool ok = file_write(path, text, strlen(text), err);
    if (ok && nodes)
        note("%s: %u nodes are not shown, and %u classes have no node shown", path, nodes, classes);
    rw_free(text);
    return ok;
}
