// SPDX-License-Identifier: Apache-2.0
// Statements before the formula: what is declared, given and defined.
#include "formula/parser.h"

static const struct ast_tensor *tensor_named(const struct ast *a,
                                             const char *name)
{
    for (uint32_t i = 0; i < a->tensor.len; i++)
        if (strcmp(a->tensor.at[i].name, name) == 0)
            return &a->tensor.at[i];
    return NULL;
}

// A name that is declared: it must be new, and nothing has used it yet.
static bool new_name(struct parser *p, const char **out)
{
    const struct ftoken *t = parser_look(p);
    if (t->kind != FTOK_NAME || token_reserved(t))
        return parser_expected(p, "a name");
    const char *name = parser_text(p, t);
    if (strcmp(name, "pi") == 0 || strcmp(name, "true") == 0 ||
        strcmp(name, "false") == 0 || strcmp(name, "inf") == 0 ||
        strcmp(name, "nan") == 0)
        return err_at(p->e, ERR_INPUT, p->file, t->line, t->col,
                      "%s has a meaning already", name);
    if (tensor_named(p->a, name) || ast_let_named(p->a, name))
        return err_at(p->e, ERR_INPUT, p->file, t->line, t->col,
                      "%s is declared twice", name);
    for (uint32_t i = 0; i < p->a->node.len; i++) {
        const struct ast_node *x = &p->a->node.at[i];
        if ((x->kind == AST_NAME || x->kind == AST_ELEMENT) &&
            strcmp(x->name, name) == 0)
            return err_at(p->e, ERR_INPUT, p->file, t->line, t->col,
                          "%s is declared behind its use in line %u", name,
                          x->line);
    }
    p->next++;
    *out = name;
    return true;
}

static bool parse_tensors(struct parser *p, bool scalars)
{
    do {
        const struct ftoken *t = parser_look(p);
        struct ast_tensor x = {.line = t->line, .col = t->col};
        if (!new_name(p, &x.name))
            return false;
        if (!scalars && parser_look(p)->kind != '[')
            return parser_expected(p, "`[` and the axes");
        if (!scalars && !parse_axes(p, &x.axes_at, &x.axes_n))
            return false;
        vec_push(&p->a->tensor, x);
    } while (parser_take(p, ','));
    return parser_need(p, ';', "`,` or `;`");
}

static bool parse_let(struct parser *p)
{
    struct ast_let let;
    if (!new_name(p, &let.name) || !parser_need(p, '=', "`=`") ||
        !parse_expression(p, &let.value) ||
        !parser_need(p, ';', "an operator or `;`"))
        return false;
    vec_push(&p->a->let, let);
    return true;
}

// a < b <= c ..; `and` joins such chains.
static bool parse_chain(struct parser *p)
{
    uint32_t a, b, x;
    const struct fname *f;
    bool any = false;
    if (!parse_above(p, LEVEL_SUM, &a))
        return false;
    for (; (f = parser_infix(p, LEVEL_COMPARE)) != NULL; a = b, any = true) {
        const struct ftoken *t = parser_look(p);
        p->next++;
        if (!parse_above(p, LEVEL_SUM, &b) ||
            !parser_operator(p, f, t, a, b, &x))
            return false;
        vec_push(&p->a->given, x);
    }
    return any || parser_expected(p, "a comparison");
}

static bool parse_given(struct parser *p)
{
    do {
        if (!parse_chain(p))
            return false;
        if (token_is(parser_look(p), "or"))
            return parser_fail(p, parser_look(p),
                               "what is given are comparisons, all of "
                               "which hold: there is no `or`");
    } while (parser_take(p, ',') ||
             (token_is(parser_look(p), "and") && ++p->next));
    return parser_need(p, ';', "an operator, `,` or `;`");
}

bool parse_statements(struct parser *p)
{
    for (;;) {
        const struct ftoken *t = parser_look(p);
        bool ok, scalars = token_is(t, "scalar");
        if (parser_take(p, ';'))
            continue;
        if (!token_reserved(t) || token_is(t, "not"))
            break;
        p->next++;
        if (token_is(t, "let")) {
            ok = parse_let(p);
        } else if (token_is(t, "given")) {
            ok = parse_given(p);
        } else if (scalars || token_is(t, "tensor")) {
            ok = parse_tensors(p, scalars);
        } else {
            p->next--;
            break;
        }
        if (!ok)
            return false;
    }
    if (parser_look(p)->kind == FTOK_END)
        return parser_expected(p, "a formula");
    if (!parse_expression(p, &p->a->root))
        return false;
    bool ended = parser_take(p, ';');
    if (parser_look(p)->kind == FTOK_END)
        return true;
    return ended ? parser_expected(p, "the end: the formula comes last")
                 : parser_expected(p, "an operator or the end");
}
