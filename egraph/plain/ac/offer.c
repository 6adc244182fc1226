// SPDX-License-Identifier: Apache-2.0
// Nodes that rules may want to match.  A pattern (+ p q) is looked for among
// nodes with two arguments; of the many orders and brackets of a sum the graph
// has few.  For each form of a class, and each place of a left side that a sum
// can be in, the ways to take out of the form what p and q ask for are added:
// two parts with the operators of p and q, or one such part and all the rest.
// Parts are atoms, and classes that are a part of the sum and have another node
// as well.
#include "egraph/plain/ac/core.h"

struct ac_offers {
    struct ac *a;
    struct monoid *m;
    struct ac_normals *f;
    uint32_t op, left; // how many more nodes
    // Classes that are sums and something else, by last atom of their form.
    struct u32_vec head, next, sub;
    struct mset_map seen; // forms of classes
    uint32_t n_form;      // the form at work: of class cls
    const uint32_t *form;
    uint32_t cls;
    struct u32_vec part[2], rest, set;
};

static bool has_op(const struct ac *a, uint32_t cls, uint32_t op)
{
    const struct cc *g = a->g;
    if (!(g->class_.at[cls].ops & cc_op_bit(op)))
        return false;
    uint32_t first = g->class_.at[cls].member, m = first;
    do {
        if (g->node.at[m].op == op)
            return true;
        m = g->next.at[m];
    } while (m != first);
    return false;
}

static bool below(const struct ac *a, uint32_t cls, uint32_t op, uint32_t arg)
{
    const struct cc *g = a->g;
    uint32_t first = g->class_.at[cls].member, m = first;
    do {
        const uint32_t *args = cc_args(g, m);
        for (uint32_t k = 0; g->node.at[m].op == op && k < cc_arity(g, m); k++)
            if (args[k] == arg)
                return true;
        m = g->next.at[m];
    } while (m != first);
    return false;
}

// Is a class an argument of nodes in both (or one of the two itself, where the
// pattern is a variable)?
static bool share(const struct ac *a, const struct ac_want *w, uint32_t x,
                  uint32_t y)
{
    const struct cc *g = a->g;
    if (w->arg[0] == CC_NONE)
        return w->arg[1] == CC_NONE ? x == y : below(a, y, w->arg[1], x);
    if (w->arg[1] == CC_NONE)
        return below(a, x, w->arg[0], y);
    uint32_t first = g->class_.at[x].member, m = first;
    do {
        const uint32_t *args = cc_args(g, m);
        for (uint32_t k = 0;
             g->node.at[m].op == w->arg[0] && k < cc_arity(g, m); k++)
            if (below(a, y, w->arg[1], args[k]))
                return true;
        m = g->next.at[m];
    } while (m != first);
    return false;
}

// out = set - the form of cls; false: that is no part of it.
static bool minus(const struct ac *a, uint32_t n, const uint32_t *set,
                  uint32_t cls, struct u32_vec *out)
{
    const uint32_t *part = a->pool.at + a->form_at.at[cls];
    uint32_t k = 0, n_part = a->form_n.at[cls];
    vec_clear(out);
    for (uint32_t i = 0; i < n; i++) {
        if (k < n_part && set[i] == part[k])
            k++;
        else
            vec_push(out, set[i]);
    }
    return k == n_part;
}

static void index_subs(struct ac_offers *o)
{
    const struct ac *a = o->a;
    for (uint32_t i = 0; i < a->atom.len; i++)
        vec_push(&o->head, CC_NONE);
    for (uint32_t i = 0; i < a->touched.len; i++) {
        uint32_t cls = a->touched.at[i];
        if (a->state.at[cls] != AC_DEFINED || !ac_has_other(a, o->op, cls))
            continue;
        uint32_t last = a->pool.at[a->form_at.at[cls] + a->form_n.at[cls] - 1];
        vec_push(&o->sub, cls);
        vec_push(&o->next, o->head.at[last]);
        o->head.at[last] = o->sub.len - 1;
    }
}

