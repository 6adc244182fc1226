// SPDX-License-Identifier: Apache-2.0
// Integer expressions and preconditions.
#include "rules/language/parse.h"

static const struct iexp *constant(struct parser *p, int64_t k)
{
    struct iexp *x = ARENA_NEW(p->mem, struct iexp, 1);
    x->k = k;
    x->map = NONE;
    x->nodes = 1;
    return x;
}

static bool index_may_stand(struct parser *p, const struct token *t)
{
    p->seen_index = true;
    if (p->index_use == INDEX_YES)
        return true;
    if (p->index_use == INDEX_IN_CONDITION)
        return parser_fail(p, t->place,
                    "`%.*s` is an index, whose value is known only when the "
                    "program runs: no precondition on it could be checked when "
                    "the rule is applied",
                    (int)(t->len < 60 ? t->len : 60), t->at);
    return parser_fail(p, t->place,
                "`%.*s` is an index, a value that is known only when the "
                "program runs: it stands in the `start` of dynamic_slice and "
                "dynamic_update_slice and in value(), never in a size or in "
                "another attribute",
                (int)(t->len < 60 ? t->len : 60), t->at);
}

static const struct iexp *map_value(struct parser *p)
{
    const struct token *t = parser_token(p);
    p->at++;
    struct symbol *s = sym_use(p, t, SYM_MAP);
    if (!s)
        return NULL;
    if (p->maps.at[s->index].index && !index_may_stand(p, t))
        return NULL;
    struct iexp *x = ARENA_NEW(p->mem, struct iexp, 1);
    x->op = IE_MAP;
    x->map = s->index;
    x->nodes = 1;
    p->seen_classes |= UINT64_C(1) << p->maps.at[s->index].cls;
    return x;
}

static bool function_by_name(const struct token *t, enum iexp_op *op)
{
    static const struct {
        const char *name;
        enum iexp_op op;
    } functions[] = {
        {"div", IE_DIV}, {"mod", IE_MOD}, {"ceildiv", IE_CDIV},
        {"min", IE_MIN}, {"max", IE_MAX}, {"abs", IE_ABS},
    };
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        if (strlen(functions[i].name) == t->len &&
            memcmp(functions[i].name, t->at, t->len) == 0) {
            *op = functions[i].op;
            return true;
        }
    }
    return false;
}

// min and max of more than two are folded from the left.
static const struct iexp *call(struct parser *p)
{
    const struct token *t = parser_token(p);
    enum iexp_op op;
    if (!function_by_name(t, &op)) {
        parser_expected(p, "a function of integers (div, mod, ceildiv, min, max, "
                    "clamp, abs)");
        return NULL;
    }
    p->at += 2;
    const struct iexp *x = parse_iexp(p);
    if (!x)
        return NULL;
    if (op == IE_ABS)
        x = iexp_new(p, op, x, NULL, t->place);
    uint32_t n = 1;
    while (x && op != IE_ABS && (n == 1 || parser_at(p, ','))) {
        if (n++ == 2 && op != IE_MIN && op != IE_MAX)
            break;
        const struct iexp *b;
        if (!parser_expect(p, ',', "`,` and a second expression") ||
            !(b = parse_iexp(p)))
            return NULL;
        x = iexp_new(p, op, x, b, t->place);
    }
    if (x && !parser_expect(p, ')', "`)`"))
        return NULL;
    return x;
}

// clamp(x, lo, hi) is min(max(x, lo), hi).
static const struct iexp *clamp_call(struct parser *p)
{
    struct place at = parser_token(p)->place;
    const struct iexp *x, *b;
    p->at += 2;
    if (!(x = parse_iexp(p)))
        return NULL;
    for (int i = 0; x && i < 2; i++) {
        if (!parser_expect(p, ',', "`,` and another bound") || !(b = parse_iexp(p)))
            return NULL;
        x = iexp_new(p, i ? IE_MIN : IE_MAX, x, b, at);
    }
    return x && parser_expect(p, ')', "`)`") ? x : NULL;
}

