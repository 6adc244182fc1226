// SPDX-License-Identifier: Apache-2.0
#include "formula/language/parser.h"

#include "base/text/buf.h"
#include "formula/language/hints.h"
#include "formula/limits.h"
#include <stdarg.h>
#include <stdio.h>

const struct ftoken *formula_parser_ahead(const struct formula_parser *parser, uint32_t n)
{
    uint32_t last = parser->tokens.at.len - 1;
    return &parser->tokens.at.at[parser->next + n < last ? parser->next + n : last];
}

bool ftoken_is(const struct ftoken *token, const char *word)
{
    return token->kind == FTOK_NAME && strlen(word) == token->len &&
           memcmp(token->at, word, token->len) == 0;
}

bool formula_parser_fail(struct formula_parser *parser, const struct ftoken *token, const char *fmt,
                         ...)
{
    char message[256];
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(message, sizeof message, fmt, args);
    va_end(args);
    return err_at(parser->err, ERR_INPUT, parser->file, token->line, token->col, "%s", message);
}

bool formula_parser_expected(struct formula_parser *parser, const char *what)
{
    const struct ftoken *token = formula_parser_look(parser);
    if (token->kind == FTOK_END)
        err_at(parser->err, ERR_INPUT, parser->file, token->line, token->col,
               "expected %s, found the end", what);
    else
        err_at(parser->err, ERR_INPUT, parser->file, token->line, token->col,
               "expected %s, found %.*s", what, (int)token->len, token->at);
    formula_hint_expected(&parser->tokens, parser->next, what, parser->err);
    return false;
}

bool formula_parser_take(struct formula_parser *parser, int kind)
{
    if (formula_parser_look(parser)->kind != kind)
        return false;
    parser->next++;
    return true;
}

bool formula_parser_need(struct formula_parser *parser, int kind, const char *what)
{
    return formula_parser_take(parser, kind) || formula_parser_expected(parser, what);
}

const char *formula_parser_text(struct formula_parser *parser, const struct ftoken *token)
{
    return intern_text(parser->ast->names, intern_bytes(parser->ast->names, token->at, token->len));
}

bool ftoken_reserved(const struct ftoken *token)
{
    static const char *const words[] = {"and", "or", "not", "tensor", "let", "given", "scalar"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (ftoken_is(token, words[i]))
            return true;
    return false;
}

bool formula_parser_add(struct formula_parser *parser, struct ast_node node, uint32_t n,
                        const uint32_t *args, uint32_t *out)
{
    struct ast *ast = parser->ast;
    node.at = ast->arg.len;
    node.n = n;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t below = ast->node.at[args[i]].depth;
        vec_push(&ast->arg, args[i]);
        node.depth = below >= node.depth ? below + 1 : node.depth;
    }
    if (node.depth > FORMULA_DEPTH)
        return err_at(parser->err, ERR_INPUT, parser->file, node.line, node.col,
                      "the formula is too deep: at most %d levels", FORMULA_DEPTH);
    *out = ast->node.len;
    vec_push(&ast->node, node);
    return true;
}

struct ast_node formula_parser_node(enum ast_kind kind, const char *name,
                                    const struct ftoken *token)
{
    return (struct ast_node){.kind = kind, .name = name, .line = token->line, .col = token->col};
}

bool formula_parse_nested(struct formula_parser *parser, enum fname_level level, uint32_t *out)
{
    if (parser->nesting > FORMULA_NESTING) // the outermost level is no parenthesis
        return formula_parser_fail(parser, formula_parser_look(parser), "the formula is too deep");
    parser->nesting++;
    bool ok = formula_parse_above(parser, level, out);
    parser->nesting--;
    return ok;
}

// c ? a : b is where(c, a, b).
static bool parse_choice(struct formula_parser *parser, uint32_t *out)
{
    const struct ftoken *token = formula_parser_look(parser);
    uint32_t args[3] = {*out, 0, 0};
    parser->next++;
    struct ast_node node = formula_parser_node(AST_CALL, "where", token);
    return formula_parse_expression(parser, &args[1]) &&
           formula_parser_need(parser, ':', "an operator or `:`") &&
           formula_parse_expression(parser, &args[2]) &&
           formula_parser_add(parser, node, 3, args, out);
}

