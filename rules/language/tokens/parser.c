// SPDX-License-Identifier: Apache-2.0
// Tokens, errors, symbols; integer expressions under construction.
#include "rules/language/tokens/hints.h"
#include <stdarg.h>

bool parser_expect(struct parser *parser, int kind, const char *what)
{
    return parser_accept(parser, kind) || parser_expected(parser, what);
}

bool parser_expected(struct parser *parser, const char *what)
{
    const struct token *token = parser_token(parser);
    if (token->kind == T_ERROR)
        parser_fail(parser, token->place, "%s", token->error);
    else if (token->kind == T_END)
        parser_fail(parser, token->place, "expected %s, found the end of the text", what);
    else if (token->kind == T_STRING)
        parser_fail(parser, token->place, "expected %s, found a string", what);
    else
        parser_fail(parser, token->place, "expected %s, found `%.*s`", what, token_shown(token),
                    token->at);
    parser->expected = true;
    hint_expected(parser, token, what);
    return false;
}

bool parser_fail(struct parser *parser, struct place at, const char *fmt, ...)
{
    parser->bad = true;
    parser->reported = 0;
    parser->expected = false;
    if (parser->failed)
        return false;
    parser->failed = true;
    if (parser->errs->at.len - parser->first_err >= RULES_MAX_ERRORS)
        return false;
    struct err err = {0};
    char msg[sizeof err.msg];
    va_list ap;
    va_start(ap, fmt);
    if (vsnprintf(msg, sizeof msg, fmt, ap) < 0)
        msg[0] = '\0';
    va_end(ap);
    err_at(&err, ERR_INPUT, parser->file, at.line, at.col, "%s", msg);
    vec_push(&parser->errs->at, err);
    parser->reported = parser->errs->at.len;
    return false;
}

bool parser_enter(struct parser *parser)
{
    if (parser->depth >= RULES_MAX_DEPTH)
        return parser_fail(parser, parser_token(parser)->place, "nested more than %d levels deep",
                           RULES_MAX_DEPTH);
    parser->depth++;
    return true;
}

void parser_leave(struct parser *parser)
{
    parser->depth--;
}

const char *parser_token_text(struct parser *parser, const struct token *token)
{
    return arena_strndup(parser->mem, token->at, token->len);
}

const char *sym_kind_text(enum sym_kind kind)
{
    switch (kind) {
    case SYM_CLASS:
        return "an axis class";
    case SYM_MAP:
        return "a map";
    case SYM_TYPE:
        return "an element type";
    case SYM_TENSOR:
        return "a tensor";
    case SYM_SCALAR:
        return "a scalar";
    case SYM_OPVAR:
        return "an operator variable";
    case SYM_NONE:
    case SYM_POISON:
        break;
    }
    return "a name";
}

