// SPDX-License-Identifier: Apache-2.0
#include "integer/poly.h"

#include <assert.h>
#include <inttypes.h>

void integers_init(struct integers *in)
{
    *in = (struct integers){0};
    intern_init(&in->names);
    intern_init(&in->atoms);
    intern_init(&in->monos);
    intern_init(&in->polys);
    intern_init(&in->keys);
    intern_init(&in->pairs);
    vec_push(&in->product, 0); // of the empty pair
    vec_push(&in->answers, 0); // of the empty key
}

void integers_release(struct integers *in)
{
    intern_release(&in->names);
    intern_release(&in->atoms);
    intern_release(&in->monos);
    intern_release(&in->polys);
    intern_release(&in->keys);
    intern_release(&in->pairs);
    vec_release(&in->product);
    vec_release(&in->plain);
    for (uint32_t i = 0; i < in->symbols.len; i++)
        vec_release(&in->symbols.at[i]);
    vec_release(&in->symbols);
    vec_release(&in->answers);
    vec_release(&in->used);
    vec_release(&in->proving);
}

uint32_t int_length(const struct integers *in, ipoly a)
{
    return intern_len(&in->polys, a) / (uint32_t)sizeof(struct iterm);
}

struct iterm int_term(const struct integers *in, ipoly a, uint32_t i)
{
    assert(i < int_length(in, a));
    struct iterm term;
    memcpy(&term, intern_text(&in->polys, a) + i * sizeof term, sizeof term);
    return term;
}

uint32_t int_degree(const struct integers *in, imono mono)
{
    return intern_len(&in->monos, mono) / (uint32_t)sizeof(iatom);
}

iatom int_factor(const struct integers *in, imono mono, uint32_t i)
{
    iatom atom;
    memcpy(&atom, intern_text(&in->monos, mono) + i * sizeof atom, sizeof atom);
    return atom;
}

struct iatom_node int_atom(const struct integers *in, iatom atom)
{
    struct iatom_node node;
    memcpy(&node, intern_text(&in->atoms, atom), sizeof node);
    return node;
}

const char *int_atom_name(const struct integers *in, iatom atom)
{
    return intern_text(&in->names, int_atom(in, atom).name);
}

// ---- making ----

typedef VEC(struct iterm) iterm_vec;

static ipoly keep(struct integers *in, const iterm_vec *terms)
{
    return intern_bytes(&in->polys, terms->at, terms->len * sizeof *terms->at);
}

ipoly int_constant(struct integers *in, int64_t value)
{
    struct iterm term = {value, 0};
    return value ? intern_bytes(&in->polys, &term, sizeof term) : 0;
}

ipoly int_mono_poly(struct integers *in, imono mono)
{
    struct iterm term = {1, mono};
    return intern_bytes(&in->polys, &term, sizeof term);
}

ipoly int_atom_poly(struct integers *in, iatom atom)
{
    return int_mono_poly(in, intern_bytes(&in->monos, &atom, sizeof atom));
}

static ipoly atom_made(struct integers *in, struct iatom_node node)
{
    return int_atom_poly(in, intern_bytes(&in->atoms, &node, sizeof node));
}

ipoly int_symbol(struct integers *in, const char *name)
{
    return atom_made(in, (struct iatom_node){INT_SYMBOL, intern_str(&in->names, name), 0, 0});
}

ipoly int_fresh(struct integers *in, const char *hint)
{
    struct buf name = {0};
    buf_printf(&name, "%s'%" PRIu32, hint, in->fresh++);
    ipoly made = int_symbol(in, buf_text(&name));
    buf_release(&name);
    return made;
}

ipoly int_of_atom(struct integers *in, enum iatom_kind kind, ipoly a, ipoly b)
{
    assert(kind != INT_SYMBOL);
    if ((kind == INT_MINIMUM || kind == INT_MAXIMUM) && a > b) {
        ipoly swap = a;
        a = b, b = swap;
    }
    return atom_made(in, (struct iatom_node){kind, 0, a, b});
}

// Appends c * mono; a coefficient 0 vanishes.  False: overflow.
static bool append(iterm_vec *out, wide c, imono mono)
{
    if (c > INT64_MAX / 2 || c < -(INT64_MAX / 2))
        return false;
    if (c)
        vec_push(out, ((struct iterm){(int64_t)c, mono}));
    return true;
}

