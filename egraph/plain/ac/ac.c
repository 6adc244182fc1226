// SPDX-License-Identifier: Apache-2.0
#include "egraph/plain/ac/ac.h"

#include "egraph/plain/ac/core.h"

enum { AWAY = AC_AWAY, OPEN = AC_OPEN, ATOM = AC_ATOM, DEFINED = AC_DEFINED };

void ac_init(struct ac *a, struct cc *g, struct ac_limits limit)
{
    *a = (struct ac){.g = g, .limit = limit};
}

void ac_release(struct ac *a)
{
    vec_release(&a->op);
    vec_release(&a->state);
    vec_release(&a->form_at);
    vec_release(&a->form_n);
    vec_release(&a->def);
    vec_release(&a->touched);
    vec_release(&a->atom);
    vec_release(&a->pool);
    vec_release(&a->queue);
    vec_release(&a->path);
    vec_release(&a->want);
}

bool ac_is(const struct ac *a, uint32_t op)
{
    for (uint32_t i = 0; i < a->op.len; i++)
        if (a->op.at[i] == op)
            return true;
    return false;
}

void ac_declare(struct ac *a, uint32_t op)
{
    if (!ac_is(a, op))
        vec_push(&a->op, op);
}

static void touch(struct ac *a, uint32_t cls)
{
    if (a->state.at[cls] != AWAY)
        return;
    a->state.at[cls] = ATOM;
    a->form_n.at[cls] = 0;
    vec_push(&a->touched, cls);
}

static void begin(struct ac *a, uint32_t op)
{
    struct cc *g = a->g;
    const struct u32_vec *all = &g->op.at[op].all;
    for (uint32_t i = 0; i < a->touched.len; i++)
        a->state.at[a->touched.at[i]] = AWAY;
    vec_clear(&a->touched);
    vec_clear(&a->atom);
    vec_clear(&a->pool);
    uint32_t n = g->class_.len;
    vec_reserve(&a->form_at, n);
    vec_reserve(&a->form_n, n);
    vec_reserve(&a->def, n);
    while (a->state.len < n)
        vec_push(&a->state, AWAY);
    a->form_at.len = a->form_n.len = a->def.len = n;
    for (uint32_t i = 0; i < all->len; i++) {
        uint32_t node = all->at[i];
        if (!ac_is_sum(a, op, node))
            continue;
        // A hidden node may be in no ring, and nobody keeps its class.
        g->cls.at[node] = cc_class(g, node);
        touch(a, g->node.at[node].a);
        touch(a, g->node.at[node].b);
        touch(a, g->cls.at[node]);
        a->state.at[g->cls.at[node]] = OPEN;
    }
}

static void make_atom(struct ac *a, uint32_t cls)
{
    a->state.at[cls] = ATOM;
    a->form_at.at[cls] = a->pool.len;
    a->form_n.at[cls] = 1;
    vec_push(&a->pool, a->atom.len);
    vec_push(&a->atom, cls);
}

// The form of x + y at the end of `out`; its length.
uint32_t ac_add_forms(const struct ac *a, uint32_t x, uint32_t y,
                      struct u32_vec *out)
{
    uint32_t i = a->form_at.at[x], i_end = i + a->form_n.at[x];
    uint32_t k = a->form_at.at[y], k_end = k + a->form_n.at[y];
    uint32_t n = i_end - i + k_end - k;
    vec_reserve(out, out->len + n);
    while (i < i_end || k < k_end) {
        bool left = k == k_end || (i < i_end && a->pool.at[i] <= a->pool.at[k]);
        uint32_t atom = a->pool.at[left ? i : k];
        i += left;
        k += !left;
        vec_push(out, atom);
    }
    return n;
}

// Decides the class of a sum whose arguments are decided.
static void define(struct ac *a, uint32_t node)
{
    const struct enode *n = &a->g->node.at[node];
    uint32_t cls = a->g->cls.at[node];
    if (a->state.at[cls] != OPEN || a->state.at[n->a] == OPEN ||
        a->state.at[n->b] == OPEN)
        return;
    if (a->form_n.at[n->a] + a->form_n.at[n->b] > a->limit.size) {
        a->cut = true;
        make_atom(a, cls);
    } else {
        uint32_t at = a->pool.len;
        a->form_n.at[cls] = ac_add_forms(a, n->a, n->b, &a->pool);
        a->form_at.at[cls] = at;
        a->def.at[cls] = node;
        a->state.at[cls] = DEFINED;
    }
    vec_push(&a->queue, cls);
}

