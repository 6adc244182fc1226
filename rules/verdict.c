// SPDX-License-Identifier: Apache-2.0
#include "rules/verdict.h"

const char *rung_text(enum rung r)
{
    switch (r) {
    case RUNG_NONE:
        return "none";
    case RUNG_UNINTERPRETED:
        return "uninterpreted";
    case RUNG_COMMUTATIVE:
        return "commutative";
    case RUNG_ARITHMETIC:
        return "arithmetic";
    }
    return "none";
}

const char *obligation_kind_text(enum obligation_kind k)
{
    switch (k) {
    case OBLIGATION_NONEMPTY:
        return "nonempty";
    case OBLIGATION_VALID:
        return "valid";
    case OBLIGATION_SHAPE:
        return "shape";
    case OBLIGATION_ELEMENTS:
        return "elements";
    }
    return "elements";
}

void report_release(struct report *r)
{
    for (uint32_t i = 0; i < r->domains.len; i++)
        vec_release(&r->domains.at[i].obligations);
    vec_release(&r->domains);
    vec_release(&r->remarks);
    arena_release(&r->mem);
}