bool formula_parse_expression(struct formula_parser *parser, uint32_t *out)
{
    if (parser->nesting > FORMULA_NESTING)
        return formula_parser_fail(parser, formula_parser_look(parser), "the formula is too deep");
    if (!formula_parse_nested(parser, LEVEL_OR, out))
        return false;
    if (formula_parser_look(parser)->kind != '?')
        return true;
    parser->nesting++;
    bool ok = parse_choice(parser, out);
    parser->nesting--;
    return ok;
}

bool formula_parse_axes(struct formula_parser *parser, uint32_t *at, uint32_t *n)
{
    *at = parser->ast->axis.len;
    parser->next++;
    while (!formula_parser_take(parser, ']')) {
        const struct ftoken *token = formula_parser_look(parser);
        if (parser->ast->axis.len > *at && !formula_parser_need(parser, ',', "`,` or `]`"))
            return false;
        token = formula_parser_look(parser);
        if (token->kind != FTOK_NAME || ftoken_reserved(token))
            return formula_parser_expected(parser, "the name of an axis");
        struct ast_axis axis = {formula_parser_text(parser, token), token->line, token->col};
        vec_push(&parser->ast->axis, axis);
        parser->next++;
        if (parser->ast->axis.len - *at > FORMULA_AXES)
            return formula_parser_fail(parser, token, "more than %d axes", FORMULA_AXES);
    }
    *n = parser->ast->axis.len - *at;
    return true;
}

bool formula_parse_args(struct formula_parser *parser, uint32_t *args, uint32_t *n)
{
    parser->next++;
    *n = 0;
    if (formula_parser_take(parser, ')'))
        return true;
    do {
        if (*n == FORMULA_ARGUMENTS)
            return formula_parser_fail(parser, formula_parser_look(parser),
                                       "more than %d arguments", FORMULA_ARGUMENTS);
        if (!formula_parse_expression(parser, &args[*n]))
            return false;
        ++*n;
    } while (formula_parser_take(parser, ','));
    return formula_parser_need(parser, ')', "an operator, `,` or `)`");
}

// size(j), size(i, j): the arguments are names of axes.
static bool parse_size(struct formula_parser *parser, struct ast_node node, uint32_t *out)
{
    node.axes_at = parser->ast->axis.len;
    parser->next++;
    do {
        const struct ftoken *token = formula_parser_look(parser);
        if (token->kind != FTOK_NAME || ftoken_reserved(token))
            return formula_parser_expected(parser, "the name of an axis");
        struct ast_axis axis = {formula_parser_text(parser, token), token->line, token->col};
        vec_push(&parser->ast->axis, axis);
        parser->next++;
    } while (formula_parser_take(parser, ','));
    node.axes_n = parser->ast->axis.len - node.axes_at;
    if (node.axes_n > FORMULA_AXES)
        return err_at(parser->err, ERR_INPUT, parser->file, node.line, node.col,
                      "more than %d axes", FORMULA_AXES);
    return formula_parser_need(parser, ')', "`,` or `)`") &&
           formula_parser_add(parser, node, 0, NULL, out);
}

static bool is_reduction(const char *name, uint32_t len)
{
    return fname_of_surface(name, len, 1, FNAME_REDUCE) != NULL;
}

