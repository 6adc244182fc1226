// SPDX-License-Identifier: Apache-2.0
// What calls in patterns consist of: classes, attributes, options, reducers.
#include "rules/language/call.h"

bool class_name(struct parser *p, uint32_t *out)
{
    const struct token *t = parser_token(p);
    if (!parser_expect(p, T_NAME, "an axis class"))
        return false;
    struct symbol *s = sym_use(p, t, SYM_CLASS);
    if (s)
        *out = s->index;
    return s != NULL;
}

bool class_set(struct parser *p, uint64_t *set)
{
    *set = 0;
    if (!parser_expect(p, '{', "`{`"))
        return false;
    do {
        const struct token *t = parser_token(p);
        uint32_t c;
        if (!class_name(p, &c))
            return false;
        if (*set & BIT(c))
            return parser_fail(p, t->place, "the class `%.*s` is named twice",
                        (int)t->len, t->at);
        *set |= BIT(c);
    } while (parser_accept(p, ','));
    return parser_expect(p, '}', "`,` or `}`");
}

// {x: n, y: m} into v[..][k].
static bool in_braces(struct parser *p, struct attr_set *set, int k, bool size)
{
    if (!parser_expect(p, '{', "`{`"))
        return false;
    do {
        const struct token *t = parser_token(p);
        uint32_t c;
        if (!class_name(p, &c) || !parser_expect(p, ':', "`:`"))
            return false;
        if (set->v[c][k])
            return parser_fail(p, t->place, "the class `%.*s` is named twice",
                        (int)t->len, t->at);
        set->v[c][k] = size ? parse_size_on(p, c) : parse_iexp_on(p, c);
        if (!set->v[c][k])
            return false;
        set->classes |= BIT(c);
    } while (parser_accept(p, ','));
    return parser_expect(p, '}', "`,` or `}`");
}

bool class_sizes(struct parser *p, struct attr_set *set, int k)
{
    return in_braces(p, set, k, true);
}

// An expression without braces: its class is that of its maps; without a map
// it holds for every class that may have the attribute.
static bool bare_attr(struct parser *p, uint64_t on, struct attr_set *set,
                      int k)
{
    struct place at = parser_token(p)->place;
    p->seen_classes = 0;
    const struct iexp *x = parse_iexp(p);
    if (!x)
        return false;
    uint64_t seen = p->seen_classes;
    if (seen & (seen - 1))
        return parser_fail(p, at,
                    "the maps are on several classes %s; write "
                    "`{CLASS: expression}`",
                    classes_text(p, seen));
    if (seen & ~on)
        return parser_fail(p, at,
                    "the maps are on the class %s, but the operand has "
                    "the classes %s",
                    classes_text(p, seen), classes_text(p, on));
    if (!seen)
        seen = on;
    set->classes |= seen;
    for (uint32_t c = 0; c < LIMIT_CLASSES; c++)
        if (seen & BIT(c))
            set->v[c][k] = x;
    return true;
}

bool call_attribute(struct parser *p, uint64_t on, struct attr_set *set, int k)
{
    return parser_at(p, '{') ? in_braces(p, set, k, false)
                          : bare_attr(p, on, set, k);
}

bool axis_attr(struct parser *p, uint32_t *axis)
{
    if (!parser_accept_word(p, "axis"))
        return parser_expected(p, "`axis=`");
    return parser_expect(p, '=', "`=`") && class_name(p, axis) &&
           parser_expect(p, ')', "`)`");
}

uint32_t call_operand(struct parser *p)
{
    uint32_t a = parse_pattern(p);
    if (a != NONE && !parser_at(p, ',') && !parser_at(p, ')')) {
        parser_expected(p, "`,` or `)`");
        return NONE;
    }
    return a;
}

