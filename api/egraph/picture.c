// SPDX-License-Identifier: Apache-2.0
#include "api/egraph/egraph.h"

#include "base/process/child.h"
#include "io/egraph/dot.h"

#define MAX_PICTURE_BYTES ((size_t)1 << 28)

// Layout can take long, and a picture of so many nodes helps no reader.
static bool svg_of(const struct buf *dot, struct buf *out, struct err *err)
{
    static const char *const argv[] = {"dot", "-Tsvg", NULL};
    struct child_limits limits = {120, (uint64_t)4 << 30, MAX_PICTURE_BYTES};
    int status = 0;
    switch (child_run(argv, dot, &limits, out, &status)) {
    case CHILD_ENDED:
        return (status == 0 && out->len > 0) ||
               err_set(err, ERR_IO,
                       "the program dot ended with status %d and gave %zu "
                       "bytes (the suffix .dot writes its input)",
                       status, out->len);
    case CHILD_ABSENT:
        return err_set(err, ERR_IO,
                       "an SVG picture needs the program dot of graphviz, "
                       "which could not be started (the suffix .dot writes "
                       "its input)");
    case CHILD_CRASHED:
        return err_set(err, ERR_IO, "the program dot died of signal %d", status);
    case CHILD_TIME:
        return err_set(err, ERR_IO,
                       "the program dot took more than %.0f s; a picture of "
                       "fewer nodes is faster",
                       limits.seconds);
    case CHILD_FLOOD:
        break;
    }
    return err_set(err, ERR_IO, "the program dot wrote more than %zu bytes", limits.output);
}

static bool find_class(const struct egraph_file *file, const char *name, uint32_t *out)
{
    *out = DOT_FROM_ROOTS;
    for (uint32_t c = 0; name != NULL && c < file->class.len; c++)
        if (strcmp(intern_text(&file->text, file->class.at[c].name), name) == 0)
            *out = c;
    return name == NULL || *out != DOT_FROM_ROOTS;
}

char *egraph_picture_around(const struct rw_egraph *egraph, const char *around, bool svg,
                            uint32_t nodes, uint32_t *hidden_nodes, uint32_t *hidden_classes,
                            struct rw_error *error)
{
    struct err err = {0};
    struct buf dot = {0}, picture = {0};
    struct dot_cut cut = {0, 0};
    uint32_t class;
    if (!find_class(&egraph->file, around, &class)) {
        err_set(&err, ERR_INPUT, "the e-graph has no class %s", around);
        error_give(&err, error);
        return NULL;
    }
    egraph_dot_write(&egraph->file, egraph->chosen, class, nodes, &dot, &cut);
    if (hidden_nodes != NULL)
        *hidden_nodes = cut.nodes;
    if (hidden_classes != NULL)
        *hidden_classes = cut.classes;
    if (!svg)
        return text_give(&dot);
    bool ok = svg_of(&dot, &picture, &err);
    buf_release(&dot);
    if (ok)
        return text_give(&picture);
    buf_release(&picture);
    error_give(&err, error);
    return NULL;
}

char *rw_egraph_picture(const struct rw_egraph *egraph, bool svg, uint32_t nodes,
                        uint32_t *hidden_nodes, uint32_t *hidden_classes, struct rw_error *error)
{
    return egraph_picture_around(egraph, NULL, svg, nodes, hidden_nodes, hidden_classes, error);
}
