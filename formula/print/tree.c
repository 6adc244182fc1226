// SPDX-License-Identifier: Apache-2.0
// Chooses the text of a term: ways to write each term, by dynamic programming
// over the terms below it (formula/print/ways.c), then the tree of the chosen
// ways.
#include "formula/print/ways.h"
#include "formula/limits.h"

// The tree

static struct surface *node(struct way_chooser *chooser, enum surface_kind kind, fterm term,
                            const char *text, uint32_t n)
{
    struct surface *surface = ARENA_NEW(&chooser->out->mem, struct surface, 1);
    surface->kind = kind;
    surface->term = term;
    surface->text = arena_strdup(&chooser->out->mem, text);
    surface->n = n;
    surface->kid = ARENA_NEW(&chooser->out->mem, const struct surface *, n + 1);
    chooser->n_built++;
    return surface;
}

// Collects the axes of n terms.
static void set_axes(struct way_chooser *chooser, struct surface *surface, uint32_t n,
                     const fterm *from)
{
    surface->axis = ARENA_NEW(&chooser->out->mem, const char *, n *PRINT_RANK + 1);
    for (uint32_t k = 0; k < n; k++) {
        struct axis_list axes = ways_axes(chooser, from[k]);
        for (uint32_t i = 0; i < axes.n; i++)
            surface->axis[surface->n_axes++] =
                arena_strdup(&chooser->out->mem, intern_text(&chooser->axes, axes.at[i]));
    }
}

static const char *extent_name(const struct formula *formula, const char *axis)
{
    for (uint32_t i = 0; i + 1 < formula->extents.len; i += 2)
        if (strcmp(formula->extents.at[i + 1], axis) == 0)
            return formula->extents.at[i];
    return NULL;
}

static struct surface *leaf(struct way_chooser *chooser, fterm term, const struct way *way)
{
    const char *name = fterm_name(chooser->terms, term), *brace = strchr(name, '{');
    if (fterm_is(chooser->terms, term, "count", 1)) {
        struct surface *surface = node(chooser, SURFACE_SIZE, term, "size", 0);
        set_axes(chooser, surface, 1, fterm_args(chooser->terms, term));
        const char *string =
            surface->n_axes == 1 ? extent_name(chooser->formula, surface->axis[0]) : NULL;
        return string != NULL ? node(chooser, SURFACE_NAME, term, string, 0) : surface;
    }
    if (brace != NULL) {
        char *text = arena_strndup(&chooser->out->mem, name, (size_t)(brace - name));
        if (way->how == HOW_BARE)
            return node(chooser, SURFACE_NAME, term, text, 0);
        struct surface *s = node(chooser, SURFACE_INDEXED, term, text, 0);
        set_axes(chooser, s, 1, &term);
        return s;
    }
    if (!fname_is_number(name, (uint32_t)strlen(name)))
        return node(chooser, SURFACE_NAME, term, name, 0);
    struct buf text = {0};
    number_text(name, &text);
    struct surface *s = node(chooser, SURFACE_NUMBER, term, buf_text(&text), 0);
    buf_release(&text);
    return s;
}

// The rest of a path below argument k.
struct path_rest {
    const uint32_t *at;
    uint32_t n;
    bool on;
};

static struct path_rest below(struct path_rest path, uint32_t k)
{
    return (struct path_rest){path.n > 0 ? path.at + 1 : path.at, path.n > 0 ? path.n - 1 : 0,
                              path.on && path.n > 0 && path.at[0] == k};
}

static const struct surface *build(struct way_chooser *chooser, fterm term, uint32_t way,
                                   struct path_rest path, bool root);

static struct surface *build_matmul(struct way_chooser *chooser, fterm term, const struct way *way,
                                    struct path_rest path)
{
    struct surface *surface = node(chooser, SURFACE_MATMUL, term, "matmul", 2);
    fterm product = fterm_args(chooser->terms, term)[1];
    struct path_rest q = below(path, 1);
    for (uint32_t k = 0; k < 2; k++)
        surface->kid[k] =
            build(chooser, fterm_args(chooser->terms, product)[k], way->kid[k], below(q, k), false);
    // A part without a text of its own is marked as a whole.
    surface->marked = path.on && (path.n == 0 || path.at[0] == 0 || (q.on && q.n == 0));
    return surface;
}

