// SPDX-License-Identifier: Apache-2.0
#include "loops/grid/output.h"

static void refuse(struct symbolic *s, struct output *out, const char *reason)
{
    if (!out->reason) {
        out->reason = intern_text(&s->terms->names, intern_str(&s->terms->names, reason));
        out->place = out->statement->place;
    }
}

static void add_member(struct symbolic *s, struct output *out, ipoly member, ipoly end)
{
    if (out->n_members >= OUTPUT_MEMBERS) {
        refuse(s, out, "too many loops and axes");
        return;
    }
    out->member[out->n_members] = member;
    out->end[out->n_members++] = end;
}

// The mask and the lanes of the statement, as facts.
static void open_lanes(struct symbolic *s, struct output *out, ipoly *lane)
{
    const struct code_statement *st = out->statement;
    const struct code_type *type = &code_node(s->program, st->offset)->type;
    for (uint32_t d = 0; d < type->rank; d++) {
        lane[d] = int_fresh(s->in, "w");
        ipoly end = int_constant(s->in, type->extent[d]);
        add_member(s, out, lane[d], end);
        symbolic_range(s, lane[d], end);
    }
    if (st->mask == NO_CODE)
        return;
    lterm mask = symbolic_value(s, st->mask, lane);
    if (mask == lterm_truth(s->terms, false) || symbolic_refusal(s, mask))
        refuse(s, out, "the mask is never true, or has no value");
    else
        symbolic_assume_or_keep(s, mask, &out->condition);
}

void output_open(struct symbolic *s, const struct code_statement *statement, uint32_t n_loops,
                 const uint32_t *loops, struct output *out)
{
    *out = (struct output){.statement = statement, .n_loops = n_loops, .condition = s->condition};
    ipoly lane[CODE_RANK], end;
    for (uint32_t i = 0; i < n_loops; i++) {
        out->loop[i] = loops[i];
        if (symbolic_trips(s, loops[i], &end))
            add_member(s, out, s->iteration.at[loops[i]], end);
        else
            refuse(s, out, "the number of iterations of a loop is not known");
    }
    open_lanes(s, out, lane);
    if (out->reason)
        return;
    lterm offset = symbolic_value(s, statement->offset, lane);
    out->value = symbolic_value(s, statement->value, lane);
    if (lterm_kind(s->terms, offset) == LT_WHOLE)
        out->base = lterm_arg(s->terms, offset, 0);
    else
        refuse(s, out, "the address of a write depends on data or on a mask");
    bool bits = code_node(s->program, statement->value)->type.kind == CODE_BOOL;
    if (bits)
        out->value = symbolic_bit(s, out->value);
    // Where the condition is false, the element stays.
    lterm args[3] = {out->condition, out->value, 0};
    if (!out->reason && out->condition) {
        args[2] = symbolic_stored(s, statement->array, out->base);
        if (bits)
            args[2] = symbolic_bit(s, args[2]);
        out->value = symbolic_apply(s, CODE_SELECT, 3, args);
    }
}

bool output_of_members(struct symbolic *s, const struct output *out, ipoly a)
{
    for (uint32_t i = 0; i < out->n_members; i++) {
        iatom atom;
        if (int_is_atom(s->in, out->member[i], &atom) && int_mentions(s->in, a, atom))
            return true;
    }
    return false;
}

// Splits a monomial: factors without members, and the one with members.  False: several.
static bool split(struct symbolic *s, const struct output *out, imono mono, ipoly *stride,
                  ipoly *index)
{
    *stride = int_constant(s->in, 1), *index = 0;
    for (uint32_t k = 0; k < int_degree(s->in, mono); k++) {
        ipoly factor = int_atom_poly(s->in, int_factor(s->in, mono, k));
        if (!output_of_members(s, out, factor))
            *stride = int_multiply(s->in, *stride, factor);
        else if (*index)
            return false;
        else
            *index = factor;
    }
    return true;
}

