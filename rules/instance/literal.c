// SPDX-License-Identifier: Apache-2.0
// Values of literals in an element type.
#include "base/text/buf.h"
#include "rules/instance/instance.h"
#include "tensor/eval/eval.h"
#include <math.h>

// "-12.5" = -125/10.  False when it does not fit, or has an exponent.
static bool decimal_ratio(const char *text, int64_t *num, int64_t *den)
{
    bool negative = *text == '-', fraction = false;
    *num = 0;
    *den = 1;
    for (text += negative; *text != '\0'; text++) {
        if (*text == '.' && !fraction) {
            fraction = true;
            continue;
        }
        if (*text < '0' || *text > '9' || __builtin_mul_overflow(*num, (int64_t)10, num) ||
            __builtin_add_overflow(*num, (int64_t)(*text - '0'), num) ||
            (fraction && __builtin_mul_overflow(*den, (int64_t)10, den)))
            return false;
    }
    if (negative)
        *num = -*num;
    return true;
}

static int64_t gcd(int64_t a, int64_t b)
{
    while (b != 0) {
        int64_t r = a % b;
        a = b;
        b = r;
    }
    return a < 0 ? -a : a;
}

// Compares two decimals without sign or exponent, digit by digit.
static int compare_decimals(const char *a, const char *b)
{
    a += strspn(a, "0");
    b += strspn(b, "0");
    size_t na = strcspn(a, "."), nb = strcspn(b, ".");
    if (na != nb)
        return na < nb ? -1 : 1;
    while (*a != '\0' || *b != '\0') {
        char text = *a != '\0' ? *a++ : '0', string = *b != '\0' ? *b++ : '0';
        text = text == '.' ? '0' : text; // only one decimal may have a fraction
        string = string == '.' ? '0' : string;
        if (text != string)
            return text < string ? -1 : 1;
    }
    return 0;
}

// Sign of the text's value minus d, up to the sign of both.
static int decimal_rest(const char *text, double d)
{
    int64_t num, den;
    const int64_t exact = (int64_t)1 << 53;
    if (decimal_ratio(text, &num, &den) && den < exact && num < exact && num > -exact) {
        double rest = fma(fabs(d), (double)den, -fabs((double)num));
        return rest < 0 ? 1 : rest > 0 ? -1 : 0;
    }
    struct buf all = {0};
    buf_printf(&all, "%.1074f", fabs(d)); // every binary64 ends by then
    int side = compare_decimals(text + (*text == '-'), buf_text(&all));
    buf_release(&all);
    return side;
}

// Rounded to odd: a second rounding to a narrower type is then the right one.
static double decimal_odd(const char *text)
{
    double d = strtod(text, NULL);
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    if (!isfinite(d) || (bits & 1))
        return d;
    int side = decimal_rest(text, d);
    return side == 0 ? d : nextafter(d, copysign(side > 0 ? INFINITY : 0, d));
}

static bool decimal(const char *text, enum elem elem, struct scalar *out, struct err *err)
{
    if (elem != ELEM_REAL) {
        *out = scalar_of_double(elem, elem == ELEM_F64 ? strtod(text, NULL) : decimal_odd(text));
        return true;
    }
    int64_t num, den;
    if (!decimal_ratio(text, &num, &den))
        return err_set(err, ERR_LIMIT, "literal %s is not a fraction of 64-bit integers", text);
    int64_t g = num == 0 ? den : gcd(num, den);
    *out = (struct scalar){.num = num / g, .den = den / g};
    return true;
}

bool pat_literal(const struct rule *rule, const struct pat *pattern, enum elem elem,
                 const struct op_binding *ops, struct scalar *out, struct err *err)
{
    bool is_float = elem_kind(elem) == KIND_FLOAT, fits = true;
    *out = (struct scalar){.den = 1};
    switch (pattern->lit) {
    case LIT_INT:
        fits = elem_has_int(elem, pattern->k);
        if (fits)
            *out = scalar_of_int(elem, pattern->k);
        break;
    case LIT_DECIMAL:
        fits = is_float;
        if (fits && !decimal(pattern->text, elem, out, err))
            return false;
        break;
    case LIT_BOOL:
        fits = elem == ELEM_I1;
        if (fits)
            *out = scalar_of_int(elem, pattern->k);
        break;
    case LIT_INF:
        fits = is_float;
        if (fits)
            *out = pattern->k > 0 ? scalar_highest(elem) : scalar_lowest(elem);
        break;
    case LIT_LOWEST:
        *out = scalar_lowest(elem);
        break;
    case LIT_HIGHEST:
        *out = scalar_highest(elem);
        break;
    case LIT_PI: // no such rule is applied; evaluations of its sides use the nearest value
        fits = is_float && !elem_is_ideal(elem);
        if (fits)
            *out = scalar_of_double(elem, 3.14159265358979323846);
        break;
    case LIT_VALUE:
        fits = false;
        break;
    case LIT_UNIT: {
        enum op op = pattern->opvar == NONE ? pattern->reducer : ops[pattern->opvar].op;
        fits = op_is_reducer(op) && (op_kinds(op) & elem_kind(elem));
        if (fits)
            *out = reducer_unit(op, elem);
        break;
    }
    }
    return fits || err_at(err, ERR_LIMIT, rule->file, pattern->place.line, pattern->place.col,
                          "rule %s: this literal is no value of %s", rule->name, elem_text(elem));
}
