// SPDX-License-Identifier: Apache-2.0
// Small changes of patterns, one at a time.  A node keeps its number; its old
// content moves to a new node.  The parser rejects changes that do not fit
// types and shapes.
#include "discover/repair/core.h"
#include <string.h>

#define COST_SWAP 2.2
#define COST_DIRECTION 2.0
#define COST_AXIS 2.0
#define COST_LEAF 3.0
#define COST_WRAP 3.0
#define COST_OPERATOR 3.5
#define COST_REMOVE 3.5
#define COST_LEFT 1.0 // added for a change of the left side

struct repair_edit {
    struct repair_run *repair_run;
    struct draft draft;
    uint32_t node;
    double cost;
};

static void begin(struct repair_edit *edit)
{
    draft_copy(&edit->draft, &edit->repair_run->base);
}

static void end(struct repair_edit *edit)
{
    struct buf was = {0}, is = {0};
    pat_print(&edit->repair_run->base.r, edit->node, &was);
    pat_print(&edit->draft.r, edit->node, &is);
    if (strcmp(buf_text(&was), buf_text(&is)) != 0)
        repair_offer(
            edit->repair_run, &edit->draft, edit->cost,
            repair_words(edit->repair_run, "%.400s became %.400s", buf_text(&was), buf_text(&is)));
    buf_release(&was);
    buf_release(&is);
    draft_release(&edit->draft);
}

// ---- parts

static uint32_t add_node(struct draft *draft, struct pat pattern)
{
    draft->pats[draft->r.n_pats] = pattern;
    return draft->r.n_pats++;
}

static uint32_t add_literal(struct draft *draft, const struct pat *pattern, uint32_t type)
{
    struct pat p = *pattern;
    p.type = type;
    return add_node(draft, p);
}

static void set_args(struct draft *draft, struct pat *pattern, uint32_t n, const uint32_t *args)
{
    uint32_t *own = ARENA_NEW(&draft->mem, uint32_t, n);
    memcpy(own, args, n * sizeof *own);
    pattern->args = own;
    pattern->n_args = n;
}

// Puts an operator around the node, perhaps with a literal as the other
// operand.
static void wrap(struct repair_edit *edit, enum op op, const struct pat *literal)
{
    struct draft *draft = &edit->draft;
    struct pat *pattern = &draft->pats[edit->node];
    uint32_t args[2] = {add_node(draft, *pattern), 0}, n = 1;
    struct pat w = {.kind = PAT_OP,
                    .op = op,
                    .reducer = N_OPS,
                    .opvar = NONE,
                    .type = pattern->type,
                    .n_sizes = pattern->n_sizes,
                    .sizes = pattern->sizes};
    if (literal != NULL)
        args[n++] = add_literal(draft, literal, pattern->type);
    set_args(draft, &w, n, args);
    *pattern = w;
}

static const struct pat literals[] = {
    {.kind = PAT_LITERAL, .lit = LIT_INT, .k = 0, .opvar = NONE},
    {.kind = PAT_LITERAL, .lit = LIT_INT, .k = 1, .opvar = NONE},
    {.kind = PAT_LITERAL, .lit = LIT_INT, .k = -1, .opvar = NONE},
    {.kind = PAT_LITERAL, .lit = LIT_INT, .k = 2, .opvar = NONE},
    {.kind = PAT_LITERAL, .lit = LIT_BOOL, .k = 0, .opvar = NONE},
    {.kind = PAT_LITERAL, .lit = LIT_BOOL, .k = 1, .opvar = NONE},
    {.kind = PAT_LITERAL, .lit = LIT_LOWEST, .opvar = NONE},
    {.kind = PAT_LITERAL, .lit = LIT_HIGHEST, .opvar = NONE},
};
#define N_LITERALS (sizeof literals / sizeof *literals)

static bool same_literal(const struct pat *a, const struct pat *b)
{
    return a->kind == PAT_LITERAL && b->kind == PAT_LITERAL && a->lit == b->lit && a->k == b->k &&
           a->opvar == b->opvar && a->reducer == b->reducer;
}

static bool is_leaf(const struct pat *pattern)
{
    return pattern->kind == PAT_TENSOR || pattern->kind == PAT_SCALAR ||
           pattern->kind == PAT_LITERAL;
}

// ---- changes

static void swap_operands(struct repair_edit *edit, const struct pat *pattern)
{
    uint32_t a = 0, b = pattern->n_args - 1;
    if (pattern->kind != PAT_OP || pattern->n_args < 2 || pattern->n_args > 3 ||
        op_is_commutative(pattern->op) ||
        !(op_is_elementwise(pattern->op) || pattern->op == OP_CONCATENATE))
        return;
    if (pattern->op == OP_SELECT)
        a = 1;
    begin(edit);
    uint32_t args[3];
    memcpy(args, pattern->args, pattern->n_args * sizeof *args);
    args[a] = pattern->args[b];
    args[b] = pattern->args[a];
    set_args(&edit->draft, &edit->draft.pats[edit->node], pattern->n_args, args);
    edit->cost = COST_SWAP;
    end(edit);
}

