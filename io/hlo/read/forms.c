// SPDX-License-Identifier: Apache-2.0
// Which instructions are calls and operations with regions: those whose computations are pure
// and whose shapes are arrays, or tuples of arrays, in the default layout.  All others that name
// computations stay text.
#include "io/hlo/read/reader.h"

#include "base/text/cursor.h"

bool hlo_find_attribute(const struct hlo_reader *reader, const struct hlo_instruction *instruction,
                        const char *key, struct hlo_attribute *out)
{
    uint32_t at = instruction->attrs;
    while (hlo_next_attribute(reader, &at, instruction->end, out))
        if (hlo_is(reader, out->key, key))
            return true;
    return false;
}

struct hlo_computation *hlo_named(struct hlo_reader *reader,
                                  const struct hlo_instruction *instruction, const char *key)
{
    struct hlo_attribute attribute;
    bool named = hlo_find_attribute(reader, instruction, key, &attribute) &&
                 attribute.end == attribute.value + 1 && hlo_is_name(reader, attribute.value);
    return named ? hlo_computation_at(reader, attribute.value) : NULL;
}

// One array in the default layout.
static bool flat_array(struct hlo_reader *reader, uint32_t *at, struct hlo_types *out)
{
    type_id type;
    sym_id layout;
    if (hlo_kind(reader, *at) == '(' || !hlo_shape(reader, at, &type, &layout) ||
        !type_is_tensor(reader->pool, type) || *sym_text(reader->pool, layout) != '\0')
        return false;
    vec_push(out, type);
    return true;
}

bool hlo_flat_shape(struct hlo_reader *reader, uint32_t at, struct hlo_types *out)
{
    struct err *err = reader->err, unused = {0};
    bool ok = true;
    vec_clear(out);
    if (at == 0) // the text states none
        return false;
    reader->err = &unused;
    if (hlo_kind(reader, at) == '(') {
        uint32_t close = reader->tok.at[at++].match;
        ok = at < close;
        while (ok && at < close)
            ok = flat_array(reader, &at, out) &&
                 (at == close || (hlo_accept(reader, &at, ',') && at < close));
    } else {
        ok = flat_array(reader, &at, out);
    }
    reader->err = err;
    return ok;
}

static bool same_types(const struct hlo_types *a, const struct hlo_types *b)
{
    return a->len == b->len && memcmp(a->at, b->at, a->len * sizeof *a->at) == 0;
}

// Are the attributes of [at, end) among these, or metadata?
static bool only(const struct hlo_reader *reader, const struct hlo_instruction *instruction,
                 const char *const *keys)
{
    uint32_t at = instruction->attrs;
    struct hlo_attribute attribute;
    while (hlo_next_attribute(reader, &at, instruction->end, &attribute)) {
        bool known = hlo_is(reader, attribute.key, "metadata");
        for (size_t k = 0; keys[k] != NULL; k++)
            known |= hlo_is(reader, attribute.key, keys[k]);
        if (!known)
            return false;
    }
    return true;
}

static const char *const no_keys[] = {NULL};

// The types of the parameters, which are arrays and have no attributes, in their order; false:
// there are others.
static bool parameter_types(struct hlo_reader *reader, const struct hlo_computation *computation,
                            struct hlo_types *out)
{
    struct hlo_types own = {0};
    uint32_t n = 0;
    vec_clear(out);
    for (uint32_t i = 0; i < computation->n; i++)
        n += hlo_is(reader, reader->instruction.at[computation->first + i].opcode, "parameter");
    for (uint32_t k = 0; k < n; k++)
        vec_push(out, NO_TYPE);
    bool ok = true;
    for (uint32_t i = 0; ok && i < computation->n; i++) {
        const struct hlo_instruction *at = &reader->instruction.at[computation->first + i];
        if (!hlo_is(reader, at->opcode, "parameter"))
            continue;
        const struct hlo_token *token = &reader->tok.at[at->open + 1];
        size_t k = 0;
        for (uint32_t d = 0; d < token->len && k < n; d++)
            k = is_digit(reader->text[token->at + d])
                    ? 10 * k + (size_t)(reader->text[token->at + d] - '0')
                    : n;
        ok = k < n && out->at[k].v == NO_TYPE.v && only(reader, at, no_keys) &&
             hlo_kind(reader, at->shape) != '(' && hlo_flat_shape(reader, at->shape, &own);
        if (ok)
            out->at[k] = own.at[0];
    }
    vec_release(&own);
    return ok;
}

// Can the computation be a block, or the function of a call?
static bool is_plain(struct hlo_reader *reader, struct hlo_computation *computation)
{
    struct hlo_attribute attribute;
    if (computation == NULL || !computation->pure || computation->attrs != computation->end)
        return false;
    if (computation->plain == 0) {
        computation->plain = 1;
        for (uint32_t i = 0; i < computation->n; i++)
            if (hlo_find_attribute(reader, &reader->instruction.at[computation->first + i],
                                   "control-predecessors", &attribute))
                computation->plain = 2;
    }
    return computation->plain == 1;
}

