// SPDX-License-Identifier: Apache-2.0
#include "discover/learn/columns.h"
#include "discover/limits.h"
#include <string.h>

static bool is_unknown(const struct learn_problem *problem, const char *name)
{
    for (uint32_t i = 0; i < problem->n_unknown; i++)
        if (strcmp(problem->draft->maps[problem->unknown[i]].name, name) == 0)
            return true;
    return false;
}

static void add_column(struct columns *columns, const char *text, const struct iexp *expr)
{
    for (uint32_t i = 0; i < columns->n; i++)
        if (strcmp(columns->at[i].text, text) == 0)
            return;
    if (columns->n == LEARN_COLUMNS)
        return;
    columns->at[columns->n] = (struct column){text, expr};
    columns->name[columns->n++] = text;
}

void columns_known(struct learner *learner, const struct learn_problem *problem,
                   const struct rule *rule, uint32_t root, struct columns *columns)
{
    for (uint32_t m = 0; m < rule->n_maps; m++) {
        const struct map *map = &rule->maps[m];
        if (map->def != NULL || map->index || class_root(rule, map->cls) != root ||
            rule->classes[map->cls].block || is_unknown(problem, map->name))
            continue;
        struct iexp *expr = ARENA_NEW(&learner->set.mem, struct iexp, 1);
        *expr = (struct iexp){.op = IE_MAP, .map = m, .nodes = 1};
        add_column(columns, map->name, expr);
    }
}

// The expression that a size is clipped from, which says more: of max(x - 1 +
// 1, 0) it is x.
static const struct iexp *unclipped(const struct iexp *expr)
{
    if (expr->op == IE_MAX && expr->b->op == IE_CONST && expr->b->k == 0)
        expr = expr->a;
    if (expr->op == IE_ADD && expr->b->op == IE_CONST && expr->a->op == IE_SUB &&
        expr->a->b->op == IE_CONST && expr->a->b->k == expr->b->k)
        expr = expr->a->a;
    return expr;
}

void columns_sizes(struct learner *learner, const struct rule *rule, uint32_t root, uint32_t max,
                   struct columns *columns)
{
    uint32_t most = columns->n + max;
    for (uint32_t i = 0; i < rule->n_pats && columns->n < most; i++) {
        const struct pat *pattern = &rule->pats[i];
        if (!draft_below(rule, rule->lhs, i))
            continue;
        for (uint32_t s = 0; s < pattern->n_sizes && columns->n < most; s++) {
            const struct iexp *expr = unclipped(pattern->sizes[s].size);
            struct buf buf = {0};
            if (class_root(rule, pattern->sizes[s].cls) != root || expr->op == IE_MAP ||
                expr->op == IE_CONST || expr->nodes > LEARN_COLUMN_NODES)
                continue;
            buf_putc(&buf, '(');
            iexp_print(rule, expr, &buf);
            buf_putc(&buf, ')');
            add_column(columns, arena_strdup(&learner->set.mem, buf_text(&buf)), expr);
            buf_release(&buf);
        }
    }
}

static const struct iexp *size_of(const struct rule *rule, const struct pat *pattern, uint32_t cls)
{
    const struct pat *part =
        pattern->op == OP_DYNAMIC_UPDATE_SLICE ? &rule->pats[pattern->args[1]] : pattern;
    for (uint32_t i = 0; i < part->n_sizes; i++)
        if (part->sizes[i].cls == cls)
            return part->sizes[i].size;
    return NULL;
}

void columns_ends(struct learner *learner, const struct rule *rule, uint32_t root,
                  struct columns *columns)
{
    for (uint32_t i = 0; i < rule->n_pats; i++) {
        const struct pat *pattern = &rule->pats[i];
        if (!draft_below(rule, rule->lhs, i) || pattern->kind != PAT_OP ||
            (pattern->op != OP_DYNAMIC_SLICE && pattern->op != OP_DYNAMIC_UPDATE_SLICE))
            continue;
        for (uint32_t k = 0; k < pattern->n_attrs; k++) {
            const struct iexp *start = pattern->attrs[k].expr[0];
            const struct iexp *size = size_of(rule, pattern, pattern->attrs[k].cls);
            if (class_root(rule, pattern->attrs[k].cls) != root || start == NULL || size == NULL ||
                start->op != IE_MAP || size->op != IE_MAP || rule->maps[start->map].index)
                continue;
            struct iexp *end = ARENA_NEW(&learner->set.mem, struct iexp, 1);
            struct buf buf = {0};
            *end = (struct iexp){.op = IE_ADD, .a = start, .b = size, .nodes = 3};
            iexp_print(rule, end, &buf);
            add_column(columns, arena_strdup(&learner->set.mem, buf_text(&buf)), end);
            buf_release(&buf);
        }
    }
}

bool columns_read(const struct columns *columns, const struct rule *rule, struct experiment *lab,
                  int64_t *out)
{
    int64_t **map = mem_alloc((rule->n_maps + 1) * sizeof *map);
    bool ok = true;
    for (uint32_t m = 0; m < rule->n_maps; m++)
        map[m] = experiment_map(lab, m);
    for (uint32_t i = 0; i < columns->n && ok; i++)
        ok = iexp_eval(columns->at[i].expr, map, 0, &out[i]);
    mem_free(map);
    return ok;
}
