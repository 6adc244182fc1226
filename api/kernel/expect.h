// SPDX-License-Identifier: Apache-2.0
// What somebody expects of a kernel (proof/kernel/expectation.h), proved or refuted.
#ifndef API_KERNEL_EXPECT_H
#define API_KERNEL_EXPECT_H

#include "api/kernel/kernel.h"
#include "proof/kernel/expectation.h"

enum kernel_expected_word {
    EXPECTED_PROVED,  // every obligation of the check holds for the expectation, and runs agree
    EXPECTED_REFUTED, // a run differs
    EXPECTED_UNKNOWN, // neither
};

// A formula, operator by operator as it is written, over symbols of its element.
struct kernel_written {
    uint32_t statement, n;
    ipoly index[OUTPUT_AXES]; // of the claim: over the members that write
    ipoly at[OUTPUT_AXES];
    lterm term;
    bool known; // the text has a meaning
};

struct kernel_expected {
    enum kernel_expected_word word;
    struct claim claim;
    struct expectation expectation;
    struct kernel_check check;
    struct validation validation;
    VEC(struct kernel_written) written; // the kernel's own formulas
    bool claimed, checked;
};

// Compares the job, which was lifted, with the expectation.  `array` is the name of the array that
// a bare formula is about; NULL: the only one.  Fails with ERR_INPUT if the text is malformed.
bool kernel_expect(struct kernel_job *job, const struct kernel_source *source, const char *text,
                   const char *array, struct kernel_expected *out, struct err *err);
// The parameter that is this array; NO_CODE: none, or the name is NULL.
uint32_t kernel_array_named(const struct code_program *program, const char *name);
// Appends the expectation with its named functions written out by the definitions of the database.
// *named: it has such functions; if db is NULL, then they stay, and the text is as it was.
struct db;
bool kernel_write_out(const struct kernel_job *job, const char *text, const char *array,
                      struct db *db, bool *named, struct buf *out, struct err *err);
void kernel_expected_release(struct kernel_expected *expected);
const char *kernel_expected_text(enum kernel_expected_word word);
// Lines: the word, what was compared, and why.
void kernel_put_expected(const struct kernel_job *job, const struct kernel_expected *expected,
                         struct buf *out);
// {"expected": "proved", "refuted" or "unknown", "text": those lines, "counterexample": ..}
char *kernel_expected_json(const struct kernel_job *job, const struct kernel_expected *expected);
// An output that has a formula, as an expectation of other kernels.
void kernel_put_expectation(struct kernel_job *job, const struct kernel_answer *answer,
                            struct buf *out);

// Replaces the outputs of the claim by those that the text expects, and checks them: all of a
// proof, for kernel_expect and for the check of a record.
bool kernel_check_expected(const struct code_program *program, const char *claim_text,
                           const char *text, const char *array, struct kernel_expected *out,
                           struct err *err);
// Keeps the claim's own formulas; before the expectation takes their places.
void kernel_keep_written(const struct code_program *program, struct kernel_expected *expected);
// Of what was proved: marks expectations without a value, of which that proof says nothing.
void kernel_expected_values(struct kernel_job *job, struct kernel_expected *expected);
// Are all obligations of all expected outputs proved, and has each of them a value?
bool kernel_expected_proved(const struct kernel_expected *expected);
// NULL: the expectation `which` has no partner in the claim.
const struct kernel_checked *kernel_expected_checked(const struct kernel_expected *expected,
                                                     uint32_t which);

#endif