static bool sum(struct integers *in, ipoly a, ipoly b, int64_t factor, iterm_vec *out)
{
    uint32_t i = 0, j = 0, n = int_length(in, a), m = int_length(in, b);
    while (i < n || j < m) {
        struct iterm x = i < n ? int_term(in, a, i) : (struct iterm){0, UINT64_MAX};
        struct iterm y = j < m ? int_term(in, b, j) : (struct iterm){0, UINT64_MAX};
        wide c = 0;
        uint64_t mono = x.mono < y.mono ? x.mono : y.mono;
        if (x.mono == mono)
            c += x.coefficient, i++;
        if (y.mono == mono)
            c += (wide)y.coefficient * factor, j++;
        if (!append(out, c, (imono)mono))
            return false;
    }
    return true;
}

static ipoly add_scaled(struct integers *in, ipoly a, ipoly b, int64_t factor)
{
    iterm_vec out = {0};
    ipoly made = sum(in, a, b, factor, &out) ? keep(in, &out) : int_fresh(in, "overflow");
    vec_release(&out);
    return made;
}

ipoly int_add(struct integers *in, ipoly a, ipoly b)
{
    return add_scaled(in, a, b, 1);
}

ipoly int_subtract(struct integers *in, ipoly a, ipoly b)
{
    return a == b ? 0 : add_scaled(in, a, b, -1);
}

ipoly int_scale(struct integers *in, ipoly a, int64_t factor)
{
    return add_scaled(in, 0, a, factor);
}

ipoly int_shift(struct integers *in, ipoly a, int64_t by)
{
    return int_add(in, a, int_constant(in, by));
}

static bool mono_product(struct integers *in, imono a, imono b, imono *out)
{
    uint32_t n = int_degree(in, a), m = int_degree(in, b), i = 0, j = 0;
    iatom factors[INTEGER_DEGREE];
    if (n + m > INTEGER_DEGREE)
        return false;
    while (i < n || j < m) {
        bool left = j >= m || (i < n && int_factor(in, a, i) <= int_factor(in, b, j));
        factors[i + j] = left ? int_factor(in, a, i) : int_factor(in, b, j);
        left ? i++ : j++;
    }
    *out = intern_bytes(&in->monos, factors, (n + m) * sizeof *factors);
    return true;
}

static ipoly times_term(struct integers *in, ipoly a, struct iterm by, bool *ok)
{
    ipoly out = 0;
    for (uint32_t i = 0; i < int_length(in, a) && *ok; i++) {
        struct iterm x = int_term(in, a, i);
        iterm_vec one = {0};
        imono mono = 0;
        *ok = mono_product(in, (imono)x.mono, (imono)by.mono, &mono) &&
              append(&one, (wide)x.coefficient * by.coefficient, mono);
        if (*ok)
            out = int_add(in, out, keep(in, &one));
        vec_release(&one);
    }
    return out;
}

ipoly int_multiply(struct integers *in, ipoly a, ipoly b)
{
    ipoly pair[2] = {a < b ? a : b, a < b ? b : a}, out = 0;
    bool ok = true;
    if (a == 0 || b == 0)
        return 0;
    uint32_t key = intern_bytes(&in->pairs, pair, sizeof pair);
    if (key < in->product.len)
        return in->product.at[key];
    for (uint32_t i = 0; i < int_length(in, b) && ok; i++)
        out = int_add(in, out, times_term(in, a, int_term(in, b, i), &ok));
    out = ok ? out : int_fresh(in, "overflow");
    vec_push(&in->product, out);
    return out;
}

// ---- asking ----

bool int_is_constant(const struct integers *in, ipoly a, int64_t *value)
{
    if (a == 0)
        return *value = 0, true;
    if (int_length(in, a) != 1 || int_term(in, a, 0).mono != 0)
        return false;
    return *value = int_term(in, a, 0).coefficient, true;
}

bool int_is_atom(const struct integers *in, ipoly a, iatom *out)
{
    if (int_length(in, a) != 1)
        return false;
    struct iterm term = int_term(in, a, 0);
    if (term.coefficient != 1 || int_degree(in, (imono)term.mono) != 1)
        return false;
    return *out = int_factor(in, (imono)term.mono, 0), true;
}

static bool has(const struct u32_vec *set, uint32_t x)
{
    for (uint32_t i = 0; i < set->len; i++)
        if (set->at[i] == x)
            return true;
    return false;
}

void int_atoms(const struct integers *in, ipoly a, struct u32_vec *out)
{
    for (uint32_t i = 0; i < int_length(in, a); i++) {
        imono mono = (imono)int_term(in, a, i).mono;
        for (uint32_t k = 0; k < int_degree(in, mono); k++) {
            iatom atom = int_factor(in, mono, k);
            if (has(out, atom))
                continue;
            struct iatom_node node = int_atom(in, atom);
            if (node.kind != INT_SYMBOL) {
                int_atoms(in, node.a, out);
                int_atoms(in, node.b, out);
            }
            vec_push(out, atom);
        }
    }
}

