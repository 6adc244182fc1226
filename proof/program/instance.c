// SPDX-License-Identifier: Apache-2.0
// The instance of a rule in a record from JSON.
#include "proof/program/reader.h"
#include "proof/limits.h"

// Fails: the instance does not have the shape that its rule needs.
static bool unfit(struct record_reader *rd, const char *what)
{
    return err_set(rd->in.err, ERR_CHECK, "%s does not fit its rule: %s", rd->in.where, what);
}

static bool read_order(struct record_reader *rd, const json_t *json, uint32_t n_axes,
                       struct order *out)
{
    size_t n = json_array_size(json);
    if (!json_is_array(json) || n > n_axes)
        return unfit(rd, "bad order of axes");
    out->n = (uint32_t)n;
    out->axis = ARENA_NEW(&rd->record->mem, uint32_t, n + 1);
    for (uint32_t i = 0; i < out->n; i++)
        if (!record_read_index(rd, json_array_get(json, i), n_axes, "bad axis", &out->axis[i]))
            return false;
    return true;
}

static bool read_classes(struct record_reader *rd, const json_t *json, const struct rule *rule,
                         struct instance **out)
{
    const json_t *classes = record_field(json, "classes");
    uint32_t *rank = ARENA_NEW(&rd->mem, uint32_t, rule->n_classes + 1u);
    uint64_t total = 0;
    for (uint32_t c = 0; c < rule->n_classes; c++) {
        const json_t *axes = record_field(classes, rule->classes[c].name);
        if (!json_is_array(axes))
            return unfit(rd, "expected the axes of every class");
        rank[c] = (uint32_t)json_array_size(axes);
        total += rank[c];
    }
    if (total > PROOF_INSTANCE_AXES)
        return unfit(rd, "too many axes");
    struct instance *in = instance_new(rule, rank, &rd->record->mem);
    for (uint32_t c = 0; c < rule->n_classes; c++)
        for (uint32_t k = 0; k < rank[c]; k++) {
            uint32_t axis;
            if (!record_read_index(rd,
                                   json_array_get(record_field(classes, rule->classes[c].name), k),
                                   total, "bad axis", &axis))
                return false;
            in->class_axes[c][k] = axis;
            in->axis_class[axis] = c;
        }
    *out = in;
    return true;
}

static bool read_maps(struct record_reader *rd, const json_t *json, struct instance *in)
{
    const struct rule *rule = in->rule;
    for (uint32_t m = 0; m < rule->n_maps; m++) {
        struct i64_vec list = {0};
        const json_t *values = record_field(record_field(json, "maps"), rule->maps[m].name);
        bool ok = (json_is_array(values) || unfit(rd, "expected every map")) &&
                  record_read_ints(rd, values, "bad map value", &list);
        ok = ok && (list.len == in->rank[rule->maps[m].cls] ||
                    unfit(rd, "a map has the wrong number of values"));
        for (uint32_t k = 0; ok && k < list.len; k++)
            in->map[m][k] = list.at[k];
        vec_release(&list);
        if (!ok)
            return false;
    }
    return true;
}

// Only an instance of a rule with starts has starts.
static bool read_indices(struct record_reader *rd, const json_t *json, struct instance *in)
{
    const struct rule *rule = in->rule;
    const json_t *type = record_field(json, "index_type");
    if (type != NULL && !record_read_elem(rd, json_string_value(type), &in->index_elem))
        return false;
    for (uint32_t m = 0; m < rule->n_maps; m++) {
        const json_t *terms = record_field(record_field(json, "indices"), rule->maps[m].name);
        uint32_t n = instance_indices(in, m);
        if (in->index[m] != NULL && json_array_size(terms) != n)
            return unfit(rd, "expected a term for every place of an index");
        for (uint32_t k = 0; k < n; k++)
            if (!record_read_term(rd, json_array_get(terms, k),
                                  "expected a term for every place of an index", &in->index[m][k]))
                return false;
    }
    return true;
}

static bool read_ops(struct record_reader *rd, const json_t *json, struct instance *in)
{
    for (uint32_t v = 0; v < in->rule->n_opvars; v++) {
        const json_t *binding = record_field(record_field(json, "ops"), in->rule->opvars[v].name);
        struct i64_vec attr = {0};
        bool ok =
            record_read_op(rd, json_string_value(record_field(binding, "op")), &in->op[v].op) &&
            record_read_ints(rd, record_field(binding, "attr"), "bad attr", &attr);
        if (ok)
            in->op[v].attr = attr_make(rd->pool, attr.len, attr.at);
        vec_release(&attr);
        if (!ok)
            return false;
    }
    return true;
}

static bool read_variables(struct record_reader *rd, const json_t *json, struct instance *in)
{
    const struct rule *rule = in->rule;
    for (uint32_t v = 0; v < rule->n_types; v++) {
        const char *name = json_string_value(json_array_get(record_field(json, "types"), v));
        if (!record_read_elem(rd, name, &in->elem[v]))
            return false;
    }
    for (uint32_t v = 0; v < rule->n_tensors; v++) {
        const json_t *t = record_field(record_field(json, "tensors"), rule->tensors[v].name);
        if (!record_read_term(rd, record_field(t, "term"), "expected a term for every tensor",
                              &in->tensor[v]) ||
            !read_order(rd, record_field(t, "order"), in->n_axes, &in->order[v]))
            return false;
    }
    for (uint32_t v = 0; v < rule->n_scalars; v++)
        if (!record_read_term(rd,
                              record_field(record_field(json, "scalars"), rule->scalars[v].name),
                              "expected a term for every scalar", &in->scalar[v]))
            return false;
    return read_ops(rd, json, in);
}

static bool read_places(struct record_reader *rd, const json_t *json, struct instance *in)
{
    const json_t *places = record_field(json, "places");
    if (json_array_size(places) != in->rule->n_pats)
        return unfit(rd, "expected a place for every pattern node");
    for (uint32_t p = 0; p < in->rule->n_pats; p++) {
        const json_t *place = json_array_get(places, p);
        const json_t *inputs = record_field(place, "in");
        uint32_t n = in->rule->pats[p].n_args;
        if (!read_order(rd, record_field(place, "out"), in->n_axes, &in->pat[p].out))
            return false;
        in->pat[p].in = ARENA_NEW(&rd->record->mem, struct order, n + 1u);
        if (json_array_size(inputs) != n)
            return unfit(rd, "expected an order for every argument");
        for (uint32_t k = 0; k < n; k++)
            if (!read_order(rd, json_array_get(inputs, k), in->n_axes, &in->pat[p].in[k]))
                return false;
    }
    return true;
}

bool record_read_instance(struct record_reader *rd, const json_t *json, const struct rule *rule,
                          struct instance **out)
{
    return read_classes(rd, json, rule, out) && read_maps(rd, json, *out) &&
           read_indices(rd, json, *out) && read_variables(rd, json, *out) &&
           read_places(rd, json, *out);
}
