// SPDX-License-Identifier: Apache-2.0
// Tokens, errors, symbols; integer expressions under construction.
#include "rules/language/tokens/parser.h"
#include <stdarg.h>

const struct token *parser_token(const struct parser *p)
{
    return &p->lx.tokens.at[p->at];
}

bool parser_at(const struct parser *p, int kind)
{
    return parser_token(p)->kind == kind;
}

bool token_is_word(const struct token *t, const char *word)
{
    return t->kind == T_NAME && t->len == strlen(word) &&
           memcmp(t->at, word, t->len) == 0;
}

bool parser_at_word(const struct parser *p, const char *word)
{
    return token_is_word(parser_token(p), word);
}

bool parser_accept(struct parser *p, int kind)
{
    if (!parser_at(p, kind))
        return false;
    p->at++;
    return true;
}

bool parser_accept_word(struct parser *p, const char *word)
{
    if (!parser_at_word(p, word))
        return false;
    p->at++;
    return true;
}

bool parser_expect(struct parser *p, int kind, const char *what)
{
    return parser_accept(p, kind) || parser_expected(p, what);
}

bool parser_expected(struct parser *p, const char *what)
{
    const struct token *t = parser_token(p);
    if (t->kind == T_ERROR)
        return parser_fail(p, t->place, "%s", t->error);
    if (t->kind == T_END)
        return parser_fail(p, t->place, "expected %s, found the end of the text",
                    what);
    if (t->kind == T_STRING)
        return parser_fail(p, t->place, "expected %s, found a string", what);
    return parser_fail(p, t->place, "expected %s, found `%.*s`", what,
                (int)(t->len < 60 ? t->len : 60), t->at);
}

bool parser_fail(struct parser *p, struct place at, const char *fmt, ...)
{
    p->bad = true;
    if (p->failed)
        return false;
    p->failed = true;
    if (p->errs->at.len - p->first_err >= LIMIT_ERRORS)
        return false;
    struct err e = {0};
    char msg[sizeof e.msg];
    va_list ap;
    va_start(ap, fmt);
    if (vsnprintf(msg, sizeof msg, fmt, ap) < 0)
        msg[0] = '\0';
    va_end(ap);
    err_at(&e, ERR_INPUT, p->file, at.line, at.col, "%s", msg);
    vec_push(&p->errs->at, e);
    return false;
}

bool parser_enter(struct parser *p)
{
    if (p->depth >= LIMIT_DEPTH)
        return parser_fail(p, parser_token(p)->place, "nested more than %d levels deep",
                    LIMIT_DEPTH);
    p->depth++;
    return true;
}

void parser_leave(struct parser *p)
{
    p->depth--;
}

const char *parser_token_text(struct parser *p, const struct token *t)
{
    return arena_strndup(p->mem, t->at, t->len);
}

