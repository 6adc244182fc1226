// SPDX-License-Identifier: Apache-2.0
#include "tensor/program/complex.h"

#include "base/text/buf.h"
#include "tensor/program/form.h"
#include "tensor/program/region.h"

// A complex element type is one that is carried as text.
static bool is_other(const struct terms *terms, term_id id)
{
    return type_elem(terms->pool, term_type(terms, id)) == ELEM_OTHER;
}

static bool is_float(const struct terms *terms, term_id id)
{
    return elem_kind(type_elem(terms->pool, term_type(terms, id))) == KIND_FLOAT;
}

// In HLO the type of the result stands in front of the name.
static bool is_called(const struct terms *terms, const struct opaque_view *view, const char *name,
                      const char *hlo)
{
    const char *space = strchr(sym_text(terms->pool, view->text), ' ');
    if (opaque_is(terms, view, name))
        return true;
    size_t n = hlo != NULL ? strlen(hlo) : 0;
    return n > 0 && space != NULL && strncmp(space + 1, hlo, n) == 0 && space[n + 1] == '(';
}

enum complex_operator complex_operator(const struct terms *terms, term_id id)
{
    static const struct {
        const char *name, *hlo;
        uint32_t n_args;
        enum complex_operator op;
    } operators[] = {
        {"stablehlo.complex", "complex", 2, COMPLEX_PAIR},
        {"stablehlo.real", "real", 1, COMPLEX_REAL},
        {"stablehlo.imag", "imag", 1, COMPLEX_IMAG},
        {"chlo.conj", NULL, 1, COMPLEX_CONJ},
        {"stablehlo.add", "add", 2, COMPLEX_ADD},
        {"stablehlo.subtract", "subtract", 2, COMPLEX_SUBTRACT},
        {"stablehlo.negate", "negate", 1, COMPLEX_NEGATE},
    };
    if (term_op(terms, id) != OP_OPAQUE)
        return COMPLEX_NONE;
    struct opaque_view view = opaque_view(terms, id);
    uint32_t n_args = term_at(terms, id)->n_args;
    if (view.serial != 0 || view.n_results != 1 || view.n_blocks != 0 || n_args == 0)
        return COMPLEX_NONE;
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        enum complex_operator op = operators[i].op;
        bool part = op == COMPLEX_REAL || op == COMPLEX_IMAG;
        if (n_args == operators[i].n_args &&
            is_called(terms, &view, operators[i].name, operators[i].hlo))
            return (part ? is_float(terms, id) : is_other(terms, id)) &&
                           (op == COMPLEX_PAIR ? is_float(terms, term_args(terms, id)[0])
                                               : is_other(terms, term_args(terms, id)[0]))
                       ? op
                       : COMPLEX_NONE;
    }
    return COMPLEX_NONE;
}

// Is `part` the part `op` of z?
static bool is_part(const struct terms *terms, term_id part, enum complex_operator op, term_id z)
{
    return complex_operator(terms, part) == op && term_args(terms, part)[0].v == z.v;
}

// A part of what is taken part by part: `b` is the operator on the parts.
static bool part_by_part(const struct terms *terms, term_id a, enum op op, term_id b)
{
    term_id z = term_args(terms, a)[0];
    enum complex_operator part = complex_operator(terms, a);
    if (term_op(terms, b) != op)
        return false;
    for (uint32_t i = 0; i < term_at(terms, z)->n_args; i++)
        if (!is_part(terms, term_args(terms, b)[i], part, term_args(terms, z)[i]))
            return false;
    return true;
}

static bool part_equal(const struct terms *terms, term_id a, term_id b)
{
    enum complex_operator part = complex_operator(terms, a);
    term_id z = term_args(terms, a)[0];
    const term_id *args = term_args(terms, z);
    switch (complex_operator(terms, z)) {
    case COMPLEX_PAIR:
        return args[part == COMPLEX_IMAG].v == b.v;
    case COMPLEX_CONJ:
        return part == COMPLEX_REAL ? is_part(terms, b, part, args[0])
                                    : part_by_part(terms, a, OP_NEGATE, b);
    case COMPLEX_ADD:
        return part_by_part(terms, a, OP_ADD, b);
    case COMPLEX_SUBTRACT:
        return part_by_part(terms, a, OP_SUBTRACT, b);
    case COMPLEX_NEGATE:
        return part_by_part(terms, a, OP_NEGATE, b);
    case COMPLEX_NONE:
    case COMPLEX_REAL:
    case COMPLEX_IMAG:
        break;
    }
    return false;
}

// ---- what moves elements moves parts

// "tensor<2x3xcomplex<f32>>"
bool complex_parts(struct pool *pool, type_id type, type_id *parts)
{
    static const char mark[] = "complex<";
    const struct type *t = pool_type(pool, type);
    if (t->form != TYPE_OTHER)
        return false;
    const char *text = sym_text(pool, (sym_id){t->at}), *elem = strstr(text, mark);
    if (strncmp(text, "tensor<", 7) != 0 || elem == NULL)
        return false;
    // The type with the element type of the parts in the place of the complex one.
    struct buf real = {0};
    const char *inner = elem + sizeof mark - 1;
    size_t n = strcspn(inner, ">");
    buf_write(&real, text, (size_t)(elem - text));
    buf_write(&real, inner, n);
    buf_putc(&real, '>');
    bool plain = strcmp(inner + n, ">>") == 0;
    type_id other = type_other(pool, buf_text(&real));
    buf_release(&real);
    enum elem kind;
    uint32_t rank;
    int64_t dims[TENSOR_MAX_RANK];
    if (!plain || !shape_of_type(pool, other, &kind, &rank, dims) ||
        (kind != ELEM_F32 && kind != ELEM_F64))
        return false;
    *parts = other;
    return true;
}

