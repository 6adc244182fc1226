// SPDX-License-Identifier: Apache-2.0
#include "loops/lift/propose.h"
#include "loops/limits.h"

// The integer parameter that a node is, through conversions and splats; NO_CODE: it is none.
static uint32_t parameter_of(const struct code_program *p, code_value value)
{
    const struct code_node *node = code_node(p, value);
    while (node->op == CODE_CONVERT || node->op == CODE_SPLAT) {
        value = code_operand(p, value, 0);
        node = code_node(p, value);
    }
    return node->op == CODE_PARAMETER && node->type.kind == CODE_INT ? (uint32_t)node->number
                                                                     : NO_CODE;
}

static bool is_size(const struct code_program *p, uint32_t i)
{
    const struct code_parameter *parameter = &p->parameter.at[i];
    return !parameter->array && parameter->type.kind == CODE_INT &&
           parameter->role == ROLE_ARGUMENT && !strstr(code_parameter_name(p, i), "stride");
}

static bool is_loop_bound(const struct code_program *p, uint32_t i)
{
    for (uint32_t l = 0; l < p->loop.len; l++)
        if (parameter_of(p, p->loop.at[l].upper) == i)
            return true;
    return false;
}

// Is there a fact that the size is that of an axis of the grid?
static bool is_grid_size(const struct code_program *p, uint32_t which)
{
    for (uint32_t i = 0; i < p->fact.len; i++) {
        code_value condition = p->fact.at[i].condition;
        if (code_node(p, condition)->op != CODE_EQUAL)
            continue;
        uint32_t a = parameter_of(p, code_operand(p, condition, 0));
        uint32_t b = parameter_of(p, code_operand(p, condition, 1));
        if (a != NO_CODE && b == which && p->parameter.at[a].role == ROLE_GRID)
            return true;
    }
    return false;
}

// a div b: a == b*c, c a size; bounds of loops first.
static void propose_stride(const struct code_program *p, uint32_t a, uint32_t b, struct buf *out)
{
    for (int bound = 1; bound >= 0; bound--)
        for (uint32_t c = 0; c < p->parameter.len; c++)
            if (is_size(p, c) && is_loop_bound(p, c) == bound && c != a && c != b)
                buf_printf(out, "%s == %s*%s\n", code_parameter_name(p, a),
                           code_parameter_name(p, c), code_parameter_name(p, b));
}

static void propose_divisions(const struct code_program *p, struct buf *out)
{
    for (uint32_t i = 0; i < p->node.len && out->len < LOOPS_PROPOSED; i++) {
        if (p->node.at[i].op != CODE_DIVIDE || p->node.at[i].type.kind != CODE_INT)
            continue;
        code_value product = code_operand(p, i, 0);
        uint32_t b = parameter_of(p, code_operand(p, i, 1));
        if (b == NO_CODE || code_node(p, product)->op != CODE_MULTIPLY)
            continue;
        for (uint32_t k = 0; k < 2; k++) {
            uint32_t a = parameter_of(p, code_operand(p, product, k));
            if (a != NO_CODE && a != b)
                propose_stride(p, a, b, out);
        }
    }
}

// A loop of t trips in each of g programs covers n elements in tiles as they are written.
static void propose_trips(const struct code_program *p, struct buf *out)
{
    for (uint32_t w = 0; w < p->statement.len && out->len < LOOPS_PROPOSED; w++) {
        const struct code_statement *write = &p->statement.at[w];
        if (write->kind != STATEMENT_WRITE)
            continue;
        const struct code_type *type = &code_node(p, write->offset)->type;
        for (uint32_t t = 0; t < p->parameter.len && type->rank == 1; t++)
            for (uint32_t g = 0; g < p->parameter.len; g++)
                for (uint32_t n = 0; n < p->parameter.len; n++)
                    if (is_size(p, t) && is_loop_bound(p, t) && is_size(p, n) && n != t &&
                        !p->parameter.at[g].array && p->parameter.at[g].role == ROLE_LAUNCH)
                        buf_printf(out, "%s*%s >= cdiv(%s,%u)\n", code_parameter_name(p, t),
                                   code_parameter_name(p, g), code_parameter_name(p, n),
                                   type->extent[0]);
    }
}

