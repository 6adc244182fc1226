// SPDX-License-Identifier: Apache-2.0
// A record as JSON.  Only types and terms that lines and goals reach are
// written, renumbered in ascending order.
#include "proof/program/record.h"

#include "tensor/fold/layout.h"
#include <jansson.h>
#include <stdlib.h>

struct record_writer {
    const struct record *record;
    const struct terms *terms;
    struct u32_vec reach;   // term ids, ascending
    struct u32_vec term_at; // by term id: its number in the record
    struct u32_vec type_at; // by type id: number + 1
    json_t *types;
};

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

static uint32_t type_number(struct record_writer *writer, type_id t)
{
    const struct pool *pool = writer->terms->pool;
    while (writer->type_at.len <= t.v)
        vec_push(&writer->type_at, 0);
    if (writer->type_at.at[t.v])
        return writer->type_at.at[t.v] - 1;
    struct type type = *pool_type(pool, t);
    json_t *json;
    if (type.form == TYPE_TENSOR) {
        json = json_pack("{s:s, s:o}", "elem", elem_text(type.elem), "dims",
                         ints(type.n, type_dims(pool, t)));
    } else if (type.form == TYPE_TUPLE) {
        json_t *parts = json_array();
        for (uint32_t k = 0; k < type.n; k++)
            json_array_append_new(parts, number(type_number(writer, tuple_type(pool, t, k))));
        json = json_pack("{s:o}", "tuple", parts);
    } else {
        struct buf text = {0};
        type_print(pool, t, &text);
        json = json_pack("{s:s}", "other", buf_text(&text));
        buf_release(&text);
    }
    json_array_append_new(writer->types, json);
    writer->type_at.at[t.v] = (uint32_t)json_array_size(writer->types);
    return writer->type_at.at[t.v] - 1;
}

static void add_root(struct record_writer *writer, struct u32_vec *mark, term_id term)
{
    if (term.v != UINT32_MAX && !mark->at[term.v]) {
        mark->at[term.v] = 1;
        vec_push(&writer->reach, term.v);
    }
}

static void collect(struct record_writer *writer)
{
    struct u32_vec mark = {0};
    for (uint32_t i = 0; i < writer->terms->term.len; i++)
        vec_push(&mark, 0);
    for (uint32_t i = 0; i < writer->record->lines.len; i++) {
        const struct record_line *line = &writer->record->lines.at[i];
        add_root(writer, &mark, line->a);
        add_root(writer, &mark, line->b);
        for (uint32_t k = 0; line->inst && k < line->inst->rule->n_tensors; k++)
            add_root(writer, &mark, line->inst->tensor[k]);
        for (uint32_t k = 0; line->inst && k < line->inst->rule->n_scalars; k++)
            add_root(writer, &mark, line->inst->scalar[k]);
        for (uint32_t m = 0; line->inst && m < line->inst->rule->n_maps; m++)
            for (uint32_t k = 0; k < instance_indices(line->inst, m); k++)
                add_root(writer, &mark, line->inst->index[m][k]);
    }
    for (uint32_t i = 0; i < writer->record->goals.len; i++) {
        add_root(writer, &mark, writer->record->goals.at[i].input);
        add_root(writer, &mark, writer->record->goals.at[i].output);
    }
    // Arguments have smaller ids: one sweep downwards marks them all.
    for (uint32_t i = writer->terms->term.len; i-- > 0;)
        for (uint32_t k = 0; mark.at[i] && k < writer->terms->term.at[i].n_args; k++)
            mark.at[writer->terms->args.at[writer->terms->term.at[i].args_at + k].v] = 1;
    vec_clear(&writer->reach);
    for (uint32_t i = 0; i < mark.len; i++) {
        vec_push(&writer->term_at, writer->reach.len);
        if (mark.at[i])
            vec_push(&writer->reach, i);
    }
    vec_release(&mark);
}

