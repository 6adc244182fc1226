// SPDX-License-Identifier: Apache-2.0
// Functions, pretty and generic, and their statements.
#include "io/stablehlo/read/foreign.h"
#include "io/stablehlo/read/reader.h"
#include "tensor/program/region.h"

static struct function *this_function(struct stablehlo_reader *reader)
{
    return &vec_last(&reader->program->functions);
}

static bool outer_value(struct stablehlo_reader *reader, uint32_t at, uint32_t n, uint32_t first)
{
    struct value_binding binding = {n, first, false};
    return stablehlo_bind(reader, at, binding);
}

// A parameter; `at` is its name's token, 0 in a declaration.
static bool add_param(struct stablehlo_reader *reader, uint32_t at, type_id type, sym_id attrs)
{
    struct function *function = this_function(reader);
    struct param param = {sym_make(reader->program->pool, ""), type, attrs};
    int64_t v[2] = {reader->program->functions.len - 1, function->params.len};
    if (at != 0) {
        const struct mlir_token *token = &reader->mlir.tok.at[at];
        struct buf buf = {0};
        buf_write(&buf, reader->mlir.text + token->at + 1, token->len - 1);
        param.name = sym_make(reader->program->pool, buf_text(&buf));
        buf_release(&buf);
    }
    vec_push(&function->params, param);
    if (at == 0)
        return true;
    term_id term;
    struct err why = {0};
    if (!term_build(
            &reader->program->terms,
            (struct operation){OP_PARAMETER, attr_make(reader->program->pool, 2, v), type, 0}, NULL,
            &term, &why))
        return mlir_fail(&reader->mlir, at, "%s", why.msg);
    vec_push(&reader->value, term);
    return outer_value(reader, at, 1, reader->value.len - 1);
}

// "(%x: T {...}, ...)" or "(T, ...)".
static bool pretty_params(struct stablehlo_reader *reader, uint32_t *next)
{
    struct mlir *mlir = &reader->mlir;
    if (!mlir_expect(mlir, next, '(', "'(' and the arguments"))
        return false;
    bool first = true, named = false;
    while (mlir_kind(mlir, *next) != ')') {
        uint32_t at = 0;
        type_id type;
        sym_id attrs = sym_make(reader->program->pool, "");
        if (first)
            named = mlir_kind(mlir, *next) == T_VALUE;
        first = false;
        if (named) {
            at = *next;
            if (!mlir_expect(mlir, next, T_VALUE, "an argument such as %arg0") ||
                !mlir_expect(mlir, next, ':', "':'"))
                return false;
        }
        if (!mlir_type(mlir, next, &type))
            return false;
        if (mlir_kind(mlir, *next) == '{' && !stablehlo_keep_dict(reader, next, &attrs))
            return false;
        if (!add_param(reader, at, type, attrs))
            return false;
        if (!mlir_accept(mlir, next, ','))
            break;
        if (mlir_kind(mlir, *next) == ')')
            return mlir_expected(mlir, *next, "an argument");
    }
    return mlir_expect(mlir, next, ')', "',' or ')'");
}

static void add_result(struct stablehlo_reader *reader, type_id type, sym_id attrs)
{
    struct result result = {NO_TERM, type, attrs};
    vec_push(&this_function(reader)->results, result);
}

static bool pretty_results(struct stablehlo_reader *reader, uint32_t *at)
{
    struct mlir *mlir = &reader->mlir;
    type_id type;
    sym_id none = sym_make(reader->program->pool, "");
    if (!mlir_accept(mlir, at, T_ARROW))
        return true;
    if (mlir_kind(mlir, *at) != '(') {
        if (!mlir_type(mlir, at, &type))
            return false;
        add_result(reader, type, none);
        return true;
    }
    for (++*at; mlir_kind(mlir, *at) != ')';) {
        sym_id attrs = none;
        if (!mlir_type(mlir, at, &type))
            return false;
        if (mlir_kind(mlir, *at) == '{' && !stablehlo_keep_dict(reader, at, &attrs))
            return false;
        add_result(reader, type, attrs);
        if (!mlir_accept(mlir, at, ','))
            break;
        if (mlir_kind(mlir, *at) == ')')
            return mlir_expected(mlir, *at, "a type");
    }
    return mlir_expect(mlir, at, ')', "',' or ')'");
}

