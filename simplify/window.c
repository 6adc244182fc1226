// SPDX-License-Identifier: Apache-2.0
#include "simplify/window.h"

#include "proof/limits.h"
#include "simplify/limits.h"

#include <stdlib.h>

// A name that no formula has: part.COST.NUMBER
static const char variable_head[] = "part.";

uint32_t part_window_variable_cost(const char *name)
{
    size_t n = sizeof variable_head - 1;
    return strncmp(name, variable_head, n) == 0 ? (uint32_t)strtoul(name + n, NULL, 10) : 0;
}

void part_window_release(struct window *window)
{
    vec_release(&window->leaves);
    vec_release(&window->reached);
    vec_release(&window->image);
}

// Axes of the window: by their bits in the sorts.
struct axis_map {
    const struct window_maker *maker;
    struct u32_vec met;  // bits, in the order in which they were met
    struct u32_vec name; // of each: 2 * number, + 1 for one that no variable of the formula has
    uint32_t known, unknown;
};

static bool is_known(const struct part_axes *axes, const char *name)
{
    for (uint32_t i = 0; i < axes->name.len; i++)
        if (strcmp(axes->name.at[i], name) == 0)
            return true;
    return false;
}

static uint32_t meet(struct axis_map *map, uint32_t bit)
{
    uint32_t i = 0;
    while (i < map->met.len && map->met.at[i] != bit)
        i++;
    if (i == map->met.len) {
        bool known = is_known(map->maker->axes, intern_text(&map->maker->sorts->names, bit + 1));
        vec_push(&map->met, bit);
        vec_push(&map->name, known ? 2 * map->known++ : 2 * map->unknown++ + 1);
    }
    return i;
}

static void put_axis(const struct axis_map *map, uint32_t i, struct buf *out)
{
    uint32_t name = map->name.at[i];
    if (name & 1)
        buf_printf(out, "axis.%u", name >> 1);
    else
        buf_puts(out, map->maker->axes->name.at[name >> 1]);
}

static int by_text(const void *a, const void *b)
{
    const struct buf *x = a, *y = b;
    return strcmp(buf_text(x), buf_text(y));
}

// Appends the axes as a set, sorted.
static void put_axes(struct axis_map *map, struct axis_set set, struct buf *out)
{
    VEC(struct buf) text = {0};
    for (uint32_t bit = 0; bit < PROOF_FORMULA_AXES; bit++)
        if (axis_set_has(set, bit)) {
            struct buf name = {0};
            put_axis(map, meet(map, bit), &name);
            vec_push(&text, name);
        }
    if (text.len > 0)
        qsort(text.at, text.len, sizeof *text.at, by_text);
    for (uint32_t i = 0; i < text.len; i++) {
        buf_putc(out, i == 0 ? '{' : ',');
        buf_puts(out, buf_text(&text.at[i]));
        buf_release(&text.at[i]);
    }
    buf_puts(out, text.len > 0 ? "}" : "");
    vec_release(&text);
}

static uint32_t place(const struct u32_vec *list, uint32_t x)
{
    uint32_t i = 0;
    while (i < list->len && list->at[i] != x)
        i++;
    return i;
}

static bool is_constant(const struct fterms *terms, fterm term)
{
    const char *name = fterm_name(terms, term);
    return fterm_n(terms, term) == 0 &&
           (fname_is_number(name, (uint32_t)strlen(name)) || strcmp(name, "true") == 0 ||
            strcmp(name, "false") == 0 || strcmp(name, "pi") == 0);
}

static fterm leaf_image(struct window *window, struct axis_map *map, fterm term)
{
    const struct fterms *store = window->store;
    const char *name = fterm_name(store, term);
    struct fterm_sort sort = map->maker->sorts->at.at[term];
    if (is_constant(store, term))
        return fterm_make(window->terms, name, 0, NULL);
    struct buf text = {0};
    if (sort.sort != SORT_AXES)
        buf_printf(&text, "%s%u.%u", variable_head, map->maker->cost(map->maker->ctx, term),
                   window->leaves.len);
    put_axes(map, sort.axes, &text);
    struct window_leaf leaf = {
        fterm_make_n(window->terms, buf_text(&text), (uint32_t)text.len, 0, NULL), term};
    buf_release(&text);
    vec_push(&window->leaves, leaf);
    return leaf.leaf;
}

