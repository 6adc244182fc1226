// SPDX-License-Identifier: Apache-2.0
// Limits of readers and printers of other formats.
#ifndef IO_LIMITS_H
#define IO_LIMITS_H

#include "base/limit.h"

// clang-format off
#define IO_LIMITS(X) \
    X(IO_LABEL, 60, "bytes", "of a label of a graph, before it is cut") \
    X(IO_JSON_DEPTH, 2048, "levels", "of nesting in JSON; the stack of open brackets is an array") \
    X(IO_MLIR_DEPTH, 200, "levels", "of brackets in MLIR: recursions over them stay shallow") \
    X(IO_HLO_DEPTH, 200, "levels", "of brackets in HLO: recursions over them stay shallow") \
    X(IO_ALIAS_DEPTH, 64, "levels", "of aliases that name aliases: a circle must end") \
    X(IO_ALIAS_TOKENS, 1 << 20, "tokens", \
      "that aliases may expand to, whatever the size of the file") \
    X(IO_ALIAS_FACTOR, 16, "times", "tokens that aliases may expand to, per token of the file") \
    X(IO_RESOURCES, 64, "MiB", "of data that resources may give, whatever the size of the file") \
    X(IO_RESOURCE_FACTOR, 4, "times", \
      "bytes of data that resources may give, per byte of the file") \
    X(IO_LIST_ELEMENTS, 64, "elements", "longer constants are printed as raw bytes") \
    X(IO_RESULTS, 1000000, "results", \
      "of one operation: a count in the text must not fill the memory") \
    X(IO_LOCAL_NAMES, 1 << 24, "names", "of values inside one opaque operation") \
    X(IO_OPERATION_NAME, 160, "bytes", "of the name of an operation, with its dialect") \
    X(IO_HLO_COPIES, 64, "times", "the instructions of an HLO text that are read as blocks of loops, which may share them") \
    X(IO_HLO_INNER, 100, "levels", "of instructions among operands of HLO, which the reader follows by recursion") \
    X(IO_TOKEN_SHOWN, 60, "bytes", "of a name that a message quotes") \
    X(IO_FOUND_SHOWN, 40, "bytes", "of a token that a message quotes as found")
// clang-format on

enum { IO_LIMITS(LIMIT_CONSTANT) };

extern const struct limit io_limits[];
extern const unsigned n_io_limits;

#endif