// Binds the names of the statement's results. `out` is an operator's term or an
// opaque node with reader->types.len results.
static bool bind_results(struct stablehlo_reader *reader, term_id out, bool opaque)
{
    uint32_t n = opaque ? reader->types.len : 1, first = reader->value.len;
    term_settle(&reader->program->terms, out, reader->scope);
    if (n == 1)
        vec_push(&reader->value, out);
    for (uint32_t k = 0; n > 1 && k < n; k++) {
        int64_t v = k;
        term_id term =
            term_make(&reader->program->terms, OP_RESULT, attr_make(reader->program->pool, 1, &v),
                      reader->types.at[k], 1, &out);
        vec_push(&reader->value, term);
    }
    for (uint32_t k = 0; k < reader->names.len; k++) {
        if (!outer_value(reader, reader->names.at[k].at, reader->names.at[k].n, first))
            return false;
        first += reader->names.at[k].n;
    }
    return true;
}

// An operator of the table; a constant of another dialect is one too.
static bool known_op(const struct mlir *mlir, uint32_t at, enum op *out)
{
    char name[IO_OPERATION_NAME];
    char *dot = stablehlo_op_name(mlir, at, name) ? strchr(name, '.') : NULL;
    if (dot != NULL && foreign_is_constant(name)) {
        *out = OP_CONSTANT;
        return true;
    }
    if (dot == NULL || !op_by_name(dot + 1, out))
        return false;
    *dot = 0;
    return strcmp(name, op_dialect(*out)) == 0;
}

// The operator that ends at `next`.
static bool bind_operator(struct stablehlo_reader *reader, const struct source_start *start,
                          uint32_t next, term_id out)
{
    source_operator(reader, start, next, out);
    return bind_results(reader, out, false);
}

bool stablehlo_statement(struct stablehlo_reader *reader, uint32_t *next)
{
    struct mlir *mlir = &reader->mlir;
    uint32_t n_names = 0, at;
    struct source_start start = {.at = *next, .n_reducers = reader->n_reducers};
    term_id out;
    enum op op;
    vec_clear(&reader->names);
    if (!stablehlo_results(reader, next))
        return false;
    for (uint32_t k = 0; k < reader->names.len; k++)
        n_names += reader->names.at[k].n;
    start.name = at = *next;
    if (mlir_kind(mlir, at) != T_BARE && mlir_kind(mlir, at) != T_STRING)
        return mlir_expected(mlir, at, "an operation");
    if (known_op(mlir, at, &op)) {
        enum ops_answer answer = stablehlo_known_op(reader, next, op, &out);
        if (answer == OPS_FAILED)
            return false;
        if (answer == OPS_TERM && n_names > 1)
            return mlir_fail(mlir, at, "'%s': expected 1 result name, found %u", op_name(op),
                             n_names);
        if (answer == OPS_TERM)
            return bind_operator(reader, &start, *next, out);
    }
    if (n_names <= 1 &&
        (stablehlo_dynamic_op(reader, next, &out) || stablehlo_square(reader, next, &out)))
        return bind_operator(reader, &start, *next, out);
    bool effect;
    if (!stablehlo_opaque_op(reader, next, n_names, &out, &effect, &start))
        return false;
    if (effect)
        vec_push(&reader->effects, out);
    return bind_results(reader, out, true);
}

