// SPDX-License-Identifier: Apache-2.0
#include "discover/sketch/text.h"
#include "discover/limits.h"
#include "rules/domain.h"
#include <stdio.h>
#include <string.h>

static const char class_name[] = "xyzw";

// The letter for the name of a slot; sizes have the letter n.
static char slot_letter(const struct sketch_node *node, unsigned k)
{
    return node->kind == SKETCH_SLICE ? "sep"[k] : node->kind == SKETCH_PAD ? "lhi"[k] : 'm';
}

// The first maps of a role get a single letter, later ones a number.
static void name_of(char letter, unsigned seen[128], char out[8])
{
    static const char second[] = "tfqgjk"; // second letters for s e p l h i
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
    char size[SKETCH_TENSORS * SKETCH_CLASSES][8]; // names by root; "" for others
    char slot[SKETCH_SLOTS][8];                    // names of free slots
    char spectator[8];
    struct sketch_sizes sizes;
};

static unsigned slot_class(const struct sketch_node *node, unsigned k)
{
    unsigned per = sketch_node_slots(node), nth = k / per;
    for (unsigned c = 0; c < SKETCH_CLASSES; c++)
        if (node->acts >> c & 1 && nth-- == 0)
            return c;
    return 0;
}

static void make_names(const struct sketch *sketch, struct names *names)
{
    unsigned seen[128] = {0};
    memset(names, 0, sizeof *names);
    sketch_unify(sketch, &names->sizes);
    for (unsigned t = 0; t < sketch->n_tensors; t++)
        for (unsigned c = 0; c < SKETCH_CLASSES; c++) {
            uint8_t r = names->sizes.tensor[t][c];
            if (sketch->shape[t] >> c & 1 && names->size[r][0] == 0)
                name_of('n', seen, names->size[r]);
        }
    for (unsigned i = 0; i < sketch->n; i++) {
        const struct sketch_node *node = &sketch->node[i];
        unsigned per = sketch_node_slots(node);
        unsigned total = per * (unsigned)__builtin_popcount(node->acts);
        for (unsigned k = 0; k < total; k++) {
            unsigned slot = node->slot + k;
            uint8_t r = names->sizes.slot[slot];
            if (r == 255 || r == 64 + slot)
                name_of(slot_letter(node, k % per), seen, names->slot[slot]);
        }
    }
    name_of('n', seen, names->spectator);
}

// The name of a slot of the left side.
static const char *left_slot(const struct names *names, unsigned slot)
{
    uint8_t r = names->sizes.slot[slot];
    return r < 64 ? names->size[r] : r == 255 ? names->slot[slot] : names->slot[r - 64];
}

void known_on(const struct sketch *lhs, unsigned cls, struct known_names *known)
{
    struct names names;
    bool used[16] = {false};
    make_names(lhs, &names);
    known->n = 0;
    for (unsigned t = 0; t < lhs->n_tensors; t++) {
        uint8_t r = names.sizes.tensor[t][cls];
        if (!(lhs->shape[t] >> cls & 1) || used[r])
            continue;
        used[r] = true;
        known->at[known->n].size = true;
        known->at[known->n].which = r;
        memcpy(known->at[known->n++].name, names.size[r], 8);
    }
    for (unsigned i = 0; i < lhs->n; i++) {
        const struct sketch_node *node = &lhs->node[i];
        unsigned per = sketch_node_slots(node);
        unsigned total = per * (unsigned)__builtin_popcount(node->acts);
        for (unsigned q = 0; q < total; q++) {
            unsigned slot = node->slot + q;
            if (slot_class(node, q) != cls || names.slot[slot][0] == 0)
                continue;
            known->at[known->n].size = false;
            known->at[known->n].which = (uint8_t)slot;
            memcpy(known->at[known->n++].name, names.slot[slot], 8);
        }
    }
}

// The slots of a node on the class.
static unsigned slots_at(const struct sketch_node *node, unsigned cls)
{
    unsigned before = (unsigned)__builtin_popcount(node->acts & ((1u << cls) - 1));
    return node->slot + before * sketch_node_slots(node);
}