// A size that only the grid has counts the tiles of n elements.
static void propose_grid(const struct code_program *p, struct buf *out)
{
    for (uint32_t w = 0; w < p->statement.len && out->len < LOOPS_PROPOSED; w++) {
        const struct code_statement *write = &p->statement.at[w];
        if (write->kind != STATEMENT_WRITE || code_node(p, write->offset)->type.rank != 1)
            continue;
        for (uint32_t g = 0; g < p->parameter.len; g++)
            for (uint32_t n = 0; n < p->parameter.len; n++)
                if (is_size(p, n) && is_size(p, g) && g != n && is_grid_size(p, g) &&
                    !is_grid_size(p, n))
                    buf_printf(out, "%s == cdiv(%s,%u)\n", code_parameter_name(p, g),
                               code_parameter_name(p, n),
                               code_node(p, write->offset)->type.extent[0]);
    }
}

// Lines end with LF.
static bool has_line(const struct buf *text, const char *line)
{
    const char *at = text->len > 0 ? strstr(text->at, line) : NULL;
    while (at != NULL && at > text->at && at[-1] != '\n')
        at = strstr(at + 1, line);
    return at != NULL;
}

// The range that a tile is; `moved`: plus the same for all lanes.
static bool range_of(const struct code_program *p, code_value tile, code_value *range, bool *moved)
{
    const struct code_node *node = code_node(p, tile);
    while (node->op == CODE_EXPAND || node->op == CODE_CONVERT) {
        tile = code_operand(p, tile, 0);
        node = code_node(p, tile);
    }
    *range = tile;
    if (node->op == CODE_RANGE)
        return true;
    if (node->op != CODE_ADD || *moved)
        return false;
    *moved = true;
    for (uint32_t i = 0; i < 2; i++)
        if (code_node(p, code_operand(p, tile, i))->op == CODE_SPLAT)
            return range_of(p, code_operand(p, tile, 1 - i), range, moved);
    return false;
}

// The tile that a comparison compares a size with: its extent; 0: none.  `moved`: it does not
// begin at 0.
static uint32_t tile_of_comparison(const struct code_program *p, code_value value, uint32_t *size,
                                   bool *moved)
{
    const struct code_node *node = code_node(p, value);
    if ((node->op != CODE_LESS && node->op != CODE_LESS_EQUAL) || node->type.rank == 0)
        return 0;
    *size = parameter_of(p, code_operand(p, value, 1));
    code_value range;
    *moved = false;
    return *size != NO_CODE && range_of(p, code_operand(p, value, 0), &range, moved)
               ? code_node(p, range)->type.extent[0]
               : 0;
}

// The line, once; empties it.
static void propose_line(struct buf *out, struct buf *line)
{
    if (!has_line(out, buf_text(line)))
        buf_puts(out, buf_text(line));
    buf_release(line);
}

// One tile holds a whole row: n <= BLOCK, where the lanes are compared with n.
static void propose_one_tile(const struct code_program *p, struct buf *out)
{
    for (uint32_t i = 0; i < p->node.len && out->len < LOOPS_PROPOSED; i++) {
        bool moved;
        uint32_t size, extent = tile_of_comparison(p, i, &size, &moved);
        struct buf line = {0};
        if (extent == 0 || moved)
            continue;
        buf_printf(&line, "%s <= %u\n", code_parameter_name(p, size), extent);
        propose_line(out, &line);
    }
}

static bool is_infinite(const struct code_program *p, code_value value)
{
    while (code_node(p, value)->op == CODE_SPLAT)
        value = code_operand(p, value, 0);
    const struct code_node *node = code_node(p, value);
    return node->op == CODE_CONSTANT && node->type.kind == CODE_REAL &&
           strstr(code_real_text(p, value), "inf") != NULL;
}

