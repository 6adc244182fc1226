// SPDX-License-Identifier: Apache-2.0
// Which parameters a rule's conditions on elements bind.
#include "verify/counterexample/values.h"

// The parameters below a pattern: none, one, or several.  Only where all operators act element by
// element does a value everywhere say what it is worth in a single element.
struct mentioned {
    uint32_t param;
    uint32_t n;
    bool moves; // elements, or joins them
};

static void mention(struct mentioned *mentioned, const struct rule *rule, uint32_t i)
{
    const struct pat *pattern = &rule->pats[i];
    bool is_tensor = pattern->kind == PAT_TENSOR;
    mentioned->moves |= pattern->kind == PAT_OP && !op_is_elementwise(pattern->op);
    if (is_tensor || pattern->kind == PAT_SCALAR) {
        uint32_t param = is_tensor ? pattern->var : rule->n_tensors + pattern->var;
        if (mentioned->n == 0 || mentioned->param != param)
            mentioned->n++;
        mentioned->param = param;
    }
    for (uint32_t k = 0; k < pattern->n_args; k++)
        mention(mentioned, rule, pattern->args[k]);
}

bool cex_is_alone(const struct rule *rule, uint32_t w, uint32_t param)
{
    struct mentioned mentioned = {0};
    if (rule->wheres[w].cond != NULL)
        return false;
    mention(&mentioned, rule, rule->wheres[w].pat);
    return mentioned.n == 1 && mentioned.param == param && !mentioned.moves;
}

bool cex_binds_alone(const struct cex_evaluator *evaluator, uint32_t param)
{
    for (uint32_t w = 0; w < evaluator->rule->n_wheres; w++)
        if (evaluator->cond[w].v != NO_TERM.v && cex_is_alone(evaluator->rule, w, param))
            return true;
    return false;
}
