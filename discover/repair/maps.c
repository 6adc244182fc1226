// SPDX-License-Identifier: Apache-2.0
// Changes of one or two places in integer expressions of the right side, and
// attributes learned from ground instances.
#include "discover/repair/core.h"
#include "discover/limits.h"
#include <math.h>
#include <string.h>

// Costs of repairs, in bits.  A repair that keeps more of the rule is cheaper.
#define COST_EXPRESSION 3.0 // another expression in place of an attribute
#define COST_LEARNED 4.0    // a learned attribute
#define COST_ALWAYS 2.5     // a learned attribute that needs no precondition
#define COST_BESIDE 0.5     // each further attribute of the same operator
#define COST_TERM 3.0       // a precondition
// An equality costs more: samples are of small numbers, which are often equal.
#define COST_EQUAL 2.5

struct changed {
    const struct iexp *expr;
};
struct changes {
    struct draft *draft; // owns the expressions
    uint32_t root;       // the family
    VEC(struct changed) at;
};

static const struct iexp *node(struct draft *draft, enum iexp_op op, const struct iexp *a,
                               const struct iexp *b)
{
    struct iexp *expr = ARENA_NEW(&draft->mem, struct iexp, 1);
    *expr = (struct iexp){.op = op, .a = a, .b = b, .nodes = 1};
    expr->nodes += (a ? a->nodes : 0) + (b ? b->nodes : 0);
    return expr;
}

static void push(struct changes *changes, const struct iexp *expr)
{
    struct changed changed = {expr};
    vec_push(&changes->at, changed);
}

// Is it a map of the family that holds a size or attribute of the program?
static bool plain_map(const struct changes *changes, uint32_t m)
{
    const struct map *map = &changes->draft->maps[m];
    return map->cls != NONE && !map->index && map->def == NULL &&
           class_root(&changes->draft->r, map->cls) == changes->root;
}

static void of_map(struct changes *changes, const struct iexp *expr)
{
    const struct rule *rule = &changes->draft->r;
    bool index = rule->maps[expr->map].index;
    for (uint32_t m = 0; m < rule->n_maps; m++) {
        if (m == expr->map || rule->maps[m].cls == NONE || rule->maps[m].def != NULL)
            continue;
        if (rule->maps[m].index == index && class_root(rule, rule->maps[m].cls) == changes->root)
            push(changes, draft_map(changes->draft, m));
    }
    for (uint32_t a = 0; a < rule->n_maps && index; a++)
        for (uint32_t b = 0; b < rule->n_maps; b++) {
            if (a == b || !plain_map(changes, a) || !plain_map(changes, b))
                continue;
            const struct iexp *high = node(changes->draft, IE_SUB, draft_map(changes->draft, a),
                                           draft_map(changes->draft, b));
            const struct iexp *low =
                node(changes->draft, IE_MAX, expr, draft_const(changes->draft, 0));
            push(changes, node(changes->draft, IE_MIN, low, high));
        }
}

static void change(struct changes *changes, const struct iexp *expr)
{
    static const enum iexp_op other[] = {
        [IE_ADD] = IE_SUB,  [IE_SUB] = IE_ADD,  [IE_MIN] = IE_MAX, [IE_MAX] = IE_MIN,
        [IE_DIV] = IE_CDIV, [IE_CDIV] = IE_DIV, [IE_MUL] = IE_MUL, [IE_MOD] = IE_MOD,
        [IE_ABS] = IE_ABS,  [IE_NEG] = IE_NEG,  [IE_MAP] = IE_MAP, [IE_CONST] = IE_CONST,
    };
    if (expr->op == IE_MAP)
        of_map(changes, expr);
    if (expr->op == IE_CONST) {
        push(changes, draft_const(changes->draft, expr->k + 1));
        push(changes, draft_const(changes->draft, expr->k - 1));
    }
    if (expr->op == IE_SUB || expr->op == IE_DIV || expr->op == IE_MOD || expr->op == IE_CDIV)
        push(changes, node(changes->draft, expr->op, expr->b, expr->a));
    if (other[expr->op] != expr->op)
        push(changes, node(changes->draft, other[expr->op], expr->a, expr->b));
    for (int side = 0; side < 2; side++) {
        const struct iexp *inner = side ? expr->b : expr->a;
        if (inner == NULL)
            continue;
        uint32_t from = changes->at.len;
        change(changes, inner);
        for (uint32_t i = from; i < changes->at.len; i++)
            changes->at.at[i].expr =
                node(changes->draft, expr->op, side ? expr->a : changes->at.at[i].expr,
                     side ? changes->at.at[i].expr : expr->b);
    }
}