static bool is_return(const struct mlir *mlir, uint32_t at)
{
    char name[IO_OPERATION_NAME];
    uint16_t k = mlir_kind(mlir, at);
    return (k == T_BARE || k == T_STRING) && stablehlo_op_name(mlir, at, name) &&
           (strcmp(name, "func.return") == 0 || strcmp(name, "stablehlo.return") == 0);
}

// Result k is the value that was read, of the type that stands behind it.  Only func.return
// compares that type with the function's; stablehlo.return does not, so the value says what the
// function gives.
static bool set_result(struct stablehlo_reader *reader, uint32_t at, uint32_t k, bool compares)
{
    struct result *result = &this_function(reader)->results.at[k];
    term_id term = reader->args.at[k];
    type_id type = term_type(&reader->program->terms, term);
    if (compares && !stablehlo_check_operand(reader, at, k, term, result->type))
        return false;
    if (result->type.v != type.v) {
        buf_printf(&reader->remark, "%sresult %u of @%s is taken to be of the type of its value, ",
                   reader->remark.len > 0 ? "; " : "", k,
                   sym_text(reader->program->pool, this_function(reader)->name));
        type_print(reader->program->pool, type, &reader->remark);
    }
    *result = (struct result){term, type, result->attrs};
    return true;
}

// return %a, %b : T, U     or     "func.return"(%a, %b) : (T, U) -> ()
static bool read_return(struct stablehlo_reader *reader, uint32_t *next, struct source_holes *holes)
{
    struct mlir *mlir = &reader->mlir;
    struct function *function = this_function(reader);
    uint32_t at = *next;
    bool compares = !mlir_text_is(mlir, at, "stablehlo.return") &&
                    !mlir_text_is(mlir, at, "\"stablehlo.return\"");
    bool generic = mlir_kind(mlir, (*next)++) == T_STRING;
    vec_clear(&reader->args);
    if (generic && !mlir_expect(mlir, next, '(', "'('"))
        return false;
    while (mlir_kind(mlir, *next) == T_VALUE) {
        term_id term;
        uint32_t operand = *next;
        if (!stablehlo_operand(reader, next, &term))
            return false;
        source_hole(reader, holes, operand, *next,
                    (struct source_place){SOURCE_ARGUMENT, reader->args.len});
        vec_push(&reader->args, term);
        if (!mlir_accept(mlir, next, ','))
            break;
        if (mlir_kind(mlir, *next) != T_VALUE)
            return mlir_expected(mlir, *next, "a value such as %0");
    }
    if (generic && !mlir_expect(mlir, next, ')', "',' or ')'"))
        return false;
    if (reader->args.len != function->results.len)
        return mlir_fail(mlir, at, "expected %u values to return, found %u", function->results.len,
                         reader->args.len);
    if ((generic || reader->args.len > 0) && !mlir_expect(mlir, next, ':', "':'"))
        return false;
    if (generic && !mlir_expect(mlir, next, '(', "'('"))
        return false;
    for (uint32_t k = 0; k < reader->args.len; k++) {
        type_id type;
        uint32_t here = *next;
        if (k > 0 && !mlir_expect(mlir, next, ',', "','"))
            return false;
        if (!mlir_type(mlir, next, &type) ||
            !stablehlo_check_operand(reader, here, k, reader->args.at[k], type) ||
            !set_result(reader, at, k, compares))
            return false;
    }
    if (generic &&
        (!mlir_expect(mlir, next, ')', "')'") || !mlir_expect(mlir, next, T_ARROW, "'->'") ||
         !mlir_expect(mlir, next, '(', "'('") || !mlir_expect(mlir, next, ')', "')'")))
        return false;
    return true;
}

