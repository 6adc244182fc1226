// SPDX-License-Identifier: Apache-2.0
#include "loops/symbolic/leaf.h"
#include "formula/terms/number.h"

#include <inttypes.h>

static lterm refuse(struct symbolic *s, code_value value, const char *reason)
{
    struct buf text = {0};
    struct code_place place = code_node(s->program, value)->place;
    buf_printf(&text, "%u:%u: %s", place.line, place.col, reason);
    lterm made = lterm_undefined(s->terms, buf_text(&text));
    buf_release(&text);
    return made;
}

static lterm operand(struct symbolic *s, code_value value, uint32_t i, const ipoly *lane)
{
    return symbolic_value(s, code_operand(s->program, value, i), lane);
}

// ---- leaves of the program ----

static lterm constant(struct symbolic *s, code_value value)
{
    const struct code_node *node = code_node(s->program, value);
    if (node->type.kind == CODE_BOOL)
        return lterm_truth(s->terms, node->number != 0);
    if (node->type.kind == CODE_INT)
        return lterm_whole(s->terms, int_constant(s->in, node->number));
    const char *text = code_real_text(s->program, value);
    if (!strcmp(text, "inf") || !strcmp(text, "-inf"))
        return lterm_infinite(s->terms, text[0] != '-');
    struct buf name = {0};
    bool ok = number_name_of_decimal(text, (uint32_t)strlen(text), &name);
    lterm made = ok ? lterm_number_of(s->terms, buf_text(&name))
                    : refuse(s, value, "a constant that is no number");
    buf_release(&name);
    return made;
}

static lterm parameter(struct symbolic *s, code_value value)
{
    const struct code_node *node = code_node(s->program, value);
    if (node->type.kind == CODE_INT)
        return lterm_whole(s->terms, s->parameter.at[node->number]);
    if (node->type.kind == CODE_REAL)
        return lterm_make(s->terms, LT_PARAMETER, (uint32_t)node->number, 0, NULL);
    return refuse(s, value, "a parameter that is a truth value");
}

// ---- states ----

lterm symbolic_form(struct symbolic *s, uint32_t carried, ipoly iteration, const ipoly *lane)
{
    uint32_t rank = code_node(s->program, s->program->carried.at[carried].initial)->type.rank;
    iatom from[CODE_RANK + 1];
    ipoly to[CODE_RANK + 1];
    int_is_atom(s->in, symbolic_iteration(s), &from[0]);
    to[0] = iteration;
    for (uint32_t d = 0; d < rank; d++) {
        int_is_atom(s->in, symbolic_lane(s, d), &from[1 + d]);
        to[1 + d] = lane[d];
    }
    struct int_substitution by = {1 + rank, from, to};
    return symbolic_rebuild(s, s->closed.at[carried].form, &by);
}

// A state without a closed form: an unknown for each lane.
static lterm unknown_state(struct symbolic *s, uint32_t carried, const ipoly *lane)
{
    const struct code_type *type =
        &code_node(s->program, s->program->carried.at[carried].initial)->type;
    if (type->kind == CODE_REAL ||
        (type->kind == CODE_INT && s->closed.at[carried].kind == CLOSED_DATA))
        return lterm_make(s->terms, LT_STATE, carried, type->rank, lane);
    if (type->kind == CODE_BOOL)
        return lterm_undefined(s->terms, "a truth value that a loop carries");
    struct buf name = {0};
    buf_printf(&name, "state'%u", carried);
    for (uint32_t d = 0; d < type->rank; d++)
        buf_printf(&name, "'%u", lane[d]);
    lterm made = lterm_whole(s->terms, int_symbol(s->in, buf_text(&name)));
    buf_release(&name);
    return made;
}

// The state after `iteration` iterations.
static lterm state_at(struct symbolic *s, uint32_t carried, ipoly iteration, const ipoly *lane)
{
    const struct code_carried *c = &s->program->carried.at[carried];
    const struct closed *closed = &s->closed.at[carried];
    if (closed->kind == CLOSED_NOT || closed->kind == CLOSED_DATA)
        return unknown_state(s, carried, lane);
    if (closed->kind == CLOSED_ERROR)
        return closed->form;
    ipoly started = int_shift(s->in, iteration, -1);
    if (closed->from == 0 || int_prove(s->in, &s->facts, started))
        return symbolic_form(s, carried, iteration, lane);
    uint32_t mark = ifacts_mark(&s->facts);
    ifacts_push(&s->facts, started, NO_ORIGIN);
    bool never = int_contradictory(s->in, &s->facts);
    lterm later = never ? 0 : symbolic_form(s, carried, iteration, lane);
    ifacts_pop(&s->facts, mark);
    lterm first = symbolic_value(s, c->initial, lane);
    if (never)
        return first;
    lterm yes = lterm_truth(s->terms, true), no = lterm_truth(s->terms, false);
    lterm args[3] = {symbolic_choose(s, started, yes, no), later, first};
    return symbolic_apply(s, CODE_SELECT, 3, args);
}

