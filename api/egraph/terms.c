// SPDX-License-Identifier: Apache-2.0
// The e-graph of a simplified program as one of a file.
#include "api/egraph/egraph.h"
#include "api/simplify/result.h"

#include "base/text/utf8.h"

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

// The classes and live nodes of an e-graph of tensor terms; chosen[i] becomes
// per class of the file a node of it among `picks`.
static void egraph_file_of(struct egraph *graph, const struct cost *cost, uint32_t n_roots,
                           const term_id *roots, const struct u32_vec *picks,
                           struct egraph_file *file, uint32_t **chosen)
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

struct rw_egraph *rw_result_egraph(const struct rw_result *result, struct rw_error *error)
{
    struct err err = {0};
    struct u32_vec ids = {0};
    struct simplification *run = result->program;
    if (run == NULL) {
        err_set(&err, ERR_USAGE, "the result is that of a formula");
        error_give(&err, error);
        return NULL;
    }
    struct rw_egraph *egraph = mem_alloc(sizeof *egraph);
    egraph->context = result->context;
    simplify_roots(run, &ids);
    term_id *roots = mem_alloc(sizeof *roots * ((size_t)ids.len + 1));
    for (uint32_t i = 0; i < ids.len; i++)
        roots[i].v = ids.at[i];
    egraph_file_of(&run->graph, &run->cost, ids.len, roots, &run->picks, &egraph->file,
                   &egraph->chosen);
    mem_free(roots);
    vec_release(&ids);
    return egraph;
}
