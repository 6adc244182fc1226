// SPDX-License-Identifier: Apache-2.0
// Declarations.  Each kind of statement is read in a pass of its own, so that
// every name is known by the time it is used, wherever it is declared.
#include "rules/language/parse.h"

typedef void statement_fn(struct parser *p);

static void read_origin(struct parser *p)
{
    do {
        const struct token *t = parser_token(p);
        if (!parser_expect(p, T_STRING, "a string"))
            return;
        char *text = ARENA_NEW(p->mem, char, t->len + 1);
        uint32_t n = 0;
        for (uint32_t i = 0; i < t->len; i++) {
            if (t->at[i] == '\\')
                i++;
            text[n++] = t->at[i];
        }
        vec_push(&p->origins, text);
    } while (parser_accept(p, ','));
}

static void read_claims(struct parser *p)
{
    if (p->has_claims) {
        parser_fail(p, parser_token(p)->place, "a second `claims`");
        return;
    }
    p->claims_place = parser_token(p)->place;
    p->has_claims = true;
    do {
        const struct token *t = parser_token(p);
        enum domain d;
        if (!parser_at(p, T_NAME) || !domain_by_text(parser_token_text(p, t), &d)) {
            parser_expected(p, "a domain (bool, int, word, real, float)");
            return;
        }
        p->at++;
        if (p->claims & 1u << d) {
            parser_fail(p, t->place, "the domain `%s` is named twice", domain_text(d));
            return;
        }
        p->claims |= 1u << d;
    } while (parser_accept(p, ','));
}

static bool read_least_rank(struct parser *p, struct axis_class *c)
{
    if (!parser_accept_word(p, "rank"))
        return true;
    const struct token *t = parser_token(p);
    if (!parser_expect(p, T_GE, "`>=`"))
        return false;
    t = parser_token(p);
    if (!parser_at(p, T_INT) || t->value > 1)
        return parser_expected(p, "a least rank, 0 or 1");
    p->at++;
    c->least_rank = (uint32_t)t->value;
    return true;
}

// `axes x, y like w rank >= 1`; the class after `like` is looked up later.
static void read_axes(struct parser *p, bool single)
{
    do {
        uint32_t index = p->classes.len;
        const struct token *t = parser_token(p);
        struct axis_class c = {.single = single, .like = index, .joint = index};
        c.least_rank = single;
        c.place = t->place;
        if (index == LIMIT_CLASSES) {
            parser_fail(p, t->place, "more than %d axis classes", LIMIT_CLASSES);
            return;
        }
        if (!declare_name(p, SYM_CLASS, index, "the name of an axis class"))
            return;
        c.name = parser_token_text(p, t);
        vec_push(&p->classes, c);
        if (parser_accept_word(p, "like") && !parser_expect(p, T_NAME, "an axis class"))
            return;
        if (!single && !read_least_rank(p, &p->classes.at[index]))
            return;
    } while (parser_accept(p, ','));
}

static void read_classes(struct parser *p)
{
    read_axes(p, false);
}

static void read_axis(struct parser *p)
{
    read_axes(p, true);
}

// Second look at the same statement: `like`.
static void read_like(struct parser *p)
{
    do {
        const struct token *t = parser_token(p);
        if (!parser_accept(p, T_NAME))
            return;
        struct symbol *self = &p->syms[t->name];
        if (parser_accept_word(p, "like")) {
            const struct token *of = parser_token(p);
            struct symbol *s;
            if (!parser_accept(p, T_NAME) || !(s = sym_use(p, of, SYM_CLASS)))
                return;
            struct axis_class *c = &p->classes.at[self->index];
            if (s == self) {
                parser_fail(p, of->place, "`%s` is like itself", c->name);
                return;
            }
            if (c->single != p->classes.at[s->index].single) {
                parser_fail(p, of->place,
                     "`%s` and `%s` cannot be alike: one is a single `axis`, "
                     "the other is not",
                     c->name, p->classes.at[s->index].name);
                return;
            }
            c->like = s->index;
        }
        if (parser_accept_word(p, "rank"))
            p->at += 2;
    } while (parser_accept(p, ','));
}

