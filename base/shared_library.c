// SPDX-License-Identifier: Apache-2.0
#include "base/shared_library.h"

#include <dlfcn.h>
#include <string.h>

static bool missing(const struct shared_library *library, struct err *err)
{
    const char *why = dlerror();
    return err_set(err, ERR_IO,
                   "this needs the shared library %s, which cannot be loaded: %s (Debian: apt-get "
                   "install %s)",
                   library->file, why ? why : "the reason is unknown", library->package);
}

bool shared_library_load(const struct shared_library *library, struct err *err)
{
    // All symbols now: one that is missing would end the process at its first use.
    void *handle = dlopen(library->file, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL)
        return missing(library, err);
    for (size_t i = 0; i < library->n_functions; i++) {
        void *at = dlsym(handle, library->functions[i].name);
        if (at == NULL)
            return missing(library, err);
        // ISO C has no conversion of this pointer to one to a function; POSIX gives both one form.
        memcpy(library->functions[i].pointer, &at, sizeof at);
    }
    return true;
}
