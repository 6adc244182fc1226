// SPDX-License-Identifier: Apache-2.0
// Imperative programs over arrays: pure values, and statements that read and
// write memory, in loops and branches.  A GPU kernel is such a program, and so is a
// scheduled loop nest or a function of C.  docs/loops.md says what a program means.
//
//   array      a parameter that names memory: elements at offsets 0, 1, 2, ..;
//              different arrays share none (unless the caller says so)
//   value      a pure expression; a node with operands.  A value is evaluated where
//              it is used: its operands decide in which iterations it has a meaning
//   bound      a value without operands that a statement gives its value: the
//              variable of a loop, a state that a loop carries, a result of a loop
//              or a branch; or a parameter of a region
//   statement  reads, writes, loops, branches, in blocks, in order
//   region     the function that a reduction or a scan folds by
//   fact       a condition on scalar parameters that the caller guarantees
//
// P1  Operands of a node have smaller numbers, and so have the bounds of a loop and
//     the condition of a branch than what their blocks bind.
// P2  Every node obeys the types that op.h states.
// P3  The nodes that are made while a block of a loop, a branch or a region is
//     read lie in one range of numbers; nothing outside the block uses them but by
//     its `next`, `results` or `yields`.
// P4  A READ is the operand of other nodes only behind its statement.
// P5  A program is a tree of blocks: it has no jump, and the bounds of a loop are
//     fixed when the loop starts.
// P6  Names of parameters differ.
#ifndef LOOPS_PROGRAM_PROGRAM_H
#define LOOPS_PROGRAM_PROGRAM_H

#include "base/memory/intern.h"
#include "base/memory/vec.h"
#include "loops/program/op.h"

typedef uint32_t code_value; // an index into nodes
#define NO_CODE UINT32_MAX   // no value, block, statement, region, parameter

// Line and column of the source, from 1; 0 = none.
struct code_place {
    uint32_t line, col;
};

struct code_node {
    uint8_t op;     // enum code_op
    uint32_t n, at; // operands: operand.at[at ..]
    struct code_type type;
    int64_t number; // op.h says what it is
    struct code_place place;
};

enum code_role {
    ROLE_ARGUMENT, // of the source
    ROLE_GRID,     // number of programs along an axis of the launch: grid.x, grid.y, grid.z
    ROLE_LAUNCH,   // a size of the caller that the launch names and the program does not
    ROLE_SHAPE,    // shape or stride of a tensor descriptor
};

struct code_parameter {
    uint32_t name;         // of names: the name of the caller, if known, else that of the source
    uint32_t source;       // of names: as the source writes it, "%arg0"
    struct code_type type; // of the scalar, or of an element of the array
    bool array;
    uint8_t role;     // enum code_role
    int64_t divisor;  // the caller promises a multiple of this (1: nothing; of an array: unused)
    code_value value; // its node, or NO_CODE; code_parameter_value makes it
    struct code_place place;
};

enum code_statement_kind {
    // node `value` (CODE_READ) gets its elements: lanes whose mask is true those of the array; the
    // others `other`, and if there is none, they are undefined.  Only lanes whose mask is true
    // must be in bounds.
    STATEMENT_READ,
    // Lanes whose mask is true are written, in an order nobody knows.
    STATEMENT_WRITE,
    // Lanes whose mask is true: the element becomes combine(element, value), as one step;
    // node `result` (CODE_UPDATED) is the element found.  combine CODE_OPAQUE: exchange.
    STATEMENT_UPDATE,
    STATEMENT_LOOP,
    STATEMENT_BRANCH,
    // The caller guarantees that `value` (BOOL) is true in all lanes.
    STATEMENT_ASSUME,
    // An operation without a meaning here; `reason` says why.  If `array` is NO_CODE, the
    // operation may write any array, otherwise only this one.  It binds nothing: values that
    // depend on it are CODE_OPAQUE.
    STATEMENT_REFUSED,
};

enum code_loop_kind {
    LOOP_SEQUENTIAL, // iterations in order; may carry states
    LOOP_PARALLEL,   // iterations in an order nobody knows, interleaved; carries nothing
    LOOP_VECTOR,     // as sequential, and iterations are promised independent
};

// for (variable = lower; variable < upper; variable += step), step > 0 being an
// obligation.  State k is initial[k] at the start; `state` inside the block is its value at
// the start of the iteration, `next` that at the end; `result` that after the loop.
struct code_loop {
    uint8_t kind;     // enum code_loop_kind
    bool is_unsigned; // the comparison variable < upper
    code_value variable, lower, upper, step;
    uint32_t n, at; // states: carried.at[at ..]
    uint32_t block;
};

struct code_carried {
    code_value initial, state, next, result;
};

// `then` if the scalar condition is true, else `otherwise` (NO_CODE: nothing).
// result k is yield k of the block that ran.
struct code_branch {
    code_value condition;
    uint32_t then, otherwise;
    uint32_t n, at; // merged.at[at ..]
};

struct code_merged {
    code_value then, otherwise, result;
};

struct code_statement {
    uint8_t kind;                   // enum code_statement_kind
    uint8_t combine;                // enum code_op, of updates
    uint32_t next;                  // in its block, or NO_CODE
    uint32_t array;                 // parameter
    code_value offset, value, mask; // mask NO_CODE: all lanes; value of a read: its node
    code_value result;              // of an update, or NO_CODE
    uint32_t index;                 // of loops or branches
    uint32_t reason;                // of names
    struct code_place place;
};

