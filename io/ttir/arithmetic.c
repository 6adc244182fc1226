// SPDX-License-Identifier: Apache-2.0
// Operations of arith: integers, booleans, reals, comparisons, conversions.
#include "io/ttir/reader.h"

// ---- operators of two operands and one type

struct binary_name {
    const char *text;
    uint8_t op;
    uint8_t of_bool; // of booleans; CODE_OPAQUE: none
};

static const struct binary_name binaries[] = {
    {"arith.addi", CODE_ADD, CODE_XOR},
    {"arith.subi", CODE_SUBTRACT, CODE_XOR},
    {"arith.muli", CODE_MULTIPLY, CODE_AND},
    {"arith.divsi", CODE_DIVIDE, CODE_OPAQUE},
    {"arith.remsi", CODE_REMAINDER, CODE_OPAQUE},
    {"arith.divui", CODE_UNSIGNED_DIVIDE, CODE_OPAQUE},
    {"arith.remui", CODE_UNSIGNED_REMAINDER, CODE_OPAQUE},
    {"arith.minsi", CODE_MINIMUM, CODE_OR},
    {"arith.maxsi", CODE_MAXIMUM, CODE_AND},
    {"arith.minui", CODE_UNSIGNED_MINIMUM, CODE_AND},
    {"arith.maxui", CODE_UNSIGNED_MAXIMUM, CODE_OR},
    {"arith.andi", CODE_AND, CODE_AND},
    {"arith.ori", CODE_OR, CODE_OR},
    {"arith.xori", CODE_XOR, CODE_XOR},
    {"arith.shli", CODE_SHIFT_LEFT, CODE_OPAQUE},
    {"arith.shrsi", CODE_SHIFT_RIGHT, CODE_OPAQUE},
    {"arith.shrui", CODE_UNSIGNED_SHIFT_RIGHT, CODE_OPAQUE},
    {"tt.mulhiui", CODE_UNSIGNED_HIGH, CODE_OPAQUE},
    {"arith.addf", CODE_ADD, CODE_OPAQUE},
    {"arith.subf", CODE_SUBTRACT, CODE_OPAQUE},
    {"arith.mulf", CODE_MULTIPLY, CODE_OPAQUE},
    {"arith.divf", CODE_DIVIDE, CODE_OPAQUE},
    {"arith.remf", CODE_REMAINDER, CODE_OPAQUE},
    {"tt.precise_divf", CODE_DIVIDE, CODE_OPAQUE},
    {"arith.maxnumf", CODE_MAXIMUM, CODE_OPAQUE},
    {"arith.maximumf", CODE_MAXIMUM, CODE_OPAQUE},
    {"arith.maxf", CODE_MAXIMUM, CODE_OPAQUE},
    {"arith.minnumf", CODE_MINIMUM, CODE_OPAQUE},
    {"arith.minimumf", CODE_MINIMUM, CODE_OPAQUE},
    {"arith.minf", CODE_MINIMUM, CODE_OPAQUE},
};

static bool is_constant(const struct code_program *program, code_value value, int64_t number)
{
    const struct code_node *node = code_node(program, value);
    if (node->op == CODE_SPLAT)
        node = code_node(program, code_operand(program, value, 0));
    return node->op == CODE_CONSTANT && node->type.kind != CODE_REAL && node->number == number;
}

static bool read_binary(struct ttir_reader *reader, const struct ttir_operation *operation,
                        const struct binary_name *row)
{
    code_value operands[2], value;
    if (!ttir_expect_operands(reader, operation, 2, 2) ||
        !ttir_plain(reader, operation, 0, &operands[0]) ||
        !ttir_plain(reader, operation, 1, &operands[1]))
        return false;
    struct code_type type = code_node(reader->out, operands[0])->type;
    enum code_op op = (enum code_op)row->op;
    uint32_t n = 2;
    if (type.kind == CODE_BOOL) {
        op = (enum code_op)row->of_bool;
        if (op == CODE_OPAQUE)
            return ttir_refuse(reader, operation, "has no meaning on booleans here");
        if (op == CODE_XOR && is_constant(reader->out, operands[1], 1))
            op = CODE_NOT, n = 1;
    }
    return ttir_node(reader, operation, op, type, 0, n, operands, &value) &&
           ttir_result(reader, operation, value);
}