// After `name[axes]`: an element, a call, or the body of a sum.
static bool parse_indexed(struct formula_parser *parser, const struct ftoken *name,
                          struct ast_node node, uint32_t *out)
{
    uint32_t args[FORMULA_ARGUMENTS], n;
    const struct ftoken *token = formula_parser_look(parser);
    node.kind = AST_CALL;
    bool call = token->kind == '(' || is_reduction(name->at, name->len);
    if (call && node.axes_n == 0)
        return formula_parser_fail(parser, name, "the brackets name no axis");
    if (token->kind == '(') {
        bool space = token->space;
        if (!formula_parse_args(parser, args, &n))
            return false;
        bool goes_on =
            formula_parser_look(parser)->kind == '*' || formula_parser_look(parser)->kind == '/';
        if (space && goes_on && is_reduction(name->at, name->len))
            return formula_parser_fail(parser, token,
                                       "does this parenthesis hold the whole operand? If "
                                       "so, leave no space before it; if not, put the "
                                       "product into one more pair of parentheses");
        return formula_parser_add(parser, node, n, args, out);
    }
    if (!is_reduction(name->at, name->len)) {
        node.kind = AST_ELEMENT;
        return formula_parser_add(parser, node, 0, NULL, out);
    }
    return formula_parse_nested(parser, LEVEL_PRODUCT, &args[0]) &&
           formula_parser_add(parser, node, 1, args, out);
}

const struct ast_let *ast_find_let(const struct ast *ast, const char *name)
{
    for (uint32_t i = ast->let.len; i-- > 0;)
        if (strcmp(ast->let.at[i].name, name) == 0)
            return &ast->let.at[i];
    return NULL;
}

// max and min of more than two arguments are folded from the left.
static bool add_call(struct formula_parser *parser, struct ast_node node, uint32_t n,
                     const uint32_t *args, uint32_t *out)
{
    const struct fname *two =
        fname_of_surface(node.name, (uint32_t)strlen(node.name), 2, FNAME_CALL);
    bool folds =
        n > 2 && two && (strcmp(two->op, "maximum") == 0 || strcmp(two->op, "minimum") == 0);
    if (!folds)
        return formula_parser_add(parser, node, n, args, out);
    uint32_t pair[2] = {args[0], 0};
    for (uint32_t i = 1; i < n; i++) {
        pair[1] = args[i];
        if (!formula_parser_add(parser, node, 2, pair, &pair[0]))
            return false;
    }
    *out = pair[0];
    return true;
}

static bool parse_name(struct formula_parser *parser, uint32_t *out)
{
    const struct ftoken *token = formula_parser_look(parser);
    uint32_t args[FORMULA_ARGUMENTS], n;
    if (ftoken_reserved(token))
        return formula_parser_expected(parser, "a number, a name or `(`");
    struct ast_node node = formula_parser_node(AST_NAME, formula_parser_text(parser, token), token);
    parser->next++;
    const struct ast_let *let = ast_find_let(parser->ast, node.name);
    int next = formula_parser_look(parser)->kind;
    if (let != NULL && next != '(') {
        if (next == '[')
            return formula_parser_fail(parser, token,
                                       "a definition takes no axes: it stands for "
                                       "its value as written");
        args[0] = let->value;
        node.kind = AST_LET;
        return formula_parser_add(parser, node, 1, args, out);
    }
    if (next == '[')
        return formula_parse_axes(parser, &node.axes_at, &node.axes_n) &&
               parse_indexed(parser, token, node, out);
    if (next != '(')
        return formula_parser_add(parser, node, 0, NULL, out);
    node.kind = AST_CALL;
    if (ftoken_is(token, "size"))
        return parse_size(parser, node, out);
    return formula_parse_args(parser, args, &n) && add_call(parser, node, n, args, out);
}

static bool parse_number(struct formula_parser *parser, bool minus, uint32_t *out)
{
    const struct ftoken *token = formula_parser_look(parser);
    struct buf text = {0};
    if (minus)
        buf_putc(&text, '-');
    buf_write(&text, token->at, token->len);
    struct intern *names = parser->ast->names;
    struct ast_node node = formula_parser_node(
        AST_NUMBER, intern_text(names, intern_bytes(names, text.at, text.len)), token);
    buf_release(&text);
    node.col -= minus;
    node.whole = token->kind == FTOK_INTEGER;
    parser->next++;
    return formula_parser_add(parser, node, 0, NULL, out);
}

