// SPDX-License-Identifier: Apache-2.0
// Elements of tensors: which one an address is, and which of them are apart.
#include "proof/kernel/steps.h"

static bool in_range(struct symbolic *s, ipoly a, ipoly end)
{
    return int_prove(s->in, &s->facts, a) && int_prove_below(s->in, &s->facts, a, end);
}

static bool same(struct symbolic *s, ipoly a, ipoly b)
{
    ipoly difference = int_subtract(s->in, a, b);
    return int_prove_zero(s->in, &s->facts, int_simplify(s->in, &s->facts, difference));
}

// Terms of the address that the stride divides, divided by it.
static ipoly part_of(struct symbolic *s, ipoly address, ipoly stride)
{
    ipoly index = 0;
    int64_t c;
    if (int_is_constant(s->in, stride, &c)) {
        for (uint32_t i = 0; c && i < int_length(s->in, address); i++) {
            struct iterm term = int_term(s->in, address, i);
            if (term.coefficient % c == 0)
                index = int_add(
                    s->in, index,
                    int_scale(s->in, int_mono_poly(s->in, (imono)term.mono), term.coefficient / c));
        }
        return index;
    }
    // A number times a product of atoms: take each out of the terms that have it.
    if (int_length(s->in, stride) != 1)
        return 0;
    ipoly number = int_constant(s->in, int_term(s->in, stride, 0).coefficient);
    imono mono = (imono)int_term(s->in, stride, 0).mono;
    index = address;
    for (uint32_t k = 0; k < int_degree(s->in, mono); k++) {
        ipoly factor, rest;
        int_linear_in(s->in, index, int_factor(s->in, mono, k), &factor, &rest);
        index = factor;
    }
    return int_is_constant(s->in, number, &c) && c == 1 ? index : part_of(s, index, number);
}

bool element_of(struct symbolic *s, ipoly address, ipoly base, uint32_t n, const ipoly *stride,
                const ipoly *extent, ipoly *index)
{
    ipoly left = int_subtract(s->in, address, base);
    for (uint32_t d = 0; d < n; d++) {
        index[d] = part_of(s, left, stride[d]);
        left = int_subtract(s->in, left, int_multiply(s->in, stride[d], index[d]));
        if (!in_range(s, index[d], extent[d]))
            return false;
    }
    return left == 0 || same(s, left, 0);
}

// ---- bases over indices ----

enum { MOST_SHARED = 6 }; // terms that two axes share

struct unifier {
    struct symbolic *s;
    uint32_t n;
    iatom place[OUTPUT_AXES]; // index'i
    ipoly index[OUTPUT_AXES];
    bool known[OUTPUT_AXES];
};

static ipoly with_known(struct unifier *u, ipoly a)
{
    iatom from[OUTPUT_AXES];
    ipoly to[OUTPUT_AXES];
    uint32_t n = 0;
    for (uint32_t i = 0; i < u->n; i++)
        if (u->known[i])
            from[n] = u->place[i], to[n++] = u->index[i];
    struct int_substitution by = {n, from, to};
    return int_substitute(u->s->in, a, &by);
}

static bool has_unknown(struct unifier *u, ipoly a)
{
    for (uint32_t i = 0; i < u->n; i++)
        if (!u->known[i] && int_mentions(u->s->in, a, u->place[i]))
            return true;
    return false;
}

static void unify(struct unifier *u, ipoly pattern, ipoly address);

// An atom of the pattern with unknown indices inside, against those of its kind.
static bool unify_atom(struct unifier *u, iatom atom, ipoly address)
{
    struct iatom_node node = int_atom(u->s->in, atom);
    struct u32_vec atoms = {0};
    bool found = false;
    int_atoms(u->s->in, address, &atoms);
    for (uint32_t i = 0; i < atoms.len && !found; i++) {
        struct iatom_node other = int_atom(u->s->in, atoms.at[i]);
        if (other.kind != node.kind || node.kind == INT_SYMBOL || other.b == 0)
            continue;
        if (node.kind == INT_ELEMENT && node.a == other.a)
            unify(u, node.b, other.b), found = true;
        else if (node.kind != INT_ELEMENT && node.b == other.b)
            unify(u, node.a, other.a), found = true;
    }
    vec_release(&atoms);
    return found;
}

// Is a known to be the larger stride?  Symbols are above numbers, a multiple above what it is of.
static bool before(struct integers *in, ipoly a, ipoly b)
{
    int64_t x, y;
    if (int_is_constant(in, b, &y))
        return !int_is_constant(in, a, &x) || x > y;
    if (int_length(in, a) != 1 || int_length(in, b) != 1)
        return false;
    struct iterm s = int_term(in, a, 0), t = int_term(in, b, 0);
    return s.mono == t.mono && s.coefficient > t.coefficient;
}

