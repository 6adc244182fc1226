// SPDX-License-Identifier: Apache-2.0
// Shared libraries of the system that are loaded when they are first needed.  A library that is
// linked costs every start of the program the loading of all those that it needs
// (bench/start.py).
//
// A caller declares the functions as pointers of the types that the library's header gives them,
// and is the only one that names the functions.
#ifndef BASE_SHARED_LIBRARY_H
#define BASE_SHARED_LIBRARY_H

#include "base/err.h"

#include <stddef.h>

struct shared_function {
    const char *name;
    void *pointer; // the caller's pointer to the function
};
// `file` is the name by which the dynamic linker finds the library, `package` what Debian calls
// the package to build with.
struct shared_library {
    const char *file, *package;
    size_t n_functions;
    const struct shared_function *functions;
};

// Loads the library, unless this process has it, and sets the pointers. The library stays until the
// process ends. Fails with ERR_IO if the library or one of the functions is missing. May be called by
// several threads at a time.
bool shared_library_load(const struct shared_library *library, struct err *err);

#endif
