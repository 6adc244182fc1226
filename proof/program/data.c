// SPDX-License-Identifier: Apache-2.0
#include "proof/program/data.h"

#include "tensor/fold/layout.h"
#include "tensor/program/region.h"
static json_t *number(uint64_t v)
{
    return json_integer((json_int_t)v);
}

static json_t *ids(uint32_t n, const uint32_t *v)
{
    json_t *json = json_array();
    for (uint32_t i = 0; i < n; i++)
        json_array_append_new(json, number(v[i]));
    return json;
}

static json_t *ints(uint32_t n, const int64_t *v)
{
    json_t *json = json_array();
    for (uint32_t i = 0; i < n; i++)
        json_array_append_new(json, json_integer(v[i]));
    return json;
}

static uint32_t type_number(struct record_data *data, type_id t)
{
    const struct pool *pool = data->terms->pool;
    while (data->type_at.len <= t.v)
        vec_push(&data->type_at, 0);
    if (data->type_at.at[t.v])
        return data->type_at.at[t.v] - 1;
    struct type type = *pool_type(pool, t);
    json_t *json;
    if (type.form == TYPE_TENSOR) {
        json = json_pack("{s:s, s:o}", "elem", elem_text(type.elem), "dims",
                         ints(type.n, type_dims(pool, t)));
    } else if (type.form == TYPE_TUPLE) {
        json_t *parts = json_array();
        for (uint32_t k = 0; k < type.n; k++)
            json_array_append_new(parts, number(type_number(data, tuple_type(pool, t, k))));
        json = json_pack("{s:o}", "tuple", parts);
    } else {
        struct buf text = {0};
        type_print(pool, t, &text);
        json = json_pack("{s:s}", "other", buf_text(&text));
        buf_release(&text);
    }
    json_array_append_new(data->types, json);
    data->type_at.at[t.v] = (uint32_t)json_array_size(data->types);
    return data->type_at.at[t.v] - 1;
}

static void add_root(struct record_data *data, struct u32_vec *mark, term_id term)
{
    if (term.v != UINT32_MAX && !mark->at[term.v]) {
        mark->at[term.v] = 1;
        vec_push(&data->reach, term.v);
    }
}

static void collect(struct record_data *data)
{
    struct u32_vec mark = {0};
    for (uint32_t i = 0; i < data->terms->term.len; i++)
        vec_push(&mark, 0);
    for (uint32_t i = 0; i < data->record->lines.len; i++) {
        const struct record_line *line = &data->record->lines.at[i];
        add_root(data, &mark, line->a);
        add_root(data, &mark, line->b);
        if (line->kind == LINE_CARRIED || line->kind == LINE_TWIN)
            add_root(data, &mark, line->loop);
        for (uint32_t k = 0; line->inst && k < line->inst->rule->n_tensors; k++)
            add_root(data, &mark, line->inst->tensor[k]);
        for (uint32_t k = 0; line->inst && k < line->inst->rule->n_scalars; k++)
            add_root(data, &mark, line->inst->scalar[k]);
        for (uint32_t m = 0; line->inst && m < line->inst->rule->n_maps; m++)
            for (uint32_t k = 0; k < instance_indices(line->inst, m); k++)
                add_root(data, &mark, line->inst->index[m][k]);
    }
    for (uint32_t i = 0; i < data->record->goals.len; i++) {
        add_root(data, &mark, data->record->goals.at[i].input);
        add_root(data, &mark, data->record->goals.at[i].output);
    }
    // Arguments have smaller ids: one sweep downwards marks them all.
    for (uint32_t i = data->terms->term.len; i-- > 0;)
        for (uint32_t k = 0; mark.at[i] && k < data->terms->term.at[i].n_args; k++)
            mark.at[data->terms->args.at[data->terms->term.at[i].args_at + k].v] = 1;
    vec_clear(&data->reach);
    for (uint32_t i = 0; i < mark.len; i++) {
        vec_push(&data->term_at, data->reach.len);
        if (mark.at[i])
            vec_push(&data->reach, i);
    }
    vec_release(&mark);
}

static json_t *hex(const void *bytes, size_t n)
{
    static const char digit[] = "0123456789abcdef";
    struct buf buf = {0};
    for (size_t i = 0; i < n; i++) {
        unsigned char c = ((const unsigned char *)bytes)[i];
        buf_putc(&buf, digit[c >> 4]);
        buf_putc(&buf, digit[c & 15]);
    }
    json_t *json = json_string(buf_text(&buf));
    buf_release(&buf);
    return json;
}

// Attributes as numbers, except that an operator is written by its name: its
// number belongs to this version's table.
static json_t *attributes(enum op op, uint32_t n, const int64_t *v)
{
    json_t *json = ints(n, v);
    if (op_has_reducer(op))
        json_array_set_new(json, 0, json_string(v[0] == N_OPS ? REPLACES : op_name((enum op)v[0])));
    return json;
}

