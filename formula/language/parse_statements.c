// SPDX-License-Identifier: Apache-2.0
// Statements before the formula: declarations, assumptions and definitions.
#include "formula/language/parser.h"

static const struct ast_tensor *tensor_named(const struct ast *ast, const char *name)
{
    for (uint32_t i = 0; i < ast->tensor.len; i++)
        if (strcmp(ast->tensor.at[i].name, name) == 0)
            return &ast->tensor.at[i];
    return NULL;
}

// Reads a declared name, which must be new and unused so far.
static bool new_name(struct formula_parser *parser, const char **out)
{
    const struct ftoken *token = formula_parser_look(parser);
    if (token->kind != FTOK_NAME || ftoken_reserved(token))
        return formula_parser_expected(parser, "a name");
    const char *name = formula_parser_text(parser, token);
    if (strcmp(name, "pi") == 0 || strcmp(name, "true") == 0 || strcmp(name, "false") == 0 ||
        strcmp(name, "inf") == 0 || strcmp(name, "nan") == 0)
        return err_at(parser->err, ERR_INPUT, parser->file, token->line, token->col,
                      "%s has a meaning already", name);
    if (tensor_named(parser->ast, name) || ast_find_let(parser->ast, name))
        return err_at(parser->err, ERR_INPUT, parser->file, token->line, token->col,
                      "%s is declared twice", name);
    for (uint32_t i = 0; i < parser->ast->node.len; i++) {
        const struct ast_node *node = &parser->ast->node.at[i];
        if ((node->kind == AST_NAME || node->kind == AST_ELEMENT) && strcmp(node->name, name) == 0)
            return err_at(parser->err, ERR_INPUT, parser->file, token->line, token->col,
                          "%s is declared after its use in line %u", name, node->line);
    }
    parser->next++;
    *out = name;
    return true;
}

static bool parse_tensors(struct formula_parser *parser, bool scalars)
{
    do {
        const struct ftoken *token = formula_parser_look(parser);
        struct ast_tensor tensor = {.line = token->line, .col = token->col};
        if (!new_name(parser, &tensor.name))
            return false;
        if (!scalars && formula_parser_look(parser)->kind != '[')
            return formula_parser_expected(parser, "`[` and the axes");
        if (!scalars && !formula_parse_axes(parser, &tensor.axes_at, &tensor.axes_n))
            return false;
        vec_push(&parser->ast->tensor, tensor);
    } while (formula_parser_take(parser, ','));
    return formula_parser_need(parser, ';', "`,` or `;`");
}

static bool parse_let(struct formula_parser *parser)
{
    struct ast_let let;
    if (!new_name(parser, &let.name) || !formula_parser_need(parser, '=', "`=`") ||
        !formula_parse_expression(parser, &let.value) ||
        !formula_parser_need(parser, ';', "an operator or `;`"))
        return false;
    vec_push(&parser->ast->let, let);
    return true;
}

// Reads a < b <= c .., and such chains joined by `and`.
static bool parse_chain(struct formula_parser *parser)
{
    uint32_t a, b, x;
    const struct fname *name;
    bool any = false;
    if (!formula_parse_above(parser, LEVEL_SUM, &a))
        return false;
    for (; (name = formula_parser_infix(parser, LEVEL_COMPARE)) != NULL; a = b, any = true) {
        const struct ftoken *token = formula_parser_look(parser);
        parser->next++;
        if (!formula_parse_above(parser, LEVEL_SUM, &b) ||
            !formula_parser_operator(parser, name, token, a, b, &x))
            return false;
        vec_push(&parser->ast->given, x);
    }
    return any || formula_parser_expected(parser, "a comparison");
}

static bool parse_given(struct formula_parser *parser)
{
    do {
        if (!parse_chain(parser))
            return false;
        if (ftoken_is(formula_parser_look(parser), "or"))
            return formula_parser_fail(parser, formula_parser_look(parser),
                                       "what is given are comparisons, all of "
                                       "which hold: there is no `or`");
    } while (formula_parser_take(parser, ',') ||
             (ftoken_is(formula_parser_look(parser), "and") && ++parser->next));
    return formula_parser_need(parser, ';', "an operator, `,` or `;`");
}

static void skip_statement(struct formula_parser *parser)
{
    while (formula_parser_look(parser)->kind != ';' &&
           formula_parser_look(parser)->kind != FTOK_END)
        parser->next++;
    (void)formula_parser_take(parser, ';');
}

// Reads the statements before the formula, from the token `first`: those that declare and
// define, or those that say what is given.
static bool parse_some(struct formula_parser *parser, bool givens, uint32_t first)
{
    parser->next = first;
    for (;;) {
        const struct ftoken *token = formula_parser_look(parser);
        bool ok, scalars = ftoken_is(token, "scalar");
        if (formula_parser_take(parser, ';'))
            continue;
        bool given = ftoken_is(token, "given"), let = ftoken_is(token, "let");
        if (!given && !let && !scalars && !ftoken_is(token, "tensor"))
            return true;
        parser->next++;
        if (given != givens) {
            skip_statement(parser);
            continue;
        }
        if (given)
            ok = parse_given(parser);
        else
            ok = let ? parse_let(parser) : parse_tensors(parser, scalars);
        if (!ok)
            return false;
    }
}

// What is given may speak of names that are declared behind it.
bool formula_parse_statements(struct formula_parser *parser)
{
    uint32_t first = parser->next;
    if (!parse_some(parser, false, first) || !parse_some(parser, true, first))
        return false;
    if (formula_parser_look(parser)->kind == FTOK_END)
        return formula_parser_expected(parser, "a formula");
    if (!formula_parse_expression(parser, &parser->ast->root))
        return false;
    bool ended = formula_parser_take(parser, ';');
    if (formula_parser_look(parser)->kind == FTOK_END)
        return true;
    return ended ? formula_parser_expected(parser, "the end: the formula comes last")
                 : formula_parser_expected(parser, "an operator or the end");
}
