// SPDX-License-Identifier: Apache-2.0
// Which undeclared names must be rows, and which may be meant as numbers.
//
// R1  A name is surely a row if it alone makes a row of what some reduction reduces.
// R2  A name stands for a number somewhere if it alone makes a row of what is not reduced:
//     c of `logsumexp(x - c) + c`.
// R3  The names of a reduction that reduces no sure row and nothing else with a last axis are all
//     taken for rows, `sum(x*y)`, except for those of R2 beside others.
// R4  Other names may be numbers: k of `mean(x + k) - mean(x)`.  It makes no difference for a name
//     that nothing reduces or joins, since every element is computed as for a number:
//     c of `c*exp(x)/sum(exp(x))`.
#include "formula/language/infer.h"
#include "formula/rules/expand.h"

enum rows_act { COUNT, REDUCED, PLAIN_OPERANDS, OPERANDS };

struct rows {
    struct reading *reading;
    uint32_t *seen, time; // by node: the last walk that met it
    uint32_t n, only;     // of a walk: the undeclared rows, and one of them
    uint32_t plain;       // those of them that stand for no number elsewhere
    bool sure;            // a sure row or another source of a last axis
    enum rows_act does;   // with what it meets
};

static void meet_variable(struct rows *rows, uint32_t v)
{
    struct rvariable *variable = &rows->reading->variable.at[v];
    if (variable->rank == 0)
        return;
    if (rows->does == REDUCED)
        variable->reduced = true;
    if (rows->does == OPERANDS || (rows->does == PLAIN_OPERANDS && !variable->number))
        variable->operand = !variable->fixed;
    if (variable->fixed || variable->operand)
        rows->sure = true;
    if (variable->fixed || (rows->n > 0 && rows->only == v))
        return;
    rows->n++;
    rows->plain += !variable->number;
    rows->only = v;
}

static bool is_elementwise(const struct name_meaning *meaning)
{
    return meaning->kind == MEANS_LET || meaning->kind == MEANS_OP || meaning->kind == MEANS_EXP2 ||
           meaning->kind == MEANS_LOG2 ||
           (meaning->kind == MEANS_DEFINED && meaning->def->n_axes == 0);
}

// Walks through elementwise operators.
static void walk(struct rows *rows, uint32_t node)
{
    struct reading *reading = rows->reading;
    const struct name_meaning *meaning = &reading->meaning.at[node];
    if (rows->seen[node] == rows->time)
        return;
    rows->seen[node] = rows->time;
    if (meaning->kind == MEANS_VARIABLE)
        meet_variable(rows, meaning->variable);
    else if (is_elementwise(meaning))
        for (uint32_t i = 0; i < reading->ast.node.at[node].n; i++)
            walk(rows, reading_args(reading, node)[i]);
    else if (reading->shape.at[node].rank > 0 && !(reading->shape.at[node].kept & 1))
        rows->sure = true;
}

static void start(struct rows *rows, uint32_t node, enum rows_act does)
{
    rows->time++;
    rows->n = rows->only = rows->plain = 0;
    rows->sure = false;
    rows->does = does;
    walk(rows, node);
}

static bool reduces(const struct reading *reading, uint32_t node)
{
    const struct name_meaning *meaning = &reading->meaning.at[node];
    return reading->ast.node.at[node].axes_n == 0 &&
           (meaning->kind == MEANS_REDUCE ||
            (meaning->kind == MEANS_DEFINED && meaning->def->n_axes > 0));
}

static bool joins(const struct reading *reading, uint32_t node)
{
    enum meaning_kind kind = reading->meaning.at[node].kind;
    return kind == MEANS_MATMUL || kind == MEANS_TR || kind == MEANS_CAT;
}

// The operand i of a reduction or join: what the first walk finds decides.
static void meet_operand(struct rows *rows, uint32_t node, uint32_t i, bool first)
{
    struct reading *reading = rows->reading;
    bool reduced = reduces(reading, node);
    uint32_t arg = reading_args(reading, node)[i];
    start(rows, arg, joins(reading, node) ? OPERANDS : COUNT);
    if (first && reduced && rows->n == 1 && !rows->sure)
        reading->variable.at[rows->only].operand = true;
    else if (!first && reduced && !rows->sure)
        start(rows, arg, rows->plain > 0 ? PLAIN_OPERANDS : OPERANDS);
    if (first)
        start(rows, arg, REDUCED);
}

// Each operand of reductions and joins. first: those that make sure rows; else R3.
static void each_operand(struct rows *rows, bool first)
{
    struct reading *reading = rows->reading;
    for (uint32_t x = 0; x < reading->ast.node.len; x++) {
        const struct name_meaning *meaning = &reading->meaning.at[x];
        bool function = meaning->kind == MEANS_DEFINED && meaning->def->n_axes > 0;
        if (meaning->kind != MEANS_REDUCE && !function && !joins(reading, x))
            continue;
        for (uint32_t i = 0; i < reading->ast.node.at[x].n; i++)
            if (!function || fdefine_is_along(meaning->def, i))
                meet_operand(rows, x, i, first);
    }
}

// R2.
static void find_number(struct rows *rows)
{
    start(rows, rows->reading->ast.root, COUNT);
    if (rows->n == 1 && !rows->sure)
        rows->reading->variable.at[rows->only].number = true;
}

void reading_find_rows(struct reading *reading)
{
    struct rows rows = {.reading = reading};
    rows.seen = mem_alloc((reading->ast.node.len + 1) * sizeof *rows.seen);
    each_operand(&rows, true);
    find_number(&rows);
    each_operand(&rows, false);
    mem_free(rows.seen);
}
