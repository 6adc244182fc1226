// SPDX-License-Identifier: Apache-2.0
// Everything that is declared must be used, and not in preconditions only.
#include "rules/language/parse.h"

static void mark_sides(const struct parser *p, uint32_t pat, bool *tensor,
                       bool *scalar, bool *opvar)
{
    const struct pat *n = &p->pats.at[pat];
    if (n->kind == PAT_TENSOR)
        tensor[n->var] = true;
    if (n->kind == PAT_SCALAR)
        scalar[n->var] = true;
    if (n->kind == PAT_OPVAR)
        opvar[n->var] = true;
    if (n->opvar != NONE)
        opvar[n->opvar] = true;
    for (uint32_t i = 0; i < n->n_args; i++)
        mark_sides(p, n->args[i], tensor, scalar, opvar);
}

static void unused(struct parser *p, bool used, bool in_sides, struct place at,
                   const char *name)
{
    p->failed = false;
    if (!used)
        parser_fail(p, at, "`%s` is declared but not used", name);
    else if (!in_sides)
        parser_fail(p, at, "`%s` occurs in preconditions only", name);
}

void check_used(struct parser *p)
{
    bool *seen = ARENA_NEW(p->mem, bool,
                           p->tensors.len + p->scalars.len + p->opvars.len + 1);
    bool *scalar = seen + p->tensors.len, *opvar = scalar + p->scalars.len;
    mark_sides(p, p->lhs, seen, scalar, opvar);
    mark_sides(p, p->rhs, seen, scalar, opvar);
    for (uint32_t i = 0; i < p->touched.len; i++) {
        uint32_t id = p->touched.at[i];
        struct symbol s = p->syms[id];
        bool sides = true;
        if (s.kind == SYM_TENSOR)
            sides = seen[s.index];
        else if (s.kind == SYM_SCALAR)
            sides = scalar[s.index];
        else if (s.kind == SYM_OPVAR)
            sides = opvar[s.index];
        else if (s.kind == SYM_CLASS)
            s.used = p->seen_shapes >> s.index & 1;
        unused(p, s.used, sides, s.place, intern_text(&p->lx.names, id));
    }
}
