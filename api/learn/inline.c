// SPDX-License-Identifier: Apache-2.0
// Values with the bodies of the functions that they call in the place of the calls, as JAX writes
// them: most of its functions are private ones of the program.
#include "api/learn/learn.h"

#include "tensor/program/call.h"

// A program of a rule is short; copies of copies end somewhere.
#define GROWTH 10000

struct inliner {
    struct program *program;
    uint32_t most;          // terms
    struct u32_vec copy_of; // by term: what stands in its place; UINT32_MAX: not known yet
    struct u32_vec first;   // by term that was a call: where its results are; UINT32_MAX: none
    VEC(term_id) results;
};

static term_id expand(struct inliner *inliner, term_id root);

static void note(struct u32_vec *at, term_id term, uint32_t value)
{
    while (at->len <= term.v)
        vec_push(at, UINT32_MAX);
    at->at[term.v] = value;
}

static uint32_t noted(const struct u32_vec *at, term_id term)
{
    return term.v < at->len ? at->at[term.v] : UINT32_MAX;
}

// Puts the results of a call on the list; the call stays one if there is no end of it.
static void expand_call(struct inliner *inliner, term_id original, term_id call, uint32_t function)
{
    struct program *program = inliner->program;
    uint32_t n = program->functions.at[function].results.len, first = inliner->results.len;
    struct inlining inlining = {program, &program->terms, call, function,
                                program->terms.region.len};
    term_id *results = mem_alloc(sizeof *results * (n + 1u));
    if (program->terms.term.len < inliner->most && inline_call(&inlining, results) != UINT32_MAX) {
        for (uint32_t k = 0; k < n; k++)
            vec_push(&inliner->results, results[k]);
        for (uint32_t k = 0; k < n; k++) {
            term_id whole = expand(inliner, results[k]); // the list may move
            inliner->results.at[first + k] = whole;
        }
        note(&inliner->first, original, first);
    }
    mem_free(results);
}

// Of a term whose arguments are done.
static term_id expand_term(struct inliner *inliner, term_id term)
{
    struct program *program = inliner->program;
    struct terms *terms = &program->terms;
    struct term node = *term_at(terms, term);
    if (node.op == OP_RESULT) {
        uint32_t first = noted(&inliner->first, term_args(terms, term)[0]);
        if (first != UINT32_MAX)
            return inliner->results.at[first + (uint32_t)attr_at(terms->pool, node.attr)[0]];
    }
    term_id *args = mem_alloc(sizeof *args * (node.n_args + 1u));
    bool same = true;
    for (uint32_t k = 0; k < node.n_args; k++) {
        term_id old = term_args(terms, term)[k];
        args[k].v = noted(&inliner->copy_of, old);
        same &= args[k].v == old.v;
    }
    term_id made =
        same ? term : term_make(terms, (enum op)node.op, node.attr, node.type, node.n_args, args);
    mem_free(args);
    uint32_t function = node.op == OP_OPAQUE ? called_function(program, node.attr) : NO_FUNCTION;
    if (function != NO_FUNCTION)
        expand_call(inliner, term, made, function);
    uint32_t first = noted(&inliner->first, term);
    bool one = first != UINT32_MAX && program->functions.at[function].results.len == 1 &&
               term_type(terms, inliner->results.at[first]).v == node.type.v;
    return one ? inliner->results.at[first] : made;
}

static term_id expand(struct inliner *inliner, term_id root)
{
    struct u32_vec reach = {0};
    terms_reach(&inliner->program->terms, 1, &root, &reach);
    for (uint32_t i = 0; i < reach.len; i++) {
        term_id term = {reach.at[i]};
        if (noted(&inliner->copy_of, term) == UINT32_MAX)
            note(&inliner->copy_of, term, expand_term(inliner, term).v);
    }
    vec_release(&reach);
    return (term_id){noted(&inliner->copy_of, root)};
}

term_id learn_without_calls(struct program *program, term_id root)
{
    struct inliner inliner = {.program = program, .most = program->terms.term.len + GROWTH};
    if (program->callees.len > 0)
        root = expand(&inliner, root);
    vec_release(&inliner.copy_of);
    vec_release(&inliner.first);
    vec_release(&inliner.results);
    return root;
}
