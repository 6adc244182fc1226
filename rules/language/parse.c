// SPDX-License-Identifier: Apache-2.0
// The frame of a rule.
#include "rules/language/parse.h"
#include "rules/describe/describe.h"
#include "rules/language/tokens/hints.h"
#include "base/text/utf8.h"
#include "rules/language/print/canonical.h"

static bool at_rule(const struct parser *parser, uint32_t i)
{
    const struct token *token = &parser->lx.tokens.at[i];
    return token_is_word(token, "rule") && token[1].kind == T_NAME && token[2].kind == '{';
}

// Token at which the statement that starts at `i` ends: a `;`, the `}` of the
// rule, the next rule or the end of the text.
static uint32_t statement_end(const struct parser *parser, uint32_t i)
{
    for (uint32_t braces = 0;; i++) {
        int kind = parser->lx.tokens.at[i].kind;
        if (kind == T_END || kind == ';' || (kind == '}' && braces == 0) || at_rule(parser, i))
            return i;
        if (kind == '{')
            braces++;
        else if (kind == '}')
            braces--;
    }
}

static void rule_begin(struct parser *parser)
{
    vec_clear(&parser->statements);
    vec_clear(&parser->origins);
    vec_clear(&parser->classes);
    vec_clear(&parser->maps);
    vec_clear(&parser->tvars);
    vec_clear(&parser->tensors);
    vec_clear(&parser->scalars);
    vec_clear(&parser->opvars);
    vec_clear(&parser->wheres);
    vec_clear(&parser->wider);
    vec_clear(&parser->pats);
    vec_clear(&parser->height);
    for (uint32_t i = 0; i < parser->touched.len; i++)
        parser->syms[parser->touched.at[i]] = (struct symbol){0};
    vec_clear(&parser->touched);
    parser->failed = parser->bad = parser->has_claims = false;
    parser->seen_shapes = 0;
    parser->claims = 0;
    parser->lhs = parser->rhs = NONE;
    parser->depth = 0;
    parser->index_use = INDEX_NO;
}

static void parser_release(struct parser *parser)
{
    vec_release(&parser->statements);
    vec_release(&parser->origins);
    vec_release(&parser->classes);
    vec_release(&parser->maps);
    vec_release(&parser->tvars);
    vec_release(&parser->tensors);
    vec_release(&parser->scalars);
    vec_release(&parser->opvars);
    vec_release(&parser->wheres);
    vec_release(&parser->wider);
    vec_release(&parser->pats);
    vec_release(&parser->height);
    vec_release(&parser->touched);
    mem_free(parser->syms);
    lex_release(&parser->lx);
}

static const char *family_of(struct parser *parser)
{
    const char *slash = strrchr(parser->file, '/');
    const char *base = slash ? slash + 1 : parser->file;
    size_t n = strlen(base);
    if (n > 3 && strcmp(base + n - 3, ".rw") == 0)
        n -= 3;
    struct buf buf = {0}, safe = {0};
    buf_write(&buf, base, n);
    utf8_printable(buf_text(&buf), &safe); // file names may be any bytes
    const char *family = arena_strdup(parser->mem, buf_text(&safe));
    buf_release(&buf);
    buf_release(&safe);
    return family;
}

// The text of /// lines without the slashes and one blank.
static const char *doc_text(struct parser *parser, const struct token *token)
{
    struct buf buf = {0};
    for (const char *at = token->doc; at && at < token->doc_end;) {
        while (*at != '/') // indentation
            at++;
        at += 3;
        if (at < token->doc_end && *at == ' ')
            at++;
        const char *line = at;
        while (at < token->doc_end && *at != '\n')
            at++;
        size_t n = (size_t)(at - line);
        while (n && (line[n - 1] == '\r' || line[n - 1] == ' '))
            n--;
        if (buf.len || line[-1] == '\n')
            buf_putc(&buf, '\n');
        for (size_t i = 0; i < n; i++)
            buf_putc(&buf, (unsigned char)line[i] < ' ' ? ' ' : line[i]);
        if (at < token->doc_end)
            at++;
    }
    const char *text = arena_strdup(parser->mem, buf_text(&buf));
    buf_release(&buf);
    return text;
}

