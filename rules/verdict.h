// SPDX-License-Identifier: Apache-2.0
// The verifier's report on a rule, domain by domain: plain data that verify/ fills,
// db/ stores and cli/ prints.  Strings belong to `mem` of the report.
#ifndef RULES_VERDICT_H
#define RULES_VERDICT_H

#include "base/memory/arena.h"
#include "base/memory/vec.h"
#include "rules/domain.h"

// Change a version when a verdict could change.  Stored verdicts of another version
// are stale.
#define VERIFIER_VERSION "16"
#define SEMANTICS_VERSION "1"

// The start of a reason that only a bug of the program or of a solver can give.
#define REASON_INTERNAL "internal: "
bool verdict_is_internal(const char *reason);
// The start of the reason of an unknown verdict when an earlier verdict was to be
// confirmed.
#define REASON_UNCONFIRMED "not confirmed: "
// The remark of a proof that assumes correctly rounded functions such as exp.
#define REASON_ROUNDED "with correctly rounded functions"
// The starts of the reasons of a verdict that a limit of seconds or of memory cut short, or
// the death of a worker.
#define REASON_TIME "time"
#define REASON_MEMORY "memory"
#define REASON_DIED "the worker died"
// Did one of these cut the proof short?  Then another run may say more, on this machine or on
// another one.
bool verdict_was_cut_short(const char *reason);
// Does an unknown verdict say that an earlier verdict must not stand?
bool verdict_overrides(const char *reason);

// The weakest assumptions about element operators under which a rule was proved.
// Each rung assumes more than the one before.
enum rung {
    RUNG_NONE,          // not proved
    RUNG_UNINTERPRETED, // operators are arbitrary functions: bit-exact
    RUNG_COMMUTATIVE,   // operators are arbitrary, but commutative where StableHLO's are
    RUNG_ARITHMETIC,    // the domain's own arithmetic
};
const char *rung_text(enum rung rung);

// The statement that holds of a rule in the domain `float`, from strong to weak.
// Only GRADE_EXACT makes the rule proved.  In GRADE_FINITE all arguments and all
// intermediate results are finite.
enum grade {
    GRADE_NONE, // none of these is known
    GRADE_EXACT,
    GRADE_ZERO_SIGN,        // exact except for the sign of zero
    GRADE_FINITE,           // exact where no NaN or infinity occurs
    GRADE_FINITE_ZERO_SIGN, // both exceptions
};
const char *grade_name(enum grade grade); // "none", "exact", "zero-sign", ...
const char *grade_text(enum grade grade); // in words; "" for none
bool grade_by_name(const char *text, enum grade *out);

enum obligation_kind {
    OBLIGATION_NONEMPTY, // preconditions satisfiable, some tensor not empty
    OBLIGATION_VALID,    // right side well-defined
    OBLIGATION_SHAPE,    // same shape
    OBLIGATION_ELEMENTS, // same element at every index
    OBLIGATION_DEFINED,  // the right side has a value wherever the left side has one
};
const char *obligation_kind_text(enum obligation_kind kind);
bool obligation_kind_by_text(const char *text, enum obligation_kind *out);

struct obligation {
    enum obligation_kind kind;
    const char *ranks;  // "x=1 y=0"
    const char *detail; // e.g. which condition of the right side
    enum verdict verdict;
    const char *reason; // for unknown
    double seconds;
    uint64_t effort; // solver resource units
};

struct domain_report {
    enum domain domain;
    bool claimed;
    enum verdict verdict;
    enum rung rung;
    enum grade grade;   // in float; GRADE_NONE elsewhere
    const char *reason; // unknown: why; proved: "" or a remark
    // Unknown over the reals: preconditions on elements with which the rule is proved, as a `where`
    // has them; NULL: none.
    const char *advice;
    const char *method;    // "rank-bounded", "and-closure", "coefficients",
                           // "definition"
    const char *bound;     // JSON {"x": 2, ...}
    const char *bound_why; // text: how the bound follows from the rule
    uint32_t instances;
    VEC(struct obligation) obligations;
    const char *solver; // "z3 4.8.12"
    double seconds;
    // refuted: JSON object {"ranks":{class:rank}, "maps":{name:[..]},
    // "types":{var:elem}, "tensors":{name:{"type":"tensor<..>","data":[..]}},
    // "scalars":{name:value}, "failure":"elements|shape|right side invalid",
    // "index":[..], "lhs":.., "rhs":.., "text":"one line"}; NULL else
    const char *counterexample;
};

struct report {
    struct arena mem;
    VEC(struct domain_report) domains;
    uint64_t peak_kib;         // peak memory of the process so far; 0: not known
    VEC(const char *) remarks; // vacuous, same sides, cannot run, ...
};
void report_release(struct report *r);
// Is the text one of the report's remarks?
bool report_remarks(const struct report *r, const char *text);

#endif
