// SPDX-License-Identifier: Apache-2.0
#include "proof/kernel/claim.h"

#include <inttypes.h>

// Prefix order: `p N` and N terms; a term is a coefficient, a degree and its atoms; an atom is
// `s NAME` or the number of its kind and two polynomials.
static void poly_words(const struct integers *in, ipoly a, struct buf *out)
{
    buf_printf(out, " p %" PRIu32, int_length(in, a));
    for (uint32_t i = 0; i < int_length(in, a); i++) {
        struct iterm term = int_term(in, a, i);
        uint32_t degree = int_degree(in, (imono)term.mono);
        buf_printf(out, " %" PRId64 " %" PRIu32, term.coefficient, degree);
        for (uint32_t k = 0; k < degree; k++) {
            iatom atom = int_factor(in, (imono)term.mono, k);
            struct iatom_node node = int_atom(in, atom);
            if (node.kind == INT_SYMBOL) {
                buf_printf(out, " s %s", int_atom_name(in, atom));
                continue;
            }
            buf_printf(out, " %" PRIu32, node.kind);
            poly_words(in, node.a, out);
            poly_words(in, node.b, out);
        }
    }
}

// `t KIND NUMBER N` and N arguments; numbers and reasons are texts behind `n`.
static void term_words(const struct lterms *terms, lterm term, struct buf *out)
{
    enum lterm_kind kind = lterm_kind(terms, term);
    uint32_t n = lterm_n(terms, term), number = lterm_number(terms, term);
    if (kind == LT_NUMBER) {
        buf_printf(out, " n %s", intern_text(&terms->names, number));
        return;
    }
    if (kind == LT_UNDEFINED) { // nothing is claimed
        buf_puts(out, " u");
        return;
    }
    buf_printf(out, " t %d %" PRIu32 " %" PRIu32, (int)kind, number, n);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t arg = lterm_arg(terms, term, i);
        if (kind == LT_APPLY || (kind == LT_CHOOSE && i) || (kind == LT_REDUCE && i == 1))
            term_words(terms, arg, out);
        else
            poly_words(terms->in, arg, out);
    }
}

// The polynomial over member'k.
static ipoly over_members(struct integers *in, const struct output *o, ipoly a)
{
    iatom from[OUTPUT_MEMBERS];
    ipoly to[OUTPUT_MEMBERS];
    for (uint32_t i = 0; i < o->n_members; i++) {
        struct buf name = {0};
        buf_printf(&name, "member'%" PRIu32, i);
        int_is_atom(in, o->member[i], &from[i]);
        to[i] = int_symbol(in, buf_text(&name));
        buf_release(&name);
    }
    struct int_substitution by = {o->n_members, from, to};
    return int_substitute(in, a, &by);
}

static void axes_print(struct lifting *l, const struct lifted *lifted, struct buf *out)
{
    const struct output *o = &lifted->output;
    for (uint32_t d = 0; d < o->n_axes; d++) {
        buf_puts(out, "index");
        poly_words(&l->in, over_members(&l->in, o, o->index[d]), out);
        poly_words(&l->in, o->stride[d], out);
        buf_putc(out, '\n');
    }
    for (uint32_t i = 0; i < o->n_members; i++) {
        buf_puts(out, "witness");
        poly_words(&l->in, o->witness[i], out);
        buf_putc(out, '\n');
    }
    for (uint32_t i = 0; i < lifted->written.axis.len; i++) {
        buf_printf(out, "axis %s", lifted->written.axis.at[i].name);
        poly_words(&l->in, lifted->written.axis.at[i].size, out);
        buf_putc(out, '\n');
    }
}

static void tensor_print(struct lifting *l, const struct written_tensor *t, struct buf *out)
{
    buf_printf(out, "tensor %s %" PRIu32, t->name, t->array);
    poly_words(&l->in, t->base, out);
    buf_printf(out, " %" PRIu32, t->n);
    for (uint32_t i = 0; i < t->n; i++) {
        buf_printf(out, " %" PRIu32, t->axis[i]);
        poly_words(&l->in, t->stride[i], out);
    }
    buf_putc(out, '\n');
}

static void output_print(struct lifting *l, const struct lifted *lifted, struct buf *out)
{
    const struct output *o = &lifted->output;
    uint32_t which = (uint32_t)(o->statement - l->s.program->statement.at);
    buf_printf(out, "output %" PRIu32 " %" PRIu32 " %" PRIu32, which, o->n_members, o->n_axes);
    poly_words(&l->in, o->base, out);
    buf_putc(out, '\n');
    axes_print(l, lifted, out);
    for (uint32_t i = 0; i < lifted->written.tensor.len; i++)
        tensor_print(l, &lifted->written.tensor.at[i], out);
    buf_printf(out, "formula %s\n", buf_text(&lifted->written.text));
}

void claim_print(struct lifting *l, struct buf *out)
{
    for (uint32_t i = 0; i < l->s.program->carried.len; i++) {
        const struct closed *closed = &l->s.closed.at[i];
        if (closed->kind != CLOSED_FORM)
            continue;
        buf_printf(out, "closed %" PRIu32 " %d", i, closed->from);
        term_words(&l->terms, closed->form, out);
        buf_putc(out, '\n');
    }
    for (uint32_t i = 0; i < l->outputs.len; i++)
        if (!l->outputs.at[i].output.reason)
            output_print(l, &l->outputs.at[i], out);
}
