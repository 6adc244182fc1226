// SPDX-License-Identifier: Apache-2.0
// The points of a rank family: values of its maps on one axis that meet the
// preconditions and make the left side well-defined, by growing total weight
// (distance from the least value), then a random sample of larger ones.  Maps
// are assigned one after the other; every check runs as soon as all maps in it
// have values, and a map that an equality fixes is computed, not guessed.
#include "tensor/infer.h"
#include "verify/cex_parts.h"

#define MAX_SLOTS 48  // maps of one family; more are not searched
#define MAX_VALUES 16 // candidates for one map
#define MAX_FAILS 8
#define MAX_EMPTY 24
#define MAX_WEIGHT 48

struct level { // one map, in order of assignment
    uint32_t slot;
    const struct iexp *forced; // its value, or NULL
    uint32_t n_values;
    int64_t value[MAX_VALUES]; // by weight
    uint32_t weight[MAX_VALUES];
    uint32_t first_check, n_checks; // in `ordered`
    uint64_t lets;                  // let slots to compute here
};

struct maps {
    const struct rule *r;
    struct cex_family *f;
    const struct cex_budget *budget;
    struct arena *mem;
    uint32_t n_slots;
    uint32_t map_of[MAX_SLOTS];
    uint64_t needs[MAX_SLOTS]; // a let's free slots; a free slot: itself
    bool is_let[MAX_SLOTS];
    uint32_t *slot_of;  // per map of the rule, NONE
    int64_t *now;       // value per map of the rule
    int64_t **at;       // at[m] = &now[m]
    uint64_t undefined; // lets without a value
    cex_check_vec pre, post, ordered;
    VEC(struct cex_point) points, empty;
    uint32_t n_levels, last_free, n_fails;
    struct level level[MAX_SLOTS];
    struct i64_vec constants; // of the family's expressions
    uint64_t visits;
};

static const struct iexp zero = {.op = IE_CONST, .k = 0};

static uint64_t iexp_uses(const struct maps *w, const struct iexp *x)
{
    if (x == NULL || x->op == IE_CONST)
        return 0;
    if (x->op == IE_MAP)
        return w->slot_of[x->map] == NONE ? 0
                                          : UINT64_C(1) << w->slot_of[x->map];
    return iexp_uses(w, x->a) | iexp_uses(w, x->b);
}

static uint64_t cond_uses(const struct maps *w, const struct cond *c)
{
    if (c == NULL)
        return 0;
    return iexp_uses(w, c->a) | iexp_uses(w, c->b) | cond_uses(w, c->l) |
           cond_uses(w, c->r);
}

static uint64_t closure(const struct maps *w, uint64_t uses)
{
    uint64_t needs = 0;
    for (uint32_t i = 0; i < w->n_slots; i++)
        if (uses >> i & 1)
            needs |= w->needs[i];
    return needs;
}

static void constants_of(struct maps *w, const struct iexp *x)
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

static void cond_constants(struct maps *w, const struct cond *c)
{
    if (c == NULL)
        return;
    constants_of(w, c->a);
    constants_of(w, c->b);
    cond_constants(w, c->l);
    cond_constants(w, c->r);
}

static bool in_family(const struct maps *w, uint32_t cls)
{
    return cex_root(w->r, cls) == w->f->root;
}

// A map of another family, or an index, has no value here.
static bool foreign(const struct maps *w, const struct iexp *x)
{
    if (x == NULL || x->op == IE_CONST)
        return false;
    if (x->op == IE_MAP)
        return w->slot_of[x->map] == NONE;
    return foreign(w, x->a) || foreign(w, x->b);
}

static void add_check(struct maps *w, cex_check_vec *list, struct cex_check c)
{
    if (foreign(w, c.a) || foreign(w, c.b))
        return;
    c.uses = iexp_uses(w, c.a) | iexp_uses(w, c.b) | iexp_uses(w, c.c) |
             iexp_uses(w, c.d) | cond_uses(w, c.cond);
    c.needs = closure(w, c.uses);
    constants_of(w, c.a);
    constants_of(w, c.b);
    cond_constants(w, c.cond);
    vec_push(list, c);
}

