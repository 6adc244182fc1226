// SPDX-License-Identifier: Apache-2.0
#include "formula/constants/precision.h"
#include "formula/limits.h"

#include "base/text/cursor.h"
#include "formula/terms/number.h"
#include <math.h>
#include <stdlib.h>

const char *precision_name(enum precision precision)
{
    static const char *const names[] = {[PRECISION_BF16] = "bf16",
                                        [PRECISION_F16] = "f16",
                                        [PRECISION_F32] = "f32",
                                        [PRECISION_F64] = "f64",
                                        [PRECISION_DECIMAL] = "decimal",
                                        [PRECISION_F64_NEAR] = "f64, a unit off",
                                        [PRECISION_DECIMAL_NEAR] = "decimal, a unit off"};
    return names[precision];
}

uint32_t carried_digits(const char *text)
{
    uint32_t n = 0, zeros = 0;
    bool behind = false;
    for (const char *string = text; *string == '.' || is_digit(*string); string++) {
        if (*string == '.') {
            behind = true;
        } else if (*string == '0' && !behind) {
            zeros += n > 0;
        } else if (*string != '0' || n > 0) {
            n += zeros + 1;
            zeros = 0;
        }
    }
    return n;
}

// Does x rounded to so many bits equal the text rounded to as many?
static bool prints_as(const mpfr_t x, const mpq_t text, uint32_t digits)
{
    char string[CARRIED_TEXT + 40], b[CARRIED_TEXT + 40];
    mpfr_t y;
    mpfr_init2(y, 4 * CARRIED_TEXT);
    mpfr_set_q(y, text, MPFR_RNDN);
    mpfr_snprintf(string, sizeof string, "%.*Re", (int)digits - 1, x);
    mpfr_snprintf(b, sizeof b, "%.*Re", (int)digits - 1, y);
    mpfr_clear(y);
    return strcmp(string, b) == 0;
}

static const struct {
    enum precision precision;
    unsigned bits;
    double allowed;
    bool exact; // the text must be the number, not the number rounded
} formats[] = {{PRECISION_BF16, 8, 4, true},
               {PRECISION_F16, 11, 10, true},
               {PRECISION_F32, 24, 8e3, false},
               {PRECISION_F64, 53, INFINITY, false}};
enum { N_FORMATS = sizeof formats / sizeof *formats };

// The interval of numbers that round to the same number as the text.
static bool binary_interval(const mpq_t text, uint32_t digits, uint32_t format,
                            struct carried *interval)
{
    mpfr_t x;
    mpfr_init2(x, formats[format].bits);
    bool exact = mpfr_set_q(x, text, MPFR_RNDN) == 0;
    bool ok = exact || (!formats[format].exact && prints_as(x, text, digits));
    interval->precision = formats[format].precision;
    interval->allowed = formats[format].allowed;
    mpfr_set(interval->low, x, MPFR_RNDN);
    mpfr_set(interval->high, x, MPFR_RNDN);
    // Half a unit in the last place.
    mpfr_exp_t unit = mpfr_get_exp(x) - (mpfr_exp_t)formats[format].bits - 1;
    mpfr_t half;
    mpfr_init2(half, CARRIED_BITS);
    mpfr_set_ui_2exp(half, 1, unit, MPFR_RNDN);
    mpfr_sub(interval->low, interval->low, half, MPFR_RNDN);
    mpfr_add(interval->high, interval->high, half, MPFR_RNDN);
    mpfr_clear(half);
    mpfr_clear(x);
    return ok;
}

// The power of ten of the last significant digit.
static long last_place(const char *text)
{
    long whole = 0, fraction = 0; // digits behind the last significant one
    bool behind = false;
    const char *string = text;
    for (; *string == '.' || is_digit(*string); string++)
        if (*string == '.')
            behind = true;
        else if (behind)
            fraction++;
        else
            whole = *string == '0' ? whole + 1 : 0;
    long place = fraction > 0 ? -fraction : whole;
    return place + (*string == 'e' || *string == 'E' ? strtol(string + 1, NULL, 10) : 0);
}