static void add_to_axis(struct symbolic *s, struct output *out, ipoly stride, ipoly index)
{
    uint32_t d = 0;
    while (d < out->n_axes && out->stride[d] != stride)
        d++;
    if (d == OUTPUT_AXES) {
        refuse(s, out, "too many axes");
        return;
    }
    if (d == out->n_axes)
        out->stride[out->n_axes++] = stride;
    out->index[d] = int_add(s->in, out->index[d], index);
}

// Members with a smaller stride come later; symbolic strides come before constants.
static bool before(struct symbolic *s, ipoly a, ipoly b)
{
    int64_t x, y;
    bool constant_a = int_is_constant(s->in, a, &x), constant_b = int_is_constant(s->in, b, &y);
    if (constant_a || constant_b)
        return constant_b && (!constant_a || x > y);
    uint32_t da = int_degree(s->in, (imono)int_term(s->in, a, 0).mono);
    uint32_t db = int_degree(s->in, (imono)int_term(s->in, b, 0).mono);
    return da != db ? da > db : a < b;
}

static void sort_axes(struct symbolic *s, struct output *out)
{
    for (uint32_t i = 1; i < out->n_axes; i++)
        for (uint32_t k = i; k > 0 && before(s, out->stride[k], out->stride[k - 1]); k--) {
            ipoly stride = out->stride[k], index = out->index[k];
            out->stride[k] = out->stride[k - 1], out->index[k] = out->index[k - 1];
            out->stride[k - 1] = stride, out->index[k - 1] = index;
        }
}

static bool of_programs(struct symbolic *s, const struct output *out, ipoly index)
{
    for (uint32_t m = 0; m < out->n_loops; m++) {
        iatom program;
        int_is_atom(s->in, out->member[m], &program);
        if (s->program->loop.at[out->loop[m]].kind == LOOP_PARALLEL &&
            int_mentions(s->in, index, program))
            return true;
    }
    return false;
}

// Is the index a number times the iteration of a loop?
static bool of_one_loop(struct symbolic *s, const struct output *out, ipoly index)
{
    if (int_length(s->in, index) != 1)
        return false;
    ipoly mono = int_mono_poly(s->in, (imono)int_term(s->in, index, 0).mono);
    for (uint32_t m = 0; m < out->n_loops; m++)
        if (out->member[m] == mono)
            return true;
    return false;
}

// Does a fact bound the program and the iteration together, as p + G*k < n?
static bool bounded_together(struct symbolic *s, iatom program, ipoly iterations)
{
    struct u32_vec atoms = {0};
    bool found = false;
    int_atoms(s->in, iterations, &atoms);
    for (uint32_t i = 0; i < s->facts.at.len && !found; i++)
        for (uint32_t k = 0; k < atoms.len && !found; k++)
            found = int_mentions(s->in, s->facts.at.at[i].poly, program) &&
                    int_mentions(s->in, s->facts.at.at[i].poly, atoms.at[k]);
    vec_release(&atoms);
    return found;
}

// An axis whose stride is the stride of another one times the number G of programs is the part of
// it that a loop over the grid counts in steps of G: index += G * index'.  A loop whose length no
// program knows of is an axis of its own: channel p of image k lies at p + G*k, too.
static bool join_grid_axes(struct symbolic *s, struct output *out)
{
    for (uint32_t a = 0; a < out->n_axes; a++)
        for (uint32_t b = 0; b < out->n_axes; b++)
            for (uint32_t m = 0; m < out->n_loops; m++) {
                iatom program;
                ipoly programs = out->end[m];
                int_is_atom(s->in, out->member[m], &program);
                if (a == b || s->program->loop.at[out->loop[m]].kind != LOOP_PARALLEL ||
                    !int_mentions(s->in, out->index[a], program) ||
                    of_programs(s, out, out->index[b]) || !of_one_loop(s, out, out->index[b]) ||
                    !bounded_together(s, program, out->index[b]) ||
                    int_multiply(s->in, out->stride[a], programs) != out->stride[b])
                    continue;
                out->index[a] =
                    int_add(s->in, out->index[a], int_multiply(s->in, programs, out->index[b]));
                out->n_axes--;
                out->stride[b] = out->stride[out->n_axes];
                out->index[b] = out->index[out->n_axes];
                out->index[out->n_axes] = 0;
                return true;
            }
    return false;
}

