// SPDX-License-Identifier: Apache-2.0
#include "formula/print/ways.h"

enum {
    COST_INDEXED = 2, // x[i, j] for x
    COST_AXES = 2,    // sum[j](a) for sum(a)
    COST_TR = 3,
    COST_MIXED = 3, // x[i, j]*w
    COST_CAT = 8,   // cat[i, j, k](a, b) for cat(a, b)
};

// Shapes

static bool named_twice(const struct way *w)
{
    for (uint32_t i = 0; i < w->rank; i++)
        for (uint32_t k = 0; k < i; k++)
            if (w->shape[i] != 0 && w->shape[i] == w->shape[k])
                return true;
    return false;
}

bool ways_has_axis(const struct way *w, uint32_t axis)
{
    for (uint32_t i = 0; i < w->rank; i++)
        if (w->shape[i] == axis)
            return true;
    return false;
}

// The shape of an elementwise operation, by position from the last axis on.
static bool by_position(const struct way *a, const struct way *b,
                        struct way *out)
{
    if (a->elements || b->elements)
        return false;
    out->rank = a->rank > b->rank ? a->rank : b->rank;
    for (uint32_t i = 0; i < out->rank; i++) {
        uint32_t x = i < a->rank ? a->shape[a->rank - 1 - i] : 0;
        uint32_t y = i < b->rank ? b->shape[b->rank - 1 - i] : 0;
        if (x != 0 && y != 0 && x != y)
            return false;
        out->shape[out->rank - 1 - i] = x != 0 ? x : y;
    }
    return !named_twice(out);
}

static bool add_to_set(struct way *w, uint32_t axis)
{
    uint32_t at = w->rank;
    if (axis == 0 || ways_has_axis(w, axis))
        return true;
    if (w->rank == MAX_RANK)
        return false;
    for (; at > 0 && w->shape[at - 1] > axis; at--)
        w->shape[at] = w->shape[at - 1];
    w->shape[at] = axis;
    w->rank++;
    return true;
}

// The union of the axes, if one has elements.
static bool by_name(const struct way *a, const struct way *b, struct way *out)
{
    bool ok = a->elements || b->elements;
    out->rank = 0;
    out->elements = true;
    for (uint32_t i = 0; ok && i < a->rank; i++)
        ok = add_to_set(out, a->shape[i]);
    for (uint32_t i = 0; ok && i < b->rank; i++)
        ok = add_to_set(out, b->shape[i]);
    return ok;
}

// From positions to a set.
static bool to_set(struct way *w)
{
    struct way none = {.elements = true}, was = *w;
    return by_name(&none, &was, w);
}

static bool same_shape(const struct way *a, const struct way *b)
{
    return a->rank == b->rank && a->elements == b->elements &&
           memcmp(a->shape, b->shape, a->rank * sizeof *a->shape) == 0;
}

// Ways

// Keeps the cheapest way to each shape, and the cheapest of all.
static void offer(struct ways *s, const struct way *w)
{
    uint32_t worst = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        if (same_shape(&s->at[i], w)) {
            if (w->cost < s->at[i].cost)
                s->at[i] = *w;
            return;
        }
        if (s->at[i].cost > s->at[worst].cost)
            worst = i;
    }
    if (s->n < MAX_WAYS)
        s->at[s->n++] = *w;
    else if (w->cost < s->at[worst].cost)
        s->at[worst] = *w;
}

static void add_axis(void *ctx, const char *axis, uint32_t len)
{
    struct axis_list *l = ctx;
    if (l->n < MAX_RANK)
        l->at[l->n++] = intern_bytes(&l->c->axes, axis, len);
    else
        l->over = true;
}

struct axis_list ways_axes(struct way_chooser *c, fterm x)
{
    struct axis_list l = {.c = c};
    const char *name = fterm_name(c->t, x);
    fname_axes(name, (uint32_t)strlen(name), add_axis, &l);
    return l;
}

