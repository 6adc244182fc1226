// SPDX-License-Identifier: Apache-2.0
#include "discover/learn/draft.h"
#include "rules/conditions.h"
#include "discover/limits.h"
#include <stdio.h>
#include <string.h>

void *draft_array(struct draft *draft, const void *from, size_t n, size_t size, size_t room)
{
    char *to = arena_alloc(&draft->mem, (n + room) * size);
    if (n > 0)
        memcpy(to, from, n * size);
    return to;
}

#define COPY(field, n)                                                                             \
    (draft->field = draft_array(draft, rule->field, rule->n, sizeof *draft->field, DRAFT_ROOM),    \
     draft->r.field = draft->field)

static void copy_pats(struct draft *draft)
{
    for (uint32_t i = 0; i < draft->r.n_pats; i++) {
        struct pat *pattern = &draft->pats[i];
        pattern->attrs =
            draft_array(draft, pattern->attrs, pattern->n_attrs, sizeof *pattern->attrs, 0);
        pattern->args =
            draft_array(draft, pattern->args, pattern->n_args, sizeof *pattern->args, 0);
        pattern->sizes =
            draft_array(draft, pattern->sizes, pattern->n_sizes, sizeof *pattern->sizes, 0);
    }
    for (uint32_t i = 0; i < draft->r.n_tensors; i++) {
        struct tensor_var *tensor = &draft->tensors[i];
        tensor->sizes =
            draft_array(draft, tensor->sizes, tensor->n_sizes, sizeof *tensor->sizes, 0);
    }
    for (uint32_t i = 0; i < draft->r.n_opvars; i++) {
        struct op_var *opvar = &draft->opvars[i];
        opvar->args = draft_array(draft, opvar->args, opvar->n_args, sizeof *opvar->args, 0);
    }
}

static void copy_rule(struct draft *draft, const struct rule *rule)
{
    *draft = (struct draft){.r = *rule};
    COPY(classes, n_classes);
    COPY(maps, n_maps);
    COPY(types, n_types);
    COPY(tensors, n_tensors);
    COPY(scalars, n_scalars);
    COPY(opvars, n_opvars);
    COPY(wheres, n_wheres);
    draft->pats = draft_array(draft, rule->pats, rule->n_pats, sizeof *draft->pats, 2 * DRAFT_ROOM);
    draft->r.pats = draft->pats;
    copy_pats(draft);
}

// ---- expressions in place of maps

struct subst {
    struct draft *draft;
    uint32_t map;
    const struct iexp *by;
};

static const struct iexp *put_iexp(void *context, const struct iexp *expr)
{
    const struct subst *subst = context;
    if (expr == NULL || expr->op == IE_CONST)
        return expr;
    if (expr->op == IE_MAP)
        return expr->map == subst->map ? subst->by : expr;
    const struct iexp *a = put_iexp(context, expr->a), *b = put_iexp(context, expr->b);
    if (a == expr->a && b == expr->b)
        return expr;
    struct iexp *n = ARENA_NEW(&subst->draft->mem, struct iexp, 1);
    *n = *expr;
    n->a = a;
    n->b = b;
    return n;
}

static void put_pat(struct subst *subst, struct pat *pattern)
{
    struct pat_attr *attrs =
        draft_array(subst->draft, pattern->attrs, pattern->n_attrs, sizeof *attrs, 0);
    struct axis_size *sizes =
        draft_array(subst->draft, pattern->sizes, pattern->n_sizes, sizeof *sizes, 0);
    for (uint32_t k = 0; k < pattern->n_attrs; k++)
        for (int j = 0; j < N_ATTRS; j++)
            attrs[k].expr[j] = put_iexp(subst, attrs[k].expr[j]);
    for (uint32_t k = 0; k < pattern->n_sizes; k++)
        sizes[k].size = put_iexp(subst, sizes[k].size);
    pattern->attrs = attrs;
    pattern->sizes = sizes;
    pattern->value = put_iexp(subst, pattern->value);
    pattern->feature_groups = put_iexp(subst, pattern->feature_groups);
    pattern->batch_groups = put_iexp(subst, pattern->batch_groups);
    struct reshape_group *groups =
        draft_array(subst->draft, pattern->groups, pattern->n_groups, sizeof *groups, 0);
    for (uint32_t k = 0; k < pattern->n_groups; k++) {
        struct axis_size *to =
            draft_array(subst->draft, groups[k].to, groups[k].n_to, sizeof *to, 0);
        for (uint32_t j = 0; j < groups[k].n_to; j++)
            to[j].size = put_iexp(subst, to[j].size);
        groups[k].to = to;
    }
    pattern->groups = groups;
}