// Of a minimum with an unknown index in one operand, that operand.
static ipoly without_minimum(struct unifier *u, ipoly pattern, iatom atom)
{
    struct iatom_node node = int_atom(u->s->in, atom);
    bool a = has_unknown(u, node.a), b = has_unknown(u, node.b);
    struct int_substitution by = {1, &atom, a ? &node.a : &node.b};
    return a == b ? pattern : int_substitute(u->s->in, pattern, &by);
}

// Guesses the unknown indices; the caller verifies them.
static void unify(struct unifier *u, ipoly pattern, ipoly address)
{
    struct integers *in = u->s->in;
    struct u32_vec atoms = {0};
    int_atoms(in, pattern, &atoms);
    for (uint32_t i = 0; i < atoms.len; i++) {
        ipoly self = with_known(u, int_atom_poly(in, atoms.at[i]));
        iatom atom;
        if (!int_is_atom(in, self, &atom) || int_atom(in, atom).kind == INT_SYMBOL ||
            !has_unknown(u, self))
            continue;
        if (!unify_atom(u, atom, address) && int_atom(in, atom).kind == INT_MINIMUM)
            pattern = without_minimum(u, with_known(u, pattern), atom);
    }
    vec_release(&atoms);
    pattern = with_known(u, pattern);
    ipoly left = int_simplify(in, &u->s->facts, int_subtract(in, address, pattern));
    ipoly stride[OUTPUT_AXES], rest;
    for (uint32_t i = 0; i < u->n; i++) {
        stride[i] = 0;
        if (!u->known[i] && int_linear_in(in, left, u->place[i], &stride[i], &rest))
            left = rest, stride[i] = int_scale(in, stride[i], -1);
    }
    // Large strides first: products of symbols, symbols, numbers in descending order.
    for (uint32_t round = 0; round < u->n; round++) {
        uint32_t best = OUTPUT_AXES;
        for (uint32_t i = 0; i < u->n; i++) {
            if (u->known[i] || stride[i] == 0)
                continue;
            if (best == OUTPUT_AXES || before(in, stride[i], stride[best]))
                best = i;
        }
        if (best == OUTPUT_AXES)
            return;
        u->index[best] = part_of(u->s, left, stride[best]);
        u->known[best] = true;
        left = int_subtract(in, left, int_multiply(in, stride[best], u->index[best]));
    }
}

// One of the axes has its first or its last index, the other one the rest.
static bool share_at_end(struct unifier *u, uint32_t i, uint32_t k, const ipoly *extent)
{
    struct integers *in = u->s->in;
    ipoly both = int_add(in, u->index[i], u->index[k]);
    for (int last = 0; last < 2; last++) {
        ipoly part = last ? int_shift(in, extent[k], -1) : 0;
        ipoly rest = int_subtract(in, both, part);
        if (!in_range(u->s, rest, extent[i]) || !in_range(u->s, part, extent[k]))
            continue;
        u->index[i] = rest, u->index[k] = part;
        return true;
    }
    return false;
}

// Axis k has the part, or its last index where the part is not below the extent; axis i the rest.
static bool share_as(struct unifier *u, uint32_t i, uint32_t k, ipoly both, ipoly part,
                     const ipoly *extent)
{
    struct integers *in = u->s->in;
    ipoly last = int_shift(in, extent[k], -1);
    for (int clamped = 0; clamped < 2; clamped++) {
        ipoly here = clamped ? int_minimum(in, &u->s->facts, part, last) : part;
        ipoly rest = int_subtract(in, both, here);
        if (!in_range(u->s, here, extent[k]) || !in_range(u->s, rest, extent[i]))
            continue;
        u->index[i] = rest, u->index[k] = here;
        return true;
    }
    return false;
}

// Two axes with one stride, as those of a convolution, share the terms of their sum in some way:
// guesses the first one that is in range.
static void share_terms(struct unifier *u, uint32_t i, uint32_t k, const ipoly *extent)
{
    struct integers *in = u->s->in;
    ipoly both = int_add(in, u->index[i], u->index[k]);
    uint32_t n = int_length(in, both);
    if (share_at_end(u, i, k, extent) || share_at_end(u, k, i, extent))
        return;
    for (uint32_t set = 0; n <= MOST_SHARED && set < 1u << n; set++) {
        ipoly part = 0;
        for (uint32_t t = 0; t < n; t++)
            if (set >> t & 1) {
                struct iterm term = int_term(in, both, t);
                part = int_add(
                    in, part, int_scale(in, int_mono_poly(in, (imono)term.mono), term.coefficient));
            }
        if (share_as(u, i, k, both, part, extent) || share_as(u, k, i, both, part, extent))
            return;
    }
}

static bool all_in_range(struct unifier *u, const ipoly *extent)
{
    for (uint32_t i = 0; i < u->n; i++)
        if (!u->known[i] || !in_range(u->s, u->index[i], extent[i]))
            return false;
    return true;
}

