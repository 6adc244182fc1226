// SPDX-License-Identifier: Apache-2.0
#include "discover/sketch/text.h"
#include "rules/domain.h"
#include <stdio.h>
#include <string.h>

static const char class_name[] = "xyzw";

// The letter of a slot; sizes are n.
static char slot_letter(const struct sketch_node *p, unsigned k)
{
    return p->kind == SKETCH_SLICE ? "sep"[k]
           : p->kind == SKETCH_PAD ? "lhi"[k]
                                   : 'm';
}

// The first maps of a role have one letter, later ones are numbered.
static void name_of(char letter, unsigned seen[128], char out[8])
{
    static const char second[] = "tfqgjk"; // of s e p l h i
    static const char first[] = "seplhi";
    const char *at = strchr(first, letter);
    unsigned k = seen[(unsigned char)letter]++ % 100;
    if (k == 0)
        (void)snprintf(out, 8, "%c", letter);
    else if (k == 1 && at != NULL)
        (void)snprintf(out, 8, "%c", second[at - first]);
    else
        (void)snprintf(out, 8, "%c%u", letter, k);
}

struct names {
    char size[SKETCH_TENSORS * SKETCH_CLASSES][8]; // by root; "" elsewhere
    char slot[SKETCH_SLOTS][8];                    // of free slots
    char spectator[8];
    struct sketch_sizes z;
};

static unsigned slot_class(const struct sketch_node *p, unsigned k)
{
    unsigned per = sketch_node_slots(p), nth = k / per;
    for (unsigned c = 0; c < SKETCH_CLASSES; c++)
        if (p->acts >> c & 1 && nth-- == 0)
            return c;
    return 0;
}

static void make_names(const struct sketch *s, struct names *n)
{
    unsigned seen[128] = {0};
    memset(n, 0, sizeof *n);
    sketch_unify(s, &n->z);
    for (unsigned t = 0; t < s->n_tensors; t++)
        for (unsigned c = 0; c < SKETCH_CLASSES; c++) {
            uint8_t r = n->z.tensor[t][c];
            if (s->shape[t] >> c & 1 && n->size[r][0] == 0)
                name_of('n', seen, n->size[r]);
        }
    for (unsigned i = 0; i < s->n; i++) {
        const struct sketch_node *p = &s->node[i];
        unsigned per = sketch_node_slots(p);
        unsigned total = per * (unsigned)__builtin_popcount(p->acts);
        for (unsigned k = 0; k < total; k++) {
            unsigned slot = p->slot + k;
            uint8_t r = n->z.slot[slot];
            if (r == 255 || r == 64 + slot)
                name_of(slot_letter(p, k % per), seen, n->slot[slot]);
        }
    }
    name_of('n', seen, n->spectator);
}

// The name of a slot of the left side.
static const char *left_slot(const struct names *n, unsigned slot)
{
    uint8_t r = n->z.slot[slot];
    return r < 64 ? n->size[r] : r == 255 ? n->slot[slot] : n->slot[r - 64];
}

void known_on(const struct sketch *lhs, unsigned cls, struct known_names *k)
{
    struct names n;
    bool used[16] = {false};
    make_names(lhs, &n);
    k->n = 0;
    for (unsigned t = 0; t < lhs->n_tensors; t++) {
        uint8_t r = n.z.tensor[t][cls];
        if (!(lhs->shape[t] >> cls & 1) || used[r])
            continue;
        used[r] = true;
        k->at[k->n].size = true;
        k->at[k->n].which = r;
        memcpy(k->at[k->n++].name, n.size[r], 8);
    }
    for (unsigned i = 0; i < lhs->n; i++) {
        const struct sketch_node *p = &lhs->node[i];
        unsigned per = sketch_node_slots(p);
        unsigned total = per * (unsigned)__builtin_popcount(p->acts);
        for (unsigned q = 0; q < total; q++) {
            unsigned slot = p->slot + q;
            if (slot_class(p, q) != cls || n.slot[slot][0] == 0)
                continue;
            k->at[k->n].size = false;
            k->at[k->n].which = (uint8_t)slot;
            memcpy(k->at[k->n++].name, n.slot[slot], 8);
        }
    }
}

