// SPDX-License-Identifier: Apache-2.0
// Which text a term gets: ways to write each term, by dynamic programming over
// the terms below it (print_ways.c), then the tree of the ways chosen.
#include "formula/print/ways.h"

enum {
    MAX_TREE = 20000, // nodes; above, terms used twice become definitions
    LET_COST = 6,     // of a term that is worth a name
};

// The tree

static struct surface *node(struct way_chooser *c, enum surface_kind kind, fterm x,
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
static void set_axes(struct way_chooser *c, struct surface *s, uint32_t n,
                     const fterm *from)
{
    s->axis = ARENA_NEW(&c->out->mem, const char *, n *MAX_RANK + 1);
    for (uint32_t k = 0; k < n; k++) {
        struct axis_list l = ways_axes(c, from[k]);
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

static struct surface *leaf(struct way_chooser *c, fterm x, const struct way *w)
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
struct path_rest {
    const uint32_t *at;
    uint32_t n;
    bool on;
};

static struct path_rest below(struct path_rest p, uint32_t k)
{
    return (struct path_rest){p.n > 0 ? p.at + 1 : p.at, p.n > 0 ? p.n - 1 : 0,
                         p.on && p.n > 0 && p.at[0] == k};
}

static const struct surface *build(struct way_chooser *c, fterm x, uint32_t way,
                                   struct path_rest p, bool root);

static struct surface *build_matmul(struct way_chooser *c, fterm x,
                                    const struct way *w, struct path_rest p)
{
    struct surface *s = node(c, SURFACE_MATMUL, x, "matmul", 2);
    fterm product = fterm_args(c->t, x)[1];
    struct path_rest q = below(p, 1);
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

static struct surface *build_node(struct way_chooser *c, fterm x,
                                  const struct way *w, struct path_rest p)
{
    const fterm *arg = fterm_args(c->t, x);
    uint32_t n = fterm_n(c->t, x), first = 0;
    const char *name = fterm_name(c->t, x);
    const struct fname *op = fname_of_op(name, n);
    struct surface *s;
    if (fterm_is(c->t, x, "concatenate", 5)) {
        s = node(c, SURFACE_CALL, x, "cat", 2);
        first = 3;
    } else if (ways_has_set(c->t, x)) {
        s = node(c, op != NULL ? SURFACE_REDUCE : SURFACE_CALL, x,
                 op != NULL ? op->surface : name, n - 1);
        first = 1;
    } else {
        bool call = op == NULL || op->kind == FNAME_CALL;
        s = node(c, call ? SURFACE_CALL : SURFACE_OP, x,
                 op != NULL ? op->surface : name, n);
    }
    s->op = op;
    if (op == NULL && first == 0 && n == 1) {
        const struct fdefine *d =
            fdefine_named(c->defs, name, (uint32_t)strlen(name));
        s->square = d != NULL && d->squares;
    }
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

static const struct surface *build(struct way_chooser *c, fterm x, uint32_t way,
                                   struct path_rest p, bool root)
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
static uint32_t ways_best(struct way_chooser *c, fterm x)
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
            fits = w->elements ? a != 0 && ways_has_axis(w, a) && before <= place
                               : w->shape[k] == a;
            before = place;
        }
        // Of elements some axes may be missing.
        fits = fits || (c->f->by_name && w->elements);
        uint32_t cost = w->cost + (fits ? 0 : COST_WRONG_SHAPE);
        if (cost < least) {
            least = cost;
            best = i;
        }
    }
    return best;
}

// Definitions

static bool taken(const struct way_chooser *c, const char *name)
{
    if (strcmp(name, "N") == 0 || strcmp(name, "pi") == 0 ||
        ways_variable(c->f, name, strlen(name)) != NULL)
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

static const char *new_name(struct way_chooser *c, uint32_t *next)
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
static void name_lets(struct way_chooser *c, fterm root, const struct u32_vec *all)
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
                   fterm x, const struct print_options *o, enum print_mode mode,
                   bool lets, struct surface_tree *out)
{
    struct way_chooser c = {
        .f = f, .defs = defs, .t = f->t, .mode = mode, .out = out};
    struct u32_vec all = {0};
    struct path_rest p = {o->path, o->n_path, o->path != NULL};
    memset(out, 0, sizeof *out);
    intern_init(&c.axes);
    c.of = ARENA_NEW(&c.mem, struct ways *, f->t->node.len);
    c.let = ARENA_NEW(&c.mem, const char *, f->t->node.len);
    fterms_reach(f->t, 1, &x, &all);
    if (lets)
        name_lets(&c, x, &all);
    for (uint32_t i = 0; i < all.len; i++)
        ways_find(&c, all.at[i]);
    for (uint32_t i = 0; i < all.len; i++) {
        fterm y = all.at[i];
        if (c.let[y] == NULL)
            continue;
        struct ways *w = c.of[y];
        uint32_t best = ways_least(w);
        struct surface_let l = {.name = arena_strdup(&out->mem, c.let[y]),
                                .value =
                                    build(&c, y, best, (struct path_rest){0}, true)};
        vec_push(&out->lets, l);
    }
    out->root = build(&c, x, ways_best(&c, x), p, true);
    out->over = c.n_built > MAX_TREE;
    intern_release(&c.axes);
    arena_release(&c.mem);
    vec_release(&all);
}

enum tree_meaning { MEANS_OTHER, MEANS_TERM, MEANS_ALL };

// Does the text mean the term, and that in the formula's shape?
static enum tree_meaning meaning(const struct formula *f,
                            const struct fdefines *defs, fterm x,
                            const struct surface_tree *s)
{
    struct fterms t;
    struct formula again;
    struct buf text = {0}, want = {0}, have = {0};
    struct err e = {0};
    fterms_init(&t);
    formula_print_head(f, &text);
    surface_text(s, &text);
    enum tree_meaning out = MEANS_OTHER;
    if (formula_read(&again, &t, defs, "", buf_text(&text), &e)) {
        fterm_print(f->t, x, &want);
        fterm_print(&t, again.term, &have);
        if (strcmp(buf_text(&want), buf_text(&have)) == 0)
            out = formula_fits(&again, f) ? MEANS_ALL : MEANS_TERM;
        formula_release(&again);
    }
    buf_release(&text);
    buf_release(&want);
    buf_release(&have);
    fterms_release(&t);
    return out;
}

// Of some ways to choose, the first whose text means the most: what is no
// result, such as a condition, has not the formula's shape.
static enum tree_meaning best_tree(const struct formula *f,
                              const struct fdefines *defs, fterm x,
                              const struct print_options *o,
                              struct surface_tree *out)
{
    bool lets = o->lets, have = false;
    for (int more = 0; more < 2; more++) {
        for (enum print_mode m = MODE_RENAMED; m < N_MODES; m++) {
            struct surface_tree s;
            choose(f, defs, x, o, m, lets, &s);
            enum tree_meaning k = s.over ? MEANS_OTHER : meaning(f, defs, x, &s);
            if (k == MEANS_OTHER || (k == MEANS_TERM && have)) {
                surface_release(&s);
                continue;
            }
            if (have)
                surface_release(out);
            *out = s;
            if (k == MEANS_ALL)
                return k;
            have = true;
        }
        // Definitions are in the way, or there are too few.
        lets = !lets;
    }
    if (have)
        return MEANS_TERM;
    choose(f, defs, x, o, MODE_INDEXED, true, out);
    return MEANS_OTHER;
}

void surface_choose(const struct formula *f, const struct fdefines *defs,
                    fterm x, const struct print_options *o,
                    struct surface_tree *out)
{
    (void)best_tree(f, defs, x, o, out);
}

bool formula_prints(const struct formula *f, const struct fdefines *defs,
                    fterm x)
{
    struct print_options o = {.lets = false};
    struct surface_tree s;
    bool ok = best_tree(f, defs, x, &o, &s) == MEANS_ALL;
    surface_release(&s);
    return ok;
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
    struct way_chooser c = {
        .f = f, .defs = defs, .t = f->t, .mode = MODE_RENAMED, .out = &none};
    struct u32_vec all = {0};
    intern_init(&c.axes);
    c.of = ARENA_NEW(&c.mem, struct ways *, f->t->node.len);
    c.let = ARENA_NEW(&c.mem, const char *, f->t->node.len);
    fterms_reach(f->t, 1, &x, &all);
    for (uint32_t i = 0; i < all.len; i++)
        ways_find(&c, all.at[i]);
    uint32_t least = c.of[x]->at[ways_least(c.of[x])].cost;
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
