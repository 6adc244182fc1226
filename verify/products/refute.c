// SPDX-License-Identifier: Apache-2.0
#include "verify/limits.h"
#include "verify/products/parts.h"

// Asks whether the statements, and one more (NULL: none), contradict each other.
static bool contradicts(struct products *products, bool deep, Z3_ast more)
{
    struct smt *smt = &products->session->smt;
    uint32_t mark = smt_mark(smt);
    smt_open(smt);
    for (uint32_t i = 0; i < products->asserted.len; i++)
        smt_assert(smt, products_linear(products, products->asserted.at[i]));
    if (more != NULL)
        smt_assert(smt, products_linear(products, more));
    laws_assert(products, deep);
    if (!products->too_large && smt_check(smt) == SMT_UNSAT)
        return true;
    smt_forget(smt, mark);
    return false;
}

// Guards that are false in the model of the last query may fail.
static void drop_false(struct products *products)
{
    for (uint32_t i = 0; i < products->fact.len; i++) {
        const struct fact fact = products->fact.at[i];
        if (fact.open &&
            smt_is_false(&products->session->smt, products_linear(products, fact.guard)))
            products->fact.at[i].open = false; // the vector may have grown
    }
}

// Equations whose guard cannot fail hold.  The last query was not contradictory.  False: there are
// no new ones.
static bool prove_guards(struct products *products, bool deep)
{
    uint32_t asked = 0;
    bool any = false;
    for (uint32_t i = 0; i < products->fact.len; i++) {
        struct fact *fact = &products->fact.at[i];
        fact->open = !fact->holds && basis_reduce(products, fact->zero).n > 0;
    }
    drop_false(products);
    for (uint32_t i = 0; i < products->fact.len && asked < VERIFY_PRODUCTS_GUARDS; i++) {
        const struct fact fact = products->fact.at[i];
        if (!fact.open)
            continue;
        asked++;
        bool holds = contradicts(products, deep, Z3_mk_not(products->context, fact.guard));
        products->fact.at[i].open = false; // the vector may have grown
        products->fact.at[i].holds = holds;
        any |= holds;
        if (!holds)
            drop_false(products);
    }
    return any;
}

static bool refute(struct products *products)
{
    bool more = true;
    if (!products_read(products) || products->unknown.len > VERIFY_PRODUCTS_UNKNOWNS)
        return false;
    settle_all(products);
    for (uint32_t i = 0; i < products->fact.len; i++)
        products->fact.at[i].holds = truth_of(products, products->fact.at[i].guard) == TRUTH_TRUE;
    // Few laws, as long as that proves guards; and once many.
    for (unsigned round = 0; round < VERIFY_PRODUCTS_ROUNDS && more; round++) {
        basis_make(products);
        products_forget_linear(products);
        products->most = VERIFY_PRODUCTS_FEW_LAWS;
        if (contradicts(products, round > 0, NULL))
            return true;
        if (products->too_large || smt_spent(&products->session->smt))
            return false;
        more = prove_guards(products, round > 0) || round == 0;
    }
    products->most = VERIFY_PRODUCTS_LAWS;
    return contradicts(products, true, NULL);
}

bool products_refute(struct session *session, const char *note)
{
    struct smt *smt = &session->smt;
    struct products products;
    uint32_t mark = smt_mark(smt);
    const char *why = smt->why;
    products_init(&products, session);
    smt->note = session_text(session, "%s%sproducts as unknowns, with laws of ordered fields", note,
                             note[0] == '\0' ? "" : ": ");
    bool refuted = refute(&products);
    if (!refuted) {
        smt_forget(smt, mark);
        smt->why = why;
    }
    products_release(&products);
    return refuted;
}