// The slots of a node on the class.
static unsigned slots_at(const struct sketch_node *p, unsigned cls)
{
    unsigned before = (unsigned)__builtin_popcount(p->acts & ((1u << cls) - 1));
    return p->slot + before * sketch_node_slots(p);
}

static void size_text(const struct sketch *s, const struct names *n,
                      unsigned node, unsigned cls, struct buf *out)
{
    const struct sketch_node *p = &s->node[node];
    bool acts = p->acts >> cls & 1;
    unsigned slot = slots_at(p, cls);
    if (p->kind == SKETCH_TENSOR) {
        buf_puts(out, n->size[n->z.tensor[p->what][cls]]);
    } else if (p->kind == SKETCH_SLICE && acts) {
        if (p->pin)
            buf_printf(out, "(%s - %s)", left_slot(n, slot + 1),
                       left_slot(n, slot));
        else
            buf_printf(out, "ceildiv(%s - %s, %s)", left_slot(n, slot + 1),
                       left_slot(n, slot), left_slot(n, slot + 2));
    } else if (p->kind == SKETCH_PAD && acts) {
        buf_putc(out, '(');
        size_text(s, n, p->arg[0], cls, out);
        buf_printf(out, " + %s + %s", left_slot(n, slot),
                   left_slot(n, slot + 1));
        if (!p->pin) {
            buf_puts(out, " + max(0, ");
            size_text(s, n, p->arg[0], cls, out);
            buf_printf(out, " - 1) * %s", left_slot(n, slot + 2));
        }
        buf_putc(out, ')');
    } else if ((p->kind == SKETCH_SPLAT || p->kind == SKETCH_BROADCAST) &&
               acts) {
        buf_puts(out, left_slot(n, slot));
    } else if ((p->kind == SKETCH_CONCAT || p->kind == SKETCH_CONCAT3) &&
               acts) {
        for (unsigned k = 0; k < sketch_arity(p->kind); k++) {
            buf_puts(out, k ? " + " : "(");
            size_text(s, n, p->arg[k], cls, out);
        }
        buf_putc(out, ')');
    } else if (p->kind == SKETCH_RELABEL) {
        size_text(s, n, p->arg[0], cls < 2 ? 1 - cls : cls, out);
    } else {
        unsigned arg = p->arg[0];
        if (p->kind == SKETCH_BINARY && !(s->node[arg].classes >> cls & 1))
            arg = p->arg[1];
        size_text(s, n, arg, cls, out);
    }
}

uint32_t computed_on(const struct sketch *lhs, unsigned cls, uint32_t most,
                     struct computed *out)
{
    struct names n;
    uint32_t len = 0;
    make_names(lhs, &n);
    for (unsigned i = 0; i < lhs->n; i++) {
        const struct sketch_node *p = &lhs->node[i];
        if (!(p->acts >> cls & 1) ||
            (p->kind != SKETCH_SLICE && p->kind != SKETCH_PAD))
            continue;
        struct buf b = {0};
        size_text(lhs, &n, i, cls, &b);
        // Of a padding alone it is no more than its attributes.
        bool root = p->kind == SKETCH_PAD && i + 1u == lhs->n;
        if (!root && len < most && b.len < sizeof out->text) {
            out[len] = (struct computed){.node = (uint8_t)i};
            memcpy(out[len++].text, buf_text(&b), b.len + 1);
        }
        buf_release(&b);
        unsigned slot = slots_at(p, cls) + 2;
        if (p->kind == SKETCH_PAD && !p->pin && len < most) {
            out[len] = (struct computed){
                .node = (uint8_t)i, .distance = true, .slot = (uint8_t)slot};
            (void)snprintf(out[len++].text, sizeof out->text, "(%s + 1)",
                           left_slot(&n, slot));
        }
    }
    for (unsigned i = 0; i < lhs->n; i++) {
        const struct sketch_node *p = &lhs->node[i];
        unsigned slot = p->acts >> cls & 1 ? slots_at(p, cls) + 2 : 0;
        // Where a slice with strides ends in earnest: behind the last element
        // that it takes.
        if (p->kind == SKETCH_SLICE && !p->pin && (p->acts >> cls & 1) &&
            len < most) {
            const char *s = left_slot(&n, slot - 2);
            const char *e = left_slot(&n, slot - 1);
            const char *q = left_slot(&n, slot);
            int k =
                snprintf(out[len].text, sizeof out->text,
                         "max(%s, %s + (ceildiv(%s - %s, %s) - 1) * %s + 1)", s,
                         s, e, s, q, q);
            out[len].node = (uint8_t)i;
            out[len].distance = false;
            out[len].end = true;
            out[len].slot = (uint8_t)slot;
            len += k > 0 && (size_t)k < sizeof out->text;
        }
    }
    return len;
}

