// SPDX-License-Identifier: Apache-2.0
// What a program reads: elements of the formulas' tensors, before they are written.
#include "proof/kernel/checking.h"
#include "loops/written/place.h"

static void add_need(struct checking *c, const char *text)
{
    struct kernel_checked *of = c->list.of;
    for (uint32_t i = 0; i < of->needs.len; i++)
        if (strcmp(of->needs.at[i], text) == 0)
            return;
    vec_push(&of->needs, arena_strdup(&c->out->mem, text));
}

enum lanes {
    LANES_FIRST,   // the first one
    LANES_LEADING, // those of the read, the first axes being the same
    LANES_LAST,    // the last axes being the same: of a fold over the first one
    N_LANES,
};

// An index of an output at the iterations and lanes that read: of one of the elements whose value
// the read may be for.  The caller verifies what it makes of it.
static ipoly index_of_reader(struct checking *c, const struct writes *r,
                             const struct claim_output *o, ipoly index, enum lanes lanes)
{
    uint32_t loops = c->around.at[o - c->claim->outputs.at].n;
    uint32_t later =
        lanes == LANES_LAST && r->n_members > o->n_members ? r->n_members - o->n_members : 0;
    struct integers *in = c->s->in;
    iatom from[OUTPUT_MEMBERS];
    ipoly to[OUTPUT_MEMBERS];
    for (uint32_t i = 0; i < OUTPUT_MEMBERS; i++) {
        struct buf name = {0};
        buf_printf(&name, "member'%u", i);
        int_is_atom(in, int_symbol(in, buf_text(&name)), &from[i]);
        buf_release(&name);
        uint32_t at = i < loops ? i : i + later;
        bool same = i < r->n_parallel || (lanes != LANES_FIRST && at < r->n_members);
        to[i] = same ? r->member[i < r->n_parallel ? i : at] : 0;
    }
    // At once: symbols of the read's lanes have such names, too.
    struct int_substitution by = {OUTPUT_MEMBERS, from, to};
    return int_substitute(in, index, &by);
}

static bool mentions_place(struct integers *in, ipoly base, uint32_t d)
{
    char name[] = "index'0";
    iatom place;
    name[6] = (char)('0' + d);
    int_is_atom(in, int_symbol(in, name), &place);
    return int_mentions(in, base, place);
}

// Is the read that of an integer that the tensor's address holds?
static bool is_read_of_index(struct checking *c, const struct writes *r,
                             const struct claim_output *o, const struct written_tensor *t)
{
    struct integers *in = c->s->in;
    struct u32_vec atoms = {0};
    ipoly array = int_symbol(in, code_parameter_name(c->s->program, r->statement->array));
    ipoly extent[OUTPUT_AXES], known[OUTPUT_AXES];
    bool found = false;
    for (uint32_t d = 0; d < t->n; d++)
        extent[d] = o->axis.at[t->axis[d]].size;
    int_atoms(in, t->base, &atoms);
    for (uint32_t i = 0; i < atoms.len && !found; i++) {
        struct iatom_node node = int_atom(in, atoms.at[i]);
        if (node.kind != INT_ELEMENT || node.a != array)
            continue;
        struct written_tensor index = {.array = r->statement->array, .n = t->n, .base = node.b};
        for (int way = 0; way < 3 && !found; way++) {
            for (uint32_t d = 0; d < t->n; d++)
                known[d] = way && t->axis[d] < o->n_axes
                               ? index_of_reader(c, r, o, o->index[t->axis[d]],
                                                 way > 1 ? LANES_LEADING : LANES_FIRST)
                           : mentions_place(in, node.b, d) ? NO_POLY
                                                           : 0; // may be any
            found = element_of_tensor(c->s, r->address, &index, extent, known);
        }
    }
    vec_release(&atoms);
    return found;
}