static bool is_reserved(const struct token *token)
{
    static const char *const words[] = {
        "rule",  "origin", "claims",  "axes",  "axis",  "map",    "type", "tensor", "scalar",
        "op",    "let",    "where",   "all",   "and",   "or",     "not",  "true",   "false",
        "inf",   "lowest", "highest", "unit",  "any",   "num",    "int",  "sint",   "uint",
        "float", "real",   "bool",    "index", "wider", "define", "_",
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (token_is_word(token, words[i]))
            return true;
    return false;
}

struct symbol *sym_declare(struct parser *parser, const struct token *token, enum sym_kind kind,
                           uint32_t index)
{
    struct symbol *symbol = &parser->syms[token->name];
    if (symbol->kind != SYM_NONE && symbol->kind != SYM_POISON) {
        parser_fail(parser, token->place, "`%.*s` is declared already, as %s in line %u",
                    (int)token->len, token->at, sym_kind_text(symbol->kind), symbol->place.line);
        return NULL;
    }
    if (is_reserved(token)) {
        parser_fail(parser, token->place, "`%.*s` is a word of the language, not a name",
                    (int)token->len, token->at);
        return NULL;
    }
    *symbol = (struct symbol){kind, index, false, token->place};
    vec_push(&parser->touched, token->name);
    return symbol;
}

static void poison(struct parser *parser, const struct token *token)
{
    struct symbol *symbol = &parser->syms[token->name];
    if (symbol->kind != SYM_NONE)
        return;
    symbol->kind = SYM_POISON;
    vec_push(&parser->touched, token->name);
}

struct symbol *sym_use(struct parser *parser, const struct token *token, enum sym_kind kind)
{
    struct symbol *symbol = &parser->syms[token->name];
    if (symbol->kind == SYM_POISON) {
        parser->failed = parser->bad = true;
        return NULL;
    }
    if (symbol->kind == SYM_NONE) {
        parser_fail(parser, token->place, "expected %s, found the unknown name `%.*s`",
                    sym_kind_text(kind), token_shown(token), token->at);
        hint_unknown(parser, token, kind);
        poison(parser, token);
        return NULL;
    }
    if (symbol->kind != kind) {
        parser_fail(parser, token->place, "expected %s, found %s, `%.*s`", sym_kind_text(kind),
                    sym_kind_text(symbol->kind), token_shown(token), token->at);
        hint_other_kind(parser, token, kind);
        return NULL;
    }
    symbol->used = true;
    return symbol;
}

const char *classes_text(struct parser *parser, uint64_t set)
{
    struct buf buf = {0};
    buf_putc(&buf, '{');
    for (uint32_t c = 0; c < parser->classes.len; c++)
        if (set >> c & 1)
            buf_printf(&buf, "%s%s", buf.len > 1 ? ", " : "", parser->classes.at[c].name);
    buf_putc(&buf, '}');
    const char *text = arena_strdup(parser->mem, buf_text(&buf));
    buf_release(&buf);
    return text;
}

// Poisons the names that a failed declaration declared or may have meant to declare.
void statement_done(struct parser *parser, struct statement statement, bool declares)
{
    for (uint32_t i = statement.start; i < statement.end && parser->failed && declares; i++) {
        const struct token *token = &parser->lx.tokens.at[i];
        if (token->kind != T_NAME)
            continue;
        struct symbol *sym = &parser->syms[token->name];
        if (sym->place.line == token->place.line && sym->place.col == token->place.col)
            sym->kind = SYM_POISON;
        poison(parser, token);
    }
    parser->failed = false;
}

// ---- integer expressions ----

// All rank classes that reshapes join belong to one family.
uint32_t family_first(const struct parser *parser, uint32_t cls)
{
    return parser->classes.at[parser->classes.at[cls].like].joint;
}

uint64_t family_mask(const struct parser *parser, uint32_t cls)
{
    uint64_t set = 0;
    for (uint32_t c = 0; c < parser->classes.len; c++)
        if (family_first(parser, c) == family_first(parser, cls))
            set |= UINT64_C(1) << c;
    return set;
}

// A map of the expression that is on none of the classes.
const struct map *iexp_stranger(const struct parser *parser, const struct iexp *expr,
                                uint64_t classes)
{
    const struct map *map = NULL;
    if (expr->op == IE_MAP && !(classes >> parser->maps.at[expr->map].cls & 1))
        return &parser->maps.at[expr->map];
    if (expr->a)
        map = iexp_stranger(parser, expr->a, classes);
    if (!map && expr->b)
        map = iexp_stranger(parser, expr->b, classes);
    return map;
}

const struct iexp *iexp_new(struct parser *parser, enum iexp_op op, const struct iexp *a,
                            const struct iexp *b, struct place at)
{
    uint32_t nodes = 1 + (a ? a->nodes : 0) + (b ? b->nodes : 0);
    if (nodes > RULES_MAX_NODES) {
        parser_fail(parser, at, "the integer expression has more than %d parts", RULES_MAX_NODES);
        return NULL;
    }
    struct iexp *expr = ARENA_NEW(parser->mem, struct iexp, 1);
    expr->op = op;
    expr->a = a;
    expr->b = b;
    expr->map = NONE;
    expr->nodes = nodes;
    return expr;
}

bool parser_fail_block(struct parser *parser, struct place at, uint32_t cls, const char *what,
                       const char *why)
{
    const char *text = parser->classes.at[cls].name;
    return parser_fail(parser, at,
                       "%s`%s` stands in a reshape (line %u), which takes a class of "
                       "any rank as one block of elements; a block %s.  Declare `axis "
                       "%s`",
                       what, text, parser->block_line[cls], why, text);
}
