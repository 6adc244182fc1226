// SPDX-License-Identifier: Apache-2.0
// Findings of the library (include/rankwright/discovery.h) on standard output.
#ifndef CLI_FINDINGS_H
#define CLI_FINDINGS_H

#include "cli/door.h"

struct finding_printer {
    bool json;
    const char *records; // the folder of proof records; NULL: none
    struct err err;      // of the first finding that could not be printed
};
// For rw_context_on_finding, with a printer: prints the finding, writes its records.
bool print_finding(void *user, const struct rw_finding *finding);
// False: a finding could not be printed.
bool printed_findings(const struct finding_printer *printer, struct err *err);
size_t findings_of_kind(const struct rw_findings *findings, const char *kind);

#endif
