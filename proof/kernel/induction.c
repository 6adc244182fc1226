// SPDX-License-Identifier: Apache-2.0
#include "proof/kernel/steps.h"
#include "proof/limits.h"

static bool equal(struct symbolic *s, lterm a, lterm b)
{
    if (lterm_kind(s->terms, a) == LT_WHOLE && lterm_kind(s->terms, b) == LT_WHOLE)
        return int_prove_zero(
            s->in, &s->facts,
            int_subtract(s->in, lterm_arg(s->terms, a, 0), lterm_arg(s->terms, b, 0)));
    // An integer that data makes is compared as the number it is.
    return normal_equal(s, symbolic_apply(s, CODE_CONVERT, 1, &a),
                        symbolic_apply(s, CODE_CONVERT, 1, &b));
}

// Is the value what the form says of it?  Where the form is undefined, it says nothing, and what
// is computed from it there is undefined too.
static bool meets(struct symbolic *s, lterm form, lterm value)
{
    if (lterm_kind(s->terms, form) == LT_UNDEFINED)
        return true;
    if (lterm_kind(s->terms, form) != LT_CHOOSE || symbolic_refusal(s, form) == NULL)
        return equal(s, form, value);
    struct int_substitution none = {0, NULL, NULL};
    ipoly p = lterm_arg(s->terms, form, 0);
    bool ok = s->facts.at.len <= PROOF_KERNEL_FACTS;
    for (uint32_t side = 0; side < 2 && ok; side++) {
        uint32_t mark = ifacts_mark(&s->facts);
        ifacts_push(&s->facts, side ? int_shift(s->in, int_scale(s->in, p, -1), -1) : p, NO_ORIGIN);
        ok = int_contradictory(s->in, &s->facts) ||
             meets(s, symbolic_rebuild(s, lterm_arg(s->terms, form, 1 + side), &none),
                   symbolic_rebuild(s, value, &none));
        ifacts_pop(&s->facts, mark);
    }
    return ok;
}

// The form at iteration `from` is the initial value, or what the first iteration makes of it.
static bool base(struct symbolic *s, uint32_t loop, uint32_t carried, const ipoly *lane,
                 ipoly trips)
{
    const struct code_carried *c = &s->program->carried.at[carried];
    uint8_t from = s->closed.at[carried].from;
    uint32_t mark = ifacts_mark(&s->facts);
    if (from) {
        // At least one iteration, the first: k = 0.
        ifacts_push_zero(s->in, &s->facts, s->iteration.at[loop], NO_ORIGIN);
        ifacts_push(&s->facts, int_shift(s->in, trips, -1), NO_ORIGIN);
    }
    lterm have = symbolic_form(s, carried, int_constant(s->in, from), lane);
    lterm next = symbolic_value(s, from ? c->next : c->initial, lane);
    if (from) { // the body speaks of the symbol k, which is 0 here
        iatom k;
        ipoly zero = 0;
        int_is_atom(s->in, s->iteration.at[loop], &k);
        struct int_substitution by = {1, &k, &zero};
        next = symbolic_rebuild(s, next, &by);
    }
    bool ok = meets(s, have, next);
    ifacts_pop(&s->facts, mark);
    return ok;
}

// The form with its ranges as they are stated: the facts of a loop of few iterations may say so much
// that no range of the simpler one mentions the iteration.
static lterm unsimplified(struct symbolic *s, uint32_t carried, ipoly iteration, const ipoly *lane)
{
    uint32_t rank = code_node(s->program, s->program->carried.at[carried].initial)->type.rank;
    iatom from[CODE_RANK + 1];
    ipoly to[CODE_RANK + 1] = {iteration};
    int_is_atom(s->in, symbolic_iteration(s), &from[0]);
    for (uint32_t d = 0; d < rank; d++) {
        int_is_atom(s->in, symbolic_lane(s, d), &from[1 + d]);
        to[1 + d] = lane[d];
    }
    struct int_substitution by = {1 + rank, from, to};
    return lterm_substitute(s->terms, s->closed.at[carried].form, &by);
}

// If the forms hold at k >= from, the body makes the form at k + 1.
static bool step(struct symbolic *s, uint32_t loop, uint32_t carried, const ipoly *lane,
                 ipoly trips)
{
    ipoly k = s->iteration.at[loop];
    iatom symbol;
    int_is_atom(s->in, k, &symbol);
    uint8_t from = s->closed.at[carried].from;
    struct int_substitution none = {0, NULL, NULL};
    uint32_t mark = ifacts_mark(&s->facts);
    symbolic_range(s, int_shift(s->in, k, -from), int_shift(s->in, trips, -from));
    lterm next = symbolic_value(s, s->program->carried.at[carried].next, lane);
    lterm have = symbolic_form(s, carried, int_shift(s->in, k, 1), lane), parts;
    lterm plain = unsimplified(s, carried, int_shift(s->in, k, 1), lane);
    bool ok = meets(s, have, next) ||
              (normal_split(s, have, symbol, &parts) && meets(s, parts, next)) ||
              (normal_split(s, plain, symbol, &parts) &&
               meets(s, symbolic_rebuild(s, parts, &none), next));
    ifacts_pop(&s->facts, mark);
    return ok;
}

bool induction_holds(struct symbolic *s, uint32_t loop, uint32_t carried)
{
    const struct code_carried *c = &s->program->carried.at[carried];
    const struct code_type *type = &code_node(s->program, c->initial)->type;
    ipoly lane[CODE_RANK + 1], trips;
    if (!symbolic_trips(s, loop, &trips))
        return false;
    uint32_t mark = ifacts_mark(&s->facts);
    for (uint32_t d = 0; d < type->rank; d++) {
        lane[d] = int_fresh(s->in, "lane");
        symbolic_range(s, lane[d], int_constant(s->in, type->extent[d]));
    }
    bool ok = base(s, loop, carried, lane, trips) && step(s, loop, carried, lane, trips);
    ifacts_pop(&s->facts, mark);
    return ok;
}
