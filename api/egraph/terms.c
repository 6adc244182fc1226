// SPDX-License-Identifier: Apache-2.0
// The e-graph of a simplified program as one of a file.
#include "api/egraph/egraph.h"
#include "api/simplify/result.h"

#include "base/text/utf8.h"
#include "egraph/program/constants.h"

// From an e-graph of tensor terms to one of a file.
struct conversion {
    struct egraph *graph;
    const struct cost *cost;
    struct egraph_file *file;
    // By node of the graph and by class of it: theirs in the file, + 1.  By
    // class: its oldest live node.
    uint32_t *number, *class, *oldest;
};

static uint32_t add_class(const struct conversion *to, class_id class, term_id oldest)
{
    struct buf name = {0}, type = {0}, data = {0};
    buf_printf(&name, "c%u", oldest.v);
    uint32_t k = egraph_file_class(to->file, buf_text(&name));
    type_print(to->graph->terms->pool, egraph_type(to->graph, class), &type);
    buf_puts(&data, "{\"type\":");
    egraph_json_string(buf_text(&type), &data);
    buf_putc(&data, '}');
    to->file->class.at[k].data = arena_strdup(&to->file->text.mem, buf_text(&data));
    buf_release(&name);
    buf_release(&type);
    buf_release(&data);
    return k;
}

static void add_node(const struct conversion *to, term_id term)
{
    struct egraph *graph = to->graph;
    struct buf name = {0}, op = {0}, clean = {0};
    buf_printf(&name, "n%u", term.v);
    term_print_node(graph->terms, term, &op);
    utf8_printable(buf_text(&op), &clean);
    egraph_file_node(to->file, buf_text(&name), buf_text(&clean),
                     to->class[egraph_find(graph, term).v] - 1,
                     to->cost->node(to->cost, graph->terms, term));
    vec_last(&to->file->node).subsumed = constant_is_left_out(graph, term);
    for (uint32_t i = 0; i < term_at(graph->terms, term)->n_args; i++) {
        class_id c = egraph_find(graph, term_args(graph->terms, term)[i]);
        egraph_file_child(to->file, to->number[to->oldest[c.v]] - 1);
    }
    buf_release(&name);
    buf_release(&op);
    buf_release(&clean);
}

static void add_classes(const struct conversion *to)
{
    uint32_t nodes = 0;
    for (uint32_t k = 0; k < to->graph->node.len; k++) {
        if (!node_live(to->graph, k))
            continue;
        term_id term = node_term(to->graph, k);
        class_id c = egraph_find(to->graph, term);
        to->number[k] = ++nodes;
        if (to->class[c.v])
            continue;
        to->class[c.v] = add_class(to, c, term) + 1;
        to->oldest[c.v] = k;
    }
}

// Per class of the file a node of it among `picks`.
static uint32_t *chosen_nodes(const struct conversion *to, const struct u32_vec *picks)
{
    uint32_t n = to->file->class.len;
    uint32_t *chosen = mem_alloc(sizeof *chosen * ((size_t)n + 1));
    for (uint32_t c = 0; c < n; c++)
        chosen[c] = NO_FILE_NODE;
    for (uint32_t i = 0; i < picks->len; i++) {
        term_id term = {picks->at[i]};
        if (egraph_live(to->graph, term))
            chosen[to->class[egraph_find(to->graph, term).v] - 1] =
                to->number[egraph_node(to->graph, term)] - 1;
    }
    return chosen;
}

// The classes, the live nodes and the roots of a run's e-graph, and its choice.
static void egraph_file_of(struct simplification *run, struct rw_egraph *out)
{
    struct egraph *graph = &run->graph;
    size_t n = (size_t)graph->node.len + 1;
    struct conversion to = {.graph = graph,
                            .cost = &run->cost,
                            .file = &out->file,
                            .number = mem_alloc(n * sizeof *to.number),
                            .class = mem_alloc(n * sizeof *to.class),
                            .oldest = mem_alloc(n * sizeof *to.oldest)};
    struct u32_vec roots = {0};
    egraph_file_init(to.file);
    add_classes(&to);
    for (uint32_t k = 0; k < graph->node.len; k++)
        if (node_live(graph, k))
            add_node(&to, node_term(graph, k));
    simplify_roots(run, &roots);
    for (uint32_t i = 0; i < roots.len; i++)
        vec_push(&to.file->root, to.class[egraph_find(graph, (term_id){roots.at[i]}).v] - 1);
    out->chosen = chosen_nodes(&to, &run->picks);
    vec_release(&roots);
    mem_free(to.number);
    mem_free(to.class);
    mem_free(to.oldest);
}

struct rw_egraph *rw_result_egraph(const struct rw_result *result, struct rw_error *error)
{
    struct err err = {0};
    struct simplification *run = result->program;
    if (run == NULL) {
        err_set(&err, ERR_USAGE, "the result is that of a formula");
        error_give(&err, error);
        return NULL;
    }
    struct rw_egraph *egraph = mem_alloc(sizeof *egraph);
    egraph->context = result->context;
    egraph_file_of(run, egraph);
    return egraph;
}