static bool is_number(const struct fterms *terms, fterm term)
{
    const char *name = fterm_name(terms, term);
    return fterm_n(terms, term) == 0 && fname_is_number(name, (uint32_t)strlen(name));
}

static struct surface *build_node(struct way_chooser *chooser, fterm term, const struct way *way,
                                  struct path_rest path)
{
    const fterm *arg = fterm_args(chooser->terms, term);
    uint32_t n = fterm_n(chooser->terms, term), first = 0;
    const char *name = fterm_name(chooser->terms, term);
    const struct fname *op = fname_of_op(name, n);
    struct surface *surface;
    if (fterm_is(chooser->terms, term, "concatenate", 5)) {
        surface = node(chooser, SURFACE_CALL, term, "cat", 2);
        first = 3;
    } else if (ways_has_set(chooser->terms, term)) {
        surface = node(chooser, op != NULL ? SURFACE_REDUCE : SURFACE_CALL, term,
                       op != NULL ? op->surface : name, n - 1);
        first = 1;
    } else {
        bool call = op == NULL || op->kind == FNAME_CALL;
        surface = node(chooser, call ? SURFACE_CALL : SURFACE_OP, term,
                       op != NULL ? op->surface : name, n);
    }
    surface->op = op;
    if (op == NULL && first == 0 && n == 1) {
        const struct fdefine *define = fdefine_named(chooser->defs, name, (uint32_t)strlen(name));
        surface->square = define != NULL && define->squares;
    }
    // x > 0 is printed rather than 0 < x.
    bool swap = op != NULL && op->level == LEVEL_COMPARE && n == 2 &&
                is_number(chooser->terms, arg[0]) && !is_number(chooser->terms, arg[1]);
    const char *other = !swap                            ? NULL
                        : strcmp(op->surface, "<") == 0  ? ">"
                        : strcmp(op->surface, "<=") == 0 ? ">="
                                                         : NULL;
    if (first > 0 && way->how == HOW_AXES)
        set_axes(chooser, surface, first, arg);
    for (uint32_t k = first; k < n; k++)
        surface->kid[other != NULL ? 1 - k : k - first] =
            build(chooser, arg[k], way->kid[k], below(path, k), false);
    if (other != NULL) {
        surface->text = other;
        surface->op = fname_of_surface(other, (uint32_t)strlen(other), 2, FNAME_INFIX);
    }
    surface->marked = path.on && (path.n == 0 || path.at[0] < first);
    return surface;
}

static const struct surface *build(struct way_chooser *chooser, fterm term, uint32_t way,
                                   struct path_rest path, bool root)
{
    const struct way *w = &chooser->of[term]->at[way];
    if (chooser->n_built > PRINT_TREE) // the caller drops it
        return node(chooser, SURFACE_NAME, term, "...", 0);
    struct surface *surface;
    if (!root && chooser->let[term] != NULL) {
        surface = node(chooser, SURFACE_NAME, term, chooser->let[term], 0);
        surface->marked = path.on;
    } else if (w->how == HOW_TR) {
        surface = node(chooser, SURFACE_TR, term, "tr", 1);
        surface->kid[0] = build(chooser, term, w->kid[0], path, root);
    } else if (fterm_n(chooser->terms, term) == 0 || w->how == HOW_LEAF) {
        surface = leaf(chooser, term, w);
        surface->marked = path.on;
    } else if (w->how == HOW_MATMUL) {
        surface = build_matmul(chooser, term, w, path);
    } else {
        surface = build_node(chooser, term, w, path);
    }
    return surface;
}

static uint32_t axis_place(const struct formula *formula, const char *axis)
{
    uint32_t i = 0;
    while (i < formula->axes.len && axis != NULL && strcmp(formula->axes.at[i], axis) != 0)
        i++;
    return i;
}

// The cheapest way, one of the shape of the formula if there is one.
static uint32_t ways_best(struct way_chooser *chooser, fterm term)
{
    uint32_t best = 0, least = UINT32_MAX;
    for (uint32_t i = 0; i < chooser->of[term]->n; i++) {
        const struct way *way = &chooser->of[term]->at[i];
        bool fits = way->rank == chooser->formula->shape.len;
        uint32_t before = 0;
        for (uint32_t k = 0; fits && k < way->rank; k++) {
            const char *axis = chooser->formula->shape.at[k];
            uint32_t a = intern_str(&chooser->axes, axis != NULL ? axis : "");
            // A term with elements gets its axes in their own order.
            uint32_t place = axis_place(chooser->formula, axis);
            fits = way->elements ? a != 0 && ways_has_axis(way, a) && before <= place
                                 : way->shape[k] == a;
            before = place;
        }
        // A term with elements may lack some axes.
        fits = fits || (chooser->formula->by_name && way->elements);
        uint32_t cost = way->cost + (fits ? 0 : COST_WRONG_SHAPE);
        if (cost < least) {
            least = cost;
            best = i;
        }
    }
    return best;
}

