// SPDX-License-Identifier: Apache-2.0
// Rules as equations between elements, in the text of egraph/plain/plain.h.
//
// Such a rule consists of operators on elements, numbers, scalars and tensors
// that all have the left side's shape.  At one place of any shape it is an
// equation between elements; and the equation for all elements is the rule, as
// long as the right side has the shape of the left, which its sizes say.  An
// operator's name has the sort of its operands, n for numbers and b for truth
// values, since the same operator may stand for different things.
//
// A variable of rank 0 stands for what is one value in the whole tensor: of it
// the term (uniform x) must be true, for which rules are added.
#include "base/text/buf.h"
#include "discover/derive/core.h"

enum { SORT_NUMBER, SORT_BOOL, MAX_TYPES = 6 };

struct plain_writer {
    const struct rule *r;
    enum domain domain;
    const uint8_t *sort;  // per type variable
    const char *variable; // what names of variables begin with
    struct buf *out;
};

static const char *refusal(const struct rule *r, const struct pat *p,
                           enum domain d)
{
    bool ideal = d == DOMAIN_REAL || d == DOMAIN_INT;
    switch (p->kind) {
    case PAT_TENSOR:
        for (uint32_t i = 0; i < p->n_sizes; i++)
            if (p->sizes[i].size->op != IE_MAP)
                return "a size is an expression";
        return NULL;
    case PAT_SCALAR:
    case PAT_SPLAT:
        return NULL;
    case PAT_LITERAL:
        if (p->lit == LIT_INT || p->lit == LIT_DECIMAL || p->lit == LIT_BOOL)
            return NULL;
        if (!ideal && (p->lit == LIT_INF || p->lit == LIT_LOWEST ||
                       p->lit == LIT_HIGHEST))
            return NULL;
        // inf - inf is nothing; so x - x = 0 would not be for all x.
        return "a constant is no number of the domain";
    case PAT_OP:
        if (op_is_elementwise(p->op) && p->op != OP_CONVERT &&
            p->op != OP_BITCAST_CONVERT)
            return NULL;
        return "an operator does more than combine elements";
    case PAT_OPVAR:
        return "an operator is a variable";
    case PAT_RELABEL:
    case PAT_CALL:
        break;
    }
    (void)r;
    return "axes are renamed, or a function is called";
}

static const char *refused_below(const struct rule *r, uint32_t pat,
                                 enum domain d)
{
    const struct pat *p = &r->pats[pat];
    const char *why = refusal(r, p, d);
    for (uint32_t i = 0; why == NULL && i < p->n_args; i++)
        why = refused_below(r, p->args[i], d);
    return why;
}

// Bits of the variables below: tensors, then scalars.
static uint64_t variables(const struct rule *r, uint32_t pat)
{
    const struct pat *p = &r->pats[pat];
    uint64_t found = 0;
    if (p->kind == PAT_TENSOR)
        found = UINT64_C(1) << (p->var & 63);
    if (p->kind == PAT_SCALAR)
        found = UINT64_C(1) << ((r->n_tensors + p->var) & 63);
    for (uint32_t i = 0; i < p->n_args; i++)
        found |= variables(r, p->args[i]);
    return found;
}

// The maps that are sizes of tensors of the left side.
static void left_sizes(const struct rule *r, uint32_t pat, bool *is_size)
{
    const struct pat *p = &r->pats[pat];
    for (uint32_t i = 0; p->kind == PAT_TENSOR && i < p->n_sizes; i++)
        is_size[p->sizes[i].size->map] = true;
    for (uint32_t i = 0; i < p->n_args; i++)
        left_sizes(r, p->args[i], is_size);
}