static json_t *hex(const void *data, size_t n)
{
    static const char digit[] = "0123456789abcdef";
    struct buf buf = {0};
    for (size_t i = 0; i < n; i++) {
        unsigned char c = ((const unsigned char *)data)[i];
        buf_putc(&buf, digit[c >> 4]);
        buf_putc(&buf, digit[c & 15]);
    }
    json_t *json = json_string(buf_text(&buf));
    buf_release(&buf);
    return json;
}

// Numbers, but an operator stands by its name: its number is the table's.
static json_t *attributes(enum op op, uint32_t n, const int64_t *v)
{
    json_t *json = ints(n, v);
    if (op_has_reducer(op))
        json_array_set_new(json, 0, json_string(v[0] == N_OPS ? REPLACES : op_name((enum op)v[0])));
    return json;
}

static json_t *term_object(struct record_writer *writer, uint32_t id)
{
    const struct term *node = &writer->terms->term.at[id];
    const struct pool *pool = writer->terms->pool;
    json_t *json = json_pack("{s:s, s:o}", "op", op_name((enum op)node->op), "type",
                             number(type_number(writer, node->type)));
    if (node->n_args) {
        json_t *args = json_array();
        for (uint32_t k = 0; k < node->n_args; k++)
            json_array_append_new(
                args, number(writer->term_at.at[writer->terms->args.at[node->args_at + k].v]));
        json_object_set_new(json, "args", args);
    }
    if (node->op == OP_CONSTANT) {
        lit_id literal = term_literal(writer->terms, (term_id){id});
        const struct literal *lit = pool_literal(pool, literal);
        json_object_set_new(
            json, "data",
            hex(literal_data(pool, literal), (size_t)lit->count * elem_bytes(lit->elem)));
    } else if (node->op == OP_OPAQUE) {
        const int64_t *v = attr_at(pool, node->attr);
        json_object_set_new(json, "text", json_string(sym_text(pool, (sym_id){(uint32_t)v[0]})));
        json_object_set_new(json, "results", json_integer(v[1]));
        json_object_set_new(json, "serial", json_integer(v[2]));
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

// The terms of every index, and their element type; nothing where there is
// none.
static void put_indices(struct record_writer *writer, const struct instance *in, json_t *json)
{
    const struct rule *rule = in->rule;
    json_t *all = json_object();
    for (uint32_t m = 0; m < rule->n_maps; m++) {
        if (in->index[m] == NULL)
            continue;
        json_t *terms = json_array();
        for (uint32_t k = 0; k < instance_indices(in, m); k++)
            json_array_append_new(terms, number(writer->term_at.at[in->index[m][k].v]));
        json_object_set_new(all, rule->maps[m].name, terms);
    }
    json_object_set_new(json, "index_type", json_string(elem_text(in->index_elem)));
    json_object_set_new(json, "indices", all);
}

static json_t *instance_object(struct record_writer *writer, const struct instance *in)
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
        json_object_set_new(part, rule->opvars[v].name,
                            json_pack("{s:s, s:o}", "op", op_name(in->op[v].op), "attr",
                                      ints(attr_len(writer->terms->pool, attr),
                                           attr_at(writer->terms->pool, attr))));
    }
    json_object_set_new(json, "tensors", part = json_object());
    for (uint32_t v = 0; v < rule->n_tensors; v++)
        json_object_set_new(part, rule->tensors[v].name,
                            json_pack("{s:o, s:o}", "term",
                                      number(writer->term_at.at[in->tensor[v].v]), "order",
                                      order_array(&in->order[v])));
    json_object_set_new(json, "scalars", part = json_object());
    for (uint32_t v = 0; v < rule->n_scalars; v++)
        json_object_set_new(part, rule->scalars[v].name,
                            number(writer->term_at.at[in->scalar[v].v]));
    if (has_indices(in))
        put_indices(writer, in, json);
    json_object_set_new(json, "places", places(in));
    return json;
}

static const char *const line_names[] = {"rule", "fold", "layout", "cong", "trans"};

