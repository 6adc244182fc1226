// SPDX-License-Identifier: Apache-2.0
// Changes of one place in which nothing else has to change: the variant is
// proved or refused.
#include "discover/generalize/widen.h"
#include "tensor/eval/eval.h"
#include <string.h>

// ---- element conditions

bool widen_element(struct widening *widening, uint32_t i)
{
    struct draft draft;
    draft_init(&draft, widening->cur);
    bool done = false;
    if (i < draft.r.n_wheres && draft.wheres[i].cond == NULL) {
        const char *cond = widening_where(widening, &draft.r, i);
        struct pat *pattern = &draft.pats[draft.wheres[i].pat];
        enum compare_dir dir = pattern->dir;
        bool compares = pattern->kind == PAT_OP && pattern->op == OP_COMPARE;
        struct draft own;
        draft_copy(&own, &draft);
        draft_drop_where(&own, i);
        done = widening_try(widening, &own, widening_text(widening, "without %s", cond));
        draft_release(&own);
        static const enum compare_dir weaker[][3] = {
            [CMP_GT] = {CMP_GE, CMP_NE, CMP_GT},
            [CMP_LT] = {CMP_LE, CMP_NE, CMP_LT},
            [CMP_EQ] = {CMP_GE, CMP_LE, CMP_EQ},
        };
        for (int k = 0; k < 3 && !done && compares &&
                        (dir == CMP_GT || dir == CMP_LT || dir == CMP_EQ) && weaker[dir][k] != dir;
             k++) {
            pattern->dir = weaker[dir][k];
            done = widening_try(widening, &draft,
                                widening_text(widening, "%s became %s", cond,
                                              widening_where(widening, &draft.r, i)));
        }
    }
    draft_release(&draft);
    return done;
}

// ---- literals to scalars, scalars to tensors

static bool same_literal(const struct pat *a, const struct pat *b)
{
    return a->kind == PAT_LITERAL && b->kind == PAT_LITERAL && a->lit == b->lit && a->k == b->k &&
           a->type == b->type && (a->lit != LIT_DECIMAL || strcmp(a->text, b->text) == 0) &&
           (a->lit != LIT_UNIT || (a->reducer == b->reducer && a->opvar == b->opvar)) &&
           a->lit != LIT_VALUE && a->lit != LIT_PI;
}

static void name_type(struct draft *draft, uint32_t t)
{
    if (draft->types[t].name == NULL || !*draft->types[t].name)
        draft->types[t].name = draft_name(draft, "T");
}

bool widen_literal(struct widening *widening, uint32_t i)
{
    struct draft draft;
    bool done = false;
    draft_init(&draft, widening->cur);
    if (i < draft.r.n_pats && draft.pats[i].kind == PAT_LITERAL &&
        draft_below(&draft.r, draft.r.lhs, i)) {
        struct pat old = draft.pats[i];
        struct buf buf = {0};
        bool first = true;
        for (uint32_t k = 0; k < i; k++)
            first = first &&
                    !(same_literal(&old, &draft.pats[k]) && draft_below(&draft.r, draft.r.lhs, k));
        pat_print(&draft.r, i, &buf);
        name_type(&draft, old.type);
        uint32_t v = draft.r.n_scalars++;
        draft.scalars[v] = (struct scalar_var){.name = draft_name(&draft, "v"), .type = old.type};
        for (uint32_t k = 0; k < draft.r.n_pats; k++)
            if (same_literal(&old, &draft.pats[k]) || k == i) {
                draft.pats[k].kind = PAT_SCALAR;
                draft.pats[k].var = v;
            }
        if (first)
            done =
                widening_try(widening, &draft,
                             widening_text(widening, "any scalar in place of %s", buf_text(&buf)));
        buf_release(&buf);
    }
    draft_release(&draft);
    return done;
}

bool widen_scalar(struct widening *widening, uint32_t i)
{
    struct draft draft;
    bool done = false;
    draft_init(&draft, widening->cur);
    uint32_t splat = NONE;
    for (uint32_t k = 0; k < draft.r.n_pats && i < draft.r.n_scalars; k++)
        if (draft.pats[k].kind == PAT_SPLAT && splat == NONE &&
            draft_below(&draft.r, draft.r.lhs, k) &&
            draft.pats[draft.pats[k].args[0]].kind == PAT_SCALAR &&
            draft.pats[draft.pats[k].args[0]].var == i)
            splat = k;
    if (splat != NONE) {
        uint32_t v = draft.r.n_tensors++;
        draft.tensors[v] = (struct tensor_var){.name = draft.scalars[i].name,
                                               .type = draft.scalars[i].type,
                                               .n_sizes = draft.pats[splat].n_sizes,
                                               .sizes = draft.pats[splat].sizes};
        const char *what =
            widening_text(widening, "tensor %s in place of a scalar", draft.scalars[i].name);
        for (uint32_t k = 0; k < draft.r.n_pats; k++) {
            struct pat *pattern = &draft.pats[k];
            if (pattern->kind != PAT_SCALAR)
                continue;
            if (pattern->var == i) {
                pattern->kind = PAT_TENSOR;
                pattern->var = v;
            } else if (pattern->var > i) {
                pattern->var--;
            }
        }
        for (uint32_t k = i; k + 1 < draft.r.n_scalars; k++)
            draft.scalars[k] = draft.scalars[k + 1];
        draft.r.n_scalars--;
        done = widening_try(widening, &draft, what);
    }
    draft_release(&draft);
    return done;
}

