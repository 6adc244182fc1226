// SPDX-License-Identifier: Apache-2.0
#include "discover/examples/match.h"
#include "discover/limits.h"
#include "egraph/program/orbit.h"
#include "egraph/saturate.h"
#include "tensor/program/import.h"

// A broadcast that repeats a dimension of size 1, as one of the reshape without it.  A law of
// layout makes both equal.
static void add_split(struct matching *matching, term_id term)
{
    struct terms *terms = &matching->terms;
    struct pool *pool = terms->pool;
    term_id operand = term_args(terms, term)[0], inner, outer;
    type_id type = term_type(terms, term), from = term_type(terms, operand), to;
    attr_id attr = term_at(terms, term)->attr;
    int64_t sizes[TENSOR_MAX_RANK], dims[TENSOR_MAX_RANK];
    uint32_t n = 0;
    struct err err = {0};
    for (uint32_t i = 0; i < type_rank(pool, from); i++) {
        int64_t at = attr_at(pool, attr)[i];
        if (type_dims(pool, from)[i] != type_dims(pool, type)[at])
            continue;
        sizes[n] = type_dims(pool, from)[i];
        dims[n++] = at;
    }
    if (n == type_rank(pool, from) ||
        !type_tensor(pool, type_elem(pool, from), n, sizes, &to, &err) ||
        !term_build(terms, (struct operation){OP_RESHAPE, NO_ATTR, to, 1}, &operand, &inner, &err))
        return;
    attr_id own = attr_make(pool, n, dims);
    if (term_build(terms, (struct operation){OP_BROADCAST_IN_DIM, own, type, 1}, &inner, &outer,
                   &err))
        egraph_add_term(&matching->graph, outer);
}

static void split_broadcasts(struct matching *matching)
{
    struct u32_vec ids = {0};
    term_id roots[2] = {matching->before, matching->after};
    terms_reach(&matching->terms, 2, roots, &ids);
    for (uint32_t i = 0; i < ids.len; i++)
        if (term_op(&matching->terms, (term_id){ids.at[i]}) == OP_BROADCAST_IN_DIM)
            add_split(matching, (term_id){ids.at[i]});
    vec_release(&ids);
}

void matching_start(struct matching *matching, const struct example *example, bool fold,
                    enum float_reading reading)
{
    struct egraph_options options = egraph_defaults();
    *matching = (struct matching){.example = example};
    options.fold = fold;
    options.reading = reading;
    options.max_nodes = EXAMPLE_MATCH_NODES;
    terms_init(&matching->terms, example->program->pool);
    egraph_init(&matching->graph, &matching->terms, options);
    matching->before = matching_term(matching, example->before);
    matching->after = matching_term(matching, example->after);
    split_broadcasts(matching);
    egraph_rebuild(&matching->graph);
}

term_id matching_term(struct matching *matching, term_id term)
{
    term_id copy =
        term_import(&matching->terms, &matching->example->program->terms, &matching->memo, term);
    egraph_add_term(&matching->graph, copy);
    return copy;
}

void matching_end(struct matching *matching)
{
    egraph_release(&matching->graph);
    terms_release(&matching->terms);
    vec_release(&matching->memo);
}

static bool is_layout(const struct example *example)
{
    struct matching matching;
    matching_start(&matching, example, false, READ_FLOAT);
    orbit_complete(&matching.graph);
    egraph_rebuild(&matching.graph);
    bool same = egraph_same(&matching.graph, matching.before, matching.after);
    matching_end(&matching);
    return same;
}

// Does a use of the rule stand at the top of the program before?
static bool at_top(struct saturation *run, struct matching *matching)
{
    for (uint32_t i = 0; i < run->instances.len; i++) {
        struct match match = {.in = run->instances.at[i].in};
        term_id source;
        struct err err = {0};
        if (apply_source(&matching->graph, &run->rules.at[0].pattern, &match, &source, &err)) {
            egraph_rebuild(&matching->graph);
            if (egraph_same(&matching->graph, source, matching->before))
                return true;
        }
    }
    return false;
}

static enum example_match matches_as(const struct example *example, const struct rule *rule,
                                     struct rule_status status, enum float_reading reading)
{
    struct matching matching;
    struct saturation run;
    struct saturate_options options = saturate_defaults();
    enum example_match match = MATCH_NONE;
    matching_start(&matching, example, true, reading);
    options.reading = reading;
    options.max_rounds = EXAMPLE_MATCH_ROUNDS;
    options.bounded = false;
    saturation_init(&run, &matching.graph, options);
    saturation_add(&run, (struct rule_use){.rule = rule, .status = status});
    saturation_root(&run, matching.before);
    saturation_root(&run, matching.after);
    saturate(&run, NULL, NULL);
    if (run.rules.at[0].stats.matches > 0) {
        if (egraph_same(&matching.graph, matching.before, matching.after))
            match = MATCH_PAIR;
        else if (at_top(&run, &matching))
            match = MATCH_BEFORE;
    }
    saturation_release(&run);
    matching_end(&matching);
    return match;
}

// Sums of floats whose order is open are not taken for others where floats are read as such, so a
// rule about them that is proved is used over the reals.
static enum example_match matches(const struct example *example, const struct rule *rule,
                                  struct rule_status status)
{
    enum example_match match = MATCH_NONE;
    bool real = status.proved >> DOMAIN_REAL & 1;
    if (rule == NULL)
        return is_layout(example) ? MATCH_LAYOUT : MATCH_NONE;
    if ((status.proved >> DOMAIN_FLOAT & 1) || !real)
        match = matches_as(example, rule, status, READ_FLOAT);
    if (match == MATCH_NONE && real)
        match = matches_as(example, rule, status, READ_REAL);
    return match;
}

enum example_match example_matches(const struct example *example, const struct rule *rule,
                                   struct rule_status status)
{
    return matches(example, rule, status);
}

enum example_match example_has_form(const struct example *example, const struct rule *rule)
{
    unsigned all = ~0u >> (32 - N_DOMAINS);
    return matches(example, rule, (struct rule_status){.proved = all, .uninterpreted = all});
}
