// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/egraph_files.h"

bool write_egraph(const char *path, const struct rw_egraph *egraph, uint32_t most, struct err *err)
{
    struct rw_error error;
    uint32_t nodes = 0, classes = 0;
    char *text = is_picture(path) ? rw_egraph_picture(egraph, path_ends(path, ".svg"), most, &nodes,
                                                      &classes, &error)
                                  : rw_egraph_json(egraph, false);
    if (text == NULL)
        return door_failed(&error, err);
    bool ok = file_write(path, text, strlen(text), err);
    if (ok && nodes)
        note("%s: %u nodes are not shown, and %u classes have no node shown", path, nodes, classes);
    rw_free(text);
    return ok;
}

bool names_egraph_format(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *ending = strrchr(name, '.');
    return ending == NULL || ending == name || is_picture(path) || path_ends(path, ".json");
}
