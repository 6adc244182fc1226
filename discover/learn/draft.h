// SPDX-License-Identifier: Apache-2.0
// A rule that is being changed: a copy whose arrays may be written and have room
// for more.  A draft becomes a rule again through its text: the parser infers all
// shapes and types anew, and rejects drafts that are no rules.
//
// An integer expression may be a text (draft_text): a map without a class whose
// name is the expression.  The printer writes the name; no statement declares it.
#ifndef DISCOVER_LEARN_DRAFT_H
#define DISCOVER_LEARN_DRAFT_H

#include "rules/rule.h"

struct draft {
    struct arena mem;
    struct rule r; // r points to the arrays below
    struct axis_class *classes;
    struct map *maps;
    struct type_var *types;
    struct tensor_var *tensors;
    struct scalar_var *scalars;
    struct op_var *opvars;
    struct where *wheres;
    struct pat *pats;
    struct buf extra; // more statements, as text
};

// Copies a rule.  Lets are written out where they are used; every type of a
// tensor or scalar gets a name; conjunctions of preconditions are taken apart.
// Strings are borrowed from the rule, which must outlive the draft.
void draft_init(struct draft *draft, const struct rule *rule);
void draft_copy(struct draft *draft, const struct draft *from);
void draft_release(struct draft *draft);
// Parses the draft into the set, with the name `_`.  NULL: *err says why the
// draft is no rule.
const struct rule *draft_rule(const struct draft *draft, struct ruleset *set, struct err *err);
// Prints the text of the draft, with the name that it has.
void draft_print(const struct draft *draft, struct buf *out);

// Returns an unused name that starts with `stem`.
const char *draft_name(struct draft *draft, const char *stem);
const struct iexp *draft_map(struct draft *draft, uint32_t map);
const struct iexp *draft_const(struct draft *draft, int64_t k);
const struct iexp *draft_text(struct draft *draft, const char *text);
// Adds a map on the class and returns its number.
uint32_t draft_new_map(struct draft *draft, const char *stem, uint32_t cls);
// Replaces the map by an expression wherever it occurs.
void draft_define(struct draft *draft, uint32_t map, const char *text);
// Adds the precondition `where TEXT;`.
void draft_where(struct draft *draft, const char *text);
void draft_drop_where(struct draft *draft, uint32_t w);

// Returns a copy of an array with room for `room` more entries.
void *draft_array(struct draft *draft, const void *from, size_t n, size_t size, size_t room);

// draft_slots.c
//
// One place in a pattern where an integer expression can stand.
struct draft_slot {
    uint32_t pat, cls;
    int attr;              // index in pat_attr; SLOT_SIZE: a size of a splat, iota or tensor
    const struct iexp *at; // NULL: the default
    int64_t usual;         // the default, if it is a number
    const char *stem;      // prefix of a name for a map in this place
};
#define SLOT_SIZE (-1)
struct draft_slot_list {
    struct draft_slot *at;
    uint32_t len, cap;
};
// Lists all slots of the side below `root` that are on the family of `root_cls`
// (NONE: any), in order of patterns.
void draft_slots(const struct draft *draft, uint32_t root, uint32_t root_cls,
                 struct draft_slot_list *out);
void draft_set_slot(struct draft *draft, const struct draft_slot *slot, const struct iexp *expr);
// Is the pattern the root or below it?
bool draft_below(const struct rule *rule, uint32_t root, uint32_t pat);
// The first class of the rank class, or of all rank classes that reshapes join
// with it.
uint32_t class_root(const struct rule *rule, uint32_t cls);
uint32_t map_by_name(const struct rule *rule, const char *name);
bool iexp_uses(const struct iexp *expr, uint32_t map);
bool cond_uses(const struct cond *condition, uint32_t map);
// Does the expression contain a value that is known at run time only?
bool iexp_at_run_time(const struct rule *rule, const struct iexp *expr);

#endif
