// SPDX-License-Identifier: Apache-2.0
// Statements before the formula: what is declared, given and defined.
#include "formula/language/parser.h"

static const struct ast_tensor *tensor_named(const struct ast *a,
                                             const char *name)
{
    for (uint32_t i = 0; i < a->tensor.len; i++)
        if (strcmp(a->tensor.at[i].name, name) == 0)
            return &a->tensor.at[i];
    return NULL;
}

// A name that is declared: it must be new, and nothing has used it yet.
static bool new_name(struct formula_parser *p, const char **out)
{
    const struct ftoken *t = formula_parser_look(p);
    if (t->kind != FTOK_NAME || ftoken_reserved(t))
        return formula_parser_expected(p, "a name");
    const char *name = formula_parser_text(p, t);
    if (strcmp(name, "pi") == 0 || strcmp(name, "true") == 0 ||
        strcmp(name, "false") == 0 || strcmp(name, "inf") == 0 ||
        strcmp(name, "nan") == 0)
        return err_at(p->e, ERR_INPUT, p->file, t->line, t->col,
                      "%s has a meaning already", name);
    if (tensor_named(p->a, name) || ast_find_let(p->a, name))
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

static bool parse_tensors(struct formula_parser *p, bool scalars)
{
    do {
        const struct ftoken *t = formula_parser_look(p);
        struct ast_tensor x = {.line = t->line, .col = t->col};
        if (!new_name(p, &x.name))
            return false;
        if (!scalars && formula_parser_look(p)->kind != '[')
            return formula_parser_expected(p, "`[` and the axes");
        if (!scalars && !formula_parse_axes(p, &x.axes_at, &x.axes_n))
            return false;
        vec_push(&p->a->tensor, x);
    } while (formula_parser_take(p, ','));
    return formula_parser_need(p, ';', "`,` or `;`");
}

static bool parse_let(struct formula_parser *p)
{
    struct ast_let let;
    if (!new_name(p, &let.name) || !formula_parser_need(p, '=', "`=`") ||
        !formula_parse_expression(p, &let.value) ||
        !formula_parser_need(p, ';', "an operator or `;`"))
        return false;
    vec_push(&p->a->let, let);
    return true;
}

// a < b <= c ..; `and` joins such chains.
static bool parse_chain(struct formula_parser *p)
{
    uint32_t a, b, x;
    const struct fname *f;
    bool any = false;
    if (!formula_parse_above(p, LEVEL_SUM, &a))
        return false;
    for (; (f = formula_parser_infix(p, LEVEL_COMPARE)) != NULL; a = b, any = true) {
        const struct ftoken *t = formula_parser_look(p);
        p->next++;
        if (!formula_parse_above(p, LEVEL_SUM, &b) ||
            !formula_parser_operator(p, f, t, a, b, &x))
            return false;
        vec_push(&p->a->given, x);
    }
    return any || formula_parser_expected(p, "a comparison");
}

static bool parse_given(struct formula_parser *p)
{
    do {
        if (!parse_chain(p))
            return false;
        if (ftoken_is(formula_parser_look(p), "or"))
            return formula_parser_fail(p, formula_parser_look(p),
                               "what is given are comparisons, all of "
                               "which hold: there is no `or`");
    } while (formula_parser_take(p, ',') ||
             (ftoken_is(formula_parser_look(p), "and") && ++p->next));
    return formula_parser_need(p, ';', "an operator, `,` or `;`");
}

bool formula_parse_statements(struct formula_parser *p)
{
    for (;;) {
        const struct ftoken *t = formula_parser_look(p);
        bool ok, scalars = ftoken_is(t, "scalar");
        if (formula_parser_take(p, ';'))
            continue;
        if (!ftoken_reserved(t) || ftoken_is(t, "not"))
            break;
        p->next++;
        if (ftoken_is(t, "let")) {
            ok = parse_let(p);
        } else if (ftoken_is(t, "given")) {
            ok = parse_given(p);
        } else if (scalars || ftoken_is(t, "tensor")) {
            ok = parse_tensors(p, scalars);
        } else {
            p->next--;
            break;
        }
        if (!ok)
            return false;
    }
    if (formula_parser_look(p)->kind == FTOK_END)
        return formula_parser_expected(p, "a formula");
    if (!formula_parse_expression(p, &p->a->root))
        return false;
    bool ended = formula_parser_take(p, ';');
    if (formula_parser_look(p)->kind == FTOK_END)
        return true;
    return ended ? formula_parser_expected(p, "the end: the formula comes last")
                 : formula_parser_expected(p, "an operator or the end");
}
