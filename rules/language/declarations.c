// SPDX-License-Identifier: Apache-2.0
// Declarations.  Each kind of statement is read in a pass of its own, so that every
// name is known before its first use, wherever the declaration stands.
#include "rules/language/parse.h"
#include "rules/language/tokens/hints.h"

typedef void statement_fn(struct parser *p);

static void read_origin(struct parser *parser)
{
    do {
        const struct token *token = parser_token(parser);
        if (!parser_expect(parser, T_STRING, "a string"))
            return;
        char *text = ARENA_NEW(parser->mem, char, token->len + 1);
        uint32_t n = 0;
        for (uint32_t i = 0; i < token->len; i++) {
            if (token->at[i] == '\\')
                i++;
            text[n++] = token->at[i];
        }
        vec_push(&parser->origins, text);
    } while (parser_accept(parser, ','));
}

static void read_claims(struct parser *parser)
{
    if (parser->has_claims) {
        parser_fail(parser, parser_token(parser)->place,
                    "expected one `claims`, found a second one");
        return;
    }
    parser->claims_place = parser_token(parser)->place;
    parser->has_claims = true;
    do {
        const struct token *token = parser_token(parser);
        enum domain domain;
        if (!parser_at(parser, T_NAME) ||
            !domain_by_text(parser_token_text(parser, token), &domain)) {
            parser_expected(parser, "a domain (bool, int, word, real, float)");
            hint_domain(parser, token);
            return;
        }
        parser->at++;
        if (parser->claims & 1u << domain) {
            parser_fail(parser, token->place, "the domain `%s` is named twice",
                        domain_text(domain));
            return;
        }
        parser->claims |= 1u << domain;
    } while (parser_accept(parser, ','));
}

static bool read_least_rank(struct parser *parser, struct axis_class *cls)
{
    if (!parser_accept_word(parser, "rank"))
        return true;
    const struct token *token = parser_token(parser);
    if (!parser_expect(parser, T_GE, "`>=`"))
        return false;
    token = parser_token(parser);
    if (!parser_at(parser, T_INT) || token->value > 1)
        return parser_expected(parser, "a least rank, 0 or 1");
    parser->at++;
    cls->least_rank = (uint32_t)token->value;
    return true;
}

// `axes x, y like w rank >= 1`; the class after `like` is looked up later.
static void read_axes(struct parser *parser, bool single)
{
    do {
        uint32_t index = parser->classes.len;
        const struct token *token = parser_token(parser);
        struct axis_class cls = {.single = single, .like = index, .joint = index};
        cls.least_rank = single;
        cls.place = token->place;
        if (index == RULES_MAX_CLASSES) {
            parser_fail(parser, token->place, "more than %d axis classes", RULES_MAX_CLASSES);
            return;
        }
        if (!declare_name(parser, SYM_CLASS, index, "the name of an axis class"))
            return;
        cls.name = parser_token_text(parser, token);
        vec_push(&parser->classes, cls);
        if (parser_accept_word(parser, "like") && !parser_expect(parser, T_NAME, "an axis class"))
            return;
        if (!single && !read_least_rank(parser, &parser->classes.at[index]))
            return;
    } while (parser_accept(parser, ','));
}

static void read_classes(struct parser *parser)
{
    read_axes(parser, false);
}

static void read_axis(struct parser *parser)
{
    read_axes(parser, true);
}

