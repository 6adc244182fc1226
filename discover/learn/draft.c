// SPDX-License-Identifier: Apache-2.0
#include "discover/learn/draft.h"
#include <stdio.h>
#include <string.h>

void *draft_array(struct draft *d, const void *from, size_t n, size_t size,
                  size_t room)
{
    char *to = arena_alloc(&d->mem, (n + room) * size);
    if (n > 0)
        memcpy(to, from, n * size);
    return to;
}

#define COPY(field, n)                                                         \
    (d->field = draft_array(d, r->field, r->n, sizeof *d->field, DRAFT_ROOM),  \
     d->r.field = d->field)

static void copy_pats(struct draft *d)
{
    for (uint32_t i = 0; i < d->r.n_pats; i++) {
        struct pat *p = &d->pats[i];
        p->attrs = draft_array(d, p->attrs, p->n_attrs, sizeof *p->attrs, 0);
        p->args = draft_array(d, p->args, p->n_args, sizeof *p->args, 0);
        p->sizes = draft_array(d, p->sizes, p->n_sizes, sizeof *p->sizes, 0);
    }
    for (uint32_t i = 0; i < d->r.n_tensors; i++) {
        struct tensor_var *t = &d->tensors[i];
        t->sizes = draft_array(d, t->sizes, t->n_sizes, sizeof *t->sizes, 0);
    }
    for (uint32_t i = 0; i < d->r.n_opvars; i++) {
        struct op_var *v = &d->opvars[i];
        v->args = draft_array(d, v->args, v->n_args, sizeof *v->args, 0);
    }
}

static void copy_rule(struct draft *d, const struct rule *r)
{
    *d = (struct draft){.r = *r};
    COPY(classes, n_classes);
    COPY(maps, n_maps);
    COPY(types, n_types);
    COPY(tensors, n_tensors);
    COPY(scalars, n_scalars);
    COPY(opvars, n_opvars);
    COPY(wheres, n_wheres);
    d->pats =
        draft_array(d, r->pats, r->n_pats, sizeof *d->pats, 2 * DRAFT_ROOM);
    d->r.pats = d->pats;
    copy_pats(d);
}

// ---- expressions in place of maps

struct subst {
    struct draft *d;
    uint32_t map;
    const struct iexp *by;
};

static const struct iexp *put_iexp(const struct subst *s, const struct iexp *x)
{
    if (x == NULL || x->op == IE_CONST)
        return x;
    if (x->op == IE_MAP)
        return x->map == s->map ? s->by : x;
    const struct iexp *a = put_iexp(s, x->a), *b = put_iexp(s, x->b);
    if (a == x->a && b == x->b)
        return x;
    struct iexp *n = ARENA_NEW(&s->d->mem, struct iexp, 1);
    *n = *x;
    n->a = a;
    n->b = b;
    return n;
}

static const struct cond *put_cond(const struct subst *s, const struct cond *c)
{
    if (c == NULL)
        return NULL;
    struct cond *n = ARENA_NEW(&s->d->mem, struct cond, 1);
    *n = *c;
    n->a = put_iexp(s, c->a);
    n->b = put_iexp(s, c->b);
    n->l = put_cond(s, c->l);
    n->r = put_cond(s, c->r);
    return n;
}

static void put_pat(const struct subst *s, struct pat *p)
{
    struct pat_attr *attrs =
        draft_array(s->d, p->attrs, p->n_attrs, sizeof *attrs, 0);
    struct axis_size *sizes =
        draft_array(s->d, p->sizes, p->n_sizes, sizeof *sizes, 0);
    for (uint32_t k = 0; k < p->n_attrs; k++)
        for (int j = 0; j < N_ATTRS; j++)
            attrs[k].v[j] = put_iexp(s, attrs[k].v[j]);
    for (uint32_t k = 0; k < p->n_sizes; k++)
        sizes[k].size = put_iexp(s, sizes[k].size);
    p->attrs = attrs;
    p->sizes = sizes;
    p->value = put_iexp(s, p->value);
    p->feature_groups = put_iexp(s, p->feature_groups);
    p->batch_groups = put_iexp(s, p->batch_groups);
    struct reshape_group *groups =
        draft_array(s->d, p->groups, p->n_groups, sizeof *groups, 0);
    for (uint32_t k = 0; k < p->n_groups; k++) {
        struct axis_size *to =
            draft_array(s->d, groups[k].to, groups[k].n_to, sizeof *to, 0);
        for (uint32_t j = 0; j < groups[k].n_to; j++)
            to[j].size = put_iexp(s, to[j].size);
        groups[k].to = to;
    }
    p->groups = groups;
}

