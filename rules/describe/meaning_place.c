// SPDX-License-Identifier: Apache-2.0
// Index notation of elements at computed places, and of reshapes.
#include "rules/describe/meaning.h"
#include "rules/attributes.h"
#include "rules/language/print/print.h"

static const struct iexp *arg_size(struct subscripts subscripts, const struct pat *pattern,
                                   uint32_t k, uint32_t cls)
{
    return meaning_size(&subscripts.rule->pats[pattern->args[k]], cls);
}

// "clamp(START, 0, expr - m)"; size NULL: one element.
static void clamped(struct subscripts subscripts, const char *start, const struct iexp *expr,
                    const struct iexp *size, struct buf *out)
{
    buf_printf(out, "clamp(%s, 0, ", start);
    iexp_print(subscripts.rule, expr, out);
    buf_puts(out, " - ");
    if (size)
        meaning_factor(subscripts.rule, size, out);
    else
        buf_putc(out, '1');
    buf_putc(out, ')');
}

static const char *start_text(struct subscripts subscripts, const struct pat *pattern, uint32_t cls)
{
    const struct iexp *start = attribute_given(pattern, cls, 0);
    struct buf buf = {0};
    if (start)
        iexp_print(subscripts.rule, start, &buf);
    else
        buf_putc(&buf, '0');
    return meaning_keep(subscripts, &buf);
}

void gather_meaning(struct subscripts subscripts, const struct pat *pattern, enum context where,
                    struct buf *out)
{
    struct subscripts in = meaning_copy(subscripts);
    struct buf place = {0}, buf = {0};
    uint32_t axis = 0;
    while (!(pattern->classes >> axis & 1))
        axis++;
    const struct iexp *size = attribute_given(pattern, axis, 0);
    meaning_arg(subscripts, pattern, 1, OUTER, &place);
    clamped(subscripts, buf_text(&place), arg_size(subscripts, pattern, 0, axis), size, &buf);
    if (size)
        buf_printf(&buf, " + %s", subscripts.at[axis]);
    in.at[axis] = meaning_keep(subscripts, &buf);
    buf_release(&place);
    meaning_arg(in, pattern, 0, where, out);
}

// A slice of a whole axis starts at 0 for every start.
void dynamic_slice_meaning(struct subscripts subscripts, const struct pat *pattern,
                           enum context where, struct buf *out)
{
    struct subscripts in = meaning_copy(subscripts);
    for (uint32_t c = 0; c < subscripts.rule->n_classes; c++) {
        const struct iexp *size = attribute_given(pattern, c, 1);
        if (!subscripts.at[c] || !size || meaning_is(attribute_given(pattern, c, 0), 0) ||
            iexp_equal(size, arg_size(subscripts, pattern, 0, c)))
            continue;
        struct buf buf = {0};
        clamped(subscripts, start_text(subscripts, pattern, c), arg_size(subscripts, pattern, 0, c),
                size, &buf);
        buf_printf(&buf, " + %s", subscripts.at[c]);
        in.at[c] = meaning_keep(subscripts, &buf);
    }
    meaning_arg(in, pattern, 0, where, out);
}

void dynamic_update_meaning(struct subscripts subscripts, const struct pat *pattern,
                            enum context where, struct buf *out)
{
    struct subscripts in = meaning_copy(subscripts);
    struct buf guard = {0};
    for (uint32_t c = 0; c < subscripts.rule->n_classes; c++) {
        const struct iexp *expr = arg_size(subscripts, pattern, 0, c),
                          *m = arg_size(subscripts, pattern, 1, c);
        if (!subscripts.at[c] || iexp_equal(expr, m))
            continue;
        struct buf buf = {0};
        buf_puts(&buf, subscripts.at[c]);
        if (!meaning_is(attribute_given(pattern, c, 0), 0)) {
            buf_puts(&buf, " - ");
            clamped(subscripts, start_text(subscripts, pattern, c), expr, m, &buf);
        }
        in.at[c] = meaning_keep(subscripts, &buf);
        buf_printf(&guard, "%s%s is in 0..", guard.len ? " and " : "", in.at[c]);
        meaning_factor(subscripts.rule, m, &guard);
        buf_puts(&guard, "-1");
    }
    if (!guard.len) {
        meaning_arg(subscripts, pattern, 1, where, out);
        return;
    }
    meaning_open(where, out);
    buf_printf(out, "if %s then ", buf_text(&guard));
    meaning_arg(in, pattern, 1, INNER, out);
    buf_puts(out, " else ");
    meaning_arg(subscripts, pattern, 0, INNER, out);
    meaning_close(where, out);
    buf_release(&guard);
}

// The place in the block: ((i_x)*m + i_y)*k + ..
static const char *place_in_block(struct subscripts subscripts, const struct reshape_group *group)
{
    struct buf flat = {0};
    for (uint32_t i = 0; i < group->n_to; i++) {
        const char *index = subscripts.at[group->to[i].cls];
        if (i == 0) {
            buf_puts(&flat, index);
            continue;
        }
        struct buf buf = {0};
        meaning_index(buf_text(&flat), &buf);
        buf_putc(&buf, '*');
        meaning_factor(subscripts.rule, group->to[i].size, &buf);
        buf_puts(&buf, " + ");
        meaning_index(index, &buf);
        buf_release(&flat);
        flat = buf;
    }
    return meaning_keep(subscripts, &flat);
}

// Class i on the left of the group has index mod(div(flat, rest), n), where
// rest is the product of the sizes behind it.
static void from_block(struct subscripts in, const struct pat *pattern,
                       const struct reshape_group *group, uint32_t i, const char *flat)
{
    struct buf rest = {0}, buf = {0};
    for (uint32_t k = i + 1; k < group->n_from; k++) {
        buf_puts(&rest, k > i + 1 ? "*" : "");
        meaning_factor(in.rule, arg_size(in, pattern, 0, group->from[k]), &rest);
    }
    if (group->n_to == 0 || group->n_from == 1)
        buf_puts(&buf, group->n_to ? flat : "0");
    else if (i == 0)
        buf_printf(&buf, "div(%s, %s)", flat, buf_text(&rest));
    else {
        if (rest.len)
            buf_printf(&buf, "mod(div(%s, %s), ", flat, buf_text(&rest));
        else
            buf_printf(&buf, "mod(%s, ", flat);
        iexp_print(in.rule, arg_size(in, pattern, 0, group->from[i]), &buf);
        buf_putc(&buf, ')');
    }
    buf_release(&rest);
    in.at[group->from[i]] = meaning_keep(in, &buf);
}

void reshape_meaning(struct subscripts subscripts, const struct pat *pattern, enum context where,
                     struct buf *out)
{
    struct subscripts in = meaning_copy(subscripts);
    for (uint32_t k = 0; k < pattern->n_groups; k++) {
        const struct reshape_group *group = &pattern->groups[k];
        const char *flat = place_in_block(subscripts, group);
        for (uint32_t i = 0; i < group->n_from; i++)
            from_block(in, pattern, group, i, flat);
    }
    meaning_arg(in, pattern, 0, where, out);
}
