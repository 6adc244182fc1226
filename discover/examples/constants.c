// SPDX-License-Identifier: Apache-2.0
// Constants: free ones of the left side, and those of the right side, which are folded from them.
#include "discover/examples/search.h"
#include "tensor/eval/eval.h"

// A node whose value the constant is.
static uint32_t node_of(const struct pair *pair, const struct constant *constant)
{
    uint32_t at = 0;
    while (pair->nodes.at[at].kind != NODE_LITERAL ||
           &pair->constants.at[pair->nodes.at[at].var] != constant)
        at++;
    return at;
}

// A constant of the right side that is one of the left side in another type.
static const char *converted(struct search *search, const struct constant *wanted)
{
    struct pair *pair = search->pair;
    for (uint32_t i = 0; i < pair->constants.len; i++) {
        const struct constant *a = &pair->constants.at[i];
        struct scalar got;
        struct err err = {0};
        if (!a->right && a->elem != wanted->elem && search->choice.constant[i] == CONSTANT_SCALAR &&
            eval_convert(a->elem, wanted->elem, a->value, &got, &err) &&
            scalar_same(wanted->elem, got, wanted->value))
            return pair_text(pair, "convert(%s, T%u)", a->name,
                             type_find(pair, node_of(pair, wanted)));
    }
    return NULL;
}

// A constant of the right side as an expression over those of the left side that are free.
static const char *folded(struct search *search, const struct constant *wanted)
{
    static const struct {
        enum op op;
        const char *before, *between;
    } ops[] = {{OP_MULTIPLY, "(", " * "}, {OP_ADD, "(", " + "},       {OP_SUBTRACT, "(", " - "},
               {OP_DIVIDE, "(", " / "},   {OP_MAXIMUM, "max(", ", "}, {OP_MINIMUM, "min(", ", "}};
    struct pair *pair = search->pair;
    for (size_t o = 0; o < sizeof ops / sizeof *ops; o++)
        for (uint32_t i = 0; i < pair->constants.len; i++)
            for (uint32_t k = 0; k < pair->constants.len; k++) {
                const struct constant *a = &pair->constants.at[i], *b = &pair->constants.at[k];
                struct scalar got;
                struct err err = {0};
                if (a->right || b->right || a->elem != wanted->elem || b->elem != wanted->elem ||
                    search->choice.constant[i] != CONSTANT_SCALAR ||
                    search->choice.constant[k] != CONSTANT_SCALAR ||
                    !eval_binary(ops[o].op, a->elem, a->value, b->value, &got, &err) ||
                    !scalar_same(a->elem, got, wanted->value))
                    continue;
                return pair_text(pair, "%s%s%s%s)", ops[o].before, a->name, ops[o].between,
                                 b->name);
            }
    for (int op = 0; op < N_OPS; op++)
        for (uint32_t i = 0; i < pair->constants.len && op_class((enum op)op) == OPC_UNARY; i++) {
            const struct constant *a = &pair->constants.at[i];
            struct scalar got;
            struct err err = {0};
            if (!a->right && a->elem == wanted->elem &&
                search->choice.constant[i] == CONSTANT_SCALAR &&
                (op_kinds((enum op)op) & elem_kind(a->elem)) != 0 &&
                eval_unary((enum op)op, a->elem, a->value, &got, &err) &&
                scalar_same(a->elem, got, wanted->value))
                return pair_text(pair, "%s(%s)", op_name((enum op)op), a->name);
        }
    return converted(search, wanted);
}

void search_constants(struct search *search, uint32_t mask)
{
    struct pair *pair = search->pair;
    uint32_t bit = 0;
    for (uint32_t i = 0; i < pair->constants.len; i++) {
        const struct constant *constant = &pair->constants.at[i];
        search->choice.as[i] = NULL;
        search->choice.constant[i] = CONSTANT_LITERAL;
        if (constant->right)
            continue;
        if (mask >> bit++ & 1)
            search->choice.constant[i] = constant->counts ? CONSTANT_VALUE : CONSTANT_SCALAR;
    }
    for (uint32_t i = 0; i < pair->constants.len; i++)
        if (pair->constants.at[i].right)
            search->choice.as[i] = folded(search, &pair->constants.at[i]);
}
