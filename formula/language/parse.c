// SPDX-License-Identifier: Apache-2.0
#include "formula/language/parser.h"

enum { MAX_DEPTH = 400, MAX_NESTING = 200, MAX_ARGS = 16, MAX_AXES = 8 };

const struct ftoken *formula_parser_ahead(const struct formula_parser *p, uint32_t n)
{
    uint32_t last = p->tokens.at.len - 1;
    return &p->tokens.at.at[p->next + n < last ? p->next + n : last];
}

bool ftoken_is(const struct ftoken *t, const char *word)
{
    return t->kind == FTOK_NAME && strlen(word) == t->len &&
           memcmp(t->at, word, t->len) == 0;
}

bool formula_parser_fail(struct formula_parser *p, const struct ftoken *t, const char *what)
{
    return err_at(p->e, ERR_INPUT, p->file, t->line, t->col, "%s", what);
}

bool formula_parser_expected(struct formula_parser *p, const char *what)
{
    const struct ftoken *t = formula_parser_look(p);
    if (t->kind == FTOK_END)
        return err_at(p->e, ERR_INPUT, p->file, t->line, t->col,
                      "expected %s, found the end", what);
    return err_at(p->e, ERR_INPUT, p->file, t->line, t->col,
                  "expected %s, found %.*s", what, (int)t->len, t->at);
}

bool formula_parser_take(struct formula_parser *p, int kind)
{
    if (formula_parser_look(p)->kind != kind)
        return false;
    p->next++;
    return true;
}

bool formula_parser_need(struct formula_parser *p, int kind, const char *what)
{
    return formula_parser_take(p, kind) || formula_parser_expected(p, what);
}

const char *formula_parser_text(struct formula_parser *p, const struct ftoken *t)
{
    return intern_text(p->a->names, intern_bytes(p->a->names, t->at, t->len));
}

bool ftoken_reserved(const struct ftoken *t)
{
    static const char *const words[] = {"and", "or",    "not",   "tensor",
                                        "let", "given", "scalar"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (ftoken_is(t, words[i]))
            return true;
    return false;
}

bool formula_parser_add(struct formula_parser *p, struct ast_node node, uint32_t n,
                const uint32_t *args, uint32_t *out)
{
    struct ast *a = p->a;
    node.at = a->arg.len;
    node.n = n;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t below = a->node.at[args[i]].depth;
        vec_push(&a->arg, args[i]);
        node.depth = below >= node.depth ? below + 1 : node.depth;
    }
    if (node.depth > MAX_DEPTH)
        return err_at(p->e, ERR_INPUT, p->file, node.line, node.col,
                      "the formula is too deep: at most %d levels", MAX_DEPTH);
    *out = a->node.len;
    vec_push(&a->node, node);
    return true;
}

struct ast_node formula_parser_node(enum ast_kind kind, const char *name,
                            const struct ftoken *t)
{
    return (struct ast_node){
        .kind = kind, .name = name, .line = t->line, .col = t->col};
}

bool formula_parse_nested(struct formula_parser *p, enum fname_level level, uint32_t *out)
{
    if (p->nesting > MAX_NESTING) // the whole is no parenthesis
        return formula_parser_fail(p, formula_parser_look(p), "the formula is too deep");
    p->nesting++;
    bool ok = formula_parse_above(p, level, out);
    p->nesting--;
    return ok;
}

bool formula_parse_expression(struct formula_parser *p, uint32_t *out)
{
    return formula_parse_nested(p, LEVEL_OR, out);
}

bool formula_parse_axes(struct formula_parser *p, uint32_t *at, uint32_t *n)
{
    *at = p->a->axis.len;
    p->next++;
    while (!formula_parser_take(p, ']')) {
        const struct ftoken *t = formula_parser_look(p);
        if (p->a->axis.len > *at && !formula_parser_need(p, ',', "`,` or `]`"))
            return false;
        t = formula_parser_look(p);
        if (t->kind != FTOK_NAME || ftoken_reserved(t))
            return formula_parser_expected(p, "the name of an axis");
        struct ast_axis axis = {formula_parser_text(p, t), t->line, t->col};
        vec_push(&p->a->axis, axis);
        p->next++;
        if (p->a->axis.len - *at > MAX_AXES)
            return formula_parser_fail(p, t, "more than 8 axes");
    }
    *n = p->a->axis.len - *at;
    return true;
}

bool formula_parse_args(struct formula_parser *p, uint32_t *args, uint32_t *n)
{
    p->next++;
    *n = 0;
    if (formula_parser_take(p, ')'))
        return true;
    do {
        if (*n == MAX_ARGS)
            return formula_parser_fail(p, formula_parser_look(p), "more than 16 arguments");
        if (!formula_parse_expression(p, &args[*n]))
            return false;
        ++*n;
    } while (formula_parser_take(p, ','));
    return formula_parser_need(p, ')', "an operator, `,` or `)`");
}

