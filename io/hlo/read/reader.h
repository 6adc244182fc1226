// SPDX-License-Identifier: Apache-2.0
// Internal to the HLO reader.  io/hlo/read/module.c has the order of work:
//   syntax.c       tokens to computations and instructions, as places of tokens
//   calls.c        which computations have an effect, which are functions, which reducers
//   computation.c  functions: their instructions as values
//   operator.c, dims.c, literal.c, opaque.c   one instruction as a term
//
// Template of an opaque instruction: its text behind "name =", blanks as single ones, without
// metadata.  Placeholders:
//   %{k}    the k-th argument, in the default layout
//   %{k:L}  the k-th argument in layout L; L = *: in any layout
// Text inside quotes has no placeholders.
#ifndef IO_HLO_READ_READER_H
#define IO_HLO_READ_READER_H

#include "base/memory/intern.h"
#include "io/hlo/hlo.h"
#include "io/hlo/read/lex.h"

// The value of an instruction.
struct hlo_value {
    term_id term;
    sym_id layout;   // of an array; "": the default
    bool constant;   // the instruction is `constant`
    uint32_t helper; // token of the text that marks a helper (io/hlo/element.h); 0 = none
    term_id helped;  // the helper's operand
    bool reshapes;   // the helper is a reshape, else a broadcast
    uint32_t elements, n_elements; // of `tuple`, in reader.element
};

// All members are tokens.  Attributes [attrs, end) begin with ',', if any.  shape = 0: the text
// states none, so the result's shape follows from the operands.  name = opcode: the instruction
// stands among the operands of the next ones, without a name.
struct hlo_instruction {
    uint32_t name, shape, opcode, open, attrs, end;
};

struct hlo_computation {
    uint32_t at;         // token of its name
    uint32_t name;       // in reader.names
    uint32_t close;      // '}'
    uint32_t attrs, end; // tokens behind '}'
    uint32_t first, n;   // instructions
    uint32_t root;       // instruction
    bool entry;
    bool text;                 // stays text (H2)
    bool named;                // by any operation
    bool kept;                 // named by a text that stays
    bool effect;               // has an effect of its own
    bool pure;                 // decided by hlo_survey
    enum op reducer;           // the only operator; N_OPS: the second argument
    enum elem elem;            // of the reducer; ELEM_OTHER: is no reducer
    uint32_t pending, callers; // calls not known to be pure; list of edges, index + 1
};
struct hlo_edge {
    uint32_t caller, next;
};

enum { HLO_LISTS = 12 };

struct hlo_reader {
    const char *text, *file;
    size_t n;
    struct program *program; // borrowed
    struct pool *pool;       // borrowed
    struct err *err;         // borrowed
    struct hlo_tokens tok;
    struct intern names; // of instructions and computations, without '%'
    VEC(struct hlo_instruction) instruction;
    VEC(struct hlo_computation) computation;
    VEC(struct hlo_edge) edge;
    struct u32_vec computation_of; // name -> computation + 1
    // The function that is being read.
    VEC(struct hlo_value) value;
    struct u32_vec value_of;       // name -> value + 1
    struct u32_vec bound, pinned;  // names
    struct u32_vec inner;          // opcode tokens of instructions without a name, and values + 1
    struct u32_vec is_pinned;      // name -> 1: some instruction must come after it
    VEC(struct hlo_value) element; // of tuples
    int64_t serial;                // of the last instruction with an effect
    // Scratch of one instruction.
    VEC(struct hlo_value) operand;
    struct i64_vec list[HLO_LISTS], attr;
};

// io/hlo/read/syntax.c
bool hlo_fail(struct hlo_reader *reader, uint32_t at, const char *fmt, ...) PRINTF_LIKE(3, 4);
bool hlo_expected(struct hlo_reader *reader, uint32_t at, const char *what);
uint16_t hlo_kind(const struct hlo_reader *reader, uint32_t at);
bool hlo_is(const struct hlo_reader *reader, uint32_t at, const char *word); // text of the token
bool hlo_accept(struct hlo_reader *reader, uint32_t *at, uint16_t kind);
bool hlo_expect(struct hlo_reader *reader, uint32_t *at, uint16_t kind, const char *what);
// Name at the token, without '%'; false if there is none.
bool hlo_is_name(const struct hlo_reader *reader, uint32_t at);
uint32_t hlo_name(struct hlo_reader *reader, uint32_t at);
bool hlo_int(struct hlo_reader *reader, uint32_t *at, int64_t *out);
// Appends tokens [from, to) with single blanks where the text has blanks.
void hlo_emit(const struct hlo_reader *reader, uint32_t from, uint32_t to, struct buf *out);
sym_id hlo_keep(struct hlo_reader *reader, uint32_t from, uint32_t to);
bool hlo_syntax(struct hlo_reader *reader);

// The next attribute of [*at, end); *at is at ',' or at `end`.
struct hlo_attribute {
    uint32_t key, value, end;
};
bool hlo_next_attribute(const struct hlo_reader *reader, uint32_t *at, uint32_t end,
                        struct hlo_attribute *out);
bool hlo_skip_value(struct hlo_reader *reader, uint32_t *at);
bool hlo_skip_shape(struct hlo_reader *reader, uint32_t *at);

// io/hlo/read/shape.c.  The layout of a tuple is in its type's text.
bool hlo_shape(struct hlo_reader *reader, uint32_t *at, type_id *type, sym_id *layout);

// io/hlo/read/calls.c
bool hlo_survey(struct hlo_reader *reader);
struct hlo_computation *hlo_computation_at(struct hlo_reader *reader, uint32_t at);
// Marks the computations that the instruction names as needed in the output.
void hlo_keep_named(struct hlo_reader *reader, const struct hlo_instruction *instruction);
// Does the instruction have an effect, or is it to stay in its place?
bool hlo_has_effect(struct hlo_reader *reader, const struct hlo_instruction *instruction);

// io/hlo/read/computation.c
bool hlo_function(struct hlo_reader *reader, const struct hlo_computation *computation);
// The operands of the instruction, into reader.operand.
bool hlo_push_operand(struct hlo_reader *reader, uint32_t at);
bool hlo_operands(struct hlo_reader *reader, const struct hlo_instruction *instruction);

// A type and a layout that an instruction states.
struct hlo_stated {
    type_id type;
    sym_id layout;
};

// io/hlo/read/operator.c.  HLO_OPAQUE: valid so far but no term.
enum hlo_answer { HLO_FAILED, HLO_TERM, HLO_OPAQUE };
enum hlo_answer hlo_operator(struct hlo_reader *reader, const struct hlo_instruction *instruction,
                             enum op op, struct hlo_stated stated, term_id *out);
// The type that the operator gives its operands; fails for an operator that needs its type said.
bool hlo_result_type(struct hlo_reader *reader, const struct hlo_instruction *instruction,
                     enum op op, type_id *out);
// io/hlo/read/literal.c
enum hlo_answer hlo_constant(struct hlo_reader *reader, const struct hlo_instruction *instruction,
                             type_id type, term_id *out);
// io/hlo/read/opaque.c
bool hlo_opaque(struct hlo_reader *reader, const struct hlo_instruction *instruction,
                struct hlo_stated stated, bool effect, term_id *out);
// The attributes of [from, end), without metadata unless `all`, behind ", ".
void hlo_put_attributes(struct hlo_reader *reader, uint32_t from, uint32_t end, bool all,
                        struct buf *out);

#endif
