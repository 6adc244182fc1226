// SPDX-License-Identifier: Apache-2.0
#include "formula/ast.h"
#include "formula/lex.h"
#include "formula/names.h"

enum { MAX_DEPTH = 400, MAX_NESTING = 200, MAX_ARGS = 16, MAX_AXES = 8 };

struct parser {
    struct ast *a;
    struct ftokens tokens;
    uint32_t next, nesting;
    const char *file;
    struct err *e;
};

static const struct ftoken *look(const struct parser *p)
{
    return &p->tokens.at.at[p->next];
}

static const struct ftoken *ahead(const struct parser *p, uint32_t n)
{
    uint32_t last = p->tokens.at.len - 1;
    return &p->tokens.at.at[p->next + n < last ? p->next + n : last];
}

static bool is_word(const struct ftoken *t, const char *word)
{
    return t->kind == FTOK_NAME && strlen(word) == t->len &&
           memcmp(t->at, word, t->len) == 0;
}

static bool fail_at(struct parser *p, const struct ftoken *t, const char *what)
{
    return err_at(p->e, ERR_INPUT, p->file, t->line, t->col, "%s", what);
}

// What was wanted, and what stands there.
static bool expected(struct parser *p, const char *what)
{
    const struct ftoken *t = look(p);
    if (t->kind == FTOK_END)
        return err_at(p->e, ERR_INPUT, p->file, t->line, t->col,
                      "expected %s, found the end", what);
    return err_at(p->e, ERR_INPUT, p->file, t->line, t->col,
                  "expected %s, found %.*s", what, (int)t->len, t->at);
}

static bool take(struct parser *p, int kind)
{
    if (look(p)->kind != kind)
        return false;
    p->next++;
    return true;
}

static bool need(struct parser *p, int kind, const char *what)
{
    return take(p, kind) || expected(p, what);
}

static const char *text_of(struct parser *p, const struct ftoken *t)
{
    return intern_text(p->a->names, intern_bytes(p->a->names, t->at, t->len));
}