// size(j), size(i, j): its arguments are names of axes.
static bool parse_size(struct formula_parser *p, struct ast_node node, uint32_t *out)
{
    node.axes_at = p->a->axis.len;
    p->next++;
    do {
        const struct ftoken *t = formula_parser_look(p);
        if (t->kind != FTOK_NAME || ftoken_reserved(t))
            return formula_parser_expected(p, "the name of an axis");
        struct ast_axis axis = {formula_parser_text(p, t), t->line, t->col};
        vec_push(&p->a->axis, axis);
        p->next++;
    } while (formula_parser_take(p, ','));
    node.axes_n = p->a->axis.len - node.axes_at;
    if (node.axes_n > MAX_AXES)
        return err_at(p->e, ERR_INPUT, p->file, node.line, node.col,
                      "more than 8 axes");
    return formula_parser_need(p, ')', "`,` or `)`") &&
           formula_parser_add(p, node, 0, NULL, out);
}

static bool is_reduction(const char *name, uint32_t len)
{
    return fname_of_surface(name, len, 1, FNAME_REDUCE) != NULL;
}

// Behind `name[axes]`: an element, a call, or the body of a sum.
static bool parse_indexed(struct formula_parser *p, const struct ftoken *name,
                          struct ast_node node, uint32_t *out)
{
    uint32_t args[MAX_ARGS], n;
    const struct ftoken *t = formula_parser_look(p);
    node.kind = AST_CALL;
    bool call = t->kind == '(' || is_reduction(name->at, name->len);
    if (call && node.axes_n == 0)
        return formula_parser_fail(p, name, "the brackets name no axis");
    if (t->kind == '(') {
        bool space = t->space;
        if (!formula_parse_args(p, args, &n))
            return false;
        bool goes_on =
            formula_parser_look(p)->kind == '*' || formula_parser_look(p)->kind == '/';
        if (space && goes_on && is_reduction(name->at, name->len))
            return formula_parser_fail(
                p, t,
                "does this parenthesis hold the whole operand? If "
                "so, leave no space before it; if not, put the "
                "product into one more pair of parentheses");
        return formula_parser_add(p, node, n, args, out);
    }
    if (!is_reduction(name->at, name->len)) {
        node.kind = AST_ELEMENT;
        return formula_parser_add(p, node, 0, NULL, out);
    }
    return formula_parse_nested(p, LEVEL_PRODUCT, &args[0]) &&
           formula_parser_add(p, node, 1, args, out);
}

const struct ast_let *ast_find_let(const struct ast *a, const char *name)
{
    for (uint32_t i = a->let.len; i-- > 0;)
        if (strcmp(a->let.at[i].name, name) == 0)
            return &a->let.at[i];
    return NULL;
}

static bool parse_name(struct formula_parser *p, uint32_t *out)
{
    const struct ftoken *t = formula_parser_look(p);
    uint32_t args[MAX_ARGS], n;
    if (ftoken_reserved(t))
        return formula_parser_expected(p, "a number, a name or `(`");
    struct ast_node node = formula_parser_node(AST_NAME, formula_parser_text(p, t), t);
    p->next++;
    const struct ast_let *let = ast_find_let(p->a, node.name);
    int next = formula_parser_look(p)->kind;
    if (let != NULL && next != '(') {
        if (next == '[')
            return formula_parser_fail(p, t,
                               "a definition takes no axes: it stands for "
                               "its value as written");
        args[0] = let->value;
        node.kind = AST_LET;
        return formula_parser_add(p, node, 1, args, out);
    }
    if (next == '[')
        return formula_parse_axes(p, &node.axes_at, &node.axes_n) &&
               parse_indexed(p, t, node, out);
    if (next != '(')
        return formula_parser_add(p, node, 0, NULL, out);
    node.kind = AST_CALL;
    if (ftoken_is(t, "size"))
        return parse_size(p, node, out);
    return formula_parse_args(p, args, &n) && formula_parser_add(p, node, n, args, out);
}

static bool parse_number(struct formula_parser *p, bool minus, uint32_t *out)
{
    const struct ftoken *t = formula_parser_look(p);
    struct ftoken whole = *t;
    whole.at -= minus;
    whole.len += minus;
    whole.col -= minus;
    struct ast_node node =
        formula_parser_node(AST_NUMBER, formula_parser_text(p, &whole), &whole);
    node.whole = t->kind == FTOK_INTEGER;
    p->next++;
    return formula_parser_add(p, node, 0, NULL, out);
}

static bool is_number(const struct ftoken *t)
{
    return t->kind == FTOK_INTEGER || t->kind == FTOK_DECIMAL;
}

static bool parse_atom(struct formula_parser *p, uint32_t *out)
{
    const struct ftoken *t = formula_parser_look(p);
    if (is_number(t))
        return parse_number(p, false, out);
    if (t->kind == FTOK_NAME)
        return parse_name(p, out);
    if (!formula_parser_take(p, '('))
        return formula_parser_expected(p, "a number, a name or `(`");
    if (!formula_parse_expression(p, out) || !formula_parser_need(p, ')', "an operator or `)`"))
        return false;
    p->a->node.at[*out].enclosed = true;
    return true;
}