uint32_t slots_on(const struct sketch *s, unsigned cls,
                  uint8_t slot[SKETCH_SLOTS])
{
    uint32_t n = 0;
    for (unsigned i = 0; i < s->n; i++) {
        const struct sketch_node *p = &s->node[i];
        unsigned per = sketch_node_slots(p);
        unsigned total = per * (unsigned)__builtin_popcount(p->acts);
        for (unsigned q = 0; q < total; q++)
            if (slot_class(p, q) == cls)
                slot[n++] = (uint8_t)(p->slot + q);
    }
    return n;
}

// ---- patterns

struct sketch_printer {
    const struct rule_sketch *r;
    const struct sketch *s;
    const struct names *n;
    bool right;
    struct buf *out;
};

static const char *slot_text(const struct sketch_printer *w, unsigned slot)
{
    return w->right ? w->r->slot[slot] : left_slot(w->n, slot);
}

static const char *op_name(const struct sketch_printer *w, unsigned what)
{
    static const char *const symbol[] = {"+", "*", "max"};
    static const char *const var[] = {"f", "g", "h"};
    return w->r->general == GENERAL_NOT ? symbol[what] : var[what];
}

static void print_classes(unsigned mask, struct buf *out)
{
    const char *sep = "";
    buf_putc(out, '{');
    for (unsigned c = 0; c < SKETCH_CLASSES; c++)
        if (mask >> c & 1) {
            buf_printf(out, "%s%c", sep, class_name[c]);
            sep = ", ";
        }
    buf_putc(out, '}');
}

// `name={x: .., y: ..}` of the k-th slot of each class.
static void print_attr(const struct sketch_printer *w, const struct sketch_node *p,
                       const char *name, unsigned k, const char *pinned)
{
    unsigned per = sketch_node_slots(p), nth = 0;
    const char *sep = "";
    buf_printf(w->out, ", %s={", name);
    for (unsigned c = 0; c < SKETCH_CLASSES; c++) {
        if (!(p->acts >> c & 1))
            continue;
        buf_printf(w->out, "%s%c: %s", sep, class_name[c],
                   k < per ? slot_text(w, p->slot + nth * per + k) : pinned);
        sep = ", ";
        nth++;
    }
    buf_putc(w->out, '}');
}

static void print_sizes(const struct sketch_printer *w, const struct sketch_node *p)
{
    unsigned nth = 0;
    const char *sep = "";
    buf_puts(w->out, ", {");
    for (unsigned c = 0; c < SKETCH_CLASSES; c++)
        if (p->acts >> c & 1) {
            buf_printf(w->out, "%s%c: %s", sep, class_name[c],
                       slot_text(w, p->slot + nth++));
            sep = ", ";
        }
    if (p->kind == SKETCH_SPLAT && w->r->spectator)
        buf_printf(w->out, "%sw: %s", sep, w->n->spectator);
    buf_putc(w->out, '}');
}

