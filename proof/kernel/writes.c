// SPDX-License-Identifier: Apache-2.0
#include "proof/kernel/steps.h"

bool writes_open(struct symbolic *s, const struct code_statement *statement, uint32_t n_loops,
                 const uint32_t *loops, uint32_t mark, struct writes *out)
{
    const struct code_type *type = &code_node(s->program, statement->offset)->type;
    *out = (struct writes){.statement = statement, .n_loops = n_loops, .mark = mark};
    out->condition = s->condition;
    ipoly lane[CODE_RANK + 1];
    if (n_loops + type->rank > OUTPUT_MEMBERS)
        return false;
    for (uint32_t i = 0; i < n_loops; i++) {
        bool parallel = s->program->loop.at[loops[i]].kind == LOOP_PARALLEL;
        if (parallel && out->n_parallel == i)
            out->n_parallel++;
        out->member[out->n_members++] = s->iteration.at[loops[i]];
    }
    for (uint32_t d = 0; d < type->rank; d++) {
        lane[d] = int_fresh(s->in, "member");
        out->member[out->n_members++] = lane[d];
        symbolic_range(s, lane[d], int_constant(s->in, type->extent[d]));
    }
    if (statement->mask != NO_CODE) {
        lterm mask = symbolic_value(s, statement->mask, lane);
        if (symbolic_refusal(s, mask))
            return false;
        if (mask != lterm_truth(s->terms, false))
            symbolic_assume_or_keep(s, mask, &out->condition);
        if (mask == lterm_truth(s->terms, false)) // nothing is read or written
            ifacts_push(&s->facts, int_constant(s->in, -1), NO_ORIGIN);
    }
    lterm offset = symbolic_value(s, statement->offset, lane);
    if (lterm_kind(s->terms, offset) != LT_WHOLE)
        return false;
    out->address = lterm_arg(s->terms, offset, 0);
    out->value = statement->kind == STATEMENT_WRITE ? symbolic_value(s, statement->value, lane)
                                                    : lterm_whole(s->terms, 0);
    return true;
}

void obligation(struct obligation_list *list, const char *name, const char *about, bool holds,
                struct code_place place)
{
    struct kernel_obligation made = {name, arena_strdup(&list->check->mem, about), holds, place};
    vec_push(&list->of->obligations, made);
    list->of->proved = list->of->proved && holds;
}

// ---- the claim over the members of W ----

static struct int_substitution members_for(struct symbolic *s, const struct writes *w, iatom *from,
                                           ipoly *to)
{
    for (uint32_t i = 0; i < w->n_members; i++) {
        struct buf name = {0};
        buf_printf(&name, "member'%u", i);
        int_is_atom(s->in, int_symbol(s->in, buf_text(&name)), &from[i]);
        buf_release(&name);
        to[i] = w->member[i];
    }
    return (struct int_substitution){w->n_members, from, to};
}

static struct int_substitution elements_for(struct symbolic *s, const struct claim_output *o,
                                            const ipoly *index, iatom *from)
{
    for (uint32_t d = 0; d < o->n_axes; d++) {
        char name[] = "axis'0";
        name[5] = (char)('0' + d);
        int_is_atom(s->in, int_symbol(s->in, name), &from[d]);
    }
    return (struct int_substitution){o->n_axes, from, index};
}

static ipoly elements_address(struct symbolic *s, const struct claim_output *o, const ipoly *index)
{
    ipoly address = o->base;
    for (uint32_t d = 0; d < o->n_axes; d++)
        address = int_add(s->in, address, int_multiply(s->in, o->stride[d], index[d]));
    return address;
}

static bool in_range(struct symbolic *s, ipoly a, ipoly end)
{
    return int_prove(s->in, &s->facts, a) && int_prove_below(s->in, &s->facts, a, end);
}

static bool same(struct symbolic *s, ipoly a, ipoly b)
{
    ipoly difference = int_subtract(s->in, a, b);
    return int_prove_zero(s->in, &s->facts, int_simplify(s->in, &s->facts, difference));
}

static void check_once(struct symbolic *s, const struct writes *w, const struct claim_output *o,
                       const ipoly *index, struct obligation_list *list)
{
    iatom from[OUTPUT_AXES];
    struct int_substitution by = elements_for(s, o, index, from);
    bool holds = true;
    for (uint32_t i = 0; i < w->n_members && holds; i++) {
        ipoly back = int_simplify(s->in, &s->facts, int_substitute(s->in, o->witness[i], &by));
        holds = same(s, back, w->member[i]);
    }
    obligation(list, "once", "every element is written by one program, iteration and lane", holds,
               w->statement->place);
}

