// SPDX-License-Identifier: Apache-2.0
#include "loops/symbolic/leaf.h"
#include "formula/terms/number.h"

#include <stdlib.h>

static enum lterm_kind kind_of(const struct symbolic *s, lterm term)
{
    return lterm_kind(s->terms, term);
}

static bool is_infinite(const struct symbolic *s, lterm term)
{
    return kind_of(s, term) == LT_INFINITE;
}

static bool is_literal(const struct symbolic *s, lterm term, const char *text)
{
    return lterm_is_number(s->terms, term, text);
}

static lterm plain(struct symbolic *s, enum code_op op, uint32_t n, const lterm *args)
{
    return lterm_make(s->terms, LT_APPLY, op, n, args);
}

// ---- signs ----

static int literal_sign(const struct lterms *terms, lterm term)
{
    if (lterm_kind(terms, term) != LT_NUMBER)
        return 0;
    const char *text = intern_text(&terms->names, lterm_number(terms, term));
    return text[0] == '-' ? -1 : strcmp(text, "0") ? 1 : 0;
}

bool leaf_is_positive(const struct lterms *terms, lterm term)
{
    if (literal_sign(terms, term) > 0 || lterm_is(terms, term, CODE_EXP) ||
        lterm_is(terms, term, CODE_EXP2))
        return true;
    if (!lterm_is(terms, term, CODE_MULTIPLY) && !lterm_is(terms, term, CODE_DIVIDE) &&
        !lterm_is(terms, term, CODE_ADD))
        return false;
    return leaf_is_positive(terms, lterm_arg(terms, term, 0)) &&
           leaf_is_positive(terms, lterm_arg(terms, term, 1));
}

bool leaf_is_not_negative(const struct lterms *terms, lterm term)
{
    if (lterm_kind(terms, term) == LT_NUMBER)
        return literal_sign(terms, term) >= 0;
    if (lterm_kind(terms, term) == LT_REDUCE) {
        uint32_t op = lterm_number(terms, term) >> 16;
        return (op == CODE_MAXIMUM || op == CODE_MINIMUM || op == CODE_ADD) &&
               leaf_is_not_negative(terms, lterm_arg(terms, term, 1));
    }
    if (lterm_is(terms, term, CODE_ABS) || lterm_is(terms, term, CODE_SQRT) ||
        leaf_is_positive(terms, term))
        return true;
    if (lterm_is(terms, term, CODE_MULTIPLY) &&
        lterm_arg(terms, term, 0) == lterm_arg(terms, term, 1))
        return true;
    bool either = lterm_is(terms, term, CODE_MAXIMUM);
    if (!either && !lterm_is(terms, term, CODE_ADD) && !lterm_is(terms, term, CODE_MULTIPLY))
        return false;
    bool first = leaf_is_not_negative(terms, lterm_arg(terms, term, 0));
    bool second = leaf_is_not_negative(terms, lterm_arg(terms, term, 1));
    return either ? first || second : first && second;
}

// 1, -1, or 0 for "not known".
static int sign_of(const struct symbolic *s, lterm term)
{
    if (is_infinite(s, term))
        return lterm_number(s->terms, term) ? 1 : -1;
    int sign = literal_sign(s->terms, term);
    return sign ? sign : leaf_is_positive(s->terms, term);
}

// ---- integers and truth values ----

static lterm whole_apply(struct symbolic *s, enum code_op op, ipoly a, ipoly b)
{
    struct integers *in = s->in;
    switch (op) {
    case CODE_AND:
    case CODE_SHIFT_LEFT:
    case CODE_SHIFT_RIGHT:
    case CODE_UNSIGNED_SHIFT_RIGHT:
        return leaf_word(s, op, a, b);
    case CODE_ADD:
        return lterm_whole(s->terms, int_add(in, a, b));
    case CODE_SUBTRACT:
        return lterm_whole(s->terms, int_subtract(in, a, b));
    case CODE_MULTIPLY:
        return lterm_whole(s->terms, int_multiply(in, a, b));
    case CODE_DIVIDE:
        return lterm_whole(s->terms, int_divide(in, &s->facts, a, b));
    case CODE_REMAINDER:
        return lterm_whole(s->terms, int_remainder(in, &s->facts, a, b));
    case CODE_MINIMUM:
        return lterm_whole(s->terms, int_minimum(in, &s->facts, a, b));
    case CODE_MAXIMUM:
        return lterm_whole(s->terms, int_maximum(in, &s->facts, a, b));
    case CODE_NEGATE:
        return lterm_whole(s->terms, int_scale(in, a, -1));
    case CODE_CONVERT:
        return lterm_whole(s->terms, a);
    default:
        return lterm_undefined(s->terms, "an operator on integers that has no polynomial");
    }
}

