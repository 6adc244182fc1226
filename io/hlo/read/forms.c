// SPDX-License-Identifier: Apache-2.0
// Which instructions are calls and operations with regions: those whose computations are pure
// and whose shapes are arrays, or tuples of arrays, in the default layout.  All others that name
// computations stay text.
#include "io/hlo/read/forms.h"

static bool gives_truth(struct hlo_reader *reader, const struct hlo_computation *computation)
{
    type_id truth = hlo_scalar_type(reader, ELEM_I1);
    struct hlo_types types = {&truth, 1, 1};
    return hlo_gives(reader, computation, &types, false);
}

static bool is_while(struct hlo_reader *reader, const struct hlo_instruction *instruction,
                     const struct hlo_types *types)
{
    static const char *const keys[] = {"condition", "body", NULL};
    struct hlo_computation *go = hlo_named(reader, instruction, "condition");
    struct hlo_computation *body = hlo_named(reader, instruction, "body");
    return hlo_kind(reader, instruction->shape) == '(' && hlo_only(reader, instruction, keys) &&
           hlo_is_plain(reader, go) && hlo_is_plain(reader, body) && go != body &&
           hlo_takes_elements(reader, go, types) && gives_truth(reader, go) &&
           hlo_takes_elements(reader, body, types) && hlo_gives(reader, body, types, true);
}

// A sort of n operands compares two elements of each.
static bool is_sort(struct hlo_reader *reader, const struct hlo_instruction *instruction,
                    const struct hlo_types *types)
{
    static const char *const keys[] = {"dimensions", "is_stable", "to_apply", NULL};
    struct hlo_computation *less = hlo_named(reader, instruction, "to_apply");
    struct hlo_types pairs = {0};
    for (uint32_t k = 0; k < 2 * types->len; k++)
        vec_push(&pairs, hlo_scalar_type(reader, type_elem(reader->pool, types->at[k / 2])));
    bool ok = (hlo_kind(reader, instruction->shape) == '(') == (types->len > 1) &&
              hlo_only(reader, instruction, keys) && hlo_is_plain(reader, less) &&
              hlo_takes(reader, less, &pairs) && gives_truth(reader, less);
    vec_release(&pairs);
    return ok;
}

static bool is_map(struct hlo_reader *reader, const struct hlo_instruction *instruction,
                   const struct hlo_types *types)
{
    static const char *const keys[] = {"dimensions", "to_apply", NULL};
    struct hlo_computation *body = hlo_named(reader, instruction, "to_apply");
    struct hlo_types own = {0};
    type_id type = hlo_scalar_type(reader, type_elem(reader->pool, types->at[0]));
    struct hlo_types result = {&type, 1, 1};
    bool ok = hlo_kind(reader, instruction->shape) != '(' && hlo_only(reader, instruction, keys) &&
              hlo_is_plain(reader, body) && hlo_gives(reader, body, &result, false);
    ok = ok && hlo_array_parameters(reader, body, &own) && own.len > 0;
    for (uint32_t k = 0; ok && k < own.len; k++)
        ok = type_rank(reader->pool, own.at[k]) == 0;
    vec_release(&own);
    return ok;
}

bool hlo_is_operator(const struct hlo_computation *body, bool scatter)
{
    return body->elem != ELEM_OTHER && (scatter || body->reducer != N_OPS);
}

// A fold of operands into as many results, by a computation of two elements of each.
static bool is_fold(struct hlo_reader *reader, const struct hlo_instruction *instruction,
                    const struct hlo_types *types, const char *const *keys)
{
    struct hlo_computation *body = hlo_named(reader, instruction, "to_apply");
    bool tuple = hlo_kind(reader, instruction->shape) == '(';
    struct hlo_types twice = {0}, once = {0};
    for (uint32_t k = 0; k < 2 * types->len; k++) {
        type_id type = hlo_scalar_type(reader, type_elem(reader->pool, types->at[k % types->len]));
        vec_push(&twice, type);
        if (k < types->len)
            vec_push(&once, type);
    }
    bool ok = tuple == (types->len > 1) && hlo_only(reader, instruction, keys) &&
              hlo_is_plain(reader, body) &&
              (tuple || !hlo_is_operator(body, hlo_is(reader, instruction->opcode, "scatter"))) &&
              hlo_takes(reader, body, &twice) && hlo_gives(reader, body, &once, tuple);
    vec_release(&twice);
    vec_release(&once);
    return ok;
}

static bool is_reduce(struct hlo_reader *reader, const struct hlo_instruction *instruction,
                      const struct hlo_types *types)
{
    static const char *const keys[] = {"dimensions", "to_apply", NULL};
    return is_fold(reader, instruction, types, keys);
}

static bool is_window(struct hlo_reader *reader, const struct hlo_instruction *instruction,
                      const struct hlo_types *types)
{
    static const char *const keys[] = {"window", "to_apply", NULL};
    return is_fold(reader, instruction, types, keys);
}

static bool is_scatter(struct hlo_reader *reader, const struct hlo_instruction *instruction,
                       const struct hlo_types *types)
{
    static const char *const keys[] = {"update_window_dims",
                                       "inserted_window_dims",
                                       "scatter_dims_to_operand_dims",
                                       "index_vector_dim",
                                       "input_batching_dims",
                                       "scatter_indices_batching_dims",
                                       "indices_are_sorted",
                                       "unique_indices",
                                       "to_apply",
                                       NULL};
    return is_fold(reader, instruction, types, keys);
}

