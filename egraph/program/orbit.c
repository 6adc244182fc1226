// SPDX-License-Identifier: Apache-2.0
#include "egraph/program/orbit.h"

#include "egraph/limits.h"
#include "egraph/program/core.h"

struct orbit_place orbit_find(struct egraph *graph, class_id class)
{
    const struct class_data *data = egraph_class(graph, class_find(graph, class));
    return (struct orbit_place){class_find(graph, (class_id){data->leader}), data->perm};
}

bool orbit_relation(struct egraph *graph, class_id a, class_id b, attr_id *perm)
{
    struct orbit_place place = orbit_find(graph, a), q = orbit_find(graph, b);
    if (place.leader.v != q.leader.v)
        return false;
    struct pool *pool = graph->terms->pool;
    *perm = perm_compose(pool, perm_inverse(pool, place.perm), q.perm);
    return true;
}

class_id orbit_next(const struct egraph *graph, class_id c, class_id m)
{
    uint32_t next = graph->class_.at[m.v].orbit_next;
    return next == c.v ? NO_CLASS : (class_id){next};
}

uint32_t orbit_count(struct egraph *graph, class_id class)
{
    return graph->class_.at[egraph_class(graph, class)->leader].orbit_size;
}

void orbit_start(struct egraph *graph, class_id class)
{
    struct class_data *data = egraph_class(graph, class);
    data->leader = class.v;
    data->perm = NO_ATTR;
    data->orbit_next = data->orbit_prev = class.v;
    data->orbit_size = 1;
}

static void push_task(struct egraph *graph, uint32_t x, attr_id p, attr_id q)
{
    if (p.v != NO_ATTR.v && q.v != NO_ATTR.v)
        vec_push(&graph->layouts, ((struct layout_task){node_term(graph, x), p, q}));
}

// Hangs the orbit of class class, whose leader is x, below the leader y, where one
// class is known to contain both transpose(x, p) and transpose(y, q).  Then
// x = transpose(transpose(x, p), p^-1) = transpose(transpose(y, q), p^-1)
//   = transpose(y, s), and m = transpose(transpose(y, s), m's own perm).
static void relabel(struct egraph *graph, class_id class, attr_id p, uint32_t y, attr_id q)
{
    struct pool *pool = graph->terms->pool;
    uint32_t x = egraph_class(graph, class)->leader;
    attr_id back = perm_inverse(pool, p), attr = perm_compose(pool, q, back);
    push_task(graph, x, p, back);
    push_task(graph, y, q, back);
    for (class_id m = class; m.v != NO_CLASS.v; m = orbit_next(graph, class, m)) {
        struct class_data *data = egraph_class(graph, m);
        push_task(graph, y, attr, data->perm);
        attr_id now = perm_compose(pool, attr, data->perm);
        egraph_stir(graph, m.v);
        if (now.v != data->perm.v)
            vec_push(&graph->touched, m.v);
        data->leader = y;
        data->perm = now;
    }
    graph->class_.at[y].orbit_size += graph->class_.at[x].orbit_size;
    graph->class_.at[x].orbit_size = 0;
}

static void ring_join(struct egraph *graph, class_id a, class_id b)
{
    struct class_data *data = graph->class_.at;
    uint32_t a_end = data[a.v].orbit_prev, b_end = data[b.v].orbit_prev;
    data[a_end].orbit_next = b.v;
    data[b.v].orbit_prev = a_end;
    data[b_end].orbit_next = a.v;
    data[a.v].orbit_prev = b_end;
}

void orbit_relate(struct egraph *graph, class_id a, class_id b, attr_id perm)
{
    struct class_data *da = egraph_class(graph, a), *db = egraph_class(graph, b);
    if (da->leader == db->leader)
        return; // known, or a symmetry that the table does not keep
    // The class of b contains transpose(a's leader, p) and transpose(b's
    // leader, q), once the tasks queued so far are done.
    struct pool *pool = graph->terms->pool;
    attr_id attr = perm_compose(pool, da->perm, perm), q = db->perm;
    uint32_t na = graph->class_.at[da->leader].orbit_size;
    uint32_t nb = graph->class_.at[db->leader].orbit_size;
    // Of two orbits of one size the one stays that is turned into the other: elementwise
    // operators are turned back to leaders (turn.h), so that transposes move towards results.
    if (na > nb || (na == nb && (perm.v != NO_ATTR.v || da->leader < db->leader)))
        relabel(graph, b, q, da->leader, attr);
    else
        relabel(graph, a, attr, db->leader, q);
    ring_join(graph, a, b);
}

