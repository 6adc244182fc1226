// SPDX-License-Identifier: Apache-2.0
// Internal to the parser (parse.c and parse_statements.c).
#ifndef FORMULA_LANGUAGE_PARSER_H
#define FORMULA_LANGUAGE_PARSER_H

#include "formula/language/ast.h"
#include "formula/language/lex.h"
#include "formula/terms/names.h"

struct formula_parser {
    struct ast *ast;
    struct ftokens tokens;
    uint32_t next, nesting;
    const char *file;
    struct err *err;
};

const struct ftoken *formula_parser_ahead(const struct formula_parser *parser, uint32_t n);
bool ftoken_is(const struct ftoken *token, const char *word);
bool formula_parser_fail(struct formula_parser *parser, const struct ftoken *token, const char *fmt,
                         ...) PRINTF_LIKE(3, 4);
// Fails: says what was expected, and what was found.
bool formula_parser_expected(struct formula_parser *parser, const char *what);
bool formula_parser_take(struct formula_parser *parser, int kind);
bool formula_parser_need(struct formula_parser *parser, int kind, const char *what);
const char *formula_parser_text(struct formula_parser *parser, const struct ftoken *token);
bool ftoken_reserved(const struct ftoken *token);
// Adds a node; its arguments are given, or the last n of `stack`.
bool formula_parser_add(struct formula_parser *parser, struct ast_node node, uint32_t n,
                        const uint32_t *args, uint32_t *out);
struct ast_node formula_parser_node(enum ast_kind kind, const char *name,
                                    const struct ftoken *token);
bool formula_parse_nested(struct formula_parser *parser, enum fname_level level, uint32_t *out);
bool formula_parse_expression(struct formula_parser *parser, uint32_t *out);
// Reads `[i, j]` from the bracket on, and appends the axes to ast->axis.
bool formula_parse_axes(struct formula_parser *parser, uint32_t *at, uint32_t *n);
bool formula_parse_args(struct formula_parser *parser, uint32_t *args, uint32_t *n);
const struct ast_let *ast_find_let(const struct ast *ast, const char *name);
bool formula_parser_operator(struct formula_parser *parser, const struct fname *name,
                             const struct ftoken *token, uint32_t a, uint32_t b, uint32_t *out);
const struct fname *formula_parser_infix(const struct formula_parser *parser,
                                         enum fname_level level);
bool formula_parse_above(struct formula_parser *parser, enum fname_level level, uint32_t *out);
bool formula_parse_statements(struct formula_parser *parser);

static inline const struct ftoken *formula_parser_look(const struct formula_parser *parser)
{
    return &parser->tokens.at.at[parser->next];
}

#endif
