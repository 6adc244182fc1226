// SPDX-License-Identifier: Apache-2.0
// A program in the operations that trees are made of: gathers of one piece at a constant place are
// dynamic slices.  The engine has the same law, so what is learned from the plain program is a rule
// about the program itself.  Where the program before reduces, a reshape of the program after that
// drops dimensions of size 1 may be a reduction that was folded at this size.
#include "discover/examples/core.h"
#include "tensor/eval/eval.h"
#include "tensor/fold/piece.h"

struct copying {
    struct terms *terms;
    struct u32_vec memo; // by term: its copy + 1
    uint32_t n;          // terms of the program
    term_id reduce;      // of the program before; NO_TERM: reshapes stay
};

// A reshape that drops all dimensions of size 1, as a reduction over them.
static bool unfold(struct copying *copying, term_id term, term_id *out)
{
    struct terms *terms = copying->terms;
    const struct pool *pool = terms->pool;
    if (copying->reduce.v == NO_TERM.v || term_op(terms, term) != OP_RESHAPE)
        return false;
    term_id args[2] = {term_args(terms, term)[0], term_args(terms, copying->reduce)[1]};
    type_id from = term_type(terms, args[0]), to = term_type(terms, term);
    int64_t attr[1 + TENSOR_MAX_RANK];
    uint32_t n = 1, kept = 0;
    attr[0] = attr_at(pool, term_at(terms, copying->reduce)->attr)[0];
    for (uint32_t i = 0; i < type_rank(pool, from); i++)
        if (type_dims(pool, from)[i] == 1)
            attr[n++] = i;
        else if (kept++ >= type_rank(pool, to) ||
                 type_dims(pool, to)[kept - 1] != type_dims(pool, from)[i])
            return false;
    if (n == 1 || kept != type_rank(pool, to) ||
        type_elem(pool, to) != type_elem(pool, term_type(terms, args[1])))
        return false;
    *out = term_make(terms, OP_REDUCE, attr_make(terms->pool, n, attr), to, 2, args);
    return true;
}

static term_id copy(struct copying *copying, term_id term)
{
    struct terms *terms = copying->terms;
    if (term.v >= copying->n) // not of the program
        return term;
    if (copying->memo.at[term.v] != 0)
        return (term_id){copying->memo.at[term.v] - 1};
    const struct term own = *term_at(terms, term);
    term_id *args = mem_alloc((own.n_args + 1) * sizeof *args), out = term, other;
    bool same = true;
    for (uint32_t i = 0; i < own.n_args; i++) {
        term_id arg = term_args(terms, term)[i];
        args[i] = copy(copying, arg);
        same = same && args[i].v == arg.v;
    }
    if (!same)
        out = term_make(terms, (enum op)own.op, own.attr, own.type, own.n_args, args);
    if (type_is_tensor(terms->pool, own.type) &&
        (piece_rewrite(terms, out, &other) || unfold(copying, out, &other)))
        out = other;
    mem_free(args);
    copying->memo.at[term.v] = out.v + 1;
    return out;
}

static term_id copy_all(struct terms *terms, term_id term, term_id reduce)
{
    struct copying copying = {.terms = terms, .n = terms->term.len, .reduce = reduce};
    vec_zero(&copying.memo, copying.n + 1);
    term_id out = copy(&copying, term);
    vec_release(&copying.memo);
    return out;
}

// The first reduction from the unit of its operator.
static term_id find_reduce(const struct terms *terms, term_id root)
{
    struct u32_vec ids = {0};
    term_id found = NO_TERM;
    terms_reach(terms, 1, &root, &ids);
    for (uint32_t i = 0; i < ids.len && found.v == NO_TERM.v; i++) {
        term_id term = {ids.at[i]};
        if (term_op(terms, term) != OP_REDUCE || term_at(terms, term)->n_args != 2)
            continue;
        enum op op = (enum op)attr_at(terms->pool, term_at(terms, term)->attr)[0];
        enum elem elem = type_elem(terms->pool, term_type(terms, term));
        lit_id init = term_literal(terms, term_args(terms, term)[1]);
        if (init.v != NO_LIT.v && op_is_reducer(op) &&
            scalar_same(elem, literal_get(terms->pool, init, 0), reducer_unit(op, elem)))
            found = term;
    }
    vec_release(&ids);
    return found;
}

void example_start(struct example *example, struct program *program, term_id before, term_id after)
{
    struct terms *terms = &program->terms;
    *example = (struct example){.program = program, .before = before, .after = after};
    example->plain[0] = copy_all(terms, before, NO_TERM);
    example->plain[1] = copy_all(terms, after, NO_TERM);
    example->unfolded = copy_all(terms, after, find_reduce(terms, before));
    example->inner[0] = example->plain[0];
    example->inner[1] = example->plain[1];
    if (example_inner(terms, &example->inner[0], &example->inner[1]))
        example->inner_unfolded =
            copy_all(terms, example->inner[1], find_reduce(terms, example->inner[0]));
    else
        example->inner[0] = example->inner[1] = example->inner_unfolded = NO_TERM;
}
