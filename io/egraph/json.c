// SPDX-License-Identifier: Apache-2.0
#include "io/egraph/json.h"

#include "base/text/excerpt.h"
#include "base/text/sniff.h"
#include "base/text/utf8.h"
#include "io/egraph/json_scan.h"

void egraph_file_init(struct egraph_file *file)
{
    *file = (struct egraph_file){0};
    intern_init(&file->text);
}

void egraph_file_release(struct egraph_file *file)
{
    intern_release(&file->text);
    vec_release(&file->node);
    vec_release(&file->class);
    vec_release(&file->child);
    vec_release(&file->root);
    vec_release(&file->node_of);
    vec_release(&file->class_of);
    *file = (struct egraph_file){0};
}

static uint32_t text_id(struct egraph_file *file, const char *text)
{
    uint32_t id = intern_str(&file->text, text);
    while (file->node_of.len <= id) {
        vec_push(&file->node_of, 0);
        vec_push(&file->class_of, 0);
    }
    return id;
}

// The class that a text names, + 1; 0: none.
static uint32_t class_named(struct egraph_file *file, const char *name)
{
    uint32_t id = text_id(file, name); // may move the table
    return file->class_of.at[id];
}

static uint32_t class_of_text(struct egraph_file *file, uint32_t id)
{
    if (!file->class_of.at[id]) {
        vec_push(&file->class, ((struct file_class){id, NULL}));
        file->class_of.at[id] = file->class.len;
    }
    return file->class_of.at[id] - 1;
}

uint32_t egraph_file_class(struct egraph_file *file, const char *name)
{
    return class_of_text(file, text_id(file, name));
}

uint32_t egraph_file_node(struct egraph_file *file, const char *name, const char *op,
                          uint32_t class, double cost)
{
    uint32_t id = text_id(file, name);
    struct file_node node = {.name = id,
                             .op = text_id(file, op),
                             .class = class,
                             .child_at = file->child.len,
                             .cost = cost};
    vec_push(&file->node, node);
    file->node_of.at[id] = file->node.len;
    return file->node.len - 1;
}

void egraph_file_child(struct egraph_file *file, uint32_t node)
{
    vec_push(&file->child, node);
    vec_last(&file->node).n_children++;
}

// ---- reading

struct egraph_reader {
    struct json_scan scan;
    struct egraph_file *file;
    struct err *err;
    struct buf name;                  // of the node that is read
    const char *nodes, *roots, *data; // where these values begin, or NULL
};

// "file: WHERE "NAME": what ["DETAIL"]"
static bool bad(struct egraph_reader *reader, const char *where, const char *name, const char *what,
                const char *detail)
{
    struct buf buf = {0}, d = {0};
    utf8_printable(name, &buf);
    utf8_printable(detail ? detail : "", &d);
    err_at(reader->err, ERR_INPUT, reader->scan.file, 0, 0, "%s%s%.100s%s: %s%s%.100s%s", where,
           *name ? " \"" : "", buf_text(&buf), *name ? "\"" : "", what, detail ? " \"" : "",
           buf_text(&d), detail ? "\"" : "");
    buf_release(&buf);
    buf_release(&d);
    return false;
}

static bool bad_node(struct egraph_reader *reader, const char *what)
{
    return bad(reader, "node", buf_text(&reader->name), what, NULL);
}

// Children as texts; they become nodes when all names are known.
static bool read_children(struct egraph_reader *reader)
{
    const char *child;
    bool more;
    if (json_scan_peek(&reader->scan) != '[')
        return bad_node(reader, "children: expected a list");
    if (!json_scan_open(&reader->scan, '[', reader->err))
        return false;
    while (json_scan_more(&reader->scan, ']', &more, reader->err) && more) {
        if (json_scan_peek(&reader->scan) != '"')
            return bad_node(reader, "children: expected names of nodes");
        if (!json_scan_string(&reader->scan, &child, reader->err))
            return false;
        vec_push(&reader->file->child, text_id(reader->file, child));
    }
    return !reader->err->kind;
}

