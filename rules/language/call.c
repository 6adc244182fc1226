// SPDX-License-Identifier: Apache-2.0
// The parts of calls in patterns: classes, attributes, options, reducers.
#include "rules/attributes.h"
#include "rules/language/call.h"

#include "base/text/suggest.h"
#include "rules/language/tokens/hints.h"

bool class_name(struct parser *parser, uint32_t *out)
{
    const struct token *token = parser_token(parser);
    if (!parser_expect(parser, T_NAME, "an axis class"))
        return false;
    struct symbol *symbol = sym_use(parser, token, SYM_CLASS);
    if (symbol)
        *out = symbol->index;
    return symbol != NULL;
}

bool class_set(struct parser *parser, uint64_t *set)
{
    *set = 0;
    if (!parser_expect(parser, '{', "`{`"))
        return false;
    do {
        const struct token *token = parser_token(parser);
        uint32_t c;
        if (!class_name(parser, &c))
            return false;
        if (*set & BIT(c))
            return parser_fail(parser, token->place, "the class `%.*s` is named twice",
                               (int)token->len, token->at);
        *set |= BIT(c);
    } while (parser_accept(parser, ','));
    return parser_expect(parser, '}', "`,` or `}`");
}

// {x: n, y: m} into v[..][k].
static bool in_braces(struct parser *parser, struct attr_set *set, int k, bool size)
{
    if (!parser_expect(parser, '{', "`{`"))
        return false;
    do {
        const struct token *token = parser_token(parser);
        uint32_t c;
        if (!class_name(parser, &c) || !parser_expect(parser, ':', "`:`"))
            return false;
        if (set->expr[c][k])
            return parser_fail(parser, token->place, "the class `%.*s` is named twice",
                               (int)token->len, token->at);
        set->expr[c][k] = size ? parse_size_on(parser, c) : parse_iexp_on(parser, c);
        if (!set->expr[c][k])
            return false;
        set->classes |= BIT(c);
    } while (parser_accept(parser, ','));
    return parser_expect(parser, '}', "`,` or `}`");
}

bool class_sizes(struct parser *parser, struct attr_set *set, int k)
{
    return in_braces(parser, set, k, true);
}

// An expression without braces is for the class of its maps.  Without a map the
// expression is for every class that may have the attribute.
static bool bare_attr(struct parser *parser, uint64_t on, struct attr_set *set, int k)
{
    struct place at = parser_token(parser)->place;
    parser->seen_classes = 0;
    const struct iexp *expr = parse_iexp(parser);
    if (!expr)
        return false;
    uint64_t seen = parser->seen_classes;
    if (seen & (seen - 1))
        return parser_fail(parser, at,
                           "the maps are on several classes %s; write "
                           "`{CLASS: expression}`",
                           classes_text(parser, seen));
    if (seen & ~on)
        return parser_fail(parser, at,
                           "the maps are on the class %s, but the operand has "
                           "the classes %s",
                           classes_text(parser, seen), classes_text(parser, on)) ||
               hint_rank(parser, on);
    if (!seen)
        seen = on;
    set->classes |= seen;
    for (uint32_t c = 0; c < RULES_MAX_CLASSES; c++)
        if (seen & BIT(c))
            set->expr[c][k] = expr;
    return true;
}

bool call_attribute(struct parser *parser, uint64_t on, struct attr_set *set, int k)
{
    return parser_at(parser, '{') ? in_braces(parser, set, k, false)
                                  : bare_attr(parser, on, set, k);
}

bool axis_attr(struct parser *parser, uint32_t *axis)
{
    if (!parser_accept_word(parser, "axis"))
        return parser_expected(parser, "`axis=`");
    return parser_expect(parser, '=', "`=`") && class_name(parser, axis) &&
           parser_expect(parser, ')', "`)`");
}

uint32_t call_operand(struct parser *parser)
{
    uint32_t a = parse_pattern(parser);
    if (a != NONE && !parser_at(parser, ',') && !parser_at(parser, ')')) {
        parser_expected(parser, "`,` or `)`");
        return NONE;
    }
    return a;
}

bool call_reducer(struct parser *parser, enum op *op, uint32_t *opvar)
{
    const struct token *token = parser_token(parser);
    *op = N_OPS;
    *opvar = NONE;
    char word[16] = "";
    if (token->kind != T_STRING && token->len < sizeof word)
        memcpy(word, token->at, token->len);
    if ((op_by_word(word, op) || op_by_name(word, op)) && op_is_reducer(*op)) {
        parser->at++;
        return true;
    }
    *op = N_OPS;
    if (!parser_at(parser, T_NAME))
        return parser_expected(parser, "a reducer (+ * max min & |, a monoid variable)");
    parser->at++;
    struct symbol *symbol = sym_use(parser, token, SYM_OPVAR);
    if (!symbol)
        return false;
    if (parser->opvars.at[symbol->index].kind != OPVAR_MONOID)
        return parser_fail(
            parser, token->place, "expected a monoid, found `%s`, which is any %s operator",
            parser->opvars.at[symbol->index].name,
            parser->opvars.at[symbol->index].kind == OPVAR_MONOTONE ? "monotone" : "elementwise");
    *opvar = symbol->index;
    return true;
}

