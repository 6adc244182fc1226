// SPDX-License-Identifier: Apache-2.0
// Named terms: formulas without positions.  Axes have names, so terms need neither
// broadcasts nor transposes.  A term stands for a tensor over its free axes and is
// constant along all others.  Terms are over the reals, and every axis has at
// least one index (docs/formulas.md).
//
// Terms are hash-consed: the name of an operator and its arguments.  The meaning
// of a name follows from its spelling and the number of arguments:
//
//   x            a variable without axes
//   x{i,j}       its element at i, j
//   -3/7, 2      a rational in lowest terms
//   true, false  the truth values
//   pi           the number
//   {i,j}        a set of axes, sorted
//   (add a b)    StableHLO's elementwise operators by their names
//   (select c a b), (lt a b), (le a b), (eq a b), (ne a b)
//   (reduce_add S a), reduce_multiply, reduce_maximum, reduce_minimum,
//                reduce_and, reduce_or: over the axes of the set S
//   (count S)    the number of indices of the axes in S
//   (concatenate {a} {b} {c} u v)
//                along a, whose indices are those of b, of u, and then those of
//                c, of v
//   (softmax S a), (relu a)
//                a named function: its sets of axes, its arguments (define.h)
//
// Comparisons use lt and le alone: a > b is (lt b a).
#ifndef FORMULA_TERMS_TERM_H
#define FORMULA_TERMS_TERM_H

#include "base/text/buf.h"
#include "base/err.h"
#include "base/memory/intern.h"
#include "base/memory/vec.h"

typedef uint32_t fterm; // an index; arguments have smaller indices
#define NO_FTERM UINT32_MAX

struct fnode {
    uint32_t name;  // index in names
    uint32_t at, n; // arg[at ..]
};

// The slot table has a power of two entries, is at most half full, and is
// probed linearly.
struct fterms {
    struct intern names;
    VEC(struct fnode) node;
    struct u32_vec arg, slot; // slot: term + 1
};

void fterms_init(struct fterms *terms);
void fterms_release(struct fterms *terms);

// Returns the term; makes it if it is new.
fterm fterm_make(struct fterms *terms, const char *name, uint32_t n, const fterm *args);
// As fterm_make, with a name of `len` bytes without NUL.
fterm fterm_make_n(struct fterms *terms, const char *name, uint32_t len, uint32_t n,
                   const fterm *args);
// The result is borrowed until the next term is made.
const char *fterm_name(const struct fterms *terms, fterm term);
static inline uint32_t fterm_n(const struct fterms *terms, fterm term)
{
    return terms->node.at[term].n;
}
static inline const fterm *fterm_args(const struct fterms *terms, fterm term)
{
    return terms->node.at[term].n ? terms->arg.at + terms->node.at[term].at : NULL;
}
// Does the term have this name and n arguments?
bool fterm_is(const struct fterms *terms, fterm term, const char *text, uint32_t n);
// Lists the terms below the roots, each once, ascending, so arguments come
// first; replaces the contents of `out`.
void fterms_reach(const struct fterms *terms, uint32_t n, const fterm *roots, struct u32_vec *out);

// Makes the term of another store in this one.
fterm fterm_copy(struct fterms *terms, const struct fterms *from, fterm term);

// Prints and reads prefix notation as above; spaces and parentheses separate
// words.  Fails with ERR_INPUT and the place in the text.
void fterm_print(const struct fterms *terms, fterm term, struct buf *out);
bool fterm_read(struct fterms *terms, const char *text, fterm *out, struct err *err);

// Merges (reduce_add {j} (reduce_add {i} a)) to (reduce_add {i,j} a): a
// reduction takes over the other axes of an equal reduction directly below it.
// Returns x itself if there is none.
fterm fterm_merged(struct fterms *terms, fterm term);

// Kinds of leaves, by their spelling.
bool fname_is_number(const char *text, uint32_t len);
bool fname_is_axes(const char *text, uint32_t len);
// Calls `each` with every axis of a name {i,j} or x{i,j}, in the order of the
// text.  False: the name has none.
bool fname_axes(const char *text, uint32_t len,
                void (*each)(void *ctx, const char *axis, uint32_t len), void *ctx);

#endif
