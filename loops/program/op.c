// SPDX-License-Identifier: Apache-2.0
#include "loops/program/op.h"

static const struct {
    const char *text;
    uint8_t least, most, group;
} ops[] = {
#define OP_ROW(name, text, least, most, group) {text, least, most, group},
    CODE_OPS(OP_ROW)
#undef OP_ROW
};

const char *code_op_text(enum code_op op)
{
    return ops[op].text;
}

enum code_group code_op_group(enum code_op op)
{
    return (enum code_group)ops[op].group;
}

bool code_op_arity(enum code_op op, uint32_t n)
{
    return ops[op].least <= n && n <= ops[op].most;
}
