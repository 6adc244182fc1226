// SPDX-License-Identifier: Apache-2.0
#include "formula/rules/define.h"
#include "formula/limits.h"

#include "formula/terms/names.h"

static bool name_is_taken(const char *name)
{
    for (uint32_t i = 0; fname_at(i); i++)
        if (strcmp(fname_at(i)->surface, name) == 0 || strcmp(fname_at(i)->op, name) == 0)
            return true;
    return false;
}

static bool is_truth(const struct rule *rule, uint32_t type)
{
    return !(rule->types[type].kinds & KIND_FLOAT);
}

// Is the definition A * A or A ^ 2, without precondition?
static bool is_square(const struct rule *rule)
{
    const struct pat *pattern = &rule->pats[rule->lhs];
    if (pattern->kind != PAT_OP || pattern->n_args != 2 || rule->n_wheres > 0)
        return false;
    const struct pat *a = &rule->pats[pattern->args[0]], *b = &rule->pats[pattern->args[1]];
    if (b->kind == PAT_SPLAT)
        b = &rule->pats[b->args[0]];
    if (pattern->op == OP_POWER)
        return a->kind == PAT_TENSOR && b->kind == PAT_LITERAL && b->lit == LIT_INT && b->k == 2;
    return pattern->op == OP_MULTIPLY && a->kind == PAT_TENSOR && b->kind == PAT_TENSOR &&
           a->var == b->var;
}

static bool add(struct fdefines *defs, const struct rule *rule, struct err *err)
{
    const struct pat *call = &rule->pats[rule->rhs];
    struct fdefine define = {
        .name = call->text,
        .n_axes = call->classes != 0,
        .n_args = call->n_args,
        .is_truth = is_truth(rule, call->type),
        .reduces = call->classes != 0,
        .squares = is_square(rule),
        .rule = rule,
    };
    for (uint32_t i = 0; i < call->n_sizes; i++)
        if (call->classes >> call->sizes[i].cls & 1)
            define.reduces = false;
    if (define.n_args > FDEFINE_MAX_ARGS)
        return err_set(err, ERR_INPUT, "%s has more than %d arguments", define.name,
                       FDEFINE_MAX_ARGS);
    for (uint32_t i = 0; i < define.n_args; i++) {
        const struct pat *arg = &rule->pats[call->args[i]];
        if (is_truth(rule, arg->type))
            define.truth |= 1U << i;
        for (uint32_t k = 0; k < arg->n_sizes; k++)
            if (call->classes >> arg->sizes[k].cls & 1)
                define.along |= 1U << i;
    }
    if (name_is_taken(define.name))
        return err_at(err, ERR_INPUT, rule->file, rule->place.line, rule->place.col,
                      "%s has a meaning in formulas already", define.name);
    const struct fdefine *old = fdefine_named(defs, define.name, (uint32_t)strlen(define.name));
    if (old && strcmp(old->rule->hash, rule->hash) == 0)
        return true;
    if (old)
        return err_at(err, ERR_INPUT, rule->file, rule->place.line, rule->place.col,
                      "%s is defined twice, by %s and %s", define.name, old->rule->name,
                      rule->name);
    vec_push(&defs->at, define);
    return true;
}

bool fdefines_of(struct fdefines *defs, uint32_t n, const struct rule *const *rules,
                 struct err *err)
{
    *defs = (struct fdefines){0};
    for (uint32_t i = 0; i < n; i++)
        if (rule_defines(rules[i]) && !add(defs, rules[i], err)) {
            fdefines_release(defs);
            return false;
        }
    return true;
}

void fdefines_release(struct fdefines *defs)
{
    vec_release(&defs->at);
}

const struct fdefine *fdefine_named(const struct fdefines *defs, const char *name, uint32_t len)
{
    for (uint32_t i = 0; defs && i < defs->at.len; i++)
        if (strlen(defs->at.at[i].name) == len && memcmp(defs->at.at[i].name, name, len) == 0)
            return &defs->at.at[i];
    return NULL;
}