static void put(struct draft *d, uint32_t map, const struct iexp *by)
{
    struct subst s = {d, map, by};
    for (uint32_t i = 0; i < d->r.n_pats; i++)
        put_pat(&s, &d->pats[i]);
    for (uint32_t i = 0; i < d->r.n_wheres; i++)
        d->wheres[i].cond = put_cond(&s, d->wheres[i].cond);
    for (uint32_t i = 0; i < d->r.n_tensors; i++) {
        struct tensor_var *t = &d->tensors[i];
        struct axis_size *sizes =
            draft_array(d, t->sizes, t->n_sizes, sizeof *sizes, 0);
        for (uint32_t k = 0; k < t->n_sizes; k++)
            sizes[k].size = put_iexp(&s, sizes[k].size);
        t->sizes = sizes;
    }
    for (uint32_t i = 0; i < d->r.n_maps; i++)
        d->maps[i].def = put_iexp(&s, d->maps[i].def);
}

// A map that is declared nowhere.
static void hide(struct draft *d, uint32_t map)
{
    d->maps[map].cls = NONE;
    d->maps[map].def = NULL;
}

static void write_out_lets(struct draft *d)
{
    for (uint32_t m = d->r.n_maps; m-- > 0;)
        if (d->maps[m].def != NULL && !d->maps[m].index) {
            const struct iexp *def = d->maps[m].def;
            d->maps[m].def = NULL;
            put(d, m, def);
            hide(d, m);
        }
}

static void take_apart(struct draft *d)
{
    for (uint32_t w = 0; w < d->r.n_wheres; w++)
        while (d->wheres[w].cond != NULL && d->wheres[w].cond->op == COND_AND &&
               d->r.n_wheres < DRAFT_ROOM) {
            const struct cond *c = d->wheres[w].cond;
            d->wheres[d->r.n_wheres] = d->wheres[w];
            d->wheres[d->r.n_wheres++].cond = c->r;
            d->wheres[w].cond = c->l;
        }
}

static void name_types(struct draft *d)
{
    for (uint32_t i = 0; i < d->r.n_tensors + d->r.n_scalars; i++) {
        uint32_t t = i < d->r.n_tensors ? d->tensors[i].type
                                        : d->scalars[i - d->r.n_tensors].type;
        if (d->types[t].name == NULL || !*d->types[t].name)
            d->types[t].name = draft_name(d, "T");
    }
}

void draft_init(struct draft *d, const struct rule *r)
{
    copy_rule(d, r);
    write_out_lets(d);
    take_apart(d);
    name_types(d);
}

void draft_copy(struct draft *d, const struct draft *from)
{
    copy_rule(d, &from->r);
    buf_puts(&d->extra, buf_text(&from->extra));
}

void draft_release(struct draft *d)
{
    arena_release(&d->mem);
    buf_release(&d->extra);
}

void draft_print(const struct draft *d, struct buf *out)
{
    struct buf b = {0};
    rule_print(&d->r, &b);
    const char *text = buf_text(&b);
    struct buf title = {0};
    buf_printf(&title, "rule %s {\n", d->r.name);
    const char *head = strstr(text, buf_text(&title));
    while (head != NULL && head > text && head[-1] != '\n')
        head = strstr(head + 1, buf_text(&title));
    size_t n = head == NULL ? 0 : (size_t)(head - text) + title.len;
    buf_write(out, text, n);
    buf_puts(out, buf_text(&d->extra));
    buf_puts(out, text + n);
    buf_release(&b);
    buf_release(&title);
}