static bool reserved(const struct ftoken *t)
{
    static const char *const words[] = {"and", "or",    "not",   "tensor",
                                        "let", "given", "scalar"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (is_word(t, words[i]))
            return true;
    return false;
}

// A new node; its arguments are the last n of `stack`, or given.
static bool add_node(struct parser *p, struct ast_node node, uint32_t n,
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

static struct ast_node node_at(enum ast_kind kind, const char *name,
                               const struct ftoken *t)
{
    return (struct ast_node){
        .kind = kind, .name = name, .line = t->line, .col = t->col};
}

static bool parse_above(struct parser *p, enum fname_level level,
                        uint32_t *out);

static bool parse_nested(struct parser *p, enum fname_level level,
                         uint32_t *out)
{
    if (p->nesting > MAX_NESTING) // the whole is no parenthesis
        return fail_at(p, look(p), "the formula is too deep");
    p->nesting++;
    bool ok = parse_above(p, level, out);
    p->nesting--;
    return ok;
}

static bool parse_expression(struct parser *p, uint32_t *out)
{
    return parse_nested(p, LEVEL_OR, out);
}

// `[i, j]`, already at the bracket; the axes go behind those of a->axis.
static bool parse_axes(struct parser *p, uint32_t *at, uint32_t *n)
{
    *at = p->a->axis.len;
    p->next++;
    while (!take(p, ']')) {
        const struct ftoken *t = look(p);
        if (p->a->axis.len > *at && !need(p, ',', "`,` or `]`"))
            return false;
        t = look(p);
        if (t->kind != FTOK_NAME || reserved(t))
            return expected(p, "the name of an axis");
        struct ast_axis axis = {text_of(p, t), t->line, t->col};
        vec_push(&p->a->axis, axis);
        p->next++;
        if (p->a->axis.len - *at > MAX_AXES)
            return fail_at(p, t, "more than 8 axes");
    }
    *n = p->a->axis.len - *at;
    return true;
}

static bool parse_args(struct parser *p, uint32_t *args, uint32_t *n)
{
    p->next++;
    *n = 0;
    if (take(p, ')'))
        return true;
    do {
        if (*n == MAX_ARGS)
            return fail_at(p, look(p), "more than 16 arguments");
        if (!parse_expression(p, &args[*n]))
            return false;
        ++*n;
    } while (take(p, ','));
    return need(p, ')', "an operator, `,` or `)`");
}

// size(j), size(i, j): its arguments are names of axes.
static bool parse_size(struct parser *p, struct ast_node node, uint32_t *out)
{
    node.axes_at = p->a->axis.len;
    p->next++;
    do {
        const struct ftoken *t = look(p);
        if (t->kind != FTOK_NAME || reserved(t))
            return expected(p, "the name of an axis");
        struct ast_axis axis = {text_of(p, t), t->line, t->col};
        vec_push(&p->a->axis, axis);
        p->next++;
    } while (take(p, ','));
    node.axes_n = p->a->axis.len - node.axes_at;
    if (node.axes_n > MAX_AXES)
        return err_at(p->e, ERR_INPUT, p->file, node.line, node.col,
                      "more than 8 axes");
    return need(p, ')', "`,` or `)`") && add_node(p, node, 0, NULL, out);
}

static bool is_reduction(const char *name, uint32_t len)
{
    return fname_of_surface(name, len, 1, FNAME_REDUCE) != NULL;
}

// Behind `name[axes]`: an element, a call, or the body of a sum.
static bool parse_indexed(struct parser *p, const struct ftoken *name,
                          struct ast_node node, uint32_t *out)
{
    uint32_t args[MAX_ARGS], n;
    const struct ftoken *t = look(p);
    node.kind = AST_CALL;
    bool call = t->kind == '(' || is_reduction(name->at, name->len);
    if (call && node.axes_n == 0)
        return fail_at(p, name, "the brackets name no axis");
    if (t->kind == '(') {
        bool space = t->space;
        if (!parse_args(p, args, &n))
            return false;
        bool goes_on = look(p)->kind == '*' || look(p)->kind == '/';
        if (space && goes_on && is_reduction(name->at, name->len))
            return fail_at(p, t,
                           "does this parenthesis hold the whole operand? If "
                           "so, leave no space before it; if not, put the "
                           "product into one more pair of parentheses");
        return add_node(p, node, n, args, out);
    }
    if (!is_reduction(name->at, name->len)) {
        node.kind = AST_ELEMENT;
        return add_node(p, node, 0, NULL, out);
    }
    return parse_nested(p, LEVEL_PRODUCT, &args[0]) &&
           add_node(p, node, 1, args, out);
}

static const struct ast_let *let_named(const struct ast *a, const char *name)
{
    for (uint32_t i = a->let.len; i-- > 0;)
        if (strcmp(a->let.at[i].name, name) == 0)
            return &a->let.at[i];
    return NULL;
}

static bool parse_name(struct parser *p, uint32_t *out)
{
    const struct ftoken *t = look(p);
    uint32_t args[MAX_ARGS], n;
    if (reserved(t))
        return expected(p, "a number, a name or `(`");
    struct ast_node node = node_at(AST_NAME, text_of(p, t), t);
    p->next++;
    const struct ast_let *let = let_named(p->a, node.name);
    int next = look(p)->kind;
    if (let != NULL && next != '(') {
        if (next == '[')
            return fail_at(p, t,
                           "a definition takes no axes: it stands for "
                           "its value as written");
        args[0] = let->value;
        node.kind = AST_LET;
        return add_node(p, node, 1, args, out);
    }
    if (next == '[')
        return parse_axes(p, &node.axes_at, &node.axes_n) &&
               parse_indexed(p, t, node, out);
    if (next != '(')
        return add_node(p, node, 0, NULL, out);
    node.kind = AST_CALL;
    if (is_word(t, "size"))
        return parse_size(p, node, out);
    return parse_args(p, args, &n) && add_node(p, node, n, args, out);
}

static bool parse_number(struct parser *p, bool minus, uint32_t *out)
{
    const struct ftoken *t = look(p);
    struct ftoken whole = *t;
    whole.at -= minus;
    whole.len += minus;
    whole.col -= minus;
    struct ast_node node = node_at(AST_NUMBER, text_of(p, &whole), &whole);
    node.whole = t->kind == FTOK_INTEGER;
    p->next++;
    return add_node(p, node, 0, NULL, out);
}

static bool is_number(const struct ftoken *t)
{
    return t->kind == FTOK_INTEGER || t->kind == FTOK_DECIMAL;
}

static bool parse_atom(struct parser *p, uint32_t *out)
{
    const struct ftoken *t = look(p);
    if (is_number(t))
        return parse_number(p, false, out);
    if (t->kind == FTOK_NAME)
        return parse_name(p, out);
    if (!take(p, '('))
        return expected(p, "a number, a name or `(`");
    if (!parse_expression(p, out) || !need(p, ')', "an operator or `)`"))
        return false;
    p->a->node.at[*out].enclosed = true;
    return true;
}

static bool make_op(struct parser *p, const struct fname *f,
                    const struct ftoken *t, uint32_t a, uint32_t b,
                    uint32_t *out)
{
    uint32_t args[2] = {f->swap ? b : a, f->swap ? a : b};
    return add_node(p, node_at(AST_OP, f->op, t), f->n, args, out);
}

static bool parse_prefix(struct parser *p, const struct fname *f,
                         enum fname_level level, uint32_t *out)
{
    const struct ftoken *t = look(p);
    uint32_t a;
    p->next++;
    return parse_nested(p, level, &a) && make_op(p, f, t, a, a, out);
}

// a ^ b, to the right; the exponent may have a minus sign.
static bool parse_power(struct parser *p, uint32_t *out)
{
    uint32_t b;
    if (!parse_atom(p, out))
        return false;
    const struct ftoken *t = look(p);
    if (!take(p, '^'))
        return true;
    const struct fname *f = fname_of_surface("^", 1, 2, FNAME_INFIX);
    return parse_nested(p, LEVEL_MINUS, &b) && make_op(p, f, t, *out, b, out);
}

// A minus sign directly before digits is theirs, unless a power follows.
static bool parse_minus(struct parser *p, uint32_t *out)
{
    const struct ftoken *t = look(p), *digits = ahead(p, 1);
    if (t->kind != '-')
        return parse_power(p, out);
    if (is_number(digits) && !digits->space && ahead(p, 2)->kind != '^') {
        p->next++;
        return parse_number(p, true, out);
    }
    return parse_prefix(p, fname_of_surface("-", 1, 1, FNAME_PREFIX),
                        LEVEL_MINUS, out);
}

static const struct fname *infix(const struct parser *p, enum fname_level level)
{
    const struct ftoken *t = look(p);
    const struct fname *f = fname_of_surface(t->at, t->len, 2, FNAME_INFIX);
    return f != NULL && f->level == level ? f : NULL;
}

// p/q, literals of whole numbers: one number.  `first`: p is the first factor.
static bool fold_fraction(struct parser *p, uint32_t a, uint32_t b)
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

static bool parse_left(struct parser *p, enum fname_level level, uint32_t *out)
{
    if (!parse_above(p, level + 1, out))
        return false;
    const struct fname *f;
    for (bool first = true; (f = infix(p, level)) != NULL; first = false) {
        const struct ftoken *t = look(p);
        uint32_t b;
        p->next++;
        if (!parse_above(p, level + 1, &b))
            return false;
        if (first && level == LEVEL_PRODUCT && t->kind == '/' &&
            fold_fraction(p, *out, b))
            continue;
        if (!make_op(p, f, t, *out, b, out))
            return false;
        if (level == LEVEL_COMPARE && infix(p, level) != NULL)
            return fail_at(p, look(p),
                           "comparisons do not chain here: write "
                           "a < b and b < c");
    }
    return true;
}

static bool parse_above(struct parser *p, enum fname_level level, uint32_t *out)
{
    if (level >= LEVEL_MINUS)
        return parse_minus(p, out);
    if (level == LEVEL_NOT) {
        if (!is_word(look(p), "not"))
            return parse_above(p, level + 1, out);
        return parse_prefix(p, fname_of_surface("not", 3, 1, FNAME_PREFIX),
                            LEVEL_NOT, out);
    }
    return parse_left(p, level, out);
}

// Statements

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
    const struct ftoken *t = look(p);
    if (t->kind != FTOK_NAME || reserved(t))
        return expected(p, "a name");
    const char *name = text_of(p, t);
    if (strcmp(name, "pi") == 0 || strcmp(name, "true") == 0 ||
        strcmp(name, "false") == 0 || strcmp(name, "inf") == 0 ||
        strcmp(name, "nan") == 0)
        return err_at(p->e, ERR_INPUT, p->file, t->line, t->col,
                      "%s has a meaning already", name);
    if (tensor_named(p->a, name) || let_named(p->a, name))
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
        const struct ftoken *t = look(p);
        struct ast_tensor x = {.line = t->line, .col = t->col};
        if (!new_name(p, &x.name))
            return false;
        if (!scalars && look(p)->kind != '[')
            return expected(p, "`[` and the axes");
        if (!scalars && !parse_axes(p, &x.axes_at, &x.axes_n))
            return false;
        vec_push(&p->a->tensor, x);
    } while (take(p, ','));
    return need(p, ';', "`,` or `;`");
}