static bool is_number(const struct ftoken *token)
{
    return token->kind == FTOK_INTEGER || token->kind == FTOK_DECIMAL;
}

static bool parse_atom(struct formula_parser *parser, uint32_t *out)
{
    const struct ftoken *token = formula_parser_look(parser);
    if (is_number(token))
        return parse_number(parser, false, out);
    if (token->kind == FTOK_NAME)
        return parse_name(parser, out);
    if (!formula_parser_take(parser, '('))
        return formula_parser_expected(parser, "a number, a name or `(`");
    if (!formula_parse_expression(parser, out) ||
        !formula_parser_need(parser, ')', "an operator or `)`"))
        return false;
    parser->ast->node.at[*out].enclosed = true;
    return true;
}

bool formula_parser_operator(struct formula_parser *parser, const struct fname *name,
                             const struct ftoken *token, uint32_t a, uint32_t b, uint32_t *out)
{
    uint32_t args[2] = {name->swap ? b : a, name->swap ? a : b};
    return formula_parser_add(parser, formula_parser_node(AST_OP, name->op, token), name->n, args,
                              out);
}

static bool parse_prefix(struct formula_parser *parser, const struct fname *name,
                         enum fname_level level, uint32_t *out)
{
    const struct ftoken *token = formula_parser_look(parser);
    uint32_t a;
    parser->next++;
    return formula_parse_nested(parser, level, &a) &&
           formula_parser_operator(parser, name, token, a, a, out);
}

// a ^ b groups to the right; the exponent may have a minus sign.
static bool parse_power(struct formula_parser *parser, uint32_t *out)
{
    uint32_t b;
    if (!parse_atom(parser, out))
        return false;
    const struct ftoken *token = formula_parser_look(parser);
    if (!formula_parser_take(parser, '^'))
        return true;
    const struct fname *name = fname_of_surface("^", 1, 2, FNAME_INFIX);
    return formula_parse_nested(parser, LEVEL_MINUS, &b) &&
           formula_parser_operator(parser, name, token, *out, b, out);
}

// A minus sign directly before digits belongs to the number, unless a power
// follows.
static bool parse_minus(struct formula_parser *parser, uint32_t *out)
{
    const struct ftoken *token = formula_parser_look(parser),
                        *digits = formula_parser_ahead(parser, 1);
    if (token->kind == '!')
        return parse_prefix(parser, fname_of_surface("not", 3, 1, FNAME_PREFIX), LEVEL_MINUS, out);
    if (token->kind != '-')
        return parse_power(parser, out);
    if (is_number(digits) && !digits->space && formula_parser_ahead(parser, 2)->kind != '^') {
        parser->next++;
        return parse_number(parser, true, out);
    }
    return parse_prefix(parser, fname_of_surface("-", 1, 1, FNAME_PREFIX), LEVEL_MINUS, out);
}

const struct fname *formula_parser_infix(const struct formula_parser *parser,
                                         enum fname_level level)
{
    const struct ftoken *token = formula_parser_look(parser);
    const struct fname *name = fname_of_surface(token->at, token->len, 2, FNAME_INFIX);
    return name != NULL && name->level == level ? name : NULL;
}

// p/q of two literals of whole numbers is one number, if p is the first factor
// (`first`).
static bool fold_fraction(struct formula_parser *parser, uint32_t a, uint32_t b)
{
    struct ast_node *node = &parser->ast->node.at[a], *y = &parser->ast->node.at[b];
    bool literals = node->kind == AST_NUMBER && y->kind == AST_NUMBER && node->whole && y->whole &&
                    !node->enclosed && !y->enclosed;
    if (!literals || y->name[0] == '-' || y->name[strspn(y->name, "0")] == 0)
        return false;
    size_t n = strlen(node->name), m = strlen(y->name);
    char *text = mem_alloc(n + m + 1);
    memcpy(text, node->name, n);
    text[n] = '/';
    memcpy(text + n + 1, y->name, m);
    node->name = intern_text(parser->ast->names, intern_bytes(parser->ast->names, text, n + m + 1));
    node->whole = false;
    mem_free(text);
    return true;
}

