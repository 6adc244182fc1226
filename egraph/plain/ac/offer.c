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
    struct ac *ac;
    struct monoid *monoid;
    struct ac_normals *normals;
    uint32_t op, left; // how many more nodes
    // Classes that are sums and something else, by last atom of their form.
    struct u32_vec head, next, sub;
    struct mset_map seen; // forms of classes
    uint32_t n_form;      // the form at work: of class cls
    const uint32_t *form;
    uint32_t cls;
    struct u32_vec part[2], rest, set;
};

static bool has_op(const struct ac *ac, uint32_t cls, uint32_t op)
{
    const struct cc *graph = ac->graph;
    if (!(graph->class_.at[cls].ops & cc_op_bit(op)))
        return false;
    uint32_t first = graph->class_.at[cls].member, m = first;
    do {
        if (graph->node.at[m].op == op)
            return true;
        m = graph->next.at[m];
    } while (m != first);
    return false;
}

static bool below(const struct ac *ac, uint32_t cls, uint32_t op, uint32_t arg)
{
    const struct cc *graph = ac->graph;
    uint32_t first = graph->class_.at[cls].member, m = first;
    do {
        const uint32_t *args = cc_args(graph, m);
        for (uint32_t k = 0; graph->node.at[m].op == op && k < cc_arity(graph, m); k++)
            if (args[k] == arg)
                return true;
        m = graph->next.at[m];
    } while (m != first);
    return false;
}

// Is a class an argument of nodes in both (or one of the two itself, where the
// pattern is a variable)?
static bool share(const struct ac *ac, const struct ac_want *want, uint32_t x, uint32_t y)
{
    const struct cc *graph = ac->graph;
    if (want->arg[0] == CC_NONE)
        return want->arg[1] == CC_NONE ? x == y : below(ac, y, want->arg[1], x);
    if (want->arg[1] == CC_NONE)
        return below(ac, x, want->arg[0], y);
    uint32_t first = graph->class_.at[x].member, m = first;
    do {
        const uint32_t *args = cc_args(graph, m);
        for (uint32_t k = 0; graph->node.at[m].op == want->arg[0] && k < cc_arity(graph, m); k++)
            if (below(ac, y, want->arg[1], args[k]))
                return true;
        m = graph->next.at[m];
    } while (m != first);
    return false;
}

// out = set - the form of cls; false: that is no part of it.
static bool minus(const struct ac *ac, uint32_t n, const uint32_t *set, uint32_t cls,
                  struct u32_vec *out)
{
    const uint32_t *part = ac->pool.at + ac->form_at.at[cls];
    uint32_t k = 0, n_part = ac->form_n.at[cls];
    vec_clear(out);
    for (uint32_t i = 0; i < n; i++) {
        if (k < n_part && set[i] == part[k])
            k++;
        else
            vec_push(out, set[i]);
    }
    return k == n_part;
}

static void index_subs(struct ac_offers *ac_offers)
{
    const struct ac *ac = ac_offers->ac;
    for (uint32_t i = 0; i < ac->atom.len; i++)
        vec_push(&ac_offers->head, CC_NONE);
    for (uint32_t i = 0; i < ac->touched.len; i++) {
        uint32_t cls = ac->touched.at[i];
        if (ac->state.at[cls] != AC_DEFINED || !ac_has_other(ac, ac_offers->op, cls))
            continue;
        uint32_t last = ac->pool.at[ac->form_at.at[cls] + ac->form_n.at[cls] - 1];
        vec_push(&ac_offers->sub, cls);
        vec_push(&ac_offers->next, ac_offers->head.at[last]);
        ac_offers->head.at[last] = ac_offers->sub.len - 1;
    }
}

// The parts of the form with a node of the operator (any: CC_NONE).
static void parts(struct ac_offers *ac_offers, uint32_t op, struct u32_vec *out)
{
    const struct ac *ac = ac_offers->ac;
    vec_clear(out);
    for (uint32_t i = 0; i < ac_offers->n_form; i++) {
        uint32_t atom = ac_offers->form[i], cls = ac->atom.at[atom];
        if (i > 0 && ac_offers->form[i - 1] == atom)
            continue;
        if (op == CC_NONE || has_op(ac, cls, op))
            vec_push(out, cls);
        for (uint32_t e = ac_offers->head.at[atom]; e != CC_NONE; e = ac_offers->next.at[e]) {
            uint32_t sub = ac_offers->sub.at[e];
            if (ac->form_n.at[sub] < ac_offers->n_form &&
                minus(ac, i + 1, ac_offers->form, sub, &ac_offers->set) &&
                (op == CC_NONE || has_op(ac, sub, op)))
                vec_push(out, sub);
        }
    }
}

