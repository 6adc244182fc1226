// SPDX-License-Identifier: Apache-2.0
#include "formula/terms/number.h"
#include "tensor/language/op.h"
#include "formula/limits.h"

#include "base/text/cursor.h"
#include "base/memory/vec.h"

#include <string.h>

enum { MAX_OPERANDS = 3 };

static size_t bits(const mpq_t x)
{
    return mpz_sizeinbase(mpq_numref(x), 2) + mpz_sizeinbase(mpq_denref(x), 2);
}

static uint32_t digits_from(const char *text, uint32_t len, uint32_t i)
{
    while (i < len && is_digit(text[i]))
        i++;
    return i;
}

// Reads digits without a leading zero, string[from .. to - 1].
static bool whole(const char *text, uint32_t from, uint32_t to)
{
    return from < to && (text[from] != '0' || to == from + 1);
}

bool number_parse(const char *string, uint32_t len, mpq_t out)
{
    char text[NUMBER_TEXT + 1];
    if (len == 0 || len > NUMBER_TEXT)
        return false;
    uint32_t i = string[0] == '-', end = digits_from(string, len, i);
    if (!whole(string, i, end))
        return false;
    if (end < len) {
        uint32_t den = end + 1;
        if (string[end] != '/' || digits_from(string, len, den) != len || !whole(string, den, len))
            return false;
    }
    memcpy(text, string, len);
    text[len] = 0;
    if (mpq_set_str(out, text, 10) != 0 || mpz_sgn(mpq_denref(out)) == 0)
        return false;
    // The spelling of a number is unique: lowest terms, no leading zeros.
    struct buf again = {0};
    mpq_canonicalize(out);
    bool ok =
        number_print(out, &again) && again.len == len && memcmp(buf_text(&again), string, len) == 0;
    buf_release(&again);
    return ok;
}

// Multiplies x by 10^n; n may be negative.
static void scale(mpq_t x, long n)
{
    mpz_t p;
    mpz_init(p);
    mpz_ui_pow_ui(p, 10, (unsigned long)(n < 0 ? -n : n));
    if (n < 0)
        mpz_mul(mpq_denref(x), mpq_denref(x), p);
    else
        mpz_mul(mpq_numref(x), mpq_numref(x), p);
    mpq_canonicalize(x);
    mpz_clear(p);
}

bool number_parse_decimal(const char *string, uint32_t len, mpq_t out)
{
    char text[NUMBER_TEXT + 1];
    uint32_t n = 0, i = len > 0 && (string[0] == '-' || string[0] == '+');
    if (len == 0 || len > NUMBER_TEXT)
        return false;
    if (string[0] == '-')
        text[n++] = '-';
    uint32_t first = i, end = digits_from(string, len, i), before = end - i;
    long shift = 0;
    memcpy(text + n, string + first, before);
    n += before;
    i = end;
    if (i < len && string[i] == '.') {
        end = digits_from(string, len, i + 1);
        uint32_t after = end - i - 1;
        memcpy(text + n, string + i + 1, after);
        n += after;
        before += after;
        shift = -(long)after;
        i = end;
    }
    if (before == 0)
        return false;
    if (i < len && (string[i] == 'e' || string[i] == 'E')) {
        bool minus = i + 1 < len && string[i + 1] == '-';
        i += i + 1 < len && (minus || string[i + 1] == '+') ? 2u : 1u;
        uint32_t from = i;
        long x = 0;
        for (; i < len && is_digit(string[i]) && x <= NUMBER_EXPONENT; i++)
            x = x * 10 + (string[i] - '0');
        if (i == from || x > NUMBER_EXPONENT)
            return false;
        shift += minus ? -x : x;
    }
    text[n] = 0;
    if (i != len || mpz_set_str(mpq_numref(out), text, 10) != 0)
        return false;
    mpz_set_ui(mpq_denref(out), 1);
    scale(out, shift);
    return true;
}

bool number_print(const mpq_t x, struct buf *out)
{
    if (bits(x) > NUMBER_MAX_BITS)
        return false;
    char text[NUMBER_MAX_BITS + 4];
    buf_puts(out, mpq_get_str(text, 10, x));
    return true;
}