enum field { F_OP, F_CHILDREN, F_CLASS, F_COST, F_SUBSUMED, N_FIELDS };
static const char *const field_name[] = {"op", "children", "eclass", "cost", "subsumed"};

static bool read_text(struct egraph_reader *reader, enum field field, uint32_t *id)
{
    const char *text;
    if (json_scan_peek(&reader->scan) != '"')
        return bad_node(reader,
                        field == F_OP ? "op: expected a string" : "eclass: expected a string");
    if (!json_scan_string(&reader->scan, &text, reader->err))
        return false;
    *id = text_id(reader->file, text);
    return true;
}

static bool read_field(struct egraph_reader *reader, enum field field, struct file_node *node,
                       uint32_t *class)
{
    char text = json_scan_peek(&reader->scan);
    switch (field) {
    case F_OP:
        return read_text(reader, field, &node->op);
    case F_CLASS:
        return read_text(reader, field, class);
    case F_CHILDREN:
        return read_children(reader);
    case F_COST:
        if (text != '0')
            return bad_node(reader, "cost: expected a finite number");
        return json_scan_number(&reader->scan, &node->cost, reader->err);
    case F_SUBSUMED:
        if (text != 't' && text != 'f')
            return bad_node(reader, "subsumed: expected true or false");
        return json_scan_bool(&reader->scan, &node->subsumed, reader->err);
    case N_FIELDS:
        break;
    }
    return json_scan_skip(&reader->scan, reader->err);
}

static bool read_fields(struct egraph_reader *reader, struct file_node *node, uint32_t *class)
{
    unsigned seen = 0;
    bool more;
    const char *key;
    if (json_scan_peek(&reader->scan) != '{')
        return bad_node(reader, "expected an object");
    if (!json_scan_open(&reader->scan, '{', reader->err))
        return false;
    while (json_scan_more(&reader->scan, '}', &more, reader->err) && more) {
        enum field field = 0;
        if (!json_scan_key(&reader->scan, &key, reader->err))
            return false;
        while (field < N_FIELDS && strcmp(key, field_name[field]) != 0)
            field++;
        if (field < N_FIELDS && seen >> field & 1)
            return bad(reader, "node", buf_text(&reader->name), "duplicate key", key);
        seen |= 1u << field;
        if (!read_field(reader, field, node, class))
            return false;
    }
    if (!reader->err->kind && !(seen >> F_OP & 1))
        return bad_node(reader, "op: expected a string");
    if (!reader->err->kind && !(seen >> F_CLASS & 1))
        return bad_node(reader, "eclass: expected a string");
    return !reader->err->kind;
}

static bool read_node(struct egraph_reader *reader)
{
    struct egraph_file *file = reader->file;
    const char *name;
    uint32_t class = 0;
    if (!json_scan_key(&reader->scan, &name, reader->err))
        return false;
    buf_clear(&reader->name);
    buf_puts(&reader->name, name);
    struct file_node node = {.name = text_id(file, name), .cost = 1};
    node.child_at = file->child.len;
    if (file->node_of.at[node.name])
        return bad_node(reader, "duplicate name");
    if (file->node.len >= UINT32_MAX / 4 || file->child.len >= UINT32_MAX / 4)
        return bad_node(reader, "too many nodes or children");
    if (!read_fields(reader, &node, &class))
        return false;
    node.n_children = file->child.len - node.child_at;
    node.class = class_of_text(file, class);
    vec_push(&file->node, node);
    file->node_of.at[node.name] = file->node.len;
    return true;
}

static bool name_children(struct egraph_reader *reader)
{
    struct egraph_file *file = reader->file;
    for (uint32_t k = 0; k < file->node.len; k++) {
        const struct file_node *node = &file->node.at[k];
        for (uint32_t i = node->child_at; i < node->child_at + node->n_children; i++) {
            uint32_t id = file->child.at[i];
            if (!file->node_of.at[id])
                return bad(reader, "node", intern_text(&file->text, node->name),
                           "children: there is no node", intern_text(&file->text, id));
            file->child.at[i] = file->node_of.at[id] - 1;
        }
    }
    return true;
}