// The types of the elements of the only parameter, which is a tuple.
static bool tuple_types(struct hlo_reader *reader, const struct hlo_computation *computation,
                        struct hlo_types *out)
{
    uint32_t n = 0;
    bool ok = true;
    for (uint32_t i = 0; ok && i < computation->n; i++) {
        const struct hlo_instruction *at = &reader->instruction.at[computation->first + i];
        if (hlo_is(reader, at->opcode, "parameter"))
            ok = n++ == 0 && only(reader, at, no_keys) && hlo_kind(reader, at->shape) == '(' &&
                 hlo_flat_shape(reader, at->shape, out);
    }
    return ok && n == 1;
}

bool hlo_parameter_types(struct hlo_reader *reader, const struct hlo_computation *computation,
                         struct hlo_types *out)
{
    return parameter_types(reader, computation, out) || tuple_types(reader, computation, out);
}

// Does the computation take one tuple of these types?
static bool takes_tuple(struct hlo_reader *reader, const struct hlo_computation *computation,
                        const struct hlo_types *types)
{
    struct hlo_types own = {0};
    bool ok = tuple_types(reader, computation, &own) && same_types(&own, types);
    vec_release(&own);
    return ok;
}

// Does it take one array of each type?
static bool takes(struct hlo_reader *reader, const struct hlo_computation *computation,
                  const struct hlo_types *types)
{
    struct hlo_types own = {0};
    bool ok = parameter_types(reader, computation, &own) && same_types(&own, types);
    vec_release(&own);
    return ok;
}

bool hlo_root_is_tuple(const struct hlo_reader *reader, const struct hlo_computation *computation)
{
    const struct hlo_instruction *root = &reader->instruction.at[computation->root];
    return root->shape != 0 ? hlo_kind(reader, root->shape) == '('
                            : hlo_is(reader, root->opcode, "tuple");
}

// Does it return these types, as a tuple or not?  Of a root without a shape the types are not known
// here: structured.c compares them.  A transpose without a shape has a layout of its own.
static bool gives(struct hlo_reader *reader, const struct hlo_computation *computation,
                  const struct hlo_types *types, bool tuple)
{
    struct hlo_types own = {0};
    const struct hlo_instruction *root = &reader->instruction.at[computation->root];
    bool ok = hlo_root_is_tuple(reader, computation) == tuple;
    if (root->shape == 0)
        return ok && !hlo_is(reader, root->opcode, "transpose");
    ok = ok && hlo_flat_shape(reader, root->shape, &own) && same_types(&own, types);
    vec_release(&own);
    return ok;
}

// The scalar of an element type.
static type_id scalar_type(struct hlo_reader *reader, enum elem elem)
{
    struct err why = {0};
    type_id type;
    type_tensor(reader->pool, elem, 0, NULL, &type, &why);
    return type;
}

static bool gives_truth(struct hlo_reader *reader, const struct hlo_computation *computation)
{
    type_id truth = scalar_type(reader, ELEM_I1);
    struct hlo_types types = {&truth, 1, 1};
    return gives(reader, computation, &types, false);
}

static bool is_while(struct hlo_reader *reader, const struct hlo_instruction *instruction,
                     const struct hlo_types *types)
{
    static const char *const keys[] = {"condition", "body", NULL};
    struct hlo_computation *go = hlo_named(reader, instruction, "condition");
    struct hlo_computation *body = hlo_named(reader, instruction, "body");
    return hlo_kind(reader, instruction->shape) == '(' && only(reader, instruction, keys) &&
           is_plain(reader, go) && is_plain(reader, body) && go != body &&
           takes_tuple(reader, go, types) && gives_truth(reader, go) &&
           takes_tuple(reader, body, types) && gives(reader, body, types, true);
}

// A sort of n operands compares two elements of each.
static bool is_sort(struct hlo_reader *reader, const struct hlo_instruction *instruction,
                    const struct hlo_types *types)
{
    static const char *const keys[] = {"dimensions", "is_stable", "to_apply", NULL};
    struct hlo_computation *less = hlo_named(reader, instruction, "to_apply");
    struct hlo_types pairs = {0};
    for (uint32_t k = 0; k < 2 * types->len; k++)
        vec_push(&pairs, scalar_type(reader, type_elem(reader->pool, types->at[k / 2])));
    bool ok = (hlo_kind(reader, instruction->shape) == '(') == (types->len > 1) &&
              only(reader, instruction, keys) && is_plain(reader, less) &&
              takes(reader, less, &pairs) && gives_truth(reader, less);
    vec_release(&pairs);
    return ok;
}

static bool is_map(struct hlo_reader *reader, const struct hlo_instruction *instruction,
                   const struct hlo_types *types)
{
    static const char *const keys[] = {"dimensions", "to_apply", NULL};
    struct hlo_computation *body = hlo_named(reader, instruction, "to_apply");
    struct hlo_types own = {0};
    type_id type = scalar_type(reader, type_elem(reader->pool, types->at[0]));
    struct hlo_types result = {&type, 1, 1};
    bool ok = hlo_kind(reader, instruction->shape) != '(' && only(reader, instruction, keys) &&
              is_plain(reader, body) && gives(reader, body, &result, false);
    ok = ok && parameter_types(reader, body, &own) && own.len > 0;
    for (uint32_t k = 0; ok && k < own.len; k++)
        ok = type_rank(reader->pool, own.at[k]) == 0;
    vec_release(&own);
    return ok;
}

