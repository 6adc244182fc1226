// SPDX-License-Identifier: Apache-2.0
#include "discover/learn/columns.h"
#include <string.h>

static bool is_unknown(const struct learn_problem *k, const char *name)
{
    for (uint32_t i = 0; i < k->n_unknown; i++)
        if (strcmp(k->draft->maps[k->unknown[i]].name, name) == 0)
            return true;
    return false;
}

static void add_column(struct columns *c, const char *text,
                       const struct iexp *x)
{
    for (uint32_t i = 0; i < c->n; i++)
        if (strcmp(c->at[i].text, text) == 0)
            return;
    if (c->n == MAX_COLUMNS)
        return;
    c->at[c->n] = (struct column){text, x};
    c->name[c->n++] = text;
}

void columns_known(struct learner *l, const struct learn_problem *k,
                   const struct rule *r, uint32_t root, struct columns *c)
{
    for (uint32_t m = 0; m < r->n_maps; m++) {
        const struct map *map = &r->maps[m];
        if (map->def != NULL || map->index || class_root(r, map->cls) != root ||
            r->classes[map->cls].block || is_unknown(k, map->name))
            continue;
        struct iexp *x = ARENA_NEW(&l->set.mem, struct iexp, 1);
        *x = (struct iexp){.op = IE_MAP, .map = m, .nodes = 1};
        add_column(c, map->name, x);
    }
}

// What a size is clipped from, which says more: max(x - 1 + 1, 0) is x.
static const struct iexp *unclipped(const struct iexp *x)
{
    if (x->op == IE_MAX && x->b->op == IE_CONST && x->b->k == 0)
        x = x->a;
    if (x->op == IE_ADD && x->b->op == IE_CONST && x->a->op == IE_SUB &&
        x->a->b->op == IE_CONST && x->a->b->k == x->b->k)
        x = x->a->a;
    return x;
}

void columns_sizes(struct learner *l, const struct rule *r, uint32_t root,
                   uint32_t max, struct columns *c)
{
    uint32_t most = c->n + max;
    for (uint32_t i = 0; i < r->n_pats && c->n < most; i++) {
        const struct pat *p = &r->pats[i];
        if (!draft_below(r, r->lhs, i))
            continue;
        for (uint32_t s = 0; s < p->n_sizes && c->n < most; s++) {
            const struct iexp *x = unclipped(p->sizes[s].size);
            struct buf b = {0};
            if (class_root(r, p->sizes[s].cls) != root || x->op == IE_MAP ||
                x->op == IE_CONST || x->nodes > 25)
                continue;
            buf_putc(&b, '(');
            iexp_print(r, x, &b);
            buf_putc(&b, ')');
            add_column(c, arena_strdup(&l->set.mem, buf_text(&b)), x);
            buf_release(&b);
        }
    }
}

bool columns_read(const struct columns *c, const struct rule *r,
                  struct experiment *lab, int64_t *out)
{
    int64_t **map = mem_alloc((r->n_maps + 1) * sizeof *map);
    bool ok = true;
    for (uint32_t m = 0; m < r->n_maps; m++)
        map[m] = experiment_map(lab, m);
    for (uint32_t i = 0; i < c->n && ok; i++)
        ok = iexp_eval(c->at[i].x, map, 0, &out[i]);
    mem_free(map);
    return ok;
}
