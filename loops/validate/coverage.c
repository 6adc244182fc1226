// SPDX-License-Identifier: Apache-2.0
#include "loops/validate/coverage.h"

void coverage_add(struct coverage *coverage, const struct execution *run)
{
    while (coverage->trips.len < run->trips.len)
        vec_push(&coverage->trips, 0);
    while (coverage->sides.len < run->sides.len)
        vec_push(&coverage->sides, 0);
    for (uint32_t i = 0; i < run->trips.len; i++)
        if (run->trips.at[i] > coverage->trips.at[i])
            coverage->trips.at[i] = run->trips.at[i];
    for (uint32_t i = 0; i < run->sides.len; i++)
        coverage->sides.at[i] |= run->sides.at[i];
}

static bool has_sides(const struct code_statement *statement)
{
    return statement->kind == STATEMENT_BRANCH ||
           ((statement->kind == STATEMENT_READ || statement->kind == STATEMENT_WRITE) &&
            statement->mask != NO_CODE);
}

bool coverage_complete(const struct coverage *coverage, const struct code_program *program)
{
    bool complete =
        coverage->trips.len == program->loop.len && coverage->sides.len == program->statement.len;
    for (uint32_t i = 0; complete && i < program->loop.len; i++)
        complete = coverage->trips.at[i] > 1;
    for (uint32_t i = 0; complete && i < program->statement.len; i++)
        complete = !has_sides(&program->statement.at[i]) ||
                   coverage->sides.at[i] == (EXEC_SIDE_ON | EXEC_SIDE_OFF);
    return complete;
}

void coverage_release(struct coverage *coverage)
{
    vec_release(&coverage->trips);
    vec_release(&coverage->sides);
}
