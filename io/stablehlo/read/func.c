// SPDX-License-Identifier: Apache-2.0
// Functions, pretty and generic, and their statements.
#include "io/stablehlo/read/reader.h"

static struct function *this_function(struct stablehlo_reader *r)
{
    return &vec_last(&r->p->functions);
}

static bool outer_value(struct stablehlo_reader *r, uint32_t at, uint32_t n,
                        uint32_t first)
{
    struct value_binding b = {n, first, false};
    return stablehlo_bind(r, at, b);
}

// A parameter; `at` is its name's token, 0 in a declaration.
static bool add_param(struct stablehlo_reader *r, uint32_t at, type_id type, sym_id attrs)
{
    struct function *f = this_function(r);
    struct param p = {sym_make(r->p->pool, ""), type, attrs};
    int64_t v[2] = {r->p->functions.len - 1, f->params.len};
    if (at != 0) {
        const struct mlir_token *t = &r->m.tok.at[at];
        struct buf b = {0};
        buf_write(&b, r->m.text + t->at + 1, t->len - 1);
        p.name = sym_make(r->p->pool, buf_text(&b));
        buf_release(&b);
    }
    vec_push(&f->params, p);
    if (at == 0)
        return true;
    term_id term;
    struct err why = {0};
    if (!term_build(&r->p->terms, OP_PARAMETER, attr_make(r->p->pool, 2, v),
                    type, 0, NULL, &term, &why))
        return mlir_fail(&r->m, at, "%s", why.msg);
    vec_push(&r->value, term);
    return outer_value(r, at, 1, r->value.len - 1);
}

// "(%x: T {...}, ...)" or "(T, ...)".
static bool pretty_params(struct stablehlo_reader *r, uint32_t *i)
{
    struct mlir *m = &r->m;
    if (!mlir_expect(m, i, '(', "'(' and the arguments"))
        return false;
    bool first = true, named = false;
    while (mlir_kind(m, *i) != ')') {
        uint32_t at = 0;
        type_id type;
        sym_id attrs = sym_make(r->p->pool, "");
        if (first)
            named = mlir_kind(m, *i) == T_VALUE;
        first = false;
        if (named) {
            at = *i;
            if (!mlir_expect(m, i, T_VALUE, "an argument such as %arg0") ||
                !mlir_expect(m, i, ':', "':'"))
                return false;
        }
        if (!mlir_type(m, i, &type))
            return false;
        if (mlir_kind(m, *i) == '{' && !stablehlo_keep_dict(r, i, &attrs))
            return false;
        if (!add_param(r, at, type, attrs))
            return false;
        if (!mlir_accept(m, i, ','))
            break;
        if (mlir_kind(m, *i) == ')')
            return mlir_expected(m, *i, "an argument");
    }
    return mlir_expect(m, i, ')', "',' or ')'");
}

static void add_result(struct stablehlo_reader *r, type_id type, sym_id attrs)
{
    struct result x = {NO_TERM, type, attrs};
    vec_push(&this_function(r)->results, x);
}

static bool pretty_results(struct stablehlo_reader *r, uint32_t *i)
{
    struct mlir *m = &r->m;
    type_id type;
    sym_id none = sym_make(r->p->pool, "");
    if (!mlir_accept(m, i, T_ARROW))
        return true;
    if (mlir_kind(m, *i) != '(') {
        if (!mlir_type(m, i, &type))
            return false;
        add_result(r, type, none);
        return true;
    }
    for (++*i; mlir_kind(m, *i) != ')';) {
        sym_id attrs = none;
        if (!mlir_type(m, i, &type))
            return false;
        if (mlir_kind(m, *i) == '{' && !stablehlo_keep_dict(r, i, &attrs))
            return false;
        add_result(r, type, attrs);
        if (!mlir_accept(m, i, ','))
            break;
        if (mlir_kind(m, *i) == ')')
            return mlir_expected(m, *i, "a type");
    }
    return mlir_expect(m, i, ')', "',' or ')'");
}

// The statement's results get their names: `out` is an operator's term or an
// opaque node with r->types.len results.
static bool bind_results(struct stablehlo_reader *r, term_id out, bool opaque)
{
    uint32_t n = opaque ? r->types.len : 1, first = r->value.len;
    if (n == 1)
        vec_push(&r->value, out);
    for (uint32_t k = 0; n > 1 && k < n; k++) {
        int64_t v = k;
        term_id t =
            term_make(&r->p->terms, OP_RESULT, attr_make(r->p->pool, 1, &v),
                      r->types.at[k], 1, &out);
        vec_push(&r->value, t);
    }
    for (uint32_t k = 0; k < r->names.len; k++) {
        if (!outer_value(r, r->names.at[k].at, r->names.at[k].n, first))
            return false;
        first += r->names.at[k].n;
    }
    return true;
}

static bool known_op(const struct mlir *m, uint32_t i, enum op *out)
{
    char name[64];
    char *dot = stablehlo_op_name(m, i, name) ? strchr(name, '.') : NULL;
    if (dot == NULL || !op_by_name(dot + 1, out))
        return false;
    *dot = 0;
    return strcmp(name, op_dialect(*out)) == 0;
}

