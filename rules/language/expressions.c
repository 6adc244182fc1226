// SPDX-License-Identifier: Apache-2.0
// Integer expressions.
#include "rules/language/parse.h"
#include "rules/language/tokens/hints.h"

#include "rules/language/forms/forms.h"

const struct iexp *expression_constant(struct parser *parser, int64_t k)
{
    struct iexp *expr = ARENA_NEW(parser->mem, struct iexp, 1);
    expr->k = k;
    expr->map = NONE;
    expr->nodes = 1;
    return expr;
}

static bool index_may_stand(struct parser *parser, const struct token *token)
{
    parser->seen_index = true;
    if (parser->index_use == INDEX_YES)
        return true;
    if (parser->index_use == INDEX_IN_CONDITION)
        return parser_fail(parser, token->place,
                           "`%.*s` is an index, whose value is known only when the "
                           "program runs: no precondition on it could be checked when "
                           "the rule is applied",
                           token_shown(token), token->at);
    return parser_fail(parser, token->place,
                       "`%.*s` is an index, a value that is known only when the "
                       "program runs: it stands in the `start` of dynamic_slice and "
                       "dynamic_update_slice and in value(), never in a size or in "
                       "another attribute",
                       token_shown(token), token->at);
}

static const struct iexp *map_value(struct parser *parser)
{
    const struct token *token = parser_token(parser);
    parser->at++;
    struct symbol *symbol = sym_use(parser, token, SYM_MAP);
    if (!symbol)
        return NULL;
    if (parser->maps.at[symbol->index].index && !index_may_stand(parser, token))
        return NULL;
    struct iexp *expr = ARENA_NEW(parser->mem, struct iexp, 1);
    expr->op = IE_MAP;
    expr->map = symbol->index;
    expr->nodes = 1;
    parser->seen_classes |= UINT64_C(1) << parser->maps.at[symbol->index].cls;
    return expr;
}

static bool function_by_name(const struct token *token, enum iexp_op *op)
{
    static const struct {
        const char *name;
        enum iexp_op op;
    } functions[] = {
        {"div", IE_DIV}, {"mod", IE_MOD}, {"ceildiv", IE_CDIV},
        {"min", IE_MIN}, {"max", IE_MAX}, {"abs", IE_ABS},
    };
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        if (strlen(functions[i].name) == token->len &&
            memcmp(functions[i].name, token->at, token->len) == 0) {
            *op = functions[i].op;
            return true;
        }
    }
    return false;
}

// min and max of more than two operands are folded from the left.
static const struct iexp *call(struct parser *parser)
{
    const struct token *token = parser_token(parser);
    enum iexp_op op;
    if (!function_by_name(token, &op)) {
        parser_expected(parser, "a function of integers (div, mod, ceildiv, min, max, "
                                "clamp, abs)");
        hint_function(parser, token);
        return NULL;
    }
    parser->at += 2;
    const struct iexp *expr = parse_iexp(parser);
    if (!expr)
        return NULL;
    if (op == IE_ABS)
        expr = iexp_new(parser, op, expr, NULL, token->place);
    uint32_t n = 1;
    while (expr && op != IE_ABS && (n == 1 || parser_at(parser, ','))) {
        if (n++ == 2 && op != IE_MIN && op != IE_MAX)
            break;
        const struct iexp *b;
        if (!parser_expect(parser, ',', "`,` and a second expression") || !(b = parse_iexp(parser)))
            return NULL;
        expr = iexp_new(parser, op, expr, b, token->place);
    }
    if (expr && !parser_expect(parser, ')', "`)`"))
        return NULL;
    return expr;
}