// Has every node of it, but those of rank 0, the left side's classes with sizes
// that the left side's tensors have?
static bool shape_follows(const struct rule *r, uint32_t pat,
                          const bool *is_size)
{
    const struct pat *p = &r->pats[pat], *lhs = &r->pats[r->lhs];
    if (p->n_sizes != 0 && p->n_sizes != lhs->n_sizes)
        return false;
    for (uint32_t i = 0; i < p->n_sizes; i++)
        if (p->sizes[i].cls != lhs->sizes[i].cls ||
            p->sizes[i].size->op != IE_MAP || !is_size[p->sizes[i].size->map])
            return false;
    for (uint32_t i = 0; i < p->n_args; i++)
        if (!shape_follows(r, p->args[i], is_size))
            return false;
    return true;
}

static const char *not_plain(const struct rule *r, enum domain d)
{
    struct arena mem = {0};
    const char *why = refused_below(r, r->lhs, d);
    if (why == NULL)
        why = refused_below(r, r->rhs, d);
    if (r->n_tensors + r->n_scalars > 64 || r->n_types > MAX_TYPES)
        why = "it has too many variables";
    if (r->n_wider > 0)
        why = "it compares types";
    uint64_t have = why == NULL ? variables(r, r->lhs) : 0;
    for (uint32_t i = 0; why == NULL && i < r->n_wheres; i++) {
        if (r->wheres[i].cond != NULL)
            why = "it has a precondition on sizes";
        else if ((why = refused_below(r, r->wheres[i].pat, d)) == NULL &&
                 (variables(r, r->wheres[i].pat) & ~have) != 0)
            why = "a precondition is about what the left side has not";
    }
    if (why == NULL && (variables(r, r->rhs) & ~have) != 0)
        why = "the right side has a variable that the left side has not";
    if (why == NULL) {
        bool *is_size = ARENA_NEW(&mem, bool, r->n_maps + 1);
        memset(is_size, 0, r->n_maps + 1);
        left_sizes(r, r->lhs, is_size);
        bool ok = shape_follows(r, r->lhs, is_size) &&
                  shape_follows(r, r->rhs, is_size) &&
                  r->pats[r->lhs].n_sizes == r->pats[r->rhs].n_sizes;
        for (uint32_t i = 0; ok && i < r->n_wheres; i++)
            ok = shape_follows(r, r->wheres[i].pat, is_size);
        if (!ok)
            why = "its tensors have several shapes";
    }
    arena_release(&mem);
    return why;
}

static char sort_letter(const struct plain_writer *w, uint32_t type)
{
    return w->sort[type] == SORT_BOOL ? 'b' : 'n';
}

static void write_literal(const struct plain_writer *w, const struct pat *p)
{
    switch (p->lit) {
    case LIT_INT:
        buf_printf(w->out, "%lld", (long long)p->k);
        break;
    case LIT_DECIMAL:
        buf_puts(w->out, p->text);
        break;
    case LIT_BOOL:
        buf_puts(w->out, p->k ? "true" : "false");
        break;
    case LIT_INF:
        buf_puts(w->out, p->k > 0 ? "highest" : "lowest");
        break;
    case LIT_LOWEST:
        buf_puts(w->out, "lowest");
        break;
    default:
        buf_puts(w->out, "highest");
        break;
    }
    buf_printf(w->out, ".%c", sort_letter(w, p->type));
}

static void write_pat(const struct plain_writer *w, uint32_t pat)
{
    static const char *const dirs[] = {
        [CMP_EQ] = "EQ", [CMP_NE] = "NE", [CMP_LT] = "LT",
        [CMP_LE] = "LE", [CMP_GT] = "GT", [CMP_GE] = "GE"};
    const struct pat *p = &w->r->pats[pat];
    switch (p->kind) {
    case PAT_TENSOR:
        buf_printf(w->out, "%s%u", w->variable, p->var);
        return;
    case PAT_SCALAR:
        buf_printf(w->out, "%s%u", w->variable, w->r->n_tensors + p->var);
        return;
    case PAT_LITERAL:
        write_literal(w, p);
        return;
    case PAT_SPLAT:
        write_pat(w, p->args[0]);
        return;
    default:
        break;
    }
    buf_printf(w->out, "(%s", op_name(p->op));
    if (p->op == OP_COMPARE)
        buf_printf(w->out, "_%s", dirs[p->dir]);
    uint32_t last = p->args[p->n_args - 1]; // of select: what is chosen
    buf_printf(w->out, ".%c", sort_letter(w, w->r->pats[last].type));
    for (uint32_t i = 0; i < p->n_args; i++) {
        buf_putc(w->out, ' ');
        write_pat(w, p->args[i]);
    }
    buf_putc(w->out, ')');
}