// ---- comparisons

struct predicate {
    const char *text;
    uint8_t number; // in the generic form
    uint8_t op;
    bool swap;
};

static const struct predicate integer_predicates[] = {
    {"eq", 0, CODE_EQUAL, false},          {"ne", 1, CODE_UNEQUAL, false},
    {"slt", 2, CODE_LESS, false},          {"sle", 3, CODE_LESS_EQUAL, false},
    {"sgt", 4, CODE_LESS, true},           {"sge", 5, CODE_LESS_EQUAL, true},
    {"ult", 6, CODE_UNSIGNED_LESS, false}, {"ule", 7, CODE_UNSIGNED_LESS_EQUAL, false},
    {"ugt", 8, CODE_UNSIGNED_LESS, true},  {"uge", 9, CODE_UNSIGNED_LESS_EQUAL, true},
};

// Ordered and unordered ones are the same over the reals.  CODE_CONSTANT: the answer is `swap`.
static const struct predicate real_predicates[] = {
    {"false", 0, CODE_CONSTANT, false},  {"oeq", 1, CODE_EQUAL, false},
    {"ogt", 2, CODE_LESS, true},         {"oge", 3, CODE_LESS_EQUAL, true},
    {"olt", 4, CODE_LESS, false},        {"ole", 5, CODE_LESS_EQUAL, false},
    {"one", 6, CODE_UNEQUAL, false},     {"ord", 7, CODE_CONSTANT, true},
    {"ueq", 8, CODE_EQUAL, false},       {"ugt", 9, CODE_LESS, true},
    {"uge", 10, CODE_LESS_EQUAL, true},  {"ult", 11, CODE_LESS, false},
    {"ule", 12, CODE_LESS_EQUAL, false}, {"une", 13, CODE_UNEQUAL, false},
    {"uno", 14, CODE_CONSTANT, false},   {"true", 15, CODE_CONSTANT, true},
};

static const struct predicate *find_predicate(struct ttir_reader *reader,
                                              const struct ttir_operation *operation,
                                              const struct predicate *rows, size_t n)
{
    int64_t number = -1;
    if (operation->generic && !ttir_integer(reader, operation, "predicate", &number))
        return NULL;
    for (size_t i = 0; i < n; i++)
        if (operation->generic ? rows[i].number == number
                               : mlir_word(&reader->mlir, operation->at + 1, rows[i].text))
            return &rows[i];
    ttir_malformed(reader, operation, "a predicate such as slt");
    return NULL;
}

// An address against 0: arguments are no null pointers.
static bool compare_address(struct ttir_reader *reader, const struct ttir_operation *operation,
                            const struct predicate *row, const code_value *operands, bool *done)
{
    const struct code_node *a = code_node(reader->out, operands[0]);
    *done = (row->op == CODE_EQUAL || row->op == CODE_UNEQUAL) && a->op == CODE_OPAQUE &&
            !strcmp(code_name(reader->out, (uint32_t)a->number), "an address as a number") &&
            is_constant(reader->out, operands[1], 0);
    if (!*done)
        return true;
    struct code_note note = {intern_str(&reader->out->names, "no pointer argument is null"),
                             a->place};
    vec_push(&reader->out->note, note);
    struct code_type type = code_shaped(code_scalar(CODE_BOOL, 1), &a->type);
    return ttir_result(reader, operation, code_integer(reader->out, type, row->op == CODE_UNEQUAL));
}