bool call_reducer(struct parser *p, enum op *op, uint32_t *opvar)
{
    static const struct {
        const char *text;
        enum op op;
    } names[] = {
        {"+", OP_ADD},   {"*", OP_MULTIPLY},        {"&", OP_AND},
        {"|", OP_OR},    {"max", OP_MAXIMUM},       {"min", OP_MINIMUM},
        {"add", OP_ADD}, {"multiply", OP_MULTIPLY}, {"and", OP_AND},
        {"or", OP_OR},   {"maximum", OP_MAXIMUM},   {"minimum", OP_MINIMUM},
    };
    const struct token *t = parser_token(p);
    *op = N_OPS;
    *opvar = NONE;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (t->kind != T_STRING && strlen(names[i].text) == t->len &&
            memcmp(names[i].text, t->at, t->len) == 0) {
            *op = names[i].op;
            p->at++;
            return true;
        }
    }
    if (!parser_at(p, T_NAME))
        return parser_expected(p, "a reducer (+ * max min & |, a monoid variable)");
    p->at++;
    struct symbol *s = sym_use(p, t, SYM_OPVAR);
    if (!s)
        return false;
    if (p->opvars.at[s->index].kind != OPVAR_MONOID)
        return parser_fail(p, t->place,
                    "expected a monoid, found `%s`, which is any %s operator",
                    p->opvars.at[s->index].name,
                    p->opvars.at[s->index].kind == OPVAR_MONOTONE
                        ? "monotone"
                        : "elementwise");
    *opvar = s->index;
    return true;
}

enum index_use index_allow(struct parser *p)
{
    enum index_use before = p->index_use;
    if (before == INDEX_NO)
        p->index_use = INDEX_YES;
    return before;
}

bool start_attr(struct parser *p, uint64_t on, struct attr_set *set, int k)
{
    enum index_use before = index_allow(p);
    bool ok = call_attribute(p, on, set, k);
    p->index_use = before;
    return ok;
}

// ---- options ----

// "`start=`, `limit=` or `stride=`"
static const char *names_of(struct parser *p, const struct option *list,
                            uint32_t n)
{
    struct buf b = {0};
    for (uint32_t i = 0; i < n; i++)
        buf_printf(&b, "%s`%s=`",
                   i == 0       ? ""
                   : i + 1 == n ? " or "
                                : ", ",
                   list[i].name);
    const char *text = arena_strdup(p->mem, buf_text(&b));
    buf_release(&b);
    return text;
}

// Which classes an attribute may be on is known once the others are: those come
// first.
static bool in_order(struct parser *p, const struct option *list, uint32_t n,
                     uint32_t at)
{
    for (uint32_t i = 0; i < n && list[at].kind <= OPTION_START; i++)
        if (list[i].kind == OPTION_CLASSES && list[i].needed && !list[i].given)
            return parser_fail(p, parser_token(p)->place, "`%s=` comes before `%s=`",
                        list[i].name, list[at].name);
    return true;
}

static bool option_value(struct parser *p, uint64_t on, const struct option *o,
                         struct attr_set *set)
{
    switch (o->kind) {
    case OPTION_CLASSES:
        return class_set(p, o->classes);
    case OPTION_AXIS:
        return class_name(p, o->axis);
    case OPTION_PATTERN:
        return (*o->pat = call_operand(p)) != NONE;
    case OPTION_GROUPS:
        return (*o->value = parse_iexp(p)) != NULL;
    case OPTION_SIZE:
    case OPTION_ATTR:
        return call_attribute(p, on, set, o->k);
    case OPTION_START:
        return start_attr(p, on, set, o->k);
    }
    return false;
}

bool call_options(struct parser *p, const uint64_t *on, struct option *list,
             uint32_t n, struct attr_set *set)
{
    bool attrs = false, any = false;
    while (parser_accept(p, ',')) {
        const struct token *t = parser_token(p);
        uint32_t i = 0;
        while (i < n && !parser_at_word(p, list[i].name))
            i++;
        if (i == n)
            return parser_expected(p, names_of(p, list, n));
        if (!in_order(p, list, n, i))
            return false;
        p->at++;
        if (list[i].given)
            return parser_fail(p, t->place, "`%s` is given twice", list[i].name);
        list[i].given = any = true;
        attrs = attrs || list[i].kind <= OPTION_SIZE;
        if (!parser_expect(p, '=', "`=`") || !option_value(p, *on, &list[i], set))
            return false;
    }
    bool needed = false;
    for (uint32_t i = 0; i < n; i++) {
        needed = needed || list[i].needed;
        if (list[i].needed && !list[i].given)
            return parser_fail(p, parser_token(p)->place, "`%s=` is missing", list[i].name);
    }
    if (!any && !needed)
        return parser_expected(p, names_of(p, list, n));
    if (!parser_expect(p, ')', "`,` or `)`"))
        return false;
    return !attrs || set->classes ||
           parser_fail(p, parser_token(p)->place,
                "the operand has no axes to which the attributes could belong");
}
