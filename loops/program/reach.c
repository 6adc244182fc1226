// SPDX-License-Identifier: Apache-2.0
#include "loops/program/reach.h"

struct owner {
    uint32_t carried, merged; // whose state or result a bound value is; NO_CODE: none
};
struct walk {
    const struct code_program *program;
    struct reached *out;
    bool values;
    VEC(struct owner) owner; // by node
    struct u32_vec open;     // nodes whose operands were not marked at their level
};

static void mark(struct walk *w, code_value value, enum reach level)
{
    if (value == NO_CODE || w->out->at.at[value] >= level)
        return;
    w->out->at.at[value] = (uint8_t)level;
    vec_push(&w->open, value);
}

// ---- who binds ----

static void own(struct walk *w, code_value value, uint32_t carried, uint32_t merged)
{
    if (value != NO_CODE)
        w->owner.at[value] = (struct owner){carried, merged};
}

static void find_owners(struct walk *w)
{
    const struct code_program *p = w->program;
    for (uint32_t i = 0; i < p->node.len; i++)
        vec_push(&w->owner, ((struct owner){NO_CODE, NO_CODE}));
    for (uint32_t i = 0; i < p->carried.len; i++) {
        own(w, p->carried.at[i].state, i, NO_CODE);
        own(w, p->carried.at[i].result, i, NO_CODE);
    }
    for (uint32_t i = 0; i < p->merged.len; i++)
        own(w, p->merged.at[i].result, NO_CODE, i);
}

// ---- operands ----

static bool keeps_words(const struct code_node *node)
{
    return node->type.kind == CODE_INT &&
           (node->op == CODE_ADD || node->op == CODE_SUBTRACT || node->op == CODE_MULTIPLY ||
            node->op == CODE_NEGATE || code_op_group((enum code_op)node->op) == GROUP_MOVE);
}

static void mark_operands(struct walk *w, code_value value)
{
    const struct code_node *node = code_node(w->program, value);
    const code_value *operands = code_operands(w->program, value);
    enum reach level = (enum reach)w->out->at.at[value];
    if (node->op == CODE_READ || node->op == CODE_UPDATED) { // offsets and masks: the statement's
        if (node->n > 2)
            mark(w, operands[2], REACH_VALUE);
        return;
    }
    for (uint32_t i = 0; i < node->n; i++) {
        bool word = node->op == CODE_TRUNCATE || (i > 0 && node->op == CODE_SELECT) ||
                    (i == 0 && (node->op == CODE_SHIFT_LEFT || node->op == CODE_GATHER)) ||
                    (keeps_words(node) && node->op != CODE_GATHER);
        enum reach of_word = node->op == CODE_TRUNCATE ? REACH_WORD : level;
        mark(w, operands[i], word ? of_word : REACH_VALUE);
    }
}

static void mark_bound(struct walk *w, code_value value)
{
    struct owner owner = w->owner.at[value];
    enum reach level = (enum reach)w->out->at.at[value];
    if (owner.carried != NO_CODE) {
        const struct code_carried *c = &w->program->carried.at[owner.carried];
        mark(w, c->initial, level);
        mark(w, c->next, level);
        mark(w, c->state, level);
        mark(w, c->result, level);
    }
    if (owner.merged != NO_CODE) {
        const struct code_merged *m = &w->program->merged.at[owner.merged];
        mark(w, m->then, level);
        mark(w, m->otherwise, level);
    }
}

static void mark_region(struct walk *w, code_value value)
{
    const struct code_node *node = code_node(w->program, value);
    if (node->op != CODE_REDUCE && node->op != CODE_SCAN)
        return;
    const struct code_region *region = &w->program->region.at[node->number / 8];
    for (uint32_t i = 0; i < region->n; i++)
        mark(w, w->program->bound.at[region->at + 2 * region->n + i], REACH_VALUE);
}

// ---- statements ----

static bool mark_statement(void *ctx, const struct code_statement *statement)
{
    struct walk *w = ctx;
    const struct code_program *p = w->program;
    switch (statement->kind) {
    case STATEMENT_UPDATE:
    case STATEMENT_WRITE:
        if (w->values)
            mark(w, statement->value, REACH_VALUE);
        // fall through
    case STATEMENT_READ:
        mark(w, statement->offset, REACH_WORD);
        mark(w, statement->mask, REACH_VALUE);
        break;
    case STATEMENT_LOOP: {
        const struct code_loop *loop = &p->loop.at[statement->index];
        mark(w, loop->lower, REACH_VALUE);
        mark(w, loop->upper, REACH_VALUE);
        mark(w, loop->step, REACH_VALUE);
        break;
    }
    case STATEMENT_BRANCH:
        mark(w, p->branch.at[statement->index].condition, REACH_VALUE);
        break;
    case STATEMENT_ASSUME:
        if (w->values)
            mark(w, statement->value, REACH_VALUE);
        break;
    default:
        break;
    }
    return true;
}

void reach(const struct code_program *program, bool values, struct reached *out)
{
    struct walk w = {.program = program, .out = out, .values = values};
    *out = (struct reached){0};
    vec_zero(&out->at, program->node.len);
    find_owners(&w);
    code_each_statement(program, program->body, mark_statement, &w);
    while (w.open.len > 0) {
        code_value value = vec_pop(&w.open);
        mark_operands(&w, value);
        mark_bound(&w, value);
        mark_region(&w, value);
    }
    vec_release(&w.owner);
    vec_release(&w.open);
}

void reach_release(struct reached *reached)
{
    vec_release(&reached->at);
}