// Second look at the same statement: `like`.
static void read_like(struct parser *parser)
{
    do {
        const struct token *token = parser_token(parser);
        if (!parser_accept(parser, T_NAME))
            return;
        struct symbol *self = &parser->syms[token->name];
        if (parser_accept_word(parser, "like")) {
            const struct token *of = parser_token(parser);
            struct symbol *symbol;
            if (!parser_accept(parser, T_NAME) || !(symbol = sym_use(parser, of, SYM_CLASS)))
                return;
            struct axis_class *cls = &parser->classes.at[self->index];
            if (symbol == self) {
                parser_fail(parser, of->place, "`%s` is like itself", cls->name);
                return;
            }
            if (cls->single != parser->classes.at[symbol->index].single) {
                parser_fail(parser, of->place,
                            "`%s` and `%s` cannot be alike: one is a single `axis`, "
                            "the other is not",
                            cls->name, parser->classes.at[symbol->index].name);
                return;
            }
            cls->like = symbol->index;
        }
        if (parser_accept_word(parser, "rank"))
            parser->at += 2;
    } while (parser_accept(parser, ','));
}

// Every member of a rank class points to the rank class's first class, and has the
// greatest of the members' least ranks.
static void close_families(struct parser *parser)
{
    struct axis_class *cls = parser->classes.at;
    uint32_t group[RULES_MAX_CLASSES];
    for (uint32_t i = 0; i < parser->classes.len; i++)
        group[i] = i;
    for (uint32_t i = 0; i < parser->classes.len; i++) {
        uint32_t from = group[i], to = group[cls[i].like];
        for (uint32_t j = 0; j < parser->classes.len && from != to; j++)
            if (group[j] == from)
                group[j] = to;
    }
    for (uint32_t i = 0; i < parser->classes.len; i++) {
        uint32_t first = NONE;
        uint32_t least = 0;
        for (uint32_t j = 0; j < parser->classes.len; j++) {
            if (group[j] != group[i])
                continue;
            if (first == NONE)
                first = j;
            if (cls[j].least_rank > least)
                least = cls[j].least_rank;
        }
        cls[i].like = first;
        cls[i].least_rank = least;
    }
}

// The names that the statement declares, then their class.
static bool read_maps(struct parser *parser, bool index, const char *what)
{
    uint32_t first = parser->maps.len;
    do {
        const struct token *token = parser_token(parser);
        struct map map = {.index = index, .place = token->place};
        if (!declare_name(parser, SYM_MAP, parser->maps.len, what))
            return false;
        map.name = parser_token_text(parser, token);
        vec_push(&parser->maps, map);
    } while (parser_accept(parser, ','));
    if (!parser_accept_word(parser, "on"))
        return parser_expected(parser, "`,` or `on`");
    const struct token *t = parser_token(parser);
    struct symbol *symbol;
    if (!parser_expect(parser, T_NAME, "an axis class") ||
        !(symbol = sym_use(parser, t, SYM_CLASS)))
        return false;
    for (uint32_t i = first; i < parser->maps.len; i++) {
        parser->maps.at[i].cls = symbol->index;
        if (!map_fits_block(parser, i))
            return false;
    }
    return true;
}

static void read_map(struct parser *parser)
{
    read_maps(parser, false, "the name of a map");
}

static void read_index(struct parser *parser)
{
    read_maps(parser, true, "the name of an index");
}

// ---- let ----

static void read_let_name(struct parser *parser)
{
    declare_name(parser, SYM_MAP, NONE, "the name of a map");
}

// Are all maps in a `let` known?  A map without a number is a `let` that has not been
// read yet.
static bool let_ready(const struct parser *parser, struct statement statement)
{
    for (uint32_t i = statement.start + 2; i < statement.end; i++) {
        const struct token *token = &parser->lx.tokens.at[i];
        if (token->kind == T_NAME && parser->syms[token->name].kind == SYM_MAP &&
            parser->syms[token->name].index == NONE)
            return false;
    }
    return true;
}

