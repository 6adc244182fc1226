// SPDX-License-Identifier: Apache-2.0
// Inference of element types: a union-find over type variables, each with the
// set of kinds it may still have.
#include "rules/language/shapes/elaborate.h"
#include "rules/language/print/print.h"

uint32_t type_fresh(struct parser *p, unsigned kinds, const char *name)
{
    struct inferred_type v = {.parent = p->tvars.len, .kinds = kinds, .name = name};
    vec_push(&p->tvars, v);
    return p->tvars.len - 1;
}

uint32_t type_root(struct parser *p, uint32_t t)
{
    while (p->tvars.at[t].parent != t) {
        p->tvars.at[t].parent = p->tvars.at[p->tvars.at[t].parent].parent;
        t = p->tvars.at[t].parent;
    }
    return t;
}

static const char *kinds_text(struct parser *p, unsigned kinds)
{
    struct buf b = {0};
    print_kinds(&b, kinds);
    const char *text = arena_strdup(p->mem, buf_text(&b));
    buf_release(&b);
    return text;
}

// A named variable stays root, then the older one.
bool type_unify(struct parser *p, uint32_t a, uint32_t b, struct place at,
                const char *what)
{
    a = type_root(p, a);
    b = type_root(p, b);
    if (a == b)
        return true;
    struct inferred_type *v = p->tvars.at;
    if (!(v[a].kinds & v[b].kinds))
        return parser_fail(p, at,
                    "%s: the element types do not agree, one is %s, the "
                    "other %s",
                    what, kinds_text(p, v[a].kinds), kinds_text(p, v[b].kinds));
    bool named_a = *v[a].name != '\0', named_b = *v[b].name != '\0';
    if (named_a != named_b ? named_b : b < a) {
        uint32_t t = a;
        a = b;
        b = t;
    }
    v[b].parent = a;
    v[a].kinds &= v[b].kinds;
    return true;
}

bool type_require(struct parser *p, uint32_t t, unsigned kinds, struct place at,
                  const char *what)
{
    struct inferred_type *v = &p->tvars.at[type_root(p, t)];
    if (!(v->kinds & kinds))
        return parser_fail(p, at, "%s needs elements of kind %s, found %s", what,
                    kinds_text(p, kinds), kinds_text(p, v->kinds));
    v->kinds &= kinds;
    return true;
}

void types_finish(struct parser *p, struct rule *r)
{
    uint32_t n = p->tvars.len;
    uint32_t *number = ARENA_NEW(p->mem, uint32_t, n + 1);
    struct type_var *types = ARENA_NEW(p->mem, struct type_var, n + 1);
    bool *used = ARENA_NEW(p->mem, bool, n + 1);
    for (uint32_t i = 0; i < p->tensors.len; i++)
        used[type_root(p, p->tensors.at[i].type)] = true;
    for (uint32_t i = 0; i < p->scalars.len; i++)
        used[type_root(p, p->scalars.at[i].type)] = true;
    for (uint32_t i = 0; i < p->pats.len; i++)
        used[type_root(p, p->pats.at[i].type)] = true;
    for (uint32_t i = 0; i < p->opvars.len; i++) {
        used[type_root(p, p->opvars.at[i].result)] = true;
        for (uint32_t k = 0; k < p->opvars.at[i].n_args; k++)
            used[type_root(p, p->opvars.at[i].args[k])] = true;
    }
    for (uint32_t i = 0; i < n; i++) {
        if (!used[i])
            continue;
        number[i] = r->n_types;
        types[r->n_types].name = p->tvars.at[i].name;
        types[r->n_types++].kinds = p->tvars.at[i].kinds;
    }
    r->types = types;
#define NUMBER(t) ((t) = number[type_root(p, t)])
    for (uint32_t i = 0; i < p->tensors.len; i++)
        NUMBER(p->tensors.at[i].type);
    for (uint32_t i = 0; i < p->scalars.len; i++)
        NUMBER(p->scalars.at[i].type);
    for (uint32_t i = 0; i < p->pats.len; i++)
        NUMBER(p->pats.at[i].type);
    for (uint32_t i = 0; i < p->wider.len; i++) {
        NUMBER(p->wider.at[i].wide);
        NUMBER(p->wider.at[i].narrow);
    }
    for (uint32_t i = 0; i < p->opvars.len; i++) {
        struct op_var *v = &p->opvars.at[i];
        uint32_t *args = ARENA_NEW(p->mem, uint32_t, v->n_args + 1);
        for (uint32_t k = 0; k < v->n_args; k++)
            args[k] = number[type_root(p, v->args[k])];
        v->args = args;
        NUMBER(v->result);
    }
#undef NUMBER
}