static void print_pattern(const struct sketch_printer *w, unsigned i, bool inner)
{
    static const char *const literal[] = {"0", "1", "lowest"};
    const struct sketch_node *p = &w->s->node[i];
    struct buf *out = w->out;
    switch (p->kind) {
    case SKETCH_TENSOR:
        buf_putc(out, (char)('A' + p->what));
        return;
    case SKETCH_SCALAR:
        buf_putc(out, "vcd"[p->what]);
        return;
    case SKETCH_LITERAL:
        buf_puts(out, literal[p->what]);
        return;
    case SKETCH_BINARY:
        if (w->r->general == GENERAL_NOT && p->what != BINARY_MAX) {
            buf_puts(out, inner ? "(" : "");
            print_pattern(w, p->arg[0], true);
            buf_printf(out, " %s ", op_name(w, p->what));
            print_pattern(w, p->arg[1], true);
            buf_puts(out, inner ? ")" : "");
            return;
        }
        buf_printf(out, "%s(", op_name(w, p->what));
        print_pattern(w, p->arg[0], false);
        buf_puts(out, ", ");
        print_pattern(w, p->arg[1], false);
        buf_putc(out, ')');
        return;
    case SKETCH_REDUCE:
        buf_printf(out, "reduce(%s, ", op_name(w, p->what));
        print_pattern(w, p->arg[0], false);
        buf_puts(out, ", ");
        print_classes(p->acts, out);
        buf_putc(out, ')');
        return;
    default:
        break;
    }
    static const char *const name[] = {[SKETCH_SPLAT] = "broadcast",
                                       [SKETCH_SLICE] = "slice",
                                       [SKETCH_PAD] = "pad",
                                       [SKETCH_CONCAT] = "concat",
                                       [SKETCH_CONCAT3] = "concat",
                                       [SKETCH_REVERSE] = "reverse",
                                       [SKETCH_BROADCAST] = "broadcast",
                                       [SKETCH_RELABEL] = "relabel"};
    buf_printf(out, "%s(", name[p->kind]);
    for (unsigned k = 0; k < sketch_arity(p->kind); k++) {
        buf_puts(out, k ? ", " : "");
        print_pattern(w, p->arg[k], false);
    }
    if (p->kind == SKETCH_SLICE) {
        print_attr(w, p, "start", 0, "");
        print_attr(w, p, "limit", 1, "");
        print_attr(w, p, "stride", 2, "1");
    } else if (p->kind == SKETCH_PAD) {
        print_attr(w, p, "low", 0, "");
        print_attr(w, p, "high", 1, "");
        print_attr(w, p, "interior", 2, "0");
    } else if (p->kind == SKETCH_CONCAT || p->kind == SKETCH_CONCAT3) {
        buf_printf(out, ", axis=%c", class_name[__builtin_ctz(p->acts)]);
    } else if (p->kind == SKETCH_REVERSE) {
        buf_puts(out, ", ");
        print_classes(p->acts, out);
    } else if (p->kind == SKETCH_RELABEL) {
        unsigned from = w->s->node[p->arg[0]].classes & 3;
        buf_puts(out, from == 3   ? ", {x <-> y}"
                      : from == 1 ? ", {x -> y}"
                                  : ", {y -> x}");
    } else {
        print_sizes(w, p);
    }
    buf_putc(out, ')');
}

// ---- declarations

static void print_class_decls(const struct rule_sketch *r, unsigned classes,
                              struct buf *out)
{
    bool relabels = r->lhs.relabels || r->rhs.relabels;
    for (unsigned c = 0; c < SKETCH_CLASSES; c++) {
        if (!(classes >> c & 1))
            continue;
        const char *least = r->form[c] == CLASS_NOT_EMPTY ? " rank >= 1" : "";
        if (c == 1 && relabels && (classes & 1))
            buf_printf(out, "  %s y like x;\n",
                       r->form[0] == CLASS_AXIS ? "axis" : "axes");
        else if (r->form[c] == CLASS_AXIS)
            buf_printf(out, "  axis %c;\n", class_name[c]);
        else
            buf_printf(out, "  axes %c%s;\n", class_name[c], least);
    }
    if (r->spectator)
        buf_puts(out, "  axes w;\n");
}

static void print_maps(const struct rule_sketch *r, const struct names *n,
                       unsigned classes, struct buf *out)
{
    for (unsigned c = 0; c < SKETCH_CLASSES; c++) {
        struct known_names k;
        if (!(classes >> c & 1))
            continue;
        known_on(&r->lhs, c, &k);
        for (uint32_t i = 0; i < k.n; i++)
            buf_printf(out, "%s%s", i ? ", " : "  map ", k.at[i].name);
        if (k.n > 0)
            buf_printf(out, " on %c;\n", class_name[c]);
    }
    if (r->spectator)
        buf_printf(out, "  map %s on w;\n", n->spectator);
}

