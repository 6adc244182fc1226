// SPDX-License-Identifier: Apache-2.0
// Index notation of elements at computed places, and of reshapes.
#include "rules/describe/meaning.h"
#include "rules/language/print/print.h"

static const struct iexp *arg_size(struct subscripts s, const struct pat *p,
                                   uint32_t k, uint32_t cls)
{
    return meaning_size(&s.r->pats[p->args[k]], cls);
}

// "clamp(START, 0, n - m)"; size NULL: one element.
static void clamped(struct subscripts s, const char *start,
                    const struct iexp *n, const struct iexp *size,
                    struct buf *out)
{
    buf_printf(out, "clamp(%s, 0, ", start);
    iexp_print(s.r, n, out);
    buf_puts(out, " - ");
    if (size)
        meaning_factor(s.r, size, out);
    else
        buf_putc(out, '1');
    buf_putc(out, ')');
}

static const char *start_text(struct subscripts s, const struct pat *p,
                              uint32_t cls)
{
    const struct iexp *start = meaning_attr(p, cls, 0);
    struct buf b = {0};
    if (start)
        iexp_print(s.r, start, &b);
    else
        buf_putc(&b, '0');
    return meaning_keep(s, &b);
}

void gather_meaning(struct subscripts s, const struct pat *p,
                    enum context where, struct buf *out)
{
    struct subscripts in = meaning_copy(s);
    struct buf place = {0}, b = {0};
    uint32_t axis = 0;
    while (!(p->classes >> axis & 1))
        axis++;
    const struct iexp *size = meaning_attr(p, axis, 0);
    meaning_arg(s, p, 1, OUTER, &place);
    clamped(s, buf_text(&place), arg_size(s, p, 0, axis), size, &b);
    if (size)
        buf_printf(&b, " + %s", s.at[axis]);
    in.at[axis] = meaning_keep(s, &b);
    buf_release(&place);
    meaning_arg(in, p, 0, where, out);
}

// An axis that is taken whole starts at 0 whatever the start says.
void dynamic_slice_meaning(struct subscripts s, const struct pat *p,
                           enum context where, struct buf *out)
{
    struct subscripts in = meaning_copy(s);
    for (uint32_t c = 0; c < s.r->n_classes; c++) {
        const struct iexp *size = meaning_attr(p, c, 1);
        if (!s.at[c] || !size || meaning_is(meaning_attr(p, c, 0), 0) ||
            iexp_equal(size, arg_size(s, p, 0, c)))
            continue;
        struct buf b = {0};
        clamped(s, start_text(s, p, c), arg_size(s, p, 0, c), size, &b);
        buf_printf(&b, " + %s", s.at[c]);
        in.at[c] = meaning_keep(s, &b);
    }
    meaning_arg(in, p, 0, where, out);
}

void dynamic_update_meaning(struct subscripts s, const struct pat *p,
                            enum context where, struct buf *out)
{
    struct subscripts in = meaning_copy(s);
    struct buf guard = {0};
    for (uint32_t c = 0; c < s.r->n_classes; c++) {
        const struct iexp *n = arg_size(s, p, 0, c), *m = arg_size(s, p, 1, c);
        if (!s.at[c] || iexp_equal(n, m))
            continue;
        struct buf b = {0};
        buf_puts(&b, s.at[c]);
        if (!meaning_is(meaning_attr(p, c, 0), 0)) {
            buf_puts(&b, " - ");
            clamped(s, start_text(s, p, c), n, m, &b);
        }
        in.at[c] = meaning_keep(s, &b);
        buf_printf(&guard, "%s%s is in 0..", guard.len ? " and " : "",
                   in.at[c]);
        meaning_factor(s.r, m, &guard);
        buf_puts(&guard, "-1");
    }
    if (!guard.len) {
        meaning_arg(s, p, 1, where, out);
        return;
    }
    meaning_open(where, out);
    buf_printf(out, "if %s then ", buf_text(&guard));
    meaning_arg(in, p, 1, INNER, out);
    buf_puts(out, " else ");
    meaning_arg(s, p, 0, INNER, out);
    meaning_close(where, out);
    buf_release(&guard);
}

// The place in the block: ((i_x)*m + i_y)*k + ..
static const char *place_in_block(struct subscripts s,
                                  const struct reshape_group *g)
{
    struct buf flat = {0};
    for (uint32_t i = 0; i < g->n_to; i++) {
        const char *index = s.at[g->to[i].cls];
        if (i == 0) {
            buf_puts(&flat, index);
            continue;
        }
        struct buf b = {0};
        meaning_index(buf_text(&flat), &b);
        buf_putc(&b, '*');
        meaning_factor(s.r, g->to[i].size, &b);
        buf_puts(&b, " + ");
        meaning_index(index, &b);
        buf_release(&flat);
        flat = b;
    }
    return meaning_keep(s, &flat);
}

// Class i on the left of the group has index mod(div(flat, rest), n), where
// rest is the product of the sizes behind it.
static void from_block(struct subscripts in, const struct pat *p,
                       const struct reshape_group *g, uint32_t i,
                       const char *flat)
{
    struct buf rest = {0}, b = {0};
    for (uint32_t k = i + 1; k < g->n_from; k++) {
        buf_puts(&rest, k > i + 1 ? "*" : "");
        meaning_factor(in.r, arg_size(in, p, 0, g->from[k]), &rest);
    }
    if (g->n_to == 0 || g->n_from == 1)
        buf_puts(&b, g->n_to ? flat : "0");
    else if (i == 0)
        buf_printf(&b, "div(%s, %s)", flat, buf_text(&rest));
    else {
        if (rest.len)
            buf_printf(&b, "mod(div(%s, %s), ", flat, buf_text(&rest));
        else
            buf_printf(&b, "mod(%s, ", flat);
        iexp_print(in.r, arg_size(in, p, 0, g->from[i]), &b);
        buf_putc(&b, ')');
    }
    buf_release(&rest);
    in.at[g->from[i]] = meaning_keep(in, &b);
}

void reshape_meaning(struct subscripts s, const struct pat *p,
                     enum context where, struct buf *out)
{
    struct subscripts in = meaning_copy(s);
    for (uint32_t k = 0; k < p->n_groups; k++) {
        const struct reshape_group *g = &p->groups[k];
        const char *flat = place_in_block(s, g);
        for (uint32_t i = 0; i < g->n_from; i++)
            from_block(in, p, g, i, flat);
    }
    meaning_arg(in, p, 0, where, out);
}