#define KEEP(p, field, v, T)                                                                       \
    do {                                                                                           \
        T *copy = ARENA_NEW((p)->mem, T, (v)->len ? (v)->len : 1);                                 \
        if ((v)->len)                                                                              \
            memcpy(copy, (v)->at, sizeof(T) * (v)->len);                                           \
        (field) = copy;                                                                            \
    } while (0)

// What keeps the rule out of the domain: "`0` makes T a number".
static void hint_claim(struct parser *parser, const struct rule *rule, enum domain domain)
{
    struct buf why = {0};
    const char *name = domain_text(domain);
    size_t n = strlen(name);
    rule_not_judged(rule, &why);
    for (char *line = why.at, *end; line && *line; line = end) {
        end = line + strcspn(line, "\n");
        end += *end == '\n';
        if (strncmp(line, name, n) == 0 && line[n] == ':')
            parser_hint(parser, "%.*s", (int)strcspn(line + n + 2, "\n"), line + n + 2);
    }
    buf_release(&why);
}

static struct rule *rule_finish(struct parser *parser, const struct token *name,
                                const struct token *head)
{
    struct rule *rule = ARENA_NEW(parser->mem, struct rule, 1);
    rule->name = parser_token_text(parser, name);
    rule->file = parser->file;
    rule->family = family_of(parser);
    rule->doc = doc_text(parser, head);
    rule->place = name->place;
    types_finish(parser, rule);
    KEEP(parser, rule->origins, &parser->origins, const char *);
    KEEP(parser, rule->classes, &parser->classes, struct axis_class);
    KEEP(parser, rule->maps, &parser->maps, struct map);
    KEEP(parser, rule->tensors, &parser->tensors, struct tensor_var);
    KEEP(parser, rule->scalars, &parser->scalars, struct scalar_var);
    KEEP(parser, rule->opvars, &parser->opvars, struct op_var);
    KEEP(parser, rule->wheres, &parser->wheres, struct where);
    KEEP(parser, rule->wider, &parser->wider, struct type_order);
    KEEP(parser, rule->pats, &parser->pats, struct pat);
    rule->n_origins = parser->origins.len;
    rule->n_classes = parser->classes.len;
    rule->n_maps = parser->maps.len;
    rule->n_tensors = parser->tensors.len;
    rule->n_scalars = parser->scalars.len;
    rule->n_opvars = parser->opvars.len;
    rule->n_wheres = parser->wheres.len;
    rule->n_wider = parser->wider.len;
    rule->n_pats = parser->pats.len;
    rule->lhs = parser->lhs;
    rule->rhs = parser->rhs;
    unsigned domains = rule_domains(rule);
    rule->claims = parser->has_claims ? parser->claims : domains;
    if (parser->has_claims && (parser->claims & ~domains)) {
        enum domain domain = DOMAIN_BOOL;
        while (!(parser->claims & ~domains & 1u << domain))
            domain++;
        parser_fail(parser, parser->claims_place,
                    "the rule claims the domain `%s`, which its types or operators do "
                    "not allow",
                    domain_text(domain));
        hint_claim(parser, rule, domain);
    }
    return rule;
}

static void sort_errors(struct err_list *errors, uint32_t from)
{
    for (uint32_t i = from + 1; i < errors->at.len; i++) {
        for (uint32_t j = i; j > from; j--) {
            struct err *err = &errors->at.at[j - 1], *error = &errors->at.at[j], t;
            if (err->line < error->line || (err->line == error->line && err->col <= error->col))
                break;
            t = *err;
            *err = *error;
            *error = t;
        }
    }
}

