// SPDX-License-Identifier: Apache-2.0
// Operations on sizes "?" (tensor/program/form.h).  The value of such a type is a tensor of the
// sizes that it has in this run, so an operation with a form is the operator on these sizes.
#include "tensor/eval/parts.h"

#include "tensor/program/form.h"

// The numbers of an operand that stands for attributes.
static bool numbers(const struct pool *pool, const struct value *value, struct i64_vec *out)
{
    enum elem elem = type_elem(pool, value->type);
    int64_t count = type_count(pool, value->type);
    if ((elem_kind(elem) != KIND_SINT && elem_kind(elem) != KIND_UINT) || elem_is_ideal(elem) ||
        count > 2 * TENSOR_MAX_RANK)
        return false;
    for (int64_t i = 0; i < count; i++)
        vec_push(out, scalar_index(elem, scalar_load(elem, value->data, (size_t)i)));
    return true;
}

static bool dimension_size(const struct pool *pool, const struct op_form *form, type_id type,
                           const struct value *operand, struct arena *arena, struct value *out,
                           struct err *err)
{
    int64_t at = attr_at(pool, form->attr)[0];
    if (!type_is_tensor(pool, type) || type_rank(pool, type) != 0 ||
        at >= type_rank(pool, operand->type))
        return false;
    enum elem elem = type_elem(pool, type);
    int64_t size = type_dims(pool, operand->type)[at];
    if (!elem_has_int(elem, size) || !value_new(pool, type, arena, out, err))
        return false;
    scalar_store(elem, out->data, 0, scalar_of_int(elem, size));
    return true;
}

static bool on_tensors(struct pool *pool, const struct op_form *form, type_id type, uint32_t n,
                       const struct opaque_value *args, struct arena *arena,
                       struct opaque_value *out, bool *known, struct err *err)
{
    type_id *types = ARENA_NEW(arena, type_id, n + 1u);
    struct form_operands operands = {.n = n, .type = types};
    struct operation operation;
    for (uint32_t k = 0; k < n; k++) {
        types[k] = args[k].value.type;
        if (k >= form->operands)
            operands.given[k - form->operands] =
                numbers(pool, &args[k].value, &operands.list[k - form->operands]);
    }
    *known = form_operation(pool, form, &operands, type, &operation);
    form_operands_release(&operands);
    if (*known && form->op == OP_CONVERT && operation.type.v == types[0].v) {
        out->value = args[0].value;
        return true;
    }
    return !*known || eval_slot(pool, operation, args, arena, out, err);
}

bool form_eval(const struct program *program, const struct term *node,
               const struct opaque_value *args, struct arena *arena, struct opaque_value *out,
               bool *known, struct err *err)
{
    const struct op_form *form = op_form_of(program, node->attr);
    *known = form != NULL && node->n_args >= form->operands &&
             node->n_args - form->operands <= FORM_LISTS;
    for (uint32_t k = 0; *known && k < node->n_args; k++)
        *known = type_is_tensor(program->pool, args[k].value.type) && args[k].value.data != NULL;
    if (!*known)
        return true;
    if (form->op != N_OPS)
        return on_tensors(program->pool, form, node->type, node->n_args, args, arena, out, known,
                          err);
    *known =
        dimension_size(program->pool, form, node->type, &args[0].value, arena, &out->value, err);
    return *known || err->kind == ERR_NONE;
}