// What the statements name is declared, and nothing else: objects that a change
// left without use would be errors.
static bool map_used(const struct draft *d, uint32_t m, uint32_t but_where)
{
    for (uint32_t i = 0; i < d->r.n_wheres; i++)
        if (i != but_where && d->wheres[i].cond != NULL &&
            cond_uses(d->wheres[i].cond, m))
            return true;
    for (uint32_t i = 0; i < d->r.n_tensors; i++)
        for (uint32_t k = 0; k < d->tensors[i].n_sizes; k++)
            if (iexp_uses(d->tensors[i].sizes[k].size, m))
                return true;
    for (uint32_t i = 0; i < d->r.n_maps; i++)
        if (d->maps[i].def != NULL && iexp_uses(d->maps[i].def, m))
            return true;
    for (uint32_t i = 0; i < d->r.n_pats; i++) {
        const struct pat *p = &d->pats[i];
        bool live =
            draft_below(&d->r, d->r.lhs, i) || draft_below(&d->r, d->r.rhs, i);
        for (uint32_t w = 0; w < d->r.n_wheres && !live; w++)
            live = d->wheres[w].cond == NULL &&
                   draft_below(&d->r, d->wheres[w].pat, i);
        if (!live)
            continue;
        for (uint32_t k = 0; k < p->n_attrs; k++)
            for (int j = 0; j < N_ATTRS; j++)
                if (p->attrs[k].v[j] && iexp_uses(p->attrs[k].v[j], m))
                    return true;
        for (uint32_t k = 0; k < p->n_sizes; k++)
            if ((p->kind == PAT_SPLAT ||
                 (p->kind == PAT_OP && p->op == OP_IOTA)) &&
                iexp_uses(p->sizes[k].size, m))
                return true;
        for (uint32_t k = 0; k < p->n_groups; k++)
            for (uint32_t j = 0; j < p->groups[k].n_to; j++)
                if (iexp_uses(p->groups[k].to[j].size, m))
                    return true;
        if ((p->value && iexp_uses(p->value, m)) ||
            (p->feature_groups && iexp_uses(p->feature_groups, m)) ||
            (p->batch_groups && iexp_uses(p->batch_groups, m)))
            return true;
    }
    return false;
}

static bool text_names(const char *text, const char *name)
{
    size_t n = strlen(name);
    for (const char *s = text; (s = strstr(s, name)) != NULL; s++) {
        char before = s == text ? ' ' : s[-1], after = s[n];
        bool word = (before >= 'a' && before <= 'z') ||
                    (before >= 'A' && before <= 'Z') || before == '_' ||
                    (before >= '0' && before <= '9') ||
                    (after >= 'a' && after <= 'z') ||
                    (after >= 'A' && after <= 'Z') || after == '_' ||
                    (after >= '0' && after <= '9');
        if (!word)
            return true;
    }
    return false;
}

// Is the map named in a text that stands for an expression?
static bool map_in_texts(const struct draft *d, uint32_t m)
{
    if (text_names(buf_text(&d->extra), d->maps[m].name))
        return true;
    for (uint32_t i = 0; i < d->r.n_maps; i++)
        if (d->maps[i].cls == NONE && map_used(d, i, NONE) &&
            text_names(d->maps[i].name, d->maps[m].name))
            return true;
    return false;
}

static bool scalar_live(const struct draft *d, enum pat_kind kind, uint32_t var)
{
    for (uint32_t i = 0; i < d->r.n_pats; i++)
        if (d->pats[i].kind == kind && d->pats[i].var == var &&
            (draft_below(&d->r, d->r.lhs, i) ||
             draft_below(&d->r, d->r.rhs, i)))
            return true;
    return false;
}

