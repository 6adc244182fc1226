// SPDX-License-Identifier: Apache-2.0
#include "cli/options/tables.h"

const struct command_table version_table = {
    .name = "version",
    .run = cmd_version,
    .summary = "Prints the version.",
    .description =
        "Prints the versions of the program, of its verifier and of the semantics of operators. "
        "Verdicts of another verifier or other semantics are stale. rankwright --version does the "
        "same.",
    .example = "rankwright version",
};
