// SPDX-License-Identifier: Apache-2.0
// Every candidate is r * b: a base of the table times a rational r with small
// terms, or times another constant of the formula.  A precision in which the
// text may have been carried gives an interval (formula/constants/precision.h).
// A candidate in the interval is accepted if few candidates are as simple, so
// that a random number rarely meets one, and if no other candidate of about its
// complexity is in the interval.
#include "formula/constants/precision.h"
#include "formula/limits.h"
#include "formula/terms/number.h"
#include <math.h>

#define CLEARLY 2.0 // the next candidate must be so much more complex

// Constants that kernels use come first; if few digits are left, only these are
// tried.  For f16 and bf16 the order of the first ten decides: 1/sqrt(2), pi
// and sqrt(2) are equal in both formats, so bf16 needs no order of its own.
static const struct base {
    const char *term;
    double complexity;
} bases[] = {
    {"(divide 1 (log 2))", 0.0},
    {"(sqrt (divide 2 pi))", 0.1},
    {"1/100", 0.2},
    {"(divide 1 (sqrt 2))", 0.3},
    {"(log 2)", 0.4},
    {"pi", 0.5},
    {"(sqrt 2)", 0.6},
    {"1/10", 0.7},
    {"1/1000", 0.8},
    {"1", 0.0}, // rationals: 1/3 has complexity 1.58
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
    {"(divide pi 180)", 4},
    {"(divide 180 pi)", 4},
    // Constants of gelu by tanh and by a logistic function, also for powers of two; of selu.
    {"8943/200000", 5},
    {"(multiply 8943/200000 (sqrt (divide 2 pi)))", 5},
    {"(divide (sqrt (divide 2 pi)) (log 2))", 5},
    {"(multiply 8943/200000 (divide (sqrt (divide 2 pi)) (log 2)))", 6},
    {"(divide 851/500 (log 2))", 5},
    {"2101401974710961/2000000000000000", 6},
    {"4183158105885943/2500000000000000", 6},
    {"(multiply 2101401974710961/2000000000000000 "
     "4183158105885943/2500000000000000)",
     6},
};
enum { N_BASES = sizeof bases / sizeof *bases };

struct ratio { // p / q in lowest terms
    unsigned p, q;
    double complexity;
};
struct constant_search {
    struct fterms *terms;
    struct carried in;
    struct ratio ratio[CONSTANT_TERM * CONSTANT_TERM];
    uint32_t n_ratios, n_others;
    const char *texts[CONSTANT_OTHERS];
    double other_value[CONSTANT_OTHERS], base_value[N_BASES];
    double best, second; // complexities of the best two candidates
    fterm term;          // term of the best candidate, and its value
    double value;
};

// Search

static double complexity(uint32_t base, bool other, const struct ratio *ratio)
{
    return bases[base].complexity + ratio->complexity + (other ? 4 : 0);
}

