// SPDX-License-Identifier: Apache-2.0
#include "rules/domain.h"
#include "rules/rule.h"

static const char *const domain_names[N_DOMAINS] = {
    [DOMAIN_BOOL] = "bool", [DOMAIN_INT] = "int",     [DOMAIN_WORD] = "word",
    [DOMAIN_REAL] = "real", [DOMAIN_FLOAT] = "float",
};
static const char *const verdict_names[] = {
    [VERDICT_UNKNOWN] = "unknown",
    [VERDICT_PROVED] = "proved",
    [VERDICT_REFUTED] = "refuted",
};

const char *domain_text(enum domain domain)
{
    return domain_names[domain];
}

bool domain_by_text(const char *text, enum domain *out)
{
    for (int d = 0; d < N_DOMAINS; d++) {
        if (strcmp(text, domain_names[d]) == 0) {
            *out = (enum domain)d;
            return true;
        }
    }
    return false;
}

static const char *const reading_names[N_READINGS] = {
    [READ_FLOAT] = "float", [READ_FLOAT_SUMS] = "float-sums", [READ_REAL] = "real"};

const char *reading_text(enum float_reading reading)
{
    return reading_names[reading];
}

bool reading_by_text(const char *text, enum float_reading *out)
{
    for (int r = 0; r < N_READINGS; r++) {
        if (strcmp(text, reading_names[r]) == 0) {
            *out = (enum float_reading)r;
            return true;
        }
    }
    return false;
}

const char *reading_words(enum float_reading reading)
{
    static const char *const words[N_READINGS] = {
        [READ_FLOAT] = "IEEE, bit for bit",
        [READ_FLOAT_SUMS] = "IEEE, bit for bit if a sum depends on its terms alone",
        [READ_REAL] = "taken as real numbers"};
    return words[reading];
}

enum domain reading_domain(enum float_reading reading)
{
    return reading == READ_REAL ? DOMAIN_REAL : DOMAIN_FLOAT;
}

const char *verdict_text(enum verdict verdict)
{
    return verdict_names[verdict];
}

bool verdict_by_text(const char *text, enum verdict *out)
{
    for (int v = VERDICT_UNKNOWN; v <= VERDICT_REFUTED; v++) {
        if (strcmp(text, verdict_names[v]) == 0) {
            *out = (enum verdict)v;
            return true;
        }
    }
    return false;
}

unsigned domain_kinds(enum domain domain)
{
    switch (domain) {
    case DOMAIN_BOOL:
        return KIND_BOOL;
    case DOMAIN_INT:
    case DOMAIN_WORD:
        return KIND_SINT | KIND_UINT;
    case DOMAIN_REAL:
    case DOMAIN_FLOAT:
        return KIND_FLOAT;
    case N_DOMAINS:
        break;
    }
    return 0;
}

bool domain_of_elem(enum elem elem, enum domain float_mode, enum domain *out)
{
    switch (elem_kind(elem)) {
    case KIND_BOOL:
        *out = DOMAIN_BOOL;
        return true;
    case KIND_SINT:
    case KIND_UINT:
        *out = elem == ELEM_INT ? DOMAIN_INT : DOMAIN_WORD;
        return true;
    case KIND_FLOAT:
        *out = elem == ELEM_REAL ? DOMAIN_REAL : float_mode;
        return true;
    default:
        return false;
    }
}

bool domain_of_kinds(unsigned kinds, enum domain domain, enum domain *out)
{
    static const enum domain other[N_DOMAINS] = {
        [DOMAIN_BOOL] = DOMAIN_WORD, [DOMAIN_INT] = DOMAIN_REAL,   [DOMAIN_WORD] = DOMAIN_FLOAT,
        [DOMAIN_REAL] = DOMAIN_INT,  [DOMAIN_FLOAT] = DOMAIN_WORD,
    };
    if (kinds == KIND_BOOL)
        *out = DOMAIN_BOOL;
    else if (kinds & domain_kinds(domain))
        *out = domain;
    else if (kinds & domain_kinds(other[domain]))
        *out = other[domain];
    else
        return false;
    return true;
}

