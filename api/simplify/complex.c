// SPDX-License-Identifier: Apache-2.0
// What the parts of complex numbers are (tensor/program/complex.h).
#include "api/simplify/simplify.h"

#include "tensor/program/complex.h"

static term_id with_operand(struct terms *terms, term_id id, term_id operand)
{
    struct term node = *term_at(terms, id);
    return term_make(terms, (enum op)node.op, node.attr, node.type, 1, &operand);
}

// The operator on the part of each operand of z that `part` takes.
static term_id on_parts(struct terms *terms, term_id part, term_id z, enum op op)
{
    term_id args[2];
    uint32_t n = term_at(terms, z)->n_args;
    for (uint32_t i = 0; i < n; i++)
        args[i] = with_operand(terms, part, term_args(terms, z)[i]);
    return term_make(terms, op, attr_make(terms->pool, 0, NULL), term_type(terms, part), n, args);
}

// What the part of z is, or NO_TERM.
static term_id part_of(struct terms *terms, term_id part, term_id z)
{
    bool imag = complex_operator(terms, part) == COMPLEX_IMAG;
    switch (complex_operator(terms, z)) {
    case COMPLEX_PAIR:
        return term_args(terms, z)[imag];
    case COMPLEX_CONJ:
        return imag ? on_parts(terms, part, z, OP_NEGATE)
                    : with_operand(terms, part, term_args(terms, z)[0]);
    case COMPLEX_ADD:
        return on_parts(terms, part, z, OP_ADD);
    case COMPLEX_SUBTRACT:
        return on_parts(terms, part, z, OP_SUBTRACT);
    case COMPLEX_NEGATE:
        return on_parts(terms, part, z, OP_NEGATE);
    case COMPLEX_NONE:
    case COMPLEX_REAL:
    case COMPLEX_IMAG:
        break;
    }
    return NO_TERM;
}

struct complex_terms {
    struct simplification *run;
    VEC(term_id) at; // of the graph
};

static bool state_equal(struct complex_terms *complex, term_id a, term_id b)
{
    struct terms *terms = &complex->run->in->at.terms;
    return complex_equal(terms, a, b) &&
           simplify_state(complex->run, a, b, (struct reason){REASON_COMPLEX, 0, 0});
}

// A part, of each complex number that its operand equals.
static bool state_part(struct complex_terms *complex, term_id part)
{
    struct terms *terms = &complex->run->in->at.terms;
    bool news = false;
    for (uint32_t i = 0; i < complex->at.len; i++) {
        term_id z = complex->at.at[i];
        if (!egraph_same(&complex->run->graph, z, term_args(terms, part)[0]))
            continue;
        term_id same = with_operand(terms, part, z), equal = part_of(terms, same, z);
        if (equal.v != NO_TERM.v)
            news |= state_equal(complex, same, equal);
    }
    return news;
}

// A pair of the two parts of one number; a conjugate of a conjugate.
static bool state_whole(struct complex_terms *complex, term_id id)
{
    struct terms *terms = &complex->run->in->at.terms;
    struct egraph *graph = &complex->run->graph;
    bool pair = complex_operator(terms, id) == COMPLEX_PAIR;
    bool news = false;
    for (uint32_t i = 0; i < complex->at.len; i++) {
        term_id first = complex->at.at[i];
        enum complex_operator wanted = pair ? COMPLEX_REAL : COMPLEX_CONJ;
        if (complex_operator(terms, first) != wanted ||
            !egraph_same(graph, first, term_args(terms, id)[0]))
            continue;
        term_id z = term_args(terms, first)[0];
        if (!pair) {
            news |= state_equal(complex, with_operand(terms, id, first), z);
            continue;
        }
        for (uint32_t j = 0; j < complex->at.len; j++) {
            term_id second = complex->at.at[j];
            if (complex_operator(terms, second) != COMPLEX_IMAG ||
                term_args(terms, second)[0].v != z.v ||
                !egraph_same(graph, second, term_args(terms, id)[1]))
                continue;
            struct term node = *term_at(terms, id);
            term_id same =
                term_make(terms, OP_OPAQUE, node.attr, node.type, 2, (term_id[]){first, second});
            news |= state_equal(complex, same, z);
        }
    }
    return news;
}

bool simplify_state_complex(struct simplification *run)
{
    struct terms *terms = &run->in->at.terms;
    struct complex_terms complex = {.run = run};
    bool news = false;
    for (uint32_t i = 0; i < terms->term.len; i++)
        if (complex_operator(terms, (term_id){i}) != COMPLEX_NONE &&
            egraph_known(&run->graph, (term_id){i}))
            vec_push(&complex.at, (term_id){i});
    for (uint32_t i = 0; i < complex.at.len; i++) {
        enum complex_operator op = complex_operator(terms, complex.at.at[i]);
        if (op == COMPLEX_REAL || op == COMPLEX_IMAG)
            news |= state_part(&complex, complex.at.at[i]);
        else if (op == COMPLEX_PAIR || op == COMPLEX_CONJ)
            news |= state_whole(&complex, complex.at.at[i]);
    }
    vec_release(&complex.at);
    return news;
}