// The statements up to '}' at `close`.
static bool read_body(struct stablehlo_reader *reader, uint32_t at, uint32_t close,
                      struct source_holes *holes)
{
    struct mlir *mlir = &reader->mlir;
    uint32_t first = at, block = source_block(reader);
    reader->source_block = block;
    while (at != close) {
        if (mlir_kind(mlir, at) == T_BLOCK)
            return mlir_fail(mlir, at,
                             "a function of several blocks is not "
                             "supported");
        if (is_return(mlir, at)) {
            source_block_hole(reader, holes, first, at, 0, block);
            if (!read_return(reader, &at, holes))
                return false;
            if (mlir_kind(mlir, at) == T_BLOCK)
                return mlir_fail(mlir, at,
                                 "a function of several blocks is not "
                                 "supported");
            return at == close || mlir_expected(mlir, at, "'}' behind return");
        }
        if (!stablehlo_statement(reader, &at))
            return false;
    }
    return mlir_expected(mlir, close, "return");
}

static void end_function(struct stablehlo_reader *reader)
{
    for (uint32_t k = 0; k < reader->effects.len; k++)
        vec_push(&this_function(reader)->effects, reader->effects.at[k]);
    this_function(reader)->n_serials = reader->serial - this_function(reader)->serial;
    vec_clear(&reader->effects);
    stablehlo_unbind(reader, 0);
    vec_clear(&reader->value);
    vec_clear(&reader->names);
}

static bool new_function(struct stablehlo_reader *reader)
{
    struct function function = {0};
    sym_id none = sym_make(reader->program->pool, "");
    function.name = function.visibility = function.attrs = none;
    reader->scope = scope_of_function(reader->program->functions.len);
    function.serial = reader->serial;
    function.number = reader->program->functions.len;
    vec_push(&reader->program->functions, function);
    return true;
}

bool stablehlo_function(struct stablehlo_reader *reader, uint32_t *i)
{
    struct mlir *mlir = &reader->mlir;
    struct source_holes holes = {0};
    uint32_t start = *i, body = NO_BLOCK;
    new_function(reader);
    ++*i;
    if (mlir_word(mlir, *i, "public") || mlir_word(mlir, *i, "private") ||
        mlir_word(mlir, *i, "nested")) {
        this_function(reader)->visibility = stablehlo_keep(reader, *i, *i + 1, SPACE_KEEP);
        ++*i;
    }
    uint32_t name = *i;
    if (!mlir_expect(mlir, i, T_SYMBOL, "the function's name such as @main") ||
        !stablehlo_unquoted(reader, name, &this_function(reader)->name) ||
        !pretty_params(reader, i) || !pretty_results(reader, i))
        return false;
    if (mlir_accept_word(mlir, i, "attributes")) {
        if (mlir_kind(mlir, *i) != '{')
            return mlir_expected(mlir, *i, "'{'");
        if (!stablehlo_keep_dict(reader, i, &this_function(reader)->attrs))
            return false;
    }
    bool ok = true;
    if (mlir_kind(mlir, *i) == '{') {
        uint32_t close = mlir->tok.at[*i].match;
        ok = read_body(reader, *i + 1, close, &holes);
        body = reader->source_block;
        *i = close + 1;
    } else {
        struct function *function = this_function(reader);
        function->declaration = true;
        for (uint32_t k = 0; k < function->params.len; k++)
            function->params.at[k].name = sym_make(reader->program->pool, "");
    }
    if (ok)
        source_function(reader, start, *i, body, &holes);
    vec_release(&holes);
    end_function(reader);
    return ok;
}

// The k-th dictionary of the list at token `list`, as text; "" without one.
static bool list_attrs(struct stablehlo_reader *reader, uint32_t *list, sym_id *out)
{
    struct mlir *mlir = &reader->mlir;
    *out = sym_make(reader->program->pool, "");
    if (*list == 0)
        return true;
    uint32_t at = *list;
    if (mlir_kind(mlir, at) == '[')
        at++;
    if (mlir_kind(mlir, at) != '{')
        return mlir_expected(mlir, at, "'{'");
    if (!stablehlo_keep_dict(reader, &at, out))
        return false;
    *list = at;
    mlir_accept(mlir, list, ',');
    return true;
}

