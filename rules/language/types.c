// SPDX-License-Identifier: Apache-2.0
// Element types: their kinds and their variables.
#include "rules/language/parse.h"

static bool type_kind_word(struct parser *parser, unsigned *kinds)
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
        if (parser_accept_word(parser, words[i].word)) {
            *kinds |= words[i].kinds;
            return true;
        }
    }
    return false;
}

static bool read_kinds(struct parser *parser, unsigned *kinds)
{
    do {
        if (!type_kind_word(parser, kinds))
            return parser_expected(parser, "a kind of element types (any, num, int, sint, "
                                           "uint, float, real, bool)");
    } while (parser_accept(parser, '|'));
    return true;
}

uint32_t parse_type(struct parser *parser)
{
    unsigned kinds = 0;
    const struct token *token = parser_token(parser);
    if (type_kind_word(parser, &kinds)) {
        if (parser_accept(parser, '|') && !read_kinds(parser, &kinds))
            return NONE;
        uint32_t v = type_fresh(parser, kinds, "");
        parser->tvars.at[v].declared = kinds;
        return v;
    }
    if (!parser_at(parser, T_NAME)) {
        parser_expected(parser, "an element type");
        return NONE;
    }
    parser->at++;
    struct symbol *symbol = &parser->syms[token->name];
    if (symbol->kind == SYM_NONE && *token->at >= 'A' && *token->at <= 'Z') {
        uint32_t v = type_fresh(parser, KIND_ANY, parser_token_text(parser, token));
        symbol = sym_declare(parser, token, SYM_TYPE, v);
    } else {
        symbol = sym_use(parser, token, SYM_TYPE);
    }
    if (!symbol)
        return NONE;
    symbol->used = true;
    return symbol->index;
}

void read_type(struct parser *parser)
{
    do {
        const struct token *token = parser_token(parser);
        unsigned kinds = 0;
        if (!declare_name(parser, SYM_TYPE, parser->tvars.len, "the name of a type"))
            return;
        uint32_t v = type_fresh(parser, KIND_ANY, parser_token_text(parser, token));
        if (!parser_expect(parser, ':', "`:`") || !read_kinds(parser, &kinds))
            return;
        parser->tvars.at[v].kinds = kinds;
        parser->tvars.at[v].declared = kinds;
    } while (parser_accept(parser, ','));
}