// The interval of numbers that become the text when they are rounded at its last digit, or cut off
// there if it has many digits.
static bool decimal_interval(const char *text, const mpq_t value, uint32_t digits,
                             struct carried *interval)
{
    mpfr_t unit, half;
    mpfr_inits2(CARRIED_BITS, unit, half, (mpfr_ptr)NULL);
    interval->place = last_place(text);
    mpfr_set_si(unit, interval->place, MPFR_RNDN);
    mpfr_exp10(unit, unit, MPFR_RNDN);
    mpfr_div_2ui(half, unit, 1, MPFR_RNDN);
    mpfr_set_q(interval->low, value, MPFR_RNDN);
    mpfr_add(interval->high, interval->low, digits < CARRIED_MANY_DIGITS ? half : unit, MPFR_RNDN);
    mpfr_sub(interval->low, interval->low, half, MPFR_RNDN);
    mpfr_clears(unit, half, (mpfr_ptr)NULL);
    interval->precision = PRECISION_DECIMAL;
    interval->allowed = 20 * pow(10, (double)digits - CARRIED_LEAST_DIGITS);
    return true;
}

// So many times fewer candidates are allowed for texts that may be a unit off.
enum { NEAR_ALLOWED = 4 };

// The interval of numbers whose text has a last digit, or last bit, that is by one more or less:
// what came out of a product, or was rounded twice.
static void widen(struct carried *interval, enum precision precision)
{
    mpfr_t unit;
    mpfr_init2(unit, CARRIED_BITS);
    mpfr_sub(unit, interval->high, interval->low, MPFR_RNDN);
    if (precision == PRECISION_DECIMAL_NEAR) {
        mpfr_div_ui(unit, unit, 3, MPFR_RNDN); // half a unit
        mpfr_add(interval->high, interval->high, unit, MPFR_RNDN);
        mpfr_mul_2ui(unit, unit, 1, MPFR_RNDN);
        interval->allowed /= NEAR_ALLOWED;
    } else {
        mpfr_add(interval->high, interval->high, unit, MPFR_RNDN);
    }
    mpfr_sub(interval->low, interval->low, unit, MPFR_RNDN);
    interval->precision = precision;
    mpfr_clear(unit);
}

bool carried_as(const char *text, const mpq_t value, enum precision precision,
                struct carried *interval)
{
    uint32_t digits = carried_digits(text);
    if (precision == PRECISION_F64_NEAR || precision == PRECISION_DECIMAL_NEAR) {
        enum precision near = precision == PRECISION_F64_NEAR ? PRECISION_F64 : PRECISION_DECIMAL;
        bool ok = carried_as(text, value, near, interval) &&
                  (precision == PRECISION_F64_NEAR || digits >= CARRIED_MANY_DIGITS);
        widen(interval, precision);
        return ok;
    }
    if (precision == PRECISION_DECIMAL)
        return decimal_interval(text, value, digits, interval);
    for (uint32_t i = 0; i < N_FORMATS; i++)
        if (formats[i].precision == precision)
            return binary_interval(value, digits, i, interval);
    return false;
}

void carried_init(struct carried *interval)
{
    mpfr_init2(interval->low, CARRIED_BITS);
    mpfr_init2(interval->high, CARRIED_BITS);
}

void carried_release(struct carried *interval)
{
    mpfr_clear(interval->low);
    mpfr_clear(interval->high);
}

bool carried_number(const char *text, mpq_t out)
{
    size_t len = strlen(text);
    return len <= CARRIED_TEXT && carried_digits(text) >= CARRIED_LEAST_DIGITS &&
           number_parse_decimal(text, (uint32_t)len, out) && mpq_sgn(out) > 0;
}

// Values of terms without variables

static bool apply(const char *op, uint32_t n, mpfr_t x, mpfr_t y)
{
    static const struct {
        const char *name;
        int (*f)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);
    } unary[] = {{"sqrt", mpfr_sqrt},
                 {"cbrt", mpfr_cbrt},
                 {"log", mpfr_log},
                 {"exponential", mpfr_exp},
                 {"negate", mpfr_neg}};
    static const struct {
        const char *name;
        int (*f)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);
    } binary[] = {
        {"add", mpfr_add}, {"subtract", mpfr_sub}, {"multiply", mpfr_mul}, {"divide", mpfr_div}};
    for (size_t i = 0; n == 1 && i < sizeof unary / sizeof *unary; i++)
        if (strcmp(op, unary[i].name) == 0)
            return unary[i].f(x, x, MPFR_RNDN), true;
    for (size_t i = 0; n == 2 && i < sizeof binary / sizeof *binary; i++)
        if (strcmp(op, binary[i].name) == 0)
            return binary[i].f(x, x, y, MPFR_RNDN), true;
    return false;
}