static void read_let(struct parser *parser)
{
    const struct token *name = &parser->lx.tokens.at[parser->at++];
    struct map map = {.cls = NONE, .place = name->place};
    map.name = parser_token_text(parser, name);
    struct symbol *symbol;
    if (parser_accept_word(parser, "on")) {
        const struct token *token = parser_token(parser);
        if (!parser_expect(parser, T_NAME, "an axis class") ||
            !(symbol = sym_use(parser, token, SYM_CLASS)))
            return;
        map.cls = symbol->index;
    }
    if (!parser_expect(parser, '=', map.cls == NONE ? "`on` or `=`" : "`=`"))
        return;
    struct place at = parser_token(parser)->place;
    parser->seen_classes = 0;
    parser->seen_index = false;
    parser->index_use = INDEX_YES;
    map.def = map.cls == NONE ? parse_iexp(parser) : parse_iexp_on(parser, map.cls);
    parser->index_use = INDEX_NO;
    if (!map.def)
        return;
    map.index = parser->seen_index;
    uint64_t seen = parser->seen_classes;
    if (map.cls == NONE && seen == 0) {
        parser_fail(parser, at,
                    "`%s` has no map from which its class follows; write "
                    "`let %s on CLASS = ...`",
                    map.name, map.name);
        return;
    }
    if (map.cls == NONE && (seen & (seen - 1))) {
        parser_fail(parser, at,
                    "the maps are on several classes %s; write "
                    "`let %s on CLASS = ...`",
                    classes_text(parser, seen), map.name);
        return;
    }
    for (uint32_t c = 0; map.cls == NONE; c++)
        if (seen >> c & 1)
            map.cls = c;
    vec_push(&parser->maps, map);
    if (map_fits_block(parser, parser->maps.len - 1))
        parser->syms[name->name].index = parser->maps.len - 1;
}

// ---- passes ----

// Runs `read` on a statement behind its first word; it must end at its `;`.
static void run(struct parser *parser, struct statement statement, uint32_t skip,
                statement_fn *read, bool declares)
{
    parser->failed = false;
    parser->depth = 0;
    parser->start = statement.start;
    parser->at = statement.start + skip;
    read(parser);
    if (!parser->failed && parser->at != statement.end)
        parser_expected(parser, "`,` or `;`");
    if (!parser->failed && !parser_at(parser, ';'))
        parser_expected(parser, "`;`");
    statement_done(parser, statement, declares);
}

static void pass(struct parser *parser, const char *word, statement_fn *read, bool declares)
{
    for (uint32_t i = 0; i < parser->statements.len; i++) {
        struct statement statement = parser->statements.at[i];
        parser->at = statement.start;
        if (parser_at_word(parser, word))
            run(parser, statement, 1, read, declares);
    }
}

// Reads `axes` and `axis` in the order of the text, then every `like`.
static void pass_classes(struct parser *parser)
{
    for (uint32_t i = 0; i < parser->statements.len; i++) {
        struct statement statement = parser->statements.at[i];
        parser->at = statement.start;
        if (parser_at_word(parser, "axes"))
            run(parser, statement, 1, read_classes, true);
        else if (parser_at_word(parser, "axis"))
            run(parser, statement, 1, read_axis, true);
    }
    for (uint32_t i = 0; i < parser->statements.len && !parser->bad; i++) {
        parser->at = parser->statements.at[i].start;
        if (!parser_at_word(parser, "axes") && !parser_at_word(parser, "axis"))
            continue;
        parser->at++;
        read_like(parser);
        parser->failed = false;
    }
    if (!parser->bad)
        close_families(parser);
    for (uint32_t i = 0; parser->bad && i < parser->classes.len; i++)
        parser->classes.at[i].like = i;
}

