// SPDX-License-Identifier: Apache-2.0
#include "loops/symbolic/leaf.h"

static void bind(struct symbolic *s, code_value node, enum binder kind, uint32_t owner,
                 uint32_t index)
{
    if (node != NO_CODE && node < s->binding.len)
        s->binding.at[node] = (struct binding){kind, owner, index};
}

static void bind_loops(struct symbolic *s)
{
    const struct code_program *p = s->program;
    for (uint32_t l = 0; l < p->loop.len; l++) {
        const struct code_loop *loop = &p->loop.at[l];
        bind(s, loop->variable, BIND_VARIABLE, l, 0);
        for (uint32_t i = 0; i < loop->n; i++) {
            bind(s, p->carried.at[loop->at + i].state, BIND_STATE, l, loop->at + i);
            bind(s, p->carried.at[loop->at + i].result, BIND_RESULT, l, loop->at + i);
        }
        struct buf name = {0};
        buf_printf(&name, loop->kind == LOOP_PARALLEL ? "program'%u" : "iteration'%u", l);
        vec_push(&s->iteration, int_symbol(s->in, buf_text(&name)));
        buf_release(&name);
    }
}

void symbolic_init(struct symbolic *s, const struct code_program *program, struct integers *in,
                   struct lterms *terms)
{
    *s = (struct symbolic){.program = program, .in = in, .terms = terms};
    intern_init(&s->keys);
    vec_push(&s->known, 0);
    vec_zero(&s->binding, program->node.len);
    vec_zero(&s->closed, program->carried.len + 1);
    bind_loops(s);
    for (uint32_t i = 0; i < program->parameter.len; i++)
        vec_push(&s->parameter, int_symbol(in, code_parameter_name(program, i)));
    for (uint32_t b = 0; b < program->branch.len; b++)
        for (uint32_t i = 0; i < program->branch.at[b].n; i++)
            bind(s, program->merged.at[program->branch.at[b].at + i].result, BIND_MERGED, b,
                 program->branch.at[b].at + i);
}

void symbolic_release(struct symbolic *s)
{
    ifacts_release(&s->facts);
    vec_release(&s->closed);
    vec_release(&s->binding);
    vec_release(&s->iteration);
    vec_release(&s->environment);
    vec_release(&s->parameter);
    intern_release(&s->keys);
    vec_release(&s->known);
}

void symbolic_range(struct symbolic *s, ipoly a, ipoly end)
{
    ifacts_push(&s->facts, a, NO_ORIGIN);
    ifacts_push(&s->facts, int_shift(s->in, int_subtract(s->in, end, a), -1), NO_ORIGIN);
}

ipoly symbolic_lane(struct symbolic *s, uint32_t axis)
{
    char name[] = "lane'0";
    name[5] = (char)('0' + axis);
    return int_symbol(s->in, name);
}

ipoly symbolic_iteration(struct symbolic *s)
{
    return int_symbol(s->in, "iteration'");
}

void symbolic_close(struct symbolic *s, uint32_t carried, struct closed closed)
{
    s->closed.at[carried] = closed;
    // What was computed with the state as an unknown does not hold any more.
    intern_release(&s->keys);
    intern_init(&s->keys);
    s->known.len = 1;
}

uint32_t symbolic_memory(struct symbolic *s, uint32_t n, const uint32_t *words)
{
    struct u32_vec key = {0};
    for (uint32_t i = 0; i < n; i++)
        vec_push(&key, words[i]);
    for (uint32_t i = 0; i < s->facts.at.len; i++)
        vec_push(&key, s->facts.at.at[i].poly);
    uint32_t id = intern_bytes(&s->keys, key.at, key.len * sizeof *key.at);
    vec_release(&key);
    while (s->known.len <= id)
        vec_push(&s->known, 0);
    return id;
}

// zero = 0 as x = poly for a parameter x with coefficient 1 or -1 that stands nowhere else in it.
static bool solve_for(struct symbolic *s, ipoly zero, uint32_t parameter)
{
    ipoly factor, rest, self = s->parameter.at[parameter];
    iatom atom;
    int64_t c;
    if (!int_is_atom(s->in, self, &atom) || int_atom(s->in, atom).kind != INT_SYMBOL ||
        !int_linear_in(s->in, zero, atom, &factor, &rest) || !int_is_constant(s->in, factor, &c) ||
        (c != 1 && c != -1))
        return false;
    ipoly equal = int_scale(s->in, rest, -c);
    // A sum in the place of a size would spoil the strides that it is part of.
    if (s->program->parameter.at[parameter].role != ROLE_GRID && int_length(s->in, equal) > 1)
        return false;
    struct int_substitution by = {1, &atom, &equal};
    for (uint32_t i = 0; i < s->parameter.len; i++)
        s->parameter.at[i] =
            int_simplify(s->in, &s->facts, int_substitute(s->in, s->parameter.at[i], &by));
    for (uint32_t i = 0; i < s->facts.at.len; i++)
        s->facts.at.at[i].poly = int_substitute(s->in, s->facts.at.at[i].poly, &by);
    return true;
}

