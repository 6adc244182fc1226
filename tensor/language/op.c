// SPDX-License-Identifier: Apache-2.0
#include "tensor/language/op.h"
#include "tensor/language/elem.h"
#include <string.h>

enum {
    NUMBER_KINDS = KIND_SINT | KIND_UINT | KIND_FLOAT,
    SIGNED_KINDS = KIND_SINT | KIND_FLOAT,
    FLOAT_KINDS = KIND_FLOAT,
    INTEGER_KINDS = KIND_SINT | KIND_UINT,
    BITS_KINDS = KIND_BOOL | KIND_SINT | KIND_UINT,
    ANY_KINDS = KIND_ANY,
};
#define IN_STABLEHLO "stablehlo"
#define IN_CHLO "chlo"

#define ROW(cls, id, name, dialect, arity, kinds, weight, flow, infix, level, word, formula)       \
    [OP_##id] = {name,        IN_##dialect, cls,   arity, kinds##_KINDS, weight,                   \
                 FLOW_##flow, infix,        level, word,  formula},
#define LEAF_ROW(...) ROW(OPC_LEAF, __VA_ARGS__)
#define UNARY_ROW(...) ROW(OPC_UNARY, __VA_ARGS__)
#define BINARY_ROW(...) ROW(OPC_BINARY, __VA_ARGS__)
#define POINT_ROW(...) ROW(OPC_POINT, __VA_ARGS__)
#define SHAPED_ROW(...) ROW(OPC_SHAPED, __VA_ARGS__)
#define OUTSIDE_ROW(...) ROW(OPC_OUTSIDE, __VA_ARGS__)

// clang-format off
static const struct op_info info[N_OPS + 1] = {
    OPS_LEAF(LEAF_ROW)
    OPS_UNARY(UNARY_ROW)
    OPS_BINARY(BINARY_ROW)
    OPS_POINT(POINT_ROW)
    OPS_SHAPED(SHAPED_ROW)
    OPS_OUTSIDE(OUTSIDE_ROW)
    // No operator; where a reducer is a variable of a rule, or a scatter replaces.
    [N_OPS] = {"", IN_STABLEHLO, OPC_OUTSIDE, -1, 0, 0, FLOW_NONE, NULL, 0, NULL, NULL},
};
// clang-format on

#define NO_FACTS(id, ...) NO_FACT([OP_##id])
#define NO_FACT(place)                                                                             \
    place = {ACCURACY_EXACT, PARITY_NEITHER, ORDER_NONE, RESULT_ANY, RANGE_ANY,                    \
             DEFINED_ALWAYS, POINT_NONE,     UNIT_NONE,  N_OPS,      0},
#define UNARY_FACT(id, accuracy, parity, order, result, range, defined, point, laws)               \
    [OP_##id] = {                                                                                  \
        ACCURACY_##accuracy, PARITY_##parity, ORDER_##order, RESULT_##result, RANGE_##range,       \
        DEFINED_##defined,   POINT_##point,   UNIT_NONE,     N_OPS,           laws},
#define BINARY_FACT(id, accuracy, order, result, defined, unit, dual, laws)                        \
    [OP_##id] = {ACCURACY_##accuracy,                                                              \
                 PARITY_NEITHER,                                                                   \
                 ORDER_##order,                                                                    \
                 RESULT_##result,                                                                  \
                 RANGE_ANY,                                                                        \
                 DEFINED_##defined,                                                                \
                 POINT_NONE,                                                                       \
                 UNIT_##unit,                                                                      \
                 dual,                                                                             \
                 laws},
#define POINT_FACT(id, accuracy, result, laws)                                                     \
    [OP_##id] = {ACCURACY_##accuracy, PARITY_NEITHER, ORDER_NONE, RESULT_##result, RANGE_ANY,      \
                 DEFINED_ALWAYS,      POINT_NONE,     UNIT_NONE,  N_OPS,           laws},

// clang-format off
static const struct op_facts facts[N_OPS + 1] = {
    OPS_LEAF(NO_FACTS)
    UNARY_FACTS(UNARY_FACT)
    BINARY_FACTS(BINARY_FACT)
    POINT_FACTS(POINT_FACT)
    OPS_SHAPED(NO_FACTS)
    OPS_OUTSIDE(NO_FACTS)
    NO_FACT([N_OPS])
};
// clang-format on

// As many rows of facts as operators.  A row that stands twice, or is one of
// another class, is an initialiser that overrides another.
#define COUNT(...) +1
_Static_assert(UNARY_FACTS(COUNT) == OPS_UNARY(COUNT), "an operator without UNARY_FACTS");
_Static_assert(BINARY_FACTS(COUNT) == OPS_BINARY(COUNT), "an operator without BINARY_FACTS");
_Static_assert(POINT_FACTS(COUNT) == OPS_POINT(COUNT), "an operator without POINT_FACTS");

static const char *const dir_text[] = {"EQ", "NE", "GE", "GT", "LE", "LT"};
static const char *const compare_text[] = {"FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED"};

// The index of s among the n names, or -1.
static int index_of(const char *const *names, int n, const char *text)
{
    for (int i = 0; i < n; i++)
        if (!strcmp(names[i], text))
            return i;
    return -1;
}

const struct op_info *op_info(enum op op)
{
    return &info[op];
}

const struct op_facts *op_facts(enum op op)
{
    return &facts[op];
}

const char *op_name(enum op op)
{
    return info[op].name;
}

const char *op_dialect(enum op op)
{
    return info[op].dialect;
}

bool op_by_name(const char *name, enum op *out)
{
    for (int op = 0; op < N_OPS; op++) {
        if (op == OP_PARAMETER || info[op].cls == OPC_OUTSIDE || strcmp(info[op].name, name) != 0)
            continue;
        *out = (enum op)op;
        return true;
    }
    return false;
}

// Is it the sign but for the spaces?
static bool is_sign(const char *sign, const char *word)
{
    return sign != NULL && word[0] != 0 && word[1] == 0 && strchr(sign, word[0]) != NULL &&
           word[0] != ' ';
}

bool op_by_word(const char *word, enum op *out)
{
    for (int op = 0; op < N_OPS; op++) {
        bool infix = info[op].level > 0 && is_sign(info[op].infix, word);
        if (infix || (info[op].word != NULL && strcmp(info[op].word, word) == 0)) {
            *out = (enum op)op;
            return true;
        }
    }
    return false;
}

enum op_class op_class(enum op op)
{
    return info[op].cls;
}

int op_arity(enum op op)
{
    return info[op].arity;
}

unsigned op_kinds(enum op op)
{
    return info[op].kinds;
}

bool op_has(enum op op, enum op_law law)
{
    return (facts[op].laws & (unsigned)law) == (unsigned)law;
}

char op_infix_sign(enum op op)
{
    const char *sign = info[op].infix;
    return sign == NULL ? 0 : sign[0] == ' ' ? sign[1] : sign[0];
}

bool op_is_elementwise(enum op op)
{
    return info[op].cls == OPC_UNARY || info[op].cls == OPC_BINARY || info[op].cls == OPC_POINT;
}

bool op_is_commutative(enum op op)
{
    return op_has(op, LAW_COMMUTES);
}

bool op_is_reducer(enum op op)
{
    return op_has(op, LAW_REDUCES);
}

bool op_has_reducer(enum op op)
{
    return info[op].flow == FLOW_FOLD;
}

bool op_only_moves(enum op op)
{
    return info[op].flow == FLOW_MOVE || info[op].flow == FLOW_CHOOSE;
}

bool op_is_transcendental(enum op op)
{
    return facts[op].accuracy == ACCURACY_ROOT || facts[op].accuracy == ACCURACY_OPEN;
}

const char *compare_dir_text(enum compare_dir direction)
{
    return dir_text[direction];
}

bool compare_dir_by_text(const char *text, enum compare_dir *out)
{
    int i = index_of(dir_text, sizeof dir_text / sizeof *dir_text, text);
    if (i >= 0)
        *out = (enum compare_dir)i;
    return i >= 0;
}

const char *compare_type_text(enum compare_type order)
{
    return compare_text[order];
}

bool compare_type_by_text(const char *text, enum compare_type *out)
{
    int i = index_of(compare_text, sizeof compare_text / sizeof *compare_text, text);
    if (i >= 0)
        *out = (enum compare_type)i;
    return i >= 0;
}