// Definitions

static bool taken(const struct way_chooser *chooser, const char *name)
{
    if (strcmp(name, "N") == 0 || strcmp(name, "pi") == 0 ||
        ways_variable(chooser->formula, name, strlen(name)) != NULL)
        return true;
    for (uint32_t i = 0; i < chooser->formula->extents.len; i++)
        if (strcmp(chooser->formula->extents.at[i], name) == 0)
            return true;
    for (uint32_t i = 0; i < chooser->formula->axes.len; i++)
        if (strcmp(chooser->formula->axes.at[i], name) == 0)
            return true;
    return chooser->defs != NULL &&
           fdefine_named(chooser->defs, name, (uint32_t)strlen(name)) != NULL;
}

static const char *new_name(struct way_chooser *chooser, uint32_t *next)
{
    static const char *const first[] = {"m", "s", "u", "v", "p", "q", "r", "h", "a", "b", "c", "d"};
    char name[16];
    do {
        uint32_t i = (*next)++;
        if (i < sizeof first / sizeof *first) {
            name[0] = first[i][0];
            name[1] = 0;
        } else {
            struct buf buf = {0};
            buf_printf(&buf, "t%u", i - 11);
            memcpy(name, buf_text(&buf), buf.len + 1);
            buf_release(&buf);
        }
    } while (taken(chooser, name));
    return arena_strdup(&chooser->mem, name);
}

// Names terms that are written at least twice and cost enough.
static void name_lets(struct way_chooser *chooser, fterm root, const struct u32_vec *all)
{
    uint32_t next = 0;
    double *cost = ARENA_NEW(&chooser->mem, double, chooser->terms->node.len);
    uint32_t *uses = ARENA_NEW(&chooser->mem, uint32_t, chooser->terms->node.len);
    for (uint32_t i = 0; i < all->len; i++) {
        fterm term = all->at[i];
        cost[term] = formula_cost(chooser->terms, term);
        for (uint32_t k = 0; k < fterm_n(chooser->terms, term); k++) {
            fterm y = fterm_args(chooser->terms, term)[k];
            cost[term] += cost[y];
            uses[y]++;
        }
    }
    for (uint32_t i = 0; i < all->len; i++) {
        fterm x = all->at[i];
        if (x != root && uses[x] > 1 && cost[x] >= PRINT_LET_COST)
            chooser->let[x] = new_name(chooser, &next);
    }
}

// A term to print; `lets`: terms used more than once become definitions.
struct print_request {
    const struct formula *formula;
    const struct fdefines *defs; // may be NULL
    fterm term;
    const struct print_options *options;
    enum print_mode mode;
    bool lets;
};

static void choose(const struct print_request *request, struct surface_tree *out)
{
    const struct formula *formula = request->formula;
    const struct print_options *options = request->options;
    fterm term = request->term;
    struct way_chooser chooser = {.formula = formula,
                                  .defs = request->defs,
                                  .terms = formula->terms,
                                  .mode = request->mode,
                                  .out = out};
    struct u32_vec all = {0};
    struct path_rest path = {options->path, options->n_path, options->path != NULL};
    memset(out, 0, sizeof *out);
    intern_init(&chooser.axes);
    chooser.of = ARENA_NEW(&chooser.mem, struct ways *, formula->terms->node.len);
    chooser.let = ARENA_NEW(&chooser.mem, const char *, formula->terms->node.len);
    fterms_reach(formula->terms, 1, &term, &all);
    if (request->lets)
        name_lets(&chooser, term, &all);
    for (uint32_t i = 0; i < all.len; i++)
        ways_find(&chooser, all.at[i]);
    for (uint32_t i = 0; i < all.len; i++) {
        fterm y = all.at[i];
        if (chooser.let[y] == NULL)
            continue;
        struct ways *ways = chooser.of[y];
        uint32_t best = ways_least(ways);
        struct surface_let let = {.name = arena_strdup(&out->mem, chooser.let[y]),
                                  .value = build(&chooser, y, best, (struct path_rest){0}, true)};
        vec_push(&out->lets, let);
    }
    out->root = build(&chooser, term, ways_best(&chooser, term), path, true);
    out->over = chooser.n_built > PRINT_TREE;
    intern_release(&chooser.axes);
    arena_release(&chooser.mem);
    vec_release(&all);
}

