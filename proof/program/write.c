// SPDX-License-Identifier: Apache-2.0
// A record as JSON.  Only types and terms that lines and goals reach are
// written, renumbered in ascending order.
#include "proof/program/record.h"

#include "tensor/fold/layout.h"
#include <jansson.h>
#include <stdlib.h>

struct record_writer {
    const struct record *r;
    const struct terms *t;
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
    json_t *a = json_array();
    for (uint32_t i = 0; i < n; i++)
        json_array_append_new(a, number(v[i]));
    return a;
}

static json_t *ints(uint32_t n, const int64_t *v)
{
    json_t *a = json_array();
    for (uint32_t i = 0; i < n; i++)
        json_array_append_new(a, json_integer(v[i]));
    return a;
}

static uint32_t type_number(struct record_writer *w, type_id t)
{
    const struct pool *p = w->t->pool;
    while (w->type_at.len <= t.v)
        vec_push(&w->type_at, 0);
    if (w->type_at.at[t.v])
        return w->type_at.at[t.v] - 1;
    struct type type = *pool_type(p, t);
    json_t *o;
    if (type.form == TYPE_TENSOR) {
        o = json_pack("{s:s, s:o}", "elem", elem_text(type.elem), "dims",
                      ints(type.n, type_dims(p, t)));
    } else if (type.form == TYPE_TUPLE) {
        json_t *parts = json_array();
        for (uint32_t k = 0; k < type.n; k++)
            json_array_append_new(parts,
                                  number(type_number(w, tuple_type(p, t, k))));
        o = json_pack("{s:o}", "tuple", parts);
    } else {
        struct buf text = {0};
        type_print(p, t, &text);
        o = json_pack("{s:s}", "other", buf_text(&text));
        buf_release(&text);
    }
    json_array_append_new(w->types, o);
    w->type_at.at[t.v] = (uint32_t)json_array_size(w->types);
    return w->type_at.at[t.v] - 1;
}

static void add_root(struct record_writer *w, struct u32_vec *mark, term_id t)
{
    if (t.v != UINT32_MAX && !mark->at[t.v]) {
        mark->at[t.v] = 1;
        vec_push(&w->reach, t.v);
    }
}

static void collect(struct record_writer *w)
{
    struct u32_vec mark = {0};
    for (uint32_t i = 0; i < w->t->term.len; i++)
        vec_push(&mark, 0);
    for (uint32_t i = 0; i < w->r->lines.len; i++) {
        const struct record_line *l = &w->r->lines.at[i];
        add_root(w, &mark, l->a);
        add_root(w, &mark, l->b);
        for (uint32_t k = 0; l->inst && k < l->inst->rule->n_tensors; k++)
            add_root(w, &mark, l->inst->tensor[k]);
        for (uint32_t k = 0; l->inst && k < l->inst->rule->n_scalars; k++)
            add_root(w, &mark, l->inst->scalar[k]);
        for (uint32_t m = 0; l->inst && m < l->inst->rule->n_maps; m++)
            for (uint32_t k = 0; k < instance_indices(l->inst, m); k++)
                add_root(w, &mark, l->inst->index[m][k]);
    }
    for (uint32_t i = 0; i < w->r->goals.len; i++) {
        add_root(w, &mark, w->r->goals.at[i].input);
        add_root(w, &mark, w->r->goals.at[i].output);
    }
    // Arguments have smaller ids: one sweep downwards marks them all.
    for (uint32_t i = w->t->term.len; i-- > 0;)
        for (uint32_t k = 0; mark.at[i] && k < w->t->term.at[i].n_args; k++)
            mark.at[w->t->args.at[w->t->term.at[i].args_at + k].v] = 1;
    vec_clear(&w->reach);
    for (uint32_t i = 0; i < mark.len; i++) {
        vec_push(&w->term_at, w->reach.len);
        if (mark.at[i])
            vec_push(&w->reach, i);
    }
    vec_release(&mark);
}

static json_t *hex(const void *data, size_t n)
{
    static const char digit[] = "0123456789abcdef";
    struct buf b = {0};
    for (size_t i = 0; i < n; i++) {
        unsigned char c = ((const unsigned char *)data)[i];
        buf_putc(&b, digit[c >> 4]);
        buf_putc(&b, digit[c & 15]);
    }
    json_t *s = json_string(buf_text(&b));
    buf_release(&b);
    return s;
}

