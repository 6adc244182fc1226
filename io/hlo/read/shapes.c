// SPDX-License-Identifier: Apache-2.0
// What instructions and computations take and give, by their words: before anything is read.
#include "io/hlo/read/forms.h"

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

struct hlo_computation *hlo_callee(struct hlo_reader *reader,
                                   const struct hlo_instruction *instruction)
{
    return hlo_named(reader, instruction, instruction->form == HLO_FUSION ? "calls" : "to_apply");
}

bool hlo_is_empty_tuple(const struct hlo_reader *reader, uint32_t at)
{
    return at != 0 && hlo_kind(reader, at) == '(' && reader->tok.at[at].match == at + 1;
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

bool hlo_same_types(const struct hlo_types *a, const struct hlo_types *b)
{
    return a->len == b->len && memcmp(a->at, b->at, a->len * sizeof *a->at) == 0;
}

// Are the attributes of [at, end) among these, or metadata?
bool hlo_only(const struct hlo_reader *reader, const struct hlo_instruction *instruction,
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
bool hlo_array_parameters(struct hlo_reader *reader, const struct hlo_computation *computation,
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
        ok = k < n && out->at[k].v == NO_TYPE.v && hlo_only(reader, at, no_keys) &&
             hlo_kind(reader, at->shape) != '(' && hlo_flat_shape(reader, at->shape, &own);
        if (ok)
            out->at[k] = own.at[0];
    }
    vec_release(&own);
    return ok;
}

// Can the computation be a block, or the function of a call?
bool hlo_is_plain(struct hlo_reader *reader, struct hlo_computation *computation)
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
bool hlo_tuple_parameter(struct hlo_reader *reader, const struct hlo_computation *computation,
                         struct hlo_types *out)
{
    uint32_t n = 0;
    bool ok = true;
    for (uint32_t i = 0; ok && i < computation->n; i++) {
        const struct hlo_instruction *at = &reader->instruction.at[computation->first + i];
        if (hlo_is(reader, at->opcode, "parameter"))
            ok = n++ == 0 && hlo_only(reader, at, no_keys) && hlo_kind(reader, at->shape) == '(' &&
                 (hlo_flat_shape(reader, at->shape, out) || hlo_is_empty_tuple(reader, at->shape));
    }
    return ok && n == 1;
}

bool hlo_parameter_types(struct hlo_reader *reader, const struct hlo_computation *computation,
                         struct hlo_types *out)
{
    return hlo_array_parameters(reader, computation, out) ||
           hlo_tuple_parameter(reader, computation, out);
}

// Does the computation take one tuple of these types?
bool hlo_takes_elements(struct hlo_reader *reader, const struct hlo_computation *computation,
                        const struct hlo_types *types)
{
    struct hlo_types own = {0};
    bool ok = hlo_tuple_parameter(reader, computation, &own) && hlo_same_types(&own, types);
    vec_release(&own);
    return ok;
}

// Does it take one array of each type?
bool hlo_takes(struct hlo_reader *reader, const struct hlo_computation *computation,
               const struct hlo_types *types)
{
    struct hlo_types own = {0};
    bool ok = hlo_array_parameters(reader, computation, &own) && hlo_same_types(&own, types);
    vec_release(&own);
    return ok;
}

bool hlo_takes_tuple(const struct hlo_reader *reader, const struct hlo_computation *computation)
{
    for (uint32_t i = 0; i < computation->n; i++) {
        const struct hlo_instruction *at = &reader->instruction.at[computation->first + i];
        if (hlo_is(reader, at->opcode, "parameter"))
            return hlo_kind(reader, at->shape) == '(';
    }
    return false;
}

bool hlo_root_is_tuple(const struct hlo_reader *reader, const struct hlo_computation *computation)
{
    const struct hlo_instruction *root = &reader->instruction.at[computation->root];
    return root->shape != 0 ? hlo_kind(reader, root->shape) == '('
                            : hlo_is(reader, root->opcode, "tuple");
}

// Has the result of the instruction, which states no shape, another layout than the default one?
// That of a transpose says that nothing moves.
static bool has_layout(struct hlo_reader *reader, const struct hlo_instruction *instruction)
{
    struct err *err = reader->err, unused = {0};
    struct hlo_attribute attribute;
    int64_t number, next = 0;
    bool moves = false;
    if (!hlo_is(reader, instruction->opcode, "transpose") ||
        !hlo_find_attribute(reader, instruction, "dimensions", &attribute))
        return false;
    reader->err = &unused;
    for (uint32_t at = attribute.value + 1; at + 1 < attribute.end && !moves; at++)
        moves = !hlo_int(reader, &at, &number) || number != next++;
    reader->err = err;
    return moves;
}

// Does it return these types, as a tuple or not?  Of a root without a shape the types are not known
// here: structured.c and module.c compare them.
bool hlo_gives(struct hlo_reader *reader, const struct hlo_computation *computation,
               const struct hlo_types *types, bool tuple)
{
    struct hlo_types own = {0};
    const struct hlo_instruction *root = &reader->instruction.at[computation->root];
    bool ok = hlo_root_is_tuple(reader, computation) == tuple;
    if (root->shape == 0)
        return ok && !has_layout(reader, root);
    ok = ok && hlo_flat_shape(reader, root->shape, &own) && hlo_same_types(&own, types);
    vec_release(&own);
    return ok;
}

// The scalar of an element type.
type_id hlo_scalar_type(struct hlo_reader *reader, enum elem elem)
{
    struct err why = {0};
    type_id type;
    type_tensor(reader->pool, elem, 0, NULL, &type, &why);
    return type;
}
