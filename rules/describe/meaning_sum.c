// SPDX-License-Identifier: Apache-2.0
// Index notation of sums: "add over j_k < n of A[i_x, j_k] * B[j_k, i_y]".
#include "rules/describe/meaning.h"
#include "rules/attributes.h"

static const char *reducer_name(struct subscripts subscripts, const struct pat *pattern)
{
    return pattern->opvar != NONE ? subscripts.rule->opvars[pattern->opvar].name
                                  : op_name(pattern->reducer);
}

// Writes "j_x < n" for each class of the set.  The indices become those of `in`.
static void bound_indices(struct subscripts in, uint64_t classes, const struct pat *sized,
                          struct buf *out)
{
    const char *sep = "";
    for (uint32_t c = 0; c < in.rule->n_classes; c++) {
        if (!(classes >> c & 1))
            continue;
        in.at[c] = meaning_name(in, 'j', c);
        buf_printf(out, "%s%s < ", sep, in.at[c]);
        iexp_print(in.rule, meaning_size(sized, c), out);
        sep = ", ";
    }
}

void reduce_meaning(struct subscripts subscripts, const struct pat *pattern, enum context where,
                    struct buf *out)
{
    struct subscripts in = meaning_copy(subscripts);
    meaning_open(where, out);
    buf_printf(out, "%s ", reducer_name(subscripts, pattern));
    if (pattern->n_args == 2) {
        buf_puts(out, "from ");
        meaning_arg(subscripts, pattern, 1, INNER, out);
        buf_putc(out, ' ');
    }
    buf_puts(out, "over ");
    bound_indices(in, pattern->classes, &subscripts.rule->pats[pattern->args[0]], out);
    buf_puts(out, " of ");
    meaning_arg(in, pattern, 0, OUTER, out);
    meaning_close(where, out);
}

void dot_meaning(struct subscripts subscripts, const struct pat *pattern, enum context where,
                 struct buf *out)
{
    struct subscripts in = meaning_copy(subscripts);
    meaning_open(where, out);
    if (pattern->classes) {
        buf_puts(out, "add over ");
        bound_indices(in, pattern->classes, &subscripts.rule->pats[pattern->args[0]], out);
        buf_puts(out, " of ");
    }
    meaning_arg(in, pattern, 0, INNER, out);
    buf_puts(out, " * ");
    meaning_arg(in, pattern, 1, INNER, out);
    meaning_close(where, out);
}

// ---- windows ----

static void scaled(struct subscripts subscripts, const char *index, const struct iexp *by,
                   struct buf *out)
{
    if (meaning_is(by, 1)) {
        buf_puts(out, index);
        return;
    }
    meaning_index(index, out);
    buf_putc(out, '*');
    meaning_factor(subscripts.rule, by, out);
}

// The index of place k (NULL: 0) of window i on an axis of n elements.  `guard` gets
// the condition that an element is there.  v: stride, low, high, dilation, window
// dilation.
static const char *window_place(struct subscripts subscripts, const char *i, const char *k,
                                const struct iexp *n, const struct iexp *const v[5],
                                struct buf *guard)
{
    struct buf buf = {0};
    scaled(subscripts, i, v[0], &buf);
    if (k) {
        buf_puts(&buf, " + ");
        scaled(subscripts, k, v[4], &buf);
    }
    if (!meaning_is(v[1], 0)) {
        buf_puts(&buf, " - ");
        meaning_factor(subscripts.rule, v[1], &buf);
    }
    bool whole = meaning_is(v[3], 1);
    if (!whole) {
        struct buf d = {0};
        meaning_index(buf_text(&buf), &d);
        buf_putc(&d, '/');
        meaning_factor(subscripts.rule, v[3], &d);
        buf_release(&buf);
        buf = d;
    }
    const char *place = meaning_keep(subscripts, &buf);
    if (whole && meaning_is(v[1], 0) && meaning_is(v[2], 0))
        return place;
    buf_printf(guard, "%s%s %s in 0..", guard->len ? " and " : "", place,
               whole ? "is" : "is whole and");
    meaning_factor(subscripts.rule, n, guard);
    buf_puts(guard, "-1");
    return place;
}

static void attrs_of(const struct pat *pattern, uint32_t cls, uint32_t from,
                     const struct iexp *expr[5])
{
    for (uint32_t k = 0; k < 5; k++)
        expr[k] = attribute_given(pattern, cls, from + k);
}

// "div(i_o, div(no, g))*each": the first index of this output feature's group.
static void group_start(struct subscripts subscripts, const struct pat *pattern,
                        const struct iexp *groups, const char *each, struct buf *out)
{
    uint32_t o = 0;
    while (!(pattern->out >> o & 1))
        o++;
    buf_printf(out, "div(%s, div(", subscripts.at[o]);
    iexp_print(subscripts.rule, meaning_size(&subscripts.rule->pats[pattern->args[1]], o), out);
    buf_puts(out, ", ");
    iexp_print(subscripts.rule, groups, out);
    buf_printf(out, "))*%s + ", each);
}

