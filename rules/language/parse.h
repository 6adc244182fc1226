// SPDX-License-Identifier: Apache-2.0
// Internal to rules/: the functions that the files of the parser share.
// Statements of a rule are first cut out, then read kind by kind (classes,
// types, maps, lets, operator variables, tensors, preconditions, the rule
// itself), so that declarations may stand in any order.  Patterns are built and
// inferred in one go, bottom up (elaborate.c).
#ifndef RULES_LANGUAGE_PARSE_H
#define RULES_LANGUAGE_PARSE_H

#include "rules/language/shapes/elaborate.h"

// rules/language/declarations.c
void parse_declarations(struct parser *parser);
uint32_t parse_type(struct parser *parser); // a name or kinds

// rules/language/expressions.c: integer expressions; the classes of their maps are added to
// seen_classes.
const struct iexp *parse_iexp(struct parser *parser);
void parse_where(struct parser *parser);
// An expression for an axis of class `cls`: maps of its family only.
const struct iexp *parse_iexp_on(struct parser *parser, uint32_t cls);
// The same as the size of a tensor; that of a block is its one map (R5).
const struct iexp *parse_size_on(struct parser *parser, uint32_t cls);

// rules/language/variables.c: tensors, scalars, operator variables.
bool declare_name(struct parser *parser, enum sym_kind kind, uint32_t index, const char *what);
void read_tensor(struct parser *parser);
void read_scalar(struct parser *parser);
void read_op(struct parser *parser);
void read_wider(struct parser *parser);
// A block has one map, its size (R5).
bool map_fits_block(struct parser *parser, uint32_t map);

// rules/language/variables.c: a name that patterns know as an operator.
bool is_function(const struct token *token);

// rules/language/define.c: `NAME(A, B, {y})` behind `define`; the definition is lhs.
uint32_t parse_call_of(struct parser *parser, uint32_t lhs);
// What stands in definitions only.
void check_definition(struct parser *parser);

// rules/language/unused.c: reports what is declared and not used.
void check_used(struct parser *parser);

// rules/language/reshape.c: which classes reshapes join, before anything else is read.
void find_joint(struct parser *parser);

// rules/language/pattern.c
uint32_t parse_pattern(struct parser *parser);
void parse_main(struct parser *parser);

// Reads one text; `verify`: also make the canonical texts and parse them;
// otherwise the rules have neither canonical text nor hash.
struct rule_text {
    const char *text, *file;
    size_t n;
    bool verify;
    struct intern *names;                       // of rules so far; NULL: not checked
    void (*keep)(void *ctx, struct rule *rule); // takes each rule; may be NULL
    void *ctx;
};
bool parse_text(struct arena *mem, const struct rule_text *source, struct err_list *errs);

#endif