// ^bb0(%a: T, ...) of the body, compared with the function's type.
static bool generic_params(struct stablehlo_reader *reader, uint32_t *next, uint32_t *list)
{
    struct mlir *mlir = &reader->mlir;
    uint32_t n = reader->types.len;
    bool body = mlir_kind(mlir, *next) == T_BLOCK && mlir_kind(mlir, *next + 1) == '(';
    if (n > 0 && !body && mlir_kind(mlir, *next) != '}')
        return mlir_expected(mlir, *next, "a block with the function's arguments");
    bool declaration = mlir_kind(mlir, *next) == '}';
    if (body)
        *next += 2;
    for (uint32_t k = 0; k < n; k++) {
        uint32_t at = *next;
        sym_id attrs;
        type_id type = reader->types.at[k], have;
        if (!list_attrs(reader, list, &attrs))
            return false;
        if (declaration) {
            add_param(reader, 0, type, attrs);
            continue;
        }
        if (!mlir_expect(mlir, next, T_VALUE, "an argument such as %arg0") ||
            !mlir_expect(mlir, next, ':', "':'"))
            return false;
        uint32_t type_at = *next;
        if (!mlir_type(mlir, next, &have))
            return false;
        if (have.v != type.v)
            return mlir_fail(mlir, type_at,
                             "expected the type that function_type "
                             "gives");
        if (!add_param(reader, at, type, attrs) ||
            (k + 1 < n && !mlir_expect(mlir, next, ',', "','")))
            return false;
    }
    if (body)
        return mlir_expect(mlir, next, ')', "')'") && mlir_expect(mlir, next, ':', "':'");
    if (mlir_kind(mlir, *next) == T_BLOCK && mlir_kind(mlir, *next + 1) == ':')
        *next += 2;
    return true;
}

bool stablehlo_generic_function(struct stablehlo_reader *reader, uint32_t *i)
{
    static const char *const skip[] = {"function_type", "sym_name",  "sym_visibility",
                                       "arg_attrs",     "res_attrs", NULL};
    struct mlir *mlir = &reader->mlir;
    struct function_header header;
    uint32_t at = *i, n_in;
    new_function(reader);
    if (!stablehlo_function_header(reader, i, &header))
        return false;
    if (header.name == 0 || mlir_kind(mlir, header.name) != T_STRING)
        return mlir_fail(mlir, at,
                         "expected sym_name = \"...\" among the "
                         "attributes");
    if (header.type == 0)
        return mlir_fail(mlir, at, "expected function_type among the attributes");
    if (!stablehlo_unquoted(reader, header.name, &this_function(reader)->name) ||
        (header.visibility != 0 &&
         (mlir_kind(mlir, header.visibility) != T_STRING ||
          !stablehlo_unquoted(reader, header.visibility, &this_function(reader)->visibility))) ||
        !stablehlo_header_attrs(reader, &header, skip, &this_function(reader)->attrs) ||
        !stablehlo_signature(reader, &header.type, &n_in))
        return false;
    uint32_t n_out = reader->types.len - n_in;
    for (uint32_t k = 0; k < n_out; k++) {
        sym_id attrs;
        if (!list_attrs(reader, &header.res_attrs, &attrs))
            return false;
        add_result(reader, reader->types.at[n_in + k], attrs);
    }
    reader->types.len = n_in;
    uint32_t body = header.region + 1, close = mlir->tok.at[header.region].match;
    if (!generic_params(reader, &body, &header.arg_attrs))
        return false;
    bool ok = true;
    struct source_holes holes = {0};
    uint32_t block = NO_BLOCK;
    if (body == close && body == header.region + 1) {
        this_function(reader)->declaration = true;
    } else {
        ok = read_body(reader, body, close, &holes);
        block = reader->source_block;
    }
    if (ok)
        source_function(reader, at, *i, block, &holes);
    vec_release(&holes);
    end_function(reader);
    return ok;
}
