// SPDX-License-Identifier: Apache-2.0
// The maps of a rank family in the order in which they are assigned, and the
// checks that run at each of them.
#include "tensor/shape/infer.h"
#include "verify/counterexample/maps.h"

static const struct iexp zero = {.op = IE_CONST, .k = 0};

uint64_t cex_iexp_uses(const struct cex_maps *w, const struct iexp *x)
{
    if (x == NULL || x->op == IE_CONST)
        return 0;
    if (x->op == IE_MAP)
        return w->slot_of[x->map] == NONE ? 0
                                          : UINT64_C(1) << w->slot_of[x->map];
    return cex_iexp_uses(w, x->a) | cex_iexp_uses(w, x->b);
}

static uint64_t cond_uses(const struct cex_maps *w, const struct cond *c)
{
    if (c == NULL)
        return 0;
    return cex_iexp_uses(w, c->a) | cex_iexp_uses(w, c->b) |
           cond_uses(w, c->l) | cond_uses(w, c->r);
}

static uint64_t closure(const struct cex_maps *w, uint64_t uses)
{
    uint64_t needs = 0;
    for (uint32_t i = 0; i < w->n_slots; i++)
        if (uses >> i & 1)
            needs |= w->needs[i];
    return needs;
}

static void constants_of(struct cex_maps *w, const struct iexp *x)
{
    if (x == NULL)
        return;
    if (x->op == IE_CONST && x->k > -100000 && x->k < 100000) {
        vec_push(&w->constants, x->k);
        return;
    }
    constants_of(w, x->a);
    constants_of(w, x->b);
}

static void cond_constants(struct cex_maps *w, const struct cond *c)
{
    if (c == NULL)
        return;
    constants_of(w, c->a);
    constants_of(w, c->b);
    cond_constants(w, c->l);
    cond_constants(w, c->r);
}

bool cex_in_family(const struct cex_maps *w, uint32_t cls)
{
    return cex_root(w->r, cls) == w->f->root;
}

// A map of another family, or an index, has no value here.
static bool foreign(const struct cex_maps *w, const struct iexp *x)
{
    if (x == NULL || x->op == IE_CONST)
        return false;
    if (x->op == IE_MAP)
        return w->slot_of[x->map] == NONE;
    return foreign(w, x->a) || foreign(w, x->b);
}

static void add_check(struct cex_maps *w, cex_check_vec *list,
                      struct cex_check c)
{
    if (foreign(w, c.a) || foreign(w, c.b))
        return;
    c.uses = cex_iexp_uses(w, c.a) | cex_iexp_uses(w, c.b) |
             cex_iexp_uses(w, c.c) | cex_iexp_uses(w, c.d) |
             cond_uses(w, c.cond);
    c.needs = closure(w, c.uses);
    constants_of(w, c.a);
    constants_of(w, c.b);
    cond_constants(w, c.cond);
    vec_push(list, c);
}

static void add_le(struct cex_maps *w, cex_check_vec *list,
                   const struct iexp *a, const struct iexp *b)
{
    add_check(w, list,
              (struct cex_check){.kind = CEX_CHECK_LE, .a = a, .b = b});
}

static void add_eq(struct cex_maps *w, cex_check_vec *list,
                   const struct iexp *a, const struct iexp *b)
{
    if (a != b && a != NULL && b != NULL)
        add_check(w, list,
                  (struct cex_check){.kind = CEX_CHECK_EQ, .a = a, .b = b});
}

static void add_cond(struct cex_maps *w, cex_check_vec *list,
                     const struct cond *c)
{
    if (c->op == COND_AND) {
        add_cond(w, list, c->l);
        add_cond(w, list, c->r);
    } else if (c->op == COND_EQ) {
        add_eq(w, list, c->a, c->b);
    } else {
        add_check(w, list,
                  (struct cex_check){.kind = CEX_CHECK_COND, .cond = c});
    }
}

static void walk(struct cex_maps *w, cex_check_vec *list, uint32_t root,
                 bool *seen)
{
    const struct pat *p = &w->r->pats[root];
    if (seen[root])
        return;
    seen[root] = true;
    for (uint32_t k = 0; k < p->n_args; k++)
        walk(w, list, p->args[k], seen);
    cex_check_vec of_node = {0};
    cex_node_checks(w->r, p, w->mem, &of_node);
    for (uint32_t i = 0; i < of_node.len; i++)
        if (cex_in_family(w, of_node.at[i].cls))
            add_check(w, list, of_node.at[i]);
    vec_release(&of_node);
}

