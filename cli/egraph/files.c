// SPDX-License-Identifier: Apache-2.0
#include "cli/egraph/files.h"
#include "cli/cli.h"

#include "base/process/child.h"
#include "base/text/utf8.h"
#include "io/egraph/dot.h"

#define MAX_EGRAPH_BYTES ((size_t)1 << 32)
#define MAX_PICTURE_BYTES ((size_t)1 << 28)

bool read_egraph(const char *path, struct egraph_file *file, struct err *err)
{
    const char *name = strcmp(path, "-") == 0 ? "<stdin>" : path;
    struct buf text = {0};
    bool ok = file_read(path, MAX_EGRAPH_BYTES, &text, err) &&
              egraph_json_read(buf_text(&text), text.len, name, file, err);
    buf_release(&text);
    if (ok && file->lost_roots)
        note("%s: %u roots have no node and are dropped", name, file->lost_roots);
    if (ok && file->lost_data)
        note("%s: class_data of %u classes without nodes is dropped", name, file->lost_data);
    return ok;
}

static bool has_suffix(const char *path, const char *suffix)
{
    size_t n = strlen(path), k = strlen(suffix);
    return n >= k && strcmp(path + n - k, suffix) == 0;
}

bool is_picture(const char *path)
{
    return has_suffix(path, ".dot") || has_suffix(path, ".svg");
}

// Layout can take long; a picture of so many nodes is of no use to anybody.
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

bool write_egraph(const char *path, const struct egraph_file *file, const uint32_t *chosen,
                  uint32_t most, struct err *err)
{
    struct buf text = {0}, svg = {0};
    bool ok = true, as_svg = has_suffix(path, ".svg");
    struct dot_cut cut = {0, 0};
    if (is_picture(path))
        egraph_dot_write(file, chosen, most, &text, &cut);
    else
        egraph_json_write(file, NULL, &text);
    if (as_svg)
        ok = svg_of(&text, &svg, err);
    const struct buf *out = as_svg ? &svg : &text;
    ok = ok && file_write(path, buf_text(out), out->len, err);
    if (ok && cut.nodes)
        note("%s: %u nodes are not shown, and nothing of %u classes", path, cut.nodes, cut.classes);
    buf_release(&text);
    buf_release(&svg);
    return ok;
}

// ---- e-graphs of tensor terms

static uint32_t add_class(struct egraph *graph, class_id class, term_id oldest,
                          struct egraph_file *file)
{
    struct buf name = {0}, type = {0}, data = {0};
    buf_printf(&name, "c%u", oldest.v);
    uint32_t k = egraph_file_class(file, buf_text(&name));
    type_print(graph->terms->pool, egraph_type(graph, class), &type);
    buf_puts(&data, "{\"type\":");
    egraph_json_string(buf_text(&type), &data);
    buf_putc(&data, '}');
    file->class.at[k].data = arena_strdup(&file->text.mem, buf_text(&data));
    buf_release(&name);
    buf_release(&type);
    buf_release(&data);
    return k;
}

static void add_node(struct egraph *graph, const struct cost *cost, term_id term,
                     const uint32_t *class, const uint32_t *oldest, const uint32_t *number,
                     struct egraph_file *file)
{
    struct buf name = {0}, op = {0}, clean = {0};
    buf_printf(&name, "n%u", term.v);
    term_print_node(graph->terms, term, &op);
    utf8_printable(buf_text(&op), &clean);
    egraph_file_node(file, buf_text(&name), buf_text(&clean), class[egraph_find(graph, term).v] - 1,
                     cost->node(cost, graph->terms, term));
    for (uint32_t i = 0; i < term_at(graph->terms, term)->n_args; i++) {
        class_id c = egraph_find(graph, term_args(graph->terms, term)[i]);
        egraph_file_child(file, number[oldest[c.v]] - 1);
    }
    buf_release(&name);
    buf_release(&op);
    buf_release(&clean);
}

void egraph_file_of(struct egraph *graph, const struct cost *cost, uint32_t n_roots,
                    const term_id *roots, const struct u32_vec *picks, struct egraph_file *file,
                    uint32_t **chosen)
{
    // By node of the graph and by class of it: theirs in the file, + 1.  By
    // class: its oldest live node.
    size_t n = (size_t)graph->node.len + 1;
    uint32_t *number = mem_alloc(n * sizeof *number), nodes = 0;
    uint32_t *class = mem_alloc(n * sizeof *class);
    uint32_t *oldest = mem_alloc(n * sizeof *oldest);
    egraph_file_init(file);
    for (uint32_t k = 0; k < graph->node.len; k++) {
        if (!node_live(graph, k))
            continue;
        class_id c = egraph_find(graph, node_term(graph, k));
        number[k] = ++nodes;
        if (class[c.v])
            continue;
        class[c.v] = add_class(graph, c, node_term(graph, k), file) + 1;
        oldest[c.v] = k;
    }
    for (uint32_t k = 0; k < graph->node.len; k++)
        if (node_live(graph, k))
            add_node(graph, cost, node_term(graph, k), class, oldest, number, file);
    for (uint32_t i = 0; i < n_roots; i++)
        vec_push(&file->root, class[egraph_find(graph, roots[i]).v] - 1);
    *chosen = mem_alloc(sizeof **chosen * ((size_t)file->class.len + 1));
    for (uint32_t c = 0; c < file->class.len; c++)
        (*chosen)[c] = NO_FILE_NODE;
    for (uint32_t i = 0; i < picks->len; i++) {
        term_id term = {picks->at[i]};
        if (egraph_live(graph, term))
            (*chosen)[class[egraph_find(graph, term).v] - 1] = number[egraph_node(graph, term)] - 1;
    }
    mem_free(number);
    mem_free(class);
    mem_free(oldest);
}
