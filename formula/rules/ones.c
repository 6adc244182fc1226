// SPDX-License-Identifier: Apache-2.0
// Definitions that compute numbers of an argument, where it is a literal.  A formula has the
// number, from which nobody can tell the product: where the argument is 1, abs(a) - 0.5 in place
// of 1*(abs(a) - 0.5*1); else 2.5*(abs(a) - d), if d == 0.5*2.5.
#include "formula/rules/core.h"
#include "formula/terms/number.h"
#include "formula/terms/term.h"

struct at_one {
    struct fterms terms;
    const char *variable;
    bool computed;      // a number of the variable
    bool zero;          // a factor 0: no formula keeps it
    uint32_t n_numbers; // terms of the variable alone that became variables
    fterm number[FORMULA_ARGUMENTS];
};

static bool is_number(const struct fterms *terms, fterm term)
{
    const char *name = fterm_name(terms, term);
    return fterm_n(terms, term) == 0 && fname_is_number(name, (uint32_t)strlen(name));
}

// The operator on numbers, as a number; NO_FTERM: it has another argument, or no such value.
static fterm computed(struct at_one *at, fterm term, uint32_t n, const fterm *args)
{
    const char *names[2], *op = fterm_name(&at->terms, term);
    uint32_t lens[2];
    struct buf text = {0};
    fterm out = NO_FTERM;
    for (uint32_t k = 0; k < n; k++) {
        if (!is_number(&at->terms, args[k]))
            return NO_FTERM;
        names[k] = fterm_name(&at->terms, args[k]);
        lens[k] = (uint32_t)strlen(names[k]);
    }
    if (n > 0 && number_fold(op, (uint32_t)strlen(op), n, names, lens, &text) &&
        fname_is_number(buf_text(&text), (uint32_t)text.len)) {
        out = fterm_make(&at->terms, buf_text(&text), 0, NULL);
        at->computed = true;
        at->zero |= strcmp(buf_text(&text), "0") == 0;
    }
    buf_release(&text);
    return out;
}

// The term with 1 for the variable: numbers computed, no factors and divisors 1.
static fterm with_one(struct at_one *at, fterm term)
{
    uint32_t n = fterm_n(&at->terms, term);
    fterm args[FORMULA_ARGUMENTS], one = fterm_make(&at->terms, "1", 0, NULL), number = NO_FTERM;
    if (n == 0)
        return strcmp(fterm_name(&at->terms, term), at->variable) == 0 ? one : term;
    for (uint32_t k = 0; k < n && k < FORMULA_ARGUMENTS; k++)
        args[k] = with_one(at, fterm_args(&at->terms, term)[k]);
    if (n <= 2)
        number = computed(at, term, n, args);
    if (number != NO_FTERM)
        return number;
    bool product = fterm_is(&at->terms, term, "multiply", 2);
    if (product && args[0] == one)
        return args[1];
    if ((product || fterm_is(&at->terms, term, "divide", 2)) && args[1] == one)
        return args[0];
    struct buf name = {0};
    buf_puts(&name, fterm_name(&at->terms, term));
    fterm out = fterm_make(&at->terms, buf_text(&name), n, args);
    buf_release(&name);
    return out;
}

// Numbers that are computed of the variable

static bool of_variable_alone(const struct at_one *at, fterm term)
{
    uint32_t n = fterm_n(&at->terms, term);
    if (n == 0)
        return is_number(&at->terms, term) ||
               strcmp(fterm_name(&at->terms, term), at->variable) == 0;
    for (uint32_t k = 0; k < n; k++)
        if (!of_variable_alone(at, fterm_args(&at->terms, term)[k]))
            return false;
    return true;
}

// ?C.1 for 0.5*?C: a name that no argument has.
static fterm number_variable(struct at_one *at, fterm term)
{
    uint32_t k = 0;
    while (k < at->n_numbers && at->number[k] != term)
        k++;
    if (k == FORMULA_ARGUMENTS)
        return term;
    at->number[k] = term;
    at->n_numbers += k == at->n_numbers;
    struct buf name = {0};
    buf_printf(&name, "%s.%u", at->variable, k + 1);
    fterm out = fterm_make(&at->terms, buf_text(&name), 0, NULL);
    buf_release(&name);
    return out;
}

// The term with variables for what is computed of the variable and numbers.
static fterm with_numbers(struct at_one *at, fterm term)
{
    uint32_t n = fterm_n(&at->terms, term);
    fterm args[FORMULA_ARGUMENTS];
    if (n == 0 || n > FORMULA_ARGUMENTS)
        return term;
    if (of_variable_alone(at, term))
        return is_number(&at->terms, with_one(at, term)) ? number_variable(at, term) : term;
    for (uint32_t k = 0; k < n; k++)
        args[k] = with_numbers(at, fterm_args(&at->terms, term)[k]);
    struct buf name = {0};
    buf_puts(&name, fterm_name(&at->terms, term));
    fterm out = fterm_make(&at->terms, buf_text(&name), n, args);
    buf_release(&name);
    return out;
}

static void put_line(struct at_one *at, const char *name, const char *kind, const fterm *side,
                     struct buf *out)
{
    buf_printf(out, "%s.%s_%s: ", name, at->variable + 1, kind);
    fterm_print(&at->terms, side[0], out);
    buf_puts(out, " => ");
    fterm_print(&at->terms, side[1], out);
    for (uint32_t k = 0; k < at->n_numbers; k++) {
        buf_printf(out, "%s same((eq %s.%u ", k == 0 ? " if" : " and", at->variable, k + 1);
        fterm_print(&at->terms, at->number[k], out);
        buf_puts(out, "), true)");
    }
    buf_putc(out, '\n');
}

void named_put_at_numbers(const char *name, const char *left, const char *right,
                          const char *variable, struct buf *out)
{
    struct at_one at = {.variable = variable};
    struct err err = {0};
    fterm side[2], one[2];
    fterms_init(&at.terms);
    if (fterm_read(&at.terms, left, &side[0], &err) &&
        fterm_read(&at.terms, right, &side[1], &err)) {
        one[1] = with_one(&at, side[1]);
        at.computed = false;
        one[0] = with_one(&at, side[0]);
        if (at.computed && !at.zero) {
            put_line(&at, name, "1", one, out);
            side[0] = with_numbers(&at, side[0]);
            if (at.n_numbers > 0)
                put_line(&at, name, "n", side, out);
        }
    }
    fterms_release(&at.terms);
}
