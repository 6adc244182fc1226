// SPDX-License-Identifier: Apache-2.0
#include "proof/program/record.h"

#include "rules/describe/describe.h"

void record_init(struct record *r, struct pool *pool)
{
    memset(r, 0, sizeof *r);
    r->float_mode = DOMAIN_FLOAT;
    r->input = r->output = r->input_name = "";
    ruleset_init(&r->rules_mem);
    terms_init(&r->terms, pool);
}

void record_release(struct record *r)
{
    vec_release(&r->rules);
    vec_release(&r->lines);
    vec_release(&r->parts);
    vec_release(&r->goals);
    terms_release(&r->terms);
    ruleset_release(&r->rules_mem);
    arena_release(&r->mem);
}

bool record_add_rule(struct record *r, const char *name, const char *canonical,
                     bool assumed, uint32_t *index, struct err *e)
{
    for (uint32_t i = 0; i < r->rules.len; i++)
        if (strcmp(r->rules.at[i].rule->canonical, canonical) == 0) {
            *index = i;
            return true;
        }
    struct record_rule rule = {.assumed = assumed};
    rule.rule = ruleset_add(&r->rules_mem, canonical, name, e);
    if (!rule.rule)
        return false;
    rule.hash = rule.rule->hash;
    rule.name = arena_strdup(&r->mem, name);
    *index = r->rules.len;
    vec_push(&r->rules, rule);
    return true;
}

static struct order copy_order(struct arena *mem, const struct order *from)
{
    struct order to = {from->n, ARENA_NEW(mem, uint32_t, from->n + 1u)};
    if (from->n)
        memcpy(to.axis, from->axis, sizeof *to.axis * from->n);
    return to;
}

static term_id mapped(term_id t, const struct u32_vec *map)
{
    return t.v == UINT32_MAX ? t : (term_id){map->at[t.v]};
}

struct instance *record_copy_instance(struct record *r, uint32_t rule,
                                      const struct instance *in,
                                      const struct u32_vec *map)
{
    const struct rule *to_rule = r->rules.at[rule].rule;
    struct instance *out = instance_new(to_rule, in->rank, &r->mem);
    for (uint32_t m = 0; m < to_rule->n_maps; m++)
        for (uint32_t k = 0; k < in->rank[to_rule->maps[m].cls]; k++)
            out->map[m][k] = in->map[m][k];
    for (uint32_t c = 0; c < to_rule->n_classes; c++)
        for (uint32_t k = 0; k < in->rank[c]; k++)
            out->class_axes[c][k] = in->class_axes[c][k];
    for (uint32_t a = 0; a < in->n_axes; a++)
        out->axis_class[a] = in->axis_class[a];
    for (uint32_t v = 0; v < to_rule->n_types; v++)
        out->elem[v] = in->elem[v];
    for (uint32_t v = 0; v < to_rule->n_opvars; v++)
        out->op[v] = in->op[v];
    for (uint32_t v = 0; v < to_rule->n_scalars; v++)
        out->scalar[v] = mapped(in->scalar[v], map);
    out->index_elem = in->index_elem;
    for (uint32_t m = 0; m < to_rule->n_maps; m++)
        for (uint32_t k = 0; k < instance_indices(in, m); k++)
            out->index[m][k] = mapped(in->index[m][k], map);
    for (uint32_t v = 0; v < to_rule->n_tensors; v++) {
        out->tensor[v] = mapped(in->tensor[v], map);
        out->order[v] = copy_order(&r->mem, &in->order[v]);
    }
    for (uint32_t p = 0; p < to_rule->n_pats; p++) {
        uint32_t n = to_rule->pats[p].n_args;
        out->pat[p].out = copy_order(&r->mem, &in->pat[p].out);
        out->pat[p].in = ARENA_NEW(&r->mem, struct order, n + 1);
        for (uint32_t k = 0; in->pat[p].in && k < n; k++)
            out->pat[p].in[k] = copy_order(&r->mem, &in->pat[p].in[k]);
    }
    return out;
}

const char *where_text(const struct instance *in, struct terms *t,
                       struct arena *mem)
{
    const struct rule *r = in->rule;
    struct buf b = {0};
    for (uint32_t w = 0; w < r->n_wheres; w++) {
        const struct where *where = &r->wheres[w];
        if (w)
            buf_puts(&b, "; ");
        where_print(r, w, &b);
        buf_putc(&b, ':');
        if (!where->cond) {
            bool yes = instance_element_condition(in, where->pat, t);
            buf_puts(&b, yes ? " true" : " false");
        }
        for (uint32_t k = 0; k < where_places(in, w); k++) {
            bool yes;
            bool known = where_at(in, w, k, &yes);
            buf_puts(&b, !known ? " undefined" : yes ? " true" : " false");
        }
    }
    const char *text = arena_strdup(mem, buf_text(&b));
    buf_release(&b);
    return text;
}
