// SPDX-License-Identifier: Apache-2.0
// A program in the operations that trees are made of: gathers of one piece at a constant place are
// dynamic slices.  The engine has the same law, so what is learned from the plain program is a rule
// about the program itself.
#include "discover/examples/examples.h"
#include "tensor/fold/piece.h"

static term_id copy(struct terms *terms, term_id term, struct u32_vec *memo, uint32_t n)
{
    if (term.v >= n) // not of the program
        return term;
    if (memo->at[term.v] != 0)
        return (term_id){memo->at[term.v] - 1};
    const struct term own = *term_at(terms, term);
    term_id *args = mem_alloc((own.n_args + 1) * sizeof *args), out = term, piece;
    bool same = true;
    for (uint32_t i = 0; i < own.n_args; i++) {
        term_id arg = term_args(terms, term)[i];
        args[i] = copy(terms, arg, memo, n);
        same = same && args[i].v == arg.v;
    }
    if (!same)
        out = term_make(terms, (enum op)own.op, own.attr, own.type, own.n_args, args);
    if (type_is_tensor(terms->pool, own.type) && piece_rewrite(terms, out, &piece))
        out = piece;
    mem_free(args);
    memo->at[term.v] = out.v + 1;
    return out;
}

void example_start(struct example *example, struct program *program, term_id before, term_id after)
{
    struct u32_vec memo = {0};
    uint32_t n = program->terms.term.len;
    vec_zero(&memo, n + 1);
    *example = (struct example){.program = program, .before = before, .after = after};
    example->plain[0] = copy(&program->terms, before, &memo, n);
    example->plain[1] = copy(&program->terms, after, &memo, n);
    vec_release(&memo);
}
