// SPDX-License-Identifier: Apache-2.0
// What a text or file is that a reader could not read.  A reader that has failed asks
// sniff_explain, which replaces the error if the file is plainly something else.
#ifndef BASE_TEXT_SNIFF_H
#define BASE_TEXT_SNIFF_H

#include "base/err.h"
#include <stddef.h>

enum text_kind {
    TEXT_UNKNOWN,
    TEXT_PROGRAM, // StableHLO text
    TEXT_RULES,
    TEXT_RECORD, // a proof record
    TEXT_EGRAPH, // an e-graph file
    TEXT_FORMULA,
    TEXT_JSON, // another one
    TEXT_DATABASE,
    TEXT_BYTECODE, // of MLIR
    TEXT_HLO,
    TEXT_DIALECT, // MLIR text of other dialects
    TEXT_ONNX,
    TEXT_COMPRESSED,
    TEXT_UTF16,
    TEXT_BINARY,
    TEXT_MARKUP, // HTML or XML
    TEXT_PYTHON,
    TEXT_VERDICTS, // lines of provers; only expected, never found
};

// Is the first word, behind blanks and comments, HloModule?
bool text_is_hlo(const char *at, size_t n);
enum text_kind text_sniff(const char *text, size_t n);
// Call after a reader of `expected` has failed and has written *err.
void sniff_explain(const char *text, size_t n, enum text_kind expected, struct err *err);

#endif
