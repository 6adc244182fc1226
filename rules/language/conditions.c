// SPDX-License-Identifier: Apache-2.0
// Preconditions: comparisons of integer expressions, connectives, named forms, and
// `all(P)` of elements.
#include "rules/language/parse.h"
#include "rules/language/tokens/hints.h"

#include "rules/language/forms/forms.h"

const struct cond *condition_compare(struct parser *parser, enum cond_op op, const struct iexp *a,
                                     const struct iexp *b)
{
    struct cond *condition = ARENA_NEW(parser->mem, struct cond, 1);
    *condition = (struct cond){.op = op, .a = a, .b = b};
    return condition;
}

const struct cond *condition_connect(struct parser *parser, enum cond_op op, const struct cond *l,
                                     const struct cond *r)
{
    struct cond *condition = ARENA_NEW(parser->mem, struct cond, 1);
    *condition = (struct cond){.op = op, .l = l, .r = r};
    return condition;
}

static bool comparison_op(const struct parser *parser)
{
    switch (parser_token(parser)->kind) {
    case '<':
    case '>':
    case T_LE:
    case T_GE:
    case T_EQ:
    case T_NE:
        return true;
    default:
        return false;
    }
}

// a >= b becomes b <= a, and a > b becomes b < a.
static const struct cond *compare(struct parser *parser, int kind, const struct iexp *a,
                                  const struct iexp *b)
{
    bool swap = kind == '>' || kind == T_GE;
    enum cond_op op = kind == T_EQ                 ? COND_EQ
                      : kind == T_NE               ? COND_NE
                      : kind == '<' || kind == '>' ? COND_LT
                                                   : COND_LE;
    return condition_compare(parser, op, swap ? b : a, swap ? a : b);
}

static const struct cond *comparisons(struct parser *parser)
{
    const struct iexp *expr = parse_iexp(parser), *b;
    const struct cond *all = NULL;
    if (!expr)
        return NULL;
    if (!comparison_op(parser)) {
        parser_expected(parser, "a comparison (<= < == != >= >)");
        return NULL;
    }
    while (comparison_op(parser)) {
        int kind = parser_token(parser)->kind;
        parser->at++;
        if (!(b = parse_iexp(parser)))
            return NULL;
        const struct cond *condition = compare(parser, kind, expr, b);
        all = all ? condition_connect(parser, COND_AND, all, condition) : condition;
        expr = b;
    }
    return all;
}

static const struct cond *implication(struct parser *parser);

static const struct condition_form *form_here(const struct parser *parser)
{
    if (!parser_at(parser, T_NAME) || parser_token(parser)[1].kind != '(')
        return NULL;
    for (uint32_t i = 0; i < n_condition_forms; i++)
        if (parser_at_word(parser, condition_forms[i].name))
            return &condition_forms[i];
    return NULL;
}

// Reads NAME(a, b, ..) and writes out the form.
static const struct cond *form_call(struct parser *parser, const struct condition_form *form)
{
    const struct iexp *argument[MAX_FORM_ARGUMENTS];
    parser->at += 2;
    for (uint32_t i = 0; i < form->n_arguments; i++)
        if ((i > 0 && !parser_expect(parser, ',', "`,` and another argument")) ||
            !(argument[i] = parse_iexp(parser)))
            return NULL;
    return parser_expect(parser, ')', "`)`") ? form->write_out(parser, argument) : NULL;
}

// Does the parenthesis here enclose a condition rather than an expression?
static bool encloses_condition(const struct parser *parser)
{
    uint32_t close = parser_token(parser)->match;
    if (close == NONE)
        return true;
    switch (parser->lx.tokens.at[close + 1].kind) {
    case '+':
    case '-':
    case '*':
    case '<':
    case '>':
    case T_LE:
    case T_GE:
    case T_EQ:
    case T_NE:
        return false;
    default:
        return true;
    }
}

