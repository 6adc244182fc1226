// SPDX-License-Identifier: Apache-2.0
#include "formula/print/ways.h"
#include "formula/limits.h"

enum {
    COST_INDEXED = 2, // x[i, j] for x
    COST_AXES = 2,    // sum[j](a) for sum(a)
    COST_TR = 3,
    COST_TR_OF_TERM = 3, // more, for tr(w*tr(x)), where sum[k](w[k]*x[k, j]) is easier to read
    COST_MIXED = 3,      // x[i, j]*w
    COST_CAT = 8,        // cat[i, j, k](a, b) for cat(a, b)
};

// Shapes

static bool named_twice(const struct way *way)
{
    for (uint32_t i = 0; i < way->rank; i++)
        for (uint32_t k = 0; k < i; k++)
            if (way->shape[i] != 0 && way->shape[i] == way->shape[k])
                return true;
    return false;
}

bool ways_has_axis(const struct way *way, uint32_t axis)
{
    for (uint32_t i = 0; i < way->rank; i++)
        if (way->shape[i] == axis)
            return true;
    return false;
}

// The shape of an elementwise operation, position by position from the last
// axis on.
static bool by_position(const struct way *a, const struct way *b, struct way *out)
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

static bool add_to_set(struct way *way, uint32_t axis)
{
    uint32_t at = way->rank;
    if (axis == 0 || ways_has_axis(way, axis))
        return true;
    if (way->rank == PRINT_RANK)
        return false;
    for (; at > 0 && way->shape[at - 1] > axis; at--)
        way->shape[at] = way->shape[at - 1];
    way->shape[at] = axis;
    way->rank++;
    return true;
}

// The union of the axes, if one operand has elements.
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

// Turns positions into a set.
static bool to_set(struct way *way)
{
    struct way none = {.elements = true}, was = *way;
    return by_name(&none, &was, way);
}

static bool same_shape(const struct way *a, const struct way *b)
{
    return a->rank == b->rank && a->elements == b->elements &&
           memcmp(a->shape, b->shape, a->rank * sizeof *a->shape) == 0;
}

// Ways

// Keeps the cheapest way to each shape, and the cheapest way of all.
static void offer(struct ways *ways, const struct way *way)
{
    uint32_t worst = 0;
    for (uint32_t i = 0; i < ways->n; i++) {
        if (same_shape(&ways->at[i], way)) {
            if (way->cost < ways->at[i].cost)
                ways->at[i] = *way;
            return;
        }
        if (ways->at[i].cost > ways->at[worst].cost)
            worst = i;
    }
    if (ways->n < PRINT_WAYS)
        ways->at[ways->n++] = *way;
    else if (way->cost < ways->at[worst].cost)
        ways->at[worst] = *way;
}

static void add_axis(void *ctx, const char *axis, uint32_t len)
{
    struct axis_list *axes = ctx;
    if (axes->n < PRINT_RANK)
        axes->at[axes->n++] = intern_bytes(&axes->chooser->axes, axis, len);
    else
        axes->over = true;
}

struct axis_list ways_axes(struct way_chooser *chooser, fterm term)
{
    struct axis_list axes = {.chooser = chooser};
    const char *name = fterm_name(chooser->terms, term);
    fname_axes(name, (uint32_t)strlen(name), add_axis, &axes);
    return axes;
}

const struct fvariable *ways_variable(const struct formula *formula, const char *name, size_t len)
{
    for (uint32_t i = 0; i < formula->variables.len; i++)
        if (strlen(formula->variables.at[i].name) == len &&
            memcmp(formula->variables.at[i].name, name, len) == 0)
            return &formula->variables.at[i];
    return NULL;
}