void orbit_absorb(struct egraph *graph, class_id keep, class_id lose)
{
    struct class_data *data = egraph_class(graph, keep), *l = egraph_class(graph, lose);
    if (l->perm.v == NO_ATTR.v && data->perm.v != NO_ATTR.v) {
        data->perm = NO_ATTR; // O1: the leader's class went into `keep`
        vec_push(&graph->touched, keep.v);
    }
    graph->class_.at[l->orbit_prev].orbit_next = l->orbit_next;
    graph->class_.at[l->orbit_next].orbit_prev = l->orbit_prev;
    l->orbit_next = l->orbit_prev = lose.v;
    graph->class_.at[l->leader].orbit_size--;
}

static void add_transpose(struct egraph *graph, class_id a, class_id b)
{
    attr_id perm;
    term_id of = class_term(graph, a), out;
    struct err err = {0};
    if (a.v == b.v || !orbit_relation(graph, a, b, &perm) || perm.v == NO_ATTR.v)
        return;
    if (!egraph_add(graph, (struct operation){OP_TRANSPOSE, perm, NO_TYPE, 1}, &of, &out, &err))
        BUG("transpose between classes of an orbit: %s", err.msg);
}

void orbit_complete(struct egraph *graph)
{
    struct u32_vec classes = {0};
    uint32_t n = graph->node.len, n_classes = graph->class_.len;
    for (uint32_t c = 0; c < n_classes && !egraph_full(graph); c++) {
        class_id class = {c};
        if (graph->cc.up.at[c] != c || orbit_count(graph, class) > EGRAPH_ORBIT_PAIRS)
            continue;
        vec_clear(&classes);
        for (class_id m = class; m.v != NO_CLASS.v; m = orbit_next(graph, class, m))
            vec_push(&classes, m.v);
        for (uint32_t i = 0; i < classes.len; i++)
            add_transpose(graph, class, (class_id){classes.at[i]});
    }
    vec_release(&classes);
    for (uint32_t i = 0; i < n; i++)
        if (term_op(graph->terms, node_term(graph, i)) == OP_TRANSPOSE)
            vec_push(&graph->again, i);
    graph->complete = true;
    egraph_rebuild(graph);
}

static bool check_class(const struct egraph *graph, uint32_t c, struct err *err)
{
    const struct class_data *data = &graph->class_.at[c];
    uint32_t lead = egraph_root(graph, data->leader);
    if (graph->class_.at[lead].leader != data->leader || graph->class_.at[lead].perm.v != NO_ATTR.v)
        return err_set(err, ERR_CHECK, "orbit of class %u: leader breaks O1", c);
    uint32_t n = 0, m = c;
    do {
        const struct class_data *o = &graph->class_.at[m];
        if (o->leader != data->leader || egraph_root(graph, m) != m ||
            graph->class_.at[o->orbit_next].orbit_prev != m)
            return err_set(err, ERR_CHECK, "orbit ring of %u breaks O3", c);
        m = o->orbit_next;
        n++;
    } while (m != c && n <= graph->cc.n_classes);
    if (n != graph->class_.at[data->leader].orbit_size)
        return err_set(err, ERR_CHECK, "orbit size of %u breaks O3", c);
    if (data->perm.v == NO_ATTR.v)
        return lead == c || err_set(err, ERR_CHECK, "class %u has the leader's perm (O1)", c);
    class_id root = {c};
    for (term_id term = class_first(graph, root); term.v != NO_TERM.v;
         term = class_next(graph, root, term)) {
        const struct term *node = term_at(graph->terms, term);
        if (node->op == OP_TRANSPOSE && node->attr.v == data->perm.v &&
            egraph_root(graph, egraph_node(graph, term_args(graph->terms, term)[0])) == lead)
            return true;
    }
    return err_set(err, ERR_CHECK, "class %u lacks transpose(leader) (O2)", c);
}

bool orbit_check(const struct egraph *graph, struct err *err)
{
    for (uint32_t c = 0; c < graph->class_.len; c++)
        if (graph->cc.up.at[c] == c && !check_class(graph, c, err))
            return false;
    return true;
}
