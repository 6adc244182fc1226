// SPDX-License-Identifier: Apache-2.0
// Lanes in other places; folds along an axis; products of matrices.
#include "loops/run/run.h"

enum { OPERANDS = 8 };

static void indices_of(uint32_t lane, const struct code_type *type, uint32_t *out)
{
    for (uint32_t d = type->rank; d-- > 0;) {
        out[d] = lane % type->extent[d];
        lane /= type->extent[d];
    }
}

static uint32_t lane_of(const uint32_t *indices, const struct code_type *type)
{
    uint32_t lane = 0;
    for (uint32_t d = 0; d < type->rank; d++)
        lane = lane * type->extent[d] + indices[d];
    return lane;
}

// The lane of the operand that is element `at` of the result.
static uint32_t source_lane(const struct code_node *node, const struct code_type *from, uint32_t at)
{
    uint32_t result[CODE_RANK + 1], source[CODE_RANK + 1];
    indices_of(at, &node->type, result);
    switch (node->op) {
    case CODE_TRANSPOSE:
        for (uint32_t d = 0; d < from->rank; d++)
            source[(uint32_t)(node->number >> (4 * d)) & 15] = result[d];
        return lane_of(source, from);
    case CODE_SPLIT:
        return 2 * at + (uint32_t)node->number;
    default:
        return at;
    }
}

// Rows of the last axis at once.
static void stretch(const struct code_type *from, const struct code_type *to,
                    const struct exec_cell *a, struct exec_cell *out)
{
    uint32_t last = to->rank - 1, width = to->extent[last], result[CODE_RANK + 1],
             source[CODE_RANK + 1];
    uint32_t step = from->extent[last] == 1 ? 0 : 1, n = (uint32_t)code_elements(to);
    for (uint32_t at = 0; at < n; at += width) {
        indices_of(at, to, result);
        for (uint32_t d = 0; d < from->rank; d++)
            source[d] = from->extent[d] == 1 ? 0 : result[d];
        const struct exec_cell *row = a + lane_of(source, from);
        for (uint32_t i = 0; i < width; i++)
            out[at + i] = row[i * step];
    }
}

static void gather(struct execution *run, const struct code_node *node, const code_value *of,
                   struct exec_tile *out)
{
    struct code_type from = code_node(run->program, of[0])->type;
    struct exec_tile source = *exec_value(run, of[0]), index = *exec_value(run, of[1]);
    for (uint32_t i = 0; i < out->n; i++) {
        uint32_t indices[CODE_RANK];
        indices_of(i, &node->type, indices);
        int64_t at = index.at[i].whole;
        if (index.at[i].undefined || at < 0 || at >= from.extent[node->number]) {
            exec_fault(run, EXEC_UNDEFINED_INDEX, node->place, i, NO_CODE, at);
            out->at[i].undefined = true;
            continue;
        }
        indices[node->number] = (uint32_t)at;
        out->at[i] = source.at[lane_of(indices, &from)];
    }
}

void exec_move(struct execution *run, code_value value, struct exec_tile *out)
{
    const struct code_node *node = code_node(run->program, value);
    const code_value *of = run->program->operand.at + node->at;
    if (node->op == CODE_GATHER) {
        gather(run, node, of, out);
        return;
    }
    struct code_type from = code_node(run->program, of[0])->type;
    struct exec_tile a = *exec_value(run, of[0]);
    if (node->op == CODE_JOIN) {
        struct exec_tile b = *exec_value(run, of[1]);
        for (uint32_t i = 0; i < out->n; i++)
            out->at[i] = i % 2 ? b.at[i / 2] : a.at[i / 2];
        return;
    }
    if (node->op == CODE_EXPAND || node->op == CODE_RESHAPE || node->op == CODE_SHUFFLE)
        memcpy(out->at, a.at, out->n * sizeof *out->at);
    else if (node->op == CODE_STRETCH && node->type.rank > 0)
        stretch(&from, &node->type, a.at, out->at);
    else
        for (uint32_t i = 0; i < out->n; i++)
            out->at[i] = a.at[node->op == CODE_SPLAT ? 0 : source_lane(node, &from, i)];
}

// ---- products