struct code_block {
    uint32_t first, last; // statements, or NO_CODE
    code_value from, end; // P3: nodes made inside
};

// Folds n operands of one shape along `axis`.  The region has parameters a_0 .. a_n-1,
// b_0 .. b_n-1 (CODE_BOUND, scalars) and results r_0 .. r_n-1 over them.  A
// reduction folds all lanes of the axis; lane j of a scan folds lanes 0 .. j (if
// reverse: j .. last).  The order of the operands in the fold is that of the lanes, its
// parentheses are unknown: the source promises that the function is associative.
struct code_region {
    uint32_t axis, n;
    bool reverse;
    uint8_t
        combine; // enum code_op, if n = 1 and the result is that of a_0 and b_0; else CODE_OPAQUE
    uint32_t at; // bound.at[at ..]: parameters a, then b, then the results
    code_value from, end; // P3
    struct code_place place;
};

enum code_source {
    FACT_HEADER, // comments of the source
    FACT_USER,   // the command line
    FACT_SOURCE, // attributes of the source, which the caller promises
};

struct code_fact {
    code_value condition; // scalar BOOL over scalar parameters and constants
    uint8_t source;       // enum code_source
    uint32_t text;        // of names: as it was written
    struct code_place place;
};

struct code_note {
    uint32_t text; // of names
    struct code_place place;
};

// A compile-time value that the comments of the source name; facts may use it.
struct code_named {
    uint32_t name; // of names
    int64_t value;
};

struct code_program {
    struct intern names;
    uint32_t name; // of names: the kernel
    VEC(struct code_node) node;
    struct u32_vec operand;
    VEC(struct code_parameter) parameter;
    VEC(struct code_statement) statement;
    VEC(struct code_block) block;
    VEC(struct code_loop) loop;
    VEC(struct code_carried) carried;
    VEC(struct code_branch) branch;
    VEC(struct code_merged) merged;
    VEC(struct code_region) region;
    struct u32_vec bound; // of regions
    VEC(struct code_fact) fact;
    // What the caller says and no fact could be read from: texts, of names, with places.
    VEC(struct code_note) note;
    VEC(struct code_named) named;
    uint32_t body;      // block
    code_value grid[3]; // nodes of the parameters with ROLE_GRID; NO_CODE: no such axis
};

void code_init(struct code_program *program);
void code_release(struct code_program *program);

// ---- nodes

static inline const struct code_node *code_node(const struct code_program *program,
                                                code_value value)
{
    return &program->node.at[value];
}
static inline const code_value *code_operands(const struct code_program *program, code_value value)
{
    return program->operand.at + program->node.at[value].at;
}
static inline code_value code_operand(const struct code_program *program, code_value value,
                                      uint32_t which)
{
    return program->operand.at[program->node.at[value].at + which];
}
static inline const char *code_name(const struct code_program *program, uint32_t name)
{
    return intern_text(&program->names, name);
}
static inline const char *code_parameter_name(const struct code_program *program, uint32_t which)
{
    return code_name(program, program->parameter.at[which].name);
}

// Makes a node.  The caller has checked the operands (P2).
code_value code_make(struct code_program *program, enum code_op op, struct code_type type,
                     int64_t number, uint32_t n, const code_value *operands,
                     struct code_place place);
// The node of a scalar parameter: one for each.
code_value code_parameter_value(struct code_program *program, uint32_t parameter);
code_value code_integer(struct code_program *program, struct code_type type, int64_t number);
// A real constant from its text: a decimal, "inf", "-inf" or "nan".
code_value code_real(struct code_program *program, struct code_type type, const char *text);
code_value code_bound(struct code_program *program, struct code_type type, struct code_place place);
code_value code_opaque(struct code_program *program, struct code_type type, const char *reason,
                       struct code_place place);
// An elementwise operator of one or two operands; the type is that of the first, and
// BOOL of comparisons.
code_value code_unary(struct code_program *program, enum code_op op, code_value a,
                      struct code_place place);
code_value code_binary(struct code_program *program, enum code_op op, code_value a, code_value b,
                       struct code_place place);
// A scalar in every lane of a shape: the value itself if it has the shape.
code_value code_splat(struct code_program *program, code_value a, const struct code_type *shape,
                      struct code_place place);

// The value of a REAL constant.
double code_real_value(const struct code_program *program, code_value constant);
const char *code_real_text(const struct code_program *program, code_value constant);

// Adds a parameter.  If its name is that of another one, then it gets a number.
uint32_t code_add_parameter(struct code_program *program, const struct code_parameter *parameter);
// Gives a parameter the name; false: another one has it.
bool code_rename_parameter(struct code_program *program, uint32_t which, const char *name);
// The parameter with this name (of the caller or of the source), or NO_CODE.
uint32_t code_find_parameter(const struct code_program *program, const char *name);

// ---- statements: appended to a block

uint32_t code_open_block(struct code_program *program);
void code_close_block(struct code_program *program, uint32_t block);
uint32_t code_append(struct code_program *program, uint32_t block,
                     const struct code_statement *statement);
// A statement of this kind at this place, with no values.
struct code_statement code_statement(enum code_statement_kind kind, struct code_place place);

// Calls `each` for every statement of the block and of the blocks inside, in order; stops
// when it returns false, and returns false then.
bool code_each_statement(const struct code_program *program, uint32_t block,
                         bool (*each)(void *ctx, const struct code_statement *statement),
                         void *ctx);

#endif
