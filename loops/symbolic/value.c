// SPDX-License-Identifier: Apache-2.0
#include "loops/symbolic/leaf.h"
#include "formula/terms/number.h"

#include <inttypes.h>

lterm value_refused(struct symbolic *s, code_value value, const char *reason)
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
                    : value_refused(s, value, "a constant that is no number");
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
    return value_refused(s, value, "a parameter that is a truth value");
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
            return value_refused(s, value, "the bounds of the loop are no polynomials");
        return lterm_whole(s->terms, at);
    case BIND_STATE:
        return state_at(s, b.index, s->iteration.at[b.owner], lane);
    case BIND_RESULT:
        if (s->closed.at[b.index].kind == CLOSED_NOT || s->closed.at[b.index].kind == CLOSED_DATA)
            return value_refused(s, value, "the loop has no closed form");
        if (!symbolic_trips(s, b.owner, &at))
            return value_refused(s, value, "the number of iterations is not known");
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
        return value_refused(s, value, "a value that no statement binds");
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
        return value_refused(s, value, "an address that is chosen by data");
    return symbolic_stored(s, (uint32_t)node->number, lterm_arg(terms, offset, 0));
}

static lterm read_value(struct symbolic *s, code_value value, const ipoly *lane)
{
    uint32_t n = code_node(s->program, value)->n;
    lterm inside = element(s, value, operand(s, value, 0, lane));
    if (n < 2)
        return inside;
    lterm other = n > 2 ? operand(s, value, 2, lane)
                        : value_refused(s, value, "a lane that the mask leaves undefined is used");
    lterm args[3] = {operand(s, value, 1, lane), inside, other};
    return symbolic_apply(s, CODE_SELECT, 3, args);
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
        return value_refused(s, value, "lanes move in a way that is not supported");
    }
    return symbolic_value(s, of, inner);
}

// ---- all ----

// A real number towards zero.  The integer is the real number that it is: data chooses it.
static lterm rounded(struct symbolic *s, lterm real)
{
    lterm sides[2] = {real, lterm_number_of(s->terms, "0")};
    lterm args[3] = {symbolic_apply(s, CODE_LESS, 2, sides), symbolic_apply(s, CODE_CEIL, 1, &real),
                     symbolic_apply(s, CODE_FLOOR, 1, &real)};
    return symbolic_apply(s, CODE_SELECT, 3, args);
}

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
    if (to == CODE_INT && from == CODE_REAL)
        return rounded(s, arg);
    if (to != CODE_REAL)
        return value_refused(s, value, "a real number becomes a truth value");
    return symbolic_apply(s, CODE_CONVERT, 1, &arg);
}

// A constant wraps; of other integers it is a need that they fit (proof/kernel/width.h).
static lterm truncated(struct symbolic *s, lterm tree, unsigned bits)
{
    struct lterms *terms = s->terms;
    int64_t number;
    if (lterm_kind(terms, tree) == LT_CHOOSE) {
        lterm yes = truncated(s, lterm_arg(terms, tree, 1), bits);
        lterm no = truncated(s, lterm_arg(terms, tree, 2), bits);
        return symbolic_choose(s, lterm_arg(terms, tree, 0), yes, no);
    }
    if (bits >= 64 || lterm_kind(terms, tree) != LT_WHOLE ||
        !int_is_constant(s->in, lterm_arg(terms, tree, 0), &number))
        return tree;
    int64_t words = INT64_C(1) << bits, low = number % words;
    low += low < 0 ? words : 0;
    low -= low >= words / 2 ? words : 0;
    return lterm_whole(terms, int_constant(s->in, low));
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

// A shift by as many bits as the word has, or more, has no value.
static bool shifts_too_far(struct symbolic *s, const struct code_node *node, const lterm *args)
{
    int64_t by = 0;
    if (node->op != CODE_SHIFT_LEFT && node->op != CODE_SHIFT_RIGHT &&
        node->op != CODE_UNSIGNED_SHIFT_RIGHT)
        return false;
    return lterm_kind(s->terms, args[1]) == LT_WHOLE &&
           int_is_constant(s->in, lterm_arg(s->terms, args[1], 0), &by) && by >= node->type.bits;
}

static lterm lane_value(struct symbolic *s, code_value value, const ipoly *lane)
{
    const struct code_node *node = code_node(s->program, value);
    lterm args[8];
    // Integers are mathematical: no operation leaves the range of its type (docs/lifting.md).
    if (node->op == CODE_CONVERT)
        return convert_value(s, value, lane);
    if (node->op == CODE_TRUNCATE && node->type.kind == CODE_INT && node->type.bits >= 32)
        return truncated(s, operand(s, value, 0, lane), node->type.bits);
    enum code_op op = words_signed((enum code_op)node->op);
    if (node->op == CODE_CALL || op == CODE_UNSIGNED_HIGH || node->op == CODE_TRUNCATE ||
        node->op == CODE_BITCAST)
        return value_refused(s, value, "an operator on words that is not supported");
    for (uint32_t i = 0; i < node->n; i++) {
        args[i] = operand(s, value, i, lane);
        if (op != node->op && !words_natural(s, args[i]))
            return value_refused(s, value, "an operator on words that is not supported");
    }
    if (op == CODE_CONVERT)
        return convert_value(s, value, lane);
    for (uint32_t i = 0; node->type.kind == CODE_INT && i < node->n; i++)
        if (!means_the_same(op) && !all_whole(s, args[i]))
            return value_refused(s, value, "an operator on an integer that data chooses");
    if (shifts_too_far(s, node, args))
        return value_refused(s, value, "an operator on words that is not supported");
    if (op == CODE_POWER)
        args[1] = symbolic_apply(s, CODE_CONVERT, 1, &args[1]); // a whole exponent as a real
    return symbolic_apply(s, op, node->n, args);
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
        return value_refused(s, value, code_name(s->program, (uint32_t)node->number));
    case CODE_READ:
        return read_value(s, value, lane);
    case CODE_REDUCE:
        return value_of_reduction(s, value, lane);
    case CODE_SCAN:
        return value_of_scan(s, value, lane);
    case CODE_DOT:
        return value_of_dot(s, value, lane);
    default:
        break;
    }
    if (code_op_group(node->op) == GROUP_MOVE)
        return move_value(s, value, lane);
    if (code_op_group(node->op) == GROUP_LANE)
        return lane_value(s, value, lane);
    return value_refused(s, value, "an operator that is not supported");
}

lterm symbolic_value(struct symbolic *s, code_value value, const ipoly *lane)
{
    if (s->in_region || s->depth > CODE_DEPTH * 20)
        return s->in_region ? compute(s, value, lane) : value_refused(s, value, "too deep");
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
