// SPDX-License-Identifier: Apache-2.0
// Values of reductions, scans and products of matrices.
#include "loops/symbolic/leaf.h"

// The fold of the tile's elements at `lane`, where `index` runs below `end`.
static lterm fold_along(struct symbolic *s, enum code_op op, code_value tile, const ipoly *lane,
                        ipoly index, ipoly end)
{
    iatom atom;
    uint32_t mark = ifacts_mark(&s->facts);
    symbolic_range(s, index, end);
    lterm body = symbolic_value(s, tile, lane);
    ifacts_pop(&s->facts, mark);
    int_is_atom(s->in, index, &atom);
    return symbolic_reduce(s, op, atom, end, body);
}

static lterm fold(struct symbolic *s, enum code_op op, code_value tile, uint32_t axis,
                  const ipoly *lane, ipoly end)
{
    ipoly inner[CODE_RANK + 1];
    uint32_t rank = code_node(s->program, tile)->type.rank;
    ipoly index = int_fresh(s->in, "l");
    for (uint32_t d = 0, from = 0; d < rank; d++)
        inner[d] = d == axis ? index : lane[from++];
    return fold_along(s, op, tile, inner, index, end);
}

// The fold over all lanes of a tile.
static lterm fold_all(struct symbolic *s, enum code_op op, code_value tile, uint32_t axis,
                      ipoly *lane)
{
    const struct code_type *type = &code_node(s->program, tile)->type;
    if (axis == type->rank)
        return symbolic_value(s, tile, lane);
    ipoly index = int_fresh(s->in, "l"), end = int_constant(s->in, type->extent[axis]);
    iatom atom;
    int_is_atom(s->in, index, &atom);
    uint32_t mark = ifacts_mark(&s->facts);
    symbolic_range(s, index, end);
    lane[axis] = index;
    lterm body = fold_all(s, op, tile, axis + 1, lane);
    ifacts_pop(&s->facts, mark);
    return symbolic_reduce(s, op, atom, end, body);
}

static bool commutes(enum code_op op)
{
    return op == CODE_ADD || op == CODE_MULTIPLY || op == CODE_MAXIMUM || op == CODE_MINIMUM;
}

// Are the indices of a fold of pairs those of the lanes, plus the same for all?
static bool ascends(struct symbolic *s, code_value value, uint32_t axis, const ipoly *lane)
{
    code_value tile = code_operand(s->program, value, 1);
    const struct code_type *type = &code_node(s->program, tile)->type;
    ipoly inner[CODE_RANK + 1], index = int_fresh(s->in, "l");
    for (uint32_t d = 0, from = 0; d < type->rank; d++)
        inner[d] = d == axis ? index : lane[from++];
    uint32_t mark = ifacts_mark(&s->facts);
    symbolic_range(s, index, int_constant(s->in, type->extent[axis]));
    lterm term = symbolic_value(s, tile, inner);
    ifacts_pop(&s->facts, mark);
    iatom atom;
    int_is_atom(s->in, index, &atom);
    return lterm_kind(s->terms, term) == LT_WHOLE &&
           !int_mentions(s->in, int_subtract(s->in, lterm_arg(s->terms, term, 0), index), atom);
}

// Of a lane: its index where its value is that of the fold, and what loses against all indices
// otherwise.  A lane with the unit of the fold has the unit of the fold of indices.
static lterm index_at(struct symbolic *s, lterm value, lterm best, lterm index, lterm other,
                      lterm unit)
{
    const struct lterms *terms = s->terms;
    if (lterm_kind(terms, value) == LT_CHOOSE) {
        lterm yes = index_at(s, lterm_arg(terms, value, 1), best, index, other, unit);
        lterm no = index_at(s, lterm_arg(terms, value, 2), best, index, other, unit);
        lterm truth[3] = {symbolic_choose(s, lterm_arg(terms, value, 0),
                                          lterm_truth(s->terms, true),
                                          lterm_truth(s->terms, false)),
                          yes, no};
        return symbolic_apply(s, CODE_SELECT, 3, truth);
    }
    if (lterm_kind(terms, value) == LT_INFINITE || lterm_kind(terms, value) == LT_UNDEFINED)
        return lterm_kind(terms, value) == LT_UNDEFINED ? value : unit;
    lterm sides[2] = {value, best};
    lterm args[3] = {symbolic_apply(s, CODE_EQUAL, 2, sides), index, other};
    return symbolic_apply(s, CODE_SELECT, 3, args);
}

// Has the fold a value wherever it is asked for?
static bool all_real(const struct symbolic *s, lterm tree)
{
    if (lterm_kind(s->terms, tree) == LT_CHOOSE)
        return all_real(s, lterm_arg(s->terms, tree, 1)) &&
               all_real(s, lterm_arg(s->terms, tree, 2));
    return lterm_kind(s->terms, tree) != LT_INFINITE && symbolic_refusal(s, tree) == NULL;
}