static lterm whole_compare(struct symbolic *s, enum code_op op, ipoly a, ipoly b)
{
    lterm yes = lterm_truth(s->terms, true), no = lterm_truth(s->terms, false);
    ipoly ab = int_subtract(s->in, b, a), ba = int_subtract(s->in, a, b);
    switch (op) {
    case CODE_LESS:
        return symbolic_choose(s, int_shift(s->in, ab, -1), yes, no);
    case CODE_LESS_EQUAL:
        return symbolic_choose(s, ab, yes, no);
    default: {
        bool equal = op == CODE_EQUAL;
        lterm same = equal ? yes : no, differs = equal ? no : yes;
        lterm inner = symbolic_choose(s, ba, same, differs);
        return symbolic_choose(s, ab, inner, differs);
    }
    }
}

static lterm truth_apply(struct symbolic *s, enum code_op op, uint32_t n, const lterm *args)
{
    lterm yes = lterm_truth(s->terms, true), no = lterm_truth(s->terms, false);
    if (op == CODE_NOT)
        return args[0] == yes ? no : args[0] == no ? yes : plain(s, op, n, args);
    if (n != 2)
        return plain(s, op, n, args);
    for (uint32_t i = 0; i < 2; i++) {
        lterm one = args[i], other = args[1 - i];
        if (one == other)
            return op == CODE_XOR || op == CODE_UNEQUAL ? no : op == CODE_EQUAL ? yes : one;
        if (op == CODE_AND && (one == yes || one == no))
            return one == yes ? other : no;
        if (op == CODE_OR && (one == yes || one == no))
            return one == yes ? yes : other;
        if (one == yes || one == no) {
            bool negate = (one == yes) == (op == CODE_XOR || op == CODE_UNEQUAL);
            return negate ? truth_apply(s, CODE_NOT, 1, &other) : other;
        }
    }
    return plain(s, op, n, args);
}

// ---- reals ----

static lterm number(struct symbolic *s, const char *text)
{
    return lterm_number_of(s->terms, text);
}

static lterm nothing(struct symbolic *s, const char *reason)
{
    return lterm_undefined(s->terms, reason);
}

static lterm sum_with_infinity(struct symbolic *s, enum code_op op, const lterm *args)
{
    int a = is_infinite(s, args[0]) ? sign_of(s, args[0]) : 0;
    int b = is_infinite(s, args[1]) ? sign_of(s, args[1]) : 0;
    b = op == CODE_SUBTRACT ? -b : b;
    if (a && b && a != b)
        return nothing(s, "a difference of infinities: a row or a tile may be empty");
    return lterm_infinite(s->terms, a + b > 0);
}

static lterm product_with_infinity(struct symbolic *s, enum code_op op, const lterm *args)
{
    bool divides = op == CODE_DIVIDE;
    int a = sign_of(s, args[0]), b = sign_of(s, args[1]);
    if (divides && is_infinite(s, args[1]))
        return is_infinite(s, args[0]) ? nothing(s, "a quotient of infinities") : number(s, "0");
    if (!a || !b)
        return nothing(s, "a product with an infinity: a row or a tile may be empty");
    return lterm_infinite(s->terms, a * b > 0);
}

static lterm extremum_with_infinity(struct symbolic *s, enum code_op op, const lterm *args)
{
    uint32_t which = is_infinite(s, args[0]) ? 0 : 1;
    bool wins = (lterm_number(s->terms, args[which]) == 1) == (op == CODE_MAXIMUM);
    return wins ? args[which] : args[1 - which];
}

static lterm compare_with_infinity(struct symbolic *s, enum code_op op, const lterm *args)
{
    int a = is_infinite(s, args[0]) ? sign_of(s, args[0]) : 0;
    int b = is_infinite(s, args[1]) ? sign_of(s, args[1]) : 0;
    bool truth = op == CODE_LESS         ? a < b
                 : op == CODE_LESS_EQUAL ? a <= b
                                         : (a == b) == (op == CODE_EQUAL);
    return lterm_truth(s->terms, truth);
}

static lterm function_of_infinity(struct symbolic *s, enum code_op op, lterm arg)
{
    bool positive = lterm_number(s->terms, arg);
    switch (op) {
    case CODE_NEGATE:
        return lterm_infinite(s->terms, !positive);
    case CODE_ABS:
        return lterm_infinite(s->terms, true);
    case CODE_EXP:
    case CODE_EXP2:
        return positive ? arg : number(s, "0");
    case CODE_CONVERT:
        return arg;
    case CODE_TANH:
    case CODE_ERF:
        return number(s, positive ? "1" : "-1");
    default:
        return nothing(s, "a function of an infinity");
    }
}

