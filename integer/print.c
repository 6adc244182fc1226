// SPDX-License-Identifier: Apache-2.0
#include "integer/poly.h"

#include <inttypes.h>

static void operand(const struct integers *in, ipoly a, struct buf *out)
{
    iatom atom;
    int64_t value;
    bool bare = (int_is_constant(in, a, &value) && value >= 0) || int_is_atom(in, a, &atom);
    buf_puts(out, bare ? "" : "(");
    int_print(in, a, out);
    buf_puts(out, bare ? "" : ")");
}

static void pair(const struct integers *in, const char *name, struct iatom_node node,
                 struct buf *out)
{
    buf_printf(out, "%s(", name);
    int_print(in, node.a, out);
    buf_puts(out, ", ");
    int_print(in, node.b, out);
    buf_putc(out, ')');
}

static void atom_print(const struct integers *in, iatom atom, struct buf *out)
{
    static const char *const name[] = {
        [INT_SYMBOL] = "",
        [INT_QUOTIENT] = "div",
        [INT_REMAINDER] = "rem",
        [INT_TRUNCATED_QUOTIENT] = "truncated_div",
        [INT_TRUNCATED_REMAINDER] = "truncated_rem",
        [INT_MINIMUM] = "min",
        [INT_MAXIMUM] = "max",
        [INT_ELEMENT] = "",
    };
    struct iatom_node node = int_atom(in, atom);
    if (node.kind == INT_SYMBOL) {
        buf_puts(out, int_atom_name(in, atom));
    } else if (node.kind == INT_QUOTIENT || node.kind == INT_REMAINDER) {
        buf_putc(out, '(');
        operand(in, node.a, out);
        buf_printf(out, " %s ", name[node.kind]);
        operand(in, node.b, out);
        buf_putc(out, ')');
    } else if (node.kind == INT_ELEMENT) {
        int_print(in, node.a, out);
        buf_putc(out, '[');
        int_print(in, node.b, out);
        buf_putc(out, ']');
    } else {
        pair(in, name[node.kind], node, out);
    }
}

static void term_print(const struct integers *in, struct iterm term, bool first, struct buf *out)
{
    int64_t c = term.coefficient;
    uint32_t n = int_degree(in, (imono)term.mono);
    buf_puts(out, c < 0 ? (first ? "-" : " - ") : (first ? "" : " + "));
    c = c < 0 ? -c : c;
    if (c != 1 || n == 0)
        buf_printf(out, "%" PRId64 "%s", c, n ? "*" : "");
    for (uint32_t i = 0; i < n; i++) {
        buf_puts(out, i ? "*" : "");
        atom_print(in, int_factor(in, (imono)term.mono, i), out);
    }
}

void int_print(const struct integers *in, ipoly a, struct buf *out)
{
    uint32_t n = int_length(in, a);
    if (n == 0)
        buf_putc(out, '0');
    // The constant, which comes first in the order of monomials, stands last.
    bool constant = n && int_term(in, a, 0).mono == 0;
    for (uint32_t i = constant; i < n; i++)
        term_print(in, int_term(in, a, i), i == constant, out);
    if (constant)
        term_print(in, int_term(in, a, 0), n == 1, out);
}
