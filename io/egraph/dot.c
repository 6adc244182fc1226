// SPDX-License-Identifier: Apache-2.0
#include "io/egraph/dot.h"

#include "base/text/utf8.h"
#include "io/limits.h"

struct dot_picture {
    const struct egraph_file *file;
    const uint32_t *chosen;
    uint32_t most, shown;
    struct u32_vec order;   // classes as they are reached
    bool *seen;             // per class
    uint32_t *first;        // per class: its first shown node + 1
    bool *show;             // per node
    struct u32_vec at, own; // the nodes of class c: own[at[c] .. at[c + 1] - 1]
    struct buf *out;
};

static bool is_chosen(const struct dot_picture *dot_picture, uint32_t node)
{
    return dot_picture->chosen &&
           dot_picture->chosen[dot_picture->file->node.at[node].class] == node;
}

static void sort_nodes(struct dot_picture *dot_picture)
{
    const struct egraph_file *file = dot_picture->file;
    for (uint32_t c = 0; c <= file->class.len; c++)
        vec_push(&dot_picture->at, 0);
    vec_reserve(&dot_picture->own, file->node.len + 1);
    dot_picture->own.len = file->node.len;
    for (uint32_t n = 0; n < file->node.len; n++)
        dot_picture->at.at[file->node.at[n].class]++;
    for (uint32_t c = 1; c <= file->class.len; c++)
        dot_picture->at.at[c] += dot_picture->at.at[c - 1]; // ends, moved to starts
    for (uint32_t n = file->node.len; n-- > 0;)
        dot_picture->own.at[--dot_picture->at.at[file->node.at[n].class]] = n;
}

static void reach(struct dot_picture *dot_picture, uint32_t c)
{
    if (!dot_picture->seen[c])
        vec_push(&dot_picture->order, c);
    dot_picture->seen[c] = true;
}

static void reach_children(struct dot_picture *dot_picture, uint32_t n)
{
    const struct file_node *node = &dot_picture->file->node.at[n];
    for (uint32_t i = 0; i < node->n_children; i++)
        reach(dot_picture,
              dot_picture->file->node.at[dot_picture->file->child.at[node->child_at + i]].class);
}

static void show(struct dot_picture *dot_picture, uint32_t n)
{
    uint32_t c = dot_picture->file->node.at[n].class;
    if (dot_picture->show[n] || dot_picture->shown == dot_picture->most)
        return;
    dot_picture->show[n] = true;
    dot_picture->shown++;
    if (!dot_picture->first[c])
        dot_picture->first[c] = n + 1;
}

// Shows the chosen nodes from the roots on, then all nodes of these classes and
// of the classes they need, until the picture is full.
static void select_nodes(struct dot_picture *dot_picture)
{
    for (uint32_t i = 0; i < dot_picture->file->root.len; i++)
        reach(dot_picture, dot_picture->file->root.at[i]);
    for (uint32_t k = 0; dot_picture->chosen && k < dot_picture->order.len; k++) {
        uint32_t n = dot_picture->chosen[dot_picture->order.at[k]];
        if (n == NO_FILE_NODE)
            continue;
        show(dot_picture, n);
        reach_children(dot_picture, n);
    }
    for (uint32_t k = 0; k < dot_picture->order.len && dot_picture->shown < dot_picture->most;
         k++) {
        uint32_t c = dot_picture->order.at[k];
        for (uint32_t i = dot_picture->at.at[c]; i < dot_picture->at.at[c + 1]; i++) {
            show(dot_picture, dot_picture->own.at[i]);
            reach_children(dot_picture, dot_picture->own.at[i]);
        }
    }
    // Nodes that no root reaches come last.
    for (uint32_t n = 0; n < dot_picture->file->node.len; n++)
        show(dot_picture, n);
}

// Classes with a node that needs the class.
static void reach_parents(struct dot_picture *dot_picture, uint32_t c)
{
    const struct egraph_file *file = dot_picture->file;
    for (uint32_t n = 0; n < file->node.len; n++)
        for (uint32_t i = 0; i < file->node.at[n].n_children; i++)
            if (file->node.at[file->child.at[file->node.at[n].child_at + i]].class == c)
                reach(dot_picture, file->node.at[n].class);
}

static void select_around(struct dot_picture *dot_picture, uint32_t around)
{
    reach(dot_picture, around);
    for (uint32_t k = 0; k < dot_picture->order.len && dot_picture->shown < dot_picture->most;
         k++) {
        uint32_t c = dot_picture->order.at[k];
        for (uint32_t i = dot_picture->at.at[c]; i < dot_picture->at.at[c + 1]; i++) {
            show(dot_picture, dot_picture->own.at[i]);
            reach_children(dot_picture, dot_picture->own.at[i]);
        }
        reach_parents(dot_picture, c);
    }
}

static void put_label(struct dot_picture *dot_picture, const char *text)
{
    struct buf buf = {0};
    utf8_printable(text, &buf);
    size_t n = buf.len;
    const char *string = buf_text(&buf);
    if (n > IO_LABEL)
        for (n = IO_LABEL; n > 0 && ((unsigned char)string[n] >> 6) == 2; n--)
            ;
    for (size_t i = 0; i < n; i++) {
        if (string[i] == '"' || string[i] == '\\')
            buf_putc(dot_picture->out, '\\');
        buf_putc(dot_picture->out, string[i]);
    }
    if (n < buf.len)
        buf_puts(dot_picture->out, "...");
    buf_release(&buf);
}