static const struct iexp *primary(struct parser *p)
{
    const struct token *t = parser_token(p);
    if (parser_at(p, T_INT)) {
        p->at++;
        return constant(p, t->value);
    }
    if (parser_at(p, T_NAME))
        return t[1].kind != '('       ? map_value(p)
               : parser_at_word(p, "clamp") ? clamp_call(p)
                                      : call(p);
    if (parser_accept(p, '(')) {
        const struct iexp *x = parse_iexp(p);
        return x && parser_expect(p, ')', "`)`") ? x : NULL;
    }
    parser_expected(p, "an integer expression");
    return NULL;
}

static const struct iexp *unary(struct parser *p)
{
    const struct token *t = parser_token(p);
    if (!parser_enter(p))
        return NULL;
    const struct iexp *x;
    if (parser_accept(p, '-')) {
        if (parser_at(p, T_INT)) {
            x = constant(p, -parser_token(p)->value);
            p->at++;
        } else {
            x = unary(p);
            x = x ? iexp_new(p, IE_NEG, x, NULL, t->place) : NULL;
        }
    } else {
        x = primary(p);
    }
    parser_leave(p);
    return x;
}

static const struct iexp *product(struct parser *p)
{
    const struct iexp *x = unary(p), *b;
    while (x && parser_at(p, '*')) {
        struct place at = parser_token(p)->place;
        p->at++;
        b = unary(p);
        x = b ? iexp_new(p, IE_MUL, x, b, at) : NULL;
    }
    return x;
}

const struct iexp *parse_iexp(struct parser *p)
{
    const struct iexp *x = product(p), *b;
    while (x && (parser_at(p, '+') || parser_at(p, '-'))) {
        struct place at = parser_token(p)->place;
        enum iexp_op op = parser_at(p, '+') ? IE_ADD : IE_SUB;
        p->at++;
        b = product(p);
        x = b ? iexp_new(p, op, x, b, at) : NULL;
    }
    return x;
}

const struct iexp *parse_iexp_on(struct parser *p, uint32_t cls)
{
    struct place at = parser_token(p)->place;
    p->seen_classes = 0;
    const struct iexp *x = parse_iexp(p);
    if (!x)
        return NULL;
    const struct map *m = iexp_stranger(p, x, family_mask(p, cls));
    if (m) {
        parser_fail(p, at, "expected maps on `%s`, found `%s`, which is on `%s`",
             p->classes.at[cls].name, m->name, p->classes.at[m->cls].name);
        return NULL;
    }
    return x;
}

const struct iexp *parse_size_on(struct parser *p, uint32_t cls)
{
    struct place at = parser_token(p)->place;
    const struct iexp *x = parse_iexp_on(p, cls);
    const struct axis_class *c = &p->classes.at[cls];
    if (!x || !c->block)
        return x;
    if (x->op == IE_MAP &&
        p->classes.at[p->maps.at[x->map].cls].like == c->like)
        return x;
    parser_fail_block(p, at, cls, "",
               "has the size that is declared, a map on it, and no other");
    return NULL;
}

// ---- preconditions ----

static struct cond *cond_new(struct parser *p, enum cond_op op)
{
    struct cond *c = ARENA_NEW(p->mem, struct cond, 1);
    c->op = op;
    return c;
}

static const struct cond *connect(struct parser *p, enum cond_op op,
                                  const struct cond *l, const struct cond *r)
{
    struct cond *c = cond_new(p, op);
    c->l = l;
    c->r = r;
    return c;
}