const struct fvariable *ways_variable(const struct formula *f, const char *name,
                                    size_t len)
{
    for (uint32_t i = 0; i < f->variables.len; i++)
        if (strlen(f->variables.at[i].name) == len &&
            memcmp(f->variables.at[i].name, name, len) == 0)
            return &f->variables.at[i];
    return NULL;
}

static void ways_of_element(struct way_chooser *c, fterm x, struct ways *out)
{
    const char *name = fterm_name(c->t, x);
    struct axis_list l = ways_axes(c, x);
    struct way w = {.rank = (uint8_t)l.n, .how = HOW_LEAF};
    memcpy(w.shape, l.at, sizeof l.at);
    w.cost = COST_INDEXED;
    struct way e = w;
    if (to_set(&e))
        offer(out, &e);
    const struct fvariable *v =
        ways_variable(c->f, name, (size_t)(strchr(name, '{') - name));
    if (v == NULL || v->n != l.n || c->mode == MODE_INDEXED)
        return;
    bool declared = true;
    for (uint32_t i = 0; i < l.n; i++)
        declared = declared && strcmp(c->f->axes.at[v->at + i],
                                      intern_text(&c->axes, l.at[i])) == 0;
    if (!declared && c->mode != MODE_RENAMED)
        return;
    w.how = HOW_BARE;
    w.cost = declared ? 0 : 1;
    offer(out, &w);
}

static const uint32_t *kids(struct way_chooser *c, uint32_t n, const uint32_t *at)
{
    uint32_t *k = ARENA_NEW(&c->mem, uint32_t, n + 1);
    memcpy(k, at, n * sizeof *k);
    return k;
}

// Operands combined element by element, from argument `first` on.
static void ways_plain(struct way_chooser *c, fterm x, uint32_t first,
                       struct ways *out)
{
    uint32_t n = fterm_n(c->t, x);
    const fterm *arg = fterm_args(c->t, x);
    struct ways have = {.n = 1};
    have.at[0] = (struct way){.how = HOW_PLAIN};
    have.at[0].kid = ARENA_NEW(&c->mem, uint32_t, first + 1);
    for (uint32_t k = first; k < n; k++) {
        struct ways next = {0};
        const struct ways *more = c->of[arg[k]];
        for (uint32_t i = 0; i < have.n; i++)
            for (uint32_t j = 0; j < more->n; j++) {
                const struct way *a = &have.at[i], *b = &more->at[j];
                struct way w = {.how = HOW_PLAIN};
                w.cost = a->cost + b->cost;
                if (!by_position(a, b, &w)) {
                    if (!by_name(a, b, &w))
                        continue;
                    bool mixed = (!a->elements && a->rank > 0) ||
                                 (!b->elements && b->rank > 0);
                    w.cost += mixed ? COST_MIXED : 0;
                }
                uint32_t *kid = ARENA_NEW(&c->mem, uint32_t, k + 1);
                memcpy(kid, a->kid, k * sizeof *kid);
                kid[k] = j;
                w.kid = kid;
                offer(&next, &w);
            }
        have = next;
    }
    *out = have;
}

static bool in_list(const struct axis_list *l, uint32_t axis)
{
    for (uint32_t i = 0; i < l->n; i++)
        if (l->at[i] == axis)
            return true;
    return false;
}

// sum[j](a): its axes go.
static bool remove_axes(const struct axis_list *l, struct way *w)
{
    uint32_t rank = 0, gone = 0, open = 0;
    for (uint32_t k = 0; k < w->rank; k++) {
        open += w->shape[k] != 0;
        if (in_list(l, w->shape[k]))
            gone++;
        else
            w->shape[rank++] = w->shape[k];
    }
    w->rank = (uint8_t)rank;
    return w->elements || open == 0 || gone == l->n;
}

