// SPDX-License-Identifier: Apache-2.0
// Leaves in the solver's theories (machine.c) and the meaning of each operator
// there (machine_op.c).  An operator function answers NULL for what it leaves
// uninterpreted.
#ifndef VERIFY_MACHINE_H
#define VERIFY_MACHINE_H

#include "verify/element.h"
#include "verify/emit.h"

struct machine {
    struct session *s;
    enum domain d;
    uint32_t type; // the one type that is interpreted; NONE: every one
    unsigned width;
    bool is_signed;
    unsigned ebits, sbits;
    bool order;                      // elements as members of any total order
    const struct axiom_uses *axioms; // of transcendental operators, or NULL
    bool opaque; // a symbol other than a constant, or a free sort, was used
};

Z3_sort machine_sort(struct machine *m, uint32_t type);
Z3_ast machine_term(struct machine *m, expr_id e);

Z3_ast machine_real_op(struct machine *m, const struct expr *n,
                       const Z3_ast *a);
Z3_ast machine_word_op(struct machine *m, const struct expr *n,
                       const Z3_ast *a);
Z3_ast machine_float_op(struct machine *m, const struct expr *n,
                        const Z3_ast *a);

#endif