static void put_node(struct dot_picture *dot_picture, uint32_t n)
{
    const struct file_node *node = &dot_picture->file->node.at[n];
    buf_printf(dot_picture->out, "    n%u [label=\"", n);
    put_label(dot_picture, intern_text(&dot_picture->file->text, node->op));
    buf_puts(dot_picture->out, "\\n");
    buf_double(dot_picture->out, node->cost);
    buf_printf(dot_picture->out, "\"%s%s];\n",
               is_chosen(dot_picture, n) ? ", style=filled, fillcolor=palegreen" : "",
               node->subsumed ? ", fontcolor=gray" : "");
}

static void put_class(struct dot_picture *dot_picture, uint32_t c)
{
    bool root = false;
    for (uint32_t i = 0; i < dot_picture->file->root.len; i++)
        root |= dot_picture->file->root.at[i] == c;
    buf_printf(dot_picture->out, "  subgraph cluster_%u {\n    label=\"", c);
    put_label(dot_picture,
              intern_text(&dot_picture->file->text, dot_picture->file->class.at[c].name));
    uint32_t hidden = 0;
    for (uint32_t i = dot_picture->at.at[c]; i < dot_picture->at.at[c + 1]; i++)
        hidden += !dot_picture->show[dot_picture->own.at[i]];
    if (hidden)
        buf_printf(dot_picture->out, " (%u more)", hidden);
    buf_printf(dot_picture->out, "\"; style=\"%s\";\n", root ? "rounded,bold" : "rounded,dashed");
    for (uint32_t i = dot_picture->at.at[c]; i < dot_picture->at.at[c + 1]; i++)
        if (dot_picture->show[dot_picture->own.at[i]])
            put_node(dot_picture, dot_picture->own.at[i]);
    buf_puts(dot_picture->out, "  }\n");
}

static void put_edges(struct dot_picture *dot_picture, uint32_t n)
{
    const struct file_node *node = &dot_picture->file->node.at[n];
    for (uint32_t i = 0; i < node->n_children; i++) {
        uint32_t c =
            dot_picture->file->node.at[dot_picture->file->child.at[node->child_at + i]].class;
        if (!dot_picture->first[c]) {
            buf_printf(dot_picture->out, "  n%u -> more [style=dotted];\n", n);
            continue;
        }
        uint32_t to = dot_picture->chosen && dot_picture->chosen[c] != NO_FILE_NODE &&
                              dot_picture->show[dot_picture->chosen[c]]
                          ? dot_picture->chosen[c]
                          : dot_picture->first[c] - 1;
        buf_printf(dot_picture->out, "  n%u -> n%u [", n, to);
        if (node->n_children > 1) // dot's own order of edges crashes on clusters
            buf_printf(dot_picture->out, "taillabel=%u, ", i + 1);
        if (c != node->class) // dot cannot end an edge at a cluster it starts in
            buf_printf(dot_picture->out, "lhead=cluster_%u, ", c);
        buf_printf(dot_picture->out, "color=%s];\n",
                   is_chosen(dot_picture, n) ? "darkgreen, penwidth=2" : "gray40");
    }
}

static void put_picture(struct dot_picture *dot_picture, struct dot_cut *cut)
{
    const struct egraph_file *file = dot_picture->file;
    buf_puts(dot_picture->out, "digraph egraph {\n"
                               "  compound=true; rankdir=TB;\n"
                               "  node [shape=box, fontname=\"Helvetica\", "
                               "fontsize=10];\n"
                               "  graph [fontname=\"Helvetica\", fontsize=9];\n"
                               "  edge [fontname=\"Helvetica\", fontsize=7];\n");
    *cut = (struct dot_cut){file->node.len - dot_picture->shown, 0};
    for (uint32_t c = 0; c < file->class.len; c++) {
        if (dot_picture->first[c])
            put_class(dot_picture, c);
        else
            cut->classes++;
    }
    if (cut->nodes)
        buf_printf(dot_picture->out,
                   "  more [shape=note, label=\"... %u more nodes; nothing is "
                   "shown of %u classes\"];\n",
                   cut->nodes, cut->classes);
    for (uint32_t n = 0; n < file->node.len; n++)
        if (dot_picture->show[n])
            put_edges(dot_picture, n);
    buf_puts(dot_picture->out, "}\n");
}

void egraph_dot_write(const struct egraph_file *file, const uint32_t *chosen, uint32_t around,
                      uint32_t most, struct buf *out, struct dot_cut *cut)
{
    struct dot_picture dot_picture = {.file = file, .chosen = chosen, .most = most, .out = out};
    dot_picture.seen = mem_alloc((size_t)file->class.len + 1);
    dot_picture.first = mem_alloc(sizeof *dot_picture.first * ((size_t)file->class.len + 1));
    dot_picture.show = mem_alloc((size_t)file->node.len + 1);
    sort_nodes(&dot_picture);
    if (around < file->class.len)
        select_around(&dot_picture, around);
    else
        select_nodes(&dot_picture);
    put_picture(&dot_picture, cut);
    mem_free(dot_picture.seen);
    mem_free(dot_picture.first);
    mem_free(dot_picture.show);
    vec_release(&dot_picture.order);
    vec_release(&dot_picture.at);
    vec_release(&dot_picture.own);
}