static lterm with_infinity(struct symbolic *s, enum code_op op, uint32_t n, const lterm *args)
{
    switch (op) {
    case CODE_ADD:
    case CODE_SUBTRACT:
        return sum_with_infinity(s, op, args);
    case CODE_MULTIPLY:
    case CODE_DIVIDE:
        return product_with_infinity(s, op, args);
    case CODE_MAXIMUM:
    case CODE_MINIMUM:
        return extremum_with_infinity(s, op, args);
    case CODE_LESS:
    case CODE_LESS_EQUAL:
    case CODE_EQUAL:
    case CODE_UNEQUAL:
        return compare_with_infinity(s, op, args);
    default:
        return n == 1 ? function_of_infinity(s, op, args[0])
                      : nothing(s, "an operator with an infinity");
    }
}

// Both operands are rationals: the comparison, or nothing.
static bool literal_comparison(struct symbolic *s, enum code_op op, const lterm *args, lterm *out)
{
    static const struct {
        enum code_op op;
        const char *name;
    } names[] = {
        {CODE_LESS, "lt"}, {CODE_LESS_EQUAL, "le"}, {CODE_EQUAL, "eq"}, {CODE_UNEQUAL, "ne"}};
    if (kind_of(s, args[0]) != LT_NUMBER || kind_of(s, args[1]) != LT_NUMBER)
        return false;
    for (uint32_t i = 0; i < 4; i++) {
        if (names[i].op != op)
            continue;
        const char *text[2];
        uint32_t len[2];
        for (int k = 0; k < 2; k++) {
            text[k] = intern_text(&s->terms->names, lterm_number(s->terms, args[k]));
            len[k] = (uint32_t)strlen(text[k]);
        }
        struct buf value = {0};
        bool ok = number_fold(names[i].name, 2, 2, text, len, &value);
        if (ok)
            *out = lterm_truth(s->terms, !strcmp(buf_text(&value), "true"));
        buf_release(&value);
        return ok;
    }
    return false;
}

// A comparison of where(condition, 1, 0) with a number is the condition, or not, or always the same.
static bool bit_comparison(struct symbolic *s, enum code_op op, const lterm *args, lterm *out)
{
    for (uint32_t i = 0; i < 2; i++) {
        lterm arm[2][2], truth[2];
        bool ok = lterm_is(s->terms, args[i], CODE_SELECT);
        for (uint32_t k = 0; k < 2 && ok; k++) {
            arm[k][i] = lterm_arg(s->terms, args[i], 1 + k);
            arm[k][1 - i] = args[1 - i];
            ok = literal_comparison(s, op, arm[k], &truth[k]);
        }
        if (!ok)
            continue;
        lterm condition = lterm_arg(s->terms, args[i], 0);
        *out = truth[0] == truth[1]               ? truth[0]
               : lterm_number(s->terms, truth[0]) ? condition
                                                  : truth_apply(s, CODE_NOT, 1, &condition);
        return true;
    }
    return false;
}

// 0 and 1 as operands.
static bool neutral(struct symbolic *s, enum code_op op, const lterm *a, lterm *out)
{
    bool zero0 = is_literal(s, a[0], "0"), zero1 = is_literal(s, a[1], "0");
    bool one0 = is_literal(s, a[0], "1"), one1 = is_literal(s, a[1], "1");
    bool first = (op == CODE_ADD && zero1) || (op == CODE_SUBTRACT && zero1) ||
                 (op == CODE_MULTIPLY && one1) || (op == CODE_DIVIDE && one1) ||
                 (op == CODE_MULTIPLY && zero0) || (op == CODE_DIVIDE && zero0 && !zero1) ||
                 ((op == CODE_MAXIMUM || op == CODE_MINIMUM) && a[0] == a[1]);
    bool second = (op == CODE_ADD && zero0) || (op == CODE_MULTIPLY && one0) ||
                  (op == CODE_MULTIPLY && zero1);
    if (op == CODE_MAXIMUM) {
        first = first || (zero1 && leaf_is_not_negative(s->terms, a[0]));
        second = second || (zero0 && leaf_is_not_negative(s->terms, a[1]));
    }
    *out = first ? a[0] : a[1];
    return first || second;
}

