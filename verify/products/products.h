// SPDX-License-Identifier: Apache-2.0
// Contradictions between statements about reals with products of unknowns (docs/proving.md,
// products).  The solver's own algebra of reals is not used: it calls some systems contradictory
// that are not, looks for some answers for ever, and counts no steps.
//
// R1  The solver is asked about linear statements alone.  Each monomial is an unknown of its own
//     there, so what is contradictory for the solver is contradictory for every product.
// R2  What is asserted besides the statements are laws of ordered fields: an equation times a
//     monomial, and the sign of a product by the signs of its factors.
#ifndef VERIFY_PRODUCTS_PRODUCTS_H
#define VERIFY_PRODUCTS_PRODUCTS_H

#include "verify/obligations/session.h"

// Do the statements of the solver's open query contradict each other?  False: not known.  The
// query is closed.  The trail gets the queries of a proof, with the note, and nothing else.
bool products_refute(struct session *session, const char *note);

#endif
