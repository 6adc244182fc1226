// SPDX-License-Identifier: Apache-2.0
// Everything that is declared must be used, and not in preconditions only.
#include "rules/language/parse.h"

static void mark_sides(const struct parser *parser, uint32_t pat, bool *tensor, bool *scalar,
                       bool *opvar)
{
    const struct pat *pattern = &parser->pats.at[pat];
    if (pattern->kind == PAT_TENSOR)
        tensor[pattern->var] = true;
    if (pattern->kind == PAT_SCALAR)
        scalar[pattern->var] = true;
    if (pattern->kind == PAT_OPVAR)
        opvar[pattern->var] = true;
    if (pattern->opvar != NONE)
        opvar[pattern->opvar] = true;
    for (uint32_t i = 0; i < pattern->n_args; i++)
        mark_sides(parser, pattern->args[i], tensor, scalar, opvar);
}

static void unused(struct parser *parser, bool used, bool in_sides, struct place at,
                   const char *name)
{
    parser->failed = false;
    if (!used)
        parser_fail(parser, at, "`%s` is declared but not used", name);
    else if (!in_sides)
        parser_fail(parser, at, "`%s` occurs in preconditions only", name);
}

void check_used(struct parser *parser)
{
    bool *seen = ARENA_NEW(parser->mem, bool,
                           parser->tensors.len + parser->scalars.len + parser->opvars.len + 1);
    bool *scalar = seen + parser->tensors.len, *opvar = scalar + parser->scalars.len;
    mark_sides(parser, parser->lhs, seen, scalar, opvar);
    mark_sides(parser, parser->rhs, seen, scalar, opvar);
    for (uint32_t i = 0; i < parser->touched.len; i++) {
        uint32_t id = parser->touched.at[i];
        struct symbol symbol = parser->syms[id];
        bool sides = true;
        if (symbol.kind == SYM_TENSOR)
            sides = seen[symbol.index];
        else if (symbol.kind == SYM_SCALAR)
            sides = scalar[symbol.index];
        else if (symbol.kind == SYM_OPVAR)
            sides = opvar[symbol.index];
        else if (symbol.kind == SYM_CLASS)
            symbol.used = parser->seen_shapes >> symbol.index & 1;
        unused(parser, symbol.used, sides, symbol.place, intern_text(&parser->lx.names, id));
    }
}