static void turn_comparison(struct repair_edit *edit, const struct pat *pattern)
{
    static const enum compare_dir dirs[] = {CMP_LT, CMP_LE, CMP_GT, CMP_GE, CMP_EQ, CMP_NE};
    if (pattern->kind != PAT_OP || pattern->op != OP_COMPARE)
        return;
    for (size_t i = 0; i < sizeof dirs / sizeof *dirs; i++) {
        begin(edit);
        edit->draft.pats[edit->node].dir = dirs[i];
        edit->cost = COST_DIRECTION;
        end(edit);
    }
}

static void other_operator(struct repair_edit *edit, const struct pat *pattern)
{
    static const enum op one[] = {OP_NEGATE, OP_ABS,         OP_SQRT, OP_RSQRT,
                                  OP_LOG,    OP_EXPONENTIAL, OP_NOT,  OP_SIGN};
    static const enum op two[] = {OP_ADD,     OP_SUBTRACT, OP_MULTIPLY, OP_DIVIDE,
                                  OP_MAXIMUM, OP_MINIMUM,  OP_POWER,    OP_REMAINDER,
                                  OP_AND,     OP_OR,       OP_XOR};
    static const enum op fold[] = {OP_ADD, OP_MULTIPLY, OP_MAXIMUM, OP_MINIMUM};
    edit->cost = COST_OPERATOR;
    if (pattern->kind != PAT_OP)
        return;
    bool unary = op_is_elementwise(pattern->op) && pattern->n_args == 1 &&
                 pattern->op != OP_CONVERT && pattern->op != OP_BITCAST_CONVERT;
    bool binary =
        op_is_elementwise(pattern->op) && pattern->n_args == 2 && pattern->op != OP_COMPARE;
    bool reduces =
        (pattern->op == OP_REDUCE || pattern->op == OP_REDUCE_WINDOW) && pattern->opvar == NONE;
    const enum op *list = unary ? one : binary ? two : fold;
    size_t n = unary    ? sizeof one / sizeof *one
               : binary ? sizeof two / sizeof *two
                        : sizeof fold / sizeof *fold;
    for (size_t i = 0; i < n && (unary || binary || reduces); i++) {
        begin(edit);
        if (reduces)
            edit->draft.pats[edit->node].reducer = list[i];
        else
            edit->draft.pats[edit->node].op = list[i];
        end(edit);
    }
}

static void wrap_node(struct repair_edit *edit, const struct pat *pattern)
{
    static const struct {
        enum op op;
        int literal; // index, or -1
    } how[] = {{OP_NEGATE, -1},  {OP_ABS, -1},    {OP_NOT, -1},    {OP_ADD, 1},
               {OP_SUBTRACT, 1}, {OP_MAXIMUM, 0}, {OP_MULTIPLY, 3}};
    if (pattern->kind == PAT_LITERAL || pattern->kind == PAT_SPLAT)
        return;
    for (size_t i = 0; i < sizeof how / sizeof *how; i++) {
        begin(edit);
        edit->cost = COST_WRAP;
        wrap(edit, how[i].op, how[i].literal < 0 ? NULL : &literals[how[i].literal]);
        end(edit);
    }
}

static void wrap_conversion(struct repair_edit *edit, const struct pat *pattern)
{
    for (uint32_t t = 0; t < edit->repair_run->base.r.n_types; t++) {
        const char *name = edit->repair_run->base.types[t].name;
        if (t == pattern->type || name == NULL || !*name || pattern->kind == PAT_LITERAL)
            continue;
        begin(edit);
        edit->cost = COST_WRAP;
        wrap(edit, OP_CONVERT, NULL);
        edit->draft.pats[edit->node].type = t;
        end(edit);
    }
}

static void remove_node(struct repair_edit *edit, const struct pat *pattern)
{
    bool may =
        pattern->kind == PAT_RELABEL ||
        (pattern->kind == PAT_OP && (op_is_elementwise(pattern->op) || pattern->op == OP_REVERSE));
    for (uint32_t i = 0; may && i < pattern->n_args; i++) {
        begin(edit);
        edit->cost = COST_REMOVE;
        edit->draft.pats[edit->node] = edit->draft.pats[pattern->args[i]];
        end(edit);
    }
}

static void other_leaf(struct repair_edit *edit, const struct pat *pattern)
{
    const struct rule *rule = &edit->repair_run->base.r;
    bool splat = pattern->kind == PAT_SPLAT && is_leaf(&rule->pats[pattern->args[0]]);
    edit->cost = COST_LEAF;
    if (!is_leaf(pattern) && !splat)
        return;
    for (uint32_t v = 0; v < rule->n_tensors; v++) {
        begin(edit);
        edit->draft.pats[edit->node] = (struct pat){.kind = PAT_TENSOR,
                                                    .var = v,
                                                    .opvar = NONE,
                                                    .type = rule->tensors[v].type,
                                                    .n_sizes = rule->tensors[v].n_sizes,
                                                    .sizes = rule->tensors[v].sizes};
        end(edit);
    }
    for (uint32_t v = 0; v < rule->n_scalars && !splat; v++) {
        begin(edit);
        edit->draft.pats[edit->node] = (struct pat){
            .kind = PAT_SCALAR, .var = v, .opvar = NONE, .type = rule->scalars[v].type};
        end(edit);
    }
    for (size_t k = 0; k < N_LITERALS && !splat; k++) {
        begin(edit);
        edit->draft.pats[edit->node] = literals[k];
        edit->draft.pats[edit->node].type = pattern->type;
        end(edit);
    }
}