// Decides what follows from what is decided, breadth first.
static void spread(struct ac *a, uint32_t op)
{
    struct cc *g = a->g;
    for (uint32_t i = 0; i < a->queue.len; i++) {
        uint32_t cls = a->queue.at[i];
        const struct eclass *k = &g->class_.at[cls];
        if (!(k->uses & (cc_use_bit(op, 0) | cc_use_bit(op, 1))))
            continue;
        for (uint32_t p = k->parents; p != CC_NONE; p = *cc_place_link(g, p)) {
            uint32_t node = cc_place_node(g, p);
            if (ac_is_sum(a, op, node))
                define(a, node);
        }
    }
    vec_clear(&a->queue);
}

bool ac_has_other(const struct ac *a, uint32_t op, uint32_t cls)
{
    const struct cc *g = a->g;
    uint32_t first = g->class_.at[cls].member, m = first;
    do {
        uint32_t o = g->node.at[m].op;
        if (!(o & CC_DEAD) && (o & CC_OP) != op)
            return true;
        m = g->next.at[m];
    } while (m != first);
    return false;
}

static bool has_leaf(const struct ac *a, uint32_t cls)
{
    const struct cc *g = a->g;
    uint32_t first = g->class_.at[cls].member, m = first;
    do {
        if (cc_arity(g, m) == 0)
            return true;
        m = g->next.at[m];
    } while (m != first);
    return false;
}

// Every class is an atom or defined by a sum of classes decided before it.
// Classes with a node without arguments, such as 0, are atoms.  Classes that
// are sums of themselves only, or of each other, become atoms:
// first such as have another node, as one in every circle has.
static void decide(struct ac *a, uint32_t op)
{
    const struct cc *g = a->g;
    const struct u32_vec *all = &g->op.at[op].all;
    for (uint32_t i = 0; i < a->touched.len; i++) {
        uint32_t cls = a->touched.at[i];
        if (a->state.at[cls] == ATOM || has_leaf(a, cls))
            make_atom(a, cls);
    }
    for (uint32_t i = 0; i < all->len; i++)
        if (ac_is_sum(a, op, all->at[i]))
            define(a, all->at[i]);
    spread(a, op);
    for (uint32_t pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < a->touched.len; i++) {
            uint32_t cls = a->touched.at[i];
            if (a->state.at[cls] != OPEN ||
                (pass == 0 && !ac_has_other(a, op, cls)))
                continue;
            make_atom(a, cls);
            vec_push(&a->queue, cls);
            spread(a, op);
        }
}

