// SPDX-License-Identifier: Apache-2.0
#include "api/questions/shapes.h"

#include "egraph/program/constants.h"

// An operator with more operands is printed with those that matter alone.
#define MAX_SHOWN_OPERANDS 3

void operators_add(struct operators *set, enum op op)
{
    set->word[op / 64] |= UINT64_C(1) << (op % 64);
}

bool operators_have(const struct operators *set, enum op op)
{
    return set->word[op / 64] >> (op % 64) & 1;
}

static const struct pat *below_relabels(const struct rule *rule, uint32_t pat)
{
    const struct pat *at = &rule->pats[pat];
    while (at->kind == PAT_RELABEL)
        at = &rule->pats[at->args[0]];
    return at;
}

void operators_below(const struct rule *rule, struct operators *out)
{
    const struct pat *top = below_relabels(rule, rule->lhs);
    *out = (struct operators){{0}};
    for (uint32_t i = 0; i < top->n_args; i++) {
        const struct pat *arg = below_relabels(rule, top->args[i]);
        if (arg->kind == PAT_OP)
            operators_add(out, arg->op);
        else if (arg->kind == PAT_SPLAT)
            operators_add(out, OP_BROADCAST_IN_DIM);
        for (uint32_t op = 0; arg->kind == PAT_OPVAR && op < N_OPS; op++)
            if (op_is_elementwise((enum op)op) && op_arity((enum op)op) == (int)arg->n_args)
                operators_add(out, (enum op)op);
    }
}

static bool is_constant(struct egraph *graph, term_id term)
{
    return class_constant(graph, egraph_find(graph, term)).v != NO_LIT.v;
}

bool shape_is_leaf(const struct terms *terms, struct egraph *graph, term_id term)
{
    enum op op = term_op(terms, term);
    return op == OP_PARAMETER || op == OP_CONSTANT || op == OP_OPAQUE || op == OP_RESULT ||
           is_constant(graph, term);
}

term_id shape_operand(const struct terms *terms, term_id term, uint32_t k)
{
    term_id operand = term_args(terms, term)[k];
    while (term_op(terms, operand) == OP_TRANSPOSE)
        operand = term_args(terms, operand)[0];
    return operand;
}

static void mark_reached(const struct program *program, bool *reached)
{
    struct u32_vec roots = {0};
    for (uint32_t f = 0; f < program->functions.len; f++) {
        function_roots(&program->functions.at[f], &roots);
        for (uint32_t i = 0; i < roots.len; i++)
            if (roots.at[i] != NO_TERM.v)
                reached[roots.at[i]] = true;
    }
    for (uint32_t i = program->terms.term.len; i-- > 0;) // T1: arguments are smaller
        for (uint32_t k = 0; reached[i] && k < term_at(&program->terms, (term_id){i})->n_args; k++)
            reached[term_args(&program->terms, (term_id){i})[k].v] = true;
}

// What the shapes of one term are made of.
struct around {
    const struct terms *terms;
    struct egraph *graph;
    struct arena *mem;
    struct shape_uses *out;
    term_id top;
    uint32_t n_args;
};

static const char *operand_word(struct around *around, uint32_t k, bool wanted, const char *word)
{
    term_id operand = shape_operand(around->terms, around->top, k);
    return wanted ? word : is_constant(around->graph, operand) ? "constant" : "_";
}

// With operand i as `first`, and operand j as `second`; i = j: there is only one.
static void put_shape(struct around *around, uint32_t i, const char *first, uint32_t j,
                      const char *second, struct shape_use use)
{
    struct buf text = {0};
    enum op op = term_op(around->terms, around->top);
    buf_printf(&text, "%s(", op_name(op));
    if (around->n_args > MAX_SHOWN_OPERANDS) {
        buf_printf(&text, "%s, ...", first);
    } else if (op_is_commutative(op) && around->n_args == 2) {
        const char *other = i == j ? operand_word(around, 1 - i, false, NULL) : second;
        bool swap = i != j && strcmp(first, other) > 0;
        buf_printf(&text, "%s, %s", swap ? other : first, swap ? first : other);
    } else {
        for (uint32_t k = 0; k < around->n_args; k++)
            buf_printf(&text, "%s%s", k ? ", " : "",
                       operand_word(around, k, k == i || k == j, k == i ? first : second));
    }
    buf_putc(&text, ')');
    use.text = arena_strdup(around->mem, buf_text(&text));
    use.top = around->top;
    vec_push(&around->out->at, use);
    buf_release(&text);
}

// The operand k over one of its own operands.
static void put_chains(struct around *around, uint32_t k)
{
    const struct terms *terms = around->terms;
    term_id operand = shape_operand(terms, around->top, k);
    struct operators done = {{0}};
    for (uint32_t i = 0; i < term_at(terms, operand)->n_args; i++) {
        term_id inner = shape_operand(terms, operand, i);
        struct buf word = {0};
        enum op op = term_op(terms, inner);
        if (shape_is_leaf(terms, around->graph, inner) || operators_have(&done, op))
            continue;
        operators_add(&done, op);
        buf_printf(&word, "%s(%s)", op_name(term_op(terms, operand)), op_name(op));
        put_shape(around, k, buf_text(&word), k, NULL,
                  (struct shape_use){.below = term_op(terms, operand),
                                     .other_top = operand,
                                     .other = op,
                                     .operators = 3});
        buf_release(&word);
    }
}

// Each operator that occurs among the operands, and each two of them.
static void put_shapes(struct around *around)
{
    const struct terms *terms = around->terms;
    struct operators done = {{0}};
    for (uint32_t i = 0; i < around->n_args; i++) {
        term_id operand = shape_operand(terms, around->top, i);
        enum op op = term_op(terms, operand);
        if (shape_is_leaf(terms, around->graph, operand))
            continue;
        if (!operators_have(&done, op)) {
            operators_add(&done, op);
            put_shape(around, i, op_name(op), i, NULL,
                      (struct shape_use){.below = op, .other_top = NO_TERM, .operators = 2});
            put_chains(around, i);
        }
        for (uint32_t j = i + 1; around->n_args <= MAX_SHOWN_OPERANDS && j < around->n_args; j++) {
            term_id next = shape_operand(terms, around->top, j);
            if (!shape_is_leaf(terms, around->graph, next))
                put_shape(around, i, op_name(op), j, op_name(term_op(terms, next)),
                          (struct shape_use){.below = op,
                                             .other_top = around->top,
                                             .other = term_op(terms, next),
                                             .operators = 3});
        }
    }
}

void shapes_of_program(const struct program *program, struct egraph *graph, struct arena *mem,
                       struct shape_uses *out)
{
    const struct terms *terms = &program->terms;
    bool *reached = mem_alloc(terms->term.len + 1);
    mark_reached(program, reached);
    for (uint32_t i = 0; i < terms->term.len; i++) {
        struct around around = {terms, graph, mem, out, {i}, 0};
        if (!reached[i] || shape_is_leaf(terms, graph, around.top))
            continue;
        around.n_args = term_at(terms, around.top)->n_args;
        vec_push(&out->tops, i);
        put_shapes(&around);
    }
    mem_free(reached);
}

void shape_uses_release(struct shape_uses *uses)
{
    vec_release(&uses->at);
    vec_release(&uses->tops);
}
