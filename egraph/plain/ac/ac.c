// SPDX-License-Identifier: Apache-2.0
#include "egraph/plain/ac/ac.h"

#include "egraph/plain/ac/core.h"

enum { AWAY = AC_AWAY, OPEN = AC_OPEN, ATOM = AC_ATOM, DEFINED = AC_DEFINED };

void ac_init(struct ac *ac, struct cc *graph, struct ac_limits limit)
{
    *ac = (struct ac){.graph = graph, .limit = limit};
}

void ac_release(struct ac *ac)
{
    vec_release(&ac->op);
    vec_release(&ac->state);
    vec_release(&ac->form_at);
    vec_release(&ac->form_n);
    vec_release(&ac->def);
    vec_release(&ac->touched);
    vec_release(&ac->atom);
    vec_release(&ac->pool);
    vec_release(&ac->queue);
    vec_release(&ac->path);
    vec_release(&ac->want);
}

bool ac_is(const struct ac *ac, uint32_t op)
{
    for (uint32_t i = 0; i < ac->op.len; i++)
        if (ac->op.at[i] == op)
            return true;
    return false;
}

void ac_declare(struct ac *ac, uint32_t op)
{
    if (!ac_is(ac, op))
        vec_push(&ac->op, op);
}

static void touch(struct ac *ac, uint32_t cls)
{
    if (ac->state.at[cls] != AWAY)
        return;
    ac->state.at[cls] = ATOM;
    ac->form_n.at[cls] = 0;
    vec_push(&ac->touched, cls);
}

static void begin(struct ac *ac, uint32_t op)
{
    struct cc *graph = ac->graph;
    const struct u32_vec *all = &graph->op.at[op].all;
    for (uint32_t i = 0; i < ac->touched.len; i++)
        ac->state.at[ac->touched.at[i]] = AWAY;
    vec_clear(&ac->touched);
    vec_clear(&ac->atom);
    vec_clear(&ac->pool);
    uint32_t n = graph->class_.len;
    vec_reserve(&ac->form_at, n);
    vec_reserve(&ac->form_n, n);
    vec_reserve(&ac->def, n);
    while (ac->state.len < n)
        vec_push(&ac->state, AWAY);
    ac->form_at.len = ac->form_n.len = ac->def.len = n;
    for (uint32_t i = 0; i < all->len; i++) {
        uint32_t node = all->at[i];
        if (!ac_is_sum(ac, op, node))
            continue;
        // A hidden node may be in no ring, and nobody keeps its class.
        graph->node.at[node].cls = cc_class(graph, node);
        touch(ac, graph->node.at[node].a);
        touch(ac, graph->node.at[node].b);
        touch(ac, graph->node.at[node].cls);
        ac->state.at[graph->node.at[node].cls] = OPEN;
    }
}

static void make_atom(struct ac *ac, uint32_t cls)
{
    ac->state.at[cls] = ATOM;
    ac->form_at.at[cls] = ac->pool.len;
    ac->form_n.at[cls] = 1;
    vec_push(&ac->pool, ac->atom.len);
    vec_push(&ac->atom, cls);
}

// The form of x + y at the end of `out`; its length.
uint32_t ac_add_forms(const struct ac *ac, uint32_t x, uint32_t y, struct u32_vec *out)
{
    uint32_t i = ac->form_at.at[x], i_end = i + ac->form_n.at[x];
    uint32_t k = ac->form_at.at[y], k_end = k + ac->form_n.at[y];
    uint32_t n = i_end - i + k_end - k;
    vec_reserve(out, out->len + n);
    while (i < i_end || k < k_end) {
        bool left = k == k_end || (i < i_end && ac->pool.at[i] <= ac->pool.at[k]);
        uint32_t atom = ac->pool.at[left ? i : k];
        i += left;
        k += !left;
        vec_push(out, atom);
    }
    return n;
}