enum index_use index_allow(struct parser *parser)
{
    enum index_use before = parser->index_use;
    if (before == INDEX_NO)
        parser->index_use = INDEX_YES;
    return before;
}

bool start_attr(struct parser *parser, uint64_t on, struct attr_set *set, int k)
{
    enum index_use before = index_allow(parser);
    bool ok = call_attribute(parser, on, set, k);
    parser->index_use = before;
    return ok;
}

// ---- options ----

// "`start=`, `limit=` or `stride=`"
static const char *names_of(struct parser *parser, const struct option *list, uint32_t n)
{
    struct buf buf = {0};
    for (uint32_t i = 0; i < n; i++)
        buf_printf(&buf, "%s`%s=`", i == 0 ? "" : i + 1 == n ? " or " : ", ", list[i].name);
    const char *text = arena_strdup(parser->mem, buf_text(&buf));
    buf_release(&buf);
    return text;
}

// The name of an option that a like one was probably meant to be.
static void hint_option(struct parser *parser, const struct token *token, uint32_t n,
                        const struct option *list)
{
    struct nearest near = nearest_to(token->at, token->kind == T_NAME ? token->len : 0);
    for (uint32_t i = 0; i < n; i++)
        nearest_consider(&near, list[i].name, strlen(list[i].name));
    if (near.word != NULL)
        parser_hint(parser, "did you mean `%s=`?", near.word);
}

// Options that name classes come before attributes, since these options decide which
// classes may have attributes.
static bool in_order(struct parser *parser, const struct option *list, uint32_t n, uint32_t at)
{
    for (uint32_t i = 0; i < n && list[at].kind <= OPTION_START; i++)
        if (list[i].kind == OPTION_CLASSES && list[i].needed && !list[i].given)
            return parser_fail(parser, parser_token(parser)->place, "`%s=` comes before `%s=`",
                               list[i].name, list[at].name);
    return true;
}

static bool option_value(struct parser *parser, uint64_t on, const struct option *option,
                         struct attr_set *set)
{
    switch (option->kind) {
    case OPTION_CLASSES:
        return class_set(parser, option->classes);
    case OPTION_AXIS:
        return class_name(parser, option->axis);
    case OPTION_PATTERN:
        return (*option->pat = call_operand(parser)) != NONE;
    case OPTION_GROUPS:
        return (*option->value = parse_iexp(parser)) != NULL;
    case OPTION_SIZE:
    case OPTION_ATTR:
        return call_attribute(parser, on, set, option->k);
    case OPTION_START:
        return start_attr(parser, on, set, option->k);
    }
    return false;
}

bool call_options(struct parser *parser, const uint64_t *on, struct option *list, uint32_t n,
                  struct attr_set *set)
{
    bool attrs = false, any = false;
    while (parser_accept(parser, ',')) {
        const struct token *token = parser_token(parser);
        uint32_t i = 0;
        while (i < n && !parser_at_word(parser, list[i].name))
            i++;
        if (i == n) {
            parser_expected(parser, names_of(parser, list, n));
            hint_option(parser, token, n, list);
            return false;
        }
        if (!in_order(parser, list, n, i))
            return false;
        parser->at++;
        if (list[i].given)
            return parser_fail(parser, token->place, "`%s` is given twice", list[i].name);
        list[i].given = any = true;
        attrs = attrs || list[i].kind <= OPTION_SIZE;
        if (!parser_expect(parser, '=', "`=`") || !option_value(parser, *on, &list[i], set))
            return false;
    }
    bool needed = false;
    for (uint32_t i = 0; i < n; i++) {
        needed = needed || list[i].needed;
        if (list[i].needed && !list[i].given) {
            parser_fail(parser, parser_token(parser)->place, "`%s=` is missing", list[i].name);
            parser->expected = true;
            return false;
        }
    }
    if (!any && !needed)
        return parser_expected(parser, names_of(parser, list, n));
    if (!parser_expect(parser, ')', "`,` or `)`"))
        return false;
    return !attrs || set->classes ||
           parser_fail(parser, parser_token(parser)->place,
                       "the operand has no axes to which the attributes could belong") ||
           hint_rank(parser, 0);
}

uint32_t attribute_options(enum op op, struct option *list)
{
    uint32_t n;
    const struct attribute_form *form = attribute_forms(op, &n);
    for (uint32_t k = 0; k < n; k++)
        list[k] = (struct option){.name = form[k].name, .k = (int)k};
    return n;
}
