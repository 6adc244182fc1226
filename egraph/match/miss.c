// SPDX-License-Identifier: Apache-2.0
#include "egraph/match/axes.h"
#include "egraph/program/constants.h"
#include "rules/attributes.h"
#include "rules/conditions.h"
#include "rules/describe/describe.h"

const char *miss_kind_text(enum miss_kind kind)
{
    static const char *const text[] = {
        [MISS_TYPE] = "type",
        [MISS_LITERAL] = "constant",
        [MISS_AXES] = "axes",
        [MISS_ATTRIBUTE] = "attribute",
        [MISS_CONDITION] = "precondition",
        [MISS_ELEMENTS] = "elements",
        [MISS_VERDICT] = "verdict",
    };
    return text[kind];
}

// Makes room for a miss of this kind; false: no one wants it.
static bool begins(struct matcher *matcher, enum miss_kind kind)
{
    struct miss *miss = matcher->miss;
    if (miss == NULL || (miss->is && kind <= miss->kind))
        return false;
    miss->is = true;
    miss->kind = kind;
    buf_clear(&miss->condition);
    buf_clear(&miss->found);
    return true;
}

bool miss_text(struct matcher *matcher, enum miss_kind kind, const char *condition,
               const char *found)
{
    if (begins(matcher, kind)) {
        buf_puts(&matcher->miss->condition, condition);
        buf_puts(&matcher->miss->found, found);
    }
    return false;
}

void miss_clear(struct matcher *matcher)
{
    if (matcher->miss)
        matcher->miss->is = false;
}

static void swap(struct matcher *matcher)
{
    struct miss *miss = matcher->miss;
    matcher->miss = matcher->other_miss;
    matcher->other_miss = miss;
}

void miss_aside(struct matcher *matcher)
{
    if (matcher->miss)
        swap(matcher);
    miss_clear(matcher);
}

void miss_back(struct matcher *matcher)
{
    const struct miss *miss = matcher->miss, *before = matcher->other_miss;
    if (miss && before->is && (!miss->is || before->kind >= miss->kind))
        swap(matcher);
}

void miss_tell(struct matcher *matcher)
{
    struct miss *miss = matcher->miss;
    if (miss == NULL || !miss->is || matcher->variant->empty != 0)
        return;
    const struct miss_reader *reader = matcher->request->misses;
    struct near_miss near = {miss->kind, matcher->node[matcher->variant->step[matcher->root_step]],
                             buf_text(&miss->condition), buf_text(&miss->found)};
    reader->tell(reader->ctx, &near);
    miss->is = false;
}

// What the maps that are marked are: "s = 3, n = 2".
static void put_maps(const struct rule *rule, const bool *mark, const bool *known,
                     const int64_t *value, struct buf *out)
{
    for (uint32_t m = 0; m < rule->n_maps; m++)
        if (mark[m] && (known == NULL || known[m]) && !rule->maps[m].index)
            buf_printf(out, "%s%s = %lld", out->len ? ", " : "", rule->maps[m].name,
                       (long long)value[m]);
}

bool miss_where(struct match_axes *axes, uint32_t where)
{
    struct matcher *matcher = axes->matcher;
    if (!begins(matcher, MISS_CONDITION))
        return false;
    bool *mark = ARENA_NEW(&matcher->scratch, bool, axes->rule->n_maps);
    cond_mark_maps(axes->rule->wheres[where].cond, mark);
    where_print(axes->rule, where, &matcher->miss->condition);
    put_maps(axes->rule, mark, axes->values.known, axes->values.value, &matcher->miss->found);
    return false;
}

// The first place at which the precondition does not hold.
static uint32_t failing_place(const struct instance *in, uint32_t where)
{
    bool holds;
    for (uint32_t i = 0; i < where_places(in, where); i++)
        if (!where_at(in, where, i, &holds) || !holds)
            return i;
    return 0;
}

bool miss_where_of(struct matcher *matcher, const struct instance *in, uint32_t where)
{
    const struct rule *rule = in->rule;
    if (!begins(matcher, MISS_CONDITION))
        return false;
    bool *mark = ARENA_NEW(&matcher->scratch, bool, rule->n_maps);
    int64_t *value = ARENA_NEW(&matcher->scratch, int64_t, rule->n_maps);
    uint32_t place = failing_place(in, where);
    cond_mark_maps(rule->wheres[where].cond, mark);
    for (uint32_t m = 0; m < rule->n_maps; m++) {
        uint32_t rank = in->rank[rule->maps[m].cls];
        if (where_is_joint(rule, where)) { // a map stands for the product
            value[m] = 1;
            for (uint32_t j = 0; j < rank; j++)
                value[m] *= in->map[m][j];
        } else if (place < rank) {
            value[m] = in->map[m][place];
        } else {
            mark[m] = false;
        }
    }
    where_print(rule, where, &matcher->miss->condition);
    put_maps(rule, mark, NULL, value, &matcher->miss->found);
    return false;
}

static const char *attribute_name(enum op op, uint32_t k)
{
    switch (k) {
    case EQUATION_SIZE:
        return "size";
    case EQUATION_FEATURE_GROUPS:
        return "feature_groups";
    case EQUATION_BATCH_GROUPS:
        return "batch_groups";
    case EQUATION_VALUE:
        return "value";
    default:
        break;
    }
    uint32_t n;
    const struct attribute_form *form = attribute_forms(op, &n);
    return k < n ? form[k].name : "attribute";
}

