// SPDX-License-Identifier: Apache-2.0
#include "explorer/files/files.h"
#include "explorer/static_files.h"
#include <string.h>

const struct explorer_file explorer_files[] = {EXPLORER_STATIC_FILES};
const size_t n_explorer_files = sizeof explorer_files / sizeof *explorer_files;

const struct explorer_file *explorer_file_find(const char *name)
{
    for (size_t i = 0; i < n_explorer_files; i++)
        if (strcmp(explorer_files[i].name, name) == 0)
            return &explorer_files[i];
    return NULL;
}

const char *explorer_file_type(const char *name)
{
    static const char *const types[][2] = {
        {".css", "text/css; charset=utf-8"},
        {".js", "text/javascript; charset=utf-8"},
        {".svg", "image/svg+xml"},
        {".html", "text/html; charset=utf-8"},
        {".md", "text/plain; charset=utf-8"},
        {".rw", "text/plain; charset=utf-8"},
        {".json", "application/json"},
        {".smt2", "text/plain; charset=utf-8"},
    };
    size_t n = strlen(name);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        size_t m = strlen(types[i][0]);
        if (n > m && strcmp(name + n - m, types[i][0]) == 0)
            return types[i][1];
    }
    return "application/octet-stream";
}
