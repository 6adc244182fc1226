// SPDX-License-Identifier: Apache-2.0
// Internal to the HLO reader.  io/hlo/read/module.c has the order of work:
//   tokens.c       what stands at a token, and what is passed over as a whole
//   syntax.c       tokens to computations and instructions, as places of tokens
//   calls.c        which computations have an effect, which are functions, which reducers
//   forms.c        which instructions are calls and operations with regions
//   computation.c  functions and blocks of regions: their instructions as values
//   structured.c   calls and operations with regions as terms
//   operator.c, literal.c, opaque.c   one instruction as a term
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
    bool single;                   // the only element of the tuple that an operation gives
    uint32_t unnoted; // the instruction + 1, if it is to be noted once it is used as one term
};

struct hlo_values {
    struct hlo_value *at;
    uint32_t len, cap;
};

// A type and a layout that an instruction states.
struct hlo_stated {
    type_id type;
    sym_id layout;
};

// The members up to `end` are tokens.  Attributes [attrs, end) begin with ',', if any.  shape = 0: the text
// states none, so the result's shape follows from the operands.  name = opcode: the instruction
// stands among the operands of the next ones, without a name.
struct hlo_instruction {
    uint32_t name, shape, opcode, open, attrs, end;
    uint32_t readings; // of its blocks: the first in reader.reading + 1; 0: none
    uint8_t form;      // enum hlo_form
};

// What an operation's block was when it was read for this operation: others may name the same
// computation, and branches of one operation may be one computation.
struct hlo_reading {
    uint32_t region, first_root, n_roots, n_bound, bound_at; // as in hlo_computation
};

// What an instruction is that names computations (forms.c).
enum hlo_form {
    HLO_PLAIN,
    HLO_CALL,
    HLO_FUSION, // a call
    HLO_WHILE,  // and all behind have regions
    HLO_CONDITIONAL,
    HLO_SORT,
    HLO_MAP,
    HLO_REDUCE,
    HLO_WINDOW, // of one operand or of several, with any computation
    HLO_SCATTER,
};
static inline bool hlo_is_call(enum hlo_form form)
{
    return form == HLO_CALL || form == HLO_FUSION;
}

struct hlo_computation {
    uint32_t at;         // token of its name
    uint32_t name;       // in reader.names
    uint32_t close;      // '}'
    uint32_t attrs, end; // tokens behind '}'
    uint32_t first, n;   // instructions
    uint32_t root;       // instruction
    bool entry;
    bool text;        // stays text (H2)
    uint32_t n_named; // how often operations name it
    bool function;    // is read as a function of the program
    bool by_text;     // named by an operation that stays text
    bool called;      // named by a call of a term
    // As a block: the region + 1, what it returns (in reader.root), the types of the parameters
    // of the region (in reader.bound_type), which functions of calls have too.
    uint32_t region, first_root, n_roots, n_bound, bound_at;
    uint32_t shared;           // its reading for all operations but loops and conditionals, + 1
    uint32_t number;           // of the function
    bool takes_tuple;          // these are the elements of the one parameter
    bool kept;                 // named by a text that stays
    bool effect;               // has an effect of its own
    bool pure;                 // decided by hlo_survey
    uint8_t plain, arrays;     // of forms.c: 0 = not known, 1 = yes, 2 = no
    enum op reducer;           // the only operator; N_OPS: the second argument
    enum elem elem;            // of the reducer; ELEM_OTHER: is no reducer
    uint32_t pending, callers; // calls not known to be pure; list of edges, index + 1
};
struct hlo_types {
    type_id *at;
    uint32_t len, cap;
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
    bool output;             // what the printer marked as a region is one
    struct hlo_tokens tok;
    struct intern names; // of instructions and computations, without '%'
    VEC(struct hlo_instruction) instruction;
    VEC(struct hlo_computation) computation;
    VEC(struct hlo_edge) edge;
    struct u32_vec computation_of; // name -> computation + 1
    struct u32_vec key_in;         // name -> the last list of attributes that has it as a key
    uint32_t n_lists;
    // The function that is being read.
    VEC(struct hlo_value) value;
    struct u32_vec value_of;       // name -> value + 1
    struct u32_vec bound, pinned;  // names
    struct u32_vec inner;          // opcode tokens of instructions without a name, and values + 1
    struct u32_vec is_pinned;      // name -> 1: some instruction must come after it
    VEC(struct hlo_value) element; // of tuples
    int64_t serial;                // of the last instruction with an effect
    uint32_t scope;                // of what is being read
    sym_id where;                  // the computation
    struct u32_vec noted_in;       // term -> the last computation that noted it, + 1
    uint32_t region;               // whose block is being read; NO_REGION: a function is
    uint32_t first_parameter;      // of the region's, that the block binds
    uint32_t depth;                // of regions inside one another
    uint64_t n_in_blocks;          // instructions of blocks so far
    VEC(term_id) root;             // what blocks return
    VEC(struct hlo_reading) reading;
    struct hlo_types bound_type; // of the parameters of blocks
    // Scratch of one instruction.
    VEC(struct hlo_value) operand;
    struct i64_vec list[HLO_LISTS], attr;
};

