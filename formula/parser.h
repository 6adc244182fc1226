// SPDX-License-Identifier: Apache-2.0
// A formula's text while it is parsed; between the parse*.c files, nobody
// else's.
#ifndef FORMULA_PARSER_H
#define FORMULA_PARSER_H

#include "formula/ast.h"
#include "formula/lex.h"
#include "formula/names.h"

struct parser {
    struct ast *a;
    struct ftokens tokens;
    uint32_t next, nesting;
    const char *file;
    struct err *e;
};

const struct ftoken *parser_ahead(const struct parser *p, uint32_t n);
bool token_is(const struct ftoken *t, const char *word);
bool parser_fail(struct parser *p, const struct ftoken *t, const char *what);
// What was wanted, and what stands there.
bool parser_expected(struct parser *p, const char *what);
bool parser_take(struct parser *p, int kind);
bool parser_need(struct parser *p, int kind, const char *what);
const char *parser_text(struct parser *p, const struct ftoken *t);
bool token_reserved(const struct ftoken *t);
// A new node; its arguments are the last n of `stack`, or given.
bool parser_add(struct parser *p, struct ast_node node, uint32_t n,
                const uint32_t *args, uint32_t *out);
struct ast_node parser_node(enum ast_kind kind, const char *name,
                            const struct ftoken *t);
bool parse_nested(struct parser *p, enum fname_level level, uint32_t *out);
bool parse_expression(struct parser *p, uint32_t *out);
// `[i, j]`, already at the bracket; the axes go behind those of a->axis.
bool parse_axes(struct parser *p, uint32_t *at, uint32_t *n);
bool parse_args(struct parser *p, uint32_t *args, uint32_t *n);
const struct ast_let *ast_let_named(const struct ast *a, const char *name);
bool parser_operator(struct parser *p, const struct fname *f,
                     const struct ftoken *t, uint32_t a, uint32_t b,
                     uint32_t *out);
const struct fname *parser_infix(const struct parser *p,
                                 enum fname_level level);
bool parse_above(struct parser *p, enum fname_level level, uint32_t *out);
bool parse_statements(struct parser *p);

static inline const struct ftoken *parser_look(const struct parser *p)
{
    return &p->tokens.at.at[p->next];
}

#endif
