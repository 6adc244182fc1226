// SPDX-License-Identifier: Apache-2.0
// Complex numbers that are made and used inside a program (tensor/program/complex.h).  The value
// of a complex tensor is that of all real parts and, behind it, that of all imaginary parts.
#include "tensor/eval/parts.h"

#include "tensor/program/complex.h"
#include "tensor/program/form.h"
#include "tensor/shape/infer.h"

struct complex_call {
    const struct terms *terms;
    term_id id;
    const struct opaque_value *args;
    struct arena *arena;
};

// The part of an operand; what is not complex is its own part.  False: the value is not known.
static bool part_of(const struct complex_call *call, uint32_t k, bool imag, struct value *out)
{
    struct pool *pool = call->terms->pool;
    const struct value *value = &call->args[k].value;
    *out = *value;
    if (value->data == NULL || type_is_tensor(pool, value->type))
        return value->data != NULL;
    if (!complex_part_type(pool, value->type, &out->type))
        return false;
    size_t bytes = (size_t)type_count(pool, out->type) * elem_bytes(type_elem(pool, out->type));
    out->data = (char *)value->data + (imag ? bytes : 0);
    return true;
}

// The operator on one part of each operand.
static bool on_part(const struct complex_call *call, struct operation operation, bool imag,
                    struct value *out, bool *known, struct err *err)
{
    struct pool *pool = call->terms->pool;
    struct opaque_value *args = ARENA_NEW(call->arena, struct opaque_value, operation.n + 1u);
    type_id *types = ARENA_NEW(call->arena, type_id, operation.n + 1u);
    struct opaque_value result = {0};
    struct err none = {0};
    type_id want = operation.type;
    for (uint32_t k = 0; k < operation.n; k++) {
        *known = *known && part_of(call, k, imag, &args[k].value);
        types[k] = args[k].value.type;
    }
    // The text is not checked where it is read.
    *known = *known && infer_type(pool, operation, types, &operation.type, &none) &&
             operation.type.v == want.v;
    if (*known && !eval_slot(pool, operation, args, call->arena, &result, err))
        return false;
    *out = result.value;
    return true;
}

static bool join(const struct complex_call *call, const struct value part[2], struct value *out)
{
    struct pool *pool = call->terms->pool;
    size_t bytes =
        (size_t)type_count(pool, part[0].type) * elem_bytes(type_elem(pool, part[0].type));
    char *data = ARENA_NEW(call->arena, char, 2 * bytes + 1);
    memcpy(data, part[0].data, bytes);
    memcpy(data + bytes, part[1].data, bytes);
    *out = (struct value){.type = term_type(call->terms, call->id), .data = data};
    return true;
}

// The operator that the operation is on parts; N_OPS: none.
static enum op operator_on_parts(const struct program *program, const struct complex_call *call,
                                 attr_id *attr)
{
    const struct term *node = term_at(call->terms, call->id);
    *attr = attr_make(call->terms->pool, 0, NULL);
    switch (complex_operator(call->terms, call->id)) {
    case COMPLEX_ADD:
        return OP_ADD;
    case COMPLEX_SUBTRACT:
        return OP_SUBTRACT;
    case COMPLEX_NEGATE:
        return OP_NEGATE;
    case COMPLEX_NONE:
    case COMPLEX_PAIR:
    case COMPLEX_REAL:
    case COMPLEX_IMAG:
    case COMPLEX_CONJ:
        break;
    }
    const struct op_form *form = op_form_of(program, node->attr);
    if (form == NULL || node->n_args == 0 || form->operands != node->n_args ||
        !complex_moves(call->terms, form->op, term_args(call->terms, call->id)[node->n_args - 1]))
        return N_OPS;
    *attr = form->attr;
    return form->op;
}

static bool on_parts(const struct program *program, const struct complex_call *call,
                     struct value *out, bool *known, struct err *err)
{
    struct operation operation = {.n = term_at(call->terms, call->id)->n_args};
    struct value part[2];
    operation.op = operator_on_parts(program, call, &operation.attr);
    *known =
        operation.op != N_OPS &&
        complex_part_type(call->terms->pool, term_type(call->terms, call->id), &operation.type);
    for (int k = 0; *known && k < 2; k++)
        if (!on_part(call, operation, k == 1, &part[k], known, err))
            return false;
    return !*known || join(call, part, out);
}

bool complex_eval(const struct program *program, const struct terms *terms, term_id id,
                  const struct opaque_value *args, struct arena *arena, struct opaque_value *out,
                  bool *known, struct err *err)
{
    struct complex_call call = {terms, id, args, arena};
    struct value part[2];
    enum complex_operator op = complex_operator(terms, id);
    type_id type;
    *known = false;
    if (op == COMPLEX_NONE && (term_serial(terms, id) != 0 ||
                               !complex_part_type(terms->pool, term_type(terms, id), &type)))
        return true;
    switch (op) {
    case COMPLEX_REAL:
    case COMPLEX_IMAG:
        *known = part_of(&call, 0, op == COMPLEX_IMAG, &out->value) &&
                 out->value.type.v == term_type(terms, id).v;
        return true;
    case COMPLEX_PAIR:
        *known = part_of(&call, 0, false, &part[0]) && part_of(&call, 1, false, &part[1]) &&
                 complex_part_type(terms->pool, term_type(terms, id), &type) &&
                 part[0].type.v == type.v && part[1].type.v == type.v;
        return !*known || join(&call, part, &out->value);
    case COMPLEX_CONJ: {
        attr_id none = attr_make(terms->pool, 0, NULL);
        *known = part_of(&call, 0, false, &part[0]);
        return !*known || (on_part(&call, (struct operation){OP_NEGATE, none, part[0].type, 1},
                                   true, &part[1], known, err) &&
                           (!*known || join(&call, part, &out->value)));
    }
    case COMPLEX_NONE:
    case COMPLEX_ADD:
    case COMPLEX_SUBTRACT:
    case COMPLEX_NEGATE:
        break;
    }
    return on_parts(program, &call, &out->value, known, err);
}