static void dot(struct execution *run, const struct code_node *node, const code_value *of,
                struct exec_tile *out)
{
    struct code_type a = code_node(run->program, of[0])->type;
    struct exec_tile x = *exec_value(run, of[0]), y = *exec_value(run, of[1]);
    uint32_t r = a.rank, rows = a.extent[r - 2], inner = a.extent[r - 1];
    uint32_t columns = node->type.extent[r - 1], batches = r == 3 ? a.extent[0] : 1;
    if (!exec_charge(run, (uint64_t)batches * rows * columns * inner))
        return;
    memset(out->at, 0, out->n * sizeof *out->at);
    for (uint32_t at = 0; at < batches * rows * inner; at++) {
        uint32_t k = at % inner, row = at / inner, batch = row / rows;
        const struct exec_cell *p = &x.at[at], *q = &y.at[(batch * inner + k) * columns];
        struct exec_cell *sum = &out->at[row * columns];
        for (uint32_t j = 0; j < columns; j++) {
            sum[j].undefined |= p->undefined | q[j].undefined;
            if (node->type.kind == CODE_REAL)
                sum[j].real += p->real * q[j].real;
            else
                sum[j].whole = exec_sum_of_products(run, node, at, &sum[j], p, &q[j]);
        }
    }
}

// ---- reductions and scans

struct fold {
    struct execution *run;
    const struct code_region *region;
    const code_value *bound;
    struct exec_tile operand[OPERANDS];
    struct exec_cell state[OPERANDS];
};

// Values of the region's nodes, in order: operands have smaller numbers.
static struct exec_cell region_value(struct fold *fold, code_value value)
{
    if (value >= fold->region->from)
        return fold->run->scratch.at[value - fold->region->from];
    return exec_value(fold->run, value)->at[0];
}

static void region_run(struct fold *fold, uint32_t lane)
{
    struct execution *run = fold->run;
    const struct code_region *region = fold->region;
    for (code_value v = region->from; v < region->end; v++) {
        const struct code_node *node = code_node(run->program, v);
        struct exec_cell operands[OPERANDS];
        if (node->op == CODE_BOUND)
            continue;
        struct exec_cell *out = &run->scratch.at[v - region->from];
        if (code_op_group((enum code_op)node->op) == GROUP_LANE) {
            for (uint32_t i = 0; i < node->n; i++)
                operands[i] = region_value(fold, run->program->operand.at[node->at + i]);
            *out = exec_apply(run, node, operands, lane);
        } else {
            *out = exec_value(run, v)->at[0];
        }
    }
}

// state := region(state, the operands at `lane`)
static void fold_step(struct fold *fold, uint32_t lane)
{
    const struct code_region *region = fold->region;
    struct exec_cell *scratch = fold->run->scratch.at;
    uint32_t n = region->n;
    for (uint32_t i = 0; i < n; i++) {
        scratch[fold->bound[i] - region->from] = fold->state[i];
        scratch[fold->bound[n + i] - region->from] = fold->operand[i].at[lane];
    }
    region_run(fold, lane);
    struct exec_cell next[OPERANDS];
    for (uint32_t i = 0; i < n; i++)
        next[i] = region_value(fold, fold->bound[2 * n + i]);
    memcpy(fold->state, next, n * sizeof *next);
}

static void fold_axis(struct fold *fold, const struct code_node *node, const struct code_type *type,
                      struct exec_tile *out)
{
    uint32_t axis = fold->region->axis, which = (uint32_t)node->number & 7;
    uint32_t extent = type->extent[axis], inner = 1;
    for (uint32_t d = axis + 1; d < type->rank; d++)
        inner *= type->extent[d];
    uint32_t outer = (uint32_t)code_elements(type) / (extent * inner);
    for (uint32_t row = 0; row < outer * inner; row++) {
        uint32_t base = row / inner * extent * inner + row % inner;
        for (uint32_t k = 0; k < extent; k++) {
            uint32_t j = fold->region->reverse ? extent - 1 - k : k, lane = base + j * inner;
            if (k == 0)
                for (uint32_t i = 0; i < fold->region->n; i++)
                    fold->state[i] = fold->operand[i].at[lane];
            else
                fold_step(fold, lane);
            if (node->op == CODE_SCAN)
                out->at[lane] = fold->state[which];
        }
        if (node->op == CODE_REDUCE)
            out->at[row] = fold->state[which];
    }
}

void exec_fold(struct execution *run, code_value value, struct exec_tile *out)
{
    const struct code_program *program = run->program;
    const struct code_node *node = code_node(program, value);
    const code_value *of = program->operand.at + node->at;
    if (node->op == CODE_DOT) {
        dot(run, node, of, out);
        return;
    }
    struct fold fold = {.run = run, .region = &program->region.at[node->number >> 3]};
    fold.bound = program->bound.at + fold.region->at;
    for (uint32_t i = 0; i < node->n; i++)
        fold.operand[i] = *exec_value(run, of[i]);
    uint32_t need = fold.region->end - fold.region->from;
    if (run->scratch.len < need) {
        vec_release(&run->scratch);
        vec_zero(&run->scratch, need);
    }
    const struct code_type *type = &code_node(program, of[0])->type;
    if (exec_charge(run, code_elements(type) * (need + 1)))
        fold_axis(&fold, node, type, out);
}