static void ways_of_element(struct way_chooser *chooser, fterm term, struct ways *out)
{
    const char *name = fterm_name(chooser->terms, term);
    struct axis_list axes = ways_axes(chooser, term);
    struct way way = {.rank = (uint8_t)axes.n, .how = HOW_LEAF};
    memcpy(way.shape, axes.at, sizeof axes.at);
    way.cost = COST_INDEXED;
    struct way e = way;
    if (to_set(&e))
        offer(out, &e);
    const struct fvariable *variable =
        ways_variable(chooser->formula, name, (size_t)(strchr(name, '{') - name));
    if (variable == NULL || variable->n != axes.n || chooser->mode == MODE_INDEXED)
        return;
    bool declared = true;
    for (uint32_t i = 0; i < axes.n; i++)
        declared = declared && strcmp(chooser->formula->axes.at[variable->at + i],
                                      intern_text(&chooser->axes, axes.at[i])) == 0;
    if (!declared && chooser->mode != MODE_RENAMED)
        return;
    way.how = HOW_BARE;
    way.cost = declared ? 0 : 1;
    offer(out, &way);
}

static const uint32_t *kids(struct way_chooser *chooser, uint32_t n, const uint32_t *at)
{
    uint32_t *k = ARENA_NEW(&chooser->mem, uint32_t, n + 1);
    memcpy(k, at, n * sizeof *k);
    return k;
}

// The ways of operands combined element by element, from argument `first` on.
static void ways_plain(struct way_chooser *chooser, fterm term, uint32_t first, struct ways *out)
{
    uint32_t n = fterm_n(chooser->terms, term);
    const fterm *arg = fterm_args(chooser->terms, term);
    struct ways have = {.n = 1};
    have.at[0] = (struct way){.how = HOW_PLAIN};
    have.at[0].kid = ARENA_NEW(&chooser->mem, uint32_t, first + 1);
    for (uint32_t k = first; k < n; k++) {
        struct ways next = {0};
        const struct ways *more = chooser->of[arg[k]];
        for (uint32_t i = 0; i < have.n; i++)
            for (uint32_t j = 0; j < more->n; j++) {
                const struct way *way = &have.at[i], *b = &more->at[j];
                struct way w = {.how = HOW_PLAIN};
                w.cost = way->cost + b->cost;
                if (!by_position(way, b, &w)) {
                    if (!by_name(way, b, &w))
                        continue;
                    bool mixed = (!way->elements && way->rank > 0) || (!b->elements && b->rank > 0);
                    w.cost += mixed ? COST_MIXED : 0;
                }
                uint32_t *kid = ARENA_NEW(&chooser->mem, uint32_t, k + 1);
                memcpy(kid, way->kid, k * sizeof *kid);
                kid[k] = j;
                w.kid = kid;
                offer(&next, &w);
            }
        have = next;
    }
    *out = have;
}

static bool in_list(const struct axis_list *axes, uint32_t axis)
{
    for (uint32_t i = 0; i < axes->n; i++)
        if (axes->at[i] == axis)
            return true;
    return false;
}

// sum[j](a) removes its axes.
static bool remove_axes(const struct axis_list *axes, struct way *way)
{
    uint32_t rank = 0, gone = 0, open = 0;
    for (uint32_t k = 0; k < way->rank; k++) {
        open += way->shape[k] != 0;
        if (in_list(axes, way->shape[k]))
            gone++;
        else
            way->shape[rank++] = way->shape[k];
    }
    way->rank = (uint8_t)rank;
    return way->elements || open == 0 || gone == axes->n;
}

// The ways of a reduction, or of a named function along an axis, from those of
// its arguments.  The axis is implied if it is the last one.
static void ways_along(struct way_chooser *chooser, fterm term, bool reduces, struct ways *out)
{
    struct ways have;
    struct axis_list axes = ways_axes(chooser, fterm_args(chooser->terms, term)[0]);
    ways_plain(chooser, term, 1, &have);
    for (uint32_t i = 0; i < have.n; i++) {
        struct way way = have.at[i];
        if (axes.n == 1 && way.rank > 0 && !way.elements && way.shape[way.rank - 1] == axes.at[0] &&
            chooser->mode != MODE_INDEXED) {
            if (reduces)
                way.shape[way.rank - 1] = 0;
            offer(out, &way);
        }
        way = have.at[i];
        way.how = HOW_AXES;
        way.cost += COST_AXES;
        if (!reduces || remove_axes(&axes, &way))
            offer(out, &way);
    }
}

