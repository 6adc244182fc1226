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
    struct u32_vec link; // 2 * last line of a proof, + 1 if used backwards
    // New numbers of `given` lines that are read; empty: the numbers stay.
    struct u32_vec renumber; // borrowed
    struct u32_vec fact;     // given -> 1 + the like of what proves it; 0: nothing
    // Numbers of `given` lines, ascending, each once: in the proof of the whole
    // they are places in this list.
    struct u32_vec given;
    VEC(struct chain_given) told;
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
// The proof of the whole; empty where nothing was added.
void chain_print(struct proof_chain *chain, struct buf *out);

#endif