static void add(struct ac_offers *ac_offers, uint32_t x, uint32_t y)
{
    struct cc *graph = ac_offers->ac->graph;
    uint32_t xy[2] = {x, y}, yx[2] = {y, x};
    if (ac_offers->left == 0 || cc_lookup(graph, ac_offers->op, xy) != CC_NONE ||
        cc_lookup(graph, ac_offers->op, yx) != CC_NONE)
        return;
    cc_insert(graph, ac_offers->op, xy, CC_NONE);
    ac_offers->left--;
}

static uint32_t class_of(struct ac_offers *ac_offers, uint32_t n, const uint32_t *set)
{
    vec_clear(&ac_offers->set);
    for (uint32_t i = 0; i < n; i++)
        vec_push(&ac_offers->set, set[i]);
    monoid_normal(ac_offers->monoid, &ac_offers->set, NULL);
    uint32_t e = mset_map_find(&ac_offers->normals->form, 0, ac_offers->set.len, ac_offers->set.at);
    return e == CC_NONE ? CC_NONE : ac_offers->normals->cls.at[e];
}

// The class of a multiset, which is made of the longest beginning that has one.
static uint32_t make_class(struct ac_offers *ac_offers, uint32_t n, const uint32_t *set)
{
    uint32_t have = n, cls = CC_NONE;
    for (; have > 1 && cls == CC_NONE; have -= cls == CC_NONE)
        cls = class_of(ac_offers, have, set);
    if (cls == CC_NONE)
        cls = ac_offers->ac->atom.at[set[0]];
    for (; have < n; have++) {
        uint32_t args[2] = {cls, ac_offers->ac->atom.at[set[have]]};
        uint32_t node = cc_lookup(ac_offers->ac->graph, ac_offers->op, args);
        if (node == CC_NONE) {
            if (ac_offers->left == 0)
                return CC_NONE;
            node = cc_insert(ac_offers->ac->graph, ac_offers->op, args, CC_NONE);
            ac_offers->left--;
        }
        cls = ac_offers->ac->graph->node.at[node].cls;
        if (class_of(ac_offers, have + 1, set) != CC_NONE)
            continue;
        mset_map_add(&ac_offers->normals->form, 0, ac_offers->set.len, ac_offers->set.at);
        vec_push(&ac_offers->normals->cls, cls);
    }
    return cls;
}

// The part, and all the rest.
static void add_with_rest(struct ac_offers *ac_offers, uint32_t part)
{
    if (!minus(ac_offers->ac, ac_offers->n_form, ac_offers->form, part, &ac_offers->rest) ||
        ac_offers->rest.len == 0)
        return;
    uint32_t rest = make_class(ac_offers, ac_offers->rest.len, ac_offers->rest.at);
    if (rest != CC_NONE)
        add(ac_offers, part, rest);
}

static void add_pairs(struct ac_offers *ac_offers, const struct ac_want *want, bool whole)
{
    const struct ac *ac = ac_offers->ac;
    struct u32_vec rest = {0};
    for (uint32_t i = 0; i < ac_offers->part[0].len; i++) {
        uint32_t x = ac_offers->part[0].at[i];
        if (!minus(ac, ac_offers->n_form, ac_offers->form, x, &rest) || rest.len == 0)
            continue;
        uint32_t all = class_of(ac_offers, rest.len, rest.at);
        if (all != CC_NONE && all < ac->state.len &&
            (want->arg[1] == CC_NONE || has_op(ac, all, want->arg[1])) &&
            (!want->share || share(ac, want, x, all)))
            add(ac_offers, x, all);
        for (uint32_t k = 0; k < ac_offers->part[1].len; k++) {
            uint32_t y = ac_offers->part[1].at[k];
            if (minus(ac, rest.len, rest.at, y, &ac_offers->set) &&
                (!whole || ac_offers->set.len == 0) && (!want->share || share(ac, want, x, y)))
                add(ac_offers, x, y);
        }
    }
    vec_release(&rest);
}

