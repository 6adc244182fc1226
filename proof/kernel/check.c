// SPDX-License-Identifier: Apache-2.0
#include "integer/equations.h"
#include "proof/kernel/checking.h"
#include "proof/kernel/given.h"
#include "proof/kernel/width.h"
#include <inttypes.h>

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

static void open_of_all(struct checking *c, const char *kind, const char *about,
                        struct code_place place)
{
    for (uint32_t i = 0; i < c->out->outputs.len; i++) {
        struct obligation_list list = {c->out, &c->out->outputs.at[i]};
        obligation(&list, kind, about, false, place);
    }
}

// What no size meets proves nothing.
static void never_holds(struct checking *c, const struct width_bound *bound, const char *text)
{
    struct buf about = {0};
    buf_printf(&about, "no launch meets %s", text);
    open_of_all(c, "overflow", buf_text(&about), (struct code_place){bound->line, 0});
    buf_release(&about);
}

// Addresses, masks, conditions and values are made of integers that must not overflow.
static void list_widths(struct checking *c)
{
    struct widths widths;
    widths_init(&widths, c->s->program);
    each_statement(c->s,
                   1u << STATEMENT_READ | 1u << STATEMENT_WRITE | 1u << STATEMENT_LOOP |
                       1u << STATEMENT_BRANCH | 1u << STATEMENT_ASSUME,
                   statement_widths, &widths);
    widths_finish(c->s, &widths);
    for (uint32_t i = 0; i < widths.bound.len; i++) {
        struct buf text = {0};
        width_print(c->s->in, &widths.bound.at[i], &text);
        if (width_never(c->s, &widths.bound.at[i]))
            never_holds(c, &widths.bound.at[i], buf_text(&text));
        else
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

// ---- conditions that the source says are true ----

// Do the facts of its place, given ones and needs among them, make the condition false?  Then it
// would prove whatever comes after it.  Of a place that no program reaches it says nothing.
static bool never_true(struct symbolic *s, lterm truth)
{
    if (int_contradictory(s->in, &s->facts))
        return false;
    uint32_t mark = ifacts_mark(&s->facts);
    symbolic_assume(s, truth, NO_ORIGIN); // as much of it as facts can say
    bool never = truth == lterm_truth(s->terms, false) || int_contradictory(s->in, &s->facts) ||
                 int_no_solution(s->in, &s->facts);
    ifacts_pop(&s->facts, mark);
    return never;
}

// They are facts of what comes after them, for whatever proof.
static bool need_condition(void *ctx, struct symbolic *s, const struct code_statement *statement,
                           uint32_t n_loops, const uint32_t *loops, const char *reason)
{
    struct checking *c = ctx;
    struct buf text = {0};
    (void)n_loops, (void)loops, (void)reason;
    lterm truth = symbolic_value(s, statement->value, NULL);
    if (truth == lterm_truth(s->terms, true))
        return true;
    if (never_true(s, truth)) {
        buf_printf(&text, "no launch meets the condition of line %" PRIu32, statement->place.line);
        open_of_all(c, "given", buf_text(&text), statement->place);
    } else {
        buf_printf(&text, "the condition of line %" PRIu32 " is true", statement->place.line);
        need_of_all(c, buf_text(&text));
    }
    buf_release(&text);
    return true;
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
        uint8_t *known = &c->induction.at[carried];
        if (*known == 0) // for all outputs the same
            *known = !reason && induction_holds(s, statement->index, carried) ? 1 : 2;
        obligation(&c->list, "induction", buf_text(&about), *known == 1, statement->place);
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
        if (same != NULL && statement->kind == STATEMENT_WRITE && claims_apart(c, c->output, same))
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
    c->out->impossible = given_contradiction(c->s->program, &text);
    if (c->out->impossible)
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
    vec_zero(&c.induction, program->carried.len);
    find_used(&c);
    find_around(&c);
    for (uint32_t i = 0; i < claim->outputs.len; i++) {
        c.output = &claim->outputs.at[i];
        check_output(&c);
    }
    check_given(&c);
    each_statement(&s, 1u << STATEMENT_ASSUME, need_condition, &c);
    list_widths(&c);
    // Answers are remembered, so the facts that were used count for all outputs.
    for (uint32_t i = 0; i < out->outputs.len; i++)
        list_needs(&c, &out->outputs.at[i]);
    vec_release(&c.others);
    vec_release(&c.used);
    vec_release(&c.around);
    vec_release(&c.induction);
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
