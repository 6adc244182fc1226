// SPDX-License-Identifier: Apache-2.0
// Inference of element types: a union-find over type variables, each with the
// set of kinds it may still have.
#include "rules/language/shapes/elaborate.h"
#include "rules/language/tokens/hints.h"
#include "rules/language/print/print.h"

uint32_t type_fresh(struct parser *parser, unsigned kinds, const char *name)
{
    struct inferred_type inferred_type = {
        .parent = parser->tvars.len, .kinds = kinds, .declared = KIND_ANY, .name = name};
    vec_push(&parser->tvars, inferred_type);
    return parser->tvars.len - 1;
}

uint32_t type_root(struct parser *parser, uint32_t t)
{
    while (parser->tvars.at[t].parent != t) {
        parser->tvars.at[t].parent = parser->tvars.at[parser->tvars.at[t].parent].parent;
        t = parser->tvars.at[t].parent;
    }
    return t;
}

static const char *kinds_text(struct parser *parser, unsigned kinds)
{
    struct buf buf = {0};
    print_kinds(&buf, kinds);
    const char *text = arena_strdup(parser->mem, buf_text(&buf));
    buf_release(&buf);
    return text;
}

// A named variable stays root; of two variables alike, the older one stays root.
bool type_unify(struct parser *parser, uint32_t a, uint32_t b, struct place at, const char *what)
{
    a = type_root(parser, a);
    b = type_root(parser, b);
    if (a == b)
        return true;
    struct inferred_type *inferred_type = parser->tvars.at;
    if (!(inferred_type[a].kinds & inferred_type[b].kinds))
        return parser_fail(parser, at,
                           "%s: the element types do not agree, one is %s, the "
                           "other %s",
                           what, kinds_text(parser, inferred_type[a].kinds),
                           kinds_text(parser, inferred_type[b].kinds)) ||
               parser_hint(parser, "`convert(A, T)` gives elements another type; `select(P, 1, 0)` "
                                   "makes numbers of truth values");
    bool named_a = *inferred_type[a].name != '\0', named_b = *inferred_type[b].name != '\0';
    if (named_a != named_b ? named_b : b < a) {
        uint32_t t = a;
        a = b;
        b = t;
    }
    inferred_type[b].parent = a;
    inferred_type[a].kinds &= inferred_type[b].kinds;
    inferred_type[a].declared &= inferred_type[b].declared;
    return true;
}

bool type_require(struct parser *parser, uint32_t t, unsigned kinds, struct place at,
                  const char *what)
{
    struct inferred_type *inferred_type = &parser->tvars.at[type_root(parser, t)];
    if (!(inferred_type->kinds & kinds))
        return parser_fail(parser, at, "%s: expected elements of kind %s, found %s", what,
                           kinds_text(parser, kinds), kinds_text(parser, inferred_type->kinds)) ||
               hint_kind(parser, what, kinds, inferred_type->kinds);
    inferred_type->kinds &= kinds;
    return true;
}

void types_finish(struct parser *parser, struct rule *rule)
{
    uint32_t n = parser->tvars.len;
    uint32_t *number = ARENA_NEW(parser->mem, uint32_t, n + 1);
    struct type_var *types = ARENA_NEW(parser->mem, struct type_var, n + 1);
    bool *used = ARENA_NEW(parser->mem, bool, n + 1);
    for (uint32_t i = 0; i < parser->tensors.len; i++)
        used[type_root(parser, parser->tensors.at[i].type)] = true;
    for (uint32_t i = 0; i < parser->scalars.len; i++)
        used[type_root(parser, parser->scalars.at[i].type)] = true;
    for (uint32_t i = 0; i < parser->pats.len; i++)
        used[type_root(parser, parser->pats.at[i].type)] = true;
    for (uint32_t i = 0; i < parser->opvars.len; i++) {
        used[type_root(parser, parser->opvars.at[i].result)] = true;
        for (uint32_t k = 0; k < parser->opvars.at[i].n_args; k++)
            used[type_root(parser, parser->opvars.at[i].args[k])] = true;
    }
    for (uint32_t i = 0; i < n; i++) {
        if (!used[i])
            continue;
        number[i] = rule->n_types;
        types[rule->n_types].name = parser->tvars.at[i].name;
        types[rule->n_types].declared = parser->tvars.at[i].declared;
        types[rule->n_types++].kinds = parser->tvars.at[i].kinds;
    }
    rule->types = types;
#define NUMBER(t) ((t) = number[type_root(parser, t)])
    for (uint32_t i = 0; i < parser->tensors.len; i++)
        NUMBER(parser->tensors.at[i].type);
    for (uint32_t i = 0; i < parser->scalars.len; i++)
        NUMBER(parser->scalars.at[i].type);
    for (uint32_t i = 0; i < parser->pats.len; i++)
        NUMBER(parser->pats.at[i].type);
    for (uint32_t i = 0; i < parser->wider.len; i++) {
        NUMBER(parser->wider.at[i].wide);
        NUMBER(parser->wider.at[i].narrow);
    }
    for (uint32_t i = 0; i < parser->opvars.len; i++) {
        struct op_var *opvar = &parser->opvars.at[i];
        uint32_t *args = ARENA_NEW(parser->mem, uint32_t, opvar->n_args + 1);
        for (uint32_t k = 0; k < opvar->n_args; k++)
            args[k] = number[type_root(parser, opvar->args[k])];
        opvar->args = args;
        NUMBER(opvar->result);
    }
#undef NUMBER
}
