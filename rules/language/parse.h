// SPDX-License-Identifier: Apache-2.0
// Internal to rules/: the functions that the files of the parser share.
// The parser first cuts a rule into statements.  It then reads them kind by kind
// (classes, types, maps, lets, operator variables, tensors, preconditions, the rule
// itself), so that declarations may stand in any order.  One pass, bottom up, builds
// patterns and infers their shapes (elaborate.c).
#ifndef RULES_LANGUAGE_PARSE_H
#define RULES_LANGUAGE_PARSE_H

#include "rules/language/shapes/elaborate.h"

// rules/language/declarations.c
void parse_declarations(struct parser *parser);

// rules/language/types.c
uint32_t parse_type(struct parser *parser); // a name or kinds
void read_type(struct parser *parser);

// rules/language/expressions.c: integer expressions.  The functions add the classes of
// the maps to seen_classes.
const struct iexp *parse_iexp(struct parser *parser);
void parse_where(struct parser *parser);
// An expression for an axis of class `cls`.  It has maps of the class's family only.
const struct iexp *parse_iexp_on(struct parser *parser, uint32_t cls);
// An expression for the size of a tensor on class `cls`.  The size of a block is the
// block's one map (R5).
const struct iexp *parse_size_on(struct parser *parser, uint32_t cls);

// rules/language/variables.c: tensors, scalars, operator variables.
bool declare_name(struct parser *parser, enum sym_kind kind, uint32_t index, const char *what);
void read_tensor(struct parser *parser);
void read_scalar(struct parser *parser);
void read_op(struct parser *parser);
void read_wider(struct parser *parser);
// Checks that the map of a block is the block's only map, its size (R5).
bool map_fits_block(struct parser *parser, uint32_t map);

// rules/language/variables.c: is the name an operator in patterns?
bool is_function(const struct token *token);

// rules/language/define.c: `NAME(A, B, {y})` behind `define`; the definition is lhs.
uint32_t parse_call_of(struct parser *parser, uint32_t lhs);
// Checks that elements of definitions, such as `pi`, stand in definitions only.
void check_definition(struct parser *parser);

// rules/language/unused.c: reports names that are declared but not used.
void check_used(struct parser *parser);

// rules/language/reshape.c: finds the classes that reshapes join.  Callers must call the
// function before they read maps, sizes or conditions.
void find_joint(struct parser *parser);

// rules/language/pattern.c
uint32_t parse_pattern(struct parser *parser);
void parse_main(struct parser *parser);

// The text to read.  If `verify` is true, then parse_text also makes the canonical
// texts and parses them; otherwise the rules have neither canonical text nor hash.
struct rule_text {
    const char *text, *file;
    size_t n;
    bool verify;
    struct rule_names *names;                   // of rules so far; NULL: not checked
    void (*keep)(void *ctx, struct rule *rule); // takes each rule; may be NULL
    void *ctx;
};
bool parse_text(struct arena *mem, const struct rule_text *source, struct err_list *errs);

#endif