// ---- operators to operator variables

static bool is_op(const struct pat *pattern, const struct pat *like)
{
    return pattern->kind == PAT_OP && pattern->op == like->op &&
           (pattern->op != OP_COMPARE || pattern->dir == like->dir);
}

static bool same_types(const struct rule *rule, const struct pat *a, const struct pat *b)
{
    bool same = a->type == b->type && a->n_args == b->n_args;
    for (uint32_t k = 0; k < a->n_args && same; k++)
        same = rule->pats[a->args[k]].type == rule->pats[b->args[k]].type;
    return same;
}

// Does the operator stand between the same types wherever it stands?  A variable would make other
// types one.
static bool is_one_operator(const struct rule *rule, const struct pat *like)
{
    const struct pat *first = NULL;
    for (uint32_t i = 0; i < rule->n_pats; i++) {
        const struct pat *pattern = &rule->pats[i];
        if (!is_op(pattern, like) ||
            (!draft_below(rule, rule->lhs, i) && !draft_below(rule, rule->rhs, i)))
            continue;
        if (first != NULL && !same_types(rule, first, pattern))
            return false;
        first = pattern;
    }
    return true;
}

static bool is_unit(const struct pat *pattern, enum op op)
{
    if (pattern->kind != PAT_LITERAL)
        return false;
    if (pattern->lit == LIT_UNIT)
        return pattern->opvar == NONE && pattern->reducer == op;
    switch (op_facts(op)->unit) {
    case UNIT_ZERO:
        return (pattern->lit == LIT_INT || (op == OP_OR && pattern->lit == LIT_BOOL)) &&
               pattern->k == 0;
    case UNIT_ONE:
        return pattern->lit == LIT_INT && pattern->k == 1;
    case UNIT_ONES:
        return pattern->lit == LIT_BOOL && pattern->k == 1;
    case UNIT_LOWEST:
        return pattern->lit == LIT_LOWEST;
    case UNIT_HIGHEST:
        return pattern->lit == LIT_HIGHEST;
    case UNIT_NONE:
    case UNIT_RIGHT_ZERO:
    case UNIT_RIGHT_ONE:
        return false;
    }
    return false;
}

static bool reduces(const struct pat *pattern, enum op op)
{
    return pattern->kind == PAT_OP && op_has_reducer(pattern->op) && pattern->opvar == NONE &&
           pattern->reducer == op;
}

// The operator becomes the variable, which takes the types of the first
// occurrence.
static void free_sign(struct draft *draft, struct pat *pattern, uint32_t v)
{
    struct op_var *opvar = &draft->opvars[v];
    if (opvar->n_args == 0) {
        uint32_t *args = ARENA_NEW(&draft->mem, uint32_t, pattern->n_args + 1);
        for (uint32_t k = 0; k < pattern->n_args; k++)
            args[k] = draft->pats[pattern->args[k]].type;
        opvar->args = args;
        opvar->n_args = pattern->n_args;
        opvar->result = pattern->type;
    }
    pattern->kind = PAT_OPVAR;
    pattern->var = v;
}

// The variable has one type, and units of the operator become units of the
// variable.
static void make_monoid(struct draft *draft, uint32_t v, enum op op, uint32_t type)
{
    struct op_var *opvar = &draft->opvars[v];
    uint32_t *args = ARENA_NEW(&draft->mem, uint32_t, 2);
    args[0] = args[1] = type;
    opvar->args = args;
    opvar->n_args = 2;
    opvar->result = type;
    for (uint32_t i = 0; i < draft->r.n_pats; i++)
        if (is_unit(&draft->pats[i], op) &&
            (draft_below(&draft->r, draft->r.lhs, i) || draft_below(&draft->r, draft->r.rhs, i))) {
            draft->pats[i].lit = LIT_UNIT;
            draft->pats[i].opvar = v;
            draft->pats[i].reducer = N_OPS;
        }
}

