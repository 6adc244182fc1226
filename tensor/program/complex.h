// SPDX-License-Identifier: Apache-2.0
// Complex numbers as pairs.  Complex elements are carried as text, and their operations are
// opaque nodes; this says which of these are pairs, parts of pairs, and taken part by part.
#ifndef TENSOR_PROGRAM_COMPLEX_H
#define TENSOR_PROGRAM_COMPLEX_H

#include "tensor/program/term.h"

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
bool complex_equal(const struct terms *terms, term_id a, term_id b);

#endif
