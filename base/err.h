// SPDX-License-Identifier: Apache-2.0
// Failures.  A function that can fail returns bool and takes `struct err *err`.
// The function that detects the failure writes *err; its callers pass it on.  Bugs abort
// (assert, BUG); answers such as "unknown" are enum values, never failures.
// Messages and names of files may hold foreign texts: they are stored printable
// (base/character.h).
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include <stdbool.h>
#include <stdint.h>

enum err_kind {
    ERR_NONE,
    ERR_USAGE, // wrong command line
    ERR_INPUT, // a file, record or text is malformed
    ERR_IO,    // the operating system refused
    ERR_PIPE,  // nobody reads standard output any more
    ERR_DB,    // the database refused
    ERR_LIMIT, // a budget ran out
    ERR_CHECK, // an invariant or a proof step does not hold
    ERR_BUG,   // rankwright contradicts itself
};

struct err {
    enum err_kind kind;
    uint32_t line, col; // 1-based; 0 = no place
    // "" = no file.  Of ERR_USAGE the option that is wrong, by its name in the library; of a
    // rejection (ERR_CHECK) the option that could help.
    char file[256];
    char msg[768];
    char excerpt[640]; // the line of the text with a mark under the place; "" = none
    char hint[384];    // what to write instead; "" = nothing known
};

#define PRINTF_LIKE(f, a) __attribute__((format(printf, f, a)))

// Writes *err (unless it already holds an error) and returns false.
bool err_set(struct err *err, enum err_kind kind, const char *fmt, ...) PRINTF_LIKE(3, 4);
// The same with a place in a text.
bool err_at(struct err *err, enum err_kind kind, const char *file, uint32_t line, uint32_t col,
            const char *fmt, ...) PRINTF_LIKE(6, 7);
// Adds a hint to an error that has none; returns false.
bool err_hint(struct err *err, const char *fmt, ...) PRINTF_LIKE(2, 3);
// The file of an error whose place is known: NULL for none.
void err_in(struct err *err, const char *file);
// Puts the file in front of the message, for those who show messages alone.
void err_name_file(struct err *err);
void err_clear(struct err *err);

#define BUG(...) bug_abort(__FILE__, __LINE__, __VA_ARGS__)
_Noreturn void bug_abort(const char *file, int line, const char *fmt, ...) PRINTF_LIKE(3, 4);

// Says what was wanted, and ends the process with EXIT_NO_MEMORY at once: nothing is
// flushed or unwound, so files and databases stay as they were.
enum { EXIT_NO_MEMORY = 74 };
_Noreturn void out_of_memory(const char *fmt, ...) PRINTF_LIKE(1, 2);

#endif