static bool read_nodes(struct egraph_reader *reader)
{
    bool more;
    if (!reader->nodes)
        return bad(reader, "nodes", "", "expected an object", NULL);
    reader->scan.at = reader->nodes;
    if (json_scan_peek(&reader->scan) != '{')
        return bad(reader, "nodes", "", "expected an object", NULL);
    if (!json_scan_open(&reader->scan, '{', reader->err))
        return false;
    while (json_scan_more(&reader->scan, '}', &more, reader->err) && more)
        if (!read_node(reader))
            return false;
    return !reader->err->kind && name_children(reader);
}

static bool read_roots(struct egraph_reader *reader)
{
    bool more;
    const char *name;
    if (reader->roots)
        reader->scan.at = reader->roots;
    if (!reader->roots || json_scan_peek(&reader->scan) != '[')
        return bad(reader, "root_eclasses", "", "expected a list", NULL);
    if (!json_scan_open(&reader->scan, '[', reader->err))
        return false;
    while (json_scan_more(&reader->scan, ']', &more, reader->err) && more) {
        if (json_scan_peek(&reader->scan) != '"')
            return bad(reader, "root_eclasses", "", "expected names of classes", NULL);
        if (!json_scan_string(&reader->scan, &name, reader->err))
            return false;
        uint32_t c = class_named(reader->file, name);
        if (c)
            vec_push(&reader->file->root, c - 1);
        else
            reader->file->lost_roots++;
    }
    if (reader->err->kind)
        return false;
    if (reader->file->root.len == 0)
        return bad(reader, "root_eclasses", "",
                   reader->file->lost_roots ? "no root has a node" : "there are no roots", NULL);
    return true;
}

// A value's text, without the blanks between its parts.
static const char *compact(struct egraph_reader *reader, const char *from, const char *end)
{
    char *out = arena_strndup(&reader->file->text.mem, from, (size_t)(end - from));
    char *to = out;
    bool inside = false;
    for (const char *text = from; text < end; text++) {
        if (!inside && (*text == ' ' || *text == '\n' || *text == '\r' || *text == '\t'))
            continue;
        *to++ = *text;
        if (inside && *text == '\\')
            *to++ = *++text;
        else if (*text == '"')
            inside = !inside;
    }
    *to = '\0';
    return out;
}

static bool read_data(struct egraph_reader *reader)
{
    bool more;
    const char *name;
    if (!reader->data)
        return true;
    reader->scan.at = reader->data;
    if (json_scan_peek(&reader->scan) != '{')
        return bad(reader, "class_data", "", "expected an object", NULL);
    if (!json_scan_open(&reader->scan, '{', reader->err))
        return false;
    while (json_scan_more(&reader->scan, '}', &more, reader->err) && more) {
        if (!json_scan_key(&reader->scan, &name, reader->err))
            return false;
        uint32_t c = class_named(reader->file, name);
        if (c && reader->file->class.at[c - 1].data)
            return bad(reader, "class_data", name, "duplicate name", NULL);
        (void)json_scan_peek(&reader->scan);
        const char *from = reader->scan.at;
        if (!json_scan_skip(&reader->scan, reader->err))
            return false;
        if (c)
            reader->file->class.at[c - 1].data = compact(reader, from, reader->scan.at);
        else
            reader->file->lost_data++;
    }
    return !reader->err->kind;
}