// An axis whose stride is that of another one times a number S of indices that the latter has at
// most, is the part of it that counts in steps of S: blocks of rows, the last one shorter.
static bool join_block_axes(struct symbolic *s, struct output *out)
{
    for (uint32_t a = 0; a < out->n_axes; a++)
        for (uint32_t b = 0; b < out->n_axes; b++) {
            ipoly block;
            if (a == b || !output_quotient(s, out->stride[a], out->stride[b], &block) ||
                !output_stays_below(s, out, out->index[b], block))
                continue;
            out->index[b] =
                int_add(s->in, out->index[b], int_multiply(s->in, block, out->index[a]));
            out->n_axes--;
            out->stride[a] = out->stride[out->n_axes];
            out->index[a] = out->index[out->n_axes];
            out->index[out->n_axes] = 0;
            return true;
        }
    return false;
}

bool output_counts_down(struct symbolic *s, const struct output *out, ipoly index, ipoly *most)
{
    *most = 0;
    for (uint32_t i = 0; i < int_length(s->in, index); i++) {
        struct iterm term = int_term(s->in, index, i);
        ipoly part = int_mono_poly(s->in, (imono)term.mono);
        if (!output_of_members(s, out, part))
            *most = int_add(s->in, *most, int_scale(s->in, part, term.coefficient));
        else if (term.coefficient > 0)
            return false;
    }
    return output_of_members(s, out, index);
}

// An index -f whose members all count down, f <= u by the mask: u - f counts from 0 to u.
static bool count_down_to_end(struct symbolic *s, struct output *out, uint32_t d)
{
    ipoly most = 0;
    bool found = false;
    if (!output_counts_down(s, out, out->index[d], &most))
        return false;
    for (uint32_t i = 0; i < s->facts.at.len; i++) {
        ipoly end = int_subtract(s->in, s->facts.at.at[i].poly, out->index[d]);
        if (output_of_members(s, out, end) || !output_of_members(s, out, s->facts.at.at[i].poly))
            continue;
        most = end;
        found = true;
    }
    if (!found)
        return false;
    out->index[d] = int_add(s->in, out->index[d], most);
    out->base = int_subtract(s->in, out->base, int_multiply(s->in, most, out->stride[d]));
    return true;
}

// A member with a negative coefficient counts down from its end: index -c*m becomes
// c*(end - 1 - m), and the base what that adds less.
static void count_down(struct symbolic *s, struct output *out, uint32_t d)
{
    if (count_down_to_end(s, out, d))
        return;
    for (uint32_t m = 0; m < out->n_members; m++) {
        iatom atom;
        ipoly factor, rest;
        int64_t c;
        int_is_atom(s->in, out->member[m], &atom);
        if (!int_linear_in(s->in, out->index[d], atom, &factor, &rest) ||
            !int_is_constant(s->in, factor, &c) || c >= 0)
            continue;
        ipoly more = int_scale(s->in, int_shift(s->in, out->end[m], -1), -c);
        out->index[d] = int_add(s->in, out->index[d], more);
        out->base = int_subtract(s->in, out->base, int_multiply(s->in, more, out->stride[d]));
    }
}

// What divides all coefficients of the index belongs to the stride: 2*j in steps of n is j in
// steps of 2*n.
static void factor_out(struct symbolic *s, struct output *out, uint32_t d)
{
    int64_t factor = 0;
    for (uint32_t i = 0; i < int_length(s->in, out->index[d]); i++) {
        int64_t c = int_term(s->in, out->index[d], i).coefficient;
        for (c = c < 0 ? -c : c; c > 0;) {
            int64_t rest = factor % c;
            factor = c, c = rest;
        }
    }
    if (factor <= 1)
        return;
    ipoly index = 0;
    for (uint32_t i = 0; i < int_length(s->in, out->index[d]); i++) {
        struct iterm term = int_term(s->in, out->index[d], i);
        index = int_add(
            s->in, index,
            int_scale(s->in, int_mono_poly(s->in, (imono)term.mono), term.coefficient / factor));
    }
    out->index[d] = index;
    out->stride[d] = int_scale(s->in, out->stride[d], factor);
}