static bool read_statement(struct stablehlo_reader *r, uint32_t *i)
{
    struct mlir *m = &r->m;
    uint32_t n_names = 0, at;
    term_id out;
    enum op op;
    vec_clear(&r->names);
    if (!stablehlo_results(r, i))
        return false;
    for (uint32_t k = 0; k < r->names.len; k++)
        n_names += r->names.at[k].n;
    at = *i;
    if (mlir_kind(m, at) != T_BARE && mlir_kind(m, at) != T_STRING)
        return mlir_expected(m, at, "an operation");
    if (known_op(m, at, &op)) {
        enum ops_answer a = stablehlo_known_op(r, i, op, &out);
        if (a == OPS_FAILED)
            return false;
        if (a == OPS_TERM && n_names > 1)
            return mlir_fail(m, at, "'%s' has 1 result, %u are named",
                             op_name(op), n_names);
        if (a == OPS_TERM)
            return bind_results(r, out, false);
    }
    bool effect;
    if (!stablehlo_opaque_op(r, i, n_names, &out, &effect))
        return false;
    if (effect)
        vec_push(&this_function(r)->effects, out);
    return bind_results(r, out, true);
}

static bool is_return(const struct mlir *m, uint32_t i)
{
    char name[64];
    uint16_t k = mlir_kind(m, i);
    return (k == T_BARE || k == T_STRING) && stablehlo_op_name(m, i, name) &&
           strcmp(name, "func.return") == 0;
}

// return %a, %b : T, U     or     "func.return"(%a, %b) : (T, U) -> ()
static bool read_return(struct stablehlo_reader *r, uint32_t *i)
{
    struct mlir *m = &r->m;
    struct function *f = this_function(r);
    uint32_t at = *i;
    bool generic = mlir_kind(m, (*i)++) == T_STRING;
    vec_clear(&r->args);
    if (generic && !mlir_expect(m, i, '(', "'('"))
        return false;
    while (mlir_kind(m, *i) == T_VALUE) {
        term_id t;
        if (!stablehlo_operand(r, i, &t))
            return false;
        vec_push(&r->args, t);
        if (!mlir_accept(m, i, ','))
            break;
        if (mlir_kind(m, *i) != T_VALUE)
            return mlir_expected(m, *i, "a value such as %0");
    }
    if (generic && !mlir_expect(m, i, ')', "',' or ')'"))
        return false;
    if (r->args.len != f->results.len)
        return mlir_fail(m, at, "expected %u values to return, found %u",
                         f->results.len, r->args.len);
    if ((generic || r->args.len > 0) && !mlir_expect(m, i, ':', "':'"))
        return false;
    if (generic && !mlir_expect(m, i, '(', "'('"))
        return false;
    for (uint32_t k = 0; k < r->args.len; k++) {
        type_id t;
        uint32_t here = *i;
        if (k > 0 && !mlir_expect(m, i, ',', "','"))
            return false;
        if (!mlir_type(m, i, &t) ||
            !stablehlo_check_operand(r, here, k, r->args.at[k], t) ||
            !stablehlo_check_operand(r, at, k, r->args.at[k],
                                  f->results.at[k].type))
            return false;
        f->results.at[k].term = r->args.at[k];
    }
    if (generic &&
        (!mlir_expect(m, i, ')', "')'") ||
         !mlir_expect(m, i, T_ARROW, "'->'") ||
         !mlir_expect(m, i, '(', "'('") || !mlir_expect(m, i, ')', "')'")))
        return false;
    return true;
}

// The statements up to '}' at `close`.
static bool read_body(struct stablehlo_reader *r, uint32_t i, uint32_t close)
{
    struct mlir *m = &r->m;
    while (i != close) {
        if (mlir_kind(m, i) == T_BLOCK)
            return mlir_fail(m, i,
                             "a function of several blocks is not "
                             "supported");
        if (is_return(m, i)) {
            if (!read_return(r, &i))
                return false;
            if (mlir_kind(m, i) == T_BLOCK)
                return mlir_fail(m, i,
                                 "a function of several blocks is not "
                                 "supported");
            return i == close || mlir_expected(m, i, "'}' behind return");
        }
        if (!read_statement(r, &i))
            return false;
    }
    return mlir_expected(m, close, "return");
}

static void end_function(struct stablehlo_reader *r)
{
    stablehlo_unbind(r, 0);
    vec_clear(&r->value);
    vec_clear(&r->names);
}

static bool new_function(struct stablehlo_reader *r)
{
    struct function f = {0};
    sym_id none = sym_make(r->p->pool, "");
    f.name = f.visibility = f.attrs = none;
    vec_push(&r->p->functions, f);
    return true;
}