static void put(struct draft *draft, uint32_t map, const struct iexp *by)
{
    struct subst subst = {draft, map, by};
    for (uint32_t i = 0; i < draft->r.n_pats; i++)
        put_pat(&subst, &draft->pats[i]);
    for (uint32_t i = 0; i < draft->r.n_wheres; i++)
        draft->wheres[i].cond = cond_copy(draft->wheres[i].cond, &draft->mem, put_iexp, &subst);
    for (uint32_t i = 0; i < draft->r.n_tensors; i++) {
        struct tensor_var *tensor = &draft->tensors[i];
        struct axis_size *sizes =
            draft_array(draft, tensor->sizes, tensor->n_sizes, sizeof *sizes, 0);
        for (uint32_t k = 0; k < tensor->n_sizes; k++)
            sizes[k].size = put_iexp(&subst, sizes[k].size);
        tensor->sizes = sizes;
    }
    for (uint32_t i = 0; i < draft->r.n_maps; i++)
        draft->maps[i].def = put_iexp(&subst, draft->maps[i].def);
}

// A new map that no statement declares.
static void hide(struct draft *draft, uint32_t map)
{
    draft->maps[map].cls = NONE;
    draft->maps[map].def = NULL;
}

static void write_out_lets(struct draft *draft)
{
    for (uint32_t m = draft->r.n_maps; m-- > 0;)
        if (draft->maps[m].def != NULL && !draft->maps[m].index) {
            const struct iexp *def = draft->maps[m].def;
            draft->maps[m].def = NULL;
            put(draft, m, def);
            hide(draft, m);
        }
}

static void take_apart(struct draft *draft)
{
    for (uint32_t w = 0; w < draft->r.n_wheres; w++)
        while (draft->wheres[w].cond != NULL && draft->wheres[w].cond->op == COND_AND &&
               draft->r.n_wheres < DRAFT_ROOM) {
            const struct cond *condition = draft->wheres[w].cond;
            draft->wheres[draft->r.n_wheres] = draft->wheres[w];
            draft->wheres[draft->r.n_wheres++].cond = condition->r;
            draft->wheres[w].cond = condition->l;
        }
}

static void name_types(struct draft *draft)
{
    for (uint32_t i = 0; i < draft->r.n_tensors + draft->r.n_scalars; i++) {
        uint32_t t = i < draft->r.n_tensors ? draft->tensors[i].type
                                            : draft->scalars[i - draft->r.n_tensors].type;
        if (draft->types[t].name == NULL || !*draft->types[t].name)
            draft->types[t].name = draft_name(draft, "T");
    }
}

void draft_init(struct draft *draft, const struct rule *rule)
{
    copy_rule(draft, rule);
    write_out_lets(draft);
    take_apart(draft);
    name_types(draft);
}

void draft_copy(struct draft *draft, const struct draft *from)
{
    copy_rule(draft, &from->r);
    buf_puts(&draft->extra, buf_text(&from->extra));
}

void draft_release(struct draft *draft)
{
    arena_release(&draft->mem);
    buf_release(&draft->extra);
}

void draft_print(const struct draft *draft, struct buf *out)
{
    struct buf buf = {0};
    rule_print(&draft->r, &buf);
    const char *text = buf_text(&buf);
    struct buf title = {0};
    buf_printf(&title, "rule %s {\n", draft->r.name);
    const char *head = strstr(text, buf_text(&title));
    while (head != NULL && head > text && head[-1] != '\n')
        head = strstr(head + 1, buf_text(&title));
    size_t n = head == NULL ? 0 : (size_t)(head - text) + title.len;
    buf_write(out, text, n);
    buf_puts(out, buf_text(&draft->extra));
    buf_puts(out, text + n);
    buf_release(&buf);
    buf_release(&title);
}