// Variables of rank 0 in a rule that has tensors; bits as `variables`.
static uint64_t uniform_variables(const struct rule *r)
{
    uint64_t out = 0;
    for (uint32_t i = 0; i < r->n_tensors; i++)
        if (r->tensors[i].n_sizes == 0)
            out |= UINT64_C(1) << i;
    for (uint32_t i = 0; i < r->n_scalars; i++)
        out |= UINT64_C(1) << (r->n_tensors + i);
    return out;
}

static void write_rule(const struct plain_writer *w, const char *name,
                       bool backward)
{
    buf_printf(w->out, "%s: ", name);
    write_pat(w, backward ? w->r->rhs : w->r->lhs);
    buf_puts(w->out, " => ");
    write_pat(w, backward ? w->r->lhs : w->r->rhs);
    const char *join = " if same(";
    for (uint32_t i = 0; i < w->r->n_wheres; i++) {
        buf_puts(w->out, join);
        write_pat(w, w->r->wheres[i].pat);
        buf_puts(w->out, ", true.b)");
        join = " and same(";
    }
    uint64_t uniform = uniform_variables(w->r);
    for (uint32_t i = 0; i < 64 && uniform >> i != 0; i++)
        if (uniform >> i & 1) {
            buf_printf(w->out, "%s(uniform ?v%u), true.b)", join, i);
            join = " and same(";
        }
    buf_putc(w->out, '\n');
}

static enum elem elem_of(enum domain d, unsigned kinds)
{
    switch (d) {
    case DOMAIN_INT:
        return ELEM_INT;
    case DOMAIN_WORD:
        return kinds & KIND_SINT ? ELEM_I32 : ELEM_UI32;
    case DOMAIN_REAL:
    case DOMAIN_FLOAT:
        return ELEM_F32;
    default:
        return ELEM_I1;
    }
}

static bool reads(const char *text)
{
    struct plain_rules p;
    struct cc g;
    struct err e = {0};
    cc_init(&g, false);
    plain_init(&p);
    bool ok = plain_read(&p, &g, "rule", text, NULL, &e);
    plain_release(&p);
    cc_release(&g);
    return ok;
}

static bool is_variable(const struct rule *r, uint32_t pat)
{
    const struct pat *p = &r->pats[pat];
    return p->kind == PAT_SPLAT    ? is_variable(r, p->args[0])
           : p->kind == PAT_TENSOR ? true
                                   : p->kind == PAT_SCALAR;
}

void op_set_add(struct op_set *s, const struct rule *r, uint32_t pat)
{
    const struct pat *p = &r->pats[pat];
    if (p->kind == PAT_OP)
        s->at[p->op / 64] |= UINT64_C(1) << p->op % 64;
    for (uint32_t i = 0; i < p->n_args; i++)
        op_set_add(s, r, p->args[i]);
}

