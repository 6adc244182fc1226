// SPDX-License-Identifier: Apache-2.0
#include "loops/terms/term.h"

static void polynomials(const struct lterms *terms, lterm term, uint32_t from, struct buf *out)
{
    for (uint32_t i = from; i < lterm_n(terms, term); i++) {
        buf_puts(out, i > from ? ", " : "");
        int_print(terms->in, lterm_arg(terms, term, i), out);
    }
}

static void reduce_print(const struct lterms *terms, const struct code_program *program, lterm term,
                         struct buf *out)
{
    uint32_t number = lterm_number(terms, term);
    buf_printf(out, "%s[#%u < ", code_op_text(number >> 16), number & 0xffff);
    int_print(terms->in, lterm_arg(terms, term, 0), out);
    for (uint32_t i = 2; i < lterm_n(terms, term); i++) {
        buf_puts(out, ", 0 <= ");
        int_print(terms->in, lterm_arg(terms, term, i), out);
    }
    buf_puts(out, "](");
    lterm_print(terms, program, lterm_arg(terms, term, 1), out);
    buf_putc(out, ')');
}

static void apply_print(const struct lterms *terms, const struct code_program *program, lterm term,
                        struct buf *out)
{
    buf_printf(out, "%s(", code_op_text(lterm_number(terms, term)));
    for (uint32_t i = 0; i < lterm_n(terms, term); i++) {
        buf_puts(out, i ? ", " : "");
        lterm_print(terms, program, lterm_arg(terms, term, i), out);
    }
    buf_putc(out, ')');
}

static void choose_print(const struct lterms *terms, const struct code_program *program, lterm term,
                         struct buf *out)
{
    buf_puts(out, "(0 <= ");
    int_print(terms->in, lterm_arg(terms, term, 0), out);
    buf_puts(out, " ? ");
    lterm_print(terms, program, lterm_arg(terms, term, 1), out);
    buf_puts(out, " : ");
    lterm_print(terms, program, lterm_arg(terms, term, 2), out);
    buf_putc(out, ')');
}

void lterm_print(const struct lterms *terms, const struct code_program *program, lterm term,
                 struct buf *out)
{
    uint32_t number = lterm_number(terms, term);
    switch (lterm_kind(terms, term)) {
    case LT_NUMBER:
        buf_puts(out, intern_text(&terms->names, number));
        return;
    case LT_INFINITE:
        buf_puts(out, number ? "inf" : "-inf");
        return;
    case LT_UNDEFINED:
        buf_printf(out, "undefined(%s)", intern_text(&terms->names, number));
        return;
    case LT_PARAMETER:
        buf_puts(out, code_parameter_name(program, number));
        return;
    case LT_TRUTH:
        buf_puts(out, number ? "true" : "false");
        return;
    case LT_READ:
    case LT_STATE:
        if (lterm_kind(terms, term) == LT_READ)
            buf_puts(out, code_parameter_name(program, number));
        else
            buf_printf(out, "state%u", number);
        buf_putc(out, '[');
        polynomials(terms, term, 0, out);
        buf_putc(out, ']');
        return;
    case LT_INTEGER:
    case LT_WHOLE:
        polynomials(terms, term, 0, out);
        return;
    case LT_APPLY:
        apply_print(terms, program, term, out);
        return;
    case LT_CHOOSE:
        choose_print(terms, program, term, out);
        return;
    case LT_REDUCE:
        reduce_print(terms, program, term, out);
        return;
    }
}
