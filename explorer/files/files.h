// SPDX-License-Identifier: Apache-2.0
// The files of explorer/static/ and the documents that pages show, which are part of the program.
#ifndef EXPLORER_FILES_FILES_H
#define EXPLORER_FILES_FILES_H

#include <stddef.h>

struct explorer_file {
    const char *name;           // without a folder
    const unsigned char *bytes; // a zero stands behind them
    size_t size;
};
extern const struct explorer_file explorer_files[];
extern const size_t n_explorer_files;

// NULL: no such file.
const struct explorer_file *explorer_file_find(const char *name);
// The type of the contents, by the name's suffix: "text/css; charset=utf-8".
const char *explorer_file_type(const char *name);

#endif