// The tokens from one up to another, as they are written.
static void put_tokens(const struct formula_parser *parser, uint32_t from, uint32_t to,
                       struct buf *out)
{
    for (uint32_t i = from; i < to; i++) {
        const struct ftoken *token = &parser->tokens.at.at[i];
        if (i > from && token->space)
            buf_putc(out, ' ');
        buf_write(out, token->at, token->len);
    }
}

enum { HINT_LENGTH = 80 }; // of a formula in a hint

// `not` before the token binds tighter than `and`.
static bool follows_not(const struct formula_parser *parser, uint32_t token)
{
    return token > 0 && ftoken_is(&parser->tokens.at.at[token - 1], "not");
}

// a < b < c, with the tokens at which a, b and the second comparison start.
static bool fail_chain(struct formula_parser *parser, uint32_t a, uint32_t b, uint32_t second)
{
    struct err failure = {0}, *err = parser->err;
    uint32_t c;
    struct buf hint = {0};
    formula_parser_fail(parser, formula_parser_look(parser), "comparisons do not chain here");
    parser->err = &failure; // of what follows
    parser->next++;
    bool whole = formula_parse_above(parser, LEVEL_SUM, &c);
    parser->err = err;
    bool enclosed = follows_not(parser, a);
    const char *opens = enclosed ? "(" : "", *closes = enclosed ? ")" : "";
    buf_puts(&hint, opens);
    put_tokens(parser, a, second, &hint);
    buf_puts(&hint, " and ");
    put_tokens(parser, b, parser->next, &hint);
    buf_puts(&hint, closes);
    if (whole && hint.len < HINT_LENGTH)
        err_hint(err, "write `%s`", buf_text(&hint));
    else
        err_hint(err, "write `%sa < b and b < c%s`", opens, closes);
    buf_release(&hint);
    return false;
}

static bool parse_left(struct formula_parser *parser, enum fname_level level, uint32_t *out)
{
    uint32_t start = parser->next;
    if (!formula_parse_above(parser, level + 1, out))
        return false;
    const struct fname *name;
    for (bool first = true; (name = formula_parser_infix(parser, level)) != NULL; first = false) {
        const struct ftoken *token = formula_parser_look(parser);
        uint32_t b, second = ++parser->next;
        if (!formula_parse_above(parser, level + 1, &b))
            return false;
        if (first && level == LEVEL_PRODUCT && token->kind == '/' && fold_fraction(parser, *out, b))
            continue;
        if (!formula_parser_operator(parser, name, token, *out, b, out))
            return false;
        if (level == LEVEL_COMPARE && formula_parser_infix(parser, level) != NULL)
            return fail_chain(parser, start, second, parser->next);
    }
    return true;
}

bool formula_parse_above(struct formula_parser *parser, enum fname_level level, uint32_t *out)
{
    if (level >= LEVEL_MINUS)
        return parse_minus(parser, out);
    if (level == LEVEL_NOT) {
        if (!ftoken_is(formula_parser_look(parser), "not"))
            return formula_parse_above(parser, level + 1, out);
        return parse_prefix(parser, fname_of_surface("not", 3, 1, FNAME_PREFIX), LEVEL_NOT, out);
    }
    return parse_left(parser, level, out);
}

bool ast_parse(struct ast *ast, struct intern *names, const char *file, const char *text,
               struct err *err)
{
    struct formula_parser parser = {.ast = ast, .file = file, .err = err};
    memset(ast, 0, sizeof *ast);
    ast->names = names;
    bool ok = ftokens_cut(&parser.tokens, file, text, err) && formula_parse_statements(&parser);
    ftokens_release(&parser.tokens);
    return ok;
}

void ast_release(struct ast *ast)
{
    vec_release(&ast->node);
    vec_release(&ast->arg);
    vec_release(&ast->axis);
    vec_release(&ast->tensor);
    vec_release(&ast->let);
    vec_release(&ast->given);
}