void plain_compile(struct base_rule *b, uint32_t number, enum domain d,
                   struct arena *mem)
{
    const struct rule *r = b->rule;
    struct buf there = {0}, back = {0};
    uint8_t sort[MAX_TYPES] = {0};
    enum elem elem[MAX_TYPES];
    char name[16];
    if (not_plain(r, d) != NULL || is_variable(r, r->lhs))
        return;
    // Back: nothing may come up that the right side does not know.
    bool turns =
        !is_variable(r, r->rhs) && variables(r, r->rhs) == variables(r, r->lhs);
    b->kinds = d == DOMAIN_BOOL ? 0 : domain_kinds(d);
    for (uint32_t mask = 0; mask >> r->n_types == 0; mask++) {
        unsigned kinds = d == DOMAIN_BOOL ? 0 : domain_kinds(d);
        bool ok = true;
        for (uint32_t t = 0; ok && t < r->n_types; t++) {
            sort[t] = mask >> t & 1 ? SORT_BOOL : SORT_NUMBER;
            unsigned has =
                r->types[t].kinds & (sort[t] == SORT_BOOL ? (unsigned)KIND_BOOL
                                     : d == DOMAIN_BOOL   ? 0
                                                          : domain_kinds(d));
            ok = has != 0;
            elem[t] = sort[t] == SORT_BOOL ? ELEM_I1 : elem_of(d, has);
            if (sort[t] == SORT_NUMBER)
                kinds &= has;
        }
        if (!ok || !rule_may_fire(
                       r, elem, d == DOMAIN_FLOAT ? DOMAIN_FLOAT : DOMAIN_REAL,
                       b->status))
            continue;
        b->kinds &= kinds;
        snprintf(name, sizeof name, "%u", number);
        struct plain_writer w = {r, d, sort, "?v", &there};
        write_rule(&w, name, false);
        snprintf(name, sizeof name, "-%u", number);
        w.out = &back;
        write_rule(&w, name, true);
    }
    if (there.len > 0 && reads(buf_text(&there)))
        b->plain = arena_strdup(mem, buf_text(&there));
    if (b->plain != NULL && turns && reads(buf_text(&back)))
        b->back = arena_strdup(mem, buf_text(&back));
    buf_release(&there);
    buf_release(&back);
    op_set_add(&b->left, r, r->lhs);
    op_set_add(&b->right, r, r->rhs);
    for (uint32_t i = 0; i < r->n_wheres; i++)
        op_set_add(&b->right, r, r->wheres[i].pat);
}

bool plain_goal_make(const struct rule *r, enum domain d, struct plain_goal *g,
                     const char **why)
{
    uint8_t sort[MAX_TYPES] = {0};
    uint32_t numbers = 0;
    *g = (struct plain_goal){0};
    *why = not_plain(r, d);
    if (*why != NULL)
        return false;
    for (uint32_t t = 0; t < r->n_types; t++) {
        unsigned has =
            d == DOMAIN_BOOL ? 0 : r->types[t].kinds & domain_kinds(d);
        sort[t] = has != 0 ? SORT_NUMBER : SORT_BOOL;
        numbers += has != 0;
        g->kinds |= has;
        if (has == 0 && !(r->types[t].kinds & KIND_BOOL)) {
            *why = "it says nothing in the domain";
            return false;
        }
    }
    if (numbers > 1) {
        *why = "it has numbers of several types";
        return false;
    }
    struct plain_writer w = {r, d, sort, "$", &g->lhs};
    write_pat(&w, r->lhs);
    w.out = &g->rhs;
    write_pat(&w, r->rhs);
    uint64_t uniform = uniform_variables(r);
    for (uint32_t i = 0; i < 64 && uniform >> i != 0; i++)
        if (uniform >> i & 1) {
            struct buf b = {0};
            buf_printf(&b, "(uniform $%u)", i);
            vec_push(&g->given, buf_detach(&b));
        }
    for (uint32_t i = 0; i < r->n_wheres; i++) {
        struct buf b = {0};
        w.out = &b;
        write_pat(&w, r->wheres[i].pat);
        vec_push(&g->given, buf_detach(&b));
    }
    return true;
}

void plain_goal_release(struct plain_goal *g)
{
    buf_release(&g->lhs);
    buf_release(&g->rhs);
    for (uint32_t i = 0; i < g->given.len; i++)
        mem_free(g->given.at[i]);
    vec_release(&g->given);
}