const struct u32_vec *int_symbols(struct integers *in, ipoly a)
{
    while (in->symbols.len <= a)
        vec_push(&in->symbols, (struct u32_vec){0});
    struct u32_vec *out = &in->symbols.at[a];
    if (out->len)
        return out;
    struct u32_vec atoms = {0};
    int_atoms(in, a, &atoms);
    for (uint32_t i = 0; i < atoms.len; i++)
        if (int_atom(in, atoms.at[i]).kind == INT_SYMBOL)
            vec_push(out, atoms.at[i]);
    vec_release(&atoms);
    return out;
}

bool int_mentions(const struct integers *in, ipoly a, iatom symbol)
{
    struct u32_vec all = {0};
    int_atoms(in, a, &all);
    bool found = has(&all, symbol);
    vec_release(&all);
    return found;
}

// The monomial without one factor `atom`; false if it has none.
static bool without(struct integers *in, imono mono, iatom atom, imono *out)
{
    iatom factors[INTEGER_DEGREE];
    uint32_t n = int_degree(in, mono), m = 0;
    bool found = false;
    for (uint32_t i = 0; i < n; i++) {
        iatom factor = int_factor(in, mono, i);
        if (factor == atom && !found)
            found = true;
        else
            factors[m++] = factor;
    }
    *out = intern_bytes(&in->monos, factors, m * sizeof *factors);
    return found;
}

bool int_linear_in(struct integers *in, ipoly a, iatom symbol, ipoly *factor, ipoly *rest)
{
    *factor = *rest = 0;
    for (uint32_t i = 0; i < int_length(in, a); i++) {
        struct iterm term = int_term(in, a, i);
        imono left;
        bool found = without(in, (imono)term.mono, symbol, &left);
        ipoly part = int_scale(in, int_mono_poly(in, left), term.coefficient);
        if (found)
            *factor = int_add(in, *factor, part);
        else
            *rest = int_add(in, *rest, part);
    }
    return *factor && !int_mentions(in, *factor, symbol) && !int_mentions(in, *rest, symbol);
}

// ---- substituting ----

static ipoly atom_substituted(struct integers *in, iatom atom, const struct int_substitution *by)
{
    struct iatom_node node = int_atom(in, atom);
    for (uint32_t i = 0; i < by->n; i++)
        if (by->from[i] == atom)
            return by->to[i];
    if (node.kind == INT_SYMBOL)
        return int_atom_poly(in, atom);
    ipoly a = int_substitute(in, node.a, by), b = int_substitute(in, node.b, by);
    return int_of_atom(in, node.kind, a, b);
}

ipoly int_substitute(struct integers *in, ipoly a, const struct int_substitution *by)
{
    ipoly out = 0;
    for (uint32_t i = 0; i < int_length(in, a); i++) {
        struct iterm term = int_term(in, a, i);
        ipoly product = int_constant(in, term.coefficient);
        for (uint32_t k = 0; k < int_degree(in, (imono)term.mono); k++)
            product = int_multiply(in, product,
                                   atom_substituted(in, int_factor(in, (imono)term.mono, k), by));
        out = int_add(in, out, product);
    }
    return out;
}

static ipoly atom_without_remainders(struct integers *in, iatom atom)
{
    struct iatom_node node = int_atom(in, atom);
    if (node.kind == INT_SYMBOL)
        return int_atom_poly(in, atom);
    ipoly a = int_without_remainders(in, node.a), b = int_without_remainders(in, node.b);
    if (node.kind != INT_REMAINDER)
        return int_of_atom(in, node.kind, a, b);
    return int_subtract(in, a, int_multiply(in, b, int_of_atom(in, INT_QUOTIENT, a, b)));
}

static ipoly without_remainders(struct integers *in, ipoly a)
{
    ipoly out = 0;
    for (uint32_t i = 0; i < int_length(in, a); i++) {
        struct iterm term = int_term(in, a, i);
        ipoly product = int_constant(in, term.coefficient);
        for (uint32_t k = 0; k < int_degree(in, (imono)term.mono); k++)
            product = int_multiply(
                in, product, atom_without_remainders(in, int_factor(in, (imono)term.mono, k)));
        out = int_add(in, out, product);
    }
    return out;
}

ipoly int_without_remainders(struct integers *in, ipoly a)
{
    while (in->plain.len <= a)
        vec_push(&in->plain, 0);
    if (in->plain.at[a] == 0) {
        ipoly made = without_remainders(in, a);
        in->plain.at[a] = made + 1;
    }
    return in->plain.at[a] - 1;
}
