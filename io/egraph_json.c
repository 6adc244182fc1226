// SPDX-License-Identifier: Apache-2.0
#include "io/egraph_json.h"

#include "base/utf8.h"
#include <jansson.h>
#include <math.h>

void egraph_file_init(struct egraph_file *f)
{
    *f = (struct egraph_file){0};
    intern_init(&f->text);
}

void egraph_file_release(struct egraph_file *f)
{
    intern_release(&f->text);
    vec_release(&f->node);
    vec_release(&f->class);
    vec_release(&f->child);
    vec_release(&f->root);
    vec_release(&f->node_of);
    vec_release(&f->class_of);
    *f = (struct egraph_file){0};
}

static uint32_t text_id(struct egraph_file *f, const char *s)
{
    uint32_t id = intern_str(&f->text, s);
    while (f->node_of.len <= id) {
        vec_push(&f->node_of, 0);
        vec_push(&f->class_of, 0);
    }
    return id;
}

// What a text names, + 1; 0: nothing.
static uint32_t node_named(struct egraph_file *f, const char *name)
{
    uint32_t id = text_id(f, name); // may move the tables
    return f->node_of.at[id];
}

static uint32_t class_named(struct egraph_file *f, const char *name)
{
    uint32_t id = text_id(f, name);
    return f->class_of.at[id];
}

uint32_t egraph_file_class(struct egraph_file *f, const char *name)
{
    uint32_t id = text_id(f, name);
    if (!f->class_of.at[id]) {
        vec_push(&f->class, ((struct file_class){id, NULL}));
        f->class_of.at[id] = f->class.len;
    }
    return f->class_of.at[id] - 1;
}

uint32_t egraph_file_node(struct egraph_file *f, const char *name,
                          const char *op, uint32_t class, double cost)
{
    uint32_t id = text_id(f, name);
    struct file_node n = {.name = id,
                          .op = text_id(f, op),
                          .class = class,
                          .child_at = f->child.len,
                          .cost = cost};
    vec_push(&f->node, n);
    f->node_of.at[id] = f->node.len;
    return f->node.len - 1;
}

void egraph_file_child(struct egraph_file *f, uint32_t node)
{
    vec_push(&f->child, node);
    vec_last(&f->node).n_children++;
}

// ---- reading

struct reader {
    struct egraph_file *f;
    const char *file;
    struct err *e;
};

// "file: WHERE "NAME": what ["DETAIL"]"
static bool bad(struct reader *r, const char *where, const char *name,
                const char *what, const char *detail)
{
    struct buf b = {0}, d = {0};
    utf8_printable(name, &b);
    utf8_printable(detail ? detail : "", &d);
    err_at(r->e, ERR_INPUT, r->file, 0, 0, "%s%s%.100s%s: %s%s%.100s%s", where,
           *name ? " \"" : "", buf_text(&b), *name ? "\"" : "", what,
           detail ? " \"" : "", buf_text(&d), detail ? "\"" : "");
    buf_release(&b);
    buf_release(&d);
    return false;
}

static bool read_node(struct reader *r, const char *name, const json_t *v)
{
    if (!json_is_object(v))
        return bad(r, "node", name, "expected an object", NULL);
    const json_t *op = json_object_get(v, "op");
    const json_t *class = json_object_get(v, "eclass");
    const json_t *cost = json_object_get(v, "cost");
    const json_t *subsumed = json_object_get(v, "subsumed");
    if (!json_is_string(op))
        return bad(r, "node", name, "op: expected a string", NULL);
    if (!json_is_string(class))
        return bad(r, "node", name, "eclass: expected a string", NULL);
    if (cost && !json_is_number(cost))
        return bad(r, "node", name, "cost: expected a finite number", NULL);
    if (subsumed && !json_is_boolean(subsumed))
        return bad(r, "node", name, "subsumed: expected true or false", NULL);
    uint32_t c = egraph_file_class(r->f, json_string_value(class));
    uint32_t n = egraph_file_node(r->f, name, json_string_value(op), c,
                                  cost ? json_number_value(cost) : 1);
    if (!isfinite(r->f->node.at[n].cost))
        return bad(r, "node", name, "cost: expected a finite number", NULL);
    r->f->node.at[n].subsumed = json_is_true(subsumed);
    return true;
}

// Only when all names are known.
static bool read_children(struct reader *r, struct file_node *n,
                          const json_t *list)
{
    const char *name = intern_text(&r->f->text, n->name);
    n->child_at = r->f->child.len;
    if (list && !json_is_array(list))
        return bad(r, "node", name, "children: expected a list", NULL);
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *child = json_string_value(json_array_get(list, i));
        if (!child)
            return bad(r, "node", name, "children: expected names of nodes",
                       NULL);
        uint32_t k = node_named(r->f, child);
        if (k == 0)
            return bad(r, "node", name, "children: there is no node", child);
        vec_push(&r->f->child, k - 1);
        n->n_children++;
    }
    return true;
}

static bool read_nodes(struct reader *r, json_t *nodes)
{
    if (!json_is_object(nodes))
        return bad(r, "nodes", "", "expected an object", NULL);
    if (json_object_size(nodes) >= UINT32_MAX / 4)
        return bad(r, "nodes", "", "too many", NULL);
    for (void *i = json_object_iter(nodes); i;
         i = json_object_iter_next(nodes, i))
        if (!read_node(r, json_object_iter_key(i), json_object_iter_value(i)))
            return false;
    uint32_t k = 0;
    for (void *i = json_object_iter(nodes); i;
         i = json_object_iter_next(nodes, i), k++)
        if (!read_children(
                r, &r->f->node.at[k],
                json_object_get(json_object_iter_value(i), "children")))
            return false;
    return true;
}