static void add_le(struct maps *w, cex_check_vec *list, const struct iexp *a,
                   const struct iexp *b)
{
    add_check(w, list,
              (struct cex_check){.kind = CEX_CHECK_LE, .a = a, .b = b});
}

static void add_eq(struct maps *w, cex_check_vec *list, const struct iexp *a,
                   const struct iexp *b)
{
    if (a != b && a != NULL && b != NULL)
        add_check(w, list,
                  (struct cex_check){.kind = CEX_CHECK_EQ, .a = a, .b = b});
}

static void add_cond(struct maps *w, cex_check_vec *list, const struct cond *c)
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

static void walk(struct maps *w, cex_check_vec *list, uint32_t root, bool *seen)
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
        if (in_family(w, of_node.at[i].cls))
            add_check(w, list, of_node.at[i]);
    vec_release(&of_node);
}

static void collect(struct maps *w)
{
    const struct rule *r = w->r;
    bool *seen = ARENA_NEW(w->mem, bool, r->n_pats);
    const struct pat *lhs = &r->pats[r->lhs], *rhs = &r->pats[r->rhs];
    for (uint32_t i = 0; i < r->n_tensors; i++)
        for (uint32_t k = 0; k < r->tensors[i].n_sizes; k++)
            if (in_family(w, r->tensors[i].sizes[k].cls))
                add_le(w, &w->pre, &zero, r->tensors[i].sizes[k].size);
    for (uint32_t i = 0; i < r->n_wheres; i++) {
        if (r->wheres[i].cond == NULL)
            walk(w, &w->pre, r->wheres[i].pat, seen);
        else if (in_family(w, r->wheres[i].family))
            add_cond(w, &w->pre, r->wheres[i].cond);
    }
    walk(w, &w->pre, r->lhs, seen);
    walk(w, &w->post, r->rhs, seen);
    for (uint32_t i = 0; i < lhs->n_sizes; i++)
        if (in_family(w, lhs->sizes[i].cls))
            add_eq(w, &w->post, lhs->sizes[i].size,
                   cex_size_in(rhs, lhs->sizes[i].cls));
}

// A value that cannot be computed makes a check false.
static bool holds(const struct maps *w, const struct cex_check *c)
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

static void slots_init(struct maps *w)
{
    const struct rule *r = w->r;
    w->slot_of = ARENA_NEW(w->mem, uint32_t, r->n_maps);
    w->now = ARENA_NEW(w->mem, int64_t, r->n_maps);
    w->at = ARENA_NEW(w->mem, int64_t *, r->n_maps);
    for (uint32_t m = 0; m < r->n_maps; m++) {
        w->at[m] = &w->now[m];
        w->slot_of[m] = NONE;
        if (r->maps[m].index || !in_family(w, r->maps[m].cls) ||
            w->n_slots == MAX_SLOTS)
            continue;
        uint32_t s = w->n_slots++;
        w->slot_of[m] = s;
        w->map_of[s] = m;
        w->is_let[s] = r->maps[m].def != NULL;
        w->needs[s] = w->is_let[s] ? closure(w, iexp_uses(w, r->maps[m].def))
                                   : UINT64_C(1) << s;
        constants_of(w, r->maps[m].def);
    }
}

// The expression that an equality gives a free slot once `have` is assigned.
static const struct iexp *forced_by(const struct maps *w, uint32_t slot,
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
                (closure(w, iexp_uses(w, y)) & ~have) == 0)
                return y;
        }
    }
    return NULL;
}

static bool is_tensor_size(const struct maps *w, uint32_t slot)
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
static uint32_t best_slot(const struct maps *w, uint64_t have)
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

static bool unary_holds(struct maps *w, uint32_t slot, int64_t v)
{
    w->now[w->map_of[slot]] = v;
    for (uint32_t i = 0; i < w->pre.len; i++)
        if (w->pre.at[i].uses == UINT64_C(1) << slot &&
            !holds(w, &w->pre.at[i]))
            return false;
    return true;
}

static int64_t magnitude(int64_t v)
{
    return v < 0 ? -v : v;
}

// Keeps the values by distance from the least one, positive first.
static void put_value(struct level *l, int64_t v)
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

static void level_values(struct maps *w, struct level *l)
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

