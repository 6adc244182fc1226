// SPDX-License-Identifier: Apache-2.0
#include "rules/verdict.h"
#include <string.h>

static const struct {
    const char *name, *text;
} grades[] = {
    [GRADE_NONE] = {"none", ""},
    [GRADE_EXACT] = {"exact", "exact"},
    [GRADE_ZERO_SIGN] = {"zero-sign", "exact but for the sign of zero"},
    [GRADE_FINITE] = {"finite", "exact where no NaN or infinity occurs"},
    [GRADE_FINITE_ZERO_SIGN] = {"finite-zero-sign", "exact but for the sign of zero where no NaN "
                                                    "or infinity occurs"},
};

const char *grade_name(enum grade grade)
{
    return grades[grade].name;
}

const char *grade_text(enum grade grade)
{
    return grades[grade].text;
}

bool grade_by_name(const char *text, enum grade *out)
{
    for (int g = GRADE_NONE; g <= GRADE_FINITE_ZERO_SIGN; g++) {
        if (strcmp(text, grades[g].name) == 0) {
            *out = (enum grade)g;
            return true;
        }
    }
    return false;
}

const char *rung_text(enum rung rung)
{
    switch (rung) {
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

const char *obligation_kind_text(enum obligation_kind kind)
{
    switch (kind) {
    case OBLIGATION_NONEMPTY:
        return "nonempty";
    case OBLIGATION_VALID:
        return "valid";
    case OBLIGATION_SHAPE:
        return "shape";
    case OBLIGATION_ELEMENTS:
        return "elements";
    case OBLIGATION_DEFINED:
        return "defined";
    }
    return "elements";
}

bool obligation_kind_by_text(const char *text, enum obligation_kind *out)
{
    for (int k = OBLIGATION_NONEMPTY; k <= OBLIGATION_DEFINED; k++) {
        *out = (enum obligation_kind)k;
        if (strcmp(obligation_kind_text(*out), text) == 0)
            return true;
    }
    return false;
}

void report_release(struct report *report)
{
    for (uint32_t i = 0; i < report->domains.len; i++)
        vec_release(&report->domains.at[i].obligations);
    vec_release(&report->domains);
    vec_release(&report->remarks);
    arena_release(&report->mem);
}

bool report_remarks(const struct report *report, const char *text)
{
    for (uint32_t i = 0; i < report->remarks.len; i++)
        if (strcmp(report->remarks.at[i], text) == 0)
            return true;
    return false;
}

static bool starts(const char *text, const char *with)
{
    return text != NULL && strncmp(text, with, strlen(with)) == 0;
}

bool verdict_is_internal(const char *reason)
{
    return starts(reason, REASON_INTERNAL);
}

bool verdict_was_cut_short(const char *reason)
{
    return starts(reason, REASON_TIME) || starts(reason, REASON_MEMORY) ||
           starts(reason, REASON_DIED);
}

bool verdict_overrides(const char *reason)
{
    return verdict_is_internal(reason) || starts(reason, REASON_UNCONFIRMED);
}
