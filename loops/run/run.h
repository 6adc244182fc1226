// SPDX-License-Identifier: Apache-2.0
// The concrete meaning of a program over arrays: runs it at given sizes and contents.
//
//   cell    one element: a boolean, an integer, a real number as a double; or undefined
//   fault   something that a right program does not do at the sizes that it was run
//
// An operation with an undefined operand gives an undefined element, except a choice
// that does not take it.  Integers wrap at their width, and that is a fault.  Programs of the grid
// run one after the other; races are found by who reads and writes which element, so their
// order hides none.
#ifndef LOOPS_RUN_RUN_H
#define LOOPS_RUN_RUN_H

#include "base/rng.h"
#include "loops/program/program.h"

struct exec_cell {
    union {
        int64_t whole; // BOOL, INT
        double real;   // REAL
    };
    bool undefined;
};

struct exec_tile {
    struct exec_cell *at; // row-major; NULL: not computed
    uint32_t n;
};

// Who reads and writes an element.  Programs have numbers from 1; EXEC_MANY: several.
#define EXEC_MANY UINT32_MAX
struct exec_element {
    uint32_t writes;         // how often it was written
    uint32_t writer, reader; // programs; 0: none
    uint32_t statement;      // the run of a statement that wrote it last
    bool updated;            // the last write was an update
};

struct exec_array {
    struct exec_cell *at;
    struct exec_cell *initial;    // contents when the run began; `at` if no statement writes it
    struct exec_element *element; // NULL: no statement writes it
    uint64_t n;                   // offsets are 0 <= o < n
    int64_t lowest, highest;      // offsets of lanes that were not masked; lowest > highest: none
};

enum exec_fault_kind {
    EXEC_READ_BOUNDS,     // a lane that is not masked reads outside of the array
    EXEC_WRITE_BOUNDS,    // the same of a write
    EXEC_UNDEFINED,       // an undefined element is written
    EXEC_UNDEFINED_INDEX, // an offset, a mask or a condition is undefined
    EXEC_WRITTEN_TWICE,   // by two programs, or by two lanes of one statement: other values
    EXEC_RACE,            // one program reads what another one writes
    EXEC_DIVISION,        // an integer by 0
    EXEC_OVERFLOW,        // an integer does not fit into its width
    EXEC_STEP,            // of a loop: not positive
    EXEC_ASSUMPTION,      // a condition that the source assumes is false
    EXEC_REFUSED,         // an operation without a meaning
    N_EXEC_FAULTS,
};

// The first of its kind at its place, and how often.
struct exec_fault {
    uint8_t kind; // enum exec_fault_kind
    struct code_place place;
    int64_t program[3];
    uint32_t lane;  // row-major
    uint32_t array; // parameter, or NO_CODE
    int64_t offset;
    uint64_t count;
};

// What a mask was in some lane, or which side of a branch ran.
enum exec_side { EXEC_SIDE_ON = 1, EXEC_SIDE_OFF = 2 };

struct execution {
    const struct code_program *program;
    VEC(struct exec_cell) scalar; // of each parameter; of arrays unused
    VEC(struct exec_array) array; // of each parameter; of scalars empty
    VEC(struct exec_fault) fault;
    VEC(struct exec_tile) tile;    // of each node
    VEC(struct exec_cell) scratch; // of regions: of each node
    struct u32_vec stack;          // of values that are computed
    int64_t ids[3];                // of the program that runs
    uint32_t axis;                 // how many parallel loops are open
    uint32_t serial;               // number of the program that runs
    uint32_t statement;            // number of the write that runs
    uint64_t cells, limit;         // cells that may still be computed; of one run
    const uint8_t *only;           // by node, values that are computed; NULL: all
    uint32_t most;                 // programs along an axis that run, if there are more; 0: all
    struct u32_vec written;        // of each parameter: 1: a statement writes it
    struct u32_vec trips;          // by loop: the most iterations it had, in this run
    struct u32_vec sides;          // by statement, in this run: enum exec_side
    uint64_t programs, done;       // of this run: how many there are, and have run
    uint32_t in_part;              // how often only a run in part was within the limits
    bool stopped;                  // the limit was reached, or would be
    bool overflow;                 // a real was too large for a double
};

// All scalars are 0, all arrays empty.  `cells` limits the work.
void exec_init(struct execution *run, const struct code_program *program, uint64_t cells);
void exec_release(struct execution *run);
// Gives an array n undefined elements.
void exec_array_resize(struct execution *run, uint32_t parameter, uint64_t n);
// Fills an array with random elements: reals in [-2, 2), integers in 0 .. 2.
void exec_array_fill(struct execution *run, uint32_t parameter, struct rng *rng);
// Runs all programs of the grid, from the present contents of the arrays; forgets faults and
// counts of earlier runs.  False if the limit was reached.  Where an axis has more programs than
// run->most, the first one, the last one and some between them run.
bool exec_all(struct execution *run);
// The same for the lengths of arrays alone: values are computed only where `only`, by node, is not
// 0.  That must hold for all that addresses, masks, loops and branches are made of.  Nothing is
// written.
bool exec_addresses(struct execution *run, const uint8_t *only);
// How often the run wrote the element.
uint32_t exec_writes(const struct exec_array *array, uint64_t at);
// The value of an expression over scalars, such as a fact.
struct exec_cell exec_scalar(struct execution *run, code_value value);
// Do all facts of the program hold at the scalars?  Facts of a launch with ROLE_GRID included.
bool exec_facts_hold(struct execution *run, const struct code_fact **failed);

// ---- for the parts of the interpreter

const struct exec_tile *exec_value(struct execution *run, code_value value);
void exec_fault(struct execution *run, enum exec_fault_kind kind, struct code_place place,
                uint32_t lane, uint32_t array, int64_t offset);
struct exec_tile exec_tile_make(struct execution *run, const struct code_type *type);
// Work that computes no cells of its own; false: the limit is reached.
bool exec_charge(struct execution *run, uint64_t cells);
void exec_set(struct execution *run, code_value value, struct exec_tile tile); // takes the tile
void exec_forget(struct execution *run, code_value from, code_value end);
// One lane of an elementwise operator.
struct exec_cell exec_apply(struct execution *run, const struct code_node *node,
                            const struct exec_cell *operands, uint32_t lane);
// All lanes of an operator of two operands.  False: of some operators, and nothing is done.
bool exec_apply_all(struct execution *run, const struct code_node *node, const struct exec_cell *a,
                    const struct exec_cell *b, struct exec_tile *out);
// sum + a*b of integers, in the type of the node.
int64_t exec_sum_of_products(struct execution *run, const struct code_node *node, uint32_t lane,
                             const struct exec_cell *sum, const struct exec_cell *a,
                             const struct exec_cell *b);
void exec_move(struct execution *run, code_value value, struct exec_tile *out);
void exec_fold(struct execution *run, code_value value, struct exec_tile *out);
void exec_access(struct execution *run, const struct code_statement *statement); // of addresses
void exec_read(struct execution *run, const struct code_statement *statement);
void exec_write(struct execution *run, const struct code_statement *statement);
void exec_update(struct execution *run, const struct code_statement *statement);

#endif