bool complex_part_type(struct pool *pool, type_id type, type_id *part)
{
    enum elem kind;
    uint32_t rank;
    int64_t dims[TENSOR_MAX_RANK];
    struct err none = {0};
    type_id parts;
    if (!complex_parts(pool, type, &parts) || !shape_of_type(pool, parts, &kind, &rank, dims))
        return false;
    for (uint32_t k = 0; k < rank; k++)
        if (dims[k] < 0)
            return false;
    return type_tensor(pool, kind, rank, dims, part, &none);
}

bool types_meet(struct pool *pool, type_id a, type_id b)
{
    enum elem elem[2];
    uint32_t rank[2];
    int64_t dims[2][TENSOR_MAX_RANK];
    if (a.v == b.v)
        return true;
    bool complex = complex_parts(pool, a, &a), other = complex_parts(pool, b, &b);
    if (!shape_of_type(pool, a, &elem[0], &rank[0], dims[0]) ||
        !shape_of_type(pool, b, &elem[1], &rank[1], dims[1]))
        return true;
    if (complex != other || elem[0] != elem[1] || rank[0] != rank[1])
        return false;
    for (uint32_t k = 0; k < rank[0]; k++)
        if (dims[0][k] != dims[1][k] && dims[0][k] >= 0 && dims[1][k] >= 0)
            return false;
    return true;
}

static term_id plain_node(struct terms *terms, struct buf *text, type_id type, uint32_t n,
                          const term_id *args)
{
    int64_t v[OPAQUE_PLAIN] = {sym_make(terms->pool, buf_text(text)).v, 1, 0};
    buf_release(text);
    return term_make(terms, OP_OPAQUE, attr_make(terms->pool, OPAQUE_PLAIN, v), type, n, args);
}

term_id complex_part(struct terms *terms, enum complex_operator part, term_id z)
{
    struct buf text = {0};
    type_id type;
    if (!complex_part_type(terms->pool, term_type(terms, z), &type))
        return NO_TERM;
    buf_printf(&text, "stablehlo.%s %%{0} : (", part == COMPLEX_IMAG ? "imag" : "real");
    type_print(terms->pool, term_type(terms, z), &text);
    buf_puts(&text, ") -> ");
    type_print(terms->pool, type, &text);
    return plain_node(terms, &text, type, 1, &z);
}

term_id complex_pair(struct terms *terms, type_id type, term_id a, term_id b)
{
    struct buf text = {0};
    buf_puts(&text, "stablehlo.complex %{0}, %{1} : ");
    type_print(terms->pool, type, &text);
    return plain_node(terms, &text, type, 2, (term_id[]){a, b});
}

// Conversions from complex numbers work on the parts, too.
bool complex_moves(const struct terms *terms, enum op op, term_id operand)
{
    if (op == OP_CONVERT)
        return !type_is_tensor(terms->pool, term_type(terms, operand));
    return op != N_OPS && (op_info(op)->flow == FLOW_MOVE || op_info(op)->flow == FLOW_CHOOSE);
}

term_id complex_moved(const struct program *program, struct terms *terms, term_id part)
{
    enum complex_operator which = complex_operator(terms, part);
    if (which != COMPLEX_REAL && which != COMPLEX_IMAG)
        return NO_TERM;
    term_id z = term_args(terms, part)[0], out = NO_TERM;
    struct term node = *term_at(terms, z);
    const struct op_form *form = node.op == OP_OPAQUE ? op_form_of(program, node.attr) : NULL;
    type_id type;
    if (form == NULL || node.n_args == 0 || form->operands != node.n_args ||
        !complex_moves(terms, form->op, term_args(terms, z)[node.n_args - 1]) ||
        term_serial(terms, z) != 0 || !complex_part_type(terms->pool, node.type, &type) ||
        type.v != term_type(terms, part).v)
        return NO_TERM;
    term_id *args = mem_alloc(sizeof *args * (node.n_args + 1u));
    bool ok = true;
    for (uint32_t k = 0; ok && k < node.n_args; k++) {
        args[k] = term_args(terms, z)[k];
        if (!type_is_tensor(terms->pool, term_type(terms, args[k])))
            args[k] = complex_part(terms, which, args[k]);
        ok = args[k].v != NO_TERM.v;
    }
    struct err none = {0};
    struct operation operation = {form->op, form->attr, type, node.n_args};
    if (!ok || !term_build(terms, operation, args, &out, &none))
        out = NO_TERM;
    mem_free(args);
    return out;
}

bool complex_equal(const struct program *program, struct terms *terms, term_id a, term_id b)
{
    if (term_type(terms, a).v != term_type(terms, b).v)
        return false;
    switch (complex_operator(terms, a)) {
    case COMPLEX_REAL:
    case COMPLEX_IMAG:
        return part_equal(terms, a, b) ||
               is_part(terms, b, complex_operator(terms, a), term_args(terms, a)[0]) ||
               complex_moved(program, terms, a).v == b.v;
    case COMPLEX_PAIR:
        return is_part(terms, term_args(terms, a)[0], COMPLEX_REAL, b) &&
               is_part(terms, term_args(terms, a)[1], COMPLEX_IMAG, b);
    case COMPLEX_CONJ:
        return is_part(terms, term_args(terms, a)[0], COMPLEX_CONJ, b);
    case COMPLEX_NONE:
    case COMPLEX_ADD:
    case COMPLEX_SUBTRACT:
    case COMPLEX_NEGATE:
        break;
    }
    return false;
}