// io/hlo/read/tokens.c
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
// The next attribute of [*at, end); *at is at ',' or at `end`.
struct hlo_attribute {
    uint32_t key, value, end;
};
bool hlo_next_attribute(const struct hlo_reader *reader, uint32_t *at, uint32_t end,
                        struct hlo_attribute *out);
bool hlo_skip_value(struct hlo_reader *reader, uint32_t *at);
bool hlo_skip_shape(struct hlo_reader *reader, uint32_t *at);
bool hlo_starts_layout(const struct hlo_reader *reader, uint32_t at);

// io/hlo/read/syntax.c
bool hlo_syntax(struct hlo_reader *reader);

// io/hlo/read/shape.c.  The layout of a tuple is in its type's text.
bool hlo_shape(struct hlo_reader *reader, uint32_t *at, type_id *type, sym_id *layout);

// io/hlo/read/calls.c
bool hlo_survey(struct hlo_reader *reader);
struct hlo_computation *hlo_computation_at(struct hlo_reader *reader, uint32_t at);
// The next computation that the attribute names, at or behind *at.
bool hlo_next_call(struct hlo_reader *reader, const struct hlo_attribute *attribute, uint32_t *at,
                   struct hlo_computation **out);
// Marks the computations that the instruction names as needed in the output.
void hlo_keep_named(struct hlo_reader *reader, const struct hlo_instruction *instruction);
// Does the instruction have an effect?
bool hlo_has_effect(struct hlo_reader *reader, const struct hlo_instruction *instruction);
// io/hlo/read/reducer.c
void hlo_find_reducer(struct hlo_reader *reader, struct hlo_computation *computation);
// Folds name a block that was read: notes the operator that it is, but for one marked as a region.
void hlo_find_operator(struct hlo_reader *reader, struct hlo_computation *block);
// Is a fold of one operand by this computation a term of its own?
bool hlo_is_operator(const struct hlo_computation *body, bool scatter);

// io/hlo/read/shapes.c, io/hlo/read/forms.c
bool hlo_find_attribute(const struct hlo_reader *reader, const struct hlo_instruction *instruction,
                        const char *key, struct hlo_attribute *out);
// The computation that the attribute names.
struct hlo_computation *hlo_named(struct hlo_reader *reader,
                                  const struct hlo_instruction *instruction, const char *key);
// The computation of a call, or of a body.
struct hlo_computation *hlo_callee(struct hlo_reader *reader,
                                   const struct hlo_instruction *instruction);
// Branch b of a conditional, or NULL behind the last one.
struct hlo_computation *hlo_branch(struct hlo_reader *reader,
                                   const struct hlo_instruction *instruction, uint32_t b);
// The types of a shape that is an array or a tuple of arrays, all in the default layout; false
// if it is another one.
bool hlo_flat_shape(struct hlo_reader *reader, uint32_t at, struct hlo_types *out);
bool hlo_is_empty_tuple(const struct hlo_reader *reader, uint32_t at); // the shape ()
// The types of the parameters, or of the elements of the only one if that is a tuple.
bool hlo_parameter_types(struct hlo_reader *reader, const struct hlo_computation *computation,
                         struct hlo_types *out);
// Is the parameter of the computation a tuple?
bool hlo_takes_tuple(const struct hlo_reader *reader, const struct hlo_computation *computation);
bool hlo_root_is_tuple(const struct hlo_reader *reader, const struct hlo_computation *computation);
// The form of each instruction.
void hlo_find_forms(struct hlo_reader *reader);

