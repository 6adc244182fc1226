// SPDX-License-Identifier: Apache-2.0
// Integers that a program computes with stay in the range of their types.
//
// Where the widths of what an operator gets decide, nothing is needed (range.h).  Otherwise the
// largest value over the sizes does (largest.c).  Lanes that a mask turns off count too, for the mask
// itself is computed from them.
#include "proof/kernel/widening.h"
#include <inttypes.h>
#include <math.h>

static void hash_facts(struct width *w)
{
    const struct ifacts *facts = &w->s->facts;
    uint64_t hash = UINT64_C(14695981039346656037);
    vec_clear(&w->out->facts);
    vec_push(&w->out->facts, hash);
    for (uint32_t i = 0; i < facts->at.len; i++) {
        hash = (hash ^ facts->at.at[i].poly) * UINT64_C(1099511628211);
        vec_push(&w->out->facts, hash);
    }
}

static void add_bound(struct width *w, ipoly bound, uint8_t bits, uint32_t line)
{
    for (uint32_t i = 0; i < w->out->bound.len; i++)
        if (w->out->bound.at[i].bound == bound && w->out->bound.at[i].bits == bits)
            return;
    vec_push(&w->out->bound, ((struct width_bound){bound, bits, line}));
}

static bool is_below(struct width *w, ipoly bound, unsigned bits)
{
    struct integers *in = w->s->in;
    // Coefficients are below 2^62.
    ipoly most = int_constant(in, INT64_C(1) << (bits == 64 ? 61 : bits - 1));
    return width_most(w, bound) * (1 + 0x1p-40) < ldexp(1, (int)bits - 1) ||
           int_prove_less(in, &w->s->facts, bound, most);
}

// The polynomial, and what is 0 minus it, stay below the limit; otherwise the place is noted.
// Bounds of less than 32 bits make no need of sizes.
static void bound_poly(struct width *w, ipoly a, unsigned bits, uint32_t line)
{
    for (uint32_t side = 0; side < 2; side++) {
        w->failed = false;
        ipoly bound = width_upper(w, side ? int_scale(w->s->in, a, -1) : a);
        if (!w->failed && is_below(w, bound, bits))
            continue;
        for (uint32_t nested = 0; nested < 3 && !w->failed; nested++)
            bound = width_without_quotients(w, bound);
        if (w->failed || bits < 32)
            vec_push(&w->out->unknown, line);
        else if (!is_below(w, bound, bits))
            add_bound(w, bound, (uint8_t)bits, line);
    }
}

static void bound_tree(struct width *w, lterm tree, const struct code_node *node)
{
    struct lterms *terms = w->s->terms;
    if (lterm_kind(terms, tree) == LT_WHOLE) {
        bound_poly(w, lterm_arg(terms, tree, 0), node->type.bits, node->place.line);
    } else if (lterm_kind(terms, tree) == LT_CHOOSE) {
        bound_tree(w, lterm_arg(terms, tree, 1), node);
        bound_tree(w, lterm_arg(terms, tree, 2), node);
    } else {
        vec_push(&w->out->unknown, node->place.line);
    }
}

// ---- nodes ----

// Operators whose result may not be what the type holds.  Of a real number that becomes an integer,
// too.
static bool is_arithmetic(const struct code_node *node)
{
    return node->type.kind == CODE_INT &&
           (node->op == CODE_ADD || node->op == CODE_SUBTRACT || node->op == CODE_MULTIPLY ||
            node->op == CODE_NEGATE || node->op == CODE_ABS || node->op == CODE_SHIFT_LEFT ||
            node->op == CODE_TRUNCATE || node->op == CODE_CONVERT ||
            node->op == CODE_UNSIGNED_CONVERT ||
            code_op_group((enum code_op)node->op) == GROUP_FOLD);
}

// Was the node asked under these facts, or under the first ones of them?
static bool is_seen(struct width *w, code_value value)
{
    while (w->out->seen.len <= value)
        vec_push(&w->out->seen, ((struct width_seen){UINT32_MAX, 0}));
    struct width_seen *seen = &w->out->seen.at[value];
    if (seen->n < w->out->facts.len && w->out->facts.at[seen->n] == seen->hash)
        return true;
    *seen = (struct width_seen){w->out->facts.len - 1, vec_last(&w->out->facts)};
    return false;
}

