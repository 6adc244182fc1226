// SPDX-License-Identifier: Apache-2.0
#include "rules/conditions.h"

bool iexp_any(const struct iexp *expr, iexp_test *test, void *context)
{
    if (expr == NULL)
        return false;
    if (expr->op == IE_CONST || expr->op == IE_MAP)
        return test(context, expr);
    return iexp_any(expr->a, test, context) || iexp_any(expr->b, test, context);
}

bool cond_any(const struct cond *condition, iexp_test *test, void *context)
{
    return condition != NULL &&
           (iexp_any(condition->a, test, context) || iexp_any(condition->b, test, context) ||
            cond_any(condition->l, test, context) || cond_any(condition->r, test, context));
}

static bool mark_leaf(void *context, const struct iexp *leaf)
{
    if (leaf->op == IE_MAP)
        ((bool *)context)[leaf->map] = true;
    return false;
}

void iexp_mark_maps(const struct iexp *expr, bool *mark)
{
    iexp_any(expr, mark_leaf, mark);
}

void cond_mark_maps(const struct cond *condition, bool *mark)
{
    cond_any(condition, mark_leaf, mark);
}

const struct cond *cond_copy(const struct cond *condition, struct arena *mem, iexp_put *put,
                             void *context)
{
    if (condition == NULL)
        return NULL;
    struct cond *copy = ARENA_NEW(mem, struct cond, 1);
    *copy = *condition;
    copy->a = put(context, condition->a);
    copy->b = put(context, condition->b);
    copy->l = cond_copy(condition->l, mem, put, context);
    copy->r = cond_copy(condition->r, mem, put, context);
    return copy;
}