// Do masks leave lanes undefined, or infinite?
static void left_lanes(const struct code_program *p, bool *undefined, bool *infinite)
{
    *undefined = *infinite = false;
    for (uint32_t i = 0; i < p->node.len; i++) {
        const struct code_node *node = &p->node.at[i];
        if (node->op != CODE_READ && node->op != CODE_SELECT)
            continue;
        *undefined = *undefined || (node->op == CODE_READ && node->n == 2);
        for (uint32_t k = 1; k < node->n; k++)
            *infinite = *infinite || is_infinite(p, code_operand(p, i, k));
    }
}

static int64_t constant_of(const struct code_program *p, code_value value)
{
    while (code_node(p, value)->op == CODE_CONVERT)
        value = code_operand(p, value, 0);
    const struct code_node *node = code_node(p, value);
    return node->op == CODE_CONSTANT && node->type.kind == CODE_INT ? node->number : 0;
}

// Lanes behind the end that have no value are not there if a size is a multiple of the tile: n in
// a loop in steps of it, or (n + 63) div 64 times, or in tiles of the programs; or, of `rows`, if one
// tile is a row.
static void propose_multiples(const struct code_program *p, bool rows, struct buf *out)
{
    for (uint32_t i = 0; i < p->loop.len && out->len < LOOPS_PROPOSED; i++) {
        code_value upper = p->loop.at[i].upper;
        int64_t step = constant_of(p, p->loop.at[i].step);
        if (p->loop.at[i].kind == LOOP_PARALLEL)
            continue;
        if (step == 1 && code_node(p, upper)->op == CODE_DIVIDE) {
            step = constant_of(p, code_operand(p, upper, 1));
            upper = code_operand(p, upper, 0);
            if (code_node(p, upper)->op == CODE_ADD)
                upper = code_operand(p, upper, 0);
        }
        uint32_t size = parameter_of(p, upper);
        if (step > 1 && size != NO_CODE) {
            struct buf line = {0};
            buf_printf(&line, "%s %% %lld == 0\n", code_parameter_name(p, size), (long long)step);
            propose_line(out, &line);
        }
    }
    for (uint32_t i = 0; i < p->node.len && out->len < LOOPS_PROPOSED; i++) {
        bool moved;
        uint32_t size, extent = tile_of_comparison(p, i, &size, &moved);
        if (extent > 1 && (moved || rows)) {
            struct buf line = {0};
            buf_printf(&line, moved ? "%s %% %u == 0\n" : "%s == %u\n",
                       code_parameter_name(p, size), extent);
            propose_line(out, &line);
        }
    }
}

// Two of the lines at once: lanes of rows and of columns.
static void propose_pairs(const char *lines, struct buf *out)
{
    for (const char *a = lines, *next; *a && out->len < LOOPS_PROPOSED; a = next) {
        next = strchr(a, '\n') + 1;
        for (const char *b = next, *end; *b && out->len < LOOPS_PROPOSED; b = end) {
            end = strchr(b, '\n') + 1;
            buf_printf(out, "%.*s, %.*s", (int)(next - a) - 1, a, (int)(end - b), b);
        }
    }
}

void propose_facts(const struct code_program *p, struct buf *out)
{
    struct buf multiples = {0};
    bool undefined, infinite;
    left_lanes(p, &undefined, &infinite);
    if (undefined || infinite)
        propose_multiples(p, undefined, &multiples);
    if (undefined)
        buf_puts(out, buf_text(&multiples));
    propose_grid(p, out);
    propose_divisions(p, out);
    propose_trips(p, out);
    propose_one_tile(p, out);
    if (!undefined) // more than that one tile holds a row
        buf_puts(out, buf_text(&multiples));
    propose_pairs(buf_text(&multiples), out);
    buf_release(&multiples);
    for (uint32_t a = 0; a < p->parameter.len && out->len < LOOPS_PROPOSED; a++)
        for (uint32_t b = 0; b < a; b++)
            if (is_size(p, a) && is_size(p, b))
                buf_printf(out, "%s == %s\n", code_parameter_name(p, a), code_parameter_name(p, b));
}
