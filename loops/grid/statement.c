// SPDX-License-Identifier: Apache-2.0
#include "loops/grid/output.h"

struct walk {
    struct symbolic *s;
    uint32_t kinds; // bits
    at_statement each;
    void *ctx;
    uint32_t n_loops, loop[OUTPUT_MEMBERS];
    const char *reason;
    bool stop;
};

static void walk_block(struct walk *w, uint32_t block);

// What is true in each iteration: it is below the number of iterations; and the variable is below
// the upper bound, which says more only if the step is a number that nobody knows.
static void iteration_facts(struct symbolic *s, uint32_t loop, ipoly trips)
{
    ipoly step, upper, variable;
    int64_t known;
    symbolic_range(s, s->iteration.at[loop], trips);
    if (s->program->loop.at[loop].kind != LOOP_PARALLEL &&
        symbolic_integer(s, s->program->loop.at[loop].step, &step) &&
        !int_is_constant(s->in, step, &known) &&
        symbolic_integer(s, s->program->loop.at[loop].upper, &upper) &&
        symbolic_variable(s, loop, s->iteration.at[loop], &variable))
        ifacts_push(&s->facts, int_shift(s->in, int_subtract(s->in, upper, variable), -1),
                    NO_ORIGIN);
}

static void walk_loop(struct walk *w, const struct code_statement *statement)
{
    struct symbolic *s = w->s;
    uint32_t mark = ifacts_mark(&s->facts);
    const struct code_loop *loop = &s->program->loop.at[statement->index];
    const char *before = w->reason;
    ipoly trips;
    if (w->n_loops >= OUTPUT_MEMBERS / 2)
        w->reason = "too many loops";
    else if (!symbolic_trips(s, statement->index, &trips))
        w->reason = "the number of iterations of a loop is not known";
    else
        iteration_facts(s, statement->index, trips);
    // Deeper loops have no place; what is inside of them has the reason.
    bool placed = w->n_loops < OUTPUT_MEMBERS;
    if (placed)
        w->loop[w->n_loops++] = statement->index;
    walk_block(w, loop->block);
    if (placed)
        w->n_loops--;
    w->reason = before;
    ifacts_pop(&s->facts, mark);
}

static void walk_branch(struct walk *w, const struct code_statement *statement)
{
    struct symbolic *s = w->s;
    const struct code_branch *branch = &s->program->branch.at[statement->index];
    uint32_t blocks[2] = {branch->then, branch->otherwise}, mark = ifacts_mark(&s->facts);
    lterm before = s->condition, condition = symbolic_value(s, branch->condition, NULL);
    for (int side = 0; side < 2 && !w->stop; side++) {
        if (blocks[side] == NO_CODE)
            continue;
        lterm truth = side ? symbolic_apply(s, CODE_NOT, 1, &condition) : condition;
        if (truth != lterm_truth(s->terms, false)) {
            symbolic_assume_or_keep(s, truth, &s->condition);
            walk_block(w, blocks[side]);
        }
        s->condition = before;
        ifacts_pop(&s->facts, mark);
    }
}

static void walk_block(struct walk *w, uint32_t block)
{
    struct symbolic *s = w->s;
    for (uint32_t i = s->program->block.at[block].first; i != NO_CODE && !w->stop;) {
        const struct code_statement *statement = &s->program->statement.at[i];
        if (w->kinds >> statement->kind & 1)
            w->stop = !w->each(w->ctx, s, statement, w->n_loops, w->loop, w->reason);
        if (statement->kind == STATEMENT_LOOP)
            walk_loop(w, statement);
        else if (statement->kind == STATEMENT_BRANCH)
            walk_branch(w, statement);
        else if (statement->kind == STATEMENT_ASSUME)
            symbolic_assume(s, symbolic_value(s, statement->value, NULL), NO_ORIGIN);
        i = statement->next;
    }
}

void each_statement(struct symbolic *s, uint32_t kinds, at_statement each, void *ctx)
{
    struct walk w = {.s = s, .kinds = kinds, .each = each, .ctx = ctx};
    uint32_t mark = ifacts_mark(&s->facts);
    walk_block(&w, s->program->body);
    ifacts_pop(&s->facts, mark);
}
