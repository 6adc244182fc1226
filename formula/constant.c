// SPDX-License-Identifier: Apache-2.0
// Every candidate is r * b: a base of the table times a rational with small
// terms, or times another constant of the formula.  A precision that the text
// may have been carried in gives an interval; a candidate in it is taken if,
// of all candidates that are no more complex, a random constant would meet one
// less than once in several thousand times, and if there is no other of about
// its complexity.
#include "formula/constant.h"

#include "base/cursor.h"
#include "formula/number.h"
#include <math.h>
#include <mpfr.h>
#include <stdlib.h>

enum {
    BITS = 256,
    MAX_TERM = 16,      // of r
    MAX_OTHER_TERM = 6, // of r when another constant is a factor
    MAX_OTHERS = 16,
    MAX_OTHER_DIGITS = 6, // of it; more are a rounded number themselves
    MAX_TEXT = 120,
    MAX_DEPTH = 32,
    LEAST_DIGITS = 5,
    SHORT_DIGITS = 4,    // a decimal that f32 carried: 0.999, 1.702
    SHORT_COMPLEXITY = 6 // of it
};
#define CLEARLY 2.0 // so much more complex the next one must be

// Those that kernels carry come first: only they are looked for where few
// digits are left.  The order among the first ten is what f16 and bf16 go by.
static const struct base {
    const char *term;
    double complexity;
} bases[] = {
    {"(divide 1 (log 2))", 0.0},
    {"(sqrt (divide 2 pi))", 0.1},
    {"(divide 1 (sqrt 2))", 0.2},
    {"(log 2)", 0.3},
    {"pi", 0.4},
    {"(sqrt 2)", 0.5},
    {"1/10", 0.6},
    {"1/100", 0.7},
    {"1/1000", 0.8},
    {"1", 0.0}, // rationals: 1/3 has 1.58
    {"(exponential 1)", 2},
    {"(divide 1 pi)", 2},
    {"(sqrt pi)", 1},
    {"(divide 1 (sqrt pi))", 1},
    {"(divide 1 (sqrt (multiply 2 pi)))", 1},
    {"(sqrt (multiply 2 pi))", 1},
    {"(sqrt 3)", 2},
    {"(divide 1 (sqrt 3))", 2},
    {"(log 10)", 2},
    {"(divide 1 (log 10))", 2},
    {"(divide 1 (exponential 1))", 3},
    {"(multiply pi pi)", 3},
    {"(divide 1 (multiply pi pi))", 4},
    {"(sqrt 5)", 3},
    {"(divide 1 (sqrt 5))", 3},
    {"(sqrt 6)", 3},
    {"(divide 1 (sqrt 6))", 3},
    {"(sqrt 7)", 4},
    {"(sqrt 10)", 3},
    {"(divide 1 (sqrt 10))", 3},
    {"(sqrt (divide pi 2))", 3},
    {"(log 3)", 3},
    {"(log 5)", 4},
    {"(divide 1 (log 3))", 4},
    {"(divide (log 2) (log 10))", 3},
    {"(divide (log 10) (log 2))", 3},
    {"(log pi)", 4},
    {"(log (multiply 2 pi))", 3},
    {"(sqrt (exponential 1))", 4},
    {"(exponential 2)", 4},
    {"(multiply (sqrt 2) pi)", 4},
    {"(sqrt (log 2))", 5},
    {"(divide pi (sqrt 3))", 5},
    {"(divide (sqrt 3) pi)", 5},
    {"(divide 1 (multiply pi (sqrt 2)))", 5},
    {"(cbrt 2)", 5},
    {"(cbrt 3)", 6},
    {"1/10000", 3},
    {"1/100000", 3},
    {"1/1000000", 3},
    {"1/100000000", 5},
    {"1/10000000000", 6},
    {"1/1000000000000", 6},
    // Those of gelu by tanh, and of selu.
    {"8943/200000", 5},
    {"(multiply 8943/200000 (sqrt (divide 2 pi)))", 5},
    {"2101401974710961/2000000000000000", 6},
    {"4183158105885943/2500000000000000", 6},
    {"(multiply 2101401974710961/2000000000000000 "
     "4183158105885943/2500000000000000)",
     6},
};
enum { N_BASES = sizeof bases / sizeof *bases };

// A precision that the text may have been carried in: the numbers that become
// the text are in [low, high].
struct carried {
    enum precision precision;
    mpfr_t low, high;
    double allowed; // candidates among which one may be taken
};

