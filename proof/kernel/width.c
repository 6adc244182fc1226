// SPDX-License-Identifier: Apache-2.0
// Integers of 32 bits and less that a program computes with stay in their range.
//
// Each is a polynomial over iterations, lanes and sizes.  An upper bound without iterations and
// lanes comes from the largest value of each of them: factors are at least 0, so a term with a
// positive coefficient grows with each factor, and a term with a negative one is at most 0.  Lanes
// that a mask turns off count too, for the mask itself is computed from them.
#include "proof/kernel/width.h"

struct width {
    struct symbolic *s;
    uint32_t n_loops;
    const uint32_t *loops;
    struct widths *out;
    bool failed;
};

static bool is_lane(const struct width *w, iatom atom, ipoly *extent)
{
    for (uint32_t i = 0; i < w->out->lane.len; i++)
        if (w->out->lane.at[i].symbol == atom) {
            *extent = w->out->lane.at[i].extent;
            return true;
        }
    return false;
}

// The symbol of a lane along an axis of this extent: the same one each time.
static ipoly lane_of(struct width *w, uint32_t axis, uint32_t extent)
{
    struct buf name = {0};
    struct width_lane lane = {.extent = int_constant(w->s->in, extent)};
    ipoly unused;
    buf_printf(&name, "wide'%u'%u", axis, extent);
    ipoly symbol = int_symbol(w->s->in, buf_text(&name));
    buf_release(&name);
    int_is_atom(w->s->in, symbol, &lane.symbol);
    if (!is_lane(w, lane.symbol, &unused))
        vec_push(&w->out->lane, lane);
    return symbol;
}

static bool is_iteration(const struct width *w, iatom atom, uint32_t *loop)
{
    for (uint32_t i = 0; i < w->n_loops; i++)
        if (w->s->iteration.at[w->loops[i]] == int_atom_poly(w->s->in, atom)) {
            *loop = w->loops[i];
            return true;
        }
    return false;
}

static bool has_member(struct width *w, ipoly a)
{
    const struct u32_vec *symbols = int_symbols(w->s->in, a);
    uint32_t loop;
    ipoly extent;
    for (uint32_t i = 0; i < symbols->len; i++)
        if (is_lane(w, symbols->at[i], &extent) || is_iteration(w, symbols->at[i], &loop))
            return true;
    return false;
}

static ipoly upper(struct width *w, ipoly a);

static ipoly fail(struct width *w)
{
    w->failed = true;
    return 0;
}

static ipoly upper_symbol(struct width *w, iatom atom)
{
    uint32_t loop;
    ipoly trips, extent;
    if (is_lane(w, atom, &extent))
        return int_shift(w->s->in, extent, -1);
    if (!is_iteration(w, atom, &loop))
        return int_atom_poly(w->s->in, atom);
    if (!symbolic_trips(w->s, loop, &trips))
        return fail(w);
    return upper(w, int_shift(w->s->in, trips, -1));
}

// An atom at its largest.
static ipoly upper_atom(struct width *w, iatom atom)
{
    struct integers *in = w->s->in;
    struct iatom_node node = int_atom(in, atom);
    ipoly self = int_atom_poly(in, atom);
    if (node.kind == INT_SYMBOL)
        return upper_symbol(w, atom);
    if (node.kind == INT_ELEMENT || node.kind == INT_TRUNCATED_QUOTIENT ||
        node.kind == INT_TRUNCATED_REMAINDER)
        return fail(w);
    if (!has_member(w, self))
        return self;
    switch (node.kind) {
    case INT_QUOTIENT:
        return has_member(w, node.b) ? fail(w)
                                     : int_of_atom(in, INT_QUOTIENT, upper(w, node.a), node.b);
    case INT_REMAINDER:
        return int_shift(in, upper(w, node.b), -1);
    case INT_MINIMUM:
        return has_member(w, node.a) ? upper(w, node.b) : node.a;
    default:
        return node.a == 0 ? upper(w, node.b)
                           : int_maximum(in, &w->s->facts, upper(w, node.a), upper(w, node.b));
    }
}

