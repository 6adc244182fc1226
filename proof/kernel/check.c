// SPDX-License-Identifier: Apache-2.0
#include "proof/kernel/given.h"
#include "proof/kernel/steps.h"
#include "proof/kernel/width.h"
#include <inttypes.h>

struct checking {
    struct symbolic *s;
    struct claim *claim;
    struct kernel_check *out;
    const struct claim_output *output; // the one that is checked now
    struct obligation_list list;
    uint32_t base; // facts of the launch
    bool found;
    uint32_t writers;      // statements that write what they must not
    VEC(uint64_t) used;    // by output, the tensors that its formula names
    struct u32_vec others; // outputs that write an array that the formula reads
};

// ---- facts ----

// Integer parameters are at least 1: what a proof uses of it is a need.
static void assume_sizes(struct symbolic *s)
{
    const struct code_program *p = s->program;
    for (uint32_t i = 0; i < p->parameter.len; i++)
        if (!p->parameter.at[i].array && p->parameter.at[i].type.kind == CODE_INT) {
            ipoly size = int_symbol(s->in, code_parameter_name(p, i));
            ifacts_push(&s->facts, int_shift(s->in, size, -1), p->fact.len + i);
        }
}

static void list_needs(struct checking *c, struct kernel_checked *of)
{
    const struct code_program *p = c->s->program;
    for (uint32_t i = 0; i < c->s->in->used.len; i++) {
        uint32_t origin = c->s->in->used.at[i];
        struct buf text = {0};
        if (origin < p->fact.len)
            continue; // the launch says it
        if (p->parameter.at[origin - p->fact.len].role == ROLE_GRID)
            continue; // no launch has an empty grid
        buf_printf(&text, "%s >= 1", code_parameter_name(p, origin - p->fact.len));
        vec_push(&of->needs, arena_strdup(&c->out->mem, buf_text(&text)));
        buf_release(&text);
    }
}

// ---- widths ----

static bool statement_widths(void *ctx, struct symbolic *s, const struct code_statement *statement,
                             uint32_t n_loops, const uint32_t *loops, const char *reason)
{
    (void)reason;
    widths_of_statement(s, statement, n_loops, loops, ctx);
    return true;
}

static void need_of_all(struct checking *c, const char *text)
{
    for (uint32_t i = 0; i < c->out->outputs.len; i++)
        vec_push(&c->out->outputs.at[i].needs, arena_strdup(&c->out->mem, text));
}

// Addresses, masks and loops are made of integers of 32 bits that must not overflow.
static void list_widths(struct checking *c)
{
    struct widths widths = {0};
    each_statement(c->s, 1u << STATEMENT_READ | 1u << STATEMENT_WRITE | 1u << STATEMENT_LOOP,
                   statement_widths, &widths);
    widths_finish(c->s, &widths);
    for (uint32_t i = 0; i < widths.bound.len; i++) {
        struct buf text = {0};
        int_print(c->s->in, widths.bound.at[i], &text);
        buf_printf(&text, " < %" PRId64, WIDTH_LIMIT);
        need_of_all(c, buf_text(&text));
        buf_release(&text);
    }
    for (uint32_t i = 0; i < widths.unknown.len; i++) {
        struct buf text = {0};
        bool again = false;
        for (uint32_t k = 0; k < i; k++)
            again = again || widths.unknown.at[k] == widths.unknown.at[i];
        buf_printf(&text, "no integer of line %" PRIu32 " overflows", widths.unknown.at[i]);
        if (!again)
            need_of_all(c, buf_text(&text));
        buf_release(&text);
    }
    widths_release(&widths);
}

// ---- closed forms ----

// The blocks of all loops with states, each with the facts of its place.
static bool loop_states(void *ctx, struct symbolic *s, const struct code_statement *statement,
                        uint32_t n_loops, const uint32_t *loops, const char *reason)
{
    struct checking *c = ctx;
    (void)n_loops, (void)loops;
    const struct code_loop *loop = &s->program->loop.at[statement->index];
    for (uint32_t i = 0; i < loop->n; i++) {
        uint32_t carried = loop->at + i;
        if (s->closed.at[carried].kind != CLOSED_FORM)
            continue;
        struct buf about = {0};
        buf_printf(&about, "the closed form of state %u of the loop", i + 1);
        bool holds = !reason && induction_holds(s, statement->index, carried);
        obligation(&c->list, "induction", buf_text(&about), holds, statement->place);
        buf_release(&about);
    }
    return true;
}

