// SPDX-License-Identifier: Apache-2.0
#include "verify/obligations/named.h"

#include "rules/instance/instance.h"
#include "tensor/eval/eval.h"

struct names {
    const struct rule *rule;
    enum elem elem;
    uint32_t n;
    struct scalar at[VERIFY_NAMED_NUMBERS]; // ascending
};

static bool is_less(enum elem elem, struct scalar a, struct scalar b)
{
    return eval_compare(CMP_LT, compare_type_of(elem), elem, a, b);
}

static void insert(struct names *names, struct scalar scalar)
{
    uint32_t i = 0;
    if (names->n == VERIFY_NAMED_NUMBERS)
        return;
    while (i < names->n && is_less(names->elem, names->at[i], scalar))
        i++;
    if (i < names->n && scalar_same(names->elem, names->at[i], scalar))
        return;
    for (uint32_t k = names->n++; k > i; k--)
        names->at[k] = names->at[k - 1];
    names->at[i] = scalar;
}

static void name_below(struct names *names, uint32_t i)
{
    const struct pat *pattern = &names->rule->pats[i];
    struct scalar scalar;
    struct err err = {0};
    bool is_number =
        pattern->kind == PAT_LITERAL && (pattern->lit == LIT_INT || pattern->lit == LIT_DECIMAL);
    if (is_number && pat_literal(names->rule, pattern, names->elem, NULL, &scalar, &err))
        insert(names, scalar);
    for (uint32_t k = 0; k < pattern->n_args; k++)
        name_below(names, pattern->args[k]);
}

static void put(struct named_values *out, struct scalar scalar)
{
    if (out->n < VERIFY_NAMED_VALUES)
        out->at[out->n++] = scalar;
}

// A number and one more or less; what wraps around is left out.
static void put_beside(struct named_values *out, enum elem elem, struct scalar scalar)
{
    struct scalar one = scalar_of_int(elem, 1), near;
    struct err err = {0};
    put(out, scalar);
    if (eval_binary(OP_ADD, elem, scalar, one, &near, &err) && is_less(elem, scalar, near))
        put(out, near);
    if (eval_binary(OP_SUBTRACT, elem, scalar, one, &near, &err) && is_less(elem, near, scalar))
        put(out, near);
}

// All integers between two numbers that are near, else the number in the middle.
static void put_between(struct named_values *out, enum elem elem, struct scalar a, struct scalar b)
{
    struct scalar step = scalar_of_int(elem, 1), two = scalar_of_int(elem, 2), middle;
    struct err err = {0};
    bool is_integer = elem_kind(elem) != KIND_FLOAT;
    double gap = scalar_to_double(elem, b) - scalar_to_double(elem, a);
    for (middle = a; is_integer && gap <= VERIFY_NAMED_GAP;) {
        if (!eval_binary(OP_ADD, elem, middle, step, &middle, &err) || !is_less(elem, middle, b))
            return;
        put(out, middle);
    }
    if (eval_binary(OP_SUBTRACT, elem, b, a, &middle, &err) &&
        eval_binary(OP_DIVIDE, elem, middle, two, &middle, &err) &&
        eval_binary(OP_ADD, elem, a, middle, &middle, &err) && is_less(elem, a, middle) &&
        is_less(elem, middle, b))
        put(out, middle);
}

void named_values_of(const struct rule *rule, enum elem elem, struct named_values *out)
{
    struct names names = {.rule = rule, .elem = elem};
    out->n = 0;
    if (elem_kind(elem) == KIND_BOOL)
        return;
    for (uint32_t w = 0; w < rule->n_wheres; w++)
        if (rule->wheres[w].cond == NULL)
            name_below(&names, rule->wheres[w].pat);
    for (uint32_t i = 0; i < names.n; i++)
        put_beside(out, elem, names.at[i]);
    for (uint32_t i = 1; i < names.n; i++)
        put_between(out, elem, names.at[i - 1], names.at[i]);
}
