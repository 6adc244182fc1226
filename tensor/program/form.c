// SPDX-License-Identifier: Apache-2.0
#include "tensor/program/form.h"

#include "base/text/buf.h"
#include "tensor/language/attr.h"
#include "tensor/program/region.h"
#include "tensor/shape/infer.h"

#include <errno.h>
#include <stdlib.h>

// ---- types

// "tensor<?x4xf32>": one size of the text, -1 for "?".
static bool next_size(const char **text, int64_t *out)
{
    const char *at = *text;
    int64_t x = 0;
    if (*at == '?') {
        *out = -1;
        at++;
    } else {
        if (*at < '0' || *at > '9')
            return false;
        for (; *at >= '0' && *at <= '9'; at++) {
            if (x > (INT64_MAX - 9) / 10)
                return false;
            x = 10 * x + (*at - '0');
        }
        *out = x;
    }
    if (*at != 'x')
        return false;
    *text = at + 1;
    return true;
}

// ", #stablehlo.bounds<4, ?>": a bound for each dimension, 0 for "?", which those of known size
// have.  *end is behind it.
static bool read_bounds(const char *text, uint32_t rank, const int64_t *dims, int64_t *bounds,
                        const char **end)
{
    static const char start[] = ", #stablehlo.bounds<";
    if (strncmp(text, start, sizeof start - 1) != 0)
        return false;
    text += sizeof start - 1;
    for (uint32_t k = 0; k < rank; k++) {
        char *number;
        if (k > 0 && (text[0] != ',' || text[1] != ' '))
            return false;
        text += k > 0 ? 2 : 0;
        bounds[k] = 0;
        number = (char *)(uintptr_t)text + 1;
        if (*text != '?') {
            if (*text < '0' || *text > '9' || dims[k] >= 0)
                return false;
            errno = 0;
            bounds[k] = strtoll(text, &number, 10);
            if (errno != 0 || bounds[k] == 0)
                return false;
        }
        text = number;
    }
    *end = text + 1;
    return *text == '>';
}

// "f32>", or "f32, #stablehlo.bounds<4, ?>>" of a type with sizes "?".
static bool read_element(const char *text, uint32_t rank, const int64_t *dims, enum elem *elem,
                         int64_t *bounds)
{
    size_t n = strcspn(text, ",>");
    const char *end = text + n;
    bool open = false;
    for (uint32_t k = 0; k < rank; k++) {
        bounds[k] = 0;
        open |= dims[k] < 0;
    }
    if (*end == ',' && (!open || !read_bounds(end, rank, dims, bounds, &end)))
        return false;
    return n > 0 && strcmp(end, ">") == 0 && elem_by_text(text, n, elem) && !elem_is_ideal(*elem);
}

bool shape_of_type(const struct pool *pool, type_id type, enum elem *elem, uint32_t *rank,
                   int64_t dims[TENSOR_MAX_RANK])
{
    int64_t bounds[TENSOR_MAX_RANK];
    return bounds_of_type(pool, type, elem, rank, dims, bounds);
}

bool bounds_of_type(const struct pool *pool, type_id type, enum elem *elem, uint32_t *rank,
                    int64_t dims[TENSOR_MAX_RANK], int64_t bounds[TENSOR_MAX_RANK])
{
    const struct type *t = pool_type(pool, type);
    *rank = 0;
    if (t->form == TYPE_TENSOR) {
        *elem = t->elem;
        *rank = t->n;
        for (uint32_t k = 0; k < t->n; k++) {
            dims[k] = type_dims(pool, type)[k];
            bounds[k] = 0;
        }
        return true;
    }
    if (t->form != TYPE_OTHER)
        return false;
    const char *text = sym_text(pool, (sym_id){t->at});
    if (strncmp(text, "tensor<", 7) != 0)
        return false;
    text += 7;
    int64_t size;
    while (next_size(&text, &size)) {
        if (*rank == TENSOR_MAX_RANK)
            return false;
        dims[(*rank)++] = size;
    }
    return read_element(text, *rank, dims, elem, bounds);
}

bool type_is_dynamic(const struct pool *pool, type_id type)
{
    enum elem elem;
    uint32_t rank;
    int64_t dims[TENSOR_MAX_RANK];
    return !type_is_tensor(pool, type) && shape_of_type(pool, type, &elem, &rank, dims);
}

bool type_allows(const struct pool *pool, type_id type, type_id tensor)
{
    enum elem elem;
    uint32_t rank;
    int64_t dims[TENSOR_MAX_RANK], bounds[TENSOR_MAX_RANK];
    if (!type_is_tensor(pool, tensor) || !bounds_of_type(pool, type, &elem, &rank, dims, bounds) ||
        type_elem(pool, tensor) != elem || type_rank(pool, tensor) != rank)
        return false;
    for (uint32_t k = 0; k < rank; k++) {
        int64_t size = type_dims(pool, tensor)[k];
        if ((dims[k] >= 0 && dims[k] != size) || (bounds[k] > 0 && size > bounds[k]))
            return false;
    }
    return true;
}

// ---- forms

