// SPDX-License-Identifier: Apache-2.0
// Internal to rules/: the parser's state and the functions its files share.
// Statements of a rule are first cut out, then read kind by kind (classes,
// types, maps, lets, operator variables, tensors, preconditions, the rule
// itself), so that declarations may stand in any order.  Patterns are built and
// inferred in one go, bottom up (elaborate.c).
//
// P1  one error per statement: after it, the rest of the statement is skipped,
//     and names it would have declared are poisoned: their use fails silently.
// P2  functions that return an index give NONE, those that return a pointer
//     NULL, after an error has been reported (or was silent by P1).
// P3  limits keep every later recursion and every text small: see LIMIT_*.
#ifndef RULES_PARSE_H
#define RULES_PARSE_H

#include "rules/lex.h"
#include "rules/print.h"
#include "rules/rule.h"

#define LIMIT_CLASSES 64
#define LIMIT_LETS 200
#define LIMIT_DEPTH 200       // nesting in the text, height of a pattern
#define LIMIT_TOKENS 40000    // of one rule
#define LIMIT_NODES 1000      // of one integer expression or condition
#define LIMIT_ERRORS 100      // of one text
#define LIMIT_TEXT (1u << 20) // bytes of a canonical text

enum sym_kind {
    SYM_NONE,
    SYM_POISON,
    SYM_CLASS,
    SYM_MAP,
    SYM_TYPE,
    SYM_TENSOR,
    SYM_SCALAR,
    SYM_OPVAR,
};
struct sym {
    enum sym_kind kind;
    uint32_t index;
    bool used;
    struct place place;
};

// A type variable during inference: a node of a union-find.
struct tvar {
    uint32_t parent;
    unsigned kinds;
    const char *name; // "" if anonymous
};

// May an index stand in the integer expression that is read?
enum index_use { INDEX_NO, INDEX_IN_CONDITION, INDEX_YES };

struct statement {
    uint32_t start, end; // tokens; end is the `;` or whatever stands there
};

struct parser {
    struct arena *mem;
    const char *file;
    struct err_list *errs;
    uint32_t first_err; // of this text
    struct lexed lx;
    uint32_t at;      // next token
    uint32_t depth;   // of the recursion
    bool failed;      // an error in this statement
    bool bad;         // an error in this rule
    struct sym *syms; // by name id
    struct u32_vec touched;
    uint64_t seen_classes; // of maps since last cleared
    uint64_t seen_shapes;  // classes in the shape of some pattern
    enum index_use index_use;
    uint32_t block_line[LIMIT_CLASSES]; // where a reshape makes it a block
    bool seen_index; // a map that is an index, since last cleared

    // the rule under construction
    VEC(struct statement) statements;
    VEC(const char *) origins;
    VEC(struct axis_class) classes;
    VEC(struct map) maps;
    VEC(struct tvar) tvars;
    VEC(struct tensor_var) tensors;
    VEC(struct scalar_var) scalars;
    VEC(struct op_var) opvars;
    VEC(struct where) wheres;
    VEC(struct type_order) wider;
    VEC(struct pat) pats;
    struct u32_vec height; // of pats
    uint32_t lhs, rhs;
    unsigned claims;
    bool has_claims;
    struct place claims_place;
};

// parse.c: tokens and errors.
const struct token *tok(const struct parser *p);
bool tok_is(const struct parser *p, int kind);
bool tok_word(const struct parser *p, const char *word);
bool accept(struct parser *p, int kind);
bool accept_word(struct parser *p, const char *word);
bool expect(struct parser *p, int kind, const char *what);
// Reports "expected WHAT, found ..." at the next token; returns false.
bool expected(struct parser *p, const char *what);
bool fail(struct parser *p, struct place at, const char *fmt, ...)
    PRINTF_LIKE(3, 4);
bool enter(struct parser *p); // one level deeper, or an error
void leave(struct parser *p);
const char *tok_text(struct parser *p, const struct token *t); // in the arena
struct sym *sym_declare(struct parser *p, const struct token *t,
                        enum sym_kind kind, uint32_t index);
// After a statement: if it failed, the names it may have meant to declare are
// poisoned.
void statement_done(struct parser *p, struct statement s, bool declares);
// The symbol of a name, which must be of that kind; NULL after an error.
struct sym *sym_use(struct parser *p, const struct token *t,
                    enum sym_kind kind);
const char *sym_kind_text(enum sym_kind k);
// "{x, y}"
const char *classes_text(struct parser *p, uint64_t set);

// parse_decl.c
void parse_declarations(struct parser *p);
uint32_t parse_type(struct parser *p); // a name or kinds

// parse_expr.c: integer expressions; the classes of their maps are added to
// seen_classes.
const struct iexp *parse_iexp(struct parser *p);
void parse_where(struct parser *p);
// An expression for an axis of class `cls`: maps of its family only.
const struct iexp *parse_iexp_on(struct parser *p, uint32_t cls);
// The same as the size of a tensor; that of a block is its one map (R5).
const struct iexp *parse_size_on(struct parser *p, uint32_t cls);
const struct map *iexp_stranger(const struct parser *p, const struct iexp *x,
                                uint64_t classes); // NULL: all on `classes`
// The classes whose maps may meet those of `cls`: alike or joint with it.
uint64_t family_mask(const struct parser *p, uint32_t cls);
uint32_t family_first(const struct parser *p, uint32_t cls);
const struct iexp *iexp_new(struct parser *p, enum iexp_op op,
                            const struct iexp *a, const struct iexp *b,
                            struct place at);

// parse_vars.c: tensors, scalars, operator variables.
bool declare_name(struct parser *p, enum sym_kind kind, uint32_t index,
                  const char *what);
void read_tensor(struct parser *p);
void read_scalar(struct parser *p);
void read_op(struct parser *p);
void read_wider(struct parser *p);
// "`x` stands in a reshape (line 7), ..": fails with that and with what else.
bool fail_block(struct parser *p, struct place at, uint32_t cls,
                const char *what, const char *why);
// A block has one map, its size (R5).
bool map_fits_block(struct parser *p, uint32_t map);

// parse_vars.c: a name that patterns know as an operator.
bool is_function(const struct token *t);

// parse_define.c: `NAME(A, B, {y})` behind `define`; the definition is lhs.
uint32_t parse_call_of(struct parser *p, uint32_t lhs);
// What stands in definitions only.
void check_definition(struct parser *p);

// parse_reshape.c: which classes reshapes join, before anything else is read.
void find_joint(struct parser *p);

// parse_pattern.c
uint32_t parse_pattern(struct parser *p);
void parse_main(struct parser *p);

// Reads one text; `verify`: also make the canonical texts and parse them;
// otherwise the rules have neither canonical text nor hash.
bool parse_text(struct arena *mem, struct intern *names, const char *text,
                size_t n, const char *file, bool verify, struct err_list *errs,
                void (*keep)(void *ctx, struct rule *r), void *ctx);

// canonical.c: fills r->canonical and r->hash.  False: too symmetric or large.
bool canonical_make(struct rule *r, struct arena *mem, struct err *e);

#endif
