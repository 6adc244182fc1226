// SPDX-License-Identifier: Apache-2.0
// Any bytes as an e-graph in JSON: read, write (which reads back to the same
// bytes), draw, extract; what is chosen is a solution, and the chosen part is
// an e-graph of the same cost.
#include "cli/egraph_problem.h"
#include "egraph/extract_dag.h"
#include "egraph/extract_tree.h"
#include "io/egraph_dot.h"

#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

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
    if (!solve_tree(&p, &s, &e) || !solution_check(&p, &s, &e))
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
    if (dag ? solve_dag(&p, INFINITY, &s, &late, &e) : solve_tree(&p, &s, &e)) {
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
    if (!egraph_json_read((const char *)data, size, "fuzz", &f, &e))
        return 0;
    round_trip(&f);
    picture(&f, NULL, 200);
    solve(&f, false);
    solve(&f, true);
    egraph_file_release(&f);
    return 0;
}