// Replaces every occurrence of the operator, as an operator or as a reducer, by
// the variable.
static bool free_op(struct widening *widening, enum op op, const struct pat *like,
                    enum op_var_kind kind)
{
    static const char *const words[] = {[OPVAR_ELEMENTWISE] = "elementwise",
                                        [OPVAR_MONOID] = "monoid",
                                        [OPVAR_MONOTONE] = "monotone"};
    struct draft draft;
    bool reducer = false, some = false;
    draft_init(&draft, widening->cur);
    uint32_t v = draft.r.n_opvars, type = NONE;
    struct op_var *opvar = &draft.opvars[v];
    *opvar =
        (struct op_var){.name = draft_name(&draft, kind == OPVAR_MONOID ? "g" : "f"), .kind = kind};
    for (uint32_t i = 0; i < draft.r.n_pats; i++) {
        struct pat *pattern = &draft.pats[i];
        bool lhs = draft_below(&draft.r, draft.r.lhs, i);
        if (!lhs && !draft_below(&draft.r, draft.r.rhs, i))
            continue; // inside an element condition
        if (reduces(pattern, op)) {
            reducer = true;
            type = type == NONE ? pattern->type : type;
            pattern->opvar = v;
            pattern->reducer = N_OPS;
            some = some || lhs;
        } else if (like != NULL && is_op(pattern, like)) {
            free_sign(&draft, pattern, v);
            type = pattern->type;
            some = some || lhs;
        }
    }
    if (kind == OPVAR_MONOID && type != NONE)
        make_monoid(&draft, v, op, type);
    bool done = false;
    bool fits = some && opvar->n_args > 0 &&
                (kind == OPVAR_ELEMENTWISE ? !reducer
                 : kind == OPVAR_MONOTONE  ? !reducer && opvar->n_args == 1
                                           : op_is_reducer(op));
    if (fits) {
        for (uint32_t k = 0; k < opvar->n_args; k++)
            name_type(&draft, opvar->args[k]);
        name_type(&draft, opvar->result);
        draft.r.n_opvars++;
        done = widening_try(
            widening, &draft,
            widening_text(widening, "any %s operator in place of %s", words[kind], op_name(op)));
    }
    draft_release(&draft);
    return done;
}

bool widen_ops(struct widening *widening)
{
    const struct rule *rule = widening->cur;
    for (uint32_t i = 0; i < rule->n_pats && !widening_over(widening); i++) {
        const struct pat *pattern = &rule->pats[i];
        bool element = pattern->kind == PAT_OP && op_is_elementwise(pattern->op) &&
                       is_one_operator(rule, pattern);
        bool reducer = pattern->kind == PAT_OP &&
                       (pattern->op == OP_REDUCE || pattern->op == OP_REDUCE_WINDOW) &&
                       pattern->opvar == NONE;
        if (!draft_below(rule, rule->lhs, i) || (!element && !reducer))
            continue;
        enum op op = element ? pattern->op : pattern->reducer;
        struct pat like = {.kind = PAT_OP, .op = op, .dir = pattern->dir};
        if ((element && (free_op(widening, op, &like, OPVAR_ELEMENTWISE) ||
                         free_op(widening, op, &like, OPVAR_MONOTONE))) ||
            (op_is_reducer(op) && free_op(widening, op, &like, OPVAR_MONOID)))
            return true;
    }
    return false;
}

// ---- element types and domains

static bool widen_type(struct widening *widening, uint32_t t, unsigned kinds)
{
    struct draft draft;
    struct err err = {0};
    const struct learn_memo *memo;
    bool done = false;
    draft_init(&draft, widening->cur);
    unsigned old = t < draft.r.n_types ? draft.types[t].kinds : 0;
    if (t < draft.r.n_types)
        draft.types[t].kinds |= kinds;
    unsigned before = widening->claims;
    draft.r.claims = rule_domains(&draft.r);
    const struct rule *rule = draft_rule(&draft, &widening->learner->set, &err);
    widening->learner->n_rules++;
    struct buf buf = {0};
    if (rule != NULL && (t == NONE || (old | kinds) != old)) {
        bool wider_kinds = strcmp(rule->hash, widening->cur->hash) != 0;
        unsigned proved = learner_prove(widening->learner, rule, before, true, &memo);
        if (proved == before) {
            proved |= learner_prove(widening->learner, rule, ~before, false, &memo);
            draft.r.claims = proved;
            const struct rule *all = draft_rule(&draft, &widening->learner->set, &err);
            // A kind of element that no proved domain has is no gain.
            bool gain = (proved & ~before) != 0 ||
                        (wider_kinds && rule_domains(rule) == rule_domains(widening->cur));
            if (all != NULL && gain) {
                for (unsigned k = 0; k < N_DOMAINS; k++)
                    if ((proved & ~before) >> k & 1)
                        buf_printf(&buf, " %s", domain_text((enum domain)k));
                widening->claims = proved;
                widening_accept(widening, all, proved,
                                wider_kinds
                                    ? widening_text(widening, "more element types, in%s",
                                                    buf.len ? buf_text(&buf) : " the same domains")
                                    : widening_text(widening, "claimed in%s, too", buf_text(&buf)),
                                "");
                done = true;
            }
        }
    }
    buf_release(&buf);
    draft_release(&draft);
    return done;
}