static json_t *line_object(struct record_writer *writer, const struct record_line *line)
{
    json_t *json = json_pack("{s:s, s:o, s:o}", "kind", line_names[line->kind], "a",
                             number(writer->term_at.at[line->a.v]), "b",
                             number(writer->term_at.at[line->b.v]));
    if (line->kind == LINE_RULE) {
        json_object_set_new(json, "rule", number(line->rule));
        json_object_set_new(json, "backward", json_boolean(line->backward));
        json_object_set_new(json, "where", json_string(line->where));
        json_object_set_new(json, "instance", instance_object(writer, line->inst));
    } else if (line->kind == LINE_LAYOUT) {
        json_object_set_new(json, "law", json_string(layout_text((enum layout_kind)line->law)));
    } else if (line->kind == LINE_CONG || line->kind == LINE_TRANS) {
        json_t *parts = json_array();
        for (uint32_t k = 0; k < line->n_parts; k++) {
            const struct line_part *p = &writer->record->parts.at[line->parts_at + k];
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

static json_t *goal_object(struct record_writer *writer, const struct record_goal *goal)
{
    json_t *json = json_pack("{s:o, s:o, s:o, s:o}", "function", number(goal->function), "root",
                             number(goal->root), "input", number(writer->term_at.at[goal->input.v]),
                             "output", number(writer->term_at.at[goal->output.v]));
    if (goal->line != NONE) {
        json_object_set_new(json, "line", number(goal->line));
        json_object_set_new(json, "flip", json_boolean(goal->flip));
    }
    return json;
}

static json_t *rules_array(const struct record *record)
{
    json_t *json = json_array();
    for (uint32_t i = 0; i < record->rules.len; i++) {
        const struct record_rule *rule = &record->rules.at[i];
        json_array_append_new(json, json_pack("{s:s, s:s, s:b, s:s}", "name", rule->name, "hash",
                                              rule->hash, "assumed", rule->assumed, "text",
                                              rule->rule->canonical));
    }
    return json;
}

// One element of an array a line, so that records can be read and compared.
static void put_array(const char *key, json_t *array, struct buf *out)
{
    size_t n = json_array_size(array);
    buf_printf(out, ",\n\"%s\": [", key);
    for (size_t i = 0; i < n; i++) {
        char *text = json_dumps(json_array_get(array, i), JSON_COMPACT);
        buf_printf(out, "%s\n", i ? "," : "");
        buf_puts(out, text ? text : "null");
        free(text);
    }
    buf_puts(out, "]");
    json_decref(array);
}

static void put_string(const char *key, const char *value, struct buf *out)
{
    json_t *json = json_string(value);
    char *text = json ? json_dumps(json, JSON_ENCODE_ANY) : NULL;
    buf_printf(out, ",\n\"%s\": ", key);
    buf_puts(out, text ? text : "\"\"");
    free(text);
    json_decref(json);
}

void record_write(const struct record *record, struct buf *out)
{
    struct record_writer writer = {
        .record = record, .terms = &record->terms, .types = json_array()};
    collect(&writer);
    buf_printf(out, "{\"format\": \"rankwright proof record\",\n\"version\": %d", RECORD_VERSION);
    put_string("float", domain_text(record->float_mode), out);
    buf_printf(out, ",\n\"fold_exact\": %s", record->fold_exact ? "true" : "false");
    put_string("input_name", record->input_name, out);
    put_string("input", record->input, out);
    put_string("output", record->output, out);
    put_array("rules", rules_array(record), out);
    json_t *terms = json_array(), *lines = json_array(), *goals = json_array();
    for (uint32_t i = 0; i < writer.reach.len; i++)
        json_array_append_new(terms, term_object(&writer, writer.reach.at[i]));
    for (uint32_t i = 0; i < record->lines.len; i++)
        json_array_append_new(lines, line_object(&writer, &record->lines.at[i]));
    for (uint32_t i = 0; i < record->goals.len; i++)
        json_array_append_new(goals, goal_object(&writer, &record->goals.at[i]));
    put_array("types", writer.types, out);
    put_array("terms", terms, out);
    put_array("lines", lines, out);
    put_array("goals", goals, out);
    buf_puts(out, "}\n");
    vec_release(&writer.reach);
    vec_release(&writer.term_at);
    vec_release(&writer.type_at);
}
