// SPDX-License-Identifier: Apache-2.0
// Functions of device libraries that others define, over the reals: sinh, asinh, erfc, rounding.
#include "io/ttir/reader.h"

// Builds values of one shape, that of the function's operand.
struct definition {
    struct code_program *out;
    struct code_type real, truth;
    struct code_place place;
};

static code_value number(const struct definition *d, const char *text)
{
    return code_real(d->out, d->real, text);
}
static code_value one_of(const struct definition *d, enum code_op op, code_value a)
{
    return code_make(d->out, op, d->real, 0, 1, &a, d->place);
}
static code_value two_of(const struct definition *d, enum code_op op, code_value a, code_value b)
{
    code_value operands[2] = {a, b};
    return code_make(d->out, op, d->real, 0, 2, operands, d->place);
}
static code_value compare(const struct definition *d, enum code_op op, code_value a, code_value b)
{
    code_value operands[2] = {a, b};
    return code_make(d->out, op, d->truth, 0, 2, operands, d->place);
}
static code_value choose(const struct definition *d, code_value condition, code_value a,
                         code_value b)
{
    code_value operands[3] = {condition, a, b};
    return code_make(d->out, CODE_SELECT, d->real, 0, 3, operands, d->place);
}

// ---- hyperbolic functions

// (exp(x) + exp(-x))/2, or with a minus.
static code_value half_of_exponentials(const struct definition *d, enum code_op op, code_value x)
{
    code_value back = one_of(d, CODE_EXP, one_of(d, CODE_NEGATE, x));
    return two_of(d, CODE_DIVIDE, two_of(d, op, one_of(d, CODE_EXP, x), back), number(d, "2"));
}
static code_value sinh_of(const struct definition *d, code_value x)
{
    return half_of_exponentials(d, CODE_SUBTRACT, x);
}
static code_value cosh_of(const struct definition *d, code_value x)
{
    return half_of_exponentials(d, CODE_ADD, x);
}
// log(x + sqrt(x*x + 1)), or with a minus.
static code_value log_of_root(const struct definition *d, enum code_op op, code_value x)
{
    code_value inside = two_of(d, op, two_of(d, CODE_MULTIPLY, x, x), number(d, "1"));
    return one_of(d, CODE_LOG, two_of(d, CODE_ADD, x, one_of(d, CODE_SQRT, inside)));
}
static code_value asinh_of(const struct definition *d, code_value x)
{
    return log_of_root(d, CODE_ADD, x);
}
static code_value acosh_of(const struct definition *d, code_value x)
{
    return log_of_root(d, CODE_SUBTRACT, x);
}
// log((1 + x)/(1 - x))/2.
static code_value atanh_of(const struct definition *d, code_value x)
{
    code_value one = number(d, "1");
    code_value inside =
        two_of(d, CODE_DIVIDE, two_of(d, CODE_ADD, one, x), two_of(d, CODE_SUBTRACT, one, x));
    return two_of(d, CODE_DIVIDE, one_of(d, CODE_LOG, inside), number(d, "2"));
}

// ---- powers, logarithms, the error function

static code_value log10_of(const struct definition *d, code_value x)
{
    return two_of(d, CODE_DIVIDE, one_of(d, CODE_LOG, x), one_of(d, CODE_LOG, number(d, "10")));
}
static code_value exp10_of(const struct definition *d, code_value x)
{
    return one_of(d, CODE_EXP, two_of(d, CODE_MULTIPLY, x, one_of(d, CODE_LOG, number(d, "10"))));
}
static code_value erfc_of(const struct definition *d, code_value x)
{
    return two_of(d, CODE_SUBTRACT, number(d, "1"), one_of(d, CODE_ERF, x));
}
static code_value reciprocal_of(const struct definition *d, code_value x)
{
    return two_of(d, CODE_DIVIDE, number(d, "1"), x);
}
static code_value saturated(const struct definition *d, code_value x)
{
    return two_of(d, CODE_MINIMUM, two_of(d, CODE_MAXIMUM, x, number(d, "0")), number(d, "1"));
}

