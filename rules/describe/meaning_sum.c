// SPDX-License-Identifier: Apache-2.0
// Index notation of sums: "add over j_k < n of A[i_x, j_k] * B[j_k, i_y]".
#include "rules/describe/meaning.h"

static const char *reducer_name(struct subscripts s, const struct pat *p)
{
    return p->opvar != NONE ? s.r->opvars[p->opvar].name : op_name(p->reducer);
}

// "j_x < n" for each class of the set; the indices go to `in`.
static void bound_indices(struct subscripts in, uint64_t classes,
                          const struct pat *sized, struct buf *out)
{
    const char *sep = "";
    for (uint32_t c = 0; c < in.r->n_classes; c++) {
        if (!(classes >> c & 1))
            continue;
        in.at[c] = meaning_name(in, 'j', c);
        buf_printf(out, "%s%s < ", sep, in.at[c]);
        iexp_print(in.r, meaning_size(sized, c), out);
        sep = ", ";
    }
}

void reduce_meaning(struct subscripts s, const struct pat *p,
                    enum context where, struct buf *out)
{
    struct subscripts in = meaning_copy(s);
    meaning_open(where, out);
    buf_printf(out, "%s ", reducer_name(s, p));
    if (p->n_args == 2) {
        buf_puts(out, "from ");
        meaning_arg(s, p, 1, INNER, out);
        buf_putc(out, ' ');
    }
    buf_puts(out, "over ");
    bound_indices(in, p->classes, &s.r->pats[p->args[0]], out);
    buf_puts(out, " of ");
    meaning_arg(in, p, 0, OUTER, out);
    meaning_close(where, out);
}

void dot_meaning(struct subscripts s, const struct pat *p, enum context where,
                 struct buf *out)
{
    struct subscripts in = meaning_copy(s);
    meaning_open(where, out);
    if (p->classes) {
        buf_puts(out, "add over ");
        bound_indices(in, p->classes, &s.r->pats[p->args[0]], out);
        buf_puts(out, " of ");
    }
    meaning_arg(in, p, 0, INNER, out);
    buf_puts(out, " * ");
    meaning_arg(in, p, 1, INNER, out);
    meaning_close(where, out);
}

// ---- windows ----

static void scaled(struct subscripts s, const char *index,
                   const struct iexp *by, struct buf *out)
{
    if (meaning_is(by, 1)) {
        buf_puts(out, index);
        return;
    }
    meaning_index(index, out);
    buf_putc(out, '*');
    meaning_factor(s.r, by, out);
}

// Where place k (NULL: 0) of window i lies on an axis of n elements; `guard`
// gets what says that there is an element.  v: stride, low, high, dilation,
// window dilation.
static const char *window_place(struct subscripts s, const char *i,
                                const char *k, const struct iexp *n,
                                const struct iexp *const v[5],
                                struct buf *guard)
{
    struct buf b = {0};
    scaled(s, i, v[0], &b);
    if (k) {
        buf_puts(&b, " + ");
        scaled(s, k, v[4], &b);
    }
    if (!meaning_is(v[1], 0)) {
        buf_puts(&b, " - ");
        meaning_factor(s.r, v[1], &b);
    }
    bool whole = meaning_is(v[3], 1);
    if (!whole) {
        struct buf d = {0};
        meaning_index(buf_text(&b), &d);
        buf_putc(&d, '/');
        meaning_factor(s.r, v[3], &d);
        buf_release(&b);
        b = d;
    }
    const char *place = meaning_keep(s, &b);
    if (whole && meaning_is(v[1], 0) && meaning_is(v[2], 0))
        return place;
    buf_printf(guard, "%s%s %s in 0..", guard->len ? " and " : "", place,
               whole ? "is" : "is whole and");
    meaning_factor(s.r, n, guard);
    buf_puts(guard, "-1");
    return place;
}

static void attrs_of(const struct pat *p, uint32_t cls, int from,
                     const struct iexp *v[5])
{
    for (int k = 0; k < 5; k++)
        v[k] = meaning_attr(p, cls, from + k);
}

// "div(i_o, div(no, g))*each": where the group of this output feature begins.
static void group_start(struct subscripts s, const struct pat *p,
                        const struct iexp *groups, const char *each,
                        struct buf *out)
{
    uint32_t o = 0;
    while (!(p->out >> o & 1))
        o++;
    buf_printf(out, "div(%s, div(", s.at[o]);
    iexp_print(s.r, meaning_size(&s.r->pats[p->args[1]], o), out);
    buf_puts(out, ", ");
    iexp_print(s.r, groups, out);
    buf_printf(out, "))*%s + ", each);
}

