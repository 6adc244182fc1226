// SPDX-License-Identifier: Apache-2.0
// Proofs of proof/plain/check.h one behind the other: a = b, b = c, .. becomes one
// proof of the whole.  Terms are numbered anew, each once, and so are lines.
#ifndef SIMPLIFY_CHAIN_H
#define SIMPLIFY_CHAIN_H

#include "base/text/buf.h"
#include "formula/terms/term.h"

struct chain_given { // a `given` line
    uint32_t given, line;
    fterm a, b;
};

struct proof_chain {
    struct fterms terms;
    struct buf lines;
    uint32_t n_lines;
    struct intern known; // lines without their numbers
    struct u32_vec known_line;
    struct u32_vec copied; // chain_term: term -> 1 + that of the chain
    struct u32_vec link;   // 2 * last line of a proof, + 1 if used backwards
    // New numbers of `given` lines that are read; empty: the numbers stay.
    struct u32_vec renumber; // borrowed
    struct u32_vec fact;     // given -> 1 + the like of what proves it; 0: nothing
    // Numbers of `given` lines, ascending, each once: in the proof of the whole
    // they are places in this list.
    struct u32_vec given;
    VEC(struct chain_given) told;
};

// What a proof about other terms says here.
struct chain_meaning {
    // The chain's term for a leaf; NO_FTERM: the leaf itself.
    fterm (*leaf)(void *ctx, struct proof_chain *chain, const char *name, uint32_t len);
    // The number of what is given, or (*proved) the like of what proves it.
    bool (*given)(void *ctx, struct proof_chain *chain, uint32_t number, bool *proved,
                  uint32_t *out, struct err *err);
    void *ctx;
};

void chain_init(struct proof_chain *chain);
void chain_release(struct proof_chain *chain);
// `flipped`: its last line reads from b to a.
bool chain_add(struct proof_chain *chain, const char *proof, bool flipped, struct err *err);
// A proof of what is given by this number, from its condition to `true`, which
// takes the place of `given` lines that come later.
bool chain_fact(struct proof_chain *chain, uint32_t given, const char *proof, bool flipped,
                struct err *err);
// Lines that the proof of the whole has besides.
bool chain_aside(struct proof_chain *chain, const char *proof, struct err *err);
// Lines of a proof that the chain does not link.  *link: its last line, as in `link`;
// CHAIN_NONE: the proof is empty.  `meaning` may be NULL.
#define CHAIN_NONE UINT32_MAX
bool chain_read(struct proof_chain *chain, const char *proof, bool flipped,
                const struct chain_meaning *meaning, uint32_t *link, struct err *err);
// The chain's term that reads like a term of a store: the same store in all calls.
fterm chain_term(struct proof_chain *chain, const struct fterms *store, fterm term);
// a = b, since the arguments are equal by links[k] (CHAIN_NONE: the same).
uint32_t chain_congruence(struct proof_chain *chain, fterm a, fterm b, const uint32_t *links);
// a = b by the links, one behind the other; those that are CHAIN_NONE say nothing.
uint32_t chain_join(struct proof_chain *chain, fterm a, fterm b, uint32_t n, const uint32_t *links);
// The proof of the whole; empty where nothing was added.
void chain_print(struct proof_chain *chain, struct buf *out);
// The proof that ends with this line.  Its `given` lines have the numbers that were read.
void chain_print_link(struct proof_chain *chain, uint32_t link, struct buf *out);

#endif
