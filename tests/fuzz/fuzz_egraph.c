// SPDX-License-Identifier: Apache-2.0
// Any bytes as an e-graph in JSON: read, and held against another JSON reader;
// written (which reads back to the same bytes), drawn, extracted; what is
// chosen is a solution, and the chosen part is an e-graph of the same cost.
#include "api/egraph/problem.h"
#include "egraph/extract/dag/dag.h"
#include "egraph/extract/tree/tree.h"
#include "io/egraph/dot.h"

#include <jansson.h>
#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *text_at(const struct egraph_file *file, uint32_t id)
{
    return intern_text(&file->text, id);
}

static bool same_text(const struct egraph_file *file, uint32_t id, const json_t *json)
{
    return json_is_string(json) && strcmp(json_string_value(json), text_at(file, id)) == 0;
}

static void same_node(const struct egraph_file *file, const struct file_node *node,
                      const json_t *nodes)
{
    const json_t *j = json_object_get(nodes, text_at(file, node->name));
    const json_t *cost = json_object_get(j, "cost");
    const json_t *children = json_object_get(j, "children");
    bool same = same_text(file, node->op, json_object_get(j, "op")) &&
                same_text(file, file->class.at[node->class].name, json_object_get(j, "eclass")) &&
                node->cost == (cost ? json_number_value(cost) : 1) &&
                node->subsumed == json_is_true(json_object_get(j, "subsumed")) &&
                node->n_children == json_array_size(children);
    for (uint32_t i = 0; same && i < node->n_children; i++)
        same = same_text(file, file->node.at[file->child.at[node->child_at + i]].name,
                         json_array_get(children, i));
    if (!same)
        BUG("node %s is read in two ways", text_at(file, node->name));
}

// What is read, or refused for its form, is so by jansson too; but that lets
// pass some NUL bytes.
static void second_opinion(const char *text, size_t size, const struct egraph_file *file,
                           const struct err *err)
{
    size_t flags = JSON_DECODE_INT_AS_REAL | (file ? 0 : JSON_REJECT_DUPLICATES);
    json_t *j = json_loadb(text, size, flags, NULL);
    const json_t *nodes = json_object_get(j, "nodes");
    if (!file && err->line && json_is_object(j) && !memchr(text, 0, size))
        BUG("refused: %u:%u: %s", err->line, err->col, err->msg);
    if (file && json_object_size(nodes) != file->node.len)
        BUG("%u nodes, or %zu", file->node.len, json_object_size(nodes));
    for (uint32_t i = 0; file && i < file->node.len; i++)
        same_node(file, &file->node.at[i], nodes);
    json_decref(j);
}

static void round_trip(const struct egraph_file *file)
{
    struct buf first = {0}, second = {0};
    struct egraph_file again;
    struct err err = {0};
    egraph_json_write(file, NULL, &first);
    if (!egraph_json_read(buf_text(&first), first.len, "again", &again, &err))
        BUG("a written e-graph does not read: %s", err.msg);
    egraph_json_write(&again, NULL, &second);
    if (first.len != second.len || memcmp(first.at, second.at, first.len) != 0)
        BUG("a written e-graph reads as another");
    egraph_file_release(&again);
    buf_release(&first);
    buf_release(&second);
}

static void picture(const struct egraph_file *file, const uint32_t *chosen, uint32_t most)
{
    struct buf text = {0};
    struct dot_cut cut;
    egraph_dot_write(file, chosen, DOT_FROM_ROOTS, most, &text, &cut);
    if (cut.nodes != (file->node.len > most ? file->node.len - most : 0))
        BUG("%u of %u nodes are not shown", cut.nodes, file->node.len);
    buf_release(&text);
}

// The chosen nodes alone: another extraction has no choice left.
static void chosen_part(const struct egraph_file *file, const uint32_t *chosen, double dag)
{
    struct buf text = {0};
    struct egraph_file part;
    struct problem problem;
    struct u32_vec node_of = {0};
    struct err err = {0};
    egraph_json_write(file, chosen, &text);
    if (!egraph_json_read(buf_text(&text), text.len, "part", &part, &err))
        BUG("the chosen part does not read: %s", err.msg);
    problem_of_file(&part, &problem, &node_of);
    struct solution solution;
    solution_init(&solution, &problem);
    if (!tree_solve(&problem, &solution, &err) || !solution_check(&problem, &solution, &err))
        BUG("the chosen part has no solution: %s", err.msg);
    if (!(fabs(solution.dag_cost - dag) <= 1e-9 * fabs(dag)) && isfinite(dag))
        BUG("the chosen part costs %g, not %g", solution.dag_cost, dag);
    solution_release(&solution);
    problem_release(&problem);
    vec_release(&node_of);
    egraph_file_release(&part);
    buf_release(&text);
}

static void solve(const struct egraph_file *file, bool dag)
{
    struct problem problem;
    struct u32_vec node_of = {0};
    struct err err = {0};
    struct solution solution;
    bool late;
    problem_of_file(file, &problem, &node_of);
    if (!problem_check(&problem, &err))
        BUG("a problem from a file: %s", err.msg);
    solution_init(&solution, &problem);
    if (dag ? dag_solve(&problem, INFINITY, &solution, &late, &err)
            : tree_solve(&problem, &solution, &err)) {
        if (!solution_check(&problem, &solution, &err))
            BUG("no solution: %s", err.msg);
        uint32_t *chosen = file_choice(&solution, &node_of);
        picture(file, chosen, 5);
        chosen_part(file, chosen, solution.dag_cost);
        mem_free(chosen);
    }
    solution_release(&solution);
    problem_release(&problem);
    vec_release(&node_of);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct egraph_file file;
    struct err err = {0};
    struct buf text = {0};
    buf_write(&text, data, size);
    bool ok = egraph_json_read(buf_text(&text), size, "fuzz", &file, &err);
    second_opinion(buf_text(&text), size, ok ? &file : NULL, &err);
    if (ok) {
        round_trip(&file);
        picture(&file, NULL, 200);
        solve(&file, false);
        solve(&file, true);
        egraph_file_release(&file);
    }
    buf_release(&text);
    return 0;
}
