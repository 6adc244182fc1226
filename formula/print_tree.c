// SPDX-License-Identifier: Apache-2.0
// Which text a term gets: ways to write each term, by dynamic programming over
// the terms below it, then the tree of the ways chosen.
#include "formula/print.h"

#include <assert.h>

enum {
    MAX_RANK = 12,
    MAX_WAYS = 12,
    MAX_TREE = 20000, // nodes; above, terms used twice become definitions
    LET_COST = 6,     // of a term that is worth a name

    COST_INDEXED = 2, // x[i, j] for x
    COST_AXES = 2,    // sum[j](a) for sum(a)
    COST_TR = 3,
    COST_MIXED = 3, // x[i, j]*w
    COST_CAT = 8,   // cat[i, j, k](a, b) for cat(a, b)
    COST_WRONG_SHAPE = 1000,
};

// What may go without saying.
enum mode {
    MODE_RENAMED, // the axes of an operand of matmul are not those declared
    MODE_SHORT,
    MODE_INDEXED, // nothing
    N_MODES
};

enum how { HOW_LEAF, HOW_BARE, HOW_PLAIN, HOW_AXES, HOW_MATMUL, HOW_TR };
// What has elements has no positions: `shape` is then a set, ascending.
struct way {
    uint8_t rank;
    bool elements;
    uint32_t shape[MAX_RANK]; // axes by number in `axes`; 0: extent 1
    uint32_t cost;
    enum how how;
    const uint32_t *kid; // ways of the arguments; of TR: of the same term
};
struct ways {
    uint32_t n;
    struct way at[MAX_WAYS];
};

