// SPDX-License-Identifier: Apache-2.0
// The parts of the reader of TTIR (ttir.h).
//
//   operation   one operation of the text: its name, and where its operands,
//               attributes, regions and types stand
//   meaning     what a name of the text stands for: a plain value, a pointer, a block
//               pointer, a descriptor, or nothing that is known
//
// R1  The program has no pointers.  A pointer is an array and an offset in elements; if the
//     array is chosen at run time, then `choice` is the number of its parameter.
// R2  An operation ends with its line: brackets may run over several lines.
#ifndef IO_TTIR_READER_H
#define IO_TTIR_READER_H

#include "io/mlir/mlir.h"
#include "io/ttir/ttir.h"

enum { TTIR_ARRAYS = 16 }; // that one pointer may stand for

enum ttir_kind {
    TTIR_NOTHING, // the name is not defined here
    TTIR_PLAIN,
    TTIR_POINTER,    // of each lane
    TTIR_BLOCK,      // a block pointer: part: shape, strides, offsets of each axis
    TTIR_DESCRIPTOR, // part: shape, strides
    TTIR_UNKNOWN,    // a pointer that no rule here follows
};

// A type of the text.  PLAIN: of the value.  Pointers: the element is what they point to, the
// shape that of the tile of pointers.  BLOCK, DESCRIPTOR: the tile that they point to.
struct ttir_type {
    uint8_t kind; // enum ttir_kind; UNKNOWN: any other type
    struct code_type type;
};

struct ttir_meaning {
    struct ttir_type type;
    code_value value;            // PLAIN
    code_value offset;           // of pointers; NO_CODE: 0
    code_value choice;           // R1; NO_CODE: array[0]
    uint32_t n;                  // arrays
    uint32_t array[TTIR_ARRAYS]; // parameters, ascending
    code_value part[3 * CODE_RANK];
    uint32_t reason; // of UNKNOWN: of the names of the program
};

struct ttir_operation {
    uint32_t at, end;          // tokens: the name; the first one behind
    const char *name;          // of the names of the text
    bool generic;              // "name"(..)
    struct u32_vec result;     // tokens: %a:2, %b =
    struct u32_vec count;      // of each: its results
    uint32_t n_results;        // all of them
    struct u32_vec operand;    // tokens
    struct u32_vec dictionary; // tokens '{' of attributes
    struct u32_vec region;     // tokens '{'
    uint32_t words_end;        // words and key = value stand in front of this token
    VEC(struct ttir_type) type;
    uint32_t n_types; // of the operands: those in front of "->" or "to"; all, if there is none
    bool arrow;
};

struct ttir_change { // of a name, undone when its region ends
    uint32_t name, meaning;
};

struct ttir_function {
    uint32_t symbol;    // token of its name: @f, or "f"
    uint32_t arguments; // token '(': %x: type, ..
    uint32_t body;      // token '{'; NO_CODE: declared only
    bool is_public;
};

// A comment `// key: text` in front of the module.
struct ttir_comment {
    uint32_t at, len; // bytes of the text
    uint32_t line;
};

struct ttir_reader {
    struct mlir mlir;
    struct code_program *out;
    struct u32_vec lines; // byte positions
    VEC(struct ttir_meaning) meaning;
    struct u32_vec count;   // of each meaning: how many its name has
    struct u32_vec of_name; // name -> first meaning + 1
    VEC(struct ttir_change) changes;
    VEC(struct ttir_function) function;
    struct ttir_comment arguments, constants, launch; // len 0: none
    uint32_t block;                                   // where statements go
    code_value program_id[3];
    bool pure;       // inside a region of a reduction: no statements
    uint32_t depth;  // of blocks, regions and calls
    uint32_t copies; // of blocks that several others jump to
};

struct code_place ttir_place(const struct ttir_reader *reader, uint32_t at);
struct code_place ttir_here(const struct ttir_reader *reader,
                            const struct ttir_operation *operation);

// ---- types (type.c)

bool ttir_type(struct ttir_reader *reader, uint32_t *at, struct ttir_type *out);

// ---- operations (operation.c)

// Cuts out the operation at token `at`, which must lie in front of `limit`.  Callers
// release it even after a failure.
bool ttir_operation(struct ttir_reader *reader, uint32_t at, uint32_t limit,
                    struct ttir_operation *out);