static void state_forms(struct checking *c)
{
    const struct code_program *p = c->s->program;
    for (uint32_t i = 0; i < p->carried.len; i++) {
        lterm form = lterm_undefined(c->s->terms, "a state without a closed form");
        symbolic_close(c->s, i, (struct closed){CLOSED_ERROR, 0, form});
    }
    for (uint32_t i = 0; i < c->claim->closed.len; i++)
        if (c->claim->closed.at[i].carried < p->carried.len)
            symbolic_close(c->s, c->claim->closed.at[i].carried, c->claim->closed.at[i].closed);
}

// ---- reads ----

static void add_need(struct checking *c, const char *text)
{
    struct kernel_checked *of = c->list.of;
    for (uint32_t i = 0; i < of->needs.len; i++)
        if (strcmp(of->needs.at[i], text) == 0)
            return;
    vec_push(&of->needs, arena_strdup(&c->out->mem, text));
}

// An index of an output at the iterations and lanes that read, or at the first lane: of one of the
// elements whose value the read may be for.  The caller verifies what it makes of it.
static ipoly index_of_reader(struct checking *c, const struct writes *r, ipoly index, bool lanes)
{
    struct integers *in = c->s->in;
    for (uint32_t i = 0; i < OUTPUT_MEMBERS; i++) {
        struct buf name = {0};
        iatom atom;
        buf_printf(&name, "member'%u", i);
        int_is_atom(in, int_symbol(in, buf_text(&name)), &atom);
        buf_release(&name);
        bool same = i < r->n_parallel || (lanes && i < r->n_members);
        ipoly to = same ? r->member[i] : 0;
        struct int_substitution by = {1, &atom, &to};
        index = int_substitute(in, index, &by);
    }
    return index;
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
        // Indices that the address of the integer does not mention may be any.
        for (uint32_t d = 0; d < t->n; d++) {
            char name[] = "index'0";
            iatom place;
            name[6] = (char)('0' + d);
            int_is_atom(in, int_symbol(in, name), &place);
            known[d] = int_mentions(in, node.b, place) ? NO_POLY : 0;
        }
        found = element_of_tensor(c->s, r->address, &index, extent, known);
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
    for (int lanes = 0; lanes < 2; lanes++) {
        for (uint32_t d = 0; d < t->n; d++)
            known[d] = t->axis[d] < o->n_axes ? index_of_reader(c, r, o->index[t->axis[d]], lanes)
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

// Elements of the tensors that the formula names are in their arrays.
// Are the tensor's elements those that integers of an array point to?  That they point into the
// array is a need.
static bool is_gathered(struct checking *c, const struct written_tensor *t)
{
    struct integers *in = c->s->in;
    struct u32_vec atoms = {0};
    bool found = false;
    int_atoms(in, t->base, &atoms);
    for (uint32_t i = 0; i < atoms.len; i++) {
        struct iatom_node node = int_atom(in, atoms.at[i]);
        iatom name;
        if (node.kind != INT_ELEMENT || !int_is_atom(in, node.a, &name))
            continue;
        struct buf text = {0};
        buf_printf(&text, "elements of %s that are indices of %s lie inside it",
                   int_atom_name(in, name), code_parameter_name(c->s->program, t->array));
        add_need(c, buf_text(&text));
        buf_release(&text);
        found = true;
    }
    vec_release(&atoms);
    return found;
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
        return int_prove(s->in, &s->facts, lterm_arg(s->terms, term, 0));
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

static void check_tensors(struct checking *c, struct code_place place)
{
    const struct claim_output *o = c->output;
    uint64_t used = c->used.at[o - c->claim->outputs.at];
    bool holds = o->tensor.len <= 64;
    for (uint32_t i = 0; i < o->tensor.len && holds; i++) {
        const struct written_tensor *t = &o->tensor.at[i];
        ipoly extent[OUTPUT_AXES];
        for (uint32_t d = 0; d < t->n; d++)
            extent[d] = o->axis.at[t->axis[d]].size;
        holds = !(used >> i & 1) || t->array == NO_CODE || is_gathered(c, t) ||
                not_before(c->s, t->base, t->n, t->stride, extent);
    }
    holds = holds || (o->tensor.len <= 64 && value_reads_inside(c, o));
    obligation(&c->list, "bounds", "no element of a tensor lies in front of its array", holds,
               place);
}

static void find_used(struct checking *c)
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

// A read of an array that output o writes: its element is written by the same program, later.
static bool is_own_element(struct checking *c, const struct writes *r, const struct claim_output *o)
{
    struct symbolic *s = c->s;
    ipoly index[OUTPUT_AXES];
    iatom from[OUTPUT_AXES];
    if (r->n_loops != r->n_parallel || r->statement > &s->program->statement.at[o->statement] ||
        !element_of(s, r->address, o->base, o->n_axes, o->stride, o->extent, index))
        return false;
    for (uint32_t d = 0; d < o->n_axes; d++) {
        char name[] = "axis'0";
        name[5] = (char)('0' + d);
        int_is_atom(s->in, int_symbol(s->in, name), &from[d]);
    }
    struct int_substitution by = {o->n_axes, from, index};
    for (uint32_t i = 0; i < r->n_parallel; i++) {
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
static bool apart(struct checking *c, const struct claim_output *a, const struct claim_output *b)
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
            (own == NULL || !apart(c, own, o)))
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

static bool check_read(void *ctx, struct symbolic *s, const struct code_statement *statement,
                       uint32_t n_loops, const uint32_t *loops, const char *reason)
{
    struct checking *c = ctx;
    uint32_t mark = ifacts_mark(&s->facts);
    struct writes r;
    bool open = !reason && writes_open(s, statement, n_loops, loops, c->base, &r);
    obligation(&c->list, "bounds", "a read is of elements that the formulas' tensors have",
               open && is_read_of_any(c, &r), statement->place);
    if (is_written(c, statement->array))
        obligation(&c->list, "order", "a read of an array that is written comes before the write",
                   open && is_own_of_all(c, &r), statement->place);
    ifacts_pop(&s->facts, mark);
    return true;
}

// ---- other writes ----

static const struct claim_output *claimed(const struct checking *c,
                                          const struct code_statement *statement)
{
    for (uint32_t i = 0; i < c->claim->outputs.len; i++)
        if (&c->s->program->statement.at[c->claim->outputs.at[i].statement] == statement)
            return &c->claim->outputs.at[i];
    return NULL;
}

static bool is_read(void *ctx, const struct code_statement *statement)
{
    const uint32_t *array = ctx;
    return statement->kind != STATEMENT_READ || statement->array != *array;
}

// Integers may stand in addresses and conditions.
static bool reads_integers(const struct checking *c, uint32_t array)
{
    const struct code_program *p = c->s->program;
    return array != NO_CODE && p->parameter.at[array].type.kind != CODE_REAL &&
           !code_each_statement(p, p->body, is_read, &array);
}

// Writers of the output's array, or of what the formula reads, that the claim does not explain.
static bool count_writer(void *ctx, struct symbolic *s, const struct code_statement *statement,
                         uint32_t n_loops, const uint32_t *loops, const char *reason)
{
    struct checking *c = ctx;
    (void)n_loops, (void)loops, (void)reason;
    const struct code_statement *write = &s->program->statement.at[c->output->statement];
    // A statement without a meaning may write anything.
    bool any = statement->kind == STATEMENT_REFUSED && statement->array == NO_CODE;
    if (statement != write && (statement->array == write->array || any)) {
        const struct claim_output *same = any ? NULL : claimed(c, statement);
        if (same != NULL && statement->kind == STATEMENT_WRITE && apart(c, c->output, same))
            vec_push(&c->others, (uint32_t)(same - c->claim->outputs.at));
        else
            c->writers++;
        return true;
    }
    bool read = reads_integers(c, statement->array);
    for (uint32_t i = 0; i < c->output->tensor.len; i++)
        read = read || c->output->tensor.at[i].array == statement->array;
    if (statement == write || statement->array == write->array || !read)
        return true;
    const struct claim_output *other = claimed(c, statement);
    if (other && statement->kind == STATEMENT_WRITE)
        vec_push(&c->others, (uint32_t)(other - c->claim->outputs.at));
    else
        c->writers++;
    return true;
}

// ---- one output ----

static bool check_statement(void *ctx, struct symbolic *s, const struct code_statement *statement,
                            uint32_t n_loops, const uint32_t *loops, const char *reason)
{
    struct checking *c = ctx;
    if (statement != &s->program->statement.at[c->output->statement])
        return true;
    struct writes w;
    uint32_t mark = ifacts_mark(&s->facts);
    c->found = true;
    bool open = !reason && writes_open(s, statement, n_loops, loops, c->base, &w);
    obligation(&c->list, "address", "the write is under conditions on integers", open,
               statement->place);
    if (open)
        check_writes(s, &w, c->output, &c->list);
    ifacts_pop(&s->facts, mark);
    return true;
}

// Where an output that writes what the formula reads writes: its claim must hold, too.
static void check_others(struct checking *c)
{
    const struct claim_output *own = c->output;
    for (uint32_t i = 0; i < c->others.len; i++) {
        c->output = &c->claim->outputs.at[c->others.at[i]];
        each_statement(c->s, 1u << STATEMENT_WRITE, check_statement, c);
    }
    c->output = own;
}

static void check_output(struct checking *c)
{
    const struct code_program *p = c->s->program;
    struct kernel_checked made = {.statement = c->output->statement, .proved = true};
    made.formula = arena_strdup(&c->out->mem, c->output->formula);
    c->list = (struct obligation_list){c->out, &made};
    c->found = false, c->writers = 0;
    vec_clear(&c->others);
    bool is_write = c->output->statement < p->statement.len &&
                    p->statement.at[c->output->statement].kind == STATEMENT_WRITE;
    struct code_place place = {0, 0};
    if (is_write)
        place = p->statement.at[c->output->statement].place;
    if (is_write) {
        each_statement(c->s, 1u << STATEMENT_LOOP, loop_states, c);
        each_statement(c->s, 1u << STATEMENT_WRITE, check_statement, c);
        each_statement(c->s, 1u << STATEMENT_READ, check_read, c);
        check_tensors(c, p->statement.at[c->output->statement].place);
        each_statement(c->s,
                       1u << STATEMENT_WRITE | 1u << STATEMENT_UPDATE | 1u << STATEMENT_REFUSED,
                       count_writer, c);
        check_others(c);
        obligation(&c->list, "order", "no other statement writes the output or what it reads",
                   c->writers == 0, p->statement.at[c->output->statement].place);
    }
    obligation(&c->list, "address", "the claim names a write", is_write && c->found, place);
    vec_push(&c->out->outputs, made);
}

// What no launch meets proves nothing.
static void check_given(struct checking *c)
{
    struct buf text = {0};
    buf_puts(&text, "no launch meets ");
    if (given_contradiction(c->s->program, &text))
        for (uint32_t i = 0; i < c->out->outputs.len; i++) {
            struct kernel_checked *of = &c->out->outputs.at[i];
            struct code_place place = c->s->program->statement.at[of->statement].place;
            struct obligation_list list = {c->out, of};
            obligation(&list, "given", buf_text(&text), false, place);
        }
    buf_release(&text);
}

// Numbers of a claim are any numbers.
static bool is_of_program(const struct code_program *program, const struct claim_output *o)
{
    bool ok = o->statement < program->statement.len &&
              program->statement.at[o->statement].kind == STATEMENT_WRITE;
    for (uint32_t i = 0; i < o->tensor.len && ok; i++) {
        uint32_t array = o->tensor.at[i].array;
        ok = array == NO_CODE ||
             (array < program->parameter.len && program->parameter.at[array].array);
    }
    return ok;
}

void claim_keep_own(struct claim *claim, const struct code_program *program)
{
    for (uint32_t i = claim->outputs.len; i-- > 0;)
        if (!is_of_program(program, &claim->outputs.at[i])) {
            vec_release(&claim->outputs.at[i].axis);
            vec_release(&claim->outputs.at[i].tensor);
            claim->outputs.at[i] = claim->outputs.at[--claim->outputs.len];
        }
}

void kernel_check(const struct code_program *program, struct claim *claim, struct kernel_check *out)
{
    struct symbolic s;
    *out = (struct kernel_check){0};
    symbolic_init(&s, program, &claim->in, &claim->terms);
    assume_sizes(&s);
    symbolic_launch_facts(&s);
    struct checking c = {.s = &s, .claim = claim, .out = out};
    c.base = ifacts_mark(&s.facts);
    state_forms(&c);
    claim_keep_own(claim, program);
    find_used(&c);
    for (uint32_t i = 0; i < claim->outputs.len; i++) {
        c.output = &claim->outputs.at[i];
        check_output(&c);
    }
    check_given(&c);
    list_widths(&c);
    // Answers are remembered, so the facts that were used count for all outputs.
    for (uint32_t i = 0; i < out->outputs.len; i++)
        list_needs(&c, &out->outputs.at[i]);
    vec_release(&c.others);
    vec_release(&c.used);
    symbolic_release(&s);
}

void kernel_check_release(struct kernel_check *check)
{
    for (uint32_t i = 0; i < check->outputs.len; i++) {
        vec_release(&check->outputs.at[i].obligations);
        vec_release(&check->outputs.at[i].needs);
    }
    vec_release(&check->outputs);
    arena_release(&check->mem);
}