// Decides the class of a sum whose arguments are decided.
static void define(struct ac *ac, uint32_t node)
{
    const struct enode *n = &ac->graph->node.at[node];
    uint32_t cls = ac->graph->node.at[node].cls;
    if (ac->state.at[cls] != OPEN || ac->state.at[n->a] == OPEN || ac->state.at[n->b] == OPEN)
        return;
    if (ac->form_n.at[n->a] + ac->form_n.at[n->b] > ac->limit.size) {
        ac->cut = true;
        make_atom(ac, cls);
    } else {
        uint32_t at = ac->pool.len;
        ac->form_n.at[cls] = ac_add_forms(ac, n->a, n->b, &ac->pool);
        ac->form_at.at[cls] = at;
        ac->def.at[cls] = node;
        ac->state.at[cls] = DEFINED;
    }
    vec_push(&ac->queue, cls);
}

// Decides what follows from what is decided, breadth first.
static void spread(struct ac *ac, uint32_t op)
{
    struct cc *graph = ac->graph;
    for (uint32_t i = 0; i < ac->queue.len; i++) {
        uint32_t cls = ac->queue.at[i];
        const struct eclass *class = &graph->class_.at[cls];
        if (!(class->uses & (cc_use_bit(op, 0) | cc_use_bit(op, 1))))
            continue;
        for (uint32_t p = class->parents; p != CC_NONE; p = *cc_place_link(graph, p)) {
            uint32_t node = cc_place_node(graph, p);
            if (ac_is_sum(ac, op, node))
                define(ac, node);
        }
    }
    vec_clear(&ac->queue);
}

bool ac_has_other(const struct ac *ac, uint32_t op, uint32_t cls)
{
    const struct cc *graph = ac->graph;
    uint32_t first = graph->class_.at[cls].member, m = first;
    do {
        uint32_t o = graph->node.at[m].op;
        if (!(o & CC_DEAD) && (o & CC_OP) != op)
            return true;
        m = graph->next.at[m];
    } while (m != first);
    return false;
}

static bool has_leaf(const struct ac *ac, uint32_t cls)
{
    const struct cc *graph = ac->graph;
    uint32_t first = graph->class_.at[cls].member, m = first;
    do {
        if (cc_arity(graph, m) == 0)
            return true;
        m = graph->next.at[m];
    } while (m != first);
    return false;
}

// Every class is an atom or defined by a sum of classes decided before it.
// Classes with a node without arguments, such as 0, are atoms.  Classes that
// are sums of themselves only, or of each other, become atoms:
// first such as have another node, as one in every circle has.
static void decide(struct ac *ac, uint32_t op)
{
    const struct cc *graph = ac->graph;
    const struct u32_vec *all = &graph->op.at[op].all;
    for (uint32_t i = 0; i < ac->touched.len; i++) {
        uint32_t cls = ac->touched.at[i];
        if (ac->state.at[cls] == ATOM || has_leaf(ac, cls))
            make_atom(ac, cls);
    }
    for (uint32_t i = 0; i < all->len; i++)
        if (ac_is_sum(ac, op, all->at[i]))
            define(ac, all->at[i]);
    spread(ac, op);
    for (uint32_t pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < ac->touched.len; i++) {
            uint32_t cls = ac->touched.at[i];
            if (ac->state.at[cls] != OPEN || (pass == 0 && !ac_has_other(ac, op, cls)))
                continue;
            make_atom(ac, cls);
            vec_push(&ac->queue, cls);
            spread(ac, op);
        }
}