static void offer_want(struct ac_offers *ac_offers, const struct ac_want *want)
{
    const struct eclass *class = &ac_offers->ac->graph->class_.at[ac_offers->cls];
    bool whole = want->above != CC_NONE && want->above != ac_offers->op;
    if (whole && !(class->uses & cc_use_bit(want->above, want->use)))
        return;
    if (!want->rest[0] && !want->rest[1]) {
        parts(ac_offers, want->arg[0], &ac_offers->part[0]);
        parts(ac_offers, want->arg[1], &ac_offers->part[1]);
        add_pairs(ac_offers, want, whole);
        return;
    }
    uint32_t side = want->rest[1] ? 0 : 1;
    parts(ac_offers, want->arg[side], &ac_offers->part[0]);
    for (uint32_t i = 0; i < ac_offers->part[0].len; i++)
        add_with_rest(ac_offers, ac_offers->part[0].at[i]);
}

// Pairs of parts that have values, for the analysis to find that of both.
static void offer_values(struct ac_offers *ac_offers)
{
    const struct ac *ac = ac_offers->ac;
    uint32_t last = CC_NONE;
    for (uint32_t i = 0; i < ac_offers->n_form; i++) {
        uint32_t cls = ac->atom.at[ac_offers->form[i]];
        if (!ac->has_value(ac->ctx, cls))
            continue;
        if (last != CC_NONE)
            add(ac_offers, last, cls);
        last = last == CC_NONE ? cls : CC_NONE;
    }
}

// For one form of a class.
static void offer_form(struct ac_offers *ac_offers, uint32_t cls, uint32_t n, const uint32_t *form)
{
    uint32_t known = ac_offers->seen.at.len;
    mset_map_add(&ac_offers->seen, cls, n, form);
    if (n < 2 || ac_offers->seen.at.len == known)
        return;
    ac_offers->cls = cls;
    ac_offers->n_form = n;
    ac_offers->form = form;
    for (uint32_t i = 0; i < ac_offers->ac->want.len; i++)
        if (ac_offers->ac->want.at[i].op == ac_offers->op)
            offer_want(ac_offers, &ac_offers->ac->want.at[i]);
    if (ac_offers->ac->has_value != NULL)
        offer_values(ac_offers);
    // The class that a part became can take the place of the part.
    for (uint32_t i = 0; i < n; i++) {
        if (i > 0 && form[i] == form[i - 1])
            continue;
        uint32_t e = ac_offers->head.at[form[i]];
        for (; e != CC_NONE; e = ac_offers->next.at[e])
            if (ac_offers->ac->form_n.at[ac_offers->sub.at[e]] < n)
                add_with_rest(ac_offers, ac_offers->sub.at[e]);
    }
}

void ac_offer(struct ac *ac, uint32_t op, struct monoid *monoid, struct ac_normals *normals)
{
    struct ac_offers ac_offers = {.ac = ac, .monoid = monoid, .normals = normals, .op = op};
    uint32_t n_live = ac->graph->n_live;
    ac_offers.left = ac->limit.nodes <= n_live ? 0 : ac->limit.nodes - n_live;
    ac_offers.left = ac_offers.left < ac->limit.offers ? ac_offers.left : ac->limit.offers;
    struct u32_vec form = {0};
    const struct u32_vec *all = &ac->graph->op.at[op].all;
    uint64_t base =
        monoid_bytes(monoid) + mset_map_bytes(&normals->form) + 4 * (uint64_t)normals->uses.cap;
    index_subs(&ac_offers);
    for (uint32_t i = 0; i < all->len && ac_offers.left > 0; i++) {
        uint32_t node = all->at[i];
        if (ac->graph->node.at[node].op != op)
            continue;
        if ((i & 15) == 0 && ac_late(ac, base + mset_map_bytes(&ac_offers.seen)))
            ac_offers.left = 0;
        uint32_t x = ac->graph->node.at[node].a, y = ac->graph->node.at[node].b;
        vec_clear(&form);
        ac_add_forms(ac, x, y, &form);
        if (form.len > ac->limit.size)
            continue;
        offer_form(&ac_offers, ac->graph->node.at[node].cls, form.len, form.at);
        monoid_normal(monoid, &form, NULL);
        offer_form(&ac_offers, ac->graph->node.at[node].cls, form.len, form.at);
    }
    ac->cut = ac->cut || ac_offers.left == 0;
    vec_release(&form);
    vec_release(&ac_offers.head);
    vec_release(&ac_offers.next);
    vec_release(&ac_offers.sub);
    vec_release(&ac_offers.part[0]);
    vec_release(&ac_offers.part[1]);
    vec_release(&ac_offers.rest);
    vec_release(&ac_offers.set);
    mset_map_release(&ac_offers.seen);
}