static lterm bound_value(struct symbolic *s, code_value value, const ipoly *lane)
{
    struct binding b = s->binding.at[value];
    ipoly at;
    switch (b.kind) {
    case BIND_VARIABLE:
        if (!symbolic_variable(s, b.owner, s->iteration.at[b.owner], &at))
            return refuse(s, value, "the bounds of the loop are no polynomials");
        return lterm_whole(s->terms, at);
    case BIND_STATE:
        return state_at(s, b.index, s->iteration.at[b.owner], lane);
    case BIND_RESULT:
        if (s->closed.at[b.index].kind == CLOSED_NOT || s->closed.at[b.index].kind == CLOSED_DATA)
            return refuse(s, value, "the loop has no closed form");
        if (!symbolic_trips(s, b.owner, &at))
            return refuse(s, value, "the number of iterations is not known");
        return state_at(s, b.index, at, lane);
    case BIND_MERGED: {
        const struct code_branch *branch = &s->program->branch.at[b.owner];
        const struct code_merged *merged = &s->program->merged.at[b.index];
        lterm args[3] = {symbolic_value(s, branch->condition, NULL),
                         symbolic_value(s, merged->then, lane),
                         symbolic_value(s, merged->otherwise, lane)};
        return symbolic_apply(s, CODE_SELECT, 3, args);
    }
    case BIND_REGION:
        return s->environment.at[b.index];
    default:
        return refuse(s, value, "a value that no statement binds");
    }
}

// ---- memory ----

static lterm element(struct symbolic *s, code_value value, lterm offset)
{
    const struct code_node *node = code_node(s->program, value);
    const struct lterms *terms = s->terms;
    if (lterm_kind(terms, offset) == LT_CHOOSE) {
        lterm yes = element(s, value, lterm_arg(terms, offset, 1));
        lterm no = element(s, value, lterm_arg(terms, offset, 2));
        return symbolic_choose(s, lterm_arg(terms, offset, 0), yes, no);
    }
    if (lterm_kind(terms, offset) == LT_UNDEFINED)
        return offset;
    if (lterm_kind(terms, offset) != LT_WHOLE)
        return refuse(s, value, "an address that is chosen by data");
    return symbolic_stored(s, (uint32_t)node->number, lterm_arg(terms, offset, 0));
}

static lterm read_value(struct symbolic *s, code_value value, const ipoly *lane)
{
    uint32_t n = code_node(s->program, value)->n;
    lterm inside = element(s, value, operand(s, value, 0, lane));
    if (n < 2)
        return inside;
    lterm other = n > 2 ? operand(s, value, 2, lane)
                        : refuse(s, value, "a lane that the mask leaves undefined is used");
    lterm args[3] = {operand(s, value, 1, lane), inside, other};
    return symbolic_apply(s, CODE_SELECT, 3, args);
}

// ---- folds ----