struct chooser {
    const struct formula *f;
    const struct fdefines *defs;
    const struct fterms *t;
    enum mode mode;
    struct arena mem;
    struct intern axes;
    struct ways **of; // by term
    const char **let; // name, by term
    // What is built.
    struct surface_tree *out;
    uint32_t n_built;
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

static bool has_axis(const struct way *w, uint32_t axis)
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
    if (axis == 0 || has_axis(w, axis))
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

struct axis_list {
    struct chooser *c;
    uint32_t n, at[MAX_RANK];
    bool over;
};

static void add_axis(void *ctx, const char *axis, uint32_t len)
{
    struct axis_list *l = ctx;
    if (l->n < MAX_RANK)
        l->at[l->n++] = intern_bytes(&l->c->axes, axis, len);
    else
        l->over = true;
}

static struct axis_list axes_of(struct chooser *c, fterm x)
{
    struct axis_list l = {.c = c};
    const char *name = fterm_name(c->t, x);
    fname_axes(name, (uint32_t)strlen(name), add_axis, &l);
    return l;
}

static const struct fvariable *variable(const struct formula *f,
                                        const char *name, size_t len)
{
    for (uint32_t i = 0; i < f->variables.len; i++)
        if (strlen(f->variables.at[i].name) == len &&
            memcmp(f->variables.at[i].name, name, len) == 0)
            return &f->variables.at[i];
    return NULL;
}

static void ways_of_element(struct chooser *c, fterm x, struct ways *out)
{
    const char *name = fterm_name(c->t, x);
    struct axis_list l = axes_of(c, x);
    struct way w = {.rank = (uint8_t)l.n, .how = HOW_LEAF};
    memcpy(w.shape, l.at, sizeof l.at);
    w.cost = COST_INDEXED;
    struct way e = w;
    if (to_set(&e))
        offer(out, &e);
    const struct fvariable *v =
        variable(c->f, name, (size_t)(strchr(name, '{') - name));
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

static const uint32_t *kids(struct chooser *c, uint32_t n, const uint32_t *at)
{
    uint32_t *k = ARENA_NEW(&c->mem, uint32_t, n + 1);
    memcpy(k, at, n * sizeof *k);
    return k;
}

// Operands combined element by element, from argument `first` on.
static void ways_plain(struct chooser *c, fterm x, uint32_t first,
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
static void ways_along(struct chooser *c, fterm x, bool reduces,
                       struct ways *out)
{
    struct ways have;
    struct axis_list l = axes_of(c, fterm_args(c->t, x)[0]);
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
static bool is_matmul(const struct chooser *c, fterm x)
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
    if (has_axis(&p, k) || has_axis(&q, k) || !by_position(&p, &q, &batch) ||
        batch.rank + 2 > MAX_RANK)
        return false;
    memcpy(out->shape, batch.shape, sizeof batch.shape);
    out->rank = (uint8_t)(batch.rank + 2);
    out->shape[batch.rank] = a->shape[a->rank - 2];
    out->shape[batch.rank + 1] = b->shape[b->rank - 1];
    return !named_twice(out) && out->shape[batch.rank] != 0 &&
           out->shape[batch.rank + 1] != 0;
}

static void ways_of_matmul(struct chooser *c, fterm x, struct ways *out)
{
    struct axis_list l = axes_of(c, fterm_args(c->t, x)[0]);
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

static void ways_of_cat(struct chooser *c, fterm x, struct ways *out)
{
    const fterm *arg = fterm_args(c->t, x);
    struct axis_list joined = axes_of(c, arg[0]), left = axes_of(c, arg[1]),
                     right = axes_of(c, arg[2]);
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

static const struct fdefine *define(const struct chooser *c, fterm x)
{
    const char *name = fterm_name(c->t, x);
    return c->defs == NULL
               ? NULL
               : fdefine_named(c->defs, name, (uint32_t)strlen(name));
}

static bool has_set(const struct fterms *t, fterm x)
{
    if (fterm_n(t, x) == 0)
        return false;
    const char *name = fterm_name(t, fterm_args(t, x)[0]);
    return fname_is_axes(name, (uint32_t)strlen(name));
}

static void ways_with_tr(struct chooser *c, struct ways *s)
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

static void find_ways(struct chooser *c, fterm x)
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
    } else if (has_set(c->t, x)) {
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
        uint32_t best = 0;
        for (uint32_t i = 1; i < out->n; i++)
            if (out->at[i].cost < out->at[best].cost)
                best = i;
        for (uint32_t i = 0; i < out->n; i++)
            if (i != best)
                out->at[i].cost += COST_WRONG_SHAPE;
    }
}

// The tree

static struct surface *node(struct chooser *c, enum surface_kind kind, fterm x,
                            const char *text, uint32_t n)
{
    struct surface *s = ARENA_NEW(&c->out->mem, struct surface, 1);
    s->kind = kind;
    s->term = x;
    s->text = arena_strdup(&c->out->mem, text);
    s->n = n;
    s->kid = ARENA_NEW(&c->out->mem, const struct surface *, n + 1);
    c->n_built++;
    return s;
}

// The axes of n terms.
static void set_axes(struct chooser *c, struct surface *s, uint32_t n,
                     const fterm *from)
{
    s->axis = ARENA_NEW(&c->out->mem, const char *, n *MAX_RANK + 1);
    for (uint32_t k = 0; k < n; k++) {
        struct axis_list l = axes_of(c, from[k]);
        for (uint32_t i = 0; i < l.n; i++)
            s->axis[s->n_axes++] =
                arena_strdup(&c->out->mem, intern_text(&c->axes, l.at[i]));
    }
}

static const char *extent_name(const struct formula *f, const char *axis)
{
    for (uint32_t i = 0; i + 1 < f->extents.len; i += 2)
        if (strcmp(f->extents.at[i + 1], axis) == 0)
            return f->extents.at[i];
    return NULL;
}

static struct surface *leaf(struct chooser *c, fterm x, const struct way *w)
{
    const char *name = fterm_name(c->t, x), *brace = strchr(name, '{');
    if (fterm_is(c->t, x, "count", 1)) {
        struct surface *s = node(c, SURFACE_SIZE, x, "size", 0);
        set_axes(c, s, 1, fterm_args(c->t, x));
        const char *n = s->n_axes == 1 ? extent_name(c->f, s->axis[0]) : NULL;
        return n != NULL ? node(c, SURFACE_NAME, x, n, 0) : s;
    }
    if (brace != NULL) {
        char *text = arena_strndup(&c->out->mem, name, (size_t)(brace - name));
        if (w->how == HOW_BARE)
            return node(c, SURFACE_NAME, x, text, 0);
        struct surface *s = node(c, SURFACE_INDEXED, x, text, 0);
        set_axes(c, s, 1, &x);
        return s;
    }
    if (!fname_is_number(name, (uint32_t)strlen(name)))
        return node(c, SURFACE_NAME, x, name, 0);
    struct buf text = {0};
    number_text(name, &text);
    struct surface *s = node(c, SURFACE_NUMBER, x, buf_text(&text), 0);
    buf_release(&text);
    return s;
}

// The rest of a path below argument k.
struct path {
    const uint32_t *at;
    uint32_t n;
    bool on;
};

static struct path below(struct path p, uint32_t k)
{
    return (struct path){p.n > 0 ? p.at + 1 : p.at, p.n > 0 ? p.n - 1 : 0,
                         p.on && p.n > 0 && p.at[0] == k};
}

static const struct surface *build(struct chooser *c, fterm x, uint32_t way,
                                   struct path p, bool root);

static struct surface *build_matmul(struct chooser *c, fterm x,
                                    const struct way *w, struct path p)
{
    struct surface *s = node(c, SURFACE_MATMUL, x, "matmul", 2);
    fterm product = fterm_args(c->t, x)[1];
    struct path q = below(p, 1);
    for (uint32_t k = 0; k < 2; k++)
        s->kid[k] = build(c, fterm_args(c->t, product)[k], w->kid[k],
                          below(q, k), false);
    // What has no text of its own is marked as a whole.
    s->marked = p.on && (p.n == 0 || p.at[0] == 0 || (q.on && q.n == 0));
    return s;
}

static bool is_number(const struct fterms *t, fterm x)
{
    const char *name = fterm_name(t, x);
    return fterm_n(t, x) == 0 && fname_is_number(name, (uint32_t)strlen(name));
}

static struct surface *build_node(struct chooser *c, fterm x,
                                  const struct way *w, struct path p)
{
    const fterm *arg = fterm_args(c->t, x);
    uint32_t n = fterm_n(c->t, x), first = 0;
    const char *name = fterm_name(c->t, x);
    const struct fname *op = fname_of_op(name, n);
    struct surface *s;
    if (fterm_is(c->t, x, "concatenate", 5)) {
        s = node(c, SURFACE_CALL, x, "cat", 2);
        first = 3;
    } else if (has_set(c->t, x)) {
        s = node(c, op != NULL ? SURFACE_REDUCE : SURFACE_CALL, x,
                 op != NULL ? op->surface : name, n - 1);
        first = 1;
    } else {
        bool call = op == NULL || op->kind == FNAME_CALL;
        s = node(c, call ? SURFACE_CALL : SURFACE_OP, x,
                 op != NULL ? op->surface : name, n);
    }
    s->op = op;
    // x > 0 rather than 0 < x.
    bool swap = op != NULL && op->level == LEVEL_COMPARE && n == 2 &&
                is_number(c->t, arg[0]) && !is_number(c->t, arg[1]);
    const char *other = !swap                            ? NULL
                        : strcmp(op->surface, "<") == 0  ? ">"
                        : strcmp(op->surface, "<=") == 0 ? ">="
                                                         : NULL;
    if (first > 0 && w->how == HOW_AXES)
        set_axes(c, s, first, arg);
    for (uint32_t k = first; k < n; k++)
        s->kid[other != NULL ? 1 - k : k - first] =
            build(c, arg[k], w->kid[k], below(p, k), false);
    if (other != NULL) {
        s->text = other;
        s->op =
            fname_of_surface(other, (uint32_t)strlen(other), 2, FNAME_INFIX);
    }
    s->marked = p.on && (p.n == 0 || p.at[0] < first);
    return s;
}

static const struct surface *build(struct chooser *c, fterm x, uint32_t way,
                                   struct path p, bool root)
{
    const struct way *w = &c->of[x]->at[way];
    if (c->n_built > MAX_TREE) // the caller drops it
        return node(c, SURFACE_NAME, x, "...", 0);
    struct surface *s;
    if (!root && c->let[x] != NULL) {
        s = node(c, SURFACE_NAME, x, c->let[x], 0);
        s->marked = p.on;
    } else if (w->how == HOW_TR) {
        s = node(c, SURFACE_TR, x, "tr", 1);
        s->kid[0] = build(c, x, w->kid[0], p, root);
    } else if (fterm_n(c->t, x) == 0 || w->how == HOW_LEAF) {
        s = leaf(c, x, w);
        s->marked = p.on;
    } else if (w->how == HOW_MATMUL) {
        s = build_matmul(c, x, w, p);
    } else {
        s = build_node(c, x, w, p);
    }
    return s;
}

static uint32_t axis_place(const struct formula *f, const char *axis)
{
    uint32_t i = 0;
    while (i < f->axes.len && axis != NULL && strcmp(f->axes.at[i], axis) != 0)
        i++;
    return i;
}

// The cheapest way, of the formula's shape if there is one.
static uint32_t best_way(struct chooser *c, fterm x)
{
    uint32_t best = 0, least = UINT32_MAX;
    for (uint32_t i = 0; i < c->of[x]->n; i++) {
        const struct way *w = &c->of[x]->at[i];
        bool fits = w->rank == c->f->shape.len;
        uint32_t before = 0;
        for (uint32_t k = 0; fits && k < w->rank; k++) {
            const char *axis = c->f->shape.at[k];
            uint32_t a = intern_str(&c->axes, axis != NULL ? axis : "");
            // What has elements gets its axes in their own order.
            uint32_t place = axis_place(c->f, axis);
            fits = w->elements ? a != 0 && has_axis(w, a) && before <= place
                               : w->shape[k] == a;
            before = place;
        }
        uint32_t cost = w->cost + (fits ? 0 : COST_WRONG_SHAPE);
        if (cost < least) {
            least = cost;
            best = i;
        }
    }
    return best;
}

// Definitions

static bool taken(const struct chooser *c, const char *name)
{
    if (strcmp(name, "N") == 0 || strcmp(name, "pi") == 0 ||
        variable(c->f, name, strlen(name)) != NULL)
        return true;
    for (uint32_t i = 0; i < c->f->extents.len; i++)
        if (strcmp(c->f->extents.at[i], name) == 0)
            return true;
    for (uint32_t i = 0; i < c->f->axes.len; i++)
        if (strcmp(c->f->axes.at[i], name) == 0)
            return true;
    return c->defs != NULL &&
           fdefine_named(c->defs, name, (uint32_t)strlen(name)) != NULL;
}

static const char *new_name(struct chooser *c, uint32_t *next)
{
    static const char *const first[] = {"m", "s", "u", "v", "p", "q",
                                        "r", "h", "a", "b", "c", "d"};
    char name[16];
    do {
        uint32_t i = (*next)++;
        if (i < sizeof first / sizeof *first) {
            name[0] = first[i][0];
            name[1] = 0;
        } else {
            struct buf b = {0};
            buf_printf(&b, "t%u", i - 11);
            memcpy(name, buf_text(&b), b.len + 1);
            buf_release(&b);
        }
    } while (taken(c, name));
    return arena_strdup(&c->mem, name);
}

// Terms that are written at least twice and cost enough.
static void name_lets(struct chooser *c, fterm root, const struct u32_vec *all)
{
    uint32_t next = 0;
    double *cost = ARENA_NEW(&c->mem, double, c->t->node.len);
    uint32_t *uses = ARENA_NEW(&c->mem, uint32_t, c->t->node.len);
    for (uint32_t i = 0; i < all->len; i++) {
        fterm x = all->at[i];
        cost[x] = formula_cost(c->t, x);
        for (uint32_t k = 0; k < fterm_n(c->t, x); k++) {
            fterm y = fterm_args(c->t, x)[k];
            cost[x] += cost[y];
            uses[y]++;
        }
    }
    for (uint32_t i = 0; i < all->len; i++) {
        fterm x = all->at[i];
        if (x != root && uses[x] > 1 && cost[x] >= LET_COST)
            c->let[x] = new_name(c, &next);
    }
}

static void choose(const struct formula *f, const struct fdefines *defs,
                   fterm x, const struct print_options *o, enum mode mode,
                   bool lets, struct surface_tree *out)
{
    struct chooser c = {
        .f = f, .defs = defs, .t = f->t, .mode = mode, .out = out};
    struct u32_vec all = {0};
    struct path p = {o->path, o->n_path, o->path != NULL};
    memset(out, 0, sizeof *out);
    intern_init(&c.axes);
    c.of = ARENA_NEW(&c.mem, struct ways *, f->t->node.len);
    c.let = ARENA_NEW(&c.mem, const char *, f->t->node.len);
    fterms_reach(f->t, 1, &x, &all);
    if (lets)
        name_lets(&c, x, &all);
    for (uint32_t i = 0; i < all.len; i++)
        find_ways(&c, all.at[i]);
    for (uint32_t i = 0; i < all.len; i++) {
        fterm y = all.at[i];
        if (c.let[y] == NULL)
            continue;
        struct ways *w = c.of[y];
        uint32_t best = 0;
        for (uint32_t k = 1; k < w->n; k++)
            if (w->at[k].cost < w->at[best].cost)
                best = k;
        struct surface_let l = {.name = arena_strdup(&out->mem, c.let[y]),
                                .value =
                                    build(&c, y, best, (struct path){0}, true)};
        vec_push(&out->lets, l);
    }
    out->root = build(&c, x, best_way(&c, x), p, true);
    out->over = c.n_built > MAX_TREE;
    intern_release(&c.axes);
    arena_release(&c.mem);
    vec_release(&all);
}

// Does the text mean the term?
static bool reads_back(const struct formula *f, const struct fdefines *defs,
                       fterm x, const struct surface_tree *s)
{
    struct fterms t;
    struct formula again;
    struct buf text = {0}, want = {0}, have = {0};
    struct err e = {0};
    fterms_init(&t);
    formula_print_head(f, &text);
    surface_text(s, &text);
    bool ok = formula_read(&again, &t, defs, "", buf_text(&text), &e);
    if (ok) {
        fterm_print(f->t, x, &want);
        fterm_print(&t, again.term, &have);
        ok = strcmp(buf_text(&want), buf_text(&have)) == 0;
        formula_release(&again);
    }
    buf_release(&text);
    buf_release(&want);
    buf_release(&have);
    fterms_release(&t);
    return ok;
}

void surface_choose(const struct formula *f, const struct fdefines *defs,
                    fterm x, const struct print_options *o,
                    struct surface_tree *out)
{
    bool lets = o->lets;
    for (int more = 0; more < 2; more++) {
        for (enum mode m = MODE_RENAMED; m < N_MODES; m++) {
            choose(f, defs, x, o, m, lets, out);
            if (!out->over && reads_back(f, defs, x, out))
                return;
            surface_release(out);
        }
        // Definitions are in the way, or there are too few.
        lets = !lets;
    }
    choose(f, defs, x, o, MODE_INDEXED, true, out);
}

void surface_of_given(const struct formula *f, fterm cond,
                      struct surface_tree *out)
{
    struct print_options o = {.lets = false};
    choose(f, NULL, cond, &o, MODE_SHORT, false, out);
}

uint32_t surface_cost(const struct formula *f, const struct fdefines *defs,
                      fterm x)
{
    struct surface_tree none = {0};
    struct chooser c = {
        .f = f, .defs = defs, .t = f->t, .mode = MODE_RENAMED, .out = &none};
    struct u32_vec all = {0};
    uint32_t least = UINT32_MAX;
    intern_init(&c.axes);
    c.of = ARENA_NEW(&c.mem, struct ways *, f->t->node.len);
    c.let = ARENA_NEW(&c.mem, const char *, f->t->node.len);
    fterms_reach(f->t, 1, &x, &all);
    for (uint32_t i = 0; i < all.len; i++)
        find_ways(&c, all.at[i]);
    for (uint32_t i = 0; i < c.of[x]->n; i++)
        if (c.of[x]->at[i].cost < least)
            least = c.of[x]->at[i].cost;
    intern_release(&c.axes);
    arena_release(&c.mem);
    vec_release(&all);
    return least;
}

void surface_release(struct surface_tree *s)
{
    arena_release(&s->mem);
    vec_release(&s->lets);
}