static bool at_least_0(struct width *w, ipoly a)
{
    return int_prove(w->s->in, &w->s->facts, a);
}

static ipoly upper_term(struct width *w, struct iterm term)
{
    struct integers *in = w->s->in;
    ipoly mono = int_mono_poly(in, (imono)term.mono), product = int_constant(in, 1);
    for (uint32_t k = 0; k < int_degree(in, (imono)term.mono); k++) {
        iatom factor = int_factor(in, (imono)term.mono, k);
        if (!at_least_0(w, int_atom_poly(in, factor)))
            return fail(w);
        if (term.coefficient > 0)
            product = int_multiply(in, product, upper_atom(w, factor));
    }
    if (term.coefficient > 0)
        return int_scale(in, product, term.coefficient);
    return has_member(w, mono) ? 0 : int_scale(in, mono, term.coefficient);
}

static ipoly upper(struct width *w, ipoly a)
{
    ipoly sum = 0;
    for (uint32_t i = 0; i < int_length(w->s->in, a) && !w->failed; i++)
        sum = int_add(w->s->in, sum, upper_term(w, int_term(w->s->in, a, i)));
    return sum;
}

// c*(a div d) is at most (c/d)*a, if the number d divides the number c.
static ipoly without_quotients(struct width *w, ipoly a)
{
    struct integers *in = w->s->in;
    ipoly sum = 0;
    for (uint32_t i = 0; i < int_length(in, a); i++) {
        struct iterm term = int_term(in, a, i);
        ipoly product = int_constant(in, 1);
        int64_t divisor, c = term.coefficient;
        for (uint32_t k = 0; k < int_degree(in, (imono)term.mono); k++) {
            iatom factor = int_factor(in, (imono)term.mono, k);
            struct iatom_node node = int_atom(in, factor);
            bool divides = node.kind == INT_QUOTIENT && int_is_constant(in, node.b, &divisor) &&
                           divisor > 0 && c > 0 && c % divisor == 0;
            product = int_multiply(in, product, divides ? node.a : int_atom_poly(in, factor));
            c = divides ? c / divisor : c;
        }
        sum = int_add(in, sum, int_scale(in, product, c));
    }
    return sum;
}

static void add_bound(struct width *w, ipoly bound)
{
    for (uint32_t i = 0; i < w->out->bound.len; i++)
        if (w->out->bound.at[i] == bound)
            return;
    vec_push(&w->out->bound, bound);
}

// The polynomial, and what is 0 minus it, stay below the limit; otherwise the place is noted.
static void bound_poly(struct width *w, ipoly a, struct code_place place)
{
    struct integers *in = w->s->in;
    ipoly most = int_constant(in, WIDTH_LIMIT);
    for (uint32_t side = 0; side < 2; side++) {
        w->failed = false;
        ipoly bound = upper(w, side ? int_scale(in, a, -1) : a);
        if (!w->failed && int_prove_less(in, &w->s->facts, bound, most))
            continue;
        bound = w->failed ? bound : without_quotients(w, bound);
        if (w->failed)
            vec_push(&w->out->unknown, place.line);
        else if (!int_prove_less(in, &w->s->facts, bound, most))
            add_bound(w, bound);
    }
}

// Less than 32 bits: the range is known or not, and makes no need of sizes.
static void bound_narrow(struct width *w, ipoly a, const struct code_node *node)
{
    struct integers *in = w->s->in;
    ipoly most = int_constant(in, INT64_C(1) << (node->type.bits - 1));
    for (uint32_t side = 0; side < 2; side++) {
        w->failed = false;
        ipoly bound = upper(w, side ? int_scale(in, a, -1) : a);
        if (w->failed || !int_prove_less(in, &w->s->facts, bound, most)) {
            vec_push(&w->out->unknown, node->place.line);
            return;
        }
    }
}

