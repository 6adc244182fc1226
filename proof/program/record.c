// SPDX-License-Identifier: Apache-2.0
#include "proof/program/record.h"

#include "rules/describe/describe.h"

const char *const line_names[N_LINE_KINDS] = {"rule",   "fold",    "layout",  "cong",
                                              "trans",  "call",    "carried", "twin",
                                              "branch", "complex", "refine",  "slices"};

void record_init(struct record *record, struct pool *pool)
{
    memset(record, 0, sizeof *record);
    record->reading = READ_FLOAT;
    record->input = record->output = record->input_name = record->keep_attributes = "";
    ruleset_init(&record->rules_mem);
    terms_init(&record->terms, pool);
}

void record_release(struct record *record)
{
    vec_release(&record->rules);
    vec_release(&record->lines);
    vec_release(&record->parts);
    vec_release(&record->goals);
    vec_release(&record->regions);
    terms_release(&record->terms);
    ruleset_release(&record->rules_mem);
    arena_release(&record->mem);
}

bool record_add_rule(struct record *record, const char *name, const char *canonical, bool assumed,
                     uint32_t *index, struct err *err)
{
    for (uint32_t i = 0; i < record->rules.len; i++)
        if (strcmp(record->rules.at[i].rule->canonical, canonical) == 0) {
            *index = i;
            return true;
        }
    struct record_rule rule = {.assumed = assumed};
    rule.rule = ruleset_add(&record->rules_mem, canonical, name, err);
    if (!rule.rule)
        return false;
    rule.hash = rule.rule->hash;
    rule.name = arena_strdup(&record->mem, name);
    *index = record->rules.len;
    vec_push(&record->rules, rule);
    return true;
}

static struct order copy_order(struct arena *mem, const struct order *from)
{
    struct order to = {from->n, ARENA_NEW(mem, uint32_t, from->n + 1u)};
    if (from->n)
        memcpy(to.axis, from->axis, sizeof *to.axis * from->n);
    return to;
}

static term_id mapped(term_id term, const struct u32_vec *map)
{
    return term.v == UINT32_MAX ? term : (term_id){map->at[term.v]};
}

struct instance *record_copy_instance(struct record *record, uint32_t rule,
                                      const struct instance *in, const struct u32_vec *map)
{
    const struct rule *to_rule = record->rules.at[rule].rule;
    struct instance *out = instance_new(to_rule, in->rank, &record->mem);
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
        out->order[v] = copy_order(&record->mem, &in->order[v]);
    }
    for (uint32_t p = 0; p < to_rule->n_pats; p++) {
        uint32_t n = to_rule->pats[p].n_args;
        out->pat[p].out = copy_order(&record->mem, &in->pat[p].out);
        out->pat[p].in = ARENA_NEW(&record->mem, struct order, n + 1);
        for (uint32_t k = 0; in->pat[p].in && k < n; k++)
            out->pat[p].in[k] = copy_order(&record->mem, &in->pat[p].in[k]);
    }
    return out;
}

const char *where_text(const struct instance *in, struct terms *terms, struct arena *mem)
{
    const struct rule *rule = in->rule;
    struct buf buf = {0};
    for (uint32_t w = 0; w < rule->n_wheres; w++) {
        const struct where *where = &rule->wheres[w];
        if (w)
            buf_puts(&buf, "; ");
        where_print(rule, w, &buf);
        buf_putc(&buf, ':');
        if (!where->cond) {
            bool yes = instance_element_condition(in, where->pat, terms);
            buf_puts(&buf, yes ? " true" : " false");
        }
        for (uint32_t k = 0; k < where_places(in, w); k++) {
            bool yes;
            bool known = where_at(in, w, k, &yes);
            buf_puts(&buf, !known ? " undefined" : yes ? " true" : " false");
        }
    }
    const char *text = arena_strdup(mem, buf_text(&buf));
    buf_release(&buf);
    return text;
}