static uint32_t equations(struct ac *a, uint32_t op, struct monoid *m)
{
    const struct cc *g = a->g;
    const struct u32_vec *all = &g->op.at[op].all;
    struct u32_vec sum = {0};
    uint32_t count = 0;
    for (uint32_t i = 0; i < all->len; i++) {
        uint32_t node = all->at[i], cls = g->cls.at[node];
        const struct enode *n = &g->node.at[node];
        if (!ac_is_sum(a, op, node) ||
            (a->state.at[cls] == DEFINED && a->def.at[cls] == node))
            continue;
        vec_clear(&sum);
        ac_add_forms(a, n->a, n->b, &sum);
        const uint32_t *form = a->pool.at + a->form_at.at[cls];
        uint32_t n_form = a->form_n.at[cls];
        if (sum.len == n_form &&
            memcmp(sum.at, form, n_form * sizeof *form) == 0)
            continue;
        if (sum.len > a->limit.size) {
            a->cut = true;
            continue;
        }
        monoid_equation(m, sum.len, sum.at, n_form, form, node);
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
static void expand(struct ac *a, uint32_t cls, bool back, struct u32_vec *path)
{
    struct u32_vec *list = &a->queue;
    vec_clear(list);
    if (a->state.at[cls] == DEFINED)
        vec_push(list, a->def.at[cls]);
    for (uint32_t i = 0; i < list->len; i++) {
        const struct enode *n = &a->g->node.at[list->at[i]];
        if (a->state.at[n->a] == DEFINED)
            vec_push(list, a->def.at[n->a]);
        if (a->state.at[n->b] == DEFINED)
            vec_push(list, a->def.at[n->b]);
    }
    for (uint32_t i = 0; i < list->len; i++)
        step(path, list->at[back ? list->len - 1 - i : i], back);
    vec_clear(list);
}

// An equation is the way from the form of its node's arguments to the form of
// its class: to the arguments, by the node to the class, to the form.
static void equation_path(struct ac *a, uint32_t node, bool back,
                          struct u32_vec *path)
{
    const struct enode *n = &a->g->node.at[node];
    uint32_t cls = a->g->cls.at[node];
    if (back) {
        expand(a, cls, true, path);
        step(path, node, 0);
        expand(a, n->a, false, path);
        expand(a, n->b, false, path);
    } else {
        expand(a, n->b, true, path);
        expand(a, n->a, true, path);
        step(path, node, 1);
        expand(a, cls, false, path);
    }
}

static bool make_path(struct ac *a, struct monoid *m,
                      const struct ac_normals *f, uint32_t x, uint32_t y)
{
    struct u32_vec given = {0};
    bool ok = monoid_path(m, f->n_use.at[x], f->uses.at + f->use.at[x], false,
                          a->limit.steps, &given) &&
              monoid_path(m, f->n_use.at[y], f->uses.at + f->use.at[y], true,
                          a->limit.steps, &given);
    vec_clear(&a->path);
    expand(a, a->touched.at[x], false, &a->path);
    for (uint32_t i = 0; ok && i < given.len; i++) {
        equation_path(a, given.at[i] >> 1, given.at[i] & 1, &a->path);
        ok = a->path.len <= a->limit.steps;
    }
    expand(a, a->touched.at[y], true, &a->path);
    vec_release(&given);
    return ok && a->path.len <= a->limit.steps;
}

static void merge(struct ac *a, struct monoid *m, const struct ac_normals *f,
                  uint32_t x, uint32_t y)
{
    struct cc *g = a->g;
    uint32_t cx = a->touched.at[x], cy = a->touched.at[y];
    if (cc_find(g, cx) == cc_find(g, cy))
        return;
    if (!make_path(a, m, f, x, y)) {
        a->cut = true;
        return;
    }
    cc_union(g, cx, cy);
    journal_ac(&g->journal, g->class_.at[cx].founder, g->class_.at[cy].founder,
               a->path.len, a->path.at);
    a->n_merges++;
}

// Classes with one normal form become one.
static void merge_same(struct ac *a, struct monoid *m, struct ac_normals *f)
{
    struct u32_vec set = {0}, first = {0};
    for (uint32_t i = 0; i < a->touched.len; i++) {
        uint32_t cls = a->touched.at[i];
        vec_clear(&set);
        for (uint32_t k = 0; k < a->form_n.at[cls]; k++)
            vec_push(&set, a->pool.at[a->form_at.at[cls] + k]);
        vec_push(&f->use, f->uses.len);
        if (i % 64 == 0 &&
            ac_late(a, monoid_bytes(m) + mset_map_bytes(&f->form) +
                           4 * (uint64_t)f->uses.cap)) {
            a->cut = true;
            break;
        }
        if (m->n_live > 0)
            monoid_normal(m, &set, &f->uses);
        vec_push(&f->n_use, f->uses.len - f->use.at[i]);
        uint32_t e = mset_map_add(&f->form, 0, set.len, set.at);
        vec_push(&f->entry, e);
        if (e < first.len) {
            merge(a, m, f, first.at[e], i);
        } else {
            vec_push(&first, i);
            vec_push(&f->cls, cls);
        }
    }
    vec_release(&set);
    vec_release(&first);
}

static void normals_release(struct ac_normals *f)
{
    mset_map_release(&f->form);
    vec_release(&f->cls);
    vec_release(&f->entry);
    vec_release(&f->use);
    vec_release(&f->n_use);
    vec_release(&f->uses);
}

static bool wanted(const struct ac *a, uint32_t op)
{
    for (uint32_t i = 0; i < a->want.len; i++)
        if (a->want.at[i].op == op)
            return true;
    return false;
}

// True: with `offer`, and nothing to merge, it added what rules may want.
static bool close_op(struct ac *a, uint32_t op, bool offer)
{
    struct monoid m;
    struct ac_normals f = {0};
    uint64_t before = a->n_merges;
    begin(a, op);
    decide(a, op);
    monoid_init(&m, a->atom.len, a->limit.size, 0);
    uint32_t n = equations(a, op, &m);
    m.max_tasks = n * a->limit.tasks + AC_TASKS_FLOOR;
    m.late = a->late;
    m.late_ctx = a->late_ctx;
    monoid_complete(&m);
    a->cut = a->cut || m.cut;
    merge_same(a, &m, &f);
    offer = offer && a->n_merges == before;
    if (offer && (wanted(a, op) || a->has_value != NULL))
        ac_offer(a, op, &m, &f);
    normals_release(&f);
    monoid_release(&m);
    return offer;
}

// Each operator until none finds anything; each offers once.
static void run(struct ac *a, bool offer)
{
    struct cc *g = a->g;
    struct u32_vec offered = {0};
    for (uint32_t i = 0; i < a->op.len; i++)
        vec_push(&offered, !offer);
    cc_rebuild(g);
    for (uint32_t quiet = 0, i = 0; quiet < a->op.len; i++) {
        if (ac_late(a, 0)) {
            a->cut = true;
            break;
        }
        uint32_t k = i % a->op.len, n = g->node.len;
        uint64_t before = a->n_merges;
        if (close_op(a, a->op.at[k], !offered.at[k]))
            offered.at[k] = true;
        quiet++;
        if (a->n_merges != before || g->node.len != n) {
            cc_rebuild(g);
            quiet = 0;
        }
    }
    vec_release(&offered);
}

void ac_close(struct ac *a)
{
    run(a, false);
}

void ac_round(struct ac *a)
{
    run(a, true);
}