// Digits of the index whose coefficients are at least `least` become an axis of their own.
static void split_axis(struct symbolic *s, struct output *out, uint32_t d, int64_t least)
{
    ipoly high = 0;
    for (uint32_t i = 0; i < int_length(s->in, out->index[d]); i++) {
        struct iterm term = int_term(s->in, out->index[d], i);
        if (term.coefficient < least)
            continue;
        if (term.coefficient % least)
            return;
        high = int_add(
            s->in, high,
            int_scale(s->in, int_mono_poly(s->in, (imono)term.mono), term.coefficient / least));
    }
    out->index[d] = int_subtract(s->in, out->index[d], int_scale(s->in, high, least));
    add_to_axis(s, out, int_scale(s->in, out->stride[d], least), high);
}

// Is the term a lane of the tile, along another of its axes than the last?
static bool is_lane(struct symbolic *s, const struct output *out, struct iterm term)
{
    if (int_degree(s->in, (imono)term.mono) != 1)
        return false;
    ipoly self = int_atom_poly(s->in, int_factor(s->in, (imono)term.mono, 0));
    for (uint32_t i = out->n_loops; i + 1 < out->n_members; i++)
        if (out->member[i] == self)
            return true;
    return false;
}

// Rows and columns of a tile: 64*row + column, column < 64, are two axes.
static bool split_narrow_tile(struct symbolic *s, struct output *out)
{
    for (uint32_t d = 0; d < out->n_axes && out->n_axes < OUTPUT_AXES; d++) {
        uint32_t n = int_length(s->in, out->index[d]);
        for (uint32_t i = 0; i < n; i++) {
            struct iterm low = int_term(s->in, out->index[d], i), next = {0};
            for (uint32_t k = 0; k < n; k++) {
                struct iterm term = int_term(s->in, out->index[d], k);
                if (term.coefficient > low.coefficient &&
                    (!next.coefficient || term.coefficient < next.coefficient))
                    next = term;
            }
            int64_t end;
            if (low.coefficient < 1 || !next.coefficient ||
                int_degree(s->in, (imono)low.mono) != 1 ||
                !int_is_constant(s->in,
                                 output_end_of_atom(s, out, int_factor(s->in, (imono)low.mono, 0)),
                                 &end) ||
                end < 1 || low.coefficient * end > next.coefficient ||
                (low.coefficient * end == next.coefficient && !is_lane(s, out, next)))
                continue;
            uint32_t before = out->n_axes;
            split_axis(s, out, d, next.coefficient);
            if (out->n_axes > before)
                return true;
        }
    }
    return false;
}

void output_axes(struct symbolic *s, struct output *out)
{
    ipoly address = out->base;
    out->base = 0;
    for (uint32_t i = 0; i < int_length(s->in, address); i++) {
        struct iterm term = int_term(s->in, address, i);
        ipoly stride, index;
        if (!split(s, out, (imono)term.mono, &stride, &index)) {
            refuse(s, out, "the address of a write is not linear in programs and lanes");
            return;
        }
        ipoly part = int_scale(s->in, index ? index : stride, term.coefficient);
        if (index)
            add_to_axis(s, out, stride, part);
        else
            out->base = int_add(s->in, out->base, part);
    }
    for (uint32_t d = 0; d < out->n_axes; d++)
        count_down(s, out, d);
    while (join_grid_axes(s, out) || join_block_axes(s, out))
        ;
    for (uint32_t d = 0; d < out->n_axes; d++)
        factor_out(s, out, d);
    while (split_narrow_tile(s, out))
        ;
    sort_axes(s, out);
    for (uint32_t d = 0; d < out->n_axes && !out->reason; d++) {
        char name[] = "axis'0";
        name[5] = (char)('0' + d);
        out->element[d] = int_symbol(s->in, name);
        if (!output_extent(s, out, d))
            refuse(s, out, "the extent of an axis of the output is not known");
        else
            out->extent[d] = symbolic_nicer(s, out->extent[d]);
    }
}