static void make_ratios(struct constant_search *s)
{
    for (unsigned q = 1; q <= CONSTANT_TERM; q++)
        for (unsigned p = 1; p <= CONSTANT_TERM; p++) {
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

static bool usable(const struct ratio *ratio, bool other)
{
    return !other || (ratio->p <= CONSTANT_OTHER_TERM && ratio->q <= CONSTANT_OTHER_TERM);
}

static fterm number_term(struct fterms *terms, const mpq_t x)
{
    struct buf text = {0};
    fterm out = NO_FTERM;
    if (number_print(x, &text))
        out = fterm_make(terms, buf_text(&text), 0, NULL);
    buf_release(&text);
    return out;
}

// Makes ratio * other * base as people write it: 3 * sqrt(2), pi / 4.
// NO_FTERM: a number has too many digits.
static fterm candidate(struct constant_search *s, uint32_t base, uint32_t other,
                       const struct ratio *ratio)
{
    fterm term, args[2];
    struct err err = {0};
    if (!fterm_read(s->terms, bases[base].term, &term, &err))
        BUG("a base of the table cannot be read");
    mpq_t x, y;
    mpq_init(x);
    mpq_init(y);
    mpq_set_ui(x, ratio->p, ratio->q);
    if (other > 0) {
        const char *text = s->texts[other - 1];
        (void)number_parse_decimal(text, (uint32_t)strlen(text), y);
        mpq_mul(x, x, y);
    }
    const char *name = fterm_name(s->terms, term);
    bool rational = fname_is_number(name, (uint32_t)strlen(name));
    if (rational) {
        (void)number_parse(name, (uint32_t)strlen(name), y);
        mpq_mul(x, x, y);
    }
    bool below = !rational && mpz_cmp_ui(mpq_numref(x), 1) == 0;
    if (below)
        mpq_inv(x, x);
    fterm out = number_term(s->terms, x);
    if (!rational && mpq_cmp_ui(x, 1, 1) == 0) {
        out = term;
    } else if (!rational && out != NO_FTERM) {
        args[0] = below ? term : out;
        args[1] = below ? out : term;
        out = fterm_make(s->terms, below ? "divide" : "multiply", 2, args);
    }
    mpq_clear(x);
    mpq_clear(y);
    return out;
}

static void consider(struct constant_search *s, uint32_t base, uint32_t other,
                     const struct ratio *ratio)
{
    double low = mpfr_get_d(s->in.low, MPFR_RNDD) * (1 - 1e-14);
    double high = mpfr_get_d(s->in.high, MPFR_RNDU) * (1 + 1e-14);
    double v = s->base_value[base] * ratio->p / ratio->q;
    if (other > 0)
        v *= s->other_value[other - 1];
    if (v < low || v > high)
        return;
    fterm term = candidate(s, base, other, ratio);
    if (term == NO_FTERM || !carried_holds(&s->in, s->terms, term, false))
        return;
    double c = complexity(base, other > 0, ratio);
    bool same = fabs(v - s->value) <= 1e-13 * v; // the same number, written otherwise
    if (c < s->best) {
        s->second = same ? s->second : s->best;
        s->best = c;
        s->value = v;
        s->term = term;
    } else if (!same && c < s->second) {
        s->second = c;
    }
}

// The number of candidates that are at most as complex as the best.
static double rank(const struct constant_search *s)
{
    double n = 0;
    for (uint32_t b = 0; b < N_BASES; b++)
        for (uint32_t i = 0; i < s->n_ratios; i++) {
            const struct ratio *ratio = &s->ratio[i];
            n += complexity(b, false, ratio) <= s->best;
            if (usable(ratio, true) && complexity(b, true, ratio) <= s->best)
                n += s->n_others;
        }
    return n;
}

// Is the candidate a decimal of few digits?  Such decimals are rare: one in
// three thousand f32 numbers is next to one.
static bool short_decimal(struct constant_search *s, const mpq_t text)
{
    char out[CARRIED_TEXT];
    mpq_t x;
    mpfr_t y;
    mpq_init(x);
    mpfr_init2(y, CARRIED_BITS);
    mpfr_set_q(y, text, MPFR_RNDN);
    mpfr_snprintf(out, sizeof out, "%.*Re", CONSTANT_SHORT_DIGITS - 1, y);
    bool ok = number_parse_decimal(out, (uint32_t)strlen(out), x);
    fterm term = ok ? number_term(s->terms, x) : NO_FTERM;
    ok = term != NO_FTERM && carried_holds(&s->in, s->terms, term, false);
    if (ok) {
        s->term = term;
        s->best = CONSTANT_SHORT_COMPLEXITY;
    }
    mpfr_clear(y);
    mpq_clear(x);
    return ok;
}

static bool search(struct constant_search *s)
{
    s->best = s->second = INFINITY;
    s->value = NAN;
    for (uint32_t o = 0; o <= s->n_others; o++)
        for (uint32_t b = 0; b < N_BASES; b++)
            for (uint32_t i = 0; i < s->n_ratios; i++)
                if (usable(&s->ratio[i], o > 0))
                    consider(s, b, o, &s->ratio[i]);
    return s->best < INFINITY && s->second > s->best + CLEARLY && rank(s) <= s->in.allowed;
}

// Searches for the text without its sign.
static const char *magnitude(const char *text)
{
    return text + (*text == '-');
}

static void prepare(struct constant_search *s, struct fterms *terms, const char *text,
                    uint32_t n_others, const char *const *others)
{
    mpfr_t v;
    mpfr_init2(v, 64);
    s->terms = terms;
    make_ratios(s);
    for (uint32_t b = 0; b < N_BASES; b++) {
        fterm term;
        struct err err = {0};
        if (!fterm_read(terms, bases[b].term, &term, &err) || !carried_value(terms, term, v))
            BUG("base %s has no value", bases[b].term);
        s->base_value[b] = mpfr_get_d(v, MPFR_RNDN);
    }
    mpfr_clear(v);
    mpq_t q;
    mpq_init(q);
    for (uint32_t i = 0; i < n_others && s->n_others < CONSTANT_OTHERS; i++) {
        const char *other = magnitude(others[i]);
        uint32_t digits = carried_digits(other);
        if (strcmp(other, text) == 0 || digits < 2 || digits > CONSTANT_OTHER_DIGITS ||
            !number_parse_decimal(other, (uint32_t)strlen(other), q))
            continue;
        s->texts[s->n_others] = other;
        s->other_value[s->n_others++] = mpq_get_d(q);
    }
    mpq_clear(q);
}

// -2/3, or (negate x).
static fterm negative(struct fterms *terms, fterm term)
{
    mpq_t q;
    mpq_init(q);
    const char *name = fterm_name(terms, term);
    uint32_t len = (uint32_t)strlen(name);
    fterm out;
    if (fname_is_number(name, len) && number_parse(name, len, q)) {
        mpq_neg(q, q);
        out = number_term(terms, q);
    } else {
        out = fterm_make(terms, "negate", 1, &term);
    }
    mpq_clear(q);
    return out;
}

static bool recover_positive(struct fterms *terms, const char *text, uint32_t n_others,
                             const char *const *others, struct recovered *out)
{
    // From the most precise to the least: the first precision that explains the
    // text.
    static const enum precision order[] = {
        PRECISION_F64,  PRECISION_DECIMAL,  PRECISION_F32,         PRECISION_F16,
        PRECISION_BF16, PRECISION_F64_NEAR, PRECISION_DECIMAL_NEAR};
    mpq_t value;
    mpq_init(value);
    bool found = false;
    if (carried_number(text, value)) {
        struct constant_search s = {0};
        prepare(&s, terms, text, n_others, others);
        carried_init(&s.in);
        for (size_t i = 0; !found && i < sizeof order / sizeof *order; i++)
            found = carried_as(text, value, order[i], &s.in) &&
                    (search(&s) ||
                     (order[i] == PRECISION_F32 && isinf(s.best) && short_decimal(&s, value)));
        carried_release(&s.in);
        if (found)
            *out = (struct recovered){.value = s.term,
                                      .precision = s.in.precision,
                                      .difference = carried_difference(terms, s.term, value),
                                      .complexity = s.best,
                                      .digits = carried_digits(text)};
        // The text itself is no recovered constant.
        found = found && out->difference != 0;
    }
    mpq_clear(value);
    return found;
}

bool constant_recover(struct fterms *terms, const char *text, uint32_t n_others,
                      const char *const *others, struct recovered *out)
{
    bool minus = *text == '-';
    bool found = recover_positive(terms, magnitude(text), n_others, others, out);
    if (found && minus) {
        out->value = negative(terms, out->value);
        out->difference = -out->difference;
        found = out->value != NO_FTERM;
    }
    return found;
}

bool constant_agrees(const struct fterms *terms, fterm value, const char *text,
                     enum precision precision, double *difference)
{
    bool minus = *text == '-';
    struct carried interval;
    mpq_t q;
    mpq_init(q);
    carried_init(&interval);
    bool ok = carried_number(magnitude(text), q) &&
              carried_as(magnitude(text), q, precision, &interval) &&
              carried_holds(&interval, terms, value, minus);
    if (ok && minus)
        mpq_neg(q, q);
    if (ok)
        *difference = carried_difference(terms, value, q);
    carried_release(&interval);
    mpq_clear(q);
    return ok;
}