static bool read_roots(struct reader *r, const json_t *roots)
{
    if (!json_is_array(roots))
        return bad(r, "root_eclasses", "", "expected a list", NULL);
    for (size_t i = 0; i < json_array_size(roots); i++) {
        const char *name = json_string_value(json_array_get(roots, i));
        if (!name)
            return bad(r, "root_eclasses", "", "expected names of classes",
                       NULL);
        uint32_t c = class_named(r->f, name);
        if (c)
            vec_push(&r->f->root, c - 1);
        else
            r->f->lost_roots++;
    }
    if (json_array_size(roots) == 0)
        return bad(r, "root_eclasses", "", "there are no roots", NULL);
    if (r->f->root.len == 0)
        return bad(r, "root_eclasses", "", "no root has a node", NULL);
    return true;
}

static bool read_data(struct reader *r, json_t *data)
{
    if (data && !json_is_object(data))
        return bad(r, "class_data", "", "expected an object", NULL);
    for (void *i = json_object_iter(data); i;
         i = json_object_iter_next(data, i)) {
        const char *name = json_object_iter_key(i);
        uint32_t c = class_named(r->f, name);
        char *text = json_dumps(json_object_iter_value(i),
                                JSON_COMPACT | JSON_ENCODE_ANY);
        if (c && text)
            r->f->class.at[c - 1].data = arena_strdup(&r->f->text.mem, text);
        else
            r->f->lost_data++;
        free(text);
    }
    return true;
}

bool egraph_json_read(const char *text, size_t n, const char *file,
                      struct egraph_file *f, struct err *e)
{
    struct reader r = {f, file, e};
    json_error_t je;
    json_t *j = json_loadb(text, n, JSON_REJECT_DUPLICATES, &je);
    egraph_file_init(f);
    bool ok = j != NULL;
    if (!ok) {
        struct buf b = {0};
        utf8_printable(je.text, &b);
        err_at(e, ERR_INPUT, file, je.line > 0 ? (uint32_t)je.line : 0,
               je.column > 0 ? (uint32_t)je.column : 0, "%s", buf_text(&b));
        buf_release(&b);
    } else if (!json_is_object(j)) {
        ok = bad(&r, "egraph", "", "expected an object", NULL);
    }
    ok = ok && read_nodes(&r, json_object_get(j, "nodes")) &&
         read_roots(&r, json_object_get(j, "root_eclasses")) &&
         read_data(&r, json_object_get(j, "class_data"));
    json_decref(j);
    if (!ok)
        egraph_file_release(f);
    return ok;
}

// ---- writing

void egraph_json_string(const char *s, struct buf *out)
{
    buf_putc(out, '"');
    for (; *s; s++) {
        if (*s == '"' || *s == '\\')
            buf_printf(out, "\\%c", *s);
        else if ((unsigned char)*s < 0x20 || *s == 0x7f)
            buf_printf(out, "\\u%04x", (unsigned)*s);
        else
            buf_putc(out, *s);
    }
    buf_putc(out, '"');
}

static void put_text(const struct egraph_file *f, uint32_t id, struct buf *out)
{
    egraph_json_string(intern_text(&f->text, id), out);
}

static void put_node(const struct egraph_file *f, const struct file_node *n,
                     const uint32_t *chosen, struct buf *out)
{
    put_text(f, n->name, out);
    buf_puts(out, ": {\"op\": ");
    put_text(f, n->op, out);
    buf_puts(out, ", \"children\": [");
    for (uint32_t i = 0; i < n->n_children; i++) {
        uint32_t k = f->child.at[n->child_at + i];
        buf_puts(out, i ? ", " : "");
        k = chosen ? chosen[f->node.at[k].class] : k;
        put_text(f, f->node.at[k].name, out);
    }
    buf_puts(out, "], \"eclass\": ");
    put_text(f, f->class.at[n->class].name, out);
    buf_puts(out, ", \"cost\": ");
    buf_double(out, n->cost);
    buf_printf(out, "%s}", n->subsumed ? ", \"subsumed\": true" : "");
}

void egraph_json_write(const struct egraph_file *f, const uint32_t *chosen,
                       struct buf *out)
{
    const char *sep = "\n  ";
    buf_puts(out, "{\"nodes\": {");
    for (uint32_t i = 0; i < f->node.len; i++) {
        const struct file_node *n = &f->node.at[i];
        if (chosen && chosen[n->class] != i)
            continue;
        buf_puts(out, sep);
        put_node(f, n, chosen, out);
        sep = ",\n  ";
    }
    buf_puts(out, "},\n \"root_eclasses\": [");
    for (uint32_t i = 0; i < f->root.len; i++) {
        buf_puts(out, i ? ", " : "");
        put_text(f, f->class.at[f->root.at[i]].name, out);
    }
    buf_puts(out, "],\n \"class_data\": {");
    sep = "\n  ";
    for (uint32_t c = 0; c < f->class.len; c++) {
        if (!f->class.at[c].data || (chosen && chosen[c] == NO_FILE_NODE))
            continue;
        buf_puts(out, sep);
        put_text(f, f->class.at[c].name, out);
        buf_printf(out, ": %s", f->class.at[c].data);
        sep = ",\n  ";
    }
    buf_puts(out, "}}\n");
}