static uint32_t equations(struct ac *ac, uint32_t op, struct monoid *monoid)
{
    const struct cc *graph = ac->graph;
    const struct u32_vec *all = &graph->op.at[op].all;
    struct u32_vec sum = {0};
    uint32_t count = 0;
    for (uint32_t i = 0; i < all->len; i++) {
        uint32_t node = all->at[i], cls = graph->node.at[node].cls;
        const struct enode *n = &graph->node.at[node];
        if (!ac_is_sum(ac, op, node) || (ac->state.at[cls] == DEFINED && ac->def.at[cls] == node))
            continue;
        vec_clear(&sum);
        ac_add_forms(ac, n->a, n->b, &sum);
        const uint32_t *form = ac->pool.at + ac->form_at.at[cls];
        uint32_t n_form = ac->form_n.at[cls];
        if (sum.len == n_form && memcmp(sum.at, form, n_form * sizeof *form) == 0)
            continue;
        if (sum.len > ac->limit.size) {
            ac->cut = true;
            continue;
        }
        monoid_equation(monoid, sum.len, sum.at, n_form, form, node);
        count++;
    }
    vec_release(&sum);
    return count;
}

// Paths

static void step(struct u32_vec *path, uint32_t node, uint32_t back)
{
    uint32_t s = MONOID_STEP(node, back);
    if (path->len > 0 && vec_last(path) == (s ^ 1))
        path->len--;
    else
        vec_push(path, s);
}

// From a class to its form: a definition is replaced by its arguments, and so
// on; `back`: from the form to the class.
static void expand(struct ac *ac, uint32_t cls, bool back, struct u32_vec *path)
{
    struct u32_vec *list = &ac->queue;
    vec_clear(list);
    if (ac->state.at[cls] == DEFINED)
        vec_push(list, ac->def.at[cls]);
    for (uint32_t i = 0; i < list->len; i++) {
        const struct enode *node = &ac->graph->node.at[list->at[i]];
        if (ac->state.at[node->a] == DEFINED)
            vec_push(list, ac->def.at[node->a]);
        if (ac->state.at[node->b] == DEFINED)
            vec_push(list, ac->def.at[node->b]);
    }
    for (uint32_t i = 0; i < list->len; i++)
        step(path, list->at[back ? list->len - 1 - i : i], back);
    vec_clear(list);
}

// An equation is the way from the form of its node's arguments to the form of
// its class: to the arguments, by the node to the class, to the form.
static void equation_path(struct ac *ac, uint32_t node, bool back, struct u32_vec *path)
{
    const struct enode *n = &ac->graph->node.at[node];
    uint32_t cls = ac->graph->node.at[node].cls;
    if (back) {
        expand(ac, cls, true, path);
        step(path, node, 0);
        expand(ac, n->a, false, path);
        expand(ac, n->b, false, path);
    } else {
        expand(ac, n->b, true, path);
        expand(ac, n->a, true, path);
        step(path, node, 1);
        expand(ac, cls, false, path);
    }
}

static bool make_path(struct ac *ac, struct monoid *monoid, const struct ac_normals *normals,
                      uint32_t x, uint32_t y)
{
    struct u32_vec given = {0};
    bool ok = monoid_path(monoid, normals->n_use.at[x], normals->uses.at + normals->use.at[x],
                          false, ac->limit.steps, &given) &&
              monoid_path(monoid, normals->n_use.at[y], normals->uses.at + normals->use.at[y], true,
                          ac->limit.steps, &given);
    vec_clear(&ac->path);
    expand(ac, ac->touched.at[x], false, &ac->path);
    for (uint32_t i = 0; ok && i < given.len; i++) {
        equation_path(ac, given.at[i] >> 1, given.at[i] & 1, &ac->path);
        ok = ac->path.len <= ac->limit.steps;
    }
    expand(ac, ac->touched.at[y], true, &ac->path);
    vec_release(&given);
    return ok && ac->path.len <= ac->limit.steps;
}

static void merge(struct ac *ac, struct monoid *monoid, const struct ac_normals *normals,
                  uint32_t x, uint32_t y)
{
    struct cc *graph = ac->graph;
    uint32_t cx = ac->touched.at[x], cy = ac->touched.at[y];
    if (cc_find(graph, cx) == cc_find(graph, cy))
        return;
    if (!make_path(ac, monoid, normals, x, y)) {
        ac->cut = true;
        return;
    }
    cc_union(graph, cx, cy);
    journal_ac(&graph->journal, graph->class_.at[cx].founder, graph->class_.at[cy].founder,
               ac->path.len, ac->path.at);
    ac->n_merges++;
}

