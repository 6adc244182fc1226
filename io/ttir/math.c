// SPDX-License-Identifier: Apache-2.0
// Functions of reals: operations of math, and functions of device libraries by their names.
#include "io/ttir/reader.h"

struct function_name {
    const char *text;
    uint8_t op, n;
};

static const struct function_name operations[] = {
    {"math.exp", CODE_EXP, 1},         {"math.exp2", CODE_EXP2, 1},   {"math.expm1", CODE_EXPM1, 1},
    {"math.log", CODE_LOG, 1},         {"math.log2", CODE_LOG2, 1},   {"math.log1p", CODE_LOG1P, 1},
    {"math.sqrt", CODE_SQRT, 1},       {"math.rsqrt", CODE_RSQRT, 1}, {"math.cbrt", CODE_CBRT, 1},
    {"math.sin", CODE_SIN, 1},         {"math.cos", CODE_COS, 1},     {"math.tan", CODE_TAN, 1},
    {"math.tanh", CODE_TANH, 1},       {"math.erf", CODE_ERF, 1},     {"math.absf", CODE_ABS, 1},
    {"math.absi", CODE_ABS, 1},        {"math.floor", CODE_FLOOR, 1}, {"math.ceil", CODE_CEIL, 1},
    {"arith.negf", CODE_NEGATE, 1},    {"math.powf", CODE_POWER, 2},  {"math.fpowi", CODE_POWER, 2},
    {"tt.precise_sqrt", CODE_SQRT, 1},
};

// Names without __nv_ or __ocml_, and without the suffix of the type.
static const struct function_name functions[] = {
    {"exp", CODE_EXP, 1},          {"exp2", CODE_EXP2, 1},       {"expm1", CODE_EXPM1, 1},
    {"log", CODE_LOG, 1},          {"log2", CODE_LOG2, 1},       {"log1p", CODE_LOG1P, 1},
    {"sqrt", CODE_SQRT, 1},        {"rsqrt", CODE_RSQRT, 1},     {"cbrt", CODE_CBRT, 1},
    {"sin", CODE_SIN, 1},          {"cos", CODE_COS, 1},         {"tan", CODE_TAN, 1},
    {"tanh", CODE_TANH, 1},        {"erf", CODE_ERF, 1},         {"fabs", CODE_ABS, 1},
    {"floor", CODE_FLOOR, 1},      {"ceil", CODE_CEIL, 1},       {"fast_exp", CODE_EXP, 1},
    {"fast_log", CODE_LOG, 1},     {"fast_sin", CODE_SIN, 1},    {"fast_cos", CODE_COS, 1},
    {"fast_tanh", CODE_TANH, 1},   {"fast_log2", CODE_LOG2, 1},  {"fast_divide", CODE_DIVIDE, 2},
    {"div_rn", CODE_DIVIDE, 2},    {"fdiv_rn", CODE_DIVIDE, 2},  {"pow", CODE_POWER, 2},
    {"fast_pow", CODE_POWER, 2},   {"powi", CODE_POWER, 2},      {"fmod", CODE_REMAINDER, 2},
    {"fmax", CODE_MAXIMUM, 2},     {"fmin", CODE_MINIMUM, 2},    {"sqrt_rn", CODE_SQRT, 1},
    {"fsqrt_rn", CODE_SQRT, 1},    {"frsqrt_rn", CODE_RSQRT, 1}, {"rsqrt_rn", CODE_RSQRT, 1},
    {"abs", CODE_ABS, 1},          {"fma", CODE_ADD, 3},         {"dmul_rn", CODE_MULTIPLY, 2},
    {"fmul_rn", CODE_MULTIPLY, 2}, {"fadd_rn", CODE_ADD, 2},     {"dadd_rn", CODE_ADD, 2},
    {"ddiv_rn", CODE_DIVIDE, 2},   {"dsqrt_rn", CODE_SQRT, 1},   {"fsub_rn", CODE_SUBTRACT, 2},
};

// Is `text` NAME, or NAME with a suffix: f of float; _f32 and so on of other libraries?
static bool is_named(const char *text, const char *name)
{
    static const char *const suffixes[] = {"", "f", "_f16", "_f32", "_f64"};
    size_t n = strlen(name);
    if (strncmp(text, name, n) != 0)
        return false;
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
        if (!strcmp(text + n, suffixes[i]))
            return true;
    return false;
}

static const struct function_name *find_function(const char *symbol)
{
    static const char *const prefixes[] = {"__nv_", "__ocml_", "__imf_"};
    for (size_t p = 0; p < sizeof prefixes / sizeof *prefixes; p++) {
        size_t n = strlen(prefixes[p]);
        if (strncmp(symbol, prefixes[p], n) != 0)
            continue;
        for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
            if (is_named(symbol + n, functions[i].text))
                return &functions[i];
    }
    return NULL;
}

static bool read_operands(struct ttir_reader *reader, const struct ttir_operation *operation,
                          uint32_t n, code_value *out)
{
    if (!ttir_expect_operands(reader, operation, n, n))
        return false;
    for (uint32_t i = 0; i < n; i++)
        if (!ttir_plain(reader, operation, i, &out[i]))
            return false;
    return true;
}

static bool read_function(struct ttir_reader *reader, const struct ttir_operation *operation,
                          enum code_op op, uint32_t n)
{
    code_value operands[2], value;
    return read_operands(reader, operation, n, operands) &&
           ttir_node(reader, operation, op, code_node(reader->out, operands[0])->type, 0, n,
                     operands, &value) &&
           ttir_result(reader, operation, value);
}