const char *sym_kind_text(enum sym_kind k)
{
    switch (k) {
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

static bool is_reserved(const struct token *t)
{
    static const char *const words[] = {
        "rule",   "origin", "claims", "axes",  "axis",   "map",    "type",
        "tensor", "scalar", "op",     "let",   "where",  "all",    "and",
        "or",     "not",    "true",   "false", "inf",    "lowest", "highest",
        "unit",   "any",    "num",    "int",   "sint",   "uint",   "float",
        "real",   "bool",   "index",  "wider", "define", "_",
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (token_is_word(t, words[i]))
            return true;
    return false;
}

struct symbol *sym_declare(struct parser *p, const struct token *t,
                        enum sym_kind kind, uint32_t index)
{
    struct symbol *s = &p->syms[t->name];
    if (s->kind != SYM_NONE && s->kind != SYM_POISON) {
        parser_fail(p, t->place, "`%.*s` is declared already, as %s in line %u",
             (int)t->len, t->at, sym_kind_text(s->kind), s->place.line);
        return NULL;
    }
    if (is_reserved(t)) {
        parser_fail(p, t->place, "`%.*s` is a word of the language, not a name",
             (int)t->len, t->at);
        return NULL;
    }
    *s = (struct symbol){kind, index, false, t->place};
    vec_push(&p->touched, t->name);
    return s;
}

static void poison(struct parser *p, const struct token *t)
{
    struct symbol *s = &p->syms[t->name];
    if (s->kind != SYM_NONE)
        return;
    s->kind = SYM_POISON;
    vec_push(&p->touched, t->name);
}

struct symbol *sym_use(struct parser *p, const struct token *t, enum sym_kind kind)
{
    struct symbol *s = &p->syms[t->name];
    if (s->kind == SYM_POISON) {
        p->failed = p->bad = true;
        return NULL;
    }
    if (s->kind == SYM_NONE) {
        parser_fail(p, t->place, "expected %s, found the unknown name `%.*s`",
             sym_kind_text(kind), (int)(t->len < 60 ? t->len : 60), t->at);
        poison(p, t);
        return NULL;
    }
    if (s->kind != kind) {
        parser_fail(p, t->place, "expected %s, found %s, `%.*s`", sym_kind_text(kind),
             sym_kind_text(s->kind), (int)(t->len < 60 ? t->len : 60), t->at);
        return NULL;
    }
    s->used = true;
    return s;
}

const char *classes_text(struct parser *p, uint64_t set)
{
    struct buf b = {0};
    buf_putc(&b, '{');
    for (uint32_t c = 0; c < p->classes.len; c++)
        if (set >> c & 1)
            buf_printf(&b, "%s%s", b.len > 1 ? ", " : "",
                       p->classes.at[c].name);
    buf_putc(&b, '}');
    const char *text = arena_strdup(p->mem, buf_text(&b));
    buf_release(&b);
    return text;
}

// Poisons what a failed declaration declared or may have meant to declare.
void statement_done(struct parser *p, struct statement s, bool declares)
{
    for (uint32_t i = s.start; i < s.end && p->failed && declares; i++) {
        const struct token *t = &p->lx.tokens.at[i];
        if (t->kind != T_NAME)
            continue;
        struct symbol *sym = &p->syms[t->name];
        if (sym->place.line == t->place.line && sym->place.col == t->place.col)
            sym->kind = SYM_POISON;
        poison(p, t);
    }
    p->failed = false;
}

// ---- integer expressions ----

// Rank classes that reshapes join are one family.
uint32_t family_first(const struct parser *p, uint32_t cls)
{
    return p->classes.at[p->classes.at[cls].like].joint;
}

uint64_t family_mask(const struct parser *p, uint32_t cls)
{
    uint64_t set = 0;
    for (uint32_t c = 0; c < p->classes.len; c++)
        if (family_first(p, c) == family_first(p, cls))
            set |= UINT64_C(1) << c;
    return set;
}

// Some map of the expression that is not on one of the classes.
const struct map *iexp_stranger(const struct parser *p, const struct iexp *x,
                                uint64_t classes)
{
    const struct map *m = NULL;
    if (x->op == IE_MAP && !(classes >> p->maps.at[x->map].cls & 1))
        return &p->maps.at[x->map];
    if (x->a)
        m = iexp_stranger(p, x->a, classes);
    if (!m && x->b)
        m = iexp_stranger(p, x->b, classes);
    return m;
}

const struct iexp *iexp_new(struct parser *p, enum iexp_op op,
                            const struct iexp *a, const struct iexp *b,
                            struct place at)
{
    uint32_t nodes = 1 + (a ? a->nodes : 0) + (b ? b->nodes : 0);
    if (nodes > LIMIT_NODES) {
        parser_fail(p, at, "the integer expression has more than %d parts",
             LIMIT_NODES);
        return NULL;
    }
    struct iexp *x = ARENA_NEW(p->mem, struct iexp, 1);
    x->op = op;
    x->a = a;
    x->b = b;
    x->map = NONE;
    x->nodes = nodes;
    return x;
}

bool parser_fail_block(struct parser *p, struct place at, uint32_t cls,
                const char *what, const char *why)
{
    const char *x = p->classes.at[cls].name;
    return parser_fail(p, at,
                "%s`%s` stands in a reshape (line %u), which takes a class of "
                "any rank as one block of elements; a block %s.  Declare `axis "
                "%s`",
                what, x, p->block_line[cls], why, x);
}
