// SPDX-License-Identifier: Apache-2.0
#include "discover/repair/core.h"
#include <string.h>

// The literal 0 or 1 that is no operand, on the side where it is none.
static bool is_unit(enum op op, uint32_t side, const char *text)
{
    switch (op) {
    case OP_ADD:
        return strcmp(text, "0") == 0;
    case OP_SUBTRACT:
        return side == 1 && strcmp(text, "0") == 0;
    case OP_MULTIPLY:
        return strcmp(text, "1") == 0;
    case OP_DIVIDE:
    case OP_POWER:
        return side == 1 && strcmp(text, "1") == 0;
    case OP_AND:
        return strcmp(text, "true") == 0 || strcmp(text, "-1") == 0;
    case OP_OR:
    case OP_XOR:
        return strcmp(text, "false") == 0 || strcmp(text, "0") == 0;
    default:
        return false;
    }
}

static void call(const struct pat *p, uint32_t n, struct buf *arg,
                 struct buf *out)
{
    bool turn = n == 2 && op_is_commutative(p->op) &&
                strcmp(buf_text(&arg[0]), buf_text(&arg[1])) > 0;
    buf_printf(out, "(%s", op_name(p->op));
    if (p->op == OP_COMPARE)
        buf_printf(out, "%d", (int)p->dir);
    for (uint32_t i = 0; i < n; i++)
        buf_printf(out, " %s", buf_text(&arg[turn ? n - 1 - i : i]));
    buf_puts(out, ")");
}

void repair_normal(const struct rule *r, uint32_t pat, struct buf *out)
{
    const struct pat *p = &r->pats[pat];
    if (p->kind == PAT_SPLAT) {
        repair_normal(r, p->args[0], out);
        return;
    }
    if (p->kind != PAT_OP || !op_is_elementwise(p->op) || p->n_args > 3 ||
        p->op == OP_CONVERT) {
        pat_print(r, pat, out);
        return;
    }
    struct buf arg[3] = {{0}};
    const struct pat *inner = &r->pats[p->args[0]];
    bool done = false;
    for (uint32_t i = 0; i < p->n_args; i++)
        repair_normal(r, p->args[i], &arg[i]);
    for (uint32_t i = 0; i < 2 && p->n_args == 2 && !done; i++)
        if (is_unit(p->op, i, buf_text(&arg[i]))) {
            buf_puts(out, buf_text(&arg[1 - i]));
            done = true;
        }
    if (!done && (p->op == OP_NEGATE || p->op == OP_NOT) &&
        inner->kind == PAT_OP && inner->op == p->op) {
        repair_normal(r, inner->args[0], out);
        done = true;
    }
    if (!done)
        call(p, p->n_args, arg, out);
    for (uint32_t i = 0; i < 3; i++)
        buf_release(&arg[i]);
}

// Where the relabelling takes the class.
static uint32_t image(const struct pat *p, uint32_t cls)
{
    for (uint32_t i = 0; i < p->n_relabels; i++)
        if (p->relabels[i].from == cls)
            return p->relabels[i].to;
    return cls;
}

bool repair_cancels(const struct rule *r, uint32_t pat)
{
    const struct pat *p = &r->pats[pat];
    const struct pat *inner = p->n_args ? &r->pats[p->args[0]] : NULL;
    bool undone = p->kind == PAT_RELABEL && inner->kind == PAT_RELABEL;
    for (uint32_t c = 0; undone && c < r->n_classes; c++)
        undone = image(p, image(inner, c)) == c;
    for (uint32_t i = 0; i < p->n_args && !undone; i++)
        undone = repair_cancels(r, p->args[i]);
    return undone;
}
