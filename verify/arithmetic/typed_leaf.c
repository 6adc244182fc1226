// SPDX-License-Identifier: Apache-2.0
// Leaves in which several machine types meet.
#include "rules/reasons.h"
#include "verify/arithmetic/machine_leaf.h"
#include "verify/obligations/element_types.h"

// Does the rule speak of these types?  They must have its literals and the order that it
// asks for.
static bool speaks_of(struct machine *machine, const struct leaf_survey *survey)
{
    if (!element_types_agree(machine->session->rule, machine->of))
        return false;
    for (uint32_t i = 0; i < survey->all.len; i++) {
        const struct expr *node = expr_at(&machine->session->exprs, survey->all.at[i]);
        if (expr_sort(&machine->session->exprs, survey->all.at[i]) != SORT_ELEM ||
            node->kind != X_LITERAL || node->op != LIT_INT || node->sym != 0)
            continue;
        enum elem elem = machine->of[node->type];
        if (elem != ELEM_OTHER && elem_kind(elem) != KIND_FLOAT && !elem_has_int(elem, node->k))
            return false;
    }
    return true;
}

// One combination of types.  A leaf of order and sign mostly rests on little of a conversion, so
// the facts about it are tried first; once they were not enough, they are not tried again.
static enum smt_answer at_types(struct machine *machine, const struct leaf *leaf,
                                const struct leaf_survey *survey, const char *note, bool *facts)
{
    uint32_t mark = smt_mark(&machine->session->smt);
    bool first = *facts;
    machine->loose = first ? &survey->all : NULL;
    bool proved = first && leaf_refute(machine, leaf, survey, note) == SMT_UNSAT;
    machine->loose = NULL;
    if (proved)
        return SMT_UNSAT;
    *facts = false;
    smt_forget(&machine->session->smt, mark);
    return leaf_refute(machine, leaf, survey, note);
}

bool typed_leaf(struct machine *machine, const struct leaf *leaf, const struct leaf_survey *survey)
{
    struct session *session = machine->session;
    enum elem choice[VERIFY_LEAF_TYPES][N_ELEMS];
    uint32_t n[VERIFY_LEAF_TYPES], at[VERIFY_LEAF_TYPES] = {0}, tried = 0, k = 0;
    enum elem *of = mem_alloc((session->rule->n_types + 1) * sizeof *of);
    bool proved = !survey->rough_literal && !survey->many;
    bool facts = survey->converts && !survey->beyond_order;
    session->reason = survey->many ? reason_TYPES : reason_LITERAL;
    for (uint32_t t = 0; t < session->rule->n_types; t++)
        of[t] = ELEM_OTHER;
    machine->of = of;
    for (uint32_t i = 0; i < survey->n_met; i++) {
        n[i] = element_types_of(session->rule, survey->met[i], machine->domain, choice[i]);
        proved = proved && n[i] > 0;
    }
    while (proved && k < survey->n_met) {
        struct buf where = {0};
        for (uint32_t i = 0; i < survey->n_met; i++) {
            of[survey->met[i]] = choice[i][at[i]];
            buf_printf(&where, "%s%s", i == 0 ? "" : ", ", elem_text(of[survey->met[i]]));
        }
        const char *note = session_text(session, "%s", buf_text(&where));
        buf_release(&where);
        if (speaks_of(machine, survey)) {
            tried++;
            proved = leaf_conclude(machine, at_types(machine, leaf, survey, note, &facts),
                                   leaf_all_operands(machine, survey)) &&
                     !leaf_never_finite(machine, leaf, survey);
        }
        if (proved && smt_spent(&session->smt)) {
            session->reason = session->smt.spent;
            proved = false;
        }
        for (k = 0; k < survey->n_met && ++at[k] == n[k]; k++)
            at[k] = 0;
    }
    if (proved && tried == 0) {
        session->reason = reason_NO_TYPE;
        proved = false;
    }
    machine->of = NULL;
    mem_free(of);
    return proved;
}
