// SPDX-License-Identifier: Apache-2.0
// Definitions: `left => define NAME(A, B, {y})`.  NAME is a function of tensors only if
// the left side depends on the arguments alone: every variable, every size and every
// role of axes in the left side must come from the arguments.
#include "rules/language/call.h"

// Names that have another meaning in terms of formulas.
static bool is_term_name(const struct token *token)
{
    static const char *const words[] = {"lt", "le", "eq", "ne", "same", "pi", "free_of", "fresh"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (token->len == strlen(words[i]) && memcmp(token->at, words[i], token->len) == 0)
            return true;
    return token->len > 7 && memcmp(token->at, "reduce_", 7) == 0;
}

static bool has(const struct parser *parser, uint32_t root, const struct pat *pattern)
{
    const struct pat *n = &parser->pats.at[root];
    if (n->kind == pattern->kind && n->var == pattern->var)
        return true;
    for (uint32_t i = 0; i < n->n_args; i++)
        if (has(parser, n->args[i], pattern))
            return true;
    return false;
}

static bool argument(struct parser *parser, uint32_t lhs, struct u32_vec *args)
{
    const struct token *token = parser_token(parser);
    uint32_t a = call_operand(parser);
    if (a == NONE)
        return false;
    const struct pat *pattern = &parser->pats.at[a];
    if (pattern->kind != PAT_TENSOR && pattern->kind != PAT_SCALAR)
        return parser_fail(parser, token->place, "`define`: expected a variable as an argument");
    for (uint32_t i = 0; i < args->len; i++)
        if (has(parser, args->at[i], pattern))
            return parser_fail(parser, token->place, "`define`: `%.*s` occurs twice",
                               (int)token->len, token->at);
    if (!has(parser, lhs, pattern))
        return parser_fail(parser, token->place, "`define`: the left side lacks `%.*s`",
                           (int)token->len, token->at);
    vec_push(args, a);
    return true;
}

// Checks that every variable of the pattern is an argument.  The value of the pattern
// must depend only on elements, on its own places, and on the classes of the call.
static bool check_body(struct parser *parser, uint32_t i, const struct pat *call,
                       const struct u32_vec *args)
{
    const struct pat *pattern = &parser->pats.at[i];
    bool known = pattern->kind != PAT_TENSOR && pattern->kind != PAT_SCALAR;
    for (uint32_t k = 0; !known && k < args->len; k++)
        known = has(parser, args->at[k], pattern);
    if (!known)
        return parser_fail(parser, call->place, "`define`: `%s` is no argument",
                           pattern->kind == PAT_TENSOR ? parser->tensors.at[pattern->var].name
                                                       : parser->scalars.at[pattern->var].name);
    bool number = pattern->lit == LIT_BOOL || pattern->lit == LIT_INT ||
                  pattern->lit == LIT_DECIMAL || pattern->lit == LIT_PI;
    bool reduces = pattern->kind == PAT_OP && pattern->opvar == NONE &&
                   (pattern->op == OP_REDUCE || pattern->op == OP_DOT_GENERAL);
    if (pattern->kind == PAT_OPVAR || pattern->kind == PAT_RELABEL ||
        (pattern->kind == PAT_LITERAL && !number) ||
        (pattern->kind == PAT_OP && !reduces && pattern->op != OP_BROADCAST_IN_DIM &&
         (!op_is_elementwise(pattern->op) || pattern->op == OP_CONVERT)))
        return parser_fail(parser, pattern->place,
                           "`define`: expected numbers, operators on elements, "
                           "reductions and contractions on the left side");
    if (reduces && pattern->classes != call->classes)
        return parser_fail(
            parser, pattern->place, "`define`: expected the reduced classes %s, found %s",
            classes_text(parser, pattern->classes), classes_text(parser, call->classes));
    for (uint32_t k = 0; k < pattern->n_args; k++)
        if (!check_body(parser, pattern->args[k], call, args))
            return false;
    return true;
}

static bool reduces_some(const struct parser *parser, uint32_t i)
{
    const struct pat *pattern = &parser->pats.at[i];
    bool some = pattern->kind == PAT_OP &&
                (pattern->op == OP_REDUCE || pattern->op == OP_DOT_GENERAL) && pattern->classes;
    for (uint32_t k = 0; !some && k < pattern->n_args; k++)
        some = reduces_some(parser, pattern->args[k]);
    return some;
}

// Checks that every axis of the value is an axis of an argument.
static bool check_result(struct parser *parser, const struct pat *lhs, const struct pat *call,
                         const struct u32_vec *args)
{
    uint64_t left = 0;
    for (uint32_t i = 0; i < lhs->n_sizes; i++)
        left |= UINT64_C(1) << lhs->sizes[i].cls;
    for (uint32_t k = 0; k < args->len; k++)
        left &= ~pat_classes(parser, args->at[k]);
    return left == 0 || parser_fail(parser, call->place, "`define`: no argument has %s",
                                    classes_text(parser, left));
}

// Checks that every size is a size of an argument.
static bool check_maps(struct parser *parser, const struct pat *call)
{
    for (uint32_t m = 0; m < parser->maps.len; m++) {
        bool size = parser->maps.at[m].def != NULL && !parser->maps.at[m].index;
        for (uint32_t t = 0; !size && t < parser->tensors.len; t++)
            for (uint32_t i = 0; i < parser->tensors.at[t].n_sizes; i++) {
                const struct iexp *expr = parser->tensors.at[t].sizes[i].size;
                size = size || (expr->op == IE_MAP && expr->map == m);
            }
        if (!size)
            return parser_fail(parser, call->place, "`define`: `%s` is no size of an argument",
                               parser->maps.at[m].name);
    }
    return true;
}

static bool check_call(struct parser *parser, uint32_t lhs, const struct pat *call,
                       const struct u32_vec *args)
{
    if (!check_body(parser, lhs, call, args) || !check_maps(parser, call) ||
        !check_result(parser, &parser->pats.at[lhs], call, args))
        return false;
    if ((call->classes & (call->classes - 1)) != 0)
        return parser_fail(parser, call->place, "`define`: expected at most one class");
    if (call->classes && !reduces_some(parser, lhs))
        return parser_fail(parser, call->place, "`define`: the left side does not reduce %s",
                           classes_text(parser, call->classes));
    uint32_t first = args->at[0];
    if (call->classes && !(pat_classes(parser, first) & call->classes))
        return parser_fail(parser, call->place, "`define`: the first argument lacks %s",
                           classes_text(parser, call->classes));
    return true;
}

uint32_t parse_call_of(struct parser *parser, uint32_t lhs)
{
    const struct token *token = parser_token(parser);
    struct pat pattern = pat_blank(PAT_CALL, N_OPS, token->place);
    struct u32_vec args = {0};
    if (!parser_expect(parser, T_NAME, "the name of a function"))
        return NONE;
    if (is_function(token) || is_term_name(token) || parser->syms[token->name].kind != SYM_NONE) {
        parser_fail(parser, token->place, "`%.*s` has a meaning already", (int)token->len,
                    token->at);
        return NONE;
    }
    pattern.text = parser_token_text(parser, token);
    bool ok = parser_expect(parser, '(', "`(`") && argument(parser, lhs, &args);
    bool closed = false;
    while (ok && !closed && parser_accept(parser, ',')) {
        closed = parser_at(parser, '{');
        ok = closed ? class_set(parser, &pattern.classes) : argument(parser, lhs, &args);
    }
    ok = ok && parser_expect(parser, ')', closed ? "`)`" : "`,` or `)`") &&
         check_call(parser, lhs, &pattern, &args);
    const struct pat *l = &parser->pats.at[lhs];
    pattern.type = l->type;
    pattern.sizes = l->sizes;
    pattern.n_sizes = l->n_sizes;
    uint32_t out = ok ? pat_push(parser, &pattern, args.len, args.at) : NONE;
    vec_release(&args);
    return out;
}

void check_definition(struct parser *parser)
{
    parser->failed = false;
    for (uint32_t i = 0; i < parser->pats.len; i++) {
        const struct pat *pattern = &parser->pats.at[i];
        if (pattern->kind == PAT_LITERAL && pattern->lit == LIT_PI &&
            parser->pats.at[parser->rhs].kind != PAT_CALL)
            parser_fail(parser, pattern->place, "`pi` stands in definitions only");
    }
}
