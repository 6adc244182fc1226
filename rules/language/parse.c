// SPDX-License-Identifier: Apache-2.0
// The frame of a rule.
#include "rules/language/parse.h"
#include "base/text/utf8.h"
#include "rules/language/print/canonical.h"

static bool at_rule(const struct parser *p, uint32_t i)
{
    const struct token *t = &p->lx.tokens.at[i];
    return token_is_word(t, "rule") && t[1].kind == T_NAME && t[2].kind == '{';
}

// Token at which the statement that starts at `i` ends: a `;`, the `}` of the
// rule, the next rule or the end of the text.
static uint32_t statement_end(const struct parser *p, uint32_t i)
{
    for (uint32_t braces = 0;; i++) {
        int kind = p->lx.tokens.at[i].kind;
        if (kind == T_END || kind == ';' || (kind == '}' && braces == 0) ||
            at_rule(p, i))
            return i;
        if (kind == '{')
            braces++;
        else if (kind == '}')
            braces--;
    }
}

static void rule_begin(struct parser *p)
{
    vec_clear(&p->statements);
    vec_clear(&p->origins);
    vec_clear(&p->classes);
    vec_clear(&p->maps);
    vec_clear(&p->tvars);
    vec_clear(&p->tensors);
    vec_clear(&p->scalars);
    vec_clear(&p->opvars);
    vec_clear(&p->wheres);
    vec_clear(&p->wider);
    vec_clear(&p->pats);
    vec_clear(&p->height);
    for (uint32_t i = 0; i < p->touched.len; i++)
        p->syms[p->touched.at[i]] = (struct symbol){0};
    vec_clear(&p->touched);
    p->failed = p->bad = p->has_claims = false;
    p->seen_shapes = 0;
    p->claims = 0;
    p->lhs = p->rhs = NONE;
    p->depth = 0;
    p->index_use = INDEX_NO;
}

static void parser_release(struct parser *p)
{
    vec_release(&p->statements);
    vec_release(&p->origins);
    vec_release(&p->classes);
    vec_release(&p->maps);
    vec_release(&p->tvars);
    vec_release(&p->tensors);
    vec_release(&p->scalars);
    vec_release(&p->opvars);
    vec_release(&p->wheres);
    vec_release(&p->wider);
    vec_release(&p->pats);
    vec_release(&p->height);
    vec_release(&p->touched);
    mem_free(p->syms);
    lex_release(&p->lx);
}

static const char *family_of(struct parser *p)
{
    const char *slash = strrchr(p->file, '/');
    const char *base = slash ? slash + 1 : p->file;
    size_t n = strlen(base);
    if (n > 3 && strcmp(base + n - 3, ".rw") == 0)
        n -= 3;
    struct buf b = {0}, safe = {0};
    buf_write(&b, base, n);
    utf8_printable(buf_text(&b), &safe); // file names may be any bytes
    const char *family = arena_strdup(p->mem, buf_text(&safe));
    buf_release(&b);
    buf_release(&safe);
    return family;
}

// The text of /// lines without the slashes and one blank.
static const char *doc_text(struct parser *p, const struct token *t)
{
    struct buf b = {0};
    for (const char *at = t->doc; at && at < t->doc_end;) {
        while (*at != '/') // indentation
            at++;
        at += 3;
        if (at < t->doc_end && *at == ' ')
            at++;
        const char *line = at;
        while (at < t->doc_end && *at != '\n')
            at++;
        size_t n = (size_t)(at - line);
        while (n && (line[n - 1] == '\r' || line[n - 1] == ' '))
            n--;
        if (b.len || line[-1] == '\n')
            buf_putc(&b, '\n');
        for (size_t i = 0; i < n; i++)
            buf_putc(&b, (unsigned char)line[i] < ' ' ? ' ' : line[i]);
        if (at < t->doc_end)
            at++;
    }
    const char *text = arena_strdup(p->mem, buf_text(&b));
    buf_release(&b);
    return text;
}

#define KEEP(p, field, v, T)                                                   \
    do {                                                                       \
        T *copy = ARENA_NEW((p)->mem, T, (v)->len ? (v)->len : 1);             \
        if ((v)->len)                                                          \
            memcpy(copy, (v)->at, sizeof(T) * (v)->len);                       \
        (field) = copy;                                                        \
    } while (0)

