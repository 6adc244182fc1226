// SPDX-License-Identifier: Apache-2.0
// What could make a rejected record valid: the place (base/err.h) of such a rejection.  The
// words are members of struct rw_check_options.
#ifndef PROOF_REMEDY_H
#define PROOF_REMEDY_H

#define REMEDY_REPROVE "reprove"
#define REMEDY_ASSUMED "assumed"

#endif