enum tree_meaning { MEANS_OTHER, MEANS_TERM, MEANS_ALL };

// Does the text mean the term, and does it have the shape of the formula?
static enum tree_meaning meaning(const struct formula *formula, const struct fdefines *defs,
                                 fterm term, const struct surface_tree *tree)
{
    struct fterms terms;
    struct formula again;
    struct buf text = {0};
    struct err err = {0};
    fterms_init(&terms);
    formula_print_head(formula, &text);
    surface_text(tree, &text);
    enum tree_meaning out = MEANS_OTHER;
    if (formula_read(&again, &terms, defs, "", buf_text(&text), &err)) {
        if (fterm_copy(&terms, formula->terms, term) == again.term)
            out = formula_fits(&again, formula) ? MEANS_ALL : MEANS_TERM;
        formula_release(&again);
    }
    buf_release(&text);
    fterms_release(&terms);
    return out;
}

// Tries several modes and keeps the first tree whose text means the most.  A
// term that is no result, such as a condition, does not have the shape of the
// formula.
static enum tree_meaning best_tree(const struct formula *formula, const struct fdefines *defs,
                                   fterm term, const struct print_options *options,
                                   struct surface_tree *out)
{
    struct print_request request = {formula, defs, term, options, MODE_RENAMED, options->lets};
    bool have = false;
    for (int more = 0; more < 2; more++) {
        for (enum print_mode m = MODE_RENAMED; m < N_MODES; m++) {
            struct surface_tree tree;
            request.mode = m;
            choose(&request, &tree);
            enum tree_meaning k = tree.over ? MEANS_OTHER : meaning(formula, defs, term, &tree);
            if (k == MEANS_OTHER || (k == MEANS_TERM && have)) {
                surface_release(&tree);
                continue;
            }
            if (have)
                surface_release(out);
            *out = tree;
            if (k == MEANS_ALL)
                return k;
            have = true;
        }
        // Definitions may be in the way, or too few.
        request.lets = !request.lets;
    }
    if (have)
        return MEANS_TERM;
    request.mode = MODE_INDEXED;
    request.lets = true;
    choose(&request, out);
    return MEANS_OTHER;
}

void surface_choose(const struct formula *formula, const struct fdefines *defs, fterm term,
                    const struct print_options *options, struct surface_tree *out)
{
    (void)best_tree(formula, defs, term, options, out);
}

bool formula_prints(const struct formula *formula, const struct fdefines *defs, fterm term)
{
    struct print_options options = {.lets = false};
    struct surface_tree tree;
    bool ok = best_tree(formula, defs, term, &options, &tree) == MEANS_ALL;
    surface_release(&tree);
    return ok;
}

void surface_of_given(const struct formula *formula, fterm cond, struct surface_tree *out)
{
    struct print_options options = {.lets = false};
    struct print_request request = {formula, NULL, cond, &options, MODE_SHORT, false};
    choose(&request, out);
}

uint32_t surface_cost(const struct formula *formula, const struct fdefines *defs, fterm term)
{
    struct surface_tree none = {0};
    struct way_chooser chooser = {.formula = formula,
                                  .defs = defs,
                                  .terms = formula->terms,
                                  .mode = MODE_RENAMED,
                                  .out = &none};
    struct u32_vec all = {0};
    intern_init(&chooser.axes);
    chooser.of = ARENA_NEW(&chooser.mem, struct ways *, formula->terms->node.len);
    chooser.let = ARENA_NEW(&chooser.mem, const char *, formula->terms->node.len);
    fterms_reach(formula->terms, 1, &term, &all);
    for (uint32_t i = 0; i < all.len; i++)
        ways_find(&chooser, all.at[i]);
    uint32_t least = chooser.of[term]->at[ways_least(chooser.of[term])].cost;
    intern_release(&chooser.axes);
    arena_release(&chooser.mem);
    vec_release(&all);
    return least;
}

void surface_release(struct surface_tree *tree)
{
    arena_release(&tree->mem);
    vec_release(&tree->lets);
}