static void bound_tree(struct width *w, lterm tree, const struct code_node *node)
{
    struct lterms *terms = w->s->terms;
    if (lterm_kind(terms, tree) == LT_WHOLE && node->type.bits == 32) {
        bound_poly(w, lterm_arg(terms, tree, 0), node->place);
    } else if (lterm_kind(terms, tree) == LT_WHOLE) {
        bound_narrow(w, lterm_arg(terms, tree, 0), node);
    } else if (lterm_kind(terms, tree) == LT_CHOOSE) {
        bound_tree(w, lterm_arg(terms, tree, 1), node);
        bound_tree(w, lterm_arg(terms, tree, 2), node);
    } else {
        vec_push(&w->out->unknown, node->place.line);
    }
}

// Of a real number that becomes an integer, too.
static bool is_arithmetic(const struct code_program *program, code_value value)
{
    const struct code_node *node = code_node(program, value);
    if (node->op == CODE_CONVERT && node->type.kind == CODE_INT &&
        code_node(program, code_operand(program, value, 0))->type.kind == CODE_REAL)
        return true;
    return node->type.kind == CODE_INT && node->type.bits <= 32 &&
           (node->op == CODE_ADD || node->op == CODE_SUBTRACT || node->op == CODE_MULTIPLY ||
            node->op == CODE_NEGATE || node->op == CODE_SHIFT_LEFT);
}

// The node and its operands.  What memory holds is no arithmetic.
static void bound_node(struct width *w, code_value value)
{
    struct symbolic *s = w->s;
    const struct code_node *node = code_node(s->program, value);
    if (value < w->out->seen.len && w->out->seen.at[value])
        return;
    while (w->out->seen.len <= value)
        vec_push(&w->out->seen, 0);
    w->out->seen.at[value] = 1;
    if (code_op_group(node->op) == GROUP_MEMORY || code_op_group(node->op) == GROUP_FOLD)
        return;
    for (uint32_t i = 0; i < node->n; i++)
        bound_node(w, code_operand(s->program, value, i));
    if (!is_arithmetic(s->program, value))
        return;
    ipoly lane[CODE_RANK + 1];
    uint32_t mark = ifacts_mark(&s->facts);
    for (uint32_t d = 0; d < node->type.rank; d++) {
        lane[d] = lane_of(w, d, node->type.extent[d]);
        symbolic_range(s, lane[d], int_constant(s->in, node->type.extent[d]));
    }
    bound_tree(w, symbolic_value(s, value, lane), node);
    ifacts_pop(&s->facts, mark);
}

void widths_of_statement(struct symbolic *s, const struct code_statement *statement,
                         uint32_t n_loops, const uint32_t *loops, struct widths *out)
{
    struct width w = {.s = s, .n_loops = n_loops, .loops = loops, .out = out};
    if (statement->kind == STATEMENT_LOOP) {
        const struct code_loop *loop = &s->program->loop.at[statement->index];
        if (loop->kind == LOOP_PARALLEL)
            return;
        bound_node(&w, loop->lower);
        bound_node(&w, loop->upper);
        bound_node(&w, loop->step);
        return;
    }
    if (statement->kind == STATEMENT_BRANCH) {
        bound_node(&w, s->program->branch.at[statement->index].condition);
        return;
    }
    if (statement->kind == STATEMENT_WRITE)
        bound_node(&w, statement->value);
    bound_node(&w, statement->offset);
    if (statement->mask != NO_CODE)
        bound_node(&w, statement->mask);
}

void widths_finish(struct symbolic *s, struct widths *out)
{
    for (uint32_t i = 0; i < out->bound.len;) {
        bool below = false;
        for (uint32_t k = 0; k < out->bound.len && !below; k++)
            below = k != i &&
                    int_prove_less_equal(s->in, &s->facts, out->bound.at[i], out->bound.at[k]);
        if (below)
            out->bound.at[i] = out->bound.at[--out->bound.len];
        else
            i++;
    }
}

void widths_release(struct widths *widths)
{
    vec_release(&widths->bound);
    vec_release(&widths->unknown);
    vec_release(&widths->seen);
    vec_release(&widths->lane);
}