bool number_print_decimal(const mpq_t x, uint32_t digits, struct buf *out)
{
    mpz_t rest, power, scaled;
    uint32_t two, five, after;
    mpz_inits(rest, power, scaled, NULL);
    mpz_set_ui(power, 2);
    two = (uint32_t)mpz_remove(rest, mpq_denref(x), power);
    mpz_set_ui(power, 5);
    five = (uint32_t)mpz_remove(rest, rest, power);
    after = two > five ? two : five;
    bool ok = mpz_cmp_ui(rest, 1) == 0 && after <= digits && bits(x) <= NUMBER_MAX_BITS;
    if (ok) {
        mpz_ui_pow_ui(power, 10, after);
        mpz_mul(scaled, mpq_numref(x), power);
        mpz_divexact(scaled, scaled, mpq_denref(x));
        char *text = mem_alloc(mpz_sizeinbase(scaled, 10) + 2);
        mpz_abs(rest, scaled);
        (void)mpz_get_str(text, 10, rest);
        size_t n = strlen(text), significant = n;
        ok = significant <= digits;
        if (ok && mpz_sgn(scaled) < 0)
            buf_putc(out, '-');
        if (ok && n <= after)
            buf_puts(out, "0");
        else if (ok)
            buf_write(out, text, n - after);
        if (ok && after > 0) {
            buf_putc(out, '.');
            for (size_t i = n; i < after; i++)
                buf_putc(out, '0');
            buf_puts(out, n > after ? text + n - after : text);
        }
        mem_free(text);
    }
    mpz_clears(rest, power, scaled, NULL);
    return ok;
}

// Folding

struct number_operand {
    enum { NUMBER, TRUTH } kind;
    bool truth;
    mpq_t x;
};

static bool word_is(const char *s, uint32_t len, const char *t)
{
    return strlen(t) == len && memcmp(s, t, len) == 0;
}

static bool read_operand(const char *text, uint32_t len, struct number_operand *out)
{
    bool truth = word_is(text, len, "true");
    out->kind = truth || word_is(text, len, "false") ? TRUTH : NUMBER;
    out->truth = truth;
    return out->kind == TRUTH || number_parse(text, len, out->x);
}

static void floor_of(mpq_t x, bool up)
{
    if (up)
        mpz_cdiv_q(mpq_numref(x), mpq_numref(x), mpq_denref(x));
    else
        mpz_fdiv_q(mpq_numref(x), mpq_numref(x), mpq_denref(x));
    mpz_set_ui(mpq_denref(x), 1);
}

// The exact n-th root of a non-negative number.
static bool root(mpq_t x, unsigned long n)
{
    bool ok = mpz_root(mpq_numref(x), mpq_numref(x), n) != 0;
    return mpz_root(mpq_denref(x), mpq_denref(x), n) != 0 && ok;
}

// x^n for a whole number n.
static bool whole_power(mpq_t x, long n)
{
    unsigned long m = (unsigned long)(n < 0 ? -n : n);
    if ((n < 0 && mpq_sgn(x) == 0) || m > NUMBER_EXPONENT ||
        (m > 1 && (bits(x) - 2) * m > NUMBER_MAX_BITS))
        return false;
    if (n < 0)
        mpq_inv(x, x);
    mpz_pow_ui(mpq_numref(x), mpq_numref(x), m);
    mpz_pow_ui(mpq_denref(x), mpq_denref(x), m);
    return true;
}

// x^y for whole exponents, and for roots of exact powers; 0^0 is 1.
static bool power(mpq_t x, const mpq_t y)
{
    if (!mpz_fits_slong_p(mpq_numref(y)) || !mpz_fits_slong_p(mpq_denref(y)))
        return false;
    long n = mpz_get_si(mpq_numref(y)), d = mpz_get_si(mpq_denref(y));
    if (n < -NUMBER_EXPONENT || n > NUMBER_EXPONENT || d > NUMBER_EXPONENT)
        return false;
    if (d != 1 && (mpq_sgn(x) < 0 || !root(x, (unsigned long)d)))
        return false;
    return whole_power(x, n);
}

// Functions with a rational value at one obvious point.
static bool fold_point(const char *name, uint32_t len, mpq_t x)
{
    char text[40] = "";
    enum op op;
    int at = 0, value = 0;
    if (len < sizeof text)
        memcpy(text, name, len);
    if (!op_by_name(text, &op) || op_facts(op)->point == POINT_NONE)
        return false;
    at = op_facts(op)->point == POINT_AT_1_IS_0;
    value = op_facts(op)->point == POINT_AT_0_IS_1 || op_facts(op)->point == POINT_AT_0_IS_HALF;
    if (mpq_cmp_si(x, at, 1) != 0)
        return false;
    mpq_set_si(x, value, op_facts(op)->point == POINT_AT_0_IS_HALF ? 2 : 1);
    return true;
}

static bool fold_one(const char *op, uint32_t len, mpq_t x)
{
    int sign = mpq_sgn(x);
    if (word_is(op, len, "negate"))
        mpq_neg(x, x);
    else if (word_is(op, len, "abs"))
        mpq_abs(x, x);
    else if (word_is(op, len, "sign"))
        mpq_set_si(x, sign, 1);
    else if (word_is(op, len, "floor") || word_is(op, len, "ceil"))
        floor_of(x, *op == 'c');
    else if (word_is(op, len, "sqrt"))
        return sign >= 0 && root(x, 2);
    else if (word_is(op, len, "cbrt"))
        return root(x, 3);
    else if (word_is(op, len, "rsqrt")) {
        if (sign <= 0 || !root(x, 2))
            return false;
        mpq_inv(x, x);
    } else
        return fold_point(op, len, x);
    return true;
}