static json_t *term_object(struct record_data *data, uint32_t id)
{
    const struct term *node = &data->terms->term.at[id];
    const struct pool *pool = data->terms->pool;
    json_t *json = json_pack("{s:s, s:o}", "op", op_name((enum op)node->op), "type",
                             number(type_number(data, node->type)));
    if (node->n_args) {
        json_t *args = json_array();
        for (uint32_t k = 0; k < node->n_args; k++)
            json_array_append_new(
                args, number(data->term_at.at[data->terms->args.at[node->args_at + k].v]));
        json_object_set_new(json, "args", args);
    }
    if (node->op == OP_CONSTANT) {
        lit_id literal = term_literal(data->terms, (term_id){id});
        const struct literal *lit = pool_literal(pool, literal);
        json_object_set_new(
            json, "data",
            hex(literal_data(pool, literal), (size_t)lit->count * elem_bytes(lit->elem)));
    } else if (node->op == OP_OPAQUE) {
        const int64_t *v = attr_at(pool, node->attr);
        json_object_set_new(json, "text", json_string(sym_text(pool, (sym_id){(uint32_t)v[0]})));
        json_object_set_new(json, "results", json_integer(v[1]));
        json_object_set_new(json, "serial", json_integer(v[2]));
        if (attr_len(pool, node->attr) > OPAQUE_PLAIN)
            json_object_set_new(json, "blocks",
                                ints(attr_len(pool, node->attr) - OPAQUE_PLAIN, v + OPAQUE_PLAIN));
    } else if (attr_len(pool, node->attr)) {
        json_object_set_new(
            json, "attr",
            attributes((enum op)node->op, attr_len(pool, node->attr), attr_at(pool, node->attr)));
    }
    return json;
}

static json_t *order_array(const struct order *order)
{
    return ids(order->n, order->axis);
}

static json_t *places(const struct instance *in)
{
    json_t *all = json_array();
    for (uint32_t p = 0; p < in->rule->n_pats; p++) {
        json_t *inputs = json_array();
        for (uint32_t k = 0; in->pat[p].in && k < in->rule->pats[p].n_args; k++)
            json_array_append_new(inputs, order_array(&in->pat[p].in[k]));
        json_array_append_new(
            all, json_pack("{s:o, s:o}", "out", order_array(&in->pat[p].out), "in", inputs));
    }
    return all;
}

static bool has_indices(const struct instance *in)
{
    for (uint32_t m = 0; m < in->rule->n_maps; m++)
        if (in->index[m] != NULL)
            return true;
    return in->index_elem != ELEM_I32; // starts that are constants
}

// The terms of every index, and their element type; nothing if there is none.
static void put_indices(const struct record_data *data, const struct instance *in, json_t *json)
{
    const struct rule *rule = in->rule;
    json_t *all = json_object();
    for (uint32_t m = 0; m < rule->n_maps; m++) {
        if (in->index[m] == NULL)
            continue;
        json_t *terms = json_array();
        for (uint32_t k = 0; k < instance_indices(in, m); k++)
            json_array_append_new(terms, number(data->term_at.at[in->index[m][k].v]));
        json_object_set_new(all, rule->maps[m].name, terms);
    }
    json_object_set_new(json, "index_type", json_string(elem_text(in->index_elem)));
    json_object_set_new(json, "indices", all);
}

static json_t *instance_object(const struct record_data *data, const struct instance *in)
{
    const struct rule *rule = in->rule;
    json_t *json = json_object(), *part;
    json_object_set_new(json, "classes", part = json_object());
    for (uint32_t c = 0; c < rule->n_classes; c++)
        json_object_set_new(part, rule->classes[c].name, ids(in->rank[c], in->class_axes[c]));
    json_object_set_new(json, "maps", part = json_object());
    for (uint32_t m = 0; m < rule->n_maps; m++)
        json_object_set_new(part, rule->maps[m].name,
                            ints(in->rank[rule->maps[m].cls], in->map[m]));
    json_object_set_new(json, "types", part = json_array());
    for (uint32_t v = 0; v < rule->n_types; v++)
        json_array_append_new(part, json_string(elem_text(in->elem[v])));
    if (rule->n_opvars)
        json_object_set_new(json, "ops", part = json_object());
    for (uint32_t v = 0; v < rule->n_opvars; v++) {
        attr_id attr = in->op[v].attr;
        json_object_set_new(
            part, rule->opvars[v].name,
            json_pack("{s:s, s:o}", "op", op_name(in->op[v].op), "attr",
                      ints(attr_len(data->terms->pool, attr), attr_at(data->terms->pool, attr))));
    }
    json_object_set_new(json, "tensors", part = json_object());
    for (uint32_t v = 0; v < rule->n_tensors; v++)
        json_object_set_new(part, rule->tensors[v].name,
                            json_pack("{s:o, s:o}", "term",
                                      number(data->term_at.at[in->tensor[v].v]), "order",
                                      order_array(&in->order[v])));
    json_object_set_new(json, "scalars", part = json_object());
    for (uint32_t v = 0; v < rule->n_scalars; v++)
        json_object_set_new(part, rule->scalars[v].name, number(data->term_at.at[in->scalar[v].v]));
    if (has_indices(in))
        put_indices(data, in, json);
    json_object_set_new(json, "places", places(in));
    return json;
}