// An integer that data chooses is a real number to all operators.
static lterm as_real(struct symbolic *s, lterm term)
{
    return kind_of(s, term) == LT_WHOLE ? lterm_integer(s->terms, lterm_arg(s->terms, term, 0))
                                        : term;
}

// where(a < b, b, a) is max(a, b).
static bool select_extremum(struct symbolic *s, const lterm *args, lterm *out)
{
    if (!lterm_is(s->terms, args[0], CODE_LESS) && !lterm_is(s->terms, args[0], CODE_LESS_EQUAL))
        return false;
    lterm less[2] = {lterm_arg(s->terms, args[0], 0), lterm_arg(s->terms, args[0], 1)};
    bool greater = args[1] == less[1] && args[2] == less[0];
    if (!greater && (args[1] != less[0] || args[2] != less[1]))
        return false;
    *out = leaf_apply(s, greater ? CODE_MAXIMUM : CODE_MINIMUM, 2, less);
    return true;
}

static lterm select_apply(struct symbolic *s, uint32_t n, const lterm *args)
{
    lterm out;
    if (kind_of(s, args[0]) == LT_TRUTH)
        return lterm_number(s->terms, args[0]) ? args[1] : args[2];
    if (args[1] == args[2])
        return args[1];
    lterm sides[3] = {args[0]};
    for (uint32_t i = 1; i < 3; i++) {
        if (kind_of(s, args[i]) == LT_INFINITE)
            return nothing(s, "a choice by data between infinities");
        sides[i] = as_real(s, args[i]);
    }
    return select_extremum(s, sides, &out) ? out : plain(s, CODE_SELECT, n, sides);
}

static lterm convert_apply(struct symbolic *s, lterm arg)
{
    if (kind_of(s, arg) == LT_WHOLE)
        return lterm_integer(s->terms, lterm_arg(s->terms, arg, 0));
    if (kind_of(s, arg) == LT_TRUTH)
        return number(s, lterm_number(s->terms, arg) ? "1" : "0");
    return arg;
}

static bool is_comparison(enum code_op op)
{
    return op == CODE_LESS || op == CODE_LESS_EQUAL || op == CODE_EQUAL || op == CODE_UNEQUAL;
}

static bool integral(struct symbolic *s, lterm term, ipoly *out);

static bool integral_sum(struct symbolic *s, lterm term, ipoly *out)
{
    enum code_op op = lterm_number(s->terms, term);
    ipoly a, b = 0;
    if ((op != CODE_ADD && op != CODE_SUBTRACT && op != CODE_MULTIPLY && op != CODE_NEGATE) ||
        !integral(s, lterm_arg(s->terms, term, 0), &a) ||
        (op != CODE_NEGATE && !integral(s, lterm_arg(s->terms, term, 1), &b)))
        return false;
    *out = op == CODE_ADD        ? int_add(s->in, a, b)
           : op == CODE_SUBTRACT ? int_subtract(s->in, a, b)
           : op == CODE_MULTIPLY ? int_multiply(s->in, a, b)
                                 : int_scale(s->in, a, -1);
    return true;
}

// A real number that is an integer: a polynomial, a number of at most 15 digits, or a sum or
// product of such.
static bool integral(struct symbolic *s, lterm term, ipoly *out)
{
    if (kind_of(s, term) == LT_APPLY)
        return integral_sum(s, term, out);
    if (kind_of(s, term) == LT_INTEGER)
        return *out = lterm_arg(s->terms, term, 0), true;
    if (kind_of(s, term) != LT_NUMBER)
        return false;
    const char *text = intern_text(&s->terms->names, lterm_number(s->terms, term));
    size_t digits = strspn(text + (text[0] == '-'), "0123456789");
    if (text[digits + (text[0] == '-')] || digits > 15)
        return false;
    return *out = int_constant(s->in, strtoll(text, NULL, 10)), true;
}

// Is a real number an integer, whatever it is made of?
static bool is_whole_number(struct symbolic *s, lterm term)
{
    ipoly unused;
    if (integral(s, term, &unused))
        return true;
    if (kind_of(s, term) != LT_APPLY)
        return false;
    uint32_t first = 0;
    switch ((enum code_op)lterm_number(s->terms, term)) {
    case CODE_FLOOR:
    case CODE_CEIL:
        return true;
    case CODE_SELECT:
        first = 1;
        break;
    case CODE_ADD:
    case CODE_SUBTRACT:
    case CODE_MULTIPLY:
    case CODE_MINIMUM:
    case CODE_MAXIMUM:
    case CODE_NEGATE:
    case CODE_ABS:
        break;
    default:
        return false;
    }
    for (uint32_t i = first; i < lterm_n(s->terms, term); i++)
        if (!is_whole_number(s, lterm_arg(s->terms, term, i)))
            return false;
    return true;
}