bool miss_equation(struct match_axes *axes, const struct equation_at *equation)
{
    struct matcher *matcher = axes->matcher;
    const struct rule *rule = axes->rule;
    const struct pat *pattern = &rule->pats[equation->of.pat];
    if (!begins(matcher, MISS_ATTRIBUTE))
        return false;
    struct buf *condition = &matcher->miss->condition, *found = &matcher->miss->found;
    const char *name = attribute_name(pattern->op, equation->of.attr);
    bool of_op = pattern->kind == PAT_OP && equation->of.attr != EQUATION_SIZE;
    buf_printf(condition, "%s", name);
    if (of_op)
        buf_printf(condition, " of %s", op_name(pattern->op));
    if (equation->of.cls != NONE)
        buf_printf(condition, " along %s", rule->classes[equation->of.cls].name);
    buf_puts(condition, " is ");
    if (equation->expr)
        iexp_print(rule, equation->expr, condition);
    else
        buf_printf(condition, "%lld", (long long)equation->value);
    if (equation->start.v != NO_CLASS.v)
        buf_puts(found, "another index");
    else
        buf_printf(found, "%s = %lld", name, (long long)equation->found);
    if (equation->expr) {
        bool *mark = ARENA_NEW(&matcher->scratch, bool, rule->n_maps);
        iexp_mark_maps(equation->expr, mark);
        put_maps(rule, mark, axes->values.known, axes->values.value, found);
    }
    return false;
}

static void put_kinds(unsigned kinds, struct buf *out)
{
    static const struct {
        enum elem_kind kind;
        const char *name;
    } names[] = {{KIND_BOOL, "bool"},
                 {KIND_SINT, "signed integer"},
                 {KIND_UINT, "unsigned integer"},
                 {KIND_FLOAT, "float"}};
    const char *separator = "";
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (kinds & names[i].kind) {
            buf_printf(out, "%s%s", separator, names[i].name);
            separator = " or ";
        }
}

bool miss_type(struct matcher *matcher, uint32_t pat)
{
    const struct pat *pattern = &matcher->rule->pats[pat];
    class_id class = matcher->cls[pat];
    if (class.v == NO_CLASS.v || !begins(matcher, MISS_TYPE))
        return false;
    const struct pool *pool = matcher->graph->terms->pool;
    type_id type = egraph_type(matcher->graph, class);
    struct buf *condition = &matcher->miss->condition;
    pat_print(matcher->rule, pat, condition);
    buf_puts(condition, " is ");
    if (matcher->unfit_wanted != ELEM_OTHER)
        buf_puts(condition, elem_text(matcher->unfit_wanted));
    else
        put_kinds(matcher->rule->types[pattern->type].kinds, condition);
    if (type_is_tensor(pool, type))
        buf_puts(&matcher->miss->found, elem_text(type_elem(pool, type)));
    else
        buf_puts(&matcher->miss->found, "no tensor");
    return false;
}

bool miss_literal(struct matcher *matcher, uint32_t pat)
{
    const struct pool *pool = matcher->graph->terms->pool;
    lit_id lit = matcher->lit[pat];
    if (lit.v == NO_LIT.v && matcher->cls[pat].v != NO_CLASS.v)
        lit = class_constant(matcher->graph, matcher->cls[pat]);
    if (lit.v == NO_LIT.v || !begins(matcher, MISS_LITERAL))
        return false;
    pat_print(matcher->rule, pat, &matcher->miss->condition);
    scalar_print(pool_literal(pool, lit)->elem, literal_get(pool, lit, 0), &matcher->miss->found);
    return false;
}

bool miss_elements(struct matcher *matcher, const struct instance *in, uint32_t where)
{
    const struct terms *terms = matcher->graph->terms;
    if (!begins(matcher, MISS_ELEMENTS))
        return false;
    struct buf *found = &matcher->miss->found;
    where_print(in->rule, where, &matcher->miss->condition);
    for (uint32_t i = 0; i < in->rule->n_tensors; i++)
        if (in->tensor[i].v != NO_TERM.v && term_op(terms, in->tensor[i]) != OP_CONSTANT)
            buf_printf(found, "%s%s", found->len ? ", " : "", in->rule->tensors[i].name);
    buf_puts(found, found->len ? " not constant" : "false for these constants");
    return false;
}

bool miss_verdict(struct matcher *matcher, const struct instance *in)
{
    const struct rule *rule = in->rule;
    unsigned proved = matcher->request->status.proved;
    if (!begins(matcher, MISS_VERDICT))
        return false;
    struct buf *condition = &matcher->miss->condition, *found = &matcher->miss->found;
    for (uint32_t t = 0; t < rule->n_types; t++)
        if (rule->types[t].kinds != KIND_BOOL)
            buf_printf(condition, "%s %s", condition->len ? "," : "proved for",
                       elem_text(in->elem[t]));
    if (condition->len == 0)
        buf_puts(condition, "proved for i1");
    for (uint32_t d = 0; d < N_DOMAINS; d++)
        if (proved >> d & 1)
            buf_printf(found, "%s%s", found->len ? ", " : "proved in ",
                       domain_text((enum domain)d));
    if (found->len == 0)
        buf_puts(found, "proved nowhere");
    return false;
}
