// SPDX-License-Identifier: Apache-2.0
#include "io/egraph/dot.h"

#include "base/text/utf8.h"

enum { MAX_LABEL = 60 }; // bytes of a text before it is cut

struct dot_picture {
    const struct egraph_file *f;
    const uint32_t *chosen;
    uint32_t most, shown;
    struct u32_vec order;   // classes as they are reached
    bool *seen;             // per class
    uint32_t *first;        // per class: its first shown node + 1
    bool *show;             // per node
    struct u32_vec at, own; // the nodes of class c: own[at[c] .. at[c + 1] - 1]
    struct buf *out;
};

static bool is_chosen(const struct dot_picture *d, uint32_t node)
{
    return d->chosen && d->chosen[d->f->node.at[node].class] == node;
}

static void sort_nodes(struct dot_picture *d)
{
    const struct egraph_file *f = d->f;
    for (uint32_t c = 0; c <= f->class.len; c++)
        vec_push(&d->at, 0);
    vec_reserve(&d->own, f->node.len + 1);
    d->own.len = f->node.len;
    for (uint32_t n = 0; n < f->node.len; n++)
        d->at.at[f->node.at[n].class]++;
    for (uint32_t c = 1; c <= f->class.len; c++)
        d->at.at[c] += d->at.at[c - 1]; // ends, moved to starts
    for (uint32_t n = f->node.len; n-- > 0;)
        d->own.at[--d->at.at[f->node.at[n].class]] = n;
}

static void reach(struct dot_picture *d, uint32_t c)
{
    if (!d->seen[c])
        vec_push(&d->order, c);
    d->seen[c] = true;
}

static void reach_children(struct dot_picture *d, uint32_t n)
{
    const struct file_node *x = &d->f->node.at[n];
    for (uint32_t i = 0; i < x->n_children; i++)
        reach(d, d->f->node.at[d->f->child.at[x->child_at + i]].class);
}

static void show(struct dot_picture *d, uint32_t n)
{
    uint32_t c = d->f->node.at[n].class;
    if (d->show[n] || d->shown == d->most)
        return;
    d->show[n] = true;
    d->shown++;
    if (!d->first[c])
        d->first[c] = n + 1;
}

// What is chosen from the roots on, then all nodes of these classes and of the
// classes they need, until the picture is full.
static void select_nodes(struct dot_picture *d)
{
    for (uint32_t i = 0; i < d->f->root.len; i++)
        reach(d, d->f->root.at[i]);
    for (uint32_t k = 0; d->chosen && k < d->order.len; k++) {
        uint32_t n = d->chosen[d->order.at[k]];
        if (n == NO_FILE_NODE)
            continue;
        show(d, n);
        reach_children(d, n);
    }
    for (uint32_t k = 0; k < d->order.len && d->shown < d->most; k++) {
        uint32_t c = d->order.at[k];
        for (uint32_t i = d->at.at[c]; i < d->at.at[c + 1]; i++) {
            show(d, d->own.at[i]);
            reach_children(d, d->own.at[i]);
        }
    }
    // What no root reaches comes last.
    for (uint32_t n = 0; n < d->f->node.len; n++)
        show(d, n);
}

static void put_label(struct dot_picture *d, const char *text)
{
    struct buf b = {0};
    utf8_printable(text, &b);
    size_t n = b.len;
    const char *s = buf_text(&b);
    if (n > MAX_LABEL)
        for (n = MAX_LABEL; n > 0 && ((unsigned char)s[n] >> 6) == 2; n--)
            ;
    for (size_t i = 0; i < n; i++) {
        if (s[i] == '"' || s[i] == '\\')
            buf_putc(d->out, '\\');
        buf_putc(d->out, s[i]);
    }
    if (n < b.len)
        buf_puts(d->out, "...");
    buf_release(&b);
}

static void put_node(struct dot_picture *d, uint32_t n)
{
    const struct file_node *x = &d->f->node.at[n];
    buf_printf(d->out, "    n%u [label=\"", n);
    put_label(d, intern_text(&d->f->text, x->op));
    buf_puts(d->out, "\\n");
    buf_double(d->out, x->cost);
    buf_printf(d->out, "\"%s%s];\n",
               is_chosen(d, n) ? ", style=filled, fillcolor=palegreen" : "",
               x->subsumed ? ", fontcolor=gray" : "");
}