void ttir_operation_release(struct ttir_operation *operation);
// The first token of the next line outside brackets, or `limit`.
uint32_t ttir_line_end(const struct ttir_reader *reader, uint32_t at, uint32_t limit);
// The value of an attribute: of the dictionaries, or key = value.  0: it has none.
uint32_t ttir_attribute(struct ttir_reader *reader, const struct ttir_operation *operation,
                        const char *key);
// An integer attribute; fails if it is there and is none.
bool ttir_integer(struct ttir_reader *reader, const struct ttir_operation *operation,
                  const char *key, int64_t *out);
// The numbers of an attribute, if it is there.
bool ttir_integers(struct ttir_reader *reader, const struct ttir_operation *operation,
                   const char *key, struct i64_vec *out);
bool ttir_has_word(const struct ttir_reader *reader, const struct ttir_operation *operation,
                   const char *word);
// A boolean or unit attribute, or a word.
bool ttir_flag(struct ttir_reader *reader, const struct ttir_operation *operation, const char *key);
// The text of a string attribute; "" if it has none.
bool ttir_string(struct ttir_reader *reader, const struct ttir_operation *operation,
                 const char *key, struct buf *out);
bool ttir_malformed(struct ttir_reader *reader, const struct ttir_operation *operation,
                    const char *expected);
bool ttir_expect_operands(struct ttir_reader *reader, const struct ttir_operation *operation,
                          uint32_t least, uint32_t most);

// ---- names (scope.c)

// The meaning of operand `which`; fails if the name is not defined.
bool ttir_operand(struct ttir_reader *reader, const struct ttir_operation *operation,
                  uint32_t which, struct ttir_meaning *out);
bool ttir_lookup(struct ttir_reader *reader, uint32_t at, struct ttir_meaning *out);
// The same of a plain value.
bool ttir_plain(struct ttir_reader *reader, const struct ttir_operation *operation, uint32_t which,
                code_value *out);
bool ttir_plain_scalar(struct ttir_reader *reader, const struct ttir_operation *operation,
                       uint32_t which, enum code_kind kind, code_value *out);
// Gives the name at token `at` n meanings.
bool ttir_define(struct ttir_reader *reader, uint32_t at, uint32_t n,
                 const struct ttir_meaning *meanings);
// Gives the results of the operation their meanings.
bool ttir_results(struct ttir_reader *reader, const struct ttir_operation *operation, uint32_t n,
                  const struct ttir_meaning *meanings);
bool ttir_result(struct ttir_reader *reader, const struct ttir_operation *operation,
                 code_value value);
uint32_t ttir_scope(const struct ttir_reader *reader);
void ttir_scope_end(struct ttir_reader *reader, uint32_t scope);

// ---- meanings (meaning.c)

struct ttir_meaning ttir_of(const struct ttir_reader *reader, code_value value);
struct ttir_meaning ttir_unknown(struct ttir_reader *reader, struct ttir_type type,
                                 const char *reason, struct code_place place);
// The parts of a meaning that loops and branches may change: pointers into *meaning.
uint32_t ttir_moving(struct ttir_reader *reader, struct ttir_meaning *meaning, code_value *out[]);
// Are all other parts the same?
bool ttir_fixed_same(const struct ttir_meaning *a, const struct ttir_meaning *b);
// Gives both the union of their arrays, with a choice, if they differ.  False if that is
// impossible.
bool ttir_unite(struct ttir_reader *reader, struct ttir_meaning *a, struct ttir_meaning *b);
// The result types of the operation as its text gives them.
void ttir_declared(const struct ttir_operation *operation, uint32_t n, struct ttir_type *out);

// ---- nodes (node.c): each tests the types and fails at the operation

bool ttir_node(struct ttir_reader *reader, const struct ttir_operation *operation, enum code_op op,
               struct code_type type, int64_t number, uint32_t n, const code_value *operands,
               code_value *out);
// INT of this width; the value itself if it has the width.
code_value ttir_widen(struct ttir_reader *reader, code_value value, unsigned bits,
                      struct code_place place);
code_value ttir_both(struct ttir_reader *reader, code_value mask, code_value other,
                     struct code_place place); // and; NO_CODE is true