struct hlo_computation *hlo_branch(struct hlo_reader *reader,
                                   const struct hlo_instruction *instruction, uint32_t b)
{
    struct hlo_attribute attribute;
    if (!hlo_find_attribute(reader, instruction, "branch_computations", &attribute))
        return b > 1 ? NULL
                     : hlo_named(reader, instruction,
                                 b == 0 ? "true_computation" : "false_computation");
    for (uint32_t at = attribute.value; at < attribute.end; at++)
        if (hlo_is_name(reader, at) && b-- == 0)
            return hlo_computation_at(reader, at);
    return NULL;
}

// Can the computation be a branch that gives these types?
static bool is_branch(struct hlo_reader *reader, struct hlo_computation *branch,
                      const struct hlo_types *types, bool tuple)
{
    struct hlo_types own = {0};
    bool ok = hlo_is_plain(reader, branch) &&
              (hlo_tuple_parameter(reader, branch, &own) ||
               (hlo_array_parameters(reader, branch, &own) && own.len == 1)) &&
              hlo_gives(reader, branch, types, tuple);
    vec_release(&own);
    return ok;
}

// What each branch gets is one operand, which structured.c compares.
static bool is_conditional(struct hlo_reader *reader, const struct hlo_instruction *instruction,
                           const struct hlo_types *types)
{
    static const char *const keys[] = {"branch_computations", "true_computation",
                                       "false_computation", NULL};
    bool tuple = hlo_kind(reader, instruction->shape) == '(', ok = true;
    struct hlo_computation *branch;
    uint32_t b = 0;
    if (!hlo_only(reader, instruction, keys))
        return false;
    for (; ok && (branch = hlo_branch(reader, instruction, b)) != NULL; b++)
        ok = is_branch(reader, branch, types, tuple);
    return ok && b > 0;
}

// The types of a function's parameters, if all are arrays.
static void bind_arrays(struct hlo_reader *reader, struct hlo_computation *function)
{
    struct hlo_types own = {0};
    function->arrays = hlo_array_parameters(reader, function, &own) ? 1 : 2;
    function->bound_at = reader->bound_type.len;
    function->n_bound = own.len;
    for (uint32_t k = 0; k < own.len; k++)
        vec_push(&reader->bound_type, own.at[k]);
    vec_release(&own);
}

static bool calls(struct hlo_reader *reader, const struct hlo_instruction *instruction,
                  struct hlo_computation *function, const struct hlo_types *types)
{
    if (!hlo_is_plain(reader, function))
        return false;
    if (function->arrays == 0)
        bind_arrays(reader, function);
    bool tuple = hlo_kind(reader, instruction->shape) == '(';
    return function->arrays == 1 && hlo_gives(reader, function, types, tuple);
}

static bool is_call(struct hlo_reader *reader, const struct hlo_instruction *instruction,
                    const struct hlo_types *types)
{
    static const char *const keys[] = {"to_apply", NULL};
    return hlo_only(reader, instruction, keys) &&
           calls(reader, instruction, hlo_named(reader, instruction, "to_apply"), types);
}

// A fusion that says no more than how the compiler is to run the call.
static bool is_fusion(struct hlo_reader *reader, const struct hlo_instruction *instruction,
                      const struct hlo_types *types)
{
    static const char *const keys[] = {"kind", "calls", NULL};
    struct hlo_attribute kind;
    return hlo_only(reader, instruction, keys) &&
           hlo_find_attribute(reader, instruction, "kind", &kind) && kind.end == kind.value + 1 &&
           (hlo_is(reader, kind.value, "kLoop") || hlo_is(reader, kind.value, "kInput") ||
            hlo_is(reader, kind.value, "kOutput")) &&
           calls(reader, instruction, hlo_named(reader, instruction, "calls"), types);
}

static enum hlo_form form_of(struct hlo_reader *reader, const struct hlo_instruction *instruction,
                             const struct hlo_types *types)
{
    static const struct {
        const char *opcode;
        enum hlo_form form;
        bool (*is)(struct hlo_reader *reader, const struct hlo_instruction *instruction,
                   const struct hlo_types *types);
    } forms[] = {
        {"call", HLO_CALL, is_call},         {"fusion", HLO_FUSION, is_fusion},
        {"while", HLO_WHILE, is_while},      {"conditional", HLO_CONDITIONAL, is_conditional},
        {"sort", HLO_SORT, is_sort},         {"map", HLO_MAP, is_map},
        {"reduce", HLO_REDUCE, is_reduce},   {"reduce-window", HLO_WINDOW, is_window},
        {"scatter", HLO_SCATTER, is_scatter}};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (hlo_is(reader, instruction->opcode, forms[i].opcode))
            return forms[i].is(reader, instruction, types) ? forms[i].form : HLO_PLAIN;
    return HLO_PLAIN;
}

void hlo_find_forms(struct hlo_reader *reader)
{
    struct hlo_types types = {0};
    for (uint32_t c = 0; c < reader->computation.len; c++) {
        const struct hlo_computation computation = reader->computation.at[c];
        hlo_find_pinned(reader, &computation);
        for (uint32_t i = 0; i < computation.n; i++) {
            struct hlo_instruction *instruction = &reader->instruction.at[computation.first + i];
            if (instruction->attrs == instruction->end ||
                instruction->name == instruction->opcode || hlo_stays(reader, instruction))
                continue;
            if (hlo_flat_shape(reader, instruction->shape, &types))
                instruction->form = (uint8_t)form_of(reader, instruction, &types);
        }
        hlo_forget_pinned(reader);
    }
    vec_release(&types);
}
