// SPDX-License-Identifier: Apache-2.0
// Simplifies a program to a cheaper one, by proved rules only:
//   load the rules and their verdicts; saturate; extract; explain every
//   result; check the record.
#ifndef API_SIMPLIFY_SIMPLIFY_H
#define API_SIMPLIFY_SIMPLIFY_H

#include "api/simplify/program.h"
#include "api/simplify/rewriter.h"
#include "egraph/extract/cost_file.h"
#include "egraph/extract/extract.h"
#include "egraph/saturate.h"

// A call whose function was copied in its place.
struct copied_call {
    term_id call;
    uint32_t function, first_region;
    uint32_t results_at; // in simplification.copied
};

struct simplification {
    struct rw_context *context;
    struct rw_rewriter *rewriter;
    struct rw_program *program;
    struct parsed_program *in;
    enum float_reading reading;
    char *keep_attributes;
    uint32_t verify;     // random arguments
    struct buf verified; // what came of them
    struct cost cost;
    struct cost_file cost_file; // of a model that a file describes
    char *cost_name;            // of that file
    enum extract_method method;
    struct saturate_options saturate;
    struct egraph_options egraph;

    struct program out; // over the terms of the input
    VEC(struct copied_call) calls;
    VEC(term_id) copied;                   // results of the copies
    struct u32_vec copied_plain;           // of each: 1 if it has no regions
    VEC(double) function_cost;             // by function, before and then after
    struct u32_vec n_calls, function_size; // by function; none if nothing is called
    uint32_t n_terms;                      // of the program, with what calls were copied
    bool has_sizes;                        // "?", of the program
    bool has_graph, has_out;
    struct buf output;
    struct egraph graph;
    struct saturation saturation;
    struct err loading; // of rules that the engine asked for
    struct record record;
    double cost_before, cost_after;
    bool unproved;        // by exact extraction, within its time
    struct u32_vec picks; // nodes chosen for results
};

// Extracts every function, states its goals, and fills `out`.
bool simplify_rebuild(struct simplification *run, struct recorder *recorder, struct err *err);
// api/simplify/structure.c.  Copies functions in the place of their calls, before the e-graph is made;
// states the equalities that follow from calls, loops and branches.  The second may be called
// again when the graph knows more; it gives back whether there was anything new.
void simplify_copy_calls(struct simplification *run);
// What the plain results of copied calls are: term -> value, + 1 (tensor/program/twins.h).
void simplify_find_values(struct simplification *run, struct u32_vec *values);
// api/simplify/called.c.  Sizes on which lines about slices rest may be those of any copy of a
// function; what a loop returns may be what a call in it gives.  The record says so of these calls.
void simplify_record_calls(struct simplification *run, struct recorder *recorder);
bool simplify_state_structure(struct simplification *run);
// api/simplify/sizes.c.  Has the program sizes "?"?  What an operation costs beside that would
// keep StableHLO from making known sizes of them.
bool simplify_has_sizes(const struct program *program);
double simplify_size_cost(const struct terms *terms, term_id id);
// States that two terms are equal; false if the graph knows.
bool simplify_state(struct simplification *run, term_id a, term_id b, struct reason why);
// api/simplify/complex.c.  What the parts of complex numbers are; is there anything new?
bool simplify_state_complex(struct simplification *run);
// api/simplify/forms.c.  Which operators operations on sizes "?" are, as far as the sizes are known
// now; is there anything new?
bool simplify_state_forms(struct simplification *run);
// The cost model, with the cost of a call.
struct cost simplify_cost(const struct simplification *run);
// Gives the output the attributes kept beside the input's terms.
void simplify_keep(struct simplification *run, uint32_t n, const term_id *roots);
// How many operations the roots need, constants not counted.
uint32_t simplify_count(const struct simplification *run, uint32_t n, const term_id *roots);
// Gives the output's terms the notes of the input's terms with their values.
void simplify_note(struct simplification *run, uint32_t n, const term_id *roots);
// Says which terms have equal values, for the printer.
void simplify_source(struct simplification *run);
// api/simplify/verify.c.  Runs both programs; fails with ERR_CHECK if they differ.
bool simplify_verify(struct simplification *run, const struct program *out, struct err *err);
// Roots of all functions.
void simplify_roots(const struct simplification *run, struct u32_vec *roots);
void simplification_free(struct simplification *run);

#endif