// Prints declarations of exactly the objects that statements name.  A change
// may leave objects without a use, which would be errors.
static bool map_used(const struct draft *draft, uint32_t m, uint32_t but_where)
{
    for (uint32_t i = 0; i < draft->r.n_wheres; i++)
        if (i != but_where && draft->wheres[i].cond != NULL && cond_uses(draft->wheres[i].cond, m))
            return true;
    for (uint32_t i = 0; i < draft->r.n_tensors; i++)
        for (uint32_t k = 0; k < draft->tensors[i].n_sizes; k++)
            if (iexp_uses(draft->tensors[i].sizes[k].size, m))
                return true;
    for (uint32_t i = 0; i < draft->r.n_maps; i++)
        if (draft->maps[i].def != NULL && iexp_uses(draft->maps[i].def, m))
            return true;
    for (uint32_t i = 0; i < draft->r.n_pats; i++) {
        const struct pat *pattern = &draft->pats[i];
        bool live =
            draft_below(&draft->r, draft->r.lhs, i) || draft_below(&draft->r, draft->r.rhs, i);
        for (uint32_t w = 0; w < draft->r.n_wheres && !live; w++)
            live = draft->wheres[w].cond == NULL && draft_below(&draft->r, draft->wheres[w].pat, i);
        if (!live)
            continue;
        for (uint32_t k = 0; k < pattern->n_attrs; k++)
            for (int j = 0; j < N_ATTRS; j++)
                if (pattern->attrs[k].expr[j] && iexp_uses(pattern->attrs[k].expr[j], m))
                    return true;
        for (uint32_t k = 0; k < pattern->n_sizes; k++)
            if ((pattern->kind == PAT_SPLAT ||
                 (pattern->kind == PAT_OP && pattern->op == OP_IOTA)) &&
                iexp_uses(pattern->sizes[k].size, m))
                return true;
        for (uint32_t k = 0; k < pattern->n_groups; k++)
            for (uint32_t j = 0; j < pattern->groups[k].n_to; j++)
                if (iexp_uses(pattern->groups[k].to[j].size, m))
                    return true;
        if ((pattern->value && iexp_uses(pattern->value, m)) ||
            (pattern->feature_groups && iexp_uses(pattern->feature_groups, m)) ||
            (pattern->batch_groups && iexp_uses(pattern->batch_groups, m)))
            return true;
    }
    return false;
}

static bool text_names(const char *text, const char *name)
{
    size_t n = strlen(name);
    for (const char *string = text; (string = strstr(string, name)) != NULL; string++) {
        char before = string == text ? ' ' : string[-1], after = string[n];
        bool word = (before >= 'a' && before <= 'z') || (before >= 'A' && before <= 'Z') ||
                    before == '_' || (before >= '0' && before <= '9') ||
                    (after >= 'a' && after <= 'z') || (after >= 'A' && after <= 'Z') ||
                    after == '_' || (after >= '0' && after <= '9');
        if (!word)
            return true;
    }
    return false;
}

// Does a text that stands for an expression name the map?
static bool map_in_texts(const struct draft *draft, uint32_t m)
{
    if (text_names(buf_text(&draft->extra), draft->maps[m].name))
        return true;
    for (uint32_t i = 0; i < draft->r.n_maps; i++)
        if (draft->maps[i].cls == NONE && map_used(draft, i, NONE) &&
            text_names(draft->maps[i].name, draft->maps[m].name))
            return true;
    return false;
}

static bool scalar_live(const struct draft *draft, enum pat_kind kind, uint32_t var)
{
    for (uint32_t i = 0; i < draft->r.n_pats; i++)
        if (draft->pats[i].kind == kind && draft->pats[i].var == var &&
            (draft_below(&draft->r, draft->r.lhs, i) || draft_below(&draft->r, draft->r.rhs, i)))
            return true;
    return false;
}

