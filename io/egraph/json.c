// SPDX-License-Identifier: Apache-2.0
#include "io/egraph/json.h"

#include "base/text/utf8.h"
#include "io/egraph/json_scan.h"

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

// The class that a text names, + 1; 0: none.
static uint32_t class_named(struct egraph_file *f, const char *name)
{
    uint32_t id = text_id(f, name); // may move the table
    return f->class_of.at[id];
}

static uint32_t class_of_text(struct egraph_file *f, uint32_t id)
{
    if (!f->class_of.at[id]) {
        vec_push(&f->class, ((struct file_class){id, NULL}));
        f->class_of.at[id] = f->class.len;
    }
    return f->class_of.at[id] - 1;
}

uint32_t egraph_file_class(struct egraph_file *f, const char *name)
{
    return class_of_text(f, text_id(f, name));
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

struct egraph_reader {
    struct json_scan s;
    struct egraph_file *f;
    struct err *e;
    struct buf name;                  // of the node that is read
    const char *nodes, *roots, *data; // where these values begin, or NULL
};

// "file: WHERE "NAME": what ["DETAIL"]"
static bool bad(struct egraph_reader *r, const char *where, const char *name,
                const char *what, const char *detail)
{
    struct buf b = {0}, d = {0};
    utf8_printable(name, &b);
    utf8_printable(detail ? detail : "", &d);
    err_at(r->e, ERR_INPUT, r->s.file, 0, 0, "%s%s%.100s%s: %s%s%.100s%s",
           where, *name ? " \"" : "", buf_text(&b), *name ? "\"" : "", what,
           detail ? " \"" : "", buf_text(&d), detail ? "\"" : "");
    buf_release(&b);
    buf_release(&d);
    return false;
}

static bool bad_node(struct egraph_reader *r, const char *what)
{
    return bad(r, "node", buf_text(&r->name), what, NULL);
}

// Children as texts; they become nodes when all names are known.
static bool read_children(struct egraph_reader *r)
{
    const char *child;
    bool more;
    if (json_scan_peek(&r->s) != '[')
        return bad_node(r, "children: expected a list");
    if (!json_scan_open(&r->s, '[', r->e))
        return false;
    while (json_scan_more(&r->s, ']', &more, r->e) && more) {
        if (json_scan_peek(&r->s) != '"')
            return bad_node(r, "children: expected names of nodes");
        if (!json_scan_string(&r->s, &child, r->e))
            return false;
        vec_push(&r->f->child, text_id(r->f, child));
    }
    return !r->e->kind;
}

enum field { F_OP, F_CHILDREN, F_CLASS, F_COST, F_SUBSUMED, N_FIELDS };
static const char *const field_name[] = {"op", "children", "eclass", "cost",
                                         "subsumed"};

static bool read_text(struct egraph_reader *r, enum field k, uint32_t *id)
{
    const char *text;
    if (json_scan_peek(&r->s) != '"')
        return bad_node(r, k == F_OP ? "op: expected a string"
                                     : "eclass: expected a string");
    if (!json_scan_string(&r->s, &text, r->e))
        return false;
    *id = text_id(r->f, text);
    return true;
}

static bool read_field(struct egraph_reader *r, enum field k, struct file_node *n,
                       uint32_t *class)
{
    char c = json_scan_peek(&r->s);
    switch (k) {
    case F_OP:
        return read_text(r, k, &n->op);
    case F_CLASS:
        return read_text(r, k, class);
    case F_CHILDREN:
        return read_children(r);
    case F_COST:
        if (c != '0')
            return bad_node(r, "cost: expected a finite number");
        return json_scan_number(&r->s, &n->cost, r->e);
    case F_SUBSUMED:
        if (c != 't' && c != 'f')
            return bad_node(r, "subsumed: expected true or false");
        return json_scan_bool(&r->s, &n->subsumed, r->e);
    case N_FIELDS:
        break;
    }
    return json_scan_skip(&r->s, r->e);
}

static bool read_fields(struct egraph_reader *r, struct file_node *n, uint32_t *class)
{
    unsigned seen = 0;
    bool more;
    const char *key;
    if (json_scan_peek(&r->s) != '{')
        return bad_node(r, "expected an object");
    if (!json_scan_open(&r->s, '{', r->e))
        return false;
    while (json_scan_more(&r->s, '}', &more, r->e) && more) {
        enum field k = 0;
        if (!json_scan_key(&r->s, &key, r->e))
            return false;
        while (k < N_FIELDS && strcmp(key, field_name[k]) != 0)
            k++;
        if (k < N_FIELDS && seen >> k & 1)
            return bad(r, "node", buf_text(&r->name), "duplicate key", key);
        seen |= 1u << k;
        if (!read_field(r, k, n, class))
            return false;
    }
    if (!r->e->kind && !(seen >> F_OP & 1))
        return bad_node(r, "op: expected a string");
    if (!r->e->kind && !(seen >> F_CLASS & 1))
        return bad_node(r, "eclass: expected a string");
    return !r->e->kind;
}

static bool read_node(struct egraph_reader *r)
{
    struct egraph_file *f = r->f;
    const char *name;
    uint32_t class = 0;
    if (!json_scan_key(&r->s, &name, r->e))
        return false;
    buf_clear(&r->name);
    buf_puts(&r->name, name);
    struct file_node n = {.name = text_id(f, name), .cost = 1};
    n.child_at = f->child.len;
    if (f->node_of.at[n.name])
        return bad_node(r, "duplicate name");
    if (f->node.len >= UINT32_MAX / 4 || f->child.len >= UINT32_MAX / 4)
        return bad_node(r, "too many nodes or children");
    if (!read_fields(r, &n, &class))
        return false;
    n.n_children = f->child.len - n.child_at;
    n.class = class_of_text(f, class);
    vec_push(&f->node, n);
    f->node_of.at[n.name] = f->node.len;
    return true;
}

static bool name_children(struct egraph_reader *r)
{
    struct egraph_file *f = r->f;
    for (uint32_t k = 0; k < f->node.len; k++) {
        const struct file_node *n = &f->node.at[k];
        for (uint32_t i = n->child_at; i < n->child_at + n->n_children; i++) {
            uint32_t id = f->child.at[i];
            if (!f->node_of.at[id])
                return bad(r, "node", intern_text(&f->text, n->name),
                           "children: there is no node",
                           intern_text(&f->text, id));
            f->child.at[i] = f->node_of.at[id] - 1;
        }
    }
    return true;
}

static bool read_nodes(struct egraph_reader *r)
{
    bool more;
    if (!r->nodes)
        return bad(r, "nodes", "", "expected an object", NULL);
    r->s.at = r->nodes;
    if (json_scan_peek(&r->s) != '{')
        return bad(r, "nodes", "", "expected an object", NULL);
    if (!json_scan_open(&r->s, '{', r->e))
        return false;
    while (json_scan_more(&r->s, '}', &more, r->e) && more)
        if (!read_node(r))
            return false;
    return !r->e->kind && name_children(r);
}

static bool read_roots(struct egraph_reader *r)
{
    bool more;
    const char *name;
    if (r->roots)
        r->s.at = r->roots;
    if (!r->roots || json_scan_peek(&r->s) != '[')
        return bad(r, "root_eclasses", "", "expected a list", NULL);
    if (!json_scan_open(&r->s, '[', r->e))
        return false;
    while (json_scan_more(&r->s, ']', &more, r->e) && more) {
        if (json_scan_peek(&r->s) != '"')
            return bad(r, "root_eclasses", "", "expected names of classes",
                       NULL);
        if (!json_scan_string(&r->s, &name, r->e))
            return false;
        uint32_t c = class_named(r->f, name);
        if (c)
            vec_push(&r->f->root, c - 1);
        else
            r->f->lost_roots++;
    }
    if (r->e->kind)
        return false;
    if (r->f->root.len == 0)
        return bad(r, "root_eclasses", "",
                   r->f->lost_roots ? "no root has a node"
                                    : "there are no roots",
                   NULL);
    return true;
}

// A value's text, without what stands between its parts.
static const char *compact(struct egraph_reader *r, const char *from, const char *end)
{
    char *out = arena_strndup(&r->f->text.mem, from, (size_t)(end - from));
    char *to = out;
    bool inside = false;
    for (const char *p = from; p < end; p++) {
        if (!inside && (*p == ' ' || *p == '\n' || *p == '\r' || *p == '\t'))
            continue;
        *to++ = *p;
        if (inside && *p == '\\')
            *to++ = *++p;
        else if (*p == '"')
            inside = !inside;
    }
    *to = '\0';
    return out;
}

static bool read_data(struct egraph_reader *r)
{
    bool more;
    const char *name;
    if (!r->data)
        return true;
    r->s.at = r->data;
    if (json_scan_peek(&r->s) != '{')
        return bad(r, "class_data", "", "expected an object", NULL);
    if (!json_scan_open(&r->s, '{', r->e))
        return false;
    while (json_scan_more(&r->s, '}', &more, r->e) && more) {
        if (!json_scan_key(&r->s, &name, r->e))
            return false;
        uint32_t c = class_named(r->f, name);
        if (c && r->f->class.at[c - 1].data)
            return bad(r, "class_data", name, "duplicate name", NULL);
        (void)json_scan_peek(&r->s);
        const char *from = r->s.at;
        if (!json_scan_skip(&r->s, r->e))
            return false;
        if (c)
            r->f->class.at[c - 1].data = compact(r, from, r->s.at);
        else
            r->f->lost_data++;
    }
    return !r->e->kind;
}

// The parts may stand in any order, and need each other in one.
static bool find_parts(struct egraph_reader *r)
{
    bool more;
    const char *key;
    if (!json_scan_open(&r->s, '{', r->e))
        return false;
    while (json_scan_more(&r->s, '}', &more, r->e) && more) {
        if (!json_scan_key(&r->s, &key, r->e))
            return false;
        const char **part = strcmp(key, "nodes") == 0           ? &r->nodes
                            : strcmp(key, "root_eclasses") == 0 ? &r->roots
                            : strcmp(key, "class_data") == 0    ? &r->data
                                                                : NULL;
        if (part && *part)
            return json_scan_wrong(&r->s, "duplicate key", r->e);
        if (part)
            *part = r->s.at;
        if (!json_scan_skip(&r->s, r->e))
            return false;
    }
    return !r->e->kind && json_scan_finish(&r->s, r->e);
}

bool egraph_json_read(const char *text, size_t n, const char *file,
                      struct egraph_file *f, struct err *e)
{
    struct egraph_reader r = {.f = f, .e = e};
    egraph_file_init(f);
    bool ok = json_scan_init(&r.s, text, n, file, e) && find_parts(&r) &&
              read_nodes(&r) && read_roots(&r) && read_data(&r);
    json_scan_release(&r.s);
    buf_release(&r.name);
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