void cex_collect_checks(struct cex_maps *w)
{
    const struct rule *r = w->r;
    bool *seen = ARENA_NEW(w->mem, bool, r->n_pats);
    const struct pat *lhs = &r->pats[r->lhs], *rhs = &r->pats[r->rhs];
    for (uint32_t i = 0; i < r->n_tensors; i++)
        for (uint32_t k = 0; k < r->tensors[i].n_sizes; k++)
            if (cex_in_family(w, r->tensors[i].sizes[k].cls))
                add_le(w, &w->pre, &zero, r->tensors[i].sizes[k].size);
    for (uint32_t i = 0; i < r->n_wheres; i++) {
        if (r->wheres[i].cond == NULL)
            walk(w, &w->pre, r->wheres[i].pat, seen);
        else if (cex_in_family(w, r->wheres[i].family))
            add_cond(w, &w->pre, r->wheres[i].cond);
    }
    walk(w, &w->pre, r->lhs, seen);
    walk(w, &w->post, r->rhs, seen);
    for (uint32_t i = 0; i < lhs->n_sizes; i++)
        if (cex_in_family(w, lhs->sizes[i].cls))
            add_eq(w, &w->post, lhs->sizes[i].size,
                   cex_size_in(rhs, lhs->sizes[i].cls));
}

// A value that cannot be computed makes a check false.
bool cex_check_holds(const struct cex_maps *w, const struct cex_check *c)
{
    int64_t a = 0, b = 0, low = 0, high = 0, out;
    bool yes = false;
    if (c->uses & w->undefined)
        return false;
    if (c->kind == CEX_CHECK_COND)
        return cond_eval(c->cond, w->at, 0, &yes) && yes;
    if (!iexp_eval(c->a, w->at, 0, &a) || !iexp_eval(c->b, w->at, 0, &b))
        return false;
    if (c->kind == CEX_CHECK_LE)
        return a <= b;
    if (c->kind == CEX_CHECK_EQ)
        return a == b;
    low = b;
    return iexp_eval(c->c, w->at, 0, &high) && iexp_eval(c->d, w->at, 0, &b) &&
           pad_size(a, low, high, b, &out);
}

void cex_slots_init(struct cex_maps *w)
{
    const struct rule *r = w->r;
    w->slot_of = ARENA_NEW(w->mem, uint32_t, r->n_maps);
    w->now = ARENA_NEW(w->mem, int64_t, r->n_maps);
    w->at = ARENA_NEW(w->mem, int64_t *, r->n_maps);
    for (uint32_t m = 0; m < r->n_maps; m++) {
        w->at[m] = &w->now[m];
        w->slot_of[m] = NONE;
        if (r->maps[m].index || !cex_in_family(w, r->maps[m].cls) ||
            w->n_slots == MAX_SLOTS)
            continue;
        uint32_t s = w->n_slots++;
        w->slot_of[m] = s;
        w->map_of[s] = m;
        w->is_let[s] = r->maps[m].def != NULL;
        w->needs[s] = w->is_let[s]
                          ? closure(w, cex_iexp_uses(w, r->maps[m].def))
                          : UINT64_C(1) << s;
        constants_of(w, r->maps[m].def);
    }
}

// The expression that an equality gives a free slot once `have` is assigned.
static const struct iexp *forced_by(const struct cex_maps *w, uint32_t slot,
                                    uint64_t have)
{
    for (uint32_t i = 0; i < w->pre.len; i++) {
        const struct cex_check *c = &w->pre.at[i];
        if (c->kind != CEX_CHECK_EQ)
            continue;
        for (int side = 0; side < 2; side++) {
            const struct iexp *x = side ? c->b : c->a;
            const struct iexp *y = side ? c->a : c->b;
            if (x->op == IE_MAP && x->map == w->map_of[slot] &&
                (closure(w, cex_iexp_uses(w, y)) & ~have) == 0)
                return y;
        }
    }
    return NULL;
}

