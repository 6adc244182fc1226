// SPDX-License-Identifier: Apache-2.0
// Rules as equations between elements, in the text of egraph/plain/plain.h.
//
// Such a rule consists of operators on elements, numbers, scalars and tensors
// that all have the shape of the left side.  At one index it is an equation
// between elements.  Conversely, the equation for all elements gives the rule if
// the right side has the shape of the left side, which its sizes must say.  The
// name of an operator carries the sort of its operands, n for numbers and b for
// truth values, because one operator may have a meaning for each.
//
// A variable of rank 0 stands for a tensor whose elements are all equal.  A rule
// uses it under the condition that (uniform x) is true; extra rules derive such
// facts.
#include "base/text/buf.h"
#include "discover/limits.h"
#include "discover/derive/core.h"

enum { SORT_NUMBER, SORT_BOOL };

struct plain_writer {
    const struct rule *rule;
    enum domain domain;
    const uint8_t *sort;  // by type variable
    const char *variable; // prefix of names of variables
    struct buf *out;
};

static const char *refusal(const struct rule *rule, const struct pat *pattern, enum domain domain)
{
    bool ideal = domain == DOMAIN_REAL || domain == DOMAIN_INT;
    switch (pattern->kind) {
    case PAT_TENSOR:
        for (uint32_t i = 0; i < pattern->n_sizes; i++)
            if (pattern->sizes[i].size->op != IE_MAP)
                return "a size is an expression";
        return NULL;
    case PAT_SCALAR:
    case PAT_SPLAT:
        return NULL;
    case PAT_LITERAL:
        if (pattern->lit == LIT_INT || pattern->lit == LIT_DECIMAL || pattern->lit == LIT_BOOL)
            return NULL;
        if (!ideal &&
            (pattern->lit == LIT_INF || pattern->lit == LIT_LOWEST || pattern->lit == LIT_HIGHEST))
            return NULL;
        // inf - inf is undefined, so x - x = 0 does not hold for all x.
        return "a constant is not a number of the domain";
    case PAT_OP:
        if (op_is_elementwise(pattern->op) && pattern->op != OP_CONVERT &&
            pattern->op != OP_BITCAST_CONVERT)
            return NULL;
        return "an operator does more than combine elements";
    case PAT_OPVAR:
        return "an operator is a variable";
    case PAT_RELABEL:
    case PAT_CALL:
        break;
    }
    (void)rule;
    return "axes are renamed, or a function is called";
}

static const char *refused_below(const struct rule *rule, uint32_t pat, enum domain domain)
{
    const struct pat *pattern = &rule->pats[pat];
    const char *why = refusal(rule, pattern, domain);
    for (uint32_t i = 0; why == NULL && i < pattern->n_args; i++)
        why = refused_below(rule, pattern->args[i], domain);
    return why;
}

// Bits of the variables in the pattern: tensors first, then scalars.
static uint64_t variables(const struct rule *rule, uint32_t pat)
{
    const struct pat *pattern = &rule->pats[pat];
    uint64_t found = 0;
    if (pattern->kind == PAT_TENSOR)
        found = UINT64_C(1) << (pattern->var & 63);
    if (pattern->kind == PAT_SCALAR)
        found = UINT64_C(1) << ((rule->n_tensors + pattern->var) & 63);
    for (uint32_t i = 0; i < pattern->n_args; i++)
        found |= variables(rule, pattern->args[i]);
    return found;
}

// The maps that are sizes of tensors on the left side.
static void left_sizes(const struct rule *rule, uint32_t pat, bool *is_size)
{
    const struct pat *pattern = &rule->pats[pat];
    for (uint32_t i = 0; pattern->kind == PAT_TENSOR && i < pattern->n_sizes; i++)
        is_size[pattern->sizes[i].size->map] = true;
    for (uint32_t i = 0; i < pattern->n_args; i++)
        left_sizes(rule, pattern->args[i], is_size);
}

