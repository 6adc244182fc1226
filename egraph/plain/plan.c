// SPDX-License-Identifier: Apache-2.0
// In which order the atoms of a query are looked for.
#include "egraph/plain/plain.h"

uint32_t plain_uses(const struct plain_rule *rule, uint32_t var)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < rule->n_atoms; i++) {
        n += rule->atom[i].cls == var;
        for (uint32_t k = 0; k < rule->atom[i].n; k++)
            n += rule->atom[i].arg[k] == var;
    }
    return n;
}

static uint64_t binds(const struct plain_atom *atom)
{
    uint64_t m = UINT64_C(1) << atom->cls;
    for (uint32_t k = 0; k < atom->n; k++)
        m |= UINT64_C(1) << atom->arg[k];
    return m;
}

static bool known(uint64_t bound, uint32_t var)
{
    return bound >> var & 1;
}

// The order of the kinds.  Of a number's class a condition's atom may be a hidden node, which only
// an argument finds: so what is known of its class alone comes late.
static uint32_t rank(const struct plain_rule *rule, const struct plain_step *step)
{
    bool late = step->kind == STEP_DOWN && step->via == CC_NONE && step->atom >= rule->n_main;
    return late ? 2 * STEP_UP + 1 : 2 * (uint32_t)step->kind;
}

// The cheapest way to the next atom: a lookup, its class, an argument.
static struct plain_step next_step(const struct plain_rule *rule, uint64_t bound, const bool *done)
{
    struct plain_step best = {.kind = STEP_SCAN, .atom = CC_NONE};
    for (uint32_t i = 0; i < rule->n_atoms; i++) {
        const struct plain_atom *atom = &rule->atom[i];
        if (done[i])
            continue;
        struct plain_step step = {.kind = STEP_LOOKUP, .atom = i, .via = CC_NONE};
        for (uint32_t k = 0; k < atom->n; k++) {
            if (!known(bound, atom->arg[k]))
                step.kind = STEP_SCAN;
            else if (step.via == CC_NONE)
                step.via = k;
        }
        if (atom->op == ATOM_ANY)
            step.kind = known(bound, atom->cls) ? STEP_LOOKUP : STEP_SCAN;
        else if (step.kind == STEP_SCAN && known(bound, atom->cls))
            step.kind = STEP_DOWN;
        else if (step.kind == STEP_SCAN && step.via != CC_NONE)
            step.kind = STEP_UP;
        if (best.atom == CC_NONE || rank(rule, &step) < rank(rule, &best))
            best = step;
    }
    best.known = bound;
    return best;
}

// Atoms of conditions may be hidden nodes, of which classes do not tell.
static void add_checks(const struct plain_rule *rule, struct plain_step *step, uint32_t n,
                       const bool *done)
{
    uint64_t fresh = binds(&rule->atom[step->atom]) & ~step->known;
    step->check = ARENA_NEW(rule->plans->mem, struct step_check, n + 1);
    for (uint32_t i = 0; i < n; i++)
        if (!done[i] && i < rule->n_main && rule->atom[i].op != ATOM_ANY &&
            known(fresh, rule->atom[i].cls))
            step->check[step->n_checks++] =
                (struct step_check){rule->atom[i].cls, cc_op_bit(rule->atom[i].op)};
}

static void mark_same(const struct plain_rule *rule, struct plain_step *step)
{
    const struct plain_atom *atom = &rule->atom[step->atom];
    uint64_t bound = step->known | UINT64_C(1) << atom->cls;
    step->same = known(step->known, atom->cls);
    for (uint32_t k = 0; k < atom->n; k++) {
        step->same |= (uint64_t)known(bound, atom->arg[k]) << (k + 1);
        bound |= UINT64_C(1) << atom->arg[k];
    }
    step->n = atom->n;
    step->cls = atom->cls;
    step->a = atom->n > 0 ? atom->arg[0] : 0;
    step->b = atom->n > 1 ? atom->arg[1] : 0;
}

// The steps behind the first, or all.
static void fill(const struct plain_rule *rule, struct plain_step *step, uint32_t from,
                 uint64_t bound, bool *done)
{
    for (uint32_t k = from; k < rule->n_atoms; k++) {
        step[k] = next_step(rule, bound, done);
        step[k].age = from > 0 && step[k].atom < step[0].atom ? AGE_OLD : AGE_ANY;
        mark_same(rule, &step[k]);
        done[step[k].atom] = true;
        bound |= binds(&rule->atom[step[k].atom]);
        add_checks(rule, &step[k], rule->n_atoms, done);
    }
}

const struct plain_step *plain_steps(const struct plain_rule *rule, uint32_t first)
{
    struct plain_step **made = &rule->plans->step[first];
    if (*made != NULL)
        return *made;
    bool done[EGRAPH_PLAIN_ATOMS] = {false};
    struct plain_step *step = ARENA_NEW(rule->plans->mem, struct plain_step, rule->n_atoms);
    *made = step;
    if (first < rule->n_atoms) {
        step[0] = (struct plain_step){.kind = STEP_FIRST, .atom = first};
        mark_same(rule, &step[0]);
        done[first] = true;
        add_checks(rule, &step[0], rule->n_atoms, done);
        fill(rule, step, 1, binds(&rule->atom[first]), done);
    } else if (rule->left != CC_NONE) {
        fill(rule, step, 0, UINT64_C(1) << rule->left, done);
    }
    return step;
}

static bool guarded(const struct plain_rule *rule, uint32_t var)
{
    for (uint32_t i = 0; i < rule->n_guards; i++)
        for (uint32_t k = 0; k < rule->guard[i].n; k++)
            if (rule->guard[i].arg[k] == var && rule->guard[i].out == CC_NONE)
                return true;
    return false;
}

// plain_uses of every variable, none of which is counted beyond 2.
static void count_uses(const struct plain_rule *rule, uint8_t *uses)
{
    for (uint32_t i = 0; i < rule->n_atoms; i++) {
        const struct plain_atom *atom = &rule->atom[i];
        for (uint32_t k = 0; k < atom->n; k++)
            if (uses[atom->arg[k]] < 2)
                uses[atom->arg[k]]++;
        if (uses[atom->cls] < 2)
            uses[atom->cls]++;
    }
}

static void listen(struct cc *graph, struct plain_rule *rule)
{
    uint8_t uses[EGRAPH_PLAIN_VARIABLES] = {0};
    count_uses(rule, uses);
    for (uint32_t i = 0; i < rule->n_atoms; i++) {
        struct plain_atom *atom = &rule->atom[i];
        if (atom->op == ATOM_ANY)
            continue;
        if (uses[atom->cls] > 1)
            atom->listen |= CC_MOVED;
        if (guarded(rule, atom->cls))
            atom->listen |= CC_KNOWS;
        for (uint32_t k = 0; k < atom->n; k++) {
            if (uses[atom->arg[k]] > 1)
                atom->listen |= CC_REARGED;
            if (guarded(rule, atom->arg[k]))
                atom->listen |= CC_ARG_KNOWS;
        }
        graph->op.at[atom->op].listen |= atom->listen;
    }
}

void plain_plan(struct plain_rules *rules, struct cc *graph, struct plain_rule *rule)
{
    listen(graph, rule);
    rule->plans = ARENA_NEW(&rules->mem, struct plain_plans, 1);
    rule->plans->mem = &rules->mem;
    rule->plans->step = ARENA_NEW(&rules->mem, struct plain_step *, rule->n_atoms + 1);
}