static bool is_tensor_size(const struct cex_maps *w, uint32_t slot)
{
    const struct rule *r = w->r;
    for (uint32_t i = 0; i < r->n_tensors; i++)
        for (uint32_t k = 0; k < r->tensors[i].n_sizes; k++) {
            const struct iexp *x = r->tensors[i].sizes[k].size;
            if (x->op == IE_MAP && x->map == w->map_of[slot])
                return true;
        }
    return false;
}

// The unassigned slot whose value completes most checks; sizes first.
static uint32_t best_slot(const struct cex_maps *w, uint64_t have)
{
    uint32_t best = NONE, best_score = 0;
    for (uint32_t s = 0; s < w->n_slots; s++) {
        if (w->is_let[s] || have >> s & 1)
            continue;
        uint32_t score = is_tensor_size(w, s) ? 1001 : 1;
        for (uint32_t i = 0; i < w->pre.len; i++) {
            uint64_t miss = w->pre.at[i].needs & ~have;
            score += miss == UINT64_C(1) << s ? 4 : 0;
        }
        if (score > best_score) {
            best_score = score;
            best = s;
        }
    }
    return best;
}

static bool unary_holds(struct cex_maps *w, uint32_t slot, int64_t v)
{
    w->now[w->map_of[slot]] = v;
    for (uint32_t i = 0; i < w->pre.len; i++)
        if (w->pre.at[i].uses == UINT64_C(1) << slot &&
            !cex_check_holds(w, &w->pre.at[i]))
            return false;
    return true;
}

static int64_t magnitude(int64_t v)
{
    return v < 0 ? -v : v;
}

// Keeps the values by distance from the least one, positive first.
static void put_value(struct cex_level *l, int64_t v)
{
    uint32_t i = 0;
    while (i < l->n_values && l->value[i] != v &&
           (magnitude(l->value[i]) < magnitude(v) ||
            (magnitude(l->value[i]) == magnitude(v) && l->value[i] > v)))
        i++;
    if (i == MAX_VALUES || (i < l->n_values && l->value[i] == v))
        return;
    if (l->n_values < MAX_VALUES)
        l->n_values++;
    for (uint32_t k = l->n_values - 1; k > i; k--)
        l->value[k] = l->value[k - 1];
    l->value[i] = v;
}

static void level_values(struct cex_maps *w, struct cex_level *l)
{
    for (int64_t v = -4; v <= 6; v++)
        if (unary_holds(w, l->slot, v))
            put_value(l, v);
    for (uint32_t i = 0; i < w->constants.len; i++)
        for (int64_t d = -1; d <= 1; d++)
            if (unary_holds(w, l->slot, w->constants.at[i] + d))
                put_value(l, w->constants.at[i] + d);
    for (uint32_t i = 1; i < l->n_values; i++)
        l->weight[i] = l->weight[i - 1] +
                       (magnitude(l->value[i]) != magnitude(l->value[i - 1]));
    w->now[w->map_of[l->slot]] = 0;
}

void cex_order_levels(struct cex_maps *w)
{
    uint64_t have = 0;
    uint32_t slot;
    while ((slot = best_slot(w, have)) != NONE) {
        const struct iexp *forced = NULL;
        for (uint32_t s = 0; forced == NULL && s < w->n_slots; s++)
            if (!w->is_let[s] && !(have >> s & 1) &&
                (forced = forced_by(w, s, have)) != NULL)
                slot = s;
        struct cex_level *l = &w->level[w->n_levels];
        *l = (struct cex_level){.slot = slot, .forced = forced};
        if (forced == NULL) {
            level_values(w, l);
            w->last_free = w->n_levels;
        }
        uint64_t before = have;
        have |= UINT64_C(1) << slot;
        l->first_check = w->ordered.len;
        for (uint32_t i = 0; i < w->pre.len; i++) {
            uint64_t needs = w->pre.at[i].needs;
            if ((needs & ~have) == 0 &&
                ((needs & ~before) != 0 || (needs == 0 && w->n_levels == 0)))
                vec_push(&w->ordered, w->pre.at[i]);
        }
        l->n_checks = w->ordered.len - l->first_check;
        for (uint32_t s = 0; s < w->n_slots; s++)
            if (w->is_let[s] && (w->needs[s] & ~have) == 0 &&
                ((w->needs[s] & ~before) != 0 ||
                 (w->needs[s] == 0 && w->n_levels == 0)))
                l->lets |= UINT64_C(1) << s;
        w->n_levels++;
    }
}