// An expression of a pattern: number `part` of attribute `attr` of the node.
struct attribute_place {
    uint32_t node, attr;
    int part;
};

static const struct iexp *expression_at(const struct rule *rule, const struct attribute_place *at)
{
    return rule->pats[at->node].attrs[at->attr].expr[at->part];
}

// Puts the expression there; the draft owns the new attributes.
static void set_expression(struct draft *draft, const struct attribute_place *at,
                           const struct iexp *expr)
{
    struct pat *pattern = &draft->pats[at->node];
    struct pat_attr *attrs = ARENA_NEW(&draft->mem, struct pat_attr, pattern->n_attrs);
    memcpy(attrs, pattern->attrs, pattern->n_attrs * sizeof *attrs);
    attrs[at->attr].expr[at->part] = expr;
    pattern->attrs = attrs;
}

static void offer(struct repair_run *repair_run, const struct draft *with,
                  const struct attribute_place *at, const struct iexp *expr, double cost)
{
    struct draft draft;
    struct buf was = {0}, is = {0};
    draft_copy(&draft, with);
    iexp_print(&repair_run->base.r, draft.pats[at->node].attrs[at->attr].expr[at->part], &was);
    iexp_print(&draft.r, expr, &is);
    set_expression(&draft, at, expr);
    repair_offer(repair_run, &draft, cost,
                 repair_words(repair_run, "%.400s became %.400s", buf_text(&was), buf_text(&is)));
    buf_release(&was);
    buf_release(&is);
    draft_release(&draft);
}

static void one_slot(struct repair_run *repair_run, const struct attribute_place *at, bool pairs)
{
    struct draft own;
    draft_copy(&own, &repair_run->base);
    const struct pat_attr *attr = &repair_run->base.pats[at->node].attrs[at->attr];
    struct changes changes = {.draft = &own, .root = class_root(&own.r, attr->cls)};
    change(&changes, attr->expr[at->part]);
    uint32_t n = changes.at.len;
    for (uint32_t i = 0; i < n && !pairs; i++)
        offer(repair_run, &own, at, changes.at.at[i].expr, COST_EXPRESSION);
    for (uint32_t i = 0; i < n && pairs && changes.at.len < REPAIR_PAIRS; i++)
        change(&changes, changes.at.at[i].expr);
    for (uint32_t i = n; i < changes.at.len; i++)
        offer(repair_run, &own, at, changes.at.at[i].expr, 2 * COST_EXPRESSION);
    vec_release(&changes.at);
    draft_release(&own);
}

// ---- shorter

// Of min(max(x, low), high) the x; NULL: the expression has another form.
static const struct iexp *clamped(const struct iexp *expr)
{
    return expr->op == IE_MIN && expr->a->op == IE_MAX ? expr->a->a : NULL;
}

// Returns the expression with its nth minimum or maximum replaced by one
// operand.  A clamp is replaced as a whole, because half a clamp reads worse.
static const struct iexp *without(struct draft *draft, const struct iexp *expr, uint32_t *nth,
                                  bool first)
{
    if (expr == NULL)
        return NULL;
    const struct iexp *inner = clamped(expr);
    if (expr->op == IE_MIN || expr->op == IE_MAX) {
        if (*nth == 0) {
            *nth = NONE;
            return !first ? expr->b : inner ? inner : expr->a;
        }
        --*nth;
    }
    if (inner != NULL) {
        const struct iexp *to = without(draft, inner, nth, first);
        return to == inner ? expr
                           : node(draft, IE_MIN, node(draft, IE_MAX, to, expr->a->b), expr->b);
    }
    const struct iexp *a = without(draft, expr->a, nth, first);
    const struct iexp *b = *nth == NONE ? expr->b : without(draft, expr->b, nth, first);
    return a == expr->a && b == expr->b ? expr : node(draft, expr->op, a, b);
}