// The file may have the parts in any order; they are used in a fixed order,
// since they need each other.
static bool find_parts(struct egraph_reader *reader)
{
    bool more;
    const char *key;
    if (!json_scan_open(&reader->scan, '{', reader->err))
        return false;
    while (json_scan_more(&reader->scan, '}', &more, reader->err) && more) {
        if (!json_scan_key(&reader->scan, &key, reader->err))
            return false;
        const char **part = strcmp(key, "nodes") == 0           ? &reader->nodes
                            : strcmp(key, "root_eclasses") == 0 ? &reader->roots
                            : strcmp(key, "class_data") == 0    ? &reader->data
                                                                : NULL;
        if (part && *part)
            return json_scan_wrong(&reader->scan, "duplicate key", reader->err);
        if (part)
            *part = reader->scan.at;
        if (!json_scan_skip(&reader->scan, reader->err))
            return false;
    }
    return !reader->err->kind && json_scan_finish(&reader->scan, reader->err);
}

bool egraph_json_read(const char *text, size_t n, const char *file, struct egraph_file *f,
                      struct err *err)
{
    struct egraph_reader reader = {.file = f, .err = err};
    egraph_file_init(f);
    bool ok = json_scan_init(&reader.scan, text, n, file, err) && find_parts(&reader) &&
              read_nodes(&reader) && read_roots(&reader) && read_data(&reader);
    json_scan_release(&reader.scan);
    buf_release(&reader.name);
    if (!ok) {
        excerpt_attach(err, text, n);
        sniff_explain(text, n, TEXT_EGRAPH, err);
        egraph_file_release(f);
    }
    return ok;
}

// ---- writing

void egraph_json_string(const char *text, struct buf *out)
{
    struct buf quoted = {0};
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            buf_printf(&quoted, "\\%c", *text);
        else if ((unsigned char)*text < 0x20)
            buf_printf(&quoted, "\\u%04x", (unsigned)*text);
        else
            buf_putc(&quoted, *text);
    }
    buf_putc(out, '"');
    utf8_json(buf_text(&quoted), out);
    buf_putc(out, '"');
    buf_release(&quoted);
}

static void put_text(const struct egraph_file *file, uint32_t id, struct buf *out)
{
    egraph_json_string(intern_text(&file->text, id), out);
}

static void put_node(const struct egraph_file *file, const struct file_node *node,
                     const uint32_t *chosen, struct buf *out)
{
    put_text(file, node->name, out);
    buf_puts(out, ": {\"op\": ");
    put_text(file, node->op, out);
    buf_puts(out, ", \"children\": [");
    for (uint32_t i = 0; i < node->n_children; i++) {
        uint32_t k = file->child.at[node->child_at + i];
        buf_puts(out, i ? ", " : "");
        k = chosen ? chosen[file->node.at[k].class] : k;
        put_text(file, file->node.at[k].name, out);
    }
    buf_puts(out, "], \"eclass\": ");
    put_text(file, file->class.at[node->class].name, out);
    buf_puts(out, ", \"cost\": ");
    buf_double(out, node->cost);
    buf_printf(out, "%s}", node->subsumed ? ", \"subsumed\": true" : "");
}

void egraph_json_write(const struct egraph_file *file, const uint32_t *chosen, struct buf *out)
{
    const char *sep = "\n  ";
    buf_puts(out, "{\"nodes\": {");
    for (uint32_t i = 0; i < file->node.len; i++) {
        const struct file_node *node = &file->node.at[i];
        if (chosen && chosen[node->class] != i)
            continue;
        buf_puts(out, sep);
        put_node(file, node, chosen, out);
        sep = ",\n  ";
    }
    buf_puts(out, "},\n \"root_eclasses\": [");
    for (uint32_t i = 0; i < file->root.len; i++) {
        buf_puts(out, i ? ", " : "");
        put_text(file, file->class.at[file->root.at[i]].name, out);
    }
    buf_puts(out, "],\n \"class_data\": {");
    sep = "\n  ";
    for (uint32_t c = 0; c < file->class.len; c++) {
        if (!file->class.at[c].data || (chosen && chosen[c] == NO_FILE_NODE))
            continue;
        buf_puts(out, sep);
        put_text(file, file->class.at[c].name, out);
        buf_printf(out, ": %s", file->class.at[c].data);
        sep = ",\n  ";
    }
    buf_puts(out, "}}\n");
}