// (reduce_add {k} (multiply a b)) with a[.., i, k] and b[.., k, j].
static bool is_matmul(const struct way_chooser *chooser, fterm term)
{
    return chooser->mode != MODE_INDEXED && fterm_is(chooser->terms, term, "reduce_add", 2) &&
           fterm_is(chooser->terms, fterm_args(chooser->terms, term)[1], "multiply", 2);
}

static bool matmul_shape(const struct way *a, const struct way *b, uint32_t k, struct way *out)
{
    if (a->elements || b->elements || a->rank < 2 || b->rank < 2 || a->shape[a->rank - 1] != k ||
        b->shape[b->rank - 2] != k)
        return false;
    struct way way = *a, q = *b, batch = {0};
    way.rank = (uint8_t)(way.rank - 2);
    q.rank = (uint8_t)(q.rank - 2);
    if (ways_has_axis(&way, k) || ways_has_axis(&q, k) || !by_position(&way, &q, &batch) ||
        batch.rank + 2 > PRINT_RANK)
        return false;
    memcpy(out->shape, batch.shape, sizeof batch.shape);
    out->rank = (uint8_t)(batch.rank + 2);
    out->shape[batch.rank] = a->shape[a->rank - 2];
    out->shape[batch.rank + 1] = b->shape[b->rank - 1];
    return !named_twice(out) && out->shape[batch.rank] != 0 && out->shape[batch.rank + 1] != 0;
}

static void ways_of_matmul(struct way_chooser *chooser, fterm term, struct ways *out)
{
    struct axis_list axes = ways_axes(chooser, fterm_args(chooser->terms, term)[0]);
    const fterm *factor = fterm_args(chooser->terms, fterm_args(chooser->terms, term)[1]);
    const struct ways *ways = chooser->of[factor[0]], *b = chooser->of[factor[1]];
    for (uint32_t i = 0; axes.n == 1 && i < ways->n; i++)
        for (uint32_t j = 0; j < b->n; j++) {
            struct way way = {.how = HOW_MATMUL};
            if (!matmul_shape(&ways->at[i], &b->at[j], axes.at[0], &way))
                continue;
            way.cost = ways->at[i].cost + b->at[j].cost;
            way.kid = kids(chooser, 2, (uint32_t[]){i, j});
            offer(out, &way);
        }
}

static void ways_of_cat(struct way_chooser *chooser, fterm term, struct ways *out)
{
    const fterm *arg = fterm_args(chooser->terms, term);
    struct axis_list joined = ways_axes(chooser, arg[0]), left = ways_axes(chooser, arg[1]),
                     right = ways_axes(chooser, arg[2]);
    const struct ways *ways = chooser->of[arg[3]], *b = chooser->of[arg[4]];
    for (uint32_t i = 0; i < ways->n; i++)
        for (uint32_t j = 0; j < b->n; j++) {
            struct way way = ways->at[i], q = b->at[j], w = {.how = HOW_PLAIN};
            if (chooser->mode == MODE_INDEXED || way.elements || q.elements || way.rank == 0 ||
                q.rank == 0 || joined.n != 1 || left.n != 1 || right.n != 1 ||
                way.shape[way.rank - 1] != left.at[0] || q.shape[q.rank - 1] != right.at[0])
                continue;
            way.rank--;
            q.rank--;
            if (!by_position(&way, &q, &w) || w.rank + 1 > PRINT_RANK)
                continue;
            w.cost = way.cost + q.cost;
            w.shape[w.rank++] = joined.at[0];
            w.kid = kids(chooser, 5, (uint32_t[]){0, 0, 0, i, j});
            offer(out, &w);
        }
    // cat[a, b, chooser](u, v)
    for (uint32_t i = 0; i < ways->n; i++)
        for (uint32_t j = 0; j < b->n; j++) {
            struct way p = ways->at[i], q = b->at[j], w = {.how = HOW_AXES};
            if (!to_set(&p) || !to_set(&q) || !remove_axes(&left, &p) || !remove_axes(&right, &q) ||
                !by_name(&p, &q, &w) || joined.n != 1 || !add_to_set(&w, joined.at[0]))
                continue;
            w.cost = p.cost + q.cost + COST_CAT;
            w.kid = kids(chooser, 5, (uint32_t[]){0, 0, 0, i, j});
            offer(out, &w);
        }
}