static const struct cond *negation(struct parser *parser)
{
    const struct cond *condition;
    if (!parser_enter(parser))
        return NULL;
    if (parser_accept_word(parser, "not")) {
        condition = negation(parser);
        condition = condition ? condition_connect(parser, COND_NOT, condition, NULL) : NULL;
    } else if (parser_at(parser, '(') && encloses_condition(parser)) {
        parser->at++;
        condition = implication(parser);
        if (condition && !parser_expect(parser, ')', "`)`"))
            condition = NULL;
    } else {
        const struct condition_form *form = form_here(parser);
        condition = form ? form_call(parser, form) : comparisons(parser);
    }
    parser_leave(parser);
    return condition;
}

static const struct cond *conjunction(struct parser *parser)
{
    const struct cond *condition = negation(parser), *r;
    while (condition && parser_accept_word(parser, "and"))
        condition =
            (r = negation(parser)) ? condition_connect(parser, COND_AND, condition, r) : NULL;
    return condition;
}

static const struct cond *disjunction(struct parser *parser)
{
    const struct cond *condition = conjunction(parser), *r;
    while (condition && parser_accept_word(parser, "or"))
        condition =
            (r = conjunction(parser)) ? condition_connect(parser, COND_OR, condition, r) : NULL;
    return condition;
}

static const struct cond *implication(struct parser *parser)
{
    const struct cond *condition = disjunction(parser), *r;
    if (!condition || !parser_accept(parser, T_IMPLIES))
        return condition;
    if (!parser_enter(parser))
        return NULL;
    r = implication(parser);
    parser_leave(parser);
    return r ? condition_connect(parser, COND_OR,
                                 condition_connect(parser, COND_NOT, condition, NULL), r)
             : NULL;
}

// One `where` for each conjunct.
static void push_conjuncts(struct parser *parser, const struct cond *condition, uint32_t family,
                           struct place at)
{
    if (condition->op == COND_AND) {
        push_conjuncts(parser, condition->l, family, at);
        push_conjuncts(parser, condition->r, family, at);
        return;
    }
    struct where where = {.family = family, .cond = condition, .pat = NONE, .place = at};
    vec_push(&parser->wheres, where);
}

static void read_map_condition(struct parser *parser)
{
    uint32_t start = parser->at;
    struct place at = parser_token(parser)->place;
    parser->seen_classes = 0;
    parser->index_use = INDEX_IN_CONDITION;
    const struct cond *condition = implication(parser);
    parser->index_use = INDEX_NO;
    if (!condition)
        return;
    if (parser->at - start > RULES_MAX_NODES) {
        parser_fail(parser, at, "the condition is longer than %d tokens", RULES_MAX_NODES);
        return;
    }
    if (!parser->seen_classes) {
        parser_fail(parser, at, "a condition needs a map; this one has constants only");
        return;
    }
    uint32_t cls = 0;
    while (!(parser->seen_classes >> cls & 1))
        cls++;
    if (parser->seen_classes & ~family_mask(parser, cls)) {
        parser_fail(parser, at,
                    "a condition holds axis by axis, but its maps are on the classes "
                    "%s, which are not alike",
                    classes_text(parser, parser->seen_classes));
        hint_alike(parser, parser->seen_classes);
        return;
    }
    push_conjuncts(parser, condition, family_first(parser, cls), at);
}

static void read_element_condition(struct parser *parser)
{
    struct place at = parser_token(parser)->place;
    parser->at += 2;
    parser->index_use = INDEX_IN_CONDITION;
    uint32_t pat = parse_pattern(parser);
    parser->index_use = INDEX_NO;
    if (pat == NONE || !parser_expect(parser, ')', "`)`"))
        return;
    if (!type_require(parser, parser->pats.at[pat].type, KIND_BOOL, at, "`all`"))
        return;
    struct where where = {.family = NONE, .cond = NULL, .pat = pat, .place = at};
    vec_push(&parser->wheres, where);
}

void parse_where(struct parser *parser)
{
    do {
        if (parser_at_word(parser, "all") && parser_token(parser)[1].kind == '(')
            read_element_condition(parser);
        else
            read_map_condition(parser);
    } while (!parser->failed && parser_accept(parser, ','));
}