// Cuts the rule into statements; the parser stands behind `{` and is left
// behind `}`.
static void cut_statements(struct parser *parser)
{
    uint32_t first = parser->at;
    for (;;) {
        uint32_t end = statement_end(parser, parser->at);
        const struct token *token = &parser->lx.tokens.at[end];
        if (end > parser->at) {
            struct statement statement = {parser->at, end};
            vec_push(&parser->statements, statement);
        }
        parser->at = end;
        if (token->kind == ';') {
            parser->at++;
        } else if (token->kind == '}') {
            parser->at++;
            break;
        } else {
            parser_expected(parser, "`}` at the end of the rule");
            if (first > 1)
                parser_hint(parser, "the rule that starts in line %u is not closed",
                            parser->lx.tokens.at[first - 1].place.line);
            parser->failed = false;
            break;
        }
    }
    if (parser->at - first > RULES_MAX_TOKENS) {
        parser_fail(parser, parser->lx.tokens.at[first].place, "the rule is longer than %d tokens",
                    RULES_MAX_TOKENS);
        vec_clear(&parser->statements);
    }
}

static bool canonical_finish(struct parser *parser, struct rule *rule)
{
    struct err err = {0};
    parser->failed = false;
    if (!canonical_make(rule, parser->mem, &err))
        return parser_fail(parser, rule->place, "%s", err.msg);
    struct err_list errs = {0};
    struct arena scratch = {0};
    struct rule_text source = {
        .text = rule->canonical, .file = "canonical", .n = strlen(rule->canonical)};
    bool ok = parse_text(&scratch, &source, &errs);
    if (!ok)
        parser_fail(parser, rule->place, "the rule's canonical form is too large: %s",
                    errs.at.at[0].msg);
    arena_release(&scratch);
    vec_release(&errs.at);
    return ok;
}

// Keeps the name with its place; fails if it was kept before.
static void claim_name(struct parser *parser, const struct token *name, struct rule_names *names)
{
    uint32_t n = names->name.entry.len;
    if (name->len == 1 && *name->at == '_')
        return;
    uint32_t id = intern_bytes(&names->name, name->at, name->len);
    while (names->first.len <= id)
        vec_push(&names->first, ((struct rule_place){parser->file, name->place}));
    if (id == n)
        return;
    const struct rule_place *first = &names->first.at[id];
    parser_fail(parser, name->place, "a rule named `%.*s` exists already: %s:%u", token_shown(name),
                name->at, first->file, first->place.line);
    parser->failed = false;
}

static struct rule *parse_rule(struct parser *parser, struct rule_names *names, bool verify)
{
    uint32_t from = parser->errs->at.len;
    const struct token *head = parser_token(parser);
    struct rule *rule = NULL;
    rule_begin(parser);
    parser->at++;
    const struct token *name = parser_token(parser);
    parser->at += 2; // at_rule has seen them
    cut_statements(parser);
    uint32_t after = parser->at;
    if (names)
        claim_name(parser, name, names);
    if (parser->statements.len || !parser->bad)
        parse_declarations(parser);
    parser->failed = false;
    if (!parser->bad)
        rule = rule_finish(parser, name, head);
    if (!parser->bad && verify)
        canonical_finish(parser, rule);
    parser->at = after;
    sort_errors(parser->errs, from);
    return parser->bad ? NULL : rule;
}

bool parse_text(struct arena *mem, const struct rule_text *source, struct err_list *errs)
{
    struct parser parser = {.mem = mem, .errs = errs, .first_err = errs->at.len};
    parser.file = arena_strdup(mem, source->file);
    lex_text(&parser.lx, source->text, source->n);
    parser.syms = mem_alloc(sizeof *parser.syms * parser.lx.names.entry.len);
    while (!parser_at(&parser, T_END)) {
        parser.failed = false;
        if (at_rule(&parser, parser.at)) {
            struct rule *rule = parse_rule(&parser, source->names, source->verify);
            if (rule && source->keep)
                source->keep(source->ctx, rule);
            continue;
        }
        if (!parser_accept_word(&parser, "rule"))
            parser_expected(&parser, "`rule`");
        else if (!parser_accept(&parser, T_NAME))
            parser_expected(&parser, "the rule's name");
        else
            parser_expected(&parser, "`{`");
        while (!parser_at(&parser, T_END) && !at_rule(&parser, parser.at))
            parser.at++;
    }
    bool ok = errs->at.len == parser.first_err;
    parser_release(&parser);
    return ok;
}