static bool is_read_of_tensor(struct checking *c, const struct writes *r,
                              const struct claim_output *o, const struct written_tensor *t)
{
    ipoly extent[OUTPUT_AXES], known[OUTPUT_AXES];
    if (t->array != r->statement->array)
        return is_read_of_index(c, r, o, t);
    for (uint32_t d = 0; d < t->n; d++) {
        extent[d] = o->axis.at[t->axis[d]].size;
    }
    if (element_of_tensor(c->s, r->address, t, extent, NULL))
        return true;
    for (int lanes = 0; lanes < N_LANES; lanes++) {
        for (uint32_t d = 0; d < t->n; d++)
            known[d] = t->axis[d] < o->n_axes
                           ? index_of_reader(c, r, o, o->index[t->axis[d]], (enum lanes)lanes)
                           : NO_POLY;
        if (element_of_tensor(c->s, r->address, t, extent, known))
            return true;
    }
    return false;
}

// Tensors count if a formula names them: others say nothing to a reader of the result.
static bool is_read_of_any(struct checking *c, const struct writes *r)
{
    for (uint32_t k = 0; k < c->claim->outputs.len; k++) {
        const struct claim_output *o = &c->claim->outputs.at[k];
        for (uint32_t i = 0; i < o->tensor.len && i < 64; i++)
            if ((c->used.at[k] >> i & 1) && is_read_of_tensor(c, r, o, &o->tensor.at[i]))
                return true;
    }
    return false;
}

static bool holds_element(struct integers *in, ipoly address)
{
    struct u32_vec atoms = {0};
    bool found = false;
    int_atoms(in, address, &atoms);
    for (uint32_t i = 0; i < atoms.len && !found; i++)
        found = int_atom(in, atoms.at[i]).kind == INT_ELEMENT;
    vec_release(&atoms);
    return found;
}

// Elements of the tensors that the formula names are in their arrays.
// Are the tensor's elements those that integers of an array point to?  That the whole address, not
// the integers alone, is one of the array is a need.
static bool is_gathered(struct checking *c, const struct claim_output *o,
                        const struct written_tensor *t)
{
    if (!holds_element(c->s->in, t->base))
        return false;
    struct written_place place = {t->n, t->base, t->stride, t->axis, o->axis.at};
    const char *array = code_parameter_name(c->s->program, t->array);
    struct buf text = {0};
    buf_printf(&text, "%s[", array);
    written_put_place(c->s->in, &place, &text);
    buf_printf(&text, "] is an element of %s", array);
    add_need(c, buf_text(&text));
    buf_release(&text);
    return true;
}

// Products of numbers that are not negative are not, of however many.
static bool not_negative(struct symbolic *s, ipoly a)
{
    ipoly left = a;
    if (int_prove(s->in, &s->facts, a))
        return true;
    for (uint32_t i = 0; i < int_length(s->in, a); i++) {
        struct iterm term = int_term(s->in, a, i);
        uint32_t n = int_degree(s->in, (imono)term.mono), k = 0;
        while (term.coefficient > 0 && k < n &&
               int_prove(s->in, &s->facts,
                         int_atom_poly(s->in, int_factor(s->in, (imono)term.mono, k))))
            k++;
        if (k == n && n > 2)
            left = int_subtract(
                s->in, left,
                int_scale(s->in, int_mono_poly(s->in, (imono)term.mono), term.coefficient));
    }
    return left != a && int_prove(s->in, &s->facts, left);
}

