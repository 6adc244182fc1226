// SPDX-License-Identifier: Apache-2.0
#include "loops/lift/lift.h"
#include "loops/recurrence/recurrence.h"

// Integer parameters are sizes and strides: at least 1.  The proof says which of these it used.
static void assume_sizes(struct lifting *l)
{
    const struct code_program *p = l->s.program;
    for (uint32_t i = 0; i < p->parameter.len; i++) {
        const struct code_parameter *parameter = &p->parameter.at[i];
        if (parameter->array || parameter->type.kind != CODE_INT)
            continue;
        ipoly size = int_symbol(&l->in, code_parameter_name(p, i));
        ifacts_push(&l->s.facts, int_shift(&l->in, size, -1), p->fact.len + i);
    }
}

static bool lift_statement(void *ctx, struct symbolic *s, const struct code_statement *statement,
                           uint32_t n_loops, const uint32_t *loops, const char *reason)
{
    struct lifting *l = ctx;
    struct lifted made = {0};
    struct output *out = &made.output;
    if (statement->kind == STATEMENT_UPDATE) {
        out->statement = statement;
        out->place = statement->place;
        out->reason = "an update: its element depends on the updates of other programs";
        vec_push(&l->outputs, made);
        return true;
    }
    uint32_t mark = ifacts_mark(&s->facts);
    output_open(s, statement, n_loops, loops, out);
    if (reason && !out->reason)
        out->reason = reason, out->place = statement->place;
    if (!out->reason)
        output_axes(s, out);
    if (!out->reason)
        output_value(s, out);
    ifacts_pop(&s->facts, mark);
    mark = ifacts_mark(&s->facts);
    if (!out->reason) {
        output_element_facts(s, out);
        output_witness(s, out);
        if (!out->reason)
            output_settle(s, out);
    }
    if (!out->reason) {
        written_output(s, out, &made.written);
        lterm simple = made.written.reason ? symbolic_cancel(s, out->value) : out->value;
        if (simple != out->value) {
            written_release(&made.written);
            out->value = simple;
            written_output(s, out, &made.written);
        }
        if (made.written.reason)
            out->reason = made.written.reason, out->place = statement->place;
    }
    ifacts_pop(&s->facts, mark);
    vec_push(&l->outputs, made);
    return true;
}

void lifting_run(struct lifting *l, const struct code_program *program)
{
    *l = (struct lifting){0};
    integers_init(&l->in);
    lterms_init(&l->terms, &l->in);
    symbolic_init(&l->s, program, &l->in, &l->terms);
    assume_sizes(l);
    symbolic_launch_facts(&l->s);
    recurrences_solve(&l->s);
    each_statement(&l->s, 1u << STATEMENT_WRITE | 1u << STATEMENT_UPDATE, lift_statement, l);
}

void lifting_release(struct lifting *l)
{
    for (uint32_t i = 0; i < l->outputs.len; i++)
        written_release(&l->outputs.at[i].written);
    vec_release(&l->outputs);
    vec_release(&l->assumed);
    symbolic_release(&l->s);
    lterms_release(&l->terms);
    integers_release(&l->in);
}