// Classes with one normal form become one.
static void merge_same(struct ac *ac, struct monoid *monoid, struct ac_normals *normals)
{
    struct u32_vec set = {0}, first = {0};
    for (uint32_t i = 0; i < ac->touched.len; i++) {
        uint32_t cls = ac->touched.at[i];
        vec_clear(&set);
        for (uint32_t k = 0; k < ac->form_n.at[cls]; k++)
            vec_push(&set, ac->pool.at[ac->form_at.at[cls] + k]);
        vec_push(&normals->use, normals->uses.len);
        if (i % 64 == 0 && ac_late(ac, monoid_bytes(monoid) + mset_map_bytes(&normals->form) +
                                           4 * (uint64_t)normals->uses.cap)) {
            ac->cut = true;
            break;
        }
        if (monoid->n_live > 0)
            monoid_normal(monoid, &set, &normals->uses);
        vec_push(&normals->n_use, normals->uses.len - normals->use.at[i]);
        uint32_t e = mset_map_add(&normals->form, 0, set.len, set.at);
        vec_push(&normals->entry, e);
        if (e < first.len) {
            merge(ac, monoid, normals, first.at[e], i);
        } else {
            vec_push(&first, i);
            vec_push(&normals->cls, cls);
        }
    }
    vec_release(&set);
    vec_release(&first);
}

static void normals_release(struct ac_normals *normals)
{
    mset_map_release(&normals->form);
    vec_release(&normals->cls);
    vec_release(&normals->entry);
    vec_release(&normals->use);
    vec_release(&normals->n_use);
    vec_release(&normals->uses);
}

static bool wanted(const struct ac *ac, uint32_t op)
{
    for (uint32_t i = 0; i < ac->want.len; i++)
        if (ac->want.at[i].op == op)
            return true;
    return false;
}

// True: with `offer`, and nothing to merge, it added what rules may want.
static bool close_op(struct ac *ac, uint32_t op, bool offer)
{
    struct monoid monoid;
    struct ac_normals normals = {0};
    uint64_t before = ac->n_merges;
    begin(ac, op);
    decide(ac, op);
    monoid_init(&monoid, ac->atom.len, ac->limit.size, 0);
    uint32_t n = equations(ac, op, &monoid);
    monoid.max_tasks = n * ac->limit.tasks + EGRAPH_AC_TASKS_FLOOR;
    monoid.late = ac->late;
    monoid.late_ctx = ac->late_ctx;
    monoid_complete(&monoid);
    ac->cut = ac->cut || monoid.cut;
    merge_same(ac, &monoid, &normals);
    offer = offer && ac->n_merges == before;
    if (offer && (wanted(ac, op) || ac->has_value != NULL))
        ac_offer(ac, op, &monoid, &normals);
    normals_release(&normals);
    monoid_release(&monoid);
    return offer;
}

// Each operator until none finds anything; each offers once.
static void run(struct ac *ac, bool offer)
{
    struct cc *graph = ac->graph;
    struct u32_vec offered = {0};
    for (uint32_t i = 0; i < ac->op.len; i++)
        vec_push(&offered, !offer);
    cc_rebuild(graph);
    for (uint32_t quiet = 0, i = 0; quiet < ac->op.len; i++) {
        if (ac_late(ac, 0)) {
            ac->cut = true;
            break;
        }
        uint32_t k = i % ac->op.len, n = graph->node.len;
        uint64_t before = ac->n_merges;
        if (close_op(ac, ac->op.at[k], !offered.at[k]))
            offered.at[k] = true;
        quiet++;
        if (ac->n_merges != before || graph->node.len != n) {
            cc_rebuild(graph);
            quiet = 0;
        }
    }
    vec_release(&offered);
}

void ac_close(struct ac *ac)
{
    run(ac, false);
}

void ac_round(struct ac *ac)
{
    run(ac, true);
}
