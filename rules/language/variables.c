// SPDX-License-Identifier: Apache-2.0
// Declarations of tensors, scalars and operator variables, and checks of maps on blocks
// and of the types of a rule.
#include "rules/language/parse.h"

bool declare_name(struct parser *parser, enum sym_kind kind, uint32_t index, const char *what)
{
    const struct token *token = parser_token(parser);
    if (!parser_at(parser, T_NAME))
        return parser_expected(parser, what);
    parser->at++;
    return sym_declare(parser, token, kind, index) != NULL;
}

// A block is taken as a whole: its only map is its size.  All classes that are alike
// share one map, since two maps could have equal products and differ axis by axis.
bool map_fits_block(struct parser *parser, uint32_t map)
{
    const struct map *m = &parser->maps.at[map], *other = NULL;
    const struct axis_class *cls = &parser->classes.at[m->cls];
    if (!cls->block)
        return true;
    for (uint32_t i = 0; i < map && !other; i++)
        if (parser->classes.at[parser->maps.at[i].cls].like == cls->like)
            other = &parser->maps.at[i];
    if (!other && !m->def && !m->index)
        return true;
    struct buf buf = {0};
    buf_printf(&buf, "has a size, one map, and nothing else; found %s, `%s`",
               m->def     ? "a `let`"
               : m->index ? "an index"
                          : "a second map",
               m->name);
    parser_fail_block(parser, m->place, m->cls, "", buf_text(&buf));
    buf_release(&buf);
    return false;
}

static bool read_sizes(struct parser *parser, struct tensor_var *tensor)
{
    const struct iexp *size[RULES_MAX_CLASSES] = {NULL};
    uint64_t set = 0;
    if (!parser_expect(parser, '[', "`[`"))
        return false;
    while (!parser_accept(parser, ']')) {
        if (set && !parser_expect(parser, ',', "`,` or `]`"))
            return false;
        const struct token *token = parser_token(parser);
        struct symbol *symbol;
        if (!parser_expect(parser, T_NAME, set ? "an axis class" : "an axis class or `]`"))
            return false;
        if (!(symbol = sym_use(parser, token, SYM_CLASS)))
            return false;
        if (set >> symbol->index & 1)
            return parser_fail(parser, token->place, "the class `%.*s` occurs twice in `%s`",
                               (int)token->len, token->at, tensor->name);
        if (!parser_expect(parser, ':', "`:`") ||
            !(size[symbol->index] = parse_size_on(parser, symbol->index)))
            return false;
        set |= UINT64_C(1) << symbol->index;
        tensor->n_sizes++;
    }
    struct axis_size *sizes = ARENA_NEW(parser->mem, struct axis_size, tensor->n_sizes + 1);
    uint32_t n = 0;
    for (uint32_t c = 0; c < parser->classes.len; c++)
        if (size[c])
            sizes[n++] = (struct axis_size){c, size[c]};
    tensor->sizes = sizes;
    return true;
}

void read_tensor(struct parser *parser)
{
    do {
        const struct token *token = parser_token(parser);
        struct tensor_var tensor = {.place = token->place};
        if (!declare_name(parser, SYM_TENSOR, parser->tensors.len, "the name of a tensor"))
            return;
        tensor.name = parser_token_text(parser, token);
        if (!read_sizes(parser, &tensor) || !parser_expect(parser, ':', "`:`") ||
            (tensor.type = parse_type(parser)) == NONE)
            return;
        vec_push(&parser->tensors, tensor);
    } while (parser_accept(parser, ','));
}

// `scalar a, b : num, c : T`: names share the type that follows them.  A kind is a new
// type variable for each name.
void read_scalar(struct parser *parser)
{
    do {
        uint32_t first = parser->scalars.len;
        do {
            const struct token *token = parser_token(parser);
            struct scalar_var scalar = {.place = token->place};
            if (!declare_name(parser, SYM_SCALAR, parser->scalars.len, "the name of a scalar"))
                return;
            scalar.name = parser_token_text(parser, token);
            vec_push(&parser->scalars, scalar);
        } while (parser_accept(parser, ','));
        if (!parser_expect(parser, ':', "`,` or `:`"))
            return;
        uint32_t type = parser->at;
        for (uint32_t i = first; i < parser->scalars.len; i++) {
            parser->at = type;
            if ((parser->scalars.at[i].type = parse_type(parser)) == NONE)
                return;
        }
    } while (parser_accept(parser, ','));
}