// Does the pattern compute with the bits of integers?  Operators on truth values do not
// count: their one bit is the value.
static bool computes_bits(const struct rule *rule, const struct pat *pattern)
{
    if (pattern->kind != PAT_OP || pattern->type >= rule->n_types ||
        (rule->types[pattern->type].kinds & (KIND_SINT | KIND_UINT)) == 0)
        return false;
    return op_has(pattern->op, LAW_BITWISE) ||
           (op_has_reducer(pattern->op) && op_has(pattern->reducer, LAW_BITWISE));
}

// Mathematical integers and reals have no bits.
const struct pat *rule_bits(const struct rule *rule, enum domain domain)
{
    for (uint32_t i = 0; i < rule->n_pats; i++) {
        const struct pat *pattern = &rule->pats[i];
        bool cast = pattern->kind == PAT_OP && pattern->op == OP_BITCAST_CONVERT;
        unsigned from = cast ? rule->types[rule->pats[pattern->args[0]].type].kinds : 0;
        unsigned to = cast ? rule->types[pattern->type].kinds : 0;
        if ((domain == DOMAIN_BOOL && ((from ^ to) & KIND_BOOL)) || // one bit, and more
            (domain == DOMAIN_INT && (cast || computes_bits(rule, pattern))) ||
            (domain == DOMAIN_REAL && cast))
            return pattern;
    }
    return NULL;
}

// A domain applies if some type variable has a kind in the domain, and every type
// variable lives in the domain or in its counterpart (domain_of_kinds).
unsigned rule_domains(const struct rule *rule)
{
    unsigned mask = 0;
    bool only_bool = true;
    for (uint32_t t = 0; t < rule->n_types; t++)
        only_bool = only_bool && rule->types[t].kinds == KIND_BOOL;
    if (only_bool)
        return rule_defines(rule) ? 0 : 1u << DOMAIN_BOOL;
    for (int d = 0; d < N_DOMAINS; d++) {
        bool some = false, all = true;
        for (uint32_t t = 0; t < rule->n_types; t++) {
            unsigned kinds = rule->types[t].kinds;
            enum domain in;
            some = some || (kinds != KIND_BOOL && (kinds & domain_kinds((enum domain)d)));
            all = all && domain_of_kinds(kinds, (enum domain)d, &in);
        }
        if (some && all && rule_bits(rule, (enum domain)d) == NULL)
            mask |= 1u << d;
    }
    if (rule_defines(rule)) // a function of real tensors
        mask &= 1u << DOMAIN_REAL;
    return mask;
}

// Elements come from places that do not depend on values.
static bool only_moves(enum op op)
{
    return op_info(op)->flow == FLOW_MOVE;
}

bool rule_type_is_place(const struct rule *rule, uint32_t type)
{
    bool read = false;
    for (uint32_t i = 0; i < rule->n_wider; i++)
        if (rule->wider[i].wide == type || rule->wider[i].narrow == type)
            return false;
    for (uint32_t i = 0; i < rule->n_opvars; i++)
        for (uint32_t k = 0; k <= rule->opvars[i].n_args; k++)
            if (type ==
                (k == rule->opvars[i].n_args ? rule->opvars[i].result : rule->opvars[i].args[k]))
                return false;
    for (uint32_t i = 0; i < rule->n_pats; i++) {
        const struct pat *pattern = &rule->pats[i];
        bool moves =
            pattern->kind != PAT_LITERAL && (pattern->kind != PAT_OP || only_moves(pattern->op));
        bool indexes =
            pattern->kind == PAT_OP && (pattern->op == OP_GATHER || pattern->op == OP_SCATTER);
        if (pattern->type == type && !moves)
            return false;
        for (uint32_t k = 0; k < pattern->n_args; k++) {
            if (rule->pats[pattern->args[k]].type != type || pattern->type == type)
                continue;
            if (!indexes || k != 1)
                return false;
            read = true;
        }
    }
    return read;
}

bool rule_only_moves(const struct rule *rule)
{
    for (uint32_t i = 0; i < rule->n_pats; i++) {
        const struct pat *pattern = &rule->pats[i];
        if (pattern->kind == PAT_OPVAR ||
            (pattern->kind == PAT_LITERAL && pattern->lit == LIT_VALUE) ||
            (pattern->kind == PAT_OP && !only_moves(pattern->op)))
            return false;
    }
    return true;
}
