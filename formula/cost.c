// SPDX-License-Identifier: Apache-2.0
// What is hard to read: docs/formulas.md has the table.
#include "formula/number.h"
#include "formula/print.h"

enum { FREE_DIGITS = 4 };

void number_text(const char *name, struct buf *out)
{
    struct buf decimal = {0};
    size_t len = strlen(name);
    mpq_t x;
    mpq_init(x);
    // A few more characters are worth not having to divide.
    bool use = number_parse(name, (uint32_t)len, x) &&
               number_print_decimal(x, 40, &decimal) && decimal.len <= len + 2;
    buf_puts(out, use ? buf_text(&decimal) : name);
    mpq_clear(x);
    buf_release(&decimal);
}

static double number_cost(const char *name)
{
    struct buf text = {0};
    number_text(name, &text);
    double over = text.len > FREE_DIGITS ? (double)(text.len - FREE_DIGITS) : 0;
    buf_release(&text);
    return 1 + 0.5 * over;
}

double formula_cost(const struct fterms *t, fterm x)
{
    const char *name = fterm_name(t, x);
    uint32_t len = (uint32_t)strlen(name), n = fterm_n(t, x);
    if (n == 0 && fname_is_axes(name, len))
        return 0;
    if (n == 0 && fname_is_number(name, len))
        return number_cost(name);
    if (fterm_is(t, x, "concatenate", 5) || fterm_is(t, x, "select", 3))
        return 2;
    return 1;
}