// ---- rounding

static code_value by_sign(const struct definition *d, code_value x, code_value below,
                          code_value other)
{
    return choose(d, compare(d, CODE_LESS, x, number(d, "0")), below, other);
}
static code_value trunc_of(const struct definition *d, code_value x)
{
    return by_sign(d, x, one_of(d, CODE_CEIL, x), one_of(d, CODE_FLOOR, x));
}
// Halves away from zero.
static code_value round_of(const struct definition *d, code_value x)
{
    code_value half = number(d, "0.5");
    return by_sign(d, x, one_of(d, CODE_CEIL, two_of(d, CODE_SUBTRACT, x, half)),
                   one_of(d, CODE_FLOOR, two_of(d, CODE_ADD, x, half)));
}
// Halves to the even one of their neighbours: of f = floor(x + 1/2), f is the upper one.
static code_value rint_of(const struct definition *d, code_value x)
{
    code_value half = number(d, "0.5"), two = number(d, "2");
    code_value f = one_of(d, CODE_FLOOR, two_of(d, CODE_ADD, x, half));
    code_value even =
        two_of(d, CODE_MULTIPLY, two, one_of(d, CODE_FLOOR, two_of(d, CODE_DIVIDE, f, two)));
    code_value at_half = compare(d, CODE_EQUAL, two_of(d, CODE_SUBTRACT, f, x), half);
    code_value operands[2] = {at_half, compare(d, CODE_UNEQUAL, even, f)};
    code_value lower = code_make(d->out, CODE_AND, d->truth, 0, 2, operands, d->place);
    return choose(d, lower, two_of(d, CODE_SUBTRACT, f, number(d, "1")), f);
}

// ---- by name

static const struct {
    const char *name;
    code_value (*make)(const struct definition *d, code_value x);
} defined[] = {
    {"sinh", sinh_of},         {"cosh", cosh_of},          {"asinh", asinh_of},
    {"acosh", acosh_of},       {"atanh", atanh_of},        {"log10", log10_of},
    {"exp10", exp10_of},       {"erfc", erfc_of},          {"frcp_rn", reciprocal_of},
    {"rcp_rn", reciprocal_of}, {"drcp_rn", reciprocal_of}, {"saturate", saturated},
    {"trunc", trunc_of},       {"round", round_of},        {"rint", rint_of},
    {"nearbyint", rint_of},    {"roundeven", rint_of},
};

// NAME or NAMEf behind __nv_, or NAME behind math.
static bool is_named(const char *symbol, const char *name)
{
    size_t n = strlen(name);
    if (!strncmp(symbol, "math.", 5))
        return !strcmp(symbol + 5, name);
    return !strncmp(symbol, "__nv_", 5) && !strncmp(symbol + 5, name, n) &&
           (symbol[5 + n] == '\0' || !strcmp(symbol + 5 + n, "f"));
}

bool ttir_defined(struct ttir_reader *reader, const struct ttir_operation *operation,
                  const char *symbol, bool *known)
{
    *known = false;
    for (size_t i = 0; i < sizeof defined / sizeof *defined && !*known; i++) {
        if (!is_named(symbol, defined[i].name))
            continue;
        code_value x;
        struct ttir_type type;
        *known = true;
        ttir_declared(operation, 1, &type);
        if (!ttir_expect_operands(reader, operation, 1, 1) || !ttir_plain(reader, operation, 0, &x))
            return false;
        struct definition d = {.out = reader->out,
                               .real = code_node(reader->out, x)->type,
                               .place = ttir_here(reader, operation)};
        if (d.real.kind != CODE_REAL || type.kind != TTIR_PLAIN ||
            !code_type_same(&type.type, &d.real))
            return ttir_refuse(reader, operation, "is a function of another shape");
        d.truth = code_shaped(code_scalar(CODE_BOOL, 1), &d.real);
        return ttir_result(reader, operation, defined[i].make(&d, x));
    }
    return true;
}