// A reduction of several operands: of one, those by an operator are terms of their own.
static bool is_reduce(struct hlo_reader *reader, const struct hlo_instruction *instruction,
                      const struct hlo_types *types)
{
    static const char *const keys[] = {"dimensions", "to_apply", NULL};
    struct hlo_computation *body = hlo_named(reader, instruction, "to_apply");
    struct hlo_types twice = {0}, once = {0};
    for (uint32_t k = 0; k < 2 * types->len; k++) {
        type_id type = scalar_type(reader, type_elem(reader->pool, types->at[k % types->len]));
        vec_push(&twice, type);
        if (k < types->len)
            vec_push(&once, type);
    }
    bool ok = hlo_kind(reader, instruction->shape) == '(' && types->len > 1 &&
              only(reader, instruction, keys) && is_plain(reader, body) &&
              takes(reader, body, &twice) && gives(reader, body, &once, true);
    vec_release(&twice);
    vec_release(&once);
    return ok;
}

// The types of a function's parameters, if all are arrays.
static void bind_arrays(struct hlo_reader *reader, struct hlo_computation *function)
{
    struct hlo_types own = {0};
    function->arrays = parameter_types(reader, function, &own) ? 1 : 2;
    function->bound_at = reader->bound_type.len;
    function->n_bound = own.len;
    for (uint32_t k = 0; k < own.len; k++)
        vec_push(&reader->bound_type, own.at[k]);
    vec_release(&own);
}

static bool is_call(struct hlo_reader *reader, const struct hlo_instruction *instruction,
                    const struct hlo_types *types)
{
    static const char *const keys[] = {"to_apply", NULL};
    struct hlo_computation *function = hlo_named(reader, instruction, "to_apply");
    if (!only(reader, instruction, keys) || !is_plain(reader, function))
        return false;
    const struct hlo_instruction *root = &reader->instruction.at[function->root];
    if (function->arrays == 0)
        bind_arrays(reader, function);
    bool tuple = hlo_kind(reader, instruction->shape) == '(';
    // A tuple that an operation gives as one term is one result.
    return function->arrays == 1 &&
           (!tuple || hlo_is(reader, root->opcode, "tuple") || root->form != HLO_PLAIN) &&
           gives(reader, function, types, tuple);
}

static enum hlo_form form_of(struct hlo_reader *reader, const struct hlo_instruction *instruction,
                             const struct hlo_types *types)
{
    static const struct {
        const char *opcode;
        enum hlo_form form;
        bool (*is)(struct hlo_reader *reader, const struct hlo_instruction *instruction,
                   const struct hlo_types *types);
    } forms[] = {{"call", HLO_CALL, is_call},
                 {"while", HLO_WHILE, is_while},
                 {"sort", HLO_SORT, is_sort},
                 {"map", HLO_MAP, is_map},
                 {"reduce", HLO_REDUCE, is_reduce}};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (hlo_is(reader, instruction->opcode, forms[i].opcode))
            return forms[i].is(reader, instruction, types) ? forms[i].form : HLO_PLAIN;
    return HLO_PLAIN;
}

// Instructions that others must come after keep their places, and so they stay text.
static void find_pinned(struct hlo_reader *reader, struct u32_vec *pinned)
{
    for (uint32_t i = 0; i < reader->instruction.len; i++) {
        struct hlo_attribute attribute;
        if (!hlo_find_attribute(reader, &reader->instruction.at[i], "control-predecessors",
                                &attribute))
            continue;
        for (uint32_t at = attribute.value; at < attribute.end; at++) {
            uint32_t name = hlo_is_name(reader, at) ? hlo_name(reader, at) : UINT32_MAX;
            while (name != UINT32_MAX && pinned->len <= name)
                vec_push(pinned, 0);
            if (name != UINT32_MAX)
                pinned->at[name] = 1;
        }
    }
}

void hlo_find_forms(struct hlo_reader *reader)
{
    struct hlo_types types = {0};
    struct u32_vec pinned = {0};
    find_pinned(reader, &pinned);
    // Functions of calls may end with other operations.
    for (uint32_t i = 0; i < 2 * reader->instruction.len; i++) {
        struct hlo_instruction *instruction = &reader->instruction.at[i % reader->instruction.len];
        bool calls = i >= reader->instruction.len;
        if (instruction->attrs == instruction->end || instruction->name == instruction->opcode ||
            hlo_is(reader, instruction->opcode, "call") != calls)
            continue;
        uint32_t name = hlo_name(reader, instruction->name);
        if ((name >= pinned.len || pinned.at[name] == 0) &&
            hlo_flat_shape(reader, instruction->shape, &types))
            instruction->form = (uint8_t)form_of(reader, instruction, &types);
    }
    vec_release(&types);
    vec_release(&pinned);
}
