// SPDX-License-Identifier: Apache-2.0
// Records of lifted kernels: the kernel, what the caller said, the claim, what was expected, and
// how formulas were simplified.
#ifndef API_KERNEL_RECORD_H
#define API_KERNEL_RECORD_H

#include "api/kernel/expect.h"
#include "api/records/records.h"

// The text that kernel_check_record reads: the kernel, what the caller says, the claim.
void kernel_record(const struct kernel_job *job, const struct kernel_source *source,
                   struct buf *out);
// Further parts, behind it.  `array` may be NULL.
void kernel_record_expect(const char *text, const char *array, struct buf *out);
void kernel_record_simplify(const char *record, size_t n, struct buf *out);
bool is_kernel_record(const char *text, size_t n);

struct kernel_record_check {
    const char *kernel;         // the text that the record must be of; NULL: any
    struct rw_context *context; // of the records of formulas in it
    const struct rw_check_options *options;
};
// Checks the record without the finder.  Appends lines for each output.  *valid is false if an
// obligation of one does not hold, a formula's record is rejected or of no output, or the record
// is of another kernel.  Fails with ERR_INPUT if the text is no record.
bool kernel_check_record(const char *text, size_t n, const char *file,
                         const struct kernel_record_check *check, struct buf *lines, bool *valid,
                         struct err *err);
// The same with what is proved and how: as text, or as a page of HTML.
bool kernel_explain_record(const char *text, size_t n, const char *file,
                           const struct kernel_record_check *check, bool html, struct buf *out,
                           bool *valid, struct err *err);

#endif