// Uses the equation among the facts from `mark` on, if there is one: sizes of the grid first, the
// other parameters from the last one on.
static void solve_fact(struct symbolic *s, uint32_t mark)
{
    const struct code_program *p = s->program;
    if (s->facts.at.len != mark + 2)
        return;
    ipoly a = s->facts.at.at[mark].poly, b = s->facts.at.at[mark + 1].poly;
    if (int_add(s->in, a, b) != 0)
        return;
    for (int grid = 1; grid >= 0; grid--)
        for (uint32_t i = p->parameter.len; i-- > 0;)
            if (!p->parameter.at[i].array && (p->parameter.at[i].role == ROLE_GRID) == grid &&
                solve_for(s, a, i))
                return;
}

void symbolic_launch_facts(struct symbolic *s)
{
    const struct code_program *p = s->program;
    for (int round = 0; round < 2; round++)
        for (uint32_t i = 0; i < p->fact.len; i++) {
            uint32_t mark = ifacts_mark(&s->facts);
            lterm truth = symbolic_value(s, p->fact.at[i].condition, NULL);
            symbolic_assume(s, truth, i);
            if (round == 0)
                solve_fact(s, mark);
            // Nodes were computed with the parameter as a symbol.
            intern_release(&s->keys);
            intern_init(&s->keys);
            s->known.len = 1;
        }
}

ipoly symbolic_element(struct symbolic *s, uint32_t array, ipoly offset)
{
    ipoly name = int_symbol(s->in, code_parameter_name(s->program, array));
    return int_of_atom(s->in, INT_ELEMENT, name, offset);
}

lterm symbolic_bit(struct symbolic *s, lterm truth)
{
    lterm args[3] = {truth, lterm_number_of(s->terms, "1"), lterm_number_of(s->terms, "0")};
    return symbolic_apply(s, CODE_SELECT, 3, args);
}

lterm symbolic_stored(struct symbolic *s, uint32_t array, ipoly offset)
{
    if (s->program->parameter.at[array].type.kind == CODE_REAL)
        return lterm_make(s->terms, LT_READ, array, 1, &offset);
    if (s->program->parameter.at[array].type.kind == CODE_INT)
        return lterm_whole(s->terms, symbolic_element(s, array, offset));
    ipoly one_less = int_shift(s->in, symbolic_element(s, array, offset), -1);
    return symbolic_choose(s, one_less, lterm_truth(s->terms, true), lterm_truth(s->terms, false));
}

bool symbolic_integer(struct symbolic *s, code_value value, ipoly *out)
{
    lterm term = symbolic_value(s, value, NULL);
    if (lterm_kind(s->terms, term) != LT_WHOLE)
        return false;
    *out = lterm_arg(s->terms, term, 0);
    return true;
}

bool symbolic_variable(struct symbolic *s, uint32_t loop, ipoly iteration, ipoly *out)
{
    const struct code_loop *l = &s->program->loop.at[loop];
    ipoly lower, step;
    if (!symbolic_integer(s, l->lower, &lower) || !symbolic_integer(s, l->step, &step))
        return false;
    *out = int_add(s->in, lower, int_multiply(s->in, iteration, step));
    return true;
}

bool symbolic_trips(struct symbolic *s, uint32_t loop, ipoly *out)
{
    const struct code_loop *l = &s->program->loop.at[loop];
    ipoly lower, upper, step;
    int64_t one;
    if (!symbolic_integer(s, l->lower, &lower) || !symbolic_integer(s, l->upper, &upper) ||
        !symbolic_integer(s, l->step, &step) ||
        !int_prove(s->in, &s->facts, int_shift(s->in, step, -1)))
        return false;
    ipoly length = int_subtract(s->in, upper, lower);
    if (int_is_constant(s->in, step, &one) && one == 1) {
        *out = int_maximum(s->in, &s->facts, 0, length);
        return true;
    }
    ipoly up = int_shift(s->in, int_add(s->in, length, step), -1);
    // The quotient by Euclid is not positive if the length is not.
    ipoly trips = int_simplify(s->in, &s->facts, int_of_atom(s->in, INT_QUOTIENT, up, step));
    *out = int_maximum(s->in, &s->facts, 0, trips);
    return true;
}

ipoly symbolic_nicer(struct symbolic *s, ipoly a)
{
    struct u32_vec atoms = {0};
    bool quotient = false;
    int_atoms(s->in, a, &atoms);
    for (uint32_t i = 0; i < atoms.len; i++)
        quotient = quotient || int_atom(s->in, atoms.at[i]).kind == INT_QUOTIENT;
    for (uint32_t i = 0; quotient && i < atoms.len; i++) {
        ipoly self = int_atom_poly(s->in, atoms.at[i]);
        if (int_atom(s->in, atoms.at[i]).kind == INT_SYMBOL &&
            int_prove_zero(s->in, &s->facts, int_subtract(s->in, a, self))) {
            a = self;
            break;
        }
    }
    vec_release(&atoms);
    return a;
}