bool stablehlo_function(struct stablehlo_reader *r, uint32_t *i)
{
    struct mlir *m = &r->m;
    new_function(r);
    ++*i;
    if (mlir_word(m, *i, "public") || mlir_word(m, *i, "private") ||
        mlir_word(m, *i, "nested")) {
        this_function(r)->visibility = stablehlo_keep(r, *i, *i + 1, SPACE_KEEP);
        ++*i;
    }
    uint32_t name = *i;
    if (!mlir_expect(m, i, T_SYMBOL, "the function's name such as @main") ||
        !stablehlo_unquoted(r, name, &this_function(r)->name) ||
        !pretty_params(r, i) || !pretty_results(r, i))
        return false;
    if (mlir_accept_word(m, i, "attributes")) {
        if (mlir_kind(m, *i) != '{')
            return mlir_expected(m, *i, "'{'");
        if (!stablehlo_keep_dict(r, i, &this_function(r)->attrs))
            return false;
    }
    bool ok = true;
    if (mlir_kind(m, *i) == '{') {
        uint32_t close = m->tok.at[*i].match;
        ok = read_body(r, *i + 1, close);
        *i = close + 1;
    } else {
        this_function(r)->declaration = true;
        if (r->value.len > 0)
            return mlir_expected(m, *i, "'{' and the function's body");
    }
    end_function(r);
    return ok;
}

// The k-th dictionary of the list at token `list`, as text; "" without one.
static bool list_attrs(struct stablehlo_reader *r, uint32_t *list, sym_id *out)
{
    struct mlir *m = &r->m;
    *out = sym_make(r->p->pool, "");
    if (*list == 0)
        return true;
    uint32_t at = *list;
    if (mlir_kind(m, at) == '[')
        at++;
    if (mlir_kind(m, at) != '{')
        return mlir_expected(m, at, "'{'");
    if (!stablehlo_keep_dict(r, &at, out))
        return false;
    *list = at;
    mlir_accept(m, list, ',');
    return true;
}

// ^bb0(%a: T, ...): of the body, against the function's type.
static bool generic_params(struct stablehlo_reader *r, uint32_t *i, uint32_t *list)
{
    struct mlir *m = &r->m;
    uint32_t n = r->types.len;
    bool body = mlir_kind(m, *i) == T_BLOCK && mlir_kind(m, *i + 1) == '(';
    if (n > 0 && !body && mlir_kind(m, *i) != '}')
        return mlir_expected(m, *i, "a block with the function's arguments");
    bool declaration = mlir_kind(m, *i) == '}';
    if (body)
        *i += 2;
    for (uint32_t k = 0; k < n; k++) {
        uint32_t at = *i;
        sym_id attrs;
        type_id t = r->types.at[k], have;
        if (!list_attrs(r, list, &attrs))
            return false;
        if (declaration) {
            add_param(r, 0, t, attrs);
            continue;
        }
        if (!mlir_expect(m, i, T_VALUE, "an argument such as %arg0") ||
            !mlir_expect(m, i, ':', "':'"))
            return false;
        uint32_t type_at = *i;
        if (!mlir_type(m, i, &have))
            return false;
        if (have.v != t.v)
            return mlir_fail(m, type_at,
                             "expected the type that function_type "
                             "gives");
        if (!add_param(r, at, t, attrs) ||
            (k + 1 < n && !mlir_expect(m, i, ',', "','")))
            return false;
    }
    if (body)
        return mlir_expect(m, i, ')', "')'") && mlir_expect(m, i, ':', "':'");
    if (mlir_kind(m, *i) == T_BLOCK && mlir_kind(m, *i + 1) == ':')
        *i += 2;
    return true;
}

bool stablehlo_generic_function(struct stablehlo_reader *r, uint32_t *i)
{
    static const char *const skip[] = {"function_type",  "sym_name",
                                       "sym_visibility", "arg_attrs",
                                       "res_attrs",      NULL};
    struct mlir *m = &r->m;
    struct function_header h;
    uint32_t at = *i, n_in;
    new_function(r);
    if (!stablehlo_function_header(r, i, &h))
        return false;
    if (h.name == 0 || mlir_kind(m, h.name) != T_STRING)
        return mlir_fail(m, at,
                         "expected sym_name = \"...\" among the "
                         "attributes");
    if (h.type == 0)
        return mlir_fail(m, at, "expected function_type among the attributes");
    if (!stablehlo_unquoted(r, h.name, &this_function(r)->name) ||
        (h.visibility != 0 &&
         (mlir_kind(m, h.visibility) != T_STRING ||
          !stablehlo_unquoted(r, h.visibility, &this_function(r)->visibility))) ||
        !stablehlo_header_attrs(r, &h, skip, &this_function(r)->attrs) ||
        !stablehlo_signature(r, &h.type, &n_in))
        return false;
    uint32_t n_out = r->types.len - n_in;
    for (uint32_t k = 0; k < n_out; k++) {
        sym_id attrs;
        if (!list_attrs(r, &h.res_attrs, &attrs))
            return false;
        add_result(r, r->types.at[n_in + k], attrs);
    }
    r->types.len = n_in;
    uint32_t body = h.region + 1, close = m->tok.at[h.region].match;
    if (!generic_params(r, &body, &h.arg_attrs))
        return false;
    bool ok = true;
    if (body == close && body == h.region + 1)
        this_function(r)->declaration = true;
    else
        ok = read_body(r, body, close);
    end_function(r);
    return ok;
}