static lterm fold(struct symbolic *s, enum code_op op, code_value tile, uint32_t axis,
                  const ipoly *lane, ipoly end)
{
    ipoly inner[CODE_RANK + 1];
    uint32_t rank = code_node(s->program, tile)->type.rank;
    ipoly index = int_fresh(s->in, "l");
    for (uint32_t d = 0, from = 0; d < rank; d++)
        inner[d] = d == axis ? index : lane[from++];
    uint32_t mark = ifacts_mark(&s->facts);
    symbolic_range(s, index, end);
    lterm body = symbolic_value(s, tile, inner);
    ifacts_pop(&s->facts, mark);
    iatom atom;
    int_is_atom(s->in, index, &atom);
    return symbolic_reduce(s, op, atom, end, body);
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
        return refuse(s, value, "the index of a maximum over lanes of which none may be left");
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

static lterm reduce_value(struct symbolic *s, code_value value, const ipoly *lane)
{
    const struct code_node *node = code_node(s->program, value);
    const struct code_region *region = &s->program->region.at[node->number / 8];
    code_value tile = code_operand(s->program, value, 0);
    enum pair_fold pair;
    if (region->n == 2 && pair_fold(s, region, &pair) && ascends(s, value, region->axis, lane))
        return pair_value(s, value, pair, lane);
    if (region->n != 1 || region->combine == CODE_OPAQUE)
        return refuse(s, value, "a reduction by a function of several results");
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
static lterm scan_value(struct symbolic *s, code_value value, const ipoly *lane)
{
    const struct code_node *node = code_node(s->program, value);
    const struct code_region *region = &s->program->region.at[node->number / 8];
    code_value tile = code_operand(s->program, value, 0);
    const struct code_type *type = &code_node(s->program, tile)->type;
    if (region->n != 1 || region->combine == CODE_OPAQUE)
        return refuse(s, value, "a scan by a function of several results");
    ipoly inner[CODE_RANK], index = int_fresh(s->in, "l"), here = lane[region->axis];
    ipoly end = region->reverse
                    ? int_subtract(s->in, int_constant(s->in, type->extent[region->axis]), here)
                    : int_shift(s->in, here, 1);
    for (uint32_t d = 0; d < type->rank; d++)
        inner[d] = d != region->axis ? lane[d]
                   : region->reverse ? int_add(s->in, index, here)
                                     : index;
    uint32_t mark = ifacts_mark(&s->facts);
    symbolic_range(s, index, end);
    lterm body = symbolic_value(s, tile, inner);
    ifacts_pop(&s->facts, mark);
    iatom atom;
    int_is_atom(s->in, index, &atom);
    return symbolic_reduce(s, region->combine, atom, end, body);
}

static lterm dot_value(struct symbolic *s, code_value value, const ipoly *lane)
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

// ---- moves ----

// The lane of a tile of another shape with the same place in row-major order.
static void reshaped(struct symbolic *s, const struct code_type *from, const struct code_type *to,
                     const ipoly *lane, ipoly *out)
{
    ipoly place = 0;
    for (uint32_t d = 0; d < from->rank; d++)
        place = int_add(s->in, int_scale(s->in, place, from->extent[d]), lane[d]);
    for (uint32_t d = to->rank; d-- > 0;) {
        ipoly extent = int_constant(s->in, to->extent[d]);
        out[d] = d ? int_remainder(s->in, &s->facts, place, extent) : place;
        place = int_divide(s->in, &s->facts, place, extent);
    }
}

static lterm move_value(struct symbolic *s, code_value value, const ipoly *lane)
{
    const struct code_node *node = code_node(s->program, value);
    code_value of = code_operand(s->program, value, 0);
    const struct code_type *type = &code_node(s->program, of)->type;
    ipoly inner[CODE_RANK + 1] = {0};
    switch (node->op) {
    case CODE_SPLAT:
        break;
    case CODE_STRETCH:
        for (uint32_t d = 0; d < type->rank; d++)
            inner[d] = type->extent[d] == 1 ? 0 : lane[d];
        break;
    case CODE_EXPAND:
        for (uint32_t d = 0, k = 0; d < node->type.rank; d++)
            if (d != (uint32_t)node->number)
                inner[k++] = lane[d];
        break;
    case CODE_TRANSPOSE:
        for (uint32_t d = 0; d < type->rank; d++)
            inner[(node->number >> (4 * d)) & 15] = lane[d];
        break;
    case CODE_RESHAPE:
        reshaped(s, &node->type, type, lane, inner);
        break;
    case CODE_SPLIT:
        for (uint32_t d = 0; d + 1 < type->rank; d++)
            inner[d] = lane[d];
        inner[type->rank - 1] = int_constant(s->in, node->number);
        break;
    default:
        return refuse(s, value, "lanes move in a way that is not supported");
    }
    return symbolic_value(s, of, inner);
}

// ---- all ----

static lterm convert_value(struct symbolic *s, code_value value, const ipoly *lane)
{
    enum code_kind to = code_node(s->program, value)->type.kind;
    enum code_kind from = code_node(s->program, code_operand(s->program, value, 0))->type.kind;
    lterm arg = operand(s, value, 0, lane);
    if (from == to)
        return arg;
    if (from == CODE_BOOL) {
        lterm one = to == CODE_INT ? lterm_whole(s->terms, int_constant(s->in, 1))
                                   : lterm_number_of(s->terms, "1");
        lterm zero = to == CODE_INT ? lterm_whole(s->terms, 0) : lterm_number_of(s->terms, "0");
        lterm args[3] = {arg, one, zero};
        return symbolic_apply(s, CODE_SELECT, 3, args);
    }
    if (to != CODE_REAL)
        return refuse(s, value, "a real number becomes an integer");
    return symbolic_apply(s, CODE_CONVERT, 1, &arg);
}

static bool all_whole(const struct symbolic *s, lterm tree)
{
    if (lterm_kind(s->terms, tree) == LT_CHOOSE)
        return all_whole(s, lterm_arg(s->terms, tree, 1)) &&
               all_whole(s, lterm_arg(s->terms, tree, 2));
    return lterm_kind(s->terms, tree) == LT_WHOLE || lterm_kind(s->terms, tree) == LT_UNDEFINED;
}

// Integers that data chooses are real numbers: operators that mean the same for both.
static bool means_the_same(enum code_op op)
{
    return op == CODE_ADD || op == CODE_SUBTRACT || op == CODE_MULTIPLY || op == CODE_MINIMUM ||
           op == CODE_MAXIMUM || op == CODE_NEGATE || op == CODE_ABS || op == CODE_SELECT;
}

static lterm lane_value(struct symbolic *s, code_value value, const ipoly *lane)
{
    const struct code_node *node = code_node(s->program, value);
    lterm args[8];
    // Integers are mathematical: no operation leaves the range of its type (docs/lifting.md).
    if (node->op == CODE_CONVERT ||
        (node->op == CODE_TRUNCATE && node->type.kind == CODE_INT && node->type.bits >= 32))
        return convert_value(s, value, lane);
    if (node->op == CODE_CALL ||
        (node->op >= CODE_UNSIGNED_DIVIDE && node->op <= CODE_UNSIGNED_HIGH) ||
        node->op == CODE_SHIFT_LEFT || node->op == CODE_SHIFT_RIGHT || node->op == CODE_TRUNCATE ||
        node->op == CODE_UNSIGNED_LESS || node->op == CODE_UNSIGNED_LESS_EQUAL ||
        node->op == CODE_UNSIGNED_CONVERT || node->op == CODE_BITCAST)
        return refuse(s, value, "an operator on words that is not supported");
    for (uint32_t i = 0; i < node->n; i++)
        args[i] = operand(s, value, i, lane);
    for (uint32_t i = 0; node->type.kind == CODE_INT && i < node->n; i++)
        if (!means_the_same(node->op) && !all_whole(s, args[i]))
            return refuse(s, value, "an operator on an integer that data chooses");
    if (node->op == CODE_POWER)
        args[1] = symbolic_apply(s, CODE_CONVERT, 1, &args[1]); // a whole exponent as a real
    return symbolic_apply(s, node->op, node->n, args);
}

static lterm compute(struct symbolic *s, code_value value, const ipoly *lane)
{
    const struct code_node *node = code_node(s->program, value);
    switch (node->op) {
    case CODE_PARAMETER:
        return parameter(s, value);
    case CODE_BOUND:
        return bound_value(s, value, lane);
    case CODE_CONSTANT:
        return constant(s, value);
    case CODE_RANGE:
        return lterm_whole(s->terms, int_shift(s->in, lane[0], node->number));
    case CODE_OPAQUE:
        return refuse(s, value, code_name(s->program, (uint32_t)node->number));
    case CODE_READ:
        return read_value(s, value, lane);
    case CODE_REDUCE:
        return reduce_value(s, value, lane);
    case CODE_SCAN:
        return scan_value(s, value, lane);
    case CODE_DOT:
        return dot_value(s, value, lane);
    default:
        break;
    }
    if (code_op_group(node->op) == GROUP_MOVE)
        return move_value(s, value, lane);
    if (code_op_group(node->op) == GROUP_LANE)
        return lane_value(s, value, lane);
    return refuse(s, value, "an operator that is not supported");
}

lterm symbolic_value(struct symbolic *s, code_value value, const ipoly *lane)
{
    if (s->in_region || s->depth > CODE_DEPTH * 20)
        return s->in_region ? compute(s, value, lane) : refuse(s, value, "too deep");
    uint32_t words[CODE_RANK + 2] = {value}, rank = code_node(s->program, value)->type.rank;
    for (uint32_t d = 0; d < rank; d++)
        words[1 + d] = lane[d];
    uint32_t key = symbolic_memory(s, 1 + rank, words);
    if (s->known.at[key])
        return s->known.at[key];
    s->depth++;
    lterm made = compute(s, value, lane);
    s->depth--;
    s->known.at[key] = made;
    return made;
}