// Does every node of the pattern, except those of rank 0, have the classes of
// the left side, with sizes that tensors of the left side have?
static bool shape_follows(const struct rule *rule, uint32_t pat, const bool *is_size)
{
    const struct pat *pattern = &rule->pats[pat], *lhs = &rule->pats[rule->lhs];
    if (pattern->n_sizes != 0 && pattern->n_sizes != lhs->n_sizes)
        return false;
    for (uint32_t i = 0; i < pattern->n_sizes; i++)
        if (pattern->sizes[i].cls != lhs->sizes[i].cls || pattern->sizes[i].size->op != IE_MAP ||
            !is_size[pattern->sizes[i].size->map])
            return false;
    for (uint32_t i = 0; i < pattern->n_args; i++)
        if (!shape_follows(rule, pattern->args[i], is_size))
            return false;
    return true;
}

static const char *not_plain(const struct rule *rule, enum domain domain)
{
    struct arena mem = {0};
    const char *why = refused_below(rule, rule->lhs, domain);
    if (why == NULL)
        why = refused_below(rule, rule->rhs, domain);
    if (rule->n_tensors + rule->n_scalars > DERIVE_VARIABLES || rule->n_types > DERIVE_TYPES)
        why = "the rule has too many variables";
    if (rule->n_wider > 0)
        why = "the rule compares types";
    uint64_t have = why == NULL ? variables(rule, rule->lhs) : 0;
    for (uint32_t i = 0; why == NULL && i < rule->n_wheres; i++) {
        if (rule->wheres[i].cond != NULL)
            why = "the rule has a precondition on sizes";
        else if ((why = refused_below(rule, rule->wheres[i].pat, domain)) == NULL &&
                 (variables(rule, rule->wheres[i].pat) & ~have) != 0)
            why = "a precondition has a variable that the left side lacks";
    }
    if (why == NULL && (variables(rule, rule->rhs) & ~have) != 0)
        why = "the right side has a variable that the left side lacks";
    if (why == NULL) {
        bool *is_size = ARENA_NEW(&mem, bool, rule->n_maps + 1);
        memset(is_size, 0, rule->n_maps + 1);
        left_sizes(rule, rule->lhs, is_size);
        bool ok = shape_follows(rule, rule->lhs, is_size) &&
                  shape_follows(rule, rule->rhs, is_size) &&
                  rule->pats[rule->lhs].n_sizes == rule->pats[rule->rhs].n_sizes;
        for (uint32_t i = 0; ok && i < rule->n_wheres; i++)
            ok = shape_follows(rule, rule->wheres[i].pat, is_size);
        if (!ok)
            why = "the tensors of the rule have several shapes";
    }
    arena_release(&mem);
    return why;
}

static char sort_letter(const struct plain_writer *writer, uint32_t type)
{
    return writer->sort[type] == SORT_BOOL ? 'b' : 'n';
}

static void write_literal(const struct plain_writer *writer, const struct pat *pattern)
{
    switch (pattern->lit) {
    case LIT_INT:
        buf_printf(writer->out, "%lld", (long long)pattern->k);
        break;
    case LIT_DECIMAL:
        buf_puts(writer->out, pattern->text);
        break;
    case LIT_BOOL:
        buf_puts(writer->out, pattern->k ? "true" : "false");
        break;
    case LIT_INF:
        buf_puts(writer->out, pattern->k > 0 ? "highest" : "lowest");
        break;
    case LIT_LOWEST:
        buf_puts(writer->out, "lowest");
        break;
    default:
        buf_puts(writer->out, "highest");
        break;
    }
    buf_printf(writer->out, ".%c", sort_letter(writer, pattern->type));
}