struct ratio { // p / q in lowest terms
    unsigned p, q;
    double complexity;
};
struct search {
    struct fterms *t;
    struct carried in;
    struct ratio ratio[MAX_TERM * MAX_TERM];
    uint32_t n_ratios, n_others;
    const char *texts[MAX_OTHERS];
    double other_value[MAX_OTHERS], base_value[N_BASES];
    double best, second; // complexities
    fterm term;          // of the best, and its value
    double value;
};

const char *precision_name(enum precision p)
{
    static const char *const names[] = {[PRECISION_BF16] = "bf16",
                                        [PRECISION_F16] = "f16",
                                        [PRECISION_F32] = "f32",
                                        [PRECISION_F64] = "f64",
                                        [PRECISION_DECIMAL] = "decimal"};
    return names[p];
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
    } binary[] = {{"add", mpfr_add},
                  {"subtract", mpfr_sub},
                  {"multiply", mpfr_mul},
                  {"divide", mpfr_div}};
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

static bool term_value(const struct fterms *t, fterm x, unsigned depth,
                       mpfr_t out)
{
    uint32_t n = fterm_n(t, x);
    if (n == 0)
        return leaf_value(fterm_name(t, x), out);
    if (n > 2 || depth == 0 ||
        !term_value(t, fterm_args(t, x)[0], depth - 1, out))
        return false;
    mpfr_t y;
    mpfr_init2(y, mpfr_get_prec(out));
    bool ok = n == 1 || term_value(t, fterm_args(t, x)[1], depth - 1, y);
    ok = ok && apply(fterm_name(t, x), n, out, y) && mpfr_number_p(out);
    mpfr_clear(y);
    return ok;
}

// Precisions

// Significant digits: without zeros in front, and those behind of a whole
// number.
static uint32_t digits_of(const char *text)
{
    uint32_t n = 0, zeros = 0;
    bool behind = false;
    for (const char *s = text; *s == '.' || is_digit(*s); s++) {
        if (*s == '.') {
            behind = true;
        } else if (*s == '0' && !behind) {
            zeros += n > 0;
        } else if (*s != '0' || n > 0) {
            n += zeros + 1;
            zeros = 0;
        }
    }
    return n;
}

// x rounded to so many digits is the text rounded so.
static bool prints_as(const mpfr_t x, const mpq_t text, uint32_t digits)
{
    char a[MAX_TEXT + 40], b[MAX_TEXT + 40];
    mpfr_t y;
    mpfr_init2(y, 4 * MAX_TEXT);
    mpfr_set_q(y, text, MPFR_RNDN);
    mpfr_snprintf(a, sizeof a, "%.*Re", (int)digits - 1, x);
    mpfr_snprintf(b, sizeof b, "%.*Re", (int)digits - 1, y);
    mpfr_clear(y);
    return strcmp(a, b) == 0;
}

static const struct {
    enum precision precision;
    unsigned bits;
    double allowed; // candidates among which one may be taken
    bool exact;     // the text must be the number, not the number rounded
} formats[] = {{PRECISION_BF16, 8, 3, true},
               {PRECISION_F16, 11, 10, true},
               {PRECISION_F32, 24, 8e3, false},
               {PRECISION_F64, 53, INFINITY, false}};
enum { N_FORMATS = sizeof formats / sizeof *formats };

// The numbers that round to what the text rounds to.
static bool binary_interval(const mpq_t text, uint32_t digits, uint32_t format,
                            struct carried *c)
{
    mpfr_t x;
    mpfr_init2(x, formats[format].bits);
    bool exact = mpfr_set_q(x, text, MPFR_RNDN) == 0;
    bool ok = exact || (!formats[format].exact && prints_as(x, text, digits));
    c->precision = formats[format].precision;
    c->allowed = formats[format].allowed;
    mpfr_set(c->low, x, MPFR_RNDN);
    mpfr_set(c->high, x, MPFR_RNDN);
    // Half a unit in the last place.
    mpfr_exp_t unit = mpfr_get_exp(x) - (mpfr_exp_t)formats[format].bits - 1;
    mpfr_t half;
    mpfr_init2(half, BITS);
    mpfr_set_ui_2exp(half, 1, unit, MPFR_RNDN);
    mpfr_sub(c->low, c->low, half, MPFR_RNDN);
    mpfr_add(c->high, c->high, half, MPFR_RNDN);
    mpfr_clear(half);
    mpfr_clear(x);
    return ok;
}

