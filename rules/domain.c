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

const char *domain_text(enum domain d)
{
    return domain_names[d];
}

bool domain_by_text(const char *s, enum domain *out)
{
    for (int d = 0; d < N_DOMAINS; d++) {
        if (strcmp(s, domain_names[d]) == 0) {
            *out = (enum domain)d;
            return true;
        }
    }
    return false;
}

const char *verdict_text(enum verdict v)
{
    return verdict_names[v];
}

bool verdict_by_text(const char *s, enum verdict *out)
{
    for (int v = VERDICT_UNKNOWN; v <= VERDICT_REFUTED; v++) {
        if (strcmp(s, verdict_names[v]) == 0) {
            *out = (enum verdict)v;
            return true;
        }
    }
    return false;
}

unsigned domain_kinds(enum domain d)
{
    switch (d) {
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

bool domain_of_elem(enum elem t, enum domain float_mode, enum domain *out)
{
    switch (elem_kind(t)) {
    case KIND_BOOL:
        *out = DOMAIN_BOOL;
        return true;
    case KIND_SINT:
    case KIND_UINT:
        *out = t == ELEM_INT ? DOMAIN_INT : DOMAIN_WORD;
        return true;
    case KIND_FLOAT:
        *out = t == ELEM_REAL ? DOMAIN_REAL : float_mode;
        return true;
    default:
        return false;
    }
}

bool domain_of_kinds(unsigned kinds, enum domain d, enum domain *out)
{
    static const enum domain other[N_DOMAINS] = {
        [DOMAIN_BOOL] = N_DOMAINS,    [DOMAIN_INT] = DOMAIN_REAL,
        [DOMAIN_WORD] = DOMAIN_FLOAT, [DOMAIN_REAL] = DOMAIN_INT,
        [DOMAIN_FLOAT] = DOMAIN_WORD,
    };
    if (kinds == KIND_BOOL)
        *out = DOMAIN_BOOL;
    else if (kinds & domain_kinds(d))
        *out = d;
    else if (other[d] != N_DOMAINS && (kinds & domain_kinds(other[d])))
        *out = other[d];
    else
        return false;
    return true;
}

// Mathematical integers and reals have no bits to read anew.
static bool reads_bits(const struct rule *r)
{
    for (uint32_t i = 0; i < r->n_pats; i++)
        if (r->pats[i].kind == PAT_OP && r->pats[i].op == OP_BITCAST_CONVERT)
            return true;
    return false;
}

// Operators on the bits of machine words.
static bool is_bitwise(enum op op)
{
    switch (op) {
    case OP_AND:
    case OP_OR:
    case OP_XOR:
    case OP_NOT:
    case OP_SHIFT_LEFT:
    case OP_SHIFT_RIGHT_LOGICAL:
    case OP_SHIFT_RIGHT_ARITHMETIC:
    case OP_POPCNT:
    case OP_COUNT_LEADING_ZEROS:
        return true;
    default:
        return false;
    }
}

// Does it compute with the bits of integers?  Truth values have no others.
static bool computes_bits(const struct rule *r)
{
    for (uint32_t i = 0; i < r->n_pats; i++) {
        const struct pat *p = &r->pats[i];
        if (p->kind != PAT_OP || p->type >= r->n_types ||
            (r->types[p->type].kinds & (KIND_SINT | KIND_UINT)) == 0)
            continue;
        bool folds = p->op == OP_REDUCE || p->op == OP_REDUCE_WINDOW ||
                     p->op == OP_SCATTER;
        if (is_bitwise(p->op) || (folds && is_bitwise(p->reducer)))
            return true;
    }
    return false;
}

// A domain applies if some type variable has a kind in it and every other one
// lives in it or beside it (domain_of_kinds).
unsigned rule_domains(const struct rule *r)
{
    unsigned mask = 0;
    bool only_bool = true;
    for (uint32_t t = 0; t < r->n_types; t++)
        only_bool = only_bool && r->types[t].kinds == KIND_BOOL;
    if (only_bool)
        return rule_defines(r) ? 0 : 1u << DOMAIN_BOOL;
    for (int d = 0; d < N_DOMAINS; d++) {
        bool some = false, all = true;
        for (uint32_t t = 0; t < r->n_types; t++) {
            unsigned kinds = r->types[t].kinds;
            enum domain in;
            some = some || (kinds != KIND_BOOL &&
                            (kinds & domain_kinds((enum domain)d)));
            all = all && domain_of_kinds(kinds, (enum domain)d, &in);
        }
        if (some && all)
            mask |= 1u << d;
    }
    if (reads_bits(r))
        mask &= ~(1u << DOMAIN_INT | 1u << DOMAIN_REAL);
    if (computes_bits(r))
        mask &= ~(1u << DOMAIN_INT);
    if (rule_defines(r)) // a function of real tensors
        mask &= 1u << DOMAIN_REAL;
    return mask;
}

static bool only_moves(enum op op)
{
    switch (op) {
    case OP_BROADCAST_IN_DIM:
    case OP_REVERSE:
    case OP_SLICE:
    case OP_PAD:
    case OP_CONCATENATE:
    case OP_RESHAPE:
        return true;
    default: // run-time places: which elements move depends on values
        return false;
    }
}

bool rule_type_is_place(const struct rule *r, uint32_t type)
{
    bool read = false;
    for (uint32_t i = 0; i < r->n_wider; i++)
        if (r->wider[i].wide == type || r->wider[i].narrow == type)
            return false;
    for (uint32_t i = 0; i < r->n_opvars; i++)
        for (uint32_t k = 0; k <= r->opvars[i].n_args; k++)
            if (type == (k == r->opvars[i].n_args ? r->opvars[i].result
                                                  : r->opvars[i].args[k]))
                return false;
    for (uint32_t i = 0; i < r->n_pats; i++) {
        const struct pat *n = &r->pats[i];
        bool moves =
            n->kind != PAT_LITERAL && (n->kind != PAT_OP || only_moves(n->op));
        bool indexes =
            n->kind == PAT_OP && (n->op == OP_GATHER || n->op == OP_SCATTER);
        if (n->type == type && !moves)
            return false;
        for (uint32_t k = 0; k < n->n_args; k++) {
            if (r->pats[n->args[k]].type != type || n->type == type)
                continue;
            if (!indexes || k != 1)
                return false;
            read = true;
        }
    }
    return read;
}

bool rule_only_moves(const struct rule *r)
{
    for (uint32_t i = 0; i < r->n_pats; i++) {
        const struct pat *n = &r->pats[i];
        if (n->kind == PAT_OPVAR ||
            (n->kind == PAT_LITERAL && n->lit == LIT_VALUE) ||
            (n->kind == PAT_OP && !only_moves(n->op)))
            return false;
    }
    return true;
}
