// SPDX-License-Identifier: Apache-2.0
// Internal to rules/: the state of the parser: tokens, errors, symbols, and the
// rule under construction.
//
// P1  A statement has at most one error.  The parser skips the rest of the statement
//     and poisons the names that the statement would have declared: their use fails
//     silently.
// P2  After an error, functions that return an index return NONE, and functions that
//     return a pointer return NULL.  The error has been reported, or was silent (P1).
// P3  Limits keep every later recursion and every text small: see limits.h.
#ifndef RULES_LANGUAGE_TOKENS_PARSER_H
#define RULES_LANGUAGE_TOKENS_PARSER_H

#include "rules/language/tokens/lex.h"
#include "rules/limits.h"
#include "rules/rule.h"

enum sym_kind {
    SYM_NONE,
    SYM_POISON,
    SYM_CLASS,
    SYM_MAP,
    SYM_TYPE,
    SYM_TENSOR,
    SYM_SCALAR,
    SYM_OPVAR,
};
struct symbol {
    enum sym_kind kind;
    uint32_t index;
    bool used;
    struct place place;
};

// A type variable during inference: a node of a union-find.
struct inferred_type {
    uint32_t parent;
    unsigned kinds, declared;
    const char *name; // "" if anonymous
};

// May an index stand in the integer expression that is read?
enum index_use { INDEX_NO, INDEX_IN_CONDITION, INDEX_YES };

struct statement {
    uint32_t start, end; // tokens; `end` is the `;` or the token in its place
};

struct parser {
    struct arena *mem;
    const char *file;
    struct err_list *errs;
    uint32_t first_err; // in errs: the first error of this text
    struct lexed lx;
    uint32_t at;         // next token
    uint32_t depth;      // of the recursion
    uint32_t start;      // first token of the statement
    uint32_t reported;   // index of the error that was reported last, + 1; 0: silent
    bool expected;       // that error is one of parser_expected
    bool failed;         // an error in this statement
    bool bad;            // an error in this rule
    struct symbol *syms; // by name id
    struct u32_vec touched;
    uint64_t seen_classes; // of maps since last cleared
    uint64_t seen_shapes;  // classes in the shape of some pattern
    enum index_use index_use;
    uint32_t block_line[RULES_MAX_CLASSES]; // line of the reshape that makes it a block
    bool seen_index;                        // a map was an index, since last cleared

    // the rule under construction
    VEC(struct statement) statements;
    VEC(const char *) origins;
    VEC(struct axis_class) classes;
    VEC(struct map) maps;
    VEC(struct inferred_type) tvars;
    VEC(struct tensor_var) tensors;
    VEC(struct scalar_var) scalars;
    VEC(struct op_var) opvars;
    VEC(struct where) wheres;
    VEC(struct type_order) wider;
    VEC(struct pat) pats;
    struct u32_vec height; // of pats
    uint32_t lhs, rhs;
    unsigned claims;
    bool has_claims;
    struct place claims_place;
};

// Inline, since the length of a word in the program's text is then known.
static inline const struct token *parser_token(const struct parser *parser)
{
    return &parser->lx.tokens.at[parser->at];
}

static inline bool parser_at(const struct parser *parser, int kind)
{
    return parser_token(parser)->kind == kind;
}

static inline bool token_is_word(const struct token *token, const char *word)
{
    return token->kind == T_NAME && *token->at == *word && token->len == strlen(word) &&
           memcmp(token->at, word, token->len) == 0;
}

static inline bool parser_at_word(const struct parser *parser, const char *word)
{
    return token_is_word(parser_token(parser), word);
}

static inline bool parser_accept(struct parser *parser, int kind)
{
    if (!parser_at(parser, kind))
        return false;
    parser->at++;
    return true;
}

static inline bool parser_accept_word(struct parser *parser, const char *word)
{
    if (!parser_at_word(parser, word))
        return false;
    parser->at++;
    return true;
}

bool parser_expect(struct parser *parser, int kind, const char *what);
// Reports "expected WHAT, found ..." at the next token; returns false.
bool parser_expected(struct parser *parser, const char *what);
bool parser_fail(struct parser *parser, struct place at, const char *fmt, ...) PRINTF_LIKE(3, 4);
bool parser_enter(struct parser *parser); // one level deeper, or an error
void parser_leave(struct parser *parser);
const char *parser_token_text(struct parser *parser, const struct token *token); // in the arena
struct symbol *sym_declare(struct parser *parser, const struct token *token, enum sym_kind kind,
                           uint32_t index);
// After a statement: if it failed, the names it may have meant to declare are
// poisoned.
void statement_done(struct parser *parser, struct statement statement, bool declares);
// The symbol of a name, which must be of that kind; NULL after an error.
struct symbol *sym_use(struct parser *parser, const struct token *token, enum sym_kind kind);
const char *sym_kind_text(enum sym_kind kind);
// "{x, y}"
const char *classes_text(struct parser *parser, uint64_t set);

// Integer expressions.
const struct map *iexp_stranger(const struct parser *parser, const struct iexp *expr,
                                uint64_t classes); // NULL: all on `classes`
// The classes whose maps may meet maps of `cls`: alike or joint classes.
uint64_t family_mask(const struct parser *parser, uint32_t cls);
uint32_t family_first(const struct parser *parser, uint32_t cls);
const struct iexp *iexp_new(struct parser *parser, enum iexp_op op, const struct iexp *a,
                            const struct iexp *b, struct place at);
// Fails with "`x` stands in a reshape (line 7), .." and the reason.
bool parser_fail_block(struct parser *parser, struct place at, uint32_t cls, const char *what,
                       const char *why);

#endif
