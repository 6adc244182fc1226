// SPDX-License-Identifier: Apache-2.0
// Simplifies a large formula part by part, those beneath first.  Each part is looked at
// through windows (window.h), and each window is simplified like a small formula, in a graph
// of its own.  Parts that look alike are searched once.  What is known about the sign of the
// parts below a window is proved in the same way, and given there.
#ifndef SIMPLIFY_PARTS_H
#define SIMPLIFY_PARTS_H

#include "simplify/core.h"
#include "simplify/window.h"

// A condition of the formula's terms, with its proof from what is given.
struct part_fact {
    fterm cond;
    struct buf proof; // its last line: cond = true
    uint32_t link;    // in the chain; CHAIN_NONE: not there yet
};
// What is known of a term of the formula.
struct part {
    fterm normal;  // NO_FTERM: not yet
    uint32_t link; // to the normal term; CHAIN_NONE: the term itself
    double price;
    bool shared;            // stands in several places
    bool asked;             // for facts
    uint32_t weight;        // operators since the last window
    uint32_t fact, n_facts; // places in `facts`
};
// What a window became.
struct window_answer {
    fterm term;
    VEC(struct proof_stage) stage;
    VEC(struct proved_condition) truth; // that the values of the new term rest on
    struct u32_vec used;                // so are these of the window's conditions
};

struct parts {
    struct simplifier *whole;
    struct fterms terms; // of windows
    struct part_axes axes;
    struct fsorts sorts;
    struct err failure; // of the sorts
    struct proof_chain chain;
    VEC(struct part) part; // by term
    VEC(struct part_fact) facts;
    struct intern seen; // windows with their conditions
    VEC(struct window_answer) answers;
    uint64_t steps;
    uint32_t depth, nested; // of recursions
    uint32_t budget;        // operators of a window
    bool open;              // windows look into shared parts, too
    bool is_short;          // and at long sums term by term
    uint32_t root_sums;     // so many terms at a time at the root; only sums are looked at
    bool shared_only;       // only what stands in several places is looked at
    bool cut;               // by a limit
    bool sure;              // without what the formula asks of its operands
};

// A window with its conditions.  number: of what is given, or (proved) of a fact.
struct part_given {
    bool proved;
    uint32_t number;
};
struct part_view {
    struct parts *parts;
    struct window window;
    struct u32_vec conds; // terms of the window
    VEC(struct part_given) givens;
    uint32_t n_sure; // those before are not of kind GIVEN_DEFINED
};

// simplify/parts.c: prices of all terms that the formula's store has by now.
void parts_grow(struct parts *parts);

// What is proved is known from now on.
void parts_know(struct parts *parts, fterm cond, const struct buf *proof);

// simplify/facts.c
bool part_view_open(struct part_view *view, struct parts *parts, fterm root, uint32_t budget,
                    struct err *err);
void part_view_close(struct part_view *view);
// The number of the view among those that look alike.
uint32_t part_view_number(const struct part_view *view, const char *use, bool *is_new);
// The answer to that number; its term is NO_FTERM if there is none yet.
struct window_answer *part_answer(struct parts *parts, uint32_t number);
// The line in the chain for a proof about the window; CHAIN_NONE: it is empty.
bool part_view_read(struct part_view *view, struct proof_chain *chain, const char *proof,
                    bool flipped, uint32_t *link, struct err *err);
// A fact from a proof about the window.
bool part_view_fact(struct part_view *view, fterm cond, const struct proved_condition *proved,
                    struct part_fact *out, struct err *err);
// Searches the window.  `ask`: proofs of these conditions only, which *answer gets.
bool part_view_search(struct part_view *view, const struct u32_vec *ask,
                      struct window_answer *answer, struct err *err);

void parts_init(struct parts *parts, struct simplifier *whole);
void parts_release(struct parts *parts);
// Takes the formula's best term as far as windows of a size lead.  *better: somewhere.
bool parts_simplify(struct parts *parts, bool *better, struct err *err);
// Proves a condition from what is known of the parts that it is about.  *proof: to be released.
bool parts_prove(struct parts *parts, fterm cond, struct buf *proof);
// Proves so what parts->whole->partial misses.  True: some of it.
bool parts_prove_missing(struct parts *parts);

#endif