static struct rule *rule_finish(struct parser *p, const struct token *name,
                                const struct token *head)
{
    struct rule *r = ARENA_NEW(p->mem, struct rule, 1);
    r->name = parser_token_text(p, name);
    r->file = p->file;
    r->family = family_of(p);
    r->doc = doc_text(p, head);
    r->place = name->place;
    types_finish(p, r);
    KEEP(p, r->origins, &p->origins, const char *);
    KEEP(p, r->classes, &p->classes, struct axis_class);
    KEEP(p, r->maps, &p->maps, struct map);
    KEEP(p, r->tensors, &p->tensors, struct tensor_var);
    KEEP(p, r->scalars, &p->scalars, struct scalar_var);
    KEEP(p, r->opvars, &p->opvars, struct op_var);
    KEEP(p, r->wheres, &p->wheres, struct where);
    KEEP(p, r->wider, &p->wider, struct type_order);
    KEEP(p, r->pats, &p->pats, struct pat);
    r->n_origins = p->origins.len;
    r->n_classes = p->classes.len;
    r->n_maps = p->maps.len;
    r->n_tensors = p->tensors.len;
    r->n_scalars = p->scalars.len;
    r->n_opvars = p->opvars.len;
    r->n_wheres = p->wheres.len;
    r->n_wider = p->wider.len;
    r->n_pats = p->pats.len;
    r->lhs = p->lhs;
    r->rhs = p->rhs;
    unsigned domains = rule_domains(r);
    r->claims = p->has_claims ? p->claims : domains;
    if (p->has_claims && (p->claims & ~domains)) {
        enum domain d = DOMAIN_BOOL;
        while (!(p->claims & ~domains & 1u << d))
            d++;
        parser_fail(p, p->claims_place,
             "the rule claims the domain `%s`, which its types or operators do "
             "not allow",
             domain_text(d));
    }
    return r;
}

static void sort_errors(struct err_list *l, uint32_t from)
{
    for (uint32_t i = from + 1; i < l->at.len; i++) {
        for (uint32_t j = i; j > from; j--) {
            struct err *a = &l->at.at[j - 1], *b = &l->at.at[j], t;
            if (a->line < b->line || (a->line == b->line && a->col <= b->col))
                break;
            t = *a;
            *a = *b;
            *b = t;
        }
    }
}

// Cuts the rule into statements; the parser stands behind `{` and is left
// behind `}`.
static void cut_statements(struct parser *p)
{
    uint32_t first = p->at;
    for (;;) {
        uint32_t end = statement_end(p, p->at);
        const struct token *t = &p->lx.tokens.at[end];
        if (end > p->at) {
            struct statement s = {p->at, end};
            vec_push(&p->statements, s);
        }
        p->at = end;
        if (t->kind == ';') {
            p->at++;
        } else if (t->kind == '}') {
            p->at++;
            break;
        } else {
            parser_expected(p, "`}` at the end of the rule");
            p->failed = false;
            break;
        }
    }
    if (p->at - first > LIMIT_TOKENS) {
        parser_fail(p, p->lx.tokens.at[first].place,
             "the rule is longer than %d tokens", LIMIT_TOKENS);
        vec_clear(&p->statements);
    }
}

static bool canonical_finish(struct parser *p, struct rule *r)
{
    struct err e = {0};
    p->failed = false;
    if (!canonical_make(r, p->mem, &e))
        return parser_fail(p, r->place, "%s", e.msg);
    struct err_list errs = {0};
    struct arena scratch = {0};
    bool ok = parse_text(&scratch, NULL, r->canonical, strlen(r->canonical),
                         "canonical", false, &errs, NULL, NULL);
    if (!ok)
        parser_fail(p, r->place, "the rule's canonical form is too large: %s",
             errs.at.at[0].msg);
    arena_release(&scratch);
    vec_release(&errs.at);
    return ok;
}

static struct rule *parse_rule(struct parser *p, struct intern *names,
                               bool verify)
{
    uint32_t from = p->errs->at.len;
    const struct token *head = parser_token(p);
    struct rule *r = NULL;
    rule_begin(p);
    p->at++;
    const struct token *name = parser_token(p);
    p->at += 2; // at_rule has seen them
    cut_statements(p);
    uint32_t after = p->at;
    if (names) {
        uint32_t n = names->entry.len;
        if (!(name->len == 1 && *name->at == '_') &&
            intern_bytes(names, name->at, name->len) < n) {
            parser_fail(p, name->place, "a rule named `%.*s` exists already",
                 (int)(name->len < 60 ? name->len : 60), name->at);
            p->failed = false;
        }
    }
    if (p->statements.len || !p->bad)
        parse_declarations(p);
    p->failed = false;
    if (!p->bad)
        r = rule_finish(p, name, head);
    if (!p->bad && verify)
        canonical_finish(p, r);
    p->at = after;
    sort_errors(p->errs, from);
    return p->bad ? NULL : r;
}

bool parse_text(struct arena *mem, struct intern *names, const char *text,
                size_t n, const char *file, bool verify, struct err_list *errs,
                void (*keep)(void *ctx, struct rule *r), void *ctx)
{
    struct parser p = {.mem = mem, .errs = errs, .first_err = errs->at.len};
    p.file = arena_strdup(mem, file);
    lex_text(&p.lx, text, n);
    p.syms = mem_alloc(sizeof *p.syms * p.lx.names.entry.len);
    while (!parser_at(&p, T_END)) {
        p.failed = false;
        if (at_rule(&p, p.at)) {
            struct rule *r = parse_rule(&p, names, verify);
            if (r && keep)
                keep(ctx, r);
            continue;
        }
        if (!parser_accept_word(&p, "rule"))
            parser_expected(&p, "`rule`");
        else if (!parser_accept(&p, T_NAME))
            parser_expected(&p, "the rule's name");
        else
            parser_expected(&p, "`{`");
        while (!parser_at(&p, T_END) && !at_rule(&p, p.at))
            p.at++;
    }
    bool ok = errs->at.len == p.first_err;
    parser_release(&p);
    return ok;
}
