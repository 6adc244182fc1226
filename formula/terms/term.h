// SPDX-License-Identifier: Apache-2.0
// Named terms: formulas without positions.  Axes have names, so a term needs
// neither broadcasts nor transposes: it stands for a tensor over the axes that
// are free in it, and is constant along all others.  Over the reals; every
// axis has at least one index (docs/formulas.md).
//
// Terms are hash-consed: an operator's name and its arguments.  What a name
// means follows from its spelling and the number of arguments:
//
//   x            a variable without axes         x{i,j}    its element at i, j
//   -3/7, 2      a rational in lowest terms      true, false
//   pi           the number                      {i,j}     a set of axes,
//   sorted (add a b)    StableHLO's elementwise operators by their names
//   (select c a b), (lt a b), (le a b), (eq a b), (ne a b)
//   (reduce_add S a), reduce_multiply, reduce_maximum, reduce_minimum,
//   reduce_and, reduce_or      over the axes of the set S
//   (count S)    the number of indices of the axes in S
//   (concatenate {a} {b} {c} u v)  along a, whose indices are those of b, of u,
//                and then those of c, of v
//   (softmax S a), (relu a)    a named function: its sets of axes, its
//                arguments (define.h)
//
// The order of comparison is lt and le alone: a > b is (lt b a).
#ifndef FORMULA_TERMS_TERM_H
#define FORMULA_TERMS_TERM_H

#include "base/text/buf.h"
#include "base/err.h"
#include "base/memory/intern.h"
#include "base/memory/vec.h"

typedef uint32_t fterm; // an index; arguments are smaller
#define NO_FTERM UINT32_MAX

struct fnode {
    uint32_t name;  // in names
    uint32_t at, n; // arg[at ..]
};

// The slot table is a power of two long, at most half full, probed linearly.
struct fterms {
    struct intern names;
    VEC(struct fnode) node;
    struct u32_vec arg, slot; // slot: term + 1
};

void fterms_init(struct fterms *terms);
void fterms_release(struct fterms *terms);

// The term, made if it is new.
fterm fterm_make(struct fterms *terms, const char *name, uint32_t n, const fterm *args);
// The same with a name of so many bytes, not ended by NUL.
fterm fterm_make_n(struct fterms *terms, const char *name, uint32_t len, uint32_t n,
                   const fterm *args);
// Borrowed until the next term is made.
const char *fterm_name(const struct fterms *terms, fterm term);
static inline uint32_t fterm_n(const struct fterms *terms, fterm term)
{
    return terms->node.at[term].n;
}
static inline const fterm *fterm_args(const struct fterms *terms, fterm term)
{
    return terms->node.at[term].n ? terms->arg.at + terms->node.at[term].at : NULL;
}
// Its name is s and it has n arguments.
bool fterm_is(const struct fterms *terms, fterm term, const char *text, uint32_t n);
// Terms below the roots, arguments first, each once, ascending; drops what
// `out` held.
void fterms_reach(const struct fterms *terms, uint32_t n, const fterm *roots, struct u32_vec *out);

// Prefix notation as above, and back (words are separated by spaces and
// parentheses).  ERR_INPUT with the place in the text.
void fterm_print(const struct fterms *terms, fterm term, struct buf *out);
bool fterm_read(struct fterms *terms, const char *text, fterm *out, struct err *err);

// (reduce_add {j} (reduce_add {i} a)) as (reduce_add {i,j} a): a reduction over
// other axes directly below takes in those of x.  Else x itself.
fterm fterm_merged(struct fterms *terms, fterm term);

// Kinds of leaves, from their spelling.
bool fname_is_number(const char *text, uint32_t len);
bool fname_is_axes(const char *text, uint32_t len);
// The axes of a name {i,j} or x{i,j}, in the order of the text: calls `each`
// with every one; false if the name has none.
bool fname_axes(const char *text, uint32_t len,
                void (*each)(void *ctx, const char *axis, uint32_t len), void *ctx);

#endif