static int by_age(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

// Long sums are looked at term by term.
static bool continues(const struct window *window, fterm above, fterm term)
{
    static const char *const ops[] = {"add", "maximum", "minimum"};
    for (uint32_t i = 0; i < sizeof ops / sizeof *ops; i++)
        if (fterm_is(window->store, above, ops[i], 2) && fterm_is(window->store, term, ops[i], 2))
            return true;
    return false;
}

static bool is_sum(const struct fterms *store, fterm term)
{
    return fterm_is(store, term, "add", 2) || fterm_is(store, term, "subtract", 2);
}

// The operators within the budget, from the root, level by level; `window->reached` gets them
// and what they are about, in that order.
static void reach(struct window *window, const struct window_maker *maker, fterm root,
                  uint32_t budget, struct u32_vec *opened)
{
    struct u32_vec above = {0}, terms = {0};
    vec_push(&window->reached, root);
    vec_push(&above, root);
    vec_push(&terms, maker->root_sums);
    for (uint32_t i = 0; i < window->reached.len; i++) {
        fterm term = window->reached.at[i];
        if (fterm_n(window->store, term) == 0 || opened->len == budget ||
            (i > 0 && (maker->closed(maker->ctx, term) || (maker->short_sums && terms.at[i] == 0 &&
                                                           continues(window, above.at[i], term)))))
            continue;
        bool counts = terms.at[i] > 0 && is_sum(window->store, term);
        vec_push(opened, term);
        for (uint32_t k = 0; k < fterm_n(window->store, term); k++) {
            fterm arg = fterm_args(window->store, term)[k];
            if (place(&window->reached, arg) == window->reached.len) {
                vec_push(&window->reached, arg);
                vec_push(&above, term);
                vec_push(&terms, counts ? terms.at[i] - 1 : 0);
            }
        }
    }
    vec_release(&above);
    vec_release(&terms);
}

static void build(struct window *window, const struct u32_vec *opened)
{
    struct u32_vec args = {0};
    for (uint32_t i = 0; i < opened->len; i++) {
        fterm term = opened->at[i];
        vec_clear(&args);
        for (uint32_t k = 0; k < fterm_n(window->store, term); k++)
            vec_push(&args,
                     window->image.at[place(&window->reached, fterm_args(window->store, term)[k])]);
        window->image.at[place(&window->reached, term)] =
            fterm_make(window->terms, fterm_name(window->store, term), args.len, args.at);
    }
    vec_release(&args);
}

bool part_window_make(struct window *window, const struct window_maker *maker, fterm root,
                      uint32_t budget)
{
    *window = (struct window){.terms = maker->terms, .store = maker->store};
    struct axis_map map = {.maker = maker};
    struct u32_vec opened = {0};
    reach(window, maker, root, budget, &opened);
    bool ok = fsorts_add_all(maker->sorts, root);
    for (uint32_t i = 0; ok && i < window->reached.len; i++) {
        fterm term = window->reached.at[i];
        bool is_open = place(&opened, term) < opened.len;
        vec_push(&window->image, is_open ? NO_FTERM : leaf_image(window, &map, term));
    }
    if (ok) { // arguments first
        qsort(opened.at, opened.len, sizeof *opened.at, by_age);
        build(window, &opened);
        window->root = window->image.at[0];
    }
    vec_release(&opened);
    vec_release(&map.met);
    vec_release(&map.name);
    return ok;
}

static fterm condition(const struct window *window, fterm cond, uint32_t depth, bool *about)
{
    uint32_t i = place(&window->reached, cond), n = fterm_n(window->store, cond);
    if (i < window->reached.len) {
        *about |= !is_constant(window->store, cond);
        return window->image.at[i];
    }
    if (n == 0)
        return is_constant(window->store, cond)
                   ? fterm_make(window->terms, fterm_name(window->store, cond), 0, NULL)
                   : NO_FTERM;
    if (depth == 0)
        return NO_FTERM;
    struct u32_vec args = {0};
    fterm out = NO_FTERM;
    for (uint32_t k = 0; k < n; k++) {
        fterm arg = condition(window, fterm_args(window->store, cond)[k], depth - 1, about);
        if (arg == NO_FTERM)
            break;
        vec_push(&args, arg);
    }
    if (args.len == n)
        out = fterm_make(window->terms, fterm_name(window->store, cond), n, args.at);
    vec_release(&args);
    return out;
}

fterm part_window_condition(const struct window *window, fterm cond)
{
    bool about = false;
    fterm out = condition(window, cond, SIMPLIFY_CONDITION_DEPTH, &about);
    return about ? out : NO_FTERM;
}

fterm part_window_meaning(const struct window *window, struct fterms *store, fterm term)
{
    struct u32_vec all = {0}, made = {0}, args = {0};
    fterm out = NO_FTERM;
    fterms_reach(window->terms, 1, &term, &all);
    vec_zero(&made, term + 1u);
    for (uint32_t i = 0; i < all.len; i++) {
        const char *name = fterm_name(window->terms, all.at[i]);
        uint32_t n = fterm_n(window->terms, all.at[i]), len = (uint32_t)strlen(name);
        vec_clear(&args);
        for (uint32_t k = 0; k < n; k++)
            vec_push(&args, made.at[fterm_args(window->terms, all.at[i])[k]]);
        out = n == 0 ? part_window_leaf_part(window, name, len) : NO_FTERM;
        if (out == NO_FTERM && n == 0 && !is_constant(window->terms, all.at[i]))
            break;
        if (out == NO_FTERM)
            out = fterm_make_n(store, name, len, n, args.at);
        made.at[all.at[i]] = out;
    }
    vec_release(&all);
    vec_release(&made);
    vec_release(&args);
    return out;
}

fterm part_window_leaf_part(const struct window *window, const char *name, uint32_t len)
{
    for (uint32_t i = 0; i < window->leaves.len; i++) {
        const char *text = fterm_name(window->terms, window->leaves.at[i].leaf);
        if (strlen(text) == len && memcmp(text, name, len) == 0)
            return window->leaves.at[i].part;
    }
    return NO_FTERM;
}
