// SPDX-License-Identifier: Apache-2.0
// Internal to rules/: the functions that read calls in patterns.  Every call_*
// starts behind its `(` and reads through its `)`.
#ifndef RULES_LANGUAGE_CALL_H
#define RULES_LANGUAGE_CALL_H

#include "rules/language/parse.h"

// rules/language/call.c
bool class_name(struct parser *parser, uint32_t *out);
bool class_set(struct parser *parser, uint64_t *set); // {x, y}
// {x: n, y: m} into v[..][k].
bool class_sizes(struct parser *parser, struct attr_set *set, int k);
// Reads `expression` or `{x: expression}` for attribute k.  An expression without
// braces is for the classes of `on` that its maps are on; without maps, for all
// classes of `on`.
bool call_attribute(struct parser *parser, uint64_t on, struct attr_set *set, int k);
// call_attribute for an attribute that may be a run-time value.
bool start_attr(struct parser *parser, uint64_t on, struct attr_set *set, int k);
// Allows indices, unless a precondition is being read.  Returns the earlier
// index_use, which callers must put back.
enum index_use index_allow(struct parser *parser);
bool axis_attr(struct parser *parser, uint32_t *axis); // axis=a)
uint32_t call_operand(struct parser *parser);
// A reducer: its sign, its name or a monoid variable.
bool call_reducer(struct parser *parser, enum op *op, uint32_t *opvar);

// `, name=value` in any order, each at most once, then `)`.
enum option_kind {
    OPTION_ATTR,    // attribute k of the set
    OPTION_START,   // attribute k, which may be a run-time value
    OPTION_SIZE,    // attribute k, the size of a tensor
    OPTION_CLASSES, // -> *classes
    OPTION_AXIS,    // -> *axis
    OPTION_PATTERN, // -> *pat
    OPTION_GROUPS,  // -> *value: an integer expression
};
struct option {
    const char *name;
    enum option_kind kind;
    int k;
    uint64_t *classes;
    uint32_t *axis, *pat;
    const struct iexp **value;
    bool needed, given;
};
// `on` is the set of classes that attributes may name.  The function reads *on when
// it comes to an attribute.
bool call_options(struct parser *parser, const uint64_t *on, struct option *list, uint32_t n,
                  struct attr_set *set);
// Puts the attributes of the operator into the list, and returns their number.
uint32_t attribute_options(enum op op, struct option *list);

// rules/language/operators.c
uint32_t call_slice(struct parser *parser, struct place at);
uint32_t call_pad(struct parser *parser, struct place at);
uint32_t call_concat(struct parser *parser, struct place at);
uint32_t call_broadcast(struct parser *parser, struct place at);
uint32_t call_iota(struct parser *parser, struct place at);
uint32_t call_reverse(struct parser *parser, struct place at);
uint32_t call_reduce(struct parser *parser, struct place at);
uint32_t call_unit(struct parser *parser, struct place at);
uint32_t call_relabel(struct parser *parser, struct place at);
uint32_t call_convert(struct parser *parser, struct place at);
uint32_t call_bitcast(struct parser *parser, struct place at);

// rules/language/contract.c
uint32_t call_count(struct parser *parser, struct place at);
uint32_t call_dot(struct parser *parser, struct place at);
uint32_t call_conv(struct parser *parser, struct place at);
uint32_t call_reduce_window(struct parser *parser, struct place at);
uint32_t call_dynamic_slice(struct parser *parser, struct place at);
uint32_t call_dynamic_update(struct parser *parser, struct place at);
uint32_t call_gather(struct parser *parser, struct place at);
uint32_t call_scatter(struct parser *parser, struct place at);
uint32_t call_value(struct parser *parser, struct place at);

// rules/language/reshape.c
uint32_t call_reshape(struct parser *parser, struct place at);
uint32_t call_merge(struct parser *parser, struct place at);
uint32_t call_split(struct parser *parser, struct place at);

#endif