// Numbers, but an operator stands by its name: its number is the table's.
static json_t *attributes(enum op op, uint32_t n, const int64_t *v)
{
    json_t *a = ints(n, v);
    if (op_has_reducer(op))
        json_array_set_new(
            a, 0,
            json_string(v[0] == N_OPS ? REPLACES : op_name((enum op)v[0])));
    return a;
}

static json_t *term_object(struct record_writer *w, uint32_t id)
{
    const struct term *t = &w->t->term.at[id];
    const struct pool *p = w->t->pool;
    json_t *o = json_pack("{s:s, s:o}", "op", op_name((enum op)t->op), "type",
                          number(type_number(w, t->type)));
    if (t->n_args) {
        json_t *args = json_array();
        for (uint32_t k = 0; k < t->n_args; k++)
            json_array_append_new(
                args, number(w->term_at.at[w->t->args.at[t->args_at + k].v]));
        json_object_set_new(o, "args", args);
    }
    if (t->op == OP_CONSTANT) {
        lit_id l = term_literal(w->t, (term_id){id});
        const struct literal *lit = pool_literal(p, l);
        json_object_set_new(o, "data",
                            hex(literal_data(p, l),
                                (size_t)lit->count * elem_bytes(lit->elem)));
    } else if (t->op == OP_OPAQUE) {
        const int64_t *v = attr_at(p, t->attr);
        json_object_set_new(o, "text",
                            json_string(sym_text(p, (sym_id){(uint32_t)v[0]})));
        json_object_set_new(o, "results", json_integer(v[1]));
        json_object_set_new(o, "serial", json_integer(v[2]));
    } else if (attr_len(p, t->attr)) {
        json_object_set_new(o, "attr",
                            attributes((enum op)t->op, attr_len(p, t->attr),
                                       attr_at(p, t->attr)));
    }
    return o;
}

static json_t *order_array(const struct order *o)
{
    return ids(o->n, o->axis);
}