static void bound_node(struct width *w, code_value value);

// What a fold gives is no polynomial; operators of its function get any integers.
static void bound_fold(struct width *w, code_value value)
{
    const struct code_program *program = w->s->program;
    const struct code_node *node = code_node(program, value);
    if (node->type.kind == CODE_INT && !range_fits(&w->out->ranges, value))
        vec_push(&w->out->unknown, node->place.line);
    if (node->op == CODE_DOT || program->region.at[node->number / 8].combine != CODE_OPAQUE)
        return;
    const struct code_region *region = &program->region.at[node->number / 8];
    for (code_value v = region->from; v < region->end; v++)
        if (w->out->reached.at.at[v] != REACH_NOT && is_arithmetic(code_node(program, v)) &&
            !range_fits(&w->out->ranges, v))
            vec_push(&w->out->unknown, code_node(program, v)->place.line);
}

static void open_lanes(struct width *w, const struct code_node *node, ipoly *lane)
{
    for (uint32_t d = 0; d < node->type.rank; d++) {
        lane[d] = width_lane_of(w, d, node->type.extent[d]);
        symbolic_range(w->s, lane[d], int_constant(w->s->in, node->type.extent[d]));
    }
}

static void bound_arithmetic(struct width *w, code_value value)
{
    struct symbolic *s = w->s;
    const struct code_node *node = code_node(s->program, value);
    ipoly lane[CODE_RANK + 1];
    uint32_t mark = ifacts_mark(&s->facts);
    open_lanes(w, node, lane);
    bound_tree(w, symbolic_value(s, value, lane), node);
    ifacts_pop(&s->facts, mark);
}

// By a divisor of at least 1 every quotient fits.
static void bound_quotient(struct width *w, code_value value)
{
    struct symbolic *s = w->s;
    const struct code_node *node = code_node(s->program, value);
    ipoly lane[CODE_RANK + 1];
    uint32_t mark = ifacts_mark(&s->facts);
    open_lanes(w, node, lane);
    lterm by = symbolic_value(s, code_operand(s->program, value, 1), lane);
    bool positive = lterm_kind(s->terms, by) == LT_WHOLE &&
                    int_prove(s->in, &s->facts, int_shift(s->in, lterm_arg(s->terms, by, 0), -1));
    if (!positive)
        vec_push(&w->out->unknown, node->place.line);
    ifacts_pop(&s->facts, mark);
}

// The node and its operands.  What memory holds is no arithmetic.
static void bound_node(struct width *w, code_value value)
{
    const struct code_program *program = w->s->program;
    const struct code_node *node = code_node(program, value);
    enum reach reached = (enum reach)w->out->reached.at.at[value];
    if (reached == REACH_NOT || is_seen(w, value))
        return;
    if (code_op_group(node->op) == GROUP_MEMORY) {
        if (node->n > 2)
            bound_node(w, code_operand(program, value, 2));
        return;
    }
    for (uint32_t i = 0; i < node->n; i++)
        bound_node(w, code_operand(program, value, i));
    if (code_op_group(node->op) == GROUP_FOLD)
        bound_fold(w, value);
    else if (node->op == CODE_DIVIDE && node->type.kind == CODE_INT &&
             !range_fits(&w->out->ranges, value))
        bound_quotient(w, value);
    else if (is_arithmetic(node) && !(node->type.bits == 64 && reached == REACH_WORD) &&
             !range_fits(&w->out->ranges, value))
        bound_arithmetic(w, value);
}

// ---- statements ----

// The variable after the last iteration is less than the upper bound and a step.
static void bound_variable(struct width *w, const struct code_loop *loop, uint32_t line)
{
    struct symbolic *s = w->s;
    const struct code_type *type = &code_node(s->program, loop->variable)->type;
    ipoly upper_bound, step;
    if (!symbolic_integer(s, loop->upper, &upper_bound) ||
        !symbolic_integer(s, loop->step, &step)) {
        vec_push(&w->out->unknown, line);
        return;
    }
    w->failed = false;
    ipoly end = width_upper(w, int_shift(s->in, int_add(s->in, upper_bound, step), -1));
    if (w->failed)
        vec_push(&w->out->unknown, line);
    else if (!is_below(w, end, type->bits))
        add_bound(w, end, type->bits, line);
}