static void write_pat(const struct plain_writer *writer, uint32_t pat)
{
    static const char *const dirs[] = {[CMP_EQ] = "EQ", [CMP_NE] = "NE", [CMP_LT] = "LT",
                                       [CMP_LE] = "LE", [CMP_GT] = "GT", [CMP_GE] = "GE"};
    const struct pat *pattern = &writer->rule->pats[pat];
    switch (pattern->kind) {
    case PAT_TENSOR:
        buf_printf(writer->out, "%s%u", writer->variable, pattern->var);
        return;
    case PAT_SCALAR:
        buf_printf(writer->out, "%s%u", writer->variable, writer->rule->n_tensors + pattern->var);
        return;
    case PAT_LITERAL:
        write_literal(writer, pattern);
        return;
    case PAT_SPLAT:
        write_pat(writer, pattern->args[0]);
        return;
    default:
        break;
    }
    buf_printf(writer->out, "(%s", op_name(pattern->op));
    if (pattern->op == OP_COMPARE)
        buf_printf(writer->out, "_%s", dirs[pattern->dir]);
    uint32_t last = pattern->args[pattern->n_args - 1]; // for select: the chosen value
    buf_printf(writer->out, ".%c", sort_letter(writer, writer->rule->pats[last].type));
    for (uint32_t i = 0; i < pattern->n_args; i++) {
        buf_putc(writer->out, ' ');
        write_pat(writer, pattern->args[i]);
    }
    buf_putc(writer->out, ')');
}

// Variables of rank 0 in a rule that has tensors; bits as in `variables`.
static uint64_t uniform_variables(const struct rule *rule)
{
    uint64_t out = 0;
    for (uint32_t i = 0; i < rule->n_tensors; i++)
        if (rule->tensors[i].n_sizes == 0)
            out |= UINT64_C(1) << i;
    for (uint32_t i = 0; i < rule->n_scalars; i++)
        out |= UINT64_C(1) << (rule->n_tensors + i);
    return out;
}

static void write_rule(const struct plain_writer *writer, const char *name, bool backward)
{
    buf_printf(writer->out, "%s: ", name);
    write_pat(writer, backward ? writer->rule->rhs : writer->rule->lhs);
    buf_puts(writer->out, " => ");
    write_pat(writer, backward ? writer->rule->lhs : writer->rule->rhs);
    const char *join = " if same(";
    for (uint32_t i = 0; i < writer->rule->n_wheres; i++) {
        buf_puts(writer->out, join);
        write_pat(writer, writer->rule->wheres[i].pat);
        buf_puts(writer->out, ", true.b)");
        join = " and same(";
    }
    uint64_t uniform = uniform_variables(writer->rule);
    for (uint32_t i = 0; i < DERIVE_VARIABLES && uniform >> i != 0; i++)
        if (uniform >> i & 1) {
            buf_printf(writer->out, "%s(uniform ?v%u), true.b)", join, i);
            join = " and same(";
        }
    buf_putc(writer->out, '\n');
}

