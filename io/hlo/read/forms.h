// SPDX-License-Identifier: Apache-2.0
// Internal to io/hlo/read/forms.c and io/hlo/read/shapes.c: what instructions and computations take
// and give.
#ifndef IO_HLO_READ_FORMS_H
#define IO_HLO_READ_FORMS_H

#include "io/hlo/read/reader.h"

bool hlo_same_types(const struct hlo_types *a, const struct hlo_types *b);
// Are the attributes of the instruction among these, or metadata?
bool hlo_only(const struct hlo_reader *reader, const struct hlo_instruction *instruction,
              const char *const *keys);
// The types of the parameters, which are arrays and have no attributes, in their order; false:
// there are others.
bool hlo_array_parameters(struct hlo_reader *reader, const struct hlo_computation *computation,
                          struct hlo_types *out);
// The types of the elements of the only parameter, which is a tuple.
bool hlo_tuple_parameter(struct hlo_reader *reader, const struct hlo_computation *computation,
                         struct hlo_types *out);
// Can the computation be a block, or the function of a call?
bool hlo_is_plain(struct hlo_reader *reader, struct hlo_computation *computation);
// Does the computation take one tuple of these types; one array of each?
bool hlo_takes_elements(struct hlo_reader *reader, const struct hlo_computation *computation,
                        const struct hlo_types *types);
bool hlo_takes(struct hlo_reader *reader, const struct hlo_computation *computation,
               const struct hlo_types *types);
// Does it return these types, as a tuple or not?  Of a root without a shape the types are not known
// here: structured.c and module.c compare them.
bool hlo_gives(struct hlo_reader *reader, const struct hlo_computation *computation,
               const struct hlo_types *types, bool tuple);
type_id hlo_scalar_type(struct hlo_reader *reader, enum elem elem);

#endif
