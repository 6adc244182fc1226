// SPDX-License-Identifier: Apache-2.0
#include "rules/export/egglog.h"
#include <stdarg.h>
#include <stdio.h>

bool egglog_refuse(struct egglog_rule *to, const char *fmt, ...)
{
    char text[256];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    return err_set(to->err, ERR_CHECK, "%s", text);
}

void egglog_release(struct egglog *egglog)
{
    vec_release(&egglog->types);
    buf_release(&egglog->rules);
}

// ---- element types

static bool sums_several_axes(const struct egglog_rule *to)
{
    for (uint32_t i = 0; i < to->rule->n_pats; i++) {
        const struct pat *pattern = &to->rule->pats[i];
        if (pattern->kind == PAT_OP && pattern->op == OP_REDUCE &&
            (pattern->reducer == OP_ADD || pattern->reducer == OP_MULTIPLY) &&
            to->in->pat[i].in[0].n > to->in->pat[i].out.n + 1)
            return true;
    }
    return false;
}

// The domains in which the rule may run on the types; of several types all are moved and
// compared only.
static unsigned domains_of(const struct egglog_rule *to, struct rule_status status,
                           enum domain float_mode)
{
    uint32_t n = 0;
    for (uint32_t t = 0; t < to->rule->n_types; t++)
        n += to->rule->types[t].kinds != KIND_BOOL;
    unsigned mask = n > 1 ? status.proved & status.uninterpreted : status.proved;
    if (float_mode == DOMAIN_FLOAT && sums_several_axes(to))
        mask &= ~(1u << DOMAIN_FLOAT); // the order of the sum would count
    return mask;
}

static uint64_t types_of(const struct rule *rule, uint32_t type, unsigned domains,
                         enum domain float_mode, bool alone)
{
    uint64_t set = 0;
    for (uint32_t e = 0; e < N_ELEMS; e++) {
        enum domain domain;
        bool predicate = rule->types[type].kinds == KIND_BOOL && !alone;
        if ((elem_kind((enum elem)e) & rule->types[type].kinds) &&
            (predicate ||
             (domain_of_elem((enum elem)e, float_mode, &domain) && (domains >> domain & 1))))
            set |= UINT64_C(1) << e;
    }
    return set;
}

static uint32_t number_of(struct egglog *egglog, uint64_t set)
{
    uint32_t i = 0;
    while (i < egglog->types.len && egglog->types.at[i] != set)
        i++;
    if (i == egglog->types.len)
        vec_push(&egglog->types, set);
    return i;
}

static bool put_types(struct egglog *egglog, struct egglog_rule *to, struct rule_status status)
{
    const struct rule *rule = to->rule;
    bool alone = true; // all types are those of predicates
    for (uint32_t t = 0; t < rule->n_types; t++)
        alone = alone && rule->types[t].kinds == KIND_BOOL;
    unsigned domains = domains_of(to, status, egglog->float_mode);
    for (uint32_t t = 0; t < rule->n_types; t++) {
        uint64_t set = types_of(rule, t, domains, egglog->float_mode, alone);
        if (set == 0)
            return egglog_refuse(to, "it is proved for no element type%s",
                                 status.proved ? " that programs have" : "");
        if (rule->types[t].kinds == KIND_BOOL)
            continue; // the text says i1
        if (!to->type_bound[t])
            return egglog_refuse(to, "no tensor has one of its types");
        buf_printf(&to->query, "\n       (Types%u e_%u)", number_of(egglog, set), t);
    }
    return true;
}

// ---- one rule

static bool set_ranks(const struct egglog *egglog, struct egglog_rule *to, uint32_t *rank)
{
    const struct rule *rule = to->rule;
    for (uint32_t c = 0; c < rule->n_classes; c++) {
        rank[c] = rule->classes[c].single ? 1 : egglog->rank;
        for (uint32_t d = 0; d < rule->n_classes; d++)
            if (rule->classes[d].single && rule->classes[d].like == rule->classes[c].like)
                rank[c] = 1;
        if (rank[c] < rule->classes[c].least_rank)
            return egglog_refuse(to, "%s has at least %u axes", rule->classes[c].name,
                                 rule->classes[c].least_rank);
        if (rule->classes[c].block)
            return egglog_refuse(to, "%s is a block of axes", rule->classes[c].name);
    }
    return true;
}