// The parts of the form with a node of the operator (any: CC_NONE).
static void parts(struct ac_offers *o, uint32_t op, struct u32_vec *out)
{
    const struct ac *a = o->a;
    vec_clear(out);
    for (uint32_t i = 0; i < o->n_form; i++) {
        uint32_t atom = o->form[i], cls = a->atom.at[atom];
        if (i > 0 && o->form[i - 1] == atom)
            continue;
        if (op == CC_NONE || has_op(a, cls, op))
            vec_push(out, cls);
        for (uint32_t e = o->head.at[atom]; e != CC_NONE; e = o->next.at[e]) {
            uint32_t sub = o->sub.at[e];
            if (a->form_n.at[sub] < o->n_form &&
                minus(a, i + 1, o->form, sub, &o->set) &&
                (op == CC_NONE || has_op(a, sub, op)))
                vec_push(out, sub);
        }
    }
}

static void add(struct ac_offers *o, uint32_t x, uint32_t y)
{
    struct cc *g = o->a->g;
    uint32_t xy[2] = {x, y}, yx[2] = {y, x};
    if (o->left == 0 || cc_lookup(g, o->op, xy) != CC_NONE ||
        cc_lookup(g, o->op, yx) != CC_NONE)
        return;
    cc_insert(g, o->op, xy, CC_NONE);
    o->left--;
}

static uint32_t class_of(struct ac_offers *o, uint32_t n, const uint32_t *set)
{
    vec_clear(&o->set);
    for (uint32_t i = 0; i < n; i++)
        vec_push(&o->set, set[i]);
    monoid_normal(o->m, &o->set, NULL);
    uint32_t e = mset_map_find(&o->f->form, 0, o->set.len, o->set.at);
    return e == CC_NONE ? CC_NONE : o->f->cls.at[e];
}

// The class of a multiset, which is made of the longest beginning that has one.
static uint32_t make_class(struct ac_offers *o, uint32_t n, const uint32_t *set)
{
    uint32_t have = n, cls = CC_NONE;
    for (; have > 1 && cls == CC_NONE; have -= cls == CC_NONE)
        cls = class_of(o, have, set);
    if (cls == CC_NONE)
        cls = o->a->atom.at[set[0]];
    for (; have < n; have++) {
        uint32_t args[2] = {cls, o->a->atom.at[set[have]]};
        uint32_t node = cc_lookup(o->a->g, o->op, args);
        if (node == CC_NONE) {
            if (o->left == 0)
                return CC_NONE;
            node = cc_insert(o->a->g, o->op, args, CC_NONE);
            o->left--;
        }
        cls = o->a->g->cls.at[node];
        if (class_of(o, have + 1, set) != CC_NONE)
            continue;
        mset_map_add(&o->f->form, 0, o->set.len, o->set.at);
        vec_push(&o->f->cls, cls);
    }
    return cls;
}

// The part, and all the rest.
static void add_with_rest(struct ac_offers *o, uint32_t part)
{
    if (!minus(o->a, o->n_form, o->form, part, &o->rest) || o->rest.len == 0)
        return;
    uint32_t rest = make_class(o, o->rest.len, o->rest.at);
    if (rest != CC_NONE)
        add(o, part, rest);
}

static void add_pairs(struct ac_offers *o, const struct ac_want *w, bool whole)
{
    const struct ac *a = o->a;
    struct u32_vec rest = {0};
    for (uint32_t i = 0; i < o->part[0].len; i++) {
        uint32_t x = o->part[0].at[i];
        if (!minus(a, o->n_form, o->form, x, &rest) || rest.len == 0)
            continue;
        uint32_t all = class_of(o, rest.len, rest.at);
        if (all != CC_NONE && all < a->state.len &&
            (w->arg[1] == CC_NONE || has_op(a, all, w->arg[1])) &&
            (!w->share || share(a, w, x, all)))
            add(o, x, all);
        for (uint32_t k = 0; k < o->part[1].len; k++) {
            uint32_t y = o->part[1].at[k];
            if (minus(a, rest.len, rest.at, y, &o->set) &&
                (!whole || o->set.len == 0) && (!w->share || share(a, w, x, y)))
                add(o, x, y);
        }
    }
    vec_release(&rest);
}