static void pass_let(struct parser *parser)
{
    VEC(struct statement) lets = {0};
    for (uint32_t i = 0; i < parser->statements.len; i++) {
        struct statement statement = parser->statements.at[i];
        parser->at = statement.start;
        if (!parser_accept_word(parser, "let"))
            continue;
        parser->failed = false;
        read_let_name(parser);
        if (!parser->failed && lets.len == RULES_MAX_LETS)
            parser_fail(parser, parser_token(parser)->place, "more than %d `let`", RULES_MAX_LETS);
        if (!parser->failed)
            vec_push(&lets, statement);
        statement_done(parser, statement, true);
    }
    for (uint32_t left = lets.len, found = 1; left && found; left -= found) {
        found = 0;
        for (uint32_t i = 0; i < lets.len; i++) {
            if (!lets.at[i].end || !let_ready(parser, lets.at[i]))
                continue;
            struct symbol *symbol = &parser->syms[parser->lx.tokens.at[lets.at[i].start + 1].name];
            run(parser, lets.at[i], 1, read_let, false);
            if (symbol->index == NONE)
                symbol->kind = SYM_POISON;
            lets.at[i].end = 0;
            found++;
        }
    }
    for (uint32_t i = 0; i < lets.len; i++) {
        const struct token *token = &parser->lx.tokens.at[lets.at[i].start + 1];
        if (!lets.at[i].end)
            continue;
        parser->failed = false;
        parser_fail(parser, token->place, "`%.*s` is defined by itself", (int)token->len,
                    token->at);
        parser->syms[token->name].kind = SYM_POISON;
    }
    vec_release(&lets);
}

static bool is_declaration(const struct parser *parser, struct statement statement)
{
    static const char *const words[] = {
        "origin", "claims", "axes", "axis",  "map",   "type",  "tensor",
        "scalar", "op",     "let",  "where", "index", "wider",
    };
    const struct token *token = &parser->lx.tokens.at[statement.start];
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (token_is_word(token, words[i]))
            return true;
    return false;
}

// Two words side by side are a declaration whose first word is not known.
static bool is_misspelt(const struct parser *parser, struct statement statement)
{
    const struct token *token = &parser->lx.tokens.at[statement.start];
    return !is_declaration(parser, statement) && token->kind == T_NAME &&
           (token[1].kind == T_NAME || token[1].kind == T_STRING) &&
           !token_is_word(token + 1, "and") && !token_is_word(token + 1, "or");
}

static void pass_misspelt(struct parser *parser)
{
    for (uint32_t i = 0; i < parser->statements.len; i++) {
        struct statement statement = parser->statements.at[i];
        const struct token *word = &parser->lx.tokens.at[statement.start];
        if (!is_misspelt(parser, statement))
            continue;
        parser->failed = false;
        parser_fail(parser, word->place, "expected a declaration or `left => right`, found `%.*s`",
                    token_shown(word), word->at);
        hint_statement(parser, word);
        statement_done(parser, statement, true);
    }
}

static void pass_main(struct parser *parser)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < parser->statements.len; i++) {
        struct statement statement = parser->statements.at[i];
        if (is_declaration(parser, statement) || is_misspelt(parser, statement))
            continue;
        if (n++) {
            parser->failed = false;
            parser_fail(parser, parser->lx.tokens.at[statement.start].place,
                        "expected a declaration, found a second statement "
                        "`left => right`");
            parser_hint(parser, "each further rule is a `rule NAME { .. }` of its own");
            continue;
        }
        run(parser, statement, 0, parse_main, false);
    }
    if (n == 0 && !parser->bad)
        parser_expected(parser, "a statement `left => right`");
}

void parse_declarations(struct parser *parser)
{
    pass_misspelt(parser);
    pass(parser, "origin", read_origin, false);
    pass(parser, "claims", read_claims, false);
    pass_classes(parser);
    find_joint(parser);
    pass(parser, "type", read_type, true);
    pass(parser, "map", read_map, true);
    pass(parser, "index", read_index, true);
    pass_let(parser);
    pass(parser, "op", read_op, true);
    pass(parser, "tensor", read_tensor, true);
    pass(parser, "scalar", read_scalar, true);
    pass(parser, "where", parse_where, false);
    pass_main(parser);
    pass(parser, "wider", read_wider, false);
    if (!parser->bad)
        check_used(parser);
    if (!parser->bad)
        check_definition(parser);
}