// The power of ten of the last significant digit.
static long last_place(const char *text)
{
    long whole = 0, fraction = 0; // digits behind the last one that counts
    bool behind = false;
    const char *s = text;
    for (; *s == '.' || is_digit(*s); s++)
        if (*s == '.')
            behind = true;
        else if (behind)
            fraction++;
        else
            whole = *s == '0' ? whole + 1 : 0;
    long place = fraction > 0 ? -fraction : whole;
    return place + (*s == 'e' || *s == 'E' ? strtol(s + 1, NULL, 10) : 0);
}

// The numbers that become the text when they are rounded, or cut, to its last
// digit.
static bool decimal_interval(const char *text, const mpq_t value,
                             uint32_t digits, struct carried *c)
{
    mpfr_t unit;
    mpfr_init2(unit, BITS);
    mpfr_set_si(unit, last_place(text), MPFR_RNDN);
    mpfr_exp10(unit, unit, MPFR_RNDN);
    mpfr_set_q(c->low, value, MPFR_RNDN);
    mpfr_add(c->high, c->low, unit, MPFR_RNDN);
    mpfr_div_2ui(unit, unit, 1, MPFR_RNDN);
    mpfr_sub(c->low, c->low, unit, MPFR_RNDN);
    mpfr_clear(unit);
    c->precision = PRECISION_DECIMAL;
    c->allowed = 20 * pow(10, (double)digits - LEAST_DIGITS);
    return true;
}

static bool interval(const char *text, const mpq_t value, enum precision p,
                     struct carried *c)
{
    uint32_t digits = digits_of(text);
    if (p == PRECISION_DECIMAL)
        return decimal_interval(text, value, digits, c);
    for (uint32_t i = 0; i < N_FORMATS; i++)
        if (formats[i].precision == p)
            return binary_interval(value, digits, i, c);
    return false;
}

// Search

static double complexity(uint32_t base, bool other, const struct ratio *r)
{
    return bases[base].complexity + r->complexity + (other ? 4 : 0);
}

static void make_ratios(struct search *s)
{
    for (unsigned q = 1; q <= MAX_TERM; q++)
        for (unsigned p = 1; p <= MAX_TERM; p++) {
            unsigned a = p, b = q;
            while (b != 0) {
                unsigned rest = a % b;
                a = b;
                b = rest;
            }
            if (a == 1)
                s->ratio[s->n_ratios++] =
                    (struct ratio){p, q, log2(p) + log2(q) + (p > 1 && q > 1)};
        }
}

static bool usable(const struct ratio *r, bool other)
{
    return !other || (r->p <= MAX_OTHER_TERM && r->q <= MAX_OTHER_TERM);
}

static fterm number_term(struct fterms *t, const mpq_t x)
{
    struct buf text = {0};
    fterm out = NO_FTERM;
    if (number_print(x, &text))
        out = fterm_make(t, buf_text(&text), 0, NULL);
    buf_release(&text);
    return out;
}

// r * other * base, as people write it: 3 * sqrt(2), pi / 4.  NO_FTERM: a
// number of too many digits.
static fterm candidate(struct search *s, uint32_t base, uint32_t other,
                       const struct ratio *r)
{
    fterm b, args[2];
    struct err e = {0};
    if (!fterm_read(s->t, bases[base].term, &b, &e))
        BUG("a base of the table cannot be read");
    mpq_t x, y;
    mpq_init(x);
    mpq_init(y);
    mpq_set_ui(x, r->p, r->q);
    if (other > 0) {
        const char *text = s->texts[other - 1];
        (void)number_parse_decimal(text, (uint32_t)strlen(text), y);
        mpq_mul(x, x, y);
    }
    const char *name = fterm_name(s->t, b);
    bool rational = fname_is_number(name, (uint32_t)strlen(name));
    if (rational) {
        (void)number_parse(name, (uint32_t)strlen(name), y);
        mpq_mul(x, x, y);
    }
    bool below = !rational && mpz_cmp_ui(mpq_numref(x), 1) == 0;
    if (below)
        mpq_inv(x, x);
    fterm out = number_term(s->t, x);
    if (!rational && mpq_cmp_ui(x, 1, 1) == 0) {
        out = b;
    } else if (!rational && out != NO_FTERM) {
        args[0] = below ? b : out;
        args[1] = below ? out : b;
        out = fterm_make(s->t, below ? "divide" : "multiply", 2, args);
    }
    mpq_clear(x);
    mpq_clear(y);
    return out;
}