static bool read_signature(struct parser *parser, struct op_var *opvar)
{
    struct u32_vec args = {0};
    bool ok = parser_expect(parser, '(', "`(`");
    if (ok) {
        do {
            uint32_t t = parse_type(parser);
            ok = t != NONE;
            vec_push(&args, t);
        } while (ok && parser_accept(parser, ','));
    }
    ok = ok && parser_expect(parser, ')', "`,` or `)`");
    if (ok && opvar->kind == OPVAR_MONOID) {
        if (args.len != 1)
            ok = parser_fail(parser, opvar->place, "expected one type of a monoid, found %u",
                             args.len);
        vec_push(&args, args.at[0]);
        opvar->result = args.at[0];
    } else if (ok) {
        if (opvar->kind == OPVAR_MONOTONE && args.len != 1)
            ok = parser_fail(parser, opvar->place,
                             "expected one argument of a monotone operator, found %u", args.len);
        ok = ok && parser_expect(parser, T_ARROW, "`->`") &&
             (opvar->result = parse_type(parser)) != NONE;
    }
    uint32_t *copy = ARENA_NEW(parser->mem, uint32_t, args.len + 1);
    for (uint32_t i = 0; i < args.len; i++)
        copy[i] = args.at[i];
    opvar->args = copy;
    opvar->n_args = args.len;
    vec_release(&args);
    return ok;
}

bool is_function(const struct token *token)
{
    static const char *const words[] = {
        "relabel", "count", "conv", "merge", "split", "value",
    };
    char name[40];
    enum op op;
    if (token->len >= sizeof name)
        return false;
    memcpy(name, token->at, token->len);
    name[token->len] = '\0';
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(name, words[i]) == 0)
            return true;
    return op_by_word(name, &op) || op_by_name(name, &op);
}

void read_op(struct parser *parser)
{
    do {
        const struct token *token = parser_token(parser);
        struct op_var opvar = {.place = token->place};
        if (token->kind == T_NAME && is_function(token)) {
            parser_fail(parser, token->place, "`%.*s` is an operator already", (int)token->len,
                        token->at);
            return;
        }
        if (!declare_name(parser, SYM_OPVAR, parser->opvars.len,
                          "the name of an operator variable"))
            return;
        opvar.name = parser_token_text(parser, token);
        if (!parser_expect(parser, ':', "`:`"))
            return;
        if (parser_accept_word(parser, "monoid")) {
            opvar.kind = OPVAR_MONOID;
        } else if (parser_accept_word(parser, "monotone")) {
            opvar.kind = OPVAR_MONOTONE;
        } else if (!parser_accept_word(parser, "elementwise")) {
            parser_expected(parser, "`elementwise`, `monoid` or `monotone`");
            return;
        }
        if (!read_signature(parser, &opvar))
            return;
        vec_push(&parser->opvars, opvar);
    } while (parser_accept(parser, ','));
}

// `wider L of S`: L and S have been declared as type variables.
void read_wider(struct parser *parser)
{
    do {
        uint32_t type[2];
        struct place at = parser_token(parser)->place;
        for (int i = 0; i < 2; i++) {
            const struct token *token = parser_token(parser);
            if (i && !parser_accept_word(parser, "of")) {
                parser_expected(parser, "`of`");
                return;
            }
            token = parser_token(parser);
            if (!parser_expect(parser, T_NAME, "a type variable"))
                return;
            struct symbol *symbol = &parser->syms[token->name];
            if (symbol->kind == SYM_NONE) {
                parser_fail(parser, token->place,
                            "expected a type variable of the rule, found `%.*s`",
                            token_shown(token), token->at);
                return;
            }
            bool used = symbol->used; // `wider` does not count as a use
            if (!(symbol = sym_use(parser, token, SYM_TYPE)))
                return;
            symbol->used = used;
            type[i] = symbol->index;
        }
        if (type_root(parser, type[0]) == type_root(parser, type[1])) {
            parser_fail(parser, at, "`wider`: the operators equate the two types");
            return;
        }
        struct type_order order = {type[0], type[1]};
        vec_push(&parser->wider, order);
    } while (parser_accept(parser, ','));
}