static void bound_loop(struct width *w, const struct code_statement *statement)
{
    struct symbolic *s = w->s;
    const struct code_loop *loop = &s->program->loop.at[statement->index];
    ipoly trips;
    if (loop->kind == LOOP_PARALLEL)
        return;
    bound_node(w, loop->lower);
    bound_node(w, loop->upper);
    bound_node(w, loop->step);
    bound_variable(w, loop, statement->place.line);
    for (uint32_t i = 0; i < loop->n; i++)
        bound_node(w, s->program->carried.at[loop->at + i].initial);
    uint32_t mark = ifacts_mark(&s->facts);
    if (w->n_loops < OUTPUT_MEMBERS && symbolic_trips(s, statement->index, &trips)) {
        symbolic_range(s, s->iteration.at[statement->index], trips);
        w->loops[w->n_loops++] = statement->index;
    }
    hash_facts(w);
    for (uint32_t i = 0; i < loop->n; i++)
        bound_node(w, s->program->carried.at[loop->at + i].next);
    ifacts_pop(&s->facts, mark);
}

static void bound_branch(struct width *w, const struct code_branch *branch)
{
    bound_node(w, branch->condition);
    for (uint32_t i = 0; i < branch->n; i++) {
        bound_node(w, w->s->program->merged.at[branch->at + i].then);
        bound_node(w, w->s->program->merged.at[branch->at + i].otherwise);
    }
}

void widths_of_statement(struct symbolic *s, const struct code_statement *statement,
                         uint32_t n_loops, const uint32_t *loops, struct widths *out)
{
    struct width w = {.s = s, .n_loops = n_loops, .out = out};
    memcpy(w.loops, loops, n_loops * sizeof *loops);
    hash_facts(&w);
    if (statement->kind == STATEMENT_LOOP) {
        bound_loop(&w, statement);
        return;
    }
    if (statement->kind == STATEMENT_BRANCH) {
        bound_branch(&w, &s->program->branch.at[statement->index]);
        return;
    }
    // Of a read, what it gives where its mask is false.
    bound_node(&w, statement->value);
    if (statement->offset != NO_CODE)
        bound_node(&w, statement->offset);
    if (statement->mask != NO_CODE)
        bound_node(&w, statement->mask);
}

void widths_init(struct widths *widths, const struct code_program *program)
{
    *widths = (struct widths){0};
    ranges_init(&widths->ranges, program);
    reach(program, true, &widths->reached);
}

void widths_finish(struct symbolic *s, struct widths *out)
{
    for (uint32_t i = 0; i < out->bound.len;) {
        bool below = false;
        for (uint32_t k = 0; k < out->bound.len && !below; k++)
            below = k != i && out->bound.at[k].bits <= out->bound.at[i].bits &&
                    int_prove_less_equal(s->in, &s->facts, out->bound.at[i].bound,
                                         out->bound.at[k].bound);
        if (below)
            out->bound.at[i] = out->bound.at[--out->bound.len];
        else
            i++;
    }
}

void width_print(struct integers *in, const struct width_bound *bound, struct buf *out)
{
    int_print(in, bound->bound, out);
    buf_printf(out, " < %" PRIu64, UINT64_C(1) << (bound->bits - 1));
}

bool width_never(struct symbolic *s, const struct width_bound *bound)
{
    return bound->bits < 64 &&
           int_prove_less_equal(s->in, &s->facts,
                                int_constant(s->in, INT64_C(1) << (bound->bits - 1)), bound->bound);
}

void widths_release(struct widths *widths)
{
    vec_release(&widths->bound);
    vec_release(&widths->unknown);
    vec_release(&widths->seen);
    vec_release(&widths->facts);
    vec_release(&widths->lane);
    ranges_release(&widths->ranges);
    reach_release(&widths->reached);
}