bool widen_types(struct widening *widening)
{
    static const unsigned wider[] = {KIND_ANY, KIND_SINT | KIND_UINT | KIND_FLOAT,
                                     KIND_BOOL | KIND_SINT | KIND_UINT, KIND_SINT | KIND_UINT,
                                     KIND_SINT | KIND_FLOAT};
    for (uint32_t t = 0; t < widening->cur->n_types && !widening_over(widening); t++)
        for (size_t k = 0; k < sizeof wider / sizeof *wider; k++) {
            unsigned kinds = widening->cur->types[t].kinds;
            if ((kinds | wider[k]) != kinds && (kinds & wider[k]) == kinds &&
                widen_type(widening, t, wider[k]))
                return true;
        }
    return (rule_domains(widening->cur) & ~widening->claims) != 0 && widen_type(widening, NONE, 0);
}

// ---- axes

bool widen_class(struct widening *widening, uint32_t c)
{
    struct draft draft;
    bool done = false;
    draft_init(&draft, widening->cur);
    if (c < draft.r.n_classes && draft.classes[c].like == c &&
        (draft.classes[c].single || draft.classes[c].least_rank > 0)) {
        const char *what =
            draft.classes[c].single
                ? widening_text(widening, "axes of any rank in place of the axis %s",
                                draft.classes[c].name)
                : widening_text(widening, "%s may have rank 0", draft.classes[c].name);
        for (uint32_t k = 0; k < draft.r.n_classes; k++)
            if (draft.classes[k].like == c) {
                draft.classes[k].single = false;
                draft.classes[k].least_rank = 0;
            }
        done = widening_try(widening, &draft, what);
    }
    draft_release(&draft);
    return done;
}

static bool has_free_class(const struct rule *rule)
{
    for (uint32_t c = 0; c < rule->n_classes; c++) {
        bool is_free =
            !rule->classes[c].single && rule->classes[c].least_rank == 0 && rule->n_tensors > 0;
        for (uint32_t i = 0; i < rule->n_tensors && is_free; i++) {
            bool has = false;
            for (uint32_t k = 0; k < rule->tensors[i].n_sizes; k++)
                has = has || rule->tensors[i].sizes[k].cls == c;
            is_free = has;
        }
        if (is_free)
            return true;
    }
    return false;
}

bool widen_add_class(struct widening *widening)
{
    if (has_free_class(widening->cur))
        return false;
    struct draft draft;
    draft_init(&draft, widening->cur);
    const char *cls = draft_name(&draft, "y");
    uint32_t c = draft.r.n_classes++;
    draft.classes[c] = (struct axis_class){.name = cls, .like = c, .joint = c};
    uint32_t m = draft_new_map(&draft, "k", c);
    for (uint32_t i = 0; i < draft.r.n_tensors; i++) {
        struct tensor_var *tensor = &draft.tensors[i];
        struct axis_size *size = ARENA_NEW(&draft.mem, struct axis_size, tensor->n_sizes + 1);
        if (tensor->n_sizes > 0)
            memcpy(size, tensor->sizes, tensor->n_sizes * sizeof *size);
        size[tensor->n_sizes] = (struct axis_size){c, draft_map(&draft, m)};
        tensor->sizes = size;
        tensor->n_sizes++;
    }
    for (uint32_t i = 0; i < draft.r.n_pats; i++) {
        struct pat *pattern = &draft.pats[i];
        bool splat =
            pattern->kind == PAT_SPLAT || (pattern->kind == PAT_OP && pattern->op == OP_IOTA);
        if (pattern->n_sizes == 0 && !splat)
            continue;
        struct axis_size *s = ARENA_NEW(&draft.mem, struct axis_size, pattern->n_sizes + 1);
        if (pattern->n_sizes > 0)
            memcpy(s, pattern->sizes, pattern->n_sizes * sizeof *s);
        s[pattern->n_sizes] = (struct axis_size){c, draft_map(&draft, m)};
        pattern->sizes = s;
        pattern->n_sizes++;
    }
    bool done = draft.r.n_tensors > 0 &&
                widening_try(widening, &draft, "further axes that nothing is done to");
    draft_release(&draft);
    return done;
}