// Every member of a rank class points to its first class, and has the least
// rank of all.
static void close_families(struct parser *p)
{
    struct axis_class *c = p->classes.at;
    uint32_t group[LIMIT_CLASSES];
    for (uint32_t i = 0; i < p->classes.len; i++)
        group[i] = i;
    for (uint32_t i = 0; i < p->classes.len; i++) {
        uint32_t from = group[i], to = group[c[i].like];
        for (uint32_t j = 0; j < p->classes.len && from != to; j++)
            if (group[j] == from)
                group[j] = to;
    }
    for (uint32_t i = 0; i < p->classes.len; i++) {
        uint32_t first = NONE;
        uint32_t least = 0;
        for (uint32_t j = 0; j < p->classes.len; j++) {
            if (group[j] != group[i])
                continue;
            if (first == NONE)
                first = j;
            if (c[j].least_rank > least)
                least = c[j].least_rank;
        }
        c[i].like = first;
        c[i].least_rank = least;
    }
}

static bool type_kind_word(struct parser *p, unsigned *kinds)
{
    static const struct {
        const char *word;
        unsigned kinds;
    } words[] = {
        {"any", KIND_ANY},
        {"num", KIND_SINT | KIND_UINT | KIND_FLOAT},
        {"int", KIND_SINT | KIND_UINT},
        {"sint", KIND_SINT},
        {"uint", KIND_UINT},
        {"float", KIND_FLOAT},
        {"real", KIND_FLOAT},
        {"bool", KIND_BOOL},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (parser_accept_word(p, words[i].word)) {
            *kinds |= words[i].kinds;
            return true;
        }
    }
    return false;
}

static bool read_kinds(struct parser *p, unsigned *kinds)
{
    do {
        if (!type_kind_word(p, kinds))
            return parser_expected(p, "a kind of element types (any, num, int, sint, "
                               "uint, float, real, bool)");
    } while (parser_accept(p, '|'));
    return true;
}

uint32_t parse_type(struct parser *p)
{
    unsigned kinds = 0;
    const struct token *t = parser_token(p);
    if (type_kind_word(p, &kinds)) {
        if (parser_accept(p, '|') && !read_kinds(p, &kinds))
            return NONE;
        return type_fresh(p, kinds, "");
    }
    if (!parser_at(p, T_NAME)) {
        parser_expected(p, "an element type");
        return NONE;
    }
    p->at++;
    struct symbol *s = &p->syms[t->name];
    if (s->kind == SYM_NONE && *t->at >= 'A' && *t->at <= 'Z') {
        uint32_t v = type_fresh(p, KIND_ANY, parser_token_text(p, t));
        s = sym_declare(p, t, SYM_TYPE, v);
    } else {
        s = sym_use(p, t, SYM_TYPE);
    }
    if (!s)
        return NONE;
    s->used = true;
    return s->index;
}

static void read_type(struct parser *p)
{
    do {
        const struct token *t = parser_token(p);
        unsigned kinds = 0;
        if (!declare_name(p, SYM_TYPE, p->tvars.len, "the name of a type"))
            return;
        uint32_t v = type_fresh(p, KIND_ANY, parser_token_text(p, t));
        if (!parser_expect(p, ':', "`:`") || !read_kinds(p, &kinds))
            return;
        p->tvars.at[v].kinds = kinds;
    } while (parser_accept(p, ','));
}

