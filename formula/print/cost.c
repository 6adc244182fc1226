// SPDX-License-Identifier: Apache-2.0
// The cost of reading a term: docs/formulas.md has the table.
#include "formula/terms/number.h"
#include "formula/limits.h"
#include "formula/print/print.h"

// The short form of a number: 0.00000001 is 1e-8, 25000000000 is 2.5e10.
static void shorten(const char *text, struct buf *out)
{
    bool minus = *text == '-';
    const char *from = text + minus, *dot = strchr(from, '.');
    size_t len = strlen(from), zeros = 0, n, last = len;
    struct buf digits = {0};
    int exponent = 0;
    if (dot != NULL && strncmp(from, "0.0000", 6) == 0) {
        zeros = strspn(from + 2, "0");
        buf_puts(&digits, from + 2 + zeros);
        exponent = -(int)zeros - 1;
    } else if (dot == NULL && len > 6) {
        while (last > 1 && from[last - 1] == '0')
            last--;
        zeros = len - last;
        buf_write(&digits, from, last);
        exponent = (int)len - 1;
    }
    n = digits.len;
    if (zeros < 4) {
        buf_puts(out, text);
    } else {
        const char *string = buf_text(&digits);
        buf_printf(out, "%s%c%s%s", minus ? "-" : "", string[0], n > 1 ? "." : "", string + 1);
        buf_printf(out, "e%d", exponent);
    }
    buf_release(&digits);
}

void number_text(const char *name, struct buf *out)
{
    struct buf decimal = {0}, shorter = {0};
    size_t len = strlen(name);
    mpq_t x;
    mpq_init(x);
    bool is =
        number_parse(name, (uint32_t)len, x) && number_print_decimal(x, PRINT_DIGITS, &decimal);
    if (is)
        shorten(buf_text(&decimal), &shorter);
    // A decimal may be a few characters longer, since readers need not divide.
    bool use = is && shorter.len <= len + 2;
    buf_puts(out, use ? buf_text(&shorter) : name);
    mpq_clear(x);
    buf_release(&decimal);
    buf_release(&shorter);
}

static double number_cost(const char *name)
{
    size_t digits = strspn(name, "0123456789");
    if (name[digits] == '\0' && digits <= PRINT_FREE_DIGITS)
        return 1; // the text of such an integer is no longer
    struct buf text = {0};
    number_text(name, &text);
    double over = text.len > PRINT_FREE_DIGITS ? (double)(text.len - PRINT_FREE_DIGITS) : 0;
    buf_release(&text);
    return 1 + 0.5 * over;
}

double formula_cost(const struct fterms *terms, fterm term)
{
    const char *name = fterm_name(terms, term);
    uint32_t len = (uint32_t)strlen(name), n = fterm_n(terms, term);
    if (n == 0 && fname_is_axes(name, len))
        return 0;
    if (n == 0 && fname_is_number(name, len))
        return number_cost(name);
    if (fterm_is(terms, term, "concatenate", 5) || fterm_is(terms, term, "select", 3))
        return 2;
    return 1;
}