static void group_indices(struct subscripts subscripts, const struct pat *pattern,
                          struct subscripts in)
{
    for (uint32_t c = 0; c < subscripts.rule->n_classes; c++) {
        struct buf each = {0}, buf = {0};
        if (pattern->feature_groups && pattern->classes >> c & 1) {
            meaning_factor(subscripts.rule,
                           meaning_size(&subscripts.rule->pats[pattern->args[1]], c), &each);
            group_start(subscripts, pattern, pattern->feature_groups, buf_text(&each), &buf);
        } else if (pattern->batch_groups && pattern->batch >> c & 1) {
            iexp_print(subscripts.rule, meaning_size(pattern, c), &each); // div(.., ..)
            group_start(subscripts, pattern, pattern->batch_groups, buf_text(&each), &buf);
        }
        if (buf.len)
            buf_puts(&buf, in.at[c]);
        buf_release(&each);
        if (buf.len)
            in.at[c] = meaning_keep(subscripts, &buf);
        else
            buf_release(&buf);
    }
}

// `if GUARD then A[..] else PADDING`; the padding is argument 1, or `text`.
static void padded_value(struct subscripts in, const struct pat *pattern, struct buf *guard,
                         const char *text, enum context where, struct buf *out)
{
    if (!guard->len) {
        meaning_arg(in, pattern, 0, where, out);
        return;
    }
    meaning_open(where, out);
    buf_printf(out, "if %s then ", buf_text(guard));
    meaning_arg(in, pattern, 0, INNER, out);
    buf_printf(out, " else %s", text);
    meaning_close(where, out);
    buf_release(guard);
}

void conv_meaning(struct subscripts subscripts, const struct pat *pattern, enum context where,
                  struct buf *out)
{
    struct subscripts kernel = meaning_copy(subscripts), in;
    const struct pat *a = &subscripts.rule->pats[pattern->args[0]],
                     *k = &subscripts.rule->pats[pattern->args[1]];
    struct buf guard = {0};
    meaning_open(where, out);
    buf_puts(out, "add over ");
    bound_indices(kernel, pattern->classes | pattern->spatial, k, out);
    buf_puts(out, " of ");
    in = meaning_copy(kernel);
    for (uint32_t c = 0; c < subscripts.rule->n_classes; c++) {
        const struct iexp *expr[5];
        if (!(pattern->spatial >> c & 1))
            continue;
        attrs_of(pattern, c, 0, expr);
        in.at[c] = window_place(subscripts, subscripts.at[c], kernel.at[c], meaning_size(a, c),
                                expr, &guard);
        if (pattern->flipped >> c & 1) {
            struct buf buf = {0};
            meaning_factor(subscripts.rule, meaning_size(k, c), &buf);
            buf_printf(&buf, " - 1 - %s", kernel.at[c]);
            kernel.at[c] = meaning_keep(subscripts, &buf);
        }
    }
    group_indices(subscripts, pattern, in);
    padded_value(in, pattern, &guard, "0", INNER, out);
    buf_puts(out, " * ");
    meaning_arg(kernel, pattern, 1, INNER, out);
    meaning_close(where, out);
}

void window_meaning(struct subscripts subscripts, const struct pat *pattern, enum context where,
                    struct buf *out)
{
    struct subscripts in = meaning_copy(subscripts);
    const struct pat *a = &subscripts.rule->pats[pattern->args[0]];
    struct buf guard = {0}, start = {0}, over = {0};
    for (uint32_t i = 0; i < pattern->n_attrs; i++) {
        uint32_t c = pattern->attrs[i].cls;
        const struct iexp *expr[5], *size = pattern->attrs[i].expr[0];
        const char *text = NULL;
        attrs_of(pattern, c, 1, expr);
        if (!meaning_is(size, 1)) {
            text = meaning_name(in, 'j', c);
            buf_printf(&over, "%s%s < ", over.len ? ", " : "", text);
            iexp_print(subscripts.rule, size, &over);
        }
        in.at[c] =
            window_place(subscripts, subscripts.at[c], text, meaning_size(a, c), expr, &guard);
    }
    if (pattern->n_args == 2)
        meaning_arg(subscripts, pattern, 1, INNER, &start);
    else
        buf_printf(&start, "unit(%s)", reducer_name(subscripts, pattern));
    meaning_open(where, out);
    buf_printf(out, "%s ", reducer_name(subscripts, pattern));
    if (pattern->n_args == 2)
        buf_printf(out, "from %s ", buf_text(&start));
    if (over.len)
        buf_printf(out, "over %s ", buf_text(&over));
    buf_puts(out, "of ");
    padded_value(in, pattern, &guard, buf_text(&start), OUTER, out);
    meaning_close(where, out);
    buf_release(&start);
    buf_release(&over);
}

// "add from A[i_a] over j_x < m where I[j_x] == i_a of U[j_x]"
void scatter_meaning(struct subscripts subscripts, const struct pat *pattern, enum context where,
                     struct buf *out)
{
    struct subscripts in = meaning_copy(subscripts);
    const struct pat *places = &subscripts.rule->pats[pattern->args[1]];
    uint64_t over = 0;
    uint32_t axis = 0;
    while (!(pattern->classes >> axis & 1))
        axis++;
    for (uint32_t i = 0; i < places->n_sizes; i++)
        over |= UINT64_C(1) << places->sizes[i].cls;
    over &= ~pattern->batch;
    meaning_open(where, out);
    buf_printf(out, "%s from ", reducer_name(subscripts, pattern));
    meaning_arg(subscripts, pattern, 0, INNER, out);
    if (over) {
        buf_puts(out, " over ");
        bound_indices(in, over, places, out);
    }
    buf_puts(out, " where ");
    meaning_arg(in, pattern, 1, INNER, out);
    buf_printf(out, " == %s of ", subscripts.at[axis]);
    meaning_arg(in, pattern, 2, OUTER, out);
    meaning_close(where, out);
}