// The names declared, then the class they are on.
static bool read_maps(struct parser *p, bool index, const char *what)
{
    uint32_t first = p->maps.len;
    do {
        const struct token *t = parser_token(p);
        struct map m = {.index = index, .place = t->place};
        if (!declare_name(p, SYM_MAP, p->maps.len, what))
            return false;
        m.name = parser_token_text(p, t);
        vec_push(&p->maps, m);
    } while (parser_accept(p, ','));
    if (!parser_accept_word(p, "on"))
        return parser_expected(p, "`,` or `on`");
    const struct token *t = parser_token(p);
    struct symbol *s;
    if (!parser_expect(p, T_NAME, "an axis class") || !(s = sym_use(p, t, SYM_CLASS)))
        return false;
    for (uint32_t i = first; i < p->maps.len; i++) {
        p->maps.at[i].cls = s->index;
        if (!map_fits_block(p, i))
            return false;
    }
    return true;
}

static void read_map(struct parser *p)
{
    read_maps(p, false, "the name of a map");
}

static void read_index(struct parser *p)
{
    read_maps(p, true, "the name of an index");
}

// ---- let ----

static void read_let_name(struct parser *p)
{
    declare_name(p, SYM_MAP, NONE, "the name of a map");
}

// Are all maps in a `let` known?  One without an index is a let to come.
static bool let_ready(const struct parser *p, struct statement s)
{
    for (uint32_t i = s.start + 2; i < s.end; i++) {
        const struct token *t = &p->lx.tokens.at[i];
        if (t->kind == T_NAME && p->syms[t->name].kind == SYM_MAP &&
            p->syms[t->name].index == NONE)
            return false;
    }
    return true;
}

static void read_let(struct parser *p)
{
    const struct token *name = &p->lx.tokens.at[p->at++];
    struct map m = {.cls = NONE, .place = name->place};
    m.name = parser_token_text(p, name);
    struct symbol *s;
    if (parser_accept_word(p, "on")) {
        const struct token *t = parser_token(p);
        if (!parser_expect(p, T_NAME, "an axis class") ||
            !(s = sym_use(p, t, SYM_CLASS)))
            return;
        m.cls = s->index;
    }
    if (!parser_expect(p, '=', m.cls == NONE ? "`on` or `=`" : "`=`"))
        return;
    struct place at = parser_token(p)->place;
    p->seen_classes = 0;
    p->seen_index = false;
    p->index_use = INDEX_YES;
    m.def = m.cls == NONE ? parse_iexp(p) : parse_iexp_on(p, m.cls);
    p->index_use = INDEX_NO;
    if (!m.def)
        return;
    m.index = p->seen_index;
    uint64_t seen = p->seen_classes;
    if (m.cls == NONE && seen == 0) {
        parser_fail(p, at,
             "`%s` has no map from which its class follows; write "
             "`let %s on CLASS = ...`",
             m.name, m.name);
        return;
    }
    if (m.cls == NONE && (seen & (seen - 1))) {
        parser_fail(p, at,
             "the maps are on several classes %s; write "
             "`let %s on CLASS = ...`",
             classes_text(p, seen), m.name);
        return;
    }
    for (uint32_t c = 0; m.cls == NONE; c++)
        if (seen >> c & 1)
            m.cls = c;
    vec_push(&p->maps, m);
    if (map_fits_block(p, p->maps.len - 1))
        p->syms[name->name].index = p->maps.len - 1;
}

// ---- passes ----

// Runs `read` on a statement behind its first word; it must end at its `;`.
static void run(struct parser *p, struct statement s, uint32_t skip,
                statement_fn *read, bool declares)
{
    p->failed = false;
    p->depth = 0;
    p->at = s.start + skip;
    read(p);
    if (!p->failed && p->at != s.end)
        parser_expected(p, "`,` or `;`");
    if (!p->failed && !parser_at(p, ';'))
        parser_expected(p, "`;`");
    statement_done(p, s, declares);
}

static void pass(struct parser *p, const char *word, statement_fn *read,
                 bool declares)
{
    for (uint32_t i = 0; i < p->statements.len; i++) {
        struct statement s = p->statements.at[i];
        p->at = s.start;
        if (parser_at_word(p, word))
            run(p, s, 1, read, declares);
    }
}