static bool is_first_order(struct egglog_rule *to)
{
    if (to->rule->n_opvars > 0)
        return egglog_refuse(to, "it has an operator variable");
    if (to->rule->n_wider > 0)
        return egglog_refuse(to, "it has a precondition on types");
    for (uint32_t m = 0; m < to->rule->n_maps; m++)
        if (to->rule->maps[m].index)
            return egglog_refuse(to, "%s is a place known at run time", to->rule->maps[m].name);
    return true;
}

static void start(struct egglog_rule *to)
{
    const struct rule *rule = to->rule;
    const struct pat *lhs = &rule->pats[rule->lhs];
    to->known = ARENA_NEW(to->mem, bool *, rule->n_maps + 1);
    to->type_bound = ARENA_NEW(to->mem, bool, rule->n_types + 1);
    for (uint32_t m = 0; m < rule->n_maps; m++)
        to->known[m] = ARENA_NEW(to->mem, bool, to->in->rank[rule->maps[m].cls] + 1);
    for (uint32_t i = 0; i < rule->n_tensors; i++)
        to->in->order[i] = instance_axes(to->in, rule->tensors[i].n_sizes, rule->tensors[i].sizes);
    struct order wanted = instance_axes(to->in, lhs->n_sizes, lhs->sizes);
    instance_orient(to->in, rule->lhs, &wanted);
    instance_orient(to->in, rule->rhs, &to->in->pat[rule->lhs].out);
}

static void put_elem(struct egglog_rule *to, const char *prefix, const char *name, uint32_t type)
{
    buf_printf(&to->query, "\n       (= (elem %s%s) ", prefix, name);
    egglog_type(to, type, &to->query);
    buf_putc(&to->query, ')');
    to->type_bound[type] = true;
}

static bool put_variables(struct egglog_rule *to)
{
    const struct rule *rule = to->rule;
    for (uint32_t i = 0; i < rule->n_tensors; i++) {
        const struct tensor_var *tensor = &rule->tensors[i];
        put_elem(to, "t_", tensor->name, tensor->type);
        buf_printf(&to->query, "\n       (= (shape t_%s) ", tensor->name);
        if (!egglog_sizes(to, tensor->n_sizes, tensor->sizes, &to->in->order[i], &to->query))
            return false;
        buf_putc(&to->query, ')');
    }
    for (uint32_t i = 0; i < rule->n_scalars; i++) {
        const struct scalar_var *scalar = &rule->scalars[i];
        put_elem(to, "t_", scalar->name, scalar->type);
        buf_printf(&to->query, "\n       (= (shape t_%s) (Nil))", scalar->name);
    }
    put_elem(to, "", "root", rule->pats[rule->lhs].type);
    return true;
}

static bool put_sides(struct egglog_rule *to)
{
    const struct rule *rule = to->rule;
    struct buf left = {0}, right = {0};
    bool ok = egglog_pattern(to, rule->lhs, &left);
    buf_printf(&to->query, "(= root %s)", buf_text(&left));
    ok = ok && put_variables(to);
    to->right = true;
    ok = ok && egglog_pattern(to, rule->rhs, &right);
    if (ok && !order_same(&to->in->pat[rule->rhs].out, &to->in->pat[rule->lhs].out))
        ok = egglog_refuse(to, "its sides have their axes in different orders");
    if (ok && strncmp(buf_text(&left), "t_", 2) == 0)
        ok = egglog_refuse(to, "its left side is a variable at this rank");
    buf_printf(&to->action, "\n       (union root %s)", buf_text(&right));
    buf_release(&left);
    buf_release(&right);
    return ok;
}

