// SPDX-License-Identifier: Apache-2.0
#include "tensor/language/op.h"
#include "tensor/language/elem.h"
#include <string.h>

struct op_info {
    const char *name;
    enum op_class cls;
    int arity;
    unsigned kinds;
};

static const struct op_info info[N_OPS] = {
#define X(id, name, cls, arity, kinds) [OP_##id] = {name, cls, arity, kinds},
    OPS(X)
#undef X
};

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

const char *op_name(enum op op)
{
    return info[op].name;
}

const char *op_dialect(enum op op)
{
    return op == OP_ERF ? "chlo" : "stablehlo";
}

bool op_by_name(const char *name, enum op *out)
{
    for (int op = 0; op < N_OPS; op++) {
        if (op == OP_PARAMETER || op == OP_OPAQUE || op == OP_RESULT ||
            strcmp(info[op].name, name) != 0)
            continue;
        *out = (enum op)op;
        return true;
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

bool op_is_elementwise(enum op op)
{
    switch (op) {
    case OP_IS_FINITE:
    case OP_COMPARE:
    case OP_SELECT:
    case OP_CLAMP:
    case OP_CONVERT:
        return true;
    default:
        return info[op].cls == OPC_UNARY || info[op].cls == OPC_BINARY;
    }
}

bool op_is_commutative(enum op op)
{
    return op_is_reducer(op) || op == OP_XOR;
}

bool op_is_reducer(enum op op)
{
    switch (op) {
    case OP_ADD:
    case OP_MULTIPLY:
    case OP_MAXIMUM:
    case OP_MINIMUM:
    case OP_AND:
    case OP_OR:
        return true;
    default:
        return false;
    }
}

bool op_has_reducer(enum op op)
{
    return op == OP_REDUCE || op == OP_REDUCE_WINDOW || op == OP_SCATTER;
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