static void offer_want(struct ac_offers *o, const struct ac_want *w)
{
    const struct eclass *k = &o->a->g->class_.at[o->cls];
    bool whole = w->above != CC_NONE && w->above != o->op;
    if (whole && !(k->uses & cc_use_bit(w->above, w->use)))
        return;
    if (!w->rest[0] && !w->rest[1]) {
        parts(o, w->arg[0], &o->part[0]);
        parts(o, w->arg[1], &o->part[1]);
        add_pairs(o, w, whole);
        return;
    }
    uint32_t side = w->rest[1] ? 0 : 1;
    parts(o, w->arg[side], &o->part[0]);
    for (uint32_t i = 0; i < o->part[0].len; i++)
        add_with_rest(o, o->part[0].at[i]);
}

// Pairs of parts that have values, for the analysis to find that of both.
static void offer_values(struct ac_offers *o)
{
    const struct ac *a = o->a;
    uint32_t last = CC_NONE;
    for (uint32_t i = 0; i < o->n_form; i++) {
        uint32_t cls = a->atom.at[o->form[i]];
        if (!a->has_value(a->ctx, cls))
            continue;
        if (last != CC_NONE)
            add(o, last, cls);
        last = last == CC_NONE ? cls : CC_NONE;
    }
}

// For one form of a class.
static void offer_form(struct ac_offers *o, uint32_t cls, uint32_t n,
                       const uint32_t *form)
{
    uint32_t known = o->seen.at.len;
    mset_map_add(&o->seen, cls, n, form);
    if (n < 2 || o->seen.at.len == known)
        return;
    o->cls = cls;
    o->n_form = n;
    o->form = form;
    for (uint32_t i = 0; i < o->a->want.len; i++)
        if (o->a->want.at[i].op == o->op)
            offer_want(o, &o->a->want.at[i]);
    if (o->a->has_value != NULL)
        offer_values(o);
    // What a part became can take its place.
    for (uint32_t i = 0; i < n; i++) {
        if (i > 0 && form[i] == form[i - 1])
            continue;
        uint32_t e = o->head.at[form[i]];
        for (; e != CC_NONE; e = o->next.at[e])
            if (o->a->form_n.at[o->sub.at[e]] < n)
                add_with_rest(o, o->sub.at[e]);
    }
}

void ac_offer(struct ac *a, uint32_t op, struct monoid *m, struct ac_normals *f)
{
    struct ac_offers o = {.a = a, .m = m, .f = f, .op = op};
    uint32_t n_live = a->g->n_live;
    o.left = a->limit.nodes <= n_live ? 0 : a->limit.nodes - n_live;
    o.left = o.left < a->limit.offers ? o.left : a->limit.offers;
    struct u32_vec form = {0};
    const struct u32_vec *all = &a->g->op.at[op].all;
    uint64_t base =
        monoid_bytes(m) + mset_map_bytes(&f->form) + 4 * (uint64_t)f->uses.cap;
    index_subs(&o);
    for (uint32_t i = 0; i < all->len && o.left > 0; i++) {
        uint32_t node = all->at[i];
        if (a->g->node.at[node].op != op)
            continue;
        if ((i & 15) == 0 && ac_late(a, base + mset_map_bytes(&o.seen)))
            o.left = 0;
        uint32_t x = a->g->node.at[node].a, y = a->g->node.at[node].b;
        vec_clear(&form);
        ac_add_forms(a, x, y, &form);
        if (form.len > a->limit.size)
            continue;
        offer_form(&o, a->g->cls.at[node], form.len, form.at);
        monoid_normal(m, &form, NULL);
        offer_form(&o, a->g->cls.at[node], form.len, form.at);
    }
    a->cut = a->cut || o.left == 0;
    vec_release(&form);
    vec_release(&o.head);
    vec_release(&o.next);
    vec_release(&o.sub);
    vec_release(&o.part[0]);
    vec_release(&o.part[1]);
    vec_release(&o.rest);
    vec_release(&o.set);
    mset_map_release(&o.seen);
}