// Integers and truth values of memory are compared as the numbers they are.
static lterm real_value(struct symbolic *s, const struct writes *w, lterm value)
{
    lterm leaf = value;
    if (code_node(s->program, w->statement->value)->type.kind == CODE_BOOL)
        return symbolic_bit(s, value);
    while (lterm_kind(s->terms, leaf) == LT_CHOOSE)
        leaf = lterm_arg(s->terms, leaf, 1);
    return lterm_kind(s->terms, leaf) == LT_WHOLE ? symbolic_apply(s, CODE_CONVERT, 1, &value)
                                                  : value;
}

// Where the condition of data is false for the witness, nobody writes the element: the formula is
// what the array held.
static bool kept_elsewhere(struct symbolic *s, const struct writes *w, const struct claim_output *o,
                           const ipoly *element, const struct int_substitution *witness)
{
    if (!w->condition)
        return true;
    ipoly address = int_simplify(s->in, &s->facts, elements_address(s, o, element));
    lterm formula = denote(s, o, element, NULL);
    lterm args[3] = {symbolic_rebuild(s, w->condition, witness), formula,
                     symbolic_stored(s, w->statement->array, address)};
    args[2] = real_value(s, w, args[2]);
    lterm after = symbolic_apply(s, CODE_SELECT, 3, args);
    return !symbolic_refusal(s, args[0]) && normal_equal(s, after, formula);
}

// Do the facts, with atoms replaced, hold?  What is proved helps with the others: it joins the facts.
static bool all_hold(struct symbolic *s, const struct ifacts *members,
                     const struct int_substitution *by)
{
    VEC(uint8_t) held = {0};
    uint32_t left = members->at.len;
    vec_zero(&held, left + 1);
    for (bool more = true; more && left > 0;) {
        more = false;
        for (uint32_t i = 0; i < members->at.len; i++) {
            ipoly fact = int_substitute(s->in, members->at.at[i].poly, by);
            fact = held.at[i] ? 0 : int_simplify(s->in, &s->facts, fact);
            if (held.at[i] || !int_prove(s->in, &s->facts, fact))
                continue;
            ifacts_push(&s->facts, fact, NO_ORIGIN);
            held.at[i] = 1;
            left--;
            more = true;
        }
    }
    vec_release(&held);
    return left == 0;
}

// The witness of a symbolic element is in W and writes it.  `facts` are those of membership.
static void check_covered(struct symbolic *s, const struct writes *w, const struct claim_output *o,
                          const ipoly *index, struct obligation_list *list)
{
    ipoly element[OUTPUT_AXES];
    iatom from[OUTPUT_MEMBERS];
    struct ifacts member_facts = {0}, saved = s->facts;
    for (uint32_t d = 0; d < o->n_axes; d++)
        element[d] = int_fresh(s->in, "element");
    s->facts = (struct ifacts){0};
    for (uint32_t i = 0; i < saved.at.len; i++)
        ifacts_push(i < w->mark ? &s->facts : &member_facts, saved.at.at[i].poly,
                    saved.at.at[i].origin);
    iatom axis[OUTPUT_AXES];
    struct int_substitution at = elements_for(s, o, element, axis);
    ipoly witness[OUTPUT_MEMBERS];
    for (uint32_t d = 0; d < o->n_axes; d++)
        symbolic_range(s, element[d], o->extent[d]);
    for (uint32_t i = 0; i < w->n_members; i++) {
        witness[i] = int_simplify(s->in, &s->facts, int_substitute(s->in, o->witness[i], &at));
        int_is_atom(s->in, w->member[i], &from[i]);
    }
    struct int_substitution by = {w->n_members, from, witness};
    bool itself = kept_elsewhere(s, w, o, element, &by);
    bool member = all_hold(s, &member_facts, &by);
    for (uint32_t d = 0; d < o->n_axes && itself; d++)
        itself = same(s, int_substitute(s->in, index[d], &by), element[d]);
    ifacts_release(&s->facts);
    ifacts_release(&member_facts);
    s->facts = saved;
    obligation(list, "covered",
               "every element is written: its witness is in the grid and in the mask",
               member && itself, w->statement->place);
}

