// SPDX-License-Identifier: Apache-2.0
// Any bytes as an e-graph in JSON: read, and held against another JSON reader;
// written (which reads back to the same bytes), drawn, extracted; what is
// chosen is a solution, and the chosen part is an e-graph of the same cost.
#include "cli/egraph/problem.h"
#include "egraph/extract/dag/dag.h"
#include "egraph/extract/tree/tree.h"
#include "io/egraph/dot.h"

#include <jansson.h>
#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *text_at(const struct egraph_file *f, uint32_t id)
{
    return intern_text(&f->text, id);
}

static bool same_text(const struct egraph_file *f, uint32_t id, const json_t *j)
{
    return json_is_string(j) &&
           strcmp(json_string_value(j), text_at(f, id)) == 0;
}

static void same_node(const struct egraph_file *f, const struct file_node *n,
                      const json_t *nodes)
{
    const json_t *j = json_object_get(nodes, text_at(f, n->name));
    const json_t *cost = json_object_get(j, "cost");
    const json_t *children = json_object_get(j, "children");
    bool same = same_text(f, n->op, json_object_get(j, "op")) &&
                same_text(f, f->class.at[n->class].name,
                          json_object_get(j, "eclass")) &&
                n->cost == (cost ? json_number_value(cost) : 1) &&
                n->subsumed == json_is_true(json_object_get(j, "subsumed")) &&
                n->n_children == json_array_size(children);
    for (uint32_t i = 0; same && i < n->n_children; i++)
        same = same_text(f, f->node.at[f->child.at[n->child_at + i]].name,
                         json_array_get(children, i));
    if (!same)
        BUG("node %s is read in two ways", text_at(f, n->name));
}

// What is read, or refused for its form, is so by jansson too; but that lets
// pass some NUL bytes.
static void second_opinion(const char *text, size_t size,
                           const struct egraph_file *f, const struct err *e)
{
    size_t flags = JSON_DECODE_INT_AS_REAL | (f ? 0 : JSON_REJECT_DUPLICATES);
    json_t *j = json_loadb(text, size, flags, NULL);
    const json_t *nodes = json_object_get(j, "nodes");
    if (!f && e->line && json_is_object(j) && !memchr(text, 0, size))
        BUG("refused: %u:%u: %s", e->line, e->col, e->msg);
    if (f && json_object_size(nodes) != f->node.len)
        BUG("%u nodes, or %zu", f->node.len, json_object_size(nodes));
    for (uint32_t i = 0; f && i < f->node.len; i++)
        same_node(f, &f->node.at[i], nodes);
    json_decref(j);
}

static void round_trip(const struct egraph_file *f)
{
    struct buf first = {0}, second = {0};
    struct egraph_file again;
    struct err e = {0};
    egraph_json_write(f, NULL, &first);
    if (!egraph_json_read(buf_text(&first), first.len, "again", &again, &e))
        BUG("a written e-graph does not read: %s", e.msg);
    egraph_json_write(&again, NULL, &second);
    if (first.len != second.len || memcmp(first.at, second.at, first.len) != 0)
        BUG("a written e-graph reads as another");
    egraph_file_release(&again);
    buf_release(&first);
    buf_release(&second);
}

static void picture(const struct egraph_file *f, const uint32_t *chosen,
                    uint32_t most)
{
    struct buf text = {0};
    struct dot_cut cut;
    egraph_dot_write(f, chosen, most, &text, &cut);
    if (cut.nodes != (f->node.len > most ? f->node.len - most : 0))
        BUG("%u of %u nodes are not shown", cut.nodes, f->node.len);
    buf_release(&text);
}

// The chosen nodes alone: another extraction has no choice left.
static void chosen_part(const struct egraph_file *f, const uint32_t *chosen,
                        double dag)
{
    struct buf text = {0};
    struct egraph_file part;
    struct problem p;
    struct u32_vec node_of = {0};
    struct err e = {0};
    egraph_json_write(f, chosen, &text);
    if (!egraph_json_read(buf_text(&text), text.len, "part", &part, &e))
        BUG("the chosen part does not read: %s", e.msg);
    problem_of_file(&part, &p, &node_of);
    struct solution s;
    solution_init(&s, &p);
    if (!tree_solve(&p, &s, &e) || !solution_check(&p, &s, &e))
        BUG("the chosen part has no solution: %s", e.msg);
    if (!(fabs(s.dag_cost - dag) <= 1e-9 * fabs(dag)) && isfinite(dag))
        BUG("the chosen part costs %g, not %g", s.dag_cost, dag);
    solution_release(&s);
    problem_release(&p);
    vec_release(&node_of);
    egraph_file_release(&part);
    buf_release(&text);
}

static void solve(const struct egraph_file *f, bool dag)
{
    struct problem p;
    struct u32_vec node_of = {0};
    struct err e = {0};
    struct solution s;
    bool late;
    problem_of_file(f, &p, &node_of);
    if (!problem_check(&p, &e))
        BUG("a problem from a file: %s", e.msg);
    solution_init(&s, &p);
    if (dag ? dag_solve(&p, INFINITY, &s, &late, &e) : tree_solve(&p, &s, &e)) {
        if (!solution_check(&p, &s, &e))
            BUG("no solution: %s", e.msg);
        uint32_t *chosen = file_choice(&s, &node_of);
        picture(f, chosen, 5);
        chosen_part(f, chosen, s.dag_cost);
        mem_free(chosen);
    }
    solution_release(&s);
    problem_release(&p);
    vec_release(&node_of);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct egraph_file f;
    struct err e = {0};
    struct buf text = {0};
    buf_write(&text, data, size);
    bool ok = egraph_json_read(buf_text(&text), size, "fuzz", &f, &e);
    second_opinion(buf_text(&text), size, ok ? &f : NULL, &e);
    if (ok) {
        round_trip(&f);
        picture(&f, NULL, 200);
        solve(&f, false);
        solve(&f, true);
        egraph_file_release(&f);
    }
    buf_release(&text);
    return 0;
}