static enum elem elem_of(enum domain domain, unsigned kinds)
{
    switch (domain) {
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
    struct plain_rules rules;
    struct cc graph;
    struct err err = {0};
    cc_init(&graph, false);
    plain_init(&rules);
    bool ok = plain_read(&rules, &graph, "rule", text, NULL, &err);
    plain_release(&rules);
    cc_release(&graph);
    return ok;
}

static bool is_variable(const struct rule *rule, uint32_t pat)
{
    const struct pat *pattern = &rule->pats[pat];
    return pattern->kind == PAT_SPLAT    ? is_variable(rule, pattern->args[0])
           : pattern->kind == PAT_TENSOR ? true
                                         : pattern->kind == PAT_SCALAR;
}

void op_set_add(struct op_set *ops, const struct rule *rule, uint32_t pat)
{
    const struct pat *pattern = &rule->pats[pat];
    if (pattern->kind == PAT_OP)
        ops->at[pattern->op / 64] |= UINT64_C(1) << pattern->op % 64;
    for (uint32_t i = 0; i < pattern->n_args; i++)
        op_set_add(ops, rule, pattern->args[i]);
}

void plain_compile(struct base_rule *rule, uint32_t number, enum domain domain, struct arena *mem)
{
    const struct rule *r = rule->rule;
    struct buf there = {0}, back = {0};
    uint8_t sort[DERIVE_TYPES] = {0};
    enum elem elem[DERIVE_TYPES];
    char name[16];
    if (not_plain(r, domain) != NULL || is_variable(r, r->lhs))
        return;
    // The reversed rule must not introduce variables or types that the right side
    // does not determine.
    bool turns = !is_variable(r, r->rhs) && variables(r, r->rhs) == variables(r, r->lhs);
    rule->kinds = domain == DOMAIN_BOOL ? 0 : domain_kinds(domain);
    for (uint32_t mask = 0; mask >> r->n_types == 0; mask++) {
        unsigned kinds = domain == DOMAIN_BOOL ? 0 : domain_kinds(domain);
        bool ok = true;
        for (uint32_t t = 0; ok && t < r->n_types; t++) {
            sort[t] = mask >> t & 1 ? SORT_BOOL : SORT_NUMBER;
            unsigned has = r->types[t].kinds & (sort[t] == SORT_BOOL    ? (unsigned)KIND_BOOL
                                                : domain == DOMAIN_BOOL ? 0
                                                                        : domain_kinds(domain));
            ok = has != 0;
            elem[t] = sort[t] == SORT_BOOL ? ELEM_I1 : elem_of(domain, has);
            if (sort[t] == SORT_NUMBER)
                kinds &= has;
        }
        if (!ok || !rule_may_fire(r, elem, domain == DOMAIN_FLOAT ? DOMAIN_FLOAT : DOMAIN_REAL,
                                  rule->status))
            continue;
        rule->kinds &= kinds;
        snprintf(name, sizeof name, "%u", number);
        struct plain_writer writer = {r, domain, sort, "?v", &there};
        write_rule(&writer, name, false);
        snprintf(name, sizeof name, "-%u", number);
        writer.out = &back;
        write_rule(&writer, name, true);
    }
    if (there.len > 0 && reads(buf_text(&there)))
        rule->plain = arena_strdup(mem, buf_text(&there));
    if (rule->plain != NULL && turns && reads(buf_text(&back)))
        rule->back = arena_strdup(mem, buf_text(&back));
    buf_release(&there);
    buf_release(&back);
    op_set_add(&rule->left, r, r->lhs);
    op_set_add(&rule->right, r, r->rhs);
    for (uint32_t i = 0; i < r->n_wheres; i++)
        op_set_add(&rule->right, r, r->wheres[i].pat);
}

bool plain_goal_make(const struct rule *rule, enum domain domain, struct plain_goal *goal,
                     const char **why)
{
    uint8_t sort[DERIVE_TYPES] = {0};
    uint32_t numbers = 0;
    *goal = (struct plain_goal){0};
    *why = not_plain(rule, domain);
    if (*why != NULL)
        return false;
    for (uint32_t t = 0; t < rule->n_types; t++) {
        unsigned has = domain == DOMAIN_BOOL ? 0 : rule->types[t].kinds & domain_kinds(domain);
        sort[t] = has != 0 ? SORT_NUMBER : SORT_BOOL;
        numbers += has != 0;
        goal->kinds |= has;
        if (has == 0 && !(rule->types[t].kinds & KIND_BOOL)) {
            *why = "the rule says nothing in the domain";
            return false;
        }
    }
    if (numbers > 1) {
        *why = "the rule has numbers of several types";
        return false;
    }
    struct plain_writer writer = {rule, domain, sort, "$", &goal->lhs};
    write_pat(&writer, rule->lhs);
    writer.out = &goal->rhs;
    write_pat(&writer, rule->rhs);
    uint64_t uniform = uniform_variables(rule);
    for (uint32_t i = 0; i < DERIVE_VARIABLES && uniform >> i != 0; i++)
        if (uniform >> i & 1) {
            struct buf buf = {0};
            buf_printf(&buf, "(uniform $%u)", i);
            vec_push(&goal->given, buf_detach(&buf));
        }
    for (uint32_t i = 0; i < rule->n_wheres; i++) {
        struct buf b = {0};
        writer.out = &b;
        write_pat(&writer, rule->wheres[i].pat);
        vec_push(&goal->given, buf_detach(&b));
    }
    return true;
}

void plain_goal_release(struct plain_goal *goal)
{
    buf_release(&goal->lhs);
    buf_release(&goal->rhs);
    for (uint32_t i = 0; i < goal->given.len; i++)
        mem_free(goal->given.at[i]);
    vec_release(&goal->given);
}