static void check_distinct(struct symbolic *s, const struct writes *w, const struct claim_output *o,
                           struct obligation_list *list)
{
    if (!strides_nest(s, o->n_axes, o->stride, o->extent)) {
        // The caller must guarantee it: said as a need.
        struct buf text = {0};
        distinct_text(s, code_parameter_name(s->program, w->statement->array), o->n_axes, o->stride,
                      o->extent, o, &text);
        vec_push(&list->of->needs, arena_strdup(&list->check->mem, buf_text(&text)));
        buf_release(&text);
    }
    obligation(list, "distinct", "elements have distinct addresses", true, w->statement->place);
}

// The base of a tensor may be over index'i.
bool not_before(struct symbolic *s, ipoly base, uint32_t n, const ipoly *stride,
                const ipoly *extent)
{
    iatom from[OUTPUT_AXES];
    ipoly index[OUTPUT_AXES];
    uint32_t mark = ifacts_mark(&s->facts);
    for (uint32_t d = 0; d < n; d++) {
        char name[] = "index'0";
        name[6] = (char)('0' + d);
        int_is_atom(s->in, int_symbol(s->in, name), &from[d]);
        index[d] = int_fresh(s->in, "element");
        symbolic_range(s, index[d], extent[d]);
    }
    struct int_substitution by = {n, from, index};
    ipoly address = int_substitute(s->in, base, &by);
    bool holds = int_prove(s->in, &s->facts, address);
    for (uint32_t d = 0; d < n; d++) {
        holds = holds && int_prove(s->in, &s->facts, stride[d]);
        address = int_add(s->in, address, int_multiply(s->in, stride[d], index[d]));
    }
    holds = holds || int_prove(s->in, &s->facts, int_simplify(s->in, &s->facts, address));
    ifacts_pop(&s->facts, mark);
    return holds;
}

// Programs, iterations and lanes of which there is one, as the 0 that they are.
static struct int_substitution only_members(struct symbolic *s, const struct writes *w, iatom *from,
                                            ipoly *to)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < w->n_members; i++)
        if (int_prove_zero(s->in, &s->facts, w->member[i]) &&
            int_is_atom(s->in, w->member[i], &from[n]))
            to[n++] = 0;
    return (struct int_substitution){n, from, to};
}

static bool is_value_of(struct symbolic *s, const struct writes *w, lterm value, lterm formula)
{
    iatom from[OUTPUT_MEMBERS];
    ipoly to[OUTPUT_MEMBERS];
    struct int_substitution only = only_members(s, w, from, to);
    if (normal_equal(s, value, formula))
        return true;
    value = symbolic_rebuild(s, value, &only);
    return normal_equal(s, value, only.n ? symbolic_rebuild(s, formula, &only) : formula);
}

void check_writes(struct symbolic *s, const struct writes *w, const struct claim_output *o,
                  struct obligation_list *list)
{
    iatom from[OUTPUT_MEMBERS];
    ipoly to[OUTPUT_MEMBERS], index[OUTPUT_AXES];
    struct code_place place = w->statement->place;
    bool members = o->n_members == w->n_members;
    obligation(list, "address", "the claim speaks of the loops and lanes of the write", members,
               place);
    if (!members)
        return;
    struct int_substitution by = members_for(s, w, from, to);
    bool range = true;
    for (uint32_t d = 0; d < o->n_axes; d++) {
        index[d] = int_simplify(s->in, &s->facts, int_substitute(s->in, o->index[d], &by));
        range = range && in_range(s, index[d], o->extent[d]);
    }
    obligation(list, "address", "the indices of a write are below the extents", range, place);
    obligation(list, "address", "the element is at the address that is written",
               same(s, elements_address(s, o, index), w->address), place);
    obligation(list, "address", "no element lies in front of its array",
               not_before(s, o->base, o->n_axes, o->stride, o->extent), place);
    lterm formula = denote(s, o, index, NULL);
    lterm value = real_value(s, w, w->value);
    if (w->condition) {
        lterm args[3] = {w->condition, value, formula};
        value = symbolic_apply(s, CODE_SELECT, 3, args);
    }
    obligation(list, "value", "the value is that of the formula", is_value_of(s, w, value, formula),
               place);
    check_once(s, w, o, index, list);
    check_covered(s, w, o, index, list);
    uint32_t mark = ifacts_mark(&s->facts);
    check_distinct(s, w, o, list);
    ifacts_pop(&s->facts, mark);
}