static void drop_unused(struct draft *draft)
{
    for (uint32_t m = 0; m < draft->r.n_maps; m++)
        if (draft->maps[m].cls != NONE && !map_used(draft, m, NONE) && !map_in_texts(draft, m))
            hide(draft, m);
    // Tensors and scalars are numbered, so only the last ones can be dropped.
    while (draft->r.n_scalars > 0 && !scalar_live(draft, PAT_SCALAR, draft->r.n_scalars - 1))
        draft->r.n_scalars--;
    while (draft->r.n_tensors > 0 && !scalar_live(draft, PAT_TENSOR, draft->r.n_tensors - 1))
        draft->r.n_tensors--;
}

const struct rule *draft_rule(const struct draft *draft, struct ruleset *set, struct err *err)
{
    struct draft own;
    struct buf text = {0};
    draft_copy(&own, draft);
    drop_unused(&own);
    own.r.name = "_";
    draft_print(&own, &text);
    const struct rule *rule = ruleset_add(set, buf_text(&text), "a variant", err);
    buf_release(&text);
    draft_release(&own);
    return rule;
}

// ---- names and expressions

static bool name_taken(const struct draft *draft, const char *name)
{
#define TAKEN(field, n)                                                                            \
    for (uint32_t i = 0; i < draft->r.n; i++)                                                      \
        if (draft->field[i].name != NULL && strcmp(draft->field[i].name, name) == 0)               \
            return true;
    TAKEN(classes, n_classes)
    TAKEN(maps, n_maps)
    TAKEN(types, n_types)
    TAKEN(tensors, n_tensors)
    TAKEN(scalars, n_scalars)
    TAKEN(opvars, n_opvars)
#undef TAKEN
    return text_names(buf_text(&draft->extra), name);
}

const char *draft_name(struct draft *draft, const char *stem)
{
    char name[64];
    snprintf(name, sizeof name, "%s", stem);
    for (unsigned k = 2; name_taken(draft, name); k++)
        snprintf(name, sizeof name, "%s%u", stem, k);
    return arena_strdup(&draft->mem, name);
}

const struct iexp *draft_map(struct draft *draft, uint32_t map)
{
    struct iexp *expr = ARENA_NEW(&draft->mem, struct iexp, 1);
    *expr = (struct iexp){.op = IE_MAP, .map = map, .nodes = 1};
    return expr;
}

const struct iexp *draft_const(struct draft *draft, int64_t k)
{
    struct iexp *expr = ARENA_NEW(&draft->mem, struct iexp, 1);
    *expr = (struct iexp){.op = IE_CONST, .k = k, .nodes = 1};
    return expr;
}

static uint32_t add_map(struct draft *draft, const char *name, uint32_t cls)
{
    if (draft->r.n_maps == UINT32_MAX)
        BUG("too many maps");
    struct map *map = ARENA_NEW(&draft->mem, struct map, draft->r.n_maps + DRAFT_ROOM);
    memcpy(map, draft->maps, draft->r.n_maps * sizeof *map);
    map[draft->r.n_maps] = (struct map){.name = name, .cls = cls};
    draft->maps = map;
    draft->r.maps = map;
    return draft->r.n_maps++;
}

const struct iexp *draft_text(struct draft *draft, const char *text)
{
    struct buf buf = {0};
    bool word = strpbrk(text, " +-*,") == NULL;
    buf_printf(&buf, word ? "%s" : "(%s)", text);
    const char *name = arena_strdup(&draft->mem, buf_text(&buf));
    buf_release(&buf);
    return draft_map(draft, add_map(draft, name, NONE));
}

uint32_t draft_new_map(struct draft *draft, const char *stem, uint32_t cls)
{
    return add_map(draft, draft_name(draft, stem), cls);
}

void draft_define(struct draft *draft, uint32_t map, const char *text)
{
    put(draft, map, draft_text(draft, text));
    hide(draft, map);
}

void draft_where(struct draft *draft, const char *text)
{
    buf_printf(&draft->extra, "  where %s;\n", text);
}

void draft_drop_where(struct draft *draft, uint32_t w)
{
    for (uint32_t i = w; i + 1 < draft->r.n_wheres; i++)
        draft->wheres[i] = draft->wheres[i + 1];
    draft->r.n_wheres--;
}