static bool read_comparison(struct ttir_reader *reader, const struct ttir_operation *operation,
                            const struct predicate *rows, size_t n)
{
    code_value operands[2], value;
    bool done;
    if (!ttir_expect_operands(reader, operation, 2, 2) ||
        !ttir_plain(reader, operation, 0, &operands[0]) ||
        !ttir_plain(reader, operation, 1, &operands[1]))
        return false;
    const struct predicate *row = find_predicate(reader, operation, rows, n);
    if (row == NULL || !compare_address(reader, operation, row, operands, &done))
        return false;
    if (done)
        return true;
    struct code_type a = code_node(reader->out, operands[0])->type;
    struct code_type type = code_shaped(code_scalar(CODE_BOOL, 1), &a);
    if (row->op == CODE_CONSTANT)
        return ttir_result(reader, operation, code_integer(reader->out, type, row->swap));
    if (a.kind == CODE_BOOL && row->op != CODE_EQUAL && row->op != CODE_UNEQUAL)
        return ttir_refuse(reader, operation, "orders booleans");
    if (row->swap) {
        code_value first = operands[0];
        operands[0] = operands[1];
        operands[1] = first;
    }
    return ttir_node(reader, operation, (enum code_op)row->op, type, 0, 2, operands, &value) &&
           ttir_result(reader, operation, value);
}

// ---- conversions

enum conversion {
    SIGNED,   // of integers; true is -1
    UNSIGNED, // true is 1
    NARROW,   // low bits
    REAL,     // real to real, real to integer
    BITS,     // the same bits
};

static const struct {
    const char *text;
    enum conversion how;
} conversions[] = {
    {"arith.extsi", SIGNED},   {"arith.sitofp", SIGNED},   {"arith.index_cast", SIGNED},
    {"arith.extui", UNSIGNED}, {"arith.uitofp", UNSIGNED}, {"arith.index_castui", UNSIGNED},
    {"arith.trunci", NARROW},  {"arith.extf", REAL},       {"arith.truncf", REAL},
    {"tt.fp_to_fp", REAL},     {"arith.fptosi", REAL},     {"arith.bitcast", BITS},
    {"tt.bitcast", BITS},
};

static bool read_bits(struct ttir_reader *reader, const struct ttir_operation *operation,
                      code_value a, struct code_type type)
{
    struct code_type from = code_node(reader->out, a)->type;
    if (from.kind == type.kind && from.bits == type.bits && from.kind != CODE_REAL)
        return ttir_result(reader, operation, a);
    code_value value;
    return ttir_node(reader, operation, CODE_BITCAST, type, 0, 1, &a, &value) &&
           ttir_result(reader, operation, value);
}

static bool convert(struct ttir_reader *reader, const struct ttir_operation *operation,
                    enum conversion how, code_value a, struct code_type type)
{
    struct code_type from = code_node(reader->out, a)->type;
    bool boolean = from.kind == CODE_BOOL;
    code_value value;
    if (how == BITS)
        return read_bits(reader, operation, a, type);
    // index and i64 have the same width.
    if (code_type_same(&from, &type))
        return ttir_result(reader, operation, a);
    if (from.kind == CODE_INT && type.kind == CODE_INT && type.bits < from.bits)
        how = NARROW;
    enum code_op op = how == NARROW                 ? CODE_TRUNCATE
                      : how == UNSIGNED && !boolean ? CODE_UNSIGNED_CONVERT
                                                    : CODE_CONVERT;
    if (!ttir_node(reader, operation, op, type, 0, 1, &a, &value))
        return false;
    if (how == SIGNED && boolean &&
        !ttir_node(reader, operation, CODE_NEGATE, type, 0, 1, &value, &value))
        return false;
    return ttir_result(reader, operation, value);
}

// Pointers to other elements of the same array: memory.c tests the elements.
// Are the elements of pointers of one width, and no reals?  A truth value has 8 bits in memory.
static bool same_elements(const struct code_type *a, const struct code_type *b)
{
    return a->kind != CODE_REAL && b->kind != CODE_REAL && code_shape_same(a, b) &&
           (a->kind == CODE_BOOL ? 8 : a->bits) == (b->kind == CODE_BOOL ? 8 : b->bits);
}

// Offsets count elements, so the elements must keep their width; and reals of one width may have
// different formats.
static bool cast_pointer(struct ttir_reader *reader, const struct ttir_operation *operation,
                         struct ttir_meaning *pointer, const struct ttir_type *type)
{
    if (pointer->type.kind == TTIR_POINTER && type->kind == TTIR_POINTER &&
        same_elements(&pointer->type.type, &type->type))
        pointer->type = *type;
    else
        *pointer = ttir_unknown(reader, *type, "a cast of a pointer", ttir_here(reader, operation));
    return ttir_results(reader, operation, 1, pointer);
}