// The ways of a reduction, or of a named function along an axis, from those of
// its arguments: the axis goes without saying if it is the last one.
static void ways_along(struct way_chooser *c, fterm x, bool reduces,
                       struct ways *out)
{
    struct ways have;
    struct axis_list l = ways_axes(c, fterm_args(c->t, x)[0]);
    ways_plain(c, x, 1, &have);
    for (uint32_t i = 0; i < have.n; i++) {
        struct way w = have.at[i];
        if (l.n == 1 && w.rank > 0 && !w.elements &&
            w.shape[w.rank - 1] == l.at[0] && c->mode != MODE_INDEXED) {
            if (reduces)
                w.shape[w.rank - 1] = 0;
            offer(out, &w);
        }
        w = have.at[i];
        w.how = HOW_AXES;
        w.cost += COST_AXES;
        if (!reduces || remove_axes(&l, &w))
            offer(out, &w);
    }
}

// (reduce_add {k} (multiply a b)) with a[.., i, k] and b[.., k, j].
static bool is_matmul(const struct way_chooser *c, fterm x)
{
    return c->mode != MODE_INDEXED && fterm_is(c->t, x, "reduce_add", 2) &&
           fterm_is(c->t, fterm_args(c->t, x)[1], "multiply", 2);
}

static bool matmul_shape(const struct way *a, const struct way *b, uint32_t k,
                         struct way *out)
{
    if (a->elements || b->elements || a->rank < 2 || b->rank < 2 ||
        a->shape[a->rank - 1] != k || b->shape[b->rank - 2] != k)
        return false;
    struct way p = *a, q = *b, batch = {0};
    p.rank = (uint8_t)(p.rank - 2);
    q.rank = (uint8_t)(q.rank - 2);
    if (ways_has_axis(&p, k) || ways_has_axis(&q, k) || !by_position(&p, &q, &batch) ||
        batch.rank + 2 > MAX_RANK)
        return false;
    memcpy(out->shape, batch.shape, sizeof batch.shape);
    out->rank = (uint8_t)(batch.rank + 2);
    out->shape[batch.rank] = a->shape[a->rank - 2];
    out->shape[batch.rank + 1] = b->shape[b->rank - 1];
    return !named_twice(out) && out->shape[batch.rank] != 0 &&
           out->shape[batch.rank + 1] != 0;
}

static void ways_of_matmul(struct way_chooser *c, fterm x, struct ways *out)
{
    struct axis_list l = ways_axes(c, fterm_args(c->t, x)[0]);
    const fterm *factor = fterm_args(c->t, fterm_args(c->t, x)[1]);
    const struct ways *a = c->of[factor[0]], *b = c->of[factor[1]];
    for (uint32_t i = 0; l.n == 1 && i < a->n; i++)
        for (uint32_t j = 0; j < b->n; j++) {
            struct way w = {.how = HOW_MATMUL};
            if (!matmul_shape(&a->at[i], &b->at[j], l.at[0], &w))
                continue;
            w.cost = a->at[i].cost + b->at[j].cost;
            w.kid = kids(c, 2, (uint32_t[]){i, j});
            offer(out, &w);
        }
}

static void ways_of_cat(struct way_chooser *c, fterm x, struct ways *out)
{
    const fterm *arg = fterm_args(c->t, x);
    struct axis_list joined = ways_axes(c, arg[0]), left = ways_axes(c, arg[1]),
                     right = ways_axes(c, arg[2]);
    const struct ways *a = c->of[arg[3]], *b = c->of[arg[4]];
    for (uint32_t i = 0; i < a->n; i++)
        for (uint32_t j = 0; j < b->n; j++) {
            struct way p = a->at[i], q = b->at[j], w = {.how = HOW_PLAIN};
            if (c->mode == MODE_INDEXED || p.elements || q.elements ||
                p.rank == 0 || q.rank == 0 || joined.n != 1 || left.n != 1 ||
                right.n != 1 || p.shape[p.rank - 1] != left.at[0] ||
                q.shape[q.rank - 1] != right.at[0])
                continue;
            p.rank--;
            q.rank--;
            if (!by_position(&p, &q, &w) || w.rank + 1 > MAX_RANK)
                continue;
            w.cost = p.cost + q.cost;
            w.shape[w.rank++] = joined.at[0];
            w.kid = kids(c, 5, (uint32_t[]){0, 0, 0, i, j});
            offer(out, &w);
        }
    // cat[a, b, c](u, v)
    for (uint32_t i = 0; i < a->n; i++)
        for (uint32_t j = 0; j < b->n; j++) {
            struct way p = a->at[i], q = b->at[j], w = {.how = HOW_AXES};
            if (!to_set(&p) || !to_set(&q) || !remove_axes(&left, &p) ||
                !remove_axes(&right, &q) || !by_name(&p, &q, &w) ||
                joined.n != 1 || !add_to_set(&w, joined.at[0]))
                continue;
            w.cost = p.cost + q.cost + COST_CAT;
            w.kid = kids(c, 5, (uint32_t[]){0, 0, 0, i, j});
            offer(out, &w);
        }
}