// Is every element that the formula's value reads, under the conditions on indices that it is read
// under, not in front of its array?
static bool reads_inside(struct checking *c, lterm term)
{
    struct symbolic *s = c->s;
    enum lterm_kind kind = lterm_kind(s->terms, term);
    uint32_t mark = ifacts_mark(&s->facts);
    bool holds = true;
    if (kind == LT_READ)
        return not_negative(s, lterm_arg(s->terms, term, 0));
    if (kind == LT_REDUCE) {
        struct lreduce open;
        lterm_open(s->terms, term, &open);
        symbolic_range(s, open.index, open.end);
        for (uint32_t i = 0; i < open.guards.len; i++)
            ifacts_push(&s->facts, open.guards.at[i], NO_ORIGIN);
        holds = reads_inside(c, open.body);
        lreduce_release(&open);
    } else if (kind == LT_CHOOSE) {
        ipoly p = lterm_arg(s->terms, term, 0);
        ifacts_push(&s->facts, p, NO_ORIGIN);
        holds = reads_inside(c, lterm_arg(s->terms, term, 1));
        ifacts_pop(&s->facts, mark);
        ifacts_push(&s->facts, int_shift(s->in, int_scale(s->in, p, -1), -1), NO_ORIGIN);
        holds = holds && reads_inside(c, lterm_arg(s->terms, term, 2));
    } else if (kind == LT_APPLY) {
        for (uint32_t i = 0; i < lterm_n(s->terms, term) && holds; i++)
            holds = reads_inside(c, lterm_arg(s->terms, term, i));
    } else {
        holds = kind == LT_NUMBER || kind == LT_PARAMETER || kind == LT_TRUTH;
    }
    ifacts_pop(&s->facts, mark);
    return holds;
}

static bool value_reads_inside(struct checking *c, const struct claim_output *o)
{
    uint32_t mark = ifacts_mark(&c->s->facts);
    ipoly at[OUTPUT_AXES];
    for (uint32_t d = 0; d < o->n_axes; d++) {
        at[d] = int_fresh(c->s->in, "element");
        symbolic_range(c->s, at[d], o->extent[d]);
    }
    bool holds = reads_inside(c, denote(c->s, o, at, NULL));
    ifacts_pop(&c->s->facts, mark);
    return holds;
}

void check_tensors(struct checking *c, struct code_place place)
{
    const struct claim_output *o = c->output;
    uint64_t used = c->used.at[o - c->claim->outputs.at];
    bool holds = o->tensor.len <= 64;
    for (uint32_t i = 0; i < o->tensor.len && holds; i++) {
        const struct written_tensor *t = &o->tensor.at[i];
        ipoly extent[OUTPUT_AXES];
        for (uint32_t d = 0; d < t->n; d++)
            extent[d] = o->axis.at[t->axis[d]].size;
        holds = !(used >> i & 1) || t->array == NO_CODE || is_gathered(c, o, t) ||
                not_before(c->s, t->base, t->n, t->stride, extent);
    }
    holds = holds || (o->tensor.len <= 64 && value_reads_inside(c, o));
    obligation(&c->list, "bounds", "no element of a tensor lies in front of its array", holds,
               place);
}

void find_used(struct checking *c)
{
    for (uint32_t k = 0; k < c->claim->outputs.len; k++) {
        ipoly at[OUTPUT_AXES];
        uint64_t used = 0;
        for (uint32_t d = 0; d < c->claim->outputs.at[k].n_axes; d++)
            at[d] = int_fresh(c->s->in, "element");
        denote(c->s, &c->claim->outputs.at[k], at, &used);
        vec_push(&c->used, used);
    }
}

static bool note_around(void *ctx, struct symbolic *s, const struct code_statement *statement,
                        uint32_t n_loops, const uint32_t *loops, const char *reason)
{
    struct checking *c = ctx;
    (void)reason;
    for (uint32_t k = 0; k < c->claim->outputs.len; k++) {
        struct loops_around *around = &c->around.at[k];
        if (&s->program->statement.at[c->claim->outputs.at[k].statement] != statement)
            continue;
        for (uint32_t i = 0; i < n_loops && i < OUTPUT_MEMBERS; i++)
            around->loop[around->n++] = loops[i];
    }
    return true;
}

void find_around(struct checking *c)
{
    vec_zero(&c->around, c->claim->outputs.len);
    each_statement(c->s, 1u << STATEMENT_WRITE, note_around, c);
}

// Is the write inside of all loops that are around the read?
static bool is_around(const struct checking *c, const struct claim_output *o)
{
    const struct loops_around *around = &c->around.at[o - c->claim->outputs.at];
    if (around->n < c->read_loops.n)
        return false;
    for (uint32_t i = 0; i < c->read_loops.n; i++)
        if (around->loop[i] != c->read_loops.loop[i])
            return false;
    return true;
}