static void put_class(struct dot_picture *d, uint32_t c)
{
    bool root = false;
    for (uint32_t i = 0; i < d->f->root.len; i++)
        root |= d->f->root.at[i] == c;
    buf_printf(d->out, "  subgraph cluster_%u {\n    label=\"", c);
    put_label(d, intern_text(&d->f->text, d->f->class.at[c].name));
    uint32_t hidden = 0;
    for (uint32_t i = d->at.at[c]; i < d->at.at[c + 1]; i++)
        hidden += !d->show[d->own.at[i]];
    if (hidden)
        buf_printf(d->out, " (%u more)", hidden);
    buf_printf(d->out, "\"; style=\"%s\";\n",
               root ? "rounded,bold" : "rounded,dashed");
    for (uint32_t i = d->at.at[c]; i < d->at.at[c + 1]; i++)
        if (d->show[d->own.at[i]])
            put_node(d, d->own.at[i]);
    buf_puts(d->out, "  }\n");
}

static void put_edges(struct dot_picture *d, uint32_t n)
{
    const struct file_node *x = &d->f->node.at[n];
    for (uint32_t i = 0; i < x->n_children; i++) {
        uint32_t c = d->f->node.at[d->f->child.at[x->child_at + i]].class;
        if (!d->first[c]) {
            buf_printf(d->out, "  n%u -> more [style=dotted];\n", n);
            continue;
        }
        uint32_t to =
            d->chosen && d->chosen[c] != NO_FILE_NODE && d->show[d->chosen[c]]
                ? d->chosen[c]
                : d->first[c] - 1;
        buf_printf(d->out, "  n%u -> n%u [", n, to);
        if (x->n_children > 1) // dot's own order of edges crashes on clusters
            buf_printf(d->out, "taillabel=%u, ", i + 1);
        if (c != x->class) // dot cannot end an edge at a cluster it starts in
            buf_printf(d->out, "lhead=cluster_%u, ", c);
        buf_printf(d->out, "color=%s];\n",
                   is_chosen(d, n) ? "darkgreen, penwidth=2" : "gray40");
    }
}

static void put_picture(struct dot_picture *d, struct dot_cut *cut)
{
    const struct egraph_file *f = d->f;
    buf_puts(d->out, "digraph egraph {\n"
                     "  compound=true; rankdir=TB;\n"
                     "  node [shape=box, fontname=\"Helvetica\", "
                     "fontsize=10];\n"
                     "  graph [fontname=\"Helvetica\", fontsize=9];\n"
                     "  edge [fontname=\"Helvetica\", fontsize=7];\n");
    *cut = (struct dot_cut){f->node.len - d->shown, 0};
    for (uint32_t c = 0; c < f->class.len; c++) {
        if (d->first[c])
            put_class(d, c);
        else
            cut->classes++;
    }
    if (cut->nodes)
        buf_printf(d->out,
                   "  more [shape=note, label=\"... %u more nodes; nothing is "
                   "shown of %u classes\"];\n",
                   cut->nodes, cut->classes);
    for (uint32_t n = 0; n < f->node.len; n++)
        if (d->show[n])
            put_edges(d, n);
    buf_puts(d->out, "}\n");
}

void egraph_dot_write(const struct egraph_file *f, const uint32_t *chosen,
                      uint32_t most, struct buf *out, struct dot_cut *cut)
{
    struct dot_picture d = {.f = f, .chosen = chosen, .most = most, .out = out};
    d.seen = mem_alloc((size_t)f->class.len + 1);
    d.first = mem_alloc(sizeof *d.first * ((size_t)f->class.len + 1));
    d.show = mem_alloc((size_t)f->node.len + 1);
    sort_nodes(&d);
    select_nodes(&d);
    put_picture(&d, cut);
    mem_free(d.seen);
    mem_free(d.first);
    mem_free(d.show);
    vec_release(&d.order);
    vec_release(&d.at);
    vec_release(&d.own);
}