static const struct fdefine *define(const struct way_chooser *chooser, fterm term)
{
    const char *name = fterm_name(chooser->terms, term);
    return chooser->defs == NULL ? NULL
                                 : fdefine_named(chooser->defs, name, (uint32_t)strlen(name));
}

bool ways_has_set(const struct fterms *terms, fterm term)
{
    if (fterm_n(terms, term) == 0)
        return false;
    const char *name = fterm_name(terms, fterm_args(terms, term)[0]);
    return fname_is_axes(name, (uint32_t)strlen(name));
}

uint32_t ways_least(const struct ways *ways)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < ways->n; i++)
        if (ways->at[i].cost < ways->at[best].cost)
            best = i;
    return best;
}

static void ways_with_tr(struct way_chooser *chooser, struct ways *ways)
{
    uint32_t n = ways->n;
    struct ways was = *ways;
    for (uint32_t i = 0; i < n && chooser->mode != MODE_INDEXED; i++) {
        struct way way = was.at[i];
        if (way.rank < 2 || way.elements || way.how == HOW_TR)
            continue;
        uint32_t last = way.shape[way.rank - 1];
        way.shape[way.rank - 1] = way.shape[way.rank - 2];
        way.shape[way.rank - 2] = last;
        // The operand must keep its place in the list.
        bool room = ways->n < PRINT_WAYS;
        for (uint32_t k = 0; k < ways->n; k++)
            room = room && !same_shape(&ways->at[k], &way);
        if (!room)
            continue;
        way.cost += COST_TR;
        if (way.how == HOW_PLAIN)
            way.cost += COST_TR_OF_TERM;
        way.how = HOW_TR;
        way.kid = kids(chooser, 1, &i);
        ways->at[ways->n++] = way;
    }
}

void ways_find(struct way_chooser *chooser, fterm term)
{
    struct ways *out = chooser->of[term] = ARENA_NEW(&chooser->mem, struct ways, 1);
    const char *name = fterm_name(chooser->terms, term);
    uint32_t n = fterm_n(chooser->terms, term);
    if (n == 0 && strchr(name, '{') != NULL && name[0] != '{') {
        ways_of_element(chooser, term, out);
    } else if (n == 0 || fterm_is(chooser->terms, term, "count", 1)) {
        out->at[out->n++] = (struct way){.how = HOW_LEAF};
    } else if (fterm_is(chooser->terms, term, "concatenate", 5)) {
        ways_of_cat(chooser, term, out);
    } else if (ways_has_set(chooser->terms, term)) {
        const struct fdefine *d = define(chooser, term);
        ways_along(chooser, term, d == NULL ? fname_of_op(name, n) != NULL : d->reduces, out);
        if (is_matmul(chooser, term))
            ways_of_matmul(chooser, term, out);
    } else {
        ways_plain(chooser, term, 0, out);
    }
    if (out->n == 0) { // more axes than a way can hold
        out->at[0].how = HOW_AXES;
        out->at[0].kid = ARENA_NEW(&chooser->mem, uint32_t, n + 1);
        out->n = 1;
    }
    ways_with_tr(chooser, out);
    if (chooser->let[term] != NULL) { // a definition has one text for all uses
        uint32_t best = ways_least(out);
        for (uint32_t i = 0; i < out->n; i++)
            if (i != best)
                out->at[i].cost += COST_WRONG_SHAPE;
    }
}