bool formula_parser_operator(struct formula_parser *p, const struct fname *f,
                     const struct ftoken *t, uint32_t a, uint32_t b,
                     uint32_t *out)
{
    uint32_t args[2] = {f->swap ? b : a, f->swap ? a : b};
    return formula_parser_add(p, formula_parser_node(AST_OP, f->op, t), f->n, args, out);
}

static bool parse_prefix(struct formula_parser *p, const struct fname *f,
                         enum fname_level level, uint32_t *out)
{
    const struct ftoken *t = formula_parser_look(p);
    uint32_t a;
    p->next++;
    return formula_parse_nested(p, level, &a) && formula_parser_operator(p, f, t, a, a, out);
}

// a ^ b, to the right; the exponent may have a minus sign.
static bool parse_power(struct formula_parser *p, uint32_t *out)
{
    uint32_t b;
    if (!parse_atom(p, out))
        return false;
    const struct ftoken *t = formula_parser_look(p);
    if (!formula_parser_take(p, '^'))
        return true;
    const struct fname *f = fname_of_surface("^", 1, 2, FNAME_INFIX);
    return formula_parse_nested(p, LEVEL_MINUS, &b) &&
           formula_parser_operator(p, f, t, *out, b, out);
}

// A minus sign directly before digits is theirs, unless a power follows.
static bool parse_minus(struct formula_parser *p, uint32_t *out)
{
    const struct ftoken *t = formula_parser_look(p), *digits = formula_parser_ahead(p, 1);
    if (t->kind != '-')
        return parse_power(p, out);
    if (is_number(digits) && !digits->space &&
        formula_parser_ahead(p, 2)->kind != '^') {
        p->next++;
        return parse_number(p, true, out);
    }
    return parse_prefix(p, fname_of_surface("-", 1, 1, FNAME_PREFIX),
                        LEVEL_MINUS, out);
}

const struct fname *formula_parser_infix(const struct formula_parser *p, enum fname_level level)
{
    const struct ftoken *t = formula_parser_look(p);
    const struct fname *f = fname_of_surface(t->at, t->len, 2, FNAME_INFIX);
    return f != NULL && f->level == level ? f : NULL;
}

// p/q, literals of whole numbers: one number.  `first`: p is the first factor.
static bool fold_fraction(struct formula_parser *p, uint32_t a, uint32_t b)
{
    struct ast_node *x = &p->a->node.at[a], *y = &p->a->node.at[b];
    bool literals = x->kind == AST_NUMBER && y->kind == AST_NUMBER &&
                    x->whole && y->whole && !x->enclosed && !y->enclosed;
    if (!literals || y->name[0] == '-' || y->name[strspn(y->name, "0")] == 0)
        return false;
    size_t n = strlen(x->name), m = strlen(y->name);
    char *text = mem_alloc(n + m + 1);
    memcpy(text, x->name, n);
    text[n] = '/';
    memcpy(text + n + 1, y->name, m);
    x->name =
        intern_text(p->a->names, intern_bytes(p->a->names, text, n + m + 1));
    x->whole = false;
    mem_free(text);
    return true;
}

static bool parse_left(struct formula_parser *p, enum fname_level level, uint32_t *out)
{
    if (!formula_parse_above(p, level + 1, out))
        return false;
    const struct fname *f;
    for (bool first = true; (f = formula_parser_infix(p, level)) != NULL;
         first = false) {
        const struct ftoken *t = formula_parser_look(p);
        uint32_t b;
        p->next++;
        if (!formula_parse_above(p, level + 1, &b))
            return false;
        if (first && level == LEVEL_PRODUCT && t->kind == '/' &&
            fold_fraction(p, *out, b))
            continue;
        if (!formula_parser_operator(p, f, t, *out, b, out))
            return false;
        if (level == LEVEL_COMPARE && formula_parser_infix(p, level) != NULL)
            return formula_parser_fail(p, formula_parser_look(p),
                               "comparisons do not chain here: write "
                               "a < b and b < c");
    }
    return true;
}

bool formula_parse_above(struct formula_parser *p, enum fname_level level, uint32_t *out)
{
    if (level >= LEVEL_MINUS)
        return parse_minus(p, out);
    if (level == LEVEL_NOT) {
        if (!ftoken_is(formula_parser_look(p), "not"))
            return formula_parse_above(p, level + 1, out);
        return parse_prefix(p, fname_of_surface("not", 3, 1, FNAME_PREFIX),
                            LEVEL_NOT, out);
    }
    return parse_left(p, level, out);
}

bool ast_parse(struct ast *a, struct intern *names, const char *file,
               const char *text, struct err *e)
{
    struct formula_parser p = {.a = a, .file = file, .e = e};
    memset(a, 0, sizeof *a);
    a->names = names;
    bool ok = ftokens_cut(&p.tokens, file, text, e) && formula_parse_statements(&p);
    ftokens_release(&p.tokens);
    return ok;
}

void ast_release(struct ast *a)
{
    vec_release(&a->node);
    vec_release(&a->arg);
    vec_release(&a->axis);
    vec_release(&a->tensor);
    vec_release(&a->let);
    vec_release(&a->given);
}