static void size_text(const struct sketch *sketch, const struct names *names, unsigned node,
                      unsigned cls, struct buf *out)
{
    const struct sketch_node *p = &sketch->node[node];
    bool acts = p->acts >> cls & 1;
    unsigned slot = slots_at(p, cls);
    if (p->kind == SKETCH_TENSOR) {
        buf_puts(out, names->size[names->sizes.tensor[p->what][cls]]);
    } else if (p->kind == SKETCH_SLICE && acts) {
        if (p->pin)
            buf_printf(out, "(%s - %s)", left_slot(names, slot + 1), left_slot(names, slot));
        else
            buf_printf(out, "ceildiv(%s - %s, %s)", left_slot(names, slot + 1),
                       left_slot(names, slot), left_slot(names, slot + 2));
    } else if (p->kind == SKETCH_PAD && acts) {
        buf_putc(out, '(');
        size_text(sketch, names, p->arg[0], cls, out);
        buf_printf(out, " + %s + %s", left_slot(names, slot), left_slot(names, slot + 1));
        if (!p->pin) {
            buf_puts(out, " + max(0, ");
            size_text(sketch, names, p->arg[0], cls, out);
            buf_printf(out, " - 1) * %s", left_slot(names, slot + 2));
        }
        buf_putc(out, ')');
    } else if ((p->kind == SKETCH_SPLAT || p->kind == SKETCH_BROADCAST) && acts) {
        buf_puts(out, left_slot(names, slot));
    } else if ((p->kind == SKETCH_CONCAT || p->kind == SKETCH_CONCAT3) && acts) {
        for (unsigned k = 0; k < sketch_arity(p->kind); k++) {
            buf_puts(out, k ? " + " : "(");
            size_text(sketch, names, p->arg[k], cls, out);
        }
        buf_putc(out, ')');
    } else if (p->kind == SKETCH_RELABEL) {
        size_text(sketch, names, p->arg[0], cls < 2 ? 1 - cls : cls, out);
    } else {
        unsigned arg = p->arg[0];
        if (p->kind == SKETCH_BINARY && !(sketch->node[arg].classes >> cls & 1))
            arg = p->arg[1];
        size_text(sketch, names, arg, cls, out);
    }
}

uint32_t computed_on(const struct sketch *lhs, unsigned cls, uint32_t most, struct computed *out)
{
    struct names names;
    uint32_t len = 0;
    make_names(lhs, &names);
    for (unsigned i = 0; i < lhs->n; i++) {
        const struct sketch_node *node = &lhs->node[i];
        if (!(node->acts >> cls & 1) || (node->kind != SKETCH_SLICE && node->kind != SKETCH_PAD))
            continue;
        struct buf buf = {0};
        size_text(lhs, &names, i, cls, &buf);
        // The size of a padding alone says no more than its attributes.
        bool root = node->kind == SKETCH_PAD && i + 1u == lhs->n;
        if (!root && len < most && buf.len < sizeof out->text) {
            out[len] = (struct computed){.node = (uint8_t)i};
            memcpy(out[len++].text, buf_text(&buf), buf.len + 1);
        }
        buf_release(&buf);
        unsigned slot = slots_at(node, cls) + 2;
        if (node->kind == SKETCH_PAD && !node->pin && len < most) {
            out[len] =
                (struct computed){.node = (uint8_t)i, .distance = true, .slot = (uint8_t)slot};
            (void)snprintf(out[len++].text, sizeof out->text, "(%s + 1)", left_slot(&names, slot));
        }
    }
    for (unsigned i = 0; i < lhs->n; i++) {
        const struct sketch_node *p = &lhs->node[i];
        unsigned slot = p->acts >> cls & 1 ? slots_at(p, cls) + 2 : 0;
        // The end of the last element that a slice with strides takes.
        if (p->kind == SKETCH_SLICE && !p->pin && (p->acts >> cls & 1) && len < most) {
            const char *text = left_slot(&names, slot - 2);
            const char *string = left_slot(&names, slot - 1);
            const char *q = left_slot(&names, slot);
            int k = snprintf(out[len].text, sizeof out->text,
                             "max(%s, %s + (ceildiv(%s - %s, %s) - 1) * %s + 1)", text, text,
                             string, text, q, q);
            out[len].node = (uint8_t)i;
            out[len].distance = false;
            out[len].end = true;
            out[len].slot = (uint8_t)slot;
            len += k > 0 && (size_t)k < sizeof out->text;
        }
    }
    return len;
}

