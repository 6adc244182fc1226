// SPDX-License-Identifier: Apache-2.0
// Definitions: `left => define NAME(A, B, {y})`.  The name stands for a
// function of tensors exactly if the left side is one of the arguments: no
// variable, no size and no role of axes in it may come from elsewhere.
#include "rules/language/call.h"

// Names that terms of formulas give a meaning already.
static bool is_term_name(const struct token *t)
{
    static const char *const words[] = {"lt",   "le", "eq",      "ne",
                                        "same", "pi", "free_of", "fresh"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (t->len == strlen(words[i]) && memcmp(t->at, words[i], t->len) == 0)
            return true;
    return t->len > 7 && memcmp(t->at, "reduce_", 7) == 0;
}

static bool has(const struct parser *p, uint32_t root, const struct pat *v)
{
    const struct pat *n = &p->pats.at[root];
    if (n->kind == v->kind && n->var == v->var)
        return true;
    for (uint32_t i = 0; i < n->n_args; i++)
        if (has(p, n->args[i], v))
            return true;
    return false;
}

static bool argument(struct parser *p, uint32_t lhs, struct u32_vec *args)
{
    const struct token *t = parser_token(p);
    uint32_t a = call_operand(p);
    if (a == NONE)
        return false;
    const struct pat *v = &p->pats.at[a];
    if (v->kind != PAT_TENSOR && v->kind != PAT_SCALAR)
        return parser_fail(p, t->place, "`define`: an argument is a variable");
    for (uint32_t i = 0; i < args->len; i++)
        if (has(p, args->at[i], v))
            return parser_fail(p, t->place, "`define`: `%.*s` occurs twice",
                        (int)t->len, t->at);
    if (!has(p, lhs, v))
        return parser_fail(p, t->place, "`define`: the left side lacks `%.*s`",
                    (int)t->len, t->at);
    vec_push(args, a);
    return true;
}

// Every variable of the pattern is an argument, and what it does depends on
// elements, places of its own and the classes of the call alone.
static bool check_body(struct parser *p, uint32_t i, const struct pat *call,
                       const struct u32_vec *args)
{
    const struct pat *n = &p->pats.at[i];
    bool known = n->kind != PAT_TENSOR && n->kind != PAT_SCALAR;
    for (uint32_t k = 0; !known && k < args->len; k++)
        known = has(p, args->at[k], n);
    if (!known)
        return parser_fail(p, call->place, "`define`: `%s` is no argument",
                    n->kind == PAT_TENSOR ? p->tensors.at[n->var].name
                                          : p->scalars.at[n->var].name);
    bool number = n->lit == LIT_BOOL || n->lit == LIT_INT ||
                  n->lit == LIT_DECIMAL || n->lit == LIT_PI;
    bool reduces = n->kind == PAT_OP && n->opvar == NONE &&
                   (n->op == OP_REDUCE || n->op == OP_DOT_GENERAL);
    if (n->kind == PAT_OPVAR || n->kind == PAT_RELABEL ||
        (n->kind == PAT_LITERAL && !number) ||
        (n->kind == PAT_OP && !reduces && n->op != OP_BROADCAST_IN_DIM &&
         (!op_is_elementwise(n->op) || n->op == OP_CONVERT)))
        return parser_fail(p, n->place,
                    "`define`: what is defined consists of numbers, operators "
                    "on elements, reductions and contractions");
    if (reduces && n->classes != call->classes)
        return parser_fail(p, n->place, "`define`: reduced are %s, but %s is named",
                    classes_text(p, n->classes),
                    classes_text(p, call->classes));
    for (uint32_t k = 0; k < n->n_args; k++)
        if (!check_body(p, n->args[k], call, args))
            return false;
    return true;
}

static bool reduces_some(const struct parser *p, uint32_t i)
{
    const struct pat *n = &p->pats.at[i];
    bool some = n->kind == PAT_OP &&
                (n->op == OP_REDUCE || n->op == OP_DOT_GENERAL) && n->classes;
    for (uint32_t k = 0; !some && k < n->n_args; k++)
        some = reduces_some(p, n->args[k]);
    return some;
}

// The value has no axes but those of arguments.
static bool check_result(struct parser *p, const struct pat *lhs,
                         const struct pat *call, const struct u32_vec *args)
{
    uint64_t left = 0;
    for (uint32_t i = 0; i < lhs->n_sizes; i++)
        left |= UINT64_C(1) << lhs->sizes[i].cls;
    for (uint32_t k = 0; k < args->len; k++)
        left &= ~pat_classes(p, args->at[k]);
    return left == 0 || parser_fail(p, call->place, "`define`: no argument has %s",
                             classes_text(p, left));
}

// Sizes are those of arguments.
static bool check_maps(struct parser *p, const struct pat *call)
{
    for (uint32_t m = 0; m < p->maps.len; m++) {
        bool size = p->maps.at[m].def != NULL && !p->maps.at[m].index;
        for (uint32_t t = 0; !size && t < p->tensors.len; t++)
            for (uint32_t i = 0; i < p->tensors.at[t].n_sizes; i++) {
                const struct iexp *x = p->tensors.at[t].sizes[i].size;
                size = size || (x->op == IE_MAP && x->map == m);
            }
        if (!size)
            return parser_fail(p, call->place,
                        "`define`: `%s` is no size of an argument",
                        p->maps.at[m].name);
    }
    return true;
}

static bool check_call(struct parser *p, uint32_t lhs, const struct pat *call,
                       const struct u32_vec *args)
{
    if (!check_body(p, lhs, call, args) || !check_maps(p, call) ||
        !check_result(p, &p->pats.at[lhs], call, args))
        return false;
    if ((call->classes & (call->classes - 1)) != 0)
        return parser_fail(p, call->place, "`define`: more than one class");
    if (call->classes && !reduces_some(p, lhs))
        return parser_fail(p, call->place,
                    "`define`: the left side does not reduce %s",
                    classes_text(p, call->classes));
    uint32_t first = args->at[0];
    if (call->classes && !(pat_classes(p, first) & call->classes))
        return parser_fail(p, call->place, "`define`: the first argument lacks %s",
                    classes_text(p, call->classes));
    return true;
}

uint32_t parse_call_of(struct parser *p, uint32_t lhs)
{
    const struct token *t = parser_token(p);
    struct pat n = pat_blank(PAT_CALL, N_OPS, t->place);
    struct u32_vec args = {0};
    if (!parser_expect(p, T_NAME, "the name of a function"))
        return NONE;
    if (is_function(t) || is_term_name(t) ||
        p->syms[t->name].kind != SYM_NONE) {
        parser_fail(p, t->place, "`%.*s` has a meaning already", (int)t->len, t->at);
        return NONE;
    }
    n.text = parser_token_text(p, t);
    bool ok = parser_expect(p, '(', "`(`") && argument(p, lhs, &args);
    bool closed = false;
    while (ok && !closed && parser_accept(p, ',')) {
        closed = parser_at(p, '{');
        ok = closed ? class_set(p, &n.classes) : argument(p, lhs, &args);
    }
    ok = ok && parser_expect(p, ')', closed ? "`)`" : "`,` or `)`") &&
         check_call(p, lhs, &n, &args);
    const struct pat *l = &p->pats.at[lhs];
    n.type = l->type;
    n.sizes = l->sizes;
    n.n_sizes = l->n_sizes;
    uint32_t out = ok ? pat_push(p, &n, args.len, args.at) : NONE;
    vec_release(&args);
    return out;
}

void check_definition(struct parser *p)
{
    p->failed = false;
    for (uint32_t i = 0; i < p->pats.len; i++) {
        const struct pat *n = &p->pats.at[i];
        if (n->kind == PAT_LITERAL && n->lit == LIT_PI &&
            p->pats.at[p->rhs].kind != PAT_CALL)
            parser_fail(p, n->place, "`pi` stands in definitions only");
    }
}
