// SPDX-License-Identifier: Apache-2.0
#include "formula/rules/define.h"

#include "formula/terms/names.h"

static bool name_is_taken(const char *name)
{
    for (uint32_t i = 0; fname_at(i); i++)
        if (strcmp(fname_at(i)->surface, name) == 0 ||
            strcmp(fname_at(i)->op, name) == 0)
            return true;
    return false;
}

static bool is_truth(const struct rule *r, uint32_t type)
{
    return !(r->types[type].kinds & KIND_FLOAT);
}

// A * A, or A ^ 2, with no precondition.
static bool is_square(const struct rule *r)
{
    const struct pat *p = &r->pats[r->lhs];
    if (p->kind != PAT_OP || p->n_args != 2 || r->n_wheres > 0)
        return false;
    const struct pat *a = &r->pats[p->args[0]], *b = &r->pats[p->args[1]];
    if (b->kind == PAT_SPLAT)
        b = &r->pats[b->args[0]];
    if (p->op == OP_POWER)
        return a->kind == PAT_TENSOR && b->kind == PAT_LITERAL &&
               b->lit == LIT_INT && b->k == 2;
    return p->op == OP_MULTIPLY && a->kind == PAT_TENSOR &&
           b->kind == PAT_TENSOR && a->var == b->var;
}

static bool add(struct fdefines *d, const struct rule *r, struct err *e)
{
    const struct pat *call = &r->pats[r->rhs];
    struct fdefine f = {
        .name = call->text,
        .n_axes = call->classes != 0,
        .n_args = call->n_args,
        .is_truth = is_truth(r, call->type),
        .reduces = call->classes != 0,
        .squares = is_square(r),
        .rule = r,
    };
    for (uint32_t i = 0; i < call->n_sizes; i++)
        if (call->classes >> call->sizes[i].cls & 1)
            f.reduces = false;
    if (f.n_args > FDEFINE_MAX_ARGS)
        return err_set(e, ERR_INPUT, "%s has more than %d arguments", f.name,
                       FDEFINE_MAX_ARGS);
    for (uint32_t i = 0; i < f.n_args; i++) {
        const struct pat *arg = &r->pats[call->args[i]];
        if (is_truth(r, arg->type))
            f.truth |= 1U << i;
        for (uint32_t k = 0; k < arg->n_sizes; k++)
            if (call->classes >> arg->sizes[k].cls & 1)
                f.along |= 1U << i;
    }
    if (name_is_taken(f.name))
        return err_at(e, ERR_INPUT, r->file, r->place.line, r->place.col,
                      "%s has a meaning in formulas already", f.name);
    const struct fdefine *old =
        fdefine_named(d, f.name, (uint32_t)strlen(f.name));
    if (old && strcmp(old->rule->hash, r->hash) == 0)
        return true;
    if (old)
        return err_at(e, ERR_INPUT, r->file, r->place.line, r->place.col,
                      "%s is defined twice, by %s and %s", f.name,
                      old->rule->name, r->name);
    vec_push(&d->at, f);
    return true;
}

bool fdefines_of(struct fdefines *d, uint32_t n,
                 const struct rule *const *rules, struct err *e)
{
    *d = (struct fdefines){0};
    for (uint32_t i = 0; i < n; i++)
        if (rule_defines(rules[i]) && !add(d, rules[i], e)) {
            fdefines_release(d);
            return false;
        }
    return true;
}

void fdefines_release(struct fdefines *d)
{
    vec_release(&d->at);
}

const struct fdefine *fdefine_named(const struct fdefines *d, const char *name,
                                    uint32_t len)
{
    for (uint32_t i = 0; d && i < d->at.len; i++)
        if (strlen(d->at.at[i].name) == len &&
            memcmp(d->at.at[i].name, name, len) == 0)
            return &d->at.at[i];
    return NULL;
}
