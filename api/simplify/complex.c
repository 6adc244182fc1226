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
    VEC(term_id) member; // scratch
};

static bool state_equal(struct complex_terms *complex, term_id a, term_id b)
{
    struct simplification *run = complex->run;
    return complex_equal(&run->in->at, &run->in->at.terms, a, b) &&
           simplify_state(run, a, b, (struct reason){REASON_COMPLEX, 0, 0});
}

// Every complex number is the pair of its parts, so what rules find out about these they find out
// about the number.
static bool state_pairs(struct complex_terms *complex)
{
    struct terms *terms = &complex->run->in->at.terms;
    bool news = false;
    for (uint32_t i = 0, n = terms->term.len; i < n; i++) {
        term_id z = {i};
        type_id type;
        if (type_is_tensor(terms->pool, term_type(terms, z)) ||
            !egraph_known(&complex->run->graph, z) || complex_operator(terms, z) == COMPLEX_PAIR ||
            !complex_part_type(terms->pool, term_type(terms, z), &type))
            continue;
        term_id real = complex_part(terms, COMPLEX_REAL, z);
        term_id imag = complex_part(terms, COMPLEX_IMAG, z);
        term_id pair = complex_pair(terms, term_type(terms, z), real, imag);
        if (!state_equal(complex, pair, z))
            continue;
        saturation_root(&complex->run->saturation, real);
        saturation_root(&complex->run->saturation, imag);
        news = true;
    }
    return news;
}

// The live terms that the term equals.
static void find_members(struct complex_terms *complex, term_id term)
{
    struct egraph *graph = &complex->run->graph;
    if (!graph->closed)
        egraph_rebuild(graph);
    class_id class = egraph_find(graph, term);
    complex->member.len = 0;
    for (term_id z = class_first(graph, class); z.v != NO_TERM.v; z = class_next(graph, class, z))
        vec_push(&complex->member, z);
}

// A part, of each complex number that its operand equals.
static bool state_part(struct complex_terms *complex, term_id part)
{
    struct program *program = &complex->run->in->at;
    struct terms *terms = &program->terms;
    enum complex_operator which = complex_operator(terms, part);
    bool moves = program->forms.len > 0, news = false;
    term_id own = moves ? complex_part(terms, which, term_args(terms, part)[0]) : NO_TERM;
    if (own.v != NO_TERM.v)
        news = state_equal(complex, part, own);
    find_members(complex, term_args(terms, part)[0]);
    for (uint32_t i = 0; i < complex->member.len; i++) {
        term_id z = complex->member.at[i];
        term_id same = with_operand(terms, part, z), equal = part_of(terms, same, z);
        if (equal.v != NO_TERM.v)
            news |= state_equal(complex, same, equal);
        same = moves ? complex_part(terms, which, z) : NO_TERM;
        equal = same.v != NO_TERM.v ? complex_moved(program, terms, same) : NO_TERM;
        if (equal.v != NO_TERM.v)
            news |= state_equal(complex, same, equal);
    }
    return news;
}

// A conjugate of a conjugate.
static bool state_conjugate(struct complex_terms *complex, term_id id)
{
    struct terms *terms = &complex->run->in->at.terms;
    bool news = false;
    find_members(complex, term_args(terms, id)[0]);
    for (uint32_t i = 0; i < complex->member.len; i++) {
        term_id first = complex->member.at[i];
        if (complex_operator(terms, first) == COMPLEX_CONJ)
            news |=
                state_equal(complex, with_operand(terms, id, first), term_args(terms, first)[0]);
    }
    return news;
}

// A pair of the two parts of one number.
static bool state_pair(struct complex_terms *complex, term_id id)
{
    struct terms *terms = &complex->run->in->at.terms;
    struct egraph *graph = &complex->run->graph;
    bool news = false;
    VEC(term_id) real = {0};
    find_members(complex, term_args(terms, id)[0]);
    for (uint32_t i = 0; i < complex->member.len; i++)
        if (complex_operator(terms, complex->member.at[i]) == COMPLEX_REAL)
            vec_push(&real, complex->member.at[i]);
    find_members(complex, term_args(terms, id)[1]);
    for (uint32_t i = 0; real.len > 0 && i < complex->member.len; i++) {
        term_id second = complex->member.at[i];
        for (uint32_t k = 0; complex_operator(terms, second) == COMPLEX_IMAG && k < real.len; k++) {
            term_id z = term_args(terms, real.at[k])[0];
            if (!egraph_same(graph, z, term_args(terms, second)[0]))
                continue;
            term_id parts[2] = {real.at[k], with_operand(terms, second, z)};
            struct term node = *term_at(terms, id);
            news |= state_equal(complex,
                                term_make(terms, OP_OPAQUE, node.attr, node.type, 2, parts), z);
        }
    }
    vec_release(&real);
    return news;
}

bool simplify_state_complex(struct simplification *run)
{
    struct terms *terms = &run->in->at.terms;
    struct complex_terms complex = {.run = run};
    bool news = run->in->at.forms.len > 0 && state_pairs(&complex);
    for (uint32_t i = 0, n = terms->term.len; i < n; i++) {
        enum complex_operator op = complex_operator(terms, (term_id){i});
        if (op == COMPLEX_NONE || !egraph_known(&run->graph, (term_id){i}))
            continue;
        if (op == COMPLEX_REAL || op == COMPLEX_IMAG)
            news |= state_part(&complex, (term_id){i});
        else if (op == COMPLEX_PAIR)
            news |= state_pair(&complex, (term_id){i});
        else if (op == COMPLEX_CONJ)
            news |= state_conjugate(&complex, (term_id){i});
    }
    vec_release(&complex.member);
    return news;
}