static bool put_rule(struct egglog *egglog, struct egglog_rule *to, struct rule_status status)
{
    const struct rule *rule = to->rule;
    uint32_t *rank = ARENA_NEW(to->mem, uint32_t, rule->n_classes + 1);
    if (!is_first_order(to) || !set_ranks(egglog, to, rank))
        return false;
    to->in = instance_new(rule, rank, to->mem);
    start(to);
    if (!put_sides(to) || !egglog_solve(to) || !egglog_conditions(to) ||
        !put_types(egglog, to, status))
        return false;
    buf_printf(&egglog->rules, "\n; %s/%s %.12s\n(rule (%s)\n      (%s)\n      :name \"%s/%s\")\n",
               rule->family, rule->name, rule->hash, buf_text(&to->query),
               buf_text(&to->action) + strspn(buf_text(&to->action), "\n "), rule->family,
               rule->name);
    return true;
}

bool egglog_add(struct egglog *egglog, const struct rule *rule, struct rule_status status,
                struct err *err)
{
    struct arena mem = {0};
    struct egglog_rule to = {.rule = rule, .mem = &mem, .err = err};
    bool ok = put_rule(egglog, &to, status);
    vec_release(&to.equations);
    vec_release(&to.used);
    buf_release(&to.query);
    buf_release(&to.action);
    arena_release(&mem);
    return ok;
}

// ---- the whole

static void put_operators(struct buf *out)
{
    for (uint32_t op = 0; op < N_OPS; op++) {
        if (!egglog_has((enum op)op))
            continue;
        buf_puts(out, "\n  (");
        egglog_operator((enum op)op, out);
        for (int k = 0; k < op_arity((enum op)op); k++)
            buf_puts(out, " Tensor");
        buf_putc(out, ')');
    }
}

void egglog_put(const struct egglog *egglog, struct buf *out)
{
    buf_printf(out,
               "; Rewrite rules of rankwright, every axis class at rank %u; floats are %s.\n"
               "; Callers must state (shape T) and (elem T) of every term of a program.\n"
               "(datatype Ints (Nil) (Cons i64 Ints))\n"
               "(datatype Tensor\n"
               "  (Parameter String)\n"
               "  (Constant String String)        ; element type, value; rank 0\n"
               "  (Splat Tensor Ints)             ; a rank-0 tensor, sizes\n"
               "  (Transpose Tensor Ints)         ; dimensions of the operand\n"
               "  (Broadcast Tensor Ints Ints)    ; where the dimensions go, sizes\n"
               "  (Slice Tensor Ints Ints Ints)   ; start, limit, stride\n"
               "  (Pad Tensor Tensor Ints Ints Ints) ; low, high, interior\n"
               "  (Reverse Tensor Ints)           ; dimensions\n"
               "  (Concatenate2 Tensor Tensor i64)\n"
               "  (Concatenate3 Tensor Tensor Tensor i64)\n"
               "  (Concatenate4 Tensor Tensor Tensor Tensor i64)\n"
               "  (Reduce String Tensor Ints)     ; operator, dimensions; from its unit\n"
               "  (ReduceFrom String Tensor Tensor Ints)\n"
               "  (Iota String i64 Ints)          ; element type, dimension, sizes\n"
               "  (Compare String Tensor Tensor)  ; EQ NE GE GT LE LT\n"
               "  (Convert String Tensor)",
               egglog->rank,
               egglog->float_mode == DOMAIN_REAL ? "finite real numbers" : "IEEE-754 numbers");
    put_operators(out);
    buf_puts(out, ")\n(function shape (Tensor) Ints :merge old)\n"
                  "(function elem (Tensor) String :merge old)\n");
    for (uint32_t i = 0; i < egglog->types.len; i++) {
        buf_printf(out, "(relation Types%u (String))\n", i);
        for (uint32_t e = 0; e < N_ELEMS; e++)
            if (egglog->types.at[i] >> e & 1)
                buf_printf(out, "(Types%u \"%s\")\n", i, elem_text((enum elem)e));
    }
    buf_puts(out, buf_text(&egglog->rules));
}