static bool comparison_op(const struct parser *p)
{
    switch (parser_token(p)->kind) {
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

// >= and > are turned around.
static const struct cond *compare(struct parser *p, int kind,
                                  const struct iexp *a, const struct iexp *b)
{
    bool swap = kind == '>' || kind == T_GE;
    struct cond *c = cond_new(p, kind == T_EQ                 ? COND_EQ
                                 : kind == T_NE               ? COND_NE
                                 : kind == '<' || kind == '>' ? COND_LT
                                                              : COND_LE);
    c->a = swap ? b : a;
    c->b = swap ? a : b;
    return c;
}

static const struct cond *comparisons(struct parser *p)
{
    const struct iexp *a = parse_iexp(p), *b;
    const struct cond *all = NULL;
    if (!a)
        return NULL;
    if (!comparison_op(p)) {
        parser_expected(p, "a comparison (<= < == != >= >)");
        return NULL;
    }
    while (comparison_op(p)) {
        int kind = parser_token(p)->kind;
        p->at++;
        if (!(b = parse_iexp(p)))
            return NULL;
        const struct cond *c = compare(p, kind, a, b);
        all = all ? connect(p, COND_AND, all, c) : c;
        a = b;
    }
    return all;
}

static const struct cond *implication(struct parser *p);

// Does the parenthesis here enclose a condition rather than an expression?
static bool encloses_condition(const struct parser *p)
{
    uint32_t close = parser_token(p)->match;
    if (close == NONE)
        return true;
    switch (p->lx.tokens.at[close + 1].kind) {
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

static const struct cond *negation(struct parser *p)
{
    const struct cond *c;
    if (!parser_enter(p))
        return NULL;
    if (parser_accept_word(p, "not")) {
        c = negation(p);
        c = c ? connect(p, COND_NOT, c, NULL) : NULL;
    } else if (parser_at(p, '(') && encloses_condition(p)) {
        p->at++;
        c = implication(p);
        if (c && !parser_expect(p, ')', "`)`"))
            c = NULL;
    } else {
        c = comparisons(p);
    }
    parser_leave(p);
    return c;
}

static const struct cond *conjunction(struct parser *p)
{
    const struct cond *l = negation(p), *r;
    while (l && parser_accept_word(p, "and"))
        l = (r = negation(p)) ? connect(p, COND_AND, l, r) : NULL;
    return l;
}

static const struct cond *disjunction(struct parser *p)
{
    const struct cond *l = conjunction(p), *r;
    while (l && parser_accept_word(p, "or"))
        l = (r = conjunction(p)) ? connect(p, COND_OR, l, r) : NULL;
    return l;
}

static const struct cond *implication(struct parser *p)
{
    const struct cond *l = disjunction(p), *r;
    if (!l || !parser_accept(p, T_IMPLIES))
        return l;
    if (!parser_enter(p))
        return NULL;
    r = implication(p);
    parser_leave(p);
    return r ? connect(p, COND_OR, connect(p, COND_NOT, l, NULL), r) : NULL;
}

// One `where` for each conjunct.
static void push_conjuncts(struct parser *p, const struct cond *c,
                           uint32_t family, struct place at)
{
    if (c->op == COND_AND) {
        push_conjuncts(p, c->l, family, at);
        push_conjuncts(p, c->r, family, at);
        return;
    }
    struct where w = {.family = family, .cond = c, .pat = NONE, .place = at};
    vec_push(&p->wheres, w);
}

static void read_map_condition(struct parser *p)
{
    uint32_t start = p->at;
    struct place at = parser_token(p)->place;
    p->seen_classes = 0;
    p->index_use = INDEX_IN_CONDITION;
    const struct cond *c = implication(p);
    p->index_use = INDEX_NO;
    if (!c)
        return;
    if (p->at - start > LIMIT_NODES) {
        parser_fail(p, at, "the condition is longer than %d tokens", LIMIT_NODES);
        return;
    }
    if (!p->seen_classes) {
        parser_fail(p, at, "a condition needs a map; this one has constants only");
        return;
    }
    uint32_t cls = 0;
    while (!(p->seen_classes >> cls & 1))
        cls++;
    if (p->seen_classes & ~family_mask(p, cls)) {
        parser_fail(p, at,
             "a condition holds axis by axis, but its maps are on the classes "
             "%s, which are not alike",
             classes_text(p, p->seen_classes));
        return;
    }
    push_conjuncts(p, c, family_first(p, cls), at);
}

static void read_element_condition(struct parser *p)
{
    struct place at = parser_token(p)->place;
    p->at += 2;
    p->index_use = INDEX_IN_CONDITION;
    uint32_t pat = parse_pattern(p);
    p->index_use = INDEX_NO;
    if (pat == NONE || !parser_expect(p, ')', "`)`"))
        return;
    if (!type_require(p, p->pats.at[pat].type, KIND_BOOL, at, "`all`"))
        return;
    struct where w = {.family = NONE, .cond = NULL, .pat = pat, .place = at};
    vec_push(&p->wheres, w);
}

void parse_where(struct parser *p)
{
    do {
        if (parser_at_word(p, "all") && parser_token(p)[1].kind == '(')
            read_element_condition(p);
        else
            read_map_condition(p);
    } while (!p->failed && parser_accept(p, ','));
}