// ---- families of operations: *known is false if the family has no such operation

bool ttir_arithmetic(struct ttir_reader *reader, const struct ttir_operation *operation,
                     bool *known);
bool ttir_function(struct ttir_reader *reader, const struct ttir_operation *operation, bool *known);
// A function of a device library or of math that others define (define.c), by its symbol.
bool ttir_defined(struct ttir_reader *reader, const struct ttir_operation *operation,
                  const char *symbol, bool *known);
bool ttir_tile(struct ttir_reader *reader, const struct ttir_operation *operation, bool *known);
bool ttir_fold(struct ttir_reader *reader, const struct ttir_operation *operation, bool *known);
bool ttir_memory(struct ttir_reader *reader, const struct ttir_operation *operation, bool *known);
bool ttir_block_pointer(struct ttir_reader *reader, const struct ttir_operation *operation,
                        bool *known);
bool ttir_update(struct ttir_reader *reader, const struct ttir_operation *operation, bool *known);
bool ttir_control(struct ttir_reader *reader, const struct ttir_operation *operation, bool *known);
bool ttir_call(struct ttir_reader *reader, const struct ttir_operation *operation, bool *known);
bool ttir_constant(struct ttir_reader *reader, const struct ttir_operation *operation, bool *known);
// Everything else: opaque results, and a refused statement unless it is pure.
bool ttir_refuse(struct ttir_reader *reader, const struct ttir_operation *operation,
                 const char *reason);

// Loads and stores through pointers of any kind.
struct ttir_access {
    struct ttir_meaning pointer; // POINTER
    code_value mask;             // NO_CODE: all lanes
};
bool ttir_load(struct ttir_reader *reader, const struct ttir_operation *operation,
               const struct ttir_access *access, code_value other, code_value *out);
bool ttir_store(struct ttir_reader *reader, const struct ttir_operation *operation,
                const struct ttir_access *access, code_value value);

// Of block pointers (block_pointer.c).
bool ttir_load_block(struct ttir_reader *reader, const struct ttir_operation *operation,
                     const struct ttir_meaning *block);
bool ttir_store_block(struct ttir_reader *reader, const struct ttir_operation *operation,
                      const struct ttir_meaning *block, code_value value);

// ---- blocks (block.c)

struct ttir_meanings {
    struct ttir_meaning *at;
    uint32_t len, cap;
};

// The operations of a region with one block, whose '{' stands at `open`.  The operands of the
// terminator are the results; `results` is cleared first.
bool ttir_region(struct ttir_reader *reader, uint32_t open, struct ttir_meanings *results);
bool ttir_one(struct ttir_reader *reader, const struct ttir_operation *operation);
bool ttir_is_terminator(const struct ttir_operation *operation);
// The meanings of all operands.
bool ttir_operands(struct ttir_reader *reader, const struct ttir_operation *operation,
                   struct ttir_meanings *out);
bool ttir_enter(struct ttir_reader *reader, uint32_t at); // one level deeper, or fails
// Appends the branch of two closed blocks, and joins what they give.
bool ttir_join(struct ttir_reader *reader, const struct ttir_operation *operation,
               const struct code_branch *branch, struct ttir_meanings *then,
               struct ttir_meanings *otherwise, struct ttir_meanings *out);

// ---- functions (function.c, body.c)

bool ttir_find_functions(struct ttir_reader *reader);
const struct ttir_function *ttir_find_function(struct ttir_reader *reader, uint32_t symbol);
// The body of a function, whose blocks may branch and return early: what it returns.
bool ttir_body(struct ttir_reader *reader, const struct ttir_function *function,
               const struct ttir_meanings *arguments, struct ttir_meanings *results);
// name: type, .. behind '(': defines the names, or counts them if there are no meanings.
bool ttir_bind(struct ttir_reader *reader, uint32_t open, uint32_t n,
               const struct ttir_meaning *meanings);
bool ttir_kernel(struct ttir_reader *reader, const char *kernel);

// ---- comments (header.c)

void ttir_find_comments(struct ttir_reader *reader);
void ttir_read_constants(struct ttir_reader *reader);
// The name that the comments give to an argument such as %arg0, or its own.
uint32_t ttir_argument_name(struct ttir_reader *reader, const char *source);

#endif