static void drop_unused(struct draft *d)
{
    for (uint32_t m = 0; m < d->r.n_maps; m++)
        if (d->maps[m].cls != NONE && !map_used(d, m, NONE) &&
            !map_in_texts(d, m))
            hide(d, m);
    // Tensors and scalars are numbered; the last ones can go.
    while (d->r.n_scalars > 0 &&
           !scalar_live(d, PAT_SCALAR, d->r.n_scalars - 1))
        d->r.n_scalars--;
    while (d->r.n_tensors > 0 &&
           !scalar_live(d, PAT_TENSOR, d->r.n_tensors - 1))
        d->r.n_tensors--;
}

const struct rule *draft_rule(const struct draft *d, struct ruleset *s,
                              struct err *e)
{
    struct draft own;
    struct buf text = {0};
    draft_copy(&own, d);
    drop_unused(&own);
    own.r.name = "_";
    draft_print(&own, &text);
    const struct rule *r = ruleset_add(s, buf_text(&text), "a variant", e);
    buf_release(&text);
    draft_release(&own);
    return r;
}

// ---- names and expressions

static bool name_taken(const struct draft *d, const char *name)
{
#define TAKEN(field, n)                                                        \
    for (uint32_t i = 0; i < d->r.n; i++)                                      \
        if (d->field[i].name != NULL && strcmp(d->field[i].name, name) == 0)   \
            return true;
    TAKEN(classes, n_classes)
    TAKEN(maps, n_maps)
    TAKEN(types, n_types)
    TAKEN(tensors, n_tensors)
    TAKEN(scalars, n_scalars)
    TAKEN(opvars, n_opvars)
#undef TAKEN
    return text_names(buf_text(&d->extra), name);
}

const char *draft_name(struct draft *d, const char *stem)
{
    char name[64];
    snprintf(name, sizeof name, "%s", stem);
    for (unsigned k = 2; name_taken(d, name); k++)
        snprintf(name, sizeof name, "%s%u", stem, k);
    return arena_strdup(&d->mem, name);
}

const struct iexp *draft_map(struct draft *d, uint32_t map)
{
    struct iexp *x = ARENA_NEW(&d->mem, struct iexp, 1);
    *x = (struct iexp){.op = IE_MAP, .map = map, .nodes = 1};
    return x;
}

const struct iexp *draft_const(struct draft *d, int64_t k)
{
    struct iexp *x = ARENA_NEW(&d->mem, struct iexp, 1);
    *x = (struct iexp){.op = IE_CONST, .k = k, .nodes = 1};
    return x;
}

static uint32_t add_map(struct draft *d, const char *name, uint32_t cls)
{
    if (d->r.n_maps == UINT32_MAX)
        BUG("too many maps");
    struct map *m = ARENA_NEW(&d->mem, struct map, d->r.n_maps + DRAFT_ROOM);
    memcpy(m, d->maps, d->r.n_maps * sizeof *m);
    m[d->r.n_maps] = (struct map){.name = name, .cls = cls};
    d->maps = m;
    d->r.maps = m;
    return d->r.n_maps++;
}

const struct iexp *draft_text(struct draft *d, const char *text)
{
    struct buf b = {0};
    bool word = strpbrk(text, " +-*,") == NULL;
    buf_printf(&b, word ? "%s" : "(%s)", text);
    const char *name = arena_strdup(&d->mem, buf_text(&b));
    buf_release(&b);
    return draft_map(d, add_map(d, name, NONE));
}

uint32_t draft_new_map(struct draft *d, const char *stem, uint32_t cls)
{
    return add_map(d, draft_name(d, stem), cls);
}

void draft_define(struct draft *d, uint32_t map, const char *text)
{
    put(d, map, draft_text(d, text));
    hide(d, map);
}

void draft_where(struct draft *d, const char *text)
{
    buf_printf(&d->extra, "  where %s;\n", text);
}

void draft_drop_where(struct draft *d, uint32_t w)
{
    for (uint32_t i = w; i + 1 < d->r.n_wheres; i++)
        d->wheres[i] = d->wheres[i + 1];
    d->r.n_wheres--;
}