// `axes` and `axis` in the order of the text, then what they are like.
static void pass_classes(struct parser *p)
{
    for (uint32_t i = 0; i < p->statements.len; i++) {
        struct statement s = p->statements.at[i];
        p->at = s.start;
        if (parser_at_word(p, "axes"))
            run(p, s, 1, read_classes, true);
        else if (parser_at_word(p, "axis"))
            run(p, s, 1, read_axis, true);
    }
    for (uint32_t i = 0; i < p->statements.len && !p->bad; i++) {
        p->at = p->statements.at[i].start;
        if (!parser_at_word(p, "axes") && !parser_at_word(p, "axis"))
            continue;
        p->at++;
        read_like(p);
        p->failed = false;
    }
    if (!p->bad)
        close_families(p);
    for (uint32_t i = 0; p->bad && i < p->classes.len; i++)
        p->classes.at[i].like = i;
}

static void pass_let(struct parser *p)
{
    VEC(struct statement) lets = {0};
    for (uint32_t i = 0; i < p->statements.len; i++) {
        struct statement s = p->statements.at[i];
        p->at = s.start;
        if (!parser_accept_word(p, "let"))
            continue;
        p->failed = false;
        read_let_name(p);
        if (!p->failed && lets.len == LIMIT_LETS)
            parser_fail(p, parser_token(p)->place, "more than %d `let`", LIMIT_LETS);
        if (!p->failed)
            vec_push(&lets, s);
        statement_done(p, s, true);
    }
    for (uint32_t left = lets.len, found = 1; left && found; left -= found) {
        found = 0;
        for (uint32_t i = 0; i < lets.len; i++) {
            if (!lets.at[i].end || !let_ready(p, lets.at[i]))
                continue;
            struct symbol *s =
                &p->syms[p->lx.tokens.at[lets.at[i].start + 1].name];
            run(p, lets.at[i], 1, read_let, false);
            if (s->index == NONE)
                s->kind = SYM_POISON;
            lets.at[i].end = 0;
            found++;
        }
    }
    for (uint32_t i = 0; i < lets.len; i++) {
        const struct token *t = &p->lx.tokens.at[lets.at[i].start + 1];
        if (!lets.at[i].end)
            continue;
        p->failed = false;
        parser_fail(p, t->place, "`%.*s` is defined by itself", (int)t->len, t->at);
        p->syms[t->name].kind = SYM_POISON;
    }
    vec_release(&lets);
}

static bool is_declaration(const struct parser *p, struct statement s)
{
    static const char *const words[] = {
        "origin", "claims", "axes", "axis",  "map",   "type",  "tensor",
        "scalar", "op",     "let",  "where", "index", "wider",
    };
    const struct token *t = &p->lx.tokens.at[s.start];
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (t->kind == T_NAME && t->len == strlen(words[i]) &&
            memcmp(t->at, words[i], t->len) == 0)
            return true;
    return false;
}

static void pass_main(struct parser *p)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->statements.len; i++) {
        struct statement s = p->statements.at[i];
        if (is_declaration(p, s))
            continue;
        if (n++) {
            p->failed = false;
            parser_fail(p, p->lx.tokens.at[s.start].place,
                 "expected a declaration, found a second statement "
                 "`left => right`");
            continue;
        }
        run(p, s, 0, parse_main, false);
    }
    if (n == 0 && !p->bad)
        parser_expected(p, "a statement `left => right`");
}

void parse_declarations(struct parser *p)
{
    pass(p, "origin", read_origin, false);
    pass(p, "claims", read_claims, false);
    pass_classes(p);
    find_joint(p);
    pass(p, "type", read_type, true);
    pass(p, "map", read_map, true);
    pass(p, "index", read_index, true);
    pass_let(p);
    pass(p, "op", read_op, true);
    pass(p, "tensor", read_tensor, true);
    pass(p, "scalar", read_scalar, true);
    pass(p, "where", parse_where, false);
    pass_main(p);
    pass(p, "wider", read_wider, false);
    if (!p->bad)
        check_used(p);
    if (!p->bad)
        check_definition(p);
}