static void group_indices(struct subscripts s, const struct pat *p,
                          struct subscripts in)
{
    for (uint32_t c = 0; c < s.r->n_classes; c++) {
        struct buf each = {0}, b = {0};
        if (p->feature_groups && p->classes >> c & 1) {
            meaning_factor(s.r, meaning_size(&s.r->pats[p->args[1]], c), &each);
            group_start(s, p, p->feature_groups, buf_text(&each), &b);
        } else if (p->batch_groups && p->batch >> c & 1) {
            iexp_print(s.r, meaning_size(p, c), &each); // div(.., ..)
            group_start(s, p, p->batch_groups, buf_text(&each), &b);
        }
        if (b.len)
            buf_puts(&b, in.at[c]);
        buf_release(&each);
        if (b.len)
            in.at[c] = meaning_keep(s, &b);
        else
            buf_release(&b);
    }
}

// `if GUARD then A[..] else PADDING`; the padding is argument 1, or `text`.
static void padded_value(struct subscripts in, const struct pat *p,
                         struct buf *guard, const char *text,
                         enum context where, struct buf *out)
{
    if (!guard->len) {
        meaning_arg(in, p, 0, where, out);
        return;
    }
    meaning_open(where, out);
    buf_printf(out, "if %s then ", buf_text(guard));
    meaning_arg(in, p, 0, INNER, out);
    buf_printf(out, " else %s", text);
    meaning_close(where, out);
    buf_release(guard);
}

void conv_meaning(struct subscripts s, const struct pat *p, enum context where,
                  struct buf *out)
{
    struct subscripts kernel = meaning_copy(s), in;
    const struct pat *a = &s.r->pats[p->args[0]], *k = &s.r->pats[p->args[1]];
    struct buf guard = {0};
    meaning_open(where, out);
    buf_puts(out, "add over ");
    bound_indices(kernel, p->classes | p->spatial, k, out);
    buf_puts(out, " of ");
    in = meaning_copy(kernel);
    for (uint32_t c = 0; c < s.r->n_classes; c++) {
        const struct iexp *v[5];
        if (!(p->spatial >> c & 1))
            continue;
        attrs_of(p, c, 0, v);
        in.at[c] = window_place(s, s.at[c], kernel.at[c], meaning_size(a, c), v,
                                &guard);
        if (p->flipped >> c & 1) {
            struct buf b = {0};
            meaning_factor(s.r, meaning_size(k, c), &b);
            buf_printf(&b, " - 1 - %s", kernel.at[c]);
            kernel.at[c] = meaning_keep(s, &b);
        }
    }
    group_indices(s, p, in);
    padded_value(in, p, &guard, "0", INNER, out);
    buf_puts(out, " * ");
    meaning_arg(kernel, p, 1, INNER, out);
    meaning_close(where, out);
}

void window_meaning(struct subscripts s, const struct pat *p,
                    enum context where, struct buf *out)
{
    struct subscripts in = meaning_copy(s);
    const struct pat *a = &s.r->pats[p->args[0]];
    struct buf guard = {0}, start = {0}, over = {0};
    for (uint32_t i = 0; i < p->n_attrs; i++) {
        uint32_t c = p->attrs[i].cls;
        const struct iexp *v[5], *size = p->attrs[i].v[0];
        const char *k = NULL;
        attrs_of(p, c, 1, v);
        if (!meaning_is(size, 1)) {
            k = meaning_name(in, 'j', c);
            buf_printf(&over, "%s%s < ", over.len ? ", " : "", k);
            iexp_print(s.r, size, &over);
        }
        in.at[c] = window_place(s, s.at[c], k, meaning_size(a, c), v, &guard);
    }
    if (p->n_args == 2)
        meaning_arg(s, p, 1, INNER, &start);
    else
        buf_printf(&start, "unit(%s)", reducer_name(s, p));
    meaning_open(where, out);
    buf_printf(out, "%s ", reducer_name(s, p));
    if (p->n_args == 2)
        buf_printf(out, "from %s ", buf_text(&start));
    if (over.len)
        buf_printf(out, "over %s ", buf_text(&over));
    buf_puts(out, "of ");
    padded_value(in, p, &guard, buf_text(&start), OUTER, out);
    meaning_close(where, out);
    buf_release(&start);
    buf_release(&over);
}

// "add from A[i_a] over j_x < m where I[j_x] == i_a of U[j_x]"
void scatter_meaning(struct subscripts s, const struct pat *p,
                     enum context where, struct buf *out)
{
    struct subscripts in = meaning_copy(s);
    const struct pat *places = &s.r->pats[p->args[1]];
    uint64_t over = 0;
    uint32_t axis = 0;
    while (!(p->classes >> axis & 1))
        axis++;
    for (uint32_t i = 0; i < places->n_sizes; i++)
        over |= UINT64_C(1) << places->sizes[i].cls;
    over &= ~p->batch;
    meaning_open(where, out);
    buf_printf(out, "%s from ", reducer_name(s, p));
    meaning_arg(s, p, 0, INNER, out);
    if (over) {
        buf_puts(out, " over ");
        bound_indices(in, over, places, out);
    }
    buf_puts(out, " where ");
    meaning_arg(in, p, 1, INNER, out);
    buf_printf(out, " == %s of ", s.at[axis]);
    meaning_arg(in, p, 2, OUTER, out);
    meaning_close(where, out);
}