// Within the interval of a text, or of the text without its minus.
static bool signed_within(const struct fterms *t, fterm x, bool minus,
                          const struct carried *c)
{
    mpfr_t v;
    mpfr_init2(v, BITS);
    bool ok = term_value(t, x, MAX_DEPTH, v);
    if (minus)
        mpfr_neg(v, v, MPFR_RNDN);
    ok = ok && mpfr_cmp(v, c->low) >= 0 && mpfr_cmp(v, c->high) <= 0;
    mpfr_clear(v);
    return ok;
}

static bool within(const struct fterms *t, fterm x, const struct carried *c)
{
    return signed_within(t, x, false, c);
}

static void consider(struct search *s, uint32_t base, uint32_t other,
                     const struct ratio *r)
{
    double low = mpfr_get_d(s->in.low, MPFR_RNDD) * (1 - 1e-14);
    double high = mpfr_get_d(s->in.high, MPFR_RNDU) * (1 + 1e-14);
    double v = s->base_value[base] * r->p / r->q;
    if (other > 0)
        v *= s->other_value[other - 1];
    if (v < low || v > high)
        return;
    fterm x = candidate(s, base, other, r);
    if (x == NO_FTERM || !within(s->t, x, &s->in))
        return;
    double c = complexity(base, other > 0, r);
    bool same = fabs(v - s->value) <= 1e-13 * v; // another way to write it
    if (c < s->best) {
        s->second = same ? s->second : s->best;
        s->best = c;
        s->value = v;
        s->term = x;
    } else if (!same && c < s->second) {
        s->second = c;
    }
}

// How many candidates are no more complex than the best.
static double rank(const struct search *s)
{
    double n = 0;
    for (uint32_t b = 0; b < N_BASES; b++)
        for (uint32_t i = 0; i < s->n_ratios; i++) {
            const struct ratio *r = &s->ratio[i];
            n += complexity(b, false, r) <= s->best;
            if (usable(r, true) && complexity(b, true, r) <= s->best)
                n += s->n_others;
        }
    return n;
}

// Few candidates are decimals of so few digits: one in three thousand f32
// numbers is next to one.
static bool short_decimal(struct search *s, const mpq_t text)
{
    char out[MAX_TEXT];
    mpq_t x;
    mpfr_t y;
    mpq_init(x);
    mpfr_init2(y, BITS);
    mpfr_set_q(y, text, MPFR_RNDN);
    mpfr_snprintf(out, sizeof out, "%.*Re", SHORT_DIGITS - 1, y);
    bool ok = number_parse_decimal(out, (uint32_t)strlen(out), x);
    fterm term = ok ? number_term(s->t, x) : NO_FTERM;
    ok = term != NO_FTERM && within(s->t, term, &s->in);
    if (ok) {
        s->term = term;
        s->best = SHORT_COMPLEXITY;
    }
    mpfr_clear(y);
    mpq_clear(x);
    return ok;
}

static bool search(struct search *s)
{
    s->best = s->second = INFINITY;
    s->value = NAN;
    for (uint32_t o = 0; o <= s->n_others; o++)
        for (uint32_t b = 0; b < N_BASES; b++)
            for (uint32_t i = 0; i < s->n_ratios; i++)
                if (usable(&s->ratio[i], o > 0))
                    consider(s, b, o, &s->ratio[i]);
    return s->best < INFINITY && s->second > s->best + CLEARLY &&
           rank(s) <= s->in.allowed;
}

// The text without its sign.
static const char *magnitude(const char *text)
{
    return text + (*text == '-');
}

static void prepare(struct search *s, struct fterms *t, const char *text,
                    uint32_t n_others, const char *const *others)
{
    mpfr_t v;
    mpfr_init2(v, 64);
    s->t = t;
    make_ratios(s);
    for (uint32_t b = 0; b < N_BASES; b++) {
        fterm x;
        struct err e = {0};
        if (!fterm_read(t, bases[b].term, &x, &e) ||
            !term_value(t, x, MAX_DEPTH, v))
            BUG("base %s has no value", bases[b].term);
        s->base_value[b] = mpfr_get_d(v, MPFR_RNDN);
    }
    mpfr_clear(v);
    mpq_t q;
    mpq_init(q);
    for (uint32_t i = 0; i < n_others && s->n_others < MAX_OTHERS; i++) {
        const char *other = magnitude(others[i]);
        uint32_t digits = digits_of(other);
        if (strcmp(other, text) == 0 || digits < 2 ||
            digits > MAX_OTHER_DIGITS ||
            !number_parse_decimal(other, (uint32_t)strlen(other), q))
            continue;
        s->texts[s->n_others] = other;
        s->other_value[s->n_others++] = mpq_get_d(q);
    }
    mpq_clear(q);
}

