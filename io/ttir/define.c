// SPDX-License-Identifier: Apache-2.0
// Functions of device libraries that others define, over the reals: sinh, asinh, erfc, rounding.
#include "io/ttir/reader.h"

// Builds values of one shape, that of the function's operand.
struct definition {
    struct code_program *out;
    struct code_type real, truth;
    struct code_place place;
};

static code_value number(const struct definition *definition, const char *text)
{
    return code_real(definition->out, definition->real, text);
}
static code_value one_of(const struct definition *definition, enum code_op op, code_value a)
{
    return code_make(definition->out, op, definition->real, 0, 1, &a, definition->place);
}
static code_value two_of(const struct definition *definition, enum code_op op, code_value a,
                         code_value b)
{
    code_value operands[2] = {a, b};
    return code_make(definition->out, op, definition->real, 0, 2, operands, definition->place);
}
static code_value compare(const struct definition *definition, enum code_op op, code_value a,
                          code_value b)
{
    code_value operands[2] = {a, b};
    return code_make(definition->out, op, definition->truth, 0, 2, operands, definition->place);
}
static code_value choose(const struct definition *definition, code_value condition, code_value a,
                         code_value b)
{
    code_value operands[3] = {condition, a, b};
    return code_make(definition->out, CODE_SELECT, definition->real, 0, 3, operands,
                     definition->place);
}

// ---- hyperbolic functions

// (exp(x) + exp(-x))/2, or with a minus.
static code_value half_of_exponentials(const struct definition *definition, enum code_op op,
                                       code_value x)
{
    code_value back = one_of(definition, CODE_EXP, one_of(definition, CODE_NEGATE, x));
    return two_of(definition, CODE_DIVIDE,
                  two_of(definition, op, one_of(definition, CODE_EXP, x), back),
                  number(definition, "2"));
}
static code_value sinh_of(const struct definition *definition, code_value x)
{
    return half_of_exponentials(definition, CODE_SUBTRACT, x);
}
static code_value cosh_of(const struct definition *definition, code_value x)
{
    return half_of_exponentials(definition, CODE_ADD, x);
}
// log(x + sqrt(x*x + 1)), or with a minus.
static code_value log_of_root(const struct definition *definition, enum code_op op, code_value x)
{
    code_value inside =
        two_of(definition, op, two_of(definition, CODE_MULTIPLY, x, x), number(definition, "1"));
    return one_of(definition, CODE_LOG,
                  two_of(definition, CODE_ADD, x, one_of(definition, CODE_SQRT, inside)));
}
static code_value asinh_of(const struct definition *definition, code_value x)
{
    return log_of_root(definition, CODE_ADD, x);
}
static code_value acosh_of(const struct definition *definition, code_value x)
{
    return log_of_root(definition, CODE_SUBTRACT, x);
}
// log((1 + x)/(1 - x))/2.
static code_value atanh_of(const struct definition *definition, code_value x)
{
    code_value one = number(definition, "1");
    code_value inside = two_of(definition, CODE_DIVIDE, two_of(definition, CODE_ADD, one, x),
                               two_of(definition, CODE_SUBTRACT, one, x));
    return two_of(definition, CODE_DIVIDE, one_of(definition, CODE_LOG, inside),
                  number(definition, "2"));
}

// ---- powers, logarithms, the error function

static code_value log10_of(const struct definition *definition, code_value x)
{
    return two_of(definition, CODE_DIVIDE, one_of(definition, CODE_LOG, x),
                  one_of(definition, CODE_LOG, number(definition, "10")));
}
static code_value exp10_of(const struct definition *definition, code_value x)
{
    return one_of(definition, CODE_EXP,
                  two_of(definition, CODE_MULTIPLY, x,
                         one_of(definition, CODE_LOG, number(definition, "10"))));
}
static code_value erfc_of(const struct definition *definition, code_value x)
{
    return two_of(definition, CODE_SUBTRACT, number(definition, "1"),
                  one_of(definition, CODE_ERF, x));
}
static code_value reciprocal_of(const struct definition *definition, code_value x)
{
    return two_of(definition, CODE_DIVIDE, number(definition, "1"), x);
}
static code_value saturated(const struct definition *definition, code_value x)
{
    return two_of(definition, CODE_MINIMUM,
                  two_of(definition, CODE_MAXIMUM, x, number(definition, "0")),
                  number(definition, "1"));
}

// ---- rounding

static code_value by_sign(const struct definition *definition, code_value x, code_value below,
                          code_value other)
{
    return choose(definition, compare(definition, CODE_LESS, x, number(definition, "0")), below,
                  other);
}
static code_value trunc_of(const struct definition *definition, code_value x)
{
    return by_sign(definition, x, one_of(definition, CODE_CEIL, x),
                   one_of(definition, CODE_FLOOR, x));
}
// Halves away from zero.
static code_value round_of(const struct definition *definition, code_value x)
{
    code_value half = number(definition, "0.5");
    return by_sign(definition, x,
                   one_of(definition, CODE_CEIL, two_of(definition, CODE_SUBTRACT, x, half)),
                   one_of(definition, CODE_FLOOR, two_of(definition, CODE_ADD, x, half)));
}
// Halves to the even one of their neighbours: of f = floor(x + 1/2), f is the upper one.
static code_value rint_of(const struct definition *definition, code_value x)
{
    code_value half = number(definition, "0.5"), two = number(definition, "2");
    code_value f = one_of(definition, CODE_FLOOR, two_of(definition, CODE_ADD, x, half));
    code_value even =
        two_of(definition, CODE_MULTIPLY, two,
               one_of(definition, CODE_FLOOR, two_of(definition, CODE_DIVIDE, f, two)));
    code_value at_half =
        compare(definition, CODE_EQUAL, two_of(definition, CODE_SUBTRACT, f, x), half);
    code_value operands[2] = {at_half, compare(definition, CODE_UNEQUAL, even, f)};
    code_value lower =
        code_make(definition->out, CODE_AND, definition->truth, 0, 2, operands, definition->place);
    return choose(definition, lower, two_of(definition, CODE_SUBTRACT, f, number(definition, "1")),
                  f);
}

// ---- by name

static const struct {
    const char *name;
    code_value (*make)(const struct definition *definition, code_value x);
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
        struct definition definition = {.out = reader->out,
                                        .real = code_node(reader->out, x)->type,
                                        .place = ttir_here(reader, operation)};
        if (definition.real.kind != CODE_REAL || type.kind != TTIR_PLAIN ||
            !code_type_same(&type.type, &definition.real))
            return ttir_refuse(reader, operation, "is a function of another shape");
        definition.truth = code_shaped(code_scalar(CODE_BOOL, 1), &definition.real);
        return ttir_result(reader, operation, defined[i].make(&definition, x));
    }
    return true;
}