// The rule with the candidate's nth minimum or maximum at the place replaced by one operand.
// NULL: there are fewer (*is_one: false), or the parser rejects the rule.
static const struct rule *shorter(struct repair_run *repair_run, const struct rule *rule,
                                  const struct attribute_place *at, uint32_t choice, bool *is_one,
                                  struct buf *now)
{
    struct draft draft;
    struct err err = {0};
    uint32_t nth = choice / 2;
    draft_init(&draft, rule);
    const struct iexp *expr = draft.pats[at->node].attrs[at->attr].expr[at->part];
    expr = without(&draft, expr, &nth, choice % 2);
    set_expression(&draft, at, expr);
    *is_one = nth == NONE;
    iexp_print(&draft.r, expr, now);
    const struct rule *out = *is_one ? draft_rule(&draft, &repair_run->learner->set, &err) : NULL;
    repair_run->learner->n_rules += *is_one;
    draft_release(&draft);
    return out;
}

// Turns "... became OLD" into "... became NEW"; appends the change to another
// text.
static const char *told(struct repair_run *repair_run, const char *what, const char *old,
                        const char *now)
{
    size_t n = strlen(what), m = strlen(old);
    if (n >= m && strcmp(what + n - m, old) == 0)
        return repair_words(repair_run, "%.*s%s", (int)(n - m), what, now);
    return repair_words(repair_run, "%s; %.400s became %.400s", what, old, now);
}

static bool shorten_slot(struct repair_run *repair_run, struct repair_candidate *candidate,
                         const struct attribute_place *at)
{
    bool is_one = true, done = false;
    for (uint32_t choice = 0; is_one && !done && choice < 2 * REPAIR_CLAMPS; choice++) {
        struct buf was = {0}, now = {0};
        const struct rule *rule = shorter(repair_run, candidate->rule, at, choice, &is_one, &now);
        if (rule != NULL) {
            struct judged_domains is =
                repair_judge(repair_run, rule, candidate->is.proved, false, NULL);
            done = is.proved == candidate->is.proved;
        }
        if (done) {
            iexp_print(candidate->rule, expression_at(candidate->rule, at), &was);
            candidate->what = told(repair_run, candidate->what, buf_text(&was), buf_text(&now));
            candidate->rule = rule;
        }
        buf_release(&was);
        buf_release(&now);
    }
    return done;
}

void repair_shorten(struct repair_run *repair_run, struct repair_candidate *candidate)
{
    bool again = true;
    while (again) { // each turn removes one node
        const struct rule *rule = candidate->rule;
        again = false;
        for (uint32_t i = 0; i < rule->n_pats && !again; i++)
            for (uint32_t k = 0;
                 !again && draft_below(rule, rule->rhs, i) && k < rule->pats[i].n_attrs; k++)
                for (int j = 0; j < N_ATTRS && !again; j++)
                    again = rule->pats[i].attrs[k].expr[j] != NULL &&
                            shorten_slot(repair_run, candidate, &(struct attribute_place){i, k, j});
    }
}

// ---- changes

void repair_expressions(struct repair_run *repair_run, bool pairs)
{
    const struct rule *rule = &repair_run->base.r;
    repair_run->kind = "expression";
    for (uint32_t i = 0; i < rule->n_pats; i++)
        for (uint32_t k = 0; draft_below(rule, rule->rhs, i) && k < rule->pats[i].n_attrs; k++)
            for (int j = 0; j < N_ATTRS; j++)
                if (rule->pats[i].attrs[k].expr[j] != NULL)
                    one_slot(repair_run, &(struct attribute_place){i, k, j}, pairs);
}

// ---- learned

// Is every literal of the disjunction an equality?
static bool equalities(const char *term)
{
    for (const char *text = term; text != NULL; text = strstr(text, " or ")) {
        text += text == term ? 0 : 4;
        size_t n = strcspn(text, "=");
        const char * or = strstr(text, " or ");
        if (text[n] != '=' || text[n + 1] != '=' || (or && or < text + n) ||
            strcspn(text, "<>!") < n)
            return false;
    }
    return true;
}