// Numbers that are integers are compared as integers.
static bool integral_comparison(struct symbolic *s, enum code_op op, const lterm *args, lterm *out)
{
    ipoly a, b;
    if (!is_comparison(op) || !integral(s, args[0], &a) || !integral(s, args[1], &b))
        return false;
    return *out = whole_compare(s, op, a, b), true;
}

static bool is_truth_operator(enum code_op op)
{
    return op == CODE_AND || op == CODE_OR || op == CODE_XOR || op == CODE_NOT;
}

static lterm whole_leaf(struct symbolic *s, enum code_op op, uint32_t n, const lterm *args)
{
    ipoly a = lterm_arg(s->terms, args[0], 0);
    if (n > 1 && kind_of(s, args[1]) != LT_WHOLE)
        return nothing(s, "an operator on an integer and something else");
    ipoly b = n > 1 ? lterm_arg(s->terms, args[1], 0) : 0;
    if (is_comparison(op))
        return whole_compare(s, op, a, b);
    return whole_apply(s, op, a, b);
}

// The magnitude of a number, or its negative.
static bool literal_sign_change(struct symbolic *s, enum code_op op, lterm arg, lterm *out)
{
    if (kind_of(s, arg) != LT_NUMBER || (op != CODE_ABS && op != CODE_NEGATE))
        return false;
    const char *text = intern_text(&s->terms->names, lterm_number(s->terms, arg));
    bool negative = text[0] == '-', zero = strcmp(text, "0") == 0;
    struct buf other = {0};
    buf_printf(&other, "%s%s", op == CODE_NEGATE && !negative && !zero ? "-" : "", text + negative);
    *out = number(s, buf_text(&other));
    buf_release(&other);
    return true;
}

lterm leaf_apply(struct symbolic *s, enum code_op op, uint32_t n, const lterm *args)
{
    lterm out;
    bool infinite = false;
    if (op == CODE_SELECT && kind_of(s, args[0]) == LT_TRUTH)
        return select_apply(s, n, args);
    for (uint32_t i = 0; i < n; i++) {
        if (kind_of(s, args[i]) == LT_UNDEFINED)
            return args[i];
        infinite = infinite || is_infinite(s, args[i]);
    }
    if (op == CODE_SELECT)
        return select_apply(s, n, args);
    if (op == CODE_CONVERT && kind_of(s, args[0]) != LT_INFINITE)
        return convert_apply(s, args[0]);
    bool whole = kind_of(s, args[0]) == LT_WHOLE;
    if (whole && (n < 2 || kind_of(s, args[1]) == LT_WHOLE))
        return whole_leaf(s, op, n, args);
    if (n == 2 && (whole || kind_of(s, args[1]) == LT_WHOLE)) {
        lterm reals[2] = {as_real(s, args[0]), as_real(s, args[1])};
        return op == CODE_DIVIDE || op == CODE_REMAINDER
                   ? nothing(s, "a quotient of an integer that data chooses")
                   : leaf_apply(s, op, n, reals);
    }
    if (is_truth_operator(op) || kind_of(s, args[0]) == LT_TRUTH ||
        (n > 1 && kind_of(s, args[1]) == LT_TRUTH))
        return truth_apply(s, op, n, args);
    if (infinite)
        return with_infinity(s, op, n, args);
    if (op == CODE_DIVIDE && is_literal(s, args[1], "0"))
        return nothing(s, "a division by 0");
    if (n == 2 && (neutral(s, op, args, &out) || literal_comparison(s, op, args, &out) ||
                   bit_comparison(s, op, args, &out) || integral_comparison(s, op, args, &out)))
        return out;
    if (is_literal(s, args[0], "0") && (op == CODE_EXP || op == CODE_EXP2))
        return number(s, "1");
    if ((op == CODE_FLOOR || op == CODE_CEIL) && is_whole_number(s, args[0]))
        return args[0];
    if (n == 1 && literal_sign_change(s, op, args[0], &out))
        return out;
    return plain(s, op, n, args);
}

bool leaf_unit(struct symbolic *s, enum code_op op, lterm *out)
{
    switch (op) {
    case CODE_ADD:
        return *out = number(s, "0"), true;
    case CODE_MULTIPLY:
        return *out = number(s, "1"), true;
    case CODE_MAXIMUM:
        return *out = lterm_infinite(s->terms, false), true;
    case CODE_MINIMUM:
        return *out = lterm_infinite(s->terms, true), true;
    default:
        return false;
    }
}
