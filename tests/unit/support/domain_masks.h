// SPDX-License-Identifier: Apache-2.0
// For tests: masks of domains, short enough for tables of rules; to be included
// last.
#ifndef TESTS_UNIT_SUPPORT_DOMAIN_MASKS_H
#define TESTS_UNIT_SUPPORT_DOMAIN_MASKS_H

#include "rules/domain.h"

#define B (1U << DOMAIN_BOOL)
#define I (1U << DOMAIN_INT)
#define W (1U << DOMAIN_WORD)
#define R (1U << DOMAIN_REAL)
#define F (1U << DOMAIN_FLOAT)
#define NUM (I | W | R | F)
#define ALL (B | NUM)

#endif
