// SPDX-License-Identifier: Apache-2.0
#include "rules/describe/describe.h"

struct kinds_words {
    unsigned kinds;
    const char *one, *many;
};

static const struct kinds_words words[] = {
    {KIND_SINT | KIND_UINT | KIND_FLOAT, "a number", "numbers"},
    {KIND_SINT | KIND_UINT, "an integer", "integers"},
    {KIND_SINT, "a signed integer", "signed integers"},
    {KIND_UINT, "an unsigned integer", "unsigned integers"},
    {KIND_SINT | KIND_FLOAT, "a signed number", "signed numbers"},
    {KIND_FLOAT, "a float", "floats"},
    {KIND_BOOL, "i1", "i1"},
    {KIND_BOOL | KIND_SINT | KIND_UINT, "i1 or an integer", "i1 or integers"},
};

static const char *kinds_word(unsigned kinds, bool one)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (words[i].kinds == kinds)
            return one ? words[i].one : words[i].many;
    return one ? "of another kind" : "elements of other kinds";
}

// "T a number", "the elements of A numbers", "c a number".
static void put_type(const struct rule *rule, uint32_t type, const char *verb, struct buf *out)
{
    unsigned kinds = rule->types[type].kinds;
    const char *name = rule->types[type].name;
    for (uint32_t i = 0; i < rule->n_scalars && *name == '\0'; i++)
        if (rule->scalars[i].type == type)
            name = rule->scalars[i].name;
    for (uint32_t i = 0; i < rule->n_tensors && *name == '\0'; i++)
        if (rule->tensors[i].type == type) {
            buf_printf(out, "the elements of %s%s %s", rule->tensors[i].name, *verb ? " are" : "",
                       kinds_word(kinds, false));
            return;
        }
    buf_printf(out, "%s%s %s", *name ? name : "some element", verb, kinds_word(kinds, true));
}

static unsigned literal_kinds(const struct pat *pattern)
{
    switch (pattern->lit) {
    case LIT_INT:
    case LIT_VALUE:
        return KIND_SINT | KIND_UINT | KIND_FLOAT;
    case LIT_DECIMAL:
    case LIT_INF:
    case LIT_PI:
        return KIND_FLOAT;
    case LIT_BOOL:
        return KIND_BOOL;
    case LIT_LOWEST:
    case LIT_HIGHEST:
    case LIT_UNIT:
        break;
    }
    return KIND_ANY;
}

static bool of_type(const struct rule *rule, const struct pat *pattern, uint32_t type)
{
    bool found = pattern->type == type;
    for (uint32_t i = 0; i < pattern->n_args && !found; i++)
        found = rule->pats[pattern->args[i]].type == type;
    return found;
}

// The literal or operator because of which the type has none of the kinds.  False if the type
// is declared so.
static bool put_cause(const struct rule *rule, uint32_t type, unsigned kinds, struct buf *out)
{
    for (uint32_t i = 0; i < rule->n_pats; i++) {
        const struct pat *pattern = &rule->pats[i];
        bool literal = pattern->kind == PAT_LITERAL && pattern->type == type &&
                       (literal_kinds(pattern) & kinds) == 0;
        bool op = pattern->kind == PAT_OP && of_type(rule, pattern, type) &&
                  (op_kinds(pattern->op) & kinds) == 0;
        if (!literal && !op)
            continue;
        buf_putc(out, '`');
        if (literal)
            pat_print(rule, i, out);
        else
            buf_puts(out, op_name(pattern->op));
        buf_puts(out, "` makes ");
        put_type(rule, type, "", out);
        return true;
    }
    return false;
}

// The type variable that keeps the rule out of the domain, or NONE.
static uint32_t culprit(const struct rule *rule, enum domain domain)
{
    uint32_t other = NONE;
    bool some = false;
    enum domain lives;
    for (uint32_t t = 0; t < rule->n_types; t++) {
        unsigned kinds = rule->types[t].kinds;
        if (!domain_of_kinds(kinds, domain, &lives))
            return t;
        if (kinds == KIND_BOOL)
            continue;
        some |= (kinds & domain_kinds(domain)) != 0;
        other = other == NONE ? t : other;
    }
    return some ? NONE : other;
}

static void put_why(const struct rule *rule, enum domain domain, struct buf *out)
{
    const struct pat *bits = rule_bits(rule, domain);
    uint32_t type = culprit(rule, domain);
    if (rule_defines(rule)) {
        buf_puts(out, "a definition is one of functions of reals");
    } else if (bits != NULL && type == NONE) {
        const char *name = op_name(
            op_has(bits->op, LAW_BITWISE) || !op_has_reducer(bits->op) ? bits->op : bits->reducer);
        buf_printf(out, "`%s` computes with bits", name);
    } else if (type == NONE) {
        buf_puts(out, "every element is i1");
    } else if (!put_cause(rule, type, domain_kinds(domain), out)) {
        put_type(rule, type, " is", out);
    }
}

static bool has_operand(const struct rule *rule, uint32_t type)
{
    bool found = rule->types[type].name[0] != '\0';
    for (uint32_t i = 0; i < rule->n_tensors && !found; i++)
        found = rule->tensors[i].type == type;
    for (uint32_t i = 0; i < rule->n_scalars && !found; i++)
        found = rule->scalars[i].type == type;
    return found;
}

// Does the rule's text keep it out of the domain, although the declared types do not?
static bool is_narrowed(const struct rule *rule, enum domain domain)
{
    uint32_t type = culprit(rule, domain);
    enum domain lives;
    return !rule_defines(rule) && type != NONE && has_operand(rule, type) &&
           domain_of_kinds(rule->types[type].declared, domain, &lives) && lives == domain;
}

void rule_narrowed(const struct rule *rule, struct buf *out)
{
    unsigned judged = rule_domains(rule);
    for (int d = 0; d < N_DOMAINS; d++) {
        if ((judged >> d & 1) != 0 || !is_narrowed(rule, (enum domain)d))
            continue;
        buf_printf(out, "%s: ", domain_text((enum domain)d));
        put_why(rule, (enum domain)d, out);
        buf_putc(out, '\n');
    }
}

void rule_not_judged(const struct rule *rule, struct buf *out)
{
    unsigned judged = rule_domains(rule);
    for (int d = 0; d < N_DOMAINS; d++) {
        if (judged >> d & 1)
            continue;
        buf_printf(out, "%s: ", domain_text((enum domain)d));
        put_why(rule, (enum domain)d, out);
        buf_putc(out, '\n');
    }
}