static json_t *places(const struct instance *in)
{
    json_t *all = json_array();
    for (uint32_t p = 0; p < in->rule->n_pats; p++) {
        json_t *inputs = json_array();
        for (uint32_t k = 0; in->pat[p].in && k < in->rule->pats[p].n_args; k++)
            json_array_append_new(inputs, order_array(&in->pat[p].in[k]));
        json_array_append_new(all, json_pack("{s:o, s:o}", "out",
                                             order_array(&in->pat[p].out), "in",
                                             inputs));
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
static void put_indices(struct record_writer *w, const struct instance *in, json_t *o)
{
    const struct rule *r = in->rule;
    json_t *all = json_object();
    for (uint32_t m = 0; m < r->n_maps; m++) {
        if (in->index[m] == NULL)
            continue;
        json_t *terms = json_array();
        for (uint32_t k = 0; k < instance_indices(in, m); k++)
            json_array_append_new(terms,
                                  number(w->term_at.at[in->index[m][k].v]));
        json_object_set_new(all, r->maps[m].name, terms);
    }
    json_object_set_new(o, "index_type",
                        json_string(elem_text(in->index_elem)));
    json_object_set_new(o, "indices", all);
}

static json_t *instance_object(struct record_writer *w, const struct instance *in)
{
    const struct rule *r = in->rule;
    json_t *o = json_object(), *part;
    json_object_set_new(o, "classes", part = json_object());
    for (uint32_t c = 0; c < r->n_classes; c++)
        json_object_set_new(part, r->classes[c].name,
                            ids(in->rank[c], in->class_axes[c]));
    json_object_set_new(o, "maps", part = json_object());
    for (uint32_t m = 0; m < r->n_maps; m++)
        json_object_set_new(part, r->maps[m].name,
                            ints(in->rank[r->maps[m].cls], in->map[m]));
    json_object_set_new(o, "types", part = json_array());
    for (uint32_t v = 0; v < r->n_types; v++)
        json_array_append_new(part, json_string(elem_text(in->elem[v])));
    if (r->n_opvars)
        json_object_set_new(o, "ops", part = json_object());
    for (uint32_t v = 0; v < r->n_opvars; v++) {
        attr_id a = in->op[v].attr;
        json_object_set_new(
            part, r->opvars[v].name,
            json_pack("{s:s, s:o}", "op", op_name(in->op[v].op), "attr",
                      ints(attr_len(w->t->pool, a), attr_at(w->t->pool, a))));
    }
    json_object_set_new(o, "tensors", part = json_object());
    for (uint32_t v = 0; v < r->n_tensors; v++)
        json_object_set_new(part, r->tensors[v].name,
                            json_pack("{s:o, s:o}", "term",
                                      number(w->term_at.at[in->tensor[v].v]),
                                      "order", order_array(&in->order[v])));
    json_object_set_new(o, "scalars", part = json_object());
    for (uint32_t v = 0; v < r->n_scalars; v++)
        json_object_set_new(part, r->scalars[v].name,
                            number(w->term_at.at[in->scalar[v].v]));
    if (has_indices(in))
        put_indices(w, in, o);
    json_object_set_new(o, "places", places(in));
    return o;
}

static const char *const line_names[] = {"rule", "fold", "layout", "cong",
                                         "trans"};

static json_t *line_object(struct record_writer *w, const struct record_line *l)
{
    json_t *o = json_pack("{s:s, s:o, s:o}", "kind", line_names[l->kind], "a",
                          number(w->term_at.at[l->a.v]), "b",
                          number(w->term_at.at[l->b.v]));
    if (l->kind == LINE_RULE) {
        json_object_set_new(o, "rule", number(l->rule));
        json_object_set_new(o, "backward", json_boolean(l->backward));
        json_object_set_new(o, "where", json_string(l->where));
        json_object_set_new(o, "instance", instance_object(w, l->inst));
    } else if (l->kind == LINE_LAYOUT) {
        json_object_set_new(o, "law",
                            json_string(layout_text((enum layout_kind)l->law)));
    } else if (l->kind == LINE_CONG || l->kind == LINE_TRANS) {
        json_t *parts = json_array();
        for (uint32_t k = 0; k < l->n_parts; k++) {
            const struct line_part *p = &w->r->parts.at[l->parts_at + k];
            json_t *part = json_pack("{s:o}", "line", number(p->line));
            if (l->kind == LINE_CONG)
                json_object_set_new(part, "arg", number(p->arg));
            if (p->flip)
                json_object_set_new(part, "flip", json_true());
            json_array_append_new(parts, part);
        }
        json_object_set_new(o, "parts", parts);
    }
    return o;
}

static json_t *goal_object(struct record_writer *w, const struct record_goal *g)
{
    json_t *o = json_pack("{s:o, s:o, s:o, s:o}", "function",
                          number(g->function), "root", number(g->root), "input",
                          number(w->term_at.at[g->input.v]), "output",
                          number(w->term_at.at[g->output.v]));
    if (g->line != NONE) {
        json_object_set_new(o, "line", number(g->line));
        json_object_set_new(o, "flip", json_boolean(g->flip));
    }
    return o;
}

static json_t *rules_array(const struct record *r)
{
    json_t *a = json_array();
    for (uint32_t i = 0; i < r->rules.len; i++) {
        const struct record_rule *rule = &r->rules.at[i];
        json_array_append_new(a, json_pack("{s:s, s:s, s:b, s:s}", "name",
                                           rule->name, "hash", rule->hash,
                                           "assumed", rule->assumed, "text",
                                           rule->rule->canonical));
    }
    return a;
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
    json_t *s = json_string(value);
    char *text = s ? json_dumps(s, JSON_ENCODE_ANY) : NULL;
    buf_printf(out, ",\n\"%s\": ", key);
    buf_puts(out, text ? text : "\"\"");
    free(text);
    json_decref(s);
}

void record_write(const struct record *r, struct buf *out)
{
    struct record_writer w = {.r = r, .t = &r->terms, .types = json_array()};
    collect(&w);
    buf_printf(out,
               "{\"format\": \"rankwright proof record\",\n\"version\": %d",
               RECORD_VERSION);
    put_string("float", domain_text(r->float_mode), out);
    buf_printf(out, ",\n\"fold_exact\": %s", r->fold_exact ? "true" : "false");
    put_string("input_name", r->input_name, out);
    put_string("input", r->input, out);
    put_string("output", r->output, out);
    put_array("rules", rules_array(r), out);
    json_t *terms = json_array(), *lines = json_array(), *goals = json_array();
    for (uint32_t i = 0; i < w.reach.len; i++)
        json_array_append_new(terms, term_object(&w, w.reach.at[i]));
    for (uint32_t i = 0; i < r->lines.len; i++)
        json_array_append_new(lines, line_object(&w, &r->lines.at[i]));
    for (uint32_t i = 0; i < r->goals.len; i++)
        json_array_append_new(goals, goal_object(&w, &r->goals.at[i]));
    put_array("types", w.types, out);
    put_array("terms", terms, out);
    put_array("lines", lines, out);
    put_array("goals", goals, out);
    buf_puts(out, "}\n");
    vec_release(&w.reach);
    vec_release(&w.term_at);
    vec_release(&w.type_at);
}