// A read of an array that output o writes: its element is written by the same program, later: in
// the same iteration of all loops around the read, by a statement that comes after it.
static bool is_own_element(struct checking *c, const struct writes *r, const struct claim_output *o)
{
    struct symbolic *s = c->s;
    ipoly index[OUTPUT_AXES];
    iatom from[OUTPUT_AXES];
    if (!is_around(c, o) || r->statement > &s->program->statement.at[o->statement] ||
        !element_of(s, r->address, o->base, o->n_axes, o->stride, o->extent, index))
        return false;
    for (uint32_t d = 0; d < o->n_axes; d++) {
        char name[] = "axis'0";
        name[5] = (char)('0' + d);
        int_is_atom(s->in, int_symbol(s->in, name), &from[d]);
    }
    struct int_substitution by = {o->n_axes, from, index};
    for (uint32_t i = 0; i < r->n_loops; i++) {
        ipoly writer = int_substitute(s->in, o->witness[i], &by);
        ipoly difference =
            int_subtract(s->in, int_simplify(s->in, &s->facts, writer), r->member[i]);
        if (!int_prove_zero(s->in, &s->facts, int_simplify(s->in, &s->facts, difference)))
            return false;
    }
    return true;
}

static uint32_t array_of(const struct checking *c, const struct claim_output *o)
{
    return c->s->program->statement.at[o->statement].array;
}

// No element of a is one of b.  What no fact decides is a need.
bool claims_apart(struct checking *c, const struct claim_output *a, const struct claim_output *b)
{
    struct buf need = {0};
    const char *array = code_parameter_name(c->s->program, array_of(c, a));
    bool yes = outputs_disjoint(c->s, a, b, array, &need);
    if (yes && need.len)
        add_need(c, buf_text(&need));
    buf_release(&need);
    return yes;
}

// The outputs of the claim that write the array: the read is of an element that the same program
// writes later, and other outputs have other elements.
static bool is_own_of_all(struct checking *c, const struct writes *r)
{
    const struct claim_output *own = NULL;
    for (uint32_t i = 0; i < c->claim->outputs.len && own == NULL; i++) {
        const struct claim_output *o = &c->claim->outputs.at[i];
        if (array_of(c, o) == r->statement->array && is_own_element(c, r, o))
            own = o;
    }
    for (uint32_t i = 0; i < c->claim->outputs.len; i++) {
        const struct claim_output *o = &c->claim->outputs.at[i];
        if (array_of(c, o) == r->statement->array && o != own && !is_own_element(c, r, o) &&
            (own == NULL || !claims_apart(c, own, o)))
            return false;
    }
    return true;
}

static bool is_written(const struct checking *c, uint32_t array)
{
    for (uint32_t i = 0; i < c->claim->outputs.len; i++)
        if (c->s->program->statement.at[c->claim->outputs.at[i].statement].array == array)
            return true;
    return false;
}

bool check_read(void *ctx, struct symbolic *s, const struct code_statement *statement,
                uint32_t n_loops, const uint32_t *loops, const char *reason)
{
    struct checking *c = ctx;
    uint32_t mark = ifacts_mark(&s->facts);
    struct writes r;
    bool open = !reason && writes_open(s, statement, n_loops, loops, c->base, &r);
    c->read_loops = (struct loops_around){0};
    for (uint32_t i = 0; open && i < n_loops; i++)
        c->read_loops.loop[c->read_loops.n++] = loops[i];
    // Under a mask that is never true nothing is read.
    bool never = open && int_contradictory(s->in, &s->facts);
    obligation(&c->list, "bounds", "a read is of elements that the formulas' tensors have",
               never || (open && is_read_of_any(c, &r)), statement->place);
    if (is_written(c, statement->array))
        obligation(&c->list, "order", "a read of an array that is written comes before the write",
                   never || (open && is_own_of_all(c, &r)), statement->place);
    ifacts_pop(&s->facts, mark);
    return true;
}