bool element_of_tensor(struct symbolic *s, ipoly address, const struct written_tensor *tensor,
                       const ipoly *extent, const ipoly *known)
{
    struct unifier u = {.s = s, .n = tensor->n};
    ipoly pattern = tensor->base;
    for (uint32_t i = 0; i < tensor->n; i++) {
        char name[] = "index'0";
        name[6] = (char)('0' + i);
        ipoly place = int_symbol(s->in, name);
        int_is_atom(s->in, place, &u.place[i]);
        u.known[i] = known != NULL && known[i] != NO_POLY;
        u.index[i] = u.known[i] ? known[i] : 0;
        pattern = int_add(s->in, pattern, int_multiply(s->in, tensor->stride[i], place));
    }
    unify(&u, pattern, address);
    for (uint32_t i = 0; i < tensor->n && !all_in_range(&u, extent); i++)
        for (uint32_t k = i + 1; k < tensor->n; k++)
            if (u.known[i] && u.known[k] && tensor->stride[i] &&
                tensor->stride[i] == tensor->stride[k])
                share_terms(&u, i, k, extent);
    return all_in_range(&u, extent) && same(s, with_known(&u, pattern), address);
}

// ---- distinct and disjoint ----

bool strides_nest(struct symbolic *s, uint32_t n, const ipoly *stride, const ipoly *extent)
{
    for (uint32_t d = 0; d < n; d++) {
        ipoly most = 0;
        for (uint32_t e = d + 1; e < n; e++)
            most = int_add(s->in, most,
                           int_multiply(s->in, stride[e], int_shift(s->in, extent[e], -1)));
        if (!int_prove_less(s->in, &s->facts, most, stride[d]) ||
            !int_prove(s->in, &s->facts, int_shift(s->in, stride[d], -1)))
            return false;
    }
    return true;
}

void distinct_text(struct symbolic *s, const char *array, uint32_t n, const ipoly *stride,
                   const ipoly *extent, const struct claim_output *names, struct buf *out)
{
    buf_printf(out, "elements of %s at distinct addresses: ", array);
    for (uint32_t d = 0; d < n; d++) {
        buf_puts(out, d ? " + " : "");
        buf_puts(out, "(");
        int_print(s->in, stride[d], out);
        buf_printf(out, ")*%s", d < names->n_axes ? names->axis.at[d].name : "part");
    }
    buf_puts(out, " for");
    for (uint32_t d = 0; d < n; d++) {
        buf_printf(out, "%s %s < ", d ? "," : "",
                   d < names->n_axes ? names->axis.at[d].name : "part");
        int_print(s->in, extent[d], out);
    }
}

// Both are in the box with these strides and extents: a at index `place` of axis d and above, b
// from 0 on.
static bool apart_along(struct symbolic *s, uint32_t d, ipoly place, const struct claim_output *a,
                        ipoly extent_b, ipoly *extent)
{
    ipoly extent_a = d < a->n_axes ? a->extent[d] : int_constant(s->in, 1);
    if (!int_prove_less_equal(s->in, &s->facts, extent_b, place))
        return false;
    extent[d] = int_add(s->in, place, extent_a);
    return true;
}

static bool disjoint_above(struct symbolic *s, const struct claim_output *a,
                           const struct claim_output *b, const char *array, struct buf *need)
{
    ipoly stride[OUTPUT_AXES + 1], extent[OUTPUT_AXES + 1], index[1], one = int_constant(s->in, 1);
    ipoly difference = int_subtract(s->in, a->base, b->base);
    uint32_t n = a->n_axes;
    for (uint32_t d = 0; d < n; d++) {
        stride[d] = a->stride[d], extent[d] = a->extent[d];
        if (a->stride[d] != b->stride[d])
            return false;
        if (!int_prove_less_equal(s->in, &s->facts, b->extent[d], extent[d])) {
            if (!int_prove_less_equal(s->in, &s->facts, extent[d], b->extent[d]))
                return false;
            extent[d] = b->extent[d];
        }
    }
    bool found = false;
    for (uint32_t d = 0; d < n && !found; d++) {
        index[0] = part_of(s, difference, stride[d]);
        if (int_multiply(s->in, index[0], stride[d]) == difference)
            found = apart_along(s, d, index[0], a, b->extent[d], extent);
    }
    // An axis of its own, of stride 1.
    if (!found) {
        stride[n] = one;
        found = apart_along(s, n, difference, a, one, extent);
        n += found;
    }
    if (found && !strides_nest(s, n, stride, extent))
        distinct_text(s, array, n, stride, extent, a, need);
    return found;
}

bool outputs_disjoint(struct symbolic *s, const struct claim_output *a,
                      const struct claim_output *b, const char *array, struct buf *need)
{
    return a->n_axes == b->n_axes &&
           (disjoint_above(s, a, b, array, need) || disjoint_above(s, b, a, array, need));
}