static bool fold_two(const char *op, uint32_t len, mpq_t x, const mpq_t y)
{
    if (word_is(op, len, "add"))
        mpq_add(x, x, y);
    else if (word_is(op, len, "subtract"))
        mpq_sub(x, x, y);
    else if (word_is(op, len, "multiply"))
        mpq_mul(x, x, y);
    else if (word_is(op, len, "divide")) {
        if (mpq_sgn(y) == 0)
            return false;
        mpq_div(x, x, y);
    } else if (word_is(op, len, "maximum")) {
        if (mpq_cmp(x, y) < 0)
            mpq_set(x, y);
    } else if (word_is(op, len, "minimum")) {
        if (mpq_cmp(x, y) > 0)
            mpq_set(x, y);
    } else if (word_is(op, len, "power"))
        return power(x, y);
    else
        return false;
    return true;
}

static bool fold_order(const char *op, uint32_t len, const mpq_t x, const mpq_t y, bool *out)
{
    int c = mpq_cmp(x, y);
    bool known = true;
    if (word_is(op, len, "lt"))
        *out = c < 0;
    else if (word_is(op, len, "le"))
        *out = c <= 0;
    else if (word_is(op, len, "eq"))
        *out = c == 0;
    else if (word_is(op, len, "ne"))
        *out = c != 0;
    else
        known = false;
    return known;
}

static bool fold_truth(const char *op, uint32_t len, uint32_t n,
                       const struct number_operand *operand, bool *out)
{
    bool x = operand[0].truth, y = n == 2 && operand[1].truth, known = true;
    if (n == 1 && word_is(op, len, "not"))
        *out = !x;
    else if (n == 2 && word_is(op, len, "and"))
        *out = x && y;
    else if (n == 2 && word_is(op, len, "or"))
        *out = x || y;
    else if (n == 2 && (word_is(op, len, "xor") || word_is(op, len, "ne")))
        *out = x != y;
    else if (n == 2 && word_is(op, len, "eq"))
        *out = x == y;
    else
        known = false;
    return known;
}

// The result is operand[0].
static bool fold(const char *op, uint32_t len, uint32_t n, struct number_operand *operand)
{
    bool all_numbers = true, all_truths = true, truth = false;
    for (uint32_t i = 0; i < n; i++) {
        all_numbers &= operand[i].kind == NUMBER;
        all_truths &= operand[i].kind == TRUTH;
    }
    if (all_truths && n <= 2 && fold_truth(op, len, n, operand, &truth)) {
        operand[0].truth = truth;
        return true;
    }
    if (n == 3 && operand[0].kind == TRUTH && operand[1].kind == operand[2].kind &&
        word_is(op, len, "select")) {
        const struct number_operand *from = &operand[operand[0].truth ? 1 : 2];
        operand[0].kind = from->kind;
        operand[0].truth = from->truth;
        mpq_set(operand[0].x, from->x);
        return true;
    }
    if (!all_numbers)
        return false;
    if (n == 2 && fold_order(op, len, operand[0].x, operand[1].x, &truth)) {
        operand[0].kind = TRUTH;
        operand[0].truth = truth;
        return true;
    }
    if (n == 3 && word_is(op, len, "clamp") && mpq_cmp(operand[0].x, operand[2].x) <= 0) {
        bool low = mpq_cmp(operand[1].x, operand[0].x) < 0;
        bool high = mpq_cmp(operand[1].x, operand[2].x) > 0;
        if (!low)
            mpq_set(operand[0].x, operand[high ? 2 : 1].x);
        return true;
    }
    return n == 1   ? fold_one(op, len, operand[0].x)
           : n == 2 ? fold_two(op, len, operand[0].x, operand[1].x)
                    : false;
}

bool number_fold(const char *op, uint32_t len, uint32_t n, const char *const *names,
                 const uint32_t *lens, struct buf *out)
{
    struct number_operand operand[MAX_OPERANDS];
    if (n == 0 || n > MAX_OPERANDS)
        return false;
    for (uint32_t i = 0; i < n; i++)
        mpq_init(operand[i].x);
    bool ok = true;
    for (uint32_t i = 0; ok && i < n; i++)
        ok = read_operand(names[i], lens[i], &operand[i]);
    ok = ok && fold(op, len, n, operand);
    if (ok && operand[0].kind == TRUTH)
        buf_puts(out, operand[0].truth ? "true" : "false");
    else if (ok)
        ok = number_print(operand[0].x, out);
    for (uint32_t i = 0; i < n; i++)
        mpq_clear(operand[i].x);
    return ok;
}

bool number_name_of_decimal(const char *text, uint32_t len, struct buf *out)
{
    bool minus = len && text[0] == '-';
    mpq_t x;
    mpq_init(x);
    bool ok = number_parse_decimal(text + minus, len - minus, x);
    if (ok && minus)
        mpq_neg(x, x);
    ok = ok && number_print(x, out);
    mpq_clear(x);
    return ok;
}
