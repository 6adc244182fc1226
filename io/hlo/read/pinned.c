// SPDX-License-Identifier: Apache-2.0
// Instructions that keep their places: those with an effect, those that others must come after,
// and these others.
#include "io/hlo/read/reader.h"

void hlo_find_pinned(struct hlo_reader *reader, const struct hlo_computation *computation)
{
    for (uint32_t i = 0; i < computation->n; i++) {
        struct hlo_attribute attribute;
        if (!hlo_find_attribute(reader, &reader->instruction.at[computation->first + i],
                                "control-predecessors", &attribute))
            continue;
        for (uint32_t at = attribute.value; at < attribute.end; at++) {
            if (!hlo_is_name(reader, at))
                continue;
            uint32_t name = hlo_name(reader, at);
            while (reader->is_pinned.len <= name)
                vec_push(&reader->is_pinned, 0);
            reader->is_pinned.at[name] = 1;
            vec_push(&reader->pinned, name);
        }
    }
}

void hlo_forget_pinned(struct hlo_reader *reader)
{
    for (uint32_t k = 0; k < reader->pinned.len; k++)
        reader->is_pinned.at[reader->pinned.at[k]] = 0;
    vec_clear(&reader->pinned);
}

static bool is_pinned(struct hlo_reader *reader, const struct hlo_instruction *instruction)
{
    if (instruction->name == instruction->opcode)
        return false;
    uint32_t name = hlo_name(reader, instruction->name);
    struct hlo_attribute attribute;
    return (name < reader->is_pinned.len && reader->is_pinned.at[name] != 0) ||
           hlo_find_attribute(reader, instruction, "control-predecessors", &attribute);
}

bool hlo_stays(struct hlo_reader *reader, const struct hlo_instruction *instruction)
{
    return hlo_has_effect(reader, instruction) || is_pinned(reader, instruction);
}