const struct op_form *op_form_of(const struct program *program, attr_id opaque)
{
    uint32_t text = (uint32_t)attr_at(program->pool, opaque)[0];
    if (attr_len(program->pool, opaque) != OPAQUE_PLAIN || text >= program->form_of.len ||
        program->form_of.at[text] == 0)
        return NULL;
    return &program->forms.at[program->form_of.at[text] - 1];
}

void op_form_add(struct program *program, sym_id text, struct op_form form)
{
    while (program->form_of.len <= text.v)
        vec_push(&program->form_of, 0);
    if (program->form_of.at[text.v] != 0)
        return;
    vec_push(&program->forms, form);
    program->form_of.at[text.v] = program->forms.len;
}

void form_operands_release(struct form_operands *operands)
{
    for (uint32_t k = 0; k < FORM_LISTS; k++)
        vec_release(&operands->list[k]);
}

// Does the operator take the shape of its result as an operand?
static bool takes_shape(enum op op)
{
    return op == OP_RESHAPE || op == OP_IOTA || op == OP_BROADCAST_IN_DIM;
}

// The padding of a convolution: a pair for each window.
static bool set_padding(struct i64_vec *attr, const struct i64_vec *list)
{
    uint32_t ns = (uint32_t)attr->at[3];
    if (list->len != 2 * ns)
        return false;
    for (uint32_t k = 0; k < ns; k++) {
        attr->at[4 + ns + k] = list->at[2 * k];
        attr->at[4 + 2 * ns + k] = list->at[2 * k + 1];
    }
    return true;
}

// The attributes: those of the text, and the numbers of the operands that stand for others.
static bool all_attributes(struct pool *pool, const struct op_form *form,
                           const struct form_operands *operands, attr_id *out)
{
    struct i64_vec attr = {0};
    uint32_t extra = operands->n - form->operands;
    bool ok = true;
    for (uint32_t k = 0; k < attr_len(pool, form->attr); k++)
        vec_push(&attr, attr_at(pool, form->attr)[k]);
    for (uint32_t k = 0; ok && k < extra && !takes_shape(form->op); k++) {
        const struct i64_vec *list = &operands->list[k];
        ok = operands->given[k] && (form->op != OP_CONVOLUTION || set_padding(&attr, list));
        for (uint32_t i = 0; ok && form->op != OP_CONVOLUTION && i < list->len; i++)
            vec_push(&attr, list->at[i]);
    }
    *out = attr_make(pool, attr.len, attr.at);
    vec_release(&attr);
    return ok;
}

// The type that the operator is asked for, where it does not follow from the operands.
static bool wanted_type(struct pool *pool, const struct op_form *form,
                        const struct form_operands *operands, type_id declared, type_id *out)
{
    enum elem elem;
    uint32_t rank;
    int64_t dims[TENSOR_MAX_RANK];
    struct err none = {0};
    *out = NO_TYPE;
    if (form->op == OP_CONVERT || form->op == OP_BITCAST_CONVERT) {
        if (!shape_of_type(pool, declared, &elem, &rank, dims))
            return false;
        if (type_is_tensor(pool, declared) || form->op == OP_BITCAST_CONVERT) {
            *out = declared;
            return type_is_tensor(pool, declared);
        }
        return type_tensor(pool, elem, type_rank(pool, operands->type[0]),
                           type_dims(pool, operands->type[0]), out, &none);
    }
    if (!takes_shape(form->op))
        return true;
    bool shaped = operands->n > form->operands && operands->given[0];
    if (!shaped) {
        *out = declared;
        return type_is_tensor(pool, declared);
    }
    const struct i64_vec *list = &operands->list[0];
    if (!shape_of_type(pool, declared, &elem, &rank, dims) || list->len > TENSOR_MAX_RANK)
        return false;
    for (uint32_t k = 0; k < list->len; k++)
        if (list->at[k] < 0)
            return false;
    return type_tensor(pool, elem, list->len, list->at, out, &none);
}

bool form_operation(struct pool *pool, const struct op_form *form,
                    const struct form_operands *operands, type_id declared, struct operation *out)
{
    struct err none = {0};
    *out = (struct operation){.op = form->op, .n = form->operands};
    if (form->op == N_OPS || operands->n < form->operands)
        return false;
    for (uint32_t k = 0; k < form->operands; k++)
        if (!type_is_tensor(pool, operands->type[k]))
            return false;
    return wanted_type(pool, form, operands, declared, &out->type) &&
           all_attributes(pool, form, operands, &out->attr) &&
           infer_type(pool, *out, operands->type, &out->type, &none) &&
           type_allows(pool, declared, out->type);
}

// ---- terms

static void cast_text(const struct pool *pool, type_id from, type_id to, struct buf *out)
{
    buf_puts(out, "stablehlo.convert %{0} : (");
    type_print(pool, from, out);
    buf_puts(out, ") -> ");
    type_print(pool, to, out);
}

