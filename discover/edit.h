// SPDX-License-Identifier: Apache-2.0
// Small changes of a right side, one at a time.
#ifndef DISCOVER_EDIT_H
#define DISCOVER_EDIT_H

#include "discover/draft.h"

// Makes change number k; what it says is of the draft's memory.  NULL: there is
// no such number.  "": this number changes nothing.  What is made may be no
// rule.
const char *edit_make(struct draft *d, uint32_t k);

#endif
