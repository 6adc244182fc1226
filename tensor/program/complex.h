// SPDX-License-Identifier: Apache-2.0
// Complex numbers as pairs.  Complex elements are carried as text, and their operations are
// opaque nodes; this says which of these are pairs, parts of pairs, and taken part by part.
#ifndef TENSOR_PROGRAM_COMPLEX_H
#define TENSOR_PROGRAM_COMPLEX_H

#include "tensor/program/program.h"

enum complex_operator {
    COMPLEX_NONE,
    COMPLEX_PAIR, // complex(a, b)
    COMPLEX_REAL,
    COMPLEX_IMAG,
    COMPLEX_CONJ,
    COMPLEX_ADD,
    COMPLEX_SUBTRACT,
    COMPLEX_NEGATE,
};
// Of a pure opaque node on or to complex elements.
enum complex_operator complex_operator(const struct terms *terms, term_id id);

// Are the two equal by the meaning of complex numbers, bit for bit?  `a` is one of
//   real(complex(p, q)) = p              imag(complex(p, q)) = q
//   complex(real(z), imag(z)) = z        conj(conj(z)) = z
//   real(conj(z)) = real(z)              imag(conj(z)) = -imag(z)
//   real(z + w) = real(z) + real(w)      and so imag, -, and the negation
//   real(f(z)) = f(real(z))              and so imag, where f only moves or chooses elements: an
//                                        operation whose form the program has
//                                        (tensor/program/form.h)
// or is `b` the same part in other words?  May make terms.
bool complex_equal(const struct program *program, struct terms *terms, term_id a, term_id b);

// Does the operator only move or choose elements, or convert a complex operand, so that it works
// part by part?
bool complex_moves(const struct terms *terms, enum op op, term_id operand);
// The type of the parts of a complex tensor, as text, which may have sizes "?"; false: the type is
// none.
bool complex_parts(struct pool *pool, type_id type, type_id *parts);
// The same as a tensor type; false: the type is none, or has sizes "?".
bool complex_part_type(struct pool *pool, type_id type, type_id *part);
// Can a value be of both types, complex or not?  Sizes "?" may be any; a type that is no tensor of
// numbers, or says more than sizes and elements, may be any type.
bool types_meet(struct pool *pool, type_id a, type_id b);
// real(z) or imag(z), and complex(a, b) of z's type, in StableHLO's words.
term_id complex_part(struct terms *terms, enum complex_operator part, term_id z);
term_id complex_pair(struct terms *terms, type_id type, term_id a, term_id b);
// f(real(z)) of the node real(f(z)), or NO_TERM.
term_id complex_moved(const struct program *program, struct terms *terms, term_id part);

#endif
