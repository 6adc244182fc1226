// SPDX-License-Identifier: Apache-2.0
#include "discover/repair/core.h"
#include <string.h>

// Is the text a unit of the operator on this side (0: left, 1: right)?
static bool is_unit(enum op op, uint32_t side, const char *text)
{
    bool zero = strcmp(text, "0") == 0, one = strcmp(text, "1") == 0;
    switch (op_facts(op)->unit) {
    case UNIT_ZERO:
        return zero || strcmp(text, "false") == 0;
    case UNIT_RIGHT_ZERO:
        return side == 1 && zero;
    case UNIT_ONE:
        return one;
    case UNIT_RIGHT_ONE:
        return side == 1 && one;
    case UNIT_ONES:
        return strcmp(text, "true") == 0 || strcmp(text, "-1") == 0;
    case UNIT_NONE:
    case UNIT_LOWEST:
    case UNIT_HIGHEST:
        return false;
    }
    return false;
}

static void call(const struct pat *pattern, uint32_t n, struct buf *arg, struct buf *out)
{
    bool turn = n == 2 && op_is_commutative(pattern->op) &&
                strcmp(buf_text(&arg[0]), buf_text(&arg[1])) > 0;
    buf_printf(out, "(%s", op_name(pattern->op));
    if (pattern->op == OP_COMPARE)
        buf_printf(out, "%d", (int)pattern->dir);
    for (uint32_t i = 0; i < n; i++)
        buf_printf(out, " %s", buf_text(&arg[turn ? n - 1 - i : i]));
    buf_puts(out, ")");
}

void repair_normal(const struct rule *rule, uint32_t pat, struct buf *out)
{
    const struct pat *pattern = &rule->pats[pat];
    if (pattern->kind == PAT_SPLAT) {
        repair_normal(rule, pattern->args[0], out);
        return;
    }
    if (pattern->kind != PAT_OP || !op_is_elementwise(pattern->op) || pattern->n_args > 3 ||
        pattern->op == OP_CONVERT) {
        pat_print(rule, pat, out);
        return;
    }
    struct buf arg[3] = {{0}};
    const struct pat *inner = &rule->pats[pattern->args[0]];
    bool done = false;
    for (uint32_t i = 0; i < pattern->n_args; i++)
        repair_normal(rule, pattern->args[i], &arg[i]);
    for (uint32_t i = 0; i < 2 && pattern->n_args == 2 && !done; i++)
        if (is_unit(pattern->op, i, buf_text(&arg[i]))) {
            buf_puts(out, buf_text(&arg[1 - i]));
            done = true;
        }
    if (!done && op_has(pattern->op, LAW_INVOLUTION) && inner->kind == PAT_OP &&
        inner->op == pattern->op) {
        repair_normal(rule, inner->args[0], out);
        done = true;
    }
    if (!done)
        call(pattern, pattern->n_args, arg, out);
    for (uint32_t i = 0; i < 3; i++)
        buf_release(&arg[i]);
}

// The class to which the relabelling takes the class.
static uint32_t image(const struct pat *pattern, uint32_t cls)
{
    for (uint32_t i = 0; i < pattern->n_relabels; i++)
        if (pattern->relabels[i].from == cls)
            return pattern->relabels[i].to;
    return cls;
}

bool repair_cancels(const struct rule *rule, uint32_t pat)
{
    const struct pat *pattern = &rule->pats[pat];
    const struct pat *inner = pattern->n_args ? &rule->pats[pattern->args[0]] : NULL;
    bool undone = pattern->kind == PAT_RELABEL && inner->kind == PAT_RELABEL;
    for (uint32_t c = 0; undone && c < rule->n_classes; c++)
        undone = image(pattern, image(inner, c)) == c;
    for (uint32_t i = 0; i < pattern->n_args && !undone; i++)
        undone = repair_cancels(rule, pattern->args[i]);
    return undone;
}