bool term_is_cast(const struct terms *terms, term_id id)
{
    const struct term *node = term_at(terms, id);
    struct pool *pool = terms->pool;
    if (node->op != OP_OPAQUE || node->n_args != 1 || attr_len(pool, node->attr) != OPAQUE_PLAIN ||
        type_is_tensor(pool, node->type))
        return false;
    type_id from = term_type(terms, term_args(terms, id)[0]);
    struct opaque_view view = opaque_view(terms, id);
    if (view.serial != 0 || !type_is_tensor(pool, from) || !type_allows(pool, node->type, from))
        return false;
    struct buf text = {0};
    cast_text(pool, from, node->type, &text);
    bool same = strcmp(buf_text(&text), sym_text(pool, view.text)) == 0;
    buf_release(&text);
    return same;
}

static term_id cast(struct terms *terms, term_id id, type_id to)
{
    struct buf text = {0};
    if (term_type(terms, id).v == to.v)
        return id;
    cast_text(terms->pool, term_type(terms, id), to, &text);
    int64_t v[OPAQUE_PLAIN] = {sym_make(terms->pool, buf_text(&text)).v, 1, 0};
    buf_release(&text);
    return term_make(terms, OP_OPAQUE, attr_make(terms->pool, OPAQUE_PLAIN, v), to, 1, &id);
}

// The numbers of a constant of integers.
static bool numbers(const struct terms *terms, term_id id, struct i64_vec *out)
{
    const struct pool *pool = terms->pool;
    lit_id literal = term_literal(terms, id);
    if (literal.v == NO_LIT.v)
        return false;
    enum elem elem = pool_literal(pool, literal)->elem;
    int64_t count = type_count(pool, term_type(terms, id));
    if ((elem_kind(elem) != KIND_SINT && elem_kind(elem) != KIND_UINT) ||
        count > 2 * TENSOR_MAX_RANK)
        return false;
    for (int64_t k = 0; k < count; k++) {
        uint64_t at = pool_literal(pool, literal)->splat ? 0 : (uint64_t)k;
        int64_t x = (int64_t)literal_get(pool, literal, at).bits;
        if (elem == ELEM_UI64 && x < 0)
            return false;
        vec_push(out, x);
    }
    return true;
}

// The size of a dimension, as a constant of the declared type.
static term_id dimension_size(struct terms *terms, const struct op_form *form, term_id operand,
                              type_id declared)
{
    struct pool *pool = terms->pool;
    enum elem elem;
    uint32_t rank;
    int64_t dims[TENSOR_MAX_RANK], at = attr_at(pool, form->attr)[0];
    if (!type_is_tensor(pool, declared) || type_rank(pool, declared) != 0 ||
        !shape_of_type(pool, term_type(terms, operand), &elem, &rank, dims) || at < 0 ||
        at >= rank || dims[at] < 0 || !elem_has_int(type_elem(pool, declared), dims[at]))
        return NO_TERM;
    elem = type_elem(pool, declared);
    return term_constant(terms, literal_splat(pool, elem, scalar_of_int(elem, dims[at])), declared);
}

static term_id on_tensors(struct terms *terms, const struct op_form *form, type_id declared,
                          uint32_t n, term_id *args)
{
    struct pool *pool = terms->pool;
    struct form_operands operands = {.n = n};
    struct operation operation;
    type_id *types = mem_alloc(sizeof *types * (n + 1u));
    for (uint32_t k = 0; k < n; k++) {
        types[k] = term_type(terms, args[k]);
        if (k >= form->operands && k - form->operands < FORM_LISTS)
            operands.given[k - form->operands] =
                numbers(terms, args[k], &operands.list[k - form->operands]);
    }
    operands.type = types;
    term_id out = NO_TERM;
    if (n - form->operands <= FORM_LISTS &&
        form_operation(pool, form, &operands, declared, &operation)) {
        // A conversion to its own type is its operand.
        bool same = form->op == OP_CONVERT && operation.type.v == types[0].v;
        struct err none = {0};
        if (same)
            out = args[0];
        else if (!term_build(terms, operation, args, &out, &none))
            out = NO_TERM;
    }
    form_operands_release(&operands);
    mem_free(types);
    return out;
}

term_id form_refine(const struct program *program, struct terms *terms, term_id id)
{
    struct term node = *term_at(terms, id);
    if (node.op != OP_OPAQUE)
        return NO_TERM;
    const struct op_form *form = op_form_of(program, node.attr);
    struct opaque_view view = opaque_view(terms, id);
    if (form == NULL || view.serial != 0 || view.n_results != 1 || node.n_args < form->operands)
        return NO_TERM;
    term_id *args = mem_alloc(sizeof *args * (node.n_args + 1u));
    for (uint32_t k = 0; k < node.n_args; k++) {
        args[k] = term_args(terms, id)[k];
        if (term_is_cast(terms, args[k]))
            args[k] = term_args(terms, args[k])[0];
    }
    term_id out = form->op == N_OPS ? dimension_size(terms, form, args[0], node.type)
                                    : on_tensors(terms, form, node.type, node.n_args, args);
    mem_free(args);
    return out.v == NO_TERM.v ? NO_TERM : cast(terms, out, node.type);
}