// io/hlo/read/regions.c
// The computation of block b of an operation, or NULL behind the last one.
struct hlo_computation *hlo_block_of(struct hlo_reader *reader,
                                     const struct hlo_instruction *instruction, uint32_t b);
// The same, with what it was when it was read for this operation.
struct hlo_computation *hlo_block_read(struct hlo_reader *reader,
                                       const struct hlo_instruction *instruction, uint32_t b);
// Reads the regions of the instructions of a computation that stands in the scope.
bool hlo_regions(struct hlo_reader *reader, const struct hlo_computation *computation,
                 uint32_t scope);
// io/hlo/read/structured.c
// An instruction with a form: the value, and the term of the operation.
bool hlo_structured(struct hlo_reader *reader, const struct hlo_instruction *instruction,
                    struct hlo_stated stated, struct hlo_value *value, term_id *node);
// io/hlo/read/tuple.c
// The elements of a value that is a tuple of these types.
bool hlo_elements(struct hlo_reader *reader, const struct hlo_types *types,
                  struct hlo_value *value);
// A tuple of the elements as one term.
bool hlo_tuple_term(struct hlo_reader *reader, type_id type, struct hlo_value *value);

// The operands of a tuple, in the layouts of its shape.
bool hlo_tuple_operands(struct hlo_reader *reader, const struct hlo_instruction *instruction,
                        struct hlo_value *value);
// get-tuple-element of a value whose elements are known.  *found: it is one.
bool hlo_projection(struct hlo_reader *reader, const struct hlo_instruction *instruction,
                    struct hlo_stated stated, struct hlo_value *value, bool *found);

// io/hlo/read/pinned.c
// Notes which instructions of the computation others must come after, until they are forgotten.
void hlo_find_pinned(struct hlo_reader *reader, const struct hlo_computation *computation);
void hlo_forget_pinned(struct hlo_reader *reader);
// Has the instruction of this computation an effect, or must it stay in its place?  Then it is one
// opaque term, whatever it is.
bool hlo_stays(struct hlo_reader *reader, const struct hlo_instruction *instruction);

// io/hlo/read/inferred.c.  The shape that an instruction without one has.
bool hlo_infer_shape(struct hlo_reader *reader, const struct hlo_instruction *instruction,
                     struct hlo_stated *out);

// io/hlo/read/computation.c
// Reads the computation as a block of the region, which binds its parameters from this number on.
bool hlo_block(struct hlo_reader *reader, struct hlo_computation *computation, uint32_t region,
               uint32_t first_parameter);
bool hlo_function(struct hlo_reader *reader, const struct hlo_computation *computation);
// The operands of the instruction, into reader.operand.
bool hlo_push_operand(struct hlo_reader *reader, uint32_t at);
bool hlo_operands(struct hlo_reader *reader, const struct hlo_instruction *instruction);

// io/hlo/read/parameter.c.  parameter(k) of a function; of a block; the types of a block's
// parameters.
bool hlo_parameter(struct hlo_reader *reader, const struct hlo_instruction *instruction,
                   struct hlo_stated stated, struct hlo_value *value);
void hlo_name_parameters(struct hlo_reader *reader);
bool hlo_block_parameter(struct hlo_reader *reader, const struct hlo_instruction *instruction,
                         struct hlo_stated stated, struct hlo_value *value);
bool hlo_bind_parameters(struct hlo_reader *reader, struct hlo_computation *computation);
// The name, layout and metadata of the value's term, unless this computation has some for it.
void hlo_note_value(struct hlo_reader *reader, const struct hlo_instruction *instruction,
                    const struct hlo_value *value);

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
// io/hlo/read/computation.c.  The instruction as a text that stays: the function's next effect.
bool hlo_effect(struct hlo_reader *reader, const struct hlo_instruction *instruction,
                struct hlo_stated stated, term_id *out);
// io/hlo/read/opaque.c
bool hlo_opaque(struct hlo_reader *reader, const struct hlo_instruction *instruction,
                struct hlo_stated stated, bool effect, term_id *out);
// The attributes of [from, end), without metadata unless `all`, behind ", ".
void hlo_put_attributes(struct hlo_reader *reader, uint32_t from, uint32_t end, bool all,
                        struct buf *out);

#endif