// The first index whose value is the best one is the least such index, the last one the greatest.
// Some lane has the best value, if it is a real number.
static lterm pair_index(struct symbolic *s, code_value value, enum pair_fold pair, lterm best,
                        const ipoly *lane)
{
    const struct code_region *region =
        &s->program->region.at[code_node(s->program, value)->number / 8];
    code_value values = code_operand(s->program, value, 0);
    code_value indices = code_operand(s->program, value, 1);
    const struct code_type *type = &code_node(s->program, values)->type;
    bool first = pair == PAIR_FIRST_GREATEST || pair == PAIR_FIRST_LEAST;
    ipoly inner[CODE_RANK + 1], index = int_fresh(s->in, "l");
    ipoly end = int_constant(s->in, type->extent[region->axis]);
    iatom atom;
    if (!all_real(s, best))
        return value_refused(s, value,
                             "the index of a maximum over lanes of which none may be left");
    int_is_atom(s->in, index, &atom);
    for (uint32_t d = 0, from = 0; d < type->rank; d++)
        inner[d] = d == region->axis ? index : lane[from++];
    uint32_t mark = ifacts_mark(&s->facts);
    symbolic_range(s, index, end);
    lterm here = symbolic_value(s, indices, inner); // ascends() has seen that it is a WHOLE
    ipoly start = int_subtract(s->in, lterm_arg(s->terms, here, 0), index);
    lterm other =
        lterm_integer(s->terms, first ? int_add(s->in, start, end) : int_shift(s->in, start, -1));
    lterm body = index_at(s, symbolic_value(s, values, inner), best,
                          lterm_integer(s->terms, lterm_arg(s->terms, here, 0)), other,
                          lterm_infinite(s->terms, first));
    ifacts_pop(&s->facts, mark);
    return symbolic_reduce(s, first ? CODE_MINIMUM : CODE_MAXIMUM, atom, end, body);
}

// The value or the index of the pair that is kept.
static lterm pair_value(struct symbolic *s, code_value value, enum pair_fold pair,
                        const ipoly *lane)
{
    const struct code_node *node = code_node(s->program, value);
    const struct code_region *region = &s->program->region.at[node->number / 8];
    code_value tile = code_operand(s->program, value, 0);
    bool greatest = pair == PAIR_FIRST_GREATEST || pair == PAIR_LAST_GREATEST;
    ipoly end = int_constant(s->in, code_node(s->program, tile)->type.extent[region->axis]);
    lterm best = fold(s, greatest ? CODE_MAXIMUM : CODE_MINIMUM, tile, region->axis, lane, end);
    return node->number % 8 == 0 ? best : pair_index(s, value, pair, best, lane);
}

lterm value_of_reduction(struct symbolic *s, code_value value, const ipoly *lane)
{
    const struct code_node *node = code_node(s->program, value);
    const struct code_region *region = &s->program->region.at[node->number / 8];
    code_value tile = code_operand(s->program, value, 0);
    enum pair_fold pair;
    if (region->n == 2 && pair_fold(s, region, &pair) && ascends(s, value, region->axis, lane))
        return pair_value(s, value, pair, lane);
    if (region->n != 1 || region->combine == CODE_OPAQUE)
        return value_refused(s, value, "a reduction by a function of several results");
    // The order of lanes does not matter to a fold over all of them.
    if (code_node(s->program, tile)->op == CODE_SHUFFLE &&
        code_node(s->program, tile)->type.rank == 1 && commutes(region->combine)) {
        ipoly all[CODE_RANK + 1];
        return fold_all(s, region->combine, code_operand(s->program, tile, 0), 0, all);
    }
    ipoly end = int_constant(s->in, code_node(s->program, tile)->type.extent[region->axis]);
    return fold(s, region->combine, tile, region->axis, lane, end);
}

// Lane j of a scan folds lanes 0 .. j, or j .. last.
lterm value_of_scan(struct symbolic *s, code_value value, const ipoly *lane)
{
    const struct code_node *node = code_node(s->program, value);
    const struct code_region *region = &s->program->region.at[node->number / 8];
    code_value tile = code_operand(s->program, value, 0);
    const struct code_type *type = &code_node(s->program, tile)->type;
    if (region->n != 1 || region->combine == CODE_OPAQUE)
        return value_refused(s, value, "a scan by a function of several results");
    ipoly inner[CODE_RANK], index = int_fresh(s->in, "l"), here = lane[region->axis];
    ipoly end = region->reverse
                    ? int_subtract(s->in, int_constant(s->in, type->extent[region->axis]), here)
                    : int_shift(s->in, here, 1);
    for (uint32_t d = 0; d < type->rank; d++)
        inner[d] = d != region->axis ? lane[d]
                   : region->reverse ? int_add(s->in, index, here)
                                     : index;
    return fold_along(s, region->combine, tile, inner, index, end);
}

lterm value_of_dot(struct symbolic *s, code_value value, const ipoly *lane)
{
    code_value a = code_operand(s->program, value, 0), b = code_operand(s->program, value, 1);
    uint32_t rank = code_node(s->program, value)->type.rank;
    ipoly index = int_fresh(s->in, "l"), left[CODE_RANK], right[CODE_RANK];
    ipoly end = int_constant(s->in, code_node(s->program, a)->type.extent[rank - 1]);
    for (uint32_t d = 0; d < rank; d++)
        left[d] = right[d] = lane[d];
    left[rank - 1] = right[rank - 2] = index;
    uint32_t mark = ifacts_mark(&s->facts);
    symbolic_range(s, index, end);
    lterm args[2] = {symbolic_value(s, a, left), symbolic_value(s, b, right)};
    lterm body = symbolic_apply(s, CODE_MULTIPLY, 2, args);
    ifacts_pop(&s->facts, mark);
    iatom atom;
    int_is_atom(s->in, index, &atom);
    return symbolic_reduce(s, CODE_ADD, atom, end, body);
}