static bool leaf_value(const char *name, mpfr_t out)
{
    uint32_t len = (uint32_t)strlen(name);
    if (strcmp(name, "pi") == 0)
        return mpfr_const_pi(out, MPFR_RNDN), true;
    if (!fname_is_number(name, len))
        return false;
    mpq_t q;
    mpq_init(q);
    bool ok = number_parse(name, len, q);
    mpfr_set_q(out, q, MPFR_RNDN);
    mpq_clear(q);
    return ok;
}

static bool term_value(const struct fterms *terms, fterm term, unsigned depth, mpfr_t out)
{
    uint32_t n = fterm_n(terms, term);
    if (n == 0)
        return leaf_value(fterm_name(terms, term), out);
    if (n > 2 || depth == 0 || !term_value(terms, fterm_args(terms, term)[0], depth - 1, out))
        return false;
    mpfr_t y;
    mpfr_init2(y, mpfr_get_prec(out));
    bool ok = n == 1 || term_value(terms, fterm_args(terms, term)[1], depth - 1, y);
    ok = ok && apply(fterm_name(terms, term), n, out, y) && mpfr_number_p(out);
    mpfr_clear(y);
    return ok;
}

bool carried_value(const struct fterms *terms, fterm term, mpfr_t out)
{
    return term_value(terms, term, CONSTANT_DEPTH, out);
}

// Is the term another number than the text that has no digits behind the text's last one?
static bool writable(const struct carried *interval, const struct fterms *terms, fterm term)
{
    const char *name = fterm_name(terms, term);
    uint32_t len = (uint32_t)strlen(name);
    if (interval->precision != PRECISION_DECIMAL && interval->precision != PRECISION_DECIMAL_NEAR)
        return false;
    mpq_t q;
    mpz_t power;
    mpq_init(q);
    mpz_init(power);
    bool whole = fname_is_number(name, len) && number_parse(name, len, q);
    mpz_ui_pow_ui(power, 10, (unsigned long)labs(interval->place));
    mpz_ptr scaled = interval->place < 0 ? mpq_numref(q) : mpq_denref(q);
    mpz_mul(scaled, scaled, power);
    whole = whole && mpz_divisible_p(mpq_numref(q), mpq_denref(q)) != 0;
    mpq_clear(q);
    mpz_clear(power);
    return whole;
}

bool carried_holds(const struct carried *interval, const struct fterms *terms, fterm term,
                   bool minus)
{
    mpfr_t v;
    mpfr_init2(v, CARRIED_BITS);
    bool ok = carried_value(terms, term, v);
    if (minus)
        mpfr_neg(v, v, MPFR_RNDN);
    ok = ok && mpfr_cmp(v, interval->low) >= 0 && mpfr_cmp(v, interval->high) <= 0 &&
         !writable(interval, terms, term);
    mpfr_clear(v);
    return ok;
}

double carried_difference(const struct fterms *terms, fterm value, const mpq_t text)
{
    const char *name = fterm_name(terms, value);
    uint32_t len = (uint32_t)strlen(name);
    mpfr_t v;
    mpq_t q;
    mpfr_init2(v, CARRIED_BITS);
    mpq_init(q);
    double d = NAN;
    if (fname_is_number(name, len) && number_parse(name, len, q)) {
        mpq_sub(q, q, text); // exactly: 0 for the text itself
        mpfr_set_q(v, q, MPFR_RNDN);
        d = mpfr_get_d(v, MPFR_RNDN);
    } else if (carried_value(terms, value, v)) {
        mpfr_sub_q(v, v, text, MPFR_RNDN);
        d = mpfr_get_d(v, MPFR_RNDN);
    }
    mpq_clear(q);
    mpfr_clear(v);
    return d;
}