// clamp(x, lo, hi) is min(max(x, lo), hi).
static const struct iexp *clamp_call(struct parser *parser)
{
    struct place at = parser_token(parser)->place;
    const struct iexp *expr, *b;
    parser->at += 2;
    if (!(expr = parse_iexp(parser)))
        return NULL;
    for (int i = 0; expr && i < 2; i++) {
        if (!parser_expect(parser, ',', "`,` and another bound") || !(b = parse_iexp(parser)))
            return NULL;
        expr = iexp_new(parser, i ? IE_MIN : IE_MAX, expr, b, at);
    }
    return expr && parser_expect(parser, ')', "`)`") ? expr : NULL;
}

static const struct iexp *primary(struct parser *parser)
{
    const struct token *token = parser_token(parser);
    if (parser_at(parser, T_INT)) {
        parser->at++;
        return expression_constant(parser, token->value);
    }
    if (parser_at(parser, T_NAME))
        return token[1].kind != '('              ? map_value(parser)
               : parser_at_word(parser, "clamp") ? clamp_call(parser)
                                                 : call(parser);
    if (parser_accept(parser, '(')) {
        const struct iexp *expr = parse_iexp(parser);
        return expr && parser_expect(parser, ')', "`)`") ? expr : NULL;
    }
    parser_expected(parser, "an integer expression");
    return NULL;
}

static const struct iexp *unary(struct parser *parser)
{
    const struct token *token = parser_token(parser);
    if (!parser_enter(parser))
        return NULL;
    const struct iexp *expr;
    if (parser_accept(parser, '-')) {
        if (parser_at(parser, T_INT)) {
            expr = expression_constant(parser, -parser_token(parser)->value);
            parser->at++;
        } else {
            expr = unary(parser);
            expr = expr ? iexp_new(parser, IE_NEG, expr, NULL, token->place) : NULL;
        }
    } else {
        expr = primary(parser);
    }
    parser_leave(parser);
    return expr;
}

static const struct iexp *product(struct parser *parser)
{
    const struct iexp *expr = unary(parser), *b;
    while (expr && parser_at(parser, '*')) {
        struct place at = parser_token(parser)->place;
        parser->at++;
        b = unary(parser);
        expr = b ? iexp_new(parser, IE_MUL, expr, b, at) : NULL;
    }
    return expr;
}

const struct iexp *expression_of(struct parser *parser, enum iexp_op op, const struct iexp *a,
                                 const struct iexp *b)
{
    return iexp_new(parser, op, a, b, parser_token(parser)->place);
}

const struct iexp *parse_iexp(struct parser *parser)
{
    const struct iexp *expr = product(parser), *b;
    while (expr && (parser_at(parser, '+') || parser_at(parser, '-'))) {
        struct place at = parser_token(parser)->place;
        enum iexp_op op = parser_at(parser, '+') ? IE_ADD : IE_SUB;
        parser->at++;
        b = product(parser);
        expr = b ? iexp_new(parser, op, expr, b, at) : NULL;
    }
    return expr;
}

const struct iexp *parse_iexp_on(struct parser *parser, uint32_t cls)
{
    struct place at = parser_token(parser)->place;
    parser->seen_classes = 0;
    const struct iexp *expr = parse_iexp(parser);
    if (!expr)
        return NULL;
    const struct map *map = iexp_stranger(parser, expr, family_mask(parser, cls));
    if (map) {
        parser_fail(parser, at, "expected maps on `%s`, found `%s`, which is on `%s`",
                    parser->classes.at[cls].name, map->name, parser->classes.at[map->cls].name);
        return NULL;
    }
    return expr;
}

const struct iexp *parse_size_on(struct parser *parser, uint32_t cls)
{
    struct place at = parser_token(parser)->place;
    const struct iexp *expr = parse_iexp_on(parser, cls);
    const struct axis_class *c = &parser->classes.at[cls];
    if (!expr || !c->block)
        return expr;
    if (expr->op == IE_MAP && parser->classes.at[parser->maps.at[expr->map].cls].like == c->like)
        return expr;
    parser_fail_block(parser, at, cls, "",
                      "has the size that is declared, a map on it, and no other");
    return NULL;
}