static bool read_conversion(struct ttir_reader *reader, const struct ttir_operation *operation,
                            enum conversion how)
{
    struct ttir_meaning a;
    struct ttir_type type;
    if (!ttir_expect_operands(reader, operation, 1, 1) || !ttir_operand(reader, operation, 0, &a))
        return false;
    ttir_declared(operation, 1, &type);
    if (a.type.kind != TTIR_PLAIN || type.kind != TTIR_PLAIN)
        return how == BITS ? cast_pointer(reader, operation, &a, &type)
                           : ttir_malformed(reader, operation, "a value that is no pointer");
    return convert(reader, operation, how, a.value, type.type);
}

// ---- select

static bool select_pointers(struct ttir_reader *reader, const struct ttir_operation *operation,
                            code_value condition, struct ttir_meaning *a, struct ttir_meaning *b)
{
    struct code_place place = ttir_here(reader, operation);
    struct ttir_meaning out = *a;
    code_value *of_a[3 * CODE_RANK], *of_b[3 * CODE_RANK];
    if (a->type.kind != TTIR_POINTER || b->type.kind != TTIR_POINTER || !ttir_unite(reader, a, b)) {
        out = ttir_unknown(reader, a->type, "a choice between pointers", place);
        return ttir_results(reader, operation, 1, &out);
    }
    ttir_moving(reader, a, of_a);
    ttir_moving(reader, b, of_b);
    out = *a;
    code_value offsets[] = {condition, *of_a[0], *of_b[0]};
    code_value choices[] = {condition, a->choice, b->choice};
    if (!ttir_node(reader, operation, CODE_SELECT, code_node(reader->out, *of_a[0])->type, 0, 3,
                   offsets, &out.offset))
        return false;
    if (a->choice != b->choice &&
        !ttir_node(reader, operation, CODE_SELECT, code_node(reader->out, a->choice)->type, 0, 3,
                   choices, &out.choice))
        return false;
    return ttir_results(reader, operation, 1, &out);
}

static bool read_select(struct ttir_reader *reader, const struct ttir_operation *operation)
{
    struct ttir_meaning a, b;
    code_value operands[3], value;
    if (!ttir_expect_operands(reader, operation, 3, 3) ||
        !ttir_plain(reader, operation, 0, &operands[0]) ||
        !ttir_operand(reader, operation, 1, &a) || !ttir_operand(reader, operation, 2, &b))
        return false;
    // A scalar condition chooses a whole tile.
    operands[0] =
        code_node(reader->out, operands[0])->type.rank > 0
            ? operands[0]
            : code_splat(reader->out, operands[0], &a.type.type, ttir_here(reader, operation));
    if (a.type.kind != TTIR_PLAIN || b.type.kind != TTIR_PLAIN)
        return select_pointers(reader, operation, operands[0], &a, &b);
    operands[1] = a.value;
    operands[2] = b.value;
    return ttir_node(reader, operation, CODE_SELECT, a.type.type, 0, 3, operands, &value) &&
           ttir_result(reader, operation, value);
}

bool ttir_arithmetic(struct ttir_reader *reader, const struct ttir_operation *operation,
                     bool *known)
{
    *known = true;
    for (size_t i = 0; i < sizeof binaries / sizeof *binaries; i++)
        if (!strcmp(operation->name, binaries[i].text))
            return read_binary(reader, operation, &binaries[i]);
    for (size_t i = 0; i < sizeof conversions / sizeof *conversions; i++)
        if (!strcmp(operation->name, conversions[i].text))
            return read_conversion(reader, operation, conversions[i].how);
    if (!strcmp(operation->name, "arith.cmpi"))
        return read_comparison(reader, operation, integer_predicates,
                               sizeof integer_predicates / sizeof *integer_predicates);
    if (!strcmp(operation->name, "arith.cmpf"))
        return read_comparison(reader, operation, real_predicates,
                               sizeof real_predicates / sizeof *real_predicates);
    if (!strcmp(operation->name, "arith.select"))
        return read_select(reader, operation);
    *known = false;
    return true;
}