// a*b + c
static bool read_fma(struct ttir_reader *reader, const struct ttir_operation *operation)
{
    code_value operands[3], sum[2], value;
    if (!read_operands(reader, operation, 3, operands))
        return false;
    struct code_type type = code_node(reader->out, operands[0])->type;
    sum[1] = operands[2];
    return ttir_node(reader, operation, CODE_MULTIPLY, type, 0, 2, operands, &sum[0]) &&
           ttir_node(reader, operation, CODE_ADD, type, 0, 2, sum, &value) &&
           ttir_result(reader, operation, value);
}

// min(max(x, low), high)
static bool read_clamp(struct ttir_reader *reader, const struct ttir_operation *operation)
{
    code_value operands[3], outer[2], value;
    if (!read_operands(reader, operation, 3, operands))
        return false;
    struct code_type type = code_node(reader->out, operands[0])->type;
    outer[1] = operands[2];
    return ttir_node(reader, operation, CODE_MAXIMUM, type, 0, 2, operands, &outer[0]) &&
           ttir_node(reader, operation, CODE_MINIMUM, type, 0, 2, outer, &value) &&
           ttir_result(reader, operation, value);
}

// What class a real is of.  Not a number is what differs from itself: no real does, and a value that
// is none is undefined here, and so is what is asked of it.
static bool read_class(struct ttir_reader *reader, const struct ttir_operation *operation,
                       bool infinite)
{
    code_value operands[2], value;
    struct ttir_type type;
    ttir_declared(operation, 1, &type);
    if (!read_operands(reader, operation, 1, operands))
        return false;
    struct code_type real = code_node(reader->out, operands[0])->type, truth = real;
    if (type.kind != TTIR_PLAIN || real.kind != CODE_REAL)
        return ttir_refuse(reader, operation, "is a function of another shape");
    truth.kind = CODE_BOOL, truth.bits = 1;
    operands[1] = operands[0];
    if (infinite) {
        if (!ttir_node(reader, operation, CODE_ABS, real, 0, 1, operands, &operands[0]))
            return false;
        operands[1] = code_real(reader->out, real, "inf");
    }
    return ttir_node(reader, operation, infinite ? CODE_EQUAL : CODE_UNEQUAL, truth, 0, 2, operands,
                     &value) &&
           ttir_node(reader, operation, CODE_CONVERT, type.type, 0, 1, &value, &value) &&
           ttir_result(reader, operation, value);
}

// __nv_isnanf, __nv_isnand
static bool is_class(const char *symbol, const char *name)
{
    size_t n = strlen(name);
    return !strncmp(symbol, "__nv_", 5) && !strncmp(symbol + 5, name, n) &&
           (!strcmp(symbol + 5 + n, "f") || !strcmp(symbol + 5 + n, "d"));
}

// A pure function whose name says nothing here.
static bool read_call(struct ttir_reader *reader, const struct ttir_operation *operation,
                      const char *symbol)
{
    code_value operands[8], value;
    struct ttir_type type;
    ttir_declared(operation, 1, &type);
    if (operation->operand.len < 1 || operation->operand.len > 8 || type.kind != TTIR_PLAIN)
        return ttir_refuse(reader, operation, "is a function of another shape");
    uint32_t name = intern_str(&reader->out->names, symbol);
    return read_operands(reader, operation, operation->operand.len, operands) &&
           ttir_node(reader, operation, CODE_CALL, type.type, name, operation->operand.len,
                     operands, &value) &&
           ttir_result(reader, operation, value);
}

static bool read_extern(struct ttir_reader *reader, const struct ttir_operation *operation)
{
    struct buf symbol = {0};
    bool ok = ttir_string(reader, operation, "symbol", &symbol);
    const struct function_name *row = ok ? find_function(buf_text(&symbol)) : NULL;
    bool pure = ok && ttir_flag(reader, operation, "pure"), defined = false;
    ok = ok && (row != NULL || ttir_defined(reader, operation, buf_text(&symbol), &defined));
    if (!ok || defined)
        ;
    else if (is_class(buf_text(&symbol), "isnan") || is_class(buf_text(&symbol), "isinf"))
        ok = read_class(reader, operation, is_class(buf_text(&symbol), "isinf"));
    else if (row != NULL && row->n == 3)
        ok = read_fma(reader, operation);
    else if (row != NULL)
        ok = read_function(reader, operation, (enum code_op)row->op, row->n);
    else if (pure && buf_text(&symbol)[0] != '\0')
        ok = read_call(reader, operation, buf_text(&symbol));
    else
        ok = ttir_refuse(reader, operation, "may have side effects");
    buf_release(&symbol);
    return ok;
}

bool ttir_function(struct ttir_reader *reader, const struct ttir_operation *operation, bool *known)
{
    *known = true;
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        if (!strcmp(operation->name, operations[i].text))
            return read_function(reader, operation, (enum code_op)operations[i].op,
                                 operations[i].n);
    if (!strcmp(operation->name, "tt.extern_elementwise"))
        return read_extern(reader, operation);
    if (!strcmp(operation->name, "math.fma"))
        return read_fma(reader, operation);
    if (!strcmp(operation->name, "tt.clampf"))
        return read_clamp(reader, operation);
    return ttir_defined(reader, operation, operation->name, known);
}