static const struct fdefine *define(const struct way_chooser *c, fterm x)
{
    const char *name = fterm_name(c->t, x);
    return c->defs == NULL
               ? NULL
               : fdefine_named(c->defs, name, (uint32_t)strlen(name));
}

bool ways_has_set(const struct fterms *t, fterm x)
{
    if (fterm_n(t, x) == 0)
        return false;
    const char *name = fterm_name(t, fterm_args(t, x)[0]);
    return fname_is_axes(name, (uint32_t)strlen(name));
}

uint32_t ways_least(const struct ways *w)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < w->n; i++)
        if (w->at[i].cost < w->at[best].cost)
            best = i;
    return best;
}

static void ways_with_tr(struct way_chooser *c, struct ways *s)
{
    uint32_t n = s->n;
    struct ways was = *s;
    for (uint32_t i = 0; i < n && c->mode != MODE_INDEXED; i++) {
        struct way w = was.at[i];
        if (w.rank < 2 || w.elements || w.how == HOW_TR)
            continue;
        uint32_t last = w.shape[w.rank - 1];
        w.shape[w.rank - 1] = w.shape[w.rank - 2];
        w.shape[w.rank - 2] = last;
        // The operand must stay where it is in the list.
        bool room = s->n < MAX_WAYS;
        for (uint32_t k = 0; k < s->n; k++)
            room = room && !same_shape(&s->at[k], &w);
        if (!room)
            continue;
        w.cost += COST_TR;
        w.how = HOW_TR;
        w.kid = kids(c, 1, &i);
        s->at[s->n++] = w;
    }
}

void ways_find(struct way_chooser *c, fterm x)
{
    struct ways *out = c->of[x] = ARENA_NEW(&c->mem, struct ways, 1);
    const char *name = fterm_name(c->t, x);
    uint32_t n = fterm_n(c->t, x);
    if (n == 0 && strchr(name, '{') != NULL && name[0] != '{') {
        ways_of_element(c, x, out);
    } else if (n == 0 || fterm_is(c->t, x, "count", 1)) {
        out->at[out->n++] = (struct way){.how = HOW_LEAF};
    } else if (fterm_is(c->t, x, "concatenate", 5)) {
        ways_of_cat(c, x, out);
    } else if (ways_has_set(c->t, x)) {
        const struct fdefine *d = define(c, x);
        ways_along(c, x, d == NULL ? fname_of_op(name, n) != NULL : d->reduces,
                   out);
        if (is_matmul(c, x))
            ways_of_matmul(c, x, out);
    } else {
        ways_plain(c, x, 0, out);
    }
    if (out->n == 0) { // too many axes to tell apart
        out->at[0].how = HOW_AXES;
        out->at[0].kid = ARENA_NEW(&c->mem, uint32_t, n + 1);
        out->n = 1;
    }
    ways_with_tr(c, out);
    if (c->let[x] != NULL) { // one text for all uses
        uint32_t best = ways_least(out);
        for (uint32_t i = 0; i < out->n; i++)
            if (i != best)
                out->at[i].cost += COST_WRONG_SHAPE;
    }
}