static bool text_value(const char *text, mpq_t out)
{
    size_t len = strlen(text);
    return len <= MAX_TEXT && digits_of(text) >= LEAST_DIGITS &&
           number_parse_decimal(text, (uint32_t)len, out) && mpq_sgn(out) > 0;
}

static double difference_of(const struct fterms *t, fterm value,
                            const mpq_t text)
{
    const char *name = fterm_name(t, value);
    uint32_t len = (uint32_t)strlen(name);
    mpfr_t v;
    mpq_t q;
    mpfr_init2(v, BITS);
    mpq_init(q);
    double d = NAN;
    if (fname_is_number(name, len) && number_parse(name, len, q)) {
        mpq_sub(q, q, text); // exactly: 0 for the text itself
        mpfr_set_q(v, q, MPFR_RNDN);
        d = mpfr_get_d(v, MPFR_RNDN);
    } else if (term_value(t, value, MAX_DEPTH, v)) {
        mpfr_sub_q(v, v, text, MPFR_RNDN);
        d = mpfr_get_d(v, MPFR_RNDN);
    }
    mpq_clear(q);
    mpfr_clear(v);
    return d;
}

static void carried_init(struct carried *c)
{
    mpfr_init2(c->low, BITS);
    mpfr_init2(c->high, BITS);
}

static void carried_release(struct carried *c)
{
    mpfr_clear(c->low);
    mpfr_clear(c->high);
}

// -2/3, or (negate x).
static fterm negative(struct fterms *t, fterm x)
{
    mpq_t q;
    mpq_init(q);
    const char *name = fterm_name(t, x);
    uint32_t len = (uint32_t)strlen(name);
    fterm out;
    if (fname_is_number(name, len) && number_parse(name, len, q)) {
        mpq_neg(q, q);
        out = number_term(t, q);
    } else {
        out = fterm_make(t, "negate", 1, &x);
    }
    mpq_clear(q);
    return out;
}

static bool recover_positive(struct fterms *t, const char *text,
                             uint32_t n_others, const char *const *others,
                             struct recovered *out)
{
    // From the most digits to the least: the first that explains it.
    static const enum precision order[] = {PRECISION_F64, PRECISION_DECIMAL,
                                           PRECISION_F32, PRECISION_F16,
                                           PRECISION_BF16};
    mpq_t value;
    mpq_init(value);
    bool found = false;
    if (text_value(text, value)) {
        struct search s = {0};
        prepare(&s, t, text, n_others, others);
        carried_init(&s.in);
        for (size_t i = 0; !found && i < sizeof order / sizeof *order; i++)
            found = interval(text, value, order[i], &s.in) &&
                    (search(&s) || (order[i] == PRECISION_F32 &&
                                    isinf(s.best) && short_decimal(&s, value)));
        carried_release(&s.in);
        if (found)
            *out = (struct recovered){.value = s.term,
                                      .precision = s.in.precision,
                                      .difference =
                                          difference_of(t, s.term, value),
                                      .complexity = s.best,
                                      .digits = digits_of(text)};
        // The text itself is no recovery.
        found = found && out->difference != 0;
    }
    mpq_clear(value);
    return found;
}

bool constant_recover(struct fterms *t, const char *text, uint32_t n_others,
                      const char *const *others, struct recovered *out)
{
    bool minus = *text == '-';
    bool found = recover_positive(t, magnitude(text), n_others, others, out);
    if (found && minus) {
        out->value = negative(t, out->value);
        out->difference = -out->difference;
        found = out->value != NO_FTERM;
    }
    return found;
}

bool constant_agrees(const struct fterms *t, fterm value, const char *text,
                     enum precision p, double *difference)
{
    bool minus = *text == '-';

    struct carried c;
    mpq_t q;
    mpq_init(q);
    carried_init(&c);
    bool ok = text_value(magnitude(text), q) &&
              interval(magnitude(text), q, p, &c) &&
              signed_within(t, value, minus, &c);
    if (ok && minus)
        mpq_neg(q, q);
    if (ok)
        *difference = difference_of(t, value, q);
    carried_release(&c);
    mpq_clear(q);
    return ok;
}