static void keep_learned(struct repair_run *repair_run, const struct learn_problem *problem,
                         const struct learned *learned)
{
    struct buf buf = {0};
    double share = ((double)learned->covered + 0.5) / ((double)learned->points + 0.5);
    double bits = share >= 1 ? 0 : -log2(share);
    for (uint32_t u = 0; u < problem->n_unknown; u++)
        buf_printf(&buf, "%s%s", u ? ", " : "attributes ", learned->expr[u]);
    for (uint32_t i = 0; i < learned->n_terms; i++) {
        buf_printf(&buf, "%s%s", i ? ", " : buf.len ? "; where " : "where ", learned->term[i]);
        bits += equalities(learned->term[i]) ? COST_EQUAL : 0;
    }
    if (learned->n_terms > 0)
        bits += repair_size_bits(repair_run, learned->rule);
    struct judged_domains is = {.proved = learned->proved};
    double change = problem->n_unknown == 0 ? 0
                    : learned->n_terms == 0 ? COST_ALWAYS
                                            : COST_LEARNED;
    if (problem->n_unknown > 1)
        change += COST_BESIDE * (problem->n_unknown - 1);
    repair_run->kind = problem->n_unknown ? "attributes" : "precondition on maps";
    repair_keep(repair_run, learned->rule, is, change + COST_TERM * learned->n_terms + bits,
                repair_words(repair_run, "%s", buf_text(&buf)));
    buf_release(&buf);
}

static void learn_with(struct repair_run *repair_run, struct draft *draft, uint32_t cls, uint32_t n,
                       const uint32_t *unknown, const bool *positive)
{
    struct learned got;
    const char *why;
    struct learn_problem problem = {.draft = draft,
                                    .root = cls,
                                    .n_unknown = n,
                                    .unknown = unknown,
                                    .positive = positive,
                                    .domains = repair_run->claims,
                                    .some_domains = true};
    if (repair_over(repair_run))
        return;
    repair_run->out->n_proofs++;
    if (learn_rule(repair_run->learner, &problem, &got, &why))
        keep_learned(repair_run, &problem, &got);
}

// Learns every attribute alone, then two of one operator.
static void learn_attributes(struct repair_run *repair_run, uint32_t cls)
{
    struct draft_slot_list all = {0};
    draft_slots(&repair_run->base, repair_run->base.r.rhs, class_root(&repair_run->base.r, cls),
                &all);
    for (uint32_t i = 0; i < all.len && i < REPAIR_ATTRIBUTES; i++) {
        struct draft draft;
        const struct draft_slot *at = &all.at[i];
        bool positive = at->usual == 1;
        if (at->at == NULL) // the default of the operator
            continue;
        draft_copy(&draft, &repair_run->base);
        uint32_t u = draft_new_map(&draft, "u", at->cls);
        draft_set_slot(&draft, at, draft_map(&draft, u));
        learn_with(repair_run, &draft, cls, 1, &u, &positive);
        draft_release(&draft);
    }
    // Two of one operator.
    for (uint32_t i = 0; i + 1 < all.len && i < REPAIR_ATTRIBUTES; i++)
        for (uint32_t k = i + 1; k < all.len && k < REPAIR_ATTRIBUTES; k++) {
            const struct draft_slot *two[2] = {&all.at[i], &all.at[k]};
            struct draft d;
            uint32_t u[2];
            bool positive[2];
            if (two[0]->pat != two[1]->pat || !two[0]->at || !two[1]->at)
                continue;
            draft_copy(&d, &repair_run->base);
            for (int n = 0; n < 2; n++) {
                positive[n] = two[n]->usual == 1;
                u[n] = draft_new_map(&d, "u", two[n]->cls);
                draft_set_slot(&d, two[n], draft_map(&d, u[n]));
            }
            learn_with(repair_run, &d, cls, 2, u, positive);
            draft_release(&d);
        }
    vec_release(&all);
}

void repair_maps(struct repair_run *repair_run)
{
    const struct rule *rule = &repair_run->base.r;
    for (uint32_t m = 0; m < rule->n_maps; m++)
        if (rule->maps[m].index)
            return; // an index that is known at run time only
    for (uint32_t c = 0; c < rule->n_classes; c++) {
        bool first = class_root(rule, c) == c, has = false;
        for (uint32_t m = 0; m < rule->n_maps; m++)
            has = has || (rule->maps[m].cls != NONE && class_root(rule, rule->maps[m].cls) == c);
        if (!first || !has)
            continue;
        learn_with(repair_run, &repair_run->base, c, 0, NULL, NULL);
        learn_attributes(repair_run, c);
    }
}