static void print_tensors(const struct rule_sketch *r, const struct names *n,
                          struct buf *out)
{
    for (unsigned t = 0; t < r->lhs.n_tensors; t++) {
        const char *sep = "";
        buf_printf(out, "  tensor %c[", 'A' + (int)t);
        for (unsigned c = 0; c < SKETCH_CLASSES; c++)
            if (r->lhs.shape[t] >> c & 1) {
                buf_printf(out, "%s%c: %s", sep, class_name[c],
                           n->size[n->z.tensor[t][c]]);
                sep = ", ";
            }
        if (r->spectator)
            buf_printf(out, "%sw: %s", sep, n->spectator);
        buf_puts(out, "] : T;\n");
    }
    for (unsigned v = 0; v < r->lhs.n_scalars; v++)
        buf_printf(out, "  scalar %c : T;\n", "vcd"[v]);
}

static void print_ops(const struct rule_sketch *r, struct buf *out)
{
    unsigned used = 0;
    const struct sketch *side[] = {&r->lhs, &r->rhs};
    for (unsigned k = 0; k < 2; k++)
        for (unsigned i = 0; i < side[k]->n; i++)
            if (side[k]->node[i].kind == SKETCH_BINARY ||
                side[k]->node[i].kind == SKETCH_REDUCE)
                used |= 1u << side[k]->node[i].what;
    for (unsigned b = 0; b < N_BINARY && r->general != GENERAL_NOT; b++)
        if (used >> b & 1)
            buf_printf(out, "  op %c : %s;\n", "fgh"[b],
                       r -> general == GENERAL_OP ? "elementwise(T, T) -> T"
                                                  : "monoid(T)");
}

void rule_sketch_text(const struct rule_sketch *r, const char *name,
                      const char *doc, const char *origin, unsigned claims,
                      struct buf *out)
{
    struct names n;
    unsigned classes = sketch_classes(&r->lhs);
    make_names(&r->lhs, &n);
    if (doc != NULL)
        buf_printf(out, "/// %s\n", doc);
    buf_printf(out, "rule %s {\n", name);
    if (origin != NULL)
        buf_printf(out, "  origin \"%s\";\n", origin);
    if (claims != 0) {
        const char *sep = "  claims ";
        for (unsigned d = 0; d < N_DOMAINS; d++)
            if (claims >> d & 1) {
                buf_printf(out, "%s%s", sep, domain_text((enum domain)d));
                sep = ", ";
            }
        buf_puts(out, ";\n");
    }
    print_class_decls(r, classes, out);
    print_maps(r, &n, classes, out);
    buf_puts(out, "  type T : any;\n");
    print_tensors(r, &n, out);
    print_ops(r, out);
    for (unsigned c = 0; c < SKETCH_CLASSES; c++)
        if (r->where[c] != NULL && r->where[c][0])
            buf_printf(out, "  where %s;\n", r->where[c]);
    struct sketch_printer left = {r, &r->lhs, &n, false, out};
    struct sketch_printer right = {r, &r->rhs, &n, true, out};
    buf_puts(out, "  ");
    print_pattern(&left, r->lhs.n - 1u, false);
    buf_puts(out, "\n    => ");
    print_pattern(&right, r->rhs.n - 1u, false);
    buf_puts(out, ";\n}\n");
}

static void name_at(const struct sketch *s, unsigned i, unsigned depth,
                    struct buf *out)
{
    static const char *const name[] = {
        "tensor",  "scalar", "literal", "constant", "slice",
        "pad",     "concat", "concat3", "reverse",  "broadcast",
        "relabel", "reduce", ""};
    static const char *const binary[] = {"sum", "product", "maximum"};
    static const char *const literal[] = {"zero", "one", "lowest"};
    const struct sketch_node *p = &s->node[i];
    if (p->kind == SKETCH_BINARY)
        buf_puts(out, binary[p->what]);
    else if (p->kind == SKETCH_LITERAL)
        buf_puts(out, literal[p->what]);
    else
        buf_puts(out, name[p->kind]);
    const char *sep = depth == 0 ? "_of_" : "_";
    for (unsigned k = 0; k < sketch_arity(p->kind); k++) {
        const struct sketch_node *a = &s->node[p->arg[k]];
        if (a->kind <= SKETCH_SCALAR || p->kind == SKETCH_SPLAT)
            continue;
        buf_puts(out, sep);
        name_at(s, p->arg[k], depth + 1, out);
        sep = "_and_";
    }
}

void rule_sketch_name(const struct rule_sketch *r, struct buf *out)
{
    name_at(&r->lhs, r->lhs.n - 1u, 0, out);
}