void output_element_facts(struct symbolic *s, const struct output *out)
{
    for (uint32_t d = 0; d < out->n_axes; d++)
        symbolic_range(s, out->element[d], out->extent[d]);
}

// ---- the value over elements ----

// The member (or atom of members) of an axis that the element replaces: x = element - rest.
static bool solve(struct symbolic *s, ipoly index, ipoly element, iatom *x, ipoly *to)
{
    int64_t best = 0;
    for (uint32_t i = 0; i < int_length(s->in, index); i++) {
        struct iterm term = int_term(s->in, index, i);
        if (int_degree(s->in, (imono)term.mono) != 1 || term.coefficient != 1)
            continue;
        iatom atom = int_factor(s->in, (imono)term.mono, 0);
        // Lanes were made last, so they have the largest numbers.
        if (best && atom < *x)
            continue;
        best = 1, *x = atom;
    }
    *to = best ? int_subtract(s->in, element, int_subtract(s->in, index, int_atom_poly(s->in, *x)))
               : 0;
    return best;
}

static bool depends_on_member(struct symbolic *s, const struct output *out)
{
    for (uint32_t i = 0; i < out->n_members; i++) {
        iatom atom;
        int_is_atom(s->in, out->member[i], &atom);
        if (lterm_mentions(s->terms, out->value, atom))
            return true;
    }
    return false;
}

// What is known of an atom is known of what replaces it.
static void substitute_facts(struct symbolic *s, const struct int_substitution *by)
{
    uint32_t n = s->facts.at.len;
    for (uint32_t i = 0; i < n; i++) {
        ipoly fact = s->facts.at.at[i].poly;
        ipoly made = int_substitute(s->in, fact, by);
        if (made != fact)
            ifacts_push(&s->facts, made, NO_ORIGIN);
    }
}

void output_value(struct symbolic *s, struct output *out)
{
    iatom from[OUTPUT_AXES];
    ipoly to[OUTPUT_AXES];
    lterm value = out->value;
    uint32_t mark = ifacts_mark(&s->facts);
    for (uint32_t d = 0; d < out->n_axes; d++) {
        if (!solve(s, out->index[d], out->element[d], &from[d], &to[d])) {
            refuse(s, out, "no lane or program counts an axis of the output in steps of 1");
            ifacts_pop(&s->facts, mark);
            return;
        }
        struct int_substitution by = {1, &from[d], &to[d]};
        value = lterm_substitute(s->terms, value, &by);
        substitute_facts(s, &by);
    }
    output_element_facts(s, out);
    struct int_substitution none = {0, NULL, NULL};
    out->value = symbolic_rebuild(s, value, &none);
    if (depends_on_member(s, out))
        out->value = symbolic_cancel(s, out->value);
    ifacts_pop(&s->facts, mark);
    const char *reason = symbolic_refusal(s, out->value);
    if (reason)
        refuse(s, out, reason);
}

void output_settle(struct symbolic *s, struct output *out)
{
    iatom from[OUTPUT_MEMBERS];
    if (!depends_on_member(s, out))
        return;
    for (uint32_t i = 0; i < out->n_members; i++)
        int_is_atom(s->in, out->member[i], &from[i]);
    struct int_substitution by = {out->n_members, from, out->witness};
    out->value = symbolic_rebuild(s, out->value, &by);
    const char *reason = symbolic_refusal(s, out->value);
    if (reason || depends_on_member(s, out))
        refuse(s, out, reason ? reason : "the value depends on the tile that computes it");
}