uint32_t slots_on(const struct sketch *sketch, unsigned cls, uint8_t slot[SKETCH_SLOTS])
{
    uint32_t n = 0;
    for (unsigned i = 0; i < sketch->n; i++) {
        const struct sketch_node *node = &sketch->node[i];
        unsigned per = sketch_node_slots(node);
        unsigned total = per * (unsigned)__builtin_popcount(node->acts);
        for (unsigned q = 0; q < total; q++)
            if (slot_class(node, q) == cls)
                slot[n++] = (uint8_t)(node->slot + q);
    }
    return n;
}

// ---- patterns

struct sketch_printer {
    const struct rule_sketch *pair;
    const struct sketch *sketch;
    const struct names *names;
    bool right;
    struct buf *out;
};

static const char *slot_text(const struct sketch_printer *printer, unsigned slot)
{
    return printer->right ? printer->pair->slot[slot] : left_slot(printer->names, slot);
}

static const char *op_name(const struct sketch_printer *printer, unsigned what)
{
    static const char *const symbol[] = {"+", "*", "max"};
    static const char *const var[] = {"f", "g", "h"};
    return printer->pair->general == GENERAL_NOT ? symbol[what] : var[what];
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
static void print_attr(const struct sketch_printer *printer, const struct sketch_node *node,
                       const char *name, unsigned k, const char *pinned)
{
    unsigned per = sketch_node_slots(node), nth = 0;
    const char *sep = "";
    buf_printf(printer->out, ", %s={", name);
    for (unsigned c = 0; c < SKETCH_CLASSES; c++) {
        if (!(node->acts >> c & 1))
            continue;
        buf_printf(printer->out, "%s%c: %s", sep, class_name[c],
                   k < per ? slot_text(printer, node->slot + nth * per + k) : pinned);
        sep = ", ";
        nth++;
    }
    buf_putc(printer->out, '}');
}

static void print_sizes(const struct sketch_printer *printer, const struct sketch_node *node)
{
    unsigned nth = 0;
    const char *sep = "";
    buf_puts(printer->out, ", {");
    for (unsigned c = 0; c < SKETCH_CLASSES; c++)
        if (node->acts >> c & 1) {
            buf_printf(printer->out, "%s%c: %s", sep, class_name[c],
                       slot_text(printer, node->slot + nth++));
            sep = ", ";
        }
    if (node->kind == SKETCH_SPLAT && printer->pair->spectator)
        buf_printf(printer->out, "%sw: %s", sep, printer->names->spectator);
    buf_putc(printer->out, '}');
}

static void print_pattern(const struct sketch_printer *printer, unsigned i, bool inner)
{
    static const char *const literal[] = {"0", "1", "lowest"};
    const struct sketch_node *node = &printer->sketch->node[i];
    struct buf *out = printer->out;
    switch (node->kind) {
    case SKETCH_TENSOR:
        buf_putc(out, (char)('A' + node->what));
        return;
    case SKETCH_SCALAR:
        buf_putc(out, "vcd"[node->what]);
        return;
    case SKETCH_LITERAL:
        buf_puts(out, literal[node->what]);
        return;
    case SKETCH_BINARY:
        if (printer->pair->general == GENERAL_NOT && node->what != BINARY_MAX) {
            buf_puts(out, inner ? "(" : "");
            print_pattern(printer, node->arg[0], true);
            buf_printf(out, " %s ", op_name(printer, node->what));
            print_pattern(printer, node->arg[1], true);
            buf_puts(out, inner ? ")" : "");
            return;
        }
        buf_printf(out, "%s(", op_name(printer, node->what));
        print_pattern(printer, node->arg[0], false);
        buf_puts(out, ", ");
        print_pattern(printer, node->arg[1], false);
        buf_putc(out, ')');
        return;
    case SKETCH_REDUCE:
        buf_printf(out, "reduce(%s, ", op_name(printer, node->what));
        print_pattern(printer, node->arg[0], false);
        buf_puts(out, ", ");
        print_classes(node->acts, out);
        buf_putc(out, ')');
        return;
    default:
        break;
    }
    static const char *const name[] = {
        [SKETCH_SPLAT] = "broadcast",     [SKETCH_SLICE] = "slice",    [SKETCH_PAD] = "pad",
        [SKETCH_CONCAT] = "concat",       [SKETCH_CONCAT3] = "concat", [SKETCH_REVERSE] = "reverse",
        [SKETCH_BROADCAST] = "broadcast", [SKETCH_RELABEL] = "relabel"};
    buf_printf(out, "%s(", name[node->kind]);
    for (unsigned k = 0; k < sketch_arity(node->kind); k++) {
        buf_puts(out, k ? ", " : "");
        print_pattern(printer, node->arg[k], false);
    }
    if (node->kind == SKETCH_SLICE) {
        print_attr(printer, node, "start", 0, "");
        print_attr(printer, node, "limit", 1, "");
        print_attr(printer, node, "stride", 2, "1");
    } else if (node->kind == SKETCH_PAD) {
        print_attr(printer, node, "low", 0, "");
        print_attr(printer, node, "high", 1, "");
        print_attr(printer, node, "interior", 2, "0");
    } else if (node->kind == SKETCH_CONCAT || node->kind == SKETCH_CONCAT3) {
        buf_printf(out, ", axis=%c", class_name[__builtin_ctz(node->acts)]);
    } else if (node->kind == SKETCH_REVERSE) {
        buf_puts(out, ", ");
        print_classes(node->acts, out);
    } else if (node->kind == SKETCH_RELABEL) {
        unsigned from = printer->sketch->node[node->arg[0]].classes & 3;
        buf_puts(out, from == 3 ? ", {x <-> y}" : from == 1 ? ", {x -> y}" : ", {y -> x}");
    } else {
        print_sizes(printer, node);
    }
    buf_putc(out, ')');
}

// ---- declarations

static void print_class_decls(const struct rule_sketch *pair, unsigned classes, struct buf *out)
{
    bool relabels = pair->lhs.relabels || pair->rhs.relabels;
    for (unsigned c = 0; c < SKETCH_CLASSES; c++) {
        if (!(classes >> c & 1))
            continue;
        const char *least = pair->form[c] == CLASS_NOT_EMPTY ? " rank >= 1" : "";
        if (c == 1 && relabels && (classes & 1))
            buf_printf(out, "  %s y like x;\n", pair->form[0] == CLASS_AXIS ? "axis" : "axes");
        else if (pair->form[c] == CLASS_AXIS)
            buf_printf(out, "  axis %c;\n", class_name[c]);
        else
            buf_printf(out, "  axes %c%s;\n", class_name[c], least);
    }
    if (pair->spectator)
        buf_puts(out, "  axes w;\n");
}

static void print_maps(const struct rule_sketch *pair, const struct names *names, unsigned classes,
                       struct buf *out)
{
    for (unsigned c = 0; c < SKETCH_CLASSES; c++) {
        struct known_names known;
        if (!(classes >> c & 1))
            continue;
        known_on(&pair->lhs, c, &known);
        for (uint32_t i = 0; i < known.n; i++)
            buf_printf(out, "%s%s", i ? ", " : "  map ", known.at[i].name);
        if (known.n > 0)
            buf_printf(out, " on %c;\n", class_name[c]);
    }
    if (pair->spectator)
        buf_printf(out, "  map %s on w;\n", names->spectator);
}

static void print_tensors(const struct rule_sketch *pair, const struct names *names,
                          struct buf *out)
{
    for (unsigned t = 0; t < pair->lhs.n_tensors; t++) {
        const char *sep = "";
        buf_printf(out, "  tensor %c[", 'A' + (int)t);
        for (unsigned c = 0; c < SKETCH_CLASSES; c++)
            if (pair->lhs.shape[t] >> c & 1) {
                buf_printf(out, "%s%c: %s", sep, class_name[c],
                           names->size[names->sizes.tensor[t][c]]);
                sep = ", ";
            }
        if (pair->spectator)
            buf_printf(out, "%sw: %s", sep, names->spectator);
        buf_puts(out, "] : T;\n");
    }
    for (unsigned v = 0; v < pair->lhs.n_scalars; v++)
        buf_printf(out, "  scalar %c : T;\n", "vcd"[v]);
}

static void print_ops(const struct rule_sketch *pair, struct buf *out)
{
    unsigned used = 0;
    const struct sketch *side[] = {&pair->lhs, &pair->rhs};
    for (unsigned k = 0; k < 2; k++)
        for (unsigned i = 0; i < side[k]->n; i++)
            if (side[k]->node[i].kind == SKETCH_BINARY || side[k]->node[i].kind == SKETCH_REDUCE)
                used |= 1u << side[k]->node[i].what;
    for (unsigned b = 0; b < N_BINARY && pair->general != GENERAL_NOT; b++)
        if (used >> b & 1)
            buf_printf(out, "  op %c : %s;\n", "fgh"[b],
                       pair -> general == GENERAL_OP ? "elementwise(T, T) -> T" : "monoid(T)");
}

void rule_sketch_text(const struct rule_sketch *pair, const char *name, const char *doc,
                      const char *origin, unsigned claims, struct buf *out)
{
    struct names names;
    unsigned classes = sketch_classes(&pair->lhs);
    make_names(&pair->lhs, &names);
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
    print_class_decls(pair, classes, out);
    print_maps(pair, &names, classes, out);
    buf_puts(out, "  type T : any;\n");
    print_tensors(pair, &names, out);
    print_ops(pair, out);
    for (unsigned c = 0; c < SKETCH_CLASSES; c++)
        if (pair->where[c] != NULL && pair->where[c][0])
            buf_printf(out, "  where %s;\n", pair->where[c]);
    struct sketch_printer left = {pair, &pair->lhs, &names, false, out};
    struct sketch_printer right = {pair, &pair->rhs, &names, true, out};
    buf_puts(out, "  ");
    print_pattern(&left, pair->lhs.n - 1u, false);
    buf_puts(out, "\n    => ");
    print_pattern(&right, pair->rhs.n - 1u, false);
    buf_puts(out, ";\n}\n");
}

static void name_at(const struct sketch *sketch, unsigned i, unsigned depth, struct buf *out)
{
    static const char *const name[] = {"tensor",  "scalar", "literal", "constant", "slice",
                                       "pad",     "concat", "concat3", "reverse",  "broadcast",
                                       "relabel", "reduce", ""};
    static const char *const binary[] = {"sum", "product", "maximum"};
    static const char *const literal[] = {"zero", "one", "lowest"};
    const struct sketch_node *node = &sketch->node[i];
    if (node->kind == SKETCH_BINARY)
        buf_puts(out, binary[node->what]);
    else if (node->kind == SKETCH_LITERAL)
        buf_puts(out, literal[node->what]);
    else
        buf_puts(out, name[node->kind]);
    const char *sep = depth == 0 ? "_of_" : "_";
    for (unsigned k = 0; k < sketch_arity(node->kind); k++) {
        const struct sketch_node *a = &sketch->node[node->arg[k]];
        if (a->kind <= SKETCH_SCALAR || node->kind == SKETCH_SPLAT)
            continue;
        buf_puts(out, sep);
        name_at(sketch, node->arg[k], depth + 1, out);
        sep = "_and_";
    }
}

void rule_sketch_name(const struct rule_sketch *pair, struct buf *out)
{
    name_at(&pair->lhs, pair->lhs.n - 1u, 0, out);
}