static bool parse_let(struct parser *p)
{
    struct ast_let let;
    if (!new_name(p, &let.name) || !need(p, '=', "`=`") ||
        !parse_expression(p, &let.value) || !need(p, ';', "an operator or `;`"))
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
    for (; (f = infix(p, LEVEL_COMPARE)) != NULL; a = b, any = true) {
        const struct ftoken *t = look(p);
        p->next++;
        if (!parse_above(p, LEVEL_SUM, &b) || !make_op(p, f, t, a, b, &x))
            return false;
        vec_push(&p->a->given, x);
    }
    return any || expected(p, "a comparison");
}

static bool parse_given(struct parser *p)
{
    do {
        if (!parse_chain(p))
            return false;
        if (is_word(look(p), "or"))
            return fail_at(p, look(p),
                           "what is given are comparisons, all of "
                           "which hold: there is no `or`");
    } while (take(p, ',') || (is_word(look(p), "and") && ++p->next));
    return need(p, ';', "an operator, `,` or `;`");
}

static bool parse_statements(struct parser *p)
{
    for (;;) {
        const struct ftoken *t = look(p);
        bool ok, scalars = is_word(t, "scalar");
        if (take(p, ';'))
            continue;
        if (!reserved(t) || is_word(t, "not"))
            break;
        p->next++;
        if (is_word(t, "let")) {
            ok = parse_let(p);
        } else if (is_word(t, "given")) {
            ok = parse_given(p);
        } else if (scalars || is_word(t, "tensor")) {
            ok = parse_tensors(p, scalars);
        } else {
            p->next--;
            break;
        }
        if (!ok)
            return false;
    }
    if (look(p)->kind == FTOK_END)
        return expected(p, "a formula");
    if (!parse_expression(p, &p->a->root))
        return false;
    bool ended = take(p, ';');
    if (look(p)->kind == FTOK_END)
        return true;
    return ended ? expected(p, "the end: the formula comes last")
                 : expected(p, "an operator or the end");
}

bool ast_parse(struct ast *a, struct intern *names, const char *file,
               const char *text, struct err *e)
{
    struct parser p = {.a = a, .file = file, .e = e};
    memset(a, 0, sizeof *a);
    a->names = names;
    bool ok = ftokens_cut(&p.tokens, file, text, e) && parse_statements(&p);
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