static void invert(struct draft *draft, struct pat *pattern)
{
    struct relabel *to = ARENA_NEW(&draft->mem, struct relabel, pattern->n_relabels + 1);
    for (uint32_t i = 0; i < pattern->n_relabels; i++)
        to[i] = (struct relabel){pattern->relabels[i].to, pattern->relabels[i].from};
    pattern->relabels = to;
}

static void invert_relabel(struct repair_edit *edit, const struct pat *pattern)
{
    if (pattern->kind != PAT_RELABEL)
        return;
    begin(edit);
    edit->cost += COST_AXIS;
    invert(&edit->draft, &edit->draft.pats[edit->node]);
    end(edit);
}

// Puts a relabelling of the rule, or its inverse, around the node.
static void wrap_relabel(struct repair_edit *edit, const struct pat *pattern)
{
    const struct rule *rule = &edit->repair_run->base.r;
    for (uint32_t q = 0; q < rule->n_pats; q++)
        for (int turned = 0; turned < 2; turned++) {
            if (rule->pats[q].kind != PAT_RELABEL || pattern->n_sizes == 0)
                continue;
            begin(edit);
            edit->cost = COST_WRAP;
            struct pat w = rule->pats[q];
            uint32_t inner = add_node(&edit->draft, edit->draft.pats[edit->node]);
            if (turned)
                invert(&edit->draft, &w);
            set_args(&edit->draft, &w, 1, &inner);
            edit->draft.pats[edit->node] = w;
            end(edit);
        }
}

static void other_axis(struct repair_edit *edit, const struct pat *pattern)
{
    const struct rule *rule = &edit->repair_run->base.r;
    bool one = pattern->kind == PAT_OP && (pattern->op == OP_IOTA || pattern->op == OP_CONCATENATE);
    bool set = pattern->kind == PAT_OP && pattern->op == OP_REVERSE;
    for (uint32_t k = 0; k < pattern->n_sizes && (one || set); k++) {
        uint32_t c = pattern->sizes[k].cls;
        if (one && !rule->classes[c].single)
            continue;
        begin(edit);
        edit->cost = COST_AXIS;
        struct pat *n = &edit->draft.pats[edit->node];
        n->classes = one ? UINT64_C(1) << c : n->classes ^ UINT64_C(1) << c;
        if (n->classes != 0)
            end(edit);
        else
            draft_release(&edit->draft);
    }
}

void repair_edits(struct repair_run *repair_run)
{
    const struct rule *rule = &repair_run->base.r;
    repair_run->kind = "right side";
    for (uint32_t i = 0; i < rule->n_pats; i++) {
        struct repair_edit edit = {.repair_run = repair_run, .node = i};
        const struct pat *pattern = &rule->pats[i];
        if (!draft_below(rule, rule->rhs, i))
            continue;
        swap_operands(&edit, pattern);
        turn_comparison(&edit, pattern);
        other_axis(&edit, pattern);
        edit.cost = 0;
        invert_relabel(&edit, pattern);
        other_leaf(&edit, pattern);
        wrap_node(&edit, pattern);
        wrap_relabel(&edit, pattern);
        wrap_conversion(&edit, pattern);
        other_operator(&edit, pattern);
        remove_node(&edit, pattern);
    }
}

// Changes the left side only where the pattern fixes something that a program
// may have otherwise: literals, in every place of the rule, and relabellings.
void repair_lefts(struct repair_run *repair_run)
{
    const struct rule *rule = &repair_run->base.r;
    repair_run->kind = "left side";
    for (uint32_t i = 0; i < rule->n_pats; i++) {
        struct repair_edit edit = {.repair_run = repair_run, .node = i};
        const struct pat *pattern = &rule->pats[i];
        if (!draft_below(rule, rule->lhs, i))
            continue;
        edit.cost = COST_LEFT;
        invert_relabel(&edit, pattern);
        for (size_t k = 0; k < N_LITERALS && pattern->kind == PAT_LITERAL; k++)
            for (int all = 0; all < 2; all++) {
                begin(&edit);
                edit.cost = COST_LEFT + COST_LEAF;
                for (uint32_t n = 0; n < rule->n_pats; n++) {
                    if (n != i && (!all || !same_literal(pattern, &rule->pats[n])))
                        continue;
                    edit.draft.pats[n] = literals[k];
                    edit.draft.pats[n].type = pattern->type;
                }
                end(&edit);
            }
    }
}