static void order_levels(struct maps *w)
{
    uint64_t have = 0;
    uint32_t slot;
    while ((slot = best_slot(w, have)) != NONE) {
        const struct iexp *forced = NULL;
        for (uint32_t s = 0; forced == NULL && s < w->n_slots; s++)
            if (!w->is_let[s] && !(have >> s & 1) &&
                (forced = forced_by(w, s, have)) != NULL)
                slot = s;
        struct level *l = &w->level[w->n_levels];
        *l = (struct level){.slot = slot, .forced = forced};
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

static void compute_lets(struct maps *w, uint64_t lets)
{
    for (uint32_t s = 0; s < w->n_slots; s++) {
        if (!(lets >> s & 1))
            continue;
        uint32_t m = w->map_of[s];
        uint64_t bit = UINT64_C(1) << s;
        const struct iexp *def = w->r->maps[m].def;
        bool ok = (iexp_uses(w, def) & w->undefined) == 0 &&
                  iexp_eval(def, w->at, 0, &w->now[m]);
        w->undefined = ok ? w->undefined & ~bit : w->undefined | bit;
        if (!ok)
            w->now[m] = 0;
    }
}

static bool assign(struct maps *w, const struct level *l, int64_t v)
{
    w->visits++;
    w->now[w->map_of[l->slot]] = v;
    compute_lets(w, l->lets);
    for (uint32_t i = 0; i < l->n_checks; i++)
        if (!holds(w, &w->ordered.at[l->first_check + i]))
            return false;
    return true;
}

// All maps have values and every check holds.
static void keep_point(struct maps *w)
{
    struct cex_point p = {NULL, false, false};
    const struct pat *lhs = &w->r->pats[w->r->lhs];
    int64_t size;
    for (uint32_t i = 0; !p.fails && i < w->post.len; i++)
        p.fails = !holds(w, &w->post.at[i]);
    for (uint32_t i = 0; i < lhs->n_sizes; i++)
        if (in_family(w, lhs->sizes[i].cls))
            p.empty |=
                !iexp_eval(lhs->sizes[i].size, w->at, 0, &size) || size == 0;
    if (p.fails ? w->n_fails == MAX_FAILS
                : p.empty && w->empty.len >= MAX_EMPTY)
        return;
    if (!p.empty && w->points.len >= w->budget->points)
        return;
    w->n_fails += p.fails;
    int64_t *v = ARENA_NEW(w->mem, int64_t, w->r->n_maps);
    for (uint32_t m = 0; m < w->r->n_maps; m++)
        v[m] = w->slot_of[m] == NONE ? 0 : w->now[m];
    p.v = v;
    if (p.empty)
        vec_push(&w->empty, p);
    else
        vec_push(&w->points, p);
}

static bool full(const struct maps *w, uint64_t visits)
{
    return w->visits >= visits || w->n_fails == MAX_FAILS ||
           w->points.len >= w->budget->points;
}

// All assignments of the levels from `depth` on whose weights sum up to
// `weight`.
static void enumerate(struct maps *w, uint32_t depth, uint32_t weight,
                      uint64_t visits)
{
    if (full(w, visits))
        return;
    if (depth == w->n_levels) {
        keep_point(w);
        return;
    }
    const struct level *l = &w->level[depth];
    int64_t v;
    if (l->forced != NULL) {
        if (iexp_eval(l->forced, w->at, 0, &v) && assign(w, l, v))
            enumerate(w, depth + 1, weight, visits);
        return;
    }
    for (uint32_t i = 0; i < l->n_values && l->weight[i] <= weight; i++) {
        if (depth == w->last_free && l->weight[i] != weight)
            continue;
        if (assign(w, l, l->value[i]))
            enumerate(w, depth + 1, weight - l->weight[i], visits);
    }
}

static int64_t random_value(const struct level *l, struct rng *rng)
{
    if (l->n_values == 0 || rng_below(rng, 8) == 0)
        return rng_range(rng, -6, 12);
    double u = rng_unit(rng);
    return l->value[(uint32_t)(u * (rng_below(rng, 2) ? u : 1) * l->n_values)];
}

static bool sample(struct maps *w, struct rng *rng)
{
    w->visits++;
    for (uint32_t d = 0; d < w->n_levels; d++) {
        const struct level *l = &w->level[d];
        int64_t v;
        bool ok = false;
        if (l->forced != NULL)
            ok = iexp_eval(l->forced, w->at, 0, &v) && assign(w, l, v);
        for (int tries = 0; l->forced == NULL && !ok && tries < 6; tries++)
            ok = assign(w, l, random_value(l, rng));
        if (!ok)
            return false;
    }
    return true;
}

// A given point and its neighbours.
static bool try_values(struct maps *w, const int64_t *v)
{
    for (uint32_t d = 0; d < w->n_levels; d++)
        if (!assign(w, &w->level[d], v[w->level[d].slot]))
            return false;
    keep_point(w);
    return true;
}

// Of a block: the product over its axes.
static int64_t hint_value(const struct maps *w, const struct cex_hint *hint,
                          uint32_t slot, uint32_t place)
{
    uint32_t m = w->map_of[slot];
    int64_t v = 1;
    if (!w->f->joint)
        return hint->map[m][place];
    for (uint32_t i = 0; i < hint->rank[w->r->maps[m].cls]; i++)
        if (__builtin_mul_overflow(v, hint->map[m][i], &v))
            return 0;
    return v;
}

static void hint_points(struct maps *w, const struct cex_space *s)
{
    int64_t v[MAX_SLOTS];
    for (uint32_t h = 0; h < s->n_hints; h++) {
        const struct cex_hint *hint = &s->hints[h];
        uint32_t places = w->f->joint ? 1 : hint->rank[w->f->root];
        for (uint32_t i = 0; i < places; i++) {
            for (uint32_t k = 0; k < w->n_slots; k++)
                v[k] = w->is_let[k] ? 0 : hint_value(w, hint, k, i);
            try_values(w, v);
            for (uint32_t k = 0; k < w->n_slots; k++)
                for (int64_t d = -1; d <= 1 && !w->is_let[k]; d += 2) {
                    if (v[k] > INT64_MAX - 2 || v[k] < INT64_MIN + 2)
                        continue;
                    v[k] += d;
                    try_values(w, v);
                    v[k] -= d;
                }
        }
    }
}

static void search_points(struct maps *w, struct rng *rng)
{
    uint64_t visits = w->budget->visits;
    uint32_t most = 0;
    for (uint32_t d = 0; d < w->n_levels; d++)
        if (w->level[d].forced == NULL && w->level[d].n_values > 0)
            most += w->level[d].weight[w->level[d].n_values - 1];
    for (uint32_t s = 0; s <= most && s <= MAX_WEIGHT; s++)
        enumerate(w, 0, s, visits - visits / 4);
    while (w->n_levels > 0 && !full(w, visits))
        if (sample(w, rng))
            keep_point(w);
}

void cex_family_fill(const struct cex_space *s, struct cex_family *f,
                     const struct cex_budget *b, struct rng *rng)
{
    struct maps *w = ARENA_NEW(s->mem, struct maps, 1);
    uint32_t n = 0;
    *w = (struct maps){.r = s->r, .f = f, .budget = b, .mem = s->mem};
    for (uint32_t m = 0; m < s->r->n_maps; m++)
        n += !s->r->maps[m].index &&
             cex_root(s->r, s->r->maps[m].cls) == f->root;
    slots_init(w);
    if (n <= MAX_SLOTS) {
        collect(w);
        order_levels(w);
        if (w->n_levels == 0) {
            compute_lets(w, UINT64_MAX);
            bool ok = true;
            for (uint32_t i = 0; i < w->pre.len; i++)
                ok = ok && holds(w, &w->pre.at[i]);
            if (ok)
                keep_point(w);
        } else {
            hint_points(w, s);
            search_points(w, rng);
        }
    }
    f->n_full = w->points.len;
    for (uint32_t i = 0; i < w->empty.len; i++)
        vec_push(&w->points, w->empty.at[i]);
    f->n_points = w->points.len;
    struct cex_point *at = ARENA_NEW(s->mem, struct cex_point, f->n_points);
    for (uint32_t i = 0; i < f->n_points; i++)
        at[i] = w->points.at[i];
    f->point = at;
    vec_release(&w->points);
    vec_release(&w->empty);
    vec_release(&w->pre);
    vec_release(&w->post);
    vec_release(&w->ordered);
    vec_release(&w->constants);
}