static json_t *line_object(const struct record_data *data, const struct record_line *line)
{
    json_t *json =
        json_pack("{s:s, s:o, s:o}", "kind", line_names[line->kind], "a",
                  number(data->term_at.at[line->a.v]), "b", number(data->term_at.at[line->b.v]));
    if (line->kind == LINE_RULE) {
        json_object_set_new(json, "rule", number(line->rule));
        json_object_set_new(json, "backward", json_boolean(line->backward));
        json_object_set_new(json, "where", json_string(line->where));
        json_object_set_new(json, "instance", instance_object(data, line->inst));
    } else if (line->kind == LINE_LAYOUT) {
        json_object_set_new(json, "law", json_string(layout_text((enum layout_kind)line->law)));
    } else if (line->kind == LINE_CALL) {
        json_object_set_new(json, "first_region", number(line->first_region));
    } else if (line->kind == LINE_CARRIED) {
        json_object_set_new(json, "loop", number(data->term_at.at[line->loop.v]));
        json_object_set_new(json, "index", number(line->index));
    } else if (line->kind == LINE_TWIN) {
        json_object_set_new(json, "loop", number(data->term_at.at[line->loop.v]));
    } else if (line->kind == LINE_SLICES) {
        json_object_set_new(json, "function", number(line->index));
    } else if (line->kind == LINE_CONG || line->kind == LINE_TRANS) {
        json_t *parts = json_array();
        for (uint32_t k = 0; k < line->n_parts; k++) {
            const struct line_part *p = &data->record->parts.at[line->parts_at + k];
            json_t *part = json_pack("{s:o}", "line", number(p->line));
            if (line->kind == LINE_CONG)
                json_object_set_new(part, "arg", number(p->arg));
            if (p->flip)
                json_object_set_new(part, "flip", json_true());
            json_array_append_new(parts, part);
        }
        json_object_set_new(json, "parts", parts);
    }
    return json;
}

static json_t *goal_object(const struct record_data *data, const struct record_goal *goal)
{
    json_t *json = json_pack("{s:o, s:o, s:o, s:o}", "function", number(goal->function), "root",
                             number(goal->root), "input", number(data->term_at.at[goal->input.v]),
                             "output", number(data->term_at.at[goal->output.v]));
    if (goal->line != NONE) {
        json_object_set_new(json, "line", number(goal->line));
        json_object_set_new(json, "flip", json_boolean(goal->flip));
    }
    return json;
}

// Texts that are not UTF-8 are left out.
static json_t *text_or_none(const char *text)
{
    json_t *json = json_string(text);
    return json ? json : json_string("");
}

static json_t *regions(const struct record *record)
{
    json_t *json = json_array();
    for (uint32_t k = 0; k < record->regions.len; k++)
        json_array_append_new(
            json, record->regions.at[k] == NO_REGION ? json_null() : number(record->regions.at[k]));
    return json;
}

json_t *record_data_member(const struct record *record, uint32_t i, const char **key)
{
    static const char *const keys[] = {"format", "version", "float",   "input_name",
                                       "input",  "output",  "regions", "keep_attributes"};
    *key = i < sizeof keys / sizeof *keys ? keys[i] : NULL;
    switch (i) {
    case 0:
        return json_string("rankwright proof record");
    case 1:
        return json_integer(RECORD_VERSION);
    case 2:
        return json_string(reading_text(record->reading));
    case 3:
        return text_or_none(record->input_name);
    case 4:
        return text_or_none(record->input);
    case 5:
        return text_or_none(record->output);
    case 6:
        return regions(record);
    case 7:
        return text_or_none(record->keep_attributes);
    default:
        return NULL;
    }
}

json_t *record_data_rule(const struct record *record, uint32_t i)
{
    const struct record_rule *rule = &record->rules.at[i];
    return json_pack("{s:s, s:s, s:b, s:s}", "name", rule->name, "hash", rule->hash, "assumed",
                     rule->assumed, "text", rule->rule->canonical);
}

json_t *record_data_type(const struct record_data *data, uint32_t i)
{
    return json_incref(json_array_get(data->types, i));
}

json_t *record_data_term(struct record_data *data, uint32_t i)
{
    return term_object(data, data->reach.at[i]);
}

json_t *record_data_line(const struct record_data *data, uint32_t i)
{
    return line_object(data, &data->record->lines.at[i]);
}

json_t *record_data_goal(const struct record_data *data, uint32_t i)
{
    return goal_object(data, &data->record->goals.at[i]);
}

void record_data_init(struct record_data *data, const struct record *record)
{
    *data = (struct record_data){.record = record, .terms = &record->terms, .types = json_array()};
    collect(data);
    // Types are numbered in the order in which terms have them.
    for (uint32_t i = 0; i < data->reach.len; i++)
        type_number(data, data->terms->term.at[data->reach.at[i]].type);
}

void record_data_release(struct record_data *data)
{
    vec_release(&data->reach);
    vec_release(&data->term_at);
    vec_release(&data->type_at);
    json_decref(data->types);
}
